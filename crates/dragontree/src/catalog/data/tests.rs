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
        (format!("{token}~"), "a letter is not of base64url"),
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

/// Bytes that repeat themselves here and there.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        (any::<u8>(), 1..600_usize).prop_map(|(byte, count)| vec![byte; count]),
        (0..3_usize, 1..300_usize).prop_map(|(word, count)| {
            ["switch 0x2c902", "[1]\t\"S-", "aab"][word].as_bytes().repeat(count)
        }),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn packing_agrees_with_another_implementation(bytes in bytes(), level in 0..10_u8) {
        let packed = deflate::deflate(&bytes);
        prop_assert_eq!(miniz_oxide::inflate::decompress_to_vec(&packed).ok(), Some(bytes.clone()));
        prop_assert_eq!(inflate::inflate(&packed, bytes.len()), Some(bytes.clone()));
        let foreign = miniz_oxide::deflate::compress_to_vec(&bytes, level);
        prop_assert_eq!(inflate::inflate(&foreign, bytes.len()), Some(bytes.clone()));
        if !bytes.is_empty() {
            prop_assert_eq!(inflate::inflate(&packed, bytes.len() - 1), None);
        }
    }

    #[test]
    fn unpacking_ends_whatever_comes(input in prop::collection::vec(any::<u8>(), 0..200)) {
        let unpacked = inflate::inflate(&input, 10_000);
        prop_assert!(unpacked.is_none_or(|bytes| bytes.len() <= 10_000));
    }

    #[test]
    fn letters_stand_for_the_same_bytes(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
        let text = base64::encode(&bytes);
        prop_assert_eq!(text.len(), (bytes.len() * 8).div_ceil(6));
        prop_assert_eq!(base64::decode(&text), Some(bytes));
    }
}
