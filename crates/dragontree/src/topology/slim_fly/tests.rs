use super::*;
use crate::network::PortId;
use crate::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn slim_fly(order: u32, rounding: Rounding) -> SlimFly {
    SlimFly { rounding, order }
}

/// The neighbors of each switch, in order.
fn graph(network: &Network) -> Vec<Vec<u32>> {
    let around = |switch| {
        let ports = network.ports(Node::Switch(switch)).map(PortId);
        let neighbors = ports.filter_map(|port| match network.neighbor(port) {
            Some(Node::Switch(neighbor)) => Some(neighbor.0),
            _ => None,
        });
        let mut neighbors: Vec<u32> = neighbors.collect();
        neighbors.sort_unstable();
        neighbors
    };
    network.switches().map(around).collect()
}

/// The mean number and the largest number of two-hop paths between two switches without a link;
/// panics when a pair has none, or when a switch is its own neighbor or has one twice.
fn two_hop_paths(graph: &[Vec<u32>]) -> (f64, u32) {
    let (mut pairs, mut paths, mut most) = (0_u64, 0_u64, 0);
    let mut count = vec![0_u32; graph.len()];
    for (from, neighbors) in graph.iter().enumerate() {
        assert!(neighbors.windows(2).all(|two| two[0] < two[1]), "parallel links");
        count.fill(0);
        for middle in neighbors {
            graph[*middle as usize].iter().for_each(|to| count[*to as usize] += 1);
        }
        // A path there and back is no path, and to a neighbor it is not minimal.
        count[from] = 0;
        neighbors.iter().for_each(|to| count[*to as usize] = 0);
        assert!(neighbors.binary_search(&(from as u32)).is_err(), "a loop");
        let far = count.iter().filter(|count| **count > 0);
        let reached = far.clone().count();
        assert_eq!(reached + neighbors.len() + 1, graph.len(), "further than two hops");
        pairs += reached as u64;
        paths += far.clone().map(|count| u64::from(*count)).sum::<u64>();
        most = far.copied().fold(most, u32::max);
    }
    (paths as f64 / pairs as f64, most)
}

/// Prisacari 2020, §7.2.1.2 and §7.2.3.3: `2q²` switches of degree `(3q - δ)/2` and diameter 2
/// for every prime power q, the prime powers beyond the thesis's examples included.
#[test]
fn every_slim_fly_has_diameter_two() {
    // q, mean and largest number of minimal paths between switches that are not joined: those of
    // q = 23 are the thesis's (1.1 and 8), the others were counted by another program.
    let diversities = [
        (3, 1.5, 2),
        (4, 1.2, 2),
        (5, 1.0, 1),
        (7, 1.2093, 3),
        (8, 1.0957, 2),
        (9, 1.0270, 2),
        (11, 1.1339, 3),
        (13, 1.0377, 3),
        (16, 1.0842, 6),
        (17, 1.0435, 4),
        (19, 1.1127, 7),
        (23, 1.0998, 8),
    ];
    for q in (3..=64).filter(|q| prime_power(*q).is_some()) {
        let network = slim_fly(q, Rounding::Floor).build(&LINKS).expect("a prime power");
        let delta = [0, 1, 0, -1][q as usize % 4];
        let degree = (3 * q).checked_add_signed(-delta).expect("positive") / 2;
        assert_eq!(network.switch_count(), 2 * q * q);
        assert_eq!(network.endpoint_count(), 2 * q * q * (degree / 2));
        assert_eq!(network.radix(), degree + degree / 2);
        assert_eq!(network.link_count(), network.endpoint_count() + q * q * degree);
        let graph = graph(&network);
        assert!(graph.iter().all(|neighbors| neighbors.len() as u32 == degree), "{q}");
        let (mean, most) = two_hop_paths(&graph);
        if let Some((_, expected, largest)) = diversities.iter().find(|each| each.0 == q) {
            assert!((mean - expected).abs() < 0.00006, "{q}: {mean}");
            assert_eq!(most, *largest, "{q}");
        }
    }
}

