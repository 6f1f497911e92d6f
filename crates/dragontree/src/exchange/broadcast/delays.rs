//! How far the leaders of a broadcast are from one another, and the tree laid over them by that
//! (Subramoni et al. 2011, §IV-B).

use std::collections::BTreeMap;

use super::super::{Refused, Site};
use super::tree::Tree;
use super::{Distance, Visit, hops};
use crate::network::EndpointId;

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

/// The different leaders that are found, one after the other.
pub(super) struct Kinds<T> {
    by: &'static str,
    differ: [&'static str; 2],
    kinds: Vec<u32>,
    found: BTreeMap<T, u32>,
}

impl<T: Ord> Kinds<T> {
    /// None yet; the setting by which they differ, and a verb and a noun for that.
    pub fn new(by: &'static str, differ: [&'static str; 2]) -> Kinds<T> {
        Kinds { by, differ, kinds: Vec::new(), found: BTreeMap::new() }
    }

    /// Adds a leader; those with equal keys share rows and columns.
    ///
    /// # Errors
    /// There are too many different ones to write down.
    pub fn add(&mut self, key: T) -> Result<u32, Refused> {
        let next = self.found.len() as u32;
        let kind = *self.found.entry(key).or_insert(next);
        if u64::from(kind + 1).pow(2) > MOST_DELAYS {
            let most = MOST_DELAYS.isqrt();
            let [verb, noun] = self.differ;
            let allowed = format!(
                "its leaders {verb} more than {most} different {noun}, allowed: up to {most}, or \
                 order=rank"
            );
            return Err(Refused::setting("by", self.by, allowed));
        }
        self.again(kind);
        Ok(kind)
    }

    /// Adds a leader like one before it.
    pub fn again(&mut self, kind: u32) {
        self.kinds.push(kind);
    }

    /// The delays between the leaders that were added, from one's key to another's.
    pub fn delays(self, leaders: &[EndpointId], delay: impl Fn(&T, &T) -> u64) -> Delays {
        let mut keys: Vec<(T, u32)> = self.found.into_iter().collect();
        keys.sort_unstable_by_key(|(_, kind)| *kind);
        let row = |(from, _): &(T, u32)| -> Vec<u64> {
            keys.iter().map(|(to, _)| delay(from, to)).collect()
        };
        let matrix = keys.iter().flat_map(row).collect();
        let rows = keys.len() as u32;
        Delays { leaders: leaders.to_vec(), kinds: self.kinds, matrix, rows }
    }
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
        match by {
            Distance::Hops => hops::between(site, leaders),
            Distance::Speed => speeds(site, leaders),
        }
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

/// The inverses of the lower of the rates of any two.
fn speeds(site: Site<'_>, leaders: &[EndpointId]) -> Result<Delays, Refused> {
    let mut found = Kinds::new("speed", ["have", "rates"]);
    for leader in leaders {
        found.add(rate(site, *leader))?;
    }
    let delay = |one: &u64, other: &u64| 1_000_000_000_000_000_000 / one.min(other);
    Ok(found.delays(leaders, delay))
}
