//! Round-robin placement: ranks dealt out to switches, or to groups, one after the other.

use super::{Place, Unfit};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{EndpointId, Needs, Network, PortId, Structure};

crate::choices! {
    /// What ranks are dealt out to.
    pub enum Over {
        /// To the switches of the endpoints.
        Switch = "switch", "switches";
        /// To the groups of a dragonfly.
        Group = "group", "groups";
    }
}

/// One rank on each switch, or in each group, then the next on each, until all endpoints have one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundRobin {
    /// What ranks are dealt out to.
    pub over: Over,
}

impl Settings for RoundRobin {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "over",
            "Over",
            "What consecutive ranks are dealt out to.",
            &mut self.over,
        ));
    }
}

impl Part for RoundRobin {
    fn name(&self) -> &'static str {
        "round_robin"
    }
    fn label(&self) -> &'static str {
        "Round-robin"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Consecutive ranks on different switches, or in different groups.")
    }
}

impl Place for RoundRobin {
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        _seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        let groups = match (self.over, network.structure()) {
            (Over::Switch, _) => None,
            (Over::Group, Structure::Groups(groups)) => Some(groups),
            (Over::Group, other) => {
                let (part, structure) = ("over=group", "groups");
                return Err(Needs { part, structure, found: other.name() }.into());
            }
        };
        let mut piles: Vec<Vec<PortId>> = Vec::new();
        for (endpoint, port) in (0..).map(EndpointId).zip(ports) {
            let (Some(port), Some(switch)) = (port, network.switch_of(endpoint)) else { continue };
            let pile = groups.map_or(switch.0, |groups| groups.group(switch)) as usize;
            if piles.len() <= pile {
                piles.resize(pile + 1, Vec::new());
            }
            piles[pile].push(*port);
        }
        let rounds = piles.iter().map(Vec::len).max().unwrap_or(0);
        let round = |turn: usize| piles.iter().filter_map(move |pile| pile.get(turn).copied());
        Ok((0..rounds).flat_map(round).map(Some).collect())
    }
}
