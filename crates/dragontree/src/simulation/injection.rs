//! When sources send, and in what messages.

use crate::units::Bytes;

crate::choices! {
    /// How the messages of a source are spaced at an offered load.
    pub enum Spacing {
        /// In every slot of a message's time on the link, with the load as probability.
        Bernoulli = "bernoulli", "at random";
        /// At equal intervals, from a random time on.
        Periodic = "periodic", "at equal intervals";
    }
}

crate::choices! {
    /// For what routes that choose at random choose a way.
    pub enum WaysFor {
        /// For each packet.
        Packet = "packet", "each packet";
        /// For each message: all of its packets go the same way.
        Message = "message", "each message";
    }
}

/// How a source sends what it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// How its messages are spaced.
    pub spacing: Spacing,
    /// Packets of a message: they are generated at once, go to one destination and follow one another.
    pub packets: u32,
    /// For what a way is chosen.
    pub ways: WaysFor,
    /// The shortest packet, where a message, as long as its packets, is cut into others instead: of
    /// random lengths from this one to that of a packet, each equally likely, up to the last, which is
    /// what is left. Where this is no shorter than a packet, all are of that length.
    pub shortest: Option<Bytes>,
}

impl Default for Injection {
    fn default() -> Injection {
        Injection { spacing: Spacing::Bernoulli, packets: 1, ways: WaysFor::Packet, shortest: None }
    }
}

impl Injection {
    /// Whether this build simulates it: without the feature `complete` it knows the default only.
    pub fn is_held(&self) -> bool {
        cfg!(feature = "complete") || *self == Injection::default()
    }

    /// Whether packets of a message go the same way.
    pub(super) fn keeps_ways(&self) -> bool {
        cfg!(feature = "complete") && self.ways == WaysFor::Message
    }

    /// The variance of how many packets a source sends in so many slots of a packet, when it generates them
    /// at this load and a share of them is leaving the endpoint. At equal intervals a message more or less is
    /// generated, as the time begins.
    pub(super) fn variance(&self, slots: u64, load: f64, leaving: f64) -> f64 {
        let together = f64::from(self.together());
        let sent = slots as f64 * load * leaving * together;
        match self.spacing {
            Spacing::Periodic if cfg!(feature = "complete") => {
                sent * (1.0 - leaving) + leaving * leaving * together * together / 4.0
            }
            _ => sent * (1.0 - load * leaving),
        }
    }

    /// Packets that are generated at once.
    pub(super) fn together(&self) -> u32 {
        if cfg!(feature = "complete") { self.packets.max(1) } else { 1 }
    }
}
