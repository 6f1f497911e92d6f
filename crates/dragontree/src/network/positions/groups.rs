//! Dragonflies: a ring of groups, each a small ring of its switches.

use super::{Anchor, Bend, Sheet, along, direction, slot};
use crate::network::{Groups, Network};

/// The radius of a group as a share of the distance to the next.
const GROUP: f32 = 0.29;
/// How far endpoints are from the center of their group, in radii of the group.
const ENDPOINTS: f32 = 1.6;
/// How much of the space between switches the endpoints of one take.
const ROW: f32 = 0.8;

pub fn place(network: &Network, groups: &Groups) -> Sheet {
    let (count, per_group) = (groups.group_count, groups.switches_per_group);
    let turn = |group: u32| group as f32 / count as f32;
    let spacing = 2.0 * direction(0.5 / count.max(2) as f32)[0];
    let radius = GROUP * spacing.min(1.0);
    // A single switch is its group.
    let inner = if per_group == 1 { 0.0 } else { radius };
    let outer = radius * ENDPOINTS;
    let mut sheet = Sheet::new(false);
    sheet.bend = Bend::Inward { center: [0.0; 2], beyond: 2.05 * inner };
    for switch in network.switches() {
        let group = turn(groups.group(switch));
        // The first and the last switch of a group meet on its far side.
        let out = direction(group + slot(groups.place(switch), per_group));
        let center = direction(group);
        let width = outer * std::f32::consts::TAU * ROW / per_group.max(4) as f32;
        let row = [-out[1] * width, out[0] * width];
        sheet.add(along(center, out, inner), along(center, out, outer), row);
    }
    for group in 0..count {
        let out = direction(turn(group));
        let text = if group == 0 { "group 0".to_owned() } else { group.to_string() };
        sheet.write(&text, Anchor::Outside { at: along(out, out, outer), from: [0.0; 2] });
    }
    sheet
}
