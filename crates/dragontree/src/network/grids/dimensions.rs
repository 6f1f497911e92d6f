//! Which links are of the same dimension.

use super::super::SwitchId;
use super::super::graph::Graph;
use super::NotAGrid;

/// For each edge, as it leaves from each of its ends, the number of its class.
pub struct Classes {
    /// By [`Graph::entry`].
    pub of: Vec<u32>,
    /// The number of classes.
    pub count: u32,
}

/// Sorts the edges of a connected graph into the dimensions that it would have as a grid.
///
/// # Errors
/// No grid has such switches.
pub fn classes(graph: &Graph) -> Result<Classes, NotAGrid> {
    let count = graph.count();
    if count < 2 {
        return Err(NotAGrid::TooSmall);
    }
    let parts = graph.components();
    if let [one, other, ..] = &parts[..] {
        return Err(NotAGrid::Apart { one: SwitchId(one[0]), other: SwitchId(other[0]) });
    }
    // Each dimension has two neighbors at most, and at least doubles the switches.
    let most = 2 * count.ilog2() as usize;
    for node in 0..count as u32 {
        let neighbors = graph.neighbors(node).len();
        if neighbors > most {
            let switch = SwitchId(node);
            return Err(NotAGrid::Degree { switch, neighbors, most, switches: count });
        }
    }
    let mut sets = Sets::new(graph.entry_count());
    for [one, other] in graph.edges() {
        sets.join(graph.entry(one, other), graph.entry(other, one));
    }
    let straight = join_squares(graph, &mut sets)?;
    join_lines(&mut sets, straight);
    let (of, count) = sets.numbered();
    Ok(Classes { of, count })
}

/// Joins opposite sides of squares; shows the pairs of edges of a node that are in no square.
fn join_squares(graph: &Graph, sets: &mut Sets) -> Result<Vec<[usize; 2]>, NotAGrid> {
    let mut straight = Vec::new();
    for node in 0..graph.count() as u32 {
        let neighbors = graph.neighbors(node);
        for (place, one) in neighbors.iter().enumerate() {
            for other in &neighbors[place + 1..] {
                let common = |far: &&u32| **far != node && graph.entry(*other, **far).is_some();
                let mut far = graph.neighbors(*one).iter().filter(common);
                let (sides, opposite) = (graph.entry(node, *one), graph.entry(node, *other));
                match (far.next(), far.next()) {
                    (None, _) => straight.extend(sides.zip(opposite).map(|(a, b)| [a, b])),
                    (Some(corner), None) => {
                        sets.join(sides, graph.entry(*other, *corner));
                        sets.join(opposite, graph.entry(*one, *corner));
                    }
                    (Some(_), Some(_)) => {
                        let (one, other) = (SwitchId(*one), SwitchId(*other));
                        return Err(NotAGrid::Crowded { one, other });
                    }
                }
            }
        }
    }
    Ok(straight)
}

/// Joins the edges between two layers to those between the next two, which go straight on nearly
/// everywhere; where a link is missing, others seem to at its ends.
fn join_lines(sets: &mut Sets, straight: Vec<[usize; 2]>) {
    let mut sizes = vec![0_u32; sets.above.len()];
    (0..sizes.len()).for_each(|entry| sizes[sets.find(entry)] += 1);
    let mut pairs: Vec<[usize; 2]> = straight
        .into_iter()
        .map(|pair| {
            let mut pair = pair.map(|entry| sets.find(entry));
            pair.sort_unstable();
            pair
        })
        .collect();
    pairs.sort_unstable();
    for run in pairs.chunk_by(|one, other| one == other) {
        let [one, other] = run[0];
        // Each edge is counted from both ends.
        let [fewer, more] = [sizes[one].min(sizes[other]) / 2, sizes[one].max(sizes[other]) / 2];
        // A link that is too many goes straight on wherever it ends.
        let is_one_too_many = fewer == 1 && more > 1;
        if one != other && !is_one_too_many && run.len() as u32 * 3 > fewer * 2 {
            sets.join(Some(one), Some(other));
        }
    }
}

/// Disjoint sets.
pub struct Sets {
    above: Vec<usize>,
}

impl Sets {
    /// Each number is a set of its own.
    pub fn new(count: usize) -> Sets {
        Sets { above: (0..count).collect() }
    }

    /// The number that stands for a set.
    pub fn find(&mut self, mut own: usize) -> usize {
        while self.above[own] != own {
            self.above[own] = self.above[self.above[own]];
            own = self.above[own];
        }
        own
    }

    /// Makes two sets one, when both are there.
    pub fn join(&mut self, one: Option<usize>, other: Option<usize>) {
        if let (Some(one), Some(other)) = (one, other) {
            let (one, other) = (self.find(one), self.find(other));
            self.above[one.max(other)] = one.min(other);
        }
    }

    /// For each number that of its set, by their lowest numbers, and how many sets there are.
    pub fn numbered(&mut self) -> (Vec<u32>, u32) {
        let mut count = 0;
        let mut numbers: Vec<u32> = Vec::with_capacity(self.above.len());
        for own in 0..self.above.len() {
            let number = match self.find(own) {
                first if first < own => numbers[first],
                _ => {
                    count += 1;
                    count - 1
                }
            };
            numbers.push(number);
        }
        (numbers, count)
    }
}
