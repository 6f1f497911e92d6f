//! As many colors as the layer has, every set with each of them equally often, up to one.
//!
//! Even numbers of colors come from splits of splits: rounding up or down twice is rounding once.
//! For an odd prime, colors are dealt in turn to the messages in the order of their sources, which is
//! even for every set of sources; then two colors at a time are split anew while any set has two that
//! differ by more than one. Each time the sum of the squares over all sets and colors falls, so that
//! ends.

use std::ops::Range;

use super::part::Part;
use super::split::Split;
use crate::random::Stream;

/// Colors parts.
#[derive(Default)]
pub(super) struct Coloring {
    pub split: Split,
    /// Messages in the order of their sources and of their destinations, those of a color together.
    orders: [Vec<u32>; 2],
    spare: Vec<u32>,
    /// For each message its share of the group that is being divided.
    shares: Vec<u16>,
    /// Two shares that are split anew, in both orders.
    both: [Vec<u32>; 2],
    counts: Vec<u32>,
}

/// Messages that are still together: where in the orders, for how many colors, from which on.
#[derive(Clone, Copy)]
struct Group {
    begin: usize,
    end: usize,
    width: usize,
    first: usize,
}

impl Coloring {
    /// Gives every message of a part a color; deterministic without a stream.
    pub fn color(&mut self, part: &mut Part, stream: Option<&mut Stream>) {
        if part.width == 1 {
            part.colors.fill(0);
            return;
        }
        self.split.prepare(part);
        self.orders[0].clear();
        self.orders[0].extend(0..part.count() as u32);
        self.orders[1].clone_from(&part.by_destination);
        self.shares.clear();
        self.shares.resize(part.count(), 0);
        let group = Group { begin: 0, end: part.count(), width: part.width, first: 0 };
        self.divide(part, group, stream);
    }

    /// Gives the messages of two colors one of the two anew.
    pub fn recolor(&mut self, part: &mut Part, colors: [u16; 2], stream: Option<&mut Stream>) {
        self.split.prepare(part);
        let of_both = |message: &u32| colors.contains(&part.colors[*message as usize]);
        let mut both = std::mem::take(&mut self.both);
        both[0].clear();
        both[0].extend((0..part.count() as u32).filter(of_both));
        both[1].clear();
        both[1].extend(part.by_destination.iter().copied().filter(of_both));
        let mut chosen = std::mem::take(&mut part.colors);
        self.split.split(part, [&both[0], &both[1]], stream, |message, is_second| {
            chosen[message as usize] = colors[usize::from(is_second)];
        });
        part.colors = chosen;
        self.both = both;
    }

    fn divide(&mut self, part: &mut Part, group: Group, mut stream: Option<&mut Stream>) {
        let Group { begin, end, width, first } = group;
        if width == 1 || begin == end {
            for message in &self.orders[0][begin..end] {
                part.colors[*message as usize] = first as u16;
            }
            return;
        }
        let ways = smallest_factor(width);
        if ways == 2 {
            let [ups, downs] = &self.orders;
            let (orders, shares) = ([&ups[begin..end], &downs[begin..end]], &mut self.shares);
            self.split.split(part, orders, stream.as_deref_mut(), |message, is_second| {
                shares[message as usize] = u16::from(is_second);
            });
        } else {
            self.deal(part, group, ways, stream.as_deref_mut());
        }
        let mut begin = begin;
        let each = width / ways;
        for share in 0..ways {
            // What comes later is moved back, and divided when its turn comes.
            let count = self.gather(begin, end, share as u16);
            let first = first + share * each;
            let own = Group { begin, end: begin + count, width: each, first };
            // Dividing a share sets the shares of its own messages only.
            self.divide(part, own, stream.as_deref_mut());
            begin += count;
        }
    }

    /// Moves the messages of a share to the front; tells how many they are.
    fn gather(&mut self, begin: usize, end: usize, share: u16) -> usize {
        let mut count = 0;
        for order in &mut self.orders {
            self.spare.clear();
            let mut kept = begin;
            for place in begin..end {
                let message = order[place];
                if self.shares[message as usize] == share {
                    order[kept] = message;
                    kept += 1;
                } else {
                    self.spare.push(message);
                }
            }
            order[kept..end].copy_from_slice(&self.spare);
            count = kept - begin;
        }
        count
    }

    /// Divides in an odd prime number of shares.
    fn deal(&mut self, part: &Part, group: Group, ways: usize, mut stream: Option<&mut Stream>) {
        let range = group.begin..group.end;
        for (place, message) in self.orders[0][range.clone()].iter().enumerate() {
            self.shares[*message as usize] = (place % ways) as u16;
        }
        if range.len() <= ways {
            return;
        }
        while let Some(uneven) = self.uneven(part, range.clone(), ways) {
            for (both, order) in self.both.iter_mut().zip(&self.orders) {
                let own = order[range.clone()].iter().copied();
                both.clear();
                both.extend(own.filter(|each| uneven.contains(&self.shares[*each as usize])));
            }
            let (orders, shares) = ([&self.both[0][..], &self.both[1][..]], &mut self.shares);
            self.split.split(part, orders, stream.as_deref_mut(), |message, is_second| {
                shares[message as usize] = uneven[usize::from(is_second)];
            });
        }
    }

    /// The two shares that differ most in any set; none where all are even.
    fn uneven(&mut self, part: &Part, group: Range<usize>, ways: usize) -> Option<[u16; 2]> {
        self.counts.clear();
        self.counts.resize(part.arcs.len() * ways, 0);
        for message in &self.orders[0][group] {
            let share = usize::from(self.shares[*message as usize]);
            for side in 0..2 {
                for set in part.sets(*message as usize, side) {
                    self.counts[*set as usize * ways + share] += 1;
                }
            }
        }
        let (mut most, mut found) = (1, None);
        for counts in self.counts.chunks(ways) {
            let extreme = |highest: bool| {
                let places = (0..ways).map(|share| (counts[share], share as u16));
                if highest { places.max() } else { places.min() }
            };
            let (Some((low, few)), Some((high, many))) = (extreme(false), extreme(true)) else {
                continue;
            };
            if high - low > most {
                most = high - low;
                found = Some([few, many]);
            }
        }
        found
    }
}

/// The smallest prime factor of a number above 1.
fn smallest_factor(number: usize) -> usize {
    let divides = |factor: &usize| number.is_multiple_of(*factor);
    (2..=number).take_while(|factor| factor * factor <= number).find(divides).unwrap_or(number)
}
