//! Numbers and names in sentences.

pub use dragontree::units::grouped;
pub use dragontree_worker::escaped;

/// A label inside a sentence: its first letter small, unless the word is an abbreviation.
pub fn lowered(label: &str) -> String {
    let mut label = label.to_owned();
    let second = label.as_bytes().get(1).copied().unwrap_or_default();
    let word = second.is_ascii_lowercase() || second == b' ';
    if let Some(first) = label.get_mut(..1).filter(|_| word) {
        first.make_ascii_lowercase();
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_keep_their_capitals() {
        assert_eq!(lowered("Bit complement"), "bit complement");
        assert_eq!(lowered("D-mod-K"), "D-mod-K");
        assert_eq!(lowered(""), "");
    }
}
