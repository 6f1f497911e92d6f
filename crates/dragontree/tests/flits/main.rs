//! Switching against brute force: a simulator of its own that looks at the whole network at every
//! flit's time delivers every message of exchanges at the same time, with switches of every model, in
//! wormhole switching and whole, and every packet of sources at an offered load, of random lengths, too.

mod cases;
mod open;
mod slots;

use std::collections::BTreeMap;
use std::hash::Hasher;

use dragontree::random::mix;
use dragontree::simulation::{
    ExchangeReport, Exchanging, Progress, Report, Setup, Simulation, SwitchModel,
};
use dragontree::units::Time;
use fnv::FnvHasher;

use cases::{Case, Lanes, Message, SLOT};
use open::{PACKETS, Sent};
use slots::{Lots, Outcome, run, run_until};

const MODELS: [SwitchModel; 4] = [
    SwitchModel::VirtualOutputQueues,
    SwitchModel::FifoInputs,
    SwitchModel::OutputBuffered,
    SwitchModel::InputOutputBuffered,
];

/// By both engines, where there are two.
fn simulate(case: &Case) -> ExchangeReport {
    let [chosen, plain] = [Exchanging::new, Exchanging::plain].map(|make| {
        let mut run = make(case.setup());
        while run.advance(1_000_000) != Progress::Done {}
        run.report()
    });
    assert_eq!(chosen, plain, "{case:#?}");
    plain
}

/// When the simulator delivers messages, in slots, and how many have been by then.
fn course(case: &Case) -> Vec<(u64, u64)> {
    let mut run = Exchanging::plain(case.setup());
    let mut course = vec![(0, 0)];
    let mut at = 0;
    loop {
        let progress = run.advance(0);
        if let Progress::Running { now, .. } = progress {
            at = now.as_ps() / SLOT;
        }
        let messages = run.report().messages;
        if course.last().is_some_and(|(_, before)| *before < messages) {
            course.push((at, messages));
        }
        if progress == Progress::Done {
            return course;
        }
    }
}

/// The digest of a report, from when the slots deliver each message.
fn digest(case: &Case, outcome: &Outcome) -> u64 {
    let mut values = [0_u64; 6];
    let letters = outcome.posted.iter().zip(&outcome.delivered);
    for (label, (posted, delivered)) in letters.enumerate() {
        let (Some(posted), Some(delivered)) = (posted, delivered) else { continue };
        let [_, bytes, latencies, longest, end, deliveries] = &mut values;
        let now = delivered * SLOT;
        *end = now.max(*end);
        // Behind the messages come acknowledgements.
        let Some(message) = case.messages.get(label) else { continue };
        let latency = now - posted * SLOT;
        *bytes += message.bytes;
        *latencies += latency;
        *longest = latency.max(*longest);
        *deliveries = deliveries.wrapping_add(mix(mix(label as u64) ^ now));
    }
    // A worm is one packet, and arrives with its last flit.
    let arrived = &outcome.arrived[..case.messages.len()];
    let messages = outcome.delivered[..case.messages.len()].iter().flatten().count() as u64;
    values[0] = if case.worms { messages } else { arrived.iter().sum() };
    let mut hasher = FnvHasher::default();
    values.iter().for_each(|value| hasher.write(&value.to_le_bytes()));
    hasher.finish()
}

/// Both agree about everything that can be seen of a case.
fn agree(case: &Case) -> Outcome {
    let outcome = run(&case.world(Lots::Stated));
    let report = simulate(case);
    let times = &outcome.delivered[..case.messages.len()];
    let differs = || format!("{case:#?}\n{times:?}\n{:?}", course(case));
    let delivered = times.iter().flatten().count() as u64;
    assert_eq!(report.messages, delivered, "{}", differs());
    assert_eq!(report.digest, digest(case, &outcome), "{}", differs());
    let all = outcome.delivered.iter().all(Option::is_some);
    assert_eq!(report.completion.is_some(), all, "{}", differs());
    let last = outcome.delivered.iter().flatten().max().copied().unwrap_or(0);
    assert!(!all || report.completion == Some(Time::ps(last * SLOT)), "{}", differs());
    assert_eq!(report.deadlock.is_some(), !all, "{}", differs());
    for waiting in report.deadlock.iter().flatten() {
        let same = |stuck: &&slots::Stuck| {
            stuck.source as u32 == waiting.source.0
                && stuck.destination as u32 == waiting.destination.0
                && stuck.holds == (waiting.holds.channel.index(), usize::from(waiting.holds.vc))
        };
        let stuck: Vec<u64> =
            outcome.stuck.iter().filter(same).map(|stuck| stuck.since * SLOT).collect();
        assert!(stuck.contains(&waiting.since.as_ps()), "{waiting:?} {}", differs());
    }
    outcome
}

