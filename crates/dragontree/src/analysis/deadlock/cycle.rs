//! Directed graphs: an order of the vertices that all edges follow, or a shortest cycle.

mod search;

use search::Search;

/// A directed graph without parallel edges.
#[derive(Clone, Debug)]
pub(super) struct Digraph {
    ahead: Adjacency,
    behind: Adjacency,
}

/// For each vertex, those at the other end of its edges.
#[derive(Clone, Debug)]
struct Adjacency {
    first: Vec<u32>,
    others: Vec<u32>,
}

impl Adjacency {
    fn new(vertices: u32, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Adjacency {
        let mut first = vec![0; vertices as usize + 1];
        for (vertex, _) in edges.clone() {
            first[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices as usize {
            first[vertex + 1] += first[vertex];
        }
        let mut next = first.clone();
        let mut others = vec![0; next[vertices as usize] as usize];
        for (vertex, other) in edges {
            let place = &mut next[vertex as usize];
            others[*place as usize] = other;
            *place += 1;
        }
        Adjacency { first, others }
    }

    fn of(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.others[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }

    fn vertices(&self) -> u32 {
        self.first.len() as u32 - 1
    }
}

impl Digraph {
    /// The graph with vertices from 0 and these edges.
    pub fn new(vertices: u32, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Digraph {
        let ahead = Adjacency::new(vertices, edges.clone());
        let behind = Adjacency::new(vertices, edges.map(|(from, to)| (to, from)));
        Digraph { ahead, behind }
    }

    /// The vertices in an order that all edges follow.
    ///
    /// # Errors
    /// There is none: a cycle with the fewest edges, each vertex before the one that its edge
    /// leads to.
    pub fn order(&self) -> Result<Vec<u32>, Vec<u32>> {
        let mut alive = vec![true; self.ahead.vertices() as usize];
        let order = peel(&self.ahead, &self.behind, &mut alive);
        if order.len() == alive.len() {
            return Ok(order);
        }
        peel(&self.behind, &self.ahead, &mut alive);
        Err(self.shortest_cycle(alive))
    }

    /// A shortest cycle among the vertices that are alive.
    ///
    /// Every cycle passes a vertex where a depth-first search closes one. The shortest cycle
    /// through each of those is looked for, and then the vertex is taken away.
    fn shortest_cycle(&self, mut alive: Vec<bool>) -> Vec<u32> {
        let starts = closing_vertices(&self.ahead, &alive);
        let mut search = Search::new(self.ahead.vertices());
        let mut best = Vec::new();
        for start in starts {
            let below = if best.is_empty() { u32::MAX } else { best.len() as u32 };
            if let Some(shorter) = search.through(start, self, &alive, below) {
                best = shorter;
            }
            alive[start as usize] = false;
        }
        best
    }
}

/// Takes away, one after the other, the vertices that no edge leads to from one that is left; in
/// this order.
fn peel(ahead: &Adjacency, behind: &Adjacency, alive: &mut [bool]) -> Vec<u32> {
    let left = |vertex: u32| behind.of(vertex).iter().filter(|other| alive[**other as usize]);
    let mut degrees: Vec<u32> =
        (0..ahead.vertices()).map(|vertex| left(vertex).count() as u32).collect();
    let mut order: Vec<u32> = (0..ahead.vertices())
        .filter(|vertex| alive[*vertex as usize] && degrees[*vertex as usize] == 0)
        .collect();
    let mut next = 0;
    while let Some(vertex) = order.get(next).copied() {
        next += 1;
        alive[vertex as usize] = false;
        for other in ahead.of(vertex) {
            let degree = &mut degrees[*other as usize];
            *degree = degree.saturating_sub(1);
            if *degree == 0 && alive[*other as usize] {
                order.push(*other);
            }
        }
    }
    order
}

/// The vertices to which a depth-first search finds an edge back, in ascending order.
fn closing_vertices(ahead: &Adjacency, alive: &[bool]) -> Vec<u32> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; alive.len()];
    let mut closing = vec![false; alive.len()];
    let mut trail: Vec<(u32, usize)> = Vec::new();
    for root in (0..ahead.vertices()).filter(|vertex| alive[*vertex as usize]) {
        if states[root as usize] != State::New {
            continue;
        }
        trail.push((root, 0));
        states[root as usize] = State::Open;
        while let Some((vertex, next)) = trail.last_mut() {
            let Some(other) = ahead.of(*vertex).get(*next).copied() else {
                states[*vertex as usize] = State::Done;
                trail.pop();
                continue;
            };
            *next += 1;
            match states[other as usize] {
                State::New if alive[other as usize] => {
                    states[other as usize] = State::Open;
                    trail.push((other, 0));
                }
                State::Open => closing[other as usize] = true,
                State::New | State::Done => {}
            }
        }
    }
    (0..ahead.vertices()).filter(|vertex| closing[*vertex as usize]).collect()
}

#[cfg(test)]
mod tests;
