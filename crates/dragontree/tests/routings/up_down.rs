use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use dragontree::network::{
    EndpointId, Failures, Lfts, Network, Node, PortId, Structure, SwitchId, Target,
};
use dragontree::random::Stream;
use dragontree::routing::{DownUp, MinHop, RootMode, Roots, Routing, UpDown};
use dragontree::topology::{Build, Mlfm, Oft, SlimFly, Sspt};

use crate::fabrics::*;

fn rooted(roots: &[u32]) -> UpDown {
    UpDown { roots: Roots::Given(roots.to_vec()), mode: RootMode::Multi }
}

/// Which channels lead up. Without GUIDs of its own a network has them in the order of the ids.
struct Order(BTreeMap<SwitchId, u32>);

impl Order {
    fn new(network: &Network, roots: &[u32]) -> Order {
        let roots: Vec<SwitchId> = roots.iter().copied().map(SwitchId).collect();
        Order(distances(network, &roots))
    }

    fn leads_up(&self, from: SwitchId, to: SwitchId) -> bool {
        (self.0[&to], to) < (self.0[&from], from)
    }

    /// The number of links of the shortest legal way from each switch.
    fn legal(&self, network: &Network, to: SwitchId) -> BTreeMap<SwitchId, u32> {
        let mut seen = BTreeMap::from([((to, true), 0)]);
        let mut queue = VecDeque::from([(to, true)]);
        while let Some((switch, only_down)) = queue.pop_front() {
            let links = seen[&(switch, only_down)] + 1;
            for other in neighbors(network, switch) {
                let up = self.leads_up(other, switch);
                if (up || only_down) && !seen.contains_key(&(other, !up)) {
                    seen.insert((other, !up), links);
                    queue.push_back((other, !up));
                }
            }
        }
        let mut shortest = BTreeMap::new();
        for ((switch, _), links) in seen {
            let least = shortest.entry(switch).or_insert(links);
            *least = links.min(*least);
        }
        shortest
    }
}

fn next_of(network: &Network, port: PortId) -> SwitchId {
    match network.neighbor(port) {
        Some(Node::Switch(next)) => next,
        _ => panic!("between switches"),
    }
}

fn from_of(network: &Network, port: PortId) -> SwitchId {
    match network.owner(port) {
        Node::Switch(from) => from,
        Node::Endpoint(_) => panic!("between switches"),
    }
}

/// Follows every way: it is legal, and there is one wherever a legal one exists. Returns how many
/// links the ways have beyond the shortest legal ones.
fn excess(network: &Arc<Network>, roots: &[u32], routing: UpDown) -> u32 {
    let tables = lfts(network, routing);
    let order = Order::new(network, roots);
    let mut excess = 0;
    for target in network.targets() {
        let Some(last) = switch_of(network, target) else { continue };
        let shortest = order.legal(network, last);
        for switch in network.switches() {
            let found = way(network, &tables, switch, target);
            assert_eq!(found.is_some(), shortest.contains_key(&switch), "{switch:?} {target:?}");
            let Some(way) = found else { continue };
            let up =
                |port: &PortId| order.leads_up(from_of(network, *port), next_of(network, *port));
            let climbs: Vec<bool> = way.iter().map(up).collect();
            assert!(climbs.is_sorted_by(|before, after| before >= after), "{switch:?} {target:?}");
            excess += way.len() as u32 - shortest[&switch];
        }
    }
    assert!(!can_deadlock(&ways(network, &tables, |_, _| true)));
    excess
}

#[test]
fn ways_are_legal_and_join_what_can_be_joined() {
    let (mut long, mut ways) = (0, 0);
    for seed in 0..40 {
        let network = irregular(seed, 14, 7 * (1 + seed as u32 % 3));
        let root = seed as u32 * 5 % 14;
        long += excess(&network, &[root], rooted(&[root]));
        ways += network.target_count() * network.switch_count();
        excess(&network, &[root, (root + 3) % 14], rooted(&[root, (root + 3) % 14]));
    }
    // Few are longer, where the short way goes up first but others come down here.
    assert!(long > 0 && long * 100 < ways, "{long} of {ways}");
}

#[test]
fn ways_on_trees_are_as_short_as_legal_ones_can_be() {
    let whole = tree(&[3, 3, 3], &[1, 3, 3], &[1]);
    let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
    let roots: Vec<u32> = (0..tree.width(3)).map(|index| tree.switch(3, index).0).collect();
    assert_eq!(excess(&whole, &roots, UpDown::default()), 0);
    // A switch of the second level without links upward, a broken root and a broken leaf.
    let ports = whole.ports(Node::Switch(tree.switch(2, 4)));
    let failures = Failures {
        links: ports.skip(3).map(PortId).collect(),
        switches: vec![tree.switch(3, 8), tree.switch(1, 2)],
        endpoints: vec![endpoint(20)],
    };
    let broken = Arc::new(whole.without(&failures));
    assert_eq!(excess(&broken, &roots, rooted(&roots)), 0);
}

fn is_endpoint(network: &Network, target: Target) -> bool {
    matches!(network.target(target), (Node::Endpoint(_), _))
}

