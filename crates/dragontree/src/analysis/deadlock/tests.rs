use super::*;
use crate::catalog::{Menu, PartChoice, read_setting};
use crate::network::{
    Builder, EndpointId, Forward, Lfts, LinkClass, Links, PortId, Structure, SwitchId, Target,
};
use crate::random::{Stream, mix};
use crate::routing::{
    Header, Hop, Layers, Oblivious, Pair, Queues, Route, Routing, Sharing, Tables, Unroutable,
    Waypoints,
};
use crate::topology::Topology;
use crate::units::{Bandwidth, Time};

fn links() -> Links {
    Links::all(Bandwidth::gbps(100), Time::ns(50))
}

/// A network from a part's name and settings, as in the notation.
fn build(text: &str) -> Arc<Network> {
    let mut words = text.split(',');
    let mut topology = Topology::all().remove(0);
    assert!(topology.choose(words.next().expect("a name")), "{text}");
    for word in words {
        let (key, value) = word.split_once('=').expect("a setting");
        read_setting(|form| topology.settings(form), key, value).expect(text);
    }
    Arc::new(topology.role().build(&links()).expect(text))
}

const DRAGONFLY: &str = "dragonfly,p=2,a=4,h=2";

/// Switches in a ring, each with an endpoint on port 0, the next on port 1, the last on port 2.
fn ring(count: u32) -> Arc<Network> {
    let mut builder = Builder::new(&links());
    let switches: Vec<SwitchId> = (0..count).map(|_| builder.switch(3)).collect();
    for switch in &switches {
        let endpoint = builder.endpoint(1);
        let ends = ((Node::Endpoint(endpoint), 0), (Node::Switch(*switch), 0));
        builder.link(ends.0, ends.1, LinkClass::Endpoint);
    }
    for (place, switch) in switches.iter().enumerate() {
        let next = switches[(place + 1) % switches.len()];
        builder.link((Node::Switch(*switch), 1), (Node::Switch(next), 2), LinkClass::Switch);
    }
    Arc::new(builder.finish(Structure::Irregular).expect("a ring"))
}

fn routes(name: &str, network: &Arc<Network>) -> Arc<Routes> {
    let mut routing = Routing::all().remove(0);
    assert!(routing.choose(name));
    Arc::new(routing.role().routes(network).expect(name))
}

/// From every switch the lowest port that lies on a shortest path, or `spread` over all of those.
fn shortest(network: &Arc<Network>, spread: bool) -> Arc<Routes> {
    let mut lfts = Lfts::new(network);
    for target in network.targets() {
        let (node, port) = network.target(target);
        let home = match (node, port) {
            (Node::Switch(switch), _) => switch,
            (_, Some(port)) => match network.neighbor(port) {
                Some(Node::Switch(switch)) => {
                    let last = network.number(network.peer(port).expect("a cable"));
                    lfts.set(switch, target, Forward::Port(last));
                    switch
                }
                _ => continue,
            },
            (Node::Endpoint(_), None) => continue,
        };
        let distances = distances(network, home);
        for switch in network.switches().filter(|switch| *switch != home) {
            let closer = |port: &PortId| match network.neighbor(*port) {
                Some(Node::Switch(next)) => distances[next.index()] < distances[switch.index()],
                _ => false,
            };
            let ports = network.ports(Node::Switch(switch)).map(PortId);
            let ports: Vec<PortId> = ports.filter(closer).collect();
            let mixed = mix(u64::from(target.0) << 32 | u64::from(switch.0));
            let chosen = if spread { mixed as usize % ports.len().max(1) } else { 0 };
            let forward =
                ports.get(chosen).map_or(Forward::Nowhere, |p| Forward::Port(network.number(*p)));
            lfts.set(switch, target, forward);
        }
    }
    let tables = Tables::new(network.clone(), lfts, Layers::One);
    Arc::new(Routes::Tables(Box::new(tables)))
}

fn lowest_ports(network: &Arc<Network>) -> Arc<Routes> {
    shortest(network, false)
}

