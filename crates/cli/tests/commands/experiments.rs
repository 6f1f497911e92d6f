//! Runs, lists and figures.

use std::process::Output;

use serde_json::Value;

use super::{dragontree, text, told};

const SMALL: &str = "topology=dragonfly,p=1,a=2,h=1";

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The lines of `--json` without what the clock says.
fn records(arguments: &[&str]) -> Vec<Value> {
    let output = dragontree(arguments);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let mut records: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &mut records {
        record["seconds"] = Value::from(0.0);
    }
    records
}

#[test]
fn json_has_its_stable_keys_in_the_order_of_the_study() {
    let records = records(&["run", "--json", SMALL, "load=0.3/0.1", "seeds=2"]);
    let loads: Vec<f64> = records.iter().map(|r| r["x"].as_f64().unwrap()).collect();
    assert_eq!(loads, [0.3, 0.3, 0.1, 0.1]);
    let seeds: Vec<u64> = records.iter().map(|r| r["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, [1, 2, 1, 2]);
    let help = text(&dragontree(&["run", "--help"]).stdout);
    let record = records[0].as_object().unwrap();
    let metrics = record["metrics"].as_object().unwrap();
    for key in record.keys().chain(metrics.keys()) {
        let explained = help.lines().any(|line| line.split_whitespace().next() == Some(key));
        assert!(explained, "--help does not explain {key}");
    }
    for key in ["mean", "p50", "p99", "max", "zero_load"] {
        assert!(metrics["latency_ns"].as_object().unwrap().contains_key(key), "{key}");
    }
    assert_eq!(record["digest"].as_str().unwrap().len(), 16);
}

/// On the diagonal of a square of 25 ranks nothing is sent.
#[test]
fn how_much_less_than_the_load_is_offered_is_told() {
    let study = ["topology=torus,widths=5.5,p=1", "routing=dimension_order", "traffic=transpose"];
    let told = text(&dragontree(&[&["run"], &study[..], &["load=0.1/0.2"]].concat()).stdout);
    let note = "  note: averaged over all endpoints, as accepted is, 80 % of the load is offered: ";
    assert!(told.contains(note), "{told}");
    let uniform = text(&dragontree(&["run", SMALL, "load=0.1"]).stdout);
    assert!(!uniform.contains("note:"), "{uniform}");
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let study =
        ["run", "--json", SMALL, "load=0.1..1:6", "placement=contiguous", "placement=random"];
    let one = records(&[&study[..], &["--jobs", "1"]].concat());
    assert_eq!(one.len(), 12);
    for jobs in ["2", "5", "40"] {
        assert_eq!(records(&[&study[..], &["--jobs", jobs]].concat()), one);
    }
}

#[test]
fn everything_wrong_is_said_on_a_line_of_its_own() {
    let output = dragontree(&["run", "topology=dragonfly,p=99", "lod=1", "routing=minimum"]);
    assert_eq!(status(&output), 2);
    assert!(output.stdout.is_empty());
    let lines = text(&output.stderr);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (line, words) in lines.iter().zip([
        ["topology,p", "99", "1 to 64"],
        ["lod", "allowed", "load"],
        ["routing", "minimum", "d_mod_k"],
    ]) {
        assert!(words.iter().all(|word| line.contains(word)), "{line}");
    }
}

#[test]
fn what_cannot_be_built_is_said_once_and_nothing_runs() {
    let tree = "topology=xgft,m=4.4.2,w=1.4.4";
    let output = dragontree(&["run", "--csv", tree, "routing=minimal", "load=0.1..1:20"]);
    assert_eq!(status(&output), 2);
    assert!(output.stdout.is_empty());
    let lines = text(&output.stderr);
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.contains("routing") && lines.contains("groups"), "{lines}");
}

#[test]
fn findings_are_errors_only_when_asked_for() {
    let saturated = ["run", "--csv", SMALL, "traffic=bit_complement", "load=1", "buffer=1kB"];
    let asked = [&saturated[..], &["--fail-on", "saturation"]].concat();
    assert_eq!(status(&dragontree(&asked)), 1);
    assert_eq!(status(&dragontree(&saturated)), 0);
    let other = [&saturated[..], &["--fail-on", "deadlock"]].concat();
    assert_eq!(status(&dragontree(&other)), 0);
    let fine = ["run", "--csv", SMALL, "load=0.1", "--fail-on", "saturation"];
    assert_eq!(status(&dragontree(&fine)), 0);
}

#[test]
fn csv_has_a_header_and_a_line_for_each_run() {
    let output = dragontree(&["run", "--csv", SMALL, "load=0.2/0.4"]);
    let lines = text(&output.stdout);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("series,x,seed,offered,accepted,"));
    assert!(lines[1].starts_with(",0.2,1,0.2,"), "{}", lines[1]);
}

