//! Trees of every family against the closed forms of the documents and against brute force.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::collection::vec;
use proptest::prelude::*;

use crate::catalog::{Menu, PartChoice, read_setting};
use crate::network::{EndpointId, LinkClass, Node, PortId, SwitchId, Tree};
use crate::topology::*;
use crate::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn build(part: &dyn Build) -> Network {
    match part.build(&LINKS) {
        Ok(network) => network,
        Err(problems) => panic!("{}: {problems:?}", part.name()),
    }
}

/// The problems of a part that must be refused, as the user reads them.
fn refused(part: &dyn Build) -> Vec<String> {
    let problems = part.build(&LINKS).expect_err("it must be refused");
    problems.iter().map(ToString::to_string).collect()
}

/// The topology of a text such as `fat_tree,levels=3`; settings are read in the order given.
fn topology(text: &str) -> Topology {
    let mut words = text.split(',');
    let name = words.next().expect("a name");
    let mut topology = Topology::all().remove(0);
    assert!(topology.choose(name), "{name}");
    for word in words {
        let (key, value) = word.split_once('=').expect("key=value");
        read_setting(|form| topology.settings(form), key, value)
            .unwrap_or_else(|problem| panic!("{text}: {problem}"));
    }
    topology
}

fn tree(network: &Network) -> &Tree {
    match network.structure() {
        Structure::Tree(tree) => tree,
        other => panic!("{} instead of a tree", other.name()),
    }
}

/// The other ends of a node's links, in the order of its ports.
fn neighbors(network: &Network, node: Node) -> Vec<Node> {
    network.ports(node).filter_map(|port| network.neighbor(PortId(port))).collect()
}

/// Nodes per level, and links per level by counting.
fn counts(network: &Network) -> (Vec<u32>, Vec<u32>) {
    let tree = tree(network);
    let mut nodes = vec![0; tree.levels() as usize + 1];
    nodes[0] = network.endpoint_count();
    for switch in network.switches() {
        nodes[tree.level(switch) as usize] += 1;
    }
    let mut links = vec![0; tree.levels() as usize];
    for (_, channel) in network.links() {
        match channel.class {
            LinkClass::Endpoint => links[0] += 1,
            LinkClass::Level(level) => links[level as usize - 1] += 1,
            other => panic!("{other:?} in a tree"),
        }
    }
    (nodes, links)
}

fn by_class(network: &Network) -> BTreeMap<LinkClass, u32> {
    let mut links = BTreeMap::new();
    for (_, channel) in network.links() {
        *links.entry(channel.class).or_insert(0) += 1;
    }
    links
}

/// Links on the longest of the shortest ways between two endpoints, by breadth-first search.
fn diameter(network: &Network) -> u32 {
    let endpoints =
        network.endpoints().map(|endpoint| distances(network, Node::Endpoint(endpoint)));
    endpoints
        .flatten()
        .filter(|(node, _)| matches!(node, Node::Endpoint(_)))
        .map(|d| d.1)
        .max()
        .unwrap_or(0)
}

fn distances(network: &Network, from: Node) -> BTreeMap<Node, u32> {
    let mut distance = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        let next = distance[&node] + 1;
        for neighbor in neighbors(network, node) {
            // Nothing passes through an endpoint.
            let passes = node == from || matches!(node, Node::Switch(_));
            if passes && !distance.contains_key(&neighbor) {
                distance.insert(neighbor, next);
                queue.push_back(neighbor);
            }
        }
    }
    distance
}

fn product(numbers: &[u32]) -> u32 {
    numbers.iter().product()
}

/// Children, parents and parallel links per level, small enough for brute force.
fn widths() -> impl Strategy<Value = [Vec<u32>; 3]> {
    (1_usize..=4).prop_flat_map(|height| {
        let most = if height > 2 { 3_u32 } else { 6 };
        let list = move |most: u32| vec(1..=most, height);
        (list(most), list(most), list(3)).prop_map(|(m, w, p)| [m, w, p])
    })
}

