//! What was found to go over the channel that was busiest, where routes adapt.

use std::collections::BTreeSet;

use dragontree::network::Node;
use dragontree::scenario::{
    Experiment, MeasuredChannel, Metrics, Running, Step, Study, Why, WhyPortion,
};
use dragontree::simulation::{Progress, Simulation};

fn running(text: &str) -> Running {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    plan.jobs[0].start(None).expect("it can be built")
}

fn metrics(text: &str) -> Metrics {
    let mut running = running(text);
    while running.advance(100_000).expect("routes") != Step::Done {}
    running.record(0.0).and_then(|record| record.metrics).expect("it was simulated")
}

fn experiment(text: &str) -> Experiment {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    Experiment::build(plan.jobs[0].scenario(), None).expect(text)
}

/// Every endpoint of a group sends to the next group: minimal routing has a·p = 8 of them share one
/// global link.
const TO_THE_NEXT_GROUP: &str =
    "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 load=1 warmup=20us window=100us";

/// UGAL whose threshold is never reached.
const PATIENT: &str = "routing=ugal,threshold=1 output_buffer=1GB";

/// It goes minimally, so what shares its busiest channel is what
/// analysis says of minimal routing: the 8 flows of a group, a switch's 2 to another's 2.
#[test]
fn without_detours_it_is_what_analysis_tells() {
    let minimal = experiment(&format!("{TO_THE_NEXT_GROUP} routing=minimal"));
    let limit = minimal.analysis().limit.clone().expect("a bound");
    let expected = limit.why.expect("a channel fills");
    assert_eq!((expected.flows, expected.sources, expected.destinations), (8, 8, 8));
    let found = metrics(&format!("{TO_THE_NEXT_GROUP} {PATIENT}"));
    let MeasuredChannel { utilization, detours, packets, why, .. } =
        found.measured_busiest.expect("it is saturated");
    assert!(utilization > 0.99 && packets == 1000 && detours == Some(0.0));
    let why = why.expect("packets went over it");
    let counts = |why: &Why| (why.flows, why.sources, why.destinations);
    assert_eq!(counts(&why), counts(&expected));
    // As many flows from each switch take the same part of the channel; together they fill it.
    assert!(why.largest.iter().all(|portion| portion.flows == 2), "{why:?}");
    assert!(why.largest.iter().all(|portion| portion.utilization < 0.5), "{why:?}");
    assert!(why.formula.starts_with("8 flows took 0.12"), "{why:?}");
}

/// A sentence says where the packets went, in numbers that a tenth of them can show.
#[test]
fn what_was_found_is_told_with_care() {
    let few = metrics(&format!("{TO_THE_NEXT_GROUP} {PATIENT}")).measured_busiest;
    let found = few.and_then(|measured| measured.found).expect("a sentence");
    let expected = "The next 1000 packets over it went from 8 endpoints to 8, 100 % of them on \
                    minimal ways";
    assert_eq!(found, expected);
    // Everybody sends to everybody, more than 1,000 packets show.
    let many = "topology=dragonfly routing=ugal load=1 buffer=16kB warmup=20us window=30us";
    let measured = metrics(many).measured_busiest.expect("it is saturated");
    let why = measured.why.expect("packets went over it");
    let found = measured.found.expect("a sentence");
    assert!(why.sources > 100 && found.contains(" from at least "), "{found}");
    // Pairs of switches have little in common: told is what one end has.
    let any =
        |portion: &WhyPortion| [&portion.from, &portion.to].contains(&&"any switch".to_owned());
    assert!(why.largest.iter().all(any), "{:?}", why.largest);
}

