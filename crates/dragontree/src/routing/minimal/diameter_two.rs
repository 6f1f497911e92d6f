//! Minimal routing where every two switches with endpoints are at most two hops apart, whatever
//! else the network is: Slim Fly, two-dimensional HyperX, MLFM, OFT, two-level trees.
//!
//! ```text
//!   s ──── d      joined: the link between them; of parallel ones each with equal probability
//!
//!   s ─ m ─ d     else one of the switches m that both are joined to, each with equal
//!    ╲─ m'─╱      probability, drawn for every packet at injection
//! ```
//! The virtual channel is the number of the hop, so two are enough (Besta & Hoefler 2014). Where
//! no switch in between has endpoints, one is: channels lead either away from switches with
//! endpoints or towards them, and are taken in that order (Prisacari 2020, §7.3.1, §7.3.4).

use std::sync::Arc;

use super::neighbors::{Common, Neighbors};
use super::{Header, Hop, Oblivious, Pair, Queues, Route, Sharing, Unroutable, Waypoints, one_of};
use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::random::Stream;

pub(in crate::routing) struct DiameterTwo {
    network: Arc<Network>,
    neighbors: Neighbors,
    /// For each endpoint its switch and the port there; none when the slot is empty.
    homes: Vec<Option<(SwitchId, PortId)>>,
    virtual_channels: u8,
}

/// How a packet gets from its source's switch to its destination's.
enum Way<'a> {
    /// It is there, or there is no way.
    None,
    /// Over one of these ports.
    Direct(&'a [PortId]),
    /// Over one of several switches.
    Over(Common<'a>),
}

impl DiameterTwo {
    /// The routes of a network.
    ///
    /// # Errors
    /// What the network has instead: before anything failed, some two switches with endpoints were
    /// more than two hops apart, or there are too many switches for the tables.
    pub(in crate::routing) fn new(network: &Arc<Network>) -> Result<DiameterTwo, &'static str> {
        let neighbors = Neighbors::new(network).ok_or("too many switches for that")?;
        if !is_small_enough(network) {
            return Err("switches further apart");
        }
        let home = |endpoint: EndpointId| {
            let port = network.peer(network.injection(endpoint)?)?;
            Some((network.switch_of(endpoint)?, port))
        };
        Ok(DiameterTwo {
            virtual_channels: if neighbors.meet_at_carriers() { 2 } else { 1 },
            homes: network.endpoints().map(home).collect(),
            neighbors,
            network: network.clone(),
        })
    }

    /// The switch of an endpoint and the port there.
    pub(in crate::routing) fn home(&self, endpoint: EndpointId) -> Option<(SwitchId, PortId)> {
        self.homes.get(endpoint.index()).copied().flatten()
    }

    /// The switches of a pair.
    pub(in crate::routing) fn ends(&self, pair: Pair) -> Option<[SwitchId; 2]> {
        Some([self.home(pair.source)?.0, self.home(pair.destination)?.0])
    }

    /// Whether a port is one of a switch.
    pub(in crate::routing) fn is_at(&self, port: PortId, switch: SwitchId) -> bool {
        self.network.owner(port) == Node::Switch(switch)
    }

    /// The switches with endpoints, in order.
    pub(in crate::routing) fn carriers(&self) -> impl Iterator<Item = SwitchId> + '_ {
        self.network.switches().filter(|switch| self.network.carries_endpoints(*switch))
    }

    fn way(&self, [from, to]: [SwitchId; 2]) -> Way<'_> {
        match self.neighbors.ports(from, to) {
            _ if from == to => Way::None,
            [] => Way::Over(self.neighbors.common(from, to)),
            direct => Way::Direct(direct),
        }
    }

    /// Draws a way between two switches.
    pub(in crate::routing) fn draw(&self, ends: [SwitchId; 2], stream: &mut Stream) -> Waypoints {
        match self.way(ends) {
            Way::None => Waypoints::default(),
            Way::Direct(ports) => Waypoints::from([one_of(ports, stream).copied()]),
            Way::Over(middles) => self.draw_over(middles, ends, stream).unwrap_or_default(),
        }
    }

    /// Shows every way between two switches with its probability.
    pub(in crate::routing) fn each(
        &self,
        ends: [SwitchId; 2],
        show: &mut dyn FnMut(Waypoints, f64),
    ) {
        let [from, to] = ends;
        match self.way(ends) {
            Way::None => show(Waypoints::default(), 1.0),
            Way::Direct(ports) => {
                for port in ports {
                    show(Waypoints::from([Some(*port)]), 1.0 / ports.len() as f64);
                }
            }
            Way::Over(middles) => {
                let count = middles.clone().count();
                if count == 0 {
                    show(Waypoints::default(), 1.0);
                }
                for middle in middles {
                    let firsts = self.neighbors.ports(from, middle);
                    let share = 1.0 / (count * firsts.len()) as f64;
                    for first in firsts {
                        let lasts = self.into(to, middle);
                        let share = share / self.neighbors.ports(to, middle).len() as f64;
                        for last in lasts {
                            show(Waypoints::from([Some(*first), Some(last)]), share);
                        }
                    }
                }
            }
        }
    }

    /// The channels from `middle` to a switch with endpoints: the other directions of those there.
    fn into(&self, to: SwitchId, middle: SwitchId) -> impl Iterator<Item = PortId> + '_ {
        let ports = self.neighbors.ports(to, middle).iter();
        ports.filter_map(|port| self.network.peer(*port))
    }

    /// The way over one of the switches in between.
    fn draw_over(
        &self,
        mut middles: Common<'_>,
        [from, to]: [SwitchId; 2],
        stream: &mut Stream,
    ) -> Option<Waypoints> {
        let mut all = middles.clone();
        let mut middle = middles.next()?;
        // Nearly always there is but one.
        let more = middles.count() as u32;
        if more > 0 {
            middle = all.nth(stream.below(more + 1) as usize)?;
        }
        let first = *one_of(self.neighbors.ports(from, middle), stream)?;
        let second = self.network.peer(*one_of(self.neighbors.ports(to, middle), stream)?)?;
        Some(Waypoints::from([Some(first), Some(second)]))
    }
}

