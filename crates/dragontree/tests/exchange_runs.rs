//! Exchanges as studies run them: from the text to the record.

use dragontree::catalog::Files;
use dragontree::scenario::{ExchangeMetrics, MetricKind, Record, Step, Study};

fn records(text: &str) -> Vec<Record> {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let run = |job: &dragontree::scenario::Job| {
        let mut running = job.start(None).expect(text);
        while running.advance(1 << 20).expect(text) != Step::Done {}
        running.record(0.0).expect(text)
    };
    plan.jobs.iter().map(run).collect()
}

fn exchange(text: &str) -> ExchangeMetrics {
    *records(text).remove(0).exchange.expect(text)
}

/// The first sentence that refuses a text.
fn refusal(text: &str) -> String {
    let problems = match Study::parse(text).map_err(|problems| problems.problems) {
        Err(problems) => problems,
        Ok(study) => match study.plan() {
            Err(problems) => problems,
            Ok(plan) => plan.jobs[0].start(None).err().expect(text),
        },
    };
    problems[0].to_string()
}

/// The document's switch and links (Prisacari 2020, §2.5), without latencies.
const SWITCH: &str = "bandwidth=10Gbps latency=0ns switch_latency=0ns adapter_latency=0ns \
                      switch=output_buffered switching=wormhole buffer=4KiB output_buffer=4KiB";

/// Ideal times in microseconds of 4 KiB messages on full trees: the sum of Prisacari 2020, §2.5.1, with
/// 64-byte flits at 10 Gb/s. XOR meets no contention on a full tree under D-mod-K, so it takes that.
#[test]
fn an_exchange_without_contention_takes_the_ideal_time() {
    for (tree, ideal) in
        [("m=4.2.2,w=1.4.2", 49.920), ("m=4.4.2,w=1.4.4", 103.168), ("m=8.4.2,w=1.8.4", 209.664)]
    {
        let text = format!(
            "topology=xgft,{tree} routing=d_mod_k exchange=all_to_all,order=xor bytes=4KiB {SWITCH}"
        );
        let found = exchange(&text);
        assert_eq!(found.ideal_ns, Some(ideal * 1e3), "{text}");
        assert_eq!(found.completion_ns, Some(ideal * 1e3), "{text}");
    }
}

/// On routes without contention, of messages and acknowledgements alike, all ranks stay in the same
/// phase if each takes part in every one (Prisacari 2020, §2.2: "a process sends a message to itself as
/// well"): N phases of a message of 4 KiB and its acknowledgement of 64 B at 10 Gb/s on trees of half
/// bisection, whatever the engine's switch; the ideal time has N - 1 of them.
#[test]
fn the_optimal_exchange_on_optimal_routes_takes_as_many_phases_as_there_are_ranks() {
    for (tree, ranks) in
        [("m=8.2,w=1.4", 16.0), ("m=4.4.2,w=1.4.2", 32.0), ("m=8.4.2,w=1.8.2", 64.0)]
    {
        let text = format!(
            "topology=xgft,{tree} routing=pattern_specific exchange=all_to_all,order=opt,own=sent \
             bytes=4KiB {SWITCH}"
        );
        let found = exchange(&text);
        let phase = (4096.0 + 64.0) * 8.0 / 10.0;
        assert_eq!(found.completion_ns, Some(ranks * phase), "{text}");
        assert_eq!(found.ideal_ns, Some((ranks - 1.0) * phase), "{text}");
        assert_eq!(found.messages, (ranks * ranks) as u64);
    }
}

/// With latencies phases keep apart where a far message arrives before a near one's acknowledgement
/// has let the next message into the adapter of the rank that is to acknowledge it: t_far + 3a
/// against 2·t_near + 5a. On this tree near is two links of 50 ns and a switch of 100 ns, far six links
/// and five switches, so that adapters of 200 ns do.
#[test]
fn optimal_routes_need_phases_that_keep_apart() {
    let relative = |adapter: &str| {
        let found = exchange(&format!(
            "topology=xgft,m=4.4.2,w=1.4.2 routing=pattern_specific packet=2KiB bytes=16KiB \
             exchange=all_to_all,order=opt,own=sent adapter_latency={adapter}"
        ));
        found.completion_ns.expect("it ends") / found.ideal_ns.expect("a tree has one")
    };
    for adapter in ["0ns", "100ns", "190ns"] {
        assert!(relative(adapter) > 1.1, "{adapter}");
    }
    for adapter in ["200ns", "210ns", "500ns"] {
        assert!(relative(adapter) < 32.0 / 31.0 + 1e-3, "{adapter}");
    }
}

