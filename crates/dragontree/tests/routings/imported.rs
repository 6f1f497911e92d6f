use std::sync::Arc;

use dragontree::analysis::{Dependencies, Ends, Verdict, paths};
use dragontree::catalog::{Data, File, Written};
use dragontree::interchange::{Source, ibnetdiscover, levels, lfts};
use dragontree::network::{Builder, Forward, Lfts, Network, Node, Structure, SwitchId, Target};
use dragontree::routing::{Imported, Pair, Route, Routes, Routing, Sharing, Tables};
use dragontree::scenario::{Experiment, Study};

use crate::fabrics::{LINKS, endpoint};

/// Two switches, “a” with LID 1 and “b” with LID 2, and two hosts on each: LIDs 10, 11 and, with two
/// LIDs for each port, 20 and 22.
const FABRIC: &str = r#"
switchguid=0xa0(a0)
Switch	4 "S-a0"		# "a" base port 0 lid 1 lmc 0
[1]	"S-b0"[1]		# "b" lid 2 4xQDR
[2]	"H-10"[1](11)		# "host-0" lid 10 4xQDR
[3]	"H-20"[1](21)		# "host-1" lid 11 4xQDR

switchguid=0xb0(b0)
Switch	4 "S-b0"		# "b" base port 0 lid 2 lmc 0
[1]	"S-a0"[1]		# "a" lid 1 4xQDR
[2]	"H-30"[1](31)		# "host-2" lid 20 4xQDR
[3]	"H-40"[1](41)		# "host-3" lid 22 4xQDR

caguid=0x10
Ca	1 "H-10"		# "host-0"
[1](11)	"S-a0"[2]		# lid 10 lmc 0 "a" lid 1 4xQDR

caguid=0x20
Ca	1 "H-20"		# "host-1"
[1](21)	"S-a0"[3]		# lid 11 lmc 0 "a" lid 1 4xQDR

caguid=0x30
Ca	1 "H-30"		# "host-2"
[1](31)	"S-b0"[2]		# lid 20 lmc 1 "b" lid 2 4xQDR

caguid=0x40
Ca	1 "H-40"		# "host-3"
[1](41)	"S-b0"[3]		# lid 22 lmc 1 "b" lid 2 4xQDR
"#;

const A: SwitchId = SwitchId(0);

fn network() -> Arc<Network> {
    let reading = ibnetdiscover::read(&[Source { name: "fabric", text: FABRIC }]);
    Arc::new(reading.expect("readable").fabric.network(&LINKS).expect("a network"))
}

fn read(network: &Network, text: &str) -> lfts::Reading {
    lfts::read(&[Source { name: "dump", text }], network).expect("readable")
}

fn notices(reading: &lfts::Reading) -> Vec<String> {
    reading.notices.iter().map(ToString::to_string).collect()
}

fn target(network: &Network, lid: u32) -> Target {
    network.targets().find(|target| network.target_lid(*target) == lid).expect("a destination")
}

fn file(name: &str, text: &str) -> Data {
    let file = File { name: name.to_owned(), text: text.to_owned() };
    Data::Files(vec![(1, Some(Arc::new(file)))])
}

fn tables(network: &Arc<Network>, imported: Imported) -> Box<Tables> {
    match Routing::from(imported).role().find(network, 1) {
        Ok(Routes::Tables(tables)) => tables,
        Ok(_) => panic!("no tables"),
        Err(problems) => panic!("{problems:?}"),
    }
}

