//! Exchanges on whole fabrics: who sends to whom, what that contends for, and what is refused.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::sync::Arc;

use dragontree::analysis::{Contending, Contention, Levels, rails_of};
use dragontree::exchange::{Moment, Phases, Workload};
use dragontree::network::Network;
use dragontree::scenario::{Exchanging, Scenario, Study};
use dragontree::units::Rank;

mod neighbors;
mod orders;
mod pace;

fn scenario(text: &str) -> Scenario {
    let study = Study::parse(text).unwrap_or_else(|problems| panic!("{text}\n{problems}"));
    study.plan().unwrap().jobs[0].scenario().clone()
}

fn built(text: &str) -> (Scenario, Arc<Network>, Exchanging) {
    let scenario = scenario(text);
    let network = scenario.network().unwrap();
    let exchanging = scenario.exchanging(&network).unwrap().unwrap();
    (scenario, network, exchanging)
}

fn contention(text: &str) -> Contention {
    let (scenario, network, exchanging) = built(text);
    let routes = scenario.routes(&network).unwrap();
    let rail = &rails_of(&network, &routes)[0];
    exchanging.contending(&network, &routes, Levels::new(&network), rail).finish()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 6e-4, "{found}, expected {expected}");
}

/// Each source reaches each destination once, and no destination is reached twice in a phase.
fn check_valid(phases: &Phases, ranks: u32) {
    let mut met = vec![false; (ranks * ranks) as usize];
    for phase in phases.each() {
        let mut reached = vec![false; ranks as usize];
        for (Rank(source), Rank(to)) in phase {
            assert!(!std::mem::replace(&mut reached[to as usize], true));
            let pair: u32 = source * ranks + to;
            assert!(source != to && !std::mem::replace(&mut met[pair as usize], true));
        }
    }
    assert_eq!(met.iter().filter(|met| **met).count() as u32, ranks * (ranks - 1));
}

const DRAGONFLIES: [[u32; 3]; 4] = [[2, 4, 2], [2, 3, 2], [2, 5, 2], [3, 6, 3]];

fn dragonfly([p, a, h]: [u32; 3], order: &str) -> String {
    format!("topology=dragonfly,p={p},a={a},h={h} exchange=all_to_all,order={order}")
}

#[test]
fn classes_of_ways_are_valid_and_each_phase_is_of_one_class() {
    for widths in DRAGONFLIES {
        for residents in [1, 2] {
            check_classes(widths, residents);
        }
    }
    check_classes([4, 8, 4], 1);
}

/// The phases by classes of ways are valid, each is of one class, and there are as many of each class
/// as the document says.
fn check_classes(widths: [u32; 3], residents: u32) {
    let text = format!("{} ranks_per_endpoint={residents}", dragonfly(widths, "lat"));
    let (_, network, exchanging) = built(&text);
    check_valid(&exchanging.exchanged.phases, exchanging.placement.len() as u32);
    // Hops between switches on the minimal way, by breadth-first search's distance 0 to 3.
    let [p, a, h] = widths;
    let counts = [
        residents * p - 1,
        residents * p * (a - 1 + h),
        2 * residents * p * h * (a - 1),
        residents * p * h * (a - 1) * (a - 1),
    ];
    let mut found = [0; 4];
    for length in class_of_each(&network, &exchanging) {
        found[length] += 1;
    }
    assert_eq!(found, counts, "{text}");
}

/// For each phase in which somebody sends, the links between switches on every message's way.
fn class_of_each(network: &Network, exchanging: &Exchanging) -> Vec<usize> {
    let end = |rank: Rank| exchanging.placement[rank.0 as usize];
    let class = |phase: Vec<(Rank, Rank)>| {
        let mut lengths = phase.iter().map(|(from, to)| hops(network, [end(*from), end(*to)]));
        let length = lengths.next()?;
        assert!(lengths.all(|other| other == length));
        Some(length)
    };
    exchanging.exchanged.phases.each().filter_map(class).collect()
}

