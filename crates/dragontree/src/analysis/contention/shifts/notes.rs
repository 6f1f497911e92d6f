//! When channels are used, noted as beginnings and ends of runs of stages.

use std::ops::Range;

use super::switch_ports;
use crate::network::{Network, PortId};

/// Stages in a row, and more runs of as many that begin a stage later each; the first stage follows
/// the last.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    from: u32,
    length: u32,
    /// How many runs there are.
    times: u32,
}

impl Steps {
    /// The stages in which slots in a row send to a slot; `count` is the number of slots.
    pub fn of(slot: u32, sources: Range<u32>, count: u32) -> Steps {
        Steps::around(slot, sources.end - 1, sources.end - sources.start, count)
    }

    /// The stages in which a slot sends to slots in a row.
    pub fn to(slot: u32, destinations: Range<u32>, count: u32) -> Steps {
        let length = destinations.end - destinations.start;
        Steps::around(destinations.start, slot, length, count)
    }

    /// The stages in which slots in a row send to slots in a row.
    pub fn between(sources: Range<u32>, destinations: Range<u32>, count: u32) -> Steps {
        let times = sources.end - sources.start;
        Steps { times, ..Steps::to(sources.end - 1, destinations, count) }
    }

    /// So many stages from the one in which one slot sends to another.
    fn around(to: u32, from: u32, length: u32, count: u32) -> Steps {
        let from = if to >= from { to - from } else { to + count - from };
        Steps { from, length, times: 1 }
    }

    /// Shows where each run begins and where it has ended; one around the end in two parts.
    pub fn each(self, count: usize, mut show: impl FnMut(usize, usize)) {
        let mut from = self.from as usize;
        for _ in 0..self.times {
            let to = from + self.length as usize;
            if to <= count {
                show(from, to);
            } else {
                show(from, count);
                show(0, to - count);
            }
            from = if from + 1 < count { from + 1 } else { 0 };
        }
    }
}

/// The most numbers that are held at a time: 64 MB of them, or 256 MB where there is room for that. All
/// has to be gone through again for the others.
const MOST_NUMBERS: usize = if cfg!(target_pointer_width = "64") { 1 << 26 } else { 1 << 24 };

/// The most notes that are kept as they are counted, so that nothing has to be gone through again:
/// 64 MB of them.
pub(super) const MOST_KEPT: usize = 1 << 22;

/// Notes of as many channels at a time as fit.
pub(super) struct Notes {
    /// The number of stages.
    stages: usize,
    /// How many numbers a note takes.
    width: usize,
    /// For each port of a switch how many notes there are.
    counts: Vec<u32>,
    /// The notes that were counted; none where they are more than may be kept.
    kept: Option<Vec<(PortId, Steps)>>,
    most_kept: usize,
    /// The ports of which notes are taken now.
    ports: Range<u32>,
    /// For each of them where its numbers begin; one past the last at the end.
    first: Vec<usize>,
    /// For each of them where the next note goes.
    next: Vec<usize>,
    /// Of a port with many notes, the change from stage to stage; of others the first stage, how many
    /// follow and, where several runs may be a note, how many these are.
    numbers: Vec<i32>,
    /// The flows of the port that was looked at last, stage by stage.
    flows: Vec<i32>,
}

impl Notes {
    /// No notes yet, of single runs or of several, of which up to so many are kept.
    pub fn new(network: &Network, stages: u32, single: bool, most_kept: usize) -> Notes {
        Notes {
            stages: stages as usize,
            width: if single { 2 } else { 3 },
            counts: vec![0; switch_ports(network).len()],
            kept: Some(Vec::new()),
            most_kept,
            ports: 0..0,
            first: Vec::new(),
            next: Vec::new(),
            numbers: Vec::new(),
            flows: vec![0; stages as usize + 1],
        }
    }

