//! Estimates as people read them: with two digits that count.

use super::Estimate;
use crate::units::Bytes;

/// An estimate in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InWords {
    /// Switches that all packets will cross, as in 3.1 G.
    pub packet_hops: String,
    /// Simulated time of all runs together, as in 1.5 ms.
    pub simulated: String,
    /// How long it takes, as in 4 minutes.
    pub takes: String,
    /// The memory of all runs that go on at once, as in 300 MB.
    pub memory: String,
}

impl Estimate {
    /// The estimate in words, if a processor does so many packet-hops of an unsaturated run of the
    /// default switch in a second, and so many runs go on at once, on a processor each.
    pub fn in_words(&self, hops_per_second: f64, at_once: u64) -> InWords {
        InWords {
            packet_hops: count(self.packet_hops),
            simulated: span(self.simulated.as_ns() / 1e9),
            takes: span(self.seconds(hops_per_second) / at_once.max(1) as f64),
            memory: size(Bytes(self.memory.0.saturating_mul(at_once))),
        }
    }
}

/// An amount of memory in words, as in 300 MB.
pub(super) fn size(bytes: Bytes) -> String {
    in_units(bytes.0 as f64, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB")])
}

fn count(number: f64) -> String {
    let text = in_units(number, &[(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")]);
    if number < 1e3 { format!("{number:.0}") } else { text }
}

fn span(seconds: f64) -> String {
    let long =
        [(172_800.0, 86_400.0, "days"), (7_200.0, 3_600.0, "hours"), (120.0, 60.0, "minutes")];
    match long.iter().find(|(from, ..)| seconds >= *from) {
        Some((_, size, unit)) => rounded(seconds / size, unit),
        None => in_units(seconds, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]),
    }
}

/// In the largest of some units of which there is at least one.
fn in_units(number: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(size, _)| number >= *size).or(units.last());
    fits.map_or_else(String::new, |(size, unit)| rounded(number / size, unit))
}

fn rounded(number: f64, unit: &str) -> String {
    match number {
        ..9.95 => format!("{number:.1} {unit}"),
        _ => format!("{number:.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_two_digits() {
        assert_eq!(count(3_140_000_000.0), "3.1 G");
        assert_eq!(count(12.0), "12");
        assert_eq!(size(Bytes(300_000_000)), "300 MB");
        assert_eq!(span(240.0), "4.0 minutes");
        assert_eq!(span(90.0), "90 s");
        assert_eq!(span(0.0123), "12 ms");
    }
}
