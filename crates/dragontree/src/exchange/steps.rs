//! Exchanges that are written out message by message.

use std::sync::Arc;

use super::{After, Exchanged, List, Lost, Phases, Queueing, Refused, Workload};
use crate::units::{Bytes, Rank};

/// The most messages that are written out.
pub(super) const MOST_MESSAGES: u64 = 4_000_000;

/// Messages, what each waits for, and the phase that each belongs to.
pub(super) struct Steps {
    ranks: u32,
    messages: Vec<(Rank, Rank, Bytes)>,
    after: Vec<Vec<After>>,
    stages: Vec<u32>,
    phases: Vec<Vec<(Rank, Rank)>>,
}

impl Steps {
    pub fn new(ranks: u32) -> Steps {
        let (messages, after) = (Vec::new(), Vec::new());
        Steps { ranks, messages, after, stages: Vec::new(), phases: Vec::new() }
    }

    /// The number of phases so far.
    pub fn phases(&self) -> u32 {
        self.phases.len() as u32
    }

    /// Adds a message to a phase; its place in the list.
    pub fn send(&mut self, phase: u32, ends: [u32; 2], bytes: Bytes, after: Vec<After>) -> u32 {
        let [from, to] = ends;
        while self.phases.len() <= phase as usize {
            self.phases.push(Vec::new());
        }
        self.phases[phase as usize].push((Rank(from), Rank(to)));
        self.messages.push((Rank(from), Rank(to), bytes));
        self.after.push(after);
        self.stages.push(phase);
        self.messages.len() as u32 - 1
    }

    /// The exchange, whose messages take turns so at an endpoint.
    pub fn finish(self, queueing: Queueing) -> Result<Option<Exchanged>, Refused> {
        self.ordered(queueing).map_err(|lost| Refused::setting("", "", lost.to_string()))
    }

    /// The same.
    ///
    /// # Errors
    /// The message that can never be sent.
    pub fn ordered(self, queueing: Queueing) -> Result<Option<Exchanged>, Lost> {
        let list = List::new(self.ranks, &self.messages, &self.after)?;
        let phases = Phases::Listed(Arc::new(self.phases));
        let workload = Workload::List(list.with_queueing(queueing));
        Ok(Some(Exchanged { workload, phases, stages: self.stages.into() }))
    }
}

/// Sends to both neighbors along each dimension of a torus of ranks, whose first coordinate runs
/// fastest; `bytes` has the length of a message along each. A dimension of one place has no messages,
/// one of two places two to the same neighbor. All wait for nothing, and an endpoint sends a packet of
/// each in turn (Prisacari 2020, §7.4.4).
pub(super) fn to_neighbors(
    ranks: u32,
    widths: &[u32],
    bytes: &[Bytes],
) -> Result<Option<Exchanged>, Refused> {
    let mut steps = Steps::new(ranks);
    for Neighbors { phase, dimension, ends } in neighbors(widths) {
        steps.send(phase, ends, bytes[dimension], Vec::new());
    }
    steps.finish(Queueing::RoundRobin)
}

/// A rank of a torus and a neighbor of it.
pub(super) struct Neighbors {
    /// The direction in which the neighbor is, two for each dimension of several places.
    pub phase: u32,
    pub dimension: usize,
    pub ends: [u32; 2],
}

/// Each rank of a torus, whose first coordinate runs fastest, with its neighbors, direction by
/// direction.
pub(super) fn neighbors(widths: &[u32]) -> impl Iterator<Item = Neighbors> {
    let tasks: u32 = widths.iter().product();
    let wide = (0..widths.len()).filter(|dimension| widths[*dimension] > 1);
    let directions =
        wide.flat_map(|dimension| [1, widths[dimension] - 1].map(|by| (dimension, by)));
    (0..).zip(directions).flat_map(move |(phase, (dimension, by))| {
        let (width, stride) = (widths[dimension], widths[..dimension].iter().product::<u32>());
        (0..tasks).map(move |task| {
            let own = task / stride % width;
            let other = task - own * stride + (own + by) % width * stride;
            Neighbors { phase, dimension, ends: [task, other] }
        })
    })
}

/// Checks that the places of a torus are no more than the ranks, and its messages not too many.
pub(super) fn check_fit(key: &str, widths: &[u32], ranks: u32) -> Result<(), Refused> {
    let tasks = widths.iter().map(|width| u64::from(*width)).try_fold(1, u64::checked_mul);
    let messages = tasks.and_then(|tasks| tasks.checked_mul(2 * widths.len() as u64));
    let given = widths.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    match (tasks, messages) {
        (Some(tasks), Some(messages)) => {
            if tasks > u64::from(ranks) {
                let allowed = format!(
                    "these are {tasks} and there are {ranks} ranks, allowed: as many or fewer"
                );
                return Err(Refused::setting(key, given, allowed));
            }
            if messages > MOST_MESSAGES {
                let allowed = format!(
                    "these send {messages} messages, allowed: up to {MOST_MESSAGES} that are written out"
                );
                return Err(Refused::setting(key, given, allowed));
            }
            Ok(())
        }
        _ => {
            let allowed = format!("their product is too large, allowed: up to {ranks}, the ranks");
            Err(Refused::setting(key, given, allowed))
        }
    }
}
