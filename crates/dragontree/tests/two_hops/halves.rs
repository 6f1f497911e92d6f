//! The analysis of Valiant routing against a walk of all ways.

use dragontree::analysis::{Latencies, paths};
use dragontree::network::{Network, PortId};
use dragontree::routing::Pair;
use dragontree::scenario::Experiment;
use dragontree::units::{Bytes, Time};

use super::valiant::DRAGONFLIES;
use super::{experiment, oblivious, pairs};

/// What analysis deals out to halves of ways is what all ways carry: walked one by one, pair after
/// pair, with the model's time for each.
#[test]
fn halves_carry_what_their_ways_carry() {
    let diameter_two =
        ["mlfm,h=3", "slim_fly,q=3", "hyperx,widths=4.3,p=2", "xgft,m=4.3,w=1.2,p=1.2"];
    let other_links = "bandwidth=100Gbps,endpoint=40Gbps";
    for topology in diameter_two {
        for links in ["", other_links] {
            compare_with_a_walk(&format!("{topology} {links} routing=valiant"));
        }
    }
    for topology in DRAGONFLIES {
        for links in ["", other_links, "latency=50ns,endpoint=3ns,global=1us"] {
            for via in ["group", "switch", "group,within=minimal", "switch,within=minimal"] {
                compare_with_a_walk(&format!("{topology} {links} routing=valiant,via={via}"));
            }
        }
    }
}

fn compare_with_a_walk(text: &str) {
    for traffic in ["uniform", "shift,by=5"] {
        let text = format!("topology={text} traffic={traffic} load=1");
        let experiment = experiment(&text);
        let walked = Walked::of(&experiment, traffic);
        let report = &experiment.analysis().report;
        for (found, expected) in report.utilization.iter().zip(&walked.loads) {
            assert!((found - expected).abs() < 1e-9, "{text}: {found} for {expected}");
        }
        assert!((report.zero_load_ns - walked.time).abs() < 1e-5, "{text}");
        assert!((report.hops_mean - walked.hops).abs() < 1e-5, "{text}");
        if let Some(reason) = &report.reason {
            assert_eq!(reason.flows, flows(&experiment, report.busiest, traffic), "{text}");
        }
    }
}

/// The load of every channel when all send at full rate, and the mean time in nanoseconds and number
/// of switches of a message alone.
struct Walked {
    loads: Vec<f64>,
    time: f64,
    hops: f64,
}

impl Walked {
    fn of(experiment: &Experiment, traffic: &str) -> Walked {
        let latencies = Latencies {
            switch: Time::ns(100),
            adapter: Time::ZERO,
            flits: 1,
            apart: false,
            adapts: false,
        };
        let network = experiment.network();
        let mut loads = vec![0.0; network.port_count() as usize];
        let (mut time, mut hops, mut count) = (0.0, 0.0, 0.0);
        for pair in pairs(network) {
            let weight = share(network, traffic, pair);
            if weight == 0.0 {
                continue;
            }
            count += weight;
            let injection = network.injection(pair.source).expect("a cable");
            let own = network.channel(injection).expect("a cable").bandwidth;
            let walked = paths(network, oblivious(experiment), pair, &mut |path, chance| {
                for step in path {
                    let channel = network.channel(step.port).expect("a cable");
                    let part = own.as_bps() as f64 / channel.bandwidth.as_bps() as f64;
                    loads[step.port.index()] += weight * chance * part;
                }
                let alone = latencies.along(network, path, |port| {
                    Some(network.channel(port)?.serialization(Bytes(256)))
                });
                time += weight * chance * alone.as_ns();
                hops += weight * chance * (path.len() - 1) as f64;
            });
            walked.expect("a route");
        }
        Walked { loads, time: time / count, hops: hops / count }
    }
}

/// Which part of its source's traffic a pair has.
fn share(network: &Network, traffic: &str, pair: Pair) -> f64 {
    let ranks = network.endpoint_count();
    let shifted = (pair.source.0 + 5) % ranks == pair.destination.0;
    match traffic {
        "uniform" => 1.0 / f64::from(ranks - 1),
        _ => f64::from(u8::from(shifted)),
    }
}

/// How many pairs with traffic have a way over a channel.
fn flows(experiment: &Experiment, channel: PortId, traffic: &str) -> u64 {
    let network = experiment.network();
    let with_traffic = pairs(network).filter(|pair| share(network, traffic, *pair) > 0.0);
    let over = |pair: &Pair| {
        let mut over = false;
        paths(experiment.network(), oblivious(experiment), *pair, &mut |path, _| {
            over |= path.iter().any(|step| step.port == channel);
        })
        .expect("a route");
        over
    };
    with_traffic.filter(over).count() as u64
}
