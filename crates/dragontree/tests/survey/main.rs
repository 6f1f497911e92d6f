//! The numbers of fabrics against closed forms, published tables and brute force.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod brute_force;
mod closed_forms;
mod fabrics;
mod families;
