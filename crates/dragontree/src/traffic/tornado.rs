//! Tornado: nearly half way around (Dally & Towles 2004, §3.2).

use super::partners::{between, groups_on};
use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Grid, Needs, Structure, SwitchId};
use crate::placement::Unfit;

/// All ranks of a switch send to those of another, place by place:
/// - on a grid each coordinate x of k places becomes `x + ⌈k/2⌉ - 1 mod k` (Dally & Towles 2004,
///   Table 3.1), so that on a torus with minimal routing all packets of a ring go the same way around;
/// - on a dragonfly the switch keeps its place in the group, and the groups take the part of the ring:
///   all ranks of a group share the links to one other group.
///
/// Ranks that would send to themselves are silent: those of a grid none of whose widths is above 2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tornado;

impl Settings for Tornado {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for Tornado {
    fn name(&self) -> &'static str {
        "tornado"
    }
    fn label(&self) -> &'static str {
        "Tornado"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Nearly half way around each ring of a grid, or the groups (Dally & Towles 2004, §3.2).",
        )
    }
}

impl Pattern for Tornado {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let switches = site.network.switch_count();
        let partners = match site.network.structure() {
            Structure::Grid(grid) => {
                (0..switches).map(|switch| Some(across(grid, switch))).collect()
            }
            Structure::Groups(groups) => {
                groups_on(switches, groups.switches_per_group, on(groups.group_count))
            }
            other => {
                let structure = "a grid or groups";
                return Err(Needs { part: self.name(), structure, found: other.name() }.into());
            }
        };
        Ok(between(site, &partners))
    }
}

/// How far on a packet goes among so many.
fn on(width: u32) -> u32 {
    width.div_ceil(2).saturating_sub(1)
}

/// The switch that one of a grid sends to.
fn across(grid: &Grid, switch: u32) -> u32 {
    let places = grid.coordinates(SwitchId(switch)).into_iter().zip(&grid.widths);
    let moved: Vec<u32> = places.map(|(place, width)| (place + on(*width)) % width).collect();
    grid.switch(&moved).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Lines;

    #[test]
    fn every_coordinate_goes_nearly_half_way_around() {
        assert_eq!([1, 2, 3, 4, 5, 8, 9].map(on), [0, 0, 1, 1, 2, 3, 4]);
        let grid = Grid { widths: vec![8, 5, 2], lines: Lines::Ring, endpoints_per_switch: 1 };
        let from = grid.switch(&[6, 1, 1]).0;
        assert_eq!(grid.coordinates(SwitchId(across(&grid, from))), [1, 3, 1]);
    }
}
