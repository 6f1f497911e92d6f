use super::*;
use crate::units::{Bandwidth, Time};

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn dragonfly(p: u32, a: u32, h: u32) -> Dragonfly {
    Dragonfly { endpoints: p, switches: a, global_links: h, ..Dragonfly::default() }
}

#[test]
fn counts_match_the_documents() {
    // Prisacari 2020, Table 4.2 and chapter 6.
    let cases = [
        ((2, 4, 2), 72),
        ((2, 3, 2), 42),
        ((2, 5, 2), 110),
        ((3, 6, 3), 342),
        ((3, 5, 3), 240),
        ((3, 7, 3), 462),
        ((4, 8, 4), 1056),
        ((4, 7, 4), 812),
        ((4, 9, 4), 1332),
        ((4, 8, 3), 800),
    ];
    for ((p, a, h), endpoints) in cases {
        for wiring in [Wiring::Palmtree, Wiring::Consecutive] {
            let network = Dragonfly { wiring, ..dragonfly(p, a, h) }.build(&LINKS).expect("ok");
            let groups = a * h + 1;
            assert_eq!(network.endpoint_count(), endpoints);
            assert_eq!(network.switch_count(), a * groups);
            assert_eq!(network.radix(), p + a - 1 + h);
            let local = groups * a * (a - 1) / 2;
            assert_eq!(network.link_count(), endpoints + local + groups * (groups - 1) / 2);
        }
    }
}

#[test]
fn every_pair_of_groups_is_joined_equally_often_and_both_ways() {
    for (groups, wiring) in [
        (None, Wiring::Palmtree),
        (None, Wiring::Consecutive),
        (Some(2), Wiring::Palmtree),
        (Some(4), Wiring::Palmtree),
        (Some(7), Wiring::Palmtree),
    ] {
        let network = Dragonfly { groups, wiring, ..dragonfly(2, 4, 2) }.build(&LINKS).expect("ok");
        let Structure::Groups(structure) = network.structure() else { panic!("groups") };
        let count = structure.group_count;
        let expected = (8 / (count - 1)) as usize;
        for from in 0..count {
            for to in (0..count).filter(|to| *to != from) {
                let ports = structure.global_ports(from, to);
                assert_eq!(ports.len(), expected, "{groups:?} {from} {to}");
                for port in ports {
                    let Some(Node::Switch(there)) = network.neighbor(*port) else {
                        panic!("a global port leads to a switch")
                    };
                    assert_eq!(structure.group(there), to);
                }
            }
        }
    }
}

#[test]
fn local_ports_lead_where_they_say() {
    let network = dragonfly(2, 4, 2).build(&LINKS).expect("ok");
    let Structure::Groups(groups) = network.structure() else { panic!("groups") };
    for from in network.switches() {
        for to in network.switches().filter(|to| groups.group(*to) == groups.group(from)) {
            if to != from {
                let port = groups.local_port(&network, from, to);
                assert_eq!(network.neighbor(port), Some(Node::Switch(to)));
            }
        }
    }
}

#[test]
fn too_many_groups_are_refused_with_the_limit() {
    let problems =
        Dragonfly { groups: Some(40), ..dragonfly(4, 8, 4) }.build(&LINKS).expect_err("too many");
    assert_eq!(problems[0].nearest.as_deref(), Some("33"));
}

/// A group that is a flattened butterfly: one link for every two switches of a row or a column.
#[test]
fn flattened_groups_are_joined_in_rows_and_columns() {
    // a, rows as given, rows as built.
    for (a, given, rows) in [
        (8, None, 2),
        (16, None, 4),
        (12, None, 3),
        (12, Some(2), 2),
        (12, Some(6), 6),
        (9, Some(3), 3),
        (3, None, 1),
        (2, None, 1),
        (4, None, 2),
    ] {
        let part = Dragonfly { local: LocalLinks::Flattened, rows: given, ..dragonfly(2, a, 2) };
        let network = part.build(&LINKS).expect("rows and columns");
        let columns = a / rows;
        let group_count = 2 * a + 1;
        assert_eq!(network.switch_count(), a * group_count);
        assert_eq!(network.endpoint_count(), 2 * a * group_count);
        assert_eq!(network.radix(), 2 + rows + columns - 2 + 2);
        let local = group_count * a * (rows + columns - 2) / 2;
        let global = group_count * (group_count - 1) / 2;
        assert_eq!(network.link_count(), network.endpoint_count() + local + global);
        let Structure::Groups(groups) = network.structure() else { panic!("groups") };
        assert_eq!((groups.rows(), groups.columns), (rows, columns));
        for from in (0..a).map(SwitchId) {
            for to in (0..a).map(SwitchId).filter(|to| *to != from) {
                let aside =
                    from.0 / columns == to.0 / columns || from.0 % columns == to.0 % columns;
                let joined = network.ports(Node::Switch(from)).map(PortId);
                let joined =
                    joined.filter(|port| network.neighbor(*port) == Some(Node::Switch(to)));
                assert_eq!(joined.count(), usize::from(aside));
                assert_eq!(groups.local_distance(from, to), if aside { 1 } else { 2 });
                let first = network.neighbor(groups.local_port(&network, from, to));
                let middle = SwitchId(from.0 - from.0 % columns + to.0 % columns);
                let expected = if aside { to } else { middle };
                assert_eq!(first, Some(Node::Switch(expected)));
            }
        }
        for (port, channel) in network.links() {
            let of = |port| match network.owner(port) {
                Node::Switch(switch) => Some(groups.group(switch)),
                Node::Endpoint(_) => None,
            };
            let class = match (of(port), of(channel.peer)) {
                (Some(one), Some(other)) if one == other => LinkClass::Local,
                (Some(_), Some(_)) => LinkClass::Global,
                _ => LinkClass::Endpoint,
            };
            assert_eq!(channel.class, class);
        }
    }
}

/// With one row, or by name, nothing differs from the full mesh.
#[test]
fn a_single_row_is_a_full_mesh() {
    let mesh = dragonfly(1, 3, 1).build(&LINKS).expect("ok");
    let row = Dragonfly { local: LocalLinks::Flattened, ..dragonfly(1, 3, 1) };
    let row = row.build(&LINKS).expect("ok");
    assert_eq!(mesh.structure(), row.structure());
    assert!(mesh.channels().eq(row.channels()));
}

#[test]
fn modest_networks_have_no_more_switches_than_that() {
    let groups = |groups: u32| Dragonfly { groups: Some(groups), ..dragonfly(8, 64, 16) };
    for few in [dragonfly(4, 8, 4), dragonfly(8, 32, 8), groups(156)] {
        assert!(few.is_modest(), "{few:?}");
    }
    for many in [dragonfly(1, 32, 10), dragonfly(8, 64, 16), groups(157)] {
        assert!(!many.is_modest(), "{many:?}");
    }
}
