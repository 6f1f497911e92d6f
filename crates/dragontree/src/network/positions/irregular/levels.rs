//! Rows by the distance from the endpoints, each switch above those it is joined to.

use super::super::rows::{FOOT, SPREAD, empty};
use super::super::{Anchor, Point, Sheet, slot};
use crate::network::Network;
use crate::network::graph::Graph;

/// The most rows that are levels.
const MOST: usize = 6;
/// At most so many of the links may stay within a row: one of this number.
const WITHIN: usize = 8;
/// A switch is an edge switch if it has this share of the most endpoints that a switch has: one of
/// this number. Those above the edge may have a few, too.
const EDGE: u32 = 4;

/// The switches by levels, from the edge up; none where links do not join one level to the next.
pub fn levels(network: &Network, graph: &Graph) -> Option<Vec<Vec<u32>>> {
    let rows = rows(network, graph);
    let mut height = vec![0; graph.count()];
    for (own, row) in rows.iter().enumerate() {
        row.iter().for_each(|switch| height[*switch as usize] = own);
    }
    let is_within = |[one, other]: &[u32; 2]| height[*one as usize] == height[*other as usize];
    let within = graph.edges().filter(is_within).count();
    let few = within * WITHIN <= graph.edges().count();
    ((2..=MOST).contains(&rows.len()) && few).then_some(rows)
}

pub fn place(graph: &Graph, rows: &[Vec<u32>]) -> Sheet {
    let widest = rows.iter().map(Vec::len).max().unwrap_or(1);
    let mut sheet = empty(widest as f32);
    sheet.switches = vec![[0.0; 2]; graph.count()];
    sheet.rows = vec![[[0.0; 2]; 2]; graph.count()];
    for (height, row) in rows.iter().enumerate() {
        let y = (rows.len() - 1 - height) as f32;
        let name = if height == 0 { "edge".to_owned() } else { format!("{height} further") };
        sheet.write(&name, Anchor::Row(y));
        // By the middle of the neighbors below, about as finely as there are places.
        let count = row.len() as u32;
        let mut order = vec![Vec::new(); row.len() + 1];
        for switch in row {
            let x = if height == 0 { 0.0 } else { above(graph, *switch, &sheet.switches) };
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

/// The switches of the edge, those next to them, and so on; what cannot be reached comes last.
fn rows(network: &Network, graph: &Graph) -> Vec<Vec<u32>> {
    let mut endpoints = vec![0_u32; graph.count()];
    for switch in network.endpoints().filter_map(|endpoint| network.switch_of(endpoint)) {
        endpoints[switch.index()] += 1;
    }
    let most = endpoints.iter().copied().max().unwrap_or(0);
    let mut reached: Vec<bool> =
        endpoints.iter().map(|own| *own > 0 && own * EDGE >= most).collect();
    let all = || 0..graph.count() as u32;
    let mut rows = Vec::new();
    let mut row: Vec<u32> = all().filter(|switch| reached[*switch as usize]).collect();
    while !row.is_empty() {
        let mut next = Vec::new();
        for other in row.iter().flat_map(|switch| graph.neighbors(*switch)) {
            if !std::mem::replace(&mut reached[*other as usize], true) {
                next.push(*other);
            }
        }
        next.sort_unstable();
        rows.push(std::mem::replace(&mut row, next));
    }
    let lost: Vec<u32> = all().filter(|switch| !reached[*switch as usize]).collect();
    rows.extend((!lost.is_empty()).then_some(lost));
    rows
}

/// The middle of the neighbors that are placed already, which are those in the row below.
fn above(graph: &Graph, switch: u32, places: &[Point]) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    for [x, _] in graph.neighbors(switch).iter().map(|other| places[*other as usize]) {
        if x > 0.0 {
            sum += x;
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 1.0 }
}
