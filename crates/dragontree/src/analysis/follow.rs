//! Where forwarding tables lead: for one destination, the way from every switch, in linear time.

use crate::network::{Forward, Lfts, Network, Node, PortId, SwitchId, Target};

/// What becomes of packets for a destination that are at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They arrive, over so many channels between switches.
    Arrives(u32),
    /// They end at this switch: it has no entry for them, or one that leads to no switch.
    Ends(SwitchId),
    /// They come by this switch again and again.
    Circles(SwitchId),
}

/// Follows forwarding tables, one destination at a time.
pub(super) struct Follower {
    /// For each port of a switch the switch at the other end, or [`NO_SWITCH`].
    neighbors: Vec<u32>,
    /// For each switch its first port.
    first_port: Vec<u32>,
    fates: Vec<Option<Fate>>,
    outputs: Vec<PortId>,
    arriving: Vec<SwitchId>,
    /// Switches that have been given a fate.
    known: Vec<SwitchId>,
    trail: Vec<SwitchId>,
}

const NO_SWITCH: u32 = u32::MAX;

/// What a table's entry comes to.
enum Step {
    Arrived,
    On(SwitchId, PortId),
    Nowhere,
}

impl Follower {
    pub fn new(network: &Network) -> Follower {
        let switches = network.switch_count() as usize;
        let neighbor = |port| match network.neighbor(PortId(port)) {
            Some(Node::Switch(switch)) => switch.0,
            _ => NO_SWITCH,
        };
        let ports = |switch| network.ports(Node::Switch(switch));
        let mut first_port: Vec<u32> =
            network.switches().map(|switch| ports(switch).start).collect();
        let end = network.switches().last().map_or(0, |switch| ports(switch).end);
        first_port.push(end);
        Follower {
            neighbors: (0..end).map(neighbor).collect(),
            first_port,
            fates: vec![None; switches],
            outputs: vec![PortId(0); switches],
            arriving: Vec::with_capacity(switches),
            known: Vec::with_capacity(switches),
            trail: Vec::new(),
        }
    }

    /// Follows the tables to a destination from some switches.
    pub fn follow(
        &mut self,
        network: &Network,
        lfts: &Lfts,
        target: Target,
        starts: impl Iterator<Item = SwitchId>,
    ) {
        for switch in self.known.drain(..) {
            self.fates[switch.index()] = None;
        }
        self.arriving.clear();
        let last = Last::new(network, target);
        for start in starts {
            self.follow_from(start, lfts, target, last);
        }
    }

    fn follow_from(&mut self, start: SwitchId, lfts: &Lfts, target: Target, last: Last) {
        let mut at = start;
        let mut fate = loop {
            if let Some(fate) = self.fates[at.index()] {
                break fate;
            }
            // Who comes here before the fate is known has come in a circle.
            self.fates[at.index()] = Some(Fate::Circles(at));
            self.known.push(at);
            match self.step(at, lfts, target, last) {
                Step::On(next, output) => {
                    self.outputs[at.index()] = output;
                    self.trail.push(at);
                    at = next;
                }
                Step::Arrived => {
                    self.fates[at.index()] = Some(Fate::Arrives(0));
                    self.arriving.push(at);
                    break Fate::Arrives(0);
                }
                Step::Nowhere => {
                    self.fates[at.index()] = Some(Fate::Ends(at));
                    break Fate::Ends(at);
                }
            }
        };
        while let Some(switch) = self.trail.pop() {
            if let Fate::Arrives(hops) = &mut fate {
                *hops += 1;
                self.arriving.push(switch);
            }
            self.fates[switch.index()] = Some(fate);
        }
    }

    fn step(&self, at: SwitchId, lfts: &Lfts, target: Target, last: Last) -> Step {
        let first = self.first_port[at.index()];
        match lfts.get(at, target) {
            Forward::Nowhere => Step::Nowhere,
            Forward::Here if last.switch == Some(at) => Step::Arrived,
            Forward::Here => Step::Nowhere,
            Forward::Port(number) => {
                let port = first.saturating_add(number);
                if port >= self.first_port[at.index() + 1] {
                    return Step::Nowhere;
                }
                match self.neighbors[port as usize] {
                    NO_SWITCH if last.port == Some(PortId(port)) => Step::Arrived,
                    NO_SWITCH => Step::Nowhere,
                    next => Step::On(SwitchId(next), PortId(port)),
                }
            }
        }
    }

    /// Follows the tables to a destination from one switch, and adds the channels between
    /// switches to `path`; whether packets arrive.
    pub fn walk(
        &self,
        network: &Network,
        lfts: &Lfts,
        target: Target,
        start: SwitchId,
        path: &mut Vec<PortId>,
    ) -> bool {
        let last = Last::new(network, target);
        let mut at = start;
        // A longer way goes in a circle.
        for _ in 0..=network.switch_count() {
            match self.step(at, lfts, target, last) {
                Step::Arrived => return true,
                Step::Nowhere => return false,
                Step::On(next, output) => {
                    path.push(output);
                    at = next;
                }
            }
        }
        false
    }

    /// What becomes of packets at a switch; none at switches that the last following did not
    /// come by.
    pub fn fate(&self, switch: SwitchId) -> Option<Fate> {
        self.fates[switch.index()]
    }

    /// The switches from which packets arrive, each after the one that it sends them to.
    pub fn arriving(&self) -> &[SwitchId] {
        &self.arriving
    }

    /// The channel on which a switch sends packets to the next one. Only of switches from which
    /// packets arrive over at least one channel.
    pub fn output(&self, switch: SwitchId) -> PortId {
        self.outputs[switch.index()]
    }

    /// The switch at the other end of a switch's port; none where that is an endpoint or nothing.
    pub fn neighbor(&self, port: PortId) -> Option<SwitchId> {
        let found = self.neighbors.get(port.index()).copied();
        found.filter(|switch| *switch != NO_SWITCH).map(SwitchId)
    }
}

/// Where a destination is reached: at a switch itself, or behind a port.
#[derive(Clone, Copy)]
struct Last {
    switch: Option<SwitchId>,
    port: Option<PortId>,
}

impl Last {
    fn new(network: &Network, target: Target) -> Last {
        match network.target(target) {
            (Node::Switch(switch), None) => Last { switch: Some(switch), port: None },
            (_, port) => Last { switch: None, port: port.and_then(|port| network.peer(port)) },
        }
    }
}
