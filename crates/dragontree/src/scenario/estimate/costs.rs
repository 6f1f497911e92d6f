//! How many packet-hops of an unsaturated run of the default switch other things take.

use crate::simulation::Setup;

/// One of a saturated run.
pub(super) const SATURATED: f64 = 3.0;
/// One of an exchange, whose endpoints send as much as they can.
pub(super) const EXCHANGED: f64 = 2.0;
/// A flit's.
const FLIT: f64 = 1.5;
/// One of a packet or a flit by the plain engine.
const PLAIN: f64 = 10.0;

/// To pass a switch in the analysis, and to deal out so many ways to halves.
pub(super) const PASSED: f64 = 1.0;
pub(super) const HALF: f64 = 2.0;
pub(super) const DEALT: f64 = 32.0;
/// To find the route of a message, and the bytes that it takes.
pub(super) const SOLVED: (f64, u64) = (60.0, 32);

/// What a hop of a packet takes that moves whole, or of a flit.
pub(super) fn hop(setup: &Setup) -> f64 {
    match setup.model.flit {
        _ if setup.is_plain() => PLAIN,
        Some(_) => FLIT,
        None => 1.0,
    }
}
