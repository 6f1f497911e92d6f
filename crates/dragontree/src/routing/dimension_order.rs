//! Dimension order: along the first coordinate, then the second, and so on (Dally & Seitz 1987).
//!
//! In a full line (HyperX) a coordinate takes one hop, in an open line (mesh) the only way, in a
//! ring (torus) the shorter way and, where both are as long, the one to higher coordinates, as
//! OpenSM's engine `dor` does when the ports come in that order.
//!
//! Coordinates are taken in order, so a cycle of channels could only form within a ring. There a
//! packet that still has to pass the link between the last and the first switch is on virtual
//! channel 0, any other one on 1: on 0 nobody passes the channel that leads on behind that link,
//! on 1 nobody passes the link itself. Every ring uses the same two. With lines of up to three
//! switches no packet takes two hops in one of them, and one virtual channel is enough.
//!
//! In a network that does not say what it is, a file's, say, the mesh or torus is found
//! ([`grids`]); of parallel links the destination's number decides.
//!
//! A pair whose only route is broken has none.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::tables::tabulate;
use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Refusal, Route, Routes, Sharing, Unroutable,
    Waypoints,
};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::grids;
use crate::network::{
    EndpointId, Grid, Lfts, Lines, Needs, Network, Node, PortId, Structure, SwitchId,
};
use crate::random::Stream;

/// Dimension-order routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DimensionOrder;

impl Settings for DimensionOrder {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for DimensionOrder {
    fn name(&self) -> &'static str {
        "dimension_order"
    }
    fn label(&self) -> &'static str {
        "Dimension order"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "On a torus, mesh or HyperX: along one coordinate after the other, the shorter way around \
         rings, halfway to higher ones (Dally & Seitz 1987). In a fabric from a file the torus or \
         mesh is found.",
        )
    }
}

impl Algorithm for DimensionOrder {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(found(network)?)
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Ok(found(network)?)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(places(network).map(drop)?)
    }
}

fn found(network: &Arc<Network>) -> Result<Routes, Refusal> {
    let routes = DimensionOrderRoutes::new(network, places(network)?);
    Ok(Routes::Oblivious(Box::new(routes)))
}

/// The places of switches and endpoints in a grid, told or found, and its dimensions.
fn places(network: &Network) -> Result<(Vec<(u32, Lines)>, Places), Refusal> {
    let found = network.structure().name();
    let needs = Needs { part: "dimension_order", structure: "a grid", found };
    match network.structure() {
        Structure::Grid(Grid { widths, lines, .. }) => {
            let dimensions = widths.iter().map(|width| (*width, *lines)).collect();
            Ok((dimensions, Places::new(network, (0..network.switch_count()).collect())))
        }
        Structure::Irregular => match grids::find(network) {
            Ok(found) => {
                let each = |each: &grids::Dimension| (each.width, each.lines);
                let dimensions = found.dimensions.iter().map(each).collect();
                Ok((dimensions, Places::new(network, found.places)))
            }
            Err(why) => Err(Refusal { needs, reason: Some(why.text(network)) }),
        },
        _ => Err(needs.into()),
    }
}

/// Where switches and endpoints are.
struct Places {
    switches: Vec<u32>,
    /// For each endpoint its switch's place and the port to it; none where it has no link.
    endpoints: Vec<Option<(u32, PortId)>>,
}

impl Places {
    fn new(network: &Network, switches: Vec<u32>) -> Places {
        let home = |endpoint| {
            let port = network.peer(network.injection(endpoint)?)?;
            Some((switches[network.switch_of(endpoint)?.index()], port))
        };
        Places { endpoints: network.endpoints().map(home).collect(), switches }
    }

    fn switch(&self, switch: SwitchId) -> u32 {
        self.switches[switch.index()]
    }
}

/// One coordinate.
struct Dimension {
    width: u32,
    lines: Lines,
    /// Where its ports begin among those of a switch.
    first: u32,
}

/// Stands for a port that leads nowhere.
const NO_PORT: u32 = u32::MAX;

struct DimensionOrderRoutes {
    network: Arc<Network>,
    places: Places,
    dimensions: Vec<Dimension>,
    /// For each switch and dimension the ports to every place of a full line, or those that lead
    /// on and back.
    ports: Vec<u32>,
    ports_per_switch: u32,
    /// All ports that lead where one of these leads, where there are several.
    parallel: BTreeMap<u32, Vec<u32>>,
    /// Whether rings need two virtual channels.
    datelines: bool,
    /// The forwarding tables, once they have been asked for.
    lfts: OnceLock<Option<Arc<Lfts>>>,
}

