//! Any messages over many fabrics.

use dragontree::exchange::{List, Moment, Queueing};
use dragontree::random::Stream;
use dragontree::units::Bytes;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Listed, MODELS, completion, list, run, setup};

const FABRICS: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2",
    "topology=dragonfly,p=2,a=4,h=2 routing=ugal",
    "topology=xgft,m=4.2.4,w=1.2.2 routing=dynamic_random",
    "topology=xgft,m=4.4,w=1.2 routing=d_mod_k latency=0ns switch_latency=0ns",
    "topology=torus,widths=5,p=2 routing=dimension_order",
    "topology=hyperx,widths=3.3,p=2 bandwidth=100Gbps,endpoint=40Gbps,dimension1=25Gbps",
];
const SIZES: &[&str] =
    &["buffer=4KiB,per=vc output_buffer=4KiB", "buffer=1KiB,per=vc output_buffer=1KiB"];
const SWITCHING: &[&str] =
    &["cut_through packet=256B", "cut_through packet=1000B", "wormhole,flit=64B packet=4KiB"];

/// Messages of any length from `shortest` bytes on between ten ranks, some of which wait for earlier
/// ones.
pub fn any_list(seed: u64, count: u32, acknowledged: bool, shortest: u64) -> List {
    let mut stream = Stream::new(seed, "test", 0);
    let mut listed: Vec<Listed> = Vec::new();
    for own in 0..count {
        let (source, destination) = (stream.below(10), stream.below(10));
        let longest = [1, 100, 3000, 20_000][stream.below(4) as usize];
        let mut after = Vec::new();
        for _ in 0..2.min(own) {
            let other = stream.below(own);
            let (from, to, ..) = listed[other as usize];
            let own_moment = if acknowledged { Moment::Acknowledged } else { Moment::Sent };
            match source {
                _ if source == to => after.push((other, Moment::Delivered)),
                _ if source == from => after.push((other, own_moment)),
                _ => {}
            }
        }
        listed.push((source, destination, shortest + u64::from(stream.below(longest)), after));
    }
    list(10, &listed)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..Default::default() })]

    /// Every message is delivered and every buffer is empty in the end, as the engine looks at itself;
    /// no link carries more than it can.
    #[test]
    fn everything_is_delivered(
        fabric in select(FABRICS),
        sizes in select(SIZES),
        switching in select(SWITCHING),
        model in select(MODELS),
        queueing in select(&[Queueing::InOrder, Queueing::RoundRobin][..]),
        acknowledged in any::<bool>(),
        count in 1_u32..200,
        seed in 1_u64..1000,
    ) {
        let text = format!("{fabric} {sizes} switch={model} switching={switching} seed={seed}");
        let list = any_list(seed, count, acknowledged, 0).with_queueing(queueing);
        let bytes: u64 = list.messages().iter().map(|message| message.bytes.0).sum();
        let setup = setup(&text, list);
        let report = run(setup.clone());
        completion(&report);
        prop_assert_eq!(report.messages, u64::from(count));
        prop_assert_eq!(report.bytes, Bytes(bytes));
        prop_assert!(report.utilization.iter().all(|share| *share <= 1.0), "{}", text);
        prop_assert!(report.latency_min <= report.latency.median, "{}", text);
        prop_assert!(report.latency.p99 <= report.latency.max, "{}", text);
        prop_assert_eq!(run(setup), report);
    }
}
