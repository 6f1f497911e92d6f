//! Valiant routing against brute force on small networks, and against numbers of others.

use std::collections::BTreeMap;

use dragontree::network::{Groups, LinkClass, Network, Node, PortId, Structure, SwitchId};

use super::{SMALL, experiment, found, is_cyclic, oblivious, pairs, refusal, switch_of, ways};

/// On networks whose switches are at most two hops apart: over every other switch with endpoints
/// alike, each half being one of the minimal ways.
#[test]
fn both_halves_are_minimal_and_every_switch_in_between_is_as_likely() {
    for topology in SMALL {
        let experiment = experiment(&format!("topology={topology} routing=valiant load=1"));
        let network = experiment.network();
        let carriers: Vec<SwitchId> =
            network.switches().filter(|switch| network.carries_endpoints(*switch)).collect();
        for pair in pairs(network) {
            let [from, to] = [pair.source, pair.destination].map(|each| switch_of(network, each));
            let middles = carriers.iter().copied().filter(|middle| ![from, to].contains(middle));
            let middles: Vec<SwitchId> = middles.collect();
            let mut expected: BTreeMap<Vec<PortId>, f64> = BTreeMap::new();
            match middles.len() {
                _ if from == to => drop(expected.insert(Vec::new(), 1.0)),
                0 => expected = ways(network, from, to),
                count => {
                    for middle in middles {
                        for (first, one) in ways(network, from, middle) {
                            for (second, other) in ways(network, middle, to) {
                                let way = [first.clone(), second].concat();
                                *expected.entry(way).or_default() += one * other / count as f64;
                            }
                        }
                    }
                }
            }
            let found = found(&experiment, pair).expect("a route");
            assert!(found.keys().eq(expected.keys()), "{topology} {pair:?}");
            for (one, other) in found.values().zip(expected.values()) {
                assert!((one - other).abs() < 1e-12, "{topology} {pair:?}");
            }
        }
    }
}

pub const DRAGONFLIES: &[&str] = &[
    "dragonfly,p=2,a=4,h=2",
    "dragonfly,p=1,a=4,h=1,wiring=consecutive",
    "dragonfly,p=2,a=3,h=2,groups=4",
    "dragonfly,p=1,a=4,h=1,groups=2",
    "dragonfly,p=1,a=6,h=1,local=flattened,rows=3",
    "dragonfly,p=1,a=4,h=2,local=flattened,groups=5",
];

fn groups(network: &Network) -> &Groups {
    match network.structure() {
        Structure::Groups(groups) => groups,
        other => panic!("{}", other.name()),
    }
}

/// A way as letters, local and global, and where it leads to hop by hop.
fn letters(network: &Network, way: &[PortId]) -> (String, Vec<SwitchId>) {
    let hop = |port: &PortId| {
        let channel = network.channel(*port).expect("a cable");
        let Node::Switch(end) = network.owner(channel.peer) else { panic!("a switch") };
        (if channel.class == LinkClass::Global { 'R' } else { 'L' }, end)
    };
    way.iter().map(hop).unzip()
}

/// `LR·LRL` over a group and `LRL·LRL` over a switch, as in Fig. 6.1 of Prisacari 2020 (two local
/// hops each in flattened groups); every third group as likely as every other, and every switch in
/// it.
#[test]
fn ways_over_a_third_group_are_those_of_the_figure() {
    for (topology, via) in DRAGONFLIES.iter().flat_map(|each| [(each, "group"), (each, "switch")]) {
        let text = format!("topology={topology} routing=valiant,via={via} load=1");
        let experiment = experiment(&text);
        let network = experiment.network();
        let groups = groups(network);
        let most_local = if groups.rows() > 1 { 2 } else { 1 };
        for pair in pairs(network) {
            let [from, to] = [pair.source, pair.destination].map(|each| switch_of(network, each));
            let [home, away] = [from, to].map(|switch| groups.group(switch));
            let third = (0..groups.group_count).filter(|each| ![home, away].contains(each)).count();
            let mut by_group: BTreeMap<u32, f64> = BTreeMap::new();
            let mut total = 0.0;
            for (way, share) in found(&experiment, pair).expect("a route") {
                total += share;
                let (letters, ends) = letters(network, &way);
                let parts: Vec<&str> = letters.split('R').collect();
                if from == to {
                    assert!(way.is_empty());
                    continue;
                }
                let hops = match (third, home == away) {
                    (0, true) => [most_local].to_vec(),
                    (0, false) => [most_local; 2].to_vec(),
                    _ if via == "group" => [most_local; 3].to_vec(),
                    _ => [most_local, 2 * most_local, most_local].to_vec(),
                };
                assert_eq!(parts.len(), hops.len(), "{text} {pair:?} {letters}");
                assert!(
                    parts.iter().zip(&hops).all(|(part, most)| part.len() <= *most),
                    "{letters}"
                );
                if third > 0 {
                    let first = letters.find('R').expect("a global hop");
                    *by_group.entry(groups.group(ends[first])).or_default() += share;
                }
            }
            assert!((total - 1.0).abs() < 1e-9, "{text} {pair:?} {total}");
            if from != to {
                assert_eq!(by_group.len(), third, "{text} {pair:?}");
                let even = |share: &f64| (share * third as f64 - 1.0).abs() < 1e-9;
                assert!(by_group.values().all(even), "{text} {pair:?} {by_group:?}");
            }
        }
    }
}

