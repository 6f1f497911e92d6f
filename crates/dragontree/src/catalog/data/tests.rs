use proptest::prelude::*;

use super::*;

const TEXT: &str = "router 0 node 0 node 1 router 1\nrouter 1 node 2\n";

#[test]
fn digests_are_fnv_1a_64() {
    // Fowler, Noll and Vo's own test vectors.
    let cases = [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c)];
    for (text, expected) in cases.into_iter().chain([("foobar", 0x8594_4171_f739_67e8)]) {
        assert_eq!(digest(text), expected, "{text}");
    }
}

#[test]
fn short_contents_travel_in_the_text_and_long_ones_by_name() {
    let token = Data::token(TEXT);
    assert!(token.starts_with("z.48."), "{token}");
    let mut data = Data::Example;
    assert!(data.read(&token));
    assert_eq!(data.contents("").map(|contents| contents[0].1), Ok(TEXT));
    assert_eq!(data.print(), token);
    let long: String = (0..2_000_u64).map(|n| format!("{:x}\n", digest(&n.to_string()))).collect();
    assert_eq!(Data::token(&long), format!("file.{:016x}", digest(&long)));
}

#[test]
fn a_text_that_was_cut_or_changed_is_refused_with_the_reason() {
    let token = Data::inline(TEXT);
    for end in 0..token.len() {
        let mut data = Data::Example;
        assert!(!data.read(&token[..end]), "{end}");
        assert_eq!(data, Data::Example);
    }
    let cases = [
        (token[..token.len() - 5].to_owned(), "did not arrive whole"),
        (token.replace("z.48.", "z.49."), "another length"),
        (token.replace("z.48.", "z.4800000000."), "allowed: up to 8388608"),
        (token.replace("z.48.", "q.48."), "q is no way to carry"),
        (token.replacen(&token[5..9], "0000", 1), "checksum differs"),
        (token[..10].to_owned(), "expected z.LENGTH.CHECKSUM.DATA"),
        (format!("{token}~"), "letters are not base64url"),
    ];
    for (text, expected) in cases {
        let refusal = Data::Example.refusal(&text).unwrap_or_default();
        assert!(refusal.contains(expected), "{text}: {refusal}");
    }
}

#[test]
fn files_are_missed_until_they_are_attached() {
    let mut files = Files::default();
    let one = files.add("one.txt", "\u{feff}one");
    assert_eq!(one, digest("one"));
    let mut data = Data::Example;
    assert!(data.read(&format!("file.{one:016x}.{:016x}", digest("two"))));
    data.attach(&files);
    assert_eq!(data.missing(), [digest("two")]);
    let problem = data.contents("").expect_err("a file is missing").to_string();
    let words = format!("needs the file with the digest {:016x}; open it", digest("two"));
    assert!(problem.contains(&words), "{problem}");
    files.add("two.txt", "two");
    data.attach(&files);
    assert_eq!(data.contents(""), Ok(vec![("one.txt", "one"), ("two.txt", "two")]));
    for wrong in ["file.", "file.12", "file.xyz", "file.00000000000000000", "other", ""] {
        assert!(!Data::Example.read(wrong), "{wrong}");
    }
}

proptest! {
    #[test]
    fn what_is_carried_along_arrives(pieces in prop::collection::vec(("[a-z\u{e9} \n]{0,40}", 1..60_usize), 0..8)) {
        let text: String = pieces.iter().map(|(piece, count)| piece.repeat(*count)).collect();
        let mut data = Data::Example;
        prop_assert!(data.read(&Data::inline(&text)));
        prop_assert_eq!(data.contents("").map(|contents| contents[0].1), Ok(&text[..]));
    }

    #[test]
    fn unpacking_ends_whatever_comes(length in 0..100_000_000_usize, letters in "[A-Za-z0-9_-]{0,200}") {
        let read = Data::Example.read(&format!("z.{length}.0123456789abcdef.{letters}"));
        prop_assert!(!read);
    }
}