/// A switch's digits by the definition: `(m_{l+1} … m_h)` and `(w_1 … w_l)`, lowest level first.
fn digits(tree: &Tree, switch: SwitchId) -> (u32, Vec<u32>, Vec<u32>) {
    let level = tree.level(switch);
    let mut rest = tree.index(switch);
    let mut digit = |width: u32| {
        let digit = rest % width;
        rest /= width;
        digit
    };
    let parents = (1..=level).map(|each| digit(tree.parents(each))).collect();
    let children = (level + 1..=tree.levels()).map(|each| digit(tree.children(each))).collect();
    (level, children, parents)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_have_as_many_of_everything_as_the_closed_forms_say(
        [m, w, p] in widths(), interleaved in any::<bool>(), reversed in 0_u32..3,
    ) {
        let ports = if interleaved { PortOrder::Interleaved } else { PortOrder::Grouped };
        let height = m.len();
        let leaves = w[0] * product(&m[1..]);
        let cabling = Cabling { ports, reversed: reversed.min(leaves), ..Cabling::default() };
        let part =
            Xgft { children: m.clone(), parents: w.clone(), parallel: p.clone(), cabling };
        let network = build(&part);
        // Prisacari 2020, §2.4.2, with parallel links.
        let nodes: Vec<u32> =
            (0..=height).map(|level| product(&w[..level]) * product(&m[level..])).collect();
        let links: Vec<u32> = (1..=height).map(|l| nodes[l] * m[l - 1] * p[l - 1]).collect();
        prop_assert_eq!(counts(&network), (nodes.clone(), links.clone()));
        prop_assert_eq!(network.link_count(), links.iter().sum::<u32>());
        prop_assert_eq!(network.port_count(), 2 * network.link_count());
        prop_assert_eq!(network.switch_count(), nodes[1..].iter().sum::<u32>());
        let tree = tree(&network);
        let mut widest = 0;
        for switch in network.switches() {
            let level = tree.level(switch) as usize;
            let up = if level < height { w[level] * p[level] } else { 0 };
            prop_assert_eq!(network.ports(Node::Switch(switch)).len() as u32, m[level - 1] * p[level - 1] + up);
            widest = widest.max(m[level - 1] * p[level - 1] + up);
        }
        prop_assert_eq!(network.radix(), widest);
        // Two endpoints below different children of the roots are 2h links apart.
        if network.endpoint_count() <= 64 && m[height - 1] > 1 {
            prop_assert_eq!(diameter(&network), 2 * height as u32);
        }
    }

    #[test]
    fn the_two_ends_of_a_link_differ_in_the_digit_between_their_levels(
        [m, w, p] in widths(), interleaved in any::<bool>(), reversed in 0_u32..3,
    ) {
        let ports = if interleaved { PortOrder::Interleaved } else { PortOrder::Grouped };
        let leaves = w[0] * product(&m[1..]);
        let cabling = Cabling { ports, reversed: reversed.min(leaves), ..Cabling::default() };
        let network = build(&Xgft { children: m, parents: w, parallel: p.clone(), cabling });
        let tree = tree(&network);
        let mut joined: BTreeMap<(SwitchId, SwitchId), u32> = BTreeMap::new();
        for (port, channel) in network.channels() {
            let (Node::Switch(lower), Node::Switch(upper)) =
                (network.owner(port), network.owner(channel.peer)) else { continue };
            let ((low, children, parents), (high, above, below)) =
                (digits(tree, lower), digits(tree, upper));
            if low > high {
                continue;
            }
            prop_assert_eq!(high, low + 1);
            prop_assert_eq!(&children[1..], &above[..]);
            prop_assert_eq!(&parents[..], &below[..low as usize]);
            // The port numbers say so too.
            let count = joined.entry((lower, upper)).or_insert(0);
            let (child, parent) = (children[0], below[low as usize]);
            let link = network.number(channel.peer) - tree.down_port(high, child, 0);
            prop_assert!(link < tree.parallel(high));
            prop_assert_eq!(
                network.number(port),
                tree.up_port(low, tree.index(lower), parent, link)
            );
            *count += 1;
        }
        for ((_, upper), count) in joined {
            prop_assert_eq!(count, p[tree.level(upper) as usize - 1]);
        }
    }

    #[test]
    fn two_endpoints_have_as_many_nearest_common_ancestors_as_property_1_says(
        [m, w, p] in widths(), pick in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let part = Xgft { children: m.clone(), parents: w.clone(), parallel: p, ..Xgft::default() };
        let network = build(&part);
        let endpoint = |index: prop::sample::Index| {
            EndpointId(index.index(network.endpoint_count() as usize) as u32)
        };
        let (one, other) = (endpoint(pick.0), endpoint(pick.1));
        let tree = tree(&network);
        let mut above: [BTreeSet<Node>; 2] = [one, other].map(|e| BTreeSet::from([Node::Endpoint(e)]));
        for level in 1..=m.len() {
            for nodes in &mut above {
                let up = |node: &Node| neighbors(&network, *node).into_iter().filter(|neighbor| {
                    matches!(neighbor, Node::Switch(switch) if tree.level(*switch) as usize == level)
                }).collect::<Vec<_>>();
                *nodes = nodes.iter().flat_map(up).collect();
            }
            let common = above[0].intersection(&above[1]).count() as u32;
            let subtree: u32 = product(&m[..level]);
            let expected = if one.0 / subtree == other.0 / subtree { product(&w[..level]) } else { 0 };
            prop_assert_eq!(common, expected);
        }
    }
}

