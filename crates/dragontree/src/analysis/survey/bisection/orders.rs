//! Orders of the switches in which the first half may be cut off with few links.

use crate::network::{Network, Structure, SwitchId};
use crate::sorting::sort_by_number;

/// Keys to sort the switches by: along the endpoints and, where the structure has several
/// coordinates, along each of them.
pub(super) fn orders(network: &Network) -> Vec<Vec<u32>> {
    let count = network.switch_count();
    let by = |key: &dyn Fn(SwitchId) -> u32| {
        let mut order: Vec<u32> = (0..count).collect();
        sort_by_number(&mut order, |switch| u128::from(key(SwitchId(*switch))));
        order
    };
    let mut orders = vec![along_endpoints(network)];
    match network.structure() {
        Structure::Grid(grid) => {
            let mut stride = 1;
            for width in grid.widths.iter().copied() {
                orders.push(by(&|switch| switch.0 / stride % width));
                stride *= width;
            }
        }
        Structure::Layered(layered) => {
            orders.push(by(&|switch| {
                let block = layered.layers()[layered.layer(switch) as usize].block;
                layered.place(switch).checked_rem(block).unwrap_or(layered.place(switch))
            }));
        }
        Structure::Groups(groups) => orders.push(by(&|switch| groups.place(switch))),
        Structure::Mms(mms) => {
            orders.push(by(&|switch| mms.place(switch)[1]));
            orders.push(by(&|switch| mms.place(switch)[2]));
        }
        Structure::Tree(_) | Structure::Subnets(_) | Structure::Irregular => {}
    }
    orders
}

/// The switches by the first endpoint of each.
fn along_endpoints(network: &Network) -> Vec<u32> {
    let count = network.switch_count();
    let mut first = vec![u32::MAX; count as usize];
    for endpoint in network.endpoints() {
        if let Some(switch) = network.switch_of(endpoint) {
            first[switch.index()] = first[switch.index()].min(endpoint.0);
        }
    }
    let mut order: Vec<u32> = (0..count).collect();
    sort_by_number(&mut order, |switch| u128::from(first[*switch as usize]));
    order
}