/// Links between the switches of two endpoints of a dragonfly on the minimal way.
fn hops(network: &Network, ends: [dragontree::network::EndpointId; 2]) -> usize {
    let dragontree::network::Structure::Groups(groups) = network.structure() else { panic!() };
    let [from, to] = ends.map(|end| groups.switch_of(end));
    if from == to {
        return 0;
    }
    if groups.group(from) == groups.group(to) {
        return 1;
    }
    let port = groups.global_ports(groups.group(from), groups.group(to))[0];
    let gateways = [network.owner(port), network.neighbor(port).unwrap()];
    let switch = dragontree::network::Node::Switch;
    1 + usize::from(gateways[0] != switch(from)) + usize::from(gateways[1] != switch(to))
}

/// Largest contention, and its mean over the phases in which messages are sent: found independently with
/// another program, under minimal routing and palm-tree wiring.
#[test]
fn contention_on_dragonflies_is_what_others_found() {
    let expected: [[[f64; 2]; 4]; 4] = [
        [[8.0, 5.746], [8.0, 7.380], [3.0, 2.225], [2.0, 1.493]],
        [[6.0, 4.415], [6.0, 5.463], [4.0, 2.293], [2.0, 1.366]],
        [[10.0, 7.183], [10.0, 9.321], [4.0, 2.550], [2.0, 1.431]],
        [[18.0, 13.117], [18.0, 17.235], [4.0, 3.150], [2.0, 1.654]],
    ];
    for (widths, numbers) in DRAGONFLIES.into_iter().zip(expected) {
        for (order, [worst, mean]) in ["lin", "ghe", "bgh", "lat"].into_iter().zip(numbers) {
            let found = contention(&dragonfly(widths, order));
            assert_eq!(found.worst, worst, "{widths:?} {order}");
            near(found.mean, mean);
        }
    }
}

/// On trees with half bisection under D-mod-K: largest contention and its mean over all phases, those
/// without messages included; found independently, with endpoints' channels, which carry one flow in a
/// phase that stays below the switches.
#[test]
fn contention_on_slimmed_trees_is_what_others_found() {
    let trees = ["m=4.2.2,w=1.4.1", "m=4.4.2,w=1.4.2", "m=8.4.2,w=1.8.2", "m=8.8.2,w=1.8.4"];
    let expected = [
        [[3.0, 3.0], [2.0, 1.375], [2.0, 1.4375]],
        [[4.0, 4.0], [2.0, 1.4375], [2.0, 1.469]],
        [[7.0, 7.0], [2.0, 1.469], [2.0, 1.484]],
        [[8.0, 8.0], [2.0, 1.484], [2.0, 1.492]],
    ];
    for (tree, numbers) in trees.into_iter().zip(expected) {
        for (order, [worst, mean]) in ["opt", "lin", "xor"].into_iter().zip(numbers) {
            let text = format!("topology=xgft,{tree} exchange=all_to_all,order={order}");
            let (_, _, exchanging) = built(&text);
            let found = contention(&format!("{text} routing=d_mod_k"));
            assert_eq!(found.worst, worst, "{tree} {order}");
            let all = f64::from(exchanging.exchanged.phases.count());
            near(found.mean_at_least_one * f64::from(found.stages) / all, mean);
        }
    }
}

/// On trees with full bisection no order contends (Prisacari 2020, §4.5.3).
#[test]
fn no_order_contends_on_a_full_tree() {
    for tree in ["m=4.2.2,w=1.4.2", "m=8.4.2,w=1.8.4", "m=11.7.5,w=1.11.7"] {
        for order in ["lin", "ghe", "bgh"] {
            let text = format!("topology=xgft,{tree} exchange=all_to_all,order={order}");
            assert_eq!(contention(&format!("{text} routing=d_mod_k")).worst, 1.0);
        }
    }
}

