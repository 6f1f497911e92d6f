//! In the browser: the same bits as natively.

#![cfg(target_arch = "wasm32")]

use dragontree::scenario::{Detail, Study};
use dragontree_tests::golden::Golden;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

const FILE: &str = include_str!("golden/digests.txt");

#[wasm_bindgen_test]
fn results_and_drawings_are_those_of_the_golden_file() {
    let expected = Golden::read(FILE);
    assert!(!expected.is_empty());
    for golden in expected {
        let found = Golden::of(&golden.text).expect("a study that runs");
        assert_eq!(found, golden);
    }
}

#[wasm_bindgen_test]
fn the_text_form_reads_back() {
    for golden in Golden::read(FILE) {
        let study = Study::parse(&golden.text).expect("a valid text");
        for detail in [Detail::Least, Detail::Basic, Detail::Everything] {
            let again = Study::parse(&study.text(detail)).expect("its own text is valid");
            assert_eq!(again.plan(), study.plan());
        }
        let again = Study::parse(&study.query()).expect("its own address is valid");
        assert_eq!(again.plan(), study.plan());
    }
}
