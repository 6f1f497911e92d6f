//! Damaged files: each is refused with one sentence, and nothing ends in a panic.

use dragontree::interchange::{Format, Source, read};
use proptest::prelude::*;

use crate::opensm::opensm;
use crate::{links, own};

fn refusal(text: &str) -> String {
    match read(&[Source { name: "fabric", text }]) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("this is read:\n{text}"),
    }
}

/// `own/dual-port.txt` with a piece replaced.
fn changed(from: &str, to: &str) -> String {
    let text = own("dual-port");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn damaged_files_are_refused_with_the_place_what_is_expected_and_what_is_there() {
    let whole = own("dual-port");
    let cut = whole.len() - 30;
    let cases = [
        (
            whole[..cut].to_owned(),
            "line 36: expected a description between quotation marks, found “\"le”",
        ),
        (
            "\u{1}\u{2}PNG garbage".to_owned(),
            "line 1: expected a fabric: ibnetdiscover's Switch and Ca blocks, BookSim's router \
             lines, a table with the columns from and to, a DOT graph or JSON, found \
             “\u{fffd}\u{fffd}PNG garbage”",
        ),
        (
            changed("[1]\t\"S-0002c90200000b00\"[1]", "garbage"),
            "line 11: expected a Switch, Ca or Rt header, the line of a port or a comment, found \
             “garbage\t\t# \"leaf B\" lid 20 4xFDR”",
        ),
        (
            changed("[1]\t\"S-0002c90200000b00\"[1]", "[37]\t\"S-0002c90200000b00\"[1]"),
            "line 11: expected a port from 1 to 36 of “leaf \"A\" # rack 1”, found port 37",
        ),
        (
            changed("\"S-0002c90200000b00\"[1]", "\"S-0002c90200000b00\"[99]"),
            "line 11: expected a port from 1 to 36 of “leaf B”, found port 99",
        ),
        (
            changed("[1]\t\"S-0002c90200000b00\"[1]", "[0]\t\"S-0002c90200000b00\"[1]"),
            "line 11: expected a port's number from 1 in square brackets, found \
             “[0]\t\"S-0002c90200000b00\"[1]\t\t# \"leaf B\" lid 20 4xFDR”",
        ),
        (
            changed("[2]\t\"H-0002c90300000100\"", "[1]\t\"H-0002c90300000100\""),
            "line 12: expected every port of “leaf \"A\" # rack 1” once, found port 1 again, \
             after line 11",
        ),
        (
            changed("switchguid=0x2c90200000b00", "switchguid=0x2c90200000a00"),
            "line 19: expected a GUID of its own for “leaf B”, found 0x2c90200000a00, of “leaf \
             \"A\" # rack 1” (line 10)",
        ),
        (
            changed("Switch\t36 \"S-0002c90200000b00\"", "Switch\t36 \"S-0002c90200000a00\""),
            "line 19: expected every node once, with the same number of ports in all rails, found \
             “S-0002c90200000a00” again, after line 10",
        ),
        (
            changed("Switch\t36 \"S-0002c90200000a00\"", "Switch\tmany \"S-0002c90200000a00\""),
            "line 10: expected the number of ports, found “many \"S-0002c90200000a00\"\t\t# \
             \"leaf \"A\" # rack 1\" base port 0…”",
        ),
        (
            changed("Switch\t36 \"S-0002c90200000a00\"", "Switch\t4000000 \"S-0002c90200000a00\""),
            "line 19: expected up to 4000000 ports in all, found 36 more, which makes 4000036",
        ),
        (
            changed("switchguid=0x2c90200000a00(", "switchguid=zzz("),
            "line 9: expected a GUID of up to 16 hexadecimal digits, found \
             “zzz(2c90200000a00)”",
        ),
        (
            changed("lid 10 lmc 0", "lid ten lmc 0"),
            "line 10: expected a whole number behind lid or lmc, found “ten”",
        ),
        (changed("lmc 2", "lmc 9"), "line 36: expected an lmc from 0 to 7, found “9”"),
        (
            changed("caguid=0x2c90300000100\nCa", "caguid=0x2c90300000100\n\nXa"),
            "line 28: expected a Switch, Ca or Rt header, the line of a port or a comment, found \
             “Xa\t2 \"H-0002c90300000100\"\t\t# \"node 1 \"blue\" #1 HCA-1\"”",
        ),
        (
            changed("[1]\t\"S-0002c90200000b00\"", "[1]\t\"X0\""),
            "line 11: expected the id of a node with a block of its own, or one that begins with \
             S-, H- or R-, found “X0”",
        ),
        (
            "vendid=0x2c9\n".to_owned(),
            "the file: expected Switch, Ca or Rt blocks of ibnetdiscover, found none",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(&text), expected);
    }
}

#[test]
fn other_formats_say_where_they_are_wrong_too() {
    let json = |devices: &str, links: &str| {
        let head = "{\"format\": \"dragontree fabric\", \"version\": 1,";
        format!("{head}\n\"devices\": [{devices}],\n\"links\": [{links}]}}")
    };
    let switch = "{\"kind\": \"switch\", \"ports\": 2}";
    let cases = [
        (
            "router 0 node".to_owned(),
            "line 1: expected a number behind node, found the end of the line",
        ),
        ("router 0 switch 1".to_owned(), "line 1: expected router or node, found “switch”"),
        (
            "router 0 node 0\nrouter 1 node 0".to_owned(),
            "line 2: expected one router for node 0, found router 1, after router 0 (line 1)",
        ),
        (
            "router 0 router 7".to_owned(),
            "line 1: expected router 1 too, as numbers go from 0 without gaps, found only router 7",
        ),
        (
            "router 0 router 1 9999999".to_owned(),
            "line 1: expected a latency from 0 to 100000, found “9999999”",
        ),
        ("node 0 node 1".to_owned(), "line 1: expected a router behind node 0, found node 1"),
        (
            "from,to\na,\"b".to_owned(),
            "line 2: expected a closing quotation mark, followed by a comma or the end of the \
             line, found “a,\"b”",
        ),
        (
            "from,to\n,b".to_owned(),
            "line 2: expected the name of a node in the column from, found nothing",
        ),
        (
            "from,to,bandwidth\na,b,fast".to_owned(),
            "line 2: expected a data rate from 1Mbps to 10Tbps, such as 100Gbps or 4xQDR, found \
             “fast”",
        ),
        (
            "from,port,to,port\na,3,b,0\na,3,c,0".to_owned(),
            "line 3: expected every port of “a” once, found port 3 again, after line 2",
        ),
        (
            "from,to,port\na,b,4000000".to_owned(),
            "line 2: expected the number of a port, from 0, found “4000000”",
        ),
        (
            "graph {\n a -- {b c}\n}".to_owned(),
            "line 2: expected a single node behind the arrow, found “{”",
        ),
        (
            "graph {\n a -- b".to_owned(),
            "line 2: expected a node, an edge, a subgraph or }, found the end of the file",
        ),
        (
            "graph {\n a [kind=car]\n}".to_owned(),
            "line 2: expected switch, router or endpoint, found “car”",
        ),
        (
            "graph {\n \"a".to_owned(),
            "line 2: expected the end of a quotation or comment, found none",
        ),
        (
            json(switch, "{\"ends\": [[0, 0], [1, 0]]}"),
            "line 3: expected two ends, each with a device's place in the list and a port, found \
             device 1, port 0",
        ),
        (
            json(switch, "\n{\"ends\": [[0, 0]]}"),
            "line 4: expected two ends, each with a device's place in the list and a port, found \
             something else",
        ),
        (
            json(switch, "{\"ends\": [[0, 0], [0, \"x\"]]}"),
            "line 3: expected two ends, each with a device's place in the list and a port, found \
             something else",
        ),
        (
            json("\n\n{\"kind\": \"bus\"}", ""),
            "line 4: expected switch, router or endpoint, found “bus”",
        ),
        (
            json("{\"kind\": \"switch\", \"ports\": -1}", ""),
            "line 2: expected a whole number for “ports”, found “-1”",
        ),
        (
            json("{\"kind\": \"switch\", \"ports\": 2", ""),
            "line 2: expected a comma or }, found “],”",
        ),
        (
            json("", "").replace("\"version\": 1", "\"version\": 2"),
            "line 1: expected a dragontree fabric of version 1, found “dragontree fabric” of \
             version 2",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(refusal(&text), expected, "{text}");
    }
}

#[test]
fn several_files_are_rails_of_ibnetdiscover() {
    let rail = own("rail-1");
    let sources =
        [Source { name: "a", text: &rail }, Source { name: "b", text: "router 0 node 0" }];
    let error = read(&sources).expect_err("two formats").to_string();
    assert_eq!(error, "b: expected ibnetdiscover in each of several files, found anynet");
}

/// Small files of every format, to be damaged.
fn seeds() -> Vec<String> {
    let network = crate::network(&opensm("dragonfly-1-2-1"));
    let mut seeds: Vec<String> = Format::ALL
        .iter()
        .map(|format| dragontree::interchange::write(*format, &network).text)
        .collect();
    seeds.extend(["dual-port", "miscabled", "routers", "grouped", "plain"].map(own));
    seeds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = read(&[Source { name: "fabric", text: &text }]);
    }

    #[test]
    fn no_damage_ends_in_a_panic(
        seed in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..5_u8, any::<char>()), 1..8),
    ) {
        let seeds = seeds();
        let mut text: Vec<char> = seed.get(&seeds).chars().collect();
        for (place, edit, c) in edits {
            if text.is_empty() {
                break;
            }
            let at = place.index(text.len());
            match edit {
                0 => text[at] = c,
                1 => drop(text.remove(at)),
                2 => text.insert(at, ['"', '#', '[', '9', ',', '\n', '{'][c as usize % 7]),
                3 => text.truncate(at),
                _ => text.extend_from_within(at..),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(reading) = read(&[Source { name: "fabric", text: &text }]) {
            prop_assert!(reading.fabric.network(&links()).is_ok());
        }
    }
}
