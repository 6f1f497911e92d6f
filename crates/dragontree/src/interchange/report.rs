//! What readers say of a file: errors and notices, each with its place.

use std::fmt;

/// A text with the name by which messages call it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The name, usually that of the file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// A line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file's name; empty when only one file was read.
    pub file: String,
    /// The line, from 1; 0 where it is about the file as a whole.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", 0) => formatter.write_str("the file"),
            (file, 0) => formatter.write_str(file),
            ("", line) => write!(formatter, "line {line}"),
            (file, line) => write!(formatter, "{file}, line {line}"),
        }
    }
}

/// A file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected {expected}, found {found}")]
pub struct Unreadable {
    /// Where.
    pub place: Place,
    /// What would be right there.
    pub expected: String,
    /// What is there instead.
    pub found: String,
}

/// Something odd in a file that does not stop its reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Where.
    pub place: Place,
    /// What, as a sentence without its first capital and its full stop.
    pub text: String,
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.text)
    }
}

/// A place as readers carry it: which of the files, and the line from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    pub(super) file: u32,
    pub(super) line: u32,
}

/// The most notices that are listed one by one.
const MOST_NOTICES: usize = 100;

/// Collects what is said while files are read.
#[derive(Debug)]
pub(super) struct Report<'a> {
    sources: &'a [Source<'a>],
    notices: Vec<Notice>,
    more: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(sources: &'a [Source<'a>]) -> Report<'a> {
        Report { sources, notices: Vec::new(), more: 0 }
    }

    pub(super) fn place(&self, at: At) -> Place {
        let name = match self.sources {
            [] | [_] => "",
            sources => sources.get(at.file as usize).map_or("", |source| source.name),
        };
        Place { file: name.to_owned(), line: at.line }
    }

    pub(super) fn notice(&mut self, at: At, text: impl FnOnce(&Report<'a>) -> String) {
        if self.notices.len() >= MOST_NOTICES {
            self.more += 1;
            return;
        }
        let text = text(self);
        self.notices.push(Notice { place: self.place(at), text });
    }

    pub(super) fn unreadable(
        &self,
        at: At,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Unreadable {
        Unreadable { place: self.place(at), expected: expected.into(), found: found.into() }
    }

    /// The notices in the order in which they were made.
    pub(super) fn finish(mut self) -> Vec<Notice> {
        if self.more > 0 {
            let text = format!("there are {} more notices", self.more);
            self.notices.push(Notice { place: Place::default(), text });
        }
        self.notices
    }
}

/// A piece of a file as messages show it.
pub(super) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    // Others would steer a terminal.
    let steers = |letter: char| letter.is_control() && letter != '\t';
    let shown = |letter| if steers(letter) { char::REPLACEMENT_CHARACTER } else { letter };
    let text: String = text.trim().chars().map(shown).collect();
    match text.char_indices().nth(MOST) {
        None if text.is_empty() => "nothing".to_owned(),
        None => format!("“{text}”"),
        Some((end, _)) => format!("“{}…”", &text[..end]),
    }
}