/// A transpose leaves the four endpoints of the diagonal of 4 × 4 silent: 12/16 of 0.4 is offered.
#[test]
fn what_silent_endpoints_leave_of_the_load_is_told() {
    let torus = "topology=torus,widths=4.4,p=1";
    let study = ["run", torus, "routing=dimension_order", "traffic=transpose", "load=0.4"];
    let told = |more: &[&str]| text(&dragontree(&[&study[..], more].concat()).stdout);
    let csv = told(&["--csv"]);
    let (header, row) = csv.trim_end().split_once('\n').unwrap();
    let from_the_end = header.rsplit(',').position(|name| name == "offered_mean").unwrap();
    // The scenario, which is last, has commas in it.
    let row = row.rsplit_once(",\"v=1 ").unwrap().0;
    assert_eq!(row.rsplit(',').nth(from_the_end - 1), Some("0.3"), "{row}");
    let metrics = &records(&[&study[..], &["--json"]].concat())[0]["metrics"];
    assert!((metrics["offered_mean"].as_f64().unwrap() - 0.3).abs() < 1e-12);
    assert!(told(&[]).contains("75 % of the load is offered"));
}

#[test]
fn tables_show_each_curve_and_how_to_get_it_again() {
    let study = ["run", SMALL, "load=0.2/0.3", "placement=contiguous", "placement=random"];
    let output = dragontree(&study);
    let table = text(&output.stdout);
    for word in ["\nContiguous\n", "\nRandom\n", "accepted throughput", "20 %", "bound ", "again: "]
    {
        assert!(table.contains(word), "{word} is missing in\n{table}");
    }
    let again = table.split("again: dragontree run \"").nth(1).unwrap();
    let again = again.split('"').next().unwrap();
    let output = dragontree(&["run", again]);
    assert!(text(&output.stderr).starts_with("reproduced"), "{}", text(&output.stderr));
    let output = dragontree(&["run", &again.replace("load=0.2/0.3", "load=0.2/0.4")]);
    assert!(text(&output.stderr).starts_with("numbers differ"), "{}", text(&output.stderr));
}

#[test]
fn a_second_table_says_what_was_measured_and_how_evenly() {
    let study = ["run", "topology=dragonfly,p=2,a=4,h=2", "load=0.3", "warmup=2us", "window=20us"];
    let table = text(&dragontree(&study).stdout);
    let run = &records(&[&study[..], &["--json"]].concat())[0]["metrics"];
    let packets = run["packets"].to_string();
    let packets = format!("{},{}", &packets[..packets.len() - 3], &packets[packets.len() - 3..]);
    let fairness = format!("{:.3}", run["fairness"].as_f64().unwrap());
    let mut lines = table.lines().skip_while(|line| !line.ends_with("worst source"));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let header = words(lines.next().unwrap());
    assert_eq!(header[2..], ["warm-up", "window", "packets", "fairness", "worst", "source"]);
    let row = words(lines.next().unwrap()).join(" ");
    let worst = run["worst_source"].as_f64().unwrap() * 100.0;
    let (start, shown) = row.rsplit_once(&fairness).unwrap();
    assert_eq!(start, format!("30 % 2 µs 20 µs {packets} "), "{table}");
    let shown: f64 = shown.trim_end_matches('%').trim().parse().unwrap();
    assert!((shown - worst).abs() < 0.1, "{shown}, not {worst}");
}

