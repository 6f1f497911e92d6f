//! Where routes are lost.

use serde::{Deserialize, Serialize};

use crate::network::{Forward, Lfts, Network, Node, SwitchId, Target};

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
    /// Its local id; 0 where it has none.
    pub lid: u32,
    /// How they are lost.
    pub loss: Loss,
    /// The same in words: what the switch's table says, or the circle with its ports.
    pub detail: String,
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
    pub fn finish(self, network: &Network, lfts: Option<&Lfts>) -> (Vec<Gap>, u64) {
        let name = |switch| network.name(Node::Switch(switch));
        let gap = |found: &Found| Gap {
            to: network.name(network.target(found.target).0),
            lid: network.target_lid(found.target),
            loss: found.loss,
            detail: match (found.loss, lfts) {
                (_, None) => format!("no route from {}", name(found.at)),
                (Loss::Ends, Some(lfts)) => ending(network, lfts, found.at, found.target),
                (Loss::Circles, Some(lfts)) => circle(network, lfts, found.at, found.target),
            },
            at: name(found.at),
            from: name(found.from),
            sources: found.sources,
        };
        (self.listed.iter().map(gap).collect(), self.count)
    }
}

/// What a table says where packets end.
pub(in crate::analysis) fn ending(
    network: &Network,
    lfts: &Lfts,
    at: SwitchId,
    target: Target,
) -> String {
    let name = network.name(Node::Switch(at));
    let to = destination(network, target);
    match (lfts.get(at, target), lfts.port(network, at, target)) {
        (Forward::Nowhere, _) => format!("{name} has no entry for {to}"),
        (Forward::Here, _) => format!("{name} keeps what goes to {to}"),
        (Forward::Port(number), None) => {
            format!("{name} sends what goes to {to} to its port {number}, which it does not have")
        }
        (Forward::Port(_), Some(port)) => {
            let number = network.shown_number(port);
            let end = match network.neighbor(port) {
                None => "has no cable".to_owned(),
                Some(node) => format!("leads to {}", network.name(node)),
            };
            format!("{name} sends what goes to {to} to its port {number}, which {end}")
        }
    }
}

/// A destination's name and address.
fn destination(network: &Network, target: Target) -> String {
    let (to, _) = network.target(target);
    format!("{} (lid {})", network.name(to), network.target_lid(target))
}

/// The circle that packets go in, with its ports.
fn circle(network: &Network, lfts: &Lfts, start: SwitchId, target: Target) -> String {
    const LONGEST: usize = 20;
    let mut text = format!("what goes to {} goes in a circle: ", destination(network, target));
    let mut at = start;
    for _ in 0..LONGEST {
        text.push_str(&network.name(Node::Switch(at)));
        let port = lfts.port(network, at, target);
        let Some((port, Node::Switch(next))) = port.zip(port.and_then(|p| network.neighbor(p)))
        else {
            return text;
        };
        text.push_str(&format!(" port {} → ", network.shown_number(port)));
        if next == start {
            return text + &network.name(Node::Switch(start));
        }
        at = next;
    }
    text + "…"
}
