//! Virtual lane arbitration by weights.

use super::super::{Arbitration, LANES, Setup, Weights};
use crate::network::PortId;

/// A unit of the weights, in bytes.
const CREDIT: u64 = 64;
/// A unit of the limit of the high table, in bytes.
const LIMIT: u64 = 4096;
/// The limit that is none.
const UNLIMITED: u8 = u8::MAX;

/// All ports that choose by weights.
pub(super) struct Arbiter {
    weights: Weights,
    virtual_channels: u8,
    ports: Vec<Tables>,
}

/// Where a port stands in its tables.
#[derive(Clone, Copy, Debug)]
struct Tables {
    high: Turn,
    low: Turn,
    /// What the high table has sent since the low one had a turn.
    sent: u64,
}

/// The virtual channel that a table serves, and the bytes that are left of its weight.
#[derive(Clone, Copy, Debug)]
struct Turn {
    vc: u8,
    left: u64,
}

impl Arbiter {
    /// The arbiters of so many ports; none where virtual channels take turns.
    pub(super) fn new(setup: &Setup, ports: usize) -> Option<Arbiter> {
        let Arbitration::Weights(weights) = setup.model.arbitration else { return None };
        let virtual_channels = setup.virtual_channels;
        let turn = Turn { vc: virtual_channels.saturating_sub(1), left: 0 };
        Some(Arbiter {
            weights,
            virtual_channels,
            ports: vec![Tables { high: turn, low: turn, sent: 0 }; ports],
        })
    }

    /// Chooses among a port's virtual channels that are ready to send so many bytes, and counts that
    /// it is served; these are rounded up to whole units of the weights.
    pub(super) fn choose(&mut self, port: PortId, bytes: impl Fn(u8) -> Option<u32>) -> Option<u8> {
        let Arbiter { weights, virtual_channels, ports } = self;
        let ready = |vc: u8| bytes(vc).is_some();
        let size = |vc: u8| u64::from(bytes(vc).unwrap_or(0)).div_ceil(CREDIT) * CREDIT;
        let tables = ports.get_mut(port.index())?;
        let limit = (u64::from(weights.limit) * LIMIT).max(1);
        let serve = |turn: &mut Turn, weights: &[u8; LANES]| {
            turn.pass(weights, *virtual_channels, &ready)?;
            turn.left = turn.left.saturating_sub(size(turn.vc));
            Some(turn.vc)
        };
        if (weights.limit == UNLIMITED || tables.sent < limit)
            && let Some(vc) = serve(&mut tables.high, &weights.high)
        {
            tables.sent += size(vc);
            return Some(vc);
        }
        if let Some(vc) = serve(&mut tables.low, &weights.low) {
            tables.sent = 0;
            return Some(vc);
        }
        // The low table had its turn and nothing to send.
        let vc = serve(&mut tables.high, &weights.high)?;
        tables.sent = size(vc);
        Some(vc)
    }
}

impl Turn {
    /// Stays where it is while something is left of the weight and the virtual channel is ready, else
    /// goes on to the next one that is.
    fn pass(
        &mut self,
        weights: &[u8; LANES],
        count: u8,
        ready: &impl Fn(u8) -> bool,
    ) -> Option<()> {
        let weight = |vc: u8| weights.get(usize::from(vc)).or(weights.last()).copied().unwrap_or(0);
        if self.left > 0 && ready(self.vc) {
            return Some(());
        }
        let mut following = (self.vc + 1..count).chain(0..(self.vc + 1).min(count));
        self.vc = following.find(|vc| weight(*vc) > 0 && ready(*vc))?;
        self.left = u64::from(weight(self.vc)) * CREDIT;
        Some(())
    }
}
