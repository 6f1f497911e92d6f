//! The address and the markup of an embedded figure.

use std::fmt::Write;

use crate::words::escaped;

/// What the author of a page has chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Pieces that are left out.
    pub hide: Vec<&'static str>,
    /// Whether the experiment cannot be changed.
    pub lock: bool,
    /// `auto`, `click` or `never`; the usual one when empty.
    pub run: String,
    /// `light` or `dark`; the reader's own when empty.
    pub theme: String,
}

/// The address of the figure inside another page.
pub fn address(link: &str, choices: &Choices) -> String {
    let mut address = format!("{link}&embed=1");
    if !choices.hide.is_empty() {
        let _ = write!(address, "&hide={}", choices.hide.join(","));
    }
    if choices.lock {
        address.push_str("&lock=all");
    }
    for (key, value) in [("run", &choices.run), ("theme", &choices.theme)] {
        if !value.is_empty() {
            let _ = write!(address, "&{key}={value}");
        }
    }
    address
}

/// The markup that puts the figure into another page.
pub fn markup(address: &str, title: &str) -> String {
    format!(
        "<iframe src=\"{}\" title=\"{}\" width=\"100%\" height=\"480\" loading=\"lazy\" \
         style=\"border:0\" allow=\"clipboard-write; fullscreen\"></iframe>",
        escaped(address),
        escaped(title)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_written() {
        let plain = address("https://x.org/?v=1", &Choices::default());
        assert_eq!(plain, "https://x.org/?v=1&embed=1");
        let choices = Choices {
            hide: vec!["topology", "load"],
            lock: true,
            run: "auto".to_owned(),
            theme: "dark".to_owned(),
        };
        assert_eq!(
            address("?v=1", &choices),
            "?v=1&embed=1&hide=topology,load&lock=all&run=auto&theme=dark"
        );
    }

    #[test]
    fn markup_is_escaped() {
        let text = markup("?v=1&embed=1", "\"<b>\"");
        assert!(
            text.starts_with("<iframe src=\"?v=1&amp;embed=1\" title=\"&quot;&lt;b&gt;&quot;\"")
        );
    }
}
