//! Solved routes as studies use them: from the text to the ways of packets, the analysis and the record.

use std::collections::BTreeMap;
use std::sync::Arc;

use dragontree::catalog::{Data, Files, Written};
use dragontree::network::{Node, PortId, Structure};
use dragontree::random::Stream;
use dragontree::routing::{Queues, Routes};
use dragontree::scenario::{ComparedRow, Experiment, Record, Step, Study};
use dragontree::units::Bytes;

struct Idle;

impl Queues for Idle {
    fn queued(&self, _port: PortId) -> Bytes {
        Bytes(0)
    }

    fn capacity(&self) -> Bytes {
        Bytes(u64::MAX)
    }
}

fn experiments(text: &str) -> Vec<Experiment> {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut built: Vec<Experiment> = Vec::new();
    for job in &plan.jobs {
        built.push(Experiment::build(job.scenario(), built.last()).expect(text));
    }
    built
}

fn record(text: &str, budget: u64) -> (Record, Vec<f64>) {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut running = plan.jobs[0].start(None).expect(text);
    let mut shares = Vec::new();
    loop {
        match running.advance(budget).expect(text) {
            Step::Building(share) => shares.push(share),
            Step::Done => return (running.record(0.0).expect(text), shares),
            Step::Simulating(_) | Step::Explaining | Step::Surveying(_) => {}
        }
    }
}

/// For each phase the most messages on a channel above each level, counted on the channels that packets
/// of the messages take through the network; and how many messages do not go as others of their pair.
fn loads(experiment: &Experiment) -> (Vec<Vec<u32>>, usize) {
    let (network, routes) = (experiment.network(), experiment.routes().route());
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let demand = experiment.scenario().demand(network).expect("messages");
    let mut stream = Stream::new(1, "test", 0);
    let (mut phases, mut own) = (Vec::new(), 0);
    for phase in 0..demand.phases() {
        let mut channels: BTreeMap<PortId, u32> = BTreeMap::new();
        let sent = demand.sent(phase);
        for message in &sent {
            let (pair, mut way) = (message.pair, Vec::new());
            let known = routes.of_message(pair, message.label);
            let outlet = match known {
                Some(waypoints) => routes.outlet(network, pair, waypoints),
                None => network.injection(pair.source),
            };
            let outlet = outlet.expect("cabled");
            let Some(Node::Switch(from)) = network.neighbor(outlet) else { panic!("a switch") };
            match known {
                Some(waypoints) => {
                    own += usize::from(!routes.names_outlets());
                    routes.follow(network, from, pair, waypoints, &mut way);
                }
                None => routes.trace(network, from, pair, &mut stream, &Idle, &mut way),
            }
            *channels.entry(outlet).or_default() += 1;
            let mut at = Node::Switch(from);
            for exit in way {
                let port = PortId(network.ports(at).start + exit.number);
                *channels.entry(port).or_default() += 1;
                at = network.neighbor(port).expect("cabled");
            }
            assert_eq!(at, Node::Endpoint(pair.destination));
        }
        let mut levels = vec![0; tree.levels() as usize];
        for (port, load) in channels {
            let ends = [Some(network.owner(port)), network.neighbor(port)].map(|node| match node {
                Some(Node::Switch(switch)) => tree.level(switch),
                _ => 0,
            });
            let level = &mut levels[ends[0].min(ends[1]) as usize];
            *level = load.max(*level);
        }
        if !sent.is_empty() {
            phases.push(levels);
        }
    }
    (phases, own)
}

