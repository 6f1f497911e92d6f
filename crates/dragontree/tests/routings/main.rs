//! Routings by tables, on trees and on grids, against brute force and closed forms.

mod dimension_order;
mod fabrics;
mod found_grids;
mod found_trees;
mod ftree;
mod imported;
mod layered;
mod min_hop;
mod runs;
mod sftree;
mod sharing;
mod traces;
mod trees;
mod up_down;
