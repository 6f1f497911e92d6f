//! Virtual layers: as many as OpenSM needed.

use std::collections::BTreeMap;

use dragontree::interchange::levels;
use dragontree::network::Target;

use super::*;

/// LASH is defined to the last layer. DFSSSP breaks whichever cycle it comes by first, and OpenSM
/// searches from the channels as they lie in a binary tree, by when paths first used them. Followed
/// with OpenSM's own tables of the 4x4 torus, that order moves one path to a third layer; in the
/// order of the ports two are enough, and one is not.
fn expected<'a>(fabric: &str, engine: &str, layers: &'a str) -> &'a str {
    match (fabric, engine) {
        ("torus4x4", "dfsssp") => {
            assert_eq!(layers, "3");
            "2"
        }
        _ => layers,
    }
}

#[test]
fn as_many_layers_are_needed_as_by_opensm() {
    let list = String::from_utf8(file("oracles/opensm/layers.txt")).expect("a text");
    let mut compared = 0;
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [fabric, engine, layers] = words[..] else { panic!("{line}") };
        let network = network(fabric);
        let routing = self::engine(&network, fabric, engine);
        let Ok(Routes::Tables(tables)) = routing.role().routes(&network) else { panic!("{line}") };
        let layers = expected(fabric, engine, layers);
        assert_eq!(tables.layer_count().to_string(), layers, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 32);
}

fn service_levels(fabric: &str, engine: &str) -> String {
    unpacked(&format!("oracles/opensm/{fabric}.{engine}.sl.gz"))
}

/// Which pairs OpenSM's engines put into which layer is chance: `lash` moves paths between layers
/// until all hold about as many, and `dfsssp` spreads them over eight.
#[test]
fn service_levels_come_back_byte_by_byte() {
    for (fabric, engine) in [("torus4x4", "dfsssp"), ("half-k4n3-b", "lash")] {
        let (network, text) = (network(fabric), service_levels(fabric, engine));
        let reading = levels::read(&[Source { name: "levels", text: &text }], &network);
        let reading = reading.expect("service levels");
        assert_eq!(reading.notices, []);
        let given: BTreeMap<(u32, u32), u8> = reading
            .levels
            .iter()
            .map(|each| ((each.source.0, each.destination.0), each.level))
            .collect();
        let level = |source: Target, destination: Target| given[&(source.0, destination.0)];
        assert_eq!(levels::pair_count(&network), given.len() as u64);
        assert_eq!(levels::write(&network, level), text, "{fabric}");
    }
}