const DUMP: &str = "\
Unicast lids [0-23] of switch Lid 1 guid 0x00000000000000a0 ('a'):
0x0001 000 # Switch portguid 0x00000000000000a0: 'a'
0x0002 001 # Switch portguid 0x00000000000000b0: 'b'
0x000a 002 # Channel Adapter portguid 0x0000000000000011: 'host-0'
0x000b 003 # Channel Adapter portguid 0x0000000000000021: 'host-1'
0x0014 001 # Channel Adapter portguid 0x0000000000000031: 'host-2'
0x0015 001 # Channel Adapter portguid 0x0000000000000031: 'host-2'
0x0016 001 # Channel Adapter portguid 0x0000000000000041: 'host-3'
0x0017 001 # Channel Adapter portguid 0x0000000000000041: 'host-3'
23 lids dumped
Unicast lids [0-23] of switch Lid 2 guid 0x00000000000000b0 ('b'):
0x0001 001 # Switch portguid 0x00000000000000a0: 'a'
0x0002 000 # Switch portguid 0x00000000000000b0: 'b'
0x000a 001 # Channel Adapter portguid 0x0000000000000011: 'host-0'
0x000b 001 # Channel Adapter portguid 0x0000000000000021: 'host-1'
0x0014 002 # Channel Adapter portguid 0x0000000000000031: 'host-2'
0x0015 002 # Channel Adapter portguid 0x0000000000000031: 'host-2'
0x0016 003 # Channel Adapter portguid 0x0000000000000041: 'host-3'
0x0017 003 # Channel Adapter portguid 0x0000000000000041: 'host-3'
23 lids dumped
";

#[test]
fn ports_with_several_lids_have_the_entry_of_the_first() {
    let network = network();
    let reading = read(&network, DUMP);
    let expected = "line 7: of a port's several lids only the first is followed; 4 entries for \
                    others are left out";
    assert_eq!(notices(&reading), [expected]);
    assert_eq!(reading.lfts.get(A, target(&network, 22)), Forward::Port(0));
    assert_eq!(lfts::write(&network, &reading.lfts).expect("room enough"), DUMP);
    let (dump, mut one) = (lfts::Dump::new(&network, 1).expect("room enough"), String::new());
    assert_eq!(dump.tables(), 2);
    dump.table(&network, &reading.lfts, 0, &mut one);
    assert!(DUMP.starts_with(&one) && one.ends_with("23 lids dumped\n"));
}

#[test]
fn several_files_are_read_as_one() {
    let network = network();
    let second = DUMP.rfind("Unicast").expect("a table");
    let (one, other) = DUMP.split_at(second);
    let other = format!("{other}0x0099 001\n");
    let sources = [Source { name: "a.txt", text: one }, Source { name: "b.txt", text: &other }];
    let reading = lfts::read(&sources, &network).expect("readable");
    assert_eq!(reading.lfts, read(&network, DUMP).lfts);
    let last = notices(&reading).remove(0);
    assert_eq!(last, "b.txt, line 11: nothing has lid 153; 1 entry is left out");
    // Every file has to begin with a switch of its own.
    let (start, entries) = one.split_once('\n').expect("a line");
    let sources = [Source { name: "a", text: start }, Source { name: "b", text: entries }];
    let wrong = lfts::read(&sources, &network).expect_err("entries of no switch");
    assert!(wrong[0].to_string().starts_with("b, line 1: expected the line “Unicast lids"));
}

#[test]
fn what_the_format_has_no_room_for_is_not_written() {
    let network = |switches: &[u32], endpoints: u32| {
        let mut builder = Builder::new(&LINKS);
        for ports in switches {
            builder.switch(*ports);
        }
        for _ in 0..endpoints {
            builder.endpoint(1);
        }
        builder.finish(Structure::Irregular).expect("no cables")
    };
    let refused = |network: &Network| {
        let refused = lfts::write(network, &Lfts::new(network)).expect_err("no room");
        refused.to_string()
    };
    let large = refused(&network(&[1], 49_151));
    assert!(large.starts_with("the highest local id would be 49152, allowed: up to 49151"));
    assert_eq!(refused(&network(&[254, 255], 1)), "switch 1 has 255 ports, allowed: up to 254");
    // 4,400 tables of 4,400 lines, of 62 or 63 bytes nearly all.
    let long = "the tables would be up to 1214 MB of text, allowed here: up to 1000";
    assert_eq!(refused(&network(&[1; 4400], 0)), long);
}

