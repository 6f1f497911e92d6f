//! Dragonflies: a ring of groups, each a small ring of its switches.

use super::{Anchor, Bend, Caption, Sheet, direction, hang, slot};
use crate::network::{Groups, Network};

/// The radius of a group as a share of the distance to the next.
const GROUP: f32 = 0.29;
/// How far endpoints are from the center of their group, in radii of the group.
const ENDPOINTS: f32 = 1.6;
/// How much of the space between switches the endpoints of one take.
const ROW: f32 = 0.8;

pub fn place(network: &Network, groups: &Groups) -> Sheet {
    let (count, per_group) = (groups.group_count, groups.switches_per_group as usize);
    let turn = |group: u32| group as f32 / count as f32;
    let spacing = 2.0 * libm::sinf(std::f32::consts::PI / count.max(2) as f32);
    // A single switch is its group.
    let radius = if per_group == 1 { 0.0 } else { GROUP * spacing.min(1.0) };
    let reach = if per_group == 1 { GROUP * spacing.min(1.0) } else { radius * ENDPOINTS };
    let at = |group: u32, place: f32, radius: f32| {
        let center = direction(turn(group));
        // The first and the last switch of a group meet on its far side.
        let out = direction(turn(group) + place);
        [center[0] + out[0] * radius, center[1] + out[1] * radius]
    };
    let place = |switch: crate::network::SwitchId| slot(groups.place(switch) as usize, per_group);
    let switches =
        network.switches().map(|switch| at(groups.group(switch), place(switch), radius)).collect();
    let endpoints = hang(network, |switch, aside| {
        at(groups.group(switch), place(switch) + aside * ROW / per_group as f32, reach)
    });
    let captions = (0..count)
        .map(|group| Caption {
            text: if group == 0 { "group 0".to_owned() } else { group.to_string() },
            anchor: Anchor::Outside { at: at(group, 0.0, reach), from: [0.0, 0.0] },
        })
        .collect();
    let bend = Bend::Inward { center: [0.0, 0.0], beyond: 2.05 * radius };
    Sheet { switches, endpoints, stretches: false, captions, bend }
}
