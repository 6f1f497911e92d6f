//! Drawing positions: nothing lies on top of anything else, and what belongs together is near.

use dragontree::network::{
    Anchor, Builder, EndpointId, Grid, Layer, Layered, Lines, LinkClass, Links, Mms, Network, Node,
    Point, Positions, Structure, Subnets, SwitchId,
};
use dragontree::topology::{Build, Dragonfly, Xgft};
use dragontree::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// Switches with so many endpoints each, joined in pairs.
fn build(endpoints: &[u32], pairs: &[(u32, u32)], structure: Structure) -> Network {
    let mut builder = Builder::new(&LINKS);
    let mut next = endpoints.to_vec();
    for (switch, own) in (0..).zip(endpoints) {
        let ends = pairs.iter().flat_map(|(one, other)| [one, other]);
        builder.switch(own + ends.filter(|end| **end == switch).count() as u32);
    }
    for (switch, own) in (0..).zip(endpoints) {
        for port in 0..*own {
            let endpoint = Node::Endpoint(builder.endpoint(1));
            builder.link(
                (endpoint, 0),
                (Node::Switch(SwitchId(switch)), port),
                LinkClass::Endpoint,
            );
        }
    }
    for (one, other) in pairs {
        let mut end = |switch: u32| {
            next[switch as usize] += 1;
            (Node::Switch(SwitchId(switch)), next[switch as usize] - 1)
        };
        let (one, other) = (end(*one), end(*other));
        builder.link(one, other, LinkClass::Switch);
    }
    builder.finish(structure).expect("well cabled")
}

fn grid(widths: &[u32], lines: Lines) -> Network {
    let grid = Grid { widths: widths.to_vec(), lines, endpoints_per_switch: 2 };
    let count: u32 = widths.iter().product();
    let mut pairs = Vec::new();
    for low in 0..count {
        for high in low + 1..count {
            let (one, other) = (grid.coordinates(SwitchId(low)), grid.coordinates(SwitchId(high)));
            let differs: Vec<usize> = (0..widths.len()).filter(|d| one[*d] != other[*d]).collect();
            let [dimension] = differs[..] else { continue };
            let distance = other[dimension] - one[dimension];
            let joined = match lines {
                Lines::Full => true,
                Lines::Ring => distance == 1 || distance == widths[dimension] - 1,
                Lines::Open => distance == 1,
            };
            pairs.extend(joined.then_some((low, high)));
        }
    }
    build(&vec![2; count as usize], &pairs, Structure::Grid(grid))
}

fn dragonfly(p: u32, a: u32, h: u32) -> Network {
    let part = Dragonfly { endpoints: p, switches: a, global_links: h, ..Dragonfly::default() };
    part.build(&LINKS).expect("a dragonfly")
}

fn tree(children: &[u32], parents: &[u32]) -> Network {
    let (children, parents) = (children.to_vec(), parents.to_vec());
    Xgft { children, parents, parallel: vec![1], ..Xgft::default() }.build(&LINKS).expect("a tree")
}

/// Two layers of four and two switches in racks of two; the upper ones have endpoints too.
fn layered() -> Network {
    let layers = vec![Layer { name: "leaf", block: 2 }, Layer { name: "spine", block: 0 }];
    let layers = Layered::new(layers, [0, 0, 0, 0, 1, 1]);
    let pairs = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 5)];
    build(&[3, 3, 3, 3, 2, 2], &pairs, Structure::Layered(layers))
}

fn slim_fly() -> Network {
    let order = 5;
    let id = |half: u32, column: u32, row: u32| half * order * order + column * order + row;
    let mut pairs = Vec::new();
    for column in 0..order {
        for row in 0..order {
            // The residues 1 and 4 join rows of the first half, 2 and 3 those of the second.
            pairs.push((id(0, column, row), id(0, column, (row + 1) % order)));
            pairs.push((id(1, column, row), id(1, column, (row + 2) % order)));
            for other in 0..order {
                let met = (other * column + row) % order;
                pairs.push((id(0, column, met), id(1, other, row)));
            }
        }
    }
    build(&[3; 50], &pairs, Structure::Mms(Mms { order, endpoints_per_switch: 3 }))
}

