//! Where a network's switches and endpoints are in a tree.

use std::sync::Arc;

use super::{Malformed, Shape};
use crate::network::{EndpointId, Network, Structure, SwitchId};
use crate::routing::Pair;
use crate::routing::climb::Climb;

/// The places of a network's switches and endpoints in the tree that it is, or that is found in it.
/// Links may be missing.
pub struct TreePlaces {
    climb: Climb,
    shape: Shape,
}

impl TreePlaces {
    /// None where the network is no tree, or one with parallel links.
    pub fn of(network: &Arc<Network>) -> Option<TreePlaces> {
        let climb = match network.structure() {
            Structure::Tree(tree) => Climb::told(network, tree),
            _ => Climb::new(network, "").ok()?,
        };
        let shape: Result<Shape, Malformed> = Shape::of(climb.tree());
        Some(TreePlaces { shape: shape.ok()?, climb })
    }

    /// The shape of the tree.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        self.climb.network()
    }

    /// The first switch of a level, from 1, above the leaves of a subtree of that level; none where all
    /// are missing.
    pub fn top(&self, level: u32, subtree: u32) -> Option<SwitchId> {
        let is_top = |switch: &SwitchId| {
            let site = self.climb.site(*switch);
            site.is_some_and(|site| (site.level, site.subtree) == (level, subtree))
        };
        self.climb.network().switches().find(is_top)
    }

    /// The level of a switch, from 1; none where it has no place.
    pub fn level(&self, switch: SwitchId) -> Option<u32> {
        self.climb.site(switch).map(|site| site.level)
    }

    /// The parents taken on the way to a switch from below, the lowest first; none where it has no
    /// place.
    pub fn climb_to(&self, switch: SwitchId) -> Option<Vec<u16>> {
        let site = self.climb.site(switch)?;
        let mut index = site.index;
        let digits = (1..=site.level).map(|above| {
            let parents = self.climb.tree().parents(above);
            let digit = index % parents;
            index /= parents;
            digit as u16
        });
        Some(digits.collect())
    }

    /// A pair of endpoints as leaves; none where one has no place.
    pub fn leaves(&self, pair: Pair) -> Option<Pair> {
        let [source, destination] = [pair.source, pair.destination].map(|end| self.climb.slot(end));
        Some(Pair { source: source?, destination: destination? })
    }

    /// The endpoint at a leaf.
    pub fn endpoint(&self, leaf: u32) -> Option<EndpointId> {
        let network = self.climb.network();
        network.endpoints().find(|end| self.climb.slot(*end) == Some(EndpointId(leaf)))
    }
}
