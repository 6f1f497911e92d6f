//! Whole ways are those that the switches would find one after the other.

use dragontree::network::{Node, PortId};
use dragontree::random::Stream;
use dragontree::routing::{Exit, Header, Pair, Queues};
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

fn every_trace_is_asked_for(text: &str) {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    let (network, route) = (experiment.network(), experiment.routes().route());
    let (mut one, mut other) = (Stream::new(1, "test", 0), Stream::new(1, "test", 0));
    for source in network.endpoints() {
        for destination in network.endpoints().filter(|other| *other != source) {
            let pair = Pair { source, destination };
            let (Some(from), Some(_)) = (network.switch_of(source), network.switch_of(destination))
            else {
                continue;
            };
            let mut way = Vec::new();
            route.trace(network, from, pair, &mut one, &Various, &mut way);

            let waypoints = route.inject(pair, &mut other, &Various);
            let mut header = Header { destination, waypoints, stage: route.first_stage(pair) };
            let (mut at, mut expected) = (from, Vec::new());
            while let Ok(hop) = route.next(at, &mut header) {
                expected.push(Exit { number: network.number(hop.port), vc: hop.vc });
                match network.neighbor(hop.port) {
                    Some(Node::Switch(next)) => at = next,
                    end => {
                        assert_eq!(end, Some(Node::Endpoint(destination)), "{text}");
                        break;
                    }
                }
            }
            assert_eq!(way, expected, "{text}: {pair:?}");
        }
    }
    assert_eq!(one.bits(), other.bits(), "{text}: as much is drawn");
}

#[test]
fn ways_are_the_same_at_once_and_hop_by_hop() {
    for text in [
        "topology=dragonfly,p=2,a=4,h=2",
        "topology=dragonfly,p=1,a=3,h=2,wiring=consecutive",
        "topology=dragonfly,p=2,a=4,h=2,groups=5",
        "topology=dragonfly,p=1,a=4,h=1,local=flattened",
        "topology=xgft,m=4.4.3,w=1.4.4 routing=d_mod_k",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=d_mod_k",
        "topology=xgft,m=3.2.2.3,w=1.2.3.1,p=1.1.2.2 routing=s_mod_k",
        "topology=xgft,m=4.4.3,w=1.4.2 routing=s_mod_k",
        "topology=xgft,m=6,w=1 routing=d_mod_k",
        "topology=k_ary_n_tree,k=3,n=3 routing=d_mod_k",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=dynamic_random",
        "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=static_random",
        "topology=slim_fly,q=3",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=group",
        "topology=dragonfly,p=2,a=4,h=2 routing=valiant,via=switch",
        "topology=dragonfly,p=2,a=3,h=2,groups=2 routing=valiant",
        "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=valiant",
        "topology=slim_fly,q=3 routing=valiant",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal,via=group,c=0.5,scale=constant,candidates=5",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal,threshold=0.1,information=global",
        "topology=dragonfly,p=2,a=4,h=2 routing=ugal,threshold=0.1,c=0.7",
        "topology=dragonfly,p=2,a=3,h=2,groups=2 routing=ugal",
        "topology=dragonfly,p=3,a=1,h=1 routing=ugal,c=0.3,scale=constant",
        "topology=dragonfly,p=1,a=4,h=1,local=flattened routing=ugal",
        "topology=slim_fly,q=3 routing=ugal,candidates=2",
        "topology=torus,widths=5.4,p=2 routing=dimension_order",
        "topology=mesh,widths=4.3,p=1 routing=up_down",
    ] {
        every_trace_is_asked_for(&format!("{text} load=0.5"));
    }
}