#[test]
fn the_named_trees_are_those_of_the_documents() {
    // Prisacari 2020, Tables 2.1, 3.1 and 4.1: the name says the endpoints.
    let forms = topology("xgft").role().name();
    assert_eq!(forms, "xgft");
    let half = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];
    for endpoints in half {
        let network = build(topology(&format!("xgft,preset=half_{endpoints}")).role());
        assert_eq!(network.endpoint_count(), endpoints);
        let tree = tree(&network);
        let top = tree.levels();
        assert_eq!(tree.children(top), 2);
        assert_eq!(2 * tree.up_ports(top - 1), tree.down_ports(top - 1), "half at the top");
        for level in 1..top - 1 {
            assert_eq!(tree.up_ports(level), tree.down_ports(level), "full below");
        }
    }
    for endpoints in [16, 32, 64, 128, 243, 256, 385, 512, 625, 1001, 1024] {
        let network = build(topology(&format!("xgft,preset=full_{endpoints}")).role());
        assert_eq!(network.endpoint_count(), endpoints);
        let tree = tree(&network);
        for level in 1..tree.levels() {
            assert_eq!(tree.up_ports(level), tree.down_ports(level), "full bisection");
        }
    }
    // Nodes and links per level; SPEC'd by the documents' texts or by the vendors' numbers.
    type Numbers = &'static [u32];
    let others: &[(&str, Numbers, Numbers)] = &[
        ("half_16_flat", &[16, 2, 4], &[16, 8]),
        ("half_1024_wide", &[1024, 64, 128, 256, 256], &[1024, 1024, 1024, 512]),
        // Zahavi 2009, Fig. 5: 8 leaves, 8 and 4 switches above, pairs of links.
        ("pairs_32", &[32, 8, 8, 4], &[32, 32, 32]),
        ("pairs_32_slim_leaves", &[32, 8, 8, 4], &[32, 16, 16]),
        ("pairs_32_slim_roots", &[32, 8, 8, 4], &[32, 32, 16]),
        ("full_32", &[32, 8, 8, 16], &[32, 32, 32]),
        ("three_quarter_4_ary_3_tree", &[48, 12, 12, 16], &[48, 48, 48]),
        ("director_288", &[288, 24, 12], &[288, 288]),
        ("director_648", &[648, 36, 18], &[648, 648]),
        ("director_3456", &[3456, 288, 288, 144], &[3456, 3456, 3456]),
    ];
    for (name, nodes, links) in others {
        let network = build(topology(&format!("xgft,preset={name}")).role());
        assert_eq!(counts(&network), (nodes.to_vec(), links.to_vec()), "{name}");
    }
}

#[test]
fn every_named_member_can_be_built_and_named_again() {
    for family in Topology::all() {
        let description = crate::catalog::PartDescription::of(family.clone().part_mut());
        let presets = description.settings.iter().find(|setting| setting.key == "preset");
        let Some(crate::catalog::Kind::Choice(words)) = presets.map(|preset| &preset.kind) else {
            continue;
        };
        for (word, _) in &words[1..] {
            let topology = topology(&format!("{},preset={word}", description.name));
            let network = build(topology.role());
            assert_eq!(network.live_endpoint_count(), network.endpoint_count());
            let settings =
                crate::catalog::PartDescription::of(topology.clone().part_mut()).settings;
            assert_eq!(
                settings.iter().find(|each| each.key == "preset").map(|each| each.value.as_str()),
                Some(*word)
            );
        }
    }
}

#[test]
fn radix_and_endpoints_choose_a_balanced_member() {
    let cases = [
        ("xgft,radix=36", 11_664, 36),
        ("xgft,radix=37", 11_664, 36),
        ("xgft,endpoints=3456", 3456, 24),
        ("k_ary_n_tree,radix=24", 1728, 24),
        ("k_ary_n_tree,n=4,endpoints=300", 256, 8),
        ("k_ary_n_tree,n=2,endpoints=144,merged=2", 144, 24),
        ("fat_tree,endpoints=650", 648, 36),
        ("fat_tree,levels=3,endpoints=3000", 2662, 22),
        ("fat_tree,levels=3,endpoints=3456", 3456, 24),
        ("multi_core,radix=40", 648, 36),
        ("multi_core,endpoints=300", 288, 24),
        ("subnets,count=3,radix=36", 216, 36),
        ("subnets,count=3,endpoints=432", 432, 72),
    ];
    for (text, endpoints, radix) in cases {
        let network = build(topology(text).role());
        assert_eq!((network.endpoint_count(), network.radix()), (endpoints, radix), "{text}");
    }
}

#[test]
fn up_ports_are_grouped_interleaved_or_reversed() {
    // A 4-ary 2-tree with roots merged in pairs (Zahavi 2009, Table I): two roots A and B.
    let ups = |text: &str| -> Vec<String> {
        let network = build(topology(&format!("k_ary_n_tree,n=2,k=4,merged=2{text}")).role());
        let leaf = |leaf: u32| {
            let ports = network.ports(Node::Switch(SwitchId(leaf)));
            let roots = ports.skip(4).map(|port| match network.neighbor(PortId(port)) {
                Some(Node::Switch(SwitchId(4))) => 'A',
                Some(Node::Switch(SwitchId(5))) => 'B',
                other => panic!("{other:?}"),
            });
            roots.collect()
        };
        (0..4).map(leaf).collect()
    };
    assert_eq!(ups(""), ["AABB"; 4]);
    assert_eq!(ups(",ports=interleaved"), ["ABAB"; 4]);
    assert_eq!(ups(",reversed=1"), ["AABB", "AABB", "AABB", "BBAA"]);
    assert_eq!(ups(",ports=interleaved,reversed=2"), ["ABAB", "ABAB", "BABA", "BABA"]);
}

