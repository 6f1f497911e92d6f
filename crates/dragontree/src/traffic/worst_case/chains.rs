//! Chains of four switches whose traffic meets on the middle link.
//!
//! In a chain A–B–C–D of switches that are next to each other, A and C have only B between them, B
//! and D only C: what A and C, and B and D, send to each other passes the link between B and C.

use super::common;
use crate::network::Graph;
use crate::random::Stream;

/// Covers are looked for from so many beginnings at most.
const TRIALS: u64 = 64;

/// For each node the one that it exchanges its traffic with, over as many chains as are found.
/// Nodes that are left over exchange theirs in pairs.
pub fn partners(graph: &Graph) -> Vec<Option<u32>> {
    let mut best: Option<(Vec<[u32; 4]>, Vec<u32>)> = None;
    for trial in 0..TRIALS {
        let found = Cover::new(graph, trial).find();
        if best.as_ref().is_none_or(|(chains, _)| found.0.len() > chains.len()) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|(_, left)| left.len() < 4) {
            break;
        }
    }
    let (chains, left) = best.unwrap_or_default();
    let mut partners = vec![None; graph.count()];
    let crossed = chains.iter().flat_map(|[a, b, c, d]| [[*a, *c], [*b, *d]]);
    for [one, other] in crossed.chain(left.as_chunks().0.iter().copied()) {
        partners[one as usize] = Some(other);
        partners[other as usize] = Some(one);
    }
    partners
}

/// A cover in the making.
struct Cover<'a> {
    graph: &'a Graph,
    free: Vec<bool>,
    /// How many neighbors of each node are free.
    degree: Vec<u32>,
    /// The nodes in an order that decides between equals.
    order: Vec<u32>,
}

impl<'a> Cover<'a> {
    fn new(graph: &'a Graph, trial: u64) -> Cover<'a> {
        let nodes = graph.count() as u32;
        let mut order: Vec<u32> = (0..nodes).collect();
        let mut stream = Stream::new(trial, "chains", 0);
        for place in (1..nodes).rev() {
            order.swap(place as usize, stream.below(place + 1) as usize);
        }
        let degree = (0..nodes).map(|node| graph.neighbors(node).len() as u32).collect();
        Cover { graph, free: vec![true; nodes as usize], degree, order }
    }

    /// Chains from the most hemmed-in nodes on, and the nodes that are in none.
    fn find(mut self) -> (Vec<[u32; 4]>, Vec<u32>) {
        let (mut chains, mut left) = (Vec::new(), Vec::new());
        while let Some(start) = self.tightest(self.order.iter().copied()).first().copied() {
            match self.chain_from(start) {
                Some(chain) => {
                    chain.into_iter().for_each(|node| self.take(node));
                    chains.push(chain);
                }
                None => {
                    self.take(start);
                    left.push(start);
                }
            }
        }
        (chains, left)
    }

    /// Free nodes, those with the fewest free neighbors first.
    fn tightest(&self, nodes: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut nodes: Vec<u32> = nodes.filter(|node| self.free[*node as usize]).collect();
        nodes.sort_by_key(|node| self.degree[*node as usize]);
        nodes
    }

    fn take(&mut self, node: u32) {
        self.free[node as usize] = false;
        for neighbor in self.graph.neighbors(node) {
            self.degree[*neighbor as usize] -= 1;
        }
    }

    /// Free neighbors of `node` that have only it between them and `before`.
    fn onwards(&self, node: u32, before: u32) -> Vec<u32> {
        let fits = |next: &u32| {
            *next != before
                && self.graph.arc(before, *next).is_none()
                && common(self.graph, before, *next) == 1
        };
        self.tightest(self.graph.neighbors(node).iter().copied().filter(fits))
    }

    fn chain_from(&self, a: u32) -> Option<[u32; 4]> {
        for b in self.tightest(self.graph.neighbors(a).iter().copied()) {
            for c in self.onwards(b, a) {
                if let Some(d) = self.onwards(c, b).into_iter().find(|d| *d != a) {
                    return Some([a, b, c, d]);
                }
            }
        }
        None
    }
}
