//! Fabrics from foreign files and into them.
//!
//! | format | carries | leaves out |
//! |---|---|---|
//! | [`ibnetdiscover`] | names, GUIDs, local ids, ports, hosts, rates by their InfiniBand names | latencies, classes of links, local ids of ports without a cable |
//! | [`anynet`] | who is joined to whom, latencies as multiples | names, addresses, ports, rates, parallel links |
//! | [`edges`] | names, ports, classes, rates, latencies | addresses, hosts, unused ports |
//! | [`dot`] | as `edges`, and the numbers of nodes and ports | addresses, hosts |
//! | [`json`] | everything but the structure (levels, groups, …) | the structure, as all of them do |
//!
//! Every reader makes the same plain table, [`Fabric`], in the order and with the names of the
//! file; [`Fabric::network`] makes the network of it and [`Fabric::of`] the table of a network.
//! What is odd in a file but does not stop its reading comes beside the table as notices.
//!
//! [`lfts`] and [`levels`] are about a network that is there already: its forwarding tables, and
//! the service levels of its pairs. [`goal`] and [`matrix`] are about ranks: the messages
//! that they exchange, and what each sends to each other.

use crate::network::Network;

pub mod anynet;
pub mod csv;
pub mod dot;
pub mod edges;
mod fabric;
#[cfg(feature = "complete")]
pub mod goal;
pub mod ibnetdiscover;
pub mod json;
pub mod levels;
pub mod lfts;
#[cfg(feature = "complete")]
pub mod matrix;
mod report;
mod wiring;
mod words;

use report::{At, Report, quoted};

pub use fabric::{Address, Cable, Delay, Device, Fabric, Kind};
pub use report::{Notice, Place, Source, Unreadable};

/// The largest number of switch and endpoint ports that a file may describe.
pub const MOST_PORTS: u64 = 4_000_000;

/// What a file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The fabric.
    pub fabric: Fabric,
    /// What is odd in the file, or what of it is not taken over.
    pub notices: Vec<Notice>,
}

/// A network as a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Writing {
    /// The file.
    pub text: String,
    /// What of this network the file does not hold, beyond what its format never does; each is a
    /// sentence without its first capital and its full stop.
    pub losses: Vec<String>,
}

/// A form of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// What `ibnetdiscover` prints.
    Ibnetdiscover,
    /// What BookSim's `anynet` reads.
    Anynet,
    /// A table of links.
    Edges,
    /// A graph for Graphviz.
    Dot,
    /// The own form that leaves out least.
    Json,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] =
        [Format::Ibnetdiscover, Format::Anynet, Format::Edges, Format::Dot, Format::Json];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Ibnetdiscover => "ibnetdiscover",
            Format::Anynet => "anynet",
            Format::Edges => "edges",
            Format::Dot => "dot",
            Format::Json => "json",
        }
    }

    /// The format of a text, by the first line that is no comment; none when it is not known.
    pub fn guess(text: &str) -> Option<Format> {
        let (_, line) = first_line(text)?;
        let end = line.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let next = rest.chars().next();
        let is_number = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
        match word {
            "" if line.starts_with('{') => Some(Format::Json),
            "router" | "node" if is_number => Some(Format::Anynet),
            "Switch" | "Ca" | "Hca" | "Rt" if is_number => Some(Format::Ibnetdiscover),
            _ if ibnetdiscover::begins_with(word, next) => Some(Format::Ibnetdiscover),
            _ if dot::begins_with(word) => Some(Format::Dot),
            _ if edges::is_header(line) => Some(Format::Edges),
            _ => None,
        }
    }
}

/// The first line that is neither empty nor a comment, with its number.
fn first_line(text: &str) -> Option<(u32, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut told = lines.filter(|(_, line)| {
        let is_comment = ["#", "//", "/*", "*"].iter().any(|start| line.starts_with(start));
        !is_comment && !line.is_empty()
    });
    told.next()
}

/// Reads a fabric from one file of any format, or from several of `ibnetdiscover`, a rail each.
///
/// # Errors
/// The first line that cannot be read, or that contradicts another.
pub fn read(sources: &[Source<'_>]) -> Result<Reading, Unreadable> {
    let report = Report::new(sources);
    let mut formats = Vec::new();
    for (file, source) in (0..).zip(sources) {
        match Format::guess(source.text) {
            Some(format) => formats.push(format),
            None => {
                let (line, found) = first_line(source.text).unwrap_or_default();
                let expected = "a fabric: ibnetdiscover's Switch and Ca blocks, BookSim's router \
                                lines, a table with the columns from and to, a DOT graph or JSON";
                return Err(report.unreadable(At { file, line }, expected, quoted(found)));
            }
        }
    }
    let other = formats.iter().position(|format| *format != Format::Ibnetdiscover);
    match (sources, other) {
        (_, None) => ibnetdiscover::read(sources),
        ([source], Some(_)) => match formats[0] {
            Format::Anynet => anynet::read(source),
            Format::Edges => edges::read(source),
            Format::Dot => dot::read(source),
            Format::Json => json::read(source),
            Format::Ibnetdiscover => ibnetdiscover::read(sources),
        },
        (_, Some(file)) => {
            let at = At { file: file as u32, line: 0 };
            let expected = "ibnetdiscover in each of several files";
            Err(report.unreadable(at, expected, formats[file].name()))
        }
    }
}

/// Writes a network.
pub fn write(format: Format, network: &Network) -> Writing {
    match format {
        Format::Ibnetdiscover => ibnetdiscover::write(network),
        Format::Anynet => anynet::write(network),
        Format::Edges => edges::write(network),
        Format::Dot => dot::write(network),
        Format::Json => json::write(network),
    }
}
