//! Models of switches against queueing theory, brute force and each other.

use dragontree::random::Stream;
use dragontree::scenario::{Experiment, Step, Study};
use dragontree::simulation::{Progress, Report, Setup, Simulation};
use dragontree::traffic::Destinations;
use dragontree::units::{Bytes, Load, Rank, Time};
use proptest::prelude::*;
use proptest::sample::select;

const MODELS: &[&str] = &["voq", "fifo_inputs", "output_buffered", "input_output_buffered"];

/// The setup of a study's only run.
fn setup(text: &str) -> Setup {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    Experiment::build(plan.jobs[0].scenario(), None).expect(text).setup()
}

fn run(setup: Setup) -> Report {
    let mut simulation = Simulation::new(setup);
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

fn plain(setup: Setup) -> Report {
    let mut simulation = Simulation::plain(setup);
    while simulation.advance(1_000_000) != Progress::Done {}
    simulation.report()
}

/// What a switch with one queue per input carries when all of these are full, slot by slot: every
/// output takes one of the packets that are first in their queues and meant for it, at random.
fn first_in_first_out(ports: u32, to_itself: bool, slots: u32) -> f64 {
    let mut stream = Stream::new(7, "test", u64::from(ports));
    let draw = |input: u32, stream: &mut Stream| match to_itself {
        true => stream.below(ports),
        false => {
            let other = stream.below(ports - 1);
            other + u32::from(other >= input)
        }
    };
    let mut wanted: Vec<u32> = (0..ports).map(|input| draw(input, &mut stream)).collect();
    let mut carried = 0_u64;
    for _ in 0..slots {
        let mut order: Vec<u32> = (0..ports).collect();
        stream.shuffle(&mut order);
        let mut winners: Vec<Option<u32>> = vec![None; ports as usize];
        for input in order {
            winners[wanted[input as usize] as usize].get_or_insert(input);
        }
        for input in winners.into_iter().flatten() {
            carried += 1;
            wanted[input as usize] = draw(input, &mut stream);
        }
    }
    carried as f64 / f64::from(ports) / f64::from(slots)
}

/// Karol, Hluchyj & Morgan 1987, Table I: what a switch of `N` inputs and outputs carries at most, one
/// FIFO at each input, each packet to any output with equal probability. Many carry `2 - √2`.
const PUBLISHED: [(u32, f64); 8] = [
    (1, 1.0000),
    (2, 0.7500),
    (3, 0.6825),
    (4, 0.6553),
    (5, 0.6399),
    (6, 0.6302),
    (7, 0.6234),
    (8, 0.6184),
];

#[test]
fn brute_force_finds_the_published_saturation() {
    for (ports, published) in PUBLISHED.into_iter().chain([(512, 0.5858)]) {
        let found = first_in_first_out(ports, true, 2_000_000 / ports);
        assert!((found - published).abs() < 0.002, "{ports}: {found}, not {published}");
    }
}

#[test]
fn first_in_first_out_inputs_saturate_as_brute_force_says() {
    for ports in [3, 4, 8, 16, 32, 64] {
        let text = format!(
            "topology=xgft,m={ports},w=1 routing=d_mod_k switch=fifo_inputs load=1 warmup=500us \
             window={}us",
            51_200 / ports
        );
        let report = run(setup(&text));
        let expected = first_in_first_out(ports, false, 2_000_000 / ports);
        assert!((report.accepted / expected - 1.0).abs() < 0.005, "{ports}: {}", report.accepted);
        assert!(report.saturated);
    }
}

/// What a switch with FIFOs at its inputs carries of the rate of its links, and the half-width of the
/// 95 % interval, where so many endpoints send to as many others, to each with equal probability: the
/// switch of Karol, Hluchyj & Morgan, in which an input may send to the output of its own number.
fn inputs_to_outputs(ports: u32) -> (f64, f64) {
    let all = f64::from(ports);
    let shares = |rank: u32| match rank < ports {
        true => (ports..2 * ports).map(|to| (Rank(to), 1.0 / all)).collect(),
        false => Vec::new(),
    };
    let destinations = Destinations::Weighted((0..2 * ports).map(shares).collect());
    let text = format!(
        "topology=xgft,m={},w=1 routing=d_mod_k switch=fifo_inputs load=1 warmup=500us \
         window={}us",
        2 * ports,
        102_400 / ports
    );
    let report = run(Setup { destinations: destinations.into(), ..setup(&text) });
    assert!(report.saturated || ports == 1, "{ports}");
    // Half of all endpoints receive.
    (2.0 * report.accepted, 2.0 * report.accepted_interval.expect("an interval"))
}

/// The published numbers lie within the intervals of runs, but for what they have been rounded by. Eleven
/// intervals of many batches hold at once with 95 % when each is 1.45 times as wide as for 95 %
/// (Bonferroni). What `N` ports carry beyond the limit of many falls faster than `1 / N` over the whole
/// table: at 16, 32 and 64 ports it is at most what that leaves of the excess at 8, which is between 0.5858
/// and 0.5899 at 64.
#[test]
fn first_in_first_out_inputs_carry_what_is_published() {
    const ROUNDING: f64 = 0.000_05;
    let limit = 2.0 - 2.0_f64.sqrt();
    let excess = PUBLISHED.map(|(ports, published)| f64::from(ports) * (published - limit));
    assert!(excess.windows(2).all(|pair| pair[1] < pair[0]), "{excess:?}");
    for (ports, published) in PUBLISHED {
        let (found, half) = inputs_to_outputs(ports);
        assert!(half < 0.001, "{ports}: {half}");
        let off = (found - published).abs();
        assert!(off <= 1.45 * half + ROUNDING, "{ports}: {found} ± {half}, not {published}");
    }
    for ports in [16, 32, 64] {
        let (found, half) = inputs_to_outputs(ports);
        assert!(half < 0.001, "{ports}: {half}");
        let most = limit + excess[7] / f64::from(ports) + ROUNDING;
        let (low, high) = (found - 1.45 * half, found + 1.45 * half);
        assert!(limit < high && low <= most, "{ports}: {found} ± {half}, at most {most}");
    }
}

/// Queues at the outputs, or virtual ones at the inputs, carry nearly everything.
#[test]
fn others_do_not_block() {
    for model in ["voq", "output_buffered", "input_output_buffered"] {
        let text = format!(
            "topology=xgft,m=32,w=1 routing=d_mod_k switch={model} load=1 warmup=100us window=500us"
        );
        let report = plain(setup(&text));
        assert!(report.accepted > 0.98, "{model}: {}", report.accepted);
    }
}

/// Everybody sends to the last of so many endpoints.
fn to_the_last(text: &str, endpoints: u32) -> Setup {
    let last = endpoints - 1;
    let chosen = |rank| (rank < last).then_some(Rank(last));
    let destinations = Destinations::Fixed((0..endpoints).map(chosen).collect());
    let base = setup(&format!("topology=xgft,m={endpoints},w=1 routing=d_mod_k {text}"));
    Setup { destinations: destinations.into(), ..base }
}

/// Inputs that are always full take exact turns at an output that is never idle, so nothing is left to
/// chance: in any window each sends as many packets as any other or one more, and its share is known to
/// less than one packet of about 4,900 (2,400). Counts of `k` and `k + 1` have a variance of at most a
/// quarter, and Jain's index is then at least `1 - 1 / 4k²`.
#[test]
fn saturated_inputs_get_equal_shares_in_every_model() {
    for model in MODELS {
        for (switching, slot) in [("cut_through", 20.48), ("wormhole,flit=64B packet=512B", 40.96)]
        {
            for inputs in [2_u32, 3, 5, 8, 16, 24, 33, 64] {
                let text = format!("switch={model} switching={switching} load=1");
                let report = plain(Setup {
                    warmup: Some(Time::us(400)),
                    window: Some(Time::us(100 * u64::from(inputs))),
                    ..to_the_last(&text, inputs + 1)
                });
                let share = 100_000.0 / slot;
                let worst = report.worst_source * f64::from(inputs) * share;
                assert!((worst - share).abs() < 1.0, "{text}: {worst} packets, not {share}");
                let unfair = 1.0 - report.fairness.expect("an index");
                let fewest = share.floor();
                assert!(unfair <= 0.25 / (fewest * fewest) + 1e-12, "{text}: {unfair}");
            }
        }
    }
}

/// An output serves whole packets in the order of their arrival in every model: the mean wait is that
/// of an M/D/1 queue, `ρ / 2(1 - ρ)` packets, less one part in `N` because none of the `N` sources
/// waits for itself (Karol, Hluchyj & Morgan 1987). Flits of different packets that took turns
/// would wait up to twice as long. Eight intervals hold at once with 95 % when each is 1.4 times as
/// wide as for 95 % (Bonferroni).
#[test]
fn an_output_waits_as_an_md1_queue_in_every_model() {
    const SOURCES: u32 = 500;
    const SEEDS: u32 = 4;
    for model in MODELS {
        for (switching, bytes, utilization) in
            [("cut_through packet=256B", 256, 0.7), ("wormhole,flit=128B packet=512B", 512, 0.5)]
        {
            let text = format!("switch={model} switching={switching} buffer=1MB output_buffer=1MB");
            let packet = f64::from(bytes) * 0.08;
            let (mut waits, mut squares) = (0.0, 0.0);
            for seed in 1..=SEEDS {
                let report = plain(Setup {
                    load: Load::ppm((utilization * 1e6) as u32 / SOURCES),
                    warmup: Some(Time::us(200)),
                    window: Some(Time::us(8_000)),
                    seed: seed.into(),
                    ..to_the_last(&text, SOURCES + 1)
                });
                waits += report.latency.mean_ns.expect("packets") - (200.0 + packet);
                let half = report.latency_interval_ns.expect("an interval");
                squares += half * half;
            }
            let (wait, half) = (waits / f64::from(SEEDS), squares.sqrt() / f64::from(SEEDS));
            let others = f64::from(SOURCES - 1) / f64::from(SOURCES);
            let expected = others * packet * utilization / (2.0 * (1.0 - utilization));
            let found = format!("{text}: {wait} ± {half}, not {expected}");
            assert!(half < 0.04 * expected, "{found}");
            assert!((wait - expected).abs() < 1.4 * half, "{found}");
        }
    }
}

const FABRICS: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2 load=0.5",
    "topology=dragonfly,p=2,a=4,h=2 load=1",
    "topology=dragonfly,p=2,a=4,h=2 load=1 virtual_channels=1",
    "topology=xgft,m=4.2.4,w=1.2.2 routing=d_mod_k load=0.9 bandwidth=100Gbps,level2=40Gbps",
    "topology=torus,widths=5,p=2 routing=dimension_order load=1 virtual_channels=1",
    "topology=slim_fly,q=3 load=0.7 latency=0ns",
];

