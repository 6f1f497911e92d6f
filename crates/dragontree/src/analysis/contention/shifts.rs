//! Contention of all shifts under forwarding tables, without walking the pairs.
//!
//! To one destination the routes form a tree. The sources behind a channel of that tree stand,
//! mostly, in a few runs of neighboring slots, and a run of sources uses the channel in a run of
//! stages: slot `i` sends to slot `d` in stage `(d − i) mod N`. So for every destination the tree
//! is gone through from its leaves, joining runs on the way, and each channel notes where its
//! runs of stages begin and end; what the channel carries in each stage is the running sum.
//!
//! Notes of all channels at once may take much memory. They are counted first, and then taken for
//! as many channels at a time as fit.

use std::ops::Range;
use std::sync::Arc;

use super::levels::Levels;
use super::tally::Tally;
use crate::analysis::follow::{Fate, Follower};
use crate::network::{Lfts, Network, Node, PortId, SwitchId, Target};

mod notes;

use crate::sorting::sort_by_number;
use notes::{Notes, Steps};

pub(super) struct Shifts {
    trees: Trees,
    notes: Notes,
    stage: Stage,
    /// By kind of channel and stage, how many more flows there are than in the stage before.
    flows: Vec<Vec<i64>>,
    /// By kind of channel and stage, the largest number of flows on one channel.
    most: Vec<Vec<u32>>,
    tally: Option<Tally>,
}

/// What is going on, and the next slot or port to do it for.
#[derive(Clone, Copy)]
enum Stage {
    Counting(u32),
    Noting(u32),
    Summing(u32),
    Done,
}

impl Shifts {
    pub fn new(
        network: &Arc<Network>,
        lfts: Arc<Lfts>,
        levels: Levels,
        slots: &[Option<PortId>],
    ) -> Shifts {
        let (count, kinds) = (slots.len(), levels.kinds().len());
        Shifts {
            trees: Trees::new(network, lfts, slots),
            notes: Notes::new(network, count as u32),
            stage: Stage::Counting(0),
            flows: vec![vec![0; count + 1]; kinds],
            most: vec![vec![0; count]; kinds],
            tally: Some(Tally::new(network, levels)),
        }
    }

    /// Goes on for about so many steps; the tally when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Tally> {
        let (slots, mut left) = (self.trees.slots.len() as u32, budget);
        loop {
            let work = match self.stage {
                Stage::Counting(slot) if slot == slots => {
                    self.stage = Stage::Noting(0);
                    self.notes.begin();
                    0
                }
                Stage::Counting(slot) => {
                    self.stage = Stage::Counting(slot + 1);
                    self.count(slot)
                }
                Stage::Noting(slot) if slot == slots => {
                    self.stage = Stage::Summing(self.notes.ports().start);
                    0
                }
                Stage::Noting(slot) => {
                    self.stage = Stage::Noting(slot + 1);
                    let notes = &mut self.notes;
                    self.trees.go_through(slot, |port, steps| notes.note(port, steps))
                }
                Stage::Summing(port) if port == self.notes.ports().end => {
                    let more = self.notes.begin();
                    self.stage = if more { Stage::Noting(0) } else { Stage::Done };
                    0
                }
                Stage::Summing(port) => {
                    self.stage = Stage::Summing(port + 1);
                    self.sum(PortId(port))
                }
                Stage::Done => return self.conclude(),
            };
            match left.checked_sub(work) {
                Some(rest) if rest > 0 => left = rest,
                _ => return None,
            }
        }
    }

    fn count(&mut self, slot: u32) -> u64 {
        let Shifts { trees, notes, flows, tally, .. } = self;
        let Some(tally) = tally else { return 0 };
        let work = trees.go_through(slot, |port, steps| {
            notes.count(port);
            if let Some(kind) = tally.levels.of(port) {
                flows[kind][steps.from as usize] += 1;
                flows[kind][steps.to as usize] -= 1;
            }
        });
        tally.unrouted += trees.unrouted(slot);
        work
    }

    /// Sums up what a channel has noted.
    fn sum(&mut self, port: PortId) -> u64 {
        let Some(tally) = &mut self.tally else { return 0 };
        let (Some(kind), Some(changes)) = (tally.levels.of(port), self.notes.changes(port)) else {
            return 1;
        };
        let (mut flows, mut top) = (0, 0);
        // In the stage before the first, everybody sends to itself.
        for (stage, (change, most)) in changes.iter().zip(&mut self.most[kind]).enumerate() {
            flows += change;
            *most = (*most).max(flows as u32);
            if stage > 0 {
                top = top.max(flows);
            }
        }
        tally.per_channel[port.index()] = f64::from(top);
        changes.len() as u64
    }

    fn conclude(&mut self) -> Option<Tally> {
        let mut tally = self.tally.take()?;
        tally.stages = self.trees.slots.len().saturating_sub(1);
        let without_first =
            |numbers: &Vec<u32>| numbers.iter().skip(1).map(|flows| f64::from(*flows)).collect();
        tally.most = self.most.iter().map(without_first).collect();
        let summed = |changes: &Vec<i64>| {
            let sum = |flows: &mut i64, change: &i64| {
                *flows += change;
                Some(*flows as f64)
            };
            changes.iter().scan(0, sum).take(tally.stages + 1).skip(1).collect()
        };
        tally.flows = self.flows.iter().map(summed).collect();
        Some(tally)
    }
}

