//! Closed-loop workloads: messages, and what each waits for.

mod list;
mod workload;

pub use list::{After, List, Lost};
pub use workload::{Message, Moment, Queueing, State, Workload};
