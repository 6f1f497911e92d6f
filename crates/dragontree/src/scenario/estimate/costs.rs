//! How many packet-hops of an unsaturated run of the default switch other things take.

use crate::simulation::Setup;

/// One of a saturated run.
pub(super) const SATURATED: f64 = 3.0;
/// A flit's.
const FLIT: f64 = 1.5;
/// One of a packet or a flit by the plain engine.
const PLAIN: f64 = 10.0;

/// What a hop of a packet takes that moves whole, or of a flit.
pub(super) fn hop(setup: &Setup) -> f64 {
    match setup.model.flit {
        _ if setup.is_plain() => PLAIN,
        Some(_) => FLIT,
        None => 1.0,
    }
}