/// Three subnets of two leaves and a spine, and two routers.
fn subnets() -> Network {
    let layer = |name| Layer { name, block: 0 };
    let layers = Layered::new(
        vec![layer("leaf"), layer("spine"), layer("router")],
        (0..9).map(|switch| u32::from(switch % 3 == 2)).chain([2, 2]),
    );
    let own = (0..9).map(|switch| Some(switch / 3)).chain([None, None]).collect();
    let subnets = Subnets { count: 3, subnets: own, layers };
    let mut pairs = Vec::new();
    for subnet in 0..3 {
        let spine = subnet * 3 + 2;
        pairs.extend([(subnet * 3, spine), (subnet * 3 + 1, spine), (spine, 9), (spine, 10)]);
    }
    let endpoints = [2, 2, 0, 2, 2, 0, 2, 2, 0, 0, 0];
    build(&endpoints, &pairs, Structure::Subnets(subnets))
}

/// Every kind of structure, small and large.
fn samples() -> Vec<(&'static str, Network)> {
    vec![
        ("small dragonfly", dragonfly(1, 1, 1)),
        ("dragonfly", dragonfly(4, 8, 4)),
        ("tree", tree(&[4, 4, 2], &[1, 4, 2])),
        ("dual-homed tree", tree(&[8, 2], &[2, 3])),
        ("wide tree", tree(&[16, 8, 4, 2], &[1, 16, 8, 4])),
        ("one switch", tree(&[8], &[1])),
        ("layers", layered()),
        ("slim fly", slim_fly()),
        ("subnets", subnets()),
        ("ring", grid(&[9], Lines::Ring)),
        ("line", grid(&[9], Lines::Open)),
        ("complete", grid(&[1, 7], Lines::Full)),
        ("torus", grid(&[8, 5], Lines::Ring)),
        ("HyperX", grid(&[4, 4, 3], Lines::Full)),
        ("cube", grid(&[4, 4, 4], Lines::Ring)),
        ("mesh", grid(&[3, 2, 4, 3], Lines::Open)),
        ("irregular", build(&[2, 1, 0, 0, 0], &[(0, 2), (1, 2), (2, 3)], Structure::Irregular)),
        ("irregular ring", build(&[1; 6], &[(0, 1), (1, 2), (3, 4)], Structure::Irregular)),
    ]
}

fn distance([a, b]: Point, [c, d]: Point) -> f32 {
    ((a - c) * (a - c) + (b - d) * (b - d)).sqrt()
}

/// The neighbors of a switch.
fn neighbors(network: &Network, switch: SwitchId) -> Vec<SwitchId> {
    let ports = network.ports(Node::Switch(switch)).map(dragontree::network::PortId);
    let other = |port| match network.neighbor(port)? {
        Node::Switch(other) => Some(other),
        Node::Endpoint(_) => None,
    };
    ports.filter_map(other).collect()
}

#[test]
fn everything_is_in_the_box_and_fills_it() {
    for (name, network) in samples() {
        let positions = Positions::of(&network);
        assert_eq!(positions.switches.len(), network.switch_count() as usize, "{name}");
        assert_eq!(positions.endpoints.len(), network.endpoint_count() as usize, "{name}");
        let all: Vec<Point> = positions
            .switches
            .iter()
            .chain(positions.endpoints.iter().flatten())
            .copied()
            .collect();
        assert_eq!(all.len() as u32, network.switch_count() + network.live_endpoint_count());
        for side in 0..2 {
            let low = all.iter().map(|at| at[side]).fold(f32::INFINITY, f32::min);
            let high = all.iter().map(|at| at[side]).fold(f32::NEG_INFINITY, f32::max);
            assert!(low.abs() < 1e-6, "{name}: {low}");
            assert!((high - positions.size[side]).abs() < 1e-6, "{name}: {high}");
        }
        let [width, height] = positions.size;
        assert!((width.max(height) - 1.0).abs() < 1e-6, "{name}: {width} by {height}");
    }
}

#[test]
fn no_two_nodes_are_at_the_same_place() {
    for (name, network) in samples() {
        let positions = Positions::of(&network);
        let mut all: Vec<Point> = positions
            .switches
            .iter()
            .chain(positions.endpoints.iter().flatten())
            .copied()
            .collect();
        all.sort_by(|one, other| one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1])));
        for (index, one) in all.iter().enumerate() {
            let beside = all[index + 1..].iter().take_while(|other| other[0] - one[0] < 2e-4);
            for other in beside {
                assert!(distance(*one, *other) > 2e-4, "{name}: {one:?} and {other:?}");
            }
        }
    }
}

