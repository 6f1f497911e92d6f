//! Drawings of networks without a known structure: what is near in the network is near on the page.

use dragontree::network::{
    Builder, LinkClass, Links, Network, Node, Point, Positions, Structure, SwitchId,
};
use dragontree::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// Switches with an endpoint each; numbered in a scattered order, which is told.
fn network(count: u32, pairs: &[(u32, u32)]) -> (Network, Vec<SwitchId>) {
    // A multiple of a prime beyond the number is met once.
    let id = |switch: u32| SwitchId((switch * 10_007 + 3) % count);
    assert_ne!(count % 10_007, 0);
    let mut builder = Builder::new(&LINKS);
    let mut next = vec![0; count as usize];
    for switch in 0..count {
        let own = (0..count).find(|each| id(*each).0 == switch).expect("each number is met");
        let degree = pairs.iter().filter(|(one, other)| *one == own || *other == own).count();
        builder.switch(degree as u32 + 1);
    }
    let mut end = |switch: SwitchId| {
        next[switch.index()] += 1;
        (Node::Switch(switch), next[switch.index()] - 1)
    };
    for switch in (0..count).map(SwitchId) {
        let endpoint = Node::Endpoint(builder.endpoint(1));
        builder.link((endpoint, 0), end(switch), LinkClass::Endpoint);
    }
    for (one, other) in pairs {
        let (one, other) = (end(id(*one)), end(id(*other)));
        builder.link(one, other, LinkClass::Switch);
    }
    let network = builder.finish(Structure::Irregular).expect("well cabled");
    (network, (0..count).map(id).collect())
}

/// The places of the switches in the order in which they were told; those without links stand apart.
fn places(count: u32, pairs: &[(u32, u32)]) -> Vec<Point> {
    let (network, ids) = network(count, pairs);
    let positions = Positions::of(&network);
    ids.into_iter().map(|id| positions.switch(id)).collect()
}

fn ring(count: u32) -> Vec<(u32, u32)> {
    (0..count).map(|switch| (switch, (switch + 1) % count)).collect()
}

fn mesh(wide: u32, high: u32) -> Vec<(u32, u32)> {
    let right = (0..wide * high).filter(|at| at % wide + 1 < wide).map(|at| (at, at + 1));
    right.chain((0..wide * (high - 1)).map(|at| (at, at + wide))).collect()
}

/// Groups of four, every two of them joined once.
fn groups() -> Vec<(u32, u32)> {
    let within = (0..9).flat_map(|group| {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        pairs.map(|(one, other)| (group * 4 + one, group * 4 + other))
    });
    let between = (0..9).flat_map(|one| {
        (one + 1..9).map(move |other| (one * 4 + (other - 1) / 2, other * 4 + one / 2))
    });
    within.chain(between).collect()
}

fn distance([a, b]: Point, [c, d]: Point) -> f64 {
    let [dx, dy] = [f64::from(a) - f64::from(c), f64::from(b) - f64::from(d)];
    (dx * dx + dy * dy).sqrt()
}

fn cross(from: Point, one: Point, other: Point) -> f32 {
    (one[0] - from[0]) * (other[1] - from[1]) - (one[1] - from[1]) * (other[0] - from[0])
}

#[test]
fn a_ring_is_a_convex_polygon_in_its_order() {
    // With one more beside them they are no grid.
    for (count, more) in [4, 5, 8, 21, 64, 150].map(|count| [(count, 0), (count, 1)]).as_flattened()
    {
        let (count, more) = (*count, *more);
        let mut places = places(count + more, &ring(count));
        places.truncate(count as usize);
        let at = |place: u32| places[(place % count) as usize];
        let sum = places.iter().fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        let middle = sum.map(|side| side / count as f32);
        let side = cross(at(0), at(1), at(2)).signum();
        for place in 0..count {
            let corner = cross(at(place), at(place + 1), at(place + 2)) * side;
            assert!(corner > 0.0, "{count}: {place} {corner}");
            assert!(cross(middle, at(place), at(place + 1)) * side > 0.0, "{count}: {place}");
        }
        // Once around: a star would go round several times.
        let turns = (0..count)
            .filter(|place| (at(*place)[1] < middle[1]) && (at(place + 1)[1] >= middle[1]));
        assert_eq!(turns.count(), 1, "{count}");
    }
}

#[test]
fn neighbors_in_a_mesh_are_nearer_than_any_others() {
    // With one more beside them they are no grid.
    let sizes = [(3, 3), (4, 4), (8, 8), (12, 12), (10, 5), (7, 2)];
    // Grids stretch to fill the page.
    for (wide, high, more) in
        sizes.map(|(wide, high)| [(wide, high, 0), (wide, high, 1)]).as_flattened()
    {
        let (wide, high) = (*wide, *high);
        if *more == 0 && wide != high {
            continue;
        }
        let pairs = mesh(wide, high);
        let places = places(wide * high + more, &pairs);
        let drawn =
            |(one, other): &(u32, u32)| distance(places[*one as usize], places[*other as usize]);
        let longest = pairs.iter().map(drawn).fold(0.0, f64::max);
        for one in 0..wide * high {
            for other in one + 1..wide * high {
                let pair = (one, other);
                assert!(pairs.contains(&pair) || drawn(&pair) > longest, "{wide} {high} {pair:?}");
            }
        }
    }
}

