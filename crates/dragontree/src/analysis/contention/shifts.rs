//! Contention of all shifts under forwarding tables, without walking the pairs.
//!
//! To one destination the routes form a tree. The sources behind a channel of that tree stand,
//! mostly, in a few runs of neighboring slots, and a run of sources uses the channel in a run of
//! stages: slot `i` sends to slot `d` in stage `(d − i) mod N`. So for every destination the tree
//! is gone through from its leaves, joining runs on the way, and each channel notes where its
//! runs of stages begin and end; what the channel carries in each stage is the running sum.
//!
//! Where the source alone decides, instead of the destination, it is the other way round: the routes
//! from one source spread like a tree, a run of destinations lies behind each channel, and slot `s`
//! sends to slot `i` in stage `(i − s) mod N`. Where the switches of both decide, all slots of a switch
//! are gone through at once: their runs of stages are as long, and begin one after the other.
//!
//! Notes of all channels at once may take much memory. They are counted first, and then taken for
//! as many channels at a time as fit.

use std::ops::Range;
use std::sync::Arc;

use super::levels::Levels;
use super::tally::Tally;
use crate::network::{EndpointId, Lfts, Network, Node, PortId, SwitchId};
use crate::routing::Routes;
use crate::sorting::sort_by_number;

mod blocks;
mod fans;
mod notes;
mod trees;

use blocks::Blocks;
use fans::Fans;
use notes::{MOST_KEPT, Notes, Steps};
use trees::Trees;

pub(super) struct Shifts {
    ways: Ways,
    /// The number of slots, or of switches that have some, that are gone through one after the other.
    parts: u32,
    /// The number of slots.
    count: u32,
    notes: Notes,
    stage: Stage,
    /// By kind of channel and stage, how many more flows there are than in the stage before.
    flows: Vec<Vec<i64>>,
    /// By kind of channel and stage, the largest number of flows on one channel.
    most: Vec<Vec<i32>>,
    tally: Option<Tally>,
    gave_up: bool,
}

/// So many notes take about as long as a pair that is walked.
const SCATTERED: u64 = 20;

/// Pairs that are gone through together, slot by slot.
enum Ways {
    /// Those with the same destination.
    Trees(Trees),
    /// Those with the same source.
    Fans(Fans),
    /// Those whose sources are on the same switch.
    Blocks(Blocks),
}

impl Ways {
    /// Shows the stages in which each channel is used from or to a slot, or from the slots of a switch;
    /// how much work it was, and how many of its flows have no route.
    fn go_through(&mut self, slot: u32, show: impl FnMut(PortId, Steps)) -> (u64, u64) {
        match self {
            Ways::Trees(trees) => trees.go_through(slot, show),
            Ways::Fans(fans) => fans.go_through(slot, show),
            Ways::Blocks(blocks) => blocks.go_through(slot, show),
        }
    }
}

/// What is going on, and the next slot (or switch with slots) or port to do it for.
#[derive(Clone, Copy)]
enum Stage {
    Counting(u32),
    Noting(u32),
    Summing(u32),
    Done,
}

impl Shifts {
    /// Shifts under forwarding tables.
    pub fn by_tables(
        network: &Arc<Network>,
        lfts: Arc<Lfts>,
        levels: Levels,
        slots: &[Option<PortId>],
    ) -> Shifts {
        Shifts::new(network, Ways::Trees(Trees::new(network, lfts, slots)), levels, slots.len())
    }

    /// Shifts under routes that destinations on the same switch share.
    pub fn by_sources(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        slots: &[Option<PortId>],
    ) -> Shifts {
        Shifts::new(network, Ways::Fans(Fans::new(network, routes, slots)), levels, slots.len())
    }

    /// Shifts under routes that all pairs between two switches share, as long as each has one way; none
    /// where slots stand for other links of endpoints than those they send by.
    pub fn by_switches(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        slots: &[Option<PortId>],
    ) -> Option<Shifts> {
        let sends = |port: &PortId| match network.owner(*port) {
            Node::Endpoint(endpoint) => network.injection(endpoint) == Some(*port),
            Node::Switch(_) => false,
        };
        let blocks = || Ways::Blocks(Blocks::new(network, routes, slots));
        let all = slots.iter().flatten().all(sends);
        all.then(|| Shifts::new(network, blocks(), levels, slots.len()))
    }