/// Every rank of 16 sends 15 messages of 8 KiB in four packets over a link of 100 Gb/s: 9.8304 µs at
/// least.
#[test]
fn the_endpoints_links_bound_the_time_of_an_unhindered_exchange() {
    let found = exchange("topology=xgft,m=16,w=1 exchange=all_to_all packet=2KiB");
    assert_eq!(found.bound_ns, Some(9830.4));
    assert_eq!((found.messages, found.of_messages), (240, 240));
    assert_eq!(found.bytes, 240 * 8192);
    assert_eq!(found.packets, 960);
    // Packets and as many acknowledgements as messages, each through the only switch.
    assert_eq!(found.packet_hops, 960 + 240);
    let throughput = 9830.4 / found.completion_ns.expect("it ends");
    assert!((found.effective_throughput.expect("it ends") - throughput).abs() < 1e-9);
}

/// With what ranks send to themselves, the link to each of four endpoints carries four messages of 8 KiB,
/// 655.36 ns each; in a tree, that between its two switches of four all sixteen that cross it.
#[test]
fn own_messages_make_the_endpoints_links_busier() {
    let star = exchange("topology=xgft,m=4,w=1 exchange=all_to_all,own=sent,acks=no");
    assert_eq!(star.bound_ns, Some(2621.44));
    assert!(star.completion_ns.expect("it ends") >= 2621.44);
    assert_eq!(star.busiest.as_deref(), Some("switch 0 of level 1 to endpoint 0"));
    // What shares the link does so without own messages, so that it is not told.
    assert!(!star.why.expect("it ends").contains("flows"));
    let tree = exchange("topology=xgft,m=4.2,w=1.1 exchange=all_to_all,own=sent");
    assert_eq!(tree.bound_ns, Some(10485.76));
    let why = tree.why.expect("it ends");
    assert!(why.contains("At full rate 16 flows share it") && why.contains("most of it"), "{why}");
    // The links to the endpoints carry three quarters as much as that to the root, or as much with own.
    let equal = exchange("topology=xgft,m=2.2,w=1.1 exchange=all_to_all,own=sent");
    assert_eq!(equal.bound_ns, Some(2621.44));
}

/// Eight ranks on four endpoints: of 56 messages of 8 KiB 48 leave their endpoints, by links of 100 Gb/s,
/// where each takes 655.36 ns. The others take no time and no link.
#[test]
fn messages_within_endpoints_are_neither_throughput_nor_latency() {
    let text = "topology=xgft,m=4,w=1 ranks_per_endpoint=2 exchange=all_to_all packet=2KiB";
    let found = exchange(text);
    assert_eq!((found.messages, found.bytes), (56, 56 * 8192));
    let rate = 4.0 * 100.0 * found.completion_ns.expect("it ends");
    let throughput = 48.0 * 8192.0 * 8.0 / rate;
    assert!((found.effective_throughput.expect("it ends") - throughput).abs() < 1e-9);
    assert!(found.latency_min_ns.is_some_and(|least| least > 655.36), "{found:?}");
    // All but the leaders' messages stay within.
    let text = "topology=xgft,m=4.4,w=1.4 ranks_per_endpoint=64 exchange=broadcast,between=leaders";
    assert!(exchange(text).effective_throughput.is_some_and(|share| share < 1.0));
}

/// Two links carry everything between two switches of eight endpoints each: from each side 64
/// messages of 8 KiB, on each link 32, at 100 Gb/s.
#[test]
fn the_busiest_channel_bounds_the_time_of_an_exchange() {
    let text = "topology=xgft,m=8.2,w=1.2 routing=d_mod_k exchange=all_to_all packet=2KiB";
    let found = exchange(text);
    let expected = 32.0 * 8192.0 * 8.0 / 100.0;
    assert!((found.bound_ns.expect("known") - expected).abs() < 1e-3, "{found:?}");
    assert!(found.completion_ns.expect("it ends") > expected);
}

