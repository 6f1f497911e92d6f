//! Audits, comparisons and told paths against walking every pair by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use dragontree::analysis::{
    Audit, AuditReport, CompareStep, Comparing, Dependencies, Directory, Ends, Meant, Question,
    Subject, Tracer, Verdict, Weight, engines, rails,
};
use dragontree::catalog::{Menu, PartChoice};
use dragontree::network::{
    Builder, Lfts, LinkClass, Links, Network, Node, PortId, Structure, SwitchId,
};
use dragontree::random::Stream;
use dragontree::routing::{MinHop, Minimal, Pair, Routes, Routing};
use dragontree::scenario::{Experiment, Scenario, Study};
use dragontree::units::{Bandwidth, Time};

use super::random::{fabric, routes, tables, walk};

fn scenario(text: &str) -> Scenario {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    plan.jobs[0].scenario().clone()
}

fn audit(text: &str) -> AuditReport {
    let scenario = scenario(text);
    let network = scenario.network().expect(text);
    let routes = scenario.routes(&network);
    let routes = routes.as_ref().map_err(|problems| problems[0].allowed.as_str());
    Audit::new(&network, routes, &scenario.question(&network)).finish()
}

fn said(report: &AuditReport, weight: Weight, subject: Subject) -> String {
    let mut remarks = report.findings.iter();
    let found = remarks.find(|remark| (remark.weight, remark.subject) == (weight, subject));
    found.unwrap_or_else(|| panic!("{:#?}", report.findings)).text.clone()
}

/// The pairs of endpoint ports of a rail that a walk joins, and all.
fn walked(network: &Network, lfts: &Lfts, ports: &[PortId]) -> (u64, u64) {
    let (mut routed, mut total) = (0, 0);
    for source in ports {
        for destination in ports.iter().filter(|other| *other != source) {
            let Some(Node::Switch(start)) = network.neighbor(*source) else { panic!("a switch") };
            total += 1;
            let arrives = walk(network, lfts, start, network.port_target(*destination)).is_some();
            routed += u64::from(arrives);
        }
    }
    (routed, total)
}

#[test]
fn large_numbers_are_grouped() {
    let report = audit("topology=xgft,m=8.8,w=1.8 routing=min_hop load=1");
    let text = said(&report, Weight::Good, Subject::Connectivity);
    assert_eq!(text, "All 4,032 pairs of endpoints that cables join have a route.");
}

#[test]
fn random_tables_are_audited_as_walked() {
    for seed in 0..150 {
        let mut stream = Stream::new(seed, "audit", 0);
        let network = Arc::new(fabric(&mut stream));
        let one_in = [3, 20, 1_000_000][seed as usize % 3];
        let lfts = tables(&network, &mut stream, one_in);
        let routes = routes(&network, &lfts);
        let report = Audit::new(&network, Ok(&routes), &Question::of("random")).finish();
        let (mut routed, mut total) = (0, 0);
        for rail in rails(&network) {
            let ports: Vec<PortId> = rail.ports.iter().flatten().copied().collect();
            let found = walked(&network, &lfts, &ports);
            (routed, total) = (routed + found.0, total + found.1);
        }
        let pairs = report.endpoint_pairs.expect("there are routes");
        assert_eq!((pairs.routed, pairs.total), (routed, total), "seed {seed}");
        let free = |ends| {
            let found = Dependencies::new(&network, &routes, ends, ends).finish();
            matches!(found.verdict, Verdict::Acyclic(_))
        };
        assert_eq!(report.acyclic.endpoints, Some(free(Ends::ENDPOINTS)), "seed {seed}");
        assert_eq!(report.acyclic.switches, Some(free(Ends::SWITCHES)), "seed {seed}");
        assert_eq!(report.acyclic.together, Some(free(Ends::BOTH)), "seed {seed}");
        assert_eq!(report.cycle.is_empty(), free(Ends::BOTH), "seed {seed}");
        let next = report.cycle.iter().skip(1).chain(report.cycle.first());
        for (step, next) in report.cycle.iter().zip(next) {
            assert_eq!(step.to, next.switch, "seed {seed}");
            let port = network.port(SwitchId(step.at[0]), step.at[1]);
            let neighbor = network.neighbor(port).expect("a cable");
            assert_eq!(network.name(neighbor), step.to, "seed {seed}");
        }
        let contention = report.contention.expect("an order");
        let worst = report
            .rails
            .iter()
            .map(|rail| rail.contention.as_ref().map_or(0.0, |contention| contention.worst));
        assert_eq!(contention.worst, worst.fold(0.0, f64::max), "seed {seed}");
    }
}