/// How a run goes on when it is done changes no result.
#[test]
fn the_results_are_those_without_it() {
    let text = format!("{TO_THE_NEXT_GROUP} routing=ugal");
    let mut simulation = Simulation::new(experiment(&text).setup());
    while simulation.advance(1_000_000) != Progress::Done {}
    let mut running = running(&text);
    while running.advance(1_000).expect("routes") != Step::Done {}
    let record = running.record(0.0).expect("a record");
    assert_eq!(record.digest, format!("{:016x}", simulation.report().digest));
    assert!(record.metrics.is_some_and(|metrics| metrics.measured_busiest.is_some()));
}

/// Worms, packets of random lengths and switches of other models: what goes over a channel that is always
/// busy fills it, however it is counted; few packets do in the time that there is.
#[test]
fn what_goes_over_a_full_channel_fills_it() {
    for model in [
        "switching=wormhole,flit=64B packet=1KiB",
        "injection=bernoulli,shortest=64B packet=512B",
        "switch=fifo_inputs",
        "switch=output_buffered",
        "packet=4KiB window=20us",
    ] {
        let found = metrics(&format!("{TO_THE_NEXT_GROUP} routing=ugal {model}"));
        let measured = found.measured_busiest.expect("it is saturated");
        let formula = measured.why.expect("packets went over it").formula;
        let all = formula.rsplit(['=', ' ']).find_map(|word| word.parse::<f64>().ok());
        let all = all.expect("a number");
        let short = model.ends_with("20us");
        assert_eq!(measured.packets == 1000, !short, "{model}");
        assert!(
            (all - measured.utilization).abs() < 0.06,
            "{model}: {formula}, {measured:?}",
            measured = measured.utilization
        );
    }
}

/// Where indirect ways cost nothing, nearly all packets take them, and a global channel carries those of
/// other groups.
#[test]
fn detours_are_told() {
    let eager = "routing=ugal,via=group,c=0,scale=constant";
    let found = metrics(&format!("{TO_THE_NEXT_GROUP} {eager}"));
    let measured = found.measured_busiest.expect("it is saturated");
    assert!(measured.detours > Some(0.8), "{measured:?}");
    let why = measured.why.expect("packets went over it");
    assert!(why.sources > 8 && why.flows > 8, "{why:?}");
}

/// What goes over the channel that is busiest with oblivious routes are the flows that analysis names, and
/// they keep it as busy as before. Its switch has five inputs with packets for it, served alike: its two
/// endpoints', and three from other switches, with two flows each.
#[test]
fn packets_are_those_of_the_flows() {
    let text = format!("{TO_THE_NEXT_GROUP} routing=minimal");
    let experiment = experiment(&text);
    let channel = experiment.analysis().report.busiest;
    let network = experiment.network();
    let mut simulation = Simulation::new(experiment.setup());
    while simulation.advance(1_000_000) != Progress::Done {}
    while simulation.tap(|_| Some(channel), 1_000_000) {}
    let report = simulation.report();
    let seen = report.crossings.expect("it was tapped");
    let flows: BTreeSet<_> =
        seen.packets.iter().map(|packet| (packet.source, packet.destination)).collect();
    let ranks = network.endpoint_count();
    assert!(flows.iter().all(|(from, to)| (from.0 + 8) % ranks == to.0), "{flows:?}");
    assert_eq!(flows.len(), 8);
    for flow in &flows {
        let own = seen.packets.iter().filter(|each| (each.source, each.destination) == *flow);
        let share = own.count() as f64 / seen.packets.len() as f64;
        let near = network.switch_of(flow.0).map(Node::Switch) == Some(network.owner(channel));
        let expected = if near { 0.2 } else { 0.1 };
        assert!((share - expected).abs() < 0.02, "{flow:?}: {share}");
    }
    // Packets follow one another without a gap where the channel is always busy.
    let time = network.channel(channel).expect("a cable").serialization(experiment.setup().packet);
    let busy = (time * seen.packets.len() as u64).as_ps() as f64 / seen.time.as_ps() as f64;
    assert!((0.99..1.01).contains(&busy) && report.utilization[channel.index()] > 0.99, "{busy}");
}
