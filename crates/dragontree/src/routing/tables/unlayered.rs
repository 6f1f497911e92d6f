//! How many virtual layers a routing may use, and what to say where these are too few.

use crate::catalog::{Problem, Setting};
use crate::network::Needs;

/// The setting for how many layers may be used; InfiniBand has 15 virtual lanes for data.
pub(in crate::routing) fn most_layers(layers: &mut u32) -> Setting<'_> {
    let help = "The most virtual layers, each of which takes a virtual channel.";
    Setting::number("layers", "Most layers", help, layers, 1..=15)
}

/// Why there are no routes in layers.
pub(in crate::routing) enum Unlayered {
    /// The network is none for this routing.
    Unfit(Needs),
    /// The paths need more layers.
    TooFew,
}

impl From<Needs> for Unlayered {
    fn from(needs: Needs) -> Unlayered {
        Unlayered::Unfit(needs)
    }
}

impl Unlayered {
    /// What this routing lacks.
    pub fn needs(self, part: &'static str) -> Needs {
        let structure = "shortest paths that the allowed layers keep from deadlocks";
        match self {
            Unlayered::Unfit(needs) => needs,
            Unlayered::TooFew => Needs { part, structure, found: "paths that need more" },
        }
    }

    /// What is wrong with the setting, if it is that, where so many layers were allowed.
    pub fn problem(self, layers: u32) -> Problem {
        let allowed = match (self, layers) {
            (Unlayered::Unfit(needs), _) => return Problem::new("", "", needs.to_string()),
            (Unlayered::TooFew, 15) => {
                "the paths of this network need more than 15 virtual layers, the most there are"
            }
            (Unlayered::TooFew, _) => {
                "the paths of this network need more virtual layers; allowed: up to 15"
            }
        };
        Problem::new("layers", layers.to_string(), allowed)
    }
}
