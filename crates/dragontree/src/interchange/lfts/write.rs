//! Writes dumps of forwarding tables as OpenSM does; its engine `file` reads them.

use std::fmt::Write;

use super::addresses::HIGHEST_LID;
use crate::network::{Forward, Lfts, Network, Node, SwitchId, Target};
use crate::sorting::{both, sort_by_number};

/// Why tables cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// Local ids do not reach so far.
    #[error(
        "the highest local id would be {0}, allowed: up to {HIGHEST_LID}; larger fabrics need \
         subnets"
    )]
    Lid(u32),
    /// A port's number takes more than a byte.
    #[error("{0} has {1} ports, allowed: up to 254")]
    Ports(String, u32),
    /// The text would be too long.
    #[error("the tables would be up to {megabytes} MB of text, allowed here: up to {most}")]
    Long {
        /// About how long.
        megabytes: u64,
        /// The most that is allowed.
        most: u64,
    },
}

/// The most megabytes of text that [`write()`] makes.
pub const MOST_MEGABYTES: u64 = 1_000;

/// The tables of all switches, as `opensm-lfts.dump` has them. Destinations without a local id
/// are left out.
///
/// # Errors
/// The format has no room for the network.
pub fn write(network: &Network, lfts: &Lfts) -> Result<String, Unwritable> {
    let dump = Dump::new(network, MOST_MEGABYTES)?;
    let mut text = String::new();
    (0..dump.tables()).for_each(|place| dump.table(network, lfts, place, &mut text));
    Ok(text)
}

/// What writes such a dump table by table: destinations with their local ids and what is said of
/// them, by local id, and the switches by GUID.
pub struct Dump {
    comments: Vec<(u32, Target, String)>,
    highest: u32,
    switches: Vec<SwitchId>,
}

impl Dump {
    /// A dump of tables of this network, of at most so many megabytes.
    ///
    /// # Errors
    /// It would be longer, or the format has no room for the network.
    pub fn new(network: &Network, most: u64) -> Result<Dump, Unwritable> {
        let comments = comments(network);
        // A local id, a port and what stands around them.
        let line = |(.., comment): &(u32, Target, String)| comment.len() as u64 + 14;
        let table: u64 = comments.iter().map(line).sum();
        let megabytes = table.saturating_mul(network.switch_count().into()) / 1_000_000;
        if megabytes > most {
            return Err(Unwritable::Long { megabytes, most });
        }
        let switches = network.switches_by_guid();
        for node in switches.iter().map(|switch| Node::Switch(*switch)) {
            let ports = network.ports(node).len() as u32;
            if ports > 254 {
                return Err(Unwritable::Ports(network.name(node), ports));
            }
        }
        let highest = comments.last().map_or(0, |(lid, _, _)| *lid);
        match highest <= HIGHEST_LID {
            true => Ok(Dump { comments, highest, switches }),
            false => Err(Unwritable::Lid(highest)),
        }
    }

    /// How many tables it has.
    pub fn tables(&self) -> u32 {
        self.switches.len() as u32
    }

    /// Writes the table of the switch in this place.
    pub fn table(&self, network: &Network, lfts: &Lfts, place: u32, text: &mut String) {
        let Some(switch) = self.switches.get(place as usize).copied() else { return };
        let node = Node::Switch(switch);
        let (guid, name) = (network.guid(node), network.name(node));
        let ports = network.ports(node).len() as u32;
        let (lid, highest) = (network.switch_lid(switch), self.highest);
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "Unicast lids [0-{highest}] of switch Lid {lid} guid {guid:#018x} ('{name}'):"
        );
        let mut last = 0;
        for (lid, target, comment) in &self.comments {
            let port = match lfts.get(switch, *target) {
                Forward::Here => 0,
                Forward::Port(number) if number < ports => number + 1,
                Forward::Port(_) | Forward::Nowhere => continue,
            };
            // In different subnets destinations may have one local id; a table has room for one.
            if *lid != last {
                last = *lid;
                let _ = writeln!(text, "{lid:#06x} {port:03} # {comment}");
            }
        }
        let _ = writeln!(text, "{highest} lids dumped");
    }
}

/// What is said of each local id, in their order.
fn comments(network: &Network) -> Vec<(u32, Target, String)> {
    let mut comments = Vec::new();
    for target in network.targets() {
        let (first, lmc) = (network.target_lid(target), network.target_lmc(target));
        if first == 0 {
            continue;
        }
        let (node, _) = network.target(target);
        let kind = match node {
            Node::Switch(_) => "Switch",
            Node::Endpoint(_) => "Channel Adapter",
        };
        let (guid, name) = (network.target_guid(target), network.name(node));
        let comment = format!("{kind} portguid {guid:#018x}: '{name}'");
        for lid in first..first.saturating_add(1 << lmc) {
            comments.push((lid, target, comment.clone()));
        }
    }
    sort_by_number(&mut comments, |(lid, target, _)| both(u64::from(*lid), u64::from(target.0)));
    comments
}
