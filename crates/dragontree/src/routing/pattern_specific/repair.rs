//! Moves messages between colors where an arc has more of one color than its links may carry.
//!
//! Messages of two colors are paired with those of the other at random, and along the chains of
//! these pairs (Kempe chains) the colors are exchanged, as in simulated annealing: what makes the
//! excess less is kept, what makes it more only sometimes.

use super::instance::TIERS;
use super::pairing::{Pairing, Scope};
use super::part::{NONE, Part};
use crate::random::Stream;

/// The highest and the lowest temperature, in messages too many, and after how many rounds it begins
/// anew.
const HOTTEST: f64 = 0.6;
const COLDEST: f64 = 0.12;
const ROUNDS: u32 = 40;

/// How much a message too many counts for each tier.
pub(super) type Weights = [u32; TIERS];

/// Weighted messages too many among those of one color on an arc.
pub(super) fn excess(caps: &[u32; TIERS], count: u32, weights: &Weights) -> u32 {
    let over = |(cap, weight): (&u32, &u32)| weight * count.saturating_sub(*cap);
    caps.iter().zip(weights).map(over).sum()
}

/// Repairs colorings.
#[derive(Default)]
pub(super) struct Repair {
    /// For each set and color how many messages on the set's arc have it.
    counts: Vec<u32>,
    /// Sets and colors with too many, and where each is in that list.
    violated: Vec<u32>,
    places: Vec<u32>,
    excess: i64,
    orders: [Vec<u32>; 2],
    best: Vec<u16>,
    nets: Vec<i32>,
    touched: Vec<u32>,
    /// What a chain would move.
    moves: Vec<(u32, i32)>,
    /// Messages looked at so far.
    pub visits: u64,
}

impl Repair {
    /// Repairs a coloring in at most so many rounds, between all colors or only these two; tells
    /// what excess is left.
    pub fn repair(
        &mut self,
        part: &mut Part,
        pairing: &mut Pairing,
        only: Option<[u16; 2]>,
        weights: &Weights,
        rounds: u32,
        stream: &mut Stream,
    ) -> u64 {
        self.count(part, weights);
        let mut least = self.excess;
        if least == 0 || part.width == 1 || part.is_top() {
            return least as u64;
        }
        self.best.clone_from(&part.colors);
        for round in 0..rounds {
            let Some([many, few]) = self.pick(part, only, stream) else { break };
            self.gather(part, [many, few]);
            let scope = [Scope::All, Scope::Crossing, Scope::Lowest][stream.below(3) as usize];
            for side in 0..2 {
                pairing.pair_opposite(part, &self.orders[side], side, many, scope, stream);
            }
            pairing.connect(&self.orders[0]);
            let share = f64::from(round % ROUNDS) / f64::from(ROUNDS - 1);
            // Where there are many chains, a few that are worse would be taken among them all along.
            let chains = pairing.chain_count() as f64;
            let hottest = HOTTEST.min(0.8 / libm::log(2.0 + chains));
            let heat = hottest * (1.0 - share) + COLDEST * share;
            for chain in 0..pairing.chain_count() {
                self.consider(part, pairing.chain(chain), [many, few], weights, heat, stream);
            }
            if self.excess < least {
                least = self.excess;
                self.best.clone_from(&part.colors);
            }
            if least == 0 {
                break;
            }
        }
        if self.excess > least {
            part.colors.clone_from(&self.best);
        }
        least as u64
    }

    fn count(&mut self, part: &Part, weights: &Weights) {
        let width = part.width;
        self.counts.clear();
        self.counts.resize(part.arcs.len() * width, 0);
        self.visits += part.count() as u64;
        for message in 0..part.count() {
            let color = usize::from(part.colors[message]);
            for side in 0..2 {
                for set in part.arcs_taken(message, side) {
                    self.counts[*set as usize * width + color] += 1;
                }
            }
        }
        self.violated.clear();
        self.excess = 0;
        for (caps, (first, counts)) in
            part.caps.iter().zip((0..).step_by(width).zip(self.counts.chunks(width)))
        {
            for (place, count) in (first..).zip(counts) {
                let excess = excess(caps, *count, weights);
                if excess > 0 {
                    self.excess += i64::from(excess);
                    self.violated.push(place);
                }
            }
        }
        if self.excess > 0 {
            self.places.clear();
            self.places.resize(self.counts.len(), NONE);
            for (at, place) in (0..).zip(&self.violated) {
                self.places[*place as usize] = at;
            }
            self.nets.clear();
            self.nets.resize(part.arcs.len(), 0);
        }
    }

