//! Which pieces of a text name settings, and which vary.

use dragontree::scenario::{KEYS, Study};

/// What a piece of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A key with its sign.
    Key,
    /// A value that is fixed.
    Value,
    /// A value on an axis.
    Varied,
    /// What separates words.
    Space,
}

/// Cuts a text up; nothing is left out.
pub fn pieces(text: &str, study: &Study) -> Vec<(Piece, String)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let space = rest.find(|c: char| !separates(c)).unwrap_or(rest.len());
        push(&mut pieces, Piece::Space, &rest[..space]);
        rest = &rest[space..];
        let end = rest.find(separates).unwrap_or(rest.len());
        word(&mut pieces, &rest[..end], study);
        rest = &rest[end..];
    }
    pieces
}

fn separates(c: char) -> bool {
    c.is_whitespace() || c == '&'
}

fn word(pieces: &mut Vec<(Piece, String)>, word: &str, study: &Study) {
    let Some((key, value)) = word.split_once('=') else {
        push(pieces, Piece::Value, word);
        return;
    };
    push(pieces, Piece::Key, &word[..=key.len()]);
    if key == "case" || alternatives(study, key) > 1 {
        push(pieces, Piece::Varied, value);
        return;
    }
    for (index, setting) in value.split(',').enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let several = setting.contains('/') || setting.contains("..") || setting.contains("auto:");
        let piece = if several { Piece::Varied } else { Piece::Value };
        match setting.split_once('=').filter(|_| several) {
            Some((name, varied)) => {
                push(pieces, Piece::Value, &format!("{comma}{name}="));
                push(pieces, piece, varied);
            }
            None => {
                push(pieces, Piece::Value, comma);
                push(pieces, piece, setting);
            }
        }
    }
}

fn alternatives(study: &Study, key: &str) -> usize {
    match KEYS.iter().any(|known| known.name == key) {
        true => study.common.entries(key).len(),
        false => 0,
    }
}

fn push(pieces: &mut Vec<(Piece, String)>, piece: Piece, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some((last, before)) if *last == piece => before.push_str(text),
        _ => pieces.push((piece, text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varied(text: &str) -> Vec<String> {
        let study = Study::parse(text).unwrap_or_default();
        let pieces = pieces(text, &study);
        let whole: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(whole, text);
        let marked = pieces.into_iter().filter(|(piece, _)| *piece == Piece::Varied);
        marked.map(|(_, text)| text).collect()
    }

    #[test]
    fn ranges_alternatives_and_repeated_keys_vary() {
        assert_eq!(varied("topology=dragonfly,p=4 load=0.05..1:20"), ["0.05..1:20"]);
        assert_eq!(varied("buffer=4KiB/8KiB,per=vc"), ["4KiB/8KiB"]);
        assert_eq!(varied("topology=dragonfly,p=2/4,h=2"), ["2/4"]);
        assert_eq!(varied("routing=minimal routing=d_mod_k load=0.5"), ["minimal", "d_mod_k"]);
        assert_eq!(varied("load=auto:9"), ["auto:9"]);
    }

    #[test]
    fn broken_text_is_kept_whole() {
        varied("  topology = &&x,, =/ ");
        assert_eq!(varied("seed=1  traffic=uniform"), [""; 0]);
    }
}
