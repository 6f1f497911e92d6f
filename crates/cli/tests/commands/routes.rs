//! Audits, comparisons and paths, as a script sees them.

use serde_json::Value;

use super::{Directory, dragontree, text, told};

/// Standard output of a command that ends with this status.
fn printed(arguments: &[&str], status: i32) -> String {
    let output = dragontree(arguments);
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Two hosts on each of four switches in a ring, as files: the fabric and MinHop tables.
fn ring(directory: &Directory) -> (String, String) {
    let topology = "topology=torus,widths=4,p=2";
    let fabric = printed(&["export", topology, "--to", "ibnetdiscover"], 0);
    let fabric = directory.file("ring.txt", &fabric);
    let tables = printed(&["export", &fabric, "routing=min_hop", "--to", "lfts"], 0);
    (fabric, directory.file("tables.txt", &tables))
}

/// Tables given as files lead packets as the engine does that they come from.
#[test]
fn forwarding_tables_are_simulated() {
    let directory = Directory::new("simulated-tables");
    let (fabric, tables) = ring(&directory);
    let study = |command: &str, routing: &[&str]| {
        let given = [&[command, &fabric, "load=0.2", "traffic=shift,by=1"], routing].concat();
        printed(&given, 0)
    };
    let files = ["--lfts", &tables];
    let [given, own] = [&files[..], &["routing=min_hop"]]
        .map(|routing| objects(&study("run", &[routing, &["--json"]].concat())).remove(0));
    assert_eq!(given["metrics"], own["metrics"]);
    let told = study("run", &files);
    assert!(told.contains("routing=imported,lfts=file."), "{told}");
    assert!(told.contains(&format!("--file \"{tables}\"")), "{told}");
    let loads = study("loads", &[&files[..], &["--csv"]].concat());
    assert_eq!(loads, study("loads", &["routing=min_hop", "--csv"]));
    let course = study("course", &[&files[..], &["--csv"]].concat());
    assert_eq!(course, study("course", &["routing=min_hop", "--csv"]));
    // The rest of the text may be a link, or come from standard input; comments are no part of it.
    let link = "https://example.org/lab/?v=1&traffic=shift,by=1&load=0.2";
    let rest = "traffic=shift,by=1 load=0.2 # not routing=min_hop";
    for (word, input) in [(link, ""), ("-", rest), (rest, "")] {
        let output = crate::told(&["run", "--lfts", &tables, &fabric, word, "--json"], input);
        assert_eq!(objects(&text(&output.stdout))[0]["metrics"], own["metrics"], "{word}");
    }
}

#[test]
fn contention_is_counted_for_each_routing() {
    let study = ["topology=xgft,m=4.4.4,w=1.4.4", "routing=min_hop", "routing=d_mod_k"];
    let arguments: Vec<&str> = ["contention"].into_iter().chain(study).collect();
    let json: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
    let rows = objects(&printed(&json, 0));
    // Zahavi 2009, Table I.
    assert_eq!((&rows[0]["engine"], &rows[0]["worst"]), (&"min_hop".into(), &4.0.into()));
    assert!((rows[0]["mean"].as_f64().unwrap() - 3.2).abs() < 0.05);
    assert_eq!((&rows[1]["worst"], &rows[1]["mean"]), (&1.0.into(), &1.0.into()));
    for row in &rows {
        assert_eq!(row["stages"], 63);
        assert_eq!(row["per_stage"].as_array().unwrap().len(), 63);
        assert_eq!(row["per_level"][0]["level"], "level 2");
        assert!(row["seconds"].is_number());
    }
    let csv: Vec<&str> = arguments.iter().copied().chain(["--csv"]).collect();
    let csv = printed(&csv, 0);
    assert_eq!(csv.lines().next(), Some("topology,engine,order,shift,flows"));
    assert_eq!(csv.lines().count(), 1 + 2 * 63);
    let table = printed(&arguments, 0);
    assert!(table.contains("shifts  worst   mean  unrouted\n"), "{table}");
    assert!(table.contains("channels × most flows: "), "{table}");
}

/// What would take hours says so, and what to ask for instead.
#[test]
fn too_many_ways_are_not_counted() {
    let fabric = "topology=dragonfly,p=6,a=12,h=6";
    let output = dragontree(&["contention", fabric, "routing=valiant,via=switch"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("“valiant”") && said.contains("to go through one by one"), "{said}");
    printed(&["contention", fabric, "exchange=all_to_all,order=lin,phase=1"], 0);
    assert!(printed(&["contention", fabric], 0).contains("5255"));
}

/// Zahavi 2009, Table I for the tree with hosts missing, whose file has them in another order: no
/// shift has contention where places follow the tree's indices and missing hosts keep theirs.
#[test]
fn shifts_go_along_the_tree_unless_told_otherwise() {
    let root = env!("CARGO_MANIFEST_DIR");
    let file = format!("{root}/../../tests/fabrics/opensm/k4n3-partial.ibnetdiscover");
    let along = "contiguous,order=ftree,keepers=yes";
    for command in ["contention", "audit", "compare"] {
        let printed = printed(&[command, &file, "routing=ftree", "--json"], 0);
        let of_ftree = |row: &Value| command != "compare" || row["engine"] == "ftree";
        let row = objects(&printed).into_iter().find(of_ftree).unwrap();
        let found = if command == "contention" { &row } else { &row["contention"] };
        assert_eq!([&found["stages"], &found["worst"]], [63.0, 1.0], "{command}");
        if command != "compare" {
            assert_eq!(row["order"], along, "{command}");
        }
    }
    for (asked, order) in [("order=index", "index"), ("keepers=no", "ftree")] {
        let asked = format!("placement=contiguous,{asked}");
        let text = printed(&["contention", &file, "routing=ftree", &asked, "--json"], 0);
        let row = &objects(&text)[0];
        assert_eq!(row["order"], format!("contiguous,order={order},keepers=no"));
        assert_eq!(row["stages"], 50);
    }
}

#[test]
fn tables_are_exported_audited_and_asked() {
    let directory = Directory::new("audit");
    let (fabric, tables) = ring(&directory);
    let audit = ["audit", &fabric, "--lfts", &tables];
    let table = printed(&audit, 0);
    for word in [
        "8 endpoints, 4 switches, 12 links\n",
        "FAULT    Routes of endpoints can deadlock: 4 channels wait for each other: ",
        "ok       All 56 pairs of endpoints that cables join have a route.",
        "Forwarding tables do not show adaptive routing",
        "form no fat tree: ",
        "Cycle of channels (4)\n",
    ] {
        assert!(table.contains(word), "{word}\n{table}");
    }
    let json: Vec<&str> = audit.into_iter().chain(["--json"]).collect();
    let report = &objects(&printed(&json, 0))[0];
    assert_eq!(report["engine"], "imported");
    assert_eq!(report["endpoint_pairs"]["total"], 56);
    assert_eq!(report["endpoint_pairs"]["routed"], 56);
    assert_eq!(report["switch_pairs"]["total"], 12);
    assert_eq!(report["acyclic"]["endpoints"], false);
    assert_eq!(report["cycle"].as_array().unwrap().len(), 4);
    assert_eq!(report["layers"], 1);
    assert!(report["contention"]["worst"].as_f64().unwrap() >= 1.0);
    assert!(report["seconds"].is_number());
    for (finding, status) in [("deadlock", 1), ("unreachable", 0), ("saturation", 1)] {
        let failing: Vec<&str> = audit.into_iter().chain(["--fail-on", finding]).collect();
        printed(&failing, status);
    }
    // What is exported, read and exported again is the same.
    let again = directory.file("again.txt", &printed(&["export", &fabric, "--to", "edges"], 0));
    assert!(!again.is_empty());
    let path: Vec<&str> = vec!["path", &fabric, "--lfts", &tables, "endpoint 0:endpoint 7"];
    let told = printed(&path, 0);
    assert!(told.contains("probability 1.0000, 1 link between switches"), "{told}");
    assert!(told.contains("lid 8"), "{told}");
    let json: Vec<&str> = path.iter().copied().chain(["--json"]).collect();
    let report = &objects(&printed(&json, 0))[0];
    assert_eq!(report["paths"][0]["steps"].as_array().unwrap().len(), 4);
    assert_eq!(report["paths"][0]["steps"][1]["entry"], 8);
}

#[test]
fn queries_are_answered_line_by_line() {
    let directory = Directory::new("query");
    let (fabric, tables) = ring(&directory);
    let asked = ["query", &fabric, "--lfts", &tables];
    let one: Vec<&str> = asked.into_iter().chain(["endpoint 0:endpoint 3"]).collect();
    let line = "endpoint 0 0x0002c90200000000 0x0002c90200000100 endpoint 3\n";
    assert_eq!(printed(&one, 0), line);
    let several: Vec<&str> = asked.into_iter().chain(["-"]).collect();
    let output = told(&several, "query endpoint 0:endpoint 3\n\n1:nobody\n0x0002c90300000001:4\n");
    let text_of = text(&output.stdout);
    let lines: Vec<&str> = text_of.lines().collect();
    assert_eq!(lines[0], line.trim_end());
    assert!(
        lines[1].starts_with("error: “nobody” is no name, GUID (0x…) or local id"),
        "{text_of}"
    );
    assert_eq!(lines[2], line.trim_end());
    assert_eq!(output.status.code(), Some(2));
    let refused = dragontree(&["query", &fabric, "endpoint 0"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("A:B: “endpoint 0” was given"));
}

#[test]
fn what_cannot_be_read_leaves_the_rest_of_the_audit() {
    let directory = Directory::new("broken");
    let (fabric, _) = ring(&directory);
    // Tables of another fabric.
    let other =
        "Unicast lids [0-1] of switch Lid 1 guid 0x00000000deadbeef ('ghost'):\n0x0001 001\n";
    let other = directory.file("other.txt", other);
    let output = dragontree(&["audit", &fabric, "--lfts", &other]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("those of other switches"), "{output:?}");
    let table = text(&output.stdout);
    assert!(table.contains("FAULT    There are no routes: "), "{table}");
    assert!(table.contains("8 endpoints, 4 switches, 12 links"), "{table}");
    // No tables at all.
    let table = printed(&["audit", &fabric], 0);
    assert!(
        table.contains("note     There are no routes: no forwarding tables were given"),
        "{table}"
    );
    // The default routing is a choice, too.
    let output = dragontree(&["audit", "topology=xgft,m=2.2.2,w=1.2.2", "routing=minimal"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("minimal needs groups"), "{output:?}");
    // A routing beside tables.
    let output = dragontree(&["audit", &fabric, "routing=min_hop", "--lfts", &other]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("“routing=min_hop” was given; allowed: no routing="));
    // A routing that does not fit.
    let output = dragontree(&["route", &fabric, "routing=d_mod_k"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("d_mod_k needs a tree"));
}

#[test]
fn reports_are_anonymized_and_written_as_csv() {
    let directory = Directory::new("anonymous");
    let (fabric, tables) = ring(&directory);
    let csv = printed(&["audit", &fabric, "--lfts", &tables, "--anonymize", "--csv"], 0);
    assert!(csv.starts_with("section,rail,item,value\nfabric,,engine,imported\n"), "{csv}");
    assert!(csv.contains("\ncycle,,S") && !csv.contains("switch 0"), "{csv}");
    assert!(csv.contains("\nacyclic,,endpoints,false\n"), "{csv}");
}

#[test]
fn a_reason_does_not_tell_names_in_an_anonymized_report() {
    let directory = Directory::new("reason");
    let (fabric, _) = ring(&directory);
    let refused = ["audit", &fabric, "routing=ftree"];
    let report = dragontree(&refused);
    assert!(text(&report.stdout).contains("ftree needs a fat tree"), "{report:?}");
    assert!(text(&report.stdout).contains("switch (0) and "), "{report:?}");
    let report = dragontree(&[&refused[..], &["--anonymize", "--json"]].concat());
    let report = text(&report.stdout);
    assert!(report.contains("There are no routes by ftree."), "{report}");
    assert!(!report.contains("switch ("), "{report}");
}

#[test]
fn layers_that_a_file_cannot_hold_are_told() {
    let torus = ["export", "topology=torus,widths=5,p=1", "--to", "lfts"];
    let told = |routing: &str| {
        let output = dragontree(&[&torus[..], &[routing]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stderr)
    };
    for routing in ["routing=lash", "routing=dfsssp", "routing=dimension_order"] {
        assert!(told(routing).contains("lfts: the 2 virtual layers of these routes"), "{routing}");
    }
    assert_eq!(told("routing=min_hop"), "");
}

#[test]
fn every_routing_of_the_list_is_compared() {
    let fabric = "topology=xgft,m=4.4,w=1.4";
    let list = printed(&["list", "routing", "--json"], 0);
    let parts = objects(&list)[0]["parts"].as_array().unwrap().len();
    let rows = objects(&printed(&["compare", fabric, "--json"], 0));
    assert_eq!(rows.len(), parts);
    let row = |name: &str| rows.iter().find(|row| row["engine"] == name).unwrap();
    assert_eq!(row("min_hop")["contention"]["worst"], 1.0);
    assert_eq!(row("min_hop")["endpoint_pairs"]["routed"], 240);
    assert!(row("min_hop")["seconds"].is_number());
    assert!(row("dimension_order")["refused"].as_str().unwrap().contains("needs"));
    let table = printed(&["compare", fabric], 0);
    assert!(table.contains("dimension_order: needs "), "{table}");
    let csv = printed(&["compare", fabric, "--csv"], 0);
    assert_eq!(csv.lines().count(), 1 + parts);
}

#[test]
fn service_levels_are_exported_where_tables_have_layers() {
    let torus = "topology=torus,widths=4.4,p=1";
    let levels = printed(&["export", torus, "routing=lash", "--to", "levels"], 0);
    assert_eq!(levels.lines().count(), 16 * 15);
    // A ring of four needs two layers for shortest paths (Dally & Towles 2004, §14.2).
    assert!(levels.lines().any(|line| line.ends_with(" 1")));
    let refused = dragontree(&["export", torus, "routing=dimension_order", "--to", "levels"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no service levels of pairs"));
}

/// A ring of five deadlocks on its shortest paths, unless their layers are kept apart (Dally & Towles 2004,
/// §14.2).
#[test]
fn tables_are_simulated_on_the_layers_of_a_file() {
    let directory = Directory::new("levels");
    let ring = "topology=torus,widths=5,p=1";
    let file = |to: &str| {
        let text = printed(&["export", ring, "routing=lash", "--to", to], 0);
        directory.file(&format!("ring.{to}"), &text)
    };
    let (tables, levels) = (file("lfts"), file("levels"));
    let run = |more: &[&str]| {
        let study = ["run", "--json", ring, "traffic=shift,by=2", "load=1", "--lfts", &tables];
        objects(&printed(&[&study[..], more].concat(), 0)).remove(0)
    };
    assert_eq!(run(&[])["metrics"]["deadlock"].as_array().unwrap().len(), 5);
    let apart = &run(&["--levels", &levels])["metrics"];
    assert!(apart["deadlock"].is_null() && apart["accepted"].as_f64().unwrap() > 0.4, "{apart}");
}

#[test]
fn paths_of_all_pairs_are_exported() {
    let csv = printed(
        &["export", "topology=xgft,m=2.2,w=1.2", "routing=static_random", "--to", "paths"],
        0,
    );
    assert_eq!(
        csv.lines().next(),
        Some("source,destination,rail,probability,links,switches,problem")
    );
    assert_eq!(csv.lines().count(), 1 + 12);
    let refused = dragontree(&["export", "topology=xgft", "routing=static_random", "--to", "lfts"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no forwarding tables can hold them"));
}

#[test]
fn ways_of_messages_are_exported() {
    let directory = Directory::new("message-ways");
    let export = [
        "export",
        "topology=xgft,m=4.4,w=1.4",
        "exchange=all_to_all,order=xor",
        "routing=pattern_specific",
        "--to",
    ];
    let csv = printed(&[&export[..], &["message-paths"]].concat(), 0);
    assert_eq!(
        csv.lines().next(),
        Some("phase,source_rank,source,destination_rank,destination,path")
    );
    assert_eq!(csv.lines().count(), 1 + 16 * 15);
    let objects = printed(&[&export[..], &["message-paths-json"]].concat(), 0);
    assert_eq!(objects.lines().count(), 16 * 15);
    let path = directory.file("tables.txt", "");
    assert_eq!(printed(&[&export[..], &["source-tables", "-o", &path]].concat(), 0), "");
    let tables = std::fs::read_to_string(&path).unwrap();
    assert_eq!(tables.lines().filter(|line| line.starts_with("source ")).count(), 16);

    let several = [&export[..], &["message-paths", "exchange=all_to_all,order=lin"]].concat();
    let refused = dragontree(&several);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("one network, one routing and one exchange"));
    let unknown = ["export", "topology=xgft,m=4.4,w=1.4", "--to", "source-tables"];
    let refused = dragontree(&unknown);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("only known messages have ways"));
}