#[test]
fn packets_take_the_ways_that_were_solved() {
    let mut own = 0;
    for text in [
        "topology=xgft,m=4.2.4,w=1.2.2 exchange=all_to_all,order=opt",
        "topology=xgft,m=4.2.4,w=1.2.2 exchange=all_to_all,order=lin placement=random",
        "topology=xgft,m=4.2.4,w=1.2.2 exchange=all_to_all ranks=20",
        "topology=xgft,m=4.4,w=1.4 exchange=all_to_all,order=lin ranks_per_endpoint=2",
        "topology=xgft,m=3.3.3,w=1.3.2 exchange=torus_neighbor,widths=3.3.3",
        "topology=xgft,m=4.2.2,w=1.3.2 exchange=torus_neighbor,widths=2.2.2 placement=random",
        "topology=xgft,m=4.4,w=1.4 exchange=nearest_neighbor,elements=8.8,tasks=4.4",
        "topology=xgft,m=4.4,w=1.4 exchange=ring,order=random ranks_per_endpoint=3",
        "topology=xgft,m=4.4,w=1.4 exchange=broadcast,tree=scatter_allgather",
        "topology=xgft,m=4.4,w=2.2 exchange=all_to_all,order=lin",
        "topology=xgft,m=3.2.3,w=3.1.2 exchange=torus_neighbor,widths=3.3.2 placement=random",
        "topology=xgft,m=2.6,w=4.2,ports=interleaved exchange=all_to_all ranks_per_endpoint=2",
        "topology=k_ary_n_tree,k=2,n=4 traffic=bit_reversal load=0.5",
        "topology=xgft,m=4.2.4,w=1.2.1,ports=interleaved traffic=shift,by=5 load=0.5",
    ] {
        for goal in ["per_arc", "maximum", "per_arc,at_once=all"] {
            let text = format!("{text} routing=pattern_specific,goal={goal}");
            let experiment = experiments(&text).remove(0);
            let routes = experiment.routes().unloaded().clone();
            let solved = routes.oblivious().solved().expect("routes of messages");
            let (phases, different) = loads(&experiment);
            own += different;
            assert_eq!(phases.len(), solved.phases().len(), "{text}");
            for (counted, phase) in phases.iter().zip(solved.phases()) {
                let levels = phase.certificate.levels.iter().map(|level| level.achieved);
                assert_eq!(*counted, levels.collect::<Vec<u32>>(), "{text}, {}", phase.phase);
            }
        }
    }
    assert!(own > 100, "messages of a pair seldom differ: {own}");
}

/// On a tree of full bisection any permutation has routes without contention: all send at full rate.
#[test]
fn a_permutation_on_a_full_tree_is_limited_by_endpoints_alone() {
    let base = "topology=xgft,m=4.4.4,w=1.4.4 load=1 traffic=bit_reversal";
    let bound = |text: &str| experiments(text)[0].analysis().limit.as_ref().expect(text).bound;
    assert_eq!(bound(&format!("{base} routing=pattern_specific")), 1.0);
    assert_eq!(bound(&format!("{base} routing=d_mod_k")), 0.25);
    let (record, _) = record(&format!("{base} routing=pattern_specific window=20us"), 1 << 20);
    // Eight of 64 read the same backwards and are silent.
    assert!((record.metrics.expect("traffic").accepted - 0.875).abs() < 0.01);
    assert_eq!(record.certificate.as_deref(), Some("The only phase is optimal: contention 1."));
}

#[test]
fn a_record_says_how_good_the_routes_are() {
    let base = "topology=xgft,m=4.2.2,w=1.4.1 bytes=256B packet=256B";
    let opt = format!("{base} exchange=all_to_all,order=opt");
    let (solved, shares) = record(&format!("{opt} routing=pattern_specific"), 7);
    assert_eq!(solved.certificate.as_deref(), Some("All 16 phases optimal: contention 1."));
    // It is solved in many steps, each of which gets further.
    assert!(shares.len() > 15 && shares.is_sorted(), "{shares:?}");
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
    assert_eq!(solved, record(&format!("{opt} routing=pattern_specific"), u64::MAX).0);
    assert_eq!(record(&format!("{opt} routing=d_mod_k"), 1 << 20).0.certificate, None);
    // All shift by half of 16 over four links upward of each half.
    let lin = format!("{base} exchange=all_to_all,order=lin routing=pattern_specific");
    assert_eq!(
        record(&lin, 1 << 20).0.certificate.as_deref(),
        Some("All 15 phases optimal: contention 2.")
    );
}