/// On a tree, endpoints are reached as by MinHop; two switches reach each other when they have a
/// common ancestor or one is above the other. The numbers of ordered pairs that do not are those
/// of sFtree's trees (Bogdański et al. 2012, §3.1, counted). A single root joins them all.
#[test]
fn on_trees_the_roots_are_found_and_only_switches_miss_each_other() {
    let trees = [
        (tree(&[2, 2, 2], &[1, 2, 2], &[1]), 36),
        (tree(&[4, 4, 4], &[1, 4, 4], &[1]), 816),
        (tree(&[18, 36], &[1, 18], &[1]), 306),
        (tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]), 76),
    ];
    for (network, missing) in trees {
        let min_hop = lfts(&network, MinHop);
        let [up_down, down_up, single] = [
            Routing::from(UpDown::default()),
            DownUp.into(),
            UpDown { mode: RootMode::Single, ..UpDown::default() }.into(),
        ]
        .map(|routing| lfts(&network, routing));
        let unjoined = |tables| {
            let pairs = u64::from(network.target_count()) * u64::from(network.switch_count());
            pairs - ways(&network, tables, |_, _| true).len() as u64
        };
        assert_eq!([&min_hop, &up_down, &down_up, &single].map(unjoined), [0, missing, missing, 0]);
        for target in network.targets().filter(|target| is_endpoint(&network, *target)) {
            for switch in network.switches() {
                let entries = [&min_hop, &up_down, &down_up].map(|lfts| lfts.get(switch, target));
                assert!(entries[0] == entries[1] && entries[0] == entries[2]);
            }
        }
        assert!(!can_deadlock(&ways(&network, &up_down, |_, _| true)));
        assert!(!can_deadlock(&ways(&network, &single, |_, _| true)));
    }
}

/// With more than twenty switches that carry endpoints, and nearly all others two links away, these
/// are as OpenSM's roots should be. Ways by them alone would join few endpoints.
#[test]
fn every_endpoint_reaches_every_other_whatever_the_fabric() {
    let mut networks: Vec<Arc<Network>> = [
        Oft { half_radix: 5 }.build(&LINKS),
        Mlfm { upper_links: 5, ..Mlfm::default() }.build(&LINKS),
        Sspt::default().build(&LINKS),
        SlimFly { order: 17, ..SlimFly::default() }.build(&LINKS),
    ]
    .map(|network| Arc::new(network.expect("a network")))
    .to_vec();
    // Leaf switches that share a neighbor with few others.
    networks.extend((0..6).map(|seed| {
        let mut stream = Stream::new(seed, "leaves and others", 0);
        let mut links = Vec::new();
        for link in 0..90 {
            links.push((link / 2, 45 + stream.below(25)));
        }
        for switch in 1..25 {
            links.push((45 + stream.below(switch), 45 + switch));
        }
        fabric(&[[1; 45].as_slice(), &[0; 25]].concat(), &links, Structure::Irregular)
    }));
    for network in networks {
        let tables = lfts(&network, UpDown::default());
        // One endpoint of each switch, or nearly.
        let targets = network.targets().filter(|target| is_endpoint(&network, *target));
        for target in targets.step_by(5) {
            for switch in network.switches() {
                let carries = network
                    .ports(Node::Switch(switch))
                    .map(PortId)
                    .any(|port| matches!(network.neighbor(port), Some(Node::Endpoint(_))));
                assert!(!carries || way(&network, &tables, switch, target).is_some());
            }
        }
    }
}

#[test]
fn fabrics_without_roots_get_one_in_every_piece() {
    // A ring of five with endpoints, and a ring of three without.
    let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (5, 6), (6, 7), (7, 5), (3, 1)];
    let network = fabric(&[1, 1, 1, 1, 1, 0, 0, 0], &links, Structure::Irregular);
    // Switches 1 and 3 have the most links, and so have all of the other ring; the first is taken.
    assert_eq!(excess(&network, &[1, 5], UpDown::default()), 0);
    assert_eq!(excess(&network, &[4, 6], rooted(&[4, 6])), 0);
    let problems = Routing::from(rooted(&[2, 8])).role().find(&network, 1).err();
    let text = problems.expect("there is no switch 8")[0].to_string();
    assert_eq!(text, "roots: “8” was given; the network has 8 switches, allowed: 0 to 7");
}

/// Two leaf switches that are joined only by way of a third one and the switches between: Down*/Up*
/// may not come out to that leaf and go in again, Up*/Down* may go up there.
#[test]
fn down_up_joins_no_leaves_by_way_of_another() {
    let links = [(0, 3), (1, 3), (1, 4), (2, 4)];
    let network = fabric(&[1, 1, 1, 0, 0], &links, Structure::Irregular);
    let [down_up, up_down] = [DownUp.into(), Routing::from(UpDown::default())];
    let [down_up, up_down] = [down_up, up_down].map(|routing| lfts(&network, routing));
    for (from, to) in [(0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0)] {
        let target = network.endpoint_target(EndpointId(to)).expect("a cable");
        let is_routed = |lfts: &Lfts| way(&network, lfts, SwitchId(from), target).is_some();
        assert_eq!(is_routed(&down_up), (from, to) != (0, 2) && (from, to) != (2, 0));
        assert!(is_routed(&up_down));
    }
}
