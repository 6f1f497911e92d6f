//! Minimal routing where switches are at most two hops apart: against brute force on small
//! networks, and against closed forms.

use std::collections::BTreeMap;

use dragontree::analysis::paths;
use dragontree::network::{Node, PortId, SwitchId};
use dragontree::scenario::{self, Experiment, Study};

use super::{SMALL, experiment, found, is_cyclic, oblivious, pairs, switch_of, ways};

#[test]
fn paths_are_all_minimal_ones_with_equal_shares() {
    for topology in SMALL {
        let experiment = experiment(&format!("topology={topology} routing=minimal load=1"));
        let network = experiment.network();
        for pair in pairs(network) {
            let [from, to] = [pair.source, pair.destination].map(|each| switch_of(network, each));
            let found = found(&experiment, pair).expect("a route");
            let expected = ways(network, from, to);
            assert!(found.keys().eq(expected.keys()), "{topology} {pair:?}");
            for (one, other) in found.values().zip(expected.values()) {
                assert!((one - other).abs() < 1e-12, "{topology} {pair:?}");
            }
        }
    }
}

/// Packets take the paths that analysis counts, as often as it says.
#[test]
fn draws_follow_the_probabilities() {
    use dragontree::random::Stream;
    use dragontree::routing::{Header, Queues, Waypoints};
    use dragontree::units::Bytes;
    struct Empty;
    impl Queues for Empty {
        fn queued(&self, _port: PortId) -> Bytes {
            Bytes(0)
        }

        fn capacity(&self) -> Bytes {
            Bytes(0)
        }
    }
    for topology in ["mlfm,h=3", "xgft,m=4.3,w=1.2,p=1.2", "slim_fly,q=3"] {
        let experiment = experiment(&format!("topology={topology} routing=minimal load=1"));
        let (network, routes) = (experiment.network(), oblivious(&experiment));
        let mut stream = Stream::new(1, "test", 0);
        for pair in pairs(network).step_by(7) {
            let mut counts: Vec<(Waypoints, f64, u32)> = Vec::new();
            routes.choices(pair, &mut |waypoints, share| counts.push((waypoints, share, 0)));
            for _ in 0..2000 {
                let drawn = routes.inject(pair, &mut stream, &Empty);
                let mut known = counts.iter_mut().filter(|(waypoints, ..)| *waypoints == drawn);
                known.next().expect("one of the choices").2 += 1;
            }
            for (_, share, count) in counts {
                assert!((f64::from(count) / 2000.0 - share).abs() < 0.06, "{topology} {pair:?}");
            }
            let mut header = Header {
                destination: pair.destination,
                waypoints: routes.inject(pair, &mut stream, &Empty),
                stage: 0,
            };
            let mut at = Some(Node::Switch(switch_of(network, pair.source)));
            while let Some(Node::Switch(switch)) = at {
                let hop = routes.next(switch, &mut header).expect("a route");
                at = network.neighbor(hop.port);
            }
            assert_eq!(at, Some(Node::Endpoint(pair.destination)));
        }
    }
}

/// Prisacari 2020, §7.3.4: two virtual channels on the Slim Fly, and not one; one on MLFM and OFT.
#[test]
fn channels_never_wait_in_a_cycle() {
    let cases = [
        ("slim_fly,q=3", 2),
        ("slim_fly,q=4", 2),
        ("slim_fly,q=5", 2),
        ("hyperx,widths=4.3,p=1", 2),
        ("torus,widths=3.3,p=1", 2),
        ("torus,widths=5,p=1", 2),
        ("mlfm,h=3", 1),
        ("oft,k=3", 1),
        ("sspt,r1=6,r2=3", 1),
        ("xgft,m=4.3,w=1.2,p=1.2", 1),
        // Every two are joined: no route has two hops.
        ("hyperx,widths=6,p=1", 1),
        ("dragonfly,p=1,a=4,h=1", 2),
        ("dragonfly,p=1,a=4,h=1,local=flattened", 2),
        ("dragonfly,p=1,a=6,h=1,local=flattened,rows=3", 2),
        ("dragonfly,p=1,a=6,h=1,local=flattened,groups=3", 2),
    ];
    for (topology, channels) in cases {
        let experiment = experiment(&format!("topology={topology} routing=minimal load=1"));
        assert_eq!(oblivious(&experiment).virtual_channels(), channels, "{topology}");
        assert!(!is_cyclic(&experiment, &|_, vc| vc), "{topology}");
        if channels > 1 {
            assert!(is_cyclic(&experiment, &|_, vc| vc.min(channels - 2)), "{topology}");
        }
    }
    // A path of three switches needs only one, but by the number of the hop it has two.
    let line = experiment("topology=mesh,widths=3,p=1 routing=minimal load=1");
    assert_eq!(oblivious(&line).virtual_channels(), 2);
    assert!(!is_cyclic(&line, &|_, _| 0));
}