/// With as many links in all as suffice for each phase to share none, the exchange takes N / (N − 1) of
/// the ideal time, its phases with the one in which each sends to itself: each endpoint sends one message
/// at a time, by whichever link.
#[test]
fn an_exchange_without_contention_takes_the_ideal_time_on_several_links() {
    for (tree, ranks) in [
        ("m=4.4,w=2.2", 16_u32),
        ("m=4.2.2,w=2.2.1", 16),
        ("m=3.3.3,w=3.1.3", 27),
        ("m=8.4,w=4.2", 32),
    ] {
        let text = format!(
            "topology=xgft,{tree} exchange=all_to_all,order=opt,own=sent bytes=4KiB packet=1KiB \
             latency=0ns switch_latency=0ns adapter_latency=0ns routing=pattern_specific"
        );
        let (found, _) = record(&text, 1 << 20);
        let summary = format!("All {ranks} phases optimal: contention 1.");
        assert_eq!(found.certificate.as_deref(), Some(&summary[..]), "{tree}");
        let exchange = found.exchange.expect(&text);
        let [time, ideal] = [exchange.completion_ns, exchange.ideal_ns].map(Option::unwrap);
        let ratio = time / ideal;
        assert!((ratio - f64::from(ranks) / f64::from(ranks - 1)).abs() < 1e-9, "{tree}: {ratio}");
    }
}

/// Traffic leaves by the first link of an endpoint, so that these routes are counted for it and not
/// simulated.
#[test]
fn traffic_on_several_links_is_counted_only() {
    for routing in ["pattern_specific", "greedy"] {
        let text = format!("topology=xgft,m=4.4,w=2.2 traffic=shift,by=4 routing={routing}");
        let found = refusal(&text);
        assert!(found.contains("leaves each endpoint by its first link"), "{found}");
        let (counted, _) = record(&format!("{text} y=contention"), 1 << 20);
        assert_eq!(counted.routes.expect(&text).contention, Some(1.0));
        let scenario = Study::parse(&text).unwrap().plan().unwrap().jobs[0].scenario().clone();
        let network = scenario.network().unwrap();
        let routes = scenario.routes(&network).unwrap();
        let judged = scenario.certificates(&network, &routes).unwrap().unwrap();
        assert_eq!(judged.summary, "The only phase is optimal: contention 1.");
    }
}

#[test]
fn runs_share_routes_for_the_same_messages() {
    let same = |text: &str| {
        let built = experiments(text);
        built[0].routes().is(built[1].routes())
    };
    let tree = "topology=xgft,m=4.2.2,w=1.4.1 routing=pattern_specific";
    assert!(same(&format!("{tree} exchange=all_to_all bytes=1KiB/4KiB")));
    assert!(same(&format!("{tree} traffic=shift load=0.1/0.2")));
    assert!(!same(&format!("{tree} traffic=shift,by=1/2 load=0.1")));
    assert!(!same(&format!("{tree} exchange=all_to_all,order=lin/opt")));
    assert!(!same(&format!("{tree} exchange=ring bytes=1KiB/4KiB")));
    assert!(!same(&format!("{tree} exchange=all_to_all placement=contiguous placement=random")));
    assert!(!same(
        "topology=xgft,m=4.2.2,w=1.4.1 exchange=all_to_all \
                   routing=pattern_specific routing=pattern_specific,seed=1"
    ));
}

#[test]
fn contention_of_phases_is_that_of_the_messages() {
    let y = "y=contention y=contention_mean";
    let numbers = |text: &str| record(text, 1 << 20).0.routes.expect(text);
    let tree = "topology=xgft,m=8.4.2,w=1.8.2";
    let opt =
        numbers(&format!("{tree} exchange=all_to_all,order=opt routing=pattern_specific {y}"));
    assert_eq!((opt.contention, opt.contention_mean), (Some(1.0), Some(1.0)));
    // Half of 64 endpoints send to the other half over 16 links.
    let half = numbers(&format!("{tree} traffic=shift,by=32 routing=pattern_specific {y}"));
    assert_eq!((half.contention, half.contention_mean), (Some(2.0), Some(2.0)));
}

