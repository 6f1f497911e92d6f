//! Turns: a channel into a switch, and a channel on from there.

use super::{Network, Node, PortId, SwitchId};

/// A number for each turn, from several lanes (virtual channels) into several. A turn that was
/// never met takes no memory, as long as no other turn from the same channel and lane was met.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    from_lanes: usize,
    to_lanes: usize,
    /// Where the row of each lane of each channel into a switch starts.
    starts: Vec<usize>,
    /// Rows: a number for each lane of each port of the switch where the channel ends.
    numbers: Vec<u32>,
}

/// A lane of a channel.
pub(crate) type Lane = (PortId, u8);

impl Turns {
    /// The number of a turn that was never met.
    pub(crate) const NONE: u32 = u32::MAX;

    const NO_ROW: usize = usize::MAX;

    /// No turns yet, between channels that leave switches and have so many lanes; with one lane
    /// to turn into, the lane does not change.
    pub(crate) fn new(network: &Network, from_lanes: u8, to_lanes: u8) -> Turns {
        let last = network.switches().last();
        let channels = last.map_or(0, |last| network.ports(Node::Switch(last)).end as usize);
        let (from_lanes, to_lanes) = (usize::from(from_lanes), usize::from(to_lanes));
        let starts = vec![Turns::NO_ROW; channels * from_lanes];
        Turns { from_lanes, to_lanes, starts, numbers: Vec::new() }
    }

    /// The number of a turn at a switch, to be read or set. Lanes must be below what was given to
    /// [`new`](Self::new), and the channels must meet at the switch.
    pub(crate) fn slot(
        &mut self,
        network: &Network,
        from: Lane,
        at: SwitchId,
        to: Lane,
    ) -> &mut u32 {
        let ports = network.ports(Node::Switch(at));
        let start = &mut self.starts[from.0.index() * self.from_lanes + usize::from(from.1)];
        if *start == Turns::NO_ROW {
            *start = self.numbers.len();
            self.numbers.resize(*start + ports.len() * self.to_lanes, Turns::NONE);
        }
        let port = (to.0.0 - ports.start) as usize;
        &mut self.numbers[*start + port * self.to_lanes + usize::from(to.1)]
    }
}
