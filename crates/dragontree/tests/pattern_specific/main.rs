//! Optimal routes on trees, by what is known of them from elsewhere.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod compared;
mod exchange;
mod exported;
mod greedy;
mod integer;
mod network;
mod random;
mod recounts;
mod runs;
mod settings;
mod shared;
mod small;
mod suite;
mod trees;
