//! The words of DOT.

/// A word with its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) word: Word,
    pub(super) line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    /// A name, a number or what stands between quotation marks.
    Id(String),
    /// `--` or `->`.
    Arrow,
    /// Any other sign.
    Sign(char),
}

impl Word {
    pub(super) fn text(&self) -> String {
        match self {
            Word::Id(text) => text.clone(),
            Word::Arrow => "--".to_owned(),
            Word::Sign(sign) => sign.to_string(),
        }
    }
}

/// The words of a text.
///
/// # Errors
/// The line where a quotation or a comment begins that does not end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, u32> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let at_line_start =
            text.len() == rest.len() || text[..text.len() - rest.len()].ends_with('\n');
        let (length, word) = match first {
            '#' if at_line_start => (to_end_of_line(rest), None),
            _ if rest.starts_with("//") => (to_end_of_line(rest), None),
            _ if rest.starts_with("/*") => (rest.find("*/").ok_or(line)? + 2, None),
            _ if rest.starts_with("--") || rest.starts_with("->") => (2, Some(Word::Arrow)),
            '"' => {
                let (length, id) = quotation(rest).ok_or(line)?;
                (length, Some(Word::Id(id)))
            }
            _ if first.is_whitespace() => (first.len_utf8(), None),
            _ => match id_length(rest) {
                0 => (first.len_utf8(), Some(Word::Sign(first))),
                length => (length, Some(Word::Id(rest[..length].to_owned()))),
            },
        };
        tokens.extend(word.map(|word| Token { word, line }));
        let (read, after) = rest.split_at(length);
        line += read.matches('\n').count() as u32;
        rest = after;
    }
    Ok(tokens)
}

fn to_end_of_line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The length of a name or a number at the start.
fn id_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let minus = usize::from(text.starts_with('-'));
    let digits = text[minus..].find(|c| !is_part(c)).unwrap_or(text.len() - minus);
    if digits == 0 { 0 } else { minus + digits }
}

/// What stands between the quotation marks at the start, and the length with them.
fn quotation(text: &str) -> Option<(usize, String)> {
    let mut id = String::new();
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match (is_escaped, c) {
            (false, '"') => return Some((at + 1, id)),
            (false, '\\') => {
                is_escaped = true;
                continue;
            }
            (true, '"' | '\\') | (false, _) => id.push(c),
            // A line break of a label.
            (true, 'n' | 'l' | 'r') => id.push(' '),
            (true, _) => {
                id.push('\\');
                id.push(c);
            }
        }
        is_escaped = false;
    }
    None
}
