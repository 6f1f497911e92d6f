//! An even split of messages in two.

use super::balance::Balance;
use super::pairing::Pairing;
use super::part::Part;
use crate::random::Stream;

/// Splits messages in two such that every set is split evenly, up to one: the pairs see to that,
/// and every chain of them can be colored in two ways, which is used to have arcs even, too.
#[derive(Default)]
pub(super) struct Split {
    pub pairing: Pairing,
    pub balance: Balance,
    swapped: Vec<bool>,
}

impl Split {
    /// Prepares for a part.
    pub fn prepare(&mut self, part: &Part) {
        self.pairing.clear(part);
        self.balance.prepare(part);
    }

    /// Splits some messages of the part it is prepared for, given in the order of their sources and
    /// in that of their destinations; `show` is told of each message whether it is in the second
    /// half. Deterministic without a stream.
    pub fn split(
        &mut self,
        part: &Part,
        orders: [&[u32]; 2],
        mut stream: Option<&mut Stream>,
        mut show: impl FnMut(u32, bool),
    ) {
        for (side, order) in orders.into_iter().enumerate() {
            self.pairing.pair_alike(part, order, side, stream.as_deref_mut());
        }
        self.pairing.connect(orders[0]);
        self.balance.choose(&self.pairing, &mut self.swapped);
        for (place, is_swapped) in self.swapped.iter().enumerate() {
            for (message, is_second) in self.pairing.chain(place) {
                show(*message, is_second ^ is_swapped);
            }
        }
        self.balance.visits += 2 * orders[0].len() as u64;
    }
}
