//! Virtual lane arbitration by weights against closed forms: several virtual channels onto one output.

use dragontree::network::{Node, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{
    AnyRoutes, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Unroutable, Waypoints,
};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{Progress, Report, Setup, Simulation};
use dragontree::traffic::Destinations;
use dragontree::units::Rank;

/// Routes over one switch, two sources on each virtual channel: of a single one behind a FIFO the
/// next packet would come up only when the last has gone, too late to be chosen.
struct Lanes {
    count: u8,
}

impl Route for Lanes {
    fn virtual_channels(&self) -> u8 {
        self.count
    }
    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }
    fn first_stage(&self, pair: Pair) -> u8 {
        pair.source.0 as u8 / 2
    }
    fn next(&self, _at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let port = dragontree::network::PortId(header.destination.0);
        Ok(Hop { port, vc: header.stage })
    }
}

impl Oblivious for Lanes {
    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }
}

/// Two sources on each of so many virtual channels send packets of 2 KiB at full load to one more
/// endpoint, as far as `sends`.
fn setup(lanes: u8, rest: &str, sends: impl Fn(u32) -> bool) -> Setup {
    let sources = 2 * lanes;
    let text = format!(
        "topology=xgft,m={},w=1 routing=d_mod_k load=1 packet=2KiB buffer=16KiB,per=vc \
         output_buffer=8KiB warmup=500us window=4ms {rest}",
        sources + 1
    );
    let plan = Study::parse(&text).expect(&text).plan().expect(&text);
    let base = Experiment::build(plan.jobs[0].scenario(), None).expect(&text).setup();
    let port = base.network.port(SwitchId(0), 0);
    assert_eq!(
        base.network.neighbor(port),
        Some(Node::Endpoint(dragontree::network::EndpointId(0)))
    );
    let last = u32::from(sources);
    let chosen = |rank| (rank < last && sends(rank)).then_some(Rank(last));
    let destinations = Destinations::Fixed((0..=last).map(chosen).collect());
    let routes = AnyRoutes::from(Routes::Oblivious(Box::new(Lanes { count: lanes })));
    Setup { virtual_channels: lanes, routes, destinations: destinations.into(), ..base }
}

fn run(setup: Setup) -> Report {
    let mut simulation = Simulation::new(setup);
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

/// The smallest share of a virtual channel of what the last endpoint takes, which is all that it can.
fn worst_share(report: &Report, lanes: u8) -> f64 {
    let whole = report.accepted * f64::from(2 * lanes + 1);
    assert!((whole - 1.0).abs() < 2e-3, "{whole}");
    2.0 * report.worst_source
}

const SWITCHES: &[&str] = &["voq", "fifo_inputs", "output_buffered", "input_output_buffered"];

#[test]
fn two_virtual_channels_share_an_output_by_their_weights() {
    for switch in SWITCHES {
        for (weights, expected) in
            [("96.32", 0.25), ("32.96", 0.25), ("64", 0.5), ("32.224", 0.125)]
        {
            for table in ["low", "high=0,low", "low=0,high"] {
                let rest = format!("switch={switch} arbitration=weights,{table}={weights}");
                let share = worst_share(&run(setup(2, &rest, |_| true)), 2);
                assert!((share - expected).abs() < 2e-3, "{rest}: {share}");
            }
        }
    }
}

/// Weights are used up by whole packets: of 2 KiB, 32 units, one of 1 to 32 units sends one.
#[test]
fn a_last_packet_is_sent_whole() {
    for (weights, expected) in [("3.1", 0.5), ("33.32", 1.0 / 3.0), ("255.1", 1.0 / 9.0)] {
        let rest = format!("arbitration=weights,low={weights}");
        let share = worst_share(&run(setup(2, &rest, |_| true)), 2);
        assert!((share - expected).abs() < 2e-3, "{rest}: {share}");
    }
}

/// A limit of 4 KiB is two packets, and then the low table has a turn of one.
#[test]
fn the_low_table_gets_what_the_limit_leaves() {
    for switch in SWITCHES {
        for (limit, expected) in [(0, 0.5), (1, 1.0 / 3.0), (3, 1.0 / 7.0), (255, 0.0)] {
            let rest =
                format!("switch={switch} arbitration=weights,high=255.0,low=0.1,limit={limit}");
            let share = worst_share(&run(setup(2, &rest, |_| true)), 2);
            assert!((share - expected).abs() < 2e-3, "{rest}: {share}");
        }
    }
}

#[test]
fn virtual_channels_of_one_table_share_what_another_leaves() {
    // Four packets of the first, a turn of the others, which have one and three of their turns.
    let rest = "arbitration=weights,high=255.0,low=0.32.96,limit=2";
    let share = worst_share(&run(setup(3, rest, |_| true)), 3);
    assert!((share - 0.2 / 4.0).abs() < 2e-3, "{share}");
}

#[test]
fn an_idle_virtual_channel_costs_nothing() {
    for switch in SWITCHES {
        for rest in ["low=1.255", "high=0.255,low=1,limit=255", "high=1.0,low=0.1,limit=0"] {
            let rest = format!("switch={switch} arbitration=weights,{rest}");
            let share = worst_share(&run(setup(2, &rest, |rank| rank < 2)), 2);
            assert!((share - 1.0).abs() < 2e-3, "{rest}: {share}");
        }
    }
}

#[test]
fn turns_are_equal_weights_of_a_packet() {
    let report = |rest: &str| run(setup(3, rest, |_| true));
    let turns = worst_share(&report("arbitration=round_robin"), 3);
    let weights = worst_share(&report("arbitration=weights,low=32"), 3);
    assert!((turns - 1.0 / 3.0).abs() < 2e-3 && (weights - 1.0 / 3.0).abs() < 2e-3);
}

#[test]
fn a_virtual_channel_without_any_weight_is_refused() {
    let text = "topology=torus arbitration=weights,high=0,low=64.0.64";
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect("a refusal");
    assert_eq!(
        problems[0].to_string(),
        "arbitration,low: “64.0.64” was given; virtual channel 1 would never be served; each needs \
         a weight above 0 in high= or low="
    );
}

/// Switches that send at the rate of the links on virtual channels of their own take half of a link
/// where turns are equal; weights give the endpoints nearly all of it.
#[test]
fn weights_protect_endpoints_from_switches() {
    let text = "topology=xgft,m=6.4,w=1.2 routing=sftree load=1 buffer=4KiB,per=vc output_buffer=256B \
                warmup=100us window=100us management=1,bandwidth=100Gbps,vc=own";
    let accepted = |rest: &str| {
        let text = format!("{text} {rest}");
        let plan = Study::parse(&text).expect(&text).plan().expect(&text);
        let report = run(Experiment::build(plan.jobs[0].scenario(), None).expect(&text).setup());
        [report.accepted, report.management.map_or(0.0, |management| management.accepted)]
    };
    let (turns, equal) = (accepted(""), accepted("arbitration=weights,low=4"));
    assert!((turns[0] / equal[0] - 1.0).abs() < 0.05, "{turns:?} {equal:?}");
    let protected = accepted("arbitration=weights,low=4.252");
    assert!(
        protected[0] > 1.2 * turns[0] && protected[1] < 0.8 * turns[1],
        "{protected:?} {turns:?}"
    );
    let first = accepted("arbitration=weights,high=0.1,low=1,limit=255");
    assert!(first[0] >= protected[0] * 0.98, "{first:?} {protected:?}");
}
