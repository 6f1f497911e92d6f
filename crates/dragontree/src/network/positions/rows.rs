//! Structures whose switches stand in rows: layers, the halves of an MMS graph, subnets.

use super::bend::Line;
use super::{Anchor, Bend, Sheet, slot};
use crate::network::{Layered, Mms, Network, Subnets, SwitchId};

/// The gap between blocks of a row, in switches.
const GAP: f32 = 1.0;
/// The height between endpoints and their switches, where that between rows is 1.
pub const FOOT: f32 = 0.5;
/// How much of its switch's width a row of endpoints takes.
pub const SPREAD: f32 = 0.8;
/// How far a link within a row steps aside at most, as a share of the space between rows.
const ASIDE: f32 = 0.4;
/// The gap between the halves of an MMS graph, as a share of their width.
const HALVES: f32 = 0.5;
/// The gap between subnets, as a share of their width.
const SUBNETS: f32 = 0.12;

/// A drawing without switches whose rows are at most so wide.
pub fn empty(widest: f32) -> Sheet {
    let step = [1.0 / widest, 0.0];
    let line = Line { step, aside: [0.0, -ASIDE], longest: widest.max(2.0) - 1.0 };
    let mut sheet = Sheet::new(true);
    sheet.bend = Bend::Aside(vec![line]);
    sheet
}

/// Layers from the bottom up; endpoints below theirs, or above the topmost.
pub fn layered(network: &Network, layered: &Layered) -> Sheet {
    let top = layered.layers().len() as u32 - 1;
    let gaps = |layer: u32, place: u32| {
        let block = layered.layers()[layer as usize].block;
        GAP * place.checked_div(block).unwrap_or(0) as f32
    };
    let width = |layer: u32| {
        let width = layered.width(layer).max(1);
        width as f32 + gaps(layer, width - 1)
    };
    let mut sheet = empty((0..=top).map(width).fold(1.0, f32::max));
    for switch in network.switches() {
        let (layer, place) = (layered.layer(switch), layered.place(switch));
        let x = (place as f32 + 0.5 + gaps(layer, place)) / width(layer);
        let y = (top - layer) as f32;
        // Between rows there is little room.
        let foot = match layer {
            0 => FOOT,
            layer if layer == top => -FOOT,
            _ => FOOT / 2.0,
        };
        sheet.add([x, y], [x, y + foot], [SPREAD / width(layer), 0.0]);
    }
    write_names(&mut sheet, layered);
    sheet
}

/// Writes the names of layers at the margin.
fn write_names(sheet: &mut Sheet, layered: &Layered) {
    for (layer, y) in layered.layers().iter().rev().zip(0_u8..) {
        sheet.write(layer.name, Anchor::Row(f32::from(y)));
    }
}

/// The two halves side by side, each with its columns.
pub fn mms(network: &Network, mms: &Mms) -> Sheet {
    let order = mms.order as f32;
    let mut sheet = empty(1.0);
    for switch in network.switches() {
        let [half, column, row] = mms.place(switch).map(|number| number as f32);
        let x = column + half * order * (1.0 + HALVES);
        sheet.add([x, row], [x, row + 0.3], [0.5, 0.0]);
    }
    for (half, text) in [(0.0, "(0, x, y)"), (1.0, "(1, m, c)")] {
        let x = (order - 1.0) / 2.0 + half * order * (1.0 + HALVES);
        sheet.write(text, Anchor::Outside { at: [x, 0.0], from: [x, 1.0] });
    }
    let longest = order.max(2.0) - 1.0;
    sheet.bend = Bend::Aside(vec![Line { step: [0.0, 1.0], aside: [-0.9, 0.0], longest }]);
    sheet
}

/// Subnets side by side, each with its layers, and what joins them above all.
pub fn subnets(network: &Network, subnets: &Subnets) -> Sheet {
    let layered = &subnets.layers;
    let layers = layered.layers().len();
    let (top, count) = (layers as u32 - 1, subnets.count);
    // The switches of each subnet and layer; routers belong to all subnets.
    let mut widths = vec![0_u32; layers * (count as usize + 1)];
    let row = |switch: SwitchId| {
        let subnet = subnets.subnet(switch).unwrap_or(count) as usize;
        subnet * layers + layered.layer(switch) as usize
    };
    let mut places = Vec::new();
    for switch in network.switches() {
        let width = &mut widths[row(switch)];
        places.push(*width);
        *width += 1;
    }
    let mut sheet = empty(2.0 * count as f32);
    for (switch, place) in network.switches().zip(places) {
        let width = widths[row(switch)];
        let room = (1.0 - SUBNETS) / count as f32;
        let x = match subnets.subnet(switch) {
            Some(subnet) => slot(subnet, count) + (slot(place, width) - 0.5) * room,
            None => slot(place, width),
        };
        let y = (top - layered.layer(switch)) as f32;
        let foot = if layered.layer(switch) == 0 { FOOT } else { FOOT / 2.0 };
        sheet.add([x, y], [x, y + foot], [room * SPREAD / width as f32, 0.0]);
    }
    for subnet in 0..count {
        let x = slot(subnet, count);
        let anchor = Anchor::Outside { at: [x, top as f32 + FOOT], from: [x, 0.0] };
        sheet.write(&format!("subnet {subnet}"), anchor);
    }
    write_names(&mut sheet, layered);
    sheet
}
