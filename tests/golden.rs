//! Results and drawings of small studies, compared with the golden file that the browser reads
//! too; `UPDATE_GOLDEN=1` writes it anew, and the engine's number must rise with it.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;

use dragontree_tests::golden::Golden;
use dragontree_tests::source::root;

#[test]
fn results_and_drawings_are_those_of_the_golden_file() {
    let path = root().join("tests/golden/digests.txt");
    let file = fs::read_to_string(&path).expect("the golden file is there");
    let expected = Golden::read(&file);
    assert!(!expected.is_empty());
    let of = |golden: &Golden| Golden::of(&golden.text).expect("a study that runs");
    let found: Vec<Golden> = expected.iter().map(of).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let comments = file.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
        let lines: Vec<String> = comments.chain(found.iter().map(Golden::print)).collect();
        fs::write(&path, lines.join("\n") + "\n").expect("the golden file can be written");
        return;
    }
    assert_eq!(found, expected, "UPDATE_GOLDEN=1 writes {} anew", path.display());
}
