//! How far the leaders of a broadcast are from one another, and the tree laid over them by that
//! (Subramoni et al. 2011, §IV-B).

use std::collections::BTreeMap;

use super::super::{Refused, Site};
use super::tree::Tree;
use super::{Distance, Visit};
use crate::network::{EndpointId, Graph};

/// The most delays that are written down.
const MOST_DELAYS: u64 = 1 << 24;

/// What a broadcast knows of the network to reorder its leaders: the matrix of their delays, in which
/// leaders that are equally far from all others share rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Delays {
    /// The endpoint of each leader.
    leaders: Vec<EndpointId>,
    /// For each leader, whose rows are those of others, too, which they are.
    kinds: Vec<u32>,
    /// For each two of these the delay: links between switches, or picoseconds of a megabit.
    matrix: Vec<u64>,
    rows: u32,
}

/// What it takes to reorder the leaders of a broadcast, counted as the document's library does it
/// (Subramoni et al. 2011, §IV-B and Table III).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overhead {
    /// How many leaders there are.
    pub leaders: u32,
    /// Ways that the service of routes is asked for, or rates that leaders tell one another.
    pub queries: u64,
    /// Delays in the matrix.
    pub delays: u64,
    /// Messages that bring the matrix, or the rates, to every leader.
    pub messages: u64,
    /// Leaders that are looked at to find the nearest one for each place of the tree.
    pub comparisons: u64,
}

impl Delays {
    /// The delays between leaders on these endpoints.
    ///
    /// # Errors
    /// There are too many different ones to write down.
    pub(super) fn new(
        site: Site<'_>,
        leaders: &[EndpointId],
        by: Distance,
    ) -> Result<Delays, Refused> {
        let mut kinds = Vec::with_capacity(leaders.len());
        let mut found: BTreeMap<u64, u32> = BTreeMap::new();
        let mut keys = Vec::new();
        for leader in leaders {
            let key = match by {
                Distance::Hops => {
                    site.network.switch_of(*leader).map_or(u64::MAX, |switch| u64::from(switch.0))
                }
                Distance::Speed => rate(site, *leader),
            };
            let kind = *found.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() as u32 - 1
            });
            kinds.push(kind);
        }
        let rows = keys.len() as u64;
        if rows * rows > MOST_DELAYS {
            let allowed = format!(
                "its leaders are on {rows} switches, allowed: up to {}, or order=rank",
                MOST_DELAYS.isqrt()
            );
            return Err(Refused::setting("by", "hops", allowed));
        }
        let matrix = match by {
            Distance::Hops => hops(site, &keys),
            Distance::Speed => speeds(&keys),
        };
        Ok(Delays { leaders: leaders.to_vec(), kinds, matrix, rows: rows as u32 })
    }

    /// The same delays between leaders on these endpoints, in their order; none where one of them was
    /// not among the leaders.
    pub(super) fn among(&self, leaders: &[EndpointId]) -> Option<Delays> {
        let known = self.leaders.iter().map(|endpoint| endpoint.0).zip(&self.kinds);
        let known: BTreeMap<u32, u32> = known.map(|(endpoint, kind)| (endpoint, *kind)).collect();
        let kinds: Option<Vec<u32>> =
            leaders.iter().map(|endpoint| known.get(&endpoint.0).copied()).collect();
        let (matrix, rows) = (self.matrix.clone(), self.rows);
        Some(Delays { leaders: leaders.to_vec(), kinds: kinds?, matrix, rows })
    }

    /// The delay between two leaders.
    pub fn between(&self, one: u32, other: u32) -> u64 {
        self.of_kinds(self.kinds[one as usize], self.kinds[other as usize])
    }

    fn of_kinds(&self, one: u32, other: u32) -> u64 {
        self.matrix[(one * self.rows + other) as usize]
    }

    /// For each place of a tree the leader that takes it: the first one the root's, and every other, in
    /// the order in which they are visited, the one among those left that is nearest to the leader at the
    /// place above; the lowest of several (Subramoni et al. 2011, §IV-B).
    pub(super) fn arrange(&self, tree: &Tree, visit: Visit) -> Vec<u32> {
        let order = match visit {
            Visit::Rank => return (0..tree.count()).collect(),
            Visit::BreadthFirst => tree.order.clone(),
            Visit::DepthFirst => tree.depth_first(),
        };
        // The leaders of each kind that are left, the lowest last.
        let mut left: Vec<Vec<u32>> = vec![Vec::new(); self.rows as usize];
        for leader in (1..tree.count()).rev() {
            left[self.kinds[leader as usize] as usize].push(leader);
        }
        let mut at = vec![0; tree.parent.len()];
        for place in order.into_iter().skip(1) {
            let above: u32 = at[tree.parent[place as usize] as usize];
            let above = self.kinds[above as usize];
            let lowest = (0..).zip(&left).filter_map(|(kind, all)| Some((kind, *all.last()?)));
            let near = lowest.min_by_key(|(kind, lowest)| (self.of_kinds(above, *kind), *lowest));
            if let Some((kind, leader)) = near {
                left[kind as usize].pop();
                at[place as usize] = leader;
            }
        }
        at
    }
}

impl Overhead {
    /// What it takes to reorder so many leaders.
    pub(super) fn of(leaders: u32, by: Distance) -> Overhead {
        let count = u64::from(leaders);
        let pairs = count * count.saturating_sub(1) / 2;
        let (queries, messages) = match by {
            Distance::Hops => (pairs, count.saturating_sub(1)),
            Distance::Speed if count.is_power_of_two() => {
                (count, count * u64::from(count.trailing_zeros()))
            }
            Distance::Speed => (count, 2 * pairs),
        };
        Overhead { leaders, queries, delays: count * count, messages, comparisons: pairs }
    }

    /// What a later broadcast takes: from the same root nothing, since its order is kept, and from
    /// another one only the search for the nearest leaders, by the delays that are known.
    pub fn later(&self, is_same_root: bool) -> Overhead {
        let comparisons = if is_same_root { 0 } else { self.comparisons };
        Overhead { leaders: self.leaders, comparisons, ..Overhead::default() }
    }

    /// Everything that is counted, together.
    pub fn steps(&self) -> u64 {
        self.queries + self.delays + self.messages + self.comparisons
    }
}

/// The rate of an endpoint's link in bits per second.
fn rate(site: Site<'_>, endpoint: EndpointId) -> u64 {
    let channel = site.network.injection(endpoint).and_then(|port| site.network.channel(port));
    channel.map_or(1, |channel| channel.bandwidth.as_bps().max(1))
}

/// Links between switches on the shortest ways. Where a routing leads along others, the document's
/// service would count those.
fn hops(site: Site<'_>, switches: &[u64]) -> Vec<u64> {
    let graph = Graph::of(site.network);
    let far = |switch: &u64| usize::try_from(*switch).ok().filter(|own| *own < graph.count());
    let row = |from: &u64| {
        let distances = far(from).map(|from| graph.distances(from as u32));
        let to = |to: &u64| Some(u64::from(*distances.as_ref()?.get(far(to)?)?));
        switches.iter().map(|other| to(other).unwrap_or(u64::MAX)).collect::<Vec<_>>()
    };
    switches.iter().flat_map(row).collect()
}

/// The inverse of the lower of two rates.
fn speeds(rates: &[u64]) -> Vec<u64> {
    let delay = |one: &u64, other: &u64| 1_000_000_000_000_000_000 / one.min(other);
    rates.iter().flat_map(|one| rates.iter().map(move |other| delay(one, other))).collect()
}
