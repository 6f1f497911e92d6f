//! A shortest cycle through a given vertex, searched from both of its ends.

use super::{Adjacency, Digraph};

/// Two breadth-first searches that meet. Their marks are used again from start to start.
pub(super) struct Search {
    /// Along the edges, and against them.
    sides: [Side; 2],
    round: u32,
}

/// One of the two searches.
struct Side {
    /// In which round a vertex was last reached.
    reached: Vec<u32>,
    /// From which vertex.
    via: Vec<u32>,
    /// How many edges from the start.
    distance: Vec<u32>,
    /// The vertices reached last.
    frontier: Vec<u32>,
    /// How many edges the search went so far.
    depth: u32,
}

impl Side {
    fn new(vertices: u32) -> Side {
        let zeros = || vec![0; vertices as usize];
        Side { reached: zeros(), via: zeros(), distance: zeros(), frontier: Vec::new(), depth: 0 }
    }

    fn start(&mut self, at: u32, round: u32) {
        self.frontier.clear();
        self.depth = 0;
        self.reach(at, at, round);
    }

    fn reach(&mut self, vertex: u32, via: u32, round: u32) {
        self.reached[vertex as usize] = round;
        self.via[vertex as usize] = via;
        self.distance[vertex as usize] = self.depth;
        self.frontier.push(vertex);
    }

    /// The vertices from one that was reached to the start, both included.
    fn way_back(&self, from: u32) -> Vec<u32> {
        let mut way = vec![from];
        for _ in 0..self.distance[from as usize] {
            way.extend(way.last().map(|vertex| self.via[*vertex as usize]));
        }
        way
    }
}

impl Search {
    pub fn new(vertices: u32) -> Search {
        Search { sides: [Side::new(vertices), Side::new(vertices)], round: 0 }
    }

    /// A cycle through `start` with fewer than `below` edges, among vertices that are alive. When
    /// it is the shortest of the graph it passes no vertex twice.
    pub fn through(
        &mut self,
        start: u32,
        graph: &Digraph,
        alive: &[bool],
        below: u32,
    ) -> Option<Vec<u32>> {
        self.round += 1;
        self.sides.iter_mut().for_each(|side| side.start(start, self.round));
        let mut below = below;
        let mut found = None;
        // A cycle of k edges is found once both searches together went k edges.
        while self.sides[0].depth + self.sides[1].depth + 1 < below
            && self.sides.iter().all(|side| !side.frontier.is_empty())
        {
            let backward = self.sides[1].frontier.len() < self.sides[0].frontier.len();
            let adjacency = if backward { &graph.behind } else { &graph.ahead };
            if let Some((length, edge)) = self.advance(backward, adjacency, alive, below) {
                below = length;
                found = Some(edge);
            }
        }
        let (from, to) = found?;
        let mut cycle = self.sides[0].way_back(from);
        cycle.reverse();
        let mut rest = self.sides[1].way_back(to);
        rest.pop();
        cycle.extend(rest);
        Some(cycle)
    }

    /// Goes an edge further on one side; the edge that closes the shortest cycle with fewer than
    /// `below` edges, and their number.
    fn advance(
        &mut self,
        backward: bool,
        adjacency: &Adjacency,
        alive: &[bool],
        below: u32,
    ) -> Option<(u32, (u32, u32))> {
        let round = self.round;
        let [forth, back] = &mut self.sides;
        let (side, other) = if backward { (back, forth) } else { (forth, back) };
        let mut best = None;
        let mut below = below;
        side.depth += 1;
        for vertex in std::mem::take(&mut side.frontier) {
            for next in adjacency.of(vertex).iter().copied() {
                if !alive[next as usize] {
                    continue;
                }
                if other.reached[next as usize] == round {
                    let length = side.depth + other.distance[next as usize];
                    if length < below {
                        below = length;
                        let edge = if backward { (next, vertex) } else { (vertex, next) };
                        best = Some((length, edge));
                    }
                }
                if side.reached[next as usize] != round {
                    side.reach(next, vertex, round);
                }
            }
        }
        best
    }
}
