//! Routings by tables, on trees and on grids, against brute force and closed forms.

mod dimension_order;
mod fabrics;
mod imported;
mod min_hop;
mod runs;
mod traces;
mod trees;
mod up_down;
