//! The entries of one destination at a time, and how much each link is used.

use super::Variant;
use super::forest::{Bundle, Forest};
use crate::network::SwitchId;

/// Whether a destination takes its share of the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// As an endpoint or the keeper of its place does.
    Yes,
    /// Of the links that lead up to it only.
    Upward,
    /// Of none.
    No,
}

/// The next step from a switch towards the destination.
#[derive(Clone, Copy, Debug)]
struct Step {
    from: SwitchId,
    to: SwitchId,
    bundle: u32,
    link: u32,
    /// Whether the link's use has been counted.
    counted: bool,
}

/// Finds the entries of one destination after the other.
pub(super) struct Columns<'a> {
    forest: &'a Forest,
    usage: Usage,
    /// The steps from all switches that reach the destination, each after that of the switch that
    /// it leads to. The first stands for the destination's own switch.
    steps: Vec<Step>,
    reached: Vec<bool>,
    /// Whether endpoints send by way of a switch; nowhere, between two destinations.
    passed: Vec<bool>,
}

impl<'a> Columns<'a> {
    /// Begins with links that nothing uses.
    pub fn new(forest: &'a Forest, variant: Variant) -> Columns<'a> {
        let count = forest.serves.len();
        Columns {
            forest,
            usage: Usage::new(forest, variant),
            steps: Vec::with_capacity(count),
            reached: vec![false; count],
            passed: vec![false; count],
        }
    }

    /// Finds how to get to what is on a switch, or to itself.
    pub fn find(&mut self, at: SwitchId, counted: Counted) {
        self.begin(at);
        let forest = self.forest;
        for bundle in forest.beside.of(at) {
            let Bundle { lower, upper, .. } = forest.bundles[*bundle as usize];
            let sibling = if lower == at { upper } else { lower };
            self.enter(sibling, at, *bundle);
        }
        for start in 0..self.steps.len() {
            let from = self.steps[start].from;
            let parent = |bundle: &u32| forest.bundles[*bundle as usize].upper;
            let mut parents = forest.up.of(from).iter().map(parent);
            let is_new = parents.all(|parent| !self.reached[parent.index()]);
            self.ascend(start, counted == Counted::Yes && is_new);
        }
        self.descend();
        if counted != Counted::No {
            self.count(counted == Counted::Yes);
        }
    }

    /// Finds how to get to a switch without the links between switches of one level.
    pub fn find_without_siblings(&mut self, at: SwitchId) {
        self.begin(at);
        self.ascend(0, false);
        self.descend();
    }

    fn begin(&mut self, at: SwitchId) {
        for step in self.steps.drain(..) {
            self.reached[step.from.index()] = false;
        }
        self.reached[at.index()] = true;
        self.steps.push(Step { from: at, to: at, bundle: 0, link: 0, counted: true });
    }

    /// Every switch that reaches the destination from elsewhere, with the number of its port.
    pub fn entries(&self) -> impl Iterator<Item = (SwitchId, u32)> + '_ {
        let others = self.steps.iter().skip(1);
        others.map(|step| {
            let ends = self.forest.links[step.link as usize];
            let leads_down = self.forest.leads_down(step.bundle, step.from);
            (step.from, if leads_down { ends.upper } else { ends.lower })
        })
    }

    /// Sends a switch by the least used link of a bundle.
    fn enter(&mut self, from: SwitchId, to: SwitchId, bundle: u32) {
        let link = self.usage.least(self.forest, bundle, from);
        self.reached[from.index()] = true;
        self.steps.push(Step { from, to, bundle, link, counted: false });
    }

    /// Lets all switches above one go down to it: on the main way, if there is to be one, those
    /// by the least used ports first.
    fn ascend(&mut self, start: usize, has_main: bool) {
        let forest = self.forest;
        let first = self.steps.len();
        let mut at = self.steps[start].from;
        while has_main && let Some(bundle) = self.usage.best(forest, at, &self.reached) {
            let parent = forest.bundles[bundle as usize].upper;
            self.enter(parent, at, bundle);
            if let Some(step) = self.steps.last_mut() {
                step.counted = true;
                self.usage.count(forest, *step);
            }
            at = parent;
        }
        let mut next = start;
        while let Some(Step { from, .. }) = self.steps.get(next).copied() {
            for place in forest.up.range(from) {
                let bundle = self.usage.order[place];
                let parent = forest.bundles[bundle as usize].upper;
                if !self.reached[parent.index()] {
                    self.enter(parent, from, bundle);
                }
            }
            next = if next == start { first } else { next + 1 };
        }
    }

    /// Lets everything below the switches so far go up to them.
    fn descend(&mut self) {
        let forest = self.forest;
        let mut next = 0;
        while let Some(Step { from, .. }) = self.steps.get(next).copied() {
            for bundle in forest.down.of(from) {
                let child = forest.bundles[*bundle as usize].lower;
                if !self.reached[child.index()] {
                    self.enter(child, from, *bundle);
                }
            }
            next += 1;
        }
    }

