//! LASH and DFSSSP: shortest paths in virtual layers without cycles.

use std::collections::BTreeMap;
use std::sync::Arc;

use dragontree::analysis::{Dependencies, Ends, Verdict};
use dragontree::network::{Builder, Failures, Network, Node, PortId, Structure, SwitchId, Target};
use dragontree::routing::{Dfsssp, Lash, MinHop, Routes, Routing, Tables};
use dragontree::scenario::{Experiment, Step, Study};

use crate::fabrics::*;

fn routes(network: &Arc<Network>, routing: impl Into<Routing>) -> Arc<Routes> {
    let routes = routing.into().role().find(network, 1);
    Arc::new(routes.unwrap_or_else(|problems| panic!("{problems:?}")))
}

fn tables(routes: &Routes) -> &Tables {
    match routes {
        Routes::Tables(tables) => tables,
        Routes::Oblivious(_) => panic!("no tables"),
    }
}

fn lash(layers: u32) -> Routing {
    Lash { layers }.into()
}

fn dfsssp(layers: u32) -> Routing {
    Dfsssp { layers }.into()
}

fn fixed(experiment: &Experiment) -> &Arc<Routes> {
    experiment.routes().fixed().expect("fixed routes")
}

fn is_acyclic(network: &Arc<Network>, routes: &Arc<Routes>, ends: Ends) -> bool {
    let found = Dependencies::new(network, routes, ends, ends).finish();
    matches!(found.verdict, Verdict::Acyclic(_))
}

/// Every way is as short as can be, and there is one wherever two switches are joined.
fn is_shortest(network: &Arc<Network>, tables: &Tables) {
    for target in network.targets() {
        let Some(last) = switch_of(network, target) else { continue };
        let distances = distances(network, &[last]);
        for switch in network.switches() {
            let links = way(network, tables.lfts(), switch, target).map(|way| way.len() as u32);
            assert_eq!(links, distances.get(&switch).copied(), "{switch:?} to {target:?}");
        }
    }
}

#[test]
fn ways_are_shortest_and_no_layer_has_a_cycle() {
    let mut layers = BTreeMap::new();
    for seed in 0..30 {
        let switches = 4 + seed as u32 * 2;
        let network = irregular(seed, switches, switches * (seed as u32 % 4) / 2);
        for (engine, ends) in [(lash(15), Ends::BOTH), (dfsssp(15), Ends::ENDPOINTS)] {
            let name = engine.role().name();
            let routes = routes(&network, engine);
            is_shortest(&network, tables(&routes));
            assert!(is_acyclic(&network, &routes, ends), "{name}, {seed}");
            *layers.entry((name, tables(&routes).layer_count())).or_insert(0) += 1;
        }
    }
    // Both engines had something to do.
    for name in ["lash", "dfsssp"] {
        assert!(layers.get(&(name, 1)) < Some(&15), "{layers:?}");
        assert!(layers.keys().any(|(each, count)| *each == name && *count > 2), "{layers:?}");
    }
}

#[test]
fn what_remains_of_a_broken_fabric_is_routed() {
    let torus = Study::parse("topology=torus,widths=5.4,p=2").unwrap().plan().unwrap();
    let whole = torus.jobs[0].scenario().network().unwrap();
    let cables = |switch| whole.ports(Node::Switch(SwitchId(switch))).skip(2).map(PortId);
    let failures = Failures {
        switches: vec![SwitchId(7)],
        endpoints: vec![endpoint(3)],
        // Switch 0 keeps its endpoints and nothing else.
        links: cables(0).chain(cables(11).take(2)).collect(),
    };
    let broken = Arc::new(whole.without(&failures));
    let pieces = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 8), (8, 4), (5, 7)];
    let pieces = fabric(&[1, 1, 1, 1, 2, 0, 1, 0, 3], &pieces, Structure::Irregular);
    let empty = fabric(&[], &[], Structure::Irregular);
    let alone = fabric(&[2, 1], &[], Structure::Irregular);
    for network in [broken, pieces, empty, alone] {
        for (engine, ends) in [(lash(8), Ends::BOTH), (dfsssp(8), Ends::ENDPOINTS)] {
            let routes = routes(&network, engine);
            is_shortest(&network, tables(&routes));
            assert!(is_acyclic(&network, &routes, ends));
        }
    }
}

/// Layers of pairs of switches as the definition has it, every cycle searched anew.
fn greedy(network: &Network, tables: &Tables) -> BTreeMap<(SwitchId, SwitchId), u8> {
    let path = |from, to| {
        way(network, tables.lfts(), from, network.switch_target(to)).expect("they are joined")
    };
    let mut layers: Vec<Vec<Vec<PortId>>> = Vec::new();
    let mut found = BTreeMap::new();
    for one in network.switches() {
        for other in network.switches().filter(|other| *other > one) {
            let both = [path(one, other), path(other, one)];
            let fits = |layer: &Vec<Vec<PortId>>| {
                let mut layer = layer.clone();
                layer.extend(both.iter().cloned());
                !can_deadlock(&layer)
            };
            let layer = layers.iter().position(fits).unwrap_or(layers.len());
            if layer == layers.len() {
                layers.push(Vec::new());
            }
            layers[layer].extend(both);
            found.insert((one, other), layer as u8);
        }
    }
    found
}

