//! Small random networks, where everything can be tried.

use std::sync::Arc;

use dragontree::analysis::{Numbers, Survey};
use dragontree::network::{Failures, Grid, Lines, Network, Node, PortId, Structure, SwitchId};
use dragontree::random::Stream;

use super::fabrics::{fabric, grid, multi_homed, numbers, structured};

/// Links between random pairs of switches; several may join the same two.
fn random_links(stream: &mut Stream, switches: u32, count: u32) -> Vec<(u32, u32)> {
    let mut link = || (stream.below(switches), stream.below(switches));
    (0..count).map(|_| link()).filter(|(one, other)| one != other).collect()
}

/// The switches that an endpoint of each slot has ports to, without repetition.
fn homes(network: &Network) -> Vec<Vec<usize>> {
    let home = |endpoint| {
        let ports = network.ports(Node::Endpoint(endpoint)).map(PortId);
        let mut switches: Vec<usize> = ports
            .filter_map(|port| match network.neighbor(port)? {
                Node::Switch(switch) => Some(switch.index()),
                Node::Endpoint(_) => None,
            })
            .collect();
        switches.sort_unstable();
        switches.dedup();
        switches
    };
    network.endpoints().map(home).collect()
}

/// `joined[a][b]`: links between two switches.
fn adjacency(network: &Network) -> Vec<Vec<u32>> {
    let count = network.switch_count() as usize;
    let mut joined = vec![vec![0; count]; count];
    for (port, channel) in network.channels() {
        let ends = (network.owner(port), network.owner(channel.peer));
        if let (Node::Switch(SwitchId(from)), Node::Switch(SwitchId(to))) = ends
            && from != to
        {
            joined[from as usize][to as usize] += 1;
        }
    }
    joined
}

/// All distances, by Floyd and Warshall.
fn all_distances(joined: &[Vec<u32>]) -> Vec<Vec<Option<u32>>> {
    let count = joined.len();
    let direct = |from: usize, to: usize| match (from == to, joined[from][to]) {
        (true, _) => Some(0),
        (false, 0) => None,
        (false, _) => Some(1),
    };
    let mut distances: Vec<Vec<Option<u32>>> =
        (0..count).map(|from| (0..count).map(|to| direct(from, to)).collect()).collect();
    for via in 0..count {
        for from in 0..count {
            for to in 0..count {
                if let (Some(first), Some(second)) = (distances[from][via], distances[via][to]) {
                    let known = distances[from][to].unwrap_or(u32::MAX);
                    distances[from][to] = Some(known.min(first + second));
                }
            }
        }
    }
    distances
}

/// Walks of exactly the shortest length, counted by following every one of them.
fn shortest_paths(
    joined: &[Vec<u32>],
    distances: &[Vec<Option<u32>>],
    from: usize,
    to: usize,
) -> u32 {
    if from == to {
        return 1;
    }
    let closer = |via: &usize| {
        joined[from][*via] > 0 && distances[*via][to].map(|rest| rest + 1) == distances[from][to]
    };
    let through = |via| joined[from][via] * shortest_paths(joined, distances, via, to);
    (0..joined.len()).filter(closer).map(through).sum()
}

/// Diameter, mean distance, unconnected pairs; mean and largest number of shortest paths.
type Expected = (u32, Option<f64>, u64, Option<(f64, f64)>);

fn expected(network: &Network) -> Expected {
    let (homes, joined) = (homes(network), adjacency(network));
    let distances = all_distances(&joined);
    let (mut diameter, mut sum, mut pairs, mut unconnected) = (0, 0, 0, 0);
    let live: Vec<_> =
        network.endpoints().filter(|end| network.injection(*end).is_some()).collect();
    for one in &live {
        for other in live.iter().filter(|other| *other != one) {
            let ways = homes[one.index()].iter().flat_map(|from| {
                homes[other.index()].iter().filter_map(|to| distances[*from][*to])
            });
            match ways.min() {
                None => unconnected += 1,
                Some(distance) => {
                    diameter = diameter.max(distance);
                    sum += distance;
                    pairs += 1;
                }
            }
        }
    }
    let mut edge: Vec<usize> = homes.concat();
    edge.sort_unstable();
    edge.dedup();
    let mut counts = Vec::new();
    for from in &edge {
        for to in edge.iter().filter(|to| *to != from) {
            if distances[*from][*to].is_some_and(|distance| distance > 1) {
                counts.push(shortest_paths(&joined, &distances, *from, *to));
            }
        }
    }
    let mean = (pairs > 0).then(|| f64::from(sum) / f64::from(pairs));
    let most = counts.iter().max().map(|most| f64::from(*most));
    let total = f64::from(counts.iter().sum::<u32>());
    (diameter, mean, unconnected, most.map(|most| (total / counts.len() as f64, most)))
}