    /// Counts the links by which endpoints send, or would from empty slots.
    fn count(&mut self, both_ways: bool) {
        for step in self.steps.iter().skip(1).rev() {
            let passed = std::mem::take(&mut self.passed[step.from.index()]);
            if passed || self.forest.serves[step.from.index()] {
                self.passed[step.to.index()] = true;
                let leads_down = self.forest.leads_down(step.bundle, step.from);
                if !step.counted && (both_ways || !leads_down) {
                    self.usage.count(self.forest, *step);
                }
            }
        }
        if let Some(step) = self.steps.first() {
            self.passed[step.from.index()] = false;
        }
    }
}

/// How many destinations each link carries, and in which order the parents are to be taken.
struct Usage {
    variant: Variant,
    /// Link by link, from the upper switch to the lower and back.
    down: Vec<u32>,
    up: Vec<u32>,
    /// By bundle, what comes first when a parent is chosen.
    keys: Vec<u64>,
    /// By bundle, how many destinations come down.
    totals: Vec<u32>,
    /// The bundles to the parents, switch by switch as the forest has them, least used first.
    order: Vec<u32>,
    /// For each bundle its place in the order; [`ASIDE`] where the levels are equal.
    places: Vec<u32>,
}

const ASIDE: u32 = u32::MAX;

impl Usage {
    fn new(forest: &Forest, variant: Variant) -> Usage {
        let (bundles, links) = (forest.bundles.len(), forest.links.len());
        let mut places = vec![ASIDE; bundles];
        for (place, bundle) in (0..).zip(&forest.up.bundles) {
            places[*bundle as usize] = place;
        }
        let key = |bundle: &Bundle| if bundle.in_place { 0 } else { OUT_OF_PLACE };
        Usage {
            variant,
            down: vec![0; links],
            up: vec![0; links],
            keys: forest.bundles.iter().map(key).collect(),
            totals: vec![0; bundles],
            order: forest.up.bundles.clone(),
            places,
        }
    }

    /// The least used link of a bundle as seen from a switch; of several the first one.
    fn least(&self, forest: &Forest, bundle: u32, from: SwitchId) -> u32 {
        let bundle = &forest.bundles[bundle as usize];
        let (first, end) = bundle.links;
        if end - first == 1 {
            return first;
        }
        // Ports are taken in the order of the switch from which the way is found.
        let least = match bundle.upper == from {
            true => bundle.range().min_by_key(|link| self.down[*link]),
            false => bundle.range().min_by_key(|link| (self.up[*link], forest.links[*link].upper)),
        };
        least.map_or(first, |link| link as u32)
    }

    /// The bundle to the parent that a switch should take.
    fn best(&self, forest: &Forest, at: SwitchId, reached: &[bool]) -> Option<u32> {
        let mut bundles = self.order[forest.up.range(at)].iter().copied();
        bundles.find(|bundle| {
            let Bundle { upper, in_place, .. } = forest.bundles[*bundle as usize];
            in_place && !reached[upper.index()]
        })
    }

    fn count(&mut self, forest: &Forest, step: Step) {
        let number = step.bundle as usize;
        let bundle = &forest.bundles[number];
        if bundle.upper != step.from {
            self.up[step.link as usize] += 1;
            return;
        }
        self.down[step.link as usize] += 1;
        if self.places[number] == ASIDE {
            return;
        }
        self.totals[number] += 1;
        let (total, size) = (self.totals[number], bundle.links.1 - bundle.links.0);
        let rounds = if size == 1 { total } else { total / size };
        let in_turn = if self.variant == Variant::OpenSm { total } else { 0 };
        self.keys[number] &= OUT_OF_PLACE;
        self.keys[number] |= (u64::from(rounds) << 32) | u64::from(in_turn);
        self.move_back(forest, step.bundle);
    }

    /// Moves a bundle behind those that are used less now.
    fn move_back(&mut self, forest: &Forest, bundle: u32) {
        let key = |usage: &Usage, bundle: u32| (usage.keys[bundle as usize], bundle);
        let own = key(self, bundle);
        let end = forest.up.range(forest.bundles[bundle as usize].lower).end;
        let mut place = self.places[bundle as usize] as usize;
        while place + 1 < end && key(self, self.order[place + 1]) < own {
            self.order[place] = self.order[place + 1];
            self.places[self.order[place] as usize] = place as u32;
            place += 1;
        }
        self.order[place] = bundle;
        self.places[bundle as usize] = place as u32;
    }
}

/// Put before the key of a bundle that does not belong to the tree.
const OUT_OF_PLACE: u64 = 1 << 63;
