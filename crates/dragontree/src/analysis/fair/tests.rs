use proptest::prelude::*;

use super::*;
use crate::scenario::{Experiment, Study};

/// Flows by what they offer and what of it they put on channels; the share that each sends.
fn filled(rates: &[f64], flows: &[(f64, Vec<(u32, f64)>)]) -> Vec<f64> {
    let load = |at: usize| -> f64 {
        let uses = flows.iter().flat_map(|(_, uses)| uses);
        uses.filter(|(channel, _)| *channel as usize == at).map(|(_, bits)| bits).sum()
    };
    let channels: Vec<(f64, f64)> =
        rates.iter().enumerate().map(|(at, rate)| (*rate, load(at) / rate)).collect();
    let mut filling = Filling::new(&channels);
    flows.iter().for_each(|(rate, uses)| filling.add(*rate, uses.iter().copied()));
    filling.begin();
    while !filling.advance(1) {}
    filling.levels().collect()
}

/// Flows of rate 1 that need these channels whole.
fn simple(channels: usize, flows: &[&[u32]]) -> Vec<f64> {
    let flow = |uses: &&[u32]| (1.0, uses.iter().map(|at| (*at, 1.0)).collect());
    filled(&vec![1.0; channels], &flows.iter().map(flow).collect::<Vec<_>>())
}

fn close(found: &[f64], expected: &[f64]) {
    let near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12);
    assert!(near && found.len() == expected.len(), "{found:?} for {expected:?}");
}

#[test]
fn flows_on_one_channel_get_equal_parts() {
    for count in 1..50_usize {
        let level = 1.0 / count as f64;
        close(&simple(1, &vec![&[0][..]; count]), &vec![level; count]);
    }
}

