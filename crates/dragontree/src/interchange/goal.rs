//! Messages and what they wait for, in a part of the GOAL format (Hoefler, Siebert & Lumsdaine 2009).
//!
//! ```text
//! num_ranks 2
//! rank 0 {
//!   l1: send 4096b to 1 tag 7
//!   l2: recv 64b from 1
//!   l2 requires l1
//! }
//! rank 1 {
//!   l1: recv 4096b from 0 tag 7
//!   l2: send 64b to 0
//!   l2 requires l1
//! }
//! ```
//! An operation that `requires` others begins when these have ended: a `send` when its last bit has
//! left, a `recv` when its message has arrived and what it requires has ended. The n-th `send` from one
//! rank to another with a tag meets the n-th `recv` there with that tag. `calc 0` takes no time and
//! joins what it requires. Computing, and waiting for the beginning of an operation (`irequires`), are
//! refused. Words after those that are shown (`cpu`, `nic`) are passed over, and so is what follows
//! `//` or `#`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::report::quoted;
use super::{Place, Source, Unreadable};

/// What a message waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wait {
    /// The other message's place in the list.
    pub message: u32,
    /// Whether it must have arrived; else it must have left.
    pub arrived: bool,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// Its source and its destination.
    pub ends: [u32; 2],
    /// Its length in bytes.
    pub bytes: u64,
    /// What it waits for.
    pub after: Vec<Wait>,
    /// The line on which it is sent.
    pub line: u32,
}

/// Messages between ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The number of ranks.
    pub ranks: u32,
    /// The messages, rank by rank.
    pub messages: Vec<Sent>,
}

/// The most operations that a file may hold.
const MOST_OPERATIONS: usize = 8_000_000;

/// The most messages that an operation may wait for, through others that have no end of their own.
const MOST_WAITS: usize = 4096;

/// Whether a text is in this format.
pub fn is_like(text: &str) -> bool {
    without_comments(text).trim_start().starts_with("num_ranks")
}

/// Reads a schedule.
///
/// # Errors
/// The first line that cannot be read, or that has no partner or waits for itself.
pub fn read(source: Source<'_>) -> Result<Schedule, Unreadable> {
    let mut reader = Reader::default();
    for (number, line) in (1..).zip(without_comments(source.text).lines()) {
        reader.line = number;
        reader.read(line.trim())?;
    }
    reader.finish()
}

/// The text without what is behind `#` and `//` or between `/*` and `*/`, in as many lines.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut left = text;
    while let Some(start) = left.find(['#', '/']) {
        let (before, from) = left.split_at(start);
        plain.push_str(before);
        let to_line_end = || from.find('\n').unwrap_or(from.len());
        let length = match from.strip_prefix("/*") {
            Some(inside) => inside.find("*/").map_or(from.len(), |end| end + "/**/".len()),
            None if from.starts_with('#') || from.starts_with("//") => to_line_end(),
            None => {
                plain.push('/');
                1
            }
        };
        let (comment, rest) = from.split_at(length);
        plain.extend(comment.chars().filter(|each| *each == '\n'));
        left = rest;
    }
    plain.push_str(left);
    plain
}

fn unreadable(line: u32, expected: &str, found: String) -> Unreadable {
    let place = Place { file: String::new(), line };
    Unreadable { place, expected: expected.to_owned(), found }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Send { peer: u32, tag: u32, bytes: u64 },
    Receive { peer: u32, tag: u32, bytes: u64 },
    Join,
}

struct Operation {
    rank: u32,
    kind: Kind,
    line: u32,
    requires: Vec<u32>,
    /// Of a `send` or `recv`, its message.
    message: u32,
}

#[derive(Default)]
struct Reader {
    line: u32,
    ranks: Option<u32>,
    rank: Option<u32>,
    operations: Vec<Operation>,
    labels: BTreeMap<(u32, String), u32>,
}

