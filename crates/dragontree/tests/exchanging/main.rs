//! Exchanges against closed forms, published ideal times and each other.

mod all_to_all;
mod engines;
mod ports;
mod random;

use std::sync::Arc;

use dragontree::exchange::{After, List, Moment, Queueing, Workload};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{ExchangeReport, ExchangeSetup, Exchanging, Progress};
use dragontree::units::{Bytes, Rank, Time};

/// A message from a rank to a rank, of so many bytes, and what it waits for.
type Listed = (u32, u32, u64, Vec<(u32, Moment)>);

fn list(ranks: u32, listed: &[Listed]) -> List {
    let message = |each: &Listed| (Rank(each.0), Rank(each.1), Bytes(each.2));
    let messages: Vec<_> = listed.iter().map(message).collect();
    let waits = |each: &Listed| {
        each.3
            .iter()
            .map(|(message, moment)| After { message: *message, moment: *moment })
            .collect()
    };
    let after: Vec<Vec<After>> = listed.iter().map(waits).collect();
    List::new(ranks, &messages, &after).expect("messages that can be sent")
}

/// An exchange on the fabric of a text.
fn setup(text: &str, list: List) -> ExchangeSetup {
    setup_of(text, list).expect(text)
}

/// The same; none where the fabric's parts do not fit together.
fn setup_of(text: &str, list: List) -> Option<ExchangeSetup> {
    let plan = Study::parse(text).expect(text).plan().ok()?;
    let base = Experiment::build(plan.jobs[0].scenario(), None).ok()?.setup();
    Some(ExchangeSetup {
        network: base.network,
        routes: base.routes,
        placement: base.placement,
        workload: Arc::new(Workload::List(list)),
        packet: base.packet,
        acknowledgement: ExchangeSetup::ACKNOWLEDGEMENT,
        model: base.model,
        switch_latency: base.switch_latency,
        adapter_latency: base.adapter_latency,
        buffer: base.buffer,
        output_buffer: base.output_buffer,
        virtual_channels: base.virtual_channels,
        ways: base.injection.ways,
        seed: base.seed,
    })
}

fn run(setup: ExchangeSetup) -> ExchangeReport {
    let mut run = Exchanging::new(setup);
    while run.advance(1_000_000) != Progress::Done {}
    run.report()
}

fn completion(report: &ExchangeReport) -> Time {
    assert!(!report.stuck && report.deadlock.is_none(), "{report:?}");
    report.completion.expect("everything was delivered")
}

const MODELS: &[&str] = &["voq", "fifo_inputs", "output_buffered", "input_output_buffered"];
const ZERO: &str = "latency=0ns switch_latency=0ns adapter_latency=0ns";
const REAL: &str = "latency=100ns switch_latency=50ns adapter_latency=500ns";
/// A flit of 64 B at 10 Gbit/s, and twice that through adapters, links and a switch.
const FLIT: u64 = 51_200;
const ACROSS: u64 = 1_250_000;

/// One switch at 10 Gbit/s with six endpoints: a message of `n` flits takes `ACROSS + n·FLIT`.
fn star(switching: &str) -> String {
    format!(
        "topology=xgft,m=6,w=1 routing=d_mod_k bandwidth=10Gbps {REAL} buffer=8KiB,per=vc \
         output_buffer=8KiB {switching}"
    )
}

const WORMS: &str = "switching=wormhole,flit=64B packet=4KiB";
const PACKETS: &str = "switching=cut_through packet=512B";

fn on_star(switching: &str, listed: &[Listed]) -> ExchangeReport {
    run(setup(&star(switching), list(6, listed)))
}

#[test]
fn a_single_message_takes_its_zero_load_latency() {
    for model in MODELS {
        for bytes in [1, 64, 511, 512, 513, 1000, 4096, 10_000] {
            let worms = on_star(&format!("{WORMS} switch={model}"), &[(0, 1, bytes, vec![])]);
            let flits = bytes.div_ceil(64);
            assert_eq!(completion(&worms), Time::ps(ACROSS + flits * FLIT), "{model} {bytes}");
            assert_eq!((worms.packets, worms.packet_hops), (1, 1));
            let cut = on_star(&format!("{PACKETS} switch={model}"), &[(0, 1, bytes, vec![])]);
            assert_eq!(completion(&cut), Time::ps(ACROSS + bytes * 800), "{model} {bytes}");
            assert_eq!(cut.packets, bytes.div_ceil(512));
            let share = bytes as f64 * 800.0 / (ACROSS + bytes * 800) as f64 / 6.0;
            let found = cut.effective_throughput.expect("it took time");
            assert!((found / share - 1.0).abs() < 1e-12, "{found}");
        }
    }
}