/// A packet of a single flit moves whole.
#[test]
fn worms_of_one_flit_are_packets() {
    for model in MODELS {
        for fabric in FABRICS {
            for sizes in ["", "buffer=512B,per=vc output_buffer=1KiB"] {
                let text = format!("{fabric} {sizes} switch={model} warmup=2us window=20us");
                let whole = plain(setup(&text));
                let worms = plain(setup(&format!("{text} switching=wormhole,flit=256B")));
                assert_eq!(whole, worms, "{text}");
            }
        }
    }
}

/// With one virtual channel and room for all in the next buffers it makes no difference whether an
/// output queue has room of its own; nor does it with as many channels as packets can use.
#[test]
fn room_in_the_output_matters_only_when_the_next_buffer_is_full() {
    let text = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=0.8 buffer=100MB output_buffer=100MB \
                warmup=2us window=50us";
    let shared = plain(setup(text));
    let own = plain(setup(&format!("{text} switch=input_output_buffered")));
    assert_eq!(shared.latency, own.latency);
    assert_eq!(shared.packets, own.packets);
}

/// A ring with one virtual channel closes a cycle of waiting packets, each of which needs the buffer
/// that the next one holds; with two it does not, nor does a line with one.
#[test]
fn a_ring_with_one_virtual_channel_deadlocks_in_every_model() {
    for model in MODELS {
        for switching in [
            "cut_through buffer=256B,per=vc output_buffer=256B",
            "wormhole buffer=512B,per=vc output_buffer=512B packet=256B",
            "wormhole buffer=512B,per=vc output_buffer=512B packet=4KiB",
        ] {
            for (fabric, deadlocks) in [
                ("topology=torus,widths=6,p=1 virtual_channels=1", true),
                ("topology=torus,widths=6,p=1", false),
                ("topology=mesh,widths=6,p=1 virtual_channels=1", false),
            ] {
                let text = format!(
                    "{fabric} routing=dimension_order traffic=shift,by=3 load=1 switch={model} \
                     switching={switching} window=100us"
                );
                let report = run(setup(&text));
                assert_eq!(report.deadlock.is_some(), deadlocks, "{text}");
                let cycle = report.deadlock.unwrap_or_default();
                for (waiting, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    assert_eq!(waiting.needs, next.holds, "{text}");
                }
                assert!(!deadlocks || cycle.len() >= 2, "{text}: {cycle:?}");
                assert!(deadlocks || report.worst_source > 0.0, "{text}: {}", report.worst_source);
            }
        }
    }
}

