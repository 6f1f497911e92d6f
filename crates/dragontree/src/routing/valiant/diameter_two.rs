//! Valiant routing where switches are at most two hops apart: over another switch with endpoints,
//! any of them with equal probability (Prisacari 2020, §7.3.2).
//!
//! Where minimal routes use the number of the hop as virtual channel, so do these, with four; where
//! those need but one, the two halves of the way have one each (§7.3.4).

use super::super::minimal::DiameterTwo;
use super::super::{Halves, Header, Hop, Pair, Route, Unroutable, Waypoints};
use crate::network::{PortId, SwitchId};
use crate::random::Stream;

/// The waypoints are all channels between switches: the first half's, then the second's; of a half
/// with one channel the second is missing.
pub(super) struct ByCarriers {
    minimal: DiameterTwo,
    /// The switches with endpoints, in order.
    carriers: Vec<SwitchId>,
    /// The most minimal ways from the first of them to another.
    most: u64,
}

impl ByCarriers {
    pub(super) fn new(minimal: DiameterTwo) -> ByCarriers {
        let carriers: Vec<SwitchId> = minimal.carriers().collect();
        let ways = |to: &SwitchId| {
            let mut ways = 0;
            minimal.each([carriers[0], *to], &mut |_, _| ways += 1);
            ways
        };
        let most = carriers.iter().map(ways).max().unwrap_or(1);
        ByCarriers { carriers, most, minimal }
    }

    pub(super) fn virtual_channels(&self) -> u8 {
        2 * self.minimal.virtual_channels()
    }

    /// About how many ways a pair has.
    pub(super) fn per_pair(&self) -> u64 {
        self.carriers.len() as u64 * self.most * self.most
    }

    /// Draws a minimal way.
    pub(super) fn draw_minimal(&self, pair: Pair, stream: &mut Stream) -> Waypoints {
        let way = self.minimal.ends(pair).map(|ends| self.minimal.draw(ends, stream));
        way.map_or(Waypoints::default(), in_one_piece)
    }

    pub(super) fn draw(&self, pair: Pair, stream: &mut Stream) -> Waypoints {
        let Some(ends @ [from, to]) = self.minimal.ends(pair) else { return Waypoints::default() };
        let count = self.carriers.len() as u32;
        let places = ends.map(|end| self.place(end));
        if from == to {
            return Waypoints::default();
        }
        if count <= 2 {
            return in_one_piece(self.minimal.draw(ends, stream));
        }
        let mut place = stream.below(count - 2);
        place += u32::from(place >= places[0].min(places[1]));
        place += u32::from(place >= places[0].max(places[1]));
        let middle = self.carriers[place as usize];
        let first = self.minimal.draw([from, middle], stream);
        join(first, self.minimal.draw([middle, to], stream))
    }

    /// Shows every minimal way with its probability.
    pub(super) fn each_minimal(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        match self.minimal.ends(pair) {
            Some(ends) => self.minimal.each(ends, &mut |way, share| show(in_one_piece(way), share)),
            None => show(Waypoints::default(), 1.0),
        }
    }

    pub(super) fn each(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        let Some([from, to]) = self.minimal.ends(pair) else {
            return show(Waypoints::default(), 1.0);
        };
        if from == to || self.carriers.len() <= 2 {
            return self.each_minimal(pair, show);
        }
        let ends = [from, to];
        let chance = 1.0 / (self.carriers.len() - 2) as f64;
        for middle in self.carriers.iter().copied().filter(|middle| !ends.contains(middle)) {
            self.minimal.each([from, middle], &mut |first, half| {
                self.minimal.each([middle, to], &mut |second, other| {
                    show(join(first, second), chance * half * other);
                });
            });
        }
    }

    pub(super) fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let lost = Unroutable { at, destination };
        let (target, ejection) = self.minimal.home(destination).ok_or(lost)?;
        let channels = &header.waypoints.0;
        let rest = channels.iter().enumerate().skip(usize::from(header.stage));
        let Some((place, port)) = rest.filter_map(|(at, port)| Some((at, (*port)?))).next() else {
            return if at == target { Ok(Hop { port: ejection, vc: 0 }) } else { Err(lost) };
        };
        if !self.minimal.is_at(port, at) {
            return Err(lost);
        }
        header.stage = place as u8 + 1;
        let vc = match self.minimal.virtual_channels() {
            1 => place / 2,
            _ => channels[..place].iter().flatten().count(),
        };
        Ok(Hop { port, vc: vc as u8 })
    }
}

impl Halves for ByCarriers {
    fn place(&self, switch: SwitchId) -> u32 {
        self.carriers.partition_point(|carrier| *carrier < switch) as u32
    }

    fn places(&self) -> u32 {
        self.carriers.len() as u32
    }

    fn middles(&self, _from: SwitchId, place: u32, show: &mut dyn FnMut(SwitchId, f64)) {
        show(self.carriers[place as usize], 1.0);
    }

    fn first(&self, from: SwitchId, middle: SwitchId, show: &mut dyn FnMut(&[PortId], f64)) {
        self.minimal.each([from, middle], &mut |Waypoints(channels), share| {
            let [one, two, ..] = channels;
            match (one, two) {
                (Some(one), Some(two)) => show(&[one, two], share),
                (Some(one), None) => show(&[one], share),
                _ => {}
            }
        });
    }

    fn second(&self, middle: SwitchId, to: SwitchId, show: &mut dyn FnMut(&[PortId], f64)) {
        self.first(middle, to, show);
    }
}

/// A minimal way as a first half without a second.
fn in_one_piece(way: Waypoints) -> Waypoints {
    join(way, Waypoints::default())
}

/// Two halves of a way, each of at most two channels.
fn join(
    Waypoints([one, two, ..]): Waypoints,
    Waypoints([three, four, ..]): Waypoints,
) -> Waypoints {
    Waypoints([one, two, three, four])
}