/// A ring in which every rank sends one message each way at once: a link carries two of them.
#[test]
fn a_list_of_messages_is_bounded_by_what_ranks_send() {
    let text = "topology=xgft,m=8,w=1 exchange=ring,order=natural bytes=1KiB packet=1KiB";
    let found = exchange(text);
    assert_eq!(found.messages, found.of_messages);
    let per_rank = found.bytes as f64 / 8.0;
    assert!((found.bound_ns.expect("known") - per_rank * 8.0 / 100.0).abs() < 1e-6, "{found:?}");
    assert_eq!(found.ideal_ns, None);
}

/// Every two ranks of a tree of two levels at a time, in an empty network: over one switch or three, of
/// 100 ns, and links of 50 ns; 1000 bytes take 80 ns to leave. Each of eight ranks has three others on its
/// switch and four elsewhere.
#[test]
fn ping_pong_measures_the_empty_network() {
    let found = exchange(
        "topology=xgft,m=4.2,w=1.4 routing=d_mod_k exchange=ping_pong bytes=1kB packet=1kB",
    );
    let [near, far] = [50.0 + 100.0 + 50.0 + 80.0, 50.0 + 3.0 * 150.0 + 80.0];
    assert_eq!(found.messages, 56);
    assert_eq!((found.latency_min_ns, found.latency_ns.max), (Some(near), Some(far)));
    let mean = (3.0 * near + 4.0 * far) / 7.0;
    assert!((found.latency_ns.mean.expect("measured") - mean).abs() < 1e-6);
    assert!((found.completion_ns.expect("it ends") - 56.0 * mean).abs() < 1e-6);
    let rates = found.rank_bandwidth.expect("of ping-pong");
    for (rate, time) in [(rates.min, far), (rates.mean, mean), (rates.max, near)] {
        assert!((rate - 1e6 / time).abs() < 1e-6, "{rates:?}");
    }
}

/// On one switch no order of the ring waits for anything: twice 280 ns for 1000 bytes each.
#[test]
fn a_rank_of_a_ring_sends_two_messages_in_its_time() {
    for order in ["natural", "random"] {
        let text =
            format!("topology=xgft,m=8,w=1 exchange=ring,order={order} bytes=1kB packet=1kB");
        let found = exchange(&text);
        assert_eq!(found.completion_ns, Some(560.0));
        let rates = found.rank_bandwidth.expect("of a ring");
        assert!((rates.mean - 2e6 / 560.0).abs() < 1e-6 && rates.min == rates.max, "{rates:?}");
    }
}

/// Twenty rings on a slimmed tree: each run has the bandwidth of its own ring, and the figure's numbers are
/// the least, the mean and the most of these, as HPCC reports them.
#[test]
fn random_rings_are_pooled_over_their_seeds() {
    let text = "topology=xgft,m=4.4,w=1.2 routing=d_mod_k exchange=ring,order=random seeds=20 \
                bytes=64KiB packet=2KiB";
    let records = records(text);
    assert_eq!(records.len(), 20);
    let own = |record: &Record| {
        let exchange = record.exchange.as_ref().expect(text);
        let time = exchange.completion_ns.expect(text);
        let rates = exchange.rank_bandwidth.expect(text);
        assert!((rates.mean - 2.0 * 65_536e3 / time).abs() < 1e-6, "{rates:?}");
        assert!(rates.min == rates.mean && rates.mean == rates.max, "{rates:?}");
        rates.mean
    };
    let each: Vec<f64> = records.iter().map(own).collect();
    let pooled = |kind: MetricKind| {
        let values: Vec<f64> = records.iter().filter_map(|record| kind.value(record)).collect();
        assert_eq!(values, each);
        kind.pooled(&values)
    };
    let least = each.iter().copied().fold(f64::INFINITY, f64::min);
    let most = each.iter().copied().fold(0.0, f64::max);
    let mean = each.iter().sum::<f64>() / 20.0;
    assert_eq!(pooled(MetricKind::RankBandwidthMin), least);
    assert_eq!(pooled(MetricKind::RankBandwidthMax), most);
    assert_eq!(pooled(MetricKind::RankBandwidth), mean);
    // Rings of other orders share links otherwise.
    assert!(least < mean && mean < most, "{each:?}");
}

