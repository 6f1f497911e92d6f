//! Which endpoint each rank runs on, and matrices of what they send.

use std::collections::{BTreeMap, BTreeSet};

use dragontree::catalog::Files;
use dragontree::scenario::{Experiment, Study};
use dragontree::traffic::Destinations;
use dragontree::units::Rank;

/// The experiment of a text in which `@` stands for a file of this content.
fn with_file(text: &str, file: &str) -> Result<Experiment, String> {
    let mut files = Files::default();
    let digest = files.add("given.txt", file);
    let text = text.replace('@', &format!("file.{digest:016x}"));
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    plan.jobs[0].build(None).map_err(|problems| problems[0].to_string())
}

fn placed(text: &str, file: &str) -> Result<Vec<u32>, String> {
    let experiment = with_file(text, file)?;
    Ok(experiment.placement().iter().map(|endpoint| endpoint.0).collect())
}

const SMALL: &str = "topology=dragonfly,p=2,a=2,h=1";

#[test]
fn consecutive_ranks_are_apart() {
    let over = |over: &str| placed(&format!("{SMALL} placement=round_robin,over={over}"), "");
    assert_eq!(over("switch").unwrap(), [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11]);
    assert_eq!(over("group").unwrap(), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    let tree = placed("topology=xgft placement=round_robin,over=group", "");
    assert!(tree.unwrap_err().contains("needs groups"));
}

/// The groups, of eight endpoints each, in which ranks are.
fn groups(settings: &str) -> Result<Vec<u32>, String> {
    let text = format!("topology=dragonfly,p=2,a=4,h=2 placement=blocks,{settings}");
    let places = placed(&text, "")?;
    assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), places.len());
    Ok(places.into_iter().map(|endpoint| endpoint / 8).collect())
}

/// The task (x, y, z) of 4 × 4 × 4 is in the block (x/2, y/2, z/2).
#[test]
fn a_block_has_a_group_of_its_own() {
    let found = groups("tasks=4.4.4,block=2.2.2").unwrap();
    let mut of_block: BTreeMap<usize, u32> = BTreeMap::new();
    for (rank, group) in found.iter().enumerate() {
        let [x, y, z] = [rank % 4, rank / 4 % 4, rank / 16];
        let block = x / 2 + y / 2 * 2 + z / 2 * 4;
        assert_eq!(of_block.entry(block).or_insert(*group), group);
    }
    assert_eq!(of_block.values().collect::<BTreeSet<_>>().len(), 8);
}

#[test]
fn random_gathering_fills_as_many_groups_as_evenly() {
    let found = groups("tasks=4.4.4,block=2.2.2,order=random").unwrap();
    let mut counts = BTreeMap::new();
    found.iter().for_each(|group| *counts.entry(group).or_insert(0) += 1);
    assert!(counts.len() == 8 && counts.values().all(|count| *count == 8));
    assert_ne!(found, groups("tasks=4.4.4,block=2.2.2").unwrap());
}

#[test]
fn blocks_that_do_not_fit_are_refused() {
    for (settings, words) in [
        ("tasks=4.4,block=3.2", "3 does not divide 4 tasks"),
        ("tasks=4.4,block=2", "dimensions"),
        ("tasks=4.4.4,block=4.4.1", "4 blocks of 16 ranks"),
        ("tasks=8.4.4,block=2.2.2", "16 blocks of 8 ranks"),
        ("tasks=65536.65536.65536.65536,block=65536.65536.65536.65536", "tasks, allowed: up to"),
    ] {
        let said = groups(settings).unwrap_err();
        assert!(said.contains(words), "{settings}: {said}");
    }
}

#[test]
fn every_line_of_a_file_is_a_rank() {
    let text = format!("{SMALL} placement=ranks,data=@");
    assert_eq!(placed(&text, "3\n- # kept\n\n# none\n1\n").unwrap(), [3, 1]);
    let said = |file| placed(&text, file).unwrap_err();
    assert!(said("1\n2\n1\n").contains("given.txt, line 3: 1"), "{}", said("1\n2\n1\n"));
    assert!(said("12\n1\n").contains("0 to 11"));
    assert!(said("node\n1\n").contains("no endpoint has this name"));
}

