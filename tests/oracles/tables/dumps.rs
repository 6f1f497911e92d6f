//! Dumps that are read and come back.

use dragontree::network::Target;
use dragontree::routing::Imported;

use super::*;

fn read(network: &Network, text: &str) -> lfts::Reading {
    let reading = lfts::read(&[Source { name: "dump", text }], network);
    reading.unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

#[test]
fn dumps_come_back_byte_by_byte() {
    for fabric in FABRICS {
        let network = network(fabric);
        for engine in engines(fabric) {
            let text = dump(fabric, engine);
            let reading = read(&network, &text);
            assert_eq!(reading.notices, [], "{fabric}, {engine}");
            assert_eq!(reading.tables, network.switch_count());
            assert!(lfts::write(&network, &reading.lfts).expect("room") == text, "{fabric}");
            let ours = tables(&network, self::engine(&network, fabric, engine));
            assert!(ours == reading.lfts, "{fabric}, {engine}");
        }
    }
}

/// One dump as the other programs print it: without local ids of switches, with headings, entries
/// that have no way, and the number of entries at the end.
fn as_dump_lfts(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.starts_with("Unicast") {
            let (_, guid) = line.split_once(" guid ").expect("a guid");
            let guid = guid.replace('\'', "");
            let start = "Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1,3 guid ";
            lines.push(format!("{start}{guid}"));
            lines.extend(["  Lid  Out   Destination".into(), "       Port     Info ".into()]);
            lines.push("0x0000 255 : (reserved LID - illegal port)".into());
        } else if let Some((entry, comment)) = line.split_once(" # ") {
            lines.push(format!("{entry} : ({comment})"));
        } else {
            lines.push("17 valid lids dumped ".into());
        }
    }
    lines.join("\r\n")
}

#[test]
fn every_form_of_a_dump_says_the_same() {
    for fabric in ["ring5", "k4n3-partial", "pairs-small"] {
        let network = network(fabric);
        let text = dump(fabric, "minhop");
        let plain = read(&network, &text);
        let other = read(&network, &as_dump_lfts(&text));
        assert!(plain == other, "{fabric}: {:?}", other.notices);
        // Without the comments, local ids tell the destinations.
        let bare = |line: &str| line.split('#').next().map(|line| format!("{line}\n"));
        let bare: String = text.lines().filter_map(bare).collect();
        assert!(plain == read(&network, &bare), "{fabric}");
    }
}

#[test]
fn imported_tables_route_the_fabric_that_they_were_made_for() {
    let network = network("ring5");
    let Ok(Routes::Tables(imported)) = Routing::from(Imported::default()).role().routes(&network)
    else {
        panic!("the example is of this ring")
    };
    assert!(*imported.lfts() == tables(&network, MinHop));
    assert_eq!(imported.layer_between(Target(0), Target(1)), 0);
    // This one's switches have other GUIDs.
    let other = dimension_order::torus();
    let needs = Routing::from(Imported::default()).role().routes(&other).err();
    assert!(needs.expect("a refusal").to_string().contains("tables of its switches"));
}

#[test]
fn damaged_dumps_are_refused_or_read() {
    let network = network("ring5");
    let whole: Vec<char> = dump("ring5", "minhop").chars().collect();
    let strange = ['\0', 'x', '0', ' ', '\n', '\t', 'é', '“', 'U', ':', '\u{10ffff}'];
    let mut stream = dragontree::random::Stream::new(1, "damage", 0);
    for _ in 0..500 {
        let mut text = whole.clone();
        for _ in 0..=stream.below(8) {
            let place = stream.below(text.len() as u32) as usize;
            match stream.below(3) {
                0 => text.truncate(place + 1),
                1 => drop(text.remove(place)),
                _ => text[place] = strange[stream.below(strange.len() as u32) as usize],
            }
            text.push('0');
        }
        let text: String = text.into_iter().collect();
        let sources = [Source { name: "dump", text: &text }];
        match lfts::read(&sources, &network) {
            Ok(reading) => assert!(lfts::write(&network, &reading.lfts).is_ok()),
            Err(wrong) => assert!(wrong.iter().all(|each| each.to_string().contains("expected"))),
        }
        let levels = dragontree::interchange::levels::read(&sources, &network);
        assert!(levels.is_err(), "a dump is no list of levels");
    }
}
