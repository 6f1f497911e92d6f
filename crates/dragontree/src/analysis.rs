//! What can be computed about an experiment without simulating it.
//!
//! Analysis and simulation do not know each other, so each is the other's witness.

mod expected;
mod path;
mod survey;
mod zero_load;

pub use expected::{Report, expected};
pub use path::{Path, Step, paths};
pub use survey::{Bisection, Diversity, Numbers, Survey};
pub use zero_load::Latencies;