    /// Whether it has ended without a result: pairs have several ways, or the slots of switches are so
    /// scattered that it takes less to go through pairs one by one.
    pub fn has_given_up(&self) -> bool {
        self.gave_up
    }

    /// Whether the slots of switches are too scattered, as far as that has been counted.
    fn is_scattered(&self) -> bool {
        let pairs = u64::from(self.count) * u64::from(self.count);
        matches!(self.ways, Ways::Blocks(_)) && self.notes.work() > SCATTERED * pairs
    }

    fn new(network: &Arc<Network>, ways: Ways, levels: Levels, count: usize) -> Shifts {
        let kinds = levels.kinds().len();
        let (parts, single) = match &ways {
            Ways::Trees(_) | Ways::Fans(_) => (count as u32, true),
            Ways::Blocks(blocks) => (blocks.count(), false),
        };
        Shifts {
            ways,
            parts,
            count: count as u32,
            notes: Notes::new(network, count as u32, single, MOST_KEPT),
            stage: Stage::Counting(0),
            flows: vec![vec![0; count + 1]; kinds],
            most: vec![vec![0; count]; kinds],
            tally: Some(Tally::new(network, levels)),
            gave_up: false,
        }
    }

    /// A guess of the share of the work that is done: counting is half of it.
    pub fn share(&self) -> f64 {
        let of = |part: u32, all: usize| f64::from(part) / all.max(1) as f64;
        let channels = self.tally.as_ref().map_or(0, |tally| tally.per_channel.len());
        match self.stage {
            Stage::Counting(slot) => 0.5 * of(slot, self.parts as usize),
            Stage::Noting(_) => 0.5 + 0.5 * of(self.notes.ports().start, channels),
            Stage::Summing(port) => 0.5 + 0.5 * of(port, channels),
            Stage::Done => 1.0,
        }
    }

