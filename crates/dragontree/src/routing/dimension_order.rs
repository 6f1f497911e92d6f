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
//! A pair whose only route is broken has none.

use std::sync::{Arc, OnceLock};

use super::tables::tabulate;
use super::{
    Algorithm, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing, Unroutable, Waypoints,
};
use crate::catalog::{Form, Part, Settings};
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
        "On a torus, mesh or HyperX: along one coordinate after the other, the shorter way around \
         rings (Dally & Seitz 1987)."
    }
}

impl Algorithm for DimensionOrder {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        self.fits(network)?;
        let Structure::Grid(grid) = network.structure() else {
            return Err(needs(network));
        };
        Ok(Routes::Oblivious(Box::new(DimensionOrderRoutes::new(network, grid))))
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        match network.structure() {
            Structure::Grid(_) => Ok(()),
            _ => Err(needs(network)),
        }
    }
}

fn needs(network: &Network) -> Needs {
    let found = network.structure().name();
    Needs { part: "dimension_order", structure: "a grid", found }
}

/// One coordinate.
struct Dimension {
    width: u32,
    /// Where its ports begin among those of a switch.
    first: u32,
}

/// Stands for a port that leads nowhere.
const NO_PORT: u32 = u32::MAX;

struct DimensionOrderRoutes {
    network: Arc<Network>,
    lines: Lines,
    endpoints_per_switch: u32,
    dimensions: Vec<Dimension>,
    /// For each switch and dimension the ports to every place of a full line, or those that lead
    /// on and back.
    ports: Vec<u32>,
    ports_per_switch: u32,
    /// Whether rings need two virtual channels.
    datelines: bool,
    /// The forwarding tables, once they have been asked for.
    lfts: OnceLock<Option<Arc<Lfts>>>,
}

impl DimensionOrderRoutes {
    fn new(network: &Arc<Network>, grid: &Grid) -> DimensionOrderRoutes {
        let mut ports_per_switch = 0;
        let mut dimensions = Vec::new();
        for width in &grid.widths {
            dimensions.push(Dimension { width: *width, first: ports_per_switch });
            ports_per_switch += if grid.lines == Lines::Full { *width } else { 2 };
        }
        let mut routes = DimensionOrderRoutes {
            network: network.clone(),
            lines: grid.lines,
            endpoints_per_switch: grid.endpoints_per_switch,
            dimensions,
            ports: vec![NO_PORT; ports_per_switch as usize * network.switch_count() as usize],
            ports_per_switch,
            lfts: OnceLock::new(),
            datelines: grid.lines == Lines::Ring && grid.widths.iter().any(|width| *width > 3),
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
        let Some((dimension, here, there)) = self.first_difference(from, to) else {
            return;
        };
        let Dimension { width, first } = self.dimensions[dimension];
        let base = from.0 * self.ports_per_switch + first;
        let places: &[u32] = match self.lines {
            Lines::Full => &[there],
            _ if width == 2 => &[0, 1],
            _ if there == (here + 1) % width => &[0],
            _ => &[1],
        };
        for place in places {
            let slot = &mut self.ports[(base + place) as usize];
            if *slot == NO_PORT {
                *slot = port.0;
            }
        }
    }

    /// The first dimension in which two switches differ, and their places in it.
    fn first_difference(&self, from: SwitchId, to: SwitchId) -> Option<(usize, u32, u32)> {
        let (mut from, mut to) = (from.0, to.0);
        for (index, Dimension { width, .. }) in self.dimensions.iter().enumerate() {
            let (here, there) = (from % width, to % width);
            if here != there {
                return Some((index, here, there));
            }
            (from, to) = (from / width, to / width);
        }
        None
    }

    /// The port and the virtual channel of the next hop between switches.
    fn step(&self, at: SwitchId, to: SwitchId) -> Option<(u32, u8)> {
        let (dimension, here, there) = self.first_difference(at, to)?;
        let Dimension { width, first } = self.dimensions[dimension];
        let (place, passes_end) = match self.lines {
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
        Some((self.ports[(at.0 * self.ports_per_switch + first + place) as usize], vc))
    }

    /// The port and the virtual channel towards an endpoint.
    fn output(&self, at: SwitchId, destination: EndpointId) -> (u32, u8) {
        let to = SwitchId(destination.0 / self.endpoints_per_switch);
        let own = || self.network.port(at, destination.0 % self.endpoints_per_switch).0;
        self.step(at, to).unwrap_or_else(|| (own(), 0))
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
        Sharing::Switches
    }

    fn lfts(&self) -> Option<Arc<Lfts>> {
        let number = |at, destination| match self.output(at, destination).0 {
            NO_PORT => NO_PORT,
            port => self.network.number(PortId(port)),
        };
        self.lfts.get_or_init(|| tabulate(&self.network, number).map(Arc::new)).clone()
    }
}
