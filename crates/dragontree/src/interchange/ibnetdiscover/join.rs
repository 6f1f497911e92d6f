//! From the ends of cables to cables: both sides are compared, and what only one side tells is
//! taken from that side.

use std::collections::BTreeMap;

use super::blocks::{Block, Blocks, End, guid_of};
use super::line::Rate;
use crate::interchange::report::{At, Report, quoted};
use crate::interchange::{Address, Cable, Device, Fabric, Kind, MOST_PORTS, Unreadable};
use crate::units::Bandwidth;

/// No end of a cable is in a port.
const NONE: u32 = u32::MAX;

pub(super) fn join(mut blocks: Blocks<'_>, report: &mut Report<'_>) -> Result<Fabric, Unreadable> {
    unique_guids(&blocks, report)?;
    let described = blocks.nodes.len();
    let peers = peers(&mut blocks, report)?;
    let ports = Ports::new(&blocks, report)?;
    let mut joiner = Joiner { blocks: &blocks, described, peers, ports, report };
    let cables = joiner.cables();
    let devices = joiner.devices();
    Ok(Fabric { devices, cables })
}

fn unique_guids(blocks: &Blocks<'_>, report: &Report<'_>) -> Result<(), Unreadable> {
    let mut known: BTreeMap<u64, &Block<'_>> = BTreeMap::new();
    for block in &blocks.nodes {
        let Some(guid) = block.guid else {
            continue;
        };
        if let Some(other) = known.insert(guid, block) {
            let expected = format!("a GUID of its own for {}", block.title());
            let owner = format!("{} ({})", other.title(), report.place(other.at));
            return Err(report.unreadable(block.at, expected, format!("{guid:#x}, of {owner}")));
        }
    }
    Ok(())
}

/// The node at the other side of each end; nodes without a block of their own are added.
fn peers(blocks: &mut Blocks<'_>, report: &mut Report<'_>) -> Result<Vec<u32>, Unreadable> {
    let described = blocks.nodes.len();
    let ends = std::mem::take(&mut blocks.ends);
    let mut peers = Vec::with_capacity(ends.len());
    for end in &ends {
        let peer = match blocks.by_id.get(end.peer) {
            Some(peer) => *peer,
            None => unseen(blocks, end, report)?,
        };
        let block = &mut blocks.nodes[peer as usize];
        if end.peer_port >= block.ports {
            let found = format!("port {}", u64::from(end.peer_port) + 1);
            if (peer as usize) < described {
                let expected = format!("a port from 1 to {} of {}", block.ports, block.title());
                return Err(report.unreadable(end.at, expected, found));
            }
            blocks.ports += u64::from(end.peer_port - block.ports) + 1;
            block.ports = end.peer_port.saturating_add(1);
            if blocks.ports > MOST_PORTS {
                let expected = format!("up to {MOST_PORTS} ports in all");
                return Err(report.unreadable(end.at, expected, found));
            }
        }
        peers.push(peer);
    }
    blocks.ends = ends;
    Ok(peers)
}

/// Adds a node of which only the other side of a cable tells.
fn unseen<'a>(
    blocks: &mut Blocks<'a>,
    end: &End<'a>,
    report: &mut Report<'_>,
) -> Result<u32, Unreadable> {
    let kind = match end.peer.split_once('-').map(|(kind, _)| kind) {
        Some("S") => Kind::Switch,
        Some("H") => Kind::Endpoint,
        Some("R") => Kind::Router,
        _ => {
            let expected = "the id of a node with a block of its own, or one that begins with S-, \
                            H- or R-";
            return Err(report.unreadable(end.at, expected, quoted(end.peer)));
        }
    };
    let block = Block {
        kind,
        id: end.peer,
        description: end.peer_description,
        ports: 0,
        guid: guid_of(end.peer),
        port_guid: None,
        lid: end.peer_lid.unwrap_or(0),
        lmc: 0,
        at: end.at,
    };
    let title = block.title();
    report.notice(end.at, |_| {
        format!("{title} has no block of its own; it is known from the other side only")
    });
    Ok(blocks.add(block))
}

/// Which end is in each port.
struct Ports {
    /// The first port of each node.
    first: Vec<u32>,
    ends: Vec<u32>,
}

