//! All-to-all: every rank sends to every other, phase by phase.

use std::sync::Arc;

use super::direct::Direct;
use super::phased::{Law, Pace, Phased};
use super::steps::Steps;
use super::{Closed, Exchanged, Hierarchy, Phases, Queueing, Refused, Site, Workload};
use crate::catalog::{Form, Part, Setting, Settings};

crate::choices! {
    /// To whom a rank sends in which phase.
    pub enum Order {
        /// Rank s to s + p in phase p (Zahavi 2009, §1; Prisacari 2020, §2.2).
        Lin = "lin", "shift (LIN)";
        /// Rank s to s xor p (Prisacari 2020, §4.3.1).
        Xor = "xor", "exclusive or (XOR)";
        /// With digits in reverse order, which loads no level of a tree more than must be
        /// (Prisacari 2020, §2.3.3).
        Opt = "opt", "least contention (OPT)";
        /// Layer by layer, digits added (Prisacari 2020, §4.4.1).
        Ghe = "ghe", "hierarchical (GHE)";
        /// Layer by layer, balanced within each (Prisacari 2020, §4.4.2).
        Bgh = "bgh", "balanced hierarchical (BGH)";
        /// By classes of ways through a dragonfly (Prisacari 2020, §4.4.3).
        Lat = "lat", "by classes of ways (LAT)";
        /// With digits in an order of one's own (Prisacari 2020, §2.3.4).
        Permuted = "permuted", "permuted digits";
    }
}

crate::choices! {
    /// When a rank goes on to its next message.
    pub enum Answers {
        /// When the last one is acknowledged (Prisacari 2020, §2.5).
        Yes = "yes", "yes";
        /// When the last one has left.
        No = "no", "no, back to back";
    }
}

crate::choices! {
    /// For what a rank waits before its next phase.
    pub enum Awaits {
        /// For the message that it sends (Prisacari 2020, §4.5.2).
        Sent = "sent", "what it sends";
        /// For the one that comes to it, too, as `MPI_Sendrecv` does: "every node sends a single message
        /// and receives a single message and acknowledges it" (Prisacari 2020, §2.5).
        Both = "both", "what it sends and what comes to it";
    }
}

crate::choices! {
    /// What becomes of messages that stay within an endpoint, such as that of a rank to itself.
    pub enum Own {
        /// They take no time: the next one follows at once.
        Skipped = "skipped", "take no time";
        /// They go to the switch and back, like any other: every rank takes part in every phase
        /// (Prisacari 2020, §2.2).
        Sent = "sent", "go to the switch and back";
    }
}

/// Every rank sends to every other.
#[derive(Clone, Debug, PartialEq)]
pub struct AllToAll {
    /// In which order.
    pub order: Order,
    /// What LIN adds besides.
    pub shift: u32,
    /// For each digit of the source, from the lowest, which layer it decides, from 1 for the lowest.
    pub permutation: Vec<u32>,
    /// Whether ranks wait for acknowledgements.
    pub acks: Answers,
    /// For what they wait before their next phase.
    pub awaits: Awaits,
    /// What becomes of messages that stay within an endpoint.
    pub own: Own,
    /// The only phase that there is, if not all are.
    pub phase: Option<u32>,
}

impl Default for AllToAll {
    fn default() -> AllToAll {
        AllToAll {
            order: Order::default(),
            shift: 0,
            permutation: vec![2, 1],
            acks: Answers::default(),
            awaits: Awaits::default(),
            own: Own::default(),
            phase: None,
        }
    }
}

impl Settings for AllToAll {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "order",
            "Order",
            "To whom a rank sends in which phase.",
            &mut self.order,
        ));
        form.setting(
            Setting::number(
                "shift",
                "Shift",
                "What order=lin adds to each destination.",
                &mut self.shift,
                0..=4_000_000,
            )
            .advanced(),
        );
        form.setting(
            Setting::numbers(
                "permutation",
                "Permutation",
                "For order=permuted: which layer each digit of the source decides, 1 the lowest.",
                &mut self.permutation,
                1..=16,
                16,
            )
            .advanced(),
        );
        self.pace_settings(form);
        form.setting(
            Setting::optional(
                "phase",
                "Phase",
                "All phases one after the other, or only this one, in which nothing is acknowledged or \
                 waited for and nothing stays within an endpoint.",
                &mut self.phase,
                "all",
                0..=4_000_000,
            )
            .advanced(),
        );
    }
}

impl AllToAll {
    /// When a rank goes on, and what it leaves out.
    fn pace_settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::choice(
                "acks",
                "Acknowledged",
                "Whether a rank sends its next message when the last one is acknowledged, or at once.",
                &mut self.acks,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "awaits",
                "Waits for",
                "Before its next phase a rank waits for what it sends only or, as in MPI_Sendrecv, for \
                 what comes to it, too.",
                &mut self.awaits,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "own",
                "Own messages",
                "Whether messages within an endpoint, such as that of a rank to itself, take no time, or go \
                 to its switch and back, so that all ranks take part in every phase.",
                &mut self.own,
            )
            .advanced(),
        );
    }
}

impl Part for AllToAll {
    fn name(&self) -> &'static str {
        "all_to_all"
    }
    fn label(&self) -> &'static str {
        "All-to-all"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Every rank sends a message to every other, one at a time (Zahavi 2009; Prisacari 2020).",
        )
    }
}