/// In a ring whose packets all close the circle nothing is delivered from the time on that is told as
/// the end of progress, but shortly before something is, unless it was at the very beginning.
#[test]
fn the_time_at_which_progress_stopped_is_told() {
    for model in MODELS {
        for switching in [
            "cut_through buffer=16KiB,per=vc output_buffer=16KiB",
            "wormhole buffer=512B,per=vc output_buffer=512B packet=256B",
        ] {
            let text = format!(
                "topology=torus,widths=6,p=1 routing=dimension_order virtual_channels=1 \
                 traffic=shift,by=3 load=1 switch={model} switching={switching}"
            );
            let base = setup(&text);
            let cycle = run(base.clone()).deadlock.expect(&text);
            let since = cycle.iter().map(|waiting| waiting.since).max().expect("somebody waits");
            let packets = |warmup: Time, window: Time| {
                run(Setup { warmup: Some(warmup), window: Some(window), ..base.clone() }).packets
            };
            let way = Time::us(1);
            let lasted = since > way;
            assert!(lasted || switching.starts_with("wormhole"), "{text}: {since:?}");
            assert!(!lasted || packets(since.saturating_sub(way), way) > 0, "{text}: {since:?}");
            assert_eq!(packets(Time::ps(since.as_ps() + way.as_ps()), way), 0, "{text}: {since:?}");
        }
    }
}

