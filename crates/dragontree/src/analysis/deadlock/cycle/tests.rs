use super::*;
use crate::random::Stream;

/// The length of a shortest cycle by trying every path; none when there is none.
fn shortest(vertices: u32, edges: &[(u32, u32)]) -> Option<usize> {
    fn longer(edges: &[(u32, u32)], path: &mut Vec<u32>, best: &mut Option<usize>) {
        let last = path[path.len() - 1];
        for (_, to) in edges.iter().filter(|(from, _)| *from == last) {
            if *to == path[0] {
                *best = Some(best.map_or(path.len(), |best| best.min(path.len())));
            } else if !path.contains(to) {
                path.push(*to);
                longer(edges, path, best);
                path.pop();
            }
        }
    }
    let mut best = None;
    for start in 0..vertices {
        longer(edges, &mut vec![start], &mut best);
    }
    best
}

fn random_edges(vertices: u32, share: u32, stream: &mut Stream) -> Vec<(u32, u32)> {
    let pairs = (0..vertices).flat_map(|from| (0..vertices).map(move |to| (from, to)));
    pairs.filter(|_| stream.below(100) < share).collect()
}

fn check(vertices: u32, edges: &[(u32, u32)]) -> Option<usize> {
    let found = Digraph::new(vertices, edges.iter().copied()).order();
    let expected = shortest(vertices, edges);
    match &found {
        Ok(order) => {
            assert_eq!(expected, None, "{edges:?}");
            let mut places = vec![usize::MAX; vertices as usize];
            for (place, vertex) in order.iter().enumerate() {
                assert_eq!(places[*vertex as usize], usize::MAX, "{order:?}");
                places[*vertex as usize] = place;
            }
            assert!(places.iter().all(|place| *place < vertices as usize), "{order:?}");
            for (from, to) in edges {
                assert!(places[*from as usize] < places[*to as usize], "{order:?}, {edges:?}");
            }
        }
        Err(cycle) => {
            assert_eq!(Some(cycle.len()), expected, "{edges:?}\n{cycle:?}");
            for (place, from) in cycle.iter().enumerate() {
                let to = cycle[(place + 1) % cycle.len()];
                assert!(edges.contains(&(*from, to)), "{edges:?}\n{cycle:?}");
            }
        }
    }
    expected
}

#[test]
fn orders_and_shortest_cycles_of_random_graphs_agree_with_trying_every_path() {
    let mut stream = Stream::new(1, "digraphs", 0);
    let mut lengths = [0_u32; 10];
    let mut acyclic = 0;
    for round in 0..4000 {
        let vertices = 1 + stream.below(9);
        let mut edges = random_edges(vertices, (50 + round % 100) / vertices, &mut stream);
        // Without loops, mostly: they are the shortest cycles.
        edges.retain(|(from, to)| from != to || round % 50 == 0);
        match check(vertices, &edges) {
            None => acyclic += 1,
            Some(length) => lengths[length] += 1,
        }
    }
    assert!(acyclic > 200, "{acyclic}");
    assert!(lengths[1..7].iter().all(|count| *count > 0), "{lengths:?}");
}

#[test]
fn a_long_cycle_is_found_and_a_short_one_behind_it() {
    // A ring of 1000, an edge that makes it shorter by 3, and a triangle off to one side.
    let ring = (0..1000).map(|vertex| (vertex, (vertex + 1) % 1000));
    let order = |edges: &[(u32, u32)]| Digraph::new(1003, edges.iter().copied()).order();
    let mut edges: Vec<(u32, u32)> = ring.collect();
    assert_eq!(order(&edges).map_err(|cycle| cycle.len()), Err(1000));
    edges.push((500, 504));
    assert_eq!(order(&edges).map_err(|cycle| cycle.len()), Err(997));
    edges.extend([(7, 1000), (1000, 1001), (1001, 1002), (1002, 1000)]);
    let mut triangle = order(&edges).expect_err("a cycle");
    triangle.sort_unstable();
    assert_eq!(triangle, [1000, 1001, 1002]);
}

#[test]
fn a_path_of_a_million_vertices_is_ordered() {
    const LENGTH: u32 = 1_000_000;
    let path = (1..LENGTH).map(|vertex| (vertex - 1, vertex));
    assert_eq!(Digraph::new(LENGTH, path.clone()).order(), Ok((0..LENGTH).collect()));
    let closed = path.chain([(LENGTH - 1, LENGTH - 2)]);
    assert_eq!(Digraph::new(LENGTH, closed).order(), Err(vec![LENGTH - 2, LENGTH - 1]));
}