fn got(numbers: &Numbers) -> Expected {
    assert!(!numbers.distances_sampled);
    let diversity = numbers.diversity.map(|paths| (paths.mean, paths.max));
    let unconnected = numbers.unconnected_pairs.unwrap();
    (numbers.diameter.unwrap(), numbers.mean_distance, unconnected, diversity)
}

#[test]
fn distances_and_paths_agree_with_brute_force() {
    let mut stream = Stream::new(1, "test", 0);
    for round in 0..300 {
        let switches = 2 + stream.below(12);
        let count = stream.below(3 * switches);
        let links = random_links(&mut stream, switches, count);
        let endpoints: Vec<u32> = (0..switches).map(|_| stream.below(4)).collect();
        let network = fabric(&endpoints, &links);
        assert_eq!(got(&numbers(network.clone())), expected(&network), "{round}");
    }
}

#[test]
fn more_than_64_switches_are_searched_from_in_turn() {
    let mut stream = Stream::new(2, "test", 0);
    let links = random_links(&mut stream, 150, 260);
    let endpoints: Vec<u32> = (0..150).map(|_| stream.below(3)).collect();
    let network = fabric(&endpoints, &links);
    assert_eq!(got(&numbers(network.clone())), expected(&network));
}

/// Endpoints with several ports reach the nearest switch of each other; their switches are joined
/// by links only, never through an endpoint.
#[test]
fn endpoints_on_several_switches_take_the_shorter_way() {
    let mut stream = Stream::new(3, "test", 0);
    for round in 0..200 {
        let switches = 2 + stream.below(7);
        let count = stream.below(2 * switches);
        let links = random_links(&mut stream, switches, count);
        let homes: Vec<Vec<u32>> = (0..1 + stream.below(9))
            .map(|_| (0..stream.below(4)).map(|_| stream.below(switches)).collect())
            .collect();
        let network = multi_homed(switches, &homes, &links);
        assert_eq!(got(&numbers(network.clone())), expected(&network), "{round}");
    }
}

/// The smallest cut over all ways to put the switches on two sides that differ by no more than
/// the most endpoints of one switch, with single endpoints moved to make them equal.
fn smallest_cut(network: &Network) -> u32 {
    let joined = adjacency(network);
    let mut weights = vec![0_u32; joined.len()];
    for home in homes(network) {
        weights[home[0]] += 1;
    }
    let total: u32 = weights.iter().sum();
    let heaviest = weights.iter().copied().max().unwrap();
    let cut = |sides: u32| {
        let side = |switch: usize| sides >> switch & 1 == 1;
        let weight: u32 =
            (0..joined.len()).filter(|switch| side(*switch)).map(|switch| weights[switch]).sum();
        let larger = weight.max(total - weight);
        let mut cut = larger - total.div_ceil(2);
        for (from, links) in joined.iter().enumerate() {
            for (to, count) in links.iter().enumerate() {
                cut += if side(from) && !side(to) { *count } else { 0 };
            }
        }
        (2 * larger - total <= heaviest).then_some(cut)
    };
    (0..1 << (joined.len() - 1)).filter_map(cut).min().unwrap()
}

#[test]
fn cuts_agree_with_brute_force() {
    let mut stream = Stream::new(4, "test", 0);
    for round in 0..150 {
        let switches = 2 + stream.below(13);
        let count = switches / 2 + stream.below(3 * switches);
        let links = random_links(&mut stream, switches, count);
        let most = 1 + stream.below(4);
        let mut endpoints: Vec<u32> = (0..switches).map(|_| stream.below(most + 1)).collect();
        endpoints[0] += 2;
        let network = fabric(&endpoints, &links);
        let cut = numbers(network.clone()).bisection.unwrap();
        assert_eq!(cut.links + cut.moved, smallest_cut(&network), "{round}");
        assert_eq!(cut.half, network.endpoint_count() / 2);
    }
}