/// Over a switch, packets pass every switch of a third group at least as often as it is drawn.
#[test]
fn every_switch_of_a_third_group_is_drawn() {
    let experiment = experiment("topology=dragonfly,p=1,a=4,h=1 routing=valiant,via=switch load=1");
    let network = experiment.network();
    let groups = groups(network);
    for pair in pairs(network) {
        let [from, to] = [pair.source, pair.destination].map(|each| switch_of(network, each));
        let [home, away] = [from, to].map(|switch| groups.group(switch));
        let mut passed: BTreeMap<SwitchId, f64> = BTreeMap::new();
        for (way, share) in found(&experiment, pair).expect("a route") {
            let (_, mut ends) = letters(network, &way);
            ends.dedup();
            for switch in ends.into_iter().filter(|switch| {
                let group = groups.group(*switch);
                group != home && group != away
            }) {
                *passed.entry(switch).or_default() += share;
            }
        }
        let third = groups.group_count - if home == away { 1 } else { 2 };
        assert_eq!(passed.len() as u32, third * 4, "{pair:?}");
        let least = 1.0 / f64::from(third * 4);
        assert!(passed.values().all(|share| *share >= least - 1e-9), "{pair:?} {passed:?}");
    }
}

/// Minimally within a group, packets go as minimal routing leads them there, and to other groups as
/// ever; no cycle of channels forms.
#[test]
fn packets_stay_in_their_group_where_they_are_to() {
    for (topology, via) in DRAGONFLIES.iter().flat_map(|each| [(each, "group"), (each, "switch")]) {
        let of =
            |routing: &str| experiment(&format!("topology={topology} routing={routing} load=1"));
        let indirect = of(&format!("valiant,via={via}"));
        let staying = of(&format!("valiant,via={via},within=minimal"));
        let minimal = of("minimal");
        let network = staying.network();
        let groups = groups(network);
        for pair in pairs(network) {
            let ends = [pair.source, pair.destination].map(|each| switch_of(network, each));
            let [home, away] = ends.map(|switch| groups.group(switch));
            let expected = found(if home == away { &minimal } else { &indirect }, pair);
            assert_eq!(found(&staying, pair), expected, "{topology} {via} {pair:?}");
        }
        assert!(!is_cyclic(&staying, &|_, vc| vc), "{topology} {via}");
    }
}

/// The virtual channels of Prisacari 2020, §6.2 and §7.3.4 are enough, and none of them too many:
/// merging any two neighboring classes of local hops, or those of global hops, closes a cycle.
#[test]
fn channels_never_wait_in_a_cycle_and_none_is_in_vain() {
    let same = |_: PortId, vc: u8| vc;
    for (topology, channels) in
        [("slim_fly,q=5", 4), ("mlfm,h=3", 2), ("oft,k=3", 2), ("hyperx,widths=4.3,p=1", 4)]
    {
        let experiment = experiment(&format!("topology={topology} routing=valiant load=1"));
        let routes = oblivious(&experiment);
        assert_eq!(routes.virtual_channels(), channels, "{topology}");
        assert!(!is_cyclic(&experiment, &same), "{topology}");
        assert!(is_cyclic(&experiment, &|_, vc| vc.min(channels - 2)), "{topology}");
    }
    for (via, channels) in [("group", 3), ("switch", 4)] {
        for topology in ["dragonfly,p=1,a=4,h=2", "dragonfly,p=1,a=4,h=1,local=flattened"] {
            let text = format!("topology={topology} routing=valiant,via={via} load=1");
            let experiment = experiment(&text);
            let network = experiment.network();
            assert_eq!(oblivious(&experiment).virtual_channels(), channels, "{text}");
            assert!(!is_cyclic(&experiment, &same), "{text}");
            let is_global = |port: PortId| {
                network.channel(port).is_some_and(|channel| channel.class == LinkClass::Global)
            };
            for lower in 0..channels - 1 {
                let merged = |port, vc| if !is_global(port) && vc > lower { vc - 1 } else { vc };
                assert!(is_cyclic(&experiment, &merged), "{text} local {lower}");
            }
            let merged = |port, vc| if is_global(port) { 0 } else { vc };
            assert!(is_cyclic(&experiment, &merged), "{text} global");
        }
    }
}

fn bound(text: &str) -> f64 {
    experiment(&format!("{text} load=1")).analysis().report.bound
}