#[test]
fn what_does_not_fit_the_network_is_said() {
    let network = network();
    let text = "\
Unicast lids [0-23] of switch Lid 1 guid 0xa0 ('a'):
0x0002 002
0x0007 001 # Channel Adapter portguid 0x0000000000000011: 'host-0'
0x0014 004
0x0015 001
0x0016 009
0x000b 000
0x0001 002
0x0099 001
Unicast lids [0-23] of switch Lid 9 guid 0xc0 ('other'):
0x0001 077
Unicast lids [0-23] of switch Lid 1 guid 0xa0 ('a'):
0x0002 001
0x0007 002 # Channel Adapter portguid 0x0000000000000011: 'host-0'
0x0014 004
0x0014 001
0x0016 009
0x0099 001
";
    let reading = read(&network, text);
    let expected = [
        "line 7: a keeps what goes to lid 11 (port 0), which is not its own; the entry is left out",
        "line 8: a sends what goes to itself (lid 1) to port 2; the entry is left out",
        "line 10: no switch has the GUID 0x00000000000000c0 (other); its table is left out",
        "line 12: the table of a again; that of line 1 is left out",
        "line 16: a has another port for lid 20 already; this one counts",
        "line 4: 2 entries lead to port 4 of a, which has no cable",
        "line 6: 2 entries lead to port 9 of a, which has ports 1 to 4; left out",
        "line 9: nothing has lid 153; 2 entries are left out",
        "line 5: of a port's several lids only the first is followed; 1 entry for another is left \
         out",
        "line 3: 1 destination has another lid in the fabric than here; known by the GUID of the \
         port",
        "the file: 1 switch has no table, first b",
    ];
    assert_eq!(notices(&reading), expected);
    assert_eq!(reading.tables, 1);
    let ports = [1, 2, 10, 11, 20, 22].map(|lid| reading.lfts.get(A, target(&network, lid)));
    let [port, nowhere] = [Forward::Port(0), Forward::Nowhere];
    assert_eq!(ports, [Forward::Here, port, Forward::Port(1), nowhere, port, nowhere]);
}

#[test]
fn a_lid_that_several_destinations_have_means_none_of_them() {
    let text = FABRIC.replace("lid 11", "lid 10");
    let reading = ibnetdiscover::read(&[Source { name: "fabric", text: &text }]).expect("readable");
    let network = reading.fabric.network(&LINKS).expect("a network");
    let table = "Unicast lids [0-23] of switch Lid 1 guid 0xa0 ('a'):\n0x000a 002\n";
    let expected = "line 2: more than one thing has lid 10; 1 entry is left out";
    assert_eq!(notices(&read(&network, table))[0], expected);
}

