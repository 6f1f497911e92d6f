//! Broadcasts (Subramoni et al. 2011, §II).

use super::steps::{MOST_MESSAGES, Steps};
use super::{After, Closed, Exchanged, Moment, Queueing, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::units::Bytes;

mod delays;
mod hops;
mod leaders;
mod tree;

pub use delays::{Delays, Overhead};
use leaders::Leaders;
use tree::Tree;

crate::choices! {
    /// How a message gets to all ranks.
    pub enum Spread {
        /// Whole, along a k-nomial tree.
        KNomial = "k_nomial", "k-nomial tree";
        /// In parts along a binomial tree, which all ranks then gather: by recursive doubling, or on a
        /// ring where the ranks are no power of two.
        ScatterAllgather = "scatter_allgather", "scatter and allgather";
        /// Whole where it is short, else in parts.
        BySize = "by_size", "by the message's length";
    }
}

crate::choices! {
    /// Who takes part between endpoints.
    pub enum Between {
        /// Every rank.
        Ranks = "ranks", "all ranks";
        /// One rank of each endpoint, which then sends to the others there.
        Leaders = "leaders", "a leader of each endpoint";
    }
}

crate::choices! {
    /// In which order the places of the tree choose who takes them.
    pub enum Visit {
        /// They do not: ranks stand in order.
        Rank = "rank", "by rank";
        /// Level by level.
        BreadthFirst = "breadth_first", "breadth first";
        /// Branch by branch.
        DepthFirst = "depth_first", "depth first";
    }
}

crate::choices! {
    /// What is near.
    pub enum Distance {
        /// Few links between the switches of two endpoints, on the ways that messages take where each
        /// pair has one (Subramoni et al. 2011, §IV-A).
        Hops = "hops", "links between";
        /// A high rate of the slower of two endpoints' links.
        Speed = "speed", "speed of the slower";
    }
}

/// One rank sends to all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Broadcast {
    /// How.
    pub tree: Spread,
    /// From which length on a message that goes by its length goes in parts. The document says that
    /// there is one, and not which.
    pub parts_from: Bytes,
    /// The base of the k-nomial tree.
    pub k: u32,
    /// Who sends.
    pub root: u32,
    /// Who takes part between endpoints.
    pub between: Between,
    /// How the tree is laid over these.
    pub order: Visit,
    /// By what.
    pub by: Distance,
}

impl Default for Broadcast {
    fn default() -> Broadcast {
        Broadcast {
            tree: Spread::default(),
            parts_from: Bytes(512 << 10),
            k: 4,
            root: 0,
            between: Between::default(),
            order: Visit::default(),
            by: Distance::default(),
        }
    }
}

impl Settings for Broadcast {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "tree",
            "Tree",
            "How the message gets to all ranks: whole or in parts.",
            &mut self.tree,
        ));
        form.setting(
            Setting::number(
                "parts_from",
                "In parts from",
                "From which length on a message goes in parts, where that goes by its length.",
                &mut self.parts_from,
                Bytes(1)..=Bytes(1 << 40),
            )
            .advanced(),
        );
        let base = "The base of the k-nomial tree; 2 is a binomial tree.";
        form.setting(Setting::number("k", "Base", base, &mut self.k, 2..=1024).advanced());
        let root = &mut self.root;
        form.setting(
            Setting::number("root", "Root", "The rank that sends.", root, 0..=4_000_000).advanced(),
        );
        form.setting(
            Setting::choice(
                "between",
                "Between endpoints",
                "Whether all ranks take part in the tree, or one of each endpoint, which then sends to \
                 the others there.",
                &mut self.between,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "order",
                "Order",
                "Whether ranks stand in the tree in order, or the nearest one follows, level by level or \
                 branch by branch (Subramoni et al. 2011, §IV-B).",
                &mut self.order,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "by",
                "Nearest by",
                "What the order calls near: few links between two switches on the way that messages \
                 take, or a high rate of the slower of two endpoints.",
                &mut self.by,
            )
            .advanced(),
        );
    }
}