#[test]
fn paths_are_told_as_they_are_walked() {
    for seed in 0..100 {
        let mut stream = Stream::new(seed, "paths", 0);
        let network = Arc::new(fabric(&mut stream));
        let lfts = tables(&network, &mut stream, [4, 1_000_000][seed as usize % 2]);
        let routes = routes(&network, &lfts);
        let tracer = Tracer::new(&network, &routes);
        let rails = rails(&network);
        for source in network.endpoints() {
            for destination in network.endpoints().filter(|other| *other != source) {
                let meant = |endpoint| Meant { node: Node::Endpoint(endpoint), port: None };
                let told = tracer.trace(meant(source), meant(destination));
                let mut ways = Vec::new();
                for rail in &rails {
                    let ends = [source, destination].map(|end| rail.ports[end.index()]);
                    let [Some(from), Some(to)] = ends else { continue };
                    let Some(Node::Switch(start)) = network.neighbor(from) else { panic!("one") };
                    ways.push(walk(&network, &lfts, start, network.port_target(to)));
                }
                let told = told.map(|report| report.paths).unwrap_or_default();
                assert_eq!(told.len(), ways.len(), "seed {seed}");
                for (told, way) in told.iter().zip(&ways) {
                    assert_eq!(told.problem.is_none(), way.is_some(), "seed {seed}: {told:?}");
                    let Some(way) = way else { continue };
                    assert_eq!(told.hops as usize, way.len());
                    let outputs: Vec<_> = told.steps[1..told.steps.len() - 2].iter().collect();
                    assert_eq!(outputs.len(), way.len());
                    for (step, port) in outputs.iter().zip(way) {
                        assert_eq!(step.node.name, network.name(network.owner(*port)));
                        assert_eq!(step.out_port, Some(network.number(*port)));
                    }
                    let last = told.steps.last().expect("an end");
                    assert_eq!(last.node.name, network.name(Node::Endpoint(destination)));
                }
            }
        }
    }
}

#[test]
fn every_path_of_oblivious_routes_is_told_once() {
    let text = "topology=xgft,m=2.3.2,w=1.2.2 routing=dynamic_random";
    let scenario = scenario(text);
    let network = scenario.network().expect(text);
    let routes = scenario.routes(&network).expect(text);
    let tracer = Tracer::new(&network, &routes);
    let directory = Directory::new(&network);
    let (source, destination) = directory.pair("endpoint 0:endpoint 11").expect("names");
    let report = tracer.trace(source, destination).expect("paths");
    // Two parents on each of two levels.
    assert_eq!(report.paths.len(), 4);
    assert!(report.paths.iter().all(|path| path.probability == 0.25 && path.hops == 4));
    let by_lid = directory.pair("1:12").expect("local ids");
    assert_eq!(tracer.trace(by_lid.0, by_lid.1).expect("paths").paths, report.paths);
    let unknown = directory.pair("endpoint 0:nobody").expect_err("no name");
    assert!(unknown.to_string().contains("“nobody” is no name"), "{unknown}");
    let switch = directory.find("switch 0 of level 2").expect("a switch");
    let refused = tracer.trace(source, switch).expect_err("a switch");
    assert!(refused.to_string().contains("switch 0 of level 2 is a switch"), "{refused}");
    let same = tracer.trace(source, source).expect_err("the same");
    assert!(same.to_string().contains("both source and destination"), "{same}");
}

#[test]
fn ports_that_lead_up_are_counted() {
    // Two of twelve destinations elsewhere for each of the four ports, but for the missing one.
    let text = "topology=xgft,m=4.4,w=1.4 routing=min_hop";
    let uplinks = audit(text).uplinks.expect("levels");
    assert_eq!((uplinks.switches, uplinks.uneven), (4, 0));
    for text in [
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.1.2 faults=random,links=3 routing=min_hop",
        "topology=xgft,m=4.4.3,w=1.4.4 faults=random,links=9 routing=up_down",
        "topology=fat_tree,radix=8,levels=3 faults=random,links=20 routing=down_up",
    ] {
        let scenario = scenario(text);
        let network = scenario.network().expect(text);
        let Ok(Routes::Tables(tables)) = scenario.routing.role().find(&network, 1) else {
            panic!("{text}")
        };
        let Structure::Tree(tree) = network.structure() else { panic!("{text}") };
        let mut uneven = Vec::new();
        for switch in network.switches() {
            let mut counts = BTreeMap::new();
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Switch(other)) = network.neighbor(port)
                    && tree.level(other) > tree.level(switch)
                {
                    counts.insert(port, 0);
                }
            }
            for endpoint in network.endpoints() {
                let Some(target) = network.endpoint_target(endpoint) else { continue };
                let port = tables.lfts().port(&network, switch, target);
                if let Some(count) = port.and_then(|port| counts.get_mut(&port)) {
                    *count += 1;
                }
            }
            let [most, fewest] = [counts.values().max(), counts.values().min()]
                .map(|count| count.copied().unwrap_or(0));
            if counts.len() >= 2 && most - fewest >= 2 {
                uneven.push((network.name(Node::Switch(switch)), most, fewest));
            }
        }
        let found = audit(text).uplinks.expect("levels");
        assert_eq!(found.uneven as usize, uneven.len(), "{text}");
        for uplink in &found.listed {
            let key = (uplink.switch.clone(), uplink.most, uplink.fewest);
            assert!(uneven.contains(&key), "{text}: {key:?}");
        }
    }
}