#[test]
fn what_is_absent_leaves_its_place() {
    let text = "fat_tree,radix=8,levels=2";
    let full = build(topology(text).role());
    let part = build(topology(&format!("{text},filled=3,leaves=6,roots=2")).role());
    assert_eq!(part.endpoint_count(), full.endpoint_count());
    assert_eq!(part.switch_count(), full.switch_count());
    assert_eq!(part.structure(), full.structure());
    assert_eq!(part.live_endpoint_count(), 6 * 3);
    assert_eq!(by_class(&part)[&LinkClass::Level(2)], 6 * 2);
    for endpoint in part.endpoints() {
        let there = endpoint.0 % 4 < 3 && endpoint.0 / 4 < 6;
        assert_eq!(part.injection(endpoint).is_some(), there);
    }
    // Three levels: a director with two of its four leaf boards and one of its two top boards.
    let part = build(topology("k_ary_n_tree,k=2,n=3,leaves=2,roots=2").role());
    assert_eq!(counts(&part), (vec![8, 4, 4, 4], vec![4, 4, 4]));
    // Endpoints on several leaf switches keep the links to those that are there.
    let part = build(topology("xgft,m=2.2,w=2.1,p=1,leaves=1").role());
    assert_eq!(counts(&part).1, [2, 1]);
    let too_many = topology(&format!("{text},filled=5,leaves=9,roots=5,reversed=9"));
    assert_eq!(
        refused(too_many.role()),
        [
            "reversed: “9” was given; this tree allows 0 to 8 (did you mean 8?)",
            "filled: “5” was given; this tree allows 1 to 4, or all (did you mean 4?)",
            "leaves: “9” was given; this tree allows 1 to 8, or all (did you mean 8?)",
            "roots: “5” was given; this tree allows 1 to 4, or all (did you mean 4?)",
        ]
    );
}

#[test]
fn fat_trees_of_equal_switches() {
    // Prisacari 2020, §7.2.2.1: r²/2 endpoints, 3r/2 switches, 3 ports and 2 links per endpoint.
    for radix in (2..=40).step_by(2) {
        let network = build(&FatTree { radix, ..FatTree::default() });
        assert_eq!(network.endpoint_count(), radix * radix / 2);
        assert_eq!(network.switch_count(), 3 * radix / 2);
        assert_eq!(network.link_count(), 2 * network.endpoint_count());
        assert_eq!(network.radix(), radix);
    }
    let network = build(&FatTree { radix: 36, ..FatTree::default() });
    assert_eq!((network.endpoint_count(), network.switch_count()), (648, 54));
    // FT3: r³/4 endpoints, 5r²/4 switches, 5 ports and 3 links per endpoint.
    for radix in (2..=16).step_by(2) {
        let network = build(&FatTree { radix, levels: 3, ..FatTree::default() });
        assert_eq!(network.endpoint_count(), radix * radix * radix / 4);
        assert_eq!(network.switch_count(), 5 * radix * radix / 4);
        assert_eq!(network.link_count(), 3 * network.endpoint_count());
    }
    for (radix, levels) in [(4, 1), (4, 2), (4, 3), (4, 4), (4, 5), (6, 3), (6, 4)] {
        let network = build(&FatTree { radix, levels, ..FatTree::default() });
        let half: u32 = radix / 2;
        assert_eq!(network.endpoint_count(), 2 * half.pow(levels));
        assert_eq!(network.switch_count(), (2 * levels - 1) * half.pow(levels - 1));
        let switch_ports = network.port_count() - network.endpoint_count();
        assert_eq!(switch_ports, (2 * levels - 1) * network.endpoint_count());
        assert!(network.switches().all(|s| network.ports(Node::Switch(s)).len() as u32 == radix));
        if network.endpoint_count() < 100 {
            assert_eq!(diameter(&network), 2 * levels);
        }
    }
    // Slimming divides the number of roots, and nothing else.
    for slimming in [1, 2, 3, 4, 6, 12] {
        for levels in [2, 3] {
            let network = build(&FatTree { radix: 24, levels, slimming, ..FatTree::default() });
            let full = build(&FatTree { radix: 24, levels, ..FatTree::default() });
            let (mut nodes, mut links) = counts(&full);
            nodes[levels as usize] /= slimming;
            links[levels as usize - 1] /= slimming;
            assert_eq!(counts(&network), (nodes, links));
        }
    }
}