impl Ports {
    fn new(blocks: &Blocks<'_>, report: &Report<'_>) -> Result<Ports, Unreadable> {
        let mut first = vec![0];
        for block in &blocks.nodes {
            first.push(first[first.len() - 1] + block.ports);
        }
        let mut ports = Ports { ends: vec![NONE; first[first.len() - 1] as usize], first };
        for (index, end) in blocks.ends.iter().enumerate() {
            let slot = ports.slot((end.node, end.port));
            if let Some(other) = blocks.ends.get(ports.ends[slot] as usize) {
                let title = blocks.nodes[end.node as usize].title();
                let expected = format!("every port of {title} once");
                let found =
                    format!("port {} again, after {}", end.port + 1, report.place(other.at));
                return Err(report.unreadable(end.at, expected, found));
            }
            ports.ends[slot] = index as u32;
        }
        Ok(ports)
    }

    fn slot(&self, (node, port): (u32, u32)) -> usize {
        (self.first[node as usize] + port) as usize
    }

    /// The end in a port.
    fn end(&self, port: (u32, u32)) -> Option<usize> {
        match self.ends[self.slot(port)] {
            NONE => None,
            end => Some(end as usize),
        }
    }
}

struct Joiner<'a, 'b, 'r, 's> {
    blocks: &'a Blocks<'b>,
    /// How many nodes have a block of their own.
    described: usize,
    peers: Vec<u32>,
    ports: Ports,
    report: &'r mut Report<'s>,
}

impl Joiner<'_, '_, '_, '_> {
    /// What messages call a port.
    fn title(&self, (node, port): (u32, u32)) -> String {
        format!("port {} of {}", port + 1, self.blocks.nodes[node as usize].title())
    }

    fn cables(&mut self) -> Vec<Cable> {
        let ends = &self.blocks.ends;
        let mut cables = Vec::with_capacity(ends.len() / 2);
        // Ends that nothing answers, by the port that they claim.
        let mut claimed: BTreeMap<(u32, u32), At> = BTreeMap::new();
        for (index, end) in ends.iter().enumerate() {
            let here = (end.node, end.port);
            let there = (self.peers[index], end.peer_port);
            let answer = self.ports.end(there);
            let agreed = answer.is_some_and(|other| self.end_points_to(other, here));
            if agreed && answer.is_some_and(|other| other < index) {
                continue;
            }
            let why = match answer {
                _ if here == there => Some("which is the same port".to_owned()),
                _ if [here, there].iter().all(|port| self.is_endpoint(port.0)) => {
                    Some("of another adapter, with no switch between them".to_owned())
                }
                Some(other) if !agreed => {
                    let (place, leads_to) = (self.report.place(ends[other].at), &ends[other]);
                    let target = self.title((self.peers[other], leads_to.peer_port));
                    Some(format!("which leads to {target} ({place})"))
                }
                Some(_) => None,
                None => claimed.insert(there, end.at).map(|at| {
                    let place = self.report.place(at);
                    format!("to which another cable leads ({place})")
                }),
            };
            let (from, to) = (self.title(here), self.title(there));
            if let Some(why) = why {
                let text = format!("{from} leads to {to}, {why}; the link is left out");
                self.report.notice(end.at, |_| text);
                continue;
            }
            if answer.is_none() && (there.0 as usize) < self.described {
                let text = format!("{from} leads to {to}, which says nothing of it");
                self.report.notice(end.at, |_| text);
            }
            let bandwidth = self.bandwidth(index, answer);
            cables.push(Cable { bandwidth, ..Cable::new([here, there]) });
        }
        cables
    }

    fn end_points_to(&self, end: usize, port: (u32, u32)) -> bool {
        (self.peers[end], self.blocks.ends[end].peer_port) == port
    }

    fn is_endpoint(&self, node: u32) -> bool {
        self.blocks.nodes[node as usize].kind == Kind::Endpoint
    }

