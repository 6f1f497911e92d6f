//! What real files contain beyond what OpenSM's simulator makes: small files in `own/`.

use dragontree::interchange::{Kind, Source, read};
use dragontree::network::{EndpointId, LinkClass, Network, Node, PortId};
use dragontree::units::Bandwidth;

use crate::{built, network, notices, own, reading};

fn endpoint(network: &Network, name: &str) -> EndpointId {
    match network.nodes_by_name().get(name) {
        Some(Node::Endpoint(endpoint)) => *endpoint,
        other => panic!("{name} is {other:?}"),
    }
}

/// The names of the switches that an endpoint's ports lead to.
fn neighbors(network: &Network, endpoint: EndpointId) -> Vec<Option<String>> {
    let ports = network.ports(Node::Endpoint(endpoint)).map(PortId);
    ports.map(|port| network.neighbor(port).map(|node| network.name(node))).collect()
}

#[test]
fn adapters_with_two_ports_are_one_endpoint_and_descriptions_may_hold_anything() {
    let reading = reading(&own("dual-port"));
    assert_eq!(notices(&reading), [""; 0]);
    let network = built(&reading.fabric);
    let odd = endpoint(&network, "node 1 \"blue\" #1 HCA-1");
    assert_eq!(
        neighbors(&network, odd),
        [Some("leaf \"A\" # rack 1".to_owned()), Some("leaf B".to_owned())]
    );
    let lids: Vec<u32> =
        network.ports(Node::Endpoint(odd)).map(|port| network.lid(PortId(port))).collect();
    assert_eq!(lids, [1, 2]);
    // Port 2 of the other adapter has no cable; its port 1 has four local ids, from 4 on.
    let other = endpoint(&network, "node 2 HCA-1");
    assert_eq!(neighbors(&network, other), [Some("leaf \"A\" # rack 1".to_owned()), None]);
    let port = network.injection(other).expect("a cable");
    assert_eq!((network.lid(port), network.lmc(port)), (4, 2));
}

#[test]
fn adapters_of_one_host_share_it_unless_names_repeat() {
    let reading = reading(&own("two-adapters"));
    let network = built(&reading.fabric);
    let hosts: Vec<u32> = network.endpoints().map(|endpoint| network.host(endpoint).0).collect();
    // gpu-1 mlx5_0, gpu-2 mlx5_0, gpu-1 mlx5_1, gpu-2 HCA-2, twice localhost mlx5_0, unnamed.
    assert_eq!(hosts, [0, 1, 0, 1, 4, 5, 6]);
    assert_eq!(
        notices(&reading),
        ["the file: several adapters are called “localhost mlx5_0”, so none of the host \
          “localhost” are taken to share one"]
    );
}

#[test]
fn rails_are_joined_by_the_adapters_they_share() {
    let texts = [own("rail-1"), own("rail-2")];
    let sources = [
        Source { name: "rail-1.txt", text: &texts[0] },
        Source { name: "rail-2.txt", text: &texts[1] },
    ];
    let two_files = read(&sources).expect("two rails");
    let one_file = reading(&own("rails"));
    for reading in [two_files, one_file] {
        // Each rail has local ids of its own, so equal ones are no mistake.
        assert_eq!(notices(&reading), [""; 0]);
        let network = built(&reading.fabric);
        assert_eq!([network.switch_count(), network.endpoint_count()], [2, 2]);
        for endpoint in network.endpoints() {
            let rails = [Some("rail 1".to_owned()), Some("rail 2".to_owned())];
            assert_eq!(neighbors(&network, endpoint), rails);
        }
    }
    let twice = [sources[0], Source { name: "again.txt", text: &texts[0] }];
    assert_eq!(
        read(&twice).expect_err("the same rail").to_string(),
        "again.txt, line 10: expected every node once, with the same number of ports in all \
         rails, found “S-0002c90200000a00” again, after rail-1.txt, line 10"
    );
}

