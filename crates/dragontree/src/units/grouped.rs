//! Counts as people read them.

/// A count with its thousands grouped.
pub fn grouped(number: impl Into<u64>) -> String {
    in_threes(&number.into().to_string())
}

fn in_threes(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(7_u32), "7");
        assert_eq!(grouped(1056_u32), "1,056");
        assert_eq!(grouped(1_234_567_u32), "1,234,567");
    }
}
