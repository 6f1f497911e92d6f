//! Fabrics that OpenSM has configured.

use dragontree::interchange::ibnetdiscover;
use dragontree::network::{LinkClass, Network, Node, PortId, SwitchId};
use dragontree::units::Bandwidth;

use crate::{built, file, reading};

/// The file of a fabric, unpacked where it is packed.
pub fn opensm(name: &str) -> String {
    let bytes = match name {
        // gzip puts a header of ten bytes before the packed data and eight bytes behind it.
        "ft648" => {
            let packed = file("opensm/ft648.ibnetdiscover.gz");
            let data = &packed[10..packed.len() - 8];
            miniz_oxide::inflate::decompress_to_vec(data).expect("the file is whole")
        }
        _ => file(&format!("opensm/{name}.ibnetdiscover")),
    };
    String::from_utf8(bytes).expect("a text")
}

/// Hosts, switches and links of each fabric, as its generator stated them.
pub const OPENSM: &[(&str, [u32; 3])] = &[
    ("k4n2", [16, 8, 32]),
    ("k2n4", [16, 32, 64]),
    ("k4n3", [64, 48, 192]),
    ("half-k4n3", [32, 32, 96]),
    ("half-k4n3-b-cbb2-l1", [32, 20, 64]),
    ("half-k4n3-b", [32, 20, 96]),
    ("k4n2-merged-inter", [16, 6, 32]),
    ("k4n3-partial", [51, 48, 179]),
    ("var422", [16, 12, 32]),
    ("xgft-3-432-122", [24, 14, 44]),
    ("bip12-2x2", [12, 4, 24]),
    ("k4n2-merged-reordered", [16, 6, 32]),
    ("pairs-small", [12, 8, 30]),
    ("ring5", [10, 5, 15]),
    ("dragonfly-1-2-1", [6, 6, 12]),
    ("torus4x4", [16, 16, 48]),
    ("ft648", [648, 54, 1296]),
];

#[test]
fn fabrics_have_the_hosts_switches_and_links_that_were_generated() {
    for (name, [hosts, switches, links]) in OPENSM {
        let reading = reading(&opensm(name));
        assert_eq!(reading.notices, [], "{name}");
        let network = built(&reading.fabric);
        let counts = [network.endpoint_count(), network.switch_count(), network.link_count()];
        assert_eq!(counts, [*hosts, *switches, *links], "{name}");
        for (_, channel) in network.channels() {
            assert_eq!(channel.bandwidth, Bandwidth::gbps(32), "{name}: 4xQDR");
        }
    }
}

#[test]
fn names_ports_and_addresses_are_those_of_the_file() {
    // From the first two blocks of the file: switch “ring-3”, its port 3 to “host-3-0”.
    let network = built(&reading(&opensm("ring5")).fabric);
    let nodes = network.nodes_by_name();
    let Node::Switch(ring) = nodes["ring-3"] else { panic!("a switch") };
    assert_eq!(ring, SwitchId(0));
    assert_eq!(network.guid(Node::Switch(ring)), 0x2c90200400300);
    assert_eq!(network.switch_lid(ring), 5);
    assert_eq!(network.ports(Node::Switch(ring)).len(), 8);
    let port = network.port(ring, 2);
    let peer = network.peer(port).expect("a cable");
    assert_eq!(network.name(network.owner(peer)), "host-3-0");
    assert_eq!(network.guid(network.owner(peer)), 0x2c90300100600);
    assert_eq!((network.port_guid(peer), network.lid(peer)), (0x2c90300100601, 12));
    assert_eq!(network.channel(port).map(|channel| channel.class), Some(LinkClass::Endpoint));
    let next = network.peer(network.port(ring, 0)).expect("a cable");
    assert_eq!(network.name(network.owner(next)), "ring-4");
    assert_eq!(network.number(next), 1);
    for port in network.ports(Node::Switch(ring)).map(PortId).skip(4) {
        assert_eq!(network.peer(port), None);
    }
}

/// What stands behind the comments at the start, which hold the date.
fn body(text: &str) -> &str {
    text.find("\n\n").map_or(text, |start| &text[start..])
}

#[test]
fn what_is_written_is_what_ibnetdiscover_had_printed() {
    for (name, _) in OPENSM {
        let text = opensm(name);
        let network: Network = built(&reading(&text).fabric);
        let written = ibnetdiscover::write(&network);
        assert_eq!(written.losses, [""; 0], "{name}");
        for (line, (got, expected)) in
            body(&written.text).lines().zip(body(&text).lines()).enumerate()
        {
            assert_eq!(got, expected, "{name}, line {line} of the body");
        }
        assert_eq!(body(&written.text).len(), body(&text).len(), "{name}");
    }
}
