//! What can be computed about an experiment without simulating it.
//!
//! Analysis and simulation do not know each other, so each is the other's witness.

mod bundles;
mod deadlock;
mod expected;
mod path;
mod survey;
mod zero_load;

pub use deadlock::{Deadlock, Dependencies, Dependency, Ends, Verdict};
pub use expected::{Expectation, Report};
pub use path::{Path, Step, paths};
pub use survey::{Bisection, Diversity, Numbers, Survey};
pub use zero_load::Latencies;
