//! Networks without a known structure: rows by the distance from the endpoints, each switch above
//! those it is joined to; a ring where every switch has endpoints.

use super::rows::{FOOT, SPREAD, empty};
use super::{Anchor, Point, Sheet, grid, slot};
use crate::network::{Network, Node, PortId, SwitchId};

pub fn place(network: &Network) -> Sheet {
    let rows = rows(network);
    if rows.len() < 2 {
        return grid::ring(network);
    }
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1);
    let mut sheet = empty(widest as f32);
    sheet.switches = vec![[0.0; 2]; network.switch_count() as usize];
    sheet.rows = vec![[[0.0; 2]; 2]; network.switch_count() as usize];
    for (height, row) in rows.iter().enumerate() {
        let y = (rows.len() - 1 - height) as f32;
        let name = if height == 0 { "edge".to_owned() } else { format!("{height} further") };
        sheet.write(&name, Anchor::Row(y));
        // By the middle of the neighbors below, about as finely as there are places.
        let count = row.len() as u32;
        let mut order = vec![Vec::new(); row.len() + 1];
        for switch in row {
            let x = if height == 0 { 0.0 } else { above(network, *switch, &sheet.switches) };
            order[(x * count as f32) as usize].push(*switch as usize);
        }
        for (place, switch) in (0..).zip(order.into_iter().flatten()) {
            let x = slot(place, count);
            sheet.switches[switch] = [x, y];
            sheet.rows[switch] = [[x, y + FOOT], [SPREAD / count as f32, 0.0]];
        }
    }
    sheet
}

/// The switches with endpoints, those next to them, and so on; what cannot be reached comes last.
pub fn rows(network: &Network) -> Vec<Vec<u32>> {
    let all = 0..network.switch_count();
    // The row of each switch, counted from 1.
    let mut height = vec![0_u32; all.len()];
    for switch in network.endpoints().filter_map(|endpoint| network.switch_of(endpoint)) {
        height[switch.index()] = 1;
    }
    if height.iter().all(|height| *height == 0) {
        height.iter_mut().take(1).for_each(|first| *first = 1);
    }
    let mut rows = Vec::new();
    for now in 1.. {
        let row: Vec<u32> = all.clone().filter(|switch| height[*switch as usize] == now).collect();
        if row.is_empty() {
            break;
        }
        for other in row.iter().flat_map(|switch| neighbors(network, *switch)) {
            let height = &mut height[other as usize];
            *height = if *height == 0 { now + 1 } else { *height };
        }
        rows.push(row);
    }
    let lost: Vec<u32> = all.filter(|switch| height[*switch as usize] == 0).collect();
    rows.extend((!lost.is_empty()).then_some(lost));
    rows
}

fn neighbors(network: &Network, switch: u32) -> impl Iterator<Item = u32> {
    let ports = network.ports(Node::Switch(SwitchId(switch))).map(PortId);
    ports.filter_map(|port| match network.neighbor(port)? {
        Node::Switch(other) => Some(other.0),
        Node::Endpoint(_) => None,
    })
}

/// The middle of the neighbors that are placed already, which are those in the row below.
fn above(network: &Network, switch: u32, places: &[Point]) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for [x, _] in neighbors(network, switch).map(|other| places[other as usize]) {
        if x > 0.0 {
            sum += x;
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 1.0 }
}