#[test]
fn links_and_standard_input_are_texts_too() {
    let link = "https://example.org/lab/?v=1&topology=dragonfly,p=1,a=2,h=1&load=0.2&utm_source=x";
    let plain = records(&["run", "--json", SMALL, "load=0.2"]);
    assert_eq!(records(&["run", "--json", link]), plain);
    let lines = format!("# a study\n{SMALL}\nload=0.2 # the load\n");
    let output = told(&["run", "--csv", "-"], &lines);
    assert!(text(&output.stdout).contains(plain[0]["digest"].as_str().unwrap()));
    // A shell may pass a comment on, word by word.
    for comment in [&["#", "my", "seed=3"][..], &["#seed=3"], &["# seed=3"]] {
        let words = [&["run", "--json", SMALL, "load=0.2"], comment].concat();
        assert_eq!(records(&words), plain, "{comment:?}");
    }
    assert_eq!(records(&["run", "--json", "# a study", SMALL, "load=0.2"]), plain);
    let nothing = dragontree(&["run", "#study", SMALL, "load=0.2"]);
    assert_eq!(status(&nothing), 2);
    assert!(text(&nothing.stderr).contains("“#study” was given; expected KEY=VALUE"));
}

#[test]
fn charts_are_written_with_the_text_as_their_caption() {
    let directory = std::env::temp_dir().join(format!("dragontree-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("chart.svg");
    let path = file.to_str().unwrap();
    assert_eq!(status(&dragontree(&["run", "--csv", SMALL, "load=0.2/0.4", "--svg", path])), 0);
    let drawing = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(drawing.matches("<svg").count(), 3);
    assert!(drawing.contains("topology=dragonfly,p=1,a=2,h=1"));
    let nowhere = directory.join("none/chart.svg");
    let failed =
        dragontree(&["run", "--csv", SMALL, "load=0.2", "--svg", nowhere.to_str().unwrap()]);
    assert_eq!(status(&failed), 2);
    assert!(text(&failed.stderr).contains("could not be written"));
}

/// Dragonflies: G = a·h + 1 groups, p·a·G endpoints, diameter 3 (Prisacari 2020, §4.2).
#[test]
fn info_prints_each_different_network_once() {
    // Three settings vary, but the load changes no network.
    let study = ["topology=dragonfly,p=1/2,a=2/4,h=1", "load=0.1..1:10", "x=load"];
    let rows = records(&[&["info", "--json"], &study[..]].concat());
    let numbers = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(numbers("endpoints"), [6, 20, 12, 40]);
    assert_eq!(numbers("diameter"), [3, 3, 3, 3]);
    let topology = rows[1]["topology"].as_str().unwrap();
    assert!(topology.contains("p=1,a=4,h=1") && topology.contains("wiring=palmtree"));
    let help = text(&dragontree(&["info", "--help"]).stdout);
    for key in rows[0].as_object().unwrap().keys() {
        let explained = help.lines().any(|line| line.split_whitespace().next() == Some(key));
        assert!(explained, "--help does not explain {key}");
    }
    for key in ["mean", "max"] {
        assert!(rows[0]["diversity"][key].is_number(), "{key}");
    }

    let table = text(&dragontree(&[&["info"], &study[..]].concat()).stdout);
    for word in ["endpoints", "bisection", ",p=2,a=4,h=1 "] {
        assert!(table.contains(word), "{word} is missing in\n{table}");
    }
    let lines = text(&dragontree(&[&["info", "--csv"], &study[..]].concat()).stdout);
    assert_eq!(lines.lines().count(), 5);
    // The topology is quoted, for the sake of its own commas.
    let columns = |line: &str| line.matches(',').count();
    let mut lines = lines.lines();
    let header = lines.next().unwrap();
    assert!(lines.all(|line| columns(line) == columns(header) + columns(topology)));
}

#[test]
fn info_says_what_is_wrong_with_the_text_and_what_is_unconnected() {
    let wrong = dragontree(&["info", "topology=dragonfly,p=99", "lod=1"]);
    assert_eq!((status(&wrong), text(&wrong.stderr).lines().count()), (2, 2));
    let wrong = dragontree(&["info", "topology=xgft,m=4.4,w=1"]);
    assert_eq!(status(&wrong), 2);
    assert!(text(&wrong.stderr).contains("as many as m"));
    // One of six switches, with one of six endpoints, has lost both links to others.
    let broken = ["topology=dragonfly,p=1,a=2,h=1", "faults=list,link=0-1.0-2"];
    let table = text(&dragontree(&[&["info"], &broken[..]].concat()).stdout);
    let expected = "faults=list,link=0-1.0-2 seed=1: 10 of 30 pairs have no path";
    assert!(table.contains(expected), "{table}");
}

#[test]
fn list_shows_every_part() {
    let output = dragontree(&["list"]);
    let lines = text(&output.stdout);
    for part in ["topology=dragonfly", "topology=xgft", "routing=d_mod_k", "load=0.05..1:20"] {
        assert!(lines.contains(part), "{part}");
    }
    let output = dragontree(&["list", "topology", "--json"]);
    let key: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(key["default"], "dragonfly");
    let settings = key["parts"][0]["settings"].as_array().unwrap();
    let endpoints = settings.iter().find(|setting| setting["key"] == "p").unwrap();
    assert_eq!(endpoints["allowed"], "1 to 64");
    let radix = settings.iter().find(|setting| setting["key"] == "radix").unwrap();
    assert_eq!(radix["shorthand"], true);
    let metrics = text(&dragontree(&["list", "y"]).stdout);
    assert!(metrics.contains("latency_p50           median latency\n"), "{metrics}");
    assert!(lines.ends_with(&metrics));
    let wrong = dragontree(&["list", "topologies"]);
    assert_eq!(status(&wrong), 2);
    assert!(text(&wrong.stderr).contains("allowed: topology, faults, traffic"));
}

#[test]
fn figures_are_compared_with_the_documents() {
    let output = dragontree(&["figures", "P-T4.2", "--json"]);
    assert_eq!(status(&output), 0);
    let lines = text(&output.stdout);
    for line in lines.lines() {
        let check: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&check["id"], &check["verdict"]), (&"P-T4.2".into(), &"met".into()));
    }
    assert_eq!(lines.lines().count(), 36);
    let wrong = dragontree(&["figures", "P-T9"]);
    assert_eq!(status(&wrong), 2);
}