/// Two messages between the same endpoints go their own ways, and what stays within one goes none: the
/// flows on channels are the whole numbers that the certificate counts.
#[test]
fn messages_of_several_ranks_are_counted_one_by_one() {
    for routing in ["pattern_specific", "greedy"] {
        let text = format!(
            "topology=xgft,m=4.4.2,w=1.4.2 exchange=all_to_all,order=lin ranks_per_endpoint=3 \
             routing={routing} y=contention y=unrouted"
        );
        let experiments = experiments(&text);
        let [experiment] = &experiments[..] else { panic!("{text}") };
        let (network, scenario) = (experiment.network(), experiment.scenario());
        let routes = experiment.routes().unloaded();
        let certificates = scenario.certificates(network, routes).unwrap().unwrap();
        let between = certificates.phases.iter().flat_map(|phase| phase.levels.iter().skip(1));
        let counted = between.map(|level| level.achieved).max().unwrap();
        let (found, _) = record(&text, 1 << 20);
        let numbers = found.routes.unwrap();
        assert_eq!(numbers.contention, Some(f64::from(counted)), "{routing}");
        assert_eq!(numbers.unrouted, Some(0), "{routing}");
    }
}

#[test]
fn certificates_judge_any_routes() {
    let judged = |text: &str| {
        let experiment = experiments(text).remove(0);
        let routes: Arc<Routes> = experiment.routes().unloaded().clone();
        experiment.scenario().certificates(experiment.network(), &routes).expect(text)
    };
    let opt = "topology=xgft,m=8.4.2,w=1.8.2 exchange=all_to_all,order=opt";
    let solved = judged(&format!("{opt} routing=pattern_specific")).expect("one");
    assert_eq!((solved.optimal, solved.phases.len()), (64, 64));
    assert!(solved.phases.iter().all(|phase| phase.verdict == "optimal" && phase.bound == 1));
    // On two levels above the leaf switches all eight of one digit-reversed phase meet.
    let other = judged(&format!("{opt} routing=d_mod_k")).expect("one");
    let worst = other.phases.iter().find(|phase| phase.phase == other.worst_phase).expect("it");
    assert_eq!((worst.achieved, worst.bound, worst.verdict), (7, 1, "gap"));
    assert!(other.optimal < 64 && other.summary.contains("of 64 phases optimal"));
    assert_eq!(judged(&format!("{opt} routing=dynamic_random")), None);
    let list = "topology=xgft,m=4.2.2,w=1.3.2 exchange=torus_neighbor,widths=2.2.2";
    let list = judged(&format!("{list} placement=random routing=pattern_specific")).expect("one");
    assert_eq!(list.phases.len(), 6);
}

/// Traffic of a study with this matrix in place of `@`.
fn with_matrix(text: &str, rows: &str) -> Experiment {
    let mut files = Files::default();
    let data = Data::files(&[files.add("matrix.csv".to_owned(), rows)]).print();
    let text = text.replace('@', &data);
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    Experiment::build(plan.jobs[0].scenario(), None).expect(&text)
}

