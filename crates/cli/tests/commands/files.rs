//! Fabrics in files, as a script sees them.

use super::{Directory, dragontree, text, told};

const FABRIC: &str = "router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n";
/// The FNV-1a-64 of that text, found with another program.
const DIGEST: &str = "c81cb915b17f0c60";

/// Standard output of a command that succeeds and says nothing else.
fn printed(arguments: &[&str]) -> String {
    let output = dragontree(arguments);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    text(&output.stdout)
}

/// Standard error of a command that refuses its input.
fn refused(arguments: &[&str]) -> String {
    let output = dragontree(arguments);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

#[test]
fn a_network_is_exported_in_every_format_and_read_back() {
    let directory = Directory::new("export");
    let starts = [
        ("ibnetdiscover", "#\n# Topology file:"),
        ("edges", "from,port,to,port,class,bandwidth,latency\n"),
        ("anynet", "router 0 node 0 node 1 router 1 router 2 "),
        ("dot", "graph fabric {\n"),
        ("json", "{\"format\": \"dragontree fabric\", \"version\": 1,\n"),
    ];
    let network = "topology=dragonfly,p=2,a=4,h=2,groups=5";
    for (format, start) in starts {
        let written = printed(&["export", network, "--to", format]);
        assert!(written.starts_with(start), "{written}");
        let path = directory.file(&format!("{format}.txt"), &written);
        // 40 endpoints, 20 switches; 40 + 5·6 + 5·8/2 links: what JSON says of each is the same.
        let again = printed(&["export", &path, "--to", "json"]);
        assert_eq!(again.matches("\"kind\": \"endpoint\"").count(), 40, "{format}");
        assert_eq!(again.matches("\"kind\": \"switch\"").count(), 20, "{format}");
        assert_eq!(again.matches("\"ends\":").count(), 90, "{format}");
    }
    let path = directory.0.join("out.txt");
    let path = path.to_str().unwrap();
    assert_eq!(printed(&["export", network, "--to", "dot", "-o", path]), "");
    assert_eq!(
        std::fs::read_to_string(path).unwrap(),
        printed(&["export", network, "--to", "dot"])
    );
}

#[test]
fn a_file_is_given_by_its_path_or_by_the_digest_in_the_text() {
    let directory = Directory::new("digest");
    let path = directory.file("fabric.txt", FABRIC);
    let by_path = printed(&["export", &path, "--to", "edges"]);
    assert!(by_path.contains("node 3,0,router 1,1,endpoint,100Gbps,50ns\n"), "{by_path}");
    let named = format!("topology=imported,data=file.{DIGEST}");
    assert_eq!(printed(&["export", &named, "--file", &path, "--to", "edges"]), by_path);
    let faster = printed(&["export", &path, "bandwidth=4xHDR", "--to", "edges"]);
    assert!(faster.contains("node 3,0,router 1,1,endpoint,200Gbps,50ns\n"), "{faster}");
    // Without the file, or with another one.
    let missing = refused(&["export", &named, "--to", "edges"]);
    assert_eq!(
        missing,
        format!(
            "data: “file.{DIGEST}” was given; this experiment needs the file with this digest; \
             give it with --file\n"
        )
    );
    let other = directory.file("other.txt", "router 0 node 0");
    let missing = refused(&["export", &named, "--file", &other, "--to", "edges"]);
    assert!(missing.contains("other.txt has "), "{missing}");
}

#[test]
fn a_file_that_nothing_asks_for_is_refused() {
    let directory = Directory::new("unasked");
    let matrix = directory.file("matrix.csv", "0,1\n2,0\n");
    let tree = ["pattern", "topology=xgft,m=2.1,w=1.1", "exchange=matrix"];
    let said = refused(&[&tree[..], &["--file", &matrix]].concat());
    assert!(said.starts_with(&format!("--file: “{matrix}” was given; allowed: a file")), "{said}");
    let digest = said.split("file.").nth(1).unwrap().split(')').next().unwrap();
    let named = format!("exchange=matrix,data=file.{digest}");
    let by_digest = printed(&["pattern", tree[1], &named, "--file", &matrix, "--csv"]);
    assert_eq!(by_digest, printed(&[&tree[..], &[&matrix, "--csv"]].concat()));
}

/// What a shell passes for `<(ibnetdiscover)` can be read once only.
#[cfg(unix)]
#[test]
fn a_fabric_comes_through_a_pipe() {
    let output = told(&["export", "/dev/stdin", "--to", "edges"], FABRIC);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    assert!(text(&output.stdout).contains("node 3,0,router 1,1,endpoint,100Gbps,50ns\n"));
    // Nothing in it.
    let said = refused(&["export", "/dev/null", "--to", "edges"]);
    assert!(said.starts_with("/dev/null: the file: expected a fabric"), "{said}");
}

#[test]
fn rails_are_several_files_and_notices_go_to_standard_error() {
    let directory = Directory::new("rails");
    let rail = |leaf: u32, port: u32| {
        format!(
            "Switch 4 \"S-{leaf}\" # \"rail {port}\"\n[1] \"H-9\"[{port}]\n\nCa 2 \"H-9\" # \"n1\"\n\
             [{port}](9{port}) \"S-{leaf}\"[1]\n"
        )
    };
    let one = directory.file("one.txt", &rail(1, 1));
    let two = directory.file("two.txt", &rail(2, 2));
    let written = printed(&["export", &one, &two, "--to", "edges"]);
    assert!(written.contains("n1,1,rail 2,0,endpoint"), "{written}");
    let half = directory.file("half.txt", "Switch 4 \"S-1\" # \"leaf\"\n[2] \"H-2\"[1]\n");
    let output = dragontree(&["export", &half, "--to", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("half.txt: line 2: “H-2” has no block of its own"), "{said}");
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_name_and_line() {
    let directory = Directory::new("wrong");
    let cases = [
        ("a.txt", "Switch 4 \"S-1\"\n[9] \"S-2\"[1]\n", "line 2: expected a port from 1 to 4"),
        ("b.txt", "hello\n", "line 1: expected a fabric"),
        ("c.txt", "", "the file: expected a fabric"),
    ];
    for (name, content, expected) in cases {
        let path = directory.file(name, content);
        let said = refused(&["export", &path, "--to", "json"]);
        assert!(said.starts_with(&format!("{path}: {expected}")), "{said}");
    }
    let nowhere = directory.0.join("none.txt");
    let nowhere = nowhere.to_str().unwrap();
    let said = refused(&["export", "--file", nowhere, "--to", "json"]);
    assert!(said.contains("none.txt could not be read"), "{said}");
    let said = refused(&["export", nowhere, "--to", "json"]);
    assert!(said.contains("none.txt” was given; expected KEY=VALUE"), "{said}");
    let said = refused(&["export", "topology=dragonfly,p=1/2", "--to", "json"]);
    assert!(said.contains("a text with one network"), "{said}");
    let token = "topology=imported,data=z.4132.0123456789abcdef.abc";
    let said = refused(&["export", token, "--to", "json"]);
    assert!(said.contains("did not arrive whole"), "{said}");
    let output = dragontree(&["export", "--to", "svg"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_example_is_a_ring_of_five_switches() {
    let written = printed(&["export", "topology=imported", "--to", "anynet"]);
    assert_eq!(written.lines().count(), 5);
}

#[test]
fn info_tells_the_tree_in_a_file_or_why_there_is_none() {
    let directory = Directory::new("trees");
    let tree = printed(&["export", "topology=xgft,m=4.4,w=1.2,p=1.2", "--to", "json"]);
    let path = directory.file("tree.txt", &tree);
    assert!(printed(&["info", &path]).contains("a fat tree: m=4.4 w=1.2 p=1.2\n"));
    let ring = printed(&["export", "topology=torus,widths=5,p=1", "--to", "json"]);
    let path = directory.file("ring.txt", &ring);
    let told = printed(&["info", &path]);
    assert!(told.contains("no fat tree: ") && told.contains("both are on level 1"), "{told}");
}

/// Two pairs of joined switches, and no cable between the pairs.
const PIECES: &str = "router 0 node 0 router 1\nrouter 1 node 1\nrouter 2 node 2 router 3\n\
                      router 3 node 3\n";

#[test]
fn a_fabric_in_pieces_fails_where_that_is_asked_for() {
    let directory = Directory::new("pieces");
    let path = directory.file("pieces.txt", PIECES);
    for more in [&[][..], &["routing=min_hop"]] {
        let arguments = [&["audit", &path, "--fail-on", "unreachable"], more].concat();
        let output = dragontree(&arguments);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        // What no cable joins is said once, and no route is missing there.
        assert!(!text(&output.stdout).contains("Where packets are lost"));
    }
    let whole = directory.file("whole.txt", FABRIC);
    assert_eq!(dragontree(&["audit", &whole, "--fail-on", "unreachable"]).status.code(), Some(0));
}

#[test]
fn names_and_odd_letters_are_told_as_they_are_meant() {
    assert_eq!(
        refused(&["info", "fabrc.txt"]),
        "“fabrc.txt” was given; expected KEY=VALUE or a file, and there is none of that name\n"
    );
    let directory = Directory::new("letters");
    let path = directory.file("escape.txt", "a\u{1b}[31mred");
    let said = refused(&["info", &path]);
    assert!(said.contains("found “a\u{fffd}[31mred”"), "{said}");
}

/// A part that is written without its file gets the one that is given, also within a quoted text.
#[test]
fn a_file_fills_the_part_that_is_written_without() {
    let directory = Directory::new("filled");
    let messages = "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n";
    let messages = directory.file("two.goal", messages);
    let fabric = directory.file("fabric.txt", FABRIC);
    let alone = printed(&["run", "--json", &fabric, &messages]);
    assert_eq!(alone.lines().count(), 1);
    let scenario = |text: &str| {
        let record: serde_json::Value = serde_json::from_str(text).unwrap();
        record["scenario"].as_str().unwrap().to_owned()
    };
    let forms = [
        vec!["topology=imported exchange=messages", &fabric, &messages],
        vec!["exchange=messages", &messages, "topology=imported", &fabric],
    ];
    for form in forms {
        let written = printed(&[&["run", "--json"], &form[..]].concat());
        assert_eq!(written.lines().count(), 1, "{written}");
        assert_eq!(scenario(&written), scenario(&alone));
    }
}

/// What a file is meant as is told where it cannot be read as that.
#[test]
fn names_of_endpoints_and_tables_with_a_wrong_cell_are_no_fabrics() {
    let directory = Directory::new("parts");
    let spaced = "from,to,class\nhost one,s,endpoint\nhost two,s,endpoint\nhost three,s,endpoint\n";
    let fabric = directory.file("fabric.csv", spaced);
    let exchange = ["exchange=all_to_all", "routing=min_hop", "--json"];
    let run = |files: &[&str], more: &[&str]| printed(&[&["run"], files, more, &exchange].concat());
    let names = directory.file("names.txt", "host one\nhost three\n");
    let numbers = directory.file("numbers.txt", "0\n2\n");
    let [by_name, by_number] =
        [&names, &numbers].map(|file| run(&[&fabric, file], &["placement=ranks"]));
    // The files differ, but not what comes out.
    let completion = |json: &str| {
        let record: serde_json::Value = serde_json::from_str(json).unwrap();
        record["exchange"]["completion_ns"].as_f64()
    };
    assert!(completion(&by_name).is_some());
    assert_eq!(completion(&by_name), completion(&by_number));
    let single = directory.file("single.txt", "hosta\nhostb\n");
    let said = refused(&["run", &single, "topology=xgft,m=2,w=1", "load=0.5"]);
    assert!(said.contains("no endpoint has this name"), "{said}");
    let wrong = directory.file("wrong.csv", "0,1\nx,0\n");
    let said = refused(&["run", &wrong, "topology=xgft,m=2,w=1", "load=0.5"]);
    assert!(said.contains("wrong.csv, line 2") && said.contains("“x”"), "{said}");
    let marked = directory.file("marked.csv", "\u{feff}0,1\n1,0\n");
    printed(&["run", &marked, "topology=xgft,m=2,w=1", "load=0.5", "--csv"]);
}

/// A matrix is traffic unless the text asks for it as an exchange.
#[test]
fn a_matrix_is_sent_as_an_exchange_where_that_is_asked_for() {
    let directory = Directory::new("matrix");
    let sent = directory.file("sent.csv", "0,4096\n64,0\n");
    let record = |words: &[&str]| -> serde_json::Value {
        let words = [&["run", "--json", "topology=xgft,m=2,w=1", &sent], words].concat();
        serde_json::from_str(&printed(&words)).unwrap()
    };
    let exchange = record(&["exchange=matrix,order=row"]);
    assert_eq!(exchange["exchange"]["bytes"], 4160);
    assert!(record(&["load=0.5"])["metrics"]["accepted"].is_number());
}
