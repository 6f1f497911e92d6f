//! What several families have in common: sizes, names, shorthands, and what is refused.

use crate::catalog::{Menu, PartChoice, read_setting};
use crate::network::{LinkClass, PortId};
use crate::topology::*;
use crate::units::{Bandwidth, Time};
use proptest::prelude::*;

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// A topology with settings in the order given.
fn topology(text: &str) -> Topology {
    let mut words = text.split(',');
    let name = words.next().expect("a name");
    let mut topology = Topology::all().remove(0);
    assert!(topology.choose(name), "{name}");
    for (key, value) in words.map(|word| word.split_once('=').expect("a setting")) {
        read_setting(|form| topology.settings(form), key, value).expect(text);
    }
    topology
}

fn build(text: &str) -> Network {
    topology(text).role().build(&LINKS).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
}

/// Endpoints, switches, radix.
fn size(text: &str) -> [u32; 3] {
    let network = build(text);
    [network.endpoint_count(), network.switch_count(), network.radix()]
}

/// Prisacari 2020, §7.2 and Fig. 7.3.
#[test]
fn counts_match_the_documents() {
    let cases = [
        ("hyperx,widths=4.4,p=3", [48, 16, 9]),
        ("hyperx,widths=11.11,p=10", [1210, 121, 30]),
        ("hyperx,widths=22.22,p=21", [10164, 484, 63]),
        ("slim_fly,q=5", [150, 50, 10]),
        ("slim_fly,rounding=ceil,q=5", [200, 50, 11]),
        ("mlfm,h=3", [36, 18, 6]),
        ("mlfm,h=4", [80, 30, 8]),
        ("mlfm,h=15", [3600, 360, 30]),
        // 5·4 local routers with 4 endpoints, and 6 global routers of radix 2·5.
        ("mlfm,h=3,l=5,p=4", [80, 26, 10]),
        ("oft,k=3", [42, 21, 6]),
        ("oft,k=4", [104, 39, 8]),
        ("oft,k=6", [372, 93, 12]),
        ("oft,k=12", [3192, 399, 24]),
        ("oft,k=14", [5124, 549, 28]),
        ("oft,k=32", [63552, 2979, 64]),
        ("sspt,r1=3,r2=2", [36, 18, 6]),
        ("sspt,r1=12,r2=12", [3192, 399, 24]),
        // N = r³/4·(r2 - 1)/r2 + r²/(2·r2) with r = 2·r1: 864·2/3 + 144/6.
        ("sspt,r1=6,r2=3", [312, 78, 12]),
        ("torus,widths=4.4.4,p=2", [128, 64, 8]),
        ("mesh,widths=2.3,p=1", [6, 6, 4]),
    ];
    for (text, expected) in cases {
        assert_eq!(size(text), expected, "{text}");
    }
}

/// The largest of a family with switches of 64 ports (Prisacari 2020, §7.2.3.1; the thesis swaps
/// its numbers for the MLFM and the Slim Fly).
#[test]
fn the_largest_of_a_radix_are_those_of_the_documents() {
    let cases = [
        ("hyperx,radix=64", [10164, 484, 63]),
        ("hyperx,radix=9", [48, 16, 9]),
        ("slim_fly,radix=64", [35322, 1682, 64]),
        ("slim_fly,rounding=ceil,radix=65", [37004, 1682, 65]),
        // With 22 endpoints on each switch q = 29 needs 65 ports; q = 27 has r' = 41.
        ("slim_fly,rounding=ceil,radix=64", [30618, 1458, 62]),
        ("mlfm,radix=64", [33792, 1584, 64]),
        ("mlfm,radix=65", [33792, 1584, 64]),
        ("oft,radix=64", [63552, 2979, 64]),
        ("sspt,radix=64", [63552, 2979, 64]),
        // No plane of order 6 is known, and the MLFM of 14 ports is larger than the OFT of 12.
        ("sspt,radix=14", [392, 84, 14]),
        ("sspt,radix=22", [1820, 273, 20]),
        ("dragonfly,radix=15", [1056, 264, 15]),
        ("dragonfly,local=flattened,radix=10", [1056, 528, 10]),
        ("dragonfly,local=flattened,radix=3", [6, 6, 3]),
        ("torus,radix=7", [512, 512, 7]),
        ("mesh,radix=9", [256, 256, 9]),
        ("oft,endpoints=3000", [3192, 399, 24]),
        ("slim_fly,endpoints=3000", [3042, 338, 28]),
        ("mlfm,endpoints=3000", [2940, 315, 28]),
        ("hyperx,endpoints=1000", [900, 100, 27]),
    ];
    for (text, expected) in cases {
        assert_eq!(size(text), expected, "{text}");
    }
}