/// What a deadlocked run accepts is counted until nothing moved any more, however long it was to go on: as
/// in a run whose window ends there. Channels that nothing goes over do not matter, however slow.
#[test]
fn a_deadlocked_run_is_measured_until_it_stopped() {
    let ring = "topology=torus,widths=6,p=1 traffic=shift,by=3 buffer=16KiB,per=vc";
    let rings = "topology=torus,widths=8.2,p=1 traffic=tornado latency=50ns,dimension2=1ms";
    let slow = format!("{ring} adapter_latency=5us");
    for (model, text) in MODELS.iter().flat_map(|model| [ring, rings, &slow].map(|it| (model, it)))
    {
        let text = format!(
            "{text} routing=dimension_order virtual_channels=1 load=1 switch={model} \
             output_buffer=16KiB"
        );
        let of = |window: Time| {
            run(Setup { warmup: Some(Time::ZERO), window: Some(window), ..setup(&text) })
        };
        let lengths = [Time::us(200), Time::us(500), Time::us(3000)];
        let reports = lengths.map(of);
        for report in &reports {
            let cycle = report.deadlock.as_ref().expect(&text);
            let stopped = cycle.iter().map(|waiting| waiting.since).max().expect("somebody waits");
            let end = report.warmup + report.window;
            // Those that the last ones sent make way for move on a little.
            let soon = stopped + Time::us(7);
            assert!(stopped <= end && end < soon, "{text}: {stopped:?}, {end:?}");
            assert!(report.utilization.iter().all(|busy| *busy <= 1.0), "{text}");
            assert!(report.packets > 0 && !report.settled && report.accepted_interval.is_none());
            assert_eq!((report.packets, report.window), (reports[0].packets, reports[0].window));
        }
        // The batches of such a short window end while packets are in slow adapters.
        let beyond = Time::ps(reports[0].window.as_ps() + 1);
        let whole = of(beyond).packets;
        assert!(whole == reports[0].packets || text.contains("adapter"), "{text}: {whole}");
    }
}

