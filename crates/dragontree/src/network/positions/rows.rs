//! Structures whose switches stand in rows: layers, the halves of an MMS graph, subnets.

use super::bend::Line;
use super::{Anchor, Bend, Caption, Point, Sheet, endpoints_by_switch, hang, slot};
use crate::network::{Layered, Mms, Network, Subnets, SwitchId};

/// The gap between blocks of a row, in switches.
const GAP: f32 = 1.0;
/// The height between endpoints and their switches, where that between rows is 1.
const FOOT: f32 = 0.5;
/// How much of its switch's width a row of endpoints takes.
const SPREAD: f32 = 0.8;
/// How far a link within a row steps aside at most, as a share of the space between rows.
const ASIDE: f32 = 0.4;

/// Layers from the bottom up; endpoints below theirs, or above the topmost.
pub fn layered(network: &Network, layered: &Layered) -> Sheet {
    let top = layered.layers().len().saturating_sub(1);
    let widths: Vec<f32> = (0..=top as u32).map(|layer| row_width(layered, layer)).collect();
    let at = |switch: SwitchId| {
        let (layer, place) = (layered.layer(switch), layered.place(switch));
        let x = (place as f32 + 0.5 + GAP * gaps(layered, layer, place)) / widths[layer as usize];
        [x, (top - layer as usize) as f32]
    };
    let switches: Vec<Point> = network.switches().map(at).collect();
    let endpoints = hang(network, |switch, aside| {
        let [x, y] = at(switch);
        let layer = layered.layer(switch) as usize;
        // Between rows there is little room.
        let foot = match layer {
            0 => FOOT,
            layer if layer == top => -FOOT,
            _ => FOOT / 2.0,
        };
        [x + aside * SPREAD / widths[layer], y + foot]
    });
    let captions = layered.layers().iter().enumerate();
    let captions = captions.map(|(layer, own)| Caption::row(own.name, (top - layer) as f32));
    let captions = captions.collect();
    let bend = within_rows(widths.iter().copied().fold(1.0, f32::max));
    Sheet { switches, endpoints, stretches: true, captions, bend }
}

/// The width of a layer with the gaps between its blocks, in switches.
fn row_width(layered: &Layered, layer: u32) -> f32 {
    let width = layered.width(layer).max(1);
    width as f32 + GAP * gaps(layered, layer, width - 1)
}

/// How many gaps stand before a place of a layer.
fn gaps(layered: &Layered, layer: u32, place: u32) -> f32 {
    let block = layered.layers()[layer as usize].block;
    place.checked_div(block).unwrap_or(0) as f32
}

/// Links between switches of one row step aside.
fn within_rows(width: f32) -> Bend {
    let step = [1.0 / width, 0.0];
    Bend::Aside(vec![Line { step, aside: [0.0, -ASIDE], longest: width.max(2.0) - 1.0 }])
}

/// The two halves side by side, each with its columns.
pub fn mms(network: &Network, mms: &Mms) -> Sheet {
    const BETWEEN: f32 = 0.5;
    let order = mms.order as f32;
    let at = |switch: SwitchId| {
        let [half, column, row] = mms.place(switch).map(|number| number as f32);
        [column + half * order * (1.0 + BETWEEN), row]
    };
    let endpoints = hang(network, |switch, aside| {
        let [x, y] = at(switch);
        [x + aside * 0.5, y + 0.3]
    });
    let step = [0.0, 1.0];
    let line = Line { step, aside: [-0.9, 0.0], longest: order.max(2.0) - 1.0 };
    let caption = |half: u32, text: &str| Caption {
        text: text.to_owned(),
        anchor: Anchor::Outside {
            at: [order / 2.0 - 0.5 + half as f32 * order * (1.0 + BETWEEN), 0.0],
            from: [order / 2.0 - 0.5 + half as f32 * order * (1.0 + BETWEEN), 1.0],
        },
    };
    Sheet {
        switches: network.switches().map(at).collect(),
        endpoints,
        stretches: true,
        captions: vec![caption(0, "(0, x, y)"), caption(1, "(1, m, c)")],
        bend: Bend::Aside(vec![line]),
    }
}

/// Subnets side by side, each with its layers, and what joins them above all.
pub fn subnets(network: &Network, subnets: &Subnets) -> Sheet {
    const BETWEEN: f32 = 0.12;
    let layered = &subnets.layers;
    let top = layered.layers().len().saturating_sub(1);
    let count = subnets.count.max(1) as f32;
    // The switches of each subnet and layer; routers belong to all subnets.
    let mut members = vec![vec![0_u32; top + 1]; subnets.count as usize + 1];
    let own = |switch| subnets.subnet(switch).unwrap_or(subnets.count) as usize;
    let mut places = Vec::new();
    for switch in network.switches() {
        let member = &mut members[own(switch)][layered.layer(switch) as usize];
        places.push(*member as usize);
        *member += 1;
    }
    let width = |switch| members[own(switch)][layered.layer(switch) as usize] as usize;
    let at = |switch: SwitchId| {
        let x = slot(places[switch.index()], width(switch));
        let x = match subnets.subnet(switch) {
            Some(subnet) => (subnet as f32 + BETWEEN / 2.0 + x * (1.0 - BETWEEN)) / count,
            None => x,
        };
        [x, (top - layered.layer(switch) as usize) as f32]
    };
    let hanging = endpoints_by_switch(network);
    let foot = top as f32 + FOOT;
    let endpoints = hang(network, |switch, aside| {
        let [x, y] = at(switch);
        let room = (1.0 - BETWEEN) / count / width(switch) as f32;
        [x + aside * SPREAD * room, if layered.layer(switch) == 0 { foot } else { y + FOOT / 2.0 }]
    });
    let below = if hanging.iter().any(|own| !own.is_empty()) { foot } else { top as f32 };
    let mut captions: Vec<Caption> = (0..subnets.count)
        .map(|subnet| {
            let x = (subnet as f32 + 0.5) / count;
            let anchor = Anchor::Outside { at: [x, below], from: [x, 0.0] };
            Caption { text: format!("subnet {subnet}"), anchor }
        })
        .collect();
    let rows = layered.layers().iter().enumerate();
    captions.extend(rows.map(|(layer, own)| Caption::row(own.name, (top - layer) as f32)));
    let switches = network.switches().map(at).collect();
    let bend = within_rows(count * 2.0);
    Sheet { switches, endpoints, stretches: true, captions, bend }
}
