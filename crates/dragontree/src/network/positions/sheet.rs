//! A drawing in whatever unit is natural for its structure.

use super::{Anchor, Bend, Caption, Point, Positions, along, slot};
use crate::network::Network;

/// A drawing before it is brought to its final size.
pub struct Sheet {
    /// The place of each switch.
    pub switches: Vec<Point>,
    /// The row of endpoints of each switch: its middle, and from one end to the other.
    pub rows: Vec<[Point; 2]>,
    pub stretches: bool,
    pub captions: Vec<Caption>,
    pub bend: Bend,
}

impl Sheet {
    /// A drawing without nodes, in which links are straight.
    pub fn new(stretches: bool) -> Sheet {
        Sheet {
            switches: Vec::new(),
            rows: Vec::new(),
            stretches,
            captions: Vec::new(),
            bend: Bend::None,
        }
    }

    /// Adds the next switch, with the middle of its endpoints' row and from one end of that to the
    /// other.
    // Every structure calls it: one copy is enough.
    #[inline(never)]
    pub fn add(&mut self, switch: Point, middle: Point, row: Point) {
        self.switches.push(switch);
        self.rows.push([middle, row]);
    }

    /// Adds words.
    #[inline(never)]
    pub fn write(&mut self, text: &str, anchor: Anchor) {
        self.captions.push(Caption { text: text.to_owned(), anchor });
    }

    /// Brings everything to a box whose larger side is 1.
    pub fn finish(self, network: &Network) -> Positions {
        let mut positions = Positions {
            endpoints: self.endpoints(network),
            switches: self.switches,
            size: [0.0; 2],
            stretches: self.stretches,
            captions: self.captions,
            bend: self.bend,
        };
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for at in positions.switches.iter().chain(positions.endpoints.iter().flatten()) {
            for side in 0..2 {
                low[side] = low[side].min(at[side]);
                high[side] = high[side].max(at[side]);
            }
        }
        let extent = [0, 1].map(|side: usize| (high[side] - low[side]).max(0.0));
        let larger = extent[0].max(extent[1]);
        // A single node has no extent.
        let scale = extent.map(|own| match if self.stretches { own } else { larger } {
            0.0 => 0.0,
            length => 1.0 / length,
        });
        let moved = |at: &mut Point| *at = [0, 1].map(|side| (at[side] - low[side]) * scale[side]);
        positions.switches.iter_mut().for_each(moved);
        positions.endpoints.iter_mut().flatten().for_each(moved);
        for caption in &mut positions.captions {
            match &mut caption.anchor {
                Anchor::Row(y) => *y = (*y - low[1]) * scale[1],
                Anchor::At(at) => moved(at),
                Anchor::Outside { at, from } => {
                    moved(at);
                    moved(from);
                }
            }
        }
        positions.size = [0, 1].map(|side: usize| extent[side] * scale[side]);
        positions.bend.scale(moved, scale);
        positions
    }

    fn endpoints(&self, network: &Network) -> Vec<Option<Point>> {
        let mut counts = vec![0_u32; self.switches.len()];
        for switch in network.endpoints().filter_map(|endpoint| network.switch_of(endpoint)) {
            counts[switch.index()] += 1;
        }
        let mut seen = vec![0_u32; self.switches.len()];
        let place = |endpoint| {
            let switch = network.switch_of(endpoint)?.index();
            let [middle, row] = self.rows[switch];
            seen[switch] += 1;
            Some(along(middle, row, slot(seen[switch] - 1, counts[switch]) - 0.5))
        };
        network.endpoints().map(place).collect()
    }
}