/// Every model of a switch, with worms and with packets that move whole.
fn all() -> impl Iterator<Item = (SwitchModel, bool)> {
    MODELS.into_iter().flat_map(|model| [(model, true), (model, false)])
}

#[test]
fn every_message_is_delivered_when_brute_force_delivers_it() {
    let mut counts = Vec::new();
    for (model, worms) in all() {
        // Runs in which flits waited, and of these those in which the order of what happens at one
        // time made no difference.
        let [mut waited, mut free] = [0; 2];
        for seed in 0..400 {
            let case = Case::random(seed, model, worms);
            let outcome = agree(&case);
            if outcome.waited > 10 {
                let others = [Lots::Reversed, Lots::Other(seed + 1), Lots::Other(seed + 2)];
                let same = |lots: Lots| run(&case.world(lots)).delivered == outcome.delivered;
                waited += 1;
                free += u32::from(others.into_iter().all(same));
            }
        }
        counts.push((model, worms, waited, free));
    }
    let enough = |waited: u32, free: u32| waited >= 100 && free >= 10 && waited - free >= 20;
    assert!(counts.iter().all(|(_, _, waited, free)| enough(*waited, *free)), "{counts:?}");
}

/// Endpoints with a second port send by both at the same time, and take by both.
#[test]
fn every_message_by_several_ports_is_delivered_when_brute_force_delivers_it() {
    let mut sooner = 0;
    for (model, worms) in all() {
        for seed in 0..300 {
            let case = Case::random(seed, model, worms).doubled();
            let outcome = agree(&case);
            let single = Case { second: vec![None; case.places.len()], ..case.clone() };
            let last = |outcome: &Outcome| outcome.delivered.iter().flatten().max().copied();
            sooner += u32::from(last(&outcome) < last(&run(&single.world(Lots::Stated))));
        }
    }
    assert!(sooner > 500, "{sooner}");
}

/// All send two switches on around a ring in one direction.
fn ring(switches: u32, (buffer, flits): (u64, u64), virtual_channels: u8) -> Case {
    let message = |source: u32, times: u64| Message {
        source,
        destination: (source + 2) % switches,
        bytes: 64 * (flits + times),
        after: Vec::new(),
    };
    let messages = (0..6).flat_map(|times| (0..switches).map(move |own| message(own, times)));
    Case {
        switches,
        places: (0..switches).collect(),
        second: vec![None; switches as usize],
        links: (0..switches).map(|own| (own, (own + 1) % switches, 2, 1)).collect(),
        edge: (2, 1),
        one_way: true,
        virtual_channels,
        lanes: Lanes::ByHop,
        traversal: 3,
        adapter: 0,
        buffer,
        output_buffer: 4,
        switch: SwitchModel::VirtualOutputQueues,
        worms: true,
        packet: 1,
        messages: messages.collect(),
        seed: 7,
    }
}

#[test]
fn a_ring_stops_when_brute_force_stops() {
    let sizes = [(1, 6), (4, 20), (16, 40), (64, 40)];
    for (switch, worms) in all() {
        let mut deadlocks = 0;
        for switches in 3..=5 {
            for size in sizes {
                let one = Case { switch, worms, ..ring(switches, size, 1) };
                deadlocks += u32::from(!agree(&one).stuck.is_empty());
                // With a virtual channel for each hop there is no cycle.
                let two = Case { switch, worms, ..ring(switches, size, 2) };
                assert!(agree(&two).stuck.is_empty(), "{two:#?}");
            }
        }
        assert!(deadlocks >= 3, "{switch:?} {worms}: {deadlocks}");
    }
}

/// How long runs at an offered load are compared, in slots.
const END: u64 = 1500;

/// Lets the simulator go on for a while, up to a time after which nothing is left to be counted, and
/// shows its times with what it would report then; or to its end, where it finds one.
fn go_on(setup: &Setup, mut show: impl FnMut(u64, &Simulation)) -> (u64, Report) {
    let mut run = Simulation::plain(setup.clone());
    let mut at = 0;
    loop {
        match run.advance(0) {
            Progress::Running { now, .. } => at = now.as_ps(),
            Progress::Done => return (at, run.report()),
        }
        show(at, &run);
        if at > END {
            return (at, run.report());
        }
    }
}

