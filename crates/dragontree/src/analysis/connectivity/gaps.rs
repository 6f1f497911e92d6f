//! Where routes are lost.

use serde::{Deserialize, Serialize};

use crate::network::{Network, Node, SwitchId, Target};

/// How packets are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// The switch has no entry for them, or one that leads nowhere.
    Ends,
    /// They come by the switch again and again.
    Circles,
}

/// A destination and a switch at which packets for it are lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The destination.
    pub to: String,
    /// How they are lost.
    pub loss: Loss,
    /// The switch.
    pub at: String,
    /// The first switch from which packets come there.
    pub from: String,
    /// How many nodes lose their packets there.
    pub sources: u64,
}

/// The most gaps that are listed.
const MOST_LISTED: usize = 50;

/// Collects gaps, destination by destination.
#[derive(Default)]
pub(super) struct Gaps {
    listed: Vec<Found>,
    /// For each switch the last destination for which packets are lost there.
    seen: Vec<Option<Target>>,
    count: u64,
}

struct Found {
    target: Target,
    loss: Loss,
    at: SwitchId,
    from: SwitchId,
    sources: u64,
}

impl Gaps {
    pub fn new(network: &Network) -> Gaps {
        Gaps { seen: vec![None; network.switch_count() as usize], ..Gaps::default() }
    }

    /// Notes that nodes at a switch lose their packets; those of one destination in a row.
    pub fn note(&mut self, target: Target, loss: Loss, at: SwitchId, from: SwitchId, sources: u64) {
        if self.seen[at.index()].replace(target) != Some(target) {
            self.count += 1;
            if self.listed.len() < MOST_LISTED {
                self.listed.push(Found { target, loss, at, from, sources });
            }
            return;
        }
        let mut listed = self.listed.iter_mut().rev().take_while(|found| found.target == target);
        if let Some(found) = listed.find(|found| found.at == at) {
            found.sources += sources;
        }
    }

    /// The gaps in words, and how many there are with those that are not listed.
    pub fn finish(self, network: &Network) -> (Vec<Gap>, u64) {
        let name = |switch| network.name(Node::Switch(switch));
        let gap = |found: &Found| Gap {
            to: network.name(network.target(found.target).0),
            loss: found.loss,
            at: name(found.at),
            from: name(found.from),
            sources: found.sources,
        };
        (self.listed.iter().map(gap).collect(), self.count)
    }
}
