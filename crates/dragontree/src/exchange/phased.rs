//! All-to-alls in phases: in each of them every rank sends to one other, by a rule.

use super::direct::Direct;
use super::{Hierarchy, Message, Moment, Site, State};
use crate::units::{Bytes, Rank};

/// Where a place sends in a phase; in each phase a permutation of the places, and in all phases
/// together every place to every place once (Prisacari 2020, §2.2).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Law {
    /// `s + p + shift`, modulo the number of places.
    Linear { shift: u32 },
    /// `s xor p`, for a power of two.
    Xor,
    /// Digit by digit in a permuted base (Prisacari 2020, Eq. 2.4): for each digit, least significant
    /// first, its base and the weight of the digit of the destination that it becomes.
    Digits(Vec<(u32, u32)>),
    /// Balanced within each layer (Prisacari 2020, §4.4.2), of these widths.
    Balanced(Vec<u32>),
    /// By classes of ways through a dragonfly (Prisacari 2020, §4.4.3).
    Direct(Direct),
}

impl Law {
    /// The permuted-variable-base exchange (Prisacari 2020, §2.3.4): `order` has for each digit of the
    /// source, least significant first, the place of its width in the hierarchy, from 0.
    pub fn digits(widths: &[u32], order: &[usize]) -> Law {
        let weight = |place: usize| widths[..place].iter().product();
        Law::Digits(order.iter().map(|place| (widths[*place], weight(*place))).collect())
    }

    /// Where every place sends, with fewer divisions than asking for each of them.
    fn row(&self, phase: u32, count: u32) -> Vec<u32> {
        let mut row = Vec::with_capacity(count as usize);
        match self {
            Law::Digits(digits) => {
                row.push(0);
                let mut phase = phase;
                for (base, weight) in digits {
                    let below = row.len();
                    for own in 1..*base {
                        let to = (own + phase % base) % base * weight;
                        row.extend_from_within(..below);
                        row[own as usize * below..].iter_mut().for_each(|place| *place += to);
                    }
                    let to = phase % base * weight;
                    row[..below].iter_mut().for_each(|place| *place += to);
                    phase /= base;
                }
            }
            Law::Direct(direct) => {
                let way = direct.way(phase);
                row.extend((0..count).map(|place| direct.follow(&way, place)));
            }
            Law::Linear { .. } => {
                let first = self.destination(0, phase, count);
                row.extend((first..count).chain(0..first));
            }
            Law::Xor => row.extend((0..count).map(|place| place ^ phase)),
            Law::Balanced(_) => {
                row.extend((0..count).map(|place| self.destination(place, phase, count)));
            }
        }
        row
    }

    /// Where a place sends; `count` is the number of places.
    fn destination(&self, place: u32, phase: u32, count: u32) -> u32 {
        match self {
            Law::Linear { shift } => {
                let sum = u64::from(place) + u64::from(phase) + u64::from(*shift);
                (sum % u64::from(count)) as u32
            }
            Law::Xor => place ^ phase,
            Law::Digits(digits) => {
                let (mut place, mut phase, mut to) = (place, phase, 0);
                for (base, weight) in digits {
                    to += (place % base + phase % base) % base * weight;
                    (place, phase) = (place / base, phase / base);
                }
                to
            }
            Law::Balanced(widths) => balanced(widths, place, phase),
            Law::Direct(direct) => direct.follow(&direct.way(phase), place),
        }
    }

    /// The place that sends to this one in a phase.
    fn source(&self, place: u32, phase: u32, count: u32) -> u32 {
        match self {
            Law::Linear { shift } => {
                let moved = (u64::from(phase) + u64::from(*shift)) % u64::from(count);
                ((u64::from(place) + u64::from(count) - moved) % u64::from(count)) as u32
            }
            Law::Xor => place ^ phase,
            Law::Digits(digits) => {
                let (mut phase, mut below, mut from) = (phase, 1, 0);
                for (base, weight) in digits {
                    let to = place / weight % base;
                    from += (to + base - phase % base) % base * below;
                    below *= base;
                    phase /= base;
                }
                from
            }
            Law::Balanced(widths) => balanced_back(widths, place, phase),
            // Where a permutation leads after this place, it comes to the place before it in the end.
            Law::Direct(direct) => {
                let way = direct.way(phase);
                let steps =
                    std::iter::successors(Some(place), |from| Some(direct.follow(&way, *from)));
                let circle = steps.skip(1).take_while(|from| *from != place);
                circle.last().unwrap_or(place)
            }
        }
    }
}

