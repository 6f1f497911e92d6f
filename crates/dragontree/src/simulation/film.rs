//! A run looked at while it goes: what its channels do, moment by moment.

use super::engine::Engine;
use super::exchanging::Exchanging;
use super::{Chosen, Progress, Run, Simulation};
use crate::units::Time;

/// The most frames of a film; then every two become one.
const MOST: usize = 128;
/// The length of the first frames, in picoseconds: about that of a packet on a link.
const SHORTEST: u64 = 20_000;

/// The frames of a run, all of one length: between 64 and 128 of them, once it is long enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// The length of a frame, in picoseconds.
    length: u64,
    frames: Vec<Frame>,
    /// Packets delivered, and how long each channel had been busy, at the end of the last frame.
    delivered: u64,
    busy: Vec<u64>,
}

/// What happened in a short time.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// When it ended.
    pub end: Time,
    /// Delivered in it, averaged over all endpoints, as a fraction of their link rate; of an
    /// exchange, how busy the links to its endpoints were, acknowledgements included.
    pub accepted: f64,
    /// Packets in the network at its end.
    pub in_network: u64,
    /// About how many packets waited at their sources then; of an exchange, how many messages and
    /// acknowledgements had not left them.
    pub at_sources: u64,
    /// Messages of an exchange delivered until then; none of traffic.
    pub messages: Option<u64>,
    /// For each port, the share of it that its channel was busy, in 255ths; those of management
    /// left out.
    pub busy: Vec<u8>,
}

impl Default for Film {
    fn default() -> Film {
        Film { length: SHORTEST, frames: Vec::new(), delivered: 0, busy: Vec::new() }
    }
}

impl Film {
    /// The frames so far, the first of which begins at time zero.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// Goes on with a run for about `budget` events, to the end of the next frame at most. A run is
    /// filmed from its beginning; filming changes nothing in it.
    pub fn advance(&mut self, simulation: &mut Simulation, budget: u64) -> Progress {
        match &mut simulation.0 {
            Chosen::Fast(run) => self.advance_run(run, budget),
            Chosen::Plain(run) => self.advance_run(run, budget),
        }
    }

    fn advance_run<E: Engine>(&mut self, run: &mut Run<E>, budget: u64) -> Progress {
        let end = self.next_end();
        if run.advance(budget, end) {
            self.take(run, end);
        }
        run.progress()
    }

    /// The same with an exchange. The last frame ends when everything has happened, or after that.
    pub fn advance_exchange(&mut self, exchanging: &mut Exchanging, budget: u64) -> Progress {
        if self.frames.is_empty() {
            self.length = SHORTEST.next_multiple_of(exchanging.window_length());
        }
        let end = self.next_end();
        let was_running = exchanging.progress() != Progress::Done;
        if was_running && exchanging.advance_before(budget, end) {
            self.take_exchange(exchanging, end);
        }
        exchanging.progress()
    }

    fn next_end(&self) -> u64 {
        self.length * (self.frames.len() as u64 + 1)
    }

    /// Adds the frame that ends now, when everything before that has been served.
    fn take<E: Engine>(&mut self, run: &Run<E>, now: u64) {
        let base = run.engine.base();
        let shares = base.setup.without_management(self.shares(run.engine.busy(now).collect()));
        let capacity = run.control.capacity() / base.statistics.length as f64 * self.length as f64;
        let delivered = base.statistics.delivered - self.delivered;
        self.delivered = base.statistics.delivered;
        self.add(Frame {
            end: Time::ps(now),
            accepted: delivered as f64 / capacity.max(1e-9),
            in_network: run.engine.in_network(),
            at_sources: base.at_sources(),
            messages: None,
            busy: in_255ths(&shares),
        });
    }

    fn take_exchange(&mut self, exchanging: &Exchanging, now: u64) {
        let shares = self.shares(exchanging.busy(now));
        self.add(Frame {
            end: Time::ps(now),
            accepted: into_endpoints(exchanging, &shares),
            in_network: exchanging.in_network(),
            at_sources: exchanging.at_sources(),
            messages: Some(exchanging.tally().messages),
            busy: in_255ths(&shares),
        });
    }

    /// The share of the new frame that each channel was busy, of how long it has been until its end.
    fn shares(&mut self, busy: Vec<u64>) -> Vec<f64> {
        self.busy.resize(busy.len(), 0);
        let share = |(now, before): (&u64, &u64)| {
            now.saturating_sub(*before).min(self.length) as f64 / self.length as f64
        };
        let shares = busy.iter().zip(&self.busy).map(share).collect();
        self.busy = busy;
        shares
    }

    fn add(&mut self, frame: Frame) {
        self.frames.push(frame);
        if self.frames.len() == MOST {
            self.thin();
        }
    }

    /// Makes one frame of every two.
    fn thin(&mut self) {
        let mean = |one: u8, other: u8| (u16::from(one) + u16::from(other)).div_ceil(2) as u8;
        let both = |pair: &[Frame]| {
            let [first, second] = pair else { return None };
            let busy = first.busy.iter().zip(&second.busy);
            Some(Frame {
                accepted: f64::midpoint(first.accepted, second.accepted),
                busy: busy.map(|(one, other)| mean(*one, *other)).collect(),
                ..second.clone()
            })
        };
        self.frames = self.frames.chunks(2).filter_map(both).collect();
        self.length *= 2;
    }
}

fn in_255ths(shares: &[f64]) -> Vec<u8> {
    shares.iter().map(|share| (share * 255.0).round() as u8).collect()
}

/// How busy the channels into endpoints were, of those that have any.
fn into_endpoints(exchanging: &Exchanging, shares: &[f64]) -> f64 {
    let network = exchanging.network();
    let into = exchanging.outlets().filter_map(|port| shares.get(network.peer(port)?.index()));
    let (count, sum) = into.fold((0, 0.0), |(count, sum), share| (count + 1, sum + share));
    sum / f64::from(count.max(1))
}