#[test]
fn k_ary_n_trees() {
    // Zahavi 2009, Def. 1: k^n endpoints and n·k^(n-1) switches of 2k ports (roots: k).
    for (k, n) in [(1, 1), (2, 1), (2, 2), (2, 4), (3, 3), (4, 2), (4, 3), (4, 4), (12, 2), (12, 3)]
    {
        let network = build(&KAryNTree { arity: k, levels: n, ..KAryNTree::default() });
        assert_eq!(network.endpoint_count(), k.pow(n));
        assert_eq!(network.switch_count(), n * k.pow(n - 1));
        assert_eq!(network.link_count(), n * k.pow(n));
        assert_eq!(network.radix(), if n == 1 { k } else { 2 * k });
    }
    // Merging g roots leaves 1/g of them, with as many links.
    for (k, n, merged) in [(4, 2, 2), (4, 2, 4), (4, 3, 2), (12, 2, 3), (2, 4, 2), (12, 3, 12)] {
        let network = build(&KAryNTree { arity: k, levels: n, merged, ..KAryNTree::default() });
        let (nodes, links) = counts(&network);
        assert_eq!(nodes[n as usize], k.pow(n - 1) / merged);
        assert_eq!(links, vec![k.pow(n); n as usize]);
        assert_eq!(tree(&network).parallel(n), merged);
    }
    // Half of a 4-ary 3-tree, with merged roots too, is what Zahavi's Table I has.
    let half = KAryNTree { top: Some(2), ..KAryNTree::default() };
    assert_eq!(counts(&build(&half)), (vec![32, 8, 8, 16], vec![32, 32, 32]));
    let merged = KAryNTree { merged: 2, ..half };
    assert_eq!(counts(&build(&merged)), (vec![32, 8, 8, 8], vec![32, 32, 32]));
}

#[test]
fn trees_that_contradict_themselves_are_refused_in_one_sentence() {
    let xgft = |children: &[u32], parents: &[u32], parallel: &[u32]| Xgft {
        children: children.to_vec(),
        parents: parents.to_vec(),
        parallel: parallel.to_vec(),
        ..Xgft::default()
    };
    let k_ary = |levels, arity, merged, top| KAryNTree {
        levels,
        arity,
        merged,
        top,
        ..KAryNTree::default()
    };
    let cases: [(Box<dyn Build>, &[&str]); 13] = [
        (
            Box::new(xgft(&[4, 4], &[1], &[1, 1, 1])),
            &[
                "w: “1” was given; it must have 2 numbers, as many as m",
                "p: “1.1.1” was given; it must have 2 numbers, as many as m",
            ],
        ),
        (
            Box::new(xgft(&[4, 0], &[1, 4], &[1])),
            &["m: “4.0” was given; it must have a number for each level, and no zero"],
        ),
        (
            Box::new(xgft(&[], &[], &[1])),
            &[
                "m: it must have a number for each level, and no zero",
                "w: it must have a number for each level, and no zero",
                "p: it must have a number for each level, and no zero",
            ],
        ),
        (
            Box::new(xgft(&[4096; 4], &[4096; 4], &[1])),
            &[
                "m: “4096.4096.4096.4096” was given; this network has 9223372036854775808 ports, allowed: up to 4000000",
            ],
        ),
        (Box::new(xgft(&[4096, 64], &[1, 64], &[1])), &[]),
        (
            Box::new(FatTree { radix: 37, ..FatTree::default() }),
            &[
                "radix: “37” was given; half of the ports lead down, so allowed: an even number from 2 to 1024 (did you mean 36?)",
            ],
        ),
        (
            Box::new(FatTree { radix: 200, levels: 3, ..FatTree::default() }),
            &["levels: “3” was given; this network has 12000000 ports, allowed: up to 4000000"],
        ),
        (
            Box::new(FatTree { radix: 36, slimming: 5, ..FatTree::default() }),
            &[
                "slimming: “5” was given; it must divide the uplinks of a switch, 18 (did you mean 6?)",
            ],
        ),
        (
            Box::new(FatTree { levels: 1, slimming: 2, ..FatTree::default() }),
            &[
                "slimming: “2” was given; it must divide the uplinks of a switch, 1 (did you mean 1?)",
            ],
        ),
        (
            Box::new(FatTree { levels: 0, radix: u32::MAX, slimming: 0, ..FatTree::default() }),
            &[
                "levels: “0” was given; allowed: 1 to 8",
                "radix: “4294967295” was given; half of the ports lead down, so allowed: an even number from 2 to 1024 (did you mean 1024?)",
            ],
        ),
        (
            Box::new(k_ary(3, 4, 3, Some(5))),
            &[
                "merged: “3” was given; it must divide k, 4 (did you mean 2?)",
                "top: “5” was given; allowed: 1 to k = 4, or full (did you mean 4?)",
            ],
        ),
        (
            Box::new(k_ary(1, 4, 2, None)),
            &[
                "merged: “2” was given; with n=1 there is a single switch and nothing to merge, allowed: 1",
            ],
        ),
        (
            Box::new(k_ary(8, 512, 1, None)),
            &["n: “8” was given; this network has far more ports, allowed: up to 4000000"],
        ),
    ];
    for (part, expected) in cases {
        match expected {
            [] => drop(build(part.as_ref())),
            _ => assert_eq!(refused(part.as_ref()), expected),
        }
    }
}

