//! Every family against the closed forms of the documents and against brute force.

mod direct;
mod trees;
