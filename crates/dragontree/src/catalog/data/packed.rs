//! Packing contents into text, and unpacking them.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as LETTERS;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use super::inline::Damaged;
use super::{Data, Written, digest};

/// The longest value that is put into a link.
const LONGEST_IN_LINK: usize = 2_000;
/// How hard the packer tries to make a content short, from 0 to 10.
const EFFORT: u8 = 9;

impl Data {
    /// How a content is best written: carried along when that is short enough for a link, else as
    /// the name of a file.
    pub fn token(text: &str) -> String {
        let shortest = text.len() / 1_000;
        let inline = (shortest < LONGEST_IN_LINK).then(|| Data::inline(text));
        match inline.filter(|token| token.len() <= LONGEST_IN_LINK) {
            Some(token) => token,
            None => Data::files(&[digest(text)]).print(),
        }
    }

    /// A content as a text carries it along, however long.
    pub fn inline(text: &str) -> String {
        let data = LETTERS.encode(compress_to_vec(text.as_bytes(), EFFORT));
        format!("z.{}.{:016x}.{data}", text.len(), digest(text))
    }
}

/// The content that was packed, which has this length and digest.
pub(super) fn unpack(data: &str, length: usize, checksum: u64) -> Result<String, Damaged> {
    let bytes = LETTERS.decode(data).map_err(|_| Damaged::LETTERS)?;
    let text = decompress_to_vec_with_limit(&bytes, length)
        .map_err(|_| Damaged::Changed("what is there cannot be unpacked"))?;
    if text.len() != length {
        return Err(Damaged::Changed("it has another length"));
    }
    let text = String::from_utf8(text).map_err(|_| Damaged::Changed("it is no text"))?;
    match digest(&text) == checksum {
        true => Ok(text),
        false => Err(Damaged::Changed("its checksum differs")),
    }
}