#[test]
fn lash_takes_the_lowest_layer_without_a_cycle() {
    let trees = [tree(&[2, 2, 2], &[1, 2, 2], &[1]), tree(&[2, 3, 2], &[1, 2, 2], &[1, 1, 2])];
    let others = (100..112).map(|seed| irregular(seed, 13, 4 * (seed as u32 % 4)));
    for network in trees.into_iter().chain(others) {
        let routes = routes(&network, lash(15));
        let tables = tables(&routes);
        for ((one, other), expected) in greedy(&network, tables) {
            for (from, to) in [(one, other), (other, one)] {
                assert_eq!(tables.layer(from, network.switch_target(to)), expected);
            }
        }
        // Endpoints go the way of their switches, in the layer of these.
        for target in network.targets() {
            let last = switch_of(&network, target).expect("all have cables");
            let own = network.switch_target(last);
            for source in network.targets() {
                let first = switch_of(&network, source).expect("all have cables");
                let layer = tables.layer(first, own);
                assert_eq!(tables.layer_between(source, target), layer);
                if first != last {
                    assert_eq!(tables.lfts().get(first, target), tables.lfts().get(first, own));
                }
            }
        }
    }
}

#[test]
fn both_ends_of_a_path_share_its_layer_however_they_are_named() {
    let plan = Study::parse("topology=torus,widths=5.5,p=3").unwrap().plan().unwrap();
    let network = plan.jobs[0].scenario().network().unwrap();
    let routes = routes(&network, dfsssp(8));
    let tables = tables(&routes);
    assert!(tables.layer_count() > 1);
    for target in network.targets() {
        for switch in network.switches() {
            let own = network.switch_target(switch);
            assert_eq!(tables.layer_between(own, target), tables.layer(switch, target));
        }
        // Only paths to endpoints are layered.
        if let (Node::Switch(_), _) = network.target(target) {
            assert!(network.switches().all(|switch| tables.layer(switch, target) == 0));
        }
    }
}

/// Found in small steps, with a share that grows, as in one.
#[test]
fn small_steps_find_the_same_routes() {
    for (network, needs_several) in [(irregular(7, 30, 40), true), (irregular(2, 12, 0), false)] {
        for engine in [lash(15), dfsssp(15)] {
            let whole = routes(&network, engine.clone());
            let mut search = engine.role().begin(&network, 1);
            let (mut slices, mut share) = (0, 0.0);
            let found = loop {
                assert!((share..=1.0).contains(&search.share()), "{share} {}", search.share());
                share = search.share();
                slices += 1;
                if let Some(found) = search.advance(1) {
                    break found;
                }
            };
            let found = found.unwrap_or_else(|problems| panic!("{problems:?}"));
            assert!(slices > 20 && search.advance(1).is_none(), "{slices}");
            let found = found.fixed().expect("fixed routes");
            let [whole, found] = [&*whole, found].map(tables);
            assert_eq!(found.lfts(), whole.lfts());
            assert_eq!(found.layer_count(), whole.layer_count());
            assert_eq!(found.layer_count() > 1, needs_several);
            for target in network.targets() {
                for switch in network.switches() {
                    assert_eq!(found.layer(switch, target), whole.layer(switch, target));
                }
            }
        }
    }
    let mut few = dfsssp(1).role().begin(&irregular(7, 30, 40), 1);
    let refused = std::iter::from_fn(|| Some(few.advance(50))).flatten().next().expect("an end");
    assert!(refused.is_err_and(|problems| problems[0].key == "layers"));
}

#[test]
fn too_few_layers_are_told() {
    let plan = Study::parse("topology=torus,widths=5.5,p=1").unwrap().plan().unwrap();
    let network = plan.jobs[0].scenario().network().unwrap();
    for (engine, name) in [(lash(1), "lash"), (dfsssp(1), "dfsssp")] {
        let problems = engine.role().find(&network, 1).err().expect("one is too few");
        let expected = "layers: “1” was given; the paths of this network need more virtual layers; \
                        allowed: up to 15";
        assert_eq!(problems[0].to_string(), expected);
        let needs = engine.role().routes(&network).err().expect("one is too few");
        assert!(needs.to_string().starts_with(&format!("{name} needs shortest paths that")));
        assert_eq!(engine.role().fits(&network), Ok(()));
    }
    let given = |layers| Study::parse(&format!("routing=lash,layers={layers}")).is_ok();
    assert_eq!([0, 1, 15, 16].map(given), [false, true, true, false]);
}

