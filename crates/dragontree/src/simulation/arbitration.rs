//! Which virtual channel a port serves next.

/// The most virtual channels that weights tell apart: InfiniBand's lanes.
pub const LANES: usize = 16;

/// How a port chooses among the virtual channels that have a packet and may send it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arbitration {
    /// Each in turn, a packet at a time.
    #[default]
    RoundRobin,
    /// By weights.
    Weights(Weights),
}

/// InfiniBand's virtual lane arbitration (IBTA specification, volume 1, §7.6.9): two tables with a
/// weight for each virtual channel, in units of 64 bytes. A table serves a virtual channel until its
/// weight is used up, the last packet whole, then the next that has something to send; a weight of 0
/// leaves one out. Those beyond the last have its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The table that comes first.
    pub high: [u8; LANES],
    /// The table that has a turn of one packet when the other has sent its limit, or has nothing to
    /// send.
    pub low: [u8; LANES],
    /// That limit in units of 4096 bytes: 0 is a packet, 255 none at all.
    pub limit: u8,
}