    /// Goes on for about so many steps; the tally when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Tally> {
        let (slots, mut left) = (self.parts, budget);
        loop {
            let work = match self.stage {
                Stage::Counting(slot) if slot == slots => {
                    if self.is_scattered() {
                        self.gave_up = true;
                        return None;
                    }
                    self.notes.begin();
                    self.note_kept()
                }
                Stage::Counting(slot) => {
                    self.stage = Stage::Counting(slot + 1);
                    let work = self.count(slot);
                    if matches!(&self.ways, Ways::Blocks(blocks) if blocks.is_parted()) {
                        self.gave_up = true;
                        return None;
                    }
                    work
                }
                Stage::Noting(slot) if slot == slots => {
                    self.stage = Stage::Summing(self.notes.ports().start);
                    0
                }
                Stage::Noting(slot) => {
                    self.stage = Stage::Noting(slot + 1);
                    let notes = &mut self.notes;
                    self.ways.go_through(slot, |port, steps| notes.note(port, steps)).0
                }
                Stage::Summing(port) if port == self.notes.ports().end => {
                    match self.notes.begin() {
                        true => self.note_kept(),
                        false => {
                            self.stage = Stage::Done;
                            0
                        }
                    }
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

    /// Takes the notes that were kept, or begins to go through everything again.
    fn note_kept(&mut self) -> u64 {
        let kept = self.notes.note_kept();
        self.stage = match kept {
            Some(_) => Stage::Summing(self.notes.ports().start),
            None => Stage::Noting(0),
        };
        kept.unwrap_or(0)
    }

    fn count(&mut self, slot: u32) -> u64 {
        let Shifts { ways, notes, flows, tally, count, .. } = self;
        let Some(tally) = tally else { return 0 };
        let (work, unrouted) = ways.go_through(slot, |port, steps| {
            notes.count(port, steps);
            if let Some(kind) = tally.levels.of(port) {
                steps.each(*count as usize, |from, to| {
                    flows[kind][from] += 1;
                    flows[kind][to] -= 1;
                });
            }
        });
        tally.unrouted += unrouted;
        work
    }

    /// Sums up what a channel has noted.
    fn sum(&mut self, port: PortId) -> u64 {
        let Some(tally) = &mut self.tally else { return 0 };
        let (Some(kind), Some(flows)) = (tally.levels.of(port), self.notes.flows(port)) else {
            return 1;
        };
        for (most, flows) in self.most[kind].iter_mut().zip(flows) {
            *most = (*most).max(*flows);
        }
        // In the stage before the first, everybody sends to itself.
        let top = flows.iter().skip(1).fold(0, |top, flows| top.max(*flows));
        tally.per_channel[port.index()] = f64::from(top);
        flows.len() as u64
    }

    fn conclude(&mut self) -> Option<Tally> {
        let mut tally = self.tally.take()?;
        tally.stages = self.count.saturating_sub(1) as usize;
        let without_first =
            |numbers: &Vec<i32>| numbers.iter().skip(1).map(|flows| f64::from(*flows)).collect();
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

/// Adds a run to others, joined with the last one where they touch.
fn join(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.end == run.first => last.end = run.end,
        Some(last) if run.end == last.first => last.first = run.first,
        _ => runs.push(run),
    }
}

/// The endpoints of slots.
fn endpoints(network: &Network, slots: &[Option<PortId>]) -> Vec<Option<EndpointId>> {
    let endpoint = |port: PortId| match (network.owner(port), network.neighbor(port)) {
        (Node::Endpoint(endpoint), Some(Node::Switch(_))) => Some(endpoint),
        _ => None,
    };
    slots.iter().map(|port| port.and_then(endpoint)).collect()
}

/// For each switch the runs of slots that hang on it.
fn runs_by_switch(network: &Network, slots: &[Option<PortId>]) -> Vec<Vec<Run>> {
    let mut own = vec![Vec::new(); network.switch_count() as usize];
    for (place, port) in (0..).zip(slots) {
        if let Some(Node::Switch(switch)) = port.and_then(|port| network.neighbor(port)) {
            join(&mut own[switch.index()], Run { first: place, end: place + 1 });
        }
    }
    own
}

/// The switches with slots, by the first of them.
fn switches_with_slots(network: &Network, own: &[Vec<Run>]) -> Vec<SwitchId> {
    let mut switches: Vec<SwitchId> =
        network.switches().filter(|switch| !own[switch.index()].is_empty()).collect();
    sort_by_number(&mut switches, |switch| {
        own[switch.index()].first().map_or(0, |run| u128::from(run.first))
    });
    switches
}

/// The ports of all switches.
fn switch_ports(network: &Network) -> Range<u32> {
    0..network.switches().last().map_or(0, |last| network.ports(Node::Switch(last)).end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Links;
    use crate::routing::{Algorithm, DModK, MinHop, Minimal, SModK};
    use crate::topology::{Build, Dragonfly, KAryNTree};
    use crate::units::{Bandwidth, Time};

    /// What shifts over a network come to, with so many notes kept.
    fn tally(network: &Arc<Network>, routing: &dyn Algorithm, most_kept: usize) -> Tally {
        let routes = Arc::new(routing.routes(network).expect("routes"));
        let slots: Vec<Option<PortId>> =
            network.endpoints().map(|endpoint| network.injection(endpoint)).collect();
        let levels = Levels::new(network);
        let (mut shifts, single) = match (routes.oblivious().lfts(), routing.name()) {
            (Some(lfts), _) => (Shifts::by_tables(network, lfts, levels, &slots), true),
            (None, "minimal") => {
                let shifts = Shifts::by_switches(network, &routes, levels, &slots);
                (shifts.expect("links that endpoints send by"), false)
            }
            (None, _) => (Shifts::by_sources(network, &routes, levels, &slots), true),
        };
        shifts.notes = Notes::new(network, slots.len() as u32, single, most_kept);
        shifts.advance(u64::MAX).expect("an end")
    }

    #[test]
    fn notes_that_are_not_kept_are_taken_again() {
        let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
        let tree = Arc::new(KAryNTree::default().build(&links).expect("a tree"));
        let groups = Arc::new(Dragonfly::default().build(&links).expect("a dragonfly"));
        let cases: [(&Arc<Network>, &dyn Algorithm); 4] =
            [(&tree, &MinHop), (&tree, &DModK), (&tree, &SModK), (&groups, &Minimal)];
        for (network, routing) in cases {
            let [few, all] = [100, MOST_KEPT].map(|kept| tally(network, routing, kept));
            let parts = |tally: Tally| (tally.most, tally.flows, tally.per_channel, tally.unrouted);
            assert_eq!(parts(few), parts(all));
        }
    }
}
