//! Which virtual channel a port serves next, as the notation has it.

use super::Scenario;
use crate::catalog::{Form, Problem, Setting, Settings};
use crate::simulation::{self, LANES, Weights};

crate::choices! {
    /// How a port chooses among virtual channels.
    pub enum ArbitrationKind {
        /// Each in turn, a packet at a time.
        RoundRobin = "round_robin", "round-robin";
        /// By the weights of InfiniBand's two tables.
        Weights = "weights", "weights";
    }
}

/// How a port chooses among the virtual channels that have a packet.
#[derive(Clone, Debug, PartialEq)]
pub struct Arbitration {
    /// The way.
    pub kind: ArbitrationKind,
    /// The high-priority table: a weight for each virtual channel in units of 64 bytes, the last for
    /// all that follow.
    pub high: Vec<u32>,
    /// The low-priority table likewise.
    pub low: Vec<u32>,
    /// What the high table sends before the low one has a turn, in units of 4096 bytes: 0 is a
    /// packet, 255 no limit.
    pub limit: u32,
}

impl Default for Arbitration {
    fn default() -> Arbitration {
        Arbitration { kind: ArbitrationKind::RoundRobin, high: vec![0], low: vec![64], limit: 0 }
    }
}

impl Settings for Arbitration {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "",
            "Arbitration",
            "Which virtual channel a port serves next: each in turn, or by InfiniBand's weights.",
            &mut self.kind,
        ));
        let weights = [
            (
                "high",
                "High-priority weights",
                "Weights of the table that comes first.",
                &mut self.high,
            ),
            (
                "low",
                "Low-priority weights",
                "A virtual channel's weight in units of 64 B; the last holds for the rest.",
                &mut self.low,
            ),
        ];
        for (key, label, help, value) in weights {
            form.setting(Setting::numbers(key, label, help, value, 0..=255, LANES).advanced());
        }
        form.setting(
            Setting::number(
                "limit",
                "High-priority limit",
                "What the first table sends before the other's turn, in units of 4096 B; 255 is all.",
                &mut self.limit,
                0..=255,
            )
            .advanced(),
        );
    }
}

/// A weight for every lane.
fn table(weights: &[u32]) -> [u8; LANES] {
    let last = weights.last().copied().unwrap_or(0);
    let mut table = [0; LANES];
    for (lane, weight) in table.iter_mut().enumerate() {
        *weight = weights.get(lane).copied().unwrap_or(last).min(255) as u8;
    }
    table
}

impl Arbitration {
    /// The same as the simulator has it.
    pub(super) fn model(&self) -> simulation::Arbitration {
        match self.kind {
            ArbitrationKind::RoundRobin => simulation::Arbitration::RoundRobin,
            ArbitrationKind::Weights => simulation::Arbitration::Weights(Weights {
                high: table(&self.high),
                low: table(&self.low),
                limit: self.limit.min(255) as u8,
            }),
        }
    }
}

impl Scenario {
    /// Whether every virtual channel has a weight.
    pub(super) fn check_weights(&self) -> Option<Problem> {
        let simulation::Arbitration::Weights(weights) = self.arbitration.model() else {
            return None;
        };
        let mut lanes = weights.high.iter().zip(&weights.low);
        let lane = lanes.position(|(high, low)| *high == 0 && *low == 0)?;
        let low: Vec<String> = self.arbitration.low.iter().map(u32::to_string).collect();
        let allowed = format!(
            "virtual channel {lane} would never be served; each needs a weight above 0 in high= or low="
        );
        Some(Problem::new("arbitration,low", low.join("."), allowed))
    }
}
