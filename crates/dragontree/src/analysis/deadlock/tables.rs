//! The dependencies of forwarding tables, destination by destination.
//!
//! For one destination the tables lead every switch to one port, so each switch is passed once
//! per virtual layer, however many sources lie behind it.

use super::graph::Graph;
use super::{Ends, Tally};
use crate::analysis::path::Step;
use crate::network::{Forward, Network, Node, PortId, SwitchId, Target};
use crate::routing::Tables;
use crate::sorting::{both, sort_by_number};

/// The destinations of tables, one after the other.
pub(super) struct Columns {
    sources: Ends,
    destinations: Ends,
    /// The next destination.
    next: u32,
    count: u32,
    /// For each port of the switches, what is at the other end.
    ahead: Vec<Ahead>,
    /// The endpoint ports on each switch.
    endpoint_ports: Vec<Vec<PortId>>,
    /// For each switch, what its table says of the destination.
    ways: Vec<Way>,
    fates: Vec<Fate>,
    /// For each switch and layer, the destination for which it was last passed, plus 1.
    passed: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq)]
enum Ahead {
    Nothing,
    Endpoint,
    Switch(SwitchId),
}

/// What a switch does with packets for the destination.
#[derive(Clone, Copy)]
enum Way {
    /// Sends them to another switch.
    On(PortId, SwitchId),
    /// Delivers them.
    Delivered,
    /// Loses them.
    Lost,
}

/// Whether packets for the destination arrive from a switch.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Unknown,
    /// Being found out.
    Open,
    Arrives,
    Fails,
}

impl Columns {
    pub fn new(tables: &Tables, sources: Ends, destinations: Ends) -> Columns {
        let network = tables.network();
        let switches = network.switch_count() as usize;
        let last = network.switches().last();
        let ports = last.map_or(0, |last| network.ports(Node::Switch(last)).end);
        let ahead = |port| match network.neighbor(PortId(port)) {
            None => Ahead::Nothing,
            Some(Node::Endpoint(_)) => Ahead::Endpoint,
            Some(Node::Switch(switch)) => Ahead::Switch(switch),
        };
        let mut endpoint_ports = vec![Vec::new(); switches];
        for endpoint in network.endpoints() {
            for port in network.ports(Node::Endpoint(endpoint)).map(PortId) {
                if let Some(Node::Switch(switch)) = network.neighbor(port) {
                    endpoint_ports[switch.index()].push(port);
                }
            }
        }
        Columns {
            sources,
            destinations,
            next: 0,
            count: network.target_count(),
            ahead: (0..ports).map(ahead).collect(),
            endpoint_ports,
            ways: vec![Way::Lost; switches],
            fates: vec![Fate::Unknown; switches],
            passed: vec![0; switches * usize::from(tables.layer_count())],
        }
    }

    pub fn work(&self) -> u64 {
        u64::from(self.count) * self.ways.len() as u64
    }

    pub fn share(&self) -> f64 {
        f64::from(self.next) / f64::from(self.count.max(1))
    }

    /// Goes on for about `budget` entries; whether all are done.
    pub fn advance(
        &mut self,
        tables: &Tables,
        graph: &mut Graph,
        found: &mut Tally,
        budget: u64,
    ) -> bool {
        let mut left = budget;
        while self.next < self.count {
            if left == 0 {
                return false;
            }
            left = left.saturating_sub(self.ways.len().max(1) as u64);
            self.column(tables, Target(self.next), graph, found);
            self.next += 1;
        }
        true
    }

    /// Collects what a destination causes.
    fn column(&mut self, tables: &Tables, target: Target, graph: &mut Graph, found: &mut Tally) {
        let network = tables.network();
        let (node, port) = network.target(target);
        let wanted = match port {
            Some(port) => self.destinations.endpoints && network.peer(port).is_some(),
            None => self.destinations.switches,
        };
        if !wanted {
            return;
        }
        self.read(tables, target);
        let home = port.and_then(|port| network.neighbor(port));
        for switch in network.switches() {
            let here = Node::Switch(switch);
            let mut senders = u64::from(self.sources.switches && node != here);
            if self.sources.endpoints {
                let ports = self.endpoint_ports[switch.index()].len() as u64;
                senders += ports - u64::from(home == Some(here));
            }
            if senders == 0 {
                continue;
            }
            found.pairs += senders;
            if self.fate(switch) == Fate::Arrives {
                self.start(tables, switch, target, graph);
            } else {
                found.unroutable += senders;
            }
        }
    }