/// The same text gives the same bits whatever it is interrupted by.
#[test]
fn budgets_do_not_show() {
    let text = "topology=dragonfly,p=1,a=3,h=1 exchange=all_to_all bytes=3000B packet=1KiB";
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let mut running = plan.jobs[0].start(None).expect(text);
    while running.advance(7).expect(text) != Step::Done {}
    let small = running.record(0.0).expect("it is done");
    assert_eq!(small, records(text)[0]);
}

#[test]
fn the_message_size_is_the_axis_of_an_exchange() {
    let text = "topology=xgft,m=4,w=1 exchange=all_to_all bytes=1KiB/4KiB";
    let plan = Study::parse(text).expect(text).plan().expect(text);
    assert!(plan.exchanges() && plan.x.label == "Message size");
    let single = Study::parse("topology=xgft,m=4,w=1 exchange=all_to_all").expect("it reads");
    let plan = single.plan().expect("it has a run");
    assert_eq!((plan.jobs.len(), plan.x.label.as_str()), (1, "Message size"));
}

#[test]
fn what_does_not_go_with_an_exchange_is_said() {
    for (text, words) in [
        ("exchange=all_to_all,order=xor ranks=12", "power of two of ranks and there are 12"),
        (
            "exchange=all_to_all,shift=16 ranks=16",
            "shift: “16” was given; there are 16 ranks; allowed: 0 to 15",
        ),
        ("exchange=all_to_all traffic=shift,by=1", "ranks do one or the other"),
        ("exchange=all_to_all y=accepted", "an exchange has none"),
        ("y=completion", "every run needs one"),
        ("case=a exchange=all_to_all case=b traffic=shift,by=1", "others are traffic"),
        ("exchange=all_to_all management=0.1", "an exchange ends"),
    ] {
        let said = refusal(text);
        assert!(said.contains(words), "{text}: {said}");
    }
}

/// The file that stands for none: 4 KiB go around four ranks on one switch and back to the first. A way
/// takes 50 + 100 + 50 ns, and the message 4096 · 8 / 100 Gb/s = 327.68 ns, four times.
#[test]
fn a_message_that_waits_for_another_arrives_after_it() {
    let found = exchange("topology=xgft,m=4,w=1 exchange=messages");
    assert_eq!(found.completion_ns, Some(2110.72));
    assert_eq!((found.messages, found.bytes), (4, 4 * 4096));
}

#[test]
fn a_file_of_messages_that_cannot_be_sent_is_refused() {
    let refusal = |file: &str| {
        let mut files = Files::default();
        let digest = files.add("trace.goal", file);
        let text = format!("topology=xgft,m=4,w=1 exchange=messages,data=file.{digest:016x}");
        let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
        plan.attach(&files);
        plan.jobs[0].start(None).err().expect(file)[0].to_string()
    };
    let wide = refusal("num_ranks 9\n");
    assert!(wide.contains("it has 9 ranks and the experiment 4"), "{wide}");
    let torn = refusal("num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n");
    assert!(torn.contains("trace.goal") && torn.contains("line 3"), "{torn}");
    // What rank 0 sends waits for a circle of ranks 1 and 2 and is not on it.
    let circle = "num_ranks 3\n\
                  rank 0 {\na: recv 8b from 1\nb: send 8b to 2 tag 9\nb requires a\n}\n\
                  rank 1 {\na: recv 8b from 2\nb: send 8b to 2\nb requires a\nc: send 8b to 0\nc requires a\n}\n\
                  rank 2 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\nrecv 8b from 0 tag 9\n}\n";
    let said = refusal(circle);
    assert!(said.contains("waits for itself"), "{said}");
    assert!(said.contains("line 9:") || said.contains("line 16:"), "{said}");
}

