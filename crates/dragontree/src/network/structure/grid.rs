//! Grids: HyperX, torus, mesh.

use crate::network::SwitchId;

/// How the switches of a grid's line are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Each to every other (HyperX).
    Full,
    /// Each to the next, the last to the first (torus).
    Ring,
    /// Each to the next (mesh).
    Open,
}

/// Switches at the points of a grid; a line is what differs in one coordinate only. The switch at
/// `(x_1, x_2, …)` has the id `x_1 + X_1·(x_2 + X_2·(…))`, and endpoint `switch·p + n` hangs on
/// its port `n`.
///
/// The ports of the first dimension follow those of the endpoints, then those of the second, ….
/// In a full line they lead to the others in order; in a ring and an open line the first leads
/// on (to `x + 1`), the second back, and those at the ends of an open line have no cable. Two
/// switches in a line have one link and one port each, whatever the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Switches along each coordinate.
    pub widths: Vec<u32>,
    /// How lines are joined.
    pub lines: Lines,
    /// Endpoints per switch.
    pub endpoints_per_switch: u32,
}

impl Grid {
    /// The ports that each switch has in a dimension (from 0).
    pub fn ports_in(&self, dimension: usize) -> u32 {
        match (self.lines, self.widths[dimension]) {
            (Lines::Full, width) => width - 1,
            (Lines::Ring | Lines::Open, width) => (width - 1).min(2),
        }
    }

    /// The number of a switch's first port in a dimension (from 0).
    pub fn first_port(&self, dimension: usize) -> u32 {
        self.endpoints_per_switch + (0..dimension).map(|lower| self.ports_in(lower)).sum::<u32>()
    }

    /// The number of the port that leads from one place of a line in a dimension (from 0) to
    /// another; none when these two are not joined.
    pub fn port_number(&self, dimension: usize, from: u32, to: u32) -> Option<u32> {
        let width = self.widths[dimension];
        let (on, back) = ((from + 1) % width, (from + width - 1) % width);
        let joined = match self.lines {
            Lines::Full => from != to,
            Lines::Ring => from != to && (to == on || to == back),
            Lines::Open => from.abs_diff(to) == 1,
        };
        let place = match self.lines {
            Lines::Full => to - u32::from(to > from),
            Lines::Ring | Lines::Open => u32::from(width > 2 && to != on),
        };
        joined.then(|| self.first_port(dimension) + place)
    }

    /// The coordinates of a switch.
    pub fn coordinates(&self, switch: SwitchId) -> Vec<u32> {
        let mut rest = switch.0;
        let digit = |width: &u32| {
            let digit = rest % width;
            rest /= width;
            digit
        };
        self.widths.iter().map(digit).collect()
    }

    /// The switch at these coordinates, each within its width.
    pub fn switch(&self, coordinates: &[u32]) -> SwitchId {
        let places = self.widths.iter().zip(coordinates).rev();
        SwitchId(places.fold(0, |id, (width, place)| id * width + place))
    }

    pub(super) fn switch_name(&self, switch: SwitchId) -> String {
        let coordinates: Vec<String> =
            self.coordinates(switch).iter().map(u32::to_string).collect();
        format!("switch ({})", coordinates.join(", "))
    }
}
