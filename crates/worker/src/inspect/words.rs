//! Words that the page needs, too.

/// A text in markup.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

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
    fn names_cannot_become_markup() {
        assert_eq!(escaped("<b>&\""), "&lt;b&gt;&amp;&quot;");
    }
}
