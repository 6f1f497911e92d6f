//! How many shortest paths there are between switches.

use super::graph::Graph;
use super::symmetry::Source;
use crate::random::Stream;

/// The most steps along arcs; where all sources would take more, some are drawn at random.
const MOST_STEPS: u64 = 1 << 30;

/// Shortest paths between all pairs of switches that carry endpoints and are not adjacent.
pub(super) struct Paths {
    sources: Vec<Source>,
    done: usize,
    sampled: bool,
    /// Distance from the source; none where it has not come.
    distance: Vec<Option<u32>>,
    /// Shortest paths from the source.
    count: Vec<f64>,
    queue: Vec<u32>,
    pairs: f64,
    sum: f64,
    max: f64,
}

impl Paths {
    /// Counts paths from these sources, or from switches drawn at random when that would take
    /// too long.
    pub(super) fn new(graph: &Graph, sources: &[Source]) -> Paths {
        let switches = |source: &Source| graph.is_switch(source.vertex);
        let mut sources: Vec<Source> = match sources.iter().all(switches) {
            true => sources.to_vec(),
            // Endpoints with ports to several switches make all of these sources.
            false => carriers(graph),
        };
        let each = graph.arc_count() + u64::from(graph.vertex_count());
        let most = (MOST_STEPS / each.max(1)).max(1) as usize;
        let sampled = sources.len() > most;
        if sampled {
            sources = carriers(graph);
            Stream::new(0, "paths", 0).shuffle(&mut sources);
            sources.truncate(most);
        }
        let count = graph.vertex_count() as usize;
        Paths {
            sources,
            done: 0,
            sampled,
            distance: vec![None; count],
            count: vec![0.0; count],
            queue: Vec::with_capacity(count),
            pairs: 0.0,
            sum: 0.0,
            max: 0.0,
        }
    }

    /// Counts the paths from one more source; the work done, or none when all is done.
    pub(super) fn step(&mut self, graph: &Graph) -> Option<u64> {
        let source = self.sources.get(self.done).copied()?;
        self.done += 1;
        let steps = self.search(graph, source.vertex);
        let weight = f64::from(source.stands_for);
        for switch in self.queue.drain(..) {
            let apart = self.distance[switch as usize].take().is_some_and(|distance| distance > 1);
            if apart && graph.carries_endpoints(switch) {
                let paths = self.count[switch as usize];
                self.pairs += weight;
                self.sum += weight * paths;
                self.max = self.max.max(paths);
            }
        }
        Some(steps)
    }

    fn search(&mut self, graph: &Graph, source: u32) -> u64 {
        let mut steps = 0;
        self.queue.push(source);
        self.distance[source as usize] = Some(0);
        self.count[source as usize] = 1.0;
        let mut next = 0;
        while let Some(from) = self.queue.get(next).copied() {
            next += 1;
            let further = self.distance[from as usize].map(|distance| distance + 1);
            let paths = self.count[from as usize];
            let arcs = graph.neighbors(from).iter().zip(graph.parallel(from));
            steps += 1 + arcs.len() as u64;
            for (to, parallel) in arcs.filter(|(to, _)| graph.is_switch(**to)) {
                let place = *to as usize;
                if self.distance[place].is_none() {
                    self.distance[place] = further;
                    self.count[place] = 0.0;
                    self.queue.push(*to);
                }
                if self.distance[place] == further {
                    self.count[place] += paths * f64::from(*parallel);
                }
            }
        }
        steps
    }

    /// Mean and maximum, with whether they come from a sample; none without such a pair.
    pub(super) fn found(&self) -> Option<(f64, f64, bool)> {
        // Numbers beyond the largest that there is.
        let finite = |value: f64| value.min(f64::MAX);
        (self.pairs > 0.0).then(|| (finite(self.sum / self.pairs), finite(self.max), self.sampled))
    }
}

/// Every switch with links to endpoints, for itself only.
fn carriers(graph: &Graph) -> Vec<Source> {
    (0..graph.vertex_count())
        .filter(|vertex| graph.is_switch(*vertex) && graph.carries_endpoints(*vertex))
        .map(|vertex| Source { vertex, stands_for: 1 })
        .collect()
}
