//! Weighted graphs that are cut in two, and their coarser versions.

use crate::random::Stream;

/// One direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arc {
    /// The vertex that it leads to.
    pub(super) to: u32,
    /// What cutting the edge costs.
    pub(super) capacity: u32,
}

/// A graph at one level of coarseness.
#[derive(Clone, Debug)]
pub(super) struct Level {
    first: Vec<u32>,
    arcs: Vec<Arc>,
    /// Endpoints in each vertex.
    weights: Vec<u32>,
    heaviest: u32,
}

/// No vertex.
const NONE: u32 = u32::MAX;

impl Level {
    /// A graph of vertices with these weights and without edges.
    pub(super) fn new(weights: Vec<u32>) -> Level {
        let heaviest = weights.iter().copied().max().unwrap_or(0);
        Level { first: vec![0], arcs: Vec::new(), weights, heaviest }
    }

    /// Gives the next vertex its arcs.
    pub(super) fn vertex(&mut self, arcs: impl IntoIterator<Item = Arc>) {
        self.arcs.extend(arcs);
        self.first.push(self.arcs.len() as u32);
    }

    pub(super) fn vertex_count(&self) -> u32 {
        self.weights.len() as u32
    }

    pub(super) fn arc_count(&self) -> u64 {
        self.arcs.len() as u64
    }

    pub(super) fn arcs(&self, vertex: u32) -> &[Arc] {
        let vertex = vertex as usize;
        &self.arcs[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    pub(super) fn weight(&self, vertex: u32) -> u32 {
        self.weights[vertex as usize]
    }

    /// The largest weight of a vertex.
    pub(super) fn heaviest(&self) -> u32 {
        self.heaviest
    }

    /// Merges pairs of neighbors with heavy edges between them (heavy-edge matching, Karypis and
    /// Kumar 1998), never two that `apart` tells apart, nor into more than `most` endpoints.
    /// Gives the coarser graph, and for each vertex the one that it went into.
    pub(super) fn coarsen(
        &self,
        apart: Option<&[bool]>,
        most: u32,
        stream: &mut Stream,
    ) -> (Level, Vec<u32>) {
        let mut order: Vec<u32> = (0..self.vertex_count()).collect();
        stream.shuffle(&mut order);
        let salt = stream.bits();
        let mut into = vec![NONE; order.len()];
        let mut weights = Vec::new();
        let mut members = Vec::new();
        for vertex in order {
            if into[vertex as usize] != NONE {
                continue;
            }
            let fits = |to: u32| {
                let same = apart.is_none_or(|side| side[vertex as usize] == side[to as usize]);
                let light = self.weight(vertex).saturating_add(self.weight(to)) <= most;
                same && light && into[to as usize] == NONE && to != vertex
            };
            let partner = self.partner(vertex, fits, salt);
            into[vertex as usize] = weights.len() as u32;
            let other = partner.unwrap_or(vertex);
            into[other as usize] = weights.len() as u32;
            weights.push(self.weight(vertex) + partner.map_or(0, |other| self.weight(other)));
            members.push((vertex, partner));
        }
        (self.merged(weights, &members, &into), into)
    }

    /// The best neighbor to merge with: a large capacity for the weights at its ends; equal ones
    /// in a random order.
    fn partner(&self, vertex: u32, fits: impl Fn(u32) -> bool, salt: u64) -> Option<u32> {
        let rating = |arc: &Arc| {
            let capacity = u64::from(arc.capacity);
            let tie = crate::random::mix(salt ^ u64::from(arc.to));
            (capacity * 1_000_000 / u64::from(self.weight(arc.to).max(1)), tie)
        };
        let fitting = self.arcs(vertex).iter().filter(|arc| fits(arc.to));
        fitting.max_by_key(|arc| rating(arc)).map(|arc| arc.to)
    }

    fn merged(&self, weights: Vec<u32>, members: &[(u32, Option<u32>)], into: &[u32]) -> Level {
        let mut coarse = Level::new(weights);
        // Where the arc to each coarse vertex stands among those of the vertex in hand.
        let mut place = vec![NONE; members.len()];
        let mut arcs: Vec<Arc> = Vec::new();
        for (own, (one, other)) in (0..).zip(members) {
            for vertex in [Some(*one), *other].into_iter().flatten() {
                for arc in self.arcs(vertex) {
                    let to = into[arc.to as usize];
                    match arcs.get_mut(place[to as usize] as usize) {
                        _ if to == own => {}
                        Some(known) => known.capacity += arc.capacity,
                        None => {
                            place[to as usize] = arcs.len() as u32;
                            arcs.push(Arc { to, capacity: arc.capacity });
                        }
                    }
                }
            }
            for arc in &arcs {
                place[arc.to as usize] = NONE;
            }
            coarse.vertex(arcs.drain(..));
        }
        coarse
    }
}
