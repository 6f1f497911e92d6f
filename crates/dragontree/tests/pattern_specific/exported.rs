//! The files that routes of messages are written to, walked by cables alone.

use std::collections::BTreeMap;

use dragontree::interchange::{Format, write};
use dragontree::scenario::{MessageWays, Scenario, Study, WaysFormat};

fn scenario(text: &str) -> Scenario {
    Study::parse(text).expect(text).plan().expect(text).jobs[0].scenario().clone()
}

fn file(ways: &MessageWays, format: WaysFormat) -> String {
    (0..ways.parts(format)).map(|part| ways.part(format, part).unwrap()).collect()
}

/// Where the cable at a port of a node leads, as the network's table of links says.
fn cables(scenario: &Scenario) -> BTreeMap<(String, u32), (String, u32)> {
    let network = scenario.network().unwrap();
    let text = write(Format::Edges, &network).text;
    let mut cables = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let end = |at: usize| (cells[at].to_owned(), cells[at + 1].parse().unwrap());
        let (from, to): ((String, u32), (String, u32)) = (end(0), end(2));
        cables.insert(to.clone(), from.clone());
        cables.insert(from, to);
    }
    cables
}

/// A message: its phase, names and ranks of its ends, and the ports by which it leaves switches.
type Message = (u32, [String; 2], [u32; 2], Vec<(String, u32)>);

/// The messages of a file of comma-separated values.
fn messages(csv: &str) -> Vec<Message> {
    let message = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [phase, from_rank, from, to_rank, to, path] = cells[..] else { panic!("{line}") };
        let passed = |word: &str| {
            let (switch, port) = word.strip_suffix(']').unwrap().rsplit_once(" [").unwrap();
            (switch.to_owned(), port.parse().unwrap())
        };
        let ranks = [from_rank, to_rank].map(|rank| rank.parse().unwrap());
        let path = path.split("; ").map(passed).collect();
        (phase.parse().unwrap(), [from, to].map(str::to_owned), ranks, path)
    };
    csv.lines().skip(1).map(message).collect()
}

const OPT: &str = "topology=xgft,m=4.4.2,w=1.4.1 exchange=all_to_all,order=opt";

/// Each way is walked from cable to cable; what is counted on the cables is what the certificate
/// says, and of an all-to-all every rank sends to every other once.
#[test]
fn ways_lead_along_cables_and_carry_what_the_certificate_says() {
    let texts = [
        format!("{OPT} routing=pattern_specific"),
        format!("{OPT} routing=d_mod_k"),
        format!("{OPT} routing=greedy"),
        "topology=xgft,m=4.2.4,w=1.2.2 traffic=shift,by=3 routing=pattern_specific".to_owned(),
        "topology=xgft,m=4.4,w=1.2 exchange=ring routing=pattern_specific".to_owned(),
        "topology=xgft,m=4.4,w=2.2 exchange=all_to_all routing=pattern_specific".to_owned(),
        "topology=xgft,m=3.2.3,w=3.1.2 exchange=ring,order=random routing=greedy".to_owned(),
    ];
    for text in texts {
        let scenario = scenario(&text);
        let network = scenario.network().unwrap();
        let ways = scenario.message_ways(&network, u64::MAX).expect(&text);
        let messages = messages(&file(&ways, WaysFormat::Csv));
        let cables = cables(&scenario);
        let mut carried: BTreeMap<(u32, &(String, u32)), u32> = BTreeMap::new();
        for (phase, [source, destination], _, path) in &messages {
            // Where endpoints have several links, the way begins with the source and its port.
            let several = cables.contains_key(&(source.clone(), 1));
            let mut at = source.clone();
            if !several {
                at.clone_from(&cables[&(source.clone(), 0)].0);
            }
            for hop in path {
                assert_eq!(hop.0, at, "{text}");
                at = cables[hop].0.clone();
                *carried.entry((*phase, hop)).or_default() += 1;
            }
            assert_eq!(at, *destination, "{text}");
        }
        let routes = scenario.routes(&network).unwrap();
        let certificates = scenario.certificates(&network, &routes).unwrap().expect(&text);
        for certificate in &certificates.phases {
            let own = carried.iter().filter(|((phase, _), _)| *phase == certificate.phase);
            let most = own.map(|(_, count)| *count).max();
            assert_eq!(most, Some(certificate.achieved), "{text}: phase {}", certificate.phase);
        }
        if text.starts_with(OPT) {
            let mut pairs: Vec<[u32; 2]> = messages.iter().map(|message| message.2).collect();
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!((pairs.len(), messages.len()), (32 * 31, 32 * 31));
        }
    }
}

