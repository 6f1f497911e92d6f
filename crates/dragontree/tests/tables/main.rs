//! Forwarding tables, and what analysis says of them, against brute force, closed forms and what
//! others have published.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod brute_force;
mod dimension_order;
mod fabrics;
mod imported;
mod min_hop;
mod published;
mod random;
mod runs;
mod sides;
mod trees;
mod up_down;
