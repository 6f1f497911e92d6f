//! Improving a cut by moving one vertex at a time (Fiduccia and Mattheyses 1982).

use super::level::Level;
use crate::random::Stream;

/// No vertex, or no place.
const NONE: u32 = u32::MAX;
/// Graphs with more vertices than this are searched along the cut only.
const SMALL: u32 = 2_000;
/// Kinds of vertices that wait for a move: those of either side, with and without endpoints.
const LANES: usize = 4;
/// The most different gains that are told apart.
const MOST_GAINS: u32 = 1 << 14;

/// What makes a cut good.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// Endpoints of both sides.
    pub(super) endpoints: u64,
    /// By how many endpoints the sides may differ before single ones are moved.
    pub(super) allowed: u64,
    /// What cutting off a single endpoint costs.
    pub(super) endpoint_capacity: u64,
}

/// How good a cut is; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Endpoints by which the sides differ beyond what is allowed.
    pub(super) excess: u64,
    /// The capacity of what is cut, single endpoints included.
    pub(super) cut: i64,
}

impl Score {
    /// Nothing is cut and the sides are equal.
    pub(super) const BEST: Score = Score { excess: 0, cut: 0 };
}

impl Goal {
    /// The score of a cut of the edges `edges` where the first side has `weight` endpoints.
    pub(super) fn score(&self, edges: i64, weight: u64) -> Score {
        let larger = weight.max(self.endpoints - weight);
        let moved = larger - self.endpoints.div_ceil(2);
        Score {
            excess: (2 * larger - self.endpoints).saturating_sub(self.allowed),
            cut: edges + (moved * self.endpoint_capacity) as i64,
        }
    }
}

/// A graph with two sides, and what moving each vertex would gain.
pub(super) struct Refiner {
    goal: Goal,
    gains: Vec<i32>,
    lanes: Lanes,
    locked: Vec<bool>,
    moves: Vec<u32>,
}

/// Where a pass stands.
struct Walk {
    edges: i64,
    /// Endpoints of the first side.
    weight: u64,
    score: Score,
    /// The best score so far and the number of moves after which it stood.
    best: (Score, usize),
    /// The sides may differ by so many endpoints on the way.
    reach: u64,
}

