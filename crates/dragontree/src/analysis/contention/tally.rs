//! What is counted while the stages of a pattern are gone through.

use super::levels::Levels;
use crate::network::Network;

/// Numbers of flows, by kind of channel and stage, and by channel.
pub(super) struct Tally {
    pub stages: usize,
    pub levels: Levels,
    /// By kind and stage, the largest number of flows on one channel.
    pub most: Vec<Vec<f64>>,
    /// By kind and stage, the flows on all channels together.
    pub flows: Vec<Vec<f64>>,
    /// By port, the largest number of flows in any stage.
    pub per_channel: Vec<f64>,
    /// Flows without a route.
    pub unrouted: u64,
}

impl Tally {
    pub fn new(network: &Network, levels: Levels) -> Tally {
        let kinds = levels.kinds().len();
        Tally {
            stages: 0,
            levels,
            most: vec![Vec::new(); kinds],
            flows: vec![Vec::new(); kinds],
            per_channel: vec![0.0; network.port_count() as usize],
            unrouted: 0,
        }
    }
}