    /// Follows the way from a switch, in every layer of what starts there.
    fn start(&mut self, tables: &Tables, at: SwitchId, target: Target, graph: &mut Graph) {
        let network = tables.network();
        let own = self.sources.switches.then(|| network.switch_target(at));
        let ports = if self.sources.endpoints { &self.endpoint_ports[at.index()][..] } else { &[] };
        let ports = ports.iter().map(|port| network.port_target(*port));
        let mut sources = ports.chain(own).filter(|source| *source != target);
        if !tables.has_layers_by_endpoint() {
            if let Some(source) = sources.next() {
                self.pass(network, at, (source, tables.layer(at, target)), target, graph);
            }
            return;
        }
        let mut sources: Vec<(u8, Target)> =
            sources.map(|source| (tables.layer_between(source, target), source)).collect();
        sort_by_number(&mut sources, |(layer, source)| {
            both(u64::from(*layer), u64::from(source.0))
        });
        sources.dedup_by_key(|(layer, _)| *layer);
        for (layer, source) in sources {
            self.pass(network, at, (source, layer), target, graph);
        }
    }

    /// Looks up the destination in every table.
    fn read(&mut self, tables: &Tables, target: Target) {
        let network = tables.network();
        let (_, endpoint_port) = network.target(target);
        for switch in network.switches() {
            let way = match tables.lfts().get(switch, target) {
                Forward::Nowhere => Way::Lost,
                // Only a switch's own port is the switch itself.
                Forward::Here if network.switch_target(switch) == target => Way::Delivered,
                Forward::Here => Way::Lost,
                Forward::Port(number) => self.through(network, switch, number, endpoint_port),
            };
            self.ways[switch.index()] = way;
            self.fates[switch.index()] = Fate::Unknown;
        }
    }

    /// What a switch does with packets that it sends through a port.
    fn through(
        &self,
        network: &Network,
        switch: SwitchId,
        number: u32,
        destination: Option<PortId>,
    ) -> Way {
        let ports = network.ports(Node::Switch(switch));
        if number >= ports.len() as u32 {
            return Way::Lost;
        }
        let port = PortId(ports.start + number);
        match self.ahead[port.index()] {
            Ahead::Nothing => Way::Lost,
            Ahead::Switch(next) => Way::On(port, next),
            Ahead::Endpoint if network.peer(port) == destination => Way::Delivered,
            Ahead::Endpoint => Way::Lost,
        }
    }

    /// Whether packets arrive from a switch; notes it for all switches on the way.
    fn fate(&mut self, switch: SwitchId) -> Fate {
        let mut end = switch;
        let fate = loop {
            match (self.fates[end.index()], self.ways[end.index()]) {
                (Fate::Unknown, Way::On(_, next)) => {
                    self.fates[end.index()] = Fate::Open;
                    end = next;
                }
                (Fate::Unknown, Way::Delivered) => break Fate::Arrives,
                // Open: it was passed just now, so packets go around for ever.
                (Fate::Unknown, Way::Lost) | (Fate::Open, _) => break Fate::Fails,
                (fate, _) => break fate,
            }
        };
        let mut at = switch;
        while let (Fate::Open, Way::On(_, next)) = (self.fates[at.index()], self.ways[at.index()]) {
            self.fates[at.index()] = fate;
            at = next;
        }
        self.fates[at.index()] = fate;
        fate
    }

    /// Follows the way from a switch to where others went on before.
    fn pass(
        &mut self,
        network: &Network,
        mut at: SwitchId,
        (source, layer): (Target, u8),
        target: Target,
        graph: &mut Graph,
    ) {
        let lane = layer.min(graph.last_lane());
        let layers = usize::from(graph.last_lane()) + 1;
        let mut held = None;
        while let Way::On(port, next) = self.ways[at.index()] {
            let needed = Step { port, vc: lane };
            if let Some(held) = held {
                graph.add(network, held, at, needed, (source.0, target.0));
            }
            let passed = &mut self.passed[at.index() * layers + usize::from(lane)];
            if *passed == target.0 + 1 {
                return;
            }
            *passed = target.0 + 1;
            held = Some(needed);
            at = next;
        }
    }
}

/// The nodes of a source and a destination.
pub(super) fn ends(network: &Network, source: u32, destination: u32) -> (Node, Node) {
    let node = |target| network.target(Target(target)).0;
    (node(source), node(destination))
}
