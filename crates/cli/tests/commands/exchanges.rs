//! `dragontree pattern`, `contention` and `model` of exchanges, and `saturation` of traffic.

use serde_json::{Value, json};

use crate::{Directory, dragontree, text};

fn printed(arguments: &[&str]) -> String {
    let output = dragontree(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn rows(arguments: &[&str]) -> Vec<Value> {
    printed(arguments).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const EIGHT: &str = "topology=xgft,m=4.2,w=1.1";

/// Prisacari 2020, Figs. 2.1 to 2.3: what eight tasks send in each phase, and what crosses the middle.
#[test]
fn phases_of_eight_tasks_are_the_printed_ones() {
    let of = |order: &str| {
        let exchange = format!("exchange=all_to_all,order={order}");
        rows(&["pattern", EIGHT, &exchange, "--json"]).remove(0)
    };
    let opt = of("opt");
    assert_eq!(opt["phases"][0], json!([null, 4, 1, 5, 2, 6, 3, null]));
    assert_eq!(opt["phases"][5], json!([6, 2, 7, null, null, 0, 5, 1]));
    assert_eq!(opt["crossings"][0]["per_phase"], json!([4, 4, 4, 4, 4, 4, 4, 4]));
    assert_eq!(opt["crossings"][0]["busiest"], json!([2, 2, 2, 2, 2, 2, 2, 2]));
    let xor = of("xor");
    assert_eq!(xor["phases"][3], json!([3, 2, 1, 0, 7, 6, 5, 4]));
    assert_eq!(xor["crossings"][0]["per_phase"], json!([0, 0, 0, 0, 8, 8, 8, 8]));
    let lin = of("lin");
    assert_eq!(lin["phases"][0], json!([null, null, null, null, null, null, null, null]));
    assert_eq!(lin["crossings"][0]["per_phase"], json!([0, 2, 4, 6, 8, 6, 4, 2]));
    assert_eq!((&lin["ranks"], &lin["messages"]), (&json!(8), &json!(56)));

    let csv = printed(&["pattern", EIGHT, "exchange=all_to_all,order=opt", "--csv"]);
    assert_eq!(csv.lines().count(), 1 + 56);
    assert!(csv.lines().nth(1).unwrap().ends_with(",0,1,4"), "{csv}");
    assert!(
        printed(&["pattern", EIGHT, "exchange=ring"]).contains("8 ranks, 16 messages, 2 phases")
    );
}

/// Up*/Down* leads around a ring the long way, so other ranks are near than on shortest ways.
#[test]
fn a_broadcast_by_hops_is_ordered_along_the_routes() {
    let ring = "topology=torus,widths=7,p=2";
    let exchange = "exchange=broadcast,order=breadth_first,root=5";
    let both = rows(&["pattern", ring, "routing=min_hop routing=up_down", exchange, "--json"]);
    let [min_hop, up_down] = &both[..] else { panic!("{both:?}") };
    assert_ne!(min_hop["phases"], up_down["phases"]);
    let directory = Directory::new("ordered");
    let fabric = printed(&["export", ring, "--to", "ibnetdiscover"]);
    let fabric = directory.file("fabric.txt", &fabric);
    let tables = printed(&["export", ring, "routing=up_down", "--to", "lfts"]);
    let tables = directory.file("tables.txt", &tables);
    let own = rows(&["pattern", &fabric, "--lfts", &tables, exchange, "--json"]).remove(0);
    assert_eq!(own["phases"], up_down["phases"]);
}

#[test]
fn contention_counts_the_phases_of_an_exchange() {
    let of = ["contention", "topology=dragonfly,p=2,a=4,h=2", "exchange=all_to_all,order=lat"];
    let row = rows(&[&of[..], &["--json"]].concat()).remove(0);
    assert_eq!((&row["stages"], &row["worst"]), (&json!(71), &json!(2.0)));
    assert_eq!((&row["phases"][0], &row["phases"][70]), (&json!(1), &json!(71)));
    assert!(row["per_level"].as_array().unwrap().len() == 2);
    let csv = printed(&[&of[..], &["--csv"]].concat());
    assert!(csv.starts_with("topology,engine,order,exchange,phase,flows\n"), "{csv}");
    assert_eq!(csv.lines().count(), 72);
}

#[test]
fn contention_certifies_the_routes_of_phases_on_a_tree() {
    let tree = "topology=xgft,m=8.4.2,w=1.8.2";
    let of = ["contention", tree, "exchange=all_to_all,order=opt", "routing=pattern_specific"];
    let both = [&of[..], &["routing=d_mod_k", "routing=dynamic_random"]].concat();
    let found = rows(&[&both[..], &["--json"]].concat());
    let solved = &found[0]["certificate"];
    assert_eq!(solved["summary"], "All 64 phases optimal: contention 1.");
    let first = &solved["phases"][0];
    assert_eq!((&first["verdict"], &first["bound"]), (&json!("optimal"), &json!(1)));
    // What is counted in the network, channel by channel, is the same.
    for row in &found[..2] {
        let counted = row["certificate"]["phases"].as_array().unwrap().iter();
        let counted: Vec<f64> = counted.map(|phase| phase["achieved"].as_f64().unwrap()).collect();
        let flows = row["per_stage"].as_array().unwrap().iter();
        assert_eq!(counted, flows.map(|flows| flows.as_f64().unwrap()).collect::<Vec<_>>());
    }
    // Half of 64 ranks cross the top over 16 links upward of each half at most.
    let levels = first["levels"].as_array().unwrap();
    assert!(levels.iter().all(|level| level["witness"]["messages"].as_u64().unwrap() > 0));
    assert_eq!(found[1]["certificate"]["optimal"], 0);
    // What each message draws anew is not certified, and it is said why.
    assert!(found[2]["certificate"].is_null());
    let why = "each message draws one of several ways, so that it depends on chance how many share a \
               link";
    assert_eq!((&found[1]["uncertified"], &found[2]["uncertified"]), (&Value::Null, &json!(why)));
    let drawn = printed(&["contention", tree, of[2], "routing=dynamic_random"]);
    assert!(drawn.contains(&format!("  no certificate: {why}\n")), "{drawn}");
    let csv = printed(&[&both[..], &["--csv"]].concat());
    let heading = "topology,engine,order,exchange,phase,flows,messages,bound,achieved,verdict,witness,\
         level_bounds,level_achieved,level_verdicts";
    assert_eq!(csv.lines().next().unwrap(), heading);
    let columns = |line: &str| line.replace(['\"'], "").matches(',').count();
    assert_eq!(csv.lines().count(), 1 + 3 * 64);
    assert!(csv.lines().nth(1).unwrap().contains(",1,1,optimal,"), "{csv}");
    assert!(
        csv.lines().nth(1).unwrap().ends_with(",1 1 1,1 1 1,optimal; optimal; optimal"),
        "{csv}"
    );
    assert!(csv.lines().last().unwrap().ends_with(",,,,,"), "{csv}");
    assert_eq!(columns(csv.lines().nth(1).unwrap()), columns(csv.lines().last().unwrap()));
    let table = printed(&of);
    assert!(table.contains("certificate: All 64 phases optimal: contention 1."), "{table}");
}

/// A tree that a file describes is certified as the tree is.
#[test]
fn routes_on_a_tree_in_a_file_are_certified() {
    let tree = "topology=xgft,m=4.2.2,w=1.4.2";
    let wiring = printed(&["export", tree, "--to", "ibnetdiscover"]);
    let directory = Directory::new("certified");
    let file = directory.file("tree.ibnetdiscover", &wiring);
    let asked = ["exchange=all_to_all,order=xor,phase=13", "routing=pattern_specific"];
    let certificate = |of: &str| {
        let row = rows(&[&["contention", of], &asked[..], &["--json"]].concat()).remove(0);
        row["certificate"].clone()
    };
    let (found, told) = (certificate(&file), certificate(tree));
    for certificate in [&found, &told] {
        assert_eq!(certificate["summary"], "The only phase is optimal: contention 1.");
        assert_eq!(certificate["worst_phase"], 13);
    }
    let levels = |of: &Value| of["phases"][0]["levels"].as_array().unwrap().len();
    assert_eq!(levels(&found), levels(&told));
    // Links are told by the names in the file.
    let witness = |of: &Value, level: usize| {
        of["phases"][0]["levels"][level]["witness"]["name"].as_str().unwrap_or_default().to_owned()
    };
    let top = witness(&found, 1);
    assert!(!top.is_empty() && !witness(&found, 0).is_empty() && witness(&told, 1).is_empty());
    assert!(wiring.contains(&format!("\"{top}\"")), "{top} in {wiring}");
    let table = printed(&[&["contention", &file], &asked[..]].concat());
    assert!(table.contains(&format!("the subtree of {top} (level 1)")), "{table}");
    let compared = rows(&["compare", &file, asked[0], "--json"]);
    assert!(compared.iter().any(|row| row["routing"] == "pattern_specific"), "{compared:?}");
    let cells = printed(&["compare", &file, asked[0], "--csv"]);
    assert!(cells.lines().next().unwrap().contains(",refused,above_0_bound,above_0_worst,"));
    let columns = |line: &str| line.split(',').count();
    let routed = cells.lines().filter(|line| !line.contains('"'));
    assert!(
        routed.clone().count() > 5 && routed.clone().all(|line| columns(line) == 19),
        "{cells}"
    );
    // Nothing of what is sent is left out without a word.
    let two = ["topology=xgft,m=4.4,w=1.2", "traffic=shift,by=1", "traffic=shift,by=4"];
    let counted = rows(&[&["contention", "routing=d_mod_k"], &two[..], &["--json"]].concat());
    let worst: Vec<_> = counted.iter().map(|row| row["worst"].as_f64().unwrap()).collect();
    assert_eq!(worst, [1.0, 2.0]);
    let refused = dragontree(&[&["compare"], &two[..]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("a text with 2 scenarios"), "{}", text(&refused.stderr));
    let refused = dragontree(&["compare", "topology=slim_fly,q=5", "exchange=ring"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("message by message on trees"));
}

#[test]
fn on_trees_with_several_links_per_endpoint_routes_of_messages_are_simulated() {
    let of = ["compare", "topology=xgft,m=4.4,w=2.2", "exchange=all_to_all,order=xor"];
    let compared = rows(&[&of[..], &["--json"]].concat());
    assert_eq!(compared.len(), 6);
    let best = compared.iter().find(|row| row["routing"] == "pattern_specific").unwrap();
    assert_eq!((&best["optimal"], &best["worst"]), (&json!(15), &json!(1)));
    for row in &compared {
        let is_simulated =
            ["greedy", "pattern_specific"].contains(&row["routing"].as_str().unwrap());
        assert_eq!(row["completion_ns"].is_number(), is_simulated, "{row}");
        assert_eq!(row["text"] != "", is_simulated, "{row}");
    }
    assert!(printed(&of).contains("counted on the tree alone"));
    let solved = [&of[1..], &["routing=pattern_specific"]].concat();
    let contention = rows(&[&["contention"], &solved[..], &["--json"]].concat());
    assert_eq!(contention[0]["certificate"]["summary"], "All 15 phases optimal: contention 1.");
    assert_eq!(contention[0]["worst"], json!(1.0));
    let run = rows(&[&["run"], &solved[..], &["--json"]].concat());
    assert_eq!(run[0]["exchange"]["completion_ns"], best["completion_ns"]);
    let ways = printed(&[&["export"], &solved[..], &["--to", "message-paths"]].concat());
    let ports = |port: &str| ways.lines().filter(|line| line.contains(port)).count();
    // Where a way begins.
    let own = |line: &str| line.rsplit(',').next().unwrap().starts_with("endpoint ");
    assert!(ways.lines().skip(1).all(own), "{ways}");
    assert!(ports(",endpoint 3 [0]; ") > 0 && ports(",endpoint 3 [1]; ") > 0, "{ways}");
    let other = dragontree(&[&["contention"], &of[1..], &["routing=d_mod_k"]].concat());
    assert!(text(&other.stderr).contains("(of an xgft, w= and p= must begin with 1)"));
    let traffic = ["run", of[1], "traffic=shift,by=4", "load=0.5", "routing=pattern_specific"];
    let refused = dragontree(&traffic);
    assert!(text(&refused.stderr).contains("leaves each endpoint by its first link"));
}

#[test]
fn contention_takes_fixed_traffic_as_one_phase() {
    let tree = "topology=xgft,m=8.4.2,w=1.8.2";
    let of = ["contention", tree, "traffic=shift,by=32", "routing=pattern_specific", "--json"];
    let row = rows(&of).remove(0);
    assert_eq!((&row["stages"], &row["worst"]), (&json!(1), &json!(2.0)));
    assert_eq!(row["exchange"], "shift,by=32");
    let certificate = &row["certificate"];
    assert_eq!(certificate["summary"], "The only phase is optimal: contention 2.");
    // 32 messages leave each half over 16 links.
    let witness = &certificate["phases"][0]["levels"][2]["witness"];
    assert_eq!((&witness["messages"], &witness["links"]), (&json!(32), &json!(16)));
}

#[test]
fn routes_of_messages_are_no_routes_of_all_pairs() {
    let of = ["topology=xgft,m=4.2.2,w=1.4.1", "exchange=ring", "routing=pattern_specific"];
    let output = dragontree(&[&["audit"], &of[..]].concat());
    assert!(text(&output.stderr).contains("no audit of all pairs"), "{}", text(&output.stderr));
    let compared = printed(&["compare", "topology=xgft,m=4.2.2,w=1.4.1"]);
    assert!(compared.contains("makes its routes for the messages of an exchange"), "{compared}");
}

#[test]
fn formulas_are_those_of_the_documents() {
    let tree = ["topology=xgft,m=8.8.2,w=1.8.4", "exchange=all_to_all,order=xor", "bytes=4KiB"];
    let times = "bandwidth=10Gbps latency=100ns switch_latency=50ns adapter_latency=500ns";
    let all = rows(&[&["model"], &tree[..], &[times, "--json"]].concat());
    let value = |name: &str| {
        let row = all.iter().find(|row| row["name"] == name);
        row.unwrap_or_else(|| panic!("{name}: {all:?}"))["value"].as_f64().unwrap()
    };
    assert_eq!([value("B_min of level 1"), value("B_min of level 2")], [8.0, 32.0]);
    assert_eq!(value("ideal all-to-all time"), 850_556.0);
    assert!((value("XOR beyond the ideal time, to first order") - 0.247).abs() < 5e-4);
    assert!((value("links saved by halved roots") - 1.0 / 6.0).abs() < 1e-12);
    assert!((value("switches saved by halved roots") - 1.0 / 3.0).abs() < 1e-12);
    assert!(all.iter().all(|row| row["source"].is_string()));
    let dragonfly = printed(&["model", "topology=dragonfly,p=2,a=3,h=2"]);
    assert!(dragonfly.contains("0.8077"), "{dragonfly}");
    let neighbors = "exchange=nearest_neighbor,tasks=8.8.4";
    let all = rows(&["model", neighbors, "bandwidth=40Gbps", "--json"]);
    assert!(all.iter().any(|row| row["source"] == "Prisacari 2020, Eq. 5.20"));
}

/// 16 tasks in each of 16 groups: the mean of a thousand placements by another program is 2.20, and
/// Eq. 5.20 has 2.72.
#[test]
fn random_placements_are_drawn_with_the_tasks_of_a_group_that_the_placement_has() {
    let placed = "placement=blocks,tasks=8.8.4,block=2.4.2,order=random";
    let fabric = ["model", "topology=dragonfly,p=4,a=8,h=4", "bandwidth=40Gbps", "--json"];
    let all = rows(&[&fabric[..], &["exchange=nearest_neighbor,tasks=8.8.4", placed]].concat());
    let value = |name: &str| {
        let row = all.iter().find(|row| row["name"] == name);
        row.unwrap_or_else(|| panic!("{name}: {all:?}"))["value"].as_f64().unwrap()
    };
    assert!((value("δ direct, mean of 30 random placements") - 2.20).abs() < 0.11);
    assert!((value("δ direct, random placement") - 2.7188).abs() < 5e-5);
    // Where several links join two groups, the demand on one is not that on all.
    let fewer =
        ["topology=dragonfly,p=2,a=4,h=2,groups=2", "exchange=nearest_neighbor,tasks=2.2.1"];
    let fewer = rows(&[&["model", "--json"], &fewer[..]].concat());
    let named = |name: &str| fewer.iter().any(|row| row["name"].as_str().unwrap().contains(name));
    assert!(named("bytes that a task sends") && !named("δ") && !named("completion"), "{fewer:?}");
    // Half of a tree sends to itself otherwise.
    let half = ["model", "topology=xgft,m=4.4,w=1.4", "exchange=all_to_all", "ranks=8", "--json"];
    assert!(!rows(&half).iter().any(|row| row["source"] == "Prisacari 2020, Eq. 2.1"));
}

/// Blocks of 2 × 4 × 2 tasks on dragonfly (4, 8, 4), by Eqs. 5.16, 5.17 and 5.20 as another program
/// counts the demand between groups; 40 MiB of each task at 5 GB/s.
#[test]
fn blocks_of_the_placement_are_those_of_the_formulas() {
    let placed = "placement=blocks,tasks=8.8.4,block=2.4.2";
    let exchange = "exchange=nearest_neighbor,tasks=8.8.4";
    let fabric = ["topology=dragonfly,p=4,a=8,h=4", "bandwidth=40Gbps", "--json"];
    let all = rows(&[&["model", exchange, placed], &fabric[..]].concat());
    let value = |name: &str| {
        let row = all.iter().find(|row| row["name"] == name);
        row.unwrap_or_else(|| panic!("{name}: {all:?}"))["value"].as_f64().unwrap()
    };
    for (name, expected) in [
        ("δ direct", 1.6),
        ("δ indirect", 0.4129),
        ("δ direct, random placement", 2.7188),
        ("completion, direct", 13.42e6),
        ("completion, indirect", 8.39e6),
        ("completion, direct, random placement", 22.81e6),
    ] {
        let off = value(name) / expected - 1.0;
        assert!(off.abs() < 5e-4, "{name}: {}, expected {expected}", value(name));
    }
}

/// What the models say beside runs is what `dragontree model` says.
#[test]
fn runs_of_neighbors_have_the_time_of_their_model() {
    let exchange = "exchange=nearest_neighbor,elements=16.16.16,tasks=4.4.4";
    let text = |rest| format!("topology=dragonfly,p=2,a=4,h=2 {exchange} packet=1KiB {rest}");
    for (rest, formula, name) in [
        ("placement=blocks,block=2.2.2", "Eq. 5.21", "completion, direct"),
        (
            "placement=blocks,block=2.2.2 routing=valiant,via=group",
            "Eq. 5.23",
            "completion, indirect",
        ),
        (
            "placement=blocks,block=2.2.2,order=random",
            "Eq. 5.25",
            "completion, direct, random placement",
        ),
    ] {
        let run = &rows(&["run", &text(rest), "--json"])[0]["exchange"];
        let all = rows(&["model", &text(rest), "--json"]);
        let row = all.iter().find(|row| row["name"] == name);
        let expected = row.unwrap_or_else(|| panic!("{all:?}"))["value"].as_f64().unwrap();
        assert_eq!(run["model"], formula);
        assert!((run["model_ns"].as_f64().unwrap() - expected).abs() < 1e-3, "{run}");
    }
    // No model has two tasks on an endpoint, nor packets that choose a switch to go by.
    for rest in ["ranks_per_endpoint=2", "routing=valiant,via=switch"] {
        let run = &rows(&["run", &text(rest), "--json"])[0]["exchange"];
        assert!(run["completion_ns"].is_number() && run["model_ns"].is_null(), "{run}");
    }
    let shown = printed(&["run", &text("placement=blocks,block=2.2.2")]);
    assert!(shown.contains(": Prisacari 2020, Eq. 5.21 (first row)"), "{shown}");
}

#[test]
fn what_has_no_exchange_is_refused() {
    for (arguments, sentence) in [
        (&["pattern", EIGHT][..], "exchange: “none” was given; there is none to look at"),
        (
            &["course", "exchange=ring", "y=contention"],
            "y: nothing of what is asked for takes a simulation",
        ),
        (&["pattern", "exchange=ring", "traffic=shift"], "traffic: “shift” was given"),
    ] {
        let output = dragontree(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(sentence), "{}", text(&output.stderr));
    }
}

#[test]
fn an_exchange_over_time_ends_when_all_its_messages_have_arrived() {
    let exchange = ["topology=xgft,m=4.4,w=1.4", "routing=d_mod_k", "exchange=all_to_all"];
    let told = &rows(&[&["course"], &exchange[..], &["--json"]].concat())[0];
    let run = &rows(&[&["run"], &exchange[..], &["--json"]].concat())[0]["exchange"];
    let last = told["moments"].as_array().and_then(|moments| moments.last()).expect("moments");
    assert_eq!((&last["messages"], &last["end_ns"]), (&run["messages"], &run["completion_ns"]));
    assert!(told.get("saturated").is_none(), "{told}");
    assert!(printed(&[&["course"], &exchange[..]].concat()).contains("latencies of 240 messages"));
}

/// Prisacari 2020, Figs. 4.6 to 4.9, draw how many times as fast as one of them the exchanges are.
#[test]
fn speeds_over_a_curve_are_told() {
    let tree = "topology=xgft,m=4.2.2,w=1.4.2 routing=d_mod_k switching=wormhole buffer=4KiB \
                case=LIN exchange=all_to_all case=GHE exchange=all_to_all,order=ghe";
    let of = |row: &Value| row["exchange"]["completion_ns"].as_f64().unwrap();
    let times: Vec<f64> = rows(&["run", tree, "--json"]).iter().map(of).collect();
    let shown = printed(&["run", tree, "y=effective_throughput,over=LIN"]);
    assert!(times[0] > times[1], "{times:?}");
    assert!(shown.contains("effective throughput relative to LIN"), "{shown}");
    assert!(shown.contains(&format!("{:.2}", times[0] / times[1])), "{shown}");
}

#[test]
fn the_best_cut_and_placement_is_found_with_its_experiment() {
    let fabric = ["topology=dragonfly,p=2,a=4,h=2", "exchange=nearest_neighbor,tasks=4.4.2"];
    let all = rows(&[&["optimize"], &fabric[..], &["--top", "3", "--json"]].concat());
    let ranks: Vec<_> = all.iter().map(|row| row["rank"].as_u64()).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3), None]);
    for row in &all {
        let modelled = rows(&["model", row["text"].as_str().unwrap(), "--json"]);
        let sent = modelled.iter().find(|row| row["name"] == "bytes that a task sends (V)");
        assert_eq!(sent.unwrap()["value"].as_f64(), row["bytes_per_task"].as_f64());
    }
    let help = text(&dragontree(&["optimize", "--help"]).stdout);
    for key in all[0].as_object().unwrap().keys() {
        assert!(help.contains(key.as_str()), "--help does not explain {key}");
    }
    let lines = printed(&["optimize", fabric[0], fabric[1], "--keep-tasks", "--csv"]);
    assert!(lines.lines().skip(1).all(|line| line.contains(",4.4.2,")), "{lines}");
    let valiant = printed(&["optimize", fabric[0], fabric[1], "--try", "blocks-valiant"]);
    assert!(valiant.contains("blocks, Valiant") && !valiant.contains("minimal\n"), "{valiant}");
    let refused = dragontree(&["optimize", "exchange=ring"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("exchange: “ring” was given"));
}

/// By analysis alone: where traffic fills a channel first, and what flows get if they share fairly.
#[test]
fn saturation_is_told_row_by_row() {
    let small = "topology=dragonfly,p=2,a=4,h=2";
    let all = ["saturation", small, "traffic=bit_complement", "routing=minimal"];
    let row = rows(&[&all[..], &["--json"]].concat()).remove(0);
    assert_eq!((&row["throughput"], &row["fair_mean"]), (&json!(0.125), &json!(0.166666667)));
    let whole = "8 endpoints at full rate, all a·p of a group, share it: 1 / (a·p) = 1 / 8 = 0.125";
    assert_eq!(row["why"]["formula"], whole);
    assert!(row["channel"].as_str().unwrap().starts_with("switch "), "{row}");
    assert!(row["scenario"].as_str().unwrap().contains(" load=1 "), "{row}");
    assert!(row["unknown"].is_null());

    let several = [&all[..], &["routing=ugal", "placement=random", "seeds=2"]].concat();
    let found = rows(&[&several[..], &["--json"]].concat());
    let is = |row: &Value, x: &str, seed: u64| row["x"] == x && row["seed"] == seed;
    assert_eq!(found.len(), 4);
    assert!(is(&found[0], "minimal", 1) || is(&found[0], "Minimal", 1), "{found:?}");
    assert!(found[0]["fair_mean"] != found[1]["fair_mean"]);
    assert!(found[3]["throughput"].is_null() && found[3]["fair_mean"].is_null());
    assert!(found[3]["unknown"].as_str().unwrap().contains("adaptive"));
    let csv = printed(&[&several[..], &["--csv"]].concat());
    assert!(csv.starts_with("series,x,seed,throughput,channel,fair_mean,why,unknown\n"), "{csv}");
    let why = printed(&[&all[..], &["--csv"]].concat());
    assert!(why.contains(&format!(",\"{whole}\",")), "{why}");
    assert!(csv.lines().last().unwrap().contains(",an adaptive routing"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
    let table = printed(&several);
    assert!(table.contains("fair mean") && table.contains("fills first: switch "), "{table}");
    assert!(table.contains("not known: an adaptive routing"), "{table}");

    let refused = dragontree(&["saturation", small, "exchange=all_to_all"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("no offered load"), "{}", text(&refused.stderr));
}

/// What is counted without a simulation has no load, and only rings and ping-pong have a bandwidth.
#[test]
fn tables_leave_out_what_means_nothing_and_say_why_a_number_is_missing() {
    let tree = "topology=xgft,m=4.2,w=1.2";
    for metric in ["contention", "endpoints"] {
        let shown = printed(&["run", tree, &format!("y={metric}")]);
        assert!(!shown.contains("offered load") && !shown.contains('%'), "{shown}");
    }
    let directory = Directory::new("unloaded");
    let path = directory.file("chart.svg", "");
    let cases =
        ["case=LIN", "exchange=all_to_all,order=lin", "case=XOR", "exchange=all_to_all,order=xor"];
    let drawn = [&["run", tree, "y=contention", "--svg", &path], &cases[..]];
    printed(&drawn.concat());
    let drawing = std::fs::read_to_string(&path).unwrap();
    assert!(drawing.contains(">case<") && drawing.contains(">XOR<"), "{drawing}");
    assert!(!drawing.contains(">offered load<"), "{drawing}");
    let shown = printed(&["run", "topology=xgft,m=4,w=1", "topology=mlfm", "y=endpoints"]);
    assert!(shown.contains("topology"), "{shown}");
    let why = "no bandwidth of a rank: only a ring or ping-pong has one";
    let shown = |exchange: &str| printed(&["run", tree, exchange, "y=rank_bandwidth"]);
    assert!(shown("exchange=all_to_all").contains(why));
    assert!(!shown("exchange=ping_pong").contains(why));
}
