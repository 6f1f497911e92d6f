//! Numbers of channels on the links of a drawing, and ways along them.

use dragontree::analysis::Report;
use dragontree::network::{Network, PortId};

use super::Loads;
#[cfg(feature = "complete")]
use super::NONE;
use super::bundle::Plan;
#[cfg(feature = "complete")]
use crate::protocol::Utilization;

/// Channels whose loads differ by less than this share are equally busy.
const EQUAL: f64 = 1e-9;

/// The loads on the bundles of a network's drawing; `network` is the one before anything failed.
pub fn loads(network: &Network, report: &Report, open: Option<u32>) -> Loads {
    shares(network, &report.utilization, report.busiest, open)
}

/// How busy the channels on the bundles were.
#[cfg(feature = "complete")]
pub fn busy(network: &Network, busy: &Utilization, open: Option<u32>) -> Loads {
    let channels: Vec<f64> = busy.channels.iter().map(|part| f64::from(*part) / 255.0).collect();
    // Parts are too coarse to tell which are as busy.
    Loads { alike: busy.alike, ..shares(network, &channels, PortId(busy.busiest), open) }
}

/// Flows on the bundles, as shares of the most, and that.
#[cfg(feature = "complete")]
pub fn flows(network: &Network, flows: &[f64], open: Option<u32>) -> (Loads, f32) {
    let mut busiest = 0;
    for (port, own) in flows.iter().enumerate() {
        if *own > flows[busiest] {
            busiest = port;
        }
    }
    let most = flows.get(busiest).copied().unwrap_or(0.0);
    let shares: Vec<f64> = flows.iter().map(|own| own / most.max(1.0)).collect();
    (self::shares(network, &shares, PortId(busiest as u32), open), most as f32)
}

/// For each bundle the largest number of a channel from its first end, and back.
fn shares(network: &Network, of: &[f64], busiest: PortId, open: Option<u32>) -> Loads {
    let load = |port: PortId| of.get(port.index()).copied().unwrap_or(0.0);
    let largest = load(busiest);
    let mut bundles = Vec::new();
    let mut place = None;
    Plan::new(network, open).cast.bundles(network, &mut |_, ports| {
        let mut both = [0.0_f64; 2];
        for port in ports {
            let peer = network.peer(*port).unwrap_or(*port);
            for (way, channel) in [*port, peer].into_iter().enumerate() {
                both[way] = both[way].max(load(channel));
                if channel == busiest && largest > 0.0 {
                    place = Some((bundles.len() as u32 / 2, way == 0));
                }
            }
        }
        bundles.extend(both.map(|load| load as f32));
    });
    let equal = |load: &&f64| **load >= largest * (1.0 - EQUAL);
    Loads { bundles, busiest: place, alike: of.iter().filter(equal).count() as u32 }
}

/// Ways of channels through a drawing, and how many bundles that has. A way names each bundle that
/// it passes by twice its number, and 1 more where it leads from the second end to the first;
/// channels that are not drawn are left out.
#[cfg(feature = "complete")]
pub fn trails(network: &Network, ways: &[Vec<PortId>], open: Option<u32>) -> (Vec<Vec<u32>>, u32) {
    let Steps { steps, bundles } = Steps::new(network, open);
    let step = |port: &PortId| steps.get(port.index()).copied().filter(|step| *step != NONE);
    let trail = |way: &Vec<PortId>| {
        let mut trail: Vec<u32> = way.iter().filter_map(step).collect();
        // Within a block a way may pass the same links again and again.
        trail.dedup();
        trail
    };
    (ways.iter().map(trail).collect(), bundles)
}

/// Where the channels of a network are in its drawing.
#[cfg(feature = "complete")]
pub struct Steps {
    /// For each channel twice the number of its bundle, and 1 more where it leads from the second
    /// end to the first; [`NONE`] where it is not drawn.
    steps: Vec<u32>,
    bundles: u32,
}

#[cfg(feature = "complete")]
impl Steps {
    /// Those of a network before anything failed, with a block of its drawing open.
    pub fn new(network: &Network, open: Option<u32>) -> Steps {
        let mut steps = vec![NONE; network.port_count() as usize];
        let mut bundles = 0;
        Plan::new(network, open).cast.bundles(network, &mut |_, ports| {
            for port in ports {
                steps[port.index()] = 2 * bundles;
                network
                    .peer(*port)
                    .into_iter()
                    .for_each(|peer| steps[peer.index()] = 2 * bundles + 1);
            }
            bundles += 1;
        });
        Steps { steps, bundles }
    }

    /// The number of bundles.
    pub fn bundles(&self) -> u32 {
        self.bundles
    }

    /// Adds for each bundle the largest number of its channels from its first end to its second,
    /// then that back, to a film.
    pub fn add_picture(&self, channels: &[u8], film: &mut Vec<u8>) {
        let start = film.len();
        film.resize(start + 2 * self.bundles as usize, 0);
        for (step, channel) in self.steps.iter().zip(channels).filter(|(step, _)| **step != NONE) {
            let most = &mut film[start + *step as usize];
            *most = (*most).max(*channel);
        }
    }
}
