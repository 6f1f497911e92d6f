//! Horizontal axes that follow from the networks of a study.

use crate::catalog::Pick;
use crate::network::Network;

crate::choices! {
    /// A horizontal axis that follows from the network.
    pub enum Derived {
        /// Number of endpoints.
        Endpoints = "endpoints", "endpoints";
        /// Number of switches.
        Switches = "switches", "switches";
        /// Number of links.
        Links = "links", "links";
        /// Ports per switch.
        Radix = "radix", "ports per switch";
    }
}

impl Derived {
    /// The axis of that name.
    pub(super) fn read(name: &str) -> Option<Derived> {
        let words = Derived::default().words();
        let index = words.iter().position(|(word, _)| *word == name)?;
        Derived::ALL.get(index).copied()
    }

    /// Where a network stands on it.
    pub(super) fn of(self, network: &Network) -> u32 {
        match self {
            Derived::Endpoints => network.endpoint_count(),
            Derived::Switches => network.switch_count(),
            Derived::Links => network.link_count(),
            Derived::Radix => network.radix(),
        }
    }

    /// What stands along it.
    pub(super) fn label(self) -> &'static str {
        self.words()[self.chosen()].1
    }
}
