//! From lines to nodes and the ends of cables, as they stand in the files.

use std::collections::BTreeMap;

use super::line::{self, Header, PortLine, Rate, Wrong};
use crate::interchange::report::{At, Report, quoted};
use crate::interchange::{Kind, MOST_PORTS, Source, Unreadable};

/// A node.
pub(super) struct Block<'a> {
    pub(super) kind: Kind,
    pub(super) id: &'a str,
    pub(super) description: &'a str,
    pub(super) ports: u32,
    pub(super) guid: Option<u64>,
    /// The GUID of a switch's own port.
    pub(super) port_guid: Option<u64>,
    pub(super) lid: u32,
    pub(super) lmc: u8,
    pub(super) at: At,
}

impl Block<'_> {
    /// What messages call it.
    pub(super) fn title(&self) -> String {
        match self.description {
            "" => quoted(self.id),
            description => quoted(description),
        }
    }
}

/// One end of a cable, as its side tells it; port numbers from 0.
pub(super) struct End<'a> {
    pub(super) node: u32,
    pub(super) port: u32,
    pub(super) guid: Option<u64>,
    pub(super) lid: u32,
    pub(super) lmc: u8,
    pub(super) peer: &'a str,
    pub(super) peer_port: u32,
    pub(super) peer_guid: Option<u64>,
    pub(super) peer_lid: Option<u32>,
    pub(super) peer_description: &'a str,
    pub(super) rate: Option<Rate<'a>>,
    pub(super) at: At,
}

/// Everything in the files.
#[derive(Default)]
pub(super) struct Blocks<'a> {
    pub(super) nodes: Vec<Block<'a>>,
    pub(super) by_id: BTreeMap<&'a str, u32>,
    pub(super) ends: Vec<End<'a>>,
    /// The ports of all nodes.
    pub(super) ports: u64,
}

pub(super) fn read<'a>(
    sources: &'a [Source<'a>],
    report: &Report<'_>,
) -> Result<Blocks<'a>, Unreadable> {
    let mut reader = Reader { blocks: Blocks::default(), guids: None, open: None, report };
    for (file, source) in sources.iter().enumerate() {
        reader.guids = None;
        reader.open = None;
        for (line, text) in source.text.lines().enumerate() {
            let at = At { file: file as u32, line: line as u32 + 1 };
            reader.line(at, text.trim())?;
        }
    }
    if reader.blocks.nodes.is_empty() {
        let at = At::default();
        return Err(report.unreadable(at, "Switch, Ca or Rt blocks of ibnetdiscover", "none"));
    }
    Ok(reader.blocks)
}

/// The first words of lines that say nothing about nodes.
pub(super) const IGNORED: &[&str] =
    &["Chassis", "Non-Chassis", "Hostname:", "Spine", "Line", "ibwarn:"];
/// Assignments that say nothing that is kept.
pub(super) const UNUSED: &[&str] = &["vendid", "devid", "sysimgguid"];
pub(super) const GUIDS: &[&str] = &["switchguid", "caguid", "hcaguid", "rtguid"];

struct Reader<'a, 'r> {
    blocks: Blocks<'a>,
    /// The GUIDs for the next header.
    guids: Option<(u64, Option<u64>)>,
    /// The node whose ports follow.
    open: Option<u32>,
    report: &'r Report<'r>,
}

impl<'a> Reader<'a, '_> {
    fn line(&mut self, at: At, text: &'a str) -> Result<(), Unreadable> {
        if text.is_empty() {
            self.open = None;
            return Ok(());
        }
        if text.starts_with('#') {
            return Ok(());
        }
        if text.starts_with('[') {
            return self.port(at, text);
        }
        let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let kind = match word {
            "Switch" => Kind::Switch,
            "Ca" | "Hca" => Kind::Endpoint,
            "Rt" => Kind::Router,
            _ if IGNORED.contains(&word) => return Ok(()),
            _ if UNUSED.contains(&word) && rest.starts_with('=') => return Ok(()),
            _ if GUIDS.contains(&word) && rest.starts_with('=') => {
                let guids = line::guids(&rest[1..]).map_err(|wrong| self.wrong(at, wrong))?;
                self.guids = Some(guids);
                return Ok(());
            }
            _ => {
                let expected = "a Switch, Ca or Rt header, the line of a port or a comment";
                return Err(self.report.unreadable(at, expected, quoted(text)));
            }
        };
        let header = line::header(kind, rest).map_err(|wrong| self.wrong(at, wrong))?;
        self.header(at, header)
    }

    fn wrong(&self, at: At, wrong: Wrong) -> Unreadable {
        self.report.unreadable(at, wrong.expected, wrong.found)
    }

    fn header(&mut self, at: At, header: Header<'a>) -> Result<(), Unreadable> {
        let guids = self.guids.take();
        let Header { kind, ports, id, description, lid, lmc } = header;
        if let Some(known) = self.blocks.by_id.get(id) {
            // A further rail tells of adapters and routers again, with their other ports.
            let block = &self.blocks.nodes[*known as usize];
            if kind == Kind::Switch || (block.kind, block.ports) != (kind, ports) {
                let expected = "every node once, with the same number of ports in all rails";
                let found = format!("{} again, after {}", quoted(id), self.report.place(block.at));
                return Err(self.report.unreadable(at, expected, found));
            }
            self.open = Some(*known);
            return Ok(());
        }
        let (guid, port_guid) = match guids {
            Some((guid, port_guid)) => (Some(guid), port_guid),
            None => (guid_of(id), None),
        };
        self.blocks.ports += u64::from(ports);
        if self.blocks.ports > MOST_PORTS {
            let expected = format!("up to {MOST_PORTS} ports in all");
            let found = format!("{ports} more, which makes {}", self.blocks.ports);
            return Err(self.report.unreadable(at, expected, found));
        }
        let block = Block { kind, id, description, ports, guid, port_guid, lid, lmc, at };
        self.open = Some(self.blocks.add(block));
        Ok(())
    }

    fn port(&mut self, at: At, text: &'a str) -> Result<(), Unreadable> {
        let Some(node) = self.open else {
            let expected = "a Switch, Ca or Rt header before the lines of its ports";
            return Err(self.report.unreadable(at, expected, quoted(text)));
        };
        let block = &self.blocks.nodes[node as usize];
        let line = line::port(block.kind, text).map_err(|wrong| self.wrong(at, wrong))?;
        if line.port > block.ports {
            let expected = format!("a port from 1 to {} of {}", block.ports, block.title());
            return Err(self.report.unreadable(at, expected, format!("port {}", line.port)));
        }
        self.blocks.ends.push(end(node, at, line));
        Ok(())
    }
}

fn end(node: u32, at: At, line: PortLine<'_>) -> End<'_> {
    End {
        node,
        port: line.port - 1,
        guid: line.guid,
        lid: line.lid,
        lmc: line.lmc,
        peer: line.peer,
        peer_port: line.peer_port - 1,
        peer_guid: line.peer_guid,
        peer_lid: line.peer_lid,
        peer_description: line.description,
        rate: line.rate,
        at,
    }
}

impl<'a> Blocks<'a> {
    pub(super) fn add(&mut self, block: Block<'a>) -> u32 {
        let place = self.nodes.len() as u32;
        self.by_id.insert(block.id, place);
        self.nodes.push(block);
        place
    }
}

/// The GUID that an id such as `S-0002c90200400300` holds.
pub(super) fn guid_of(id: &str) -> Option<u64> {
    let (_, digits) = id.split_once('-')?;
    u64::from_str_radix(digits, 16).ok()
}
