//! Puts entries into the tables of a network.

use std::collections::BTreeMap;

use super::addresses::{Addresses, Found};
use super::line::{Line, NO_WAY, Wrong, line};
use crate::interchange::report::{At, Report, quoted};
use crate::network::{Forward, Lfts, Network, Node, PortId, SwitchId, Target};

/// The table that is being read.
enum Current {
    /// None yet.
    None,
    /// That of a switch which the network does not have.
    Unknown,
    Of(SwitchId),
}

/// How often something was met, and where first.
#[derive(Clone, Copy)]
struct Seen {
    at: At,
    count: u32,
}

pub(super) struct Reader<'a> {
    network: &'a Network,
    addresses: Addresses,
    /// Made for the first table that belongs to the network: it may be large, and none may.
    lfts: Lfts,
    current: Current,
    /// Whether the file has a table at all.
    any: bool,
    /// Where the table of each switch stands.
    tables: Vec<Option<At>>,
    /// Local ids that no destination has.
    unknown: BTreeMap<u32, Seen>,
    /// Ports that lead nowhere or do not exist.
    ports: BTreeMap<(SwitchId, u32), Seen>,
    further: Option<Seen>,
    moved: BTreeMap<Target, Seen>,
}

impl<'a> Reader<'a> {
    pub fn new(network: &'a Network) -> Reader<'a> {
        Reader {
            network,
            addresses: Addresses::new(network),
            lfts: Lfts::default(),
            current: Current::None,
            any: false,
            tables: vec![None; network.switch_count() as usize],
            unknown: BTreeMap::new(),
            ports: BTreeMap::new(),
            further: None,
            moved: BTreeMap::new(),
        }
    }

    pub fn begin_file(&mut self) {
        self.current = Current::None;
        self.any = false;
    }

    pub fn has_table(&self) -> bool {
        self.any
    }

    pub fn line(&mut self, text: &str, at: At, report: &mut Report<'_>) -> Result<(), Wrong> {
        match line(text)? {
            Line::Switch { guid, name } => self.begin_table(guid, name, at, report),
            Line::Entry { lid, port, guid } => match self.current {
                Current::None => {
                    let expected = "the line “Unicast lids … guid 0x…” of the switch first";
                    return Err(Wrong { expected, found: quoted(text) });
                }
                Current::Unknown => {}
                Current::Of(switch) => self.entry(switch, (lid, port, guid), at, report),
            },
            Line::Other => {}
        }
        Ok(())
    }

    fn begin_table(&mut self, guid: u64, name: &str, at: At, report: &mut Report<'_>) {
        self.any = true;
        let Some(switch) = self.addresses.switch(guid) else {
            self.current = Current::Unknown;
            report.notice(at, |_| {
                let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
                format!("no switch has the GUID {guid:#018x}{name}; its table is left out")
            });
            return;
        };
        self.current = Current::Of(switch);
        if self.lfts == Lfts::default() {
            self.lfts = Lfts::new(self.network);
        }
        if let Some(earlier) = self.tables[switch.index()].replace(at) {
            for target in self.network.targets() {
                self.lfts.set(switch, target, Forward::Nowhere);
            }
            self.lfts.set(switch, self.network.switch_target(switch), Forward::Here);
            report.notice(at, |report| {
                let name = self.network.name(Node::Switch(switch));
                let place = report.place(earlier);
                format!("the table of {name} again; that of {place} is left out")
            });
        }
    }

    fn entry(
        &mut self,
        switch: SwitchId,
        (lid, port, guid): (u32, u32, Option<u64>),
        at: At,
        report: &mut Report<'_>,
    ) {
        if port == NO_WAY {
            return;
        }
        let Some(Found { target, further, moved }) = self.addresses.find(guid, lid) else {
            count(self.unknown.entry(lid), at);
            return;
        };
        if further > 0 {
            self.further.get_or_insert(Seen { at, count: 0 }).count += 1;
            return;
        }
        if moved {
            count(self.moved.entry(target), at);
        }
        let own = target == self.network.switch_target(switch);
        if own || port == 0 {
            if own != (port == 0) {
                report.notice(at, |_| self.not_itself(switch, target, port));
            }
            return;
        }
        let number = port - 1;
        let ports = self.network.ports(Node::Switch(switch));
        let exists = number < ports.len() as u32;
        if !exists || self.network.peer(PortId(ports.start + number)).is_none() {
            count(self.ports.entry((switch, port)), at);
        }
        if exists {
            let before = self.lfts.get(switch, target);
            let forward = Forward::Port(number);
            if before != Forward::Nowhere && before != forward {
                report.notice(at, |_| {
                    let name = self.network.name(Node::Switch(switch));
                    format!("{name} has another port for lid {lid} already; this one counts")
                });
            }
            self.lfts.set(switch, target, forward);
        }
    }

    /// What to say when a switch's own entry is not port 0, or that of another is.
    fn not_itself(&self, switch: SwitchId, target: Target, port: u32) -> String {
        let name = self.network.name(Node::Switch(switch));
        let lid = self.network.target_lid(target);
        match port {
            0 => format!(
                "{name} keeps what goes to lid {lid} (port 0), which is not its own; the entry is \
                 left out"
            ),
            _ => format!(
                "{name} sends what goes to itself (lid {lid}) to port {port}; the entry is left out"
            ),
        }
    }

    /// The tables, and how many switches have one.
    pub fn finish(self, report: &mut Report<'_>) -> (Lfts, u32) {
        let network = self.network;
        let name = |switch: SwitchId| network.name(Node::Switch(switch));
        for ((switch, port), seen) in &self.ports {
            let count = network.ports(Node::Switch(*switch)).len();
            let entries = plural(seen.count, "entry leads", "entries lead");
            let name = name(*switch);
            let text = match *port as usize <= count {
                true => format!("{entries} to port {port} of {name}, which has no cable"),
                false => format!(
                    "{entries} to port {port} of {name}, which has ports 1 to {count}; left out"
                ),
            };
            report.notice(seen.at, |_| text);
        }
        for (lid, seen) in &self.unknown {
            let entries = plural(seen.count, "entry is", "entries are");
            let owner = match self.addresses.is_shared(*lid) {
                true => "more than one thing has",
                false => "nothing has",
            };
            report.notice(seen.at, |_| format!("{owner} lid {lid}; {entries} left out"));
        }
        if let Some(seen) = self.further {
            let entries = plural(seen.count, "entry for another is", "entries for others are");
            report.notice(seen.at, |_| {
                format!("of a port's several lids only the first is followed; {entries} left out")
            });
        }
        if let Some(seen) = self.moved.values().next() {
            let lids = plural(self.moved.len() as u32, "destination has", "destinations have");
            report.notice(seen.at, |_| {
                format!("{lids} another lid in the fabric than here; known by the GUID of the port")
            });
        }
        let missing: Vec<SwitchId> =
            network.switches().filter(|switch| self.tables[switch.index()].is_none()).collect();
        if let Some(first) = missing.first() {
            let switches = plural(missing.len() as u32, "switch has", "switches have");
            let first = name(*first);
            report.notice(At::default(), |_| format!("{switches} no table, first {first}"));
        }
        let tables = self.tables.iter().flatten().count() as u32;
        (self.lfts, tables)
    }
}

fn count<K: Ord>(entry: std::collections::btree_map::Entry<'_, K, Seen>, at: At) {
    entry.or_insert(Seen { at, count: 0 }).count += 1;
}

fn plural(count: u32, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