/// Prisacari 2020, Eqs. 4.7 to 4.9: a digit that changes does so by an amount that runs with the
/// source's place within the layer below.
fn balanced(widths: &[u32], place: u32, phase: u32) -> u32 {
    let (mut left, mut phase, mut below, mut to) = (place, phase, 1, 0);
    for width in widths {
        let (own, step) = (left % width, phase % width);
        let moved = match step {
            0 => 0,
            step => (step - 1 + place % below) % (width - 1) + 1,
        };
        to += (own + moved) % width * below;
        below *= width;
        (left, phase) = (left / width, phase / width);
    }
    to
}

/// The place that sends to one by [`balanced`]: its lower digits, which are known first, tell how the
/// next one has moved.
fn balanced_back(widths: &[u32], to: u32, phase: u32) -> u32 {
    let (mut left, mut phase, mut below, mut from) = (to, phase, 1, 0);
    for width in widths {
        let moved = match phase % width {
            0 => 0,
            step => (step - 1 + from) % (width - 1) + 1,
        };
        from += (left % width + width - moved) % width * below;
        below *= width;
        (left, phase) = (left / width, phase / width);
    }
    from
}

/// What ranks wait for, and what they leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// What is sent is acknowledged, and that waited for.
    pub is_acknowledged: bool,
    /// What comes in is waited for, too.
    pub awaits_both: bool,
    /// What a rank sends to itself takes its way, too.
    pub sends_own: bool,
}

/// An all-to-all in phases, one message at a time from each rank, made when it is asked for: 8192 ranks
/// have 67 million messages.
#[derive(Clone, Debug, PartialEq)]
pub struct Phased {
    law: Law,
    places: u32,
    bytes: Bytes,
    pace: Pace,
    /// The rank of each place and the place of each rank, where some places have none.
    keepers: Option<(Vec<Option<Rank>>, Vec<u32>)>,
}

impl Phased {
    pub(super) fn new(law: Law, site: Site<'_>, pace: Pace) -> Phased {
        let mut places = Vec::new();
        let mut ranks = Vec::new();
        for (place, endpoint) in (0..).zip(site.placement) {
            ranks.push(endpoint.map(|_| Rank(places.len() as u32)));
            places.extend(endpoint.map(|_| place));
        }
        let kept = places.len() < ranks.len();
        Phased {
            law,
            places: site.places(),
            bytes: site.bytes,
            pace,
            keepers: kept.then_some((ranks, places)),
        }
    }

    /// The permuted-variable-base exchange over a hierarchy, without a network; `order` as in
    /// Prisacari 2020, Eq. 2.4, counts from 1, the lowest layer first.
    pub fn of_digits(hierarchy: &Hierarchy, order: &[u32], bytes: Bytes) -> Phased {
        let order: Vec<usize> = order.iter().map(|layer| *layer as usize - 1).collect();
        Phased::of(Law::digits(hierarchy.widths(), &order), hierarchy, bytes)
    }

    /// The balanced exchange over a hierarchy, without a network (Prisacari 2020, §4.4.2).
    pub fn of_balanced(hierarchy: &Hierarchy, bytes: Bytes) -> Phased {
        Phased::of(Law::Balanced(hierarchy.widths().to_vec()), hierarchy, bytes)
    }

    fn of(law: Law, hierarchy: &Hierarchy, bytes: Bytes) -> Phased {
        let places = hierarchy.places() as u32;
        let pace = Pace { is_acknowledged: true, awaits_both: false, sends_own: false };
        Phased { law, places, bytes, pace, keepers: None }
    }

    /// The number of phases, those included in which ranks would send to themselves.
    pub fn phases(&self) -> u32 {
        self.places
    }

    /// The destination of each rank in a phase; none where that is itself or no rank.
    pub fn phase(&self, phase: u32) -> Vec<Option<Rank>> {
        let row = self.law.row(phase, self.places);
        let rank = |place: u32| match &self.keepers {
            Some((ranks, _)) => ranks[place as usize],
            None => Some(Rank(place)),
        };
        let mut sent = Vec::with_capacity(row.len());
        sent.extend((0..self.places).zip(row).filter_map(|(place, to)| {
            let own = rank(place)?;
            Some(rank(to).filter(|to| *to != own))
        }));
        sent
    }

    /// Whether anybody sends in a phase.
    pub fn sends(&self, phase: u32) -> bool {
        (0..self.ranks()).any(|rank| self.destination(Rank(rank), phase).is_some())
    }