#[test]
fn a_window_without_packets_is_not_settled() {
    let report = run(setup("topology=dragonfly load=0.000001 warmup=1us window=1us"));
    assert_eq!((report.packets, report.settled), (0, false));
    assert_eq!((report.accepted_interval, report.fairness), (None, None));
    assert_eq!(report.latency_interval_ns, None);
}

/// The input buffer of a switch with FIFO inputs is freed as the packet's last bit leaves it, so a
/// buffer of one packet still takes turns with the link: at 2·50 + 100 ns on the way and 20.48 ns of
/// packet, one packet in 220.48 ns.
#[test]
fn one_credit_is_one_packet_per_round_trip() {
    for model in MODELS {
        let text = format!("switch={model} buffer=256B,per=vc load=1 warmup=10us window=220480ns");
        let report = plain(to_the_last(&text, 2));
        let packets = report.packets as f64;
        assert!((packets - 1000.0).abs() <= 1.0, "{model}: {packets}");
    }
}

/// Below one round trip plus a packet, a virtual channel carries its buffer's share of that, and the
/// results say so. Here 2·50 + 100 ns at 100 Gbit/s are 2500 B, and a packet 256 B.
#[test]
fn a_buffer_below_one_round_trip_and_a_packet_is_told() {
    for packets in 1..=12_u32 {
        let text = format!(
            "topology=torus,widths=4,p=1 routing=dimension_order traffic=shift,by=1 load=1 \
             virtual_channels=1 buffer={}B,per=vc warmup=10us window=200us",
            256 * packets
        );
        let plan = Study::parse(&text).expect(&text).plan().expect(&text);
        let mut running = plan.jobs[0].start(None).expect(&text);
        while running.advance(1_000_000) != Ok(Step::Done) {}
        let metrics = running.record(0.0).and_then(|record| record.metrics).expect("results");
        let share = (f64::from(256 * packets) / 2756.0).min(1.0);
        assert!((metrics.accepted - share).abs() < 0.001, "{packets}: {}", metrics.accepted);
        match metrics.short_buffer {
            Some(short) => {
                assert_eq!((short.bytes, short.needed), (u64::from(256 * packets), 2756));
                assert_eq!(short.round_trip_ns, 200.0);
                assert!(packets <= 10 && short.to_string().contains("2756B"), "{short}");
            }
            None => assert!(packets >= 11, "{packets}"),
        }
    }
}

/// By hand, 512 B from 40 to 100 to 40 Gbit/s over two switches: whole, the packet waits at the first
/// switch until it can go on without a gap; in flits of 64 B only its first flit does.
#[test]
fn flits_cross_links_of_different_rates_as_they_come() {
    let text = "topology=torus,widths=5,p=1 routing=dimension_order traffic=shift,by=1 packet=512B \
                bandwidth=100Gbps,endpoint=40Gbps load=0.3 warmup=1us window=100us";
    for model in MODELS {
        for (switching, nanoseconds) in [("cut_through", 513.84), ("wormhole,flit=64B", 460.08)] {
            let text = format!("{text} switch={model} switching={switching}");
            let plan = Study::parse(&text).expect(&text).plan().expect(&text);
            let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(&text);
            let expected = Time::ps((nanoseconds * 1000.0_f64).round() as u64);
            let report = plain(experiment.setup());
            assert_eq!(report.latency.max, Some(expected), "{text}");
            assert_eq!(report.latency.median, Some(expected), "{text}");
            assert!((experiment.analysis().report.zero_load_ns - nanoseconds).abs() < 1e-9);
        }
    }
}

