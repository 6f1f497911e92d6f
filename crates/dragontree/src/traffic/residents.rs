//! Which ranks share an endpoint, and what of their messages leaves it.
//!
//! Every rank is a source of its own (Bernoulli); those of an endpoint share its offered load equally,
//! so a message of the endpoint is that of one of its ranks, each as likely. A message between ranks
//! of one endpoint takes no network time: it is neither sent nor waited for, so that an endpoint
//! offers the network that much less.

use super::Destinations;
use crate::network::EndpointId;
use crate::units::Rank;

/// Whether endpoints can have several ranks: in the complete build.
pub const SEVERAL: bool = cfg!(feature = "complete");

/// The ranks by endpoint, of which nothing is kept where no endpoint has several, and the endpoints of
/// ranks.
#[derive(Clone, Debug, Default)]
pub struct Residents {
    /// For each endpoint its first place in `ranks`, then one past the last.
    first: Vec<u32>,
    ranks: Vec<Rank>,
    /// Whether every rank is on the endpoint of its number.
    are_in_order: bool,
}

impl Residents {
    /// Sorts ranks by their endpoints, of which there are so many slots.
    pub fn new(endpoints: u32, placement: &[EndpointId]) -> Residents {
        let mut first = vec![0_u32; endpoints as usize + 1];
        if SEVERAL {
            placement.iter().for_each(|endpoint| first[endpoint.index() + 1] += 1);
        }
        if first.iter().all(|count| *count <= 1) {
            let are_in_order = (0..).zip(placement).all(|(rank, endpoint)| endpoint.0 == rank);
            return Residents { are_in_order, ..Residents::default() };
        }
        for endpoint in 1..first.len() {
            first[endpoint] += first[endpoint - 1];
        }
        let mut next = first.clone();
        let mut ranks = vec![Rank(0); placement.len()];
        for (rank, endpoint) in placement.iter().enumerate() {
            let place = &mut next[endpoint.index()];
            ranks[*place as usize] = Rank(rank as u32);
            *place += 1;
        }
        Residents { first, ranks, are_in_order: false }
    }

    /// The endpoint of a rank. In a large fabric looking that up takes as long as dozens of calculations,
    /// so it is not where it says what the rank's number says.
    #[inline]
    pub fn endpoint(&self, placement: &[EndpointId], rank: Rank) -> EndpointId {
        match self.are_in_order {
            true => EndpointId(rank.0),
            false => placement[rank.0 as usize],
        }
    }

    /// Whether no endpoint has several ranks.
    pub fn are_alone(&self) -> bool {
        !SEVERAL || self.ranks.is_empty()
    }

    /// The ranks on an endpoint, lowest first; empty where no endpoint has several.
    pub fn of(&self, endpoint: EndpointId) -> &[Rank] {
        match self.first.get(endpoint.index()..endpoint.index() + 2) {
            Some([start, end]) => &self.ranks[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// How many ranks each endpoint that has any has; none where these are not equally many.
    pub fn each(&self) -> Option<u32> {
        let mut counts = self.first.windows(2).map(|pair| pair[1] - pair[0]).filter(|n| *n > 0);
        let first = counts.next()?;
        counts.all(|count| count == first).then_some(first)
    }

    /// The share of its endpoint's offered load that a rank sends to other endpoints.
    pub fn leaving(
        &self,
        destinations: &Destinations,
        placement: &[EndpointId],
        rank: Rank,
    ) -> f64 {
        let own = placement[rank.0 as usize];
        let count = if self.are_alone() { 1 } else { self.of(own).len() } as f64;
        match destinations {
            Destinations::Fixed(all) => {
                let to = all[rank.0 as usize].map(|to| placement[to.0 as usize]);
                if to.is_some_and(|to| to != own) { 1.0 / count } else { 0.0 }
            }
            Destinations::Uniform { ranks } => {
                let ranks = f64::from(*ranks);
                if ranks > 1.0 { (ranks - count) / (ranks - 1.0) / count } else { 0.0 }
            }
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => {
                let row = shares[rank.0 as usize].iter();
                let away = row.filter(|(to, _)| placement[to.0 as usize] != own);
                away.map(|(_, share)| share).sum::<f64>() / count
            }
        }
    }
}
