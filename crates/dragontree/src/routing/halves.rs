//! Routes that are two halves.

use crate::network::{PortId, SwitchId};

/// Routes that lead to a random place and from there on, where each half depends on its own ends
/// only: every place but those of the two ends is as likely as every other. Between switches of one
/// place they may be whole instead.
pub trait Halves {
    /// The place of a switch, of `0..places`.
    fn place(&self, switch: SwitchId) -> u32;

    /// The number of places that may be drawn.
    fn places(&self) -> u32;

    /// Whether routes between switches of one place are two halves, too.
    fn splits_within(&self) -> bool {
        true
    }

    /// Shows the switches by which packets from a switch come to a place, where their first half
    /// ends, with their probabilities.
    fn middles(&self, from: SwitchId, place: u32, show: &mut dyn FnMut(SwitchId, f64));

    /// Shows the ways from a source's switch to one in the middle, as the channels between switches,
    /// with their probabilities.
    fn first(&self, from: SwitchId, middle: SwitchId, show: &mut dyn FnMut(&[PortId], f64));

    /// Shows the ways from there to a destination's switch.
    fn second(&self, middle: SwitchId, to: SwitchId, show: &mut dyn FnMut(&[PortId], f64));
}
