//! Places the labels of vertical marks: each beside the top of its own line, like a flag, in rows
//! above the plot, so that no label lies on a curve, a line, or another label.

/// A label to be placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flag {
    /// Where its line stands, in pixels.
    pub x: f64,
    /// The width of its text.
    pub width: f64,
    /// Counted upwards from the plot; nothing when there is no room.
    pub row: Option<u32>,
    /// Whether the text ends at the line instead of starting there.
    pub flipped: bool,
}

/// Between a line and its text.
pub(crate) const GAP: f64 = 4.0;

/// Between a text and the next line or text.
const AIR: f64 = 6.0;

/// Fills in `row` and `flipped`, for texts between `left` and `right` in at most `most` rows.
/// The flags must be sorted by `x`.
pub(crate) fn place(flags: &mut [Flag], left: f64, right: f64, most: u32) {
    flip(flags, left, right);
    let mut rows = vec![0_u32; flags.len()];
    for index in (0..flags.len()).rev().filter(|&index| !flags[index].flipped) {
        let end = end(&flags[index]);
        let later = index + 1..flags.len();
        let crossed = later.filter(|&other| !flags[other].flipped && flags[other].x < end);
        rows[index] = crossed.map(|other| rows[other] + 1).max().unwrap_or(0);
    }
    for index in (0..flags.len()).filter(|&index| flags[index].flipped) {
        let start = flags[index].x - GAP - flags[index].width;
        let earlier = 0..index;
        let crossed = earlier.filter(|&other| {
            let reach =
                if flags[other].flipped { flags[other].x + AIR } else { end(&flags[other]) };
            reach > start
        });
        rows[index] = crossed.map(|other| rows[other] + 1).max().unwrap_or(0);
    }
    for (flag, row) in flags.iter_mut().zip(rows) {
        flag.row = (row < most).then_some(row);
    }
}

/// Flips what would leave the right edge, and what would then run into a flipped neighbor.
fn flip(flags: &mut [Flag], left: f64, right: f64) {
    let mut barrier = right;
    for flag in flags.iter_mut().rev() {
        let fits = flag.x - GAP - flag.width >= left;
        flag.flipped = fits && flag.x + GAP + flag.width > barrier;
        if flag.flipped {
            barrier = flag.x - AIR;
        }
    }
}

fn end(flag: &Flag) -> f64 {
    flag.x + GAP + flag.width + AIR
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(flags: &[(f64, f64)]) -> Vec<(Option<u32>, bool)> {
        let flag = |&(x, width)| Flag { x, width, row: None, flipped: false };
        let mut flags: Vec<_> = flags.iter().map(flag).collect();
        place(&mut flags, 40.0, 600.0, 3);
        flags.iter().map(|flag| (flag.row, flag.flipped)).collect()
    }

    #[test]
    fn distant_flags_share_a_row() {
        let row = Some(0);
        assert_eq!(placed(&[(60.0, 30.0), (200.0, 30.0)]), [(row, false), (row, false)]);
    }

    #[test]
    fn near_flags_are_staggered_so_that_lines_pass_beside_texts() {
        let expected = [(Some(2), false), (Some(1), false), (Some(0), false)];
        assert_eq!(placed(&[(60.0, 30.0), (70.0, 30.0), (80.0, 30.0)]), expected);
    }

    #[test]
    fn flags_at_the_right_edge_point_left() {
        let expected = [(Some(0), true), (Some(1), true)];
        assert_eq!(placed(&[(585.0, 30.0), (590.0, 30.0)]), expected);
    }

    #[test]
    fn a_flag_without_a_row_is_left_out() {
        let crowd = [(60.0, 90.0), (62.0, 90.0), (64.0, 90.0), (66.0, 90.0)];
        assert_eq!(placed(&crowd)[0], (None, false));
    }
}
