//! The kinds of channels that contention is told apart by.

use serde::{Deserialize, Serialize};

use crate::network::extraction::{Extraction, extract};
use crate::network::{LinkClass, Network, Node, PortId, Structure, SwitchId};

/// Where a channel leads in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Away from the endpoints.
    Up,
    /// Towards the endpoints.
    Down,
}

/// A kind of channels between switches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kind {
    pub name: String,
    pub direction: Option<Direction>,
    pub channels: u32,
}

/// The kinds of channels between switches: what they join, and where they lead.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    kinds: Vec<Kind>,
    /// For each port its kind, or [`NONE`].
    of: Vec<u16>,
}

const NONE: u16 = u16::MAX;

/// For each switch its level: as the network tells it, or that in the tree that was found.
pub(in crate::analysis) fn switch_levels(
    network: &Network,
    extraction: Option<&Extraction>,
) -> Vec<Option<u32>> {
    let told = |switch| match network.structure() {
        Structure::Tree(tree) => Some(tree.level(switch)),
        Structure::Layered(layered) => Some(layered.layer(switch)),
        Structure::Subnets(subnets) => Some(subnets.layers.layer(switch)),
        _ => None,
    };
    let mut levels: Vec<Option<u32>> = network.switches().map(told).collect();
    if *network.structure() == Structure::Irregular {
        let fabrics = extraction.into_iter().flat_map(|extraction| &extraction.fabrics);
        for tree in fabrics.filter_map(|fabric| fabric.found.as_ref().ok()) {
            for place in tree.places() {
                levels[place.switch.index()] = Some(place.level);
            }
        }
    }
    levels
}

impl Levels {
    /// By the classes of the links and the network's own levels.
    pub fn new(network: &Network) -> Levels {
        let levels = switch_levels(network, None);
        Levels::with(network, |switch| levels[switch.index()])
    }

    /// The same, with the levels of the fat trees that are found where the network has none of its
    /// own.
    pub fn found(network: &Network) -> Levels {
        let irregular = *network.structure() == Structure::Irregular;
        let extraction = irregular.then(|| extract(network));
        let levels = switch_levels(network, extraction.as_ref());
        Levels::with(network, |switch| levels[switch.index()])
    }

    /// By the classes of the links and levels found elsewhere, leaves at 1; links of no
    /// particular class get theirs from the levels.
    pub fn with(network: &Network, level: impl Fn(SwitchId) -> Option<u32>) -> Levels {
        let mut keys = Vec::with_capacity(network.port_count() as usize);
        for port in (0..network.port_count()).map(PortId) {
            keys.push(key(network, port, &level));
        }
        let mut kinds: Vec<(LinkClass, Option<Direction>)> = Vec::new();
        for key in keys.iter().flatten() {
            if let Err(place) = kinds.binary_search(key) {
                kinds.insert(place, *key);
            }
        }
        kinds.truncate(usize::from(NONE));
        let place = |key: &Option<(LinkClass, Option<Direction>)>| {
            let place = key.and_then(|key| kinds.binary_search(&key).ok());
            place.map_or(NONE, |place| place as u16)
        };
        let of: Vec<u16> = keys.iter().map(place).collect();
        let count = |place| of.iter().filter(|each| **each == place).count() as u32;
        let kind = |(place, (class, direction)): (usize, &(LinkClass, Option<Direction>))| Kind {
            name: class.to_string(),
            direction: *direction,
            channels: count(place as u16),
        };
        Levels { kinds: kinds.iter().enumerate().map(kind).collect(), of }
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The place among the kinds; none for channels that are not between switches.
    pub(super) fn of(&self, port: PortId) -> Option<usize> {
        let place = self.of.get(port.index()).copied();
        place.filter(|place| *place != NONE).map(usize::from)
    }
}

fn key(
    network: &Network,
    port: PortId,
    level: &impl Fn(SwitchId) -> Option<u32>,
) -> Option<(LinkClass, Option<Direction>)> {
    let (Node::Switch(from), Some(Node::Switch(to))) =
        (network.owner(port), network.neighbor(port))
    else {
        return None;
    };
    let class = network.channel(port)?.class;
    let (Some(low), Some(high)) = (level(from), level(to)) else { return Some((class, None)) };
    let direction = match low.cmp(&high) {
        std::cmp::Ordering::Less => Some(Direction::Up),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Direction::Down),
    };
    let class = match (class, direction) {
        (LinkClass::Switch, Some(_)) => LinkClass::Level(low.max(high)),
        (LinkClass::Switch, None) => LinkClass::Sibling,
        _ => class,
    };
    Some((class, direction))
}
