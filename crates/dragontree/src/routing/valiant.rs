//! Valiant routing: every packet goes minimally to a random place, and from there minimally on.
//!
//! That makes uniform traffic of any traffic, at the price of twice the way (Valiant 1982; Kim et
//! al. 2008; Prisacari 2020, §5.2, §6.2, §7.3.2). Packets between endpoints of one switch stay there.
//! Where there is no place besides those of source and destination, the way is minimal. Ways with
//! a broken link or switch are not drawn.

use std::sync::Arc;

use super::minimal::Over;
use super::{
    Algorithm, Exit, Halves, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing,
    Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{Needs, Network, Node, PortId, SwitchId};
use crate::random::Stream;

mod diameter_two;
mod groups;

use diameter_two::ByCarriers;
use groups::ByGroups;

/// Valiant routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Valiant {
    /// What is drawn.
    pub via: Via,
}

crate::choices! {
    /// The random place on the way.
    pub enum Via {
        /// A switch; on groups one of a third group.
        Switch = "switch", "A switch";
        /// A third group: packets leave it as soon as they can.
        Group = "group", "A group";
    }
}

impl Settings for Valiant {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "via",
            "Via",
            "What every packet draws: a switch, on groups one of a third group, or only that group.",
            &mut self.via,
        ));
    }
}

impl Part for Valiant {
    fn name(&self) -> &'static str {
        "valiant"
    }
    fn label(&self) -> &'static str {
        "Valiant"
    }
    fn help(&self) -> &'static str {
        "Minimally to a random switch or group, and from there minimally on (Prisacari 2020, §6.2 \
         and §7.3.2)."
    }
}

impl Algorithm for Valiant {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let ways = match Over::of(network, self.name())? {
            Over::Groups(minimal) => Ways::Groups(ByGroups::new(minimal, self.via)),
            Over::DiameterTwo(_) if self.via == Via::Group => {
                let found = network.structure().name();
                return Err(Needs {
                    part: self.name(),
                    structure: "groups for “via=group”",
                    found,
                });
            }
            Over::DiameterTwo(minimal) => Ways::Carriers(ByCarriers::new(minimal)),
        };
        let has_holes = (0..network.port_count()).map(PortId).any(|port| {
            network.intact_neighbor(port).is_some() && network.neighbor(port).is_none()
        });
        Ok(Routes::Oblivious(Box::new(ValiantRoutes { network: network.clone(), ways, has_holes })))
    }
}

enum Ways {
    Groups(ByGroups),
    Carriers(ByCarriers),
}

struct ValiantRoutes {
    network: Arc<Network>,
    ways: Ways,
    has_holes: bool,
}

/// How often a way is drawn anew when it is broken, before all that are whole are listed.
const MOST_DRAWS: u32 = 16;

impl ValiantRoutes {
    fn draw(&self, pair: Pair, stream: &mut Stream) -> Waypoints {
        match &self.ways {
            Ways::Groups(ways) => ways.draw(pair, stream),
            Ways::Carriers(ways) => ways.draw(pair, stream),
        }
    }

    /// Shows every way that the network would have if nothing were broken, with its probability.
    fn each(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        match &self.ways {
            Ways::Groups(ways) => ways.each(pair, show),
            Ways::Carriers(ways) => ways.each(pair, show),
        }
    }

    /// Whether a way leads to its end.
    fn leads_there(&self, pair: Pair, waypoints: Waypoints) -> bool {
        let destination = pair.destination;
        let mut header = Header { destination, waypoints, stage: 0 };
        let mut at = self.network.switch_of(pair.source);
        while let Some(switch) = at {
            let Ok(hop) = self.next(switch, &mut header) else { return false };
            match self.network.neighbor(hop.port) {
                Some(Node::Switch(next)) => at = Some(next),
                Some(Node::Endpoint(found)) => return found == destination,
                None => return false,
            }
        }
        false
    }

    /// The ways of a pair that are whole, with their probabilities when one of them is drawn.
    fn whole(&self, pair: Pair) -> Vec<(Waypoints, f64)> {
        let mut whole = Vec::new();
        self.each(pair, &mut |waypoints, share| {
            if self.leads_there(pair, waypoints) {
                whole.push((waypoints, share));
            }
        });
        let total: f64 = whole.iter().map(|(_, share)| share).sum();
        whole.iter_mut().for_each(|(_, share)| *share /= total);
        whole
    }
}

impl Route for ValiantRoutes {
    fn virtual_channels(&self) -> u8 {
        match &self.ways {
            Ways::Groups(ways) => ways.virtual_channels(),
            Ways::Carriers(ways) => ways.virtual_channels(),
        }
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        let mut draws = 0;
        loop {
            let waypoints = self.draw(pair, stream);
            if !self.has_holes || self.leads_there(pair, waypoints) {
                return waypoints;
            }
            draws += 1;
            if draws == MOST_DRAWS && self.whole(pair).is_empty() {
                return Waypoints::default();
            }
        }
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        match &self.ways {
            Ways::Groups(ways) => ways.next(at, header),
            Ways::Carriers(ways) => ways.next(at, header),
        }
    }

    fn drawn_way(
        &self,
        from: SwitchId,
        pair: Pair,
        stream: &mut Stream,
        way: &mut Vec<Exit>,
    ) -> bool {
        match &self.ways {
            Ways::Groups(ways) => ways.drawn_way(from, pair, stream, way),
            Ways::Carriers(_) => false,
        }
    }
}

impl Oblivious for ValiantRoutes {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn ways_per_pair(&self) -> u64 {
        match &self.ways {
            Ways::Groups(ways) => ways.per_pair(),
            Ways::Carriers(ways) => ways.per_pair(),
        }
    }

    fn halves(&self) -> Option<&dyn Halves> {
        match &self.ways {
            _ if self.has_holes => None,
            Ways::Groups(ways) => Some(ways),
            Ways::Carriers(ways) => Some(ways),
        }
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        if !self.has_holes {
            return self.each(pair, show);
        }
        let whole = self.whole(pair);
        if whole.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        whole.iter().for_each(|(waypoints, share)| show(*waypoints, *share));
    }
}
