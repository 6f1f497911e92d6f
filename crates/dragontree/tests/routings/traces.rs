//! Whole ways are those that the switches would find one after the other.

use dragontree::network::{Network, Node, PortId};
use dragontree::random::Stream;
use dragontree::routing::{Code, Exit, Header, Pair, Queues, Route, Word};
use dragontree::scenario::{Experiment, Study};
use dragontree::units::Bytes;

/// Queues of many lengths.
struct Various;

impl Queues for Various {
    fn queued(&self, port: PortId) -> Bytes {
        Bytes(u64::from(port.0.wrapping_mul(2_654_435_761) >> 24))
    }

    fn capacity(&self) -> Bytes {
        Bytes(1000)
    }
}

/// Codes of which a word has room for seven, up to the bit above them, and for four.
const CODES: [Code; 2] =
    [Code { bits: 9, lane_bits: 3, last_lane: 7 }, Code { bits: 15, lane_bits: 3, last_lane: 7 }];

/// The steps of a way in one word.
fn exits(Word { bits, steps }: Word, code: Code) -> Vec<Exit> {
    let of = |step: u32| (bits >> (step * code.bits)) as u32 & ((1 << code.bits) - 1);
    let lanes = (1 << code.lane_bits) - 1;
    let exit = |step: u32| Exit { number: step >> code.lane_bits, vc: (step & lanes) as u8 };
    let beyond = steps.get() * code.bits;
    assert!(beyond < u64::BITS && bits >> beyond == 0, "nothing stands beyond the last step");
    (0..steps.get()).map(|step| exit(of(step))).collect()
}

/// The way of a packet as the switches find it one after the other.
fn hop_by_hop(network: &Network, route: &dyn Route, pair: Pair, stream: &mut Stream) -> Vec<Exit> {
    let waypoints = route.inject(pair, stream, &Various);
    let stage = route.first_stage(pair);
    let mut header = Header { destination: pair.destination, waypoints, stage };
    let (mut at, mut way) = (network.switch_of(pair.source), Vec::new());
    while let Some(Ok(hop)) = at.map(|at| route.next(at, &mut header)) {
        way.push(Exit { number: network.number(hop.port), vc: hop.vc });
        at = match network.neighbor(hop.port) {
            Some(Node::Switch(next)) => Some(next),
            end => {
                assert_eq!(end, Some(Node::Endpoint(pair.destination)), "{pair:?}");
                None
            }
        };
    }
    way
}

/// Whether some ways come in one word.
fn every_trace_is_asked_for(text: &str) -> bool {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    let (network, route) = (experiment.network(), experiment.routes().route());
    let [mut one, mut other] = [0; 2].map(|_| Stream::new(1, "test", 0));
    let mut streams = CODES.map(|_| Stream::new(1, "test", 0));
    let mut words = 0;
    for source in network.endpoints() {
        for destination in network.endpoints().filter(|other| *other != source) {
            let pair = Pair { source, destination };
            let (Some(from), Some(_)) = (network.switch_of(source), network.switch_of(destination))
            else {
                continue;
            };
            let expected = hop_by_hop(network, route, pair, &mut one);
            let mut way = Vec::new();
            route.trace(network, from, pair, &mut other, &Various, &mut way);
            assert_eq!(way, expected, "{text}: {pair:?}");
            for (code, stream) in CODES.into_iter().zip(&mut streams) {
                match route.drawn_word(from, pair, stream, &Various, code) {
                    Some(word) => {
                        assert_eq!(exits(word, code), expected, "{text}: {pair:?}");
                        words += 1;
                    }
                    None => drop(hop_by_hop(network, route, pair, stream)),
                }
            }
            let wide = Code { bits: 33, ..CODES[0] };
            let none = route.drawn_word(from, pair, &mut streams[0], &Various, wide);
            assert!(none.is_none_or(|word| word.steps.get() == 1), "{text}: no room");
        }
    }
    let next = one.bits();
    let all = streams.iter_mut().chain([&mut other]);
    all.for_each(|stream| assert_eq!(stream.bits(), next, "{text}: as much is drawn"));
    words > 0
}

#[test]
fn ways_are_the_same_at_once_and_hop_by_hop() {
    for (text, are_words) in [
        ("topology=dragonfly,p=2,a=4,h=2", true),
        ("topology=dragonfly,p=1,a=3,h=2,wiring=consecutive", true),
        ("topology=dragonfly,p=2,a=4,h=2,groups=5", false),
        ("topology=dragonfly,p=1,a=4,h=1,local=flattened", false),
        ("topology=xgft,m=4.4.3,w=1.4.4 routing=d_mod_k", true),
        ("topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=d_mod_k", true),
        ("topology=xgft,m=3.2.2.3,w=1.2.3.1,p=1.1.2.2 routing=s_mod_k", true),
        ("topology=xgft,m=4.4.3,w=1.4.2 routing=s_mod_k", true),
        ("topology=xgft,m=6,w=1 routing=d_mod_k", true),
        ("topology=k_ary_n_tree,k=3,n=3 routing=d_mod_k", true),
        ("topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=dynamic_random", false),
        ("topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=static_random", false),
        ("topology=slim_fly,q=3", false),
        ("topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group", true),
        ("topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=switch", true),
        ("topology=dragonfly,p=2,a=3,h=2,groups=2 routing=valiant", false),
        ("topology=dragonfly,p=1,a=4,h=1,local=flattened routing=valiant", false),
        ("topology=slim_fly,q=3 routing=valiant", false),
        ("topology=dragonfly,p=2,a=4,h=2 routing=ugal", true),
        (
            "topology=dragonfly,p=2,a=4,h=2 routing=ugal,via=group,c=0.5,scale=constant,candidates=5",
            true,
        ),
        ("topology=dragonfly,p=2,a=4,h=2 routing=ugal,threshold=0.1,information=global", false),
        ("topology=dragonfly,p=2,a=4,h=2 routing=ugal,threshold=0.1,c=0.7", true),
        ("topology=dragonfly,p=2,a=3,h=2,groups=2 routing=ugal", false),
        ("topology=dragonfly,p=3,a=1,h=1 routing=ugal,c=0.3,scale=constant", true),
        ("topology=dragonfly,p=1,a=4,h=1,local=flattened routing=ugal", false),
        ("topology=slim_fly,q=3 routing=ugal,candidates=2", false),
        ("topology=torus,widths=5.4,p=2 routing=dimension_order", false),
        ("topology=mesh,widths=4.3,p=1 routing=up_down", false),
    ] {
        let found = every_trace_is_asked_for(&format!("{text} load=0.5"));
        assert_eq!(found, are_words, "{text}: whether ways come in one word");
    }
}