/// The mean squared error of the drawn distances as shares of those in the network, in the scale
/// in which it is least.
fn stress(count: u32, pairs: &[(u32, u32)], places: &[Point]) -> f64 {
    // Floyd & Warshall.
    let count = count as usize;
    let mut far = vec![vec![f64::INFINITY; count]; count];
    (0..count).for_each(|node| far[node][node] = 0.0);
    for (one, other) in pairs {
        far[*one as usize][*other as usize] = 1.0;
        far[*other as usize][*one as usize] = 1.0;
    }
    for by in 0..count {
        for one in 0..count {
            for other in 0..count {
                far[one][other] = far[one][other].min(far[one][by] + far[by][other]);
            }
        }
    }
    let all = (0..count).flat_map(|one| (0..one).map(move |other| (one, other)));
    let shares: Vec<f64> =
        all.map(|(one, other)| distance(places[one], places[other]) / far[one][other]).collect();
    let scale = shares.iter().sum::<f64>() / shares.iter().map(|share| share * share).sum::<f64>();
    let error = |share: &f64| (share * scale - 1.0) * (share * scale - 1.0);
    shares.iter().map(error).sum::<f64>() / shares.len() as f64
}

#[test]
fn distances_are_better_than_on_a_circle() {
    let petersen =
        (0..5).flat_map(|at| [(at, (at + 1) % 5), (at, at + 5), (at + 5, (at + 2) % 5 + 5)]);
    let chain = (1..30).map(|at| (at - 1, at));
    for (name, count, pairs, most) in [
        ("mesh", 49, mesh(7, 7), 0.2),
        ("chain", 30, chain.collect(), 0.05),
        ("groups", 36, groups(), 0.7),
        ("Petersen", 10, petersen.collect(), 0.9),
    ] {
        let circle: Vec<Point> = (0..count)
            .map(|at| {
                let turn = f64::from(at) / f64::from(count) * std::f64::consts::TAU;
                [cosine(turn), cosine(turn + std::f64::consts::FRAC_PI_2)]
            })
            .collect();
        let own = stress(count, &pairs, &places(count, &pairs));
        let other = stress(count, &pairs, &circle);
        assert!(own < other * most, "{name}: {own} and {other}");
    }
}

/// The cosine, well enough for a drawing.
fn cosine(turn: f64) -> f32 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for each in 1..30 {
        term *= -turn * turn / f64::from((2 * each - 1) * (2 * each));
        sum += term;
    }
    sum as f32
}

#[test]
fn switches_of_thousands_do_not_hide_one_another() {
    // Half of the distance at which they would stand evenly.
    let [mesh_step, ring_step] = [1.0 / 42.0, std::f64::consts::PI / 900.0].map(|step| step / 2.0);
    // A switch that hangs on the first makes them no grid.
    let hanging = |mut pairs: Vec<(u32, u32)>, count| {
        pairs.push((0, count));
        pairs
    };
    for (count, pairs, least) in
        [(1601, hanging(mesh(40, 40), 1600), mesh_step), (901, hanging(ring(900), 900), ring_step)]
    {
        let mut places = places(count, &pairs);
        places.sort_by(|one, other| one[0].total_cmp(&other[0]));
        for (place, one) in places.iter().enumerate() {
            for other in places[place + 1..].iter().take_while(|other| other[0] - one[0] < 0.1) {
                assert!(distance(*one, *other) > least, "{count}: {one:?} {other:?}");
            }
        }
    }
}

#[test]
fn parts_stand_side_by_side_and_complete_ones_in_a_circle() {
    let complete = (0..7_u32).flat_map(|one| (0..one).map(move |other| (other, one)));
    let ring = ring(6).into_iter().map(|(one, other)| (one + 7, other + 7));
    let chain = [(13, 14), (14, 15)];
    let places = places(17, &complete.chain(ring).chain(chain).collect::<Vec<_>>());
    let bounds = |own: &[Point]| {
        let side = |side: usize| own.iter().map(move |at| at[side]);
        let low = [0, 1].map(|at| side(at).fold(f32::INFINITY, f32::min));
        (low, [0, 1].map(|at| side(at).fold(f32::NEG_INFINITY, f32::max)))
    };
    let boxes = [0..7, 7..13, 13..16, 16..17].map(|own| bounds(&places[own]));
    for (place, (low, high)) in boxes.iter().enumerate() {
        for (other_low, other_high) in &boxes[..place] {
            let apart = (0..2).any(|side| {
                high[side] + 0.02 < other_low[side] || other_high[side] + 0.02 < low[side]
            });
            assert!(apart, "{boxes:?}");
        }
    }
    let middle = [0, 1].map(|side| (boxes[0].0[side] + boxes[0].1[side]) / 2.0);
    let sum = places[..7].iter().fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    let middle_of_all = sum.map(|side| side / 7.0);
    assert!(distance(middle, middle_of_all) < 0.05);
    let around: Vec<f64> = places[..7].iter().map(|at| distance(*at, middle_of_all)).collect();
    assert!(around.iter().all(|far| (far / around[0] - 1.0).abs() < 1e-4), "{around:?}");
}