impl Reader {
    fn read(&mut self, line: &str) -> Result<(), Unreadable> {
        let words: Vec<&str> =
            line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            [] => Ok(()),
            ["num_ranks", count] if self.ranks.is_some() => {
                Err(self.wrong("num_ranks once", &format!("num_ranks {count}")))
            }
            ["num_ranks", count] => {
                self.ranks = Some(self.number(count)?);
                Ok(())
            }
            ["rank", rank, "{"] => {
                self.check_closed("another rank")?;
                let rank = self.number(rank.trim_end_matches('{'))?;
                self.rank = Some(self.known(rank)?);
                Ok(())
            }
            ["}"] => {
                self.rank = None;
                Ok(())
            }
            [own, "requires", ref others @ ..] => self.requires(own, others),
            [_, "irequires", ..] => Err(self.wrong("requires", line)),
            _ => self.operation(line, &words),
        }
    }

    /// Whether the brackets of the rank before are closed.
    fn check_closed(&self, found: &str) -> Result<(), Unreadable> {
        match self.rank {
            None => Ok(()),
            Some(rank) => {
                let expected = format!("“}}” that ends rank {rank}");
                Err(unreadable(self.line, &expected, found.to_owned()))
            }
        }
    }

    fn wrong(&self, expected: &str, found: &str) -> Unreadable {
        unreadable(self.line, expected, quoted(found))
    }

    fn number(&self, word: &str) -> Result<u32, Unreadable> {
        word.parse().map_err(|_| self.wrong("a whole number below 2³²", word))
    }

    /// A rank that there is.
    fn known(&self, rank: u32) -> Result<u32, Unreadable> {
        match self.ranks {
            None => Err(self.wrong("num_ranks first", &format!("rank {rank}"))),
            Some(ranks) if rank < ranks => Ok(rank),
            Some(ranks) => Err(self.wrong(&format!("a rank below {ranks}"), &rank.to_string())),
        }
    }

    fn own(&self, found: &str) -> Result<u32, Unreadable> {
        self.rank.ok_or_else(|| self.wrong("“rank N {” before", found))
    }

    fn label(&self, rank: u32, label: &str) -> Result<u32, Unreadable> {
        let known = self.labels.get(&(rank, label.to_owned()));
        known.copied().ok_or_else(|| self.wrong(&format!("a label of rank {rank}"), label))
    }

    fn requires(&mut self, own: &str, others: &[&str]) -> Result<(), Unreadable> {
        let rank = self.own(own)?;
        let own = self.label(rank, own)?;
        for other in others {
            let other = self.label(rank, other)?;
            self.operations[own as usize].requires.push(other);
        }
        Ok(())
    }

    /// `[LABEL:] send BYTESb to RANK [tag TAG]`, `recv … from …` or `calc 0`.
    fn operation(&mut self, line: &str, words: &[&str]) -> Result<(), Unreadable> {
        let rank = self.own(line)?;
        let (label, words) = match words {
            [first, rest @ ..] if first.ends_with(':') => (first.strip_suffix(':'), rest),
            _ => (None, words),
        };
        let expected = "“send BYTESb to RANK”, “recv BYTESb from RANK” or “calc 0”";
        let kind = match words {
            ["send", bytes, "to", peer, rest @ ..] => {
                let (peer, tag, bytes) = self.ends(bytes, peer, rest)?;
                Kind::Send { peer, tag, bytes }
            }
            ["recv", bytes, "from", peer, rest @ ..] => {
                let (peer, tag, bytes) = self.ends(bytes, peer, rest)?;
                Kind::Receive { peer, tag, bytes }
            }
            ["calc", "0", ..] => Kind::Join,
            _ => return Err(self.wrong(expected, line)),
        };
        let number = self.operations.len() as u32;
        if let Some(label) = label
            && self.labels.insert((rank, label.to_owned()), number).is_some()
        {
            return Err(self.wrong(&format!("a label that rank {rank} has not had"), label));
        }
        if self.operations.len() >= MOST_OPERATIONS {
            return Err(self.wrong(&format!("up to {MOST_OPERATIONS} operations"), line));
        }
        let line = self.line;
        self.operations.push(Operation { rank, kind, line, requires: Vec::new(), message: 0 });
        Ok(())
    }

    fn ends(&self, bytes: &str, peer: &str, rest: &[&str]) -> Result<(u32, u32, u64), Unreadable> {
        let length = bytes.strip_suffix('b').unwrap_or(bytes).parse::<u64>();
        let length = length.ok().filter(|length| (1..=1 << 40).contains(length));
        let length = length.ok_or_else(|| self.wrong("a length from 1b to 1 TiB", bytes))?;
        let peer = self.known(self.number(peer)?)?;
        let tag = match rest {
            ["tag", tag, ..] => self.number(tag)?,
            _ => 0,
        };
        Ok((peer, tag, length))
    }

    fn finish(mut self) -> Result<Schedule, Unreadable> {
        let Some(ranks) = self.ranks else { return Err(self.wrong("num_ranks", "the end")) };
        self.check_closed("the end")?;
        let mut messages = self.pair()?;
        let mut ends = Ends { operations: &self.operations, known: Vec::new() };
        ends.known.resize_with(self.operations.len(), || None);
        for operation in &self.operations {
            if let Kind::Send { .. } = operation.kind {
                let mut after = BTreeSet::new();
                for other in &operation.requires {
                    after.extend(ends.of(*other)?);
                }
                messages[operation.message as usize].after = after.into_iter().collect();
            }
        }
        Ok(Schedule { ranks, messages })
    }

    /// The messages, each `send` with its `recv`.
    fn pair(&mut self) -> Result<Vec<Sent>, Unreadable> {
        let mut waiting: BTreeMap<[u32; 3], VecDeque<u32>> = BTreeMap::new();
        let mut messages = Vec::new();
        for operation in &mut self.operations {
            if let Kind::Send { peer, tag, bytes } = operation.kind {
                operation.message = messages.len() as u32;
                let ends = [operation.rank, peer];
                let key = [operation.rank, peer, tag];
                waiting.entry(key).or_default().push_back(operation.message);
                let line = operation.line;
                messages.push(Sent { ends, bytes, after: Vec::new(), line });
            }
        }
        for operation in &mut self.operations {
            if let Kind::Receive { peer, tag, bytes } = operation.kind {
                let line = operation.line;
                let queue = waiting.get_mut(&[peer, operation.rank, tag]);
                let Some(message) = queue.and_then(VecDeque::pop_front) else {
                    let found = format!("nothing is sent from {peer} for it (tag {tag})");
                    return Err(unreadable(line, "a recv whose message is sent", found));
                };
                let sent = messages[message as usize].bytes;
                if sent != bytes {
                    return Err(unreadable(
                        line,
                        &format!("{sent}b, as is sent"),
                        format!("{bytes}b"),
                    ));
                }
                operation.message = message;
            }
        }
        let lost = waiting.values().flatten().next();
        match lost {
            None => Ok(messages),
            Some(message) => {
                let Sent { line, ends: [_, to], .. } = messages[*message as usize];
                let found = format!("rank {to} does not receive it");
                Err(unreadable(line, "a send whose message is received", found))
            }
        }
    }
}

