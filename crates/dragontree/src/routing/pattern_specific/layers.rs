//! Layer by layer, and back where a layer leaves too much to those above it.
//!
//! Parts of a layer are independent. Where the colors of a part lead to more messages on a link than
//! there should be, further up, two of the colors are split anew at random and what is above them
//! is solved again: that a layer fulfills all conditions of Prisacari 2020, §3.4.4, does not mean
//! that the next one can.

use super::colors::Coloring;
use super::instance::Instance;
use super::part::Part;
use super::repair::{Repair, Weights, excess};
use crate::random::Stream;

/// How often a part below several layers is colored until nothing is too much.
const TRIES: usize = 3;

/// How hard one attempt tries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// What messages too many count for each tier; all 0 to take what the pairs give.
    pub weights: Weights,
    /// Rounds of a repair.
    pub rounds: u32,
    /// How often two colors of a part are split anew.
    pub retries: u32,
    /// Whether pairs are drawn at random from the beginning.
    pub is_random: bool,
}

/// An attempt to route all messages.
pub(super) struct Layers {
    /// For each message its digit of each layer.
    pub digits: Vec<u16>,
    effort: Effort,
    stream: Stream,
    /// The parts that are being solved, each above the one before it.
    frames: Vec<Frame>,
    has_begun: bool,
    /// Parts that are over, for their room.
    spare: Vec<Part>,
    coloring: Coloring,
    repair: Repair,
    places: Vec<u32>,
    steps: u64,
}

/// A part that is being solved.
struct Frame {
    part: Part,
    /// The color that its messages have in the part below.
    color: u16,
    /// Weighted messages too many on the links of this layer, by color.
    own: Vec<u64>,
    /// The same on all links above, by color.
    above: Vec<u64>,
    /// The colors above which is to be solved.
    queue: Vec<u16>,
    retries: u32,
    saved: Option<Saved>,
}

/// What was there before two colors were split anew.
struct Saved {
    colors: [u16; 2],
    excess: u64,
    part: Vec<u16>,
    own: Vec<u64>,
    above: Vec<u64>,
    /// The digits of the messages of the two colors, from the next layer on.
    digits: Vec<u16>,
}

impl Layers {
    /// Begins; what was found is in the digits when [`step`](Self::step) says so.
    pub fn new(instance: &Instance, effort: Effort, stream: Stream) -> Layers {
        Layers {
            digits: vec![0; instance.messages.len() * instance.levels()],
            effort,
            stream,
            frames: Vec::new(),
            has_begun: false,
            spare: Vec::new(),
            coloring: Coloring::default(),
            repair: Repair::default(),
            places: Vec::new(),
            steps: 0,
        }
    }

    /// Messages looked at so far.
    pub fn visits(&self) -> u64 {
        self.steps + self.coloring.split.balance.visits + self.repair.visits
    }

    /// Solves the next part; whether all is done.
    pub fn step(&mut self, instance: &Instance) -> bool {
        if !std::mem::replace(&mut self.has_begun, true) {
            let mut part = Part::default();
            part.fill(instance);
            self.enter(instance, part, 0);
            return false;
        }
        let Some(frame) = self.frames.last_mut() else { return true };
        // What is no better than before needs not be brought to an end.
        let is_lost = |saved: &Saved| frame.excess() >= saved.excess;
        if frame.saved.as_ref().is_some_and(is_lost) {
            frame.queue.clear();
        }
        if let Some(color) = frame.queue.pop() {
            let mut part = self.spare.pop().unwrap_or_default();
            part.fill_from(&frame.part, color, instance, &mut self.places);
            self.steps += part.count() as u64;
            if part.count() == 0 {
                frame.above[usize::from(color)] = 0;
                self.spare.push(part);
            } else {
                self.enter(instance, part, color);
            }
            return false;
        }
        self.settle(instance);
        if !self.try_again(instance) {
            self.leave();
        }
        self.frames.is_empty()
    }

    /// Colors a part, and solves it from there on.
    fn enter(&mut self, instance: &Instance, mut part: Part, color: u16) {
        // Where many layers are to come, beginning anew costs less than what is wrong above.
        let tries = if part.levels >= 3 { TRIES } else { 1 };
        for _ in 0..tries {
            let stream = self.effort.is_random.then_some(&mut self.stream);
            self.coloring.color(&mut part, stream);
            if self.mend(&mut part, None) == 0 {
                break;
            }
        }
        let width = part.width;
        let queue = if part.is_top() { Vec::new() } else { (0..width as u16).collect() };
        let own = self.own_excess(&part);
        self.write(instance, &part);
        let retries = if part.levels >= 3 { self.effort.retries } else { 0 };
        let above = vec![0; width];
        self.frames.push(Frame { part, color, own, above, queue, retries, saved: None });
    }