/// The sides that are shown are those whose links are counted.
#[test]
fn the_sides_are_those_of_the_cut() {
    let mut stream = Stream::new(5, "test", 0);
    let links = random_links(&mut stream, 40, 90);
    let network = Arc::new(fabric(&[3; 40], &links));
    let mut survey = Survey::new(network.clone());
    while !survey.advance(u64::MAX) {}
    let sides = survey.sides().unwrap();
    let apart = links.iter().filter(|(one, other)| sides[*one as usize] != sides[*other as usize]);
    let numbers = survey.numbers();
    let bisection = numbers.bisection.unwrap();
    assert_eq!(apart.count() as u32, bisection.links);
    assert_eq!(sides.iter().filter(|side| **side).count(), 20);
    assert_eq!((bisection.moved, bisection.half), (0, 60));
    assert_eq!(numbers.bisection_per_endpoint, Some(f64::from(bisection.links) / 60.0));
}

/// However the work is divided, the numbers are the same to the last bit; what is known early is
/// never taken back.
#[test]
fn the_budget_changes_nothing() {
    let mut stream = Stream::new(6, "test", 0);
    let links = random_links(&mut stream, 70, 200);
    let network = Arc::new(fabric(&[2; 70], &links));
    let whole = numbers((*network).clone());
    for budget in [1, 1_000, 77_777] {
        let mut survey = Survey::new(network.clone());
        let early = survey.numbers();
        assert_eq!((early.endpoints, early.diameter, early.bisection), (140, None, None));
        let mut slices = 0;
        while !survey.advance(budget) {
            slices += 1;
            let known = survey.numbers();
            assert!(known.diameter.is_none() || known.diameter == whole.diameter);
            assert!(known.diversity.is_none() || known.diversity == whole.diversity);
        }
        assert!(slices > 10, "{budget}: {slices}");
        assert_eq!(survey.numbers(), whole);
    }
}

/// Looking from one switch instead of all is right only where all look the same.
#[test]
fn symmetry_is_used_where_it_holds() {
    for (widths, lines) in [
        (vec![6, 4, 6], Lines::Ring),
        (vec![5, 3], Lines::Open),
        (vec![4, 2, 4], Lines::Open),
        (vec![3, 1, 4], Lines::Ring),
    ] {
        let links = grid(&widths, lines == Lines::Open);
        let count: u32 = widths.iter().product();
        let structure = Structure::Grid(Grid { widths, lines, endpoints_per_switch: 2 });
        let whole = structured(&vec![2; count as usize], &links, structure);
        let plain = fabric(&vec![2; count as usize], &links);
        let broken = Failures {
            links: vec![whole.ports(Node::Switch(SwitchId(3))).map(PortId).nth(2).unwrap()],
            ..Failures::default()
        };
        assert_eq!(got(&numbers(whole.clone())), got(&numbers(plain.clone())));
        assert_eq!(got(&numbers(whole.clone())), expected(&whole));
        let (whole, plain) = (whole.without(&broken), plain.without(&broken));
        assert_eq!(got(&numbers(whole)), got(&numbers(plain.clone())));
        assert_eq!(got(&numbers(plain.clone())), expected(&plain));
    }
}

#[test]
fn networks_without_much_in_them_have_numbers_too() {
    let empty = numbers(fabric(&[], &[]));
    assert_eq!((empty.endpoints, empty.diameter, empty.bisection), (0, Some(0), None));
    let bare = numbers(fabric(&[0, 0], &[(0, 1)]));
    assert_eq!((bare.mean_distance, bare.diversity, bare.bisection), (None, None, None));
    let single = numbers(fabric(&[1], &[]));
    assert_eq!((single.unconnected_pairs, single.bisection), (Some(0), None));
    let apart = numbers(fabric(&[1, 1], &[]));
    assert_eq!((apart.unconnected_pairs, apart.mean_distance), (Some(2), None));
    assert_eq!(apart.bisection_per_endpoint, Some(0.0));
    let one_switch = numbers(fabric(&[4], &[]));
    assert_eq!((one_switch.diameter, one_switch.mean_distance), (Some(0), Some(0.0)));
    assert_eq!(one_switch.bisection_per_endpoint, Some(1.0));
}

/// Numbers are written and read without loss.
#[test]
fn numbers_survive_json() {
    let numbers = numbers(fabric(&[1; 6], &grid(&[3, 2], true)));
    let text = serde_json::to_string(&numbers).unwrap();
    assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), numbers);
}