#[test]
fn a_fabric_in_two_pieces_is_told() {
    // Two leaf switches without their root.
    let report = audit("topology=xgft,m=2.2,w=1.1 faults=list,switch=2 routing=min_hop");
    let text = said(&report, Weight::Fault, Subject::Connectivity);
    assert!(text.contains("in 2 pieces that no cable joins: 2 endpoints around"), "{text}");
    let pairs = report.endpoint_pairs.expect("routes");
    assert_eq!((pairs.total, pairs.connected, pairs.routed), (12, 4, 4));
    assert_eq!(report.rails[0].pieces.len(), 2);
}

#[test]
fn what_is_known_without_routes_is_told() {
    let report = audit("topology=xgft,m=4.4,w=1.4 faults=list,link=0-4 routing=dimension_order");
    let text = said(&report, Weight::Fault, Subject::Routes);
    assert!(text.starts_with("There are no routes: dimension_order needs "), "{text}");
    assert_eq!((report.endpoint_pairs, report.contention, report.layers), (None, None, None));
    let text = said(&report, Weight::Warning, Subject::Cabling);
    assert!(text.contains("form a fat tree with 1 deviation: m=4.4 w=1.4 p=1.1"), "{text}");
    assert_eq!(report.trees[0].deviations[0].kind, "missing");
}

#[test]
fn an_order_that_the_fabric_has_not_leaves_the_rest() {
    let report =
        audit("topology=torus,widths=4.4 routing=min_hop placement=contiguous,order=ftree");
    let text = said(&report, Weight::Note, Subject::Contention);
    assert!(text.contains("order=ftree needs fat trees"), "{text}");
    assert_eq!(report.contention, None);
    assert_eq!(report.endpoint_pairs.map(|pairs| (pairs.routed, pairs.total)), Some((240, 240)));
}

/// Endpoints with two ports on one island are on two rails, as far as tables lead there. Minimal
/// routing begins at the first port and leads to the first.
#[test]
fn routes_that_are_no_tables_lead_on_one_rail() {
    let mut builder = Builder::new(&Links::all(Bandwidth::gbps(100), Time::ns(50)));
    let switches = [4, 5, 6].map(|ports| Node::Switch(builder.switch(ports)));
    // Each endpoint on two switches next to each other, those in a line.
    for (one, other) in [(0, 1), (1, 2), (2, 1)] {
        let endpoint = Node::Endpoint(builder.endpoint(2));
        let endpoint = |port| (endpoint, port);
        let Node::Endpoint(id) = endpoint(0).0 else { panic!("an endpoint") };
        builder.link(endpoint(0), (switches[one], id.0), LinkClass::Endpoint);
        builder.link(endpoint(1), (switches[other], id.0), LinkClass::Endpoint);
    }
    builder.link((switches[0], 3), (switches[1], 3), LinkClass::Switch);
    builder.link((switches[1], 4), (switches[2], 3), LinkClass::Switch);
    let network = Arc::new(builder.finish(Structure::Irregular).expect("ports enough"));
    let report = |routing: Routing| {
        let routes = Arc::new(routing.role().routes(&network).unwrap_or_else(|e| panic!("{e}")));
        Audit::new(&network, Ok(&routes), &Question::of("")).finish()
    };
    let minimal = report(Minimal.into());
    let pairs = minimal.endpoint_pairs.expect("routes");
    // Between the first ports, on the switches 0, 1 and 2.
    assert_eq!((pairs.total, pairs.routed, pairs.non_minimal, pairs.longest), (6, 6, 0, 2));
    assert_eq!(minimal.rails.len(), 1);
    let tables = report(MinHop.into());
    let pairs = tables.endpoint_pairs.expect("routes");
    assert_eq!((pairs.total, pairs.routed, pairs.non_minimal), (12, 12, 0));
    assert_eq!(tables.rails.len(), 2);
}