#[test]
fn a_parent_is_above_its_children_and_a_leaf_amid_its_endpoints() {
    let network = tree(&[4, 4, 2], &[1, 4, 2]);
    let positions = Positions::of(&network);
    let Structure::Tree(levels) = network.structure() else { panic!("a tree") };
    for switch in network.switches() {
        for other in neighbors(&network, switch) {
            let higher = levels.level(switch) > levels.level(other);
            assert_eq!(higher, positions.switch(switch)[1] < positions.switch(other)[1]);
        }
    }
    for leaf in network.switches().filter(|switch| levels.level(*switch) == 1) {
        let own: Vec<Point> = (0..network.endpoint_count())
            .filter(|endpoint| network.switch_of(EndpointId(*endpoint)) == Some(leaf))
            .filter_map(|endpoint| positions.endpoints[endpoint as usize])
            .collect();
        let middle = own.iter().map(|at| at[0]).sum::<f32>() / own.len() as f32;
        assert!((middle - positions.switch(leaf)[0]).abs() < 1e-5);
        assert!(own.iter().all(|at| at[1] > positions.switch(leaf)[1]));
    }
}

#[test]
fn the_nearest_switch_of_a_grid_is_a_neighbor() {
    for (widths, lines) in [
        (&[9][..], Lines::Ring),
        (&[9], Lines::Open),
        (&[5, 5], Lines::Ring),
        (&[4, 4, 4], Lines::Ring),
        (&[3, 4, 5], Lines::Full),
        (&[3, 3, 3, 3], Lines::Open),
    ] {
        let network = grid(widths, lines);
        let positions = Positions::of(&network);
        for switch in network.switches() {
            let here = positions.switch(switch);
            let others = network.switches().filter(|other| *other != switch);
            let away = |other: &SwitchId| distance(here, positions.switch(*other));
            let nearest = others.min_by(|one, other| away(one).total_cmp(&away(other)));
            let nearest = nearest.expect("several switches");
            assert!(neighbors(&network, switch).contains(&nearest), "{widths:?} {switch:?}");
        }
    }
}

#[test]
fn a_groups_switches_are_nearer_to_each_other_than_to_any_other() {
    for (p, a, h) in [(4, 8, 4), (2, 4, 2), (1, 12, 1), (3, 2, 8)] {
        let network = dragonfly(p, a, h);
        let positions = Positions::of(&network);
        let (mut within, mut between) = (0.0_f32, f32::INFINITY);
        for one in network.switches() {
            for other in network.switches().filter(|other| *other != one) {
                let apart = distance(positions.switch(one), positions.switch(other));
                match one.0 / a == other.0 / a {
                    true => within = within.max(apart),
                    false => between = between.min(apart),
                }
            }
        }
        // The groups of a ring of two or three are as large as their distance.
        assert!(within < between * 1.5, "{within} {between} {p},{a},{h}");
        for endpoint in network.endpoints() {
            let at = positions.endpoints[endpoint.index()].expect("cabled");
            let own = network.switch_of(endpoint).expect("cabled");
            let away = |switch: &SwitchId| distance(at, positions.switch(*switch));
            let nearest = network.switches().min_by(|one, other| away(one).total_cmp(&away(other)));
            assert_eq!(nearest, Some(own));
        }
    }
}

#[test]
fn links_in_one_line_step_aside_differently() {
    let network = grid(&[5, 4], Lines::Full);
    let positions = Positions::of(&network);
    let control = |other: u32| {
        let (one, other) = (positions.switch(SwitchId(0)), positions.switch(SwitchId(other)));
        let [x, y] = positions.bend.control(one, other);
        ((x - (one[0] + other[0]) / 2.0).abs(), (y - (one[1] + other[1]) / 2.0).abs())
    };
    assert_eq!(control(1), (0.0, 0.0));
    let (near, far) = (control(2), control(4));
    assert!(near.0 < 1e-6 && far.0 < 1e-6);
    // Curves reach half as far as their control points: none touches the next line.
    assert!(0.0 < near.1 && near.1 < far.1 && far.1 / 2.0 < 0.5 / 3.0, "{near:?} {far:?}");
    let column = control(10);
    assert!(column.0 > 0.01 && column.1 < 1e-6, "{column:?}");
}