/// Two ways to count the same: runs of stages per channel, and pairs phase by phase.
#[test]
fn phases_of_lin_contend_as_the_shifts_do() {
    for text in [
        "topology=xgft,m=4.4.2,w=1.4.2 routing=d_mod_k",
        "topology=xgft,m=4.4.2,w=1.2.2 routing=dynamic_random",
        "topology=xgft,m=4.4.2,w=1.4.2 routing=s_mod_k",
        "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant",
        // Few of the channels are in use.
        "topology=xgft,m=8.8.4,w=1.8.8 routing=d_mod_k ranks=20",
        "topology=dragonfly,p=3,a=6,h=3 routing=minimal ranks=20",
    ] {
        let (scenario, network, exchanging) =
            built(&format!("{text} exchange=all_to_all,order=lin"));
        let routes = scenario.routes(&network).unwrap();
        let rail = &rails_of(&network, &routes)[0];
        let levels = || Levels::new(&network);
        let ports = exchanging.ports(rail);
        let shifts = Contending::shifts(&network, &routes, levels(), &ports).finish();
        let phases = exchanging.contending(&network, &routes, levels(), rail).finish();
        assert_eq!(phases.per_stage, shifts.per_stage, "{text}");
        assert_eq!(phases.per_channel, shifts.per_channel, "{text}");
        for (one, other) in phases.per_level.iter().zip(&shifts.per_level) {
            assert_eq!(one.per_stage, other.per_stage, "{text}");
            let flows = one.flows_per_stage.iter().zip(&other.flows_per_stage);
            flows.for_each(|(one, other)| near(*one, *other));
        }
    }
}

/// Prisacari 2020, §2.2 and Fig. 2.4a: messages across the two halves.
#[test]
fn crossings_of_the_halves_are_the_documents() {
    for (tree, count) in [("m=4.2,w=1.1", 8_u32), ("m=8.8.8.2,w=1.8.8.4", 1024)] {
        let of = |order: &str| {
            let text = format!("topology=xgft,{tree} exchange=all_to_all,order={order}");
            let (_, network, exchanging) = built(&text);
            exchanging.crossings(&network).pop().unwrap().per_phase
        };
        let lin: Vec<u32> = (0..count).map(|p| count - (2 * p).abs_diff(count)).collect();
        assert_eq!(of("lin"), lin);
        let xor: Vec<u32> = (0..count).map(|p| if p < count / 2 { 0 } else { count }).collect();
        assert_eq!(of("xor"), xor);
        assert_eq!(of("opt"), vec![count / 2; count as usize]);
    }
}

/// Lets a workload run where every message arrives at once; (source, destination, bytes) in order.
fn run(workload: &Workload) -> Vec<(u32, u32, u64)> {
    let mut state = workload.start();
    let mut post = Vec::new();
    for rank in 0..workload.ranks() {
        workload.begin(&mut state, Rank(rank), &mut post);
    }
    let mut sent = Vec::new();
    while !post.is_empty() {
        for message in std::mem::take(&mut post) {
            sent.push((message.source.0, message.destination.0, message.bytes.0));
            let moments = [Moment::Sent, Moment::Delivered, Moment::Acknowledged];
            for moment in moments {
                if moment != Moment::Acknowledged || workload.is_acknowledged() {
                    workload.react(&mut state, moment, &message, &mut post);
                }
            }
        }
    }
    assert_eq!(sent.len() as u64, workload.messages());
    assert_eq!(sent.iter().map(|(.., bytes)| bytes).sum::<u64>(), workload.bytes().0);
    sent
}

#[test]
fn an_all_to_all_sends_every_pair_once_in_the_order_of_its_phases() {
    for (settings, places) in [
        ("order=lin", "placement=contiguous"),
        ("order=lin,shift=5,acks=no", "placement=random"),
        ("order=xor,awaits=both", "placement=contiguous"),
        ("order=opt,awaits=both,acks=no", "placement=contiguous"),
        ("order=bgh,awaits=both", "placement=contiguous,keepers=yes faults=random,endpoints=3"),
        ("order=opt", "ranks_per_endpoint=2"),
        ("order=bgh", "placement=contiguous,keepers=yes faults=random,endpoints=3"),
        ("order=permuted,permutation=2.3.1", "placement=contiguous"),
    ] {
        let text = format!("topology=xgft,m=4.2.2,w=1.4.1 exchange=all_to_all,{settings} {places}");
        let (_, _, exchanging) = built(&text);
        let ranks = exchanging.placement.len() as u32;
        check_valid(&exchanging.exchanged.phases, ranks);
        let sent = run(&exchanging.exchanged.workload);
        for source in 0..ranks {
            let own = sent.iter().filter(|(from, ..)| *from == source).map(|(_, to, _)| *to);
            let phases = exchanging.exchanged.phases.each();
            let own_of = |(from, to): (Rank, Rank)| (from.0 == source).then_some(to.0);
            let expected = phases.filter_map(|phase| phase.into_iter().find_map(own_of));
            assert!(own.eq(expected), "{text}");
        }
    }
}

