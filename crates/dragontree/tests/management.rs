//! Packets between the switches' own ports, beside those of the endpoints.

use dragontree::scenario::{Experiment, Metrics, Step, Study};
use dragontree::simulation::{Progress, Report, Simulation};

fn experiment(text: &str) -> Result<Experiment, String> {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    Experiment::build(plan.jobs[0].scenario(), None).map_err(|problems| problems[0].to_string())
}

fn report(text: &str) -> Report {
    let mut simulation = Simulation::new(experiment(text).expect(text).setup());
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

fn metrics(text: &str) -> Metrics {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut running = plan.jobs[0].start(None).expect(text);
    while running.advance(1_000_000).expect(text) != Step::Done {}
    running.record(0.0).and_then(|record| record.metrics).expect(text)
}

const TREE: &str = "topology=xgft,m=4.4,w=1.2 bandwidth=4xDDR packet=2KiB routing=sftree";

#[test]
fn what_switches_send_arrives_and_is_counted_apart() {
    let plain = report(&format!("{TREE} load=0.3"));
    assert_eq!(plain.management, None);
    for (load, offered) in [("0.2", 0.025), ("0.96", 0.12)] {
        let found = report(&format!("{TREE} load=0.3 management={load} precision=0.003"));
        let management = found.management.expect("switches that send");
        assert!((management.offered - offered).abs() < 1e-9, "{management:?}");
        let off = management.accepted / offered - 1.0;
        assert!(off.abs() < 0.02 && !management.saturated, "{management:?}");
        assert!((found.accepted - 0.3).abs() < 0.003, "{}", found.accepted);
        assert!(found.utilization.len() == plain.utilization.len() && !found.saturated);
    }
    let never = report(&format!("{TREE} load=0.3 management=0,vc=own"));
    assert_eq!(never, plain);
}

/// A packet is in port 0 after its time at that port's rate, then its head crosses switches and links;
/// the last port 0 takes it at that rate.
#[test]
fn a_packet_alone_takes_the_sum_of_its_terms() {
    let text = "topology=xgft,m=2.2,w=1.1 bandwidth=4xDDR packet=2KiB latency=50ns routing=sftree \
                switch_latency=100ns adapter_latency=7ns load=0.000001";
    for (management, own) in [("0.0001", 8_192_000), ("0.0001,bandwidth=4xDDR", 1_024_000)] {
        let found = report(&format!("{text} management={management} warmup=0ns window=100ms"));
        let latency = found.management.expect("switches that send").latency;
        // From leaf to leaf over the root.
        let longest = 2 * 7_000 + own - 1_024_000 + 3 * 100_000 + 2 * 50_000 + own;
        let max = latency.max.expect("packets").as_ps();
        assert!(max >= longest && max < longest + own, "{max} for {longest}");
        // Between root and leaf, as two of three packets go, it is a switch and a link less; a bucket
        // of the median is 2 % wide.
        let (shorter, median) = (longest - 150_000, latency.median.expect("packets").as_ps());
        assert!(median.abs_diff(shorter) * 50 <= shorter, "{median} for {shorter}");
    }
}

#[test]
fn switches_may_have_virtual_channels_of_their_own() {
    for (routing, layers) in [("sftree", 1), ("dfsssp", 1), ("lash", 1)] {
        let text = format!("topology=xgft,m=4.4,w=1.2 routing={routing} management=0.5");
        for (lanes, expected) in [("shared", layers), ("own", 2 * layers)] {
            let setup = experiment(&format!("{text},vc={lanes}")).expect("routes").setup();
            assert_eq!(setup.virtual_channels, expected, "{routing} {lanes}");
        }
    }
    let ring = "topology=torus,widths=7,p=2 routing=lash management=0.5,vc=own";
    let layers = experiment("topology=torus,widths=7,p=2 routing=lash").expect("routes").setup();
    let own = experiment(ring).expect("routes").setup();
    assert!(layers.virtual_channels > 1);
    assert_eq!(own.virtual_channels, 2 * layers.virtual_channels);
}

#[test]
fn switches_that_no_route_leads_to_are_left_out() {
    // The roots do not reach each other with the fat-tree routing alone.
    let text = "topology=xgft,m=4.4,w=1.2 routing=ftree management=0.5";
    let setup = experiment(text).expect("routes").setup();
    let management = setup.management.expect("switches that send");
    let [leaf, root] = [&management.left_out[0], &management.left_out[4]];
    assert_eq!((leaf.as_slice(), root.as_slice()), (&[0][..], &[4, 5][..]));
    assert!(report(text).management.expect("switches that send").packets > 0);
}

#[test]
fn routings_that_lead_to_no_switch_are_refused() {
    for (text, expected) in [
        (
            "topology=xgft,m=4.4,w=1.2 routing=d_mod_k management=0.5",
            "management: “0.5” was given; routing=d_mod_k does not lead to switches; allowed: routings of \
             forwarding tables, such as sftree or min_hop",
        ),
        (
            "topology=xgft,m=4,w=1 routing=min_hop management=1",
            "management: “1” was given; routing=min_hop leads from no switch to another one here",
        ),
        (
            "routing=ugal management=1",
            "management: “1” was given; routing=ugal does not lead to switches; allowed: routings of \
             forwarding tables, such as sftree or min_hop",
        ),
    ] {
        assert_eq!(experiment(text).err().as_deref(), Some(expected));
    }
}

/// Endpoints alone cannot block each other on this tree; switches that send can, and their packets
/// are called so.
#[test]
fn switches_can_close_a_circle() {
    let text = "topology=xgft,m=2.2.2,w=1.2.2 routing=min_hop load=1 buffer=256B,per=vc \
                output_buffer=256B bandwidth=10Gbps window=500us warmup=0ns";
    assert_eq!(metrics(text).deadlock, None);
    let found = metrics(&format!("{text} management=1,bandwidth=10Gbps"));
    let cycle = found.deadlock.expect("a deadlock");
    let named = |packet: &&String| packet.contains("'s port 0 to ");
    assert!(cycle.iter().any(|packet| named(&packet)), "{cycle:?}");
    let safe = text.replace("min_hop", "sftree");
    assert_eq!(metrics(&format!("{safe} management=1,bandwidth=10Gbps")).deadlock, None);
}
