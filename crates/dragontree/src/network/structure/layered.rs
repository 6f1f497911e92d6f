//! Switches in layers, in the halves of an MMS graph, and in subnets.

use crate::network::{EndpointId, Network, SwitchId};

/// One layer of switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// What a switch of this layer is called.
    pub name: &'static str,
    /// How many switches in a row belong together (a rack, a core, a copy); 0 when all do.
    pub block: u32,
}

/// Switches in layers, drawn from the bottom up; what joins them is not told.
#[derive(Clone, Debug, PartialEq)]
pub struct Layered {
    layers: Vec<Layer>,
    /// For each switch its layer and its place in it.
    places: Vec<(u32, u32)>,
    widths: Vec<u32>,
}

impl Layered {
    /// Layers from the bottom up, and for each switch the one it belongs to; within a layer the
    /// switches keep their order.
    pub fn new(layers: Vec<Layer>, layer_of: impl IntoIterator<Item = u32>) -> Layered {
        let mut widths = vec![0; layers.len()];
        let place = |layer: u32| {
            let place = widths[layer as usize];
            widths[layer as usize] += 1;
            (layer, place)
        };
        let places = layer_of.into_iter().map(place).collect();
        Layered { layers, places, widths }
    }

    /// The layers from the bottom up.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The number of switches of a layer.
    pub fn width(&self, layer: u32) -> u32 {
        self.widths[layer as usize]
    }

    /// The layer of a switch, from 0.
    pub fn layer(&self, switch: SwitchId) -> u32 {
        self.places[switch.index()].0
    }

    /// The place of a switch in its layer.
    pub fn place(&self, switch: SwitchId) -> u32 {
        self.places[switch.index()].1
    }

    pub(super) fn switch_name(&self, switch: SwitchId) -> String {
        let (layer, place) = self.places[switch.index()];
        let Layer { name, block } = &self.layers[layer as usize];
        match place.checked_div(*block) {
            None => format!("{name} {place}"),
            Some(number) => format!("{name} {number}.{}", place % block),
        }
    }
}

/// The two halves of a McKay-Miller-Širáň graph, each of `order²` switches: (0, x, y) has the id
/// `x·order + y`, (1, m, c) the id `order² + m·order + c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mms {
    /// The order of the field (q).
    pub order: u32,
    /// Endpoints per switch (p).
    pub endpoints_per_switch: u32,
}

impl Mms {
    /// Half, column and row of a switch.
    pub fn place(&self, switch: SwitchId) -> [u32; 3] {
        let square = self.order * self.order;
        [switch.0 / square, switch.0 % square / self.order, switch.0 % self.order]
    }

    pub(super) fn switch_name(&self, switch: SwitchId) -> String {
        let [half, column, row] = self.place(switch);
        format!("switch ({half}, {column}, {row})")
    }
}

/// Subnets joined by routers (ISR 2013, §3.1). Every layer but that of the routers has a block
/// per subnet.
#[derive(Clone, Debug, PartialEq)]
pub struct Subnets {
    /// The number of subnets.
    pub count: u32,
    /// The subnet of each switch; none for a router.
    pub subnets: Vec<Option<u32>>,
    /// Leaves, spines and routers.
    pub layers: Layered,
}

impl Subnets {
    /// The subnet of a switch; none for a router.
    pub fn subnet(&self, switch: SwitchId) -> Option<u32> {
        self.subnets[switch.index()]
    }

    /// The subnet of an endpoint, which is that of its switch; none when its slot is empty.
    pub fn subnet_of(&self, network: &Network, endpoint: EndpointId) -> Option<u32> {
        self.subnet(network.switch_of(endpoint)?)
    }

    pub(super) fn switch_name(&self, switch: SwitchId) -> String {
        let (place, layer) = (self.layers.place(switch), self.layers.layer(switch));
        let Layer { name, block } = &self.layers.layers()[layer as usize];
        match self.subnet(switch) {
            Some(subnet) => {
                format!("{name} {} of subnet {subnet}", place.checked_rem(*block).unwrap_or(place))
            }
            None => format!("{name} {place}"),
        }
    }
}