const RANDOM: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2",
    "topology=dragonfly,p=1,a=4,h=2 virtual_channels=1",
    "topology=xgft,m=4.2.4,w=1.2.2 routing=dynamic_random",
    "topology=xgft,m=4.4,w=1.2 routing=d_mod_k latency=0ns switch_latency=0ns",
    "topology=torus,widths=4.4,p=1 routing=min_hop virtual_channels=1",
    "topology=torus,widths=5,p=2 routing=dimension_order",
    "topology=hyperx,widths=3.3,p=2 bandwidth=100Gbps,endpoint=40Gbps,dimension1=25Gbps",
    "topology=mesh,widths=3.4,p=1 routing=up_down faults=random,links=1,seed=3",
];
const SIZES: &[&str] = &[
    "",
    "buffer=256B,per=vc output_buffer=256B",
    "buffer=1KiB,per=vc output_buffer=512B",
    "buffer=2KiB,per=port output_buffer=4KiB",
];
const SWITCHING: &[&str] = &[
    "cut_through",
    "wormhole packet=256B",
    "wormhole packet=4KiB",
    "wormhole,flit=256B packet=512B",
];

/// What holds of a run in which nothing is lost or made, besides what the engine itself looks at.
fn is_whole(setup: Setup, run: impl Fn(Setup) -> Report) -> Result<(), TestCaseError> {
    // A packet counts where its last bit arrives: each endpoint may end one that began before.
    let ends = setup.placement.iter().filter_map(|endpoint| setup.network.injection(*endpoint));
    let slowest = ends.filter_map(|port| setup.network.channel(port));
    let packet = slowest.map(|channel| channel.serialization(setup.packet).as_ns());
    let most = 1.001 + packet.fold(0.0, f64::max) / 20_000.0;
    let report = run(setup);
    prop_assert!(report.accepted <= most && report.max_utilization <= 1.001);
    prop_assert!(report.packet_hops > 0);
    if let Some(cycle) = report.deadlock {
        for (waiting, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            prop_assert_eq!(waiting.needs, next.holds);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..Default::default() })]

    /// Every packet that was generated is delivered, in the network or queued, and every buffer holds
    /// what its credits say: in a build with debug assertions, as tests are, both engines look at both
    /// at the end of every batch. The fast one runs the same scenario with whole packets in the default
    /// switch.
    #[test]
    fn nothing_is_lost_or_made(
        fabric in select(RANDOM),
        sizes in select(SIZES),
        switching in select(SWITCHING),
        model in select(MODELS),
        traffic in select(&["uniform", "shift,by=1", "shift,by=5", "bit_complement"][..]),
        load in select(&["0.1", "0.6", "1"][..]),
        seed in 1_u32..1000,
    ) {
        let work = format!("traffic={traffic} load={load} seed={seed} warmup=1us window=20us");
        let text = format!("{fabric} {sizes} switch={model} switching={switching} {work}");
        is_whole(setup(&text), plain)?;
        is_whole(setup(&format!("{fabric} {sizes} {work}")), run)?;
    }
}

#[test]
fn sizes_that_cannot_be_are_refused_by_name() {
    let refused = |text: &str| {
        let plan = Study::parse(text).expect(text).plan().expect(text);
        let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect(text);
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let odd = refused("switching=wormhole,flit=60B packet=256B");
    assert!(odd.contains("packet: “256B”") && odd.contains("flits of 60B"), "{odd}");
    let small = refused("switching=wormhole,flit=1KiB packet=4KiB buffer=512B");
    assert!(small.contains("buffer: “512B”") && small.contains("flit of 1KiB"), "{small}");
    assert!(Bytes(4096) > setup("switching=wormhole packet=4KiB buffer=1KiB,per=vc").buffer);
}