impl DimensionOrderRoutes {
    fn new(
        network: &Arc<Network>,
        (grid, places): (Vec<(u32, Lines)>, Places),
    ) -> DimensionOrderRoutes {
        let datelines = grid.iter().any(|(width, lines)| *lines == Lines::Ring && *width > 3);
        let mut ports_per_switch = 0;
        let mut dimensions = Vec::new();
        for (width, lines) in grid {
            dimensions.push(Dimension { width, lines, first: ports_per_switch });
            ports_per_switch += if lines == Lines::Full { width } else { 2 };
        }
        let mut routes = DimensionOrderRoutes {
            network: network.clone(),
            places,
            dimensions,
            ports: vec![NO_PORT; ports_per_switch as usize * network.switch_count() as usize],
            ports_per_switch,
            parallel: BTreeMap::new(),
            lfts: OnceLock::new(),
            datelines,
        };
        for switch in network.switches() {
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Switch(other)) = network.neighbor(port) {
                    routes.note(switch, other, port);
                }
            }
        }
        routes
    }

    /// Notes where a port leads.
    fn note(&mut self, from: SwitchId, to: SwitchId, port: PortId) {
        let places = (self.places.switch(from), self.places.switch(to));
        let Some((dimension, here, there)) = self.first_difference(places.0, places.1) else {
            return;
        };
        let Dimension { width, lines, first } = self.dimensions[dimension];
        let base = from.0 * self.ports_per_switch + first;
        let places: &[u32] = match lines {
            Lines::Full => &[there],
            _ if width == 2 => &[0, 1],
            _ if there == (here + 1) % width => &[0],
            _ => &[1],
        };
        for place in places {
            let slot = &mut self.ports[(base + place) as usize];
            match *slot {
                NO_PORT => *slot = port.0,
                first => self.parallel.entry(base + place).or_insert(vec![first]).push(port.0),
            }
        }
    }

    /// The first dimension in which two places differ, and where they are in it.
    fn first_difference(&self, mut from: u32, mut to: u32) -> Option<(usize, u32, u32)> {
        for (index, Dimension { width, .. }) in self.dimensions.iter().enumerate() {
            let (here, there) = (from % width, to % width);
            if here != there {
                return Some((index, here, there));
            }
            (from, to) = (from / width, to / width);
        }
        None
    }

    /// The number among all ports that are noted, and the virtual channel, of the next hop between
    /// switches.
    fn step(&self, at: SwitchId, home: u32) -> Option<(u32, u8)> {
        let (dimension, here, there) = self.first_difference(self.places.switch(at), home)?;
        let Dimension { width, lines, first } = self.dimensions[dimension];
        let (place, passes_end) = match lines {
            Lines::Full => (there, false),
            Lines::Open => (u32::from(there < here), false),
            Lines::Ring => {
                let ahead = if there > here { there - here } else { width - here + there };
                match ahead <= width / 2 {
                    true => (0, here > there),
                    false => (1, here < there),
                }
            }
        };
        let vc = u8::from(self.datelines && !passes_end);
        Some((at.0 * self.ports_per_switch + first + place, vc))
    }

    /// The port and the virtual channel towards an endpoint.
    fn output(&self, at: SwitchId, destination: EndpointId) -> (u32, u8) {
        let Some((home, exit)) = self.places.endpoints[destination.index()] else {
            return (NO_PORT, 0);
        };
        match self.step(at, home) {
            None => (exit.0, 0),
            Some((slot, vc)) if self.parallel.is_empty() => (self.ports[slot as usize], vc),
            Some((slot, vc)) => match self.parallel.get(&slot) {
                Some(ports) => (ports[destination.index() % ports.len()], vc),
                None => (self.ports[slot as usize], vc),
            },
        }
    }
}

impl Route for DimensionOrderRoutes {
    fn virtual_channels(&self) -> u8 {
        1 + u8::from(self.datelines)
    }

    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let (port, vc) = self.output(at, destination);
        let cabled = port != NO_PORT && self.network.peer(PortId(port)).is_some();
        match cabled {
            true => Ok(Hop { port: PortId(port), vc }),
            false => Err(Unroutable { at, destination }),
        }
    }
}

impl Oblivious for DimensionOrderRoutes {
    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }

    fn sharing(&self) -> Sharing {
        if self.parallel.is_empty() { Sharing::Switches } else { Sharing::Sources }
    }

    fn merges(&self) -> bool {
        true
    }

    fn lfts(&self) -> Option<Arc<Lfts>> {
        let number = |at, destination| match self.output(at, destination).0 {
            NO_PORT => NO_PORT,
            port => self.network.number(PortId(port)),
        };
        self.lfts.get_or_init(|| tabulate(&self.network, number).map(Arc::new)).clone()
    }
}