/// An estimate as `--json` prints it.
fn estimate(words: &[&str]) -> Value {
    let output = dragontree(&[&["run", "--estimate", "--json"], words].concat());
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    serde_json::from_str(&text(&output.stdout)).unwrap()
}

#[test]
fn an_estimate_runs_nothing() {
    let study = ["topology=dragonfly,p=2,a=4,h=2", "load=0.2/0.5/0.8", "--jobs", "1"];
    let estimate = estimate(&study);
    assert_eq!(estimate["runs"], 3);
    let hops: f64 = records(&[&["run", "--json"], &study[..]].concat())
        .iter()
        .map(|record| record["metrics"]["packet_hops"].as_f64().unwrap())
        .sum();
    let factor = estimate["packet_hops"].as_f64().unwrap() / hops;
    assert!((0.5..2.0).contains(&factor), "{factor}");
    let help = text(&dragontree(&["run", "--help"]).stdout);
    for key in estimate.as_object().unwrap().keys() {
        assert!(help.contains(key), "--help does not explain {key}");
    }
    // A second of five thousand switches would take days on any machine.
    let long = ["topology=dragonfly,p=10,a=20,h=10", "warmup=0ns", "window=1s", "load=1"];
    let output = dragontree(&[&["run", "--estimate"], &long[..]].concat());
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let table = text(&output.stdout);
    assert!(table.contains(" T") && table.contains("days"), "{table}");
}

/// A ring on which everybody sends half way round, without virtual channels to break the circle.
#[test]
fn films_and_loads_tell_of_deadlocks_and_saturation() {
    let stuck = ["topology=torus,widths=5,p=1", "traffic=shift,by=2", "load=1", "routing=min_hop"];
    let full = ["topology=dragonfly,p=2,a=4,h=2", "traffic=adversarial", "load=0.5"];
    for command in ["course", "loads"] {
        for (study, word) in [(&stuck[..], "deadlock since"), (&full[..], "saturated")] {
            let output = dragontree(&[&[command], study].concat());
            assert!(text(&output.stdout).contains(word), "{}", text(&output.stdout));
        }
        let json = text(&dragontree(&[&[command, "--json"], &stuck[..]].concat()).stdout);
        let row: Value = serde_json::from_str(&json).unwrap();
        assert!(row["deadlock_ns"].as_f64().is_some_and(|since| since > 0.0), "{command}");
    }
}

#[test]
fn the_time_of_what_is_only_counted_is_not_told() {
    let study = ["topology=dragonfly,p=2,a=4,h=2", "y=contention"];
    let counted = estimate(&study);
    assert_eq!((&counted["seconds"], &counted["packet_hops"]), (&Value::Null, &0.0.into()));
    let table = text(&dragontree(&[&["run", "--estimate"], &study[..]].concat()).stdout);
    assert!(table.contains("not estimated: nothing is simulated"), "{table}");
}

