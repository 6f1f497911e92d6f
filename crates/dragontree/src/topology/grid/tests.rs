use super::*;
use crate::units::{Bandwidth, Time};
use proptest::prelude::*;

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn built(widths: &[u32], lines: Lines, endpoints: u32) -> Network {
    build(grid(widths, lines, endpoints), &LINKS).expect("a small grid")
}

/// Whether two places of a line are joined.
fn joined(lines: Lines, width: u32, one: u32, other: u32) -> bool {
    let apart = one.abs_diff(other);
    match lines {
        Lines::Full => apart > 0,
        Lines::Ring => apart == 1 || apart == width - 1,
        Lines::Open => apart == 1,
    }
}

/// Checks every pair of switches against the definition: joined by exactly one link where they
/// differ in one coordinate by a step of the line, else by none.
fn check(widths: &[u32], lines: Lines, endpoints: u32) {
    let network = built(widths, lines, endpoints);
    let Structure::Grid(grid) = network.structure() else { panic!("a grid") };
    let mut degrees = Vec::new();
    for from in network.switches() {
        let here = grid.coordinates(from);
        assert_eq!(grid.switch(&here), from);
        let mut degree = 0;
        for to in network.switches() {
            let there = grid.coordinates(to);
            let differing: Vec<usize> =
                (0..widths.len()).filter(|each| here[*each] != there[*each]).collect();
            let ports: Vec<_> = network
                .channels()
                .filter(|(port, channel)| {
                    network.owner(*port) == Node::Switch(from)
                        && network.owner(channel.peer) == Node::Switch(to)
                })
                .collect();
            let expected = match differing[..] {
                [each] => joined(lines, widths[each], here[each], there[each]),
                _ => false,
            };
            assert_eq!(ports.len(), usize::from(expected), "{widths:?} {lines:?}");
            degree += ports.len();
            for (port, channel) in ports {
                let dimension = differing[0];
                assert_eq!(channel.class, LinkClass::Dimension(dimension as u32 + 1));
                let number = grid.port_number(dimension, here[dimension], there[dimension]);
                assert_eq!(number, Some(network.number(port)));
            }
        }
        degrees.push(degree as u32 + endpoints);
    }
    assert_eq!(degrees.iter().max(), Some(&network.radix()));
    for endpoint in network.endpoints() {
        let switch = network.switch_of(endpoint).map(|switch| switch.0);
        assert_eq!(switch, Some(endpoint.0 / endpoints));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grids_are_joined_as_defined(
        widths in prop::collection::vec(2_u32..6, 1..=3),
        endpoints in 1_u32..4,
    ) {
        for lines in [Lines::Full, Lines::Ring, Lines::Open] {
            check(&widths, lines, endpoints);
        }
    }
}

#[test]
fn four_dimensions_work_too() {
    for lines in [Lines::Full, Lines::Ring, Lines::Open] {
        check(&[2, 3, 2, 4], lines, 1);
    }
}

/// Switch-to-switch links of a HyperX: `s1·s2·(s1 + s2 - 2)/2`; of a torus one per switch and
/// dimension; of a mesh one less per line.
#[test]
fn links_are_as_many_as_counted() {
    let between = |widths: &[u32], lines| {
        let network = built(widths, lines, 1);
        network.link_count() - network.endpoint_count()
    };
    for (x, y) in [(4, 4), (11, 11), (3, 7), (2, 5)] {
        assert_eq!(between(&[x, y], Lines::Full), x * y * (x + y - 2) / 2);
        assert_eq!(between(&[x, y], Lines::Open), (x - 1) * y + x * (y - 1));
    }
    assert_eq!(between(&[8, 8, 8], Lines::Ring), 3 * 512);
    // A ring of two has one link: 2.2.2 is the cube, with 12 edges.
    assert_eq!(between(&[2, 2, 2], Lines::Ring), 12);
    assert_eq!(between(&[2, 5], Lines::Ring), 5 + 10);
}

#[test]
fn large_grids_are_refused_with_their_size() {
    for widths in [&[1024_u32, 1024, 1024, 1024][..], &[1024, 1024], &[256, 256, 256]] {
        for lines in [Lines::Full, Lines::Ring, Lines::Open] {
            let problems = build(grid(widths, lines, 256), &LINKS).expect_err("too large");
            assert_eq!(problems.len(), 1);
            assert_eq!(problems[0].key, "widths");
            assert!(problems[0].to_string().contains("allowed: up to 4000000"), "{}", problems[0]);
        }
    }
}
