//! Formats as others write them: what is read by hand-made small examples.

use dragontree::interchange::{Format, Kind};
use dragontree::network::{LinkClass, Node, PortId, SwitchId};
use dragontree::units::{Bandwidth, Time};

use crate::{built, network, notices, own, reading};

#[test]
fn formats_are_known_by_their_first_line() {
    let cases = [
        ("# a comment\n\nvendid=0x2c9\n", Some(Format::Ibnetdiscover)),
        ("Switch 8 \"S-1\"", Some(Format::Ibnetdiscover)),
        ("Chassis 1 (guid 0x8f10400411f56)", Some(Format::Ibnetdiscover)),
        ("router 0 node 0", Some(Format::Anynet)),
        ("node 0 router 0", Some(Format::Anynet)),
        ("from,to", Some(Format::Edges)),
        ("Source,Target,Weight", Some(Format::Edges)),
        ("from,port,to,port,class,bandwidth,latency", Some(Format::Edges)),
        ("graph {", Some(Format::Dot)),
        ("/* made by hand */\nstrict digraph G {", Some(Format::Dot)),
        ("\u{feff}{\"format\":", Some(Format::Json)),
        ("Unicast lids [0-15] of switch Lid 2", None),
        ("switch was here", None),
        ("", None),
    ];
    for (text, expected) in cases {
        assert_eq!(Format::guess(text), expected, "{text}");
    }
    assert_eq!(Format::guess(&own("grouped")), Some(Format::Ibnetdiscover));
}

#[test]
fn anynet_numbers_ports_as_booksim_does() {
    // The two examples in the comment of BookSim's source, joined.
    let text = "router 0 router 1 15 router 2\nrouter 0 node 0 node 1 5 node 2 5\n\
                router 1 router 0 node 3\nrouter 2 node 4\n";
    let reading = reading(text);
    assert_eq!(
        notices(&reading),
        ["line 3: the channels between routers 0 and 1 have latencies 15 and 1; the link has the \
          larger one both ways"]
    );
    let network = built(&reading.fabric);
    assert_eq!([network.switch_count(), network.endpoint_count()], [3, 5]);
    let ports = network.ports(Node::Switch(SwitchId(0))).map(PortId);
    let found: Vec<(String, Time)> = ports
        .filter_map(|port| network.channel(port))
        .map(|channel| (network.name(network.owner(channel.peer)), channel.latency))
        .collect();
    // Nodes in order, then routers in order; a latency counts in those of the experiment, 50 ns.
    let expected =
        [("node 0", 50), ("node 1", 250), ("node 2", 250), ("router 1", 750), ("router 2", 50)];
    assert_eq!(found, expected.map(|(name, ns)| (name.to_owned(), Time::ns(ns))));
}

#[test]
fn edges_need_only_two_columns() {
    let text = "source,target,weight\nh1,sw1,3\nh2,sw1,3\nsw1,sw2,1\n";
    let reading = reading(text);
    assert_eq!(notices(&reading), ["line 1: these columns are passed over: weight"]);
    let kinds: Vec<Kind> = reading.fabric.devices.iter().map(|device| device.kind).collect();
    assert_eq!(kinds, [Kind::Endpoint, Kind::Switch, Kind::Endpoint, Kind::Switch]);
    let network = built(&reading.fabric);
    let classes: Vec<LinkClass> = network.links().map(|(_, channel)| channel.class).collect();
    assert_eq!(classes, [LinkClass::Endpoint, LinkClass::Endpoint, LinkClass::Switch]);
}

#[test]
fn edges_carry_ports_classes_and_rates() {
    let text = "to,from,class,bandwidth,latency,from_port,to_port\n\
                \"spine, 1\",leaf,level 2,4xEDR,1us,5,7\n\
                leaf,server,endpoint,25Gbps,,,\n\
                ,spare,endpoint,,,,\n";
    let network = network(text);
    let nodes = network.nodes_by_name();
    assert!(
        matches!(nodes["server"], Node::Endpoint(_)) && matches!(nodes["spare"], Node::Endpoint(_))
    );
    let Node::Switch(leaf) = nodes["leaf"] else { panic!("a switch") };
    let up = network.channel(network.port(leaf, 5)).expect("a cable");
    assert_eq!((network.owner(up.peer), network.number(up.peer)), (nodes["spine, 1"], 7));
    assert_eq!((up.bandwidth, up.latency), (Bandwidth::gbps(100), Time::us(1)));
    assert_eq!(up.class, LinkClass::Level(2));
    let down = network.channel(network.port(leaf, 0)).expect("the first free port");
    assert_eq!((down.bandwidth, down.latency), (Bandwidth::gbps(25), Time::ns(50)));
}

#[test]
fn graphs_may_have_chains_defaults_and_subgraphs() {
    let text = "// made by hand\nstrict graph \"G\" {\n rankdir=LR; graph [nodesep=0.3]\n \
                edge [bandwidth=\"4xHDR\"]\n subgraph cluster_0 { label=\"rack\"\n \
                node [kind=endpoint]; a; b [label=\"the second\"] }\n\
                a -- s1 -- s2 -- b:0\n s1 -- s2 [bandwidth=\"10Gbps\", from_port=9]\n}\n";
    let network = network(text);
    assert_eq!([network.switch_count(), network.endpoint_count(), network.link_count()], [2, 2, 4]);
    let rates: Vec<u64> =
        network.links().map(|(_, channel)| channel.bandwidth.as_bps() / 1_000_000_000).collect();
    assert_eq!(rates, [200, 200, 10, 200]);
    assert!(network.nodes_by_name().contains_key("the second"));
    let Node::Switch(s1) = network.nodes_by_name()["s1"] else { panic!("a switch") };
    assert!(network.peer(network.port(s1, 9)).is_some());
}

#[test]
fn opposite_edges_of_a_directed_graph_are_one_link() {
    let text = "digraph { h1->s1; s1->h1; s1->s2; s1->s2; s2->s1; h2->s2 }";
    let reading = reading(text);
    assert_eq!(
        notices(&reading),
        ["the file: edges without an opposite are taken as links both ways: 2"]
    );
    assert_eq!(built(&reading.fabric).link_count(), 4);
}
