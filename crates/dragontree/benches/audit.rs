//! How long audits take, and shifts over tables beside walking every pair:
//! `cargo bench -p dragontree --bench audit`.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use dragontree::analysis::{Audit, Contending, Levels, rails};
use dragontree::network::{Lfts, Network, Node, PortId};
use dragontree::scenario::Study;

/// Trees of 3456, 648 and 11664 endpoints.
const FABRICS: &[&str] = &[
    "topology=xgft,m=12.12.24,w=1.12.12 routing=min_hop",
    "topology=xgft,m=12.12.24,w=1.12.12 routing=d_mod_k",
    "topology=xgft,m=18.36,w=1.18 routing=min_hop",
    "topology=xgft,m=18.18.36,w=1.18.18 routing=min_hop",
];

fn main() {
    println!("shifts, walks: contention of all shifts, by the tables' trees and pair by pair");
    for text in FABRICS {
        let plan = Study::parse(text).expect("a study").plan().expect("a plan");
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network().expect("a network");
        let routes = scenario.routes(&network).expect("routes");
        let places = rails(&network)[0].ports.clone();
        let start = Instant::now();
        let audit = Audit::new(&network, Ok(&routes), &scenario.question()).finish();
        let of_audit = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let levels = Levels::new(&network);
        let shifts = Contending::shifts(&network, &routes, levels, &places).finish();
        let of_shifts = start.elapsed().as_secs_f64();
        let lfts = routes.oblivious().lfts().expect("tables");
        let start = Instant::now();
        let worst = walks(&network, &lfts, &places);
        let of_walks = start.elapsed().as_secs_f64();
        assert_eq!(f64::from(worst), shifts.worst);
        black_box(audit);
        println!(
            "{text}\n  {} endpoints: audit {of_audit:.3} s; shifts {of_shifts:.3} s, walks \
             {of_walks:.3} s, ratio {:.1}",
            network.endpoint_count(),
            of_walks / of_shifts
        );
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