#[test]
fn slices_of_any_length_give_the_same() {
    let text = "topology=xgft,m=4.2.4,w=1.2.2 faults=random,links=3,endpoints=2 routing=min_hop";
    let scenario = scenario(text);
    let network = scenario.network().expect(text);
    let routes = scenario.routes(&network).expect(text);
    let whole = Audit::new(&network, Ok(&routes), &scenario.question(&network)).finish();
    let mut audit = Audit::new(&network, Ok(&routes), &scenario.question(&network));
    let (mut slices, mut share) = (0, 0.0);
    let sliced = loop {
        slices += 1;
        if let Some(report) = audit.advance(1) {
            break report;
        }
        assert!(audit.share() >= share && audit.share() <= 1.0, "{share} {}", audit.share());
        share = audit.share();
    };
    assert_eq!(whole, sliced);
    assert!(slices > 20, "{slices}");
}

#[test]
fn engines_are_compared_as_they_are_audited() {
    let text = "topology=xgft,m=4.2.4,w=1.2.2 routing=min_hop";
    let scenario = scenario(text);
    let network = scenario.network().expect(text);
    let all = engines(&scenario.routing);
    assert_eq!(all.len(), Routing::all().len());
    let mut comparing = Comparing::new(&network, all, &scenario.question(&network));
    let mut routed = 0;
    loop {
        match comparing.advance(1000) {
            CompareStep::Routing => {
                comparing.took(0.5);
                routed += 1;
            }
            CompareStep::Working => {}
            CompareStep::Done => break,
        }
    }
    assert_eq!(comparing.done().len(), Routing::all().len());
    // Some searches take several slices, all of which count.
    let searched = comparing.done().iter().filter(|row| row.seconds > Some(0.5)).count();
    assert!(searched > 0);
    let seconds: f64 = comparing.done().iter().filter_map(|row| row.seconds).sum();
    assert_eq!(seconds, 0.5 * f64::from(routed));
    for (row, routing) in comparing.done().iter().zip(Routing::all()) {
        assert_eq!(row.engine.as_str(), routing.name());
        match routing.role().find(&network, 1) {
            Ok(routes) => {
                let report =
                    Audit::new(&network, Ok(&Arc::new(routes)), &Question::of("")).finish();
                assert_eq!(row.refused, None);
                assert_eq!(row.contention, report.contention, "{}", row.engine);
                assert_eq!(row.endpoint_pairs, report.endpoint_pairs, "{}", row.engine);
                assert_eq!(row.switch_pairs, report.switch_pairs, "{}", row.engine);
                assert_eq!(row.acyclic, report.acyclic, "{}", row.engine);
                assert_eq!(row.layers, report.layers, "{}", row.engine);
            }
            Err(_) if row.engine == "imported" => {
                assert_eq!(row.refused.as_deref(), Some("no forwarding tables are given"));
            }
            Err(problems) => {
                // The name of the engine stands beside it.
                let refused = row.refused.as_ref().map(|reason| format!("{} {reason}", row.engine));
                assert_eq!(refused, Some(problems[0].to_string()));
            }
        }
    }
    let refused = comparing.done().iter().find(|row| row.engine == "dimension_order");
    let reason = refused.and_then(|row| row.refused.clone()).expect("a tree is no grid");
    assert!(reason.starts_with("needs a grid"), "{reason}");
}

#[test]
fn place_keepers_stay_silent_in_traffic() {
    let tree = "topology=xgft,m=4.4,w=1.4 faults=list,endpoint=4 traffic=shift,by=1 load=0.1";
    let pairs = |placement: &str| -> Vec<(u32, u32)> {
        let scenario = scenario(&format!("{tree} routing=d_mod_k placement={placement}"));
        let experiment = Experiment::build(&scenario, None).expect(placement);
        let endpoint = |rank: u32| experiment.placement()[rank as usize];
        let mut pairs = Vec::new();
        for rank in 0..experiment.placement().len() as u32 {
            experiment.destinations().each(dragontree::units::Rank(rank), &mut |to, _| {
                let pair = Pair { source: endpoint(rank), destination: endpoint(to.0) };
                pairs.push((pair.source.0, pair.destination.0));
            });
        }
        pairs
    };
    let live = |endpoint: &u32| *endpoint != 4;
    // Who would send to the empty slot is silent; without place keepers it sends past it.
    let kept: Vec<_> = (0..16).map(|n| (n, (n + 1) % 16)).collect();
    let kept: Vec<_> = kept.into_iter().filter(|(one, other)| live(one) && live(other)).collect();
    assert_eq!(pairs("contiguous,keepers=yes"), kept);
    assert_eq!(pairs("contiguous,order=ftree,keepers=yes"), kept);
    let past: Vec<u32> = (0..16).filter(live).collect();
    let past: Vec<_> = (0..15).map(|n| (past[n], past[(n + 1) % 15])).collect();
    assert_eq!(pairs("contiguous"), past);
    assert_eq!(pairs("contiguous,order=ftree"), past);
}