/// At most two local hops, one global hop, two local hops, first along the row.
#[test]
fn flattened_groups_are_crossed_by_rows_and_columns() {
    use dragontree::network::{LinkClass, Structure};
    let text = "topology=dragonfly,p=1,a=6,h=1,local=flattened,rows=3 routing=minimal load=1";
    for text in [text.to_owned(), text.replace("rows=3", "rows=2,groups=4")] {
        let experiment = experiment(&text);
        let network = experiment.network();
        let Structure::Groups(groups) = network.structure() else { panic!("groups") };
        let columns = groups.columns;
        for pair in pairs(network) {
            let [from, to] = [pair.source, pair.destination].map(|each| switch_of(network, each));
            // By brute force, the fewest local hops over any of the global links.
            let local = |from: SwitchId, to: SwitchId| {
                u32::from(from.0 % 6 % columns != to.0 % 6 % columns)
                    + u32::from(from.0 % 6 / columns != to.0 % 6 / columns)
            };
            let over = network.channels().filter_map(|(port, channel)| {
                let ends = [network.owner(port), network.owner(channel.peer)];
                let [Node::Switch(exit), Node::Switch(entry)] = ends else { return None };
                let fits = exit.0 / 6 == from.0 / 6 && entry.0 / 6 == to.0 / 6;
                let global = channel.class == LinkClass::Global;
                (fits && global).then(|| 1 + local(from, exit) + local(entry, to))
            });
            let fewest = over.min().unwrap_or_else(|| local(from, to));
            for path in found(&experiment, pair).expect("a route").keys() {
                assert_eq!(path.len() as u32, fewest, "{pair:?}");
                let mut last = None;
                for port in path {
                    let channel = network.channel(*port).expect("a cable");
                    let ends = [*port, channel.peer].map(|port| network.owner(port));
                    let [Node::Switch(one), Node::Switch(other)] = ends else { panic!("switches") };
                    let by_column = channel.class == LinkClass::Local
                        && one.0 % 6 % columns == other.0 % 6 % columns;
                    let by_row = channel.class == LinkClass::Local && !by_column;
                    assert!(!(by_row && last == Some(true)), "a row after a column");
                    last = (channel.class == LinkClass::Local).then_some(by_column);
                }
            }
        }
    }
}

/// With faults, who still has a way of at most two hops has a route, the others have none.
#[test]
fn faults_leave_holes() {
    let mut lost = 0;
    for topology in ["slim_fly,q=4", "oft,k=3", "mlfm,h=3", "hyperx,widths=4.3,p=2"] {
        for seed in 1..=4 {
            let faults = format!("random,links=4,switches=1,endpoints=2,seed={seed}");
            let text = format!("topology={topology} routing=minimal load=1");
            let whole = experiment(&text);
            let plan = Study::parse(&format!("{text} faults={faults}")).expect("a study").plan();
            let plan = plan.expect("a plan");
            let scenario = plan.jobs[0].scenario();
            let failures = scenario.faults.role().failures(whole.network(), 1).expect("faults");
            let network = std::sync::Arc::new(whole.network().without(&failures));
            let routes = scenario.routing.role().routes(&network).expect("it was small before");
            for pair in pairs(&network) {
                let ends = [pair.source, pair.destination].map(|each| network.switch_of(each));
                let expected = match ends {
                    [Some(from), Some(to)] => ways(&network, from, to),
                    _ => BTreeMap::new(),
                };
                let mut found = BTreeMap::new();
                let walked = paths(&network, routes.oblivious(), pair, &mut |path, share| {
                    let ports: Vec<PortId> = path.iter().map(|step| step.port).collect();
                    found.insert(ports[1..ports.len() - 1].to_vec(), share);
                });
                lost += u32::from(walked.is_err());
                assert_eq!(walked.is_err(), expected.is_empty(), "{topology} {pair:?}");
                assert!(found.keys().eq(expected.keys()), "{topology} {pair:?}");
            }
        }
    }
    assert!(lost > 0);
}

#[test]
fn distant_switches_are_refused_with_what_is_needed() {
    let far = [
        "xgft,m=2.2.2,w=1.2.2",
        "torus,widths=6,p=1",
        "torus,widths=4.4,p=1",
        "mesh,widths=4,p=1",
        "hyperx,widths=3.3.3,p=1",
    ];
    for topology in far {
        let plan = Study::parse(&format!("topology={topology} load=1")).expect("a study").plan();
        let plan = plan.expect("a plan");
        let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect(topology);
        let sentence = "routing: “minimal” was given; minimal needs groups, or switches at most two \
                        hops apart; this network has switches further apart (did you mean min_hop?)";
        assert_eq!(problems[0].to_string(), sentence, "{topology}");
    }
}

fn bound(topology: &str) -> f64 {
    experiment(&format!("topology={topology} routing=minimal load=1")).analysis().report.bound
}

