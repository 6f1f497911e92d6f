//! What networks carry at full load, without simulating it: max-min fair rates against another program,
//! closed forms, a filling by brute force, and simulation.

use std::collections::BTreeMap;

use dragontree::analysis::paths;
use dragontree::routing::Pair;
use dragontree::scenario::{Experiment, Saturating, Saturation, Scenario, Study};
use dragontree::units::Rank;

fn scenario(text: &str) -> Scenario {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    plan.jobs[0].scenario().clone()
}

fn saturation(text: &str) -> Saturation {
    let mut saturating = Saturating::start(&scenario(text)).expect(text);
    loop {
        if let Some(found) = saturating.advance(10_000).expect(text) {
            return found;
        }
    }
}

fn fair_mean(text: &str) -> f64 {
    saturation(&format!("{text} load=1")).fair_mean.expect(text)
}

/// Another program's mean of max-min fair rates on dragonflies under minimal routing, to three digits:
/// bit complement placed contiguously and at random (mean of five seeds), then bit reversal.
const OTHERS: [(&str, [f64; 4]); 6] = [
    ("p=2,a=4,h=2", [0.167, 0.562, 0.514, 0.561]),
    ("p=3,a=6,h=3", [0.070, 0.523, 0.527, 0.476]),
    ("p=4,a=8,h=4", [0.038, 0.485, 0.585, 0.475]),
    ("p=4,a=8,h=3", [0.040, 0.452, 0.420, 0.446]),
    ("p=4,a=7,h=4", [0.047, 0.469, 0.461, 0.448]),
    ("p=4,a=9,h=4", [0.036, 0.491, 0.518, 0.485]),
];

/// Half of the last digit.
const ROUNDED: f64 = 0.0005 + 1e-9;

#[test]
fn contiguous_ranks_get_what_another_program_says() {
    let mut found = Vec::new();
    for (size, [complement, _, reversal, _]) in OTHERS {
        for (traffic, expected) in [("bit_complement", complement), ("bit_reversal", reversal)] {
            let mean = fair_mean(&format!("topology=dragonfly,{size} traffic={traffic}"));
            found.push((size, traffic, mean, expected));
        }
    }
    let off = found.iter().filter(|(.., mean, expected)| (mean - expected).abs() > ROUNDED);
    assert_eq!(off.count(), 0, "{found:?}");
}

/// Those numbers are of palmtree wiring, the default. Over which switches the one link between two groups
/// leads decides how many flows of bit reversal meet on local channels, so that consecutive wiring gives
/// others; of bit complement all flows of a group meet on one global channel, whatever the wiring.
/// (Computed by a short program that fills the channels of both wirings.)
#[test]
fn the_wiring_counts_where_flows_meet_on_local_channels() {
    for (size, complement, reversal) in [
        ("p=2,a=4,h=2", 0.1667, 0.6667),
        ("p=3,a=6,h=3", 0.0702, 0.5214),
        ("p=4,a=8,h=4", 0.0379, 0.6023),
    ] {
        let dragonfly = format!("topology=dragonfly,{size},wiring=consecutive");
        for (traffic, expected) in [("bit_complement", complement), ("bit_reversal", reversal)] {
            let mean = fair_mean(&format!("{dragonfly} traffic={traffic}"));
            assert!((mean - expected).abs() <= 0.00005 + 1e-9, "{size} {traffic}: {mean}");
        }
    }
}

/// Placed at random, both draw different permutations, so that two means of samples are compared: of
/// five seeds there, of twenty here. They differ by less than three standard deviations of their
/// difference, `σ·√(1/5 + 1/20)`, where σ is how far single seeds lie apart here, besides rounding: σ is
/// from 0.009 on (4, 9, 4) to 0.047 on (2, 4, 2). Of the mean of 200 seeds, the other program's means lie up
/// to 2.4 of their standard deviations `σ/√5` off, which twelve samples may (χ² = 17 of twelve).
#[test]
fn random_ranks_get_what_another_program_says() {
    let mut found = Vec::new();
    for (size, [_, complement, _, reversal]) in OTHERS {
        for (traffic, expected) in [("bit_complement", complement), ("bit_reversal", reversal)] {
            let text = format!("topology=dragonfly,{size} traffic={traffic} placement=random");
            let means: Vec<f64> =
                (1..=20).map(|seed| fair_mean(&format!("{text} seed={seed}"))).collect();
            let mean = means.iter().sum::<f64>() / 20.0;
            let variance = means.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / 19.0;
            let allowed = 3.0 * (variance * (1.0 / 5.0 + 1.0 / 20.0)).sqrt() + ROUNDED;
            found.push((size, traffic, mean, expected, allowed));
        }
    }
    let off =
        found.iter().filter(|(.., mean, expected, allowed)| (mean - expected).abs() > *allowed);
    assert_eq!(off.count(), 0, "{found:?}");
}