fn layered(network: &Network) -> &crate::network::Layered {
    match network.structure() {
        Structure::Layered(layered) => layered,
        Structure::Subnets(subnets) => &subnets.layers,
        other => panic!("{} instead of layers", other.name()),
    }
}

/// Whether every port of every switch has a cable.
fn is_full(network: &Network) -> bool {
    network.link_count() * 2 == network.port_count()
}

#[test]
fn multi_core_trees_have_the_sizes_of_the_document() {
    // sFtree 2012, §7.2.3 and §7.3. Ranger's 1440 switches are those of its two cores.
    let cases = [("rack_648", 648, 54 + 54), ("juropa", 5184, 864), ("ranger", 6912, 1440 + 576)];
    for (preset, endpoints, switches) in cases {
        let network = build(topology(&format!("multi_core,preset={preset}")).role());
        assert_eq!((network.endpoint_count(), network.switch_count()), (endpoints, switches));
        assert!(is_full(&network), "{preset}");
    }
    // Up to a root of a core and down again; with two halves, over the pair's other switch too.
    assert_eq!(diameter(&build(&MultiCore::default())), 6);
    let split = MultiCore { cores: 2, pairs: 18, attach: Attach::Split, ..MultiCore::default() };
    assert_eq!(diameter(&build(&split)), 7);
    let network = build(topology("multi_core,preset=juropa").role());
    let layers = layered(&network);
    assert_eq!([0, 1, 2].map(|layer| layers.width(layer)), [432, 8 * 36, 8 * 18]);
    assert_eq!(network.name(Node::Switch(SwitchId(7))), "rack switch 3.1");
    assert_eq!(network.name(Node::Switch(SwitchId(432 + 54 + 35))), "core leaf 1.35");
    assert_eq!(network.name(Node::Switch(SwitchId(432 + 54 + 36))), "core root 1.0");
}

