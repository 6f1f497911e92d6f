//! What oblivious routes do with a traffic pattern on average: the load of every channel, the
//! throughput bound that follows, and the latency in an empty network.

use super::path::paths;
use super::zero_load::Latencies;
use crate::network::{EndpointId, Network, PortId};
use crate::routing::{Oblivious, Pair, Unroutable};
use crate::traffic::Destinations;
use crate::units::{Bytes, Rank};

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
    /// Mean latency when every message is alone in the network, in nanoseconds.
    pub zero_load_ns: f64,
    /// Mean number of switches on the way.
    pub hops_mean: f64,
}

/// Walks every path of every pair that has traffic.
///
/// # Errors
/// A pair that has traffic has no route.
pub fn expected(
    network: &Network,
    routes: &dyn Oblivious,
    placement: &[EndpointId],
    destinations: &Destinations,
    latencies: Latencies,
    packet: Bytes,
) -> Result<Report, Unroutable> {
    let serialization: Vec<_> = (0..network.port_count())
        .map(|port| network.channel(PortId(port)).map(|channel| channel.serialization(packet)))
        .collect();
    let mut bits = vec![0.0; network.port_count() as usize];
    let (mut time, mut switches, mut senders) = (0.0, 0.0, 0_u32);
    let mut outcome = Ok(());
    for (rank, source) in placement.iter().enumerate() {
        let rank = Rank(rank as u32);
        let injection = network.injection(*source).and_then(|port| network.channel(port));
        let rate = injection.map_or(0.0, |channel| channel.bandwidth.as_bps() as f64);
        senders += u32::from(destinations.sends(rank));
        destinations.each(rank, &mut |destination, share| {
            let pair = Pair { source: *source, destination: placement[destination.0 as usize] };
            let walked = paths(network, routes, pair, &mut |path, probability| {
                let weight = share * probability;
                for step in path {
                    bits[step.port.index()] += rate * weight;
                }
                let latency = latencies.along(network, path, |port| serialization[port.index()]);
                time += weight * latency.as_ns();
                switches += weight * (path.len() - 1) as f64;
            });
            if let Err(unroutable) = walked {
                outcome = Err(unroutable);
            }
        });
        outcome?;
    }
    let senders = f64::from(senders.max(1));
    let (busiest, largest) = relative_to_rates(network, &mut bits);
    Ok(Report {
        utilization: bits,
        busiest,
        bound: if largest > 0.0 { (1e9 / largest).round() / 1e9 } else { f64::INFINITY },
        zero_load_ns: time / senders,
        hops_mean: switches / senders,
    })
}

/// Divides the traffic on each channel by its rate; the busiest channel and its utilization.
fn relative_to_rates(network: &Network, bits: &mut [f64]) -> (PortId, f64) {
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