/// Filling by brute force, as the definition says: all paths of all pairs, all channels, and one step
/// after the other from the beginning.
fn by_force(text: &str) -> f64 {
    let experiment = Experiment::build(&scenario(&format!("{text} load=1")), None).expect(text);
    let network = experiment.network();
    let rate =
        |port| network.channel(port).map_or(0.0, |channel| channel.bandwidth.as_bps() as f64);
    let injection = |endpoint| network.injection(endpoint).map_or(0.0, rate);
    let routes = experiment.routes().fixed().expect(text).oblivious();
    let placement = experiment.placement();
    let mut flows: Vec<(f64, BTreeMap<_, f64>)> = Vec::new();
    for (source, rank) in placement.iter().zip(0..) {
        let residents = placement.iter().filter(|endpoint| *endpoint == source).count() as f64;
        experiment.destinations().each(Rank(rank), &mut |destination, share| {
            let pair = Pair { source: *source, destination: placement[destination.0 as usize] };
            if pair.source == pair.destination {
                return;
            }
            let offered = injection(*source) / residents * share;
            let mut uses = BTreeMap::new();
            let show = &mut |path: &[dragontree::analysis::Step], probability: f64| {
                for step in path {
                    *uses.entry(step.port).or_insert(0.0) += offered * probability;
                }
            };
            paths(network, routes, pair, show).expect("a route");
            flows.push((offered, uses));
        });
    }
    let mut levels: Vec<Option<f64>> = vec![None; flows.len()];
    while levels.contains(&None) {
        let (mut fixed, mut growing) = (BTreeMap::new(), BTreeMap::new());
        for ((_, uses), level) in flows.iter().zip(&levels) {
            for (port, bits) in uses {
                match level {
                    Some(level) => *fixed.entry(*port).or_insert(0.0) += bits * level,
                    None => *growing.entry(*port).or_insert(0.0) += bits,
                }
            }
        }
        let full = |port: &_| {
            let left = rate(*port) - fixed.get(port).copied().unwrap_or(0.0);
            growing.get(port).map_or(f64::INFINITY, |growing| left / growing)
        };
        let level = growing.keys().map(full).fold(1.0, f64::min);
        for ((_, uses), own) in flows.iter().zip(&mut levels) {
            if own.is_none() && (level == 1.0 || uses.keys().any(|at| full(at) <= level + 1e-9)) {
                *own = Some(level);
            }
        }
    }
    let sent: f64 =
        flows.iter().zip(&levels).map(|((rate, _), own)| rate * own.unwrap_or(0.0)).sum();
    sent / network.endpoints().map(injection).sum::<f64>()
}

#[test]
fn brute_force_finds_the_same() {
    let small = "topology=dragonfly,p=2,a=4,h=2";
    let texts = [
        format!("{small} traffic=bit_reversal"),
        format!("{small},wiring=consecutive traffic=bit_reversal"),
        format!("{small} traffic=bit_complement placement=random seed=3"),
        format!("{small} traffic=bit_complement bandwidth=100Gbps,global=40Gbps,local=70Gbps"),
        format!("{small} traffic=bit_reversal routing=valiant,via=group"),
        format!("{small} traffic=shift,by=8 routing=valiant,via=switch placement=random"),
        format!("{small} traffic=shift,by=5 ranks_per_endpoint=3"),
        format!("{small} traffic=shift,by=8 ranks=50 routing=min_hop faults=random,links=6"),
        format!("{small} traffic=worst_case"),
        "topology=dragonfly,p=2,a=3,h=2 traffic=uniform".to_owned(),
        "topology=dragonfly,p=2,a=3,h=1 routing=min_hop faults=random,links=2".to_owned(),
        "topology=dragonfly,p=2,a=3,h=1 traffic=uniform ranks_per_endpoint=2".to_owned(),
        "topology=dragonfly,p=1,a=4,h=1 traffic=uniform routing=valiant".to_owned(),
        "topology=xgft,m=4.4,w=1.2 routing=d_mod_k traffic=bit_reversal".to_owned(),
        "topology=xgft,m=4.4,w=1.2 routing=min_hop bandwidth=10Gbps,level2=3Gbps".to_owned(),
        "topology=subnets,count=3 traffic=hot_spot,remote=0.3,hot=0.4 routing=min_hop".to_owned(),
        "topology=slim_fly,q=5 traffic=worst_case".to_owned(),
    ];
    for text in texts {
        let (found, expected) = (fair_mean(&text), by_force(&text));
        assert!((found - expected).abs() < 1e-7, "{text}: {found} for {expected}");
    }
}

