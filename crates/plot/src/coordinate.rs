//! An axis as plotters knows it: its own linear scale, with our round numbers on it.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;

use crate::mapping::Ruler;
use crate::ticks::Tick;

#[derive(Clone)]
pub(crate) struct Coordinate {
    scale: RangedCoordf64,
    ticks: Vec<(f64, String)>,
}

impl Coordinate {
    pub fn new(ruler: &Ruler, ticks: &[Tick]) -> Self {
        let place = |tick: &Tick| Some((ruler.place(tick.value)?, tick.label.clone()));
        let ticks = ticks.iter().filter_map(place).collect();
        Self { scale: (ruler.low..ruler.high).into(), ticks }
    }
}

impl Ranged for Coordinate {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.scale.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // The mesh asks again for lighter lines in between; there are none.
        if hint.weight().allow_light_points() {
            return Vec::new();
        }
        self.ticks.iter().map(|(place, _)| *place).collect()
    }

    fn range(&self) -> Range<f64> {
        self.scale.range()
    }
}

impl ValueFormatter<f64> for Coordinate {
    fn format_ext(&self, place: &f64) -> String {
        let found = self.ticks.iter().find(|(tick, _)| tick == place);
        found.map(|(_, label)| label.clone()).unwrap_or_default()
    }
}