impl Part for Broadcast {
    fn name(&self) -> &'static str {
        "broadcast"
    }
    fn label(&self) -> &'static str {
        "Broadcast"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "One rank sends to all others along a tree (Subramoni et al. 2011, §II).",
        )
    }
}

impl Closed for Broadcast {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let leaders = self.leaders(site)?;
        let tree = self.shape(site.bytes, leaders.count());
        let at = match self.delays_between(site, &leaders)? {
            Some(delays) => delays.arrange(&tree, self.order),
            None => (0..leaders.count()).collect(),
        };
        let ranks = at.into_iter().map(|leader| leaders.rank(leader)).collect();
        let mut sending = Sending { steps: Steps::new(site.ranks()), ranks };
        let got = match self.spread(site.bytes) {
            Spread::KNomial | Spread::BySize => {
                let got = sending.down(&tree, |_| site.bytes);
                got.into_iter().map(|message| message.into_iter().collect()).collect()
            }
            Spread::ScatterAllgather => sending.scatter_allgather(&tree, site.bytes)?,
        };
        sending.serve_mates(&leaders, &got, site.bytes);
        sending.steps.finish(Queueing::InOrder)
    }
}

impl Broadcast {
    /// What the reordering of the leaders goes by; none where they stand in order.
    ///
    /// # Errors
    /// The exchange does not fit the site.
    pub fn delays(&self, site: Site<'_>) -> Result<Option<Delays>, Refused> {
        self.delays_between(site, &self.leaders(site)?)
    }

    /// Whether it goes by the lengths of the ways that messages take.
    pub fn goes_by_ways(&self) -> bool {
        self.order != Visit::Rank && self.by == Distance::Hops
    }

    /// What the reordering takes; none where leaders stand in order.
    ///
    /// # Errors
    /// The exchange does not fit the site.
    pub fn overhead(&self, site: Site<'_>) -> Result<Option<Overhead>, Refused> {
        let leaders = self.leaders(site)?.count();
        Ok((self.order != Visit::Rank).then(|| Overhead::of(leaders, self.by)))
    }

    /// For each place of the tree, counted from the root's, the rank that takes it; the delays may be
    /// those of a broadcast from another root.
    ///
    /// # Errors
    /// The exchange does not fit the site.
    pub fn arranged(&self, site: Site<'_>, delays: &Delays) -> Result<Vec<u32>, Refused> {
        let leaders = self.leaders(site)?;
        let delays = match delays.among(&leaders.endpoints) {
            Some(delays) => delays,
            None => Delays::new(site, &leaders.endpoints, self.by)?,
        };
        let at = delays.arrange(&self.shape(site.bytes, leaders.count()), self.order);
        Ok(at.into_iter().map(|leader| leaders.rank(leader)).collect())
    }

    fn leaders(&self, site: Site<'_>) -> Result<Leaders, Refused> {
        let count = site.ranks();
        if self.root >= count {
            let allowed =
                format!("there are {count} ranks, allowed: 0 to {}", count.saturating_sub(1));
            return Err(Refused::setting("root", self.root, allowed));
        }
        Ok(Leaders::new(site, self.root, self.between))
    }

    fn delays_between(&self, site: Site<'_>, leaders: &Leaders) -> Result<Option<Delays>, Refused> {
        if self.order == Visit::Rank {
            return Ok(None);
        }
        Delays::new(site, &leaders.endpoints, self.by).map(Some)
    }

    /// How a message of this length goes: whole or in parts.
    fn spread(&self, bytes: Bytes) -> Spread {
        match self.tree {
            Spread::BySize if bytes >= self.parts_from => Spread::ScatterAllgather,
            Spread::BySize => Spread::KNomial,
            tree => tree,
        }
    }

    /// The tree along which the message goes down, whole or in parts.
    fn shape(&self, bytes: Bytes, count: u32) -> Tree {
        match self.spread(bytes) {
            Spread::KNomial | Spread::BySize => Tree::new(self.k, count),
            Spread::ScatterAllgather => Tree::new(2, count),
        }
    }
}

/// The messages of a broadcast as they are written out.
struct Sending {
    steps: Steps,
    /// The rank at each place of the tree.
    ranks: Vec<u32>,
}

impl Sending {
    fn count(&self) -> u32 {
        self.ranks.len() as u32
    }

