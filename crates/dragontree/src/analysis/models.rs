//! The documents' formulas: what exchanges take and fabrics save, without walking anything.

mod decompositions;
mod dragonfly;
mod neighbors;
mod trees;

pub use decompositions::{blocks_of, blocks_tried, decompositions};
pub use dragonfly::uniform_throughput;
pub use neighbors::{
    Blocks, demand, effective_bandwidth, message_shares, random_demand, shuffled_demand,
};
pub use trees::{Hops, ideal_all_to_all, least_load, links_saved, switches_saved, xor_overhead};

#[cfg(test)]
mod tests;
