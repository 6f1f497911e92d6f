//! What switches send to one another beside the endpoints' traffic.

use crate::catalog::{Form, Setting, Settings};
use crate::units::{Bandwidth, Load};

#[cfg(feature = "complete")]
mod managed;

#[cfg(feature = "complete")]
pub(super) use managed::Managed;

crate::choices! {
    /// The virtual channels of the switches' packets.
    pub enum Lanes {
        /// Those of the endpoints.
        Shared = "shared", "shared with endpoints";
        /// The first ones, as many as the routing has layers; the endpoints have the following ones.
        Own = "own", "their own";
    }
}

/// Packets from every switch's own port 0 to those of others (Bogdański et al. 2012, §7.2).
#[derive(Clone, Debug, PartialEq)]
pub struct ManagementTraffic {
    /// Offered load, relative to the rate of port 0; none at 0.
    pub load: Load,
    /// Payload rate of port 0.
    pub bandwidth: Bandwidth,
    /// Which virtual channels the packets take.
    pub lanes: Lanes,
}

impl Default for ManagementTraffic {
    /// None; 1x SDR, which carries 2 Gbit/s.
    fn default() -> ManagementTraffic {
        ManagementTraffic {
            load: Load::ppm(0),
            bandwidth: Bandwidth::gbps(2),
            lanes: Lanes::Shared,
        }
    }
}

impl Settings for ManagementTraffic {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "",
            "Switches' load",
            "Packets from each switch's own port 0 to those of others, as a fraction of its rate; \
             the bound leaves them out.",
            &mut self.load,
            Load::ppm(0)..=Load::FULL,
        ));
        form.setting(
            Setting::number(
                "bandwidth",
                "Rate of port 0",
                "Payload rate of a switch's port 0.",
                &mut self.bandwidth,
                Bandwidth::bps(1_000_000)..=Bandwidth::gbps(10_000),
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "vc",
                "Switches' virtual channels",
                "Which virtual channels these packets take.",
                &mut self.lanes,
            )
            .advanced(),
        );
    }
}
