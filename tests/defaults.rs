//! The shipped results of the default study, which the page shows first.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;

use dragontree::scenario::Record;
use dragontree_tests::source::root;

#[test]
fn the_shipped_results_are_what_the_code_produces() {
    let path = root().join("static/default.jsonl");
    let file = fs::read_to_string(&path).expect("cargo xtask defaults writes it");
    let shipped: Vec<&str> = file.lines().collect();
    let found = |text| dragontree_cli::simulate(text).expect("the default study runs");
    let lines = found("").into_iter().chain(found("y=bisection")).map(|found| {
        let record = Record { seconds: 0.0, ..found };
        record.json().expect("a record is plain data")
    });
    let found: Vec<String> = lines.collect();
    let same = shipped.iter().zip(&found).take_while(|(shipped, found)| shipped == found).count();
    assert!(
        same == found.len() && same == shipped.len(),
        "line {} differs; cargo xtask defaults writes the file anew",
        same + 1
    );
}