    /// Counts a note to come.
    pub fn count(&mut self, port: PortId, steps: Steps) {
        let count = &mut self.counts[port.index()];
        *count = count.saturating_add(1);
        match &mut self.kept {
            Some(kept) if kept.len() < self.most_kept => kept.push((port, steps)),
            kept => *kept = None,
        }
    }

    /// Takes all notes that were counted; none, where these were not kept, else how many.
    pub fn note_kept(&mut self) -> Option<u64> {
        let kept = self.kept.take()?;
        kept.iter().for_each(|(port, steps)| self.note(*port, *steps));
        let count = kept.len() as u64;
        self.kept = Some(kept);
        Some(count)
    }

    /// Whether a port's notes take more numbers than there are stages.
    fn is_dense(&self, port: u32) -> bool {
        self.width * self.counts[port as usize] as usize > self.stages
    }

    fn size(&self, port: u32) -> usize {
        match self.is_dense(port) {
            true => self.stages + 1,
            false => self.width * self.counts[port as usize] as usize,
        }
    }

    /// How many notes have to be taken, those that are taken again for lack of room included.
    pub fn work(&self) -> u64 {
        let notes: u64 = self.counts.iter().map(|count| u64::from(*count)).sum();
        let sizes: u64 = (0..self.counts.len() as u32).map(|port| self.size(port) as u64).sum();
        notes * sizes.div_ceil(MOST_NUMBERS as u64)
    }

    /// Goes on to the next ports; false when there are none.
    pub fn begin(&mut self) -> bool {
        let all = self.counts.len() as u32;
        self.ports = self.ports.end..self.ports.end;
        self.first.clear();
        let mut total = 0;
        while self.ports.end < all {
            let size = self.size(self.ports.end);
            if total > 0 && total + size > MOST_NUMBERS {
                break;
            }
            self.first.push(total);
            total += size;
            self.ports.end += 1;
        }
        self.next.clone_from(&self.first);
        self.first.push(total);
        self.numbers.clear();
        self.numbers.resize(total, 0);
        !self.ports.is_empty()
    }

    /// The ports of which notes are taken now.
    pub fn ports(&self) -> Range<u32> {
        self.ports.clone()
    }

    /// Takes a note, when it is of a port of which notes are taken now.
    pub fn note(&mut self, port: PortId, steps: Steps) {
        if !self.ports.contains(&port.0) {
            return;
        }
        let place = (port.0 - self.ports.start) as usize;
        if self.is_dense(port.0) {
            let changes = &mut self.numbers[self.first[place]..self.first[place + 1]];
            change(changes, steps);
        } else {
            let next = self.next[place];
            let all = [steps.from, steps.length, steps.times].map(|number| number as i32);
            self.numbers[next..next + self.width].copy_from_slice(&all[..self.width]);
            self.next[place] = next + self.width;
        }
    }

    /// For each stage, from that in which everybody sends to itself, how many flows a port's
    /// channel carries; none where there is no note.
    pub fn flows(&mut self, port: PortId) -> Option<&[i32]> {
        if self.counts[port.index()] == 0 {
            return None;
        }
        let place = (port.0 - self.ports.start) as usize;
        let numbers = &self.numbers[self.first[place]..self.first[place + 1]];
        if self.is_dense(port.0) {
            self.flows.copy_from_slice(numbers);
        } else {
            self.flows.fill(0);
            for note in numbers.chunks_exact(self.width) {
                let times = note.get(2).map_or(1, |times| *times as u32);
                let steps = Steps { from: note[0] as u32, length: note[1] as u32, times };
                change(&mut self.flows, steps);
            }
        }
        // A loop of its own, so that what is done with the sums can go in steps of several.
        let mut sum = 0;
        for flows in &mut self.flows {
            sum += *flows;
            *flows = sum;
        }
        Some(&self.flows[..self.stages])
    }
}

/// Adds flows in some stages to the changes from stage to stage, of which there is one more than stages.
fn change(changes: &mut [i32], steps: Steps) {
    steps.each(changes.len() - 1, |from, to| {
        changes[from] += 1;
        changes[to] -= 1;
    });
}
