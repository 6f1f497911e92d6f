//! What the page's workers do, and how page and worker speak to each other.
//!
//! A worker is an independent instance of the core with one run at a time in its hands. It works
//! in short slices, so that it hears a cancellation, and first of all says which build it is.
//!
//! The worker of the feature `complete` does everything. Without it, it does what a first visit to
//! the page needs, and is small enough to be part of the page's own module.

mod bench;
mod fabric;
mod files;
#[cfg(feature = "complete")]
mod helpers;
mod inspect;
mod protocol;
mod serve;
mod trees;
mod wire;

pub use bench::Bench;
pub use fabric::{Broken, Bundle, Dot, Kind, Loads, Parcel, Picture};
pub use files::{Content, Opened};
pub use inspect::{Finding, Inspection, escaped};
pub use protocol::{
    Foresight, PROTOCOL, Refusal, Remark, Reply, Request, Size, Utilization, build,
};
pub use serve::serve;
pub use trees::Tree;
pub use wire::{decode, encode, pack_records, unpack_records};