/// Links between switches on a shortest path to a switch.
fn distances(network: &Network, home: SwitchId) -> Vec<u32> {
    let mut distances = vec![u32::MAX; network.switch_count() as usize];
    distances[home.index()] = 0;
    let mut queue = std::collections::VecDeque::from([home]);
    while let Some(at) = queue.pop_front() {
        for port in network.ports(Node::Switch(at)).map(PortId) {
            let Some(Node::Switch(next)) = network.neighbor(port) else { continue };
            if distances[next.index()] == u32::MAX {
                distances[next.index()] = distances[at.index()] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

fn deadlock(network: &Arc<Network>, routes: &Arc<Routes>, ends: Ends) -> Deadlock {
    let found = Dependencies::new(network, routes, ends, ends).finish();
    check(network, routes, &found);
    found
}

/// Follows the pair of every dependency, and checks that it takes both channels one after the
/// other.
fn check(network: &Arc<Network>, routes: &Arc<Routes>, found: &Deadlock) {
    let Verdict::Cyclic(cycle) = &found.verdict else { return };
    for (place, each) in cycle.iter().enumerate() {
        assert_eq!(each.needs, cycle[(place + 1) % cycle.len()].holds);
        let path = match routes.as_ref() {
            Routes::Tables(tables) => vec![along(network, tables, each.source, each.destination)],
            Routes::Oblivious(routes) => {
                let (Node::Endpoint(source), Node::Endpoint(destination)) =
                    (each.source, each.destination)
                else {
                    panic!("endpoints");
                };
                let mut all = Vec::new();
                let pair = Pair { source, destination };
                crate::analysis::paths(network, routes.as_ref(), pair, &mut |path, _| {
                    all.push(path.to_vec());
                })
                .expect("a route");
                all
            }
        };
        let both = [each.holds, each.needs];
        assert!(path.iter().any(|path| path.windows(2).any(|two| two == both)), "{each:?}");
    }
}

/// The channels between switches that the tables lead through.
fn along(network: &Network, tables: &Tables, source: Node, destination: Node) -> Vec<Step> {
    let target = match destination {
        Node::Switch(switch) => network.switch_target(switch),
        Node::Endpoint(endpoint) => network.endpoint_target(endpoint).expect("a link"),
    };
    let mut at = match source {
        Node::Switch(switch) => switch,
        Node::Endpoint(endpoint) => network.switch_of(endpoint).expect("a link"),
    };
    let vc = tables.layer(at, target);
    let mut path = Vec::new();
    while let Some(port) = tables.lfts().port(network, at, target) {
        path.push(Step { port, vc });
        match network.neighbor(port) {
            Some(Node::Switch(next)) => at = next,
            _ => break,
        }
    }
    path
}

fn cycle_length(found: &Deadlock) -> Option<usize> {
    match &found.verdict {
        Verdict::Acyclic(_) => None,
        Verdict::Cyclic(cycle) => Some(cycle.len()),
    }
}

/// Routes with all virtual channels merged into one.
struct Merged(Arc<Routes>);

impl Route for Merged {
    fn virtual_channels(&self) -> u8 {
        1
    }
    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
        self.0.route().inject(pair, stream, queues)
    }
    fn first_stage(&self, pair: Pair) -> u8 {
        self.0.route().first_stage(pair)
    }
    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        self.0.route().next(at, header).map(|hop| Hop { vc: 0, ..hop })
    }
}

impl Oblivious for Merged {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        self.0.oblivious().choices(pair, show);
    }
    fn sharing(&self) -> Sharing {
        self.0.oblivious().sharing()
    }
}

#[test]
fn dragonflies_need_both_virtual_channels() {
    // SPEC: minimal routes on the dragonfly (2, 4, 2) are free of cycles with two channels on
    // local links (Kim et al. 2008), and have cycles with one.
    let network = build(DRAGONFLY);
    let routes = routes("minimal", &network);
    let found = deadlock(&network, &routes, Ends::ENDPOINTS);
    assert_eq!((found.pairs, found.unroutable), (72 * 71, 0));
    let Verdict::Acyclic(order) = &found.verdict else { panic!("{found:?}") };
    assert_eq!(order.len() as u32, found.buffers);
    let merged: Arc<Routes> = Arc::new(Routes::Oblivious(Box::new(Merged(routes))));
    let found = deadlock(&network, &merged, Ends::ENDPOINTS);
    assert!(cycle_length(&found) >= Some(3), "{found:?}");
}

#[test]
fn a_ring_of_five_has_a_cycle_of_five() {
    let network = ring(5);
    let found = deadlock(&network, &lowest_ports(&network), Ends::ENDPOINTS);
    assert_eq!((found.pairs, found.unroutable), (20, 0));
    // Ten channels; every one is followed by the next of its direction.
    assert_eq!((found.buffers, found.dependencies), (10, 10));
    let Verdict::Cyclic(cycle) = &found.verdict else { panic!("{found:?}") };
    assert_eq!(cycle.len(), 5);
    let switches = cycle.iter().map(|each| network.owner(each.holds.port));
    let mut switches: Vec<Node> = switches.collect();
    switches.sort_unstable();
    assert_eq!(switches, network.switches().map(Node::Switch).collect::<Vec<_>>());
}

#[test]
fn rings_of_three_are_safe_and_longer_ones_as_long_as_their_cycle() {
    // The lowest port sends opposite switches of a ring of four clockwise (port 1), all of them,
    // so its clockwise channels do form a cycle; a ring of three has paths of one channel only.
    assert_eq!(cycle_length(&deadlock(&ring(3), &lowest_ports(&ring(3)), Ends::BOTH)), None);
    for count in [4, 6, 7, 40] {
        let network = ring(count);
        let found = deadlock(&network, &lowest_ports(&network), Ends::BOTH);
        assert_eq!(cycle_length(&found), Some(count as usize));
    }
}

#[test]
fn a_ring_of_four_with_the_same_ways_there_and_back_is_safe() {
    let network = ring(4);
    let routes = lowest_ports(&network);
    let Routes::Tables(tables) = routes.as_ref() else { panic!("tables") };
    let mut lfts = tables.lfts().clone();
    for (from, to) in [(2, 0), (3, 1)] {
        lfts.set(SwitchId(from), Target(to), Forward::Port(2));
    }
    let tables = Tables::new(network.clone(), lfts, Layers::One);
    let routes = Arc::new(Routes::Tables(Box::new(tables)));
    assert_eq!(cycle_length(&deadlock(&network, &routes, Ends::ENDPOINTS)), None);
}

#[test]
fn a_trees_routes_go_up_then_down_and_have_no_cycle() {
    let trees =
        ["xgft,m=4.4.4,w=1.4.4", "xgft,m=2.2.2.2,w=1.2.2.2", "xgft,m=4.2.4,w=1.2.2,p=1.2.2"];
    for tree in trees {
        let network = build(tree);
        let found = deadlock(&network, &routes("d_mod_k", &network), Ends::ENDPOINTS);
        assert_eq!(found.unroutable, 0);
        let Verdict::Acyclic(order) = &found.verdict else { panic!("{found:?}") };
        assert_eq!(order.len() as u32, found.buffers);
    }
}

#[test]
fn switches_that_send_and_receive_close_cycles_on_trees_of_three_levels() {
    // sFtree 2012, §3.1: shortest paths between switches turn upward after having gone down.
    let trees = ["xgft,m=2.2.2,w=1.2.2", "xgft,m=4.4.4,w=1.4.4", "xgft,m=4.2.4,w=1.2.2,p=1.2.2"];
    for tree in trees {
        let network = build(tree);
        let routes = lowest_ports(&network);
        assert_eq!(cycle_length(&deadlock(&network, &routes, Ends::ENDPOINTS)), None);
        for ends in [Ends::SWITCHES, Ends::BOTH] {
            let found = deadlock(&network, &routes, ends);
            assert_eq!(found.unroutable, 0);
            // Up, down, up, down along four paths.
            assert_eq!(cycle_length(&found), Some(8), "{tree}");
        }
    }
}

#[test]
fn on_two_levels_the_lowest_port_leads_all_roots_through_one_leaf() {
    // So there is no cycle, as there is none in what OpenSM's MinHop writes for this tree. Once
    // the ways are spread, endpoints and switches together close cycles: up to a root, down to a
    // leaf, and from there up and down again.
    let network = build("xgft,m=18.36,w=1.18");
    for ends in [Ends::ENDPOINTS, Ends::SWITCHES, Ends::BOTH] {
        assert_eq!(cycle_length(&deadlock(&network, &shortest(&network, false), ends)), None);
    }
    let spread = shortest(&network, true);
    assert_eq!(cycle_length(&deadlock(&network, &spread, Ends::ENDPOINTS)), None);
    assert_eq!(cycle_length(&deadlock(&network, &spread, Ends::BOTH)), Some(4));
}

#[test]
fn what_cannot_be_reached_is_counted() {
    let network = ring(5);
    let routes = lowest_ports(&network);
    let Routes::Tables(tables) = routes.as_ref() else { panic!("tables") };
    let mut lfts = tables.lfts().clone();
    // No entry on the way from 3 and 4 to 0; packets from 0 and 1 to 3 run to and fro between
    // both; from 0 to 2 none; from 2 to 4 to the wrong endpoint; from 3 to 1 to no port at all.
    lfts.set(SwitchId(4), Target(0), Forward::Nowhere);
    lfts.set(SwitchId(0), Target(3), Forward::Port(1));
    lfts.set(SwitchId(1), Target(3), Forward::Port(2));
    lfts.set(SwitchId(0), Target(2), Forward::Here);
    lfts.set(SwitchId(2), Target(4), Forward::Port(0));
    lfts.set(SwitchId(3), Target(1), Forward::Port(3));
    let tables = Tables::new(network.clone(), lfts, Layers::One);
    let routes = Arc::new(Routes::Tables(Box::new(tables)));
    let found = deadlock(&network, &routes, Ends::ENDPOINTS);
    assert_eq!((found.pairs, found.unroutable), (20, 7), "{found:?}");
}

#[test]
fn work_in_small_portions_gives_the_same() {
    let network = build(DRAGONFLY);
    for routes in [routes("minimal", &network), lowest_ports(&network)] {
        let whole = Dependencies::new(&network, &routes, Ends::BOTH, Ends::BOTH).finish();
        let mut bits = Dependencies::new(&network, &routes, Ends::BOTH, Ends::BOTH);
        assert!(bits.work() > 100);
        let (mut rounds, mut share) = (0, 0.0);
        let found = loop {
            if let Some(found) = bits.advance(100) {
                break found;
            }
            assert!(bits.share() > share && bits.share() < 1.0);
            share = bits.share();
            rounds += 1;
        };
        assert!(rounds > 10);
        assert_eq!(found, whole);
    }
}

#[test]
fn bundles_of_pairs_cause_what_single_pairs_do() {
    /// Routes of which nothing is known to be shared.
    struct Single(Arc<Routes>);
    impl Route for Single {
        fn virtual_channels(&self) -> u8 {
            self.0.route().virtual_channels()
        }
        fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
            self.0.route().inject(pair, stream, queues)
        }
        fn first_stage(&self, pair: Pair) -> u8 {
            self.0.route().first_stage(pair)
        }
        fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
            self.0.route().next(at, header)
        }
    }
    impl Oblivious for Single {
        fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
            self.0.oblivious().choices(pair, show);
        }
    }
    let dragonfly = build(DRAGONFLY);
    let tree = build("xgft,m=4.4.4,w=1.4.4");
    let cases = [
        (&dragonfly, routes("minimal", &dragonfly)),
        (&tree, routes("d_mod_k", &tree)),
        (&tree, lowest_ports(&tree)),
    ];
    for (network, routes) in cases {
        let bundled = deadlock(network, &routes, Ends::ENDPOINTS);
        let single: Arc<Routes> = Arc::new(Routes::Oblivious(Box::new(Single(routes))));
        let single = deadlock(network, &single, Ends::ENDPOINTS);
        assert_eq!(
            (bundled.pairs, bundled.unroutable, bundled.buffers, bundled.dependencies),
            (single.pairs, single.unroutable, single.buffers, single.dependencies)
        );
        assert_eq!(cycle_length(&bundled), cycle_length(&single));
    }
}

#[test]
fn a_slot_without_an_endpoint_neither_sends_nor_receives() {
    let network = ring(6);
    let failures = crate::network::Failures {
        endpoints: vec![EndpointId(2)],
        ..crate::network::Failures::default()
    };
    let network = Arc::new(network.without(&failures));
    let found = deadlock(&network, &lowest_ports(&network), Ends::ENDPOINTS);
    assert_eq!((found.pairs, found.unroutable), (5 * 4, 0));
    let found = deadlock(&network, &lowest_ports(&network), Ends::BOTH);
    assert_eq!((found.pairs, found.unroutable), (11 * 10, 0));
}
