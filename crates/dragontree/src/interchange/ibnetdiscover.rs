//! The text that `ibnetdiscover` prints, which `ibsim` reads (infiniband-diags, ibsim).
//!
//! ```text
//! switchguid=0x2c90200400300(2c90200400300)
//! Switch  8 "S-0002c90200400300"    # "ring-3" base port 0 lid 5 lmc 0
//! [1]     "S-0002c90200400400"[2]   # "ring-4" lid 6 4xQDR
//! [3]     "H-0002c90300100600"[1](2c90300100601)   # "host-3-0" lid 12 4xQDR
//!
//! caguid=0x2c90300100600
//! Ca      1 "H-0002c90300100600"    # "host-3-0"
//! [1](2c90300100601)   "S-0002c90200400300"[3]   # lid 12 lmc 0 "ring-3" lid 5 4xQDR
//! ```
//! A node is a block that ends with a blank line. `#` begins a comment, but descriptions, local
//! ids and rates stand in comments too. Every link stands at both of its ends.
//!
//! # What becomes of it
//! - Switches, then adapters, keep the order of the file; adapters without a block of their own
//!   come last. An adapter is one endpoint with as many ports as its header says.
//! - InfiniBand counts ports from 1, a [`Network`] from 0: number = InfiniBand's port - 1.
//!   InfiniBand's port 0 is the switch itself and has no [`PortId`].
//! - A router (`Rt`) becomes a switch whose links to switches are of the class
//!   [`LinkClass::Router`]; of its local ids only that of its first port is kept.
//! - Adapters with descriptions such as `host-1 HCA-1` and `host-1 mlx5_1` share a host.
//! - Files of several rails are joined: an adapter may be described again, with other ports.
//!
//! [`Network`]: crate::network::Network
//! [`PortId`]: crate::network::PortId
//! [`LinkClass::Router`]: crate::network::LinkClass::Router

use super::report::Report;
use super::{Reading, Source, Unreadable};

mod blocks;
mod hosts;
mod join;
mod line;
mod subnets;
mod write;

pub use write::write;

/// Reads a fabric from one file, or from several that each hold a part of it, such as a rail.
///
/// # Errors
/// The first line that cannot be read, or that contradicts an earlier one about what a node is.
pub fn read(sources: &[Source<'_>]) -> Result<Reading, Unreadable> {
    let mut report = Report::new(sources);
    let blocks = blocks::read(sources, &report)?;
    let mut fabric = join::join(blocks, &mut report)?;
    hosts::share(&mut fabric, &mut report);
    subnets::check(&fabric, &mut report);
    Ok(Reading { fabric, notices: report.finish() })
}

/// Whether a file of this format may begin with a line whose first word is this, followed by that
/// character.
pub(super) fn begins_with(word: &str, next: Option<char>) -> bool {
    match next {
        Some('=') => blocks::UNUSED.contains(&word) || blocks::GUIDS.contains(&word),
        _ => blocks::IGNORED.iter().any(|start| start.trim_end_matches(':') == word),
    }
}