prop_compose! {
    /// Multi-core trees whose rack switches fill their cores.
    fn multi_core()(
        (core_radix, core_levels) in prop::sample::select(vec![(2_u32, 1_u32), (4, 1), (2, 2), (4, 2), (8, 2), (4, 3)]),
        hosts in 1_u32..4,
        cores in 1_u32..5,
        horizontal in 0_u32..4,
        attach in prop::sample::select(vec![Attach::All, Attach::Split]),
        pick in any::<prop::sample::Index>(),
    ) -> MultiCore {
        let attach = if cores % 2 == 0 { attach } else { Attach::All };
        let slots = 2 * (core_radix / 2).pow(core_levels);
        let per_pair = if attach == Attach::All { 2 } else { 1 };
        let fitting: Vec<u32> = (1..=slots).filter(|u| slots.is_multiple_of(u * per_pair)).collect();
        let uplinks = fitting[pick.index(fitting.len())];
        let pairs = slots / (uplinks * per_pair);
        MultiCore { pairs, hosts, cores, core_radix, core_levels, uplinks, horizontal, attach }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn multi_core_trees_are_cabled_as_described(part in multi_core()) {
        let network = build(&part);
        let MultiCore { pairs, hosts, cores, core_radix, core_levels, uplinks, horizontal, .. } = part;
        let core_switches = (2 * core_levels - 1) * (core_radix / 2).pow(core_levels - 1);
        let slots = 2 * (core_radix / 2).pow(core_levels);
        prop_assert_eq!(network.endpoint_count(), 2 * pairs * hosts);
        prop_assert_eq!(network.switch_count(), 2 * pairs + cores * core_switches);
        prop_assert!(is_full(&network));
        let mut links = BTreeMap::from([(LinkClass::Endpoint, 2 * pairs * hosts)]);
        for level in 2..=core_levels + 1 {
            links.insert(LinkClass::Level(level), cores * slots);
        }
        if horizontal > 0 {
            links.insert(LinkClass::Sibling, pairs * horizontal);
        }
        prop_assert_eq!(by_class(&network), links);

        let layers = layered(&network);
        let core_of = |switch: SwitchId| (switch.0 - 2 * pairs) / core_switches;
        for rack in 0..2 * pairs {
            let ends: Vec<Node> = neighbors(&network, Node::Switch(SwitchId(rack)));
            let own = (0..hosts).map(|n| Node::Endpoint(EndpointId(rack * hosts + n)));
            prop_assert!(ends.iter().copied().take(hosts as usize).eq(own));
            let (up, side) = ends[hosts as usize..].split_at(ends.len() - (hosts + horizontal) as usize);
            prop_assert!(side.iter().all(|node| *node == Node::Switch(SwitchId(rack ^ 1))));
            // Its links go core by core, to slots in order.
            let half = cores / 2;
            let (attached, rank) = match part.attach {
                Attach::All => (0..cores, rack),
                Attach::Split if rack % 2 == 0 => (0..half, rack / 2),
                Attach::Split => (half..cores, rack / 2),
            };
            let down = if core_levels == 1 { core_radix } else { core_radix / 2 };
            let expected = attached.flat_map(|core| (0..uplinks).map(move |u| (core, (rank * uplinks + u) / down)));
            let found = up.iter().map(|node| match node {
                Node::Switch(switch) => (core_of(*switch), (switch.0 - 2 * pairs) % core_switches),
                Node::Endpoint(_) => (u32::MAX, u32::MAX),
            });
            prop_assert!(expected.eq(found));
        }
        for switch in network.switches() {
            let neighbors = neighbors(&network, Node::Switch(switch)).into_iter();
            let apart = neighbors.filter_map(|node| match node {
                Node::Switch(other) => Some(layers.layer(switch).abs_diff(layers.layer(other))),
                Node::Endpoint(_) => None,
            });
            prop_assert!(apart.into_iter().all(|apart| apart <= 1));
        }
    }

    #[test]
    fn no_multi_core_tree_panics(
        numbers in vec(0_u32..5000, 7), attach in prop::sample::select(vec![Attach::All, Attach::Split]),
    ) {
        let [pairs, hosts, cores, core_radix, core_levels, uplinks, horizontal] = numbers[..] else {
            return Err(TestCaseError::fail("seven numbers"));
        };
        let part = MultiCore {
            pairs, hosts, cores: cores % 70, core_radix, core_levels: core_levels % 6,
            uplinks, horizontal, attach,
        };
        if let Err(problems) = part.build(&LINKS) {
            prop_assert!(problems.iter().all(|problem| !problem.key.is_empty()));
        }
    }
}

#[test]
fn multi_core_trees_that_do_not_fit_are_refused() {
    let rack = topology("multi_core,preset=rack_648");
    let Topology::MultiCore(rack) = rack else { panic!("a multi-core tree") };
    let cases = [
        (
            MultiCore { cores: 3, attach: Attach::Split, ..rack.clone() },
            "cores: “3” was given; half of the cores go to each switch of a pair, so it must be \
             even (did you mean 4?)",
        ),
        (
            MultiCore { pairs: 26, ..rack.clone() },
            "pairs: “26” was given; 52 rack switches on a core with 12 uplinks each need 624 \
             ports, and a core has 648; allowed: what needs just as many (did you mean 27?)",
        ),
        (
            MultiCore { core_radix: 35, ..rack.clone() },
            "core_radix: “35” was given; half of the ports lead down, so allowed: an even number \
             from 2 to 256 (did you mean 34?)",
        ),
        (
            MultiCore { cores: 64, uplinks: 256, ..rack.clone() },
            "uplinks: “256” was given; a rack switch would have 16408 ports, allowed: up to 1024",
        ),
        (
            MultiCore { core_radix: 256, core_levels: 4, ..rack.clone() },
            "pairs: “27” was given; this network has 3758098976 ports, allowed: up to 4000000",
        ),
        (MultiCore { hosts: 0, ..rack }, "hosts: “0” was given; allowed: 1 to 256"),
    ];
    for (part, expected) in cases {
        assert_eq!(refused(&part), [expected]);
    }
}

#[test]
fn subnets_have_the_sizes_of_the_document() {
    // ISR 2013, §5: subnets of 72; 4 ports of a router in each; 12 and 12 endpoints in a pair.
    for (count, endpoints) in [(2, 144), (3, 216), (6, 432)] {
        let network = build(topology(&format!("subnets,count={count}")).role());
        assert_eq!(network.endpoint_count(), endpoints);
        assert_eq!(network.switch_count(), count * (6 + 4) + 18);
        assert!(is_full(&network));
        let Structure::Subnets(subnets) = network.structure() else { panic!("subnets") };
        let routers: Vec<SwitchId> =
            network.switches().filter(|switch| subnets.subnet(*switch).is_none()).collect();
        assert_eq!(routers.len(), 18);
        assert!(routers.iter().all(|r| network.ports(Node::Switch(*r)).len() as u32 == 4 * count));
        // Router k has the up port k of every spine.
        for (place, router) in (0..).zip(routers) {
            for port in network.ports(Node::Switch(router)).map(PortId) {
                let peer = network.peer(port).expect("cabled");
                assert_eq!(network.number(peer), 18 + place);
            }
        }
        // Eleven on the same switch, twelve on the other of its pair, from every endpoint.
        for endpoint in network.endpoints() {
            let apart = distances(&network, Node::Endpoint(endpoint));
            let at = |links| {
                apart
                    .iter()
                    .filter(|(node, far)| matches!(node, Node::Endpoint(_)) && **far == links)
                    .count()
            };
            assert_eq!([at(2), at(3)], [11, 12]);
            assert_eq!(subnets.subnet_of(&network, endpoint), Some(endpoint.0 / 72));
        }
    }
    let network = build(topology("subnets,count=2").role());
    assert_eq!(diameter(&network), 6);
    let names = [0, 9, 10, 19, 20].map(|switch| network.name(Node::Switch(SwitchId(switch))));
    assert_eq!(
        names,
        [
            "rack switch 0 of subnet 0",
            "spine 3 of subnet 0",
            "rack switch 0 of subnet 1",
            "spine 3 of subnet 1",
            "router 0"
        ]
    );
}

prop_compose! {
    fn subnets()(
        count in 2_u32..5, pairs in 1_u32..4, hosts in 1_u32..4, spines in 1_u32..5,
        uplinks in 1_u32..4, horizontal in 0_u32..3, pick in any::<prop::sample::Index>(),
    ) -> Subnets {
        let links = 2 * pairs * spines * uplinks;
        let fitting: Vec<u32> = (1..=links).filter(|ports| links.is_multiple_of(*ports)).collect();
        let ports = fitting[pick.index(fitting.len())];
        let routers = links / ports;
        Subnets { count, pairs, hosts, spines, uplinks, horizontal, routers, ports }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn subnets_are_joined_by_routers_only(part in subnets()) {
        let network = build(&part);
        let Subnets { count, pairs, hosts, spines, uplinks, horizontal, routers, ports } = part;
        let per_subnet = 2 * pairs * hosts;
        prop_assert_eq!(network.endpoint_count(), count * per_subnet);
        prop_assert_eq!(network.switch_count(), count * (2 * pairs + spines) + routers);
        prop_assert!(is_full(&network));
        let mut links = BTreeMap::from([
            (LinkClass::Endpoint, count * per_subnet),
            (LinkClass::Level(2), count * 2 * pairs * spines * uplinks),
            (LinkClass::Router, count * routers * ports),
        ]);
        if horizontal > 0 {
            links.insert(LinkClass::Sibling, count * pairs * horizontal);
        }
        prop_assert_eq!(by_class(&network), links);
        let Structure::Subnets(subnets) = network.structure() else {
            return Err(TestCaseError::fail("subnets"));
        };
        let mut lids = BTreeSet::new();
        for switch in network.switches() {
            let mut per_router_and_subnet = BTreeMap::new();
            for neighbor in neighbors(&network, Node::Switch(switch)) {
                match (neighbor, subnets.subnet(switch)) {
                    (Node::Switch(other), Some(own)) => {
                        let there = subnets.subnet(other);
                        prop_assert!(there.is_none() || there == Some(own));
                    }
                    (Node::Switch(other), None) => {
                        let subnet = subnets.subnet(other);
                        prop_assert!(subnet.is_some(), "two routers are joined");
                        *per_router_and_subnet.entry(subnet).or_insert(0) += 1;
                    }
                    (Node::Endpoint(_), own) => prop_assert!(own.is_some()),
                }
            }
            prop_assert!(per_router_and_subnet.values().all(|links| *links == ports));
            match subnets.subnet(switch) {
                Some(subnet) => prop_assert!(lids.insert((subnet, network.switch_lid(switch)))),
                None => prop_assert_eq!(network.switch_lid(switch), 0),
            }
        }
        for endpoint in network.endpoints() {
            let subnet = subnets.subnet_of(&network, endpoint);
            prop_assert_eq!(subnet, Some(endpoint.0 / per_subnet));
            let port = network.injection(endpoint).expect("cabled");
            prop_assert!(lids.insert((endpoint.0 / per_subnet, network.lid(port))));
        }
        // One after the other in each subnet, from 1.
        let most = per_subnet + 2 * pairs + spines;
        prop_assert!(lids.iter().map(|(_, lid)| *lid).eq((0..count).flat_map(|_| 1..=most)));
    }

    #[test]
    fn no_subnets_panic(numbers in vec(0_u32..1100, 8)) {
        let [count, pairs, hosts, spines, uplinks, horizontal, routers, ports] = numbers[..] else {
            return Err(TestCaseError::fail("eight numbers"));
        };
        let part = Subnets { count, pairs, hosts, spines, uplinks, horizontal, routers, ports };
        if let Err(problems) = part.build(&LINKS) {
            prop_assert!(problems.iter().all(|problem| !problem.key.is_empty()));
        }
    }
}

#[test]
fn subnets_that_do_not_fit_are_refused() {
    let part = Subnets::default();
    let cases = [
        (
            Subnets { routers: 17, ..part.clone() },
            "routers: “17” was given; 17 routers with 4 ports in each subnet are 68 links, and \
             the spines of a subnet have 72 (did you mean 18?)",
        ),
        (
            Subnets { pairs: 500, hosts: 48, spines: 1, uplinks: 4, routers: 1000, ..part.clone() },
            "pairs: “500” was given; a subnet would need 53001 LIDs, allowed: up to 49151 (ISR \
             2013, §1)",
        ),
        (Subnets { count: 1, ..part.clone() }, "count: “1” was given; allowed: 2 to 1024"),
        (
            Subnets { hosts: 1000, count: 500, ..part },
            "count: “500” was given; this network has 6180000 ports, allowed: up to 4000000",
        ),
    ];
    for (part, expected) in cases {
        assert_eq!(refused(&part), [expected]);
    }
}