/// Uniform traffic. In MLFM and OFT the traffic of a switch with endpoints spreads evenly over its
/// upper links, `(N - p)/(N - 1)` of a link's rate over each, so that the endpoints' own links
/// fill first. In a two-dimensional HyperX each channel carries `p²·s` of the `N - 1` destinations
/// of its p sources: those of the other switch's line.
#[test]
fn uniform_bounds_follow_closed_forms() {
    for topology in ["mlfm,h=3", "mlfm,h=6", "oft,k=4", "oft,k=6", "sspt,r1=6,r2=3"] {
        assert_eq!(bound(topology), 1.0, "{topology}");
    }
    for (s, p) in [(4, 3), (5, 6), (4, 8)] {
        let n = f64::from(s * s * p);
        let expected = ((n - 1.0) / f64::from(p * p * s)).min(1.0);
        let found = bound(&format!("hyperx,widths={s}.{s},p={p}"));
        assert!((found - expected).abs() < 1e-8, "{s} {p}: {found} for {expected}");
    }
}

/// Uniform traffic on Slim Flies fills the channels between the halves first, each of which
/// carries the traffic of 3q - 2 pairs of switches: the two that it joins; q - 1 from its start,
/// and as many to its end, over two such channels; and (q - 1)/2 each from within the columns of
/// either end, where δ ≠ 1 some pairs of one row sharing two ways.
///
/// For q = 13 that is 1 with 9 endpoints per switch and 0.913 with 10. The thesis's simulator got
/// 96 to 98 % and 87 % (Prisacari 2020, §7.4.2); the bound leaves out what queueing costs.
#[test]
fn slim_flies_are_bounded_by_the_links_between_their_halves() {
    for q in [3_u32, 4, 5, 7, 8, 9, 13] {
        for rounding in ["floor", "ceil"] {
            let within_columns = [q / 2, (q - 1) / 2, 0, q.div_ceil(2)][q as usize % 4];
            let degree = f64::from(q + within_columns);
            let p =
                if rounding == "floor" { (degree / 2.0).floor() } else { (degree / 2.0).ceil() };
            let q = f64::from(q);
            let expected = ((2.0 * q * q * p - 1.0) / (p * p * (3.0 * q - 2.0))).min(1.0);
            let found = bound(&format!("slim_fly,q={q},rounding={rounding}"));
            assert!((found - expected).abs() < 1e-8, "{q} {rounding}: {found} for {expected}");
        }
    }
    assert_eq!(bound("slim_fly,preset=prisacari_p9"), 1.0);
    assert!((bound("slim_fly,preset=prisacari_p10") - 0.913).abs() < 0.0005);
}

/// The networks of the thesis's simulations that are no Slim Flies (Prisacari 2020, §7.4.1).
#[test]
fn the_largest_simulated_trees_have_full_uniform_bandwidth() {
    assert_eq!(bound("mlfm,preset=prisacari_15"), 1.0);
    assert_eq!(bound("oft,preset=prisacari_12"), 1.0);
}

/// Uniform traffic on dragonflies of flattened groups. A channel of a row carries the traffic of
/// all switches that stand in the column it leads to, so as many times that of a full mesh's
/// channel (Eq. 6.1 of Prisacari 2020) as there are rows; one of a column, as there are columns.
#[test]
fn flattened_dragonflies_follow_equation_6_8_times_rows_or_columns() {
    for (p, rows, columns, h) in
        [(2, 2, 4, 2), (2, 4, 4, 2), (1, 2, 3, 1), (2, 2, 6, 1), (2, 3, 4, 4)]
    {
        let a = rows * columns;
        let topology = format!("dragonfly,local=flattened,p={p},a={a},h={h},rows={rows}");
        let found = bound(&topology);
        let [p, a, h] = [p, a, h].map(f64::from);
        let n = p * a * (a * h + 1.0);
        let local = p * p * (2.0 * a * h + 1.0) * f64::from(rows.max(columns));
        let expected = ((n - 1.0) / local.max(p * a * p * a)).min(1.0);
        assert!((found - expected).abs() < 1e-8, "{topology}: {found} for {expected}");
    }
}

fn accepted(topology: &str, load: f64) -> f64 {
    let text = format!("topology={topology} routing=minimal load={load} warmup=5us window=10us");
    let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
    let mut running = plan.jobs[0].start(None).expect("a valid scenario");
    while running.advance(1_000_000) != Ok(scenario::Step::Done) {}
    let metrics = running.record(0.0).and_then(|record| record.metrics).expect("it has ended");
    assert!(metrics.deadlock.is_none(), "{topology}");
    metrics.accepted
}

#[test]
fn uniform_load_below_the_bound_is_accepted() {
    for topology in ["slim_fly,q=5", "mlfm,h=4", "oft,k=4", "hyperx,widths=5.5,p=4"] {
        let found = accepted(topology, 0.8);
        assert!((found - 0.8).abs() < 0.01, "{topology}: {found}");
    }
}
