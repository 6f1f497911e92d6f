//! What a small worker says to whatever takes a complete one; the page asks it nothing of that.

use std::sync::Arc;

use dragontree::network::Network;
use dragontree::scenario::Scenario;

use super::{Bench, Fitting};
use crate::protocol::{Reply, Request};

impl Bench {
    /// Files and inspections are nothing that it knows.
    pub(super) fn handle_large(
        &mut self,
        _request: Request,
        _clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        None
    }
}

/// It cannot tell what does not fit.
pub(super) fn fits(_scenario: &Scenario, _network: &Arc<Network>) -> Fitting {
    Fitting::default()
}
