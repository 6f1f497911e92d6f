//! The ways from each source, which spread like a tree.

use std::sync::Arc;

use super::notes::Steps;
use super::{Run, endpoints, join, runs_by_switch, switches_with_slots};
use crate::analysis::path::PathFinder;
use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::routing::{Pair, Routes};

/// Routes that destinations on the same switch share, source by source.
pub(super) struct Fans {
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
}

impl Fans {
    pub fn new(network: &Arc<Network>, routes: &Arc<Routes>, slots: &[Option<PortId>]) -> Fans {
        let own = runs_by_switch(network, slots);
        Fans {
            slots: endpoints(network, slots),
            ends: switches_with_slots(network, &own),
            behind: vec![Vec::new(); network.port_count() as usize],
            used: Vec::new(),
            finder: PathFinder::default(),
            own,
            network: network.clone(),
            routes: routes.clone(),
        }
    }

    /// Shows the stages in which a slot uses each channel; how much work it was, and how many of
    /// its flows do not arrive.
    pub fn go_through(&mut self, slot: u32, mut show: impl FnMut(PortId, Steps)) -> (u64, u64) {
        let Some(source) = self.slots[slot as usize] else { return (1, 0) };
        let mut unrouted = 0;
        for place in 0..self.ends.len() {
            let end = self.ends[place].index();
            let runs = std::mem::take(&mut self.own[end]);
            let slots = || runs.iter().flat_map(|run| run.first..run.end);
            let first = slots().find(|other| *other != slot);
            if first.is_some_and(|first| !self.walk(source, first, &runs)) {
                for other in slots().filter(|other| *other != slot) {
                    let alone = [Run { first: other, end: other + 1 }];
                    unrouted += u64::from(!self.walk(source, other, &alone));
                }
            }
            self.own[end] = runs;
        }
        let count = self.slots.len() as u32;
        let mut work = self.ends.len();
        for port in self.used.drain(..) {
            let runs = &mut self.behind[port.index()];
            work += runs.len();
            for run in runs.drain(..) {
                show(port, Steps::to(slot, run.first..run.end, count));
            }
        }
        (work as u64, unrouted)
    }

    /// Notes some runs of slots behind each channel on the way to a slot; whether it arrives.
    fn walk(&mut self, source: EndpointId, to: u32, runs: &[Run]) -> bool {
        let Some(destination) = self.slots[to as usize] else { return true };
        let Fans { network, routes, behind, used, finder, .. } = self;
        let pair = Pair { source, destination };
        let walked = finder.paths(network, routes.oblivious(), pair, &mut |path, _| {
            for step in path.get(1..path.len().saturating_sub(1)).unwrap_or_default() {
                let known = &mut behind[step.port.index()];
                if known.is_empty() {
                    used.push(step.port);
                }
                runs.iter().for_each(|run| join(known, *run));
            }
        });
        walked.is_ok()
    }
}