/// When operations have ended.
struct Ends<'a> {
    operations: &'a [Operation],
    /// What is known; of what is being looked at, nothing yet.
    known: Vec<Option<Option<Vec<Wait>>>>,
}

impl Ends<'_> {
    /// What must have happened for an operation to have ended.
    ///
    /// # Errors
    /// An operation that waits for itself, or for too many messages.
    fn of(&mut self, operation: u32) -> Result<Vec<Wait>, Unreadable> {
        let mut stack = vec![operation];
        while let Some(top) = stack.last().copied() {
            let Operation { kind, message, requires, line, .. } = &self.operations[top as usize];
            let message = *message;
            if self.known[top as usize].as_ref().is_some_and(Option::is_some) {
                stack.pop();
                continue;
            }
            if let Kind::Send { .. } = kind {
                self.known[top as usize] = Some(Some(vec![Wait { message, arrived: false }]));
                continue;
            }
            let open = requires
                .iter()
                .find(|other| !self.known[**other as usize].as_ref().is_some_and(Option::is_some));
            if let Some(open) = open {
                if self.known[*open as usize].is_some() || *open == top {
                    let expected = "what does not wait for itself";
                    return Err(unreadable(*line, expected, "a circle".to_owned()));
                }
                self.known[top as usize] = Some(None);
                stack.push(*open);
                continue;
            }
            let mut ended = BTreeSet::new();
            if let Kind::Receive { .. } = kind {
                ended.insert(Wait { message, arrived: true });
            }
            for other in requires {
                ended.extend(self.known[*other as usize].iter().flatten().flatten().copied());
            }
            if ended.len() > MOST_WAITS {
                let expected = format!("up to {MOST_WAITS} messages to wait for");
                return Err(unreadable(*line, &expected, format!("{}", ended.len())));
            }
            self.known[top as usize] = Some(Some(ended.into_iter().collect()));
        }
        Ok(self.known[operation as usize].clone().flatten().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
