//! A drawing in whatever unit is natural for its structure.

use super::{Anchor, Bend, Caption, Point, Positions};
use crate::network::Network;

/// A drawing before it is brought to its final size.
pub struct Sheet {
    pub switches: Vec<Point>,
    pub endpoints: Vec<Option<Point>>,
    pub stretches: bool,
    pub captions: Vec<Caption>,
    pub bend: Bend,
}

impl Sheet {
    /// Brings everything to a box whose larger side is 1.
    pub fn finish(self, network: &Network) -> Positions {
        debug_assert_eq!(self.switches.len(), network.switch_count() as usize);
        let all = || self.switches.iter().chain(self.endpoints.iter().flatten());
        let low = all().fold([f32::INFINITY; 2], |low, at| [low[0].min(at[0]), low[1].min(at[1])]);
        let high =
            all().fold([f32::NEG_INFINITY; 2], |high, at| [high[0].max(at[0]), high[1].max(at[1])]);
        let extent = [(high[0] - low[0]).max(0.0), (high[1] - low[1]).max(0.0)];
        let larger = extent[0].max(extent[1]);
        // A single node has no extent.
        let own = |side: f32| if side > 0.0 { 1.0 / side } else { 0.0 };
        let scale = match self.stretches {
            true => [own(extent[0]), own(extent[1])],
            false => [own(larger); 2],
        };
        let moved = |at: Point| [(at[0] - low[0]) * scale[0], (at[1] - low[1]) * scale[1]];
        let caption = |caption: Caption| Caption {
            anchor: match caption.anchor {
                Anchor::Row(y) => Anchor::Row((y - low[1]) * scale[1]),
                Anchor::At(at) => Anchor::At(moved(at)),
                Anchor::Outside { at, from } => {
                    Anchor::Outside { at: moved(at), from: moved(from) }
                }
            },
            ..caption
        };
        Positions {
            switches: self.switches.iter().copied().map(moved).collect(),
            endpoints: self.endpoints.iter().map(|place| place.map(moved)).collect(),
            size: [extent[0] * scale[0], extent[1] * scale[1]],
            stretches: self.stretches,
            captions: self.captions.into_iter().map(caption).collect(),
            bend: self.bend.moved(moved, scale),
        }
    }
}