#[test]
fn generators_are_those_of_the_definition() {
    let sets: &[(u32, &[u32], &[u32])] = &[
        (3, &[1, 2], &[1, 2]),
        (4, &[1, 3], &[1, 2]),
        (5, &[1, 4], &[2, 3]),
        (7, &[1, 2, 5, 6], &[1, 3, 4, 6]),
        (8, &[1, 4, 5, 6], &[1, 2, 3, 7]),
        (9, &[1, 2, 3, 6], &[4, 5, 7, 8]),
        (11, &[1, 4, 5, 6, 7, 10], &[1, 2, 3, 8, 9, 10]),
        (13, &[1, 3, 4, 9, 10, 12], &[2, 5, 6, 7, 8, 11]),
        (16, &[1, 3, 4, 5, 7, 9, 12, 15], &[1, 2, 6, 8, 10, 11, 13, 14]),
        // Squares and the others.
        (17, &[1, 2, 4, 8, 9, 13, 15, 16], &[3, 5, 6, 7, 10, 11, 12, 14]),
    ];
    for (q, x, x_prime) in sets {
        let field = Field::new(*q).expect("a prime power");
        assert_eq!(generators(&field, *q), [x.to_vec(), x_prime.to_vec()], "{q}");
    }
}

/// The links of Prisacari 2020, §7.2.1.2, checked one by one for a prime, where the field's
/// arithmetic is that of remainders.
#[test]
fn links_follow_the_equations() {
    let q = 7;
    let network = slim_fly(q, Rounding::Ceil).build(&LINKS).expect("a prime");
    let Structure::Mms(mms) = network.structure() else { panic!("halves") };
    let sets = [vec![1, 2, 5, 6], vec![1, 3, 4, 6]];
    let graph = graph(&network);
    for (from, neighbors) in graph.iter().enumerate() {
        let [half, column, row] = mms.place(SwitchId(from as u32));
        for to in network.switches() {
            let [other_half, other_column, other_row] = mms.place(to);
            let joined = match (half, other_half) {
                (0, 1) => row == (other_column * column + other_row) % q,
                (1, 0) => other_row == (column * other_column + row) % q,
                _ => {
                    column == other_column
                        && sets[half as usize].contains(&((row + q - other_row) % q))
                }
            };
            assert_eq!(neighbors.contains(&to.0), joined);
        }
    }
    for (port, channel) in network.links() {
        let ends = [network.owner(port), network.owner(channel.peer)];
        if let [Node::Switch(one), Node::Switch(other)] = ends {
            let same_half = mms.place(one)[0] == mms.place(other)[0];
            let class = if same_half { LinkClass::Local } else { LinkClass::Global };
            assert_eq!(channel.class, class);
        }
    }
}

/// Prisacari 2020, §7.2.1.2 and §7.4.1: q = 13 has 3.11 ports and 2.05 links per endpoint rounded
/// down, 2.9 and 1.95 rounded up; q = 5 is the Hoffman-Singleton graph.
#[test]
fn named_members_have_their_sizes() {
    let of = |order, rounding| slim_fly(order, rounding).build(&LINKS).expect("a prime");
    let per_endpoint = |network: &Network| {
        let endpoints = f64::from(network.endpoint_count());
        let ports = f64::from(network.switch_count() * network.radix());
        [ports / endpoints, f64::from(network.link_count()) / endpoints]
    };
    let down = of(13, Rounding::Floor);
    let [ports, links] = per_endpoint(&down);
    assert_eq!((down.endpoint_count(), down.switch_count(), down.radix()), (3042, 338, 28));
    assert!((ports - 3.111).abs() < 0.001 && (links - 2.056).abs() < 0.001, "{ports} {links}");
    let up = of(13, Rounding::Ceil);
    let [ports, links] = per_endpoint(&up);
    assert_eq!((up.endpoint_count(), up.radix()), (3380, 29));
    assert!((ports - 2.9).abs() < 0.001 && (links - 1.95).abs() < 0.001, "{ports} {links}");
    let small = [of(5, Rounding::Floor), of(5, Rounding::Ceil)];
    let sizes = small.map(|network| (network.endpoint_count(), network.radix()));
    assert_eq!(sizes, [(150, 10), (200, 11)]);
}

#[test]
fn other_orders_are_refused_with_their_neighbors() {
    let problem = |q| slim_fly(q, Rounding::Floor).build(&LINKS).expect_err("no prime power");
    let sentence =
        "q: “6” was given; allowed: prime powers from 3, such as 5 and 7 (did you mean 5?)";
    assert_eq!(problem(6)[0].to_string(), sentence);
    assert_eq!(problem(126)[0].nearest.as_deref(), Some("125"));
    for q in [127, 128] {
        let problems = slim_fly(q, Rounding::Floor).build(&LINKS).expect_err("too large");
        assert!(problems[0].to_string().contains("allowed: up to 4000000"));
    }
}
