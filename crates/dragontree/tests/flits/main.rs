//! Switching against brute force: a simulator of its own that looks at the whole network at every
//! flit's time delivers every message at the same time, with switches of every model, in wormhole
//! switching and whole.

mod cases;
mod slots;

use std::hash::Hasher;

use dragontree::random::mix;
use dragontree::simulation::{ExchangeReport, Exchanging, Progress, SwitchModel};
use dragontree::units::Time;
use fnv::FnvHasher;

use cases::{Case, Lanes, Message, SLOT};
use slots::{Lots, Outcome, run};

const MODELS: [SwitchModel; 4] = [
    SwitchModel::VirtualOutputQueues,
    SwitchModel::FifoInputs,
    SwitchModel::OutputBuffered,
    SwitchModel::InputOutputBuffered,
];

fn simulate(case: &Case) -> ExchangeReport {
    let mut run = Exchanging::new(case.setup());
    while run.advance(1_000_000) != Progress::Done {}
    run.report()
}

/// When the simulator delivers messages, in slots, and how many have been by then.
fn course(case: &Case) -> Vec<(u64, u64)> {
    let mut run = Exchanging::new(case.setup());
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
