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
