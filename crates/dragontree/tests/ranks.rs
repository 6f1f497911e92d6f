//! Several ranks on an endpoint, against closed forms.
//!
//! Each of the k ranks of an endpoint is a source of its own, with a k-th of the endpoint's offered
//! load. What one of them sends to another takes no network time and is not sent: counting it would
//! measure the endpoint's memory, and drawing again for it would change the pattern, since a shift by
//! one rank sends every k-th message to the next endpoint, not all of them. So the endpoint offers the
//! network so much less, and the bound may lie above full load.

use std::sync::Arc;

use dragontree::network::{EndpointId, PortId};
use dragontree::scenario::{Analysis, Experiment, Study};
use dragontree::simulation::{Progress, Report};

fn experiment(text: &str) -> Experiment {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    plan.jobs[0].build(None).expect(text)
}

fn analysis(text: &str) -> Arc<Analysis> {
    experiment(text).analysis()
}

fn run(experiment: &Experiment) -> Report {
    let mut simulation = experiment.simulation();
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

fn injection(experiment: &Experiment, endpoint: u32) -> PortId {
    experiment.network().injection(EndpointId(endpoint)).expect("a link")
}

/// What analysis expects on every channel at full load, and what a run of a fixed window finds there.
fn holds_expectation(text: &str, load: f64) {
    let experiment = experiment(&format!("{text} load={load} warmup=20us window=400us"));
    let report = run(&experiment);
    assert!(!report.saturated, "{text}");
    let expected = &experiment.analysis().report.utilization;
    for (port, (found, expected)) in report.utilization.iter().zip(expected).enumerate() {
        let off = (found - expected * load).abs();
        assert!(off < 0.02, "{text}: port {port} {found} instead of {}", expected * load);
    }
}

/// On the diagonal of a square of 25 ranks nothing is sent: a fifth is silent, and the others send all.
#[test]
fn silent_endpoints_count_in_what_is_offered_on_average() {
    let text = "topology=torus,widths=5.5,p=1 routing=dimension_order traffic=transpose load=0.3";
    let simulated = run(&experiment(text));
    assert!((simulated.offered - 0.24).abs() < 1e-9, "{}", simulated.offered);
    assert!(!simulated.saturated && (simulated.accepted - 0.24).abs() < 0.003);
}

#[test]
fn half_of_a_shift_by_one_stays_on_endpoints_of_two_ranks() {
    let ring = "topology=torus,widths=8,p=1 routing=dimension_order traffic=shift,by=1";
    let text = format!("{ring} ranks_per_endpoint=2");
    let report = &analysis(&text).report;
    assert_eq!((report.bound, report.hops_mean), (2.0, 2.0));
    let experiment = experiment(&format!("{text} load=1 precision=0.005"));
    for endpoint in 0..8 {
        let port = injection(&experiment, endpoint).index();
        assert!((report.utilization[port] - 0.5).abs() < 1e-9);
    }
    let simulated = run(&experiment);
    assert!((simulated.accepted - 0.5).abs() < 0.01, "{}", simulated.accepted);
    assert!(!simulated.saturated && simulated.hops_mean == 2.0);
    assert!((simulated.offered - 0.5).abs() < 1e-9, "{}", simulated.offered);
    holds_expectation(&text, 0.8);
}

#[test]
fn a_shift_by_whole_endpoints_is_that_of_endpoints() {
    let fabric = "topology=dragonfly,p=2,a=4,h=2";
    for (several, one) in [("shift,by=21", "shift,by=7"), ("bit_complement", "bit_complement")] {
        let several = analysis(&format!("{fabric} traffic={several} ranks_per_endpoint=3"));
        let one = analysis(&format!("{fabric} traffic={one}"));
        for (several, one) in several.report.utilization.iter().zip(&one.report.utilization) {
            assert!((several - one).abs() < 1e-9, "{several} {one}");
        }
        assert_eq!(several.report.hops_mean, one.report.hops_mean);
        assert_eq!(several.report.zero_load_ns, one.report.zero_load_ns);
        assert_eq!(several.report.bound, one.report.bound);
    }
}

/// Of the kN - 1 other ranks, k - 1 are on the same endpoint.
#[test]
fn uniform_traffic_stays_at_home_as_often_as_chance_has_it() {
    for (routing, k) in [("minimal", 2.0), ("valiant", 4.0), ("min_hop", 3.0)] {
        let text = format!("topology=dragonfly,p=2,a=4,h=2 routing={routing}");
        let leaving = k * 71.0 / (k * 72.0 - 1.0);
        let several = format!("{text} ranks_per_endpoint={k}");
        let (folded, one) = (analysis(&several), analysis(&text));
        for (several, one) in folded.report.utilization.iter().zip(&one.report.utilization) {
            assert!((several - one * leaving).abs() < 1e-6, "{routing}: {several} {one}");
        }
        // One rank less keeps the pairs of ranks from being folded.
        let walked = analysis(&format!("{several} ranks={}", 72.0 * k - 1.0));
        assert!((walked.report.bound / folded.report.bound - 1.0).abs() < 0.06, "{routing}");
        holds_expectation(&several, 0.3);
    }
}

#[test]
fn ranks_of_an_endpoint_that_is_not_full_share_all_its_load() {
    let text = "topology=xgft,m=4,w=1 routing=d_mod_k traffic=shift,by=1 ranks=3 \
                ranks_per_endpoint=2";
    // 0 stays at home, 1 sends to 2 on the next endpoint, 2 to 0 on the first.
    let experiment = experiment(text);
    let utilization = &experiment.analysis().report.utilization;
    let of = |endpoint| utilization[injection(&experiment, endpoint).index()];
    assert_eq!([0, 1, 2, 3].map(of), [0.5, 1.0, 0.0, 0.0]);
    holds_expectation(text, 0.9);
}

#[test]
fn placements_deal_out_as_many_ranks_to_each_endpoint() {
    let contiguous = experiment("topology=dragonfly,p=1,a=2,h=1 ranks_per_endpoint=2 load=0.5");
    let endpoints: Vec<u32> = contiguous.placement().iter().map(|endpoint| endpoint.0).collect();
    assert_eq!(endpoints, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    let random = "topology=dragonfly,p=1,a=2,h=1 ranks_per_endpoint=3 placement=random load=0.5";
    let mut counts = [0; 6];
    let placement = experiment(random).placement().clone();
    placement.iter().for_each(|endpoint| counts[endpoint.index()] += 1);
    assert_eq!(counts, [3; 6]);
    assert!(placement.chunks(3).any(|ranks| ranks.iter().any(|rank| *rank != ranks[0])));
}

#[test]
fn what_is_never_sent_and_too_many_ranks_are_refused() {
    for (text, said) in [
        ("ranks=2 ranks_per_endpoint=2", "ranks_per_endpoint: “2” was given; ranks send to others"),
        ("ranks_per_endpoint=2 traffic=shift,by=0", "traffic: “shift” was given; no rank sends"),
        ("ranks=2 ranks_per_endpoint=2 exchange=ring", "ranks_per_endpoint: “2” was given; ranks"),
        ("ranks=13 ranks_per_endpoint=2", "allowed: 2 to 12"),
    ] {
        let text = format!("topology=dragonfly,p=1,a=2,h=1 load=0.5 {text}");
        let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
        let problems = plan.jobs[0].build(None).err().expect("a refusal");
        assert!(problems[0].to_string().contains(said), "{}", problems[0]);
    }
}