/// All of a switch send to the next switch over one channel, which they share equally, until it is as
/// fast as all of them; of a slower one less is left.
#[test]
fn flows_on_one_channel_share_it() {
    for p in 1..9_u32 {
        let text = format!("topology=torus,widths=5,p={p} routing=min_hop traffic=shift,by={p}");
        assert!((fair_mean(&text) - 1.0 / f64::from(p)).abs() < 1e-8, "{text}");
    }
    let all = "topology=xgft,m=6.2,w=1.1 routing=d_mod_k traffic=bit_complement";
    assert!((fair_mean(all) - 1.0 / 6.0).abs() < 1e-8);
    let slow = fair_mean(&format!("{all} bandwidth=100Gbps,level2=50Gbps"));
    assert!((slow - 1.0 / 12.0).abs() < 1e-8, "{slow}");
    let fast = fair_mean(&format!("{all} bandwidth=100Gbps,level2=600Gbps"));
    assert_eq!(fast, 1.0);
}

/// Where nothing fills, all is carried: a full tree carries every shift, and who sends nothing counts
/// as 0.
#[test]
fn what_fills_no_channel_is_carried() {
    let tree = "topology=xgft,m=4.4.4,w=1.4.4 routing=d_mod_k";
    assert_eq!(fair_mean(&format!("{tree} traffic=shift,by=21")), 1.0);
    assert_eq!(fair_mean(&format!("{tree} traffic=uniform")), 1.0);
    let half = fair_mean(&format!("{tree} traffic=shift,by=21 ranks=32"));
    assert_eq!(half, 0.5);
}

/// Uniform traffic is held back by the channels that fill first where all are alike: Valiant routing
/// takes every global channel twice.
#[test]
fn a_symmetric_network_is_filled_at_once() {
    let text = "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=group load=1";
    let Saturation { throughput, fair_mean, .. } = saturation(text);
    let [throughput, fair_mean] = [throughput, fair_mean].map(|known| known.expect("known"));
    assert!((throughput - 0.501).abs() <= 0.0005, "{throughput}");
    assert!(fair_mean >= throughput && fair_mean < throughput + 0.01, "{fair_mean}");
}

/// The wiring of global links makes a difference for bit reversal under Valiant routing over a group:
/// 0.502 with palmtree wiring (which stands with the bounds of these routings), 0.5 with consecutive.
#[test]
fn consecutive_wiring_changes_bit_reversal_over_a_group() {
    let text = "topology=dragonfly,p=3,a=6,h=3,wiring=consecutive traffic=bit_reversal \
                routing=valiant,via=group load=1";
    let throughput = saturation(text).throughput.expect("known");
    assert!((throughput - 0.5).abs() <= 0.0005, "{throughput}");
}

#[test]
fn what_has_no_rates_says_why() {
    let adaptive = saturation("topology=dragonfly,p=2,a=4,h=2 routing=ugal load=1");
    assert_eq!((adaptive.throughput, adaptive.channel, adaptive.fair_mean), (None, None, None));
    assert!(adaptive.unknown.is_some_and(|why| why.starts_with("an adaptive routing decides")));
    let exchange = scenario("topology=dragonfly,p=2,a=4,h=2 exchange=all_to_all");
    let problems = Saturating::start(&exchange).err().expect("refused");
    let text = problems[0].to_string();
    assert!(text.contains("exchange") && text.contains("no offered load"), "{text}");
}
