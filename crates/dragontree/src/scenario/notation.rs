//! The text form: tokens, links, and the errors of reading them.

use std::fmt;

use super::{Study, study::Section};
use crate::catalog::Problem;
use crate::scenario::{Entry, KEYS, Metric, NOTATION_VERSION};

/// How much of a study to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only what differs from the defaults: for links.
    Least,
    /// Basic keys and settings always, others when they differ: for people.
    Basic,
    /// Everything but rare exceptions that equal their defaults: for files and captions.
    Everything,
}

/// Everything wrong with a text, and the study made of the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// What could be read.
    pub rest: Box<Study>,
}

impl std::error::Error for Problems {}

impl fmt::Display for Problems {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            write!(formatter, "{line_break}{problem}")?;
        }
        Ok(())
    }
}

/// Keys that the page reads from the same address; they are no part of the study.
const PAGE_KEYS: &[&str] = &["embed", "hide", "lock", "run", "show", "theme"];
/// Keys that other sites append to links.
const JUNK_KEYS: &[&str] = &["fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "igshid", "ref"];
/// Keys that may stand only once.
const SINGLE_KEYS: &[&str] = &["v", "e", "d", "x"];
/// Names kept for later.
const RESERVED_KEYS: &[&str] = &["panel", "background", "job", "model", "r", "data"];
/// The most problems that are listed.
const MOST_PROBLEMS: usize = 20;
/// The longest text that is read.
const LONGEST: usize = 100_000;

/// The part of a link that holds the study; the text itself when it is no link.
fn query(text: &str) -> &str {
    let text = text.trim();
    let is_link = ["http://", "https://", "file://"].iter().any(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    if !is_link {
        // A fragment has no spaces; a text that begins with a comment has.
        let fragment = text.strip_prefix('#').filter(|rest| !rest.contains(char::is_whitespace));
        return fragment.or(text.strip_prefix('?')).unwrap_or(text);
    }
    let after = |mark: char| text.split_once(mark).map(|(_, rest)| rest);
    match (after('?'), after('#')) {
        (Some(query), _) => query.split('#').next().unwrap_or_default(),
        (None, Some(fragment)) => fragment,
        (None, None) => "",
    }
}

/// Splits a text into its `key=value` tokens; `+` is an address's space, and `#` starts a comment
/// where a token could start.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        for token in line.split(|c: char| c == '&' || c == '+' || c.is_whitespace()) {
            if token.starts_with('#') {
                break;
            }
            if !token.is_empty() {
                tokens.push(token);
            }
        }
    }
    tokens
}

/// The words of a text or link, without its comments.
pub fn words(text: &str) -> Vec<String> {
    tokens(&percent_decoded(query(text))).into_iter().map(str::to_owned).collect()
}

/// Undoes percent-encoding; what is no valid code stays as it is.
pub fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Reads a study from its text or from a link.
pub(super) fn read(text: &str) -> Result<Study, Problems> {
    let mut reader = Reader { study: Study::default(), problems: Vec::new(), seen: Vec::new() };
    if text.len() > LONGEST {
        let allowed = format!("the text has {} bytes, allowed: up to {LONGEST}", text.len());
        reader.problems.push(Problem::new("", "", allowed));
        return Err(Problems { problems: reader.problems, rest: Box::new(reader.study) });
    }
    // What stands for a separator in an address must be one again before the text is split.
    for token in tokens(&percent_decoded(query(text))) {
        if reader.problems.len() >= MOST_PROBLEMS {
            let allowed = "there are more problems after these; the rest was not read";
            reader.problems.push(Problem::new("", "", allowed));
            break;
        }
        reader.token(token);
    }
    let Reader { study, mut problems, .. } = reader;
    problems.extend(study.check());
    match problems.is_empty() {
        true => Ok(study),
        false => Err(Problems { problems, rest: Box::new(study) }),
    }
}

struct Reader {
    study: Study,
    problems: Vec<Problem>,
    /// The keys that may stand once and have been read.
    seen: Vec<String>,
}