/// Neighboring slots.
#[derive(Clone, Copy)]
struct Run {
    first: u32,
    end: u32,
}

/// The trees that the routes to each destination form.
struct Trees {
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
    fn new(network: &Arc<Network>, lfts: Arc<Lfts>, slots: &[Option<PortId>]) -> Trees {
        let slot = |port: PortId| match network.neighbor(port) {
            Some(Node::Switch(switch)) => Some(Slot { switch, target: network.port_target(port) }),
            _ => None,
        };
        let slots: Vec<Option<Slot>> = slots.iter().map(|port| port.and_then(slot)).collect();
        let mut own = vec![Vec::new(); network.switch_count() as usize];
        for (place, slot) in slots.iter().enumerate() {
            if let Some(slot) = slot {
                let run = Run { first: place as u32, end: place as u32 + 1 };
                join(&mut own[slot.switch.index()], run);
            }
        }
        let mut starts: Vec<SwitchId> =
            network.switches().filter(|switch| !own[switch.index()].is_empty()).collect();
        sort_by_number(&mut starts, |switch| {
            !own[switch.index()].first().map_or(0, |run| u128::from(run.first))
        });
        Trees {
            gathered: vec![Vec::new(); own.len()],
            follower: Follower::new(network),
            network: network.clone(),
            lfts,
            slots,
            starts,
            own,
        }
    }

    /// Shows the stages in which the sources of each channel use it on their way to a slot; how
    /// much work it was.
    fn go_through(&mut self, slot: u32, mut show: impl FnMut(PortId, Steps)) -> u64 {
        let Some(Slot { target, .. }) = self.slots[slot as usize] else { return 1 };
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
                Steps::of(slot, run.first..run.end, count, |steps| show(output, steps));
                if let Some(next) = next {
                    join(&mut self.gathered[next.index()], *run);
                }
            }
            work += runs.len();
            runs.clear();
            self.gathered[switch.index()] = runs;
        }
        work as u64
    }

    /// The number of flows to a slot that do not arrive, after it has been gone through.
    fn unrouted(&self, slot: u32) -> u64 {
        let Some(Slot { switch, .. }) = self.slots[slot as usize] else { return 0 };
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

/// Adds a run to others, joined with the last one where they touch.
fn join(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.end == run.first => last.end = run.end,
        Some(last) if run.end == last.first => last.first = run.first,
        _ => runs.push(run),
    }
}

/// The ports of all switches.
fn switch_ports(network: &Network) -> Range<u32> {
    0..network.switches().last().map_or(0, |last| network.ports(Node::Switch(last)).end)
}