impl Refiner {
    pub(super) fn new(goal: Goal) -> Refiner {
        Refiner {
            goal,
            gains: Vec::new(),
            lanes: Lanes::default(),
            locked: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// What makes a cut good.
    pub(super) fn goal(&self) -> Goal {
        self.goal
    }

    /// The score of a cut.
    pub(super) fn score(&self, level: &Level, sides: &[bool]) -> Score {
        let (mut edges, mut weight) = (0, 0);
        for vertex in 0..level.vertex_count() {
            let side = sides[vertex as usize];
            if !side {
                weight += u64::from(level.weight(vertex));
                let cut = level.arcs(vertex).iter().filter(|arc| sides[arc.to as usize]);
                edges += cut.map(|arc| i64::from(arc.capacity)).sum::<i64>();
            }
        }
        self.goal.score(edges, weight)
    }

    /// Moves every vertex at most once, always the one that gains most (or loses least), and
    /// keeps the best of the cuts on the way. Gives the work done and whether it is better.
    pub(super) fn pass(
        &mut self,
        level: &Level,
        sides: &mut [bool],
        stream: &mut Stream,
    ) -> (u64, bool) {
        let mut walk = self.prepare(level, sides, stream);
        let start = walk.score;
        let patience = (level.vertex_count() as usize / 16).max(SMALL as usize / 4);
        let mut steps = level.arc_count() + u64::from(level.vertex_count());
        let mut last = false;
        loop {
            let Some(vertex) = self.choose(level, &walk, last) else {
                if walk.best.0.excess == 0 || !self.admit_all(level, sides) {
                    break;
                }
                continue;
            };
            last = sides[vertex as usize];
            steps += self.shift(level, sides, vertex, &mut walk);
            if self.moves.len() > walk.best.1 + patience {
                break;
            }
        }
        for vertex in self.moves.drain(..).skip(walk.best.1) {
            sides[vertex as usize] ^= true;
        }
        (steps, walk.best.0 < start)
    }

    fn prepare(&mut self, level: &Level, sides: &[bool], stream: &mut Stream) -> Walk {
        let count = level.vertex_count() as usize;
        self.gains.clear();
        self.locked.clear();
        self.locked.resize(count, false);
        let (mut edges, mut weight, mut largest) = (0, 0, 0);
        for vertex in 0..level.vertex_count() {
            let side = sides[vertex as usize];
            let (mut gain, mut degree) = (0, 0);
            for arc in level.arcs(vertex) {
                let capacity = arc.capacity as i32;
                degree += capacity;
                gain += if sides[arc.to as usize] == side { -capacity } else { capacity };
            }
            largest = largest.max(degree);
            if !side {
                edges += i64::from((gain + degree) / 2);
                weight += u64::from(level.weight(vertex));
            }
            self.gains.push(gain);
        }
        self.lanes.reset(count, largest);
        let mut order: Vec<u32> = (0..level.vertex_count()).collect();
        stream.shuffle(&mut order);
        for vertex in order {
            let degree: i32 = level.arcs(vertex).iter().map(|arc| arc.capacity as i32).sum();
            if level.vertex_count() <= SMALL || self.gains[vertex as usize] > -degree {
                self.admit(level, sides, vertex);
            }
        }
        let score = self.goal.score(edges, weight);
        let heaviest = u64::from(level.heaviest());
        let reach = self.goal.allowed.max(heaviest) + 2 * heaviest;
        Walk { edges, weight, score, best: (score, 0), reach }
    }

    fn admit(&mut self, level: &Level, sides: &[bool], vertex: u32) {
        let lane = lane(sides[vertex as usize], level.weight(vertex) > 0);
        self.lanes.insert(lane, vertex, self.gains[vertex as usize]);
    }

    /// Lets vertices far from the cut move too; false when there are none.
    fn admit_all(&mut self, level: &Level, sides: &[bool]) -> bool {
        let mut any = false;
        for vertex in 0..level.vertex_count() {
            if !self.locked[vertex as usize] && !self.lanes.holds(vertex) {
                self.admit(level, sides, vertex);
                any = true;
            }
        }
        any
    }

    /// The vertex to move next. Of equal ones, one without endpoints, then one of the larger
    /// side, then one of the side that was not moved from last.
    fn choose(&mut self, level: &Level, walk: &Walk, last: bool) -> Option<u32> {
        loop {
            let mut best: Option<((bool, i32, u8), u32)> = None;
            for side in [false, true] {
                for loaded in [false, true] {
                    let Some(vertex) = self.lanes.top(lane(side, loaded)) else {
                        continue;
                    };
                    let own = if side { self.goal.endpoints - walk.weight } else { walk.weight };
                    let here = 2 * own > self.goal.endpoints;
                    let preference = match (loaded, here) {
                        (false, _) => 3,
                        (true, true) => 2,
                        (true, false) => u8::from(side != last),
                    };
                    let allowed = self.may_leave(level, walk, vertex, own);
                    let key = (allowed, self.gains[vertex as usize], preference);
                    if best.is_none_or(|(known, _)| key > known) {
                        best = Some((key, vertex));
                    }
                }
            }
            let ((allowed, ..), vertex) = best?;
            self.lanes.remove(vertex);
            self.locked[vertex as usize] = true;
            if allowed {
                return Some(vertex);
            }
        }
    }

    /// Whether the sides stay, or become, similar enough when a vertex leaves one that has `own`
    /// endpoints.
    fn may_leave(&self, level: &Level, walk: &Walk, vertex: u32, own: u64) -> bool {
        let difference = |own: u64| (2 * own).abs_diff(self.goal.endpoints);
        let after = difference(own - u64::from(level.weight(vertex)));
        level.weight(vertex) == 0 || after <= walk.reach || after < difference(own)
    }

    /// Moves a vertex to the other side; the work done.
    fn shift(&mut self, level: &Level, sides: &mut [bool], vertex: u32, walk: &mut Walk) -> u64 {
        let from = sides[vertex as usize];
        sides[vertex as usize] = !from;
        let weight = u64::from(level.weight(vertex));
        walk.weight = if from { walk.weight + weight } else { walk.weight - weight };
        walk.edges -= i64::from(self.gains[vertex as usize]);
        for arc in level.arcs(vertex) {
            let change = 2 * arc.capacity as i32;
            let end = arc.to as usize;
            self.gains[end] += if sides[end] == from { change } else { -change };
            if !self.locked[end] {
                self.lanes.remove(arc.to);
                self.admit(level, sides, arc.to);
            }
        }
        self.moves.push(vertex);
        walk.score = self.goal.score(walk.edges, walk.weight);
        if walk.score < walk.best.0 {
            walk.best = (walk.score, self.moves.len());
        }
        2 + 2 * level.arcs(vertex).len() as u64
    }
}

fn lane(side: bool, loaded: bool) -> usize {
    2 * usize::from(side) + usize::from(loaded)
}

/// Vertices by lane and gain: the latest first among equals.
#[derive(Default)]
struct Lanes {
    /// The first vertex of each gain, lane by lane.
    heads: Vec<u32>,
    /// The largest gain of each lane, or more.
    tops: [u32; LANES],
    /// Neighbors in the list of each vertex, and its place in `heads`.
    links: Vec<[u32; 3]>,
    /// Different gains that are told apart in a lane.
    width: u32,
    /// The gain of place 0, negated.
    offset: i32,
    shift: u32,
}

const BEFORE: usize = 0;
const AFTER: usize = 1;
const PLACE: usize = 2;

impl Lanes {
    /// Empties the lanes for so many vertices with gains from `-largest` to `largest`.
    fn reset(&mut self, count: usize, largest: i32) {
        self.offset = largest;
        self.shift = 0;
        let span = 2 * largest.unsigned_abs() + 1;
        while span >> self.shift >= MOST_GAINS {
            self.shift += 1;
        }
        self.width = (span >> self.shift) + 1;
        self.heads.clear();
        self.heads.resize(LANES * self.width as usize, NONE);
        self.tops = [0; LANES];
        self.links.clear();
        self.links.resize(count, [NONE; 3]);
    }

    fn holds(&self, vertex: u32) -> bool {
        self.links[vertex as usize][PLACE] != NONE
    }

    fn insert(&mut self, lane: usize, vertex: u32, gain: i32) {
        let gain = (gain + self.offset).unsigned_abs() >> self.shift;
        let place = lane as u32 * self.width + gain;
        let head = &mut self.heads[place as usize];
        if let Some(after) = self.links.get_mut(*head as usize) {
            after[BEFORE] = vertex;
        }
        self.links[vertex as usize] = [NONE, *head, place];
        *head = vertex;
        self.tops[lane] = self.tops[lane].max(gain);
    }

    /// Takes a vertex out, if it is in.
    fn remove(&mut self, vertex: u32) {
        let [before, after, place] = self.links[vertex as usize];
        if place == NONE {
            return;
        }
        match self.links.get_mut(before as usize) {
            Some(links) => links[AFTER] = after,
            None => self.heads[place as usize] = after,
        }
        if let Some(links) = self.links.get_mut(after as usize) {
            links[BEFORE] = before;
        }
        self.links[vertex as usize] = [NONE; 3];
    }

    /// A vertex of this lane with the largest gain.
    fn top(&mut self, lane: usize) -> Option<u32> {
        loop {
            let place = lane as u32 * self.width + self.tops[lane];
            match self.heads.get(place as usize) {
                Some(&NONE) | None if self.tops[lane] == 0 => return None,
                Some(&NONE) | None => self.tops[lane] -= 1,
                Some(vertex) => return Some(*vertex),
            }
        }
    }
}
