//! What analysis says of forwarding tables, against walking every pair, and against tables that
//! others have published.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod audit;
mod brute_force;
mod published;
mod random;
mod sides;
