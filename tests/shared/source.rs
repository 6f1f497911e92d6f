//! Rust files, read just well enough to see what they import and how long they are.

use std::fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its path from the top of the repository.
    pub path: String,
    /// Its code without tests, comments and literals: all of these are blank, line by line.
    pub code: String,
}

impl Source {
    /// Every Rust file below a folder, except tests, in the order of their paths.
    pub fn all(folder: &str) -> Vec<Source> {
        let mut paths = Vec::new();
        collect(&root().join(folder), &mut paths);
        let mut sources: Vec<Source> = paths.iter().filter_map(|path| Source::read(path)).collect();
        sources.sort_by(|one, other| one.path.cmp(&other.path));
        sources
    }

    fn read(path: &Path) -> Option<Source> {
        let relative = path.strip_prefix(root()).ok()?;
        let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
        let text = fs::read_to_string(path).ok()?;
        Some(Source { path: parts.join("/"), code: without_tests(&blanked(&text)) })
    }

    /// The number of a line, counted from 1, in which a byte of the code lies.
    pub fn line(&self, at: usize) -> usize {
        self.code[..at].matches('\n').count() + 1
    }

    /// How many lines the file has without its tests.
    pub fn length(&self) -> usize {
        self.code.trim_end().lines().count()
    }

    /// Where a word occurs that is no part of a longer one.
    pub fn find<'a>(&'a self, word: &'a str) -> impl Iterator<Item = usize> + 'a {
        let places = self.code.match_indices(word).map(|(at, _)| at);
        places.filter(move |&at| {
            let before = self.code[..at].chars().next_back();
            let after = self.code[at + word.len()..].chars().next();
            let longer = in_word_end(word) && after.is_some_and(in_word);
            !(longer || before.is_some_and(in_word))
        })
    }

    /// Every function: its name, its first line and its number of lines.
    pub fn functions(&self) -> Vec<(String, usize, usize)> {
        let mut functions = Vec::new();
        for at in self.find("fn") {
            let rest = &self.code[at + 2..];
            let name: String = rest.trim_start().chars().take_while(|c| in_word(*c)).collect();
            let body = rest.find(['{', ';']).map(|offset| at + 2 + offset);
            let Some(open) = body.filter(|open| self.code[*open..].starts_with('{')) else {
                continue;
            };
            if name.is_empty() {
                continue;
            }
            let close = closing(&self.code, open);
            let lines = self.line(close) - self.line(at) + 1;
            functions.push((name, self.line(at), lines));
        }
        functions
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let built = ["target", "node_modules", "dist"].contains(&name.as_str());
        if path.is_dir() && !built && name != "tests" {
            collect(&path, paths);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            paths.push(path);
        }
    }
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn in_word_end(word: &str) -> bool {
    word.chars().next_back().is_some_and(in_word)
}

/// Where the brace at `open` is closed; the end of the text when it is not.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (offset, byte) in code[open..].bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset;
        }
    }
    code.len()
}

/// Blanks what stands behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut code = code.to_owned();
    while let Some(at) = code.find(MARK) {
        let rest = at + MARK.len();
        let end = code[rest..].find(['{', ';']).map_or(code.len(), |offset| rest + offset);
        let end = if code[end..].starts_with('{') { closing(&code, end) } else { end };
        let end = (end + 1).min(code.len());
        let blank = blank(&code[at..end]);
        code.replace_range(at..end, &blank);
    }
    code
}

fn blank(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect()
}

/// Blanks comments, strings and characters.
fn blanked(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before = plain.chars().next_back();
        let length = literal(rest, before).unwrap_or(0);
        if length > 0 {
            let blank = blank(&rest[..length]);
            plain.push_str(&blank);
            rest = &rest[length..];
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    plain
}

/// The length of the comment or literal that `text` begins with.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/").map_or(text.len(), |at| at + 2));
    }
    if text.starts_with('"') {
        return Some(quoted(text, '"'));
    }
    if text.starts_with('r') && !before.is_some_and(in_word) {
        let hashes = text[1..].chars().take_while(|c| *c == '#').count();
        let body = 1 + hashes;
        if text[body..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let close = text[body + 1..].find(&end)?;
            return Some(body + 1 + close + end.len());
        }
    }
    if let Some(rest) = text.strip_prefix('\'') {
        // A lifetime has no closing quote right behind its first character.
        let mut characters = rest.chars();
        let escaped = characters.next()? == '\\';
        return (escaped || characters.next() == Some('\'')).then(|| quoted(text, '\''));
    }
    None
}

/// The length of a literal between two quotes, with escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
