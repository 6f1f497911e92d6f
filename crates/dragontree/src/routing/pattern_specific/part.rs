//! The messages that come up to one place of one layer, and what must be spread evenly there.
//!
//! At layer `l`, messages whose climbs agree in `w_1..w_l` (they are on one node of the WT tree,
//! Prisacari 2020, §3.4.7) each get one of `W_{l+1}` colors, the digit `w_{l+1}`. Nothing else in the
//! tree depends on these colors.

use super::instance::{Instance, TIERS};

/// Stands for a message or set that is not there.
pub(super) const NONE: u32 = u32::MAX;

/// Messages on one node of the WT tree, with their sets: those whose ends of one side are in one
/// subtree of some level. Messages are numbered in the order of their sources.
#[derive(Default)]
pub(super) struct Part {
    pub layer: usize,
    /// How many levels of links there are from this layer on.
    pub levels: usize,
    /// The number of colors.
    pub width: usize,
    /// For each message its number in the instance.
    pub ids: Vec<u32>,
    /// For each message the level at which it turns: always above the layer.
    pub turns: Vec<u8>,
    /// The messages in the order of their destinations.
    pub by_destination: Vec<u32>,
    /// For each message and side its set of each level.
    sets: Vec<u32>,
    /// For each set the arc that its messages take, as far as they do not turn below it.
    pub arcs: Vec<u32>,
    /// For each set how many of its messages on that arc may have one color, for each tier.
    pub caps: Vec<[u32; TIERS]>,
    /// For each side and level where its sets begin; at the end how many there are.
    pub first: Vec<u32>,
    pub colors: Vec<u16>,
}

impl Part {
    /// Becomes all messages of an instance that go anywhere, at layer 0.
    pub fn fill(&mut self, instance: &Instance) {
        let moves = |message: &u32| instance.turns[*message as usize] > 0;
        let end = |id: u32| instance.messages[id as usize];
        self.ids.clear();
        self.ids.extend((0..instance.messages.len() as u32).filter(moves));
        self.ids.sort_unstable_by_key(|id| (end(*id).source.0, *id));
        self.by_destination.clear();
        self.by_destination.extend(0..self.ids.len() as u32);
        let ids = &self.ids;
        self.by_destination
            .sort_unstable_by_key(|message| (end(ids[*message as usize]).destination.0, *message));
        self.turns.clear();
        self.turns.extend(self.ids.iter().map(|id| instance.turns[*id as usize]));
        self.begin(instance, 0);
        for side in 0..2 {
            for level in 0..self.levels {
                self.number(side, level, |part, message| {
                    instance.arc(part.ids[message], level, side)
                });
            }
        }
        self.limit(instance);
    }

    /// Becomes the messages of one color of a part that go on beyond the next layer; `places` is
    /// scratch room.
    pub fn fill_from(
        &mut self,
        below: &Part,
        color: u16,
        instance: &Instance,
        places: &mut Vec<u32>,
    ) {
        let layer = below.layer + 1;
        places.clear();
        places.resize(below.ids.len(), NONE);
        self.ids.clear();
        self.turns.clear();
        for (message, place) in places.iter_mut().enumerate() {
            if below.colors[message] == color && usize::from(below.turns[message]) > layer {
                *place = self.ids.len() as u32;
                self.ids.push(below.ids[message]);
                self.turns.push(below.turns[message]);
            }
        }
        self.by_destination.clear();
        let own = below.by_destination.iter().map(|message| places[*message as usize]);
        self.by_destination.extend(own.filter(|place| *place != NONE));
        // From here on: for each of our messages its number below.
        let mut count = 0;
        for message in 0..places.len() {
            if places[message] != NONE {
                places[count] = message as u32;
                count += 1;
            }
        }
        self.begin(instance, layer);
        for side in 0..2 {
            for level in 0..self.levels {
                self.number(side, level, |_, message| {
                    below.arcs[below.set(places[message] as usize, side, level + 1) as usize]
                });
            }
        }
        self.limit(instance);
    }

    fn begin(&mut self, instance: &Instance, layer: usize) {
        self.layer = layer;
        self.levels = instance.levels() - layer;
        self.width = instance.shape.parents(layer + 1) as usize;
        self.sets.clear();
        self.sets.resize(self.ids.len() * 2 * self.levels, NONE);
        self.arcs.clear();
        self.first.clear();
        self.colors.clear();
        self.colors.resize(self.ids.len(), 0);
    }

    /// Numbers the sets of a level, counted from this layer; `arc` tells the arc of a message.
    fn number(&mut self, side: usize, level: usize, arc: impl Fn(&Part, usize) -> u32) {
        self.first.push(self.arcs.len() as u32);
        let mut last = NONE;
        for place in 0..self.ids.len() {
            let message = if side == 0 { place } else { self.by_destination[place] as usize };
            let arc = arc(self, message);
            if arc != last {
                last = arc;
                self.arcs.push(arc);
            }
            self.sets[(2 * message + side) * self.levels + level] = self.arcs.len() as u32 - 1;
        }
    }

    fn limit(&mut self, instance: &Instance) {
        self.first.push(self.arcs.len() as u32);
        self.caps.clear();
        let mut spread = 1_u32;
        let mut spreads = Vec::with_capacity(self.levels);
        for level in 0..self.levels {
            if level > 0 {
                spread = spread.saturating_mul(instance.shape.parents(self.layer + level + 1));
            }
            spreads.push(spread);
        }
        for side in 0..2 {
            for (level, spread) in spreads.iter().enumerate() {
                let sets = self.of_level(side, level);
                let cap = |arc: &u32| {
                    instance.targets[*arc as usize].map(|target| target.saturating_mul(*spread))
                };
                self.caps.extend(self.arcs[sets].iter().map(cap));
            }
        }
    }

    /// The number of messages.
    pub fn count(&self) -> usize {
        self.ids.len()
    }

    /// The set of a message on a side at a level, counted from this layer.
    pub fn set(&self, message: usize, side: usize, level: usize) -> u32 {
        self.sets[(2 * message + side) * self.levels + level]
    }

    /// All sets of a message on a side, level by level.
    pub fn sets(&self, message: usize, side: usize) -> &[u32] {
        &self.sets[(2 * message + side) * self.levels..][..self.levels]
    }

    /// The sets of a message on a side whose arcs it takes: those below its turn.
    pub fn arcs_taken(&self, message: usize, side: usize) -> &[u32] {
        let taken = usize::from(self.turns[message]) - self.layer;
        &self.sets[(2 * message + side) * self.levels..][..taken]
    }

    /// The sets of a side and a level.
    pub fn of_level(&self, side: usize, level: usize) -> std::ops::Range<usize> {
        let place = side * self.levels + level;
        self.first[place] as usize..self.first[place + 1] as usize
    }

    /// Whether links are chosen for good by the colors here: the part has no layer above it.
    pub fn is_top(&self) -> bool {
        self.levels == 1
    }
}
