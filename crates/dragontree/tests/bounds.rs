//! Analytic bounds against the documents' formulas and tables.

use dragontree::network::EndpointId;
use dragontree::routing::Pair;
use dragontree::scenario::{Experiment, Step, Study};

fn bound(text: &str) -> f64 {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    experiment.analysis().report.bound
}

fn zero_load(text: &str) -> f64 {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    experiment.analysis().report.zero_load_ns
}

/// Full-bisection trees keep every shift free of contention under D-mod-K (Prisacari 2020,
/// §4.5.3; Zahavi 2009, Table I, ftree column, equal to D-mod-K on these).
#[test]
fn no_shift_contends_on_a_full_tree_under_d_mod_k() {
    let trees = [
        ("m=12.12,w=1.12", 144),
        ("m=4.4.4,w=1.4.4", 64),
        ("m=2.2.2.2,w=1.2.2.2", 16),
        ("m=4.4,w=1.2,p=1.2", 16),
        ("m=4.2.4,w=1.2.2,p=1.2.2", 32),
        ("m=4.4.3,w=1.4.4", 48),
        ("m=11.7.5,w=1.11.7", 385),
    ];
    for (tree, endpoints) in trees {
        for by in 1..endpoints {
            let text = format!("topology=xgft,{tree} routing=d_mod_k traffic=shift,by={by} load=1");
            assert_eq!(bound(&text), 1.0, "{text}");
        }
    }
}

/// Half the bisection at the top halves what some shifts get: XGFT(8,4,4,2;1,8,4,2), worst
/// contention 2, mean 1.498 over the stages of a shift all-to-all.
#[test]
fn slimmed_trees_contend_as_counted_elsewhere() {
    let levels: Vec<f64> = (1..256)
        .map(|by| {
            let tree = "topology=xgft,m=8.4.4.2,w=1.8.4.2 routing=d_mod_k";
            1.0 / bound(&format!("{tree} traffic=shift,by={by} load=1"))
        })
        .collect();
    let mean = levels.iter().sum::<f64>() / levels.len() as f64;
    assert_eq!(levels.iter().copied().fold(0.0, f64::max), 2.0);
    assert!((mean - 1.498).abs() < 0.0005, "{mean}");
}

/// Bit complement sends a whole group's a·p endpoints over one global link (Prisacari 2020,
/// §6.4; the wiring makes no difference).
#[test]
fn bit_complement_is_bounded_by_one_global_link_per_group() {
    for (p, a, h) in [(2, 4, 2), (3, 6, 3), (4, 8, 4)] {
        for wiring in ["palmtree", "consecutive"] {
            let dragonfly = format!("topology=dragonfly,p={p},a={a},h={h},wiring={wiring}");
            let found = bound(&format!("{dragonfly} traffic=bit_complement load=1"));
            assert!((found - 1.0 / f64::from(a * p)).abs() < 1e-8, "{dragonfly}: {found}");
        }
    }
}

/// Uniform traffic under minimal routing: Eq. 6.8 (Prisacari 2020) at equal bandwidths.
///
/// The equation's loads divide by N; a message never goes to its own source, so the expected
/// loads are larger by N/(N - 1), and the bound smaller.
#[test]
fn uniform_bounds_follow_equation_6_8() {
    let dragonflies = [
        (2, 4, 2),
        (2, 3, 2),
        (2, 5, 2),
        (2, 4, 1),
        (3, 6, 3),
        (3, 5, 3),
        (3, 7, 3),
        (4, 8, 4),
        (4, 7, 4),
        (4, 9, 4),
        (4, 8, 3),
    ];
    for (p, a, h) in dragonflies {
        let text = format!("topology=dragonfly,p={p},a={a},h={h} load=1");
        let [p, a, h] = [p, a, h].map(f64::from);
        let n = p * a * (a * h + 1.0);
        let local = n / (p * p * (2.0 * a * h + 1.0));
        let global = n / (p * a * p * a);
        let expected = (local.min(global) * (n - 1.0) / n).min(1.0);
        let found = bound(&text);
        assert!((found - expected).abs() < 1e-6, "{text}: {found} for {expected}");
    }
}

/// A class's own rate and latency: the global links of bit complement at half the rate fill at
/// half the load; a local link carries the two endpoints of a switch; 30 ns more on every global
/// link are 30 ns more for the 64 of 72 messages that leave their group.
#[test]
fn classes_of_links_have_rates_and_latencies_of_their_own() {
    let text = "topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=1";
    assert_eq!(bound(text), 0.125);
    assert_eq!(bound(&format!("{text} bandwidth=100Gbps,global=50Gbps")), 0.0625);
    assert_eq!(bound(&format!("{text} bandwidth=4xEDR,global=2xEDR,local=1Gbps")), 0.005);
    let slower = format!("{text} latency=50ns,global=80ns");
    let extra = zero_load(&slower) - zero_load(text);
    assert!((extra - 30.0 * 64.0 / 72.0).abs() < 1e-5, "{extra}");
}

/// Without one of two spines, half of what went over it has no way (D-mod-K knows one path);
/// without an endpoint, the others still have theirs.
#[test]
fn faults_take_away_what_they_should() {
    let tree = "topology=xgft,m=2.2,w=1.2 routing=d_mod_k traffic=shift,by=2 load=1";
    assert_eq!(bound(tree), 1.0);
    let broken = format!("{tree} faults=list,switch=2");
    let plan = Study::parse(&broken).expect("a text").plan().expect("a plan");
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect("no route");
    assert!(problems[0].to_string().contains("no route"), "{}", problems[0]);
    // Three ranks are left: 0, 2, 3; two of them share a leaf.
    let three = format!("{tree} faults=list,endpoint=1 ranks=3").replace("by=2", "by=1");
    assert_eq!(bound(&three), 1.0);
}

/// Where too many ways would have to be walked, a load is simulated without its bound, and no run says that
/// it is below one. How many there are is told before.
#[test]
fn a_load_is_simulated_where_its_bound_takes_too_long() {
    let text =
        "topology=xgft,m=28.28.28,w=1.14.14 routing=dynamic_random load=0.05 warmup=0ns window=1us";
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let mut running = plan.jobs[0].start(None).expect(text);
    while running.advance(1_000_000) != Ok(Step::Done) {}
    let metrics = running.record(0.0).and_then(|record| record.metrics).expect("a run");
    assert!(metrics.packets > 1000 && !metrics.saturated);
    assert_eq!((metrics.bound, metrics.latency_ns.zero_load, metrics.busiest), (None, None, None));
    let small = "topology=xgft,m=3.4.5,w=1.2.3 routing=dynamic_random load=1";
    let plan = Study::parse(small).expect(small).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(small);
    let routes = experiment.routes().fixed().expect("fixed routes").oblivious();
    let pair = Pair { source: EndpointId(0), destination: EndpointId(59) };
    let mut ways = 0;
    routes.choices(pair, &mut |_, _| ways += 1);
    assert_eq!((ways, routes.ways_per_pair()), (6, 6));
}
