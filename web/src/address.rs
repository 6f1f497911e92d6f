//! What stands in the page's address: the study, and how the page presents it.

use dragontree::scenario::{KEYS, Study, percent_decoded};

/// Keys of the notation that speak of the study as a whole.
const STUDY_KEYS: [&str; 6] = ["v", "x", "y", "case", "e", "d"];
/// Keys that are the page's own.
const PAGE_KEYS: [&str; 6] = ["embed", "hide", "lock", "run", "show", "theme"];

/// When a study that came with the address is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At once.
    Auto,
    /// When the reader asks for it.
    #[default]
    Click,
    /// Not at all: there is no button.
    Never,
}

/// How the page presents a study.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presentation {
    /// Whether the page is a figure inside another page.
    pub embed: bool,
    /// Names of the pieces that are left out.
    pub hide: Vec<String>,
    /// Keys that cannot be changed; `all` stands for every key.
    pub lock: Vec<String>,
    /// When the study is run.
    pub start: Start,
    /// Whether the messages of its runs are looked at, at once and in their open section.
    pub messages: bool,
}

impl Presentation {
    /// Reads the page's own keys; what they cannot mean is left at its default.
    pub fn read(search: &str, fragment: &str) -> Presentation {
        let mut page = Presentation::default();
        let mut start = None;
        for token in tokens(search).chain(tokens(fragment)) {
            let Some((key, value)) = token.split_once('=') else {
                continue;
            };
            let names = || value.split(',').map(str::to_owned).collect();
            match key {
                "embed" => page.embed = value != "0",
                "hide" => page.hide = names(),
                "lock" => page.lock = names(),
                "run" => start = read_start(value),
                "show" => page.messages = value == "messages",
                _ => {}
            }
        }
        // A page of lessons may hold many figures: those wait to be asked.
        let usual = if page.embed { Start::Click } else { Start::Auto };
        page.start = start.unwrap_or(usual);
        page
    }

    /// Whether a piece of the page is shown.
    pub fn shows(&self, piece: &str) -> bool {
        !self.hide.iter().any(|hidden| hidden == piece)
    }

    /// Whether a key of the study may be changed.
    pub fn unlocked(&self, key: &str) -> bool {
        !self.lock.iter().any(|locked| locked == key || locked == "all")
    }
}

fn read_start(value: &str) -> Option<Start> {
    match value {
        "auto" => Some(Start::Auto),
        "click" => Some(Start::Click),
        "never" => Some(Start::Never),
        _ => None,
    }
}

/// The study's text in an address; empty when the address names none.
///
/// The query comes first; a fragment is read when the query has no study, because login pages
/// and mail filters rewrite queries.
pub fn study_text(search: &str, fragment: &str) -> String {
    let in_query = tokens(search).any(|token| is_study(&token));
    let in_fragment = tokens(fragment).any(|token| is_study(&token));
    let source = if in_fragment && !in_query { fragment } else { search };
    let own = |token: &String| !PAGE_KEYS.contains(&key(token));
    tokens(source).filter(own).collect::<Vec<_>>().join(" ")
}

/// The address of a study: its query alone when `base` is empty.
pub fn link(base: &str, study: &Study) -> String {
    format!("{base}?{}", study.query())
}

fn key(token: &str) -> &str {
    token.split_once('=').map_or(token, |(key, _)| key)
}

fn is_study(token: &str) -> bool {
    let key = key(token);
    STUDY_KEYS.contains(&key) || KEYS.iter().any(|known| known.name == key)
}

/// The `key=value` tokens of a query or fragment, decoded.
fn tokens(part: &str) -> impl Iterator<Item = String> + '_ {
    let plain = part.strip_prefix(['?', '#']).unwrap_or(part);
    plain.split('&').map(percent_decoded).filter(|token| !token.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_own_keys_are_no_part_of_the_study() {
        let search = "?embed=1&v=1&traffic=shift,by=1&hide=topology,load&theme=dark";
        assert_eq!(study_text(search, ""), "v=1 traffic=shift,by=1");
        let page = Presentation::read(search, "");
        assert!(page.embed && !page.shows("load") && page.shows("routing"));
        assert_eq!(page.start, Start::Click);
    }

    #[test]
    fn a_fragment_is_read_when_the_query_has_no_study() {
        let fragment = "#v=1&seed=7";
        assert_eq!(study_text("?utm_source=mail", fragment), "v=1 seed=7");
        assert_eq!(study_text("?seed=8", fragment), "seed=8");
        assert_eq!(study_text("", ""), "");
    }

    #[test]
    fn misspelled_keys_reach_the_reader() {
        assert_eq!(study_text("?topologie=torus", ""), "topologie=torus");
    }

    #[test]
    fn encoded_and_broken_tokens_survive() {
        assert_eq!(study_text("?load=0.05..1%3A20", ""), "load=0.05..1:20");
        assert_eq!(study_text("?load=%zz%", ""), "load=%zz%");
        assert_eq!(study_text("?load=%C3", ""), "load=\u{fffd}");
    }

    #[test]
    fn a_full_page_runs_what_came_with_a_link_and_an_embed_waits() {
        assert_eq!(Presentation::read("?v=1", "").start, Start::Auto);
        assert_eq!(Presentation::read("?run=never", "").start, Start::Never);
        assert_eq!(Presentation::read("?embed=1&run=auto", "").start, Start::Auto);
    }

    #[test]
    fn messages_are_looked_at_when_the_link_says_so() {
        let search = "?v=1&exchange=ring&show=messages";
        assert!(Presentation::read(search, "").messages);
        assert_eq!(study_text(search, ""), "v=1 exchange=ring");
        assert!(!Presentation::read("?show=all", "").messages);
    }

    #[test]
    fn locks_name_keys_or_all() {
        let page = Presentation::read("?lock=topology", "");
        assert!(!page.unlocked("topology") && page.unlocked("routing"));
        assert!(!Presentation::read("?lock=all", "").unlocked("routing"));
    }

    #[test]
    fn a_link_reads_back() {
        let study = Study::parse("traffic=shift,by=3 load=0.1..0.5:5").unwrap();
        let link = link("https://example.org/x/", &study);
        assert_eq!(Study::parse(&link), Ok(study));
    }
}