/// An exchange of three ranks on one switch by a matrix in a file.
fn by_matrix(settings: &str, file: &str) -> Result<ExchangeMetrics, String> {
    let mut files = Files::default();
    let digest = files.add("sent.csv", file);
    let text = format!(
        "topology=xgft,m=3,w=1 packet=1KiB exchange=matrix,data=file.{digest:016x}{settings}"
    );
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    let started = plan.jobs[0].start(None);
    let mut running = started.map_err(|problems| problems[0].to_string())?;
    while running.advance(1_000_000).expect(&text) != Step::Done {}
    let record = running.record(0.0).expect(&text);
    Ok(*record.exchange.expect(&text))
}

/// A way takes 200 ns and 4 KiB 327.68 ns, as above: rank 0 sends that to both others. In turn the first
/// message ends with the seventh of eight packets of 81.92 ns, in the order of the line with the fourth.
#[test]
fn a_matrix_of_bytes_is_sent_in_turn_or_line_by_line() {
    let file = "# bytes\n7,4096,4096\n\n0,0,64\n0,0,0\n";
    let turns = by_matrix("", file).unwrap();
    assert_eq!((turns.messages, turns.bytes), (3, 2 * 4096 + 64));
    assert_eq!(turns.completion_ns, Some(855.36));
    let alone = "0,4096,4096\n0,0,0\n0,0,0\n";
    assert_eq!(by_matrix("", alone).unwrap().latency_min_ns, Some(773.44));
    assert_eq!(by_matrix(",order=row", alone).unwrap().latency_min_ns, Some(527.68));
}

#[test]
fn a_matrix_that_is_none_of_bytes_is_refused() {
    let said = |file: &str| by_matrix("", file).expect_err(file);
    let torn = said("0,1.5,0\n0,0,0\n0,0,0\n");
    let start = "exchange=matrix,data: “sent.csv, line 1” was given; number 2, “1.5”, is no whole";
    assert!(torn.starts_with(start), "{torn}");
    for cell in ["NaN", "-1", "2e12", "x", ""] {
        let said = said(&format!("0,{cell},0\n0,0,0\n0,0,0\n"));
        assert!(said.contains("is no whole number of bytes from 0 to 1 TiB"), "{said}");
    }
    assert!(said("0,1\n1,0\n").contains("2 numbers and there are 3 ranks; allowed: ranks=2"));
    assert!(said("0,1,0\n").contains("it has 1 lines of 3 numbers"));
    assert_eq!(by_matrix("", "0,1e3,0\n0,0,0\n0,0,0\n").unwrap().bytes, 1000);
}

/// Half of the phases of XOR take twice as long to send where half the roots are left out, so 32 of 64
/// take 3.2768 µs more; the ideal time is that of above (Prisacari 2020, §2.5.1).
#[test]
fn xor_on_half_the_roots_has_a_model_to_first_order() {
    let tree = |w: &str| {
        let all = "routing=d_mod_k exchange=all_to_all,order=xor bytes=4KiB packet=4KiB";
        exchange(&format!("topology=xgft,m=8.4.2,w={w} {SWITCH} {all}"))
    };
    let half = tree("1.8.2");
    assert_eq!(half.ideal_ns, Some(209_664.0));
    assert_eq!(half.model_ns, Some(209_664.0 + 32.0 * 3276.8));
    assert_eq!(half.model.as_deref(), Some("first-order overhead"));
    assert_eq!(tree("1.8.4").model_ns, None);
}

/// Eq. 5.20 says nothing of two groups (ln ln 2 < 0).
#[test]
fn random_placements_in_few_groups_are_drawn() {
    let model = |block: &str| {
        exchange(&format!(
            "topology=dragonfly,p=4,a=8,h=4 exchange=nearest_neighbor,elements=16.16.16,tasks=4.4.4 \
             placement=blocks,tasks=4.4.4,block={block},order=random"
        ))
    };
    let few = model("4.4.2");
    assert_eq!(few.model.as_deref(), Some("mean of 30 random placements"));
    assert!(few.model_ns.is_some_and(|time| time > 0.0));
    assert_eq!(model("2.2.2").model.as_deref(), Some("Eq. 5.25"));
}