#[test]
fn a_study_that_needs_too_much_memory_is_refused_in_a_sentence() {
    let run = |more: &[&str]| {
        let study = ["run", "topology=dragonfly,p=2,a=4,h=2", "load=0.5", "--memory", "10kB"];
        dragontree(&[&study[..], more].concat())
    };
    let refused = run(&[]);
    assert_eq!(status(&refused), 2);
    let said = text(&refused.stderr);
    assert!(said.contains("allowed: memory up to 10kB") && said.contains("--force"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
    // The whole estimate is in it, as --estimate has it; how long it takes is measured.
    let table = text(&run(&["--estimate", "--csv"]).stdout);
    let row = |name: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(&format!("{name},")));
        line.unwrap_or_else(|| panic!("{table}")).to_owned()
    };
    assert!(said.contains(&format!("about {} packet-hops, ", row("packet-hops"))), "{said}");
    assert!(said.contains(&format!("its runs, {} of memory", row("memory"))), "{said}");
    let takes = said.split(" packet-hops, ").nth(1).and_then(|rest| rest.split(" and, ").next());
    let is_time = |text: &str| ["s", "ms", "µs"].contains(&text.split(' ').nth(1).unwrap_or(""));
    assert!(takes.is_some_and(is_time), "{said}");
    assert_eq!(status(&run(&["--force"])), 0);
}

/// At low load what is measured is what is expected, channel by channel, within what chance does.
#[test]
fn channels_are_as_busy_as_expected() {
    let text = "topology=dragonfly,p=2,a=4,h=2 load=0.3 warmup=20us window=1ms";
    let output = dragontree(&["loads", text, "--csv"]);
    assert!(output.status.success());
    let found = self::text(&output.stdout);
    let mut lines = found.lines();
    assert_eq!(lines.next(), Some("series,x,seed,from,port,to,expected,measured"));
    let mut channels = 0;
    for line in lines {
        let cells: Vec<&str> = line.rsplit(',').take(2).collect();
        let [measured, expected] = [0, 1].map(|place| cells[place].parse::<f64>().unwrap());
        assert!((measured - expected).abs() < 0.01, "{line}");
        channels += 1;
    }
    // Both ways over 72 endpoints' links, 9·6 local ones and 36 global ones.
    assert_eq!(channels, 2 * (72 + 54 + 36));
    let table = self::text(&dragontree(&["loads", text]).stdout);
    assert!(table.contains("304 more, less busy"), "{table}");
    let exchange =
        dragontree(&["loads", "topology=xgft,m=4,w=1 exchange=ring routing=d_mod_k", "--json"]);
    let row: Value = serde_json::from_slice(&exchange.stdout).unwrap();
    assert_eq!(row["channels"].as_array().unwrap().len(), 8);
    assert!(row["channels"][0]["measured"].as_f64().unwrap() > 0.5);
}

/// Every curve says why it ends where it does, whatever its axis.
#[test]
fn reasons_are_told_on_every_axis() {
    let table = |text: &str| self::text(&dragontree(&["run", text]).stdout);
    let whole = "8 endpoints at full rate, all a·p of a group, share it: 1 / (a·p) = 1 / 8 = 0.125";
    let by_load = table(
        "topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement window=3us warmup=1us load=0.1/0.2",
    );
    assert!(by_load.contains(&format!("  why: {whole}\n")), "{by_load}");
    let by_place = table(
        "topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement window=3us warmup=1us load=0.2 \
         packet=128B/256B x=packet",
    );
    let reason = format!(" fills at 12.5 %: {whole}; the largest: ");
    assert!(by_place.contains("  why: ") && by_place.contains(&reason), "{by_place}");
}

/// A curve with several deadlocks names the packets of the first one, and the time of each.
#[test]
fn every_deadlock_of_a_curve_has_its_time() {
    let text = "topology=torus,widths=8 routing=dimension_order virtual_channels=1 traffic=tornado \
                load=0.2/0.5/1";
    let times = records(&["run", "--json", text]);
    let times: Vec<f64> =
        times.iter().filter_map(|run| run["metrics"]["deadlock_ns"].as_f64()).collect();
    assert!(times.len() >= 2, "{times:?}");
    let table = self::text(&dragontree(&["run", text]).stdout);
    let lines: Vec<&str> =
        table.lines().filter(|line| line.starts_with("  deadlock since ")).collect();
    assert_eq!(lines.len(), times.len(), "{table}");
    assert!(lines[0].contains(" at 50 %: packet ") && lines[1].ends_with(" at 100 %"), "{table}");
}