#[test]
fn messages_follow_what_they_wait_for() {
    for (switching, time) in [(WORMS, 16 * FLIT), (PACKETS, 16 * FLIT)] {
        let whole = ACROSS + time;
        let answer = (1, 0, 1024, vec![(0, Moment::Delivered)]);
        let ping_pong = on_star(switching, &[(0, 1, 1024, vec![]), answer.clone()]);
        assert_eq!(completion(&ping_pong), Time::ps(2 * whole));
        let again = (0, 2, 1024, vec![(1, Moment::Delivered)]);
        let chain = on_star(switching, &[(0, 1, 1024, vec![]), answer, again]);
        assert_eq!(completion(&chain), Time::ps(3 * whole));
        // The last bit leaves the source an adapter and the message's own time after posting.
        let sent = (0, 2, 1024, vec![(0, Moment::Sent)]);
        let chain = on_star(switching, &[(0, 1, 1024, vec![]), sent]);
        assert_eq!(completion(&chain), Time::ps(500_000 + time + whole));
        // Without waiting they leave one right after the other.
        let both = on_star(switching, &[(0, 1, 1024, vec![]), (0, 2, 1024, vec![])]);
        assert_eq!(completion(&both), Time::ps(whole + time));
        let joined = vec![(0, Moment::Delivered), (1, Moment::Delivered)];
        let join = [(0, 2, 1024, vec![]), (1, 2, 64, vec![]), (2, 3, 1024, joined)];
        let join = on_star(switching, &join);
        assert_eq!(completion(&join), Time::ps(2 * whole + FLIT));
    }
}

#[test]
fn messages_into_one_endpoint_take_turns_on_its_link() {
    for model in MODELS {
        for switching in [WORMS, PACKETS] {
            for senders in 1..=5 {
                let listed: Vec<Listed> =
                    (1..=senders).map(|source| (source, 0, 1024, vec![])).collect();
                let report = on_star(&format!("{switching} switch={model}"), &listed);
                let all = u64::from(senders) * 16 * FLIT;
                assert_eq!(completion(&report), Time::ps(ACROSS + all), "{model} {switching}");
                if switching == WORMS {
                    // Each has the link to itself from its first flit to its last.
                    assert_eq!(report.latency_min, Some(Time::ps(ACROSS + 16 * FLIT)));
                    let mean = (ACROSS + (u64::from(senders) + 1) * 8 * FLIT) as f64 / 1e3;
                    let found = report.latency.mean_ns.expect("messages");
                    assert!((found - mean).abs() < 1e-6, "{model}: {found}, not {mean}");
                }
            }
        }
    }
}

#[test]
fn posted_messages_are_sent_in_order_or_in_turns() {
    let posted = [(0, 1, 1024, vec![]), (0, 2, 512, vec![]), (0, 3, 1536, vec![])];
    let times = |queueing: Queueing| -> Vec<Time> {
        // Each is answered, so that the times of all can be told apart by what is slowest.
        let each = |only: usize| {
            let mut listed = posted.to_vec();
            let source = listed[only].1;
            listed.push((source, 5, 100_000, vec![(only as u32, Moment::Delivered)]));
            let list = list(6, &listed).with_queueing(queueing);
            let answer = ACROSS + 100_000 * 800;
            completion(&run(setup(&star(PACKETS), list))).saturating_sub(Time::ps(answer))
        };
        (0..3).map(each).collect()
    };
    let at = |packets: [u64; 3]| packets.map(|count| Time::ps(ACROSS + count * 8 * FLIT)).to_vec();
    assert_eq!(times(Queueing::InOrder), at([2, 3, 6]));
    // First one of each, then the second of the first and of the last, then its third.
    assert_eq!(times(Queueing::RoundRobin), at([4, 2, 6]));
}

