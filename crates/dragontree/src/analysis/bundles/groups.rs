//! Ranks that take the same ways because they hang on the same switch.

#[cfg(feature = "complete")]
use crate::network::SwitchId;
use crate::network::{EndpointId, Network, PortId};
use crate::sorting::{both, sort_by_number};

/// Ranks on one switch whose endpoint links are alike.
pub(super) struct Group {
    #[cfg(feature = "complete")]
    pub(super) switch: Option<SwitchId>,
    pub(super) first: u32,
    pub(super) ranks: Vec<u32>,
    pub(super) rate: f64,
}

/// The ranks by switch, and by the kind of their links.
pub(super) fn groups(network: &Network, placement: &[EndpointId]) -> Vec<Group> {
    let key = |rank: u32| {
        let injection = network.injection(placement[rank as usize]);
        let channel = injection.and_then(|port: PortId| network.channel(port));
        let link = channel.map(|channel| (channel.bandwidth, channel.latency));
        (network.switch_of(placement[rank as usize]), link)
    };
    let mut ranks: Vec<u32> = (0..placement.len() as u32).collect();
    // By the link, then by the switch and whether there is a link, which leaves the order of links.
    sort_by_number(&mut ranks, |rank| {
        let link = key(*rank).1;
        link.map_or(0, |(bandwidth, latency)| both(bandwidth.as_bps(), latency.as_ps()))
    });
    sort_by_number(&mut ranks, |rank| {
        let (switch, link) = key(*rank);
        let switch = switch.map_or(0, |switch| u64::from(switch.0) + 1);
        both(switch, u64::from(link.is_some()))
    });
    let chunks = ranks.chunk_by(|one, other| key(*one) == key(*other));
    let group = |ranks: &[u32]| {
        let link = key(ranks[0]).1;
        let bandwidth = link.map_or(0, |(bandwidth, _)| bandwidth.as_bps());
        Group {
            #[cfg(feature = "complete")]
            switch: network.switch_of(placement[ranks[0] as usize]),
            first: ranks[0],
            ranks: ranks.to_vec(),
            rate: bandwidth as f64 * ranks.len() as f64,
        }
    };
    chunks.map(group).collect()
}
