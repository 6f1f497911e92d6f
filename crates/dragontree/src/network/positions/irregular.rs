//! Networks without a known structure: rows by the distance from the endpoints, each switch above
//! those it is joined to; a ring where every switch has endpoints.

use super::bend::Line;
use super::{Bend, Caption, Point, Sheet, endpoints_by_switch, grid, hang, slot};
use crate::network::{Network, Node, PortId, SwitchId};

/// The height between endpoints and their switches, where that between rows is 1.
const FOOT: f32 = 0.5;

pub fn place(network: &Network) -> Sheet {
    let rows = rows(network);
    if rows.len() < 2 {
        return grid::ring(network);
    }
    let top = rows.len() - 1;
    let mut switches: Vec<Point> = vec![[0.0, 0.0]; network.switch_count() as usize];
    for (height, row) in rows.iter().enumerate() {
        let mut order: Vec<(f32, u32)> = row
            .iter()
            .map(|switch| {
                (if height == 0 { 0.0 } else { above(network, *switch, &switches) }, *switch)
            })
            .collect();
        order.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for (place, (_, switch)) in order.iter().enumerate() {
            switches[*switch as usize] = [slot(place, row.len()), (top - height) as f32];
        }
    }
    let leaves = rows[0].len() as f32;
    let endpoints = hang(network, |switch, aside| {
        let [x, y] = switches[switch.index()];
        [x + aside * 0.8 / leaves, y + FOOT]
    });
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1) as f32;
    let line =
        Line { step: [1.0 / widest, 0.0], aside: [0.0, -0.4], longest: widest.max(2.0) - 1.0 };
    let captions = (0..rows.len()).map(|height| {
        let text = if height == 0 { "edge".to_owned() } else { format!("{height} further") };
        Caption::row(text, (top - height) as f32)
    });
    Sheet {
        captions: captions.collect(),
        switches,
        endpoints,
        stretches: true,
        bend: Bend::Aside(vec![line]),
    }
}

/// The switches with endpoints, those next to them, and so on; what cannot be reached comes last.
pub fn rows(network: &Network) -> Vec<Vec<u32>> {
    let hanging = endpoints_by_switch(network);
    let mut row: Vec<u32> =
        (0..).zip(&hanging).filter(|(_, own)| !own.is_empty()).map(|(switch, _)| switch).collect();
    if row.is_empty() {
        row.extend(network.switches().map(|switch| switch.0).take(1));
    }
    let mut seen = vec![false; network.switch_count() as usize];
    row.iter().for_each(|switch| seen[*switch as usize] = true);
    let mut rows = Vec::new();
    while !row.is_empty() {
        let mut next = Vec::new();
        for switch in &row {
            for other in neighbors(network, *switch) {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    next.push(other);
                }
            }
        }
        next.sort_unstable();
        rows.push(std::mem::replace(&mut row, next));
    }
    let lost: Vec<u32> = (0..network.switch_count()).filter(|it| !seen[*it as usize]).collect();
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
    for other in neighbors(network, switch) {
        let [x, _] = places[other as usize];
        if x > 0.0 {
            sum += x;
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 1.0 }
}
