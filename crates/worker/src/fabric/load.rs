//! What analysis expects on the links of a drawing.

use dragontree::analysis::Report;
use dragontree::network::{Network, PortId};

use super::Loads;
use super::bundle::Plan;

/// Channels whose loads differ by less than this share are equally busy.
const EQUAL: f64 = 1e-9;

/// The loads on the bundles of a network's drawing; `network` is the one before anything failed.
pub fn loads(network: &Network, report: &Report, open: Option<u32>) -> Loads {
    let load = |port: PortId| report.utilization[port.index()];
    let largest = load(report.busiest);
    let mut bundles = Vec::new();
    let mut busiest = None;
    Plan::new(network, open).cast.bundles(network, &mut |_, ports| {
        let mut both = [0.0_f64; 2];
        for port in ports {
            let peer = network.peer(*port).unwrap_or(*port);
            for (way, channel) in [*port, peer].into_iter().enumerate() {
                both[way] = both[way].max(load(channel));
                if channel == report.busiest && largest > 0.0 {
                    busiest = Some((bundles.len() as u32 / 2, way == 0));
                }
            }
        }
        bundles.extend(both.map(|load| load as f32));
    });
    let equal = |load: &&f64| **load >= largest * (1.0 - EQUAL);
    Loads { bundles, busiest, alike: report.utilization.iter().filter(equal).count() as u32 }
}