    fn ends(&self, from: u32, to: u32) -> [u32; 2] {
        [from, to].map(|place| self.ranks[place as usize])
    }

    /// Sends along a tree; for each place the message that it gets.
    fn down(&mut self, tree: &Tree, bytes: impl Fn(u32) -> Bytes) -> Vec<Option<u32>> {
        let mut got: Vec<Option<u32>> = vec![None; self.ranks.len()];
        for place in tree.order.iter().skip(1).copied() {
            let parent = tree.parent[place as usize];
            let after = got[parent as usize].map(delivered).into_iter().collect();
            let ends = self.ends(parent, place);
            let round = tree.round[place as usize] - 1;
            got[place as usize] = Some(self.steps.send(round, ends, bytes(place), after));
        }
        got
    }

    /// Sends a part to each place and has all gather them; for each place the messages that it gets.
    fn scatter_allgather(&mut self, tree: &Tree, bytes: Bytes) -> Result<Vec<Vec<u32>>, Refused> {
        let count = self.count();
        check_parts(bytes, count)?;
        // The parts of some places in a row.
        let parts = |first: u32, end: u32| {
            let cut =
                |place: u32| (u128::from(bytes.0) * u128::from(place) / u128::from(count)) as u64;
            Bytes(cut(end) - cut(first))
        };
        let below = |place: u32| 1 << place.trailing_zeros();
        let got = self.down(tree, |place| parts(place, (place + below(place)).min(count)));
        let first = tree.round.iter().copied().max().unwrap_or(0);
        let mut got: Vec<Vec<u32>> =
            got.into_iter().map(|message| message.into_iter().collect()).collect();
        let doubling = count.is_power_of_two();
        let rounds = if doubling { count.trailing_zeros() } else { count - 1 };
        for round in 0..rounds {
            let mut news = vec![0; count as usize];
            for place in 0..count {
                let (other, bytes) = if doubling {
                    let size = 1 << round;
                    let start = place / size * size;
                    (place ^ size, parts(start, start + size))
                } else {
                    let part = (place + count - round % count) % count;
                    ((place + 1) % count, parts(part, part + 1))
                };
                let known = &got[place as usize];
                // On the ring a part is passed on, whatever else has come.
                let after = if doubling { &known[..] } else { &known[known.len().max(1) - 1..] };
                let after = after.iter().copied().map(delivered).collect();
                let ends = self.ends(place, other);
                news[other as usize] = self.steps.send(first + round, ends, bytes, after);
            }
            got.iter_mut().zip(news).for_each(|(known, message)| known.push(message));
        }
        Ok(got)
    }

    /// Leaders that have everything send it to the other ranks of their endpoints, one after the other.
    fn serve_mates(&mut self, leaders: &Leaders, got: &[Vec<u32>], bytes: Bytes) {
        let first = self.steps.phases();
        for (place, known) in got.iter().enumerate() {
            let leader = self.ranks[place];
            let mut after: Vec<After> = known.iter().copied().map(delivered).collect();
            for (round, mate) in (first..).zip(leaders.mates(leader)) {
                let message = self.steps.send(round, [leader, *mate], bytes, after);
                after = vec![After { message, moment: Moment::Sent }];
            }
        }
    }
}

fn delivered(message: u32) -> After {
    After { message, moment: Moment::Delivered }
}

/// Checks that a message can be cut into a part for each place, and that these are not too many.
fn check_parts(bytes: Bytes, count: u32) -> Result<(), Refused> {
    if bytes.0 < u64::from(count) {
        let allowed = format!(
            "tree=scatter_allgather cuts it into a part for each rank, allowed: at least {}",
            Bytes(u64::from(count))
        );
        return Err(Refused::setting("bytes", bytes, allowed));
    }
    let messages = u64::from(count) * u64::from(count - 1);
    if !count.is_power_of_two() && messages > MOST_MESSAGES {
        let allowed = "tree=scatter_allgather sends on a ring where the ranks are no power of two, \
                       allowed: up to 2000, or a power of two";
        return Err(Refused::setting("ranks", count, allowed.to_owned()));
    }
    Ok(())
}
