//! Messages by a matrix from a file.

use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Data, Form, Part, Setting, Settings};

crate::choices! {
    /// How the messages of a rank take turns.
    pub enum Turns {
        /// A packet of each in turn.
        AtOnce = "at_once", "all at once";
        /// One message after the other, as they stand in the rank's line.
        Row = "row", "in the order of the line";
    }
}

/// What each rank sends to each other, in bytes, as comma-separated numbers: a line for each source, in
/// it a number for each destination, 0 for none. All messages may be sent from the beginning on; what a
/// rank would send to itself is left out. Empty lines and lines that begin with `#` are skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// How the messages of a rank take turns.
    pub order: Turns,
    /// The file.
    pub data: Data,
}

/// What is read when no file is named: eight ranks, each sends 4 KiB to both neighbors, and twice as
/// much to the one opposite.
#[cfg(feature = "complete")]
const EXAMPLE: &str = "\
0,4096,0,0,8192,0,0,4096
4096,0,4096,0,0,8192,0,0
0,4096,0,4096,0,0,8192,0
0,0,4096,0,4096,0,0,8192
8192,0,0,4096,0,4096,0,0
0,8192,0,0,4096,0,4096,0
0,0,8192,0,0,4096,0,4096
4096,0,0,8192,0,0,4096,0
";

/// The longest message, as in other files.
#[cfg(feature = "complete")]
const LONGEST: f64 = (1_u64 << 40) as f64;

impl Settings for Matrix {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "order",
            "Order",
            "How the messages of a rank take turns.",
            &mut self.order,
        ));
        form.setting(Setting::written(
            "data",
            "File",
            "A line for each rank: bytes that it sends to each of them, as comma-separated numbers.",
            &mut self.data,
        ));
    }
}

impl Part for Matrix {
    fn name(&self) -> &'static str {
        "matrix"
    }
    fn label(&self) -> &'static str {
        "Matrix from a file"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Bytes that each rank sends to each other, from a file.")
    }
}

impl Closed for Matrix {
    #[cfg(feature = "complete")]
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        use super::Queueing;
        use super::steps::{MOST_MESSAGES, Steps};
        use crate::interchange::matrix;
        use crate::units::Bytes;

        let contents = self.data.contents(EXAMPLE).map_err(Refused::Problem)?;
        let whole = |cell: &str| {
            let bytes = cell.parse::<f64>().ok()?;
            ((0.0..=LONGEST).contains(&bytes) && bytes.fract() == 0.0).then_some(bytes as u64)
        };
        let none = "no whole number of bytes from 0 to 1 TiB";
        let rows = matrix::read(&contents, site.ranks(), whole, none)
            .map_err(|wrong| Refused::setting("data", wrong.place, wrong.allowed))?;
        let others = |(own, row): (u32, Vec<u64>)| -> Vec<(u32, u64)> {
            (0..).zip(row).filter(|(to, bytes)| *to != own && *bytes > 0).collect()
        };
        let rows: Vec<Vec<(u32, u64)>> = (0..).zip(rows).map(others).collect();
        let messages: u64 = rows.iter().map(|row| row.len() as u64).sum();
        if messages > MOST_MESSAGES {
            let allowed =
                format!("it has {messages} messages, allowed: up to {MOST_MESSAGES} of a file");
            return Err(Refused::setting("data", "", allowed));
        }
        let mut steps = Steps::new(site.ranks());
        for (from, row) in (0..).zip(rows) {
            // A rank's messages are shown one phase after the other.
            for (phase, (to, bytes)) in (0..).zip(row) {
                steps.send(phase, [from, to], Bytes(bytes), Vec::new());
            }
        }
        steps.finish(match self.order {
            Turns::AtOnce => Queueing::RoundRobin,
            Turns::Row => Queueing::InOrder,
        })
    }

    #[cfg(not(feature = "complete"))]
    fn exchanged(&self, _site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        Ok(None)
    }
}
