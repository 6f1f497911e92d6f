//! Virtual layers: as many as OpenSM needed.

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