/// Between two leaves, LASH takes the first root only: 18 endpoints of a leaf share one link, over
/// which 630 of 647 packets go. That is a little above 1/18 = 5.56 %, and Bogdański et al. (2012,
/// §7.2.3 and Table III) measured 5.257 %; one layer is enough.
#[test]
fn lash_uses_one_root_of_the_648_port_tree() {
    let plan = Study::parse("topology=xgft,m=18.36,w=1.18 routing=lash").unwrap().plan().unwrap();
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).unwrap();
    let tables = tables(fixed(&experiment));
    assert_eq!(tables.layer_count(), 1);
    let network = experiment.network();
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let is_leaf = |switch: &SwitchId| tree.level(*switch) == 1;
    for target in
        network.targets().filter(|target| matches!(network.target(*target), (Node::Endpoint(_), _)))
    {
        for leaf in network.switches().filter(is_leaf) {
            let way = way(network, tables.lfts(), leaf, target).expect("a way");
            let root = way.get(1).map(|port| network.owner(*port));
            assert!(root.is_none_or(|root| root == Node::Switch(tree.switch(2, 0))));
        }
    }
    let bound = experiment.analysis().report.bound;
    assert!((bound - 647.0 / (18.0 * 630.0)).abs() < 1e-9, "{bound}");
}

/// The same network with its switches in another order.
fn renumbered(network: &Network, seed: u64) -> Arc<Network> {
    let mut order: Vec<SwitchId> = network.switches().collect();
    dragontree::random::Stream::new(seed, "order of switches", 0).shuffle(&mut order);
    let mut places = vec![SwitchId(0); order.len()];
    let mut builder = Builder::new(&LINKS);
    for switch in order {
        places[switch.index()] = builder.switch(network.ports(Node::Switch(switch)).len() as u32);
    }
    for endpoint in network.endpoints() {
        builder.endpoint(network.ports(Node::Endpoint(endpoint)).len() as u32);
    }
    for (port, channel) in network.links() {
        let [one, other] = [port, channel.peer].map(|port| match network.owner(port) {
            Node::Switch(switch) => (Node::Switch(places[switch.index()]), network.number(port)),
            node => (node, network.number(port)),
        });
        builder.link(one, other, channel.class);
    }
    Arc::new(builder.finish(Structure::Irregular).expect("the same links"))
}

/// How many layers LASH needs depends on the order of the pairs. Bogdański et al. (2012, §7.2.3)
/// had OpenSM's, by GUIDs, which on machines follow nothing: 6 on the tree of 3456 ports and 8 on
/// one like JuRoPA. In random orders it is that or up to two more; where the ids go through the
/// tree level by level, fewer are enough.
#[test]
fn lash_needs_several_layers_on_large_trees() {
    for (text, published) in [("xgft,m=12.12.24,w=1.12.12", 6), ("multi_core,preset=juropa", 8)] {
        let plan = Study::parse(&format!("topology={text}")).unwrap().plan().unwrap();
        let network = plan.jobs[0].scenario().network().unwrap();
        let layers = |network: &Arc<Network>| tables(&routes(network, lash(15))).layer_count();
        assert!(layers(&network) < published, "{text}");
        for seed in 0..2 {
            let found = layers(&renumbered(&network, seed));
            assert!((published..=published + 2).contains(&found), "{text}: {found}");
        }
    }
}

/// Two endpoints on each of five switches in a ring. All shortest ways of two links in one
/// direction wait for each other around it.
#[test]
fn lash_keeps_a_ring_from_deadlock() {
    let run = |routing: &str| {
        let text = format!(
            "topology=torus,widths=5,p=2 traffic=shift,by=4 {routing} load=1 buffer=512B \
             output_buffer=256B warmup=5us window=40us"
        );
        let plan = Study::parse(&text).unwrap().plan().unwrap();
        let experiment = Experiment::build(plan.jobs[0].scenario(), None).unwrap();
        let mut running = plan.jobs[0].start(Some(&experiment)).unwrap();
        while running.advance(1_000_000) != Ok(Step::Done) {}
        let metrics = running.record(0.0).and_then(|record| record.metrics).expect("it has ended");
        (experiment, metrics)
    };
    for routing in ["routing=lash", "routing=dfsssp"] {
        let (experiment, metrics) = run(routing);
        assert_eq!(tables(fixed(&experiment)).layer_count(), 2);
        assert!(is_acyclic(experiment.network(), fixed(&experiment), Ends::ENDPOINTS));
        // A quarter is all that the channels can carry; such small buffers let less pass.
        assert!(metrics.deadlock.is_none() && metrics.accepted > 0.0, "{routing}");
        assert!(metrics.accepted < 0.25, "{routing}");
    }
    let (experiment, metrics) = run("routing=min_hop");
    assert!(!is_acyclic(experiment.network(), fixed(&experiment), Ends::ENDPOINTS));
    assert!(metrics.deadlock.is_some());
    let network = experiment.network();
    let min_hop = lfts(network, MinHop);
    let used = |target: Target| matches!(network.target(target), (Node::Endpoint(_), _));
    assert!(can_deadlock(&ways(network, &min_hop, |_, target| used(target))));
}
