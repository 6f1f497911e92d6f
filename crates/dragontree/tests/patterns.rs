//! Patterns of the textbook (Dally & Towles 2004, §3.2) and of Kim et al. 2008 against closed forms.

use dragontree::scenario::{Experiment, Study};
use dragontree::traffic::Destinations;
use dragontree::units::Rank;

fn experiment(text: &str) -> Experiment {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    plan.jobs[0].build(None).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

fn refusal(text: &str) -> String {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    plan.jobs[0].build(None).err().expect(text)[0].to_string()
}

fn bound(text: &str) -> f64 {
    experiment(text).analysis().limit.as_ref().expect("a bound").bound
}

/// The rank that each sends to.
fn fixed(text: &str) -> Vec<Option<u32>> {
    let experiment = experiment(text);
    let Destinations::Fixed(all) = &**experiment.destinations() else { panic!("{text}") };
    all.iter().map(|to| to.map(|rank| rank.0)).collect()
}

/// All a·p endpoints of a group share one global link.
#[test]
fn adversarial_and_tornado_fill_one_global_link_of_each_group() {
    for (p, a, h) in [(2, 4, 2), (3, 6, 3), (4, 8, 4)] {
        for wiring in ["palmtree", "consecutive"] {
            for traffic in ["adversarial", "adversarial,by=3", "tornado"] {
                let text = format!(
                    "topology=dragonfly,p={p},a={a},h={h},wiring={wiring} routing=minimal \
                     traffic={traffic} load=1"
                );
                let found = bound(&text);
                assert!((found - 1.0 / f64::from(a * p)).abs() < 1e-8, "{text}: {found}");
            }
        }
    }
}

#[test]
fn adversarial_groups_send_to_all_of_the_group_that_is_meant() {
    for (fabric, members, groups) in [
        ("dragonfly,p=2,a=4,h=2 routing=minimal", 8, 9),
        ("subnets,count=3 routing=min_hop", 72, 3),
    ] {
        for by in [0, 1, 2, groups + 1] {
            let text = format!("topology={fabric} traffic=adversarial,by={by} load=0.01");
            let experiment = experiment(&text);
            let Destinations::Weighted(shares) = &**experiment.destinations() else {
                panic!("{text}")
            };
            assert_eq!(shares.len() as u32, members * groups);
            for (rank, row) in (0..).zip(shares) {
                let group = (rank / members + by) % groups;
                let all = (group * members..(group + 1) * members).filter(|to| *to != rank);
                assert!(row.iter().map(|(to, _)| *to).eq(all.map(Rank)), "{text}: {rank}");
                let sum: f64 = row.iter().map(|(_, share)| share).sum();
                let even =
                    row.iter().all(|(_, share)| (share - sum / row.len() as f64).abs() < 1e-12);
                assert!((sum - 1.0).abs() < 1e-9 && even, "{text}: {rank}");
            }
        }
    }
}

/// All packets of a ring of k go the same way around, ⌈k/2⌉ - 1 links each, so that as many flows of
/// each endpoint of a switch share every link of that direction.
#[test]
fn a_tornado_loads_one_direction_of_a_torus() {
    for (torus, flows) in [
        ("widths=5,p=1", 2.0),
        ("widths=8,p=1", 3.0),
        ("widths=9,p=2", 8.0),
        ("widths=8.8,p=1", 3.0),
        ("widths=4.8.6,p=1", 3.0),
    ] {
        let text = format!("topology=torus,{torus} routing=dimension_order traffic=tornado load=1");
        let found = bound(&text);
        assert!((found - 1.0 / flows).abs() < 1e-9, "{text}: {found}");
    }
    // The coordinates are those of switches, wherever the ranks are.
    let text =
        "topology=torus,widths=6,p=1 placement=random routing=dimension_order traffic=tornado";
    let experiment = experiment(text);
    let Destinations::Fixed(all) = &**experiment.destinations() else { panic!("{text}") };
    let place = |rank: usize| experiment.placement()[rank].0;
    for (rank, to) in all.iter().enumerate() {
        let to = to.expect("everyone sends").0 as usize;
        assert_eq!(place(to), (place(rank) + 2) % 6, "{rank}");
    }
}

/// On a mesh of k by k, the ranks of the last row all leave it in the last column but for one (k - 1
/// flows over its last link).
#[test]
fn a_transpose_on_a_mesh_fills_the_last_link_of_a_row() {
    for side in [4_u32, 8] {
        let text = format!(
            "topology=mesh,widths={side}.{side},p=1 routing=dimension_order traffic=transpose load=1"
        );
        let found = bound(&text);
        assert!((found - 1.0 / f64::from(side - 1)).abs() < 1e-9, "{text}: {found}");
        let all = fixed(&text);
        for (rank, to) in (0..).zip(&all) {
            let (row, column) = (rank / side, rank % side);
            assert_eq!(*to, (row != column).then_some(column * side + row));
        }
    }
}

#[test]
fn a_permutation_moves_everyone_and_has_a_seed() {
    let text = "topology=dragonfly,p=2,a=4,h=2 traffic=permutation";
    let of = |rest: &str| {
        let all = fixed(&format!("{text}{rest} load=0.1"));
        let mut sorted: Vec<u32> = all.iter().map(|to| to.expect("everyone sends")).collect();
        assert!((0..).zip(&sorted).all(|(rank, to)| rank != *to), "{rest}");
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..72), "{rest}");
        all
    };
    let first = of("");
    assert_eq!(first, of(" seed=1"));
    assert_eq!(first, of(",seed=1 seed=2"));
    assert_ne!(first, of(" seed=2"));
    assert_eq!(of(",seed=7 seed=1"), of(",seed=7 seed=2"));
    // Runs of several seeds have a permutation each.
    let plan = Study::parse(&format!("{text} load=0.1 seeds=2")).expect(text).plan().expect(text);
    let [one, other] = [0, 1].map(|job: usize| plan.jobs[job].build(None).expect(text));
    let again = Experiment::build(plan.jobs[1].scenario(), Some(&one)).expect(text);
    assert_ne!(one.destinations(), other.destinations());
    assert_eq!(again.destinations(), other.destinations());
}

#[test]
fn what_patterns_need_is_said() {
    for (text, start) in [
        (
            "topology=xgft routing=d_mod_k traffic=adversarial load=0.5",
            "traffic: “adversarial” was given; adversarial needs a dragonfly's groups or subnets",
        ),
        (
            "topology=slim_fly,q=5 traffic=tornado load=0.5",
            "traffic: “tornado” was given; tornado needs a grid or groups",
        ),
        (
            "traffic=transpose load=0.5",
            "traffic=transpose: it takes a square of ranks and there are 1056; allowed: ranks=1024",
        ),
        (
            "topology=xgft,m=3,w=1 routing=d_mod_k traffic=transpose load=0.5",
            "traffic=transpose: it takes a square of ranks and there are 3; allowed: ranks=4",
        ),
        (
            "topology=torus,widths=2.2 routing=dimension_order traffic=tornado load=0.5",
            "traffic: “tornado” was given; no rank sends to another one",
        ),
        (
            "topology=dragonfly,p=16,a=32,h=16 traffic=adversarial load=0.5",
            "traffic=adversarial: 134479872 pairs would communicate, allowed",
        ),
    ] {
        let found = refusal(text);
        assert!(found.starts_with(start), "{text}\n{found}");
    }
}
