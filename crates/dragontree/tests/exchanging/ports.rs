//! Endpoints that send by several ports.

use dragontree::catalog::{Data, Files, Written};
use dragontree::network::{EndpointId, Node};
use dragontree::scenario::{Experiment, Study};
use dragontree::units::{Bytes, Time};

use super::{ACROSS, MODELS, PACKETS, REAL, WORMS, completion, run};

/// The experiment of a text with these messages, none of which waits for another, in place of `@`.
fn experiment(text: &str, ranks: u32, messages: &[(u32, u32)], bytes: u64) -> Experiment {
    let mut goal = format!("num_ranks {ranks}\n");
    for rank in 0..ranks {
        goal.push_str(&format!("rank {rank} {{\n"));
        for (from, to) in messages {
            if *from == rank {
                goal.push_str(&format!("send {bytes}b to {to}\n"));
            }
            if *to == rank {
                goal.push_str(&format!("recv {bytes}b from {from}\n"));
            }
        }
        goal.push_str("}\n");
    }
    let mut files = Files::default();
    let data = Data::files(&[files.add("messages.goal".to_owned(), &goal)]).print();
    let text = text.replace('@', &data);
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    Experiment::build(plan.jobs[0].scenario(), None).expect(&text)
}

fn star(links: u32, rest: &str) -> String {
    format!(
        "topology=xgft,m=6,w={links} routing=pattern_specific,at_once=all exchange=messages,data=@ \
         bandwidth=10Gbps {REAL} buffer=8KiB,per=vc output_buffer=8KiB {rest}"
    )
}

/// Messages of one endpoint to different ones, or of different ones to it, take the time of as many as
/// share one of its links.
#[test]
fn messages_by_different_ports_take_the_time_of_one() {
    const BYTES: u64 = 4096;
    for model in MODELS {
        for switching in [WORMS, PACKETS] {
            for links in 1..=4 {
                for count in 1..=5 {
                    let out: Vec<(u32, u32)> = (1..=count).map(|other| (0, other)).collect();
                    let into: Vec<(u32, u32)> = (1..=count).map(|other| (other, 0)).collect();
                    for messages in [out, into] {
                        let text = star(links, &format!("{switching} switch={model}"));
                        let experiment = experiment(&text, 6, &messages, BYTES);
                        let report = run(experiment.exchange_setup().expect("an exchange"));
                        let times = u64::from(count.div_ceil(links));
                        let expected = Time::ps(ACROSS + times * BYTES * 800);
                        assert_eq!(completion(&report), expected, "{text} {messages:?}");
                        assert_eq!(report.bytes, Bytes(BYTES * u64::from(count)));
                    }
                }
            }
        }
    }
}

/// What goes over each link of an endpoint is what the routes say: as much as the message by it.
#[test]
fn each_port_is_busy_with_its_own_messages() {
    let text = star(3, PACKETS);
    let messages = [(0, 1), (0, 2), (0, 3)];
    let experiment = experiment(&text, 6, &messages, 8192);
    let report = run(experiment.exchange_setup().expect("an exchange"));
    let end = completion(&report).as_ps() as f64;
    let network = experiment.network();
    let busy = |port: u32| report.utilization[port as usize] * end;
    let ports = network.ports(Node::Endpoint(EndpointId(0)));
    assert_eq!(ports.len(), 3);
    assert!(ports.clone().all(|port| (busy(port) - 8192.0 * 800.0).abs() < 1.0), "{report:?}");
    // Six endpoints have three links each, and three messages went over one of them.
    let share = 3.0 * 8192.0 * 800.0 / (18.0 * end);
    assert!((report.effective_throughput.expect("it took time") / share - 1.0).abs() < 1e-9);
}