    /// A color that some arc has too many of, and another, rather one that it has few of.
    fn pick(&self, part: &Part, only: Option<[u16; 2]>, stream: &mut Stream) -> Option<[u16; 2]> {
        if self.violated.is_empty() {
            return None;
        }
        if only.is_some() {
            return only;
        }
        let place = self.violated[stream.below(self.violated.len() as u32) as usize] as usize;
        let (set, many) = (place / part.width, place % part.width);
        let counts = &self.counts[set * part.width..][..part.width];
        let draws = [(); 2].map(|()| {
            let other = stream.below(part.width as u32 - 1) as usize;
            other + usize::from(other >= many)
        });
        let few = draws.into_iter().min_by_key(|color| counts[*color])?;
        Some([many as u16, few as u16])
    }

    fn gather(&mut self, part: &Part, colors: [u16; 2]) {
        let of_both = |message: &u32| colors.contains(&part.colors[*message as usize]);
        self.orders[0].clear();
        self.orders[0].extend((0..part.count() as u32).filter(of_both));
        self.orders[1].clear();
        self.orders[1].extend(part.by_destination.iter().copied().filter(of_both));
        self.visits += (part.count() / 2 + 3 * self.orders[0].len()) as u64;
    }

    /// Exchanges the colors along a chain, or not.
    fn consider(
        &mut self,
        part: &mut Part,
        chain: &[(u32, bool)],
        colors: [u16; 2],
        weights: &Weights,
        heat: f64,
        stream: &mut Stream,
    ) {
        self.tally(part, chain, colors[0]);
        let mut change = 0;
        for (set, net) in &self.moves {
            for (color, net) in colors.iter().zip([*net, -*net]) {
                let count = self.counts[*set as usize * part.width + usize::from(*color)];
                let after = count.saturating_add_signed(net);
                let caps = &part.caps[*set as usize];
                change += i64::from(excess(caps, after, weights));
                change -= i64::from(excess(caps, count, weights));
            }
        }
        let is_taken = change <= 0 || {
            let chance = libm::exp(-(change as f64) / heat);
            (stream.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64) < chance
        };
        if is_taken {
            self.excess += change;
            self.exchange(part, chain, colors, weights);
        }
    }

    /// For each arc how many more of its messages have the first color once a chain is exchanged.
    fn tally(&mut self, part: &Part, chain: &[(u32, bool)], color: u16) {
        for (message, _) in chain {
            let message = *message as usize;
            let net = if part.colors[message] == color { -1 } else { 1 };
            for side in 0..2 {
                for set in part.arcs_taken(message, side) {
                    let nets = &mut self.nets[*set as usize];
                    if *nets == 0 {
                        self.touched.push(*set);
                    }
                    *nets += net;
                }
            }
        }
        self.moves.clear();
        for set in self.touched.drain(..) {
            // A set whose sum was 0 on the way is met again.
            let net = std::mem::take(&mut self.nets[set as usize]);
            if net != 0 {
                self.moves.push((set, net));
            }
        }
    }

    fn exchange(
        &mut self,
        part: &mut Part,
        chain: &[(u32, bool)],
        colors: [u16; 2],
        weights: &Weights,
    ) {
        for (message, _) in chain {
            let color = &mut part.colors[*message as usize];
            *color = if *color == colors[0] { colors[1] } else { colors[0] };
        }
        for (set, net) in &self.moves {
            for (color, net) in colors.iter().zip([*net, -*net]) {
                let place = *set as usize * part.width + usize::from(*color);
                let count = self.counts[place].saturating_add_signed(net);
                self.counts[place] = count;
                let at = self.places[place];
                match (excess(&part.caps[*set as usize], count, weights) > 0, at) {
                    (true, NONE) => {
                        self.places[place] = self.violated.len() as u32;
                        self.violated.push(place as u32);
                    }
                    (false, at) if at != NONE => {
                        self.violated.swap_remove(at as usize);
                        if let Some(moved) = self.violated.get(at as usize) {
                            self.places[*moved as usize] = at;
                        }
                        self.places[place] = NONE;
                    }
                    _ => {}
                }
            }
        }
    }
}
