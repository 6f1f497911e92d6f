//! Broadcasts (Subramoni et al. 2011, §II).

use super::steps::{MOST_MESSAGES, Steps};
use super::{After, Closed, Exchanged, Moment, Queueing, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::units::Bytes;

crate::choices! {
    /// How a message gets to all ranks.
    pub enum Spread {
        /// Whole, along a k-nomial tree.
        KNomial = "k_nomial", "k-nomial tree";
        /// In parts along a binomial tree, which all ranks then gather: by recursive doubling, or on a
        /// ring where the ranks are no power of two.
        ScatterAllgather = "scatter_allgather", "scatter and allgather";
    }
}

/// One rank sends to all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Broadcast {
    /// How.
    pub tree: Spread,
    /// The base of the k-nomial tree.
    pub k: u32,
    /// Who sends.
    pub root: u32,
}

impl Default for Broadcast {
    fn default() -> Broadcast {
        Broadcast { tree: Spread::default(), k: 4, root: 0 }
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
                "k",
                "Base",
                "The base of the k-nomial tree; 2 is a binomial tree.",
                &mut self.k,
                2..=1024,
            )
            .advanced(),
        );
        form.setting(
            Setting::number("root", "Root", "The rank that sends.", &mut self.root, 0..=4_000_000)
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
        "One rank sends to all others along a tree (Subramoni et al. 2011, §II)."
    }
}

/// The children of a rank in a k-nomial tree of `count` ranks under rank 0, in the order in which they
/// are sent to: `r + m·k^l`, for `k^l` below the place of r's lowest digit that is not 0, largest first.
fn children(rank: u32, k: u32, count: u32) -> Vec<u32> {
    let mut weights = Vec::new();
    let mut weight: u32 = 1;
    while weight < count && (rank / weight).is_multiple_of(k) {
        weights.push(weight);
        match weight.checked_mul(k) {
            Some(next) => weight = next,
            None => break,
        }
    }
    let mut all = Vec::new();
    for weight in weights.into_iter().rev() {
        let each = (1..k).map_while(|m| rank.checked_add(m.checked_mul(weight)?));
        all.extend(each.take_while(|child| *child < count));
    }
    all
}

/// A message of a tree: whom it goes to, and how many ranks it reaches there and further down.
struct Tree {
    parent: Vec<u32>,
    /// Ranks in the order in which they get the message when each sending takes one round.
    order: Vec<u32>,
    round: Vec<u32>,
}

impl Tree {
    fn new(k: u32, count: u32) -> Tree {
        let mut tree = Tree { parent: vec![0; count as usize], order: vec![0], round: Vec::new() };
        tree.round.resize(count as usize, 0);
        let mut next = 0;
        while let Some(rank) = tree.order.get(next).copied() {
            next += 1;
            for (round, child) in (tree.round[rank as usize] + 1..).zip(children(rank, k, count)) {
                tree.parent[child as usize] = rank;
                tree.round[child as usize] = round;
                tree.order.push(child);
            }
        }
        tree
    }
}

impl Closed for Broadcast {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let count = site.ranks();
        if self.root >= count {
            let allowed = format!("there are {count} ranks, allowed: 0 to {}", count - 1);
            return Err(Refused::setting("root", self.root, allowed));
        }
        let mut steps = Steps::new(count);
        match self.tree {
            Spread::KNomial => {
                self.down(&mut steps, &Tree::new(self.k, count), |_| site.bytes);
            }
            Spread::ScatterAllgather => self.scatter_allgather(&mut steps, site)?,
        }
        steps.finish(Queueing::InOrder)
    }
}

impl Broadcast {
    /// The rank at a place counted from the root.
    fn rank(&self, place: u32, count: u32) -> u32 {
        ((u64::from(place) + u64::from(self.root)) % u64::from(count)) as u32
    }

    /// Sends along a tree; for each place the message that it gets.
    fn down(
        &self,
        steps: &mut Steps,
        tree: &Tree,
        bytes: impl Fn(u32) -> Bytes,
    ) -> Vec<Option<u32>> {
        let count = tree.parent.len() as u32;
        let mut got: Vec<Option<u32>> = vec![None; count as usize];
        for place in tree.order.iter().skip(1).copied() {
            let parent = tree.parent[place as usize];
            let before = got[parent as usize];
            let after = before.map(|message| After { message, moment: Moment::Delivered });
            let ends = [self.rank(parent, count), self.rank(place, count)];
            let round = tree.round[place as usize] - 1;
            let after = after.into_iter().collect();
            got[place as usize] = Some(steps.send(round, ends, bytes(place), after));
        }
        got
    }

    fn scatter_allgather(&self, steps: &mut Steps, site: Site<'_>) -> Result<(), Refused> {
        let count = site.ranks();
        if site.bytes.0 < u64::from(count) {
            let allowed = format!(
                "tree=scatter_allgather cuts it into a part for each rank, allowed: at least {}",
                Bytes(u64::from(count))
            );
            return Err(Refused::setting("bytes", site.bytes, allowed));
        }
        let doubling = count.is_power_of_two();
        let messages = u64::from(count) * u64::from(count - 1);
        if !doubling && messages > MOST_MESSAGES {
            let allowed = "tree=scatter_allgather sends on a ring where the ranks are no power of two, \
                           allowed: up to 2000, or a power of two";
            return Err(Refused::setting("ranks", count, allowed.to_owned()));
        }
        let tree = Tree::new(2, count);
        // The parts of some places in a row.
        let parts = |first: u32, end: u32| {
            let cut = |place: u32| {
                (u128::from(site.bytes.0) * u128::from(place) / u128::from(count)) as u64
            };
            Bytes(cut(end) - cut(first))
        };
        let below = |place: u32| 1 << place.trailing_zeros();
        let got = self.down(steps, &tree, |place| parts(place, (place + below(place)).min(count)));
        let first = tree.round.iter().copied().max().unwrap_or(0);
        let delivered = |message: u32| After { message, moment: Moment::Delivered };
        let mut waits: Vec<Vec<After>> =
            got.iter().map(|message| message.iter().copied().map(delivered).collect()).collect();
        let rounds = if doubling { count.trailing_zeros() } else { count - 1 };
        for round in 0..rounds {
            let mut next = waits.clone();
            for place in 0..count {
                let (other, bytes) = if doubling {
                    let size = 1 << round;
                    let start = place / size * size;
                    (place ^ size, parts(start, start + size))
                } else {
                    let part = (place + count - round % count) % count;
                    ((place + 1) % count, parts(part, part + 1))
                };
                let ends = [self.rank(place, count), self.rank(other, count)];
                let message = steps.send(first + round, ends, bytes, waits[place as usize].clone());
                match doubling {
                    true => next[other as usize].push(delivered(message)),
                    false => next[other as usize] = vec![delivered(message)],
                }
            }
            waits = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Subramoni et al. 2011, Fig. 3.
    #[test]
    fn the_tree_of_32_ranks_in_base_4_is_the_printed_one() {
        assert_eq!(children(0, 4, 32), [16, 4, 8, 12, 1, 2, 3]);
        assert_eq!(children(16, 4, 32), [20, 24, 28, 17, 18, 19]);
        assert_eq!(children(4, 4, 32), [5, 6, 7]);
        assert_eq!(children(20, 4, 32), [21, 22, 23]);
        assert_eq!(children(5, 4, 32), [0; 0]);
        // With unit cost per sending, the last rank has it after seven of them.
        assert_eq!(Tree::new(4, 32).round.iter().max(), Some(&7));
    }
}