/// Whether every two switches with endpoints were at most two hops apart before anything failed.
fn is_small_enough(network: &Network) -> bool {
    let around = |switch| {
        let ports = network.ports(Node::Switch(switch)).map(PortId);
        ports.filter_map(|port| network.intact_neighbor(port))
    };
    let mut first = vec![0];
    let mut neighbors: Vec<SwitchId> = Vec::new();
    let mut carriers = Vec::new();
    for switch in network.switches() {
        let mut carries = false;
        for neighbor in around(switch) {
            match neighbor {
                Node::Switch(neighbor) => neighbors.push(neighbor),
                Node::Endpoint(_) => carries = true,
            }
        }
        first.push(neighbors.len());
        carriers.push(carries);
    }
    let of = |switch: SwitchId| &neighbors[first[switch.index()]..first[switch.index() + 1]];
    let count = carriers.iter().filter(|carries| **carries).count();
    // For each switch the last one that reached it.
    let mut reached = vec![u32::MAX; carriers.len()];
    network.switches().filter(|switch| carriers[switch.index()]).all(|from| {
        let mut missing = count;
        let mut reach = |switch: SwitchId| {
            let last = std::mem::replace(&mut reached[switch.index()], from.0);
            missing -= usize::from(carriers[switch.index()] && last != from.0);
            missing == 0
        };
        reach(from)
            || of(from).iter().any(|near| reach(*near))
            || of(from).iter().flat_map(|near| of(*near)).any(|far| reach(*far))
    })
}

impl Route for DiameterTwo {
    fn virtual_channels(&self) -> u8 {
        self.virtual_channels
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        self.ends(pair).map_or(Waypoints::default(), |ends| self.draw(ends, stream))
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let unroutable = Unroutable { at, destination: header.destination };
        let (target, last) = self.home(header.destination).ok_or(unroutable)?;
        if at == target {
            return Ok(Hop { port: last, vc: 0 });
        }
        let hop = header.stage;
        let port = header.waypoints.0.get(usize::from(hop)).copied().flatten();
        header.stage = hop.saturating_add(1);
        let port = port.ok_or(unroutable)?;
        debug_assert_eq!(self.network.owner(port), Node::Switch(at));
        Ok(Hop { port, vc: hop.min(self.virtual_channels - 1) })
    }
}

impl Oblivious for DiameterTwo {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        match self.ends(pair) {
            Some(ends) => self.each(ends, show),
            None => show(Waypoints::default(), 1.0),
        }
    }
}