/// Every family's members have the sizes that they are chosen by.
#[test]
fn members_are_what_they_say() {
    for name in ["dragonfly", "hyperx", "slim_fly", "mlfm", "oft", "sspt", "torus", "mesh"] {
        for radix in [4_u32, 7, 8, 12, 16, 27, 33] {
            let [_, _, found] = match name {
                "slim_fly" if radix < 8 => continue,
                "oft" if radix < 6 => continue,
                _ => size(&format!("{name},radix={radix}")),
            };
            assert!(found <= radix, "{name} {radix} {found}");
        }
        for endpoints in [30_u32, 100, 300, 1000] {
            let [first, ..] = size(&format!("{name},endpoints={endpoints}"));
            let again = size(&format!("{name},endpoints={first}"));
            assert_eq!(again[0], first, "{name}");
        }
    }
}

#[test]
fn members_with_names_can_be_built() {
    let cases = [
        ("slim_fly,preset=prisacari_p9", [3042, 338, 28]),
        ("slim_fly,preset=prisacari_p10", [3380, 338, 29]),
        ("slim_fly,preset=hoffman_singleton", [150, 50, 10]),
        ("mlfm,preset=prisacari_3", [36, 18, 6]),
        ("mlfm,preset=prisacari_15", [3600, 360, 30]),
        ("oft,preset=prisacari_4", [104, 39, 8]),
        ("oft,preset=prisacari_12", [3192, 399, 24]),
        ("dragonfly,preset=prisacari_4_7_4", [812, 203, 14]),
        ("dragonfly,preset=prisacari_4_8_3", [800, 200, 14]),
        ("dragonfly,p=9,preset=none", [9 * 8 * 33, 8 * 33, 9 + 7 + 4]),
    ];
    for (text, expected) in cases {
        assert_eq!(size(text), expected, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// The (h, l, p)-MLFM has l·(h + 1) local routers of radix h + p and h(h + 1)/2 global routers
    /// of radix 2l (Prisacari 2020, §7.2.2.3).
    #[test]
    fn every_mlfm_has_its_counts(h in 1_u32..12, l in 1_u32..12, p in 1_u32..12) {
        let network = build(&format!("mlfm,h={h},l={l},p={p}"));
        let (local, global) = (l * (h + 1), h * (h + 1) / 2);
        prop_assert_eq!(network.endpoint_count(), local * p);
        prop_assert_eq!(network.switch_count(), local + global);
        prop_assert_eq!(network.link_count(), local * (p + h));
        prop_assert!(network.channels().count() as u32 == network.port_count());
        for switch in network.switches() {
            let radix = if switch.0 < local { h + p } else { 2 * l };
            prop_assert_eq!(network.ports(Node::Switch(switch)).len() as u32, radix);
        }
    }
}

/// Every switch's name, layer and the class of its links.
#[test]
fn stacked_trees_tell_their_layers() {
    let network = build("oft,k=3");
    let names: Vec<String> =
        [0, 6, 7, 14, 20].map(|id| network.name(Node::Switch(SwitchId(id)))).to_vec();
    assert_eq!(names, ["L0 router 0", "L0 router 6", "L2 router 0", "L1 router 0", "L1 router 6"]);
    for (port, channel) in network.links() {
        let (Node::Switch(one), Node::Switch(_)) =
            (network.owner(port), network.owner(channel.peer))
        else {
            assert_eq!(channel.class, LinkClass::Endpoint);
            continue;
        };
        let upper_half = one.0 >= 7;
        assert_eq!(channel.class, LinkClass::Level(if upper_half { 3 } else { 2 }));
    }
    let network = build("mlfm,h=3");
    let names = [0, 5, 12, 17].map(|id| network.name(Node::Switch(SwitchId(id))));
    let expected = ["local router 0.0", "local router 1.1", "global router 0", "global router 5"];
    assert_eq!(names, expected);
    let name = build("sspt,r1=6,r2=3").name(Node::Switch(SwitchId(15)));
    assert_eq!(name, "level-one switch 1.2");
}

/// For every two switches with endpoints, how many others both are joined to.
fn common_neighbors(network: &Network) -> Vec<Vec<u32>> {
    let lower = network.endpoints().filter_map(|endpoint| network.switch_of(endpoint));
    let lower = lower.map(|switch| switch.index() + 1).max().unwrap_or(0);
    let mut common = vec![vec![0; lower]; lower];
    for above in network.switches().skip(lower) {
        let ports = network.ports(Node::Switch(above)).map(PortId);
        let below: Vec<usize> = ports
            .filter_map(|port| match network.neighbor(port) {
                Some(Node::Switch(below)) => Some(below.index()),
                _ => None,
            })
            .collect();
        for one in &below {
            below.iter().for_each(|other| common[*one][*other] += 1);
        }
    }
    common
}

/// Prisacari 2020, §7.2.2.2 and §7.2.3.3: one path between any two switches with endpoints, but
/// as many as upper links (h, k, r1) between counterparts of different layers.
#[test]
fn all_but_counterparts_have_a_single_path() {
    let cases = [
        ("mlfm,h=1", 1, 2),
        ("mlfm,h=2", 2, 3),
        ("mlfm,h=3", 3, 4),
        ("mlfm,h=4", 4, 5),
        ("mlfm,h=15", 15, 16),
        ("mlfm,h=5,l=2,p=3", 5, 6),
        ("oft,k=3", 3, 7),
        ("oft,k=4", 4, 13),
        ("oft,k=5", 5, 21),
        ("oft,k=6", 6, 31),
        ("oft,k=9", 9, 73),
        ("oft,k=10", 10, 91),
        ("oft,k=12", 12, 133),
        ("sspt,r1=2,r2=2", 2, 3),
        ("sspt,r1=7,r2=2", 7, 8),
        ("sspt,r1=5,r2=5", 5, 21),
        ("sspt,r1=3,r2=3", 3, 7),
        ("sspt,r1=6,r2=3", 6, 13),
        ("sspt,r1=9,r2=3", 9, 19),
    ];
    for (text, upper_links, copy) in cases {
        let common = common_neighbors(&build(text));
        for (one, row) in common.iter().enumerate() {
            for (other, paths) in row.iter().enumerate().filter(|(other, _)| *other != one) {
                let counterparts = one % copy == other % copy;
                let expected = if counterparts { upper_links } else { 1 };
                assert_eq!(*paths, expected, "{text}: {one} {other}");
            }
        }
    }
}

/// Prisacari 2020, §7.2: three ports and two links per endpoint in every balanced member.
#[test]
fn balanced_members_cost_three_ports_and_two_links() {
    let networks = ["mlfm,h=7", "oft,k=8", "sspt,r1=6,r2=3", "sspt,r1=5,r2=2", "hyperx,radix=30"];
    for text in networks {
        let network = build(text);
        let endpoints = network.endpoint_count();
        assert_eq!(network.switch_count() * network.radix(), 3 * endpoints, "{text}");
        assert_eq!(network.link_count(), 2 * endpoints, "{text}");
    }
}

#[test]
fn what_cannot_be_built_is_refused_in_one_sentence() {
    let cases = [
        ("slim_fly,q=6", "q: “6” was given; allowed: prime powers from 3, such as 5 and 7"),
        ("slim_fly,q=12", "q: “12” was given; allowed: prime powers from 3, such as 11 and 13"),
        ("slim_fly,q=128", "q: “128” was given; this network has "),
        ("oft,k=7", "k: “7” was given; allowed: one more than a prime power, such as 6 and 8"),
        ("oft,k=15", "k: “15” was given; allowed: one more than a prime power, such as 14 and 17"),
        ("oft,k=128", "k: “128” was given; this network has "),
        ("mlfm,h=128", "h: “128” was given; this network has "),
        ("mlfm,h=128,l=128,p=128", "h: “128” was given; this network has "),
        ("sspt,r1=5,r2=3", "r2: “3” was given; it must divide 2·r1 = 10"),
        ("sspt,r1=7,r2=7", "r2: “7” was given; r2 = r1 needs an r1 one more than a prime power"),
        ("sspt,r1=6,r2=4", "r2: “4” was given; no construction is known here but for"),
        ("sspt,r1=6,r2=12", "r2: “12” was given; no construction is known here but for"),
        ("sspt,r1=128,r2=128", "r1: “128” was given; this network has "),
        ("hyperx,widths=256.256.256.256,p=64", "widths: “256.256.256.256” was given; this network"),
        ("torus,widths=1024.1024.1024", "widths: “1024.1024.1024” was given; this network has "),
        ("mesh,widths=1024.1024.1024.1024,p=256", "widths: “1024.1024.1024.1024” was given; "),
        ("dragonfly,local=flattened,a=7", "a: “7” was given; with local=flattened switches stand"),
        ("dragonfly,local=flattened,a=12,rows=5", "rows: “5” was given; rows of equal length"),
        ("dragonfly,a=12,rows=3", "rows: “3” was given; a full mesh has no rows"),
    ];
    for (text, start) in cases {
        let problems = topology(text).role().build(&LINKS).expect_err(text);
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
        assert!(problems[0].to_string().starts_with(start), "{text}: {}", problems[0]);
    }
}