#[test]
fn large_ones_are_made_as_they_go() {
    let text = "topology=xgft,m=8.8.8.8.2,w=1.8.8.8.4 exchange=all_to_all,order=opt bytes=1KiB";
    let workload = built(text).2.exchanged.workload;
    assert_eq!(workload.messages(), 8192 * 8191);
    let mut post = Vec::new();
    let mut state = workload.start();
    workload.begin(&mut state, Rank(77), &mut post);
    for _ in 0..1000 {
        let message = post.pop().unwrap();
        workload.react(&mut state, Moment::Acknowledged, &message, &mut post);
        assert_eq!((post.len(), post[0].source), (1, Rank(77)));
    }
}

/// Prisacari 2020, §5.4: what a task sends, in MiB, when a domain of 512³ is cut into 64 blocks.
#[test]
fn sides_of_blocks_are_as_large_as_the_document_says() {
    let vectors = [
        ("64.1.1", 512),
        ("32.2.1", 272),
        ("16.4.1", 160),
        ("16.2.2", 160),
        ("8.8.1", 128),
        ("8.4.2", 112),
        ("4.4.4", 96),
    ];
    for (tasks, mebibytes) in vectors {
        let (_, _, exchanging) = built(&format!("exchange=nearest_neighbor,tasks={tasks}"));
        let mut sent = run(&exchanging.exchanged.workload);
        let of_first = sent.iter().filter(|(from, ..)| *from == 0).map(|(.., bytes)| bytes);
        assert_eq!(of_first.sum::<u64>(), mebibytes << 20, "{tasks}");
        // What is sent one way is sent the other way.
        sent.sort_unstable();
        let mut back: Vec<_> = sent.iter().map(|(from, to, bytes)| (*to, *from, *bytes)).collect();
        back.sort_unstable();
        assert_eq!(sent, back);
    }
}

#[test]
fn neighbors_on_a_torus_are_two_along_each_dimension() {
    let (_, _, exchanging) = built("exchange=torus_neighbor,widths=4.2.1 bytes=512KiB");
    let sent = run(&exchanging.exchanged.workload);
    let of_first: Vec<u32> = sent.iter().filter(|(from, ..)| *from == 0).map(|m| m.1).collect();
    assert_eq!(of_first, [1, 3, 4, 4]);
    assert_eq!(sent.len(), 8 * 4);
}

#[test]
fn a_ring_goes_left_and_then_right() {
    for order in ["natural", "random,seed=3"] {
        let text = format!("topology=xgft,m=4.2,w=1.4 exchange=ring,order={order}");
        let (_, _, exchanging) = built(&text);
        let phases: Vec<_> = exchanging.exchanged.phases.each().collect();
        assert_eq!(phases.len(), 2);
        let sent = |phase: usize, by: Rank| {
            phases[phase].iter().find_map(|(from, to)| (*from == by).then_some(*to))
        };
        let mut at = Rank(0);
        for step in 1..=8 {
            let left = sent(0, at).unwrap();
            assert_eq!(sent(1, left), Some(at));
            at = left;
            assert_eq!(at == Rank(0), step == 8);
        }
        assert_eq!(run(&exchanging.exchanged.workload).len(), 16);
    }
}

#[test]
fn broadcasts_reach_every_rank() {
    let fabric = "topology=xgft,m=8.4,w=1.4";
    for root in [0, 5] {
        let text = format!("{fabric} exchange=broadcast,k=4,root={root} bytes=1MiB");
        let sent = run(&built(&text).2.exchanged.workload);
        let mut reached: Vec<u32> = sent.iter().map(|(_, to, _)| *to).collect();
        reached.sort_unstable();
        assert!(reached.into_iter().eq((0..32).filter(|rank| *rank != root)));
        for ranks in [32, 12] {
            let text = format!(
                "{fabric} ranks={ranks} exchange=broadcast,tree=scatter_allgather,root={root}"
            );
            let sent = run(&built(&text).2.exchanged.workload);
            for rank in 0..ranks {
                let got = sent.iter().filter(|(_, to, _)| *to == rank);
                let got: u64 = got.map(|(.., bytes)| bytes).sum();
                // All parts but the own one, which scattering brought, with those of its subtree.
                assert!(got >= 8192 - 8192 / u64::from(ranks) - 1, "{text} {rank}: {got}");
            }
        }
    }
}

