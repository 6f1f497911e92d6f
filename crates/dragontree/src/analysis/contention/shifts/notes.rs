//! When channels are used, noted as beginnings and ends of runs of stages.

use std::ops::Range;

use super::switch_ports;
use crate::network::{Network, PortId};

/// Stages in a row, `from` to before `to`.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    pub from: u32,
    pub to: u32,
}

impl Steps {
    /// Shows the stages in which slots in a row send to a slot; `count` is the number of slots.
    pub fn of(slot: u32, sources: Range<u32>, count: u32, mut show: impl FnMut(Steps)) {
        let last = sources.end - 1;
        let from = if slot >= last { slot - last } else { slot + count - last };
        let to = from + (sources.end - sources.start);
        if to <= count {
            show(Steps { from, to });
        } else {
            show(Steps { from, to: count });
            show(Steps { from: 0, to: to - count });
        }
    }
}

/// The most numbers that are held at a time: 64 MB of them.
const MOST_NUMBERS: usize = 1 << 24;

/// Notes of as many channels at a time as fit.
pub(super) struct Notes {
    /// The number of stages.
    stages: usize,
    /// For each port of a switch how many notes there are.
    counts: Vec<u32>,
    /// The ports of which notes are taken now.
    ports: Range<u32>,
    /// For each of them where its numbers begin; one past the last at the end.
    first: Vec<usize>,
    /// For each of them where the next note goes.
    next: Vec<usize>,
    /// Of a port with many notes, the change from stage to stage; of others, pairs of the first
    /// stage and the one after the last.
    numbers: Vec<i32>,
    /// Those of the port that was looked at last, as changes from stage to stage.
    changes: Vec<i32>,
}

impl Notes {
    pub fn new(network: &Network, stages: u32) -> Notes {
        Notes {
            stages: stages as usize,
            counts: vec![0; switch_ports(network).len()],
            ports: 0..0,
            first: Vec::new(),
            next: Vec::new(),
            numbers: Vec::new(),
            changes: vec![0; stages as usize + 1],
        }
    }

    /// Counts a note to come.
    pub fn count(&mut self, port: PortId) {
        let count = &mut self.counts[port.index()];
        *count = count.saturating_add(1);
    }

    /// Whether a port's notes take more numbers than there are stages.
    fn is_dense(&self, port: u32) -> bool {
        self.counts[port as usize] as usize > self.stages / 2
    }

    fn size(&self, port: u32) -> usize {
        match self.is_dense(port) {
            true => self.stages + 1,
            false => 2 * self.counts[port as usize] as usize,
        }
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
            let first = self.first[place];
            self.numbers[first + steps.from as usize] += 1;
            self.numbers[first + steps.to as usize] -= 1;
        } else {
            let next = self.next[place];
            self.numbers[next] = steps.from as i32;
            self.numbers[next + 1] = steps.to as i32;
            self.next[place] = next + 2;
        }
    }

    /// For each stage, how many more flows a port's channel carries than in the stage before;
    /// none where there is no note.
    pub fn changes(&mut self, port: PortId) -> Option<&[i32]> {
        if self.counts[port.index()] == 0 {
            return None;
        }
        let place = (port.0 - self.ports.start) as usize;
        let numbers = &self.numbers[self.first[place]..self.first[place + 1]];
        if self.is_dense(port.0) {
            return Some(&numbers[..self.stages]);
        }
        self.changes.fill(0);
        for note in numbers.chunks_exact(2) {
            self.changes[note[0] as usize] += 1;
            self.changes[note[1] as usize] -= 1;
        }
        Some(&self.changes[..self.stages])
    }
}
