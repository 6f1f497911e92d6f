//! Which links are of the same dimension.

use super::super::SwitchId;
use super::super::graph::Graph;
use super::super::sets::Sets;
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
    let mut sets = Sets::new(graph.arc_count());
    for [one, other] in graph.edges() {
        join(&mut sets, graph.arc(one, other), graph.arc(other, one));
    }
    let straight = join_squares(graph, &mut sets)?;
    join_lines(&mut sets, straight);
    let (of, count) = sets.numbered();
    Ok(Classes { of, count })
}

/// Joins the sets of two edges, where they are there.
fn join(sets: &mut Sets, one: Option<usize>, other: Option<usize>) {
    if let Some((one, other)) = one.zip(other) {
        sets.join(one, other);
    }
}

/// Joins opposite sides of squares; shows the pairs of edges of a node that are in no square.
fn join_squares(graph: &Graph, sets: &mut Sets) -> Result<Vec<[usize; 2]>, NotAGrid> {
    let mut straight = Vec::new();
    for node in 0..graph.count() as u32 {
        let neighbors = graph.neighbors(node);
        for (place, one) in neighbors.iter().enumerate() {
            for other in &neighbors[place + 1..] {
                let common = |far: &&u32| **far != node && graph.arc(*other, **far).is_some();
                let mut far = graph.neighbors(*one).iter().filter(common);
                let (sides, opposite) = (graph.arc(node, *one), graph.arc(node, *other));
                match (far.next(), far.next()) {
                    (None, _) => straight.extend(sides.zip(opposite).map(|(a, b)| [a, b])),
                    (Some(corner), None) => {
                        join(sets, sides, graph.arc(*other, *corner));
                        join(sets, opposite, graph.arc(*one, *corner));
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
    let mut sizes = vec![0_u32; sets.count()];
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
            sets.join(one, other);
        }
    }
}