/// The digest at a time of a run at an offered load, from when the slots deliver each packet.
fn digest_at(setup: &Setup, sent: &[Sent], outcome: &Outcome, last: u64, end: u64) -> u64 {
    let message = setup.packet.0 * u64::from(setup.injection.packets);
    // Bytes by source; bytes and the last delivery by message.
    let mut sources: BTreeMap<u32, u64> = BTreeMap::new();
    let mut messages: BTreeMap<(u32, u32), (u64, u64)> = BTreeMap::new();
    let [mut latencies, mut longest, mut deliveries] = [0_u64; 3];
    for (packet, delivered) in sent.iter().zip(&outcome.delivered) {
        let Some(now) = delivered.filter(|now| *now <= last) else { continue };
        let id = u64::from(packet.source) << 32 | u64::from(packet.number);
        deliveries = deliveries.wrapping_add(mix(mix(id) ^ now));
        *sources.entry(packet.source).or_default() += packet.bytes;
        let part = messages.entry((packet.source, packet.message)).or_default();
        *part = (part.0 + packet.bytes, part.1.max(now));
        if part.0 == message {
            let latency = part.1 - packet.born;
            latencies += latency;
            longest = latency.max(longest);
        }
    }
    let delivered: u64 = sources.values().map(|bytes| bytes / setup.packet.0).sum();
    let mut hasher = FnvHasher::default();
    for value in [delivered, delivered * setup.packet.0, latencies, longest, end, deliveries] {
        hasher.write(&value.to_le_bytes());
    }
    hasher.finish()
}

/// Fails with the first time at which both differ, and what the slots deliver around then.
fn tell_difference(text: &str, setup: &Setup, sent: &[Sent], outcome: &Outcome) {
    let mut wrong = None;
    go_on(setup, |at, run| {
        if wrong.is_none() && run.report().digest != digest_at(setup, sent, outcome, at, at) {
            wrong = Some(at);
        }
    });
    let near = |(_, delivered): &(&Sent, &Option<u64>)| {
        delivered.zip(wrong).is_none_or(|(at, wrong)| at.abs_diff(wrong) < 40)
    };
    let near: Vec<_> = sent.iter().zip(&outcome.delivered).filter(near).take(40).collect();
    let Setup { model, load, packet, injection, buffer, output_buffer, .. } = setup;
    panic!(
        "{text}\n{model:?} {load:?} {packet} {injection:?} {buffer} {output_buffer} {}\n\
         wrong at {wrong:?}: {near:#?}",
        setup.virtual_channels
    );
}

/// Both deliver every packet of a run at an offered load at the same time.
fn agree_at_load(text: &str, setup: &Setup) -> (Outcome, bool) {
    let (last, report) = go_on(setup, |_, _| {});
    let (sent, world) = open::world(setup, last, Lots::Stated);
    let outcome = run_until(&world, last);
    // Where nothing goes on, time passes until that is noticed.
    let is_over = last <= END;
    let end = last + if is_over { 3 * (100 * END).div_ceil(20) } else { 0 };
    if report.digest != digest_at(setup, &sent, &outcome, last, end) {
        tell_difference(text, setup, &sent, &outcome);
    }
    assert_eq!(report.deadlock.is_some(), is_over, "{text}");
    assert!(!is_over || outcome.is_quiet && !outcome.stuck.is_empty(), "{text}");
    (outcome, is_over)
}

#[test]
fn every_packet_at_a_load_is_delivered_when_brute_force_delivers_it() {
    let [mut runs, mut stuck] = [0; 2];
    let kinds = MODELS.iter().flat_map(|model| PACKETS.map(|packets| (*model, packets)));
    for (kind, (switch, packets)) in (0..).zip(kinds) {
        let [mut waited, mut delivered] = [0_usize; 2];
        for seed in 0..50 {
            let (text, setup) = open::setup(100 * kind + seed, switch, packets, END);
            let (outcome, is_over) = agree_at_load(&text, &setup);
            runs += 1;
            delivered += outcome.delivered.iter().flatten().count();
            waited += usize::from(outcome.waited > 30);
            stuck += u32::from(is_over);
        }
        assert!(waited >= 20 && delivered > 10_000, "{switch:?} {packets:?} {waited} {delivered}");
    }
    assert!(runs == 600 && stuck >= 10, "{runs} {stuck}");
}
