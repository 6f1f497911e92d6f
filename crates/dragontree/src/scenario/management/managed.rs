//! The network, the routes and the sources of switches that send.

use std::sync::Arc;

use super::{Lanes, ManagementTraffic};
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::{AnyRoutes, Routes, WithManagement, unreached_switches};
use crate::scenario::Scenario;
use crate::simulation::Management;
use crate::units::Load;

/// What is simulated when switches send.
#[derive(Clone)]
pub(in crate::scenario) struct Managed {
    pub network: Arc<Network>,
    pub routes: AnyRoutes,
    pub traffic: Management,
}

impl Scenario {
    /// What is simulated besides, if switches send.
    ///
    /// # Errors
    /// The routes do not lead from switch to switch.
    pub(in crate::scenario) fn managed(
        &self,
        network: &Arc<Network>,
        routes: &AnyRoutes,
    ) -> Result<Option<Managed>, Vec<Problem>> {
        let ManagementTraffic { load, bandwidth, lanes } = self.management;
        let refuse = |allowed: String| vec![Problem::new("management", load.to_string(), allowed)];
        if load == Load::ppm(0) {
            return Ok(None);
        }
        let tables = match routes.fixed().map(Arc::as_ref) {
            Ok(Routes::Tables(tables)) => tables,
            Ok(Routes::Oblivious(_)) | Err(_) => {
                let name = self.routing.name();
                return Err(refuse(format!(
                    "routing={name} does not lead to switches; allowed: routings of forwarding \
                     tables, such as sftree or min_hop"
                )));
            }
        };
        let left_out = unreached_switches(tables);
        if left_out.iter().all(|others| others.len() == left_out.len()) {
            let name = self.routing.name();
            return Err(refuse(format!("routing={name} leads from no switch to another one here")));
        }
        let grown = network.with_management_ports(bandwidth);
        let grown = Arc::new(grown.map_err(|miswired| refuse(miswired.to_string()))?);
        let apart = lanes == Lanes::Own;
        let routes = WithManagement::new(grown.clone(), routes.unloaded().clone(), apart);
        Ok(Some(Managed {
            network: grown,
            routes: Routes::Oblivious(Box::new(routes)).into(),
            traffic: Management {
                endpoints: network.endpoint_count(),
                load,
                bandwidth,
                left_out: left_out.into(),
            },
        }))
    }
}