#[test]
fn global_links_run_through_the_ring_and_local_ones_straight() {
    let network = dragonfly(4, 8, 4);
    let positions = Positions::of(&network);
    let center = [positions.size[0] / 2.0, positions.size[1] / 2.0];
    for one in network.switches() {
        for other in neighbors(&network, one) {
            let (from, to) = (positions.switch(one), positions.switch(other));
            let middle = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0];
            let control = positions.bend.control(from, to);
            match one.0 / 8 == other.0 / 8 {
                true => assert_eq!(control, middle),
                false => {
                    assert!(distance(control, center) < 0.25 * distance(middle, center) + 0.01);
                }
            }
        }
    }
}

#[test]
fn captions_name_levels_and_groups() {
    let captions = Positions::of(&tree(&[4, 4], &[1, 4])).captions;
    let texts: Vec<&str> = captions.iter().map(|caption| caption.text.as_str()).collect();
    assert_eq!(texts, ["endpoints", "level 2", "level 1"]);
    let row = |place: usize| match captions[place].anchor {
        Anchor::Row(y) => y,
        other => panic!("{other:?}"),
    };
    assert!(row(1) < row(2) && row(2) < row(0));
    let groups = Positions::of(&dragonfly(2, 4, 2)).captions;
    assert_eq!(
        (groups.len(), groups[0].text.as_str(), groups[8].text.as_str()),
        (9, "group 0", "8")
    );
}

#[test]
fn blocks_are_few_and_complete_and_apart() {
    let large = [
        ("large dragonfly", dragonfly(2, 30, 16)),
        ("large tree", tree(&[16, 16, 16], &[1, 16, 16])),
        ("large torus", grid(&[60, 40], Lines::Ring)),
        ("narrow torus", grid(&[2000, 2], Lines::Ring)),
    ];
    for (name, network) in samples().into_iter().chain(large) {
        let positions = Positions::of(&network);
        let blocks = positions.blocks(&network);
        assert_eq!(blocks.of.len(), network.switch_count() as usize, "{name}");
        assert_eq!(blocks.names.len(), blocks.places.len(), "{name}");
        assert!(blocks.names.len() <= 401, "{name}: {}", blocks.names.len());
        let mut seen = vec![false; blocks.names.len()];
        blocks.of.iter().for_each(|block| seen[*block as usize] = true);
        assert!(seen.into_iter().all(|seen| seen), "{name}");
        let mut names = blocks.names.clone();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), blocks.names.len(), "{name}");
        for (index, one) in blocks.places.iter().enumerate() {
            for other in &blocks.places[..index] {
                assert!(distance(*one, *other) > 1e-4, "{name}: {one:?}");
            }
        }
    }
}

#[test]
fn links_between_the_columns_of_a_slim_fly_lie_apart() {
    let network = slim_fly();
    let blocks = Positions::of(&network).blocks(&network);
    let (one, other) = blocks.places.split_at(5);
    assert!(one.iter().all(|place| place[0] == one[0][0] && place[0] < other[0][0]));
    for half in [one, other] {
        assert!(half.windows(2).all(|pair| pair[0][1] + 0.01 < pair[1][1]));
    }
    let switches = Positions::of(&network).switches;
    for place in &blocks.places {
        assert!(switches.iter().all(|switch| distance(*switch, *place) > 1e-3), "{place:?}");
    }
}

#[test]
fn names_of_blocks_say_what_they_hold() {
    let blocks = |network: &Network| Positions::of(network).blocks(network).names;
    assert_eq!(blocks(&dragonfly(2, 4, 2))[3], "group 3");
    let names = blocks(&tree(&[16, 16, 16], &[1, 16, 16]));
    assert_eq!((names[0].as_str(), names[1].as_str()), ("level 1: 0 to 15", "level 1: 16 to 31"));
    assert_eq!(blocks(&grid(&[60, 40], Lines::Ring))[1], "switches (3 to 5, 0 to 1)");
    assert_eq!(blocks(&subnets())[0], "leaf of subnet 0: 0");
}
