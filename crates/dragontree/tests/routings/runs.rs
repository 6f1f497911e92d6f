//! Experiments with these routings: what analysis and the simulator make of them.

use dragontree::scenario::{Experiment, Metrics, Step, Study};

fn bound(text: &str) -> f64 {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    experiment.analysis().report.bound
}

/// The bound of a shift is the inverse of its contention: worst 4 and mean 3.238 for MinHop on the
/// 4-ary 3-tree (Zahavi 2009, Table I: 4 and 3.2), 2 and 1.742 on the merged half of it.
#[test]
fn bounds_of_shifts_are_those_of_the_flows_counted() {
    for (tree, endpoints, worst, mean) in
        [("m=4.4.4,w=1.4.4", 64, 4.0, 3.238), ("m=4.2.4,w=1.2.2,p=1.2.2", 32, 2.0, 1.742)]
    {
        let text = |by| format!("topology=xgft,{tree} routing=min_hop traffic=shift,by={by}");
        let levels: Vec<f64> = (1..endpoints).map(|by| 1.0 / bound(&text(by))).collect();
        let found = levels.iter().sum::<f64>() / levels.len() as f64;
        assert!((found - mean).abs() < 0.0005, "{found}");
        assert!((levels.iter().copied().fold(0.0, f64::max) - worst).abs() < 1e-6);
    }
    // On average random ways share the links of a full tree evenly.
    let random = "topology=xgft,m=4.4.4,w=1.4.4 routing=dynamic_random traffic=shift,by=21";
    assert_eq!(bound(random), 1.0);
}

fn run(text: &str) -> Metrics {
    let text = format!("{text} warmup=5us window=20us");
    let plan = Study::parse(&text).expect(&text).plan().expect("a plan");
    let mut running = plan.jobs[0].start(None).unwrap_or_else(|problems| panic!("{problems:?}"));
    while running.advance(1_000_000) != Ok(Step::Done) {}
    running.record(0.0).and_then(|record| record.metrics).expect("it has ended")
}

#[test]
fn every_routing_carries_what_its_bound_allows() {
    let trees = [
        "min_hop",
        "up_down",
        "down_up",
        "ftree",
        "sftree",
        "lash",
        "dfsssp",
        "s_mod_k",
        "static_random",
        "dynamic_random",
    ];
    let trees = trees.map(|routing| format!("topology=xgft,m=4.4.4,w=1.4.4 routing={routing}"));
    let rings = ["up_down", "up_down,roots=2", "imported", "min_hop", "down_up", "lash", "dfsssp"];
    let rings = rings.map(|routing| format!("topology=imported routing={routing}"));
    for text in trees.iter().chain(&rings) {
        let load = (bound(text) * 0.7).min(0.7);
        let text = format!("{text} load={load:.2}");
        let metrics = run(&text);
        assert_eq!(metrics.deadlock, None, "{text}");
        assert!((metrics.accepted - metrics.offered).abs() < 0.03 * metrics.offered, "{text}");
    }
}

#[test]
fn static_ways_follow_the_seed_of_the_run() {
    let text = |seed, own| {
        format!(
            "topology=xgft,m=4.4.4,w=1.4.4 routing=static_random,seed={own} traffic=shift,by=17 \
             seed={seed}"
        )
    };
    let [first, second, fixed] =
        [text(1, "run"), text(2, "run"), text(2, "1")].map(|text| loads(&text));
    assert!(first != second && first == fixed);
}

fn loads(text: &str) -> Vec<f64> {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    // A study with the same seed takes over the routes, one with another does not.
    let again = Experiment::build(plan.jobs[0].scenario(), Some(&experiment)).expect(text);
    assert!(experiment.routes().is(again.routes()));
    let mut other = plan.jobs[0].scenario().clone();
    other.seed += 5;
    let other = Experiment::build(&other, Some(&experiment)).expect(text);
    let kept = experiment.routes().is(other.routes());
    assert_eq!(kept, !text.contains("seed=run"));
    experiment.analysis().report.utilization.clone()
}
