//! How far endpoints are apart, by searching from 64 places at a time.

use super::graph::Graph;
use super::symmetry::Source;
use crate::random::Stream;

/// The most steps along arcs; where all sources would take more, some are drawn at random.
const MOST_STEPS: u64 = 1 << 30;
/// Sources that one search serves: bits of a word.
const WIDTH: usize = u64::BITS as usize;

/// Distances between all pairs of endpoints, in links between switches.
pub(super) struct Distances {
    sources: Vec<Source>,
    /// How many of the sources have been searched from or are being so.
    begun: usize,
    sampled: bool,
    steps: u64,
    search: Search,
    /// Sources of the search with the same weight: their bits, the endpoints that each stands
    /// for, and whether they are switches.
    alike: Vec<(u64, u64, bool)>,
    tally: Tally,
}

/// Ordered pairs of endpoints, an endpoint with itself included.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Pairs that were looked at.
    pub(super) pairs: u128,
    /// Those with a path.
    pub(super) connected: u128,
    /// The sum of their distances.
    pub(super) hops: u128,
    /// The largest distance.
    pub(super) diameter: u32,
    /// Endpoints that pairs begin with.
    pub(super) starts: u128,
}

impl Distances {
    pub(super) fn new(graph: &Graph, sources: &[Source]) -> Distances {
        Distances {
            sources: sources.to_vec(),
            begun: 0,
            sampled: false,
            steps: 0,
            search: Search::new(graph),
            alike: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Goes one link further; the work done, or none when all is done.
    pub(super) fn step(&mut self, graph: &Graph) -> Option<u64> {
        if self.search.frontier.is_empty() && !self.begin(graph) {
            return None;
        }
        let steps = self.search.spread(graph);
        self.count(graph);
        self.steps += steps;
        Some(steps)
    }

    /// Begins the next search; false when there is none.
    fn begin(&mut self, graph: &Graph) -> bool {
        if self.begun > 0 && self.begun <= WIDTH && !self.sampled {
            self.sample_if_long(graph);
        }
        if self.begun == self.sources.len() || (self.sampled && self.steps >= MOST_STEPS) {
            return false;
        }
        let rest = &self.sources[self.begun..];
        let batch = &rest[..rest.len().min(WIDTH)];
        self.begun += batch.len();
        self.search.start(batch);
        self.alike.clear();
        for (bit, source) in batch.iter().enumerate() {
            let own = u64::from(graph.endpoints(source.vertex));
            let (weight, is_switch) =
                (own * u64::from(source.stands_for), graph.is_switch(source.vertex));
            let same = |known: &&mut (u64, u64, bool)| (known.1, known.2) == (weight, is_switch);
            match self.alike.iter_mut().find(same) {
                Some(known) => known.0 |= 1 << bit,
                None => self.alike.push((1 << bit, weight, is_switch)),
            }
            self.tally.starts += u128::from(weight);
            self.tally.pairs += u128::from(weight) * u128::from(graph.endpoint_count());
            self.tally.connected += u128::from(weight) * u128::from(own);
        }
        true
    }

    /// After the first search: when the others would take too long, draws sources at random and
    /// starts over.
    fn sample_if_long(&mut self, graph: &Graph) {
        let searches = self.sources.len().div_ceil(WIDTH) as u64;
        if self.steps.saturating_mul(searches) <= MOST_STEPS {
            return;
        }
        let source = |vertex| Source { vertex, stands_for: 1 };
        self.sources = graph.places().map(source).collect();
        Stream::new(0, "distances", 0).shuffle(&mut self.sources);
        (self.begun, self.sampled, self.steps) = (0, true, 0);
        self.tally = Tally::default();
    }

    /// Counts the pairs that the search has just reached.
    fn count(&mut self, graph: &Graph) {
        // By how many of the two ends are no switches: their own links do not count.
        let mut reached = [0_u64; 3];
        for vertex in &self.search.frontier {
            let endpoints = u64::from(graph.endpoints(*vertex));
            if endpoints > 0 {
                let bits = self.search.now[*vertex as usize];
                let outside = usize::from(!graph.is_switch(*vertex));
                for (mask, weight, is_switch) in &self.alike {
                    let sources = u64::from((bits & mask).count_ones());
                    reached[outside + usize::from(!is_switch)] += sources * weight * endpoints;
                }
            }
        }
        for (outside, pairs) in (0..).zip(reached).filter(|(_, pairs)| *pairs > 0) {
            let distance = self.search.level - outside;
            self.tally.connected += u128::from(pairs);
            self.tally.hops += u128::from(pairs) * u128::from(distance);
            self.tally.diameter = self.tally.diameter.max(distance);
        }
    }

    /// What has been counted, and whether it comes from a sample of the sources.
    pub(super) fn tally(&self) -> (Tally, bool) {
        (self.tally, self.sampled && self.begun < self.sources.len())
    }
}

/// A breadth-first search from up to 64 sources at once, one bit of each word for each.
struct Search {
    /// Which sources have reached a vertex.
    seen: Vec<u64>,
    /// Which of them have in the latest step.
    now: Vec<u64>,
    /// Which may in the next one.
    next: Vec<u64>,
    /// The vertices that were reached in the latest step.
    frontier: Vec<u32>,
    touched: Vec<u32>,
    level: u32,
}

impl Search {
    fn new(graph: &Graph) -> Search {
        let none = || vec![0; graph.vertex_count() as usize];
        Search {
            seen: none(),
            now: none(),
            next: none(),
            frontier: Vec::new(),
            touched: Vec::new(),
            level: 0,
        }
    }

    fn start(&mut self, sources: &[Source]) {
        self.seen.fill(0);
        self.level = 0;
        for (bit, source) in sources.iter().enumerate() {
            self.seen[source.vertex as usize] |= 1 << bit;
            self.now[source.vertex as usize] |= 1 << bit;
            self.frontier.push(source.vertex);
        }
    }

    /// Goes one link further; the number of steps along arcs.
    fn spread(&mut self, graph: &Graph) -> u64 {
        let mut steps = self.frontier.len() as u64;
        for from in &self.frontier {
            let bits = std::mem::take(&mut self.now[*from as usize]);
            if self.level > 0 && !graph.is_switch(*from) {
                continue;
            }
            for to in graph.neighbors(*from) {
                let next = &mut self.next[*to as usize];
                if *next == 0 {
                    self.touched.push(*to);
                }
                *next |= bits;
            }
            steps += graph.neighbors(*from).len() as u64;
        }
        self.frontier.clear();
        self.level += 1;
        for to in self.touched.drain(..) {
            let seen = &mut self.seen[to as usize];
            let new = std::mem::take(&mut self.next[to as usize]) & !*seen;
            if new != 0 {
                *seen |= new;
                self.now[to as usize] = new;
                self.frontier.push(to);
            }
        }
        steps
    }
}