fn matrix(ranks: u32, file: &str) -> Result<Destinations, String> {
    let text = format!("{SMALL} traffic=matrix,data=@ ranks={ranks}");
    with_file(&text, file).map(|experiment| (**experiment.destinations()).clone())
}

#[test]
fn the_busiest_rank_of_a_matrix_sends_at_the_offered_load() {
    let found = matrix(3, "# from, to\n9, 1, 3\n0,0,2\n\n0,0,0\n").unwrap();
    let shares = vec![vec![(Rank(1), 0.25), (Rank(2), 0.75)], vec![(Rank(2), 0.5)], vec![]];
    assert_eq!(found, Destinations::Weighted(shares));
}

#[test]
fn a_wrong_matrix_is_named() {
    let said = |file| matrix(2, file).unwrap_err();
    assert!(said("0,1\nNaN,0\n").contains("given.txt, line 2"), "{}", said("0,1\nNaN,0\n"));
    assert!(said("0,1\n-1,0\n").contains("number 1, “-1”"));
    assert!(said("0,1,2\n").contains("it has 3 numbers and there are 2 ranks; allowed: ranks=3"));
    assert!(said("0,1\n").contains("it has 1 lines of 2 numbers"));
    assert!(said("0,1\n1e-12,0\n").contains("rank 1 sends less than"));
    let huge = matrix(3, "0,1e308,1e308\n1e308,0,0\n0,0,0\n").unwrap();
    let half = vec![(Rank(0), 0.5)];
    let shares = vec![vec![(Rank(1), 0.5), (Rank(2), 0.5)], half, vec![]];
    assert_eq!(huge, Destinations::Weighted(shares));
}

/// Hosts and racks of jobs on a machine of 82 racks, each of four chassis of twelve hosts (Subramoni et al.
/// 2011, Table I and §V-A).
#[test]
fn jobs_are_scattered_as_the_document_found_them() {
    for (hosts, racks) in [(2, 2), (28, 22), (58, 40), (106, 58), (224, 74)] {
        let text = format!(
            "topology=xgft,m=12.4.82,w=1.4.4 routing=d_mod_k traffic=permutation \
             placement=scattered,hosts={hosts},racks={racks},level=2"
        );
        let of = |seed: u32| placed(&format!("{text} seed={seed}"), "").unwrap();
        let places = of(1);
        let count =
            |own: &dyn Fn(&u32) -> u32| places.iter().map(own).collect::<BTreeSet<_>>().len();
        assert_eq!(count(&|place| *place), hosts);
        assert_eq!(count(&|place| place / 48), racks);
        assert_eq!(of(1), places);
        assert_ne!(of(2), places);
    }
    // A rack of level 1 is a switch, of level 2 a group; ranks that share a host follow one another.
    let found =
        placed(&format!("{SMALL} ranks_per_endpoint=2 placement=scattered,hosts=4,racks=3"), "");
    let found = found.unwrap();
    assert_eq!(found.len(), 8);
    assert!(found.chunks(2).all(|pair| pair[0] == pair[1]), "{found:?}");
    assert_eq!(found.iter().map(|place| place / 2).collect::<BTreeSet<_>>().len(), 3);
    let found =
        placed(&format!("{SMALL} placement=scattered,hosts=8,racks=2,level=2"), "").unwrap();
    assert_eq!(found.iter().map(|place| place / 4).collect::<BTreeSet<_>>().len(), 2);
    for (settings, start) in [
        (
            "hosts=5,racks=7",
            "placement=scattered,racks: “7” was given; there are 6 racks for 5 hosts, allowed",
        ),
        (
            "hosts=5,racks=2",
            "placement=scattered,hosts: “5” was given; 2 racks have room for 4 hosts",
        ),
        ("level=3", "placement=scattered,level: “3” was given; it has no switches of that level"),
    ] {
        let said = placed(&format!("{SMALL} placement=scattered,{settings}"), "").unwrap_err();
        assert!(said.starts_with(start), "{said}");
    }
}