#[test]
fn every_width_and_speed_is_known() {
    let reading = reading(&own("rates"));
    assert_eq!(notices(&reading), ["line 25: the rate “4x???” is not known"]);
    let network = built(&reading.fabric);
    let megabits: Vec<u64> =
        network.links().map(|(_, channel)| channel.bandwidth.as_bps() / 1_000_000).collect();
    // Payload rates of the InfiniBand specification; what is not known is the experiment's.
    let expected = [
        2_000, 100_000, 8_000, 16_000, 32_000, 40_000, 54_545, 100_000, 200_000, 400_000, 800_000,
        64_000, 96_000, 200_000, 100_000,
    ];
    assert_eq!(megabits, expected);
}

#[test]
fn what_the_two_sides_of_a_cable_say_is_compared() {
    let reading = reading(&own("miscabled"));
    assert_eq!(
        notices(&reading),
        [
            "line 15: “seen” has no block of its own; it is known from the other side only",
            "line 11: port 1 of “a” leads to port 1 of “b”, which says nothing of it",
            "line 12: port 2 of “a” leads to port 2 of “b”, which leads to port 2 of “c” (line \
             23); the link is left out",
            "line 13: port 3 of “a” leads to port 3 of “a”, which is the same port; the link is \
             left out",
            "line 14: the link has 32Gbps here and 16Gbps at its other end (line 24)",
            "line 35: port 3 of “c” leads to port 1 of “b”, to which another cable leads (line \
             11); the link is left out",
            "line 42: port 1 of “direct 1” leads to port 1 of “direct 2”, of another adapter, \
             with no switch between them; the link is left out",
            "line 16: port 1 of “c” has lid 3, but lid 9 is given here",
        ]
    );
    let network = built(&reading.fabric);
    let [a, b, c] = ["a", "b", "c"].map(|name| network.nodes_by_name()[name]);
    let mut links: Vec<([Node; 2], [u32; 2])> = network
        .links()
        .map(|(port, channel)| {
            let ports = [port, channel.peer];
            (ports.map(|port| network.owner(port)), ports.map(|port| network.number(port)))
        })
        .collect();
    links.sort();
    let seen = Node::Endpoint(endpoint(&network, "seen"));
    let expected = [
        ([a, b], [0, 0]),
        ([a, b], [3, 3]),
        ([a, c], [5, 0]),
        ([a, seen], [4, 0]),
        ([b, b], [4, 5]),
        ([b, c], [1, 1]),
    ];
    assert_eq!(links, expected);
    let slower = network.links().find(|(_, channel)| channel.bandwidth == Bandwidth::gbps(16));
    assert!(slower.is_some(), "where the sides differ the lower rate counts");
}

#[test]
fn routers_are_switches_between_subnets() {
    let reading = reading(&own("routers"));
    assert_eq!(
        notices(&reading),
        ["line 40: of the local ids of the router “router” only 3 is kept"]
    );
    assert_eq!(reading.fabric.devices[4].kind, Kind::Router);
    let network = built(&reading.fabric);
    let Node::Switch(router) = network.nodes_by_name()["router"] else { panic!("a switch") };
    for port in network.ports(Node::Switch(router)).map(PortId) {
        let class = network.channel(port).map(|channel| channel.class);
        assert_eq!(class, Some(LinkClass::Router));
    }
    assert_eq!(network.switch_lid(router), 3);
}

#[test]
fn chassis_external_ports_and_plain_files_are_read() {
    let reading = reading(&own("grouped"));
    assert_eq!(notices(&reading), [""; 0]);
    let grouped = built(&reading.fabric);
    assert_eq!([grouped.switch_count(), grouped.endpoint_count(), grouped.link_count()], [2, 1, 2]);
    assert!(grouped.nodes_by_name().contains_key("ISR9024 \"spine\""));
    assert_eq!(grouped.links().next().map(|(_, c)| c.bandwidth), Some(Bandwidth::gbps(8)));
    // As people write for ibsim: no GUIDs, local ids or rates, so the defaults hold.
    let plain = network(&own("plain"));
    assert_eq!([plain.switch_count(), plain.endpoint_count(), plain.link_count()], [2, 3, 4]);
    assert_eq!(neighbors(&plain, endpoint(&plain, "three")), [None, Some("right".to_owned())]);
    assert_eq!(plain.links().next().map(|(_, c)| c.bandwidth), Some(Bandwidth::gbps(100)));
    assert_eq!(plain.labels().map(|labels| labels.guids.len() + labels.lids.len()), Some(0));
}
