//! Words that the page needs, too.

/// A text in markup.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        assert_eq!(escaped("<b>&\""), "&lt;b&gt;&amp;&quot;");
    }
}
