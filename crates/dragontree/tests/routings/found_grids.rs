//! Meshes and tori that have to be found: the same fabric, told by its notation and told by a file,
//! is routed alike in dimension order; what is none is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dragontree::analysis::paths;
use dragontree::network::grids::{NotAGrid, find};
use dragontree::network::{Failures, Lines, Network, Node, PortId, Structure, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{DimensionOrder, Oblivious, Pair, Routes, Routing};
use dragontree::topology::{Build, Mesh, Torus};

use crate::fabrics::*;
use crate::found_trees::from_file;

fn routes(network: &Arc<Network>) -> Box<dyn Oblivious> {
    match Routing::from(DimensionOrder).role().find(network, 1) {
        Ok(Routes::Oblivious(routes)) => routes,
        Ok(Routes::Tables(_)) => panic!("not by tables"),
        Err(problems) => panic!("{problems:?}"),
    }
}

type Way = Vec<(PortId, u8)>;

/// The channels of each pair with their virtual channels.
fn ways(network: &Arc<Network>) -> Vec<(Pair, Way)> {
    let routes = routes(network);
    let ends = || network.endpoints().filter(|endpoint| network.switch_of(*endpoint).is_some());
    let pairs =
        ends().flat_map(|source| ends().map(move |destination| Pair { source, destination }));
    let pairs = pairs.filter(|pair| pair.source != pair.destination);
    let way = |pair: Pair| {
        let mut way = None;
        paths(network, routes.as_ref(), pair, &mut |path, _| {
            way = Some(path.iter().map(|step| (step.port, step.vc)).collect());
        })
        .ok()?;
        way.map(|way| (pair, way))
    };
    pairs.filter_map(way).collect()
}

/// For each pair, by name, the names and ports on its way.
fn named(network: &Arc<Network>) -> BTreeMap<[String; 2], Vec<(String, u32)>> {
    let port =
        |(port, _): &(PortId, u8)| (network.name(network.owner(*port)), network.number(*port));
    let name = |endpoint| network.name(Node::Endpoint(endpoint));
    let ways = ways(network).into_iter();
    ways.map(|(pair, way)| {
        ([name(pair.source), name(pair.destination)], way.iter().map(port).collect())
    })
    .collect()
}

fn torus(widths: &[u32], endpoints: u32) -> Network {
    Torus { widths: widths.to_vec(), endpoints }.build(&LINKS).expect("a torus")
}

fn mesh(widths: &[u32], endpoints: u32) -> Network {
    Mesh { widths: widths.to_vec(), endpoints }.build(&LINKS).expect("a mesh")
}

#[test]
fn told_and_found_grids_are_routed_alike() {
    let tori: &[&[u32]] =
        &[&[4, 4], &[5], &[6, 3], &[2, 4], &[4, 2, 4], &[3, 3, 3], &[2, 2], &[8, 2, 3], &[4, 4, 4]];
    let meshes: &[&[u32]] = &[&[4, 4], &[2], &[7], &[2, 2, 2], &[3, 4, 2], &[2, 2], &[5, 3]];
    let grids = tori.iter().map(|widths| (torus(widths, 2), widths, Lines::Ring));
    let grids = grids.chain(meshes.iter().map(|widths| (mesh(widths, 2), widths, Lines::Open)));
    let mut stream = Stream::new(3, "orders of devices", 0);
    for (told, widths, lines) in grids {
        let told = Arc::new(told);
        for _ in 0..3 {
            let read = from_file(&told, &mut stream);
            let found = find(&read).unwrap_or_else(|why| panic!("{widths:?}: {}", why.text(&read)));
            assert_eq!(
                found.dimensions.iter().map(|each| each.width).collect::<Vec<_>>(),
                **widths
            );
            let is = |width| if width == 2 { Lines::Open } else { lines };
            assert!(found.dimensions.iter().all(|each| each.lines == is(each.width)));
            // The same ports, so the same lengths and loads of links.
            assert_eq!(named(&told), named(&read), "{widths:?} {lines:?}");
            let between = |way: &Way| way[1..way.len() - 1].to_vec();
            let all: Vec<Way> = ways(&read).iter().map(|(_, way)| between(way)).collect();
            assert!(!can_deadlock(&all), "{widths:?}");
        }
    }
}

/// Switches with two endpoints each.
fn irregular_fabric(switches: u32, links: &[(u32, u32)]) -> Arc<Network> {
    fabric(&vec![2; switches as usize], links, Structure::Irregular)
}

/// A ring of so many lines of so many switches, each link several times.
fn tube(around: u32, long: u32, times: u32) -> Vec<(u32, u32)> {
    let ring = (0..around * long).map(|at| (at, at / around * around + (at + 1) % around));
    let line = (0..around * (long - 1)).map(|at| (at, at + around));
    ring.chain(line).flat_map(|link| (0..times).map(move |_| link)).collect()
}

#[test]
fn dimensions_may_differ_and_parallel_links_share() {
    let tube = irregular_fabric(15, &tube(5, 3, 2));
    let found = find(&tube).expect("a grid");
    let dimensions: Vec<_> = found.dimensions.iter().map(|each| (each.width, each.lines)).collect();
    assert_eq!(dimensions, [(5, Lines::Ring), (3, Lines::Open)]);
    let mut used = BTreeSet::new();
    let mut between = Vec::new();
    for (pair, way) in ways(&tube) {
        let ends = [pair.source, pair.destination].map(|end| tube.switch_of(end).expect("a cable"));
        assert_eq!(way.len() as u32, distances(&tube, &[ends[1]])[&ends[0]] + 2, "{pair:?}");
        used.extend(way.iter().map(|(port, _)| *port));
        between.push(way[1..way.len() - 1].to_vec());
    }
    assert!(!can_deadlock(&between));
    // All of the cables in both directions.
    assert_eq!(used.len() as u32, 2 * tube.link_count());
    // A torus of size 2 with both of its links.
    let pair = irregular_fabric(2, &[(0, 1), (0, 1)]);
    assert_eq!(find(&pair).expect("a line").dimensions[0].width, 2);
    let used: BTreeSet<_> = ways(&pair).into_iter().flat_map(|(_, way)| way).collect();
    assert_eq!(used.len(), 12);
}

#[test]
fn what_breaks_later_loses_its_pairs_only() {
    let whole = from_file(&torus(&[4, 3], 1), &mut Stream::new(1, "orders of devices", 0));
    let link = whole.channels().find(|(port, channel)| {
        [*port, channel.peer].iter().all(|end| matches!(whole.owner(*end), Node::Switch(_)))
    });
    let links = vec![link.expect("a link").0];
    let broken = Arc::new(whole.without(&Failures { links, ..Failures::default() }));
    let all = ways(&whole);
    let left = ways(&broken);
    let works = |way: &Way| way.iter().all(|(port, _)| broken.peer(*port).is_some());
    let expected: Vec<_> = all.into_iter().filter(|(_, way)| works(way)).collect();
    assert!(left == expected && left.len() < 132);
}

fn refusal(switches: u32, links: &[(u32, u32)]) -> NotAGrid {
    find(&irregular_fabric(switches, links)).expect_err("no grid")
}

#[test]
fn what_deviates_is_told() {
    // Without its link from 7 to 12.
    let torus: Vec<_> = tube(5, 6, 1).into_iter().chain((0..5).map(|at| (at + 25, at))).collect();
    let mut links = torus.clone();
    links.retain(|link| *link != (7, 12));
    let unjoined = refusal(30, &links);
    let [one, other] = [SwitchId(7), SwitchId(12)];
    assert_eq!(unjoined, NotAGrid::Unjoined { one, other, dimension: 2 });
    let text = unjoined.text(&irregular_fabric(30, &links));
    assert_eq!(
        text,
        "no link joins switch 7 and switch 12, which are next to each other in dimension 2"
    );
    // With one more.
    links.extend([(7, 12), (0, 13)]);
    let [one, other] = [SwitchId(0), SwitchId(13)];
    assert_eq!(refusal(30, &links), NotAGrid::Stray { one, other });
    // Without the last switch but one.
    let lost = |switch: &u32| if *switch == 29 { 28 } else { *switch };
    let links: Vec<_> = torus
        .into_iter()
        .filter(|(one, other)| *one != 28 && *other != 28)
        .map(|(one, other)| (lost(&one), lost(&other)))
        .collect();
    let widths = vec![5, 6];
    assert_eq!(refusal(29, &links), NotAGrid::Missing { widths, empty: 1, switches: 29 });
    // Without a link of a mesh of two dimensions its row falls apart.
    let mut links = tube(5, 6, 1);
    links.retain(|link| *link != (7, 12));
    assert!(matches!(refusal(30, &links), NotAGrid::Uneven { .. }));
    let apart = [(0, 1), (2, 3)];
    let [one, other] = [SwitchId(0), SwitchId(2)];
    assert_eq!(refusal(4, &apart), NotAGrid::Apart { one, other });
    assert_eq!(refusal(1, &[]), NotAGrid::TooSmall);
    let problems = Routing::from(DimensionOrder).role().find(&irregular_fabric(4, &apart), 1).err();
    assert_eq!(
        problems.expect("no grid")[0].to_string(),
        "dimension_order needs a grid; this network has no known structure: switch 2 cannot be \
         reached from switch 0"
    );
}

#[test]
fn what_is_no_product_of_lines_and_rings_is_refused() {
    // Everywhere as a torus, but twisted: around the second dimension one comes out elsewhere.
    for (wide, high, twist) in [(6, 6, 2), (8, 5, 3), (7, 7, 1), (4, 4, 2), (5, 4, 2), (12, 3, 6)] {
        let on = |at: u32| (at, at / wide * wide + (at + 1) % wide);
        let up = |at: u32| match at / wide + 1 {
            row if row == high => (at, (at + twist) % wide),
            _ => (at, at + wide),
        };
        let links: Vec<_> = (0..wide * high).flat_map(|at| [on(at), up(at)]).collect();
        assert!(find(&irregular_fabric(wide * high, &links)).is_err(), "{wide} {high} {twist}");
    }
    let mobius: Vec<_> = (0..14).map(|at| (at, (at + 1) % 14)).collect();
    let mobius: Vec<_> = mobius.into_iter().chain((0..7).map(|at| (at, at + 7))).collect();
    let petersen =
        (0..5).flat_map(|at| [(at, (at + 1) % 5), (at, at + 5), (at + 5, (at + 2) % 5 + 5)]);
    let star: Vec<_> = (1..9).map(|at| (0, at)).collect();
    let full: Vec<_> = (0..5).flat_map(|one| (0..one).map(move |other| (other, one))).collect();
    let two_by_three = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)];
    for (switches, links) in [
        (14, &mobius[..]),
        (10, &petersen.collect::<Vec<_>>()),
        (9, &star),
        (5, &full),
        (5, &two_by_three),
    ] {
        assert!(find(&irregular_fabric(switches, links)).is_err(), "{links:?}");
    }
    for seed in 0..200 {
        let network = irregular(seed, 9 + seed as u32 % 40, 3 + seed as u32 % 50);
        assert!(find(&network).is_err(), "{seed}");
    }
}

#[test]
fn large_grids_are_found() {
    for network in [torus(&[60, 70], 1), torus(&[16, 16, 16], 1), mesh(&[4, 4, 4, 4, 4], 1)] {
        let read = from_file(&network, &mut Stream::new(1, "orders of devices", 0));
        let Structure::Grid(told) = network.structure() else { panic!("a grid") };
        let found = find(&read).unwrap_or_else(|why| panic!("{}", why.text(&read)));
        assert_eq!(found.grid().widths, told.widths);
    }
}
