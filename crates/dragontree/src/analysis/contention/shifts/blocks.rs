//! The ways between switches, which all of their slots share.

use std::sync::Arc;

use super::notes::Steps;
use super::{Run, endpoints, join, runs_by_switch, switches_with_slots};
use crate::analysis::path::PathFinder;
use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::routing::{Pair, Routes};

/// Routes that pairs between the same switches share, one way for each, switch by switch.
pub(super) struct Blocks {
    network: Arc<Network>,
    routes: Arc<Routes>,
    slots: Vec<Option<EndpointId>>,
    /// The switches with slots, by the first of them.
    ends: Vec<SwitchId>,
    /// For each switch the runs of slots that hang on it.
    own: Vec<Vec<Run>>,
    /// For each port the runs of slots behind it.
    behind: Vec<Vec<Run>>,
    used: Vec<PortId>,
    finder: PathFinder,
    /// The channels of the way that was walked last.
    path: Vec<PortId>,
    parted: bool,
}

impl Blocks {
    pub fn new(network: &Arc<Network>, routes: &Arc<Routes>, slots: &[Option<PortId>]) -> Blocks {
        let own = runs_by_switch(network, slots);
        Blocks {
            slots: endpoints(network, slots),
            ends: switches_with_slots(network, &own),
            behind: vec![Vec::new(); network.port_count() as usize],
            used: Vec::new(),
            finder: PathFinder::default(),
            path: Vec::new(),
            parted: false,
            own,
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// How many switches have slots.
    pub fn count(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Whether a pair was found that has several ways.
    pub fn is_parted(&self) -> bool {
        self.parted
    }

    /// Shows the stages in which the slots of a switch use each channel; how much work it was, and how
    /// many of their flows do not arrive.
    pub fn go_through(&mut self, place: u32, mut show: impl FnMut(PortId, Steps)) -> (u64, u64) {
        let sources = std::mem::take(&mut self.own[self.ends[place as usize].index()]);
        let (mut work, mut unrouted) = (self.ends.len(), 0);
        for end in 0..self.ends.len() {
            let end = self.ends[end].index();
            let others = std::mem::take(&mut self.own[end]);
            // Those of the switch itself have been taken out already.
            let destinations = if others.is_empty() { &sources } else { &others };
            if !self.gather(&sources, destinations) {
                unrouted += self.one_by_one(&sources, destinations, &mut show);
            }
            self.own[end] = others;
        }
        let count = self.slots.len() as u32;
        for port in self.used.drain(..) {
            let runs = &mut self.behind[port.index()];
            work += runs.len() * sources.len();
            for run in runs.drain(..) {
                for own in &sources {
                    show(port, Steps::between(own.first..own.end, run.first..run.end, count));
                }
            }
        }
        self.own[self.ends[place as usize].index()] = sources;
        (work as u64, unrouted)
    }

    /// Notes the runs of slots on a switch behind each channel on the way there from another; whether it
    /// arrives.
    fn gather(&mut self, sources: &[Run], destinations: &[Run]) -> bool {
        let Some(source) = sources.first().map(|run| run.first) else { return true };
        let mut others = destinations.iter().flat_map(|run| run.first..run.end);
        let Some(destination) = others.find(|other| *other != source) else { return true };
        if !self.walk(source, destination) {
            return false;
        }
        for port in &self.path {
            let known = &mut self.behind[port.index()];
            if known.is_empty() {
                self.used.push(*port);
            }
            destinations.iter().for_each(|run| join(known, *run));
        }
        true
    }

    /// The same pair by pair, showing the stage of each; how many do not arrive.
    fn one_by_one(
        &mut self,
        sources: &[Run],
        destinations: &[Run],
        show: &mut impl FnMut(PortId, Steps),
    ) -> u64 {
        let count = self.slots.len() as u32;
        let mut unrouted = 0;
        for source in sources.iter().flat_map(|run| run.first..run.end) {
            let others = destinations.iter().flat_map(|run| run.first..run.end);
            for other in others.filter(|other| *other != source) {
                match self.walk(source, other) {
                    true => self.path.iter().for_each(|port| {
                        show(*port, Steps::to(source, other..other + 1, count));
                    }),
                    false => unrouted += 1,
                }
            }
        }
        unrouted
    }

    /// Walks from slot to slot; whether it arrives.
    fn walk(&mut self, source: u32, destination: u32) -> bool {
        let endpoint = |slot: u32| self.slots[slot as usize];
        let Some((source, destination)) = endpoint(source).zip(endpoint(destination)) else {
            return true;
        };
        let Blocks { network, routes, finder, path, parted, .. } = self;
        path.clear();
        let pair = Pair { source, destination };
        let walked = finder.paths(network, routes.oblivious(), pair, &mut |steps, probability| {
            *parted |= probability != 1.0;
            let between = steps.get(1..steps.len().saturating_sub(1)).unwrap_or_default();
            path.extend(between.iter().map(|step| step.port));
        });
        walked.is_ok()
    }
}
