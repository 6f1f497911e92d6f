//! How switches are built and how packets pass them.

use super::Arbitration;
use crate::units::Bytes;

crate::choices! {
    /// Where a switch keeps packets, and which of them may move.
    ///
    /// Input buffers are kept per port and virtual channel in all of them, with credits upstream.
    pub enum SwitchModel {
        /// Packets in an input buffer do not block one another, and the crossbar is never the
        /// bottleneck. A packet takes the credit of the next buffer before it enters the output
        /// queue, so that one virtual channel's output queue, flight and next buffer share one
        /// budget, and the virtual channels share the output queue.
        VirtualOutputQueues = "voq", "virtual output queues";
        /// Only the first packet of an input buffer may move. The crossbar is as fast as the links:
        /// an input reads one packet at a time, and an output takes the next when it has sent the
        /// last; there is no output queue. Uniform traffic saturates at 2 - √2 = 0.586 of many
        /// ports (Karol, Hluchyj & Morgan 1987).
        FifoInputs = "fifo_inputs", "FIFO inputs";
        /// An output queue per port and virtual channel takes what arrives at once; it needs no
        /// credit to enter it, only to leave it. The input buffer is a landing place: packets wait
        /// there, first in, first out, only while the output queue is full or, in wormhole switching,
        /// another packet has it. The virtual channels of a port share the size of its queues equally.
        OutputBuffered = "output_buffered", "output-buffered";
        /// Inputs as with virtual output queues, outputs as in an output-buffered switch.
        InputOutputBuffered = "input_output_buffered", "input-output-buffered";
    }
}

impl SwitchModel {
    /// Whether packets wait in output queues; else a channel is fed from the input buffers, and one
    /// is read until the last bit has gone.
    #[cfg(feature = "complete")]
    pub(super) fn has_output_queues(self) -> bool {
        self != SwitchModel::FifoInputs
    }

    /// Whether only the first packet of an input buffer may move.
    #[cfg(feature = "complete")]
    pub(super) fn has_fifo_inputs(self) -> bool {
        matches!(self, SwitchModel::FifoInputs | SwitchModel::OutputBuffered)
    }

    /// Whether output queues have room of their own, apart from that of the next buffer.
    #[cfg(feature = "complete")]
    pub(super) fn has_output_buffers(self) -> bool {
        matches!(self, SwitchModel::OutputBuffered | SwitchModel::InputOutputBuffered)
    }
}

/// The switches of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// Where they keep packets.
    pub switch: SwitchModel,
    /// Size of a flit in wormhole switching, of which a packet is a whole number: buffers take single
    /// flits, and a packet keeps an output's virtual channel from its first flit to its last. Without
    /// one, packets move whole: virtual cut-through.
    pub flit: Option<Bytes>,
    /// How a port chooses among virtual channels.
    pub arbitration: Arbitration,
}

impl Model {
    /// Whether this build simulates it: without the feature `complete` it knows the default only.
    pub fn is_held(&self) -> bool {
        cfg!(feature = "complete") || *self == Model::default()
    }

    /// Whether it is the default switch without weights, in which packets may move whole or in flits.
    #[cfg(feature = "complete")]
    pub(super) fn is_default_switch(&self) -> bool {
        Model { flit: None, ..*self } == Model::default()
    }

    /// What buffers take whole: a flit in wormhole switching, else a packet of this size.
    pub fn unit(&self, packet: Bytes) -> Bytes {
        self.flit.filter(|_| cfg!(feature = "complete")).unwrap_or(packet)
    }

    /// The flits of a packet of this size; one that moves whole is its own only flit.
    pub fn flits(&self, packet: Bytes) -> u64 {
        if cfg!(feature = "complete") { packet.0 / self.unit(packet).0 } else { 1 }
    }
}
