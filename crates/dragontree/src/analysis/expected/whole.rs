//! Stands for the halves of routes where no routing has any.

use std::sync::Arc;

use super::super::bundles::Leg;
use super::super::zero_load::Latencies;
use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::routing::Routes;
use crate::units::Time;

/// There is none.
pub(in crate::analysis) enum Composed {}

/// What a half carries.
pub(super) struct Load<'a> {
    pub ports: &'a [PortId],
    pub rate: f64,
    pub weight: f64,
}

/// What the ends of a way take.
pub(super) struct Ends {
    pub injection: PortId,
    pub ejection: PortId,
    pub time: f64,
}

impl Composed {
    pub fn new(_: &Arc<Network>, _: &Arc<Routes>, _: &[EndpointId]) -> Option<Composed> {
        None
    }

    pub fn switches(&self) -> usize {
        match *self {}
    }

    pub fn add(
        &mut self,
        _: &Leg,
        _: &Latencies,
        _: impl Fn(PortId) -> Option<Time>,
    ) -> Option<Ends> {
        match *self {}
    }

    pub fn own(&self, _: PortId, _: &Latencies) -> f64 {
        match *self {}
    }

    pub fn settle(&self, _: SwitchId, _: &mut dyn FnMut(Load<'_>)) {
        match *self {}
    }

    pub fn look(&mut self, _: SwitchId, _: PortId) {
        match *self {}
    }

    pub fn share(&mut self, _: &Leg) -> Option<f64> {
        match *self {}
    }
}
