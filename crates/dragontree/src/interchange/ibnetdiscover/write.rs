//! A network as `ibnetdiscover` would print it, so that `ibsim` simulates it.

use std::fmt::Write;

use crate::interchange::fabric::{end, kind};
use crate::interchange::{Kind, Writing};
use crate::network::{Network, Node, PortId};
use crate::units::Bandwidth;

/// The longest description of InfiniBand, in bytes.
const LONGEST: usize = 64;

/// Writes a network. A rate without an InfiniBand name is written as the nearest one of four
/// lanes.
pub fn write(network: &Network) -> Writing {
    let named = network.nodes().map(|node| Named::new(network, node)).collect();
    let mut writer = Writer { network, named, text: String::new(), rates: Vec::new() };
    writer.head();
    for node in network.nodes() {
        writer.node(node);
    }
    let mut losses = Vec::new();
    for (rate, name, is_exact) in &writer.rates {
        if !is_exact {
            losses.push(format!("links of {rate} are written as {name}"));
        }
    }
    let cut = writer.named.iter().filter(|named| named.is_cut).count();
    if cut > 0 {
        losses.push(format!("names longer than {LONGEST} bytes are cut: {cut}"));
    }
    Writing { text: writer.text, losses }
}

/// What a node is called.
struct Named {
    kind: Kind,
    /// Its id, in quotation marks.
    id: String,
    /// Its name without control characters, at most as long as InfiniBand allows.
    description: String,
    is_cut: bool,
}

impl Named {
    fn new(network: &Network, node: Node) -> Named {
        let kind = kind(network, node);
        let letter = match kind {
            Kind::Switch => 'S',
            Kind::Router => 'R',
            Kind::Endpoint => 'H',
        };
        let id = format!("\"{letter}-{:016x}\"", network.guid(node));
        let name = network.name(node);
        let end = (0..=LONGEST).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
        let is_cut = name.len() > LONGEST;
        let kept = if is_cut { &name[..end] } else { &name };
        let description = kept.replace(char::is_control, " ");
        Named { kind, id, description, is_cut }
    }
}

struct Writer<'a> {
    network: &'a Network,
    /// Every node: switches, then endpoints.
    named: Vec<Named>,
    text: String,
    /// Names of rates, and whether they are exact.
    rates: Vec<(Bandwidth, String, bool)>,
}

impl Writer<'_> {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(text);
        self.text.push('\n');
    }

    fn head(&mut self) {
        self.line(format_args!("#\n# Topology file: written by Dragontree\n#"));
        let network = self.network;
        let first = network.endpoints().find_map(|endpoint| network.injection(endpoint));
        if let Some(port) = first {
            let (node, port) = (network.guid(network.owner(port)), network.port_guid(port));
            self.line(format_args!("# Initiated from node {node:016x} port {port:016x}"));
        }
    }

    fn node(&mut self, node: Node) {
        let network = self.network;
        let (guid, ports) = (network.guid(node), network.ports(node));
        let place = match node {
            Node::Switch(switch) => switch.0,
            Node::Endpoint(endpoint) => network.switch_count() + endpoint.0,
        };
        let Named { kind, id, description, .. } = &self.named[place as usize];
        let mut after = String::new();
        // Vendor and devices as ibsim has them.
        let (word, guid_key, device) = match kind {
            Kind::Switch => ("Switch", "switchguid", 0xbd36),
            Kind::Router => ("Rt", "rtguid", 0x673c),
            Kind::Endpoint => ("Ca", "caguid", 0x673c),
        };
        let mut own_guid = String::new();
        if let (Node::Switch(switch), Kind::Switch) = (node, kind) {
            let lmc = ports.clone().next().map_or(0, |port| network.lmc(PortId(port)));
            after = format!(" base port 0 lid {} lmc {lmc}", network.switch_lid(switch));
            own_guid = format!("({guid:x})");
        }
        let header = format!("{word}\t{} {id}\t\t# \"{description}\"{after}", ports.len());
        self.line(format_args!("\nvendid=0x2c9\ndevid={device:#x}\nsysimgguid={guid:#x}"));
        self.line(format_args!("{guid_key}={guid:#x}{own_guid}\n{header}"));
        for port in ports.map(PortId) {
            if let Some(channel) = network.channel(port) {
                let rate = self.rate(channel.bandwidth);
                self.port(port, channel.peer, &rate);
            }
        }
    }

    fn port(&mut self, port: PortId, peer: PortId, rate: &str) {
        let network = self.network;
        let [(place, number), (other, peer_number)] = [port, peer].map(|each| end(network, each));
        let (number, peer_number) = (number + 1, peer_number + 1);
        let Named { kind, .. } = &self.named[place as usize];
        let Named { kind: peer_kind, id, description, .. } = &self.named[other as usize];
        let lid = network.lid(peer);
        let guid = format!("({:x}) ", self.port_guid(peer, *peer_kind));
        let line = match (kind, peer_kind) {
            (Kind::Switch, Kind::Switch) => format!("[{number}]\t{id}[{peer_number}]\t\t# "),
            (Kind::Switch, _) => format!("[{number}]\t{id}[{peer_number}]{guid}\t\t# "),
            _ => {
                let own_guid = self.port_guid(port, *kind);
                let space = if *peer_kind == Kind::Switch { "" } else { " " };
                let guid = if *peer_kind == Kind::Switch { "" } else { &guid };
                let (own, lmc) = (network.lid(port), network.lmc(port));
                format!(
                    "[{number}]({own_guid:x}) \t{id}[{peer_number}]{space}{guid}\t\t# lid {own} lmc {lmc} "
                )
            }
        };
        let line = format!("{line}\"{description}\" lid {lid} {rate}");
        self.line(format_args!("{line}"));
    }

    /// The GUID of a port; those of a router have their own, as those of an adapter do.
    fn port_guid(&self, port: PortId, kind: Kind) -> u64 {
        match kind {
            Kind::Router => {
                let guid = self.network.guid(self.network.owner(port));
                guid.wrapping_add(u64::from(self.network.number(port)) + 1)
            }
            _ => self.network.port_guid(port),
        }
    }

    fn rate(&mut self, bandwidth: Bandwidth) -> String {
        if let Some((_, name, _)) = self.rates.iter().find(|(known, _, _)| *known == bandwidth) {
            return name.clone();
        }
        let (name, is_exact) = match bandwidth.infiniband_name() {
            Some(name) => (name, true),
            None => (nearest(bandwidth), false),
        };
        self.rates.push((bandwidth, name.clone(), is_exact));
        name
    }
}

/// The name of four lanes whose rate has the smallest ratio to this one.
fn nearest(bandwidth: Bandwidth) -> String {
    const SPEEDS: [&str; 9] = ["SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"];
    let wanted = u128::from(bandwidth.as_bps().max(1));
    let named = SPEEDS.into_iter().filter_map(|speed| {
        let name = format!("4x{speed}");
        let rate = u128::from(Bandwidth::infiniband(&name)?.as_bps());
        // The ratio in millionths.
        Some((wanted.max(rate) * 1_000_000 / wanted.min(rate), name))
    });
    named.min().map_or_else(|| "4xSDR".to_owned(), |(_, name)| name)
}