/// The three formats say the same.
#[test]
fn tables_of_sources_and_objects_say_what_the_lines_say() {
    agree(&format!("{OPT} routing=pattern_specific"), false);
    agree("topology=xgft,m=4.4.2,w=2.2.2 exchange=all_to_all routing=pattern_specific", true);
}

fn agree(text: &str, is_several: bool) {
    let scenario = scenario(text);
    let network = scenario.network().unwrap();
    let ways = scenario.message_ways(&network, u64::MAX).unwrap();
    let mut expected = messages(&file(&ways, WaysFormat::Csv));

    let objects = file(&ways, WaysFormat::JsonLines);
    for (line, (phase, names, ranks, path)) in objects.lines().zip(&expected) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["phase"], *phase);
        assert_eq!([&object["source"], &object["destination"]], [&names[0], &names[1]]);
        assert_eq!([&object["source_rank"], &object["destination_rank"]], [&ranks[0], &ranks[1]]);
        let own = usize::from(is_several);
        let port = object.get("source_port").map(|port| port.as_u64().unwrap() as u32);
        assert_eq!(port, path[..own].first().map(|(_, port)| *port));
        assert!(path[..own].iter().all(|(name, _)| *name == names[0]));
        let path = &path[own..];
        let passed = object["path"].as_array().unwrap().iter();
        let passed = passed.map(|hop| (hop["switch"].as_str().unwrap(), hop["port"].as_u64()));
        let path = path.iter().map(|(switch, port)| (switch.as_str(), Some(u64::from(*port))));
        assert!(passed.eq(path));
    }
    assert_eq!(objects.lines().count(), expected.len());

    expected.sort_by_key(|(phase, _, ranks, _)| (ranks[0], *phase));
    let mut expected = expected.into_iter();
    let (mut source, mut lines) = (0, 0);
    let tables = file(&ways, WaysFormat::SourceTables);
    for line in tables.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "source" {
            source = words[1].parse().unwrap();
            continue;
        }
        let (phase, _, ranks, path) = expected.next().unwrap();
        let ports: Vec<String> = path.iter().map(|(_, port)| port.to_string()).collect();
        let own = [phase.to_string(), ranks[1].to_string(), ports.join(",")];
        assert_eq!((ranks[0], &words[..3]), (source, &own.each_ref().map(String::as_str)[..]));
        lines += 1;
    }
    assert_eq!(lines, 32 * 31);
}

/// Each with a sentence that says what is allowed.
#[test]
fn ways_that_are_not_one_for_each_message_are_refused() {
    let cases = [
        ("topology=xgft,m=4.4,w=1.4 routing=d_mod_k", "only known messages have ways"),
        ("topology=xgft,m=4.4,w=1.4 traffic=shift,by=4 routing=dynamic_random", "several ways"),
        ("topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 routing=ugal", "adaptive"),
    ];
    for (text, expected) in cases {
        let scenario = scenario(text);
        let network = scenario.network().unwrap();
        let ways = scenario.message_ways(&network, u64::MAX);
        let refused = match ways {
            Ok(ways) => ways.part(WaysFormat::Csv, 0).unwrap_err(),
            Err(problems) => problems,
        };
        let said = refused[0].to_string();
        assert!(said.contains(expected), "{text}: {said}");
    }
    let scenario = scenario(&format!("{OPT} routing=pattern_specific"));
    let network = scenario.network().unwrap();
    let refused = scenario.message_ways(&network, 991).err().unwrap();
    assert!(refused[0].to_string().contains("992 messages, allowed here: up to 991"));
}