    fn mend(&mut self, part: &mut Part, only: Option<[u16; 2]>) -> u64 {
        let Effort { weights, rounds, .. } = self.effort;
        if weights == [0; 3] {
            return 0;
        }
        let pairing = &mut self.coloring.split.pairing;
        if part.width == 1 {
            return 0;
        }
        self.repair.repair(part, pairing, only, &weights, rounds, &mut self.stream)
    }

    fn write(&mut self, instance: &Instance, part: &Part) {
        for (id, color) in part.ids.iter().zip(&part.colors) {
            self.digits[*id as usize * instance.levels() + part.layer] = *color;
        }
    }

    /// Weighted messages too many on the links of the part's own layer.
    fn own_excess(&mut self, part: &Part) -> Vec<u64> {
        let mut own = vec![0; part.width];
        let mut counts = vec![0_u32; part.width];
        for side in 0..2 {
            let order = |place: usize| match side {
                0 => place,
                _ => part.by_destination[place] as usize,
            };
            let mut place = 0;
            while place < part.count() {
                let set = part.set(order(place), side, 0);
                counts.fill(0);
                while place < part.count() && part.set(order(place), side, 0) == set {
                    counts[usize::from(part.colors[order(place)])] += 1;
                    place += 1;
                }
                for (own, count) in own.iter_mut().zip(&counts) {
                    let caps = &part.caps[set as usize];
                    *own += u64::from(excess(caps, *count, &self.effort.weights));
                }
            }
        }
        own
    }

    /// Keeps what came of a retry, or what was there before.
    fn settle(&mut self, instance: &Instance) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(saved) = frame.saved.take() else { return };
        if frame.excess() < saved.excess {
            return;
        }
        let layer = frame.part.layer;
        let mut digits = saved.digits.chunks(instance.levels() - layer - 1);
        for (id, color) in frame.part.ids.iter().zip(&saved.part) {
            if saved.colors.contains(color) {
                let first = *id as usize * instance.levels() + layer;
                self.digits[first] = *color;
                let own = &mut self.digits[first + 1..first + instance.levels() - layer];
                own.copy_from_slice(digits.next().unwrap_or_default());
            }
        }
        frame.part.colors = saved.part;
        (frame.own, frame.above) = (saved.own, saved.above);
    }

    /// Splits a color above which there is too much anew, with some other; false if there is none
    /// or it was tried often enough.
    fn try_again(&mut self, instance: &Instance) -> bool {
        let Some(mut frame) = self.frames.pop() else { return false };
        let width = frame.part.width;
        let bad: Vec<u16> =
            (0..width as u16).filter(|color| frame.above[usize::from(*color)] > 0).collect();
        if bad.is_empty() || width == 1 || frame.retries == 0 {
            self.frames.push(frame);
            return false;
        }
        frame.retries -= 1;
        let one = bad[self.stream.below(bad.len() as u32) as usize];
        let others = if bad.len() > 1 { bad } else { (0..width as u16).collect() };
        let others: Vec<u16> = others.into_iter().filter(|other| *other != one).collect();
        let colors = [one, others[self.stream.below(others.len() as u32) as usize]];
        let saved = self.save(instance, &frame, colors);
        self.coloring.recolor(&mut frame.part, colors, Some(&mut self.stream));
        self.mend(&mut frame.part, Some(colors));
        frame.own = self.own_excess(&frame.part);
        for color in colors {
            frame.above[usize::from(color)] = 0;
        }
        self.write(instance, &frame.part);
        frame.queue.extend(colors);
        frame.saved = Some(saved);
        self.frames.push(frame);
        true
    }

    fn save(&self, instance: &Instance, frame: &Frame, colors: [u16; 2]) -> Saved {
        let (part, levels) = (&frame.part, instance.levels());
        let mut digits = Vec::new();
        for (id, color) in part.ids.iter().zip(&part.colors) {
            if colors.contains(color) {
                let first = *id as usize * levels;
                digits.extend_from_slice(&self.digits[first + part.layer + 1..first + levels]);
            }
        }
        Saved {
            colors,
            excess: frame.excess(),
            part: part.colors.clone(),
            own: frame.own.clone(),
            above: frame.above.clone(),
            digits,
        }
    }

    /// Tells the part below what was found.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(below) = self.frames.last_mut() {
            below.above[usize::from(frame.color)] = frame.excess();
        }
        self.spare.push(frame.part);
    }
}

impl Frame {
    fn excess(&self) -> u64 {
        self.own.iter().sum::<u64>() + self.above.iter().sum::<u64>()
    }
}