impl Closed for AllToAll {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let pace = Pace {
            is_acknowledged: self.acks == Answers::Yes,
            awaits_both: self.awaits == Awaits::Both,
            sends_own: self.own == Own::Sent,
        };
        let phased = Arc::new(Phased::new(self.law(site)?, site, pace));
        if let Some(phase) = self.phase {
            if self.own == Own::Sent {
                let allowed =
                    "a single phase has what goes to others only; with phase allowed: skipped";
                return Err(Refused::setting("own", "sent", allowed.to_owned()));
            }
            return alone(&phased, phase, site);
        }
        let workload = Workload::Phased(phased.clone());
        let (phases, stages) = (Phases::Phased(phased), [].into());
        Ok(Some(Exchanged { workload, phases, stages }))
    }
}

/// One of the phases, which keeps its number.
fn alone(phased: &Phased, phase: u32, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
    let phases = phased.phases();
    if phase >= phases {
        let allowed = format!("there are {phases} phases; allowed: 0 to {}, or all", phases - 1);
        return Err(Refused::setting("phase", phase, allowed));
    }
    let mut steps = Steps::new(phased.ranks());
    for (from, to) in (0..).zip(phased.phase(phase)) {
        if let Some(to) = to {
            steps.send(phase, [from, to.0], site.bytes, Vec::new());
        }
    }
    steps.finish(Queueing::InOrder)
}

impl AllToAll {
    /// Whether it goes by the layers of the fabric, which ranks have to follow.
    pub fn is_layered(&self) -> bool {
        !matches!(self.order, Order::Lin | Order::Xor)
    }

    fn law(&self, site: Site<'_>) -> Result<Law, Refused> {
        let places = site.places();
        match self.order {
            Order::Lin if self.shift < places => Ok(Law::Linear { shift: self.shift }),
            Order::Lin => {
                let allowed = format!("there are {places} ranks; allowed: 0 to {}", places - 1);
                Err(Refused::setting("shift", self.shift, allowed))
            }
            Order::Xor if places.is_power_of_two() => Ok(Law::Xor),
            Order::Xor => {
                let others = match (self.layers(site), Direct::new(site)) {
                    (Ok(_), Ok(_)) => "lin, opt, permuted, ghe, bgh, lat",
                    (Ok(_), Err(_)) => "lin, opt, permuted, ghe, bgh",
                    (Err(_), _) => "lin",
                };
                let allowed = format!(
                    "it needs a power of two of ranks and there are {places}; allowed here: {others}"
                );
                Err(Refused::setting("order", "xor", allowed))
            }
            Order::Lat => {
                let direct = Direct::new(site)?;
                self.layers(site)?;
                Ok(Law::Direct(direct))
            }
            Order::Bgh => Ok(Law::Balanced(self.layers(site)?)),
            Order::Opt | Order::Ghe | Order::Permuted => {
                let mut widths = self.layers(site)?;
                if widths.first() == Some(&1) {
                    widths.remove(0);
                }
                let count = widths.len();
                let order: Vec<usize> = match self.order {
                    Order::Opt => (0..count).rev().collect(),
                    Order::Permuted => self.permuted(count)?,
                    _ => (0..count).collect(),
                };
                Ok(Law::digits(&widths, &order))
            }
        }
    }

    /// The widths of the network's layers, which the places must fill.
    fn layers(&self, site: Site<'_>) -> Result<Vec<u32>, Refused> {
        let Some(hierarchy) = Hierarchy::of(site.network, site.ranks_per_endpoint) else {
            return Err(site.needs(self.part_name(), "a tree or groups"));
        };
        let widths: Vec<String> = hierarchy.widths().iter().map(u32::to_string).collect();
        if hierarchy.places() != u64::from(site.places()) {
            let full = hierarchy.places();
            let missing = u64::from(site.network.live_endpoint_count())
                * u64::from(site.ranks_per_endpoint)
                < full;
            let how = match missing {
                true => " (placement=contiguous,keepers=yes keeps those of missing endpoints)",
                false => "",
            };
            let allowed = format!(
                "the layers ({}) have {full} places, allowed: all of them{how}, or order=lin",
                widths.join("·")
            );
            return Err(Refused::setting("ranks", site.places(), allowed));
        }
        Ok(hierarchy.widths().to_vec())
    }

    fn part_name(&self) -> &'static str {
        match self.order {
            Order::Opt => "order=opt",
            Order::Ghe => "order=ghe",
            Order::Bgh => "order=bgh",
            Order::Lat => "order=lat",
            _ => "order=permuted",
        }
    }

    /// The permutation, counted from 0.
    fn permuted(&self, layers: usize) -> Result<Vec<usize>, Refused> {
        let mut sorted = self.permutation.clone();
        sorted.sort_unstable();
        if sorted.iter().map(|layer| *layer as usize).eq(1..=layers) {
            return Ok(self.permutation.iter().map(|layer| *layer as usize - 1).collect());
        }
        let given: Vec<String> = self.permutation.iter().map(u32::to_string).collect();
        let allowed = format!(
            "the fabric has {layers} layers, of which ranks on one endpoint are one where there are \
             several; allowed: the numbers 1 to {layers} in any order"
        );
        Err(Refused::setting("permutation", given.join("."), allowed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Pick;

    #[test]
    fn every_order_has_a_name_in_messages() {
        let words = Order::default().words();
        for (order, (word, _)) in Order::ALL.iter().zip(words) {
            let part = AllToAll { order: *order, ..AllToAll::default() };
            if part.is_layered() {
                assert_eq!(part.part_name(), format!("order={word}"));
            }
        }
    }
}
