//! Where a curve leaves the offered load.

use dragontree_plot::Format;

use super::Curve;

/// Where a curve leaves the offered load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knee {
    /// It follows up to the last point.
    None {
        /// The last load.
        last: f64,
    },
    /// Its first point is already beyond.
    Below {
        /// The first load.
        first: f64,
    },
    /// Between two points.
    Between {
        /// The last load that is followed.
        low: f64,
        /// The first that is not.
        high: f64,
    },
}

impl Knee {
    /// The knee of a curve; none without points. A run that has not settled is not taken for carried
    /// where theory says that it cannot be.
    pub fn of(curve: &Curve) -> Option<Knee> {
        let points = &curve.points;
        let refuted = |x: f64| curve.bound.is_some_and(|bound| x > bound);
        let beyond =
            points.iter().position(|point| point.saturated || (point.open && refuted(point.x)));
        Some(match beyond {
            None => Knee::None { last: points.last()?.x },
            Some(0) => Knee::Below { first: points.first()?.x },
            Some(at) => Knee::Between { low: points[at - 1].x, high: points[at].x },
        })
    }

    /// A place to sort by.
    pub fn at(self) -> f64 {
        match self {
            Knee::None { .. } => f64::INFINITY,
            Knee::Below { first } => first / 2.0,
            Knee::Between { low, high } => f64::midpoint(low, high),
        }
    }

    /// In words, as precisely as the theory confirms it.
    pub fn words(self, bound: Option<f64>) -> String {
        let confirmed = |low: f64, high: f64| bound.filter(|bound| (low..=high).contains(bound));
        match self {
            Knee::None { last } => format!("at no load up to {}", percent(last)),
            Knee::Below { first } => match confirmed(0.0, first) {
                Some(bound) => format!("at {} load", percent(bound)),
                None => format!("below {} load", percent(first)),
            },
            Knee::Between { low, high } => match confirmed(low, high) {
                Some(bound) => format!("at {} load", percent(bound)),
                None => format!("between {} and {} load", percent(low), percent(high)),
            },
        }
    }
}

/// A share in a sentence.
pub fn percent(fraction: f64) -> String {
    // Three digits are more than a sentence needs.
    let rounded = match fraction {
        small if small < 0.25 => (small * 1000.0).round() / 1000.0,
        large => (large * 100.0).round() / 100.0,
    };
    // A number and its sign stay on one line.
    Format::Percent.text(rounded).replace(' ', "\u{a0}")
}
