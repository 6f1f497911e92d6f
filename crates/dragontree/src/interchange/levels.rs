//! Service levels of pairs: lines `SLID DLID SL`, as a subnet manager answers path queries.
//!
//! Local ids are decimal, or hexadecimal behind `0x`; the level is a number from 0 to 15. `#`
//! begins a comment, and empty lines are skipped.

use std::fmt::Write;

use super::lfts::{Addresses, Found};
use super::report::{At, Report, quoted};
use super::{Notice, Source, Unreadable};
use crate::network::{Network, Node, Target};
use crate::sorting::sort_by_number;

/// The service level of the packets from one destination of the tables to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Where packets come from: an endpoint's port or a switch.
    pub source: Target,
    /// Where they go.
    pub destination: Target,
    /// The level, from 0 to 15.
    pub level: u8,
}

/// What files say of the pairs of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The levels, in the order of the files; where a pair stands twice the last one counts.
    pub levels: Vec<Level>,
    /// What does not fit the network, or is not taken over.
    pub notices: Vec<Notice>,
}

/// Whether a text begins as such files do.
pub fn is_like(text: &str) -> bool {
    text.lines().find_map(|line| numbers(line).transpose()).is_some_and(|first| first.is_ok())
}

/// The most lines that are said to be wrong one by one.
const MOST_PROBLEMS: usize = 20;

/// Reads the service levels of a network's pairs, from one file or several.
///
/// # Errors
/// The lines that cannot be read; after twenty of them the reading ends.
pub fn read(sources: &[Source<'_>], network: &Network) -> Result<Reading, Vec<Unreadable>> {
    let mut report = Report::new(sources);
    let addresses = Addresses::new(network);
    let mut levels = Vec::new();
    let mut wrong = Vec::new();
    let (mut unknown, mut further) = (None, None);
    for (file, source) in (0..).zip(sources) {
        for (text, line) in source.text.lines().zip(1..) {
            let at = At { file, line };
            let [slid, dlid, level] = match numbers(text) {
                Ok(Some(numbers)) => numbers,
                Ok(None) => continue,
                Err(expected) => {
                    wrong.push(report.unreadable(at, expected, quoted(text)));
                    if wrong.len() == MOST_PROBLEMS {
                        return Err(wrong);
                    }
                    continue;
                }
            };
            match [slid, dlid].map(|lid| addresses.find(None, lid)) {
                [Some(source), Some(destination)] => {
                    let ends: [Found; 2] = [source, destination];
                    if ends.iter().any(|end| end.further > 0) {
                        further.get_or_insert((at, 0_u32)).1 += 1;
                        continue;
                    }
                    let [source, destination] = ends.map(|end| end.target);
                    levels.push(Level { source, destination, level: level as u8 });
                }
                [known, _] => {
                    let lid = if known.is_none() { slid } else { dlid };
                    unknown.get_or_insert((at, lid, 0_u32)).2 += 1;
                }
            }
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    if let Some((at, lid, count)) = unknown {
        let text = format!(
            "nothing, or more than one thing, has lid {lid}; {count} such pairs are left out"
        );
        report.notice(at, |_| text);
    }
    if let Some((at, count)) = further {
        let text = format!(
            "of a port's several lids only the first is followed; {count} pairs of others are left \
             out"
        );
        report.notice(at, |_| text);
    }
    Ok(Reading { levels, notices: report.finish() })
}

/// The local ids of endpoints' ports between which packets go, with the ports.
fn ends(network: &Network) -> Vec<(u32, Target)> {
    let cabled = |target: &Target| match network.target(*target) {
        (Node::Endpoint(_), Some(port)) => network.peer(port).is_some(),
        _ => false,
    };
    let targets = (0..network.target_count()).map(Target).filter(cabled);
    let mut ends: Vec<(u32, Target)> =
        targets.map(|target| (network.target_lid(target), target)).collect();
    sort_by_number(&mut ends, |(lid, _)| u128::from(*lid));
    ends
}

/// How many pairs [`write()`] has to write.
pub fn pair_count(network: &Network) -> u64 {
    let ends = ends(network).len() as u64;
    ends * ends.saturating_sub(1)
}

/// The levels of all ordered pairs of endpoints' ports, by local ids.
pub fn write(network: &Network, level: impl Fn(Target, Target) -> u8) -> String {
    let ends = ends(network);
    let mut text = String::new();
    for (slid, source) in &ends {
        for (dlid, destination) in ends.iter().filter(|(_, other)| other != source) {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{slid} {dlid} {}", level(*source, *destination));
        }
    }
    text
}

/// The three numbers of a line; none where it is empty. Else what was expected.
fn numbers(text: &str) -> Result<Option<[u32; 3]>, &'static str> {
    const EXPECTED: &str = "two local ids and a service level from 0 to 15, as in “1 7 0”";
    let text = text.split('#').next().unwrap_or_default();
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    let number = |word: Option<&str>| {
        let word = word?;
        let number = match word.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.ok().filter(|number| *number <= 0xffff && !word.contains('+'))
    };
    let read = [number(Some(first)), number(words.next()), number(words.next())];
    match (read, words.next()) {
        ([Some(slid), Some(dlid), Some(level @ 0..=15)], None) => Ok(Some([slid, dlid, level])),
        _ => Err(EXPECTED),
    }
}
