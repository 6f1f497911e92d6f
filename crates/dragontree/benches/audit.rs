//! How long audits take, and shifts over tables beside walking every pair:
//! `cargo bench -p dragontree --bench audit`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use dragontree::analysis::{Audit, Contending, Levels, rails};
use dragontree::network::{Lfts, Network, Node, PortId};
use dragontree::scenario::Study;

/// Trees of 648, 3456 and 11664 endpoints, and whether every pair is walked as well: of the last
/// one that takes minutes.
const TREES: &[(&str, bool)] =
    &[("m=18.36,w=1.18", true), ("m=12.12.24,w=1.12.12", true), ("m=18.18.36,w=1.18.18", false)];

const ENGINES: &[&str] = &["ftree", "d_mod_k", "min_hop", "s_mod_k"];

/// Dragonflies of 5,256 and 58,806 endpoints, whose pairs of switches share their ways.
const DRAGONFLIES: &[&str] = &["p=6,a=12,h=6", "p=11,a=22,h=11"];

fn main() {
    trees();
    println!("shifts over ways between switches");
    for size in DRAGONFLIES {
        let text = format!("topology=dragonfly,{size} routing=minimal");
        let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network().expect("a network");
        let routes = scenario.routes(&network).expect("routes");
        let places = rails(&network)[0].ports.clone();
        let start = Instant::now();
        let levels = Levels::new(&network);
        black_box(Contending::shifts(&network, &routes, levels, &places).finish());
        let seconds = start.elapsed().as_secs_f64();
        println!("{text}\n  {} endpoints: shifts {seconds:.3} s", network.endpoint_count());
    }
}

fn trees() {
    println!("audit: routes and all that is told of them; walks: contention pair by pair");
    for (tree, walked) in TREES {
        for engine in ENGINES {
            let text = format!("topology=xgft,{tree} routing={engine}");
            let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
            let scenario = plan.jobs[0].scenario();
            let network = scenario.network().expect("a network");
            let places = rails(&network)[0].ports.clone();
            let start = Instant::now();
            let routes = scenario.routes(&network).expect("routes");
            let of_routes = start.elapsed().as_secs_f64();
            black_box(Audit::new(&network, Ok(&routes), &scenario.question(&network)).finish());
            let of_audit = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let levels = Levels::new(&network);
            let shifts = Contending::shifts(&network, &routes, levels, &places).finish();
            let of_shifts = start.elapsed().as_secs_f64();
            println!(
                "{text}\n  {} endpoints: audit {of_audit:.3} s, of it routes {of_routes:.3} s and \
                 shifts {of_shifts:.3} s",
                network.endpoint_count()
            );
            let lfts = routes.oblivious().lfts();
            if let Some(lfts) = lfts.filter(|_| *walked) {
                let start = Instant::now();
                let worst = walks(&network, &lfts, &places);
                let of_walks = start.elapsed().as_secs_f64();
                assert_eq!(f64::from(worst), shifts.worst);
                println!("  walks {of_walks:.3} s, ratio {:.1}", of_walks / of_shifts);
            }
        }
    }
}

/// The most flows on one channel between switches in any shift, walked pair by pair.
fn walks(network: &Arc<Network>, lfts: &Lfts, places: &[Option<PortId>]) -> u32 {
    let mut loads = vec![0_u32; network.port_count() as usize];
    let mut used = Vec::new();
    let mut worst = 0;
    for by in 1..places.len() {
        for (place, source) in places.iter().enumerate() {
            let destination = places[(place + by) % places.len()];
            let (Some(source), Some(destination)) = (*source, destination) else { continue };
            let target = network.port_target(destination);
            let mut at = network.neighbor(source);
            while let Some(Node::Switch(switch)) = at {
                let Some(port) = lfts.port(network, switch, target) else { break };
                at = network.neighbor(port);
                if let Some(Node::Switch(_)) = at {
                    let load = &mut loads[port.index()];
                    *load += 1;
                    worst = worst.max(*load);
                    used.push(port);
                }
            }
        }
        used.drain(..).for_each(|port| loads[port.index()] = 0);
    }
    worst
}
