//! The one constructor of all grids: HyperX, torus and mesh.

use super::size::Member;
use super::{MOST_PORTS, attach_endpoints, finish, limit_size};
use crate::catalog::{Form, Problem, Setting};
use crate::network::{Builder, Grid, Lines, LinkClass, Links, Network, Node, Structure, SwitchId};

/// The most dimensions of a grid.
pub(super) const MOST_DIMENSIONS: usize = 4;

/// Shows the settings that all grids have.
pub(super) fn settings(
    form: &mut dyn Form,
    (widths, widths_help): (&mut Vec<u32>, &'static str),
    (endpoints, endpoints_help): (&mut u32, &'static str),
) {
    let label = "Switches per dimension";
    form.setting(Setting::numbers("widths", label, widths_help, widths, 2..=1024, MOST_DIMENSIONS));
    form.setting(Setting::number("p", "Endpoints per switch", endpoints_help, endpoints, 1..=256));
}

/// A balanced member of a family of grids.
pub(super) fn member<T>(part: T, grid: &Grid) -> Member<T> {
    Member { radix: radix(grid), endpoints: endpoints(grid), part }
}

/// The grid of these widths with so many endpoints on every switch.
pub(super) fn grid(widths: &[u32], lines: Lines, endpoints_per_switch: u32) -> Grid {
    Grid { widths: widths.to_vec(), lines, endpoints_per_switch }
}

/// Builds a grid; every width is at least 2.
///
/// # Errors
/// The grid would be too large.
pub(super) fn build(grid: Grid, links: &Links) -> Result<Network, Vec<Problem>> {
    let given = grid.widths.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    limit_size("widths", &given, port_count(&grid))?;
    let switches: u32 = grid.widths.iter().product();
    let mut builder = Builder::new(links);
    builder.switches(switches, radix(&grid));
    attach_endpoints(&mut builder, switches, grid.endpoints_per_switch);
    let mut stride = 1;
    for (dimension, width) in grid.widths.iter().enumerate() {
        let class = LinkClass::Dimension(dimension as u32 + 1);
        let joined = pairs(&grid, dimension);
        for first in (0..switches).filter(|switch| switch / stride % width == 0) {
            let switch = |place: u32| Node::Switch(SwitchId(first + place * stride));
            for [(low, port), (high, other_port)] in &joined {
                builder.link((switch(*low), *port), (switch(*high), *other_port), class);
            }
        }
        stride *= width;
    }
    finish(builder, Structure::Grid(grid))
}

/// Every two joined places of a line, each with its port number.
fn pairs(grid: &Grid, dimension: usize) -> Vec<[(u32, u32); 2]> {
    let width = grid.widths[dimension];
    let places = (0..width).flat_map(|low| (low + 1..width).map(move |high| (low, high)));
    let ports = |(low, high)| {
        let there = grid.port_number(dimension, low, high)?;
        Some([(low, there), (high, grid.port_number(dimension, high, low)?)])
    };
    places.filter_map(ports).collect()
}

/// Ports of every switch.
fn radix(grid: &Grid) -> u32 {
    grid.first_port(grid.widths.len())
}

/// Endpoints of the whole grid.
fn endpoints(grid: &Grid) -> u64 {
    grid.widths.iter().map(|width| u64::from(*width)).product::<u64>()
        * u64::from(grid.endpoints_per_switch)
}

fn port_count(grid: &Grid) -> Option<u64> {
    let product = |count: u64, width: &u32| count.checked_mul(u64::from(*width));
    let switches = grid.widths.iter().try_fold(1, product)?;
    switches.checked_mul(u64::from(radix(grid) + grid.endpoints_per_switch))
}

/// Whether a grid is small enough to be built.
pub(super) fn fits(grid: &Grid) -> bool {
    port_count(grid).is_some_and(|ports| ports <= MOST_PORTS)
}

#[cfg(test)]
mod tests;
