//! How long an exchange takes by each of the routings that are compared.

use dragontree::catalog::{Menu, Problem};
use dragontree::scenario::{Compared, ComparedRow, Running, Scenario, Step, Study};

/// The most packets for which that is simulated: by all routings in some seconds.
const MOST_PACKETS: u64 = 1 << 18;

/// Simulates one routing after the other.
pub struct Timing {
    /// What is left, the next one last; nothing where a routing is not simulated.
    left: Vec<Option<Scenario>>,
    running: Option<Box<Running>>,
    times: Vec<Option<Time>>,
}

/// What a simulation comes to, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    pub completion: f64,
    /// Without contention, where that is known.
    pub ideal: Option<f64>,
}

impl Timing {
    /// Begins; none where traffic has no end, or there are too many packets.
    pub fn new(
        scenario: &Scenario,
        compared: &Compared,
        messages: u64,
        bytes: u64,
    ) -> Option<Timing> {
        let packets = messages + bytes / scenario.packet.0.max(1);
        if !scenario.exchanges() || packets > MOST_PACKETS {
            return None;
        }
        let left = compared.rows.iter().rev().map(|row| simulated(scenario, row)).collect();
        Some(Timing { left, running: None, times: Vec::new() })
    }

    /// Goes on for a while; whether all is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let Some(next) = self.left.last() else { return true };
        let done = match (next, &mut self.running) {
            (None, _) => Ok(Some(None)),
            (Some(scenario), None) => scenario.run().map(|running| {
                self.running = Some(Box::new(running));
                None
            }),
            (Some(_), Some(running)) => timed(running, budget),
        };
        // What cannot be simulated has no time.
        if let Some(time) = done.unwrap_or(Some(None)) {
            self.times.push(time);
            self.left.pop();
            self.running = None;
        }
        self.left.is_empty()
    }

    /// The share of the routings that are simulated.
    pub fn share(&self) -> f64 {
        self.times.len() as f64 / (self.times.len() + self.left.len()).max(1) as f64
    }

    /// For each routing how long it takes.
    pub fn finish(self) -> Vec<Option<Time>> {
        self.times
    }
}

/// The scenario with the routing of a row.
fn simulated(scenario: &Scenario, row: &ComparedRow) -> Option<Scenario> {
    if row.refused.is_some() || row.text.is_empty() {
        return None;
    }
    let plan = Study::parse(&row.text).ok()?.plan().ok()?;
    let routing = plan.jobs.first()?.scenario().routing.clone();
    // The scenario's own has the tables that came with it.
    let own = Some(&scenario.routing).filter(|own| own.name() == routing.name());
    Some(Scenario { routing: own.cloned().unwrap_or(routing), ..scenario.clone() })
}

/// Goes on with a simulation; what it comes to when it is over.
fn timed(running: &mut Running, budget: u64) -> Result<Option<Option<Time>>, Vec<Problem>> {
    if running.advance(budget)? != Step::Done {
        return Ok(None);
    }
    let exchange = running.record(0.0).and_then(|record| record.exchange);
    Ok(Some(
        exchange.and_then(|found| {
            Some(Time { completion: found.completion_ns?, ideal: found.ideal_ns })
        }),
    ))
}