/// Every rank of a switch sends to a rank of two others: eight messages over four links, all at once.
#[test]
fn a_rank_may_send_to_several() {
    let row = |rank: usize| {
        let share = |to: usize| if to == (rank + 4) % 16 { "3" } else { "1" };
        let sends = |to: usize| to == (rank + 4) % 16 || to == (rank + 8) % 16;
        (0..16).map(|to| if sends(to) { share(to) } else { "0" }).collect::<Vec<_>>().join(",")
    };
    let rows = (0..16).map(|rank| row(rank) + "\n").collect::<String>();
    let text = "topology=xgft,m=4.4,w=1.4 traffic=matrix,data=@ routing=pattern_specific";
    let experiment = with_matrix(text, &rows);
    let summary = "The only phase is optimal: contention 2.";
    assert_eq!(experiment.certificate().as_deref(), Some(summary));
    let (phases, own) = loads(&experiment);
    assert_eq!((phases.concat().into_iter().max(), own), (Some(2), 0));
    let routes = experiment.routes().unloaded();
    let judged = experiment.scenario().certificates(experiment.network(), routes);
    assert_eq!(judged.expect("known").expect("one").summary, summary);
    // Of D-mod-K's ways several go by one link.
    let other = with_matrix(&text.replace("pattern_specific", "d_mod_k"), &rows);
    let routes = other.routes().unloaded();
    let judged = other.scenario().certificates(other.network(), routes);
    assert_eq!(judged.expect("known").expect("one").phases[0].bound, 2);
}

/// A permutation for which no arc has more messages than links, but five of them conflict in a circle
/// over the only choice between two (checked by hand).
#[test]
fn what_exhaustion_proves_is_said() {
    let row = |to: usize| (0..8).map(|at| if at == to { "1" } else { "0" }).collect::<Vec<_>>();
    let rows = [3, 5, 1, 6, 7, 2, 0, 4].map(|to| row(to).join(",") + "\n").concat();
    let text = "topology=xgft,m=2.2.2,w=1.2.1 traffic=matrix,data=@ routing=pattern_specific";
    let experiment = with_matrix(text, &rows);
    let summary = "The only phase is optimal: contention 2.";
    assert_eq!(experiment.certificate().as_deref(), Some(summary));
    let (scenario, routes) = (experiment.scenario(), experiment.routes().unloaded());
    let judged = scenario.certificates(experiment.network(), routes).expect(text).expect("one");
    let phase = &judged.phases[0];
    assert_eq!((phase.bound, phase.achieved, phase.verdict), (2, 2, "optimal by exhaustion"));
    assert_eq!(judged.summary, summary);
    assert!(phase.levels.iter().all(|level| level.bound == 1));
}

/// What each rank sends to, as rows of a matrix.
fn matrix(to: &[Vec<usize>]) -> String {
    let share = |to: &[usize], at: usize| if to.contains(&at) { "1" } else { "0" };
    let row =
        |row: &Vec<usize>| (0..to.len()).map(|at| share(row, at)).collect::<Vec<_>>().join(",");
    to.iter().map(|to| row(to) + "\n").collect()
}

/// A bound that is reached on the worst link says nothing of the other levels: leaf 0 sends to all
/// others of its switch, besides a permutation of which D-mod-K leads eight messages over one link.
#[test]
fn every_level_is_judged() {
    let mut to: Vec<Vec<usize>> = (0..64).map(|rank| vec![rank % 8 * 8 + rank / 8]).collect();
    to[0] = (1..8).chain([63]).collect();
    to[63] = vec![0];
    let text = "topology=xgft,m=8.4.2,w=1.8.2 traffic=matrix,data=@ routing=pattern_specific";
    let judged = |text: &str| {
        let experiment = with_matrix(text, &matrix(&to));
        let (scenario, routes) = (experiment.scenario(), experiment.routes().unloaded());
        let judged = scenario.certificates(experiment.network(), routes).expect(text).expect("one");
        let phase = judged.phases[0].clone();
        let levels = phase.levels.iter().map(|level| (level.achieved, level.bound, level.verdict));
        (phase.verdict, levels.collect::<Vec<_>>(), judged.summary)
    };
    let (verdict, levels, summary) = judged(text);
    assert_eq!(verdict, "optimal");
    assert_eq!(levels, [(8, 8, "optimal"), (1, 1, "optimal"), (2, 2, "optimal")]);
    assert_eq!(summary, "The only phase is optimal: contention 8.");
    let (verdict, levels, summary) = judged(&text.replace("pattern_specific", "d_mod_k"));
    assert_eq!((verdict, levels[0]), ("gap", (8, 8, "optimal")));
    assert_eq!((levels[1].1, levels[1].2), (1, "gap"));
    let over = levels.iter().map(|level| level.0 - level.1).max().unwrap();
    let sentence = "above the bound of a level: contention 8.";
    assert_eq!(summary, format!("The only phase is up to {over} {sentence}"));
}

