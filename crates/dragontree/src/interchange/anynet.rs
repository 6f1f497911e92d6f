//! The network files of BookSim's `anynet` topology.
//!
//! ```text
//! router 0 node 0 node 1 router 1 15
//! router 1 node 2 node 3
//! ```
//! A line joins its first member to all others; a number behind a member is the latency of that
//! channel, 1 when left out (BookSim 2, `src/networks/anynet.cpp`). Routers and nodes are counted
//! from 0 without gaps.
//!
//! # What becomes of it
//! - A router is a switch, a node an endpoint, with their numbers. A switch's ports are numbered
//!   as BookSim does: its nodes in order, then its routers in order.
//! - A latency of n is n times what the experiment's links have otherwise. BookSim's latencies
//!   are those of one direction; a link has the larger one in both.
//! - There is one link between two routers, however often it is written.

use std::collections::BTreeMap;

use super::report::{At, quoted};
use super::wiring::Wiring;
use super::{Cable, Delay, Kind, Reading, Source, Unreadable};

mod write;

pub use write::write;

/// The largest latency that a channel may have.
const MOST_LATENCY: u32 = 100_000;

/// A kind of member and its number.
type Member = (Kind, u32);

/// Reads a network file.
///
/// # Errors
/// The first line that cannot be read; a node at two routers; numbers with gaps.
pub fn read(source: &Source<'_>) -> Result<Reading, Unreadable> {
    let sources = [*source];
    let mut reader = Reader {
        wiring: Wiring::new(&sources),
        routers: BTreeMap::new(),
        homes: BTreeMap::new(),
        links: BTreeMap::new(),
    };
    for (line, text) in (1..).zip(source.text.lines()) {
        let text = text.trim();
        if !text.starts_with('#') && !text.starts_with("//") {
            reader.line(line, text)?;
        }
    }
    reader.finish()
}

/// The router of a node.
struct Home {
    router: u32,
    told: Told,
}

/// What is said of a channel.
#[derive(Clone, Copy)]
struct Told {
    latency: u32,
    line: u32,
}

struct Reader<'a> {
    wiring: Wiring<'a>,
    /// Routers, and the lines in which they occur first.
    routers: BTreeMap<u32, u32>,
    homes: BTreeMap<u32, Home>,
    /// What is said of the channels between two routers, from the lower to the higher number and
    /// back.
    links: BTreeMap<(u32, u32), [Option<Told>; 2]>,
}

impl Reader<'_> {
    fn line(&mut self, line: u32, text: &str) -> Result<(), Unreadable> {
        let mut words = text.split_whitespace().peekable();
        let Some(word) = words.next() else {
            return Ok(());
        };
        let head = self.member(line, word, words.next())?;
        while let Some(word) = words.next() {
            let other = self.member(line, word, words.next())?;
            let number = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            let latency = number.map_or(Ok(1), str::parse);
            match latency.ok().filter(|latency| *latency <= MOST_LATENCY) {
                Some(latency) => self.join(head, other, Told { latency, line })?,
                None => {
                    let expected = format!("a latency from 0 to {MOST_LATENCY}");
                    return Err(self.wiring.error(line, expected, quoted(number.unwrap_or(""))));
                }
            }
        }
        Ok(())
    }

    fn member(
        &mut self,
        line: u32,
        word: &str,
        number: Option<&str>,
    ) -> Result<Member, Unreadable> {
        let kind = match word {
            "router" => Kind::Switch,
            "node" => Kind::Endpoint,
            other => return Err(self.wiring.error(line, "router or node", quoted(other))),
        };
        let Some(place) = number.and_then(|number| number.parse().ok()) else {
            let found = number.map_or("the end of the line".to_owned(), quoted);
            return Err(self.wiring.error(line, format!("a number behind {word}"), found));
        };
        if kind == Kind::Switch {
            self.routers.entry(place).or_insert(line);
        }
        Ok((kind, place))
    }

    fn join(&mut self, head: Member, other: Member, told: Told) -> Result<(), Unreadable> {
        let (node, router) = match (head, other) {
            ((Kind::Endpoint, node), (Kind::Endpoint, _)) => {
                let expected = format!("a router behind node {node}");
                return Err(self.wiring.error(told.line, expected, format!("node {}", other.1)));
            }
            ((Kind::Endpoint, node), (_, router)) | ((_, router), (Kind::Endpoint, node)) => {
                (node, router)
            }
            ((_, one), (_, other)) => {
                let pair = self.links.entry((one.min(other), one.max(other))).or_default();
                pair[usize::from(one > other)] = Some(told);
                return Ok(());
            }
        };
        let home = self.homes.entry(node).or_insert(Home { router, told });
        if home.router != router {
            let expected = format!("one router for node {node}");
            let (before, line) = (home.router, home.told.line);
            let found = format!("router {router}, after router {before} (line {line})");
            return Err(self.wiring.error(told.line, expected, found));
        }
        home.told.latency = told.latency.max(home.told.latency);
        Ok(())
    }

    fn finish(mut self) -> Result<Reading, Unreadable> {
        let routers = self.routers.iter().map(|(number, line)| (*number, *line));
        let routers = self.gapless("router", routers)?;
        let homes = self.homes.iter().map(|(node, home)| (*node, home.told.line));
        let nodes = self.gapless("node", homes)?;
        for number in 0..routers {
            self.wiring.add(Kind::Switch, &format!("router {number}"));
        }
        for number in 0..nodes {
            self.wiring.add(Kind::Endpoint, &format!("node {number}"));
        }
        // Ports are numbered in the order of the cables: a switch's nodes come first, then its
        // routers, each in order.
        for (node, Home { router, told }) in std::mem::take(&mut self.homes) {
            self.cable(router, routers + node, told);
        }
        for ((one, other), told) in std::mem::take(&mut self.links) {
            if let [Some(there), Some(back)] = told
                && there.latency != back.latency
            {
                let at = At { file: 0, line: back.line.max(there.line) };
                self.wiring.report.notice(at, |_| {
                    format!(
                        "the channels between routers {one} and {other} have latencies {} and {}; \
                         the link has the larger one both ways",
                        there.latency, back.latency
                    )
                });
            }
            let slower = told.into_iter().flatten().max_by_key(|told| told.latency);
            if let Some(told) = slower {
                self.cable(one, other, told);
            }
        }
        self.wiring.finish()
    }

    fn cable(&mut self, one: u32, other: u32, told: Told) {
        let latency = (told.latency != 1).then_some(Delay::Times(told.latency));
        let cable = Cable { latency, ..Cable::new([(0, 0); 2]) };
        self.wiring.join(told.line, [(one, None), (other, None)], cable);
    }

    /// How many there are when they are counted from 0 without gaps.
    fn gapless(
        &self,
        word: &str,
        found: impl Iterator<Item = (u32, u32)>,
    ) -> Result<u32, Unreadable> {
        let mut count = 0;
        for (number, line) in found {
            if number != count {
                let expected = format!("{word} {count} too, as numbers go from 0 without gaps");
                return Err(self.wiring.error(line, expected, format!("only {word} {number}")));
            }
            count += 1;
        }
        Ok(count)
    }
}