/// With no latency an acknowledgement that becomes due while a long message is under way waits for
/// that, or for its packet, and then goes before the next message.
#[test]
fn acknowledgements_go_first_but_do_not_interrupt() {
    let listed = |waits_for: u32| {
        let last = (3, 4, 64, vec![(waits_for, Moment::Acknowledged)]);
        vec![(0, 1, 4096, vec![]), (0, 2, 4096, vec![]), (3, 0, 64, vec![]), last]
    };
    let free = |switching: &str| {
        format!("topology=xgft,m=6,w=1 routing=d_mod_k bandwidth=10Gbps {ZERO} {switching}")
    };
    // The message of one flit arrives after that; its acknowledgement leaves at 64 flits, so the
    // second message, that is acknowledged in turn, ends one flit later than it would without.
    let worms = run(setup(&free(WORMS), list(6, &listed(2))));
    assert_eq!(completion(&worms), Time::ps((64 + 1 + 64 + 1) * FLIT));
    assert_eq!(worms.latency.max, Some(Time::ps(129 * FLIT)));
    // A packet is of eight flits: the acknowledgement leaves at 8 and arrives at 9, and the message
    // after it arrives at 10.
    let packets = run(setup(&free(PACKETS), list(6, &listed(2))));
    assert_eq!(completion(&packets), Time::ps((64 + 1 + 64 + 1) * FLIT));
    let only =
        [(0, 1, 4096, vec![]), (3, 0, 64, vec![]), (3, 4, 40_960, vec![(1, Moment::Acknowledged)])];
    let packets = run(setup(&free(PACKETS), list(6, &only)));
    assert_eq!(completion(&packets), Time::ps((8 + 1 + 640 + 1) * FLIT));
    let worms = run(setup(&free(WORMS), list(6, &only)));
    assert_eq!(completion(&worms), Time::ps((64 + 1 + 640 + 1) * FLIT));
}

#[test]
fn what_stays_within_an_endpoint_takes_no_time() {
    let own = [
        (0, 0, 1_000_000, vec![]),
        (0, 0, 5, vec![(0, Moment::Sent)]),
        (0, 0, 5, vec![(1, Moment::Delivered)]),
        (0, 0, 5, vec![(2, Moment::Acknowledged)]),
    ];
    let report = on_star(WORMS, &own);
    assert_eq!(completion(&report), Time::ZERO);
    assert_eq!((report.messages, report.packets, report.effective_throughput), (4, 0, None));
    // Two ranks on one endpoint.
    let base = setup(
        &star(WORMS),
        list(6, &[(0, 1, 64, vec![]), (1, 2, 64, vec![(0, Moment::Delivered)])]),
    );
    let mut placement = base.placement.to_vec();
    placement[1] = placement[0];
    let report = run(ExchangeSetup { placement: placement.into(), ..base });
    assert_eq!(completion(&report), Time::ps(ACROSS + FLIT));
}

/// All go half-way around a ring at once: with one virtual channel they wait for each other.
#[test]
fn messages_that_wait_for_each_other_are_told() {
    for model in MODELS {
        for switching in [
            "wormhole,flit=64B packet=4KiB buffer=512B,per=vc output_buffer=512B",
            "cut_through packet=512B buffer=1KiB,per=vc output_buffer=512B",
        ] {
            for (channels, deadlocks) in [("virtual_channels=1", true), ("", false)] {
                let text = format!(
                    "topology=torus,widths=6,p=1 routing=dimension_order switch={model} {channels} \
                     switching={switching}"
                );
                let shift: Vec<Listed> =
                    (0..6).map(|rank| (rank, (rank + 3) % 6, 100_000, vec![])).collect();
                let report = run(setup(&text, list(6, &shift)));
                assert_eq!(report.deadlock.is_some(), deadlocks, "{text}");
                assert_eq!(report.completion.is_none(), deadlocks, "{text}");
                assert!(!report.stuck);
                let cycle = report.deadlock.unwrap_or_default();
                assert!(!deadlocks || cycle.len() >= 2, "{text}: {cycle:?}");
                for (waiting, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    assert_eq!(waiting.needs, next.holds, "{text}");
                }
            }
        }
    }
}

/// An endpoint without a cable neither sends nor receives.
#[test]
fn what_can_never_be_sent_leaves_the_exchange_stuck() {
    let text = format!("{} faults=list,endpoint=3", star(WORMS));
    for listed in
        [[(0, 3, 64, vec![]), (0, 1, 64, vec![])], [(3, 0, 64, vec![]), (0, 1, 64, vec![])]]
    {
        let base = setup(&text, list(6, &listed));
        let placement = base.network.endpoints().collect();
        let report = run(ExchangeSetup { placement, ..base });
        assert!(report.stuck && report.deadlock.is_none() && report.completion.is_none());
        assert_eq!(report.messages, 1);
    }
}