#[test]
fn every_line_that_cannot_be_read_is_named() {
    let network = network();
    let wrong = |text: &str| -> Vec<String> {
        let sources = [Source { name: "dump", text }];
        let wrong = lfts::read(&sources, &network).expect_err(text);
        wrong.iter().map(ToString::to_string).collect()
    };
    let found = wrong("0x0001 000\nUnicast lids of switch\n0x000g 1\n0x0001 300\nother\n");
    let expected = [
        ("line 1: expected the line “Unicast lids", "found “0x0001 000”"),
        ("line 2: expected the switch's GUID", "found “Unicast lids of switch”"),
        ("line 3: expected a local id", "found “0x000g 1”"),
        ("line 4: expected a port from 0 to 255", "found “0x0001 300”"),
        ("the file: expected a line that begins with “Unicast lids”", "found none"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, (start, end)) in found.iter().zip(expected) {
        assert!(found.starts_with(start) && found.ends_with(end), "{found}");
    }
    assert_eq!(wrong(&"0x0001 x\n".repeat(50)).len(), 20);
    assert_eq!(wrong("").len(), 1);
    assert!(wrong("Multicast mlids [0xc000]").concat().contains("Unicast"));
}

#[test]
fn problems_name_the_setting_and_the_file() {
    let network = network();
    let problems = |imported: Imported| -> Vec<String> {
        let found = Routing::from(imported).role().find(&network, 1).err();
        found.expect("a refusal").iter().map(ToString::to_string).collect()
    };
    let lfts = Data::files(&[0xabc]);
    let missing = problems(Imported { lfts, levels: None });
    assert_eq!(missing.len(), 1);
    assert!(missing[0].starts_with("lfts: “file.0000000000000abc” was given; "), "{missing:?}");
    let broken = "Unicast lids guid 0xa0\n0x1\n0x2\n";
    let found = problems(Imported { lfts: file("broken.dump", broken), levels: None });
    assert_eq!(found.len(), 2);
    assert!(found[1].starts_with("lfts: “broken.dump” was given; line 3: expected"), "{found:?}");
    let other = DUMP.replace("guid 0x00000000000000", "guid 0x00000000000011");
    let found = problems(Imported { lfts: file("other.dump", &other), levels: None });
    assert!(found[0].contains("other switches"), "{found:?}");
    let levels = Some(file("levels", "10 11 16\n\n# nothing\n10 11\n10 11 1 1\n10 11 -1"));
    let found = problems(Imported { lfts: file("dump", DUMP), levels });
    assert_eq!(found.len(), 4);
    assert!(found[0].starts_with("levels: “levels” was given; line 1: expected two local ids"));
}

/// Levels of all pairs of hosts: by `level`, of their places.
fn levels_of(level: impl Fn(usize, usize) -> u8) -> String {
    let lids = [10, 11, 20, 22];
    let mut text = "# slid dlid sl\n".to_owned();
    for (source, slid) in lids.iter().enumerate() {
        for (destination, dlid) in lids.iter().enumerate().filter(|(_, dlid)| *dlid != slid) {
            text += &format!("{slid} {dlid:#x} {}\n", level(source, destination));
        }
    }
    text
}

#[test]
fn service_levels_are_virtual_layers() {
    let network = network();
    let with = |text: &str| {
        let levels = Some(file("levels", text));
        tables(&network, Imported { lfts: file("dump", DUMP), levels })
    };
    let pair =
        |source, destination| Pair { source: endpoint(source), destination: endpoint(destination) };
    // The same for the hosts of a switch.
    let shared = with(&levels_of(|source, destination| (source / 2 + 2 * (destination / 2)) as u8));
    assert_eq!((shared.layer_count(), shared.virtual_channels()), (4, 4));
    assert_eq!([(0, 3), (3, 0), (2, 3)].map(|(s, d)| shared.first_stage(pair(s, d))), [2, 1, 3]);
    assert_eq!(shared.layer(A, target(&network, 22)), 2);
    // Of each pair its own.
    let own = with(&levels_of(|source, destination| (source * 4 + destination) as u8));
    assert_eq!(own.layer_count(), 15);
    for (source, destination) in [(0, 1), (1, 0), (0, 3), (1, 3), (3, 2)] {
        let expected = (source * 4 + destination) as u8;
        assert_eq!(own.first_stage(pair(source, destination)), expected);
        let [from, to] = [source, destination]
            .map(|number| network.endpoint_target(endpoint(number)).expect("a cable"));
        assert_eq!(own.layer_between(from, to), expected);
    }
    let sharing = |tables: &Tables| dragontree::routing::Oblivious::sharing(tables);
    assert_eq!([sharing(&shared), sharing(&own)], [Sharing::Sources, Sharing::Nothing]);
    // The layer is kept on the whole way, up to the destination.
    let mut steps = Vec::new();
    paths(&network, own.as_ref(), pair(1, 2), &mut |path, _| {
        steps = path[1..].iter().map(|step| step.vc).collect();
    })
    .expect("a way");
    assert_eq!(steps, [6, 6]);
    let text = "10 11 1\n99 10 1\n10 98 1\n10 21 3\n";
    let reading = levels::read(&[Source { name: "levels", text }], &network).expect("readable");
    assert_eq!(reading.levels.len(), 1);
    let said: Vec<String> = reading.notices.iter().map(ToString::to_string).collect();
    assert!(said[0].starts_with("line 2: nothing, or more than one thing, has lid 99; 2 such"));
    assert!(said[1].starts_with("line 4: of a port's several lids"), "{said:?}");
}

/// What experiments on the example's ring say with these tables.
fn built(text: &str) -> Result<f64, String> {
    let tables = Data::inline(text);
    let mut data = Data::default();
    assert!(data.read(&tables));
    let text = format!("topology=imported routing=imported,lfts={tables} load=0.1");
    let plan = Study::parse(&text).expect("a study").plan().expect("a plan");
    match Experiment::build(plan.jobs[0].scenario(), None) {
        Ok(experiment) => Ok(experiment.analysis().report.hops_mean),
        Err(problems) => Err(problems[0].to_string()),
    }
}

#[test]
fn loops_and_dead_ends_end_in_a_sentence() {
    let ring = include_str!("../../src/routing/imported/example.txt");
    // In a ring of five with two hosts each: 1, 2 or 3 switches, 1/9, 4/9 and 4/9 of the pairs.
    let mean = built(ring).expect("the tables are whole");
    assert!((mean - 21.0 / 9.0).abs() < 1e-6, "{mean}");
    // Switches 0 and 1 send what goes to host-2-0 to each other.
    let (to_next, back) = ("0x000a 001", "0x000a 002");
    let second = ring.find("('ring-1')").expect("a table");
    let circle = format!("{}{}", &ring[..second], ring[second..].replacen(to_next, back, 1));
    let problem = built(&circle).expect_err("a circle");
    assert!(problem.contains("to host-2-0"), "{problem}");
    let dead_end = ring.replacen("0x000a 001", "0x000a 008", 1);
    assert!(built(&dead_end).expect_err("no cable").contains("no route from ring-0 to host-2-0"));
    let missing: String = ring.lines().skip(17).map(|line| format!("{line}\n")).collect();
    assert!(built(&missing).expect_err("a table is missing").contains("no route from ring-"));
}

/// Whether endpoints of the example's ring can deadlock when the pair of the hosts `source` and
/// `destination` (switch and number) has this level.
fn can_deadlock(level: impl Fn([u32; 2], [u32; 2]) -> u8) -> bool {
    let text = "topology=imported load=0.1";
    let plan = Study::parse(text).expect("a study").plan().expect("a plan");
    let network = plan.jobs[0].scenario().network().expect("a network");
    let host = |number: u32| [number / 2, number % 2];
    let nodes = network.nodes_by_name();
    let lid = |[switch, place]: [u32; 2]| {
        let node = nodes[&format!("host-{switch}-{place}")];
        let Node::Endpoint(endpoint) = node else { panic!("a host") };
        network.lid(network.injection(endpoint).expect("a cable"))
    };
    let mut levels = String::new();
    for source in (0..10).map(host) {
        for destination in (0..10).map(host).filter(|destination| *destination != source) {
            let level = level(source, destination);
            levels += &format!("{} {} {level}\n", lid(source), lid(destination));
        }
    }
    let imported = Imported { lfts: Data::Example, levels: Some(file("levels", &levels)) };
    let routes = Arc::new(Routes::Tables(tables(&network, imported)));
    let mut dependencies = Dependencies::new(&network, &routes, Ends::ENDPOINTS, Ends::ENDPOINTS);
    let found = loop {
        if let Some(found) = dependencies.advance(1_000) {
            break found;
        }
    };
    assert_eq!((found.pairs, found.unroutable), (90, 0));
    if let Verdict::Cyclic(cycle) = &found.verdict {
        for step in cycle {
            let (Node::Endpoint(source), Node::Endpoint(destination)) =
                (step.source, step.destination)
            else {
                panic!("endpoints");
            };
            let pair = Pair { source, destination };
            assert_eq!(routes.route().first_stage(pair), step.holds.vc, "{step:?}");
        }
    }
    matches!(found.verdict, Verdict::Cyclic(_))
}

#[test]
fn every_level_counts_when_routes_are_searched_for_deadlocks() {
    // Whether the shorter way between two switches passes the link of the last and the first.
    let passes = |from: u32, to: u32| match (to + 5 - from) % 5 {
        1 | 2 => to < from,
        3 | 4 => to > from,
        _ => false,
    };
    let split = |source: [u32; 2], to: [u32; 2]| u8::from(passes(source[0], to[0]));
    assert!(can_deadlock(|_, _| 0));
    assert!(!can_deadlock(split));
    // The second host of each switch has levels of its own.
    assert!(!can_deadlock(|source, to| split(source, to) + 2 * source[1] as u8));
    assert!(can_deadlock(|source, to| if source[1] == 0 { split(source, to) } else { 2 }));
    assert!(can_deadlock(|source, _| 3 * source[1] as u8));
}
