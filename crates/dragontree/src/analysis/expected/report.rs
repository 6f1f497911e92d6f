//! What is expected of a traffic pattern.

use super::super::reason::Reason;
use crate::network::{Network, PortId};

/// Expectations over all messages of a traffic pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// For each port, the expected traffic on its channel as a multiple of its rate, when every
    /// rank that sends does so at its link's full rate.
    pub utilization: Vec<f64>,
    /// The channel with the largest utilization (the first of them).
    pub busiest: PortId,
    /// The offered load at which that channel fills: the inverse of its utilization
    /// (Dally & Towles 2004, ch. 3; Prisacari 2020, §6.3).
    pub bound: f64,
    /// Mean latency when every message is alone in the network and its packets go one way, in nanoseconds.
    pub zero_load_ns: f64,
    /// Whether that is the latency of every message: not where it depends on which of several ways its packets
    /// go.
    pub zero_load_known: bool,
    /// Mean number of switches on the way.
    pub hops_mean: f64,
    /// What shares the busiest channel, where it leaves a switch and fills before the endpoints send more than
    /// their links carry.
    pub reason: Option<Reason>,
}

impl Report {
    /// Where nothing has been walked.
    pub(crate) fn unknown(network: &Network) -> Report {
        Report {
            utilization: vec![0.0; network.port_count() as usize],
            busiest: PortId(0),
            bound: f64::INFINITY,
            zero_load_ns: 0.0,
            zero_load_known: false,
            hops_mean: 0.0,
            reason: None,
        }
    }

    /// Mean latency when every message is alone in the network, in nanoseconds, where it is known.
    pub fn zero_load(&self) -> Option<f64> {
        self.zero_load_known.then_some(self.zero_load_ns)
    }
}

/// Rounded so that the order of summation does not show.
pub(super) fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// Divides the traffic on each channel by its rate; the busiest channel and its utilization.
pub(super) fn relative_to_rates(network: &Network, bits: &mut [f64]) -> (PortId, f64) {
    let (mut busiest, mut largest) = (PortId(0), 0.0);
    for (port, channel) in network.channels() {
        let utilization = &mut bits[port.index()];
        *utilization /= channel.bandwidth.as_bps() as f64;
        // Sums of equal shares differ in their last bits; that must not choose the channel.
        if *utilization > largest * (1.0 + 1e-9) {
            largest = *utilization;
            busiest = port;
        }
    }
    (busiest, largest)
}
