//! Minimal routing on groups: at most one local, one global and one local hop.
//!
//! Where several global links join two groups, one that starts at the source's switch is taken,
//! else one that ends at the destination's switch, else each with equal probability. Local hops
//! before the global one use virtual channel 0, after it channel 1, so the channels are
//! taken in the order L0 R0 L1 and no cycle can form (Kim et al. 2008; Prisacari 2020, §5.2).

use std::sync::Arc;

use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing, Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Groups, Needs, Network, Node, PortId, Structure, SwitchId};
use crate::random::Stream;

/// Minimal routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Minimal;

impl Settings for Minimal {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Minimal {
    fn name(&self) -> &'static str {
        "minimal"
    }
    fn label(&self) -> &'static str {
        "Minimal"
    }
    fn help(&self) -> &'static str {
        "The direct way: at most one global link between two groups (Prisacari 2020, §5.2)."
    }
}

impl Algorithm for Minimal {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        match network.structure() {
            Structure::Groups(groups) => {
                let groups = groups.clone();
                Ok(Routes::Oblivious(Box::new(MinimalRoutes { network: network.clone(), groups })))
            }
            other => Err(Needs { part: "minimal", structure: "groups", found: other.name() }),
        }
    }
}

struct MinimalRoutes {
    network: Arc<Network>,
    groups: Groups,
}

impl MinimalRoutes {
    /// The global links that a pair may use; none within a group.
    fn candidates(&self, pair: Pair) -> Candidates<'_> {
        let from = self.groups.switch_of(pair.source);
        let to = self.groups.switch_of(pair.destination);
        let (from_group, to_group) = (self.groups.group(from), self.groups.group(to));
        if from_group == to_group {
            return Candidates { all: &[], some: None };
        }
        let all = self.groups.global_ports(from_group, to_group);
        if all.len() <= 1 {
            return Candidates { all, some: None };
        }
        let starts_here = |port: &PortId| self.network.owner(*port) == Node::Switch(from);
        let ends_there = |port: &PortId| self.network.neighbor(*port) == Some(Node::Switch(to));
        let some = match (all.iter().any(starts_here), all.iter().any(ends_there)) {
            (true, _) => Some(all.iter().copied().filter(starts_here).collect()),
            (false, true) => Some(all.iter().copied().filter(ends_there).collect()),
            (false, false) => None,
        };
        Candidates { all, some }
    }
}

/// The global links of a pair of groups, or some of them.
struct Candidates<'a> {
    all: &'a [PortId],
    some: Option<Vec<PortId>>,
}

impl Candidates<'_> {
    fn ports(&self) -> &[PortId] {
        self.some.as_deref().unwrap_or(self.all)
    }
}

impl Route for MinimalRoutes {
    fn virtual_channels(&self) -> u8 {
        2
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        let candidates = self.candidates(pair);
        let ports = candidates.ports();
        let chosen = match ports.len() {
            0 | 1 => ports.first(),
            count => ports.get(stream.below(count as u32) as usize),
        };
        Waypoints([chosen.copied(), None])
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let unroutable = Unroutable { at, destination: header.destination };
        let target = self.groups.switch_of(header.destination);
        if at == target {
            let number = header.destination.0 % self.groups.endpoints_per_switch;
            return Ok(Hop { port: self.network.port(at, number), vc: 0 });
        }
        if self.groups.group(at) == self.groups.group(target) {
            let port = self.groups.local_port(&self.network, at, target);
            return Ok(Hop { port, vc: header.stage });
        }
        let global = header.waypoints.0[0].ok_or(unroutable)?;
        match self.network.owner(global) {
            Node::Switch(exit) if exit == at => {
                header.stage = 1;
                Ok(Hop { port: global, vc: 0 })
            }
            Node::Switch(exit) if self.groups.group(exit) == self.groups.group(at) => {
                Ok(Hop { port: self.groups.local_port(&self.network, at, exit), vc: 0 })
            }
            _ => Err(unroutable),
        }
    }
}

impl Oblivious for MinimalRoutes {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let candidates = self.candidates(pair);
        let ports = candidates.ports();
        if ports.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        for port in ports {
            show(Waypoints([Some(*port), None]), 1.0 / ports.len() as f64);
        }
    }
}