    /// Where a place sends in a phase: perhaps to itself, or to a place that is kept.
    pub fn place_after(&self, place: u32, phase: u32) -> u32 {
        self.law.destination(place, phase, self.places)
    }

    /// Which place sends to one in a phase.
    pub(super) fn place_before(&self, place: u32, phase: u32) -> u32 {
        self.law.source(place, phase, self.places)
    }

    fn place(&self, rank: Rank) -> u32 {
        self.keepers.as_ref().map_or(rank.0, |(_, places)| places[rank.0 as usize])
    }

    fn destination(&self, rank: Rank, phase: u32) -> Option<Rank> {
        let place = self.place_after(self.place(rank), phase);
        let to = match &self.keepers {
            Some((ranks, _)) => ranks[place as usize],
            None => Some(Rank(place)),
        };
        to.filter(|to| *to != rank)
    }

    /// Whether a rank sends to itself in a phase, and that takes its way.
    fn is_own(&self, rank: Rank, phase: u32) -> bool {
        let place = self.place(rank);
        self.pace.sends_own && self.place_after(place, phase) == place
    }

    /// Whether a message comes to a rank in a phase.
    fn receives(&self, rank: Rank, phase: u32) -> bool {
        let place = self.place(rank);
        if self.place_after(place, phase) == place {
            return self.pace.sends_own;
        }
        let Some((ranks, _)) = &self.keepers else { return true };
        ranks[self.place_before(place, phase) as usize].is_some()
    }

    /// The name of a rank's message in a phase.
    fn label(&self, rank: Rank, phase: u32) -> u64 {
        u64::from(phase) * u64::from(self.ranks()) + u64::from(rank.0)
    }

    /// The rank's message in a phase.
    fn message(&self, rank: Rank, phase: u32) -> Option<Message> {
        let own = self.is_own(rank, phase).then_some(rank);
        let destination = self.destination(rank, phase).or(own)?;
        let label = self.label(rank, phase);
        Some(Message { source: rank, destination, bytes: self.bytes, label })
    }

    pub(super) fn ranks(&self) -> u32 {
        self.keepers.as_ref().map_or(self.places, |(_, places)| places.len() as u32)
    }

    pub(super) fn messages(&self) -> u64 {
        let ranks = u64::from(self.ranks());
        ranks * if self.pace.sends_own { ranks } else { ranks.saturating_sub(1) }
    }

    /// The bytes that a rank sends to all others.
    pub fn sent_to_others(&self) -> Bytes {
        Bytes(u64::from(self.ranks().saturating_sub(1)) * self.bytes.0)
    }

    pub(super) fn bytes(&self) -> Bytes {
        Bytes(self.messages() * self.bytes.0)
    }

    pub(super) fn is_acknowledged(&self) -> bool {
        self.pace.is_acknowledged
    }

    pub(super) fn sends_own(&self) -> bool {
        self.pace.sends_own
    }

    pub(super) fn begin(&self, state: &mut State, rank: Rank, post: &mut Vec<Message>) {
        self.go_on(state, rank, 0, post);
    }

    /// A rank goes on when its message is acknowledged, or has left where nothing is, and perhaps only
    /// when what comes to it has come.
    pub(super) fn react(
        &self,
        state: &mut State,
        moment: Moment,
        message: &Message,
        post: &mut Vec<Message>,
    ) {
        let Pace { is_acknowledged, awaits_both, .. } = self.pace;
        let awaited = if is_acknowledged { Moment::Acknowledged } else { Moment::Sent };
        let phase = (message.label / u64::from(self.ranks())) as u32;
        let (rank, is_enough) = match moment {
            moment if moment == awaited => {
                let rank = message.source;
                (rank, !awaits_both || !self.receives(rank, phase))
            }
            Moment::Delivered if awaits_both => (message.destination, false),
            _ => return,
        };
        if is_enough || state.completes(self.label(rank, phase)) {
            self.go_on(state, rank, phase + 1, post);
        }
    }

    /// A rank comes to a phase: it sends its message of it or, where it has none and waits for nothing,
    /// that of a later one.
    fn go_on(&self, state: &mut State, rank: Rank, phase: u32, post: &mut Vec<Message>) {
        for phase in phase..self.places {
            if let Some(message) = self.message(rank, phase) {
                return post.push(message);
            }
            let waits = self.pace.awaits_both && self.receives(rank, phase);
            if waits && !state.completes(self.label(rank, phase)) {
                return;
            }
        }
    }
}