    /// The rate of a cable, the lower where its sides differ.
    fn bandwidth(&mut self, index: usize, answer: Option<usize>) -> Option<Bandwidth> {
        let ends = &self.blocks.ends;
        let at = ends[index].at;
        let rates = [Some(index), answer].map(|end| end.and_then(|end| ends[end].rate));
        let known = |rate: Option<Rate<'_>>| match rate {
            Some(Rate::Known(bandwidth)) => Some(bandwidth),
            _ => None,
        };
        match (rates.map(known), rates) {
            ([Some(one), Some(other)], _) => {
                if one != other {
                    let place = answer.map(|end| self.report.place(ends[end].at));
                    let place = place.unwrap_or_default();
                    self.report.notice(at, |_| {
                        format!("the link has {one} here and {other} at its other end ({place})")
                    });
                }
                Some(one.min(other))
            }
            ([one, other], [Some(Rate::Unknown(name)), _] | [_, Some(Rate::Unknown(name))]) => {
                self.report.notice(at, |_| format!("the rate {} is not known", quoted(name)));
                one.or(other)
            }
            ([one, other], _) => one.or(other),
        }
    }

    fn devices(&mut self) -> Vec<Device> {
        let mut devices: Vec<Device> = self.blocks.nodes.iter().map(device).collect();
        for (index, end) in self.blocks.ends.iter().enumerate() {
            let own = Address { guid: end.guid, lid: end.lid, lmc: end.lmc };
            let device = &mut devices[end.node as usize];
            if device.kind != Kind::Switch {
                device.set_address(end.port, own);
            }
            // What the other side says of a port counts where the port itself is silent.
            let there = (self.peers[index], end.peer_port);
            let peer = &mut devices[there.0 as usize];
            if peer.kind != Kind::Switch && self.ports.end(there).is_none() {
                let lid = end.peer_lid.unwrap_or(0);
                peer.set_address(end.peer_port, Address { guid: end.peer_guid, lid, lmc: 0 });
            }
        }
        self.compare(&devices);
        self.simplify(&mut devices);
        devices
    }

    /// Compares the addresses that cables' ends tell of each other.
    fn compare(&mut self, devices: &[Device]) {
        for (index, end) in self.blocks.ends.iter().enumerate() {
            let there = (self.peers[index], end.peer_port);
            let peer = &devices[there.0 as usize];
            let address = peer.address_or_own(end.peer_port);
            let said = end.peer_lid.unwrap_or(0);
            if said != 0 && address.lid != 0 && said != address.lid {
                let title = self.title(there);
                let lid = address.lid;
                self.report.notice(end.at, |_| {
                    format!("{title} has lid {lid}, but lid {said} is given here")
                });
            }
            if let (Some(said), Some(guid)) = (end.peer_guid, address.guid)
                && said != guid
                && peer.kind != Kind::Switch
            {
                let title = self.title(there);
                self.report.notice(end.at, |_| {
                    format!("{title} has the GUID {guid:#x}, but {said:#x} is given here")
                });
            }
        }
    }

    /// Leaves out what a network does not keep.
    fn simplify(&mut self, devices: &mut [Device]) {
        let mut other_guids = 0;
        for (device, block) in devices.iter_mut().zip(&self.blocks.nodes) {
            match device.kind {
                Kind::Switch => {
                    let differs = device.own.guid.is_some_and(|own| device.guid != Some(own));
                    other_guids += u32::from(differs);
                }
                Kind::Router => {
                    let addresses = std::mem::take(&mut device.addresses);
                    device.own = addresses.first().map_or(device.own, |(_, address)| *address);
                    let own = device.own.lid;
                    if addresses.iter().any(|(_, address)| ![0, own].contains(&address.lid)) {
                        let text = format!(
                            "of the local ids of the router {} only {own} is kept",
                            block.title()
                        );
                        self.report.notice(block.at, |_| text);
                    }
                }
                Kind::Endpoint => {}
            }
        }
        if other_guids > 0 {
            self.report.notice(At::default(), |_| {
                format!(
                    "{other_guids} switches have a GUID of their own port that is not that of the \
                     node; it is not kept"
                )
            });
        }
    }
}

fn device(block: &Block<'_>) -> Device {
    let name = if block.description.is_empty() { block.id } else { block.description };
    let own = Address { guid: block.port_guid, lid: block.lid, lmc: block.lmc };
    Device { guid: block.guid, own, ..Device::new(block.kind, name, block.ports) }
}
