//! Traffic from switch to switch.

use super::{Destinations, Site};
use crate::network::EndpointId;
use crate::units::Rank;

/// Each rank sends to the one that has its place at the partner of its switch; silent are those
/// without, and those that would send to themselves.
pub(super) fn between(site: Site<'_>, partners: &[Option<u32>]) -> Destinations {
    let home = |endpoint: &EndpointId| site.network.switch_of(*endpoint);
    let mut ranks: Vec<Vec<Rank>> = vec![Vec::new(); partners.len()];
    for (rank, endpoint) in (0..).zip(site.placement) {
        if let Some(switch) = endpoint.as_ref().and_then(home) {
            ranks[switch.index()].push(Rank(rank));
        }
    }
    let mut destinations = vec![None; site.placement.len()];
    for (own, partner) in ranks.iter().zip(partners) {
        let theirs = partner.map_or(&[][..], |partner| &ranks[partner as usize]);
        for (rank, other) in own.iter().zip(theirs).filter(|(rank, other)| rank != other) {
            destinations[rank.0 as usize] = Some(*other);
        }
    }
    Destinations::Fixed(destinations)
}

/// For each switch the one at its place so many groups on; groups are of so many switches, one after
/// the other.
pub(super) fn groups_on(switches: u32, per_group: u32, by: u32) -> Vec<Option<u32>> {
    let step = u64::from(by) * u64::from(per_group);
    let on = |switch: u32| ((u64::from(switch) + step) % u64::from(switches.max(1))) as u32;
    (0..switches).map(|switch| Some(on(switch))).collect()
}
