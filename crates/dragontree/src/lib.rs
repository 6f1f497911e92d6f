//! Interconnection networks: build a fabric, route it, load it, and see what it carries.
//!
//! This crate is pure: it knows no clock, file, thread, page or ambient randomness, and gives the
//! same bits natively and in WebAssembly. An experiment is a short text; the rest follows from it:
//!
//! ```
//! use dragontree::scenario::{Experiment, Step, Study};
//!
//! // A text is read into a study: a scenario with up to two things that vary.
//! let study = Study::parse("topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.05/0.2")?;
//! let plan = study.plan().expect("two runs");
//! assert_eq!(plan.jobs.len(), 2);
//!
//! // Every run of its plan can be built, which checks that the parts fit together …
//! let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect("a valid scenario");
//! assert_eq!(experiment.network().endpoint_count(), 72);
//!
//! // … analyzed: 8 endpoints of each group share one global link …
//! assert_eq!(experiment.analysis().report.bound, 0.125);
//!
//! // … and simulated, in slices as long as the caller likes.
//! let mut running = plan.jobs[1].start(Some(&experiment)).expect("a valid scenario");
//! while running.advance(100_000) != Ok(Step::Done) {}
//! let metrics = running.record(0.0).and_then(|record| record.metrics).expect("it has ended");
//! assert!(metrics.saturated && metrics.accepted < 0.2);
//! # Ok::<(), dragontree::scenario::Problems>(())
//! ```
//!
//! # Features
//! `complete`, on by default, is everything. Without it the crate is what the page loads first: the
//! settings of all parts, but only some of the parts ([`Scenario::is_held`](scenario::Scenario::is_held)),
//! one model of a switch, and nothing that looks at routes besides simulating.
//!
//! # Layers
//! Each module may use those above it, as a test enforces:
//! - [`units`], [`random`], [`mod@catalog`], `sorting`: quantities, streams of random numbers, parts with
//!   settings, and how sorting stays small;
//! - [`network`]: endpoints, switches, ports and channels, and their structure;
//! - [`interchange`]: fabrics from foreign files and into them;
//! - [`topology`], [`faults`], [`routing`], [`placement`]: lists of parts that build networks,
//!   break them, find routes in them, and put ranks on endpoints;
//! - [`traffic`]: who sends to whom at an offered load; [`exchange`]: messages, and what each waits for;
//! - [`analysis`] and [`simulation`]: two ways to a result that know nothing of each other;
//! - [`scenario`]: the notation, and all of the above put together.

pub mod analysis;
pub mod catalog;
pub mod exchange;
pub mod faults;
pub mod interchange;
pub mod network;
pub mod placement;
pub mod random;
pub mod routing;
pub mod scenario;
pub mod simulation;
mod sorting;
pub mod topology;
pub mod traffic;
pub mod units;