impl Reader {
    fn token(&mut self, token: &str) {
        let Some((key, value)) = token.split_once('=') else {
            self.problems.push(Problem::new("", token, "expected KEY=VALUE"));
            return;
        };
        let ignored = PAGE_KEYS.contains(&key) || JUNK_KEYS.contains(&key);
        if ignored || key.starts_with("utm_") {
            return;
        }
        if KEYS.iter().any(|known| known.name == key) {
            self.entry(key, value);
            return;
        }
        if let Err(problem) = self.own(key, value) {
            self.problems.push(problem);
        }
    }

    fn entry(&mut self, key: &str, value: &str) {
        let entry = match Entry::read(key, value) {
            Ok(entry) => Some(entry),
            Err((rest, problems)) => {
                self.problems.extend(problems);
                rest
            }
        };
        self.section().entries_mut(key).extend(entry);
    }

    fn section(&mut self) -> &mut Section {
        match self.study.cases.last_mut() {
            Some(case) => &mut case.section,
            None => &mut self.study.common,
        }
    }

    /// Keys that speak of the study as a whole.
    fn own(&mut self, key: &str, value: &str) -> Result<(), Problem> {
        if SINGLE_KEYS.contains(&key) {
            if self.seen.iter().any(|seen| seen == key) {
                return Err(Problem::new(key, value, "the key is given twice"));
            }
            self.seen.push(key.to_owned());
        }
        match key {
            "v" => match value.parse::<u32>() {
                Ok(version) if (1..=NOTATION_VERSION).contains(&version) => {
                    self.study.version = version;
                }
                Ok(0) => return Err(Problem::new("v", value, "versions begin at 1")),
                Ok(_) => {
                    let allowed = format!(
                        "versions up to {NOTATION_VERSION} are known here; a newer program may read it"
                    );
                    return Err(Problem::new("v", value, allowed));
                }
                Err(_) => return Err(Problem::new("v", value, "expected a whole number")),
            },
            "e" => match value.parse() {
                Ok(engine) => self.study.engine = Some(engine),
                Err(_) => return Err(Problem::new("e", value, "expected a whole number")),
            },
            "d" => match u64::from_str_radix(value, 16) {
                Ok(digest) if value.len() == 16 => self.study.digest = Some(digest),
                _ => return Err(Problem::new("d", value, "expected 16 hexadecimal digits")),
            },
            "x" => self.study.x = Some(value.to_owned()),
            "y" => {
                let metric = Metric::read(value)?;
                if !self.study.y.contains(&metric) {
                    self.study.y.push(metric);
                }
            }
            "case" => self.study.open_case(value)?,
            _ if RESERVED_KEYS.contains(&key) => {
                return Err(Problem::new(key, "", "this key is reserved and has no meaning yet"));
            }
            _ => {
                let own = ["v", "x", "y", "case", "e", "d"];
                let known: Vec<&str> = KEYS.iter().map(|key| key.name).chain(own).collect();
                return Err(Problem::unknown("", key, &known));
            }
        }
        Ok(())
    }
}

/// Prints a study, its tokens joined by `separator`.
pub(super) fn print(study: &Study, detail: Detail, separator: &str) -> String {
    let mut tokens = Vec::new();
    if detail != Detail::Basic || study.version != 1 {
        tokens.push(format!("v={}", study.version));
    }
    // The keys of traffic where messages are exchanged, and the other way round.
    let idle: &[&str] = match study.exchanges() {
        true => &["traffic", "exchange", "load", "placement"],
        false => &["exchange", "bytes", "placement"],
    };
    study.common.print(detail, true, idle, &mut tokens);
    for case in &study.cases {
        tokens.push(format!("case={}", case.name));
        case.section.print(detail, false, idle, &mut tokens);
    }
    tokens.extend(study.x.iter().map(|x| format!("x={x}")));
    tokens.extend(study.y.iter().map(|metric| format!("y={metric}")));
    tokens.extend(study.engine.map(|engine| format!("e={engine}")));
    tokens.extend(study.digest.map(|digest| format!("d={digest:016x}")));
    tokens.join(separator)
}
