//! Traffic by a matrix from a file.

use super::{Destinations, Pattern, Site};
#[cfg(feature = "complete")]
use crate::catalog::Problem;
use crate::catalog::{Data, Form, Part, Setting, Settings};
#[cfg(feature = "complete")]
use crate::interchange::matrix;
use crate::placement::Unfit;
#[cfg(feature = "complete")]
use crate::units::Rank;

/// What each rank sends to each other, as comma-separated numbers of any unit: a line for each source,
/// in it a number for each destination. The rank that sends most sends at the offered load, the others
/// at their share of it; what a rank would send to itself is left out. Empty lines and lines that
/// begin with `#` are skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The file.
    pub data: Data,
}

/// What is read when no file is named: eight ranks, each to both neighbors, and twice as much to the
/// one opposite.
#[cfg(feature = "complete")]
const EXAMPLE: &str = "\
0,1,0,0,2,0,0,1
1,0,1,0,0,2,0,0
0,1,0,1,0,0,2,0
0,0,1,0,1,0,0,2
2,0,0,1,0,1,0,0
0,2,0,0,1,0,1,0
0,0,2,0,0,1,0,1
1,0,0,2,0,0,1,0
";

impl Settings for Matrix {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "data",
            "File",
            "A line for each rank: what it sends to each of them, as comma-separated numbers.",
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
        crate::catalog::help("What each rank sends to each other, from a file.")
    }
}

impl Pattern for Matrix {
    #[cfg(feature = "complete")]
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let contents = self.data.contents(EXAMPLE).map_err(Unfit::Problem)?;
        let share = |cell: &str| {
            cell.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
        };
        let rows = matrix::read(&contents, site.ranks(), share, "none from 0 upwards")
            .map_err(|wrong| Unfit::Problem(Problem::new("data", wrong.place, wrong.allowed)))?;
        weighted(rows).map_err(Unfit::Problem)
    }

    #[cfg(not(feature = "complete"))]
    fn destinations(&self, _site: Site<'_>) -> Result<Destinations, Unfit> {
        Ok(Destinations::Fixed(Vec::new()))
    }
}

/// The least share of what the busiest rank sends that another may send: it waits for its next packet
/// slot by slot.
#[cfg(feature = "complete")]
const LEAST: f64 = 1e-5;

#[cfg(feature = "complete")]
fn weighted(rows: Vec<Vec<f64>>) -> Result<Destinations, Problem> {
    let largest = rows.iter().flatten().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let others = |(own, row): (usize, &Vec<f64>)| -> Vec<(Rank, f64)> {
        let each = (0..).map(Rank).zip(row.iter().map(|cell| cell / largest));
        each.filter(|(to, share)| to.0 as usize != own && *share > 0.0).collect()
    };
    let mut shares: Vec<Vec<(Rank, f64)>> = rows.iter().enumerate().map(others).collect();
    let sum = |row: &Vec<(Rank, f64)>| row.iter().map(|(_, share)| share).sum::<f64>();
    let most = shares.iter().map(sum).fold(0.0, f64::max);
    let idle = |(_, row): &(usize, &Vec<(Rank, f64)>)| {
        let share = sum(row) / most;
        share > 0.0 && share < LEAST
    };
    if let Some((rank, _)) = shares.iter().enumerate().find(idle) {
        let allowed = format!(
            "rank {rank} sends less than {LEAST} of what the busiest rank sends, allowed: that or 0"
        );
        return Err(Problem::new("data", "", allowed));
    }
    shares.iter_mut().flatten().for_each(|(_, share)| *share /= most);
    Ok(Destinations::Weighted(shares))
}