/// The document has a length from which on a message goes in parts, and does not say which
/// (Subramoni et al. 2011, §II).
#[test]
fn a_broadcast_goes_whole_or_in_parts_by_its_length() {
    let of = |tree: &str, bytes: &str| {
        let text =
            format!("topology=xgft,m=8.4,w=1.4 exchange=broadcast,tree={tree} bytes={bytes}");
        built(&text).2.exchanged
    };
    assert_eq!(of("by_size", "512KiB"), of("scatter_allgather", "512KiB"));
    assert_eq!(of("by_size", "524287B"), of("k_nomial", "524287B"));
    assert_eq!(of("by_size,parts_from=4KiB", "8KiB"), of("scatter_allgather", "8KiB"));
}

#[test]
fn what_does_not_fit_is_refused_with_its_setting() {
    let refusal = |text: &str| {
        let scenario = scenario(text);
        let network = scenario.network().unwrap();
        let problems = scenario.exchanging(&network).unwrap_err();
        assert_eq!(problems.len(), 1);
        problems[0].to_string()
    };
    let tree = "topology=xgft,m=4.3,w=1.4 exchange";
    for (text, beginning) in [
        (
            format!("{tree}=all_to_all,order=xor"),
            "exchange=all_to_all,order: “xor” was given; it needs a power of two of ranks and there \
             are 12; allowed here: lin, opt, permuted, ghe, bgh",
        ),
        (
            format!("{tree}=all_to_all,order=opt,phase=12"),
            "exchange=all_to_all,phase: “12” was given; there are 12 phases; allowed: 0 to 11, or all",
        ),
        (
            format!("{tree}=all_to_all,order=lat"),
            "exchange: “all_to_all” was given; order=lat needs groups; this network has a tree",
        ),
        (
            format!("{tree}=all_to_all,order=ghe ranks=10"),
            "ranks: “10” was given; the layers (1·4·3) have 12 places, allowed: all of them, or \
             order=lin",
        ),
        (
            format!("{tree}=all_to_all,order=permuted,permutation=1.3"),
            "exchange=all_to_all,permutation: “1.3” was given; the fabric has 2 layers",
        ),
        (
            format!("{tree}=nearest_neighbor,elements=12.12,tasks=5.2"),
            "exchange=nearest_neighbor,tasks: “5.2” was given; 5 does not divide 12 elements",
        ),
        (
            format!("{tree}=torus_neighbor,widths=4.4"),
            "exchange=torus_neighbor,widths: “4.4” was given; these are 16 and there are 12 ranks",
        ),
        (
            format!("{tree}=broadcast,root=12"),
            "exchange=broadcast,root: “12” was given; there are 12 ranks, allowed: 0 to 11",
        ),
        (
            format!("{tree}=ring traffic=shift"),
            "traffic: “shift” was given; the scenario has exchange=ring, too",
        ),
        (
            "topology=dragonfly,p=2,a=4,h=2,wiring=consecutive exchange=all_to_all,order=lat"
                .to_owned(),
            "exchange=all_to_all,order: “lat” was given; it follows global ports, which takes \
             wiring=palmtree",
        ),
        (
            "topology=slim_fly,q=5 exchange=all_to_all,order=bgh".to_owned(),
            "exchange: “all_to_all” was given; order=bgh needs a tree or groups; this network has \
             the halves of a Slim Fly",
        ),
    ] {
        let found = refusal(&text);
        assert!(found.starts_with(beginning), "{text}\n{found}");
    }
}

#[test]
fn an_exchange_leaves_no_axis_of_loads() {
    let plan = Study::parse("exchange=ring bytes=1KiB..32KiB:x2").unwrap().plan().unwrap();
    assert_eq!((plan.jobs.len(), plan.x.label.as_str()), (6, "Message size"));
}
