//! What can be written but not run is refused in one sentence that names the setting.

use dragontree::scenario::{Experiment, Saturating, Study};

fn refusal(text: &str) -> String {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect(text);
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A load that has too many ways is simulated without its bound, but to find that alone is refused.
#[test]
fn too_many_ways_are_refused_where_the_bound_is_asked_for() {
    let text = "topology=xgft,m=64.64.64,w=1.64.64 routing=s_mod_k load=0.5";
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let problems = Saturating::start(plan.jobs[0].scenario()).err().expect(text);
    let found = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(found.starts_with("traffic: “uniform” was given; 262144 ranks"), "{found}");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    assert!(experiment.analysis().limit.is_none());
}

#[test]
fn too_many_runs_are_refused_before_they_are_listed() {
    let text = "load=0.1..0.9:100 packet=64B..1kB:20 seeds=50";
    let found = Study::parse(text).expect_err(text).to_string();
    let expected = "the study has 100000 runs or more, allowed: up to 5000";
    assert_eq!(found, expected);
    let text = "load=0.1..0.9:6 seeds=1/1000";
    let found = Study::parse(text).expect_err(text).to_string();
    assert_eq!(found, "the study has 5006 runs or more, allowed: up to 5000");
}

#[test]
fn metrics_that_cannot_be_say_what_can() {
    let cases = [(
        "exchange=all_to_all y=latency",
        "y: “latency” was given; it is measured of traffic, and an exchange has none; allowed: \
             completion, effective_throughput, message_latency",
    )];
    for (text, start) in cases {
        let found = Study::parse(text).expect_err(text).to_string();
        assert!(found.starts_with(start), "{text}\n{found}");
    }
}

#[test]
fn every_refusal_names_its_setting() {
    let cases = [
        ("traffic=shift,by=0 load=0.5", "traffic: “shift” was given; no rank sends"),
        ("topology=xgft load=0.5", "routing: “minimal” was given; minimal needs groups"),
        ("routing=d_mod_k load=0.5", "routing: “d_mod_k” was given; d_mod_k needs a tree"),
        ("ranks=2000 load=0.5", "ranks: “2000” was given; the network has room for 1056"),
        (
            "packet=64B injection=bernoulli,shortest=84B load=0.5",
            "injection,shortest: “84B” was given; packets are no longer than packet= says, allowed: up \
             to that (did you mean 64B?)",
        ),
        (
            "injection=bernoulli,shortest=84B switching=wormhole load=0.5",
            "injection,shortest: “84B” was given; packets in flits are of one length, allowed: packet",
        ),
        ("packet=1MiB load=0.5", "buffer: “100kB” was given; it must hold a packet of 1MiB"),
        ("topology=dragonfly,p=64,a=128,h=64 load=0.5", "topology=dragonfly,a: “128” was given"),
        ("topology=dragonfly,groups=40 load=0.5", "topology=dragonfly,groups: “40” was given"),
        (
            "faults=list,link=0-99 load=0.5",
            "faults=list,link: “0-99” was given; the switch's ports",
        ),
        (
            "faults=list,switch=264 load=0.5",
            "faults=list,switch: “264” was given; allowed: 0 to 263",
        ),
        ("faults=random,switches=264 load=0.5", "faults: endpoints with a link: 0, allowed"),
        (
            "faults=random,links=99999 load=0.5",
            "faults=random,links: “99999” was given; this network",
        ),
        (
            "faults=list,link=0-11 load=0.5",
            "routing: “minimal” was given; no route from switch 0 of group 0 to endpoint 35; allowed beside \
             faults: min_hop",
        ),
        (
            "bandwidth=1Mbps packet=1MiB buffer=1MiB output_buffer=1MiB load=0.000001",
            "load: “0.000001” was given; a source would send less than one message",
        ),
    ];
    for (text, start) in cases {
        let found = refusal(text);
        assert!(found.starts_with(start), "{text}\n{found}");
    }
}

#[test]
fn what_two_runs_have_in_common_is_built_once() {
    let text = "topology=dragonfly,p=2,a=4,h=2 load=0.1/0.2 seeds=2";
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let first = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    for job in &plan.jobs {
        let next = Experiment::build(job.scenario(), Some(&first)).expect(text);
        assert!(std::sync::Arc::ptr_eq(first.network(), next.network()));
        assert!(std::sync::Arc::ptr_eq(&first.analysis(), &next.analysis()));
    }
}

#[test]
fn problems_of_every_kind_are_named_at_once() {
    let found = refusal("ranks=2000 packet=1MiB routing=d_mod_k load=0.5");
    let keys: Vec<&str> = found.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(keys, ["buffer", "output_buffer", "routing", "ranks"]);
}

#[test]
fn no_length_is_an_axis_of_messages_that_have_their_own() {
    use dragontree::scenario::Abscissa;
    for exchange in ["messages", "matrix", "nearest_neighbor"] {
        for text in [
            format!("exchange={exchange} bytes=1KiB/2KiB"),
            format!("exchange={exchange} exchange=all_to_all bytes=1KiB/2KiB x=exchange"),
        ] {
            let problems = Study::parse(&text).expect_err(&text).problems;
            let expected = format!(
                "exchange: “{exchange}” was given; its messages have lengths of their own; allowed: \
                 no varying bytes="
            );
            assert_eq!(problems[0].to_string(), expected, "{text}");
        }
        let text = format!("exchange={exchange} bytes=1KiB");
        let plan = Study::parse(&text).expect(&text).plan().expect("a plan");
        assert_eq!(plan.x.label, "Exchange");
        assert!(matches!(plan.jobs[0].place(), Some(Abscissa::Word(_))));
    }
    let text = "exchange=ring bytes=1KiB/2KiB";
    assert_eq!(Study::parse(text).expect(text).plan().expect("a plan").x.label, "Message size");
}
