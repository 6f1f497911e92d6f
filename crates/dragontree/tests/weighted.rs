//! Traffic in which ranks send different amounts to different ranks.

use dragontree::scenario::{Metrics, Step, Study};
use dragontree::traffic::Destinations;
use dragontree::units::Rank;

fn metrics(text: &str) -> Metrics {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut running = plan.jobs[0].start(None).expect(text);
    while running.advance(1 << 20).expect(text) != Step::Done {}
    running.record(0.0).and_then(|record| record.metrics).expect(text)
}

/// The matrix that the page brings along: every rank sends 1 to both neighbors and 2 to the opposite
/// one, so all send at the offered load.
#[test]
fn equal_rows_are_accepted_as_offered() {
    let found = metrics("topology=xgft,m=8,w=1 traffic=matrix load=0.4");
    assert!((found.accepted - 0.4).abs() < 0.004, "{}", found.accepted);
    assert_eq!(found.bound, Some(1.0));
}

/// The shares of hot-spot traffic in three subnets of 72 endpoints, and the number of endpoints of each.
fn hot_spots(seed: u64) -> (Vec<Vec<(Rank, f64)>>, usize) {
    let text = format!(
        "topology=subnets,count=3 traffic=hot_spot,remote=0.3,hot=0.05 routing=min_hop seed={seed}"
    );
    let plan = Study::parse(&text).expect(&text).plan().expect(&text);
    let experiment = plan.jobs[0].build(None).expect(&text);
    let Destinations::Weighted(shares) = &**experiment.destinations() else { panic!("{text}") };
    (shares.clone(), experiment.placement().len() / 3)
}

/// Whom a rank of another subnet sends most to, subnet by subnet.
fn spots(shares: &[Vec<(Rank, f64)>], count: usize) -> [u32; 3] {
    [0, 1, 2].map(|subnet| {
        let others = &shares[(subnet + 1) % 3 * count];
        let inside = others.iter().filter(|(to, _)| to.0 as usize / count == subnet);
        let most = inside.max_by(|one, other| one.1.total_cmp(&other.1));
        most.expect("somebody").0.0
    })
}

/// A message leaves its subnet with the probability `remote`; each hot spot gets the twentieth part of
/// what is sent within its subnet (by all but itself) and into it.
#[test]
fn shares_of_hot_spots_and_subnets_are_those_of_the_document() {
    let (shares, count) = hot_spots(1);
    let hot = spots(&shares, count);
    let subnet = |rank: Rank| rank.0 as usize / count;
    for (own, row) in shares.iter().enumerate() {
        let sum: f64 = row.iter().map(|(_, share)| share).sum();
        let away = row.iter().filter(|(to, _)| subnet(*to) != own / count);
        let away: f64 = away.map(|(_, share)| share).sum();
        assert!((sum - 1.0).abs() < 1e-9 && (away - 0.3).abs() < 1e-9, "{own}: {sum} {away}");
        let aimed = row.iter().filter(|(to, _)| hot.contains(&to.0));
        let aimed: f64 = aimed.map(|(_, share)| share).sum();
        let spread = |members: usize| 0.95 / members as f64;
        let expected = match hot.contains(&(own as u32)) {
            true => 0.3 * (0.05 + spread(count)),
            false => 0.7 * (0.05 + spread(count - 1)) + 0.3 * (0.05 + spread(count)),
        };
        assert!((aimed - expected).abs() < 1e-9, "{own}: {aimed} {expected}");
    }
}

/// Bogdański et al. 2013, §5.1: preselected, different for every seed, not varying in time.
#[test]
fn every_seed_has_hot_spots_of_its_own() {
    let of = |seed| {
        let (shares, count) = hot_spots(seed);
        spots(&shares, count)
    };
    assert_eq!(of(1), of(1));
    let drawn: std::collections::BTreeSet<[u32; 3]> = (1..9).map(of).collect();
    assert_eq!(drawn.len(), 8);
}
