//! Routes whose probabilities do not depend on the load, and what analysis may ask of them.

use std::sync::Arc;

#[cfg(feature = "complete")]
use super::pattern_specific;
use super::{Halves, Header, Pair, Route, Waypoints};
use crate::network::{EndpointId, Lfts, PortId, SwitchId};

/// Which pairs take the same ways between their switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// None that is known.
    Nothing,
    /// Those with the same destination whose sources hang on the same switch.
    Sources,
    /// Those with the same source whose destinations hang on the same switch; each of them has one
    /// way.
    Destinations,
    /// Those whose sources hang on the same switch and whose destinations do, too.
    Switches,
}

/// Routes whose probabilities do not depend on the load.
pub trait Oblivious: Route {
    /// Shows every choice of waypoints for a pair, with its probability; they add up to 1.
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64));

    /// About how many ways a pair has, to tell how long it takes to walk them.
    fn ways_per_pair(&self) -> u64 {
        1
    }

    /// Which pairs take the same ways, so that analysis can walk them once.
    fn sharing(&self) -> Sharing {
        Sharing::Nothing
    }

    /// Whether ways to a destination merge: each pair has but one, and by which port it leaves a switch
    /// depends on nothing but the switch and the destination, as [`onward`](Self::onward) says.
    fn merges(&self) -> bool {
        false
    }

    /// The port by which everything to a destination leaves a switch, where ways
    /// [merge](Self::merges); none where there is no way on.
    fn onward(&self, at: SwitchId, destination: EndpointId) -> Option<PortId> {
        let waypoints = Waypoints::default();
        let hop = self.next(at, &mut Header { destination, waypoints, stage: 0 });
        hop.ok().map(|hop| hop.port)
    }

    /// The routes as halves that follow one another, where they are.
    fn halves(&self) -> Option<&dyn Halves> {
        None
    }

    /// What is known of the routes, where they were made for messages.
    #[cfg(feature = "complete")]
    fn solved(&self) -> Option<&pattern_specific::Solved> {
        None
    }

    /// The routes as forwarding tables, where the next hop depends on nothing but the switch and
    /// the destination, and the tables would not be too large.
    fn lfts(&self) -> Option<Arc<Lfts>> {
        None
    }
}
