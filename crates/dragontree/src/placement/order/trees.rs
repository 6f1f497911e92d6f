//! The order along fat trees.

use crate::network::extraction::extract;
use crate::network::{LinkClass, Needs, Network, Node, PortId, Structure};

/// The places along the trees that are told or found in a network.
pub(super) fn along(
    network: &Network,
    ports: &[Option<PortId>],
) -> Result<Vec<Option<PortId>>, Needs> {
    let told = match network.structure() {
        Structure::Tree(_) => true,
        // Racks of pairs under several cores are trees that extraction does not take apart.
        Structure::Layered(_) => {
            network.channels().any(|(_, link)| link.class == LinkClass::Sibling)
        }
        _ => false,
    };
    if told {
        return Ok(ports.to_vec());
    }
    // Endpoint ports that have not got their place yet.
    let mut waiting = vec![false; network.port_count() as usize];
    ports.iter().flatten().for_each(|port| waiting[port.index()] = true);
    let mut places = Vec::with_capacity(ports.len());
    for fabric in extract(network).fabrics {
        let of_fabric = |port: &PortId| match network.neighbor(*port) {
            Some(Node::Switch(switch)) => fabric.switches.binary_search(&switch).is_ok(),
            _ => false,
        };
        if !ports.iter().flatten().any(of_fabric) {
            continue;
        }
        let Ok(tree) = fabric.found else {
            return Err(Needs {
                part: "order=ftree",
                structure: "fat trees under all endpoints",
                found: "switches that form none",
            });
        };
        for slot in 0..tree.tree().width(0) {
            let ends = tree.slot(slot).iter().filter_map(|port| network.peer(*port));
            let mut ends = ends.filter(|port| waiting[port.index()]);
            let found = ends.next();
            if let Some(port) = found {
                waiting[port.index()] = false;
            }
            places.push(found);
        }
    }
    let rest = ports.iter().flatten().filter(|port| waiting[port.index()]);
    places.extend(rest.map(|port| Some(*port)));
    Ok(places)
}