/// A saturated network that goes on changing as long as it is looked at.
#[test]
fn saturated_and_not_settled_are_both_told() {
    let text = "topology=torus,widths=8.8 routing=dimension_order load=0.8";
    let metrics = records(&["run", "--json", text])[0]["metrics"].clone();
    assert!(metrics["saturated"] == true && metrics["settled"] == false, "{metrics}");
    let table = self::text(&dragontree(&["run", text]).stdout);
    assert!(table.contains("  saturated, not settled\n"), "{table}");
}

/// Adaptive routes have no bound, but a busiest channel; other switches saturate below theirs.
#[test]
fn saturated_runs_without_a_full_channel_say_why() {
    let text = "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 window=50us routing=ugal";
    let metrics = records(&["run", "--json", text, "load=1"])[0]["metrics"].clone();
    let busiest = &metrics["measured_busiest"];
    let share = busiest["utilization"].as_f64().unwrap();
    assert!(metrics["saturated"] == true && (0.5..=1.0).contains(&share), "{metrics}");
    let table = self::text(&dragontree(&["run", text, "load=1"]).stdout);
    assert!(table.contains(busiest["channel"].as_str().unwrap()), "{table}");
    // What was found to share it.
    let why = &busiest["why"];
    assert!(busiest["packets"].as_u64().unwrap() > 500, "{busiest}");
    assert!(table.contains(why["formula"].as_str().unwrap()), "{table}");
    assert!(table.contains(busiest["found"].as_str().unwrap()), "{table}");
    assert!(table.contains("; most of it:\n"), "{table}");
    let largest = why["largest"][0]["from"].as_str().unwrap();
    assert!(table.contains(&format!("\n    {largest} to ")), "{table}");
    let idle = records(&["run", "--json", text, "load=0.05"]);
    assert!(idle.iter().all(|run| run["metrics"].get("measured_busiest").is_none()));

    let single = "topology=xgft,m=16,w=1 window=20us warmup=5us load=0.3/1";
    let below = |more: &str| -> Vec<Option<String>> {
        let runs = records(&["run", "--json", single, more]);
        let said = |run: &Value| run["metrics"]["below_bound"].as_str().map(str::to_owned);
        runs.iter().map(said).collect()
    };
    let fifo = below("switch=fifo_inputs");
    assert_eq!(fifo[0], None);
    assert!(fifo[1].as_deref().unwrap().contains("58.6 %"), "{fifo:?}");
    assert_eq!(below("switch=voq"), [None, None]);
    let line = "topology=xgft,m=4.2,w=1.4 latency=2us traffic=shift,by=4 window=200us warmup=50us";
    let short = ["run", "--json", line, "load=1", "buffer=2KiB,per=vc"];
    let metrics = &records(&short)[0]["metrics"];
    assert!(metrics["below_bound"].as_str().unwrap().contains("wait for credits"), "{metrics}");
}

/// Bounds that are not known say why, and those beside management traffic what they leave out.
#[test]
fn what_a_bound_leaves_open_is_told() {
    let table = |text: &str| self::text(&dragontree(&["run", text]).stdout);
    let adaptive = table("topology=dragonfly,p=2,a=4,h=2 routing=ugal load=0.1 window=5us");
    assert!(adaptive.contains("bound of these routes is not known: they follow the load\n"));
    assert!(adaptive.contains("  zero load 571 ns\n"), "{adaptive}");
    let many = "topology=dragonfly,endpoints=16000 routing=valiant load=0.01 warmup=0ns window=1us";
    let many = table(many);
    assert!(many.contains("is not known: they are too many to be walked\n"), "{many}");
    assert!(many.contains("  zero load latency not known either\n"), "{many}");
    let tree = "topology=xgft,m=4.4,w=1.4 routing=min_hop load=0.1 warmup=5us window=20us";
    let managed = table(&format!("{tree} management=0.5"));
    assert!(managed.contains(") fills, what switches send one another left out\n"), "{managed}");
    assert!(managed.contains("throughput between switches"), "{managed}");
    let slim = "topology=xgft,m=4.4,w=1.2 routing=min_hop load=0.1 warmup=5us window=20us";
    let axis = table(&format!("{slim} management=0/0.5 x=management"));
    assert!(axis.contains(", what switches send one another left out: "), "{axis}");
    let alone = table(tree);
    assert!(alone.contains(") fills\n") && !alone.contains("between switches"), "{alone}");
}

