//! Dumps of forwarding tables, as OpenSM, `dump_lfts` and `ibroute` print them.
//!
//! ```text
//! Unicast lids [0-15] of switch Lid 2 guid 0x0002c90200400000 ('ring-0'):
//! 0x0001 003 # Channel Adapter portguid 0x0002c90300100001: 'host-0-0'
//! 0x0002 000 # Switch portguid 0x0002c90200400000: 'ring-0'
//! 15 lids dumped
//! ```
//! A table begins with a line `Unicast lids … guid 0x…`. Its entries are a local id (hexadecimal)
//! and a port (decimal); 0 is the switch itself, 255 or no line at all is no way. What else stands
//! in a line is a comment, but for `portguid 0x…`: a destination is known by the GUID of its port
//! first, and by its local id where no such port is in the network. All other lines are skipped,
//! among them the headings of `dump_lfts` and `ibroute` and the last line of a table, which says
//! how many entries it has or, from OpenSM, what the highest local id is.
//!
//! # What becomes of it
//! - InfiniBand counts ports from 1, a [`Network`] from 0: number = InfiniBand's port - 1.
//! - Switches are known by their GUIDs. A table of a switch that is not in the network is left
//!   out; the last of several tables of one switch counts, as in OpenSM's engine `file`.
//! - Of the local ids of a port with several (LMC above 0) the first counts. When tables are
//!   written, all of them get its entry.
//! - An entry for a port without a cable is kept; one for a port that the switch does not have is
//!   left out.

use super::report::{At, Report};
use super::{Notice, Source, Unreadable};
use crate::network::{Lfts, Network};

mod addresses;
mod line;
mod table;
mod write;

pub(super) use addresses::{Addresses, Found};
pub use write::{Dump, MOST_MEGABYTES, Unwritable, write};

/// What dumps say of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The tables; switches without one have no entries.
    pub lfts: Lfts,
    /// How many of the network's switches have a table.
    pub tables: u32,
    /// What does not fit the network, or is not taken over.
    pub notices: Vec<Notice>,
}

/// The most lines that are said to be wrong one by one.
const MOST_PROBLEMS: usize = 20;

/// Reads the tables of a network's switches, from one file or several.
///
/// # Errors
/// The lines that cannot be read; after twenty of them the reading ends.
pub fn read(sources: &[Source<'_>], network: &Network) -> Result<Reading, Vec<Unreadable>> {
    let mut reading = read_own(sources, network)?;
    if reading.tables == 0 {
        reading.lfts = Lfts::new(network);
    }
    Ok(reading)
}

/// Reads as [`read`] does, but makes no tables, which may be large, where no switch has one.
///
/// # Errors
/// As there.
pub fn read_own(sources: &[Source<'_>], network: &Network) -> Result<Reading, Vec<Unreadable>> {
    let mut report = Report::new(sources);
    let mut reader = table::Reader::new(network);
    let mut wrong = Vec::new();
    for (file, source) in (0..).zip(sources) {
        reader.begin_file();
        for (text, line) in source.text.lines().zip(1..) {
            let at = At { file, line };
            if let Err(line::Wrong { expected, found }) = reader.line(text, at, &mut report) {
                wrong.push(report.unreadable(at, expected, found));
                if wrong.len() == MOST_PROBLEMS {
                    return Err(wrong);
                }
            }
        }
        if !reader.has_table() {
            let at = At { file, line: 0 };
            let expected = "a line that begins with “Unicast lids”, as the tables in dumps do";
            wrong.push(report.unreadable(at, expected, "none"));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let (lfts, tables) = reader.finish(&mut report);
    Ok(Reading { lfts, tables, notices: report.finish() })
}
