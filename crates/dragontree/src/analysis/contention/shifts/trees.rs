//! The trees that the routes to each destination form.

use std::sync::Arc;

use super::notes::Steps;
use super::{Run, join, runs_by_switch, switches_with_slots};
use crate::analysis::follow::{Fate, Follower};
use crate::network::{Lfts, Network, Node, PortId, SwitchId, Target};

/// The trees that the routes to each destination form.
pub(super) struct Trees {
    network: Arc<Network>,
    lfts: Arc<Lfts>,
    slots: Vec<Option<Slot>>,
    /// The switches with slots, the last first, so that on the way down a tree runs meet in
    /// ascending order.
    starts: Vec<SwitchId>,
    /// For each switch the runs of slots that hang on it.
    own: Vec<Vec<Run>>,
    /// For each switch the runs that came to it from others.
    gathered: Vec<Vec<Run>>,
    follower: Follower,
}

#[derive(Clone, Copy)]
struct Slot {
    switch: SwitchId,
    target: Target,
}

impl Trees {
    pub fn new(network: &Arc<Network>, lfts: Arc<Lfts>, slots: &[Option<PortId>]) -> Trees {
        let slot = |port: PortId| match network.neighbor(port) {
            Some(Node::Switch(switch)) => Some(Slot { switch, target: network.port_target(port) }),
            _ => None,
        };
        let own = runs_by_switch(network, slots);
        let mut starts = switches_with_slots(network, &own);
        starts.reverse();
        Trees {
            gathered: vec![Vec::new(); own.len()],
            follower: Follower::new(network),
            network: network.clone(),
            lfts,
            slots: slots.iter().map(|port| port.and_then(slot)).collect(),
            starts,
            own,
        }
    }

    /// Shows the stages in which the sources of each channel use it on their way to a slot; how
    /// much work it was, and how many flows do not arrive.
    pub fn go_through(&mut self, slot: u32, mut show: impl FnMut(PortId, Steps)) -> (u64, u64) {
        let Some(Slot { switch: to, target }) = self.slots[slot as usize] else { return (1, 0) };
        let starts = self.starts.iter().copied();
        self.follower.follow(&self.network, &self.lfts, target, starts);
        let count = self.slots.len() as u32;
        let mut work = self.follower.arriving().len() + 1;
        for switch in self.follower.arriving().iter().rev() {
            if self.follower.fate(*switch) == Some(Fate::Arrives(0)) {
                continue;
            }
            let mut runs = std::mem::take(&mut self.gathered[switch.index()]);
            self.own[switch.index()].iter().for_each(|run| join(&mut runs, *run));
            let output = self.follower.output(*switch);
            let next = self.follower.neighbor(output);
            let next = next.filter(|next| self.follower.fate(*next) != Some(Fate::Arrives(0)));
            for run in &runs {
                show(output, Steps::of(slot, run.first..run.end, count));
                if let Some(next) = next {
                    join(&mut self.gathered[next.index()], *run);
                }
            }
            work += runs.len();
            runs.clear();
            self.gathered[switch.index()] = runs;
        }
        (work as u64, self.unrouted(to))
    }

    /// The number of flows to a slot on a switch that do not arrive.
    fn unrouted(&self, switch: SwitchId) -> u64 {
        let lost =
            |start: &&SwitchId| !matches!(self.follower.fate(**start), Some(Fate::Arrives(_)));
        let flows = |start: &SwitchId| {
            let runs = self.own[start.index()].iter();
            let slots: u32 = runs.map(|run| run.end - run.first).sum();
            u64::from(slots - u32::from(*start == switch))
        };
        self.starts.iter().filter(lost).map(flows).sum()
    }
}