/// The five in a circle, and another message out of leaf 0: its link has two, so two on a link are
/// no more than must be, but above the switches one would do if it were not for the circle.
#[test]
fn what_exhaustion_proves_of_a_level_is_said() {
    let mut to: Vec<Vec<usize>> = [3, 5, 1, 6, 7, 2, 0, 4].map(|to| vec![to]).to_vec();
    to[0].push(1);
    let text = "topology=xgft,m=2.2.2,w=1.2.1 traffic=matrix,data=@ routing=pattern_specific";
    let experiment = with_matrix(text, &matrix(&to));
    let (scenario, routes) = (experiment.scenario(), experiment.routes().unloaded());
    let judged = scenario.certificates(experiment.network(), routes).expect(text).expect("one");
    let phase = &judged.phases[0];
    assert_eq!((phase.bound, phase.achieved, phase.verdict), (2, 2, "optimal by exhaustion"));
    let over = phase.levels.iter().filter(|level| level.achieved > level.bound);
    assert!(over.clone().count() > 0);
    assert!(over.clone().all(|level| level.verdict == "optimal by exhaustion"));
    assert_eq!(phase.levels[0].verdict, "optimal");
    // Of other routes all ways are tried, too.
    let network = scenario.network().expect(text);
    let mut comparing = scenario.comparing(&network, None).expect(text);
    while !comparing.advance(10_000) {}
    let rows = comparing.finish().rows;
    let most = |row: &ComparedRow| row.levels.iter().map(|level| level.worst).collect::<Vec<_>>();
    for row in &rows {
        // The least on one of the upper levels costs one more on the other.
        let is_best = [vec![2, 1, 2], vec![2, 2, 1]].contains(&most(row));
        assert_eq!(row.optimal, u32::from(is_best), "{} {:?}", row.routing, most(row));
    }
    assert!(rows.iter().any(|row| row.routing == "greedy" && row.optimal == 1), "{rows:?}");
    assert!(rows.iter().any(|row| row.optimal == 0), "{rows:?}");
}

fn refusal(text: &str) -> String {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect(text);
    assert_eq!(problems.len(), 1, "{text}: {problems:?}");
    problems[0].to_string()
}

#[test]
fn whatever_does_not_go_with_it_is_said_in_a_sentence() {
    let tree = "topology=xgft,m=4.2.2,w=1.4.1 routing=pattern_specific load=0.5";
    let traffic = "routing=pattern_specific finds routes for known messages: allowed with it are";
    for (text, sentence) in [
        (format!("{tree} traffic=uniform"), traffic),
        (
            format!("{tree} traffic=shift faults=random,links=1"),
            "pattern_specific needs a whole XGFT",
        ),
        (
            "topology=xgft,m=4.2,w=1.2,p=1.2 routing=pattern_specific exchange=all_to_all"
                .to_owned(),
            "this network has a tree with parallel links",
        ),
        (
            "topology=dragonfly routing=pattern_specific exchange=all_to_all".to_owned(),
            "pattern_specific needs a tree without parallel links; this network has groups",
        ),
        (
            "topology=xgft,m=18.18.18,w=1.18.18 routing=pattern_specific exchange=all_to_all"
                .to_owned(),
            "its routes are kept message by message, and there are 34006392",
        ),
        (format!("{tree} exchange=ring traffic=shift"), "the scenario has exchange=ring, too"),
        (format!("{tree} traffic=shift management=0.1"), "lead"),
    ] {
        let found = refusal(&text);
        assert!(found.contains(sentence), "{text}\n{found}");
    }
}
