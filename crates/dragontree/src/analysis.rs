//! What can be computed about an experiment without simulating it.
//!
//! Analysis and simulation do not know each other, so each is the other's witness.

mod audit;
mod bundles;
#[cfg(feature = "complete")]
mod certificate;
mod connectivity;
mod contention;
mod crossings;
mod deadlock;
mod expected;
#[cfg(feature = "complete")]
mod fair;
mod follow;
#[cfg(feature = "complete")]
pub mod models;
mod path;
mod rails;
mod reason;
mod survey;
mod trace;
mod zero_load;

pub use audit::{
    Acyclic, Audit, AuditReport, CompareStep, Comparing, ContentionSummary, CycleStep,
    DeviationReport, Engine, LoadedChannel, Piece, Question, RailReport, Remark, Subject,
    TreeReport, Uplink, Uplinks, Weight, comparison_csv, engines,
};
#[cfg(feature = "complete")]
pub use certificate::{Climbing, LevelRecount, Lost, Recount, Recounting, Unfit, recount};
pub use connectivity::{Connecting, Connectivity, Gap, Loss, Pairs};
pub use contention::{Bar, Contending, Contention, Direction, LevelContention, Levels};
pub use crossings::Crossings;
pub use deadlock::{Deadlock, Dependencies, Dependency, Ends, Verdict};
#[cfg(feature = "complete")]
pub(crate) use expected::walked_at_once;
pub use expected::{Expectation, Report};
#[cfg(feature = "complete")]
pub use fair::{FairRates, Unfilled};
pub use path::{Path, PathFinder, Step, paths};
pub use rails::{Rail, rails, rails_of};
#[cfg(feature = "complete")]
pub(crate) use reason::number;
pub use reason::{Portion, Reason};
pub use survey::{Bisection, Diversity, Numbers, Survey};
pub use trace::{
    Directory, Meant, PathEnd, PathOption, PathReport, PathStep, Tracer, Unknown, Untold,
};
pub use zero_load::Latencies;