/// The load at which the busiest channel fills, computed by another program that walks all ways of
/// these routings, to three digits.
#[test]
fn bounds_are_those_of_another_program() {
    let rows = [
        ("p=2,a=4,h=2", "uniform", [1.0, 0.507, 0.507]),
        ("p=3,a=6,h=3", "uniform", [1.0, 0.503, 0.503]),
        ("p=2,a=4,h=2", "bit_complement", [0.125, 0.292, 0.437]),
        ("p=3,a=6,h=3", "bit_complement", [0.056, 0.236, 0.472]),
        ("p=4,a=8,h=4", "bit_complement", [0.031, 0.194, 0.484]),
        ("p=2,a=4,h=2", "bit_reversal", [0.5, 0.583, 0.5]),
        ("p=3,a=6,h=3", "bit_reversal", [0.2, 0.502, 0.489]),
        ("p=4,a=8,h=4", "bit_reversal", [0.5, 0.517, 0.5]),
    ];
    for (size, traffic, expected) in rows {
        let routings = ["minimal", "valiant,via=group", "valiant,via=switch"];
        for (routing, expected) in routings.iter().zip(expected) {
            let text = format!("topology=dragonfly,{size} traffic={traffic} routing={routing}");
            let found = bound(&text);
            assert!((found - expected).abs() <= 0.0005 + 1e-9, "{text}: {found} for {expected}");
        }
    }
    let uniform = bound("topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=group");
    assert!((uniform - 0.501).abs() <= 0.0005, "{uniform}");
}

/// Uniform traffic over random switches takes every link twice, so half of the throughput is left;
/// in MLFM and OFT the links up carry the `(N - p)/(N - 1)` of the traffic that leaves its switch,
/// once from its source and once from the switch in between.
#[test]
fn half_of_uniform_traffic_is_left() {
    for (topology, n, p) in
        [("mlfm,h=3", 36.0, 3.0), ("mlfm,h=6", 252.0, 6.0), ("oft,k=4", 104.0, 4.0)]
    {
        let found = bound(&format!("topology={topology} routing=valiant"));
        let expected = (n - 1.0) / (2.0 * (n - p));
        assert!((found - expected).abs() < 1e-8, "{topology}: {found} for {expected}");
    }
}

/// The worst case of minimal routing, every group sending to the next: of the `a·p` of a group,
/// each global channel but one carries the `ah - 1`st part on its first half of the way and as
/// much on its second.
#[test]
fn half_of_adversarial_traffic_is_left() {
    for (p, a, h) in [(2.0, 4.0, 2.0), (3.0, 6.0, 3.0), (4.0, 8.0, 4.0)] {
        let text = format!("topology=dragonfly,p={p},a={a},h={h} traffic=shift,by={}", a * p);
        let found = bound(&format!("{text} routing=valiant,via=switch"));
        let expected = (a * h - 1.0) / (2.0 * a * p);
        assert!((found - expected).abs() < 1e-8, "{text}: {found} for {expected}");
    }
}

/// What is broken is gone around: every pair keeps its route, and no way leads over the fault.
#[test]
fn faults_are_gone_around() {
    let cases = [
        ("dragonfly,p=2,a=4,h=2", "via=group"),
        ("dragonfly,p=2,a=4,h=2", "via=switch"),
        ("slim_fly,q=5", "via=switch"),
    ];
    for (topology, via) in cases {
        let text = format!("topology={topology} routing=valiant,{via} load=1");
        let broken = experiment(&format!("{text} faults=random,links=3,seed=2"));
        let network = broken.network();
        let mut ways = 0;
        for pair in pairs(network) {
            let found = found(&broken, pair).expect("a route");
            let total: f64 = found.values().sum();
            assert!((total - 1.0).abs() < 1e-9, "{text} {pair:?}");
            ways += found.len();
            let mut ports = found.keys().flatten();
            assert!(ports.all(|port| network.peer(*port).is_some()), "{text} {pair:?}");
        }
        let whole = experiment(&text);
        let all: usize =
            pairs(whole.network()).map(|pair| found(&whole, pair).expect("a route").len()).sum();
        assert!(ways < all, "{text} {ways} of {all}");
    }
}

#[test]
fn what_has_no_groups_or_is_larger_is_refused() {
    let cases = [
        ("topology=slim_fly,q=5 routing=valiant,via=group", "valiant needs groups for “via=group”"),
        (
            "topology=slim_fly,q=5 routing=valiant,within=minimal",
            "valiant needs groups for “within=minimal”",
        ),
        (
            "topology=k_ary_n_tree,k=2,n=3 routing=valiant",
            "valiant needs groups, or switches at most two hops apart",
        ),
    ];
    for (text, expected) in cases {
        let found = refusal(&format!("{text} load=1"));
        assert!(found.contains(expected), "{found}");
    }
}

/// By how many ways a pair is said to have, work is cut into slices and refused where it is too
/// much.
#[test]
fn pairs_have_about_as_many_ways_as_told() {
    for topology in SMALL.iter().chain(DRAGONFLIES) {
        let experiment = experiment(&format!("topology={topology} routing=valiant load=1"));
        let routes = oblivious(&experiment);
        let most = pairs(experiment.network()).map(|pair| {
            let mut ways = 0;
            routes.choices(pair, &mut |_, _| ways += 1);
            ways
        });
        let most = most.max().expect("pairs");
        let told = routes.ways_per_pair();
        assert!(most <= told && told <= 64 * most, "{topology}: {most} of {told}");
    }
}
