//! Virtual layers: as many as OpenSM needed.

use super::*;

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
        assert_eq!(tables.layer_count().to_string(), layers, "{line}");
        compared += 1;
    }
    assert_eq!(compared, 32);
}