/// The textbook's line of channels: a long flow over three, of which the first carries two others, the
/// second and the third one each (Bertsekas & Gallager 1992, §6.5.2); and flows that meet in pairs, and
/// one alone.
#[test]
fn textbook_examples_come_out() {
    let line = simple(3, &[&[0, 1, 2], &[0], &[0], &[1], &[2]]);
    close(&line, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
    // One flow alone has what the others leave, up to all it offers.
    let five = simple(5, &[&[0, 1], &[1, 2], &[1, 3], &[3], &[4]]);
    close(&five, &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
}

/// A channel of a fifth of the rate leaves a fifth; one of half the rate, with the flow that is held
/// back there on it, the rest to another; and half of a flow takes half of what it sends.
#[test]
fn rates_and_shares_count() {
    let flows = vec![(1.0, vec![(0, 1.0), (1, 1.0)]), (1.0, vec![(1, 1.0)])];
    close(&filled(&[0.2, 0.5], &flows), &[0.2, 0.3]);
    let halves = vec![(1.0, vec![(0, 0.5)]), (1.0, vec![(0, 0.5)]), (3.0, vec![(0, 3.0)])];
    close(&filled(&[1.0], &halves), &[0.25; 3]);
}

/// Whether every flow is held back by a full channel on which no flow is at a higher level, and no
/// channel carries more than its rate.
fn is_fair(rates: &[f64], flows: &[(f64, Vec<(u32, f64)>)], levels: &[f64]) -> Result<(), String> {
    let mut loads = vec![0.0; rates.len()];
    let mut highest = vec![0.0_f64; rates.len()];
    for ((_, uses), level) in flows.iter().zip(levels) {
        for (at, bits) in uses {
            loads[*at as usize] += bits * level;
            highest[*at as usize] = highest[*at as usize].max(*level);
        }
    }
    if let Some(at) = (0..rates.len()).find(|at| loads[*at] > rates[*at] * (1.0 + 1e-7)) {
        return Err(format!("channel {at} carries {} of {}", loads[at], rates[at]));
    }
    for (number, ((_, uses), level)) in flows.iter().zip(levels).enumerate() {
        let holds = |at: usize| {
            loads[at] >= rates[at] * (1.0 - 1e-7) && *level >= highest[at] * (1.0 - 1e-7)
        };
        if *level < 1.0 && !uses.iter().any(|(at, _)| holds(*at as usize)) {
            return Err(format!("flow {number} at {level} is held back by nothing"));
        }
    }
    Ok(())
}

/// The flows of an experiment, with what they put on all channels, and the levels they are filled to.
fn experimented(text: &str) -> Result<(), String> {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    // Faults of a sparse network may cut off an endpoint.
    let Ok(experiment) = Experiment::build(plan.jobs[0].scenario(), None) else { return Ok(()) };
    let (network, report) = (experiment.network(), &experiment.analysis().report);
    let routes = experiment.routes().fixed().expect(text);
    let (placement, destinations) = (experiment.placement(), experiment.destinations());
    let mut fair = FairRates::new(network, routes, placement, destinations, &report.utilization);
    while fair.advance(100).expect(text).is_none() {}
    let rate =
        |port: u32| network.channel(PortId(port)).map_or(0.0, |c| c.bandwidth.as_bps() as f64);
    let rates: Vec<f64> = (0..network.port_count()).map(rate).collect();
    let mut known = fair.filling.levels();
    let (mut flows, mut levels) = (Vec::new(), Vec::new());
    for bundle in 0..fair.bundles.len() {
        fair.bundles.each(bundle, &mut |leg| {
            let mut bits = vec![0.0; rates.len()];
            let show = &mut |path: &[Step], probability: f64| {
                for (place, step) in path.iter().enumerate() {
                    let at_end = place == 0 || place + 1 == path.len();
                    let rate = if at_end { leg.ends } else { leg.between };
                    bits[step.port.index()] += rate * probability;
                }
            };
            super::super::paths(network, routes.oblivious(), leg.pair, show).expect("a route");
            let uses = bits.into_iter().enumerate().filter(|(_, bits)| *bits > 0.0);
            let uses: Vec<(u32, f64)> = uses.map(|(at, bits)| (at as u32, bits)).collect();
            // Those are kept that meet a channel which may fill.
            let meets = uses.iter().any(|(at, _)| fair.places[*at as usize] != WIDE);
            levels.push(if meets { known.next().expect("a level") } else { 1.0 });
            flows.push((leg.between, uses));
        });
    }
    if known.next().is_some() {
        return Err("more levels than flows".to_owned());
    }
    is_fair(&rates, &flows, &levels)
}

proptest! {
    /// Channels of different rates, flows that offer different amounts and split.
    #[test]
    fn any_flows_are_filled_fairly(
        rates in prop::collection::vec(0.1..2.0, 1..12),
        flows in prop::collection::vec(
            (0.1..1.0, prop::collection::btree_map(0..12_u32, 0.05..1.0, 0..6)), 1..40),
    ) {
        let flows: Vec<(f64, Vec<(u32, f64)>)> = flows
            .into_iter()
            .map(|(rate, uses)| {
                let uses = uses.into_iter().filter(|(at, _)| (*at as usize) < rates.len());
                (rate, uses.map(|(at, part)| (at, part * rate)).collect())
            })
            .collect();
        let outcome = is_fair(&rates, &flows, &filled(&rates, &flows));
        prop_assert!(outcome.is_ok(), "{outcome:?}");
    }

    /// Networks with faults and links of different rates, traffic between random places.
    #[test]
    fn flows_of_random_networks_are_filled_fairly(
        fabric in 0..6_usize,
        traffic in 0..4_usize,
        seed in 1..1000_u64,
        faults in 0..4_u32,
        slow in 0..3_usize,
    ) {
        let fabrics = [
            "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
            "topology=dragonfly,p=2,a=3,h=1 routing=valiant,via=group",
            "topology=dragonfly,p=1,a=4,h=1 routing=valiant,via=switch",
            "topology=xgft,m=4.4,w=1.2 routing=min_hop",
            "topology=slim_fly,q=5 routing=minimal",
            "topology=torus,widths=4.3 routing=min_hop",
        ];
        let rates = ["100Gbps", "100Gbps,global=40Gbps", "100Gbps,local=70Gbps,level2=30Gbps"];
        let traffic = [
            "shift,by=1", "bit_complement", "bit_reversal", "shift,by=7 ranks_per_endpoint=2",
        ][traffic];
        // Minimal routing has no way around a fault.
        let faults = if fabrics[fabric].ends_with("minimal") { 0 } else { faults };
        let text = format!(
            "{} traffic={traffic} placement=random faults=random,links={faults} bandwidth={} \
             seed={seed} load=1",
            fabrics[fabric], rates[slow]
        );
        let outcome = experimented(&text);
        prop_assert!(outcome.is_ok(), "{text}: {outcome:?}");
    }
}

/// Many flows of one source, with shares that sum up to different loads, and uniform traffic.
#[test]
fn flows_of_sources_with_several_destinations_are_filled_fairly() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=1 routing=min_hop faults=random,links=3,seed=5 load=1",
        "topology=dragonfly,p=2,a=3,h=1 bandwidth=100Gbps,global=25Gbps load=1",
        "topology=xgft,m=4.4,w=1.2 routing=d_mod_k load=1",
        "topology=torus,widths=5.3 routing=min_hop load=1",
    ] {
        let outcome = experimented(text);
        assert!(outcome.is_ok(), "{text}: {outcome:?}");
    }
}
