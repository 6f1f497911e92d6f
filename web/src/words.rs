//! Numbers and names in sentences.

/// A count with its thousands grouped.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

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
    fn thousands_are_grouped() {
        assert_eq!(count(7), "7");
        assert_eq!(count(1056), "1,056");
        assert_eq!(count(1_234_567), "1,234,567");
    }

    #[test]
    fn abbreviations_keep_their_capitals() {
        assert_eq!(lowered("Bit complement"), "bit complement");
        assert_eq!(lowered("D-mod-K"), "D-mod-K");
        assert_eq!(lowered(""), "");
    }
}