/// Short buffers are told with the places on the axis that have them, each with its own numbers.
#[test]
fn every_short_buffer_is_told_with_its_place() {
    let text = "topology=xgft,m=4.2,w=1.4 latency=2us load=0.1 window=20us warmup=5us";
    let axis = "buffer=2KiB,per=vc buffer=4KiB,per=vc buffer=1MiB,per=vc x=buffer";
    let table = self::text(&dragontree(&["run", &format!("{text} {axis}")]).stdout);
    let told: Vec<&str> = table.lines().filter(|line| line.contains("warning")).collect();
    assert_eq!(told.len(), 2, "{table}");
    for (line, buffer) in told.iter().zip(["2KiB", "4KiB"]) {
        assert!(line.starts_with(&format!("  warning at {buffer},per=vc: ")), "{line}");
        assert!(line.contains(&format!("buffer takes {buffer} in whole packets")), "{line}");
    }
    let loads = self::text(&dragontree(&["run", text, "buffer=2KiB,per=vc load=0.1/0.2"]).stdout);
    assert_eq!(loads.matches("  warning: ").count(), 1, "{loads}");
}

/// Where no channel was full that adaptive routes use, it is said what else held them back.
#[test]
fn what_holds_adaptive_routes_back_is_said() {
    let text = "topology=dragonfly,p=2,a=4,h=2 routing=ugal load=1 window=30us buffer=512B";
    let table = self::text(&dragontree(&["run", text]).stdout);
    assert!(table.contains("  no channel fills: A virtual channel's input buffer"), "{table}");
}

/// Endpoints may be served in full while the switches' own packets pile up, once the buffers are full.
#[test]
fn saturated_traffic_of_switches_is_said() {
    let text = "topology=xgft,m=4.4,w=1.4 routing=min_hop load=0.2 window=1ms warmup=100us \
                management=0.1/1,bandwidth=100Gbps";
    let table = self::text(&dragontree(&["run", text]).stdout);
    let told: Vec<&str> = table.lines().filter(|line| line.contains("own traffic")).collect();
    assert!(told.len() == 1 && told[0].trim_start().starts_with("100 %"), "{table}");
}

/// Packets of a deadlock are told as objects, too: each waits for what the next one holds.
#[test]
fn deadlocks_are_told_packet_by_packet() {
    let text = "topology=torus,widths=5,p=1 traffic=shift,by=2 load=1 routing=min_hop";
    let metrics = records(&["run", "--json", text])[0]["metrics"].clone();
    let packets = metrics["deadlock_packets"].as_array().unwrap();
    assert_eq!(packets.len(), metrics["deadlock"].as_array().unwrap().len());
    assert_eq!(packets.len(), 5, "{packets:?}");
    for (index, packet) in packets.iter().enumerate() {
        assert_eq!(packet["needs"], packets[(index + 1) % packets.len()]["holds"]);
        assert!(packet["since_ns"].as_f64().unwrap() <= metrics["deadlock_ns"].as_f64().unwrap());
        assert!(packet["number"].is_u64() && packet["source"].is_string());
        assert!(packet["destination"].as_str().unwrap().starts_with("endpoint "), "{packet}");
    }
    // The channels have the names of other commands.
    let loads = self::text(&dragontree(&["loads", text, "--csv"]).stdout);
    for buffer in packets.iter().map(|packet| &packet["holds"]) {
        let [from, to] = ["from", "to"].map(|key| buffer[key].as_str().unwrap());
        let channel = format!(",{from},{},{to},", buffer["port"]);
        assert!(loads.contains(&channel), "{channel} in {loads}");
        assert!(buffer["vc"].is_u64());
    }
    let free = records(&["run", "--json", text, "load=0.1", "window=5us", "warmup=1us"]);
    assert!(free[0]["metrics"].get("deadlock_packets").is_none());
}
