//! Tori: grids whose lines are rings (Dally & Towles 2004, ch. 5).
//!
//! ```text
//!  ╭─o──o──o──o─╮    each switch is joined to the next and the one before
//!  ╰────────────╯    along each dimension, the last to the first
//! ```
//! A ring of two is one link, so that the torus of widths 2.2.2 is the hypercube of 8 switches.

use super::size::{Member, sizes};
use super::{Build, grid};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Grid, Lines, Links, Network};

/// A torus of one to four dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Torus {
    /// Switches along each dimension.
    pub widths: Vec<u32>,
    /// Endpoints per switch (p).
    pub endpoints: u32,
}

impl Default for Torus {
    fn default() -> Torus {
        Torus { widths: vec![8, 8, 8], endpoints: 1 }
    }
}

impl Settings for Torus {
    fn settings(&mut self, form: &mut dyn Form) {
        sizes(form, self, 3, |_| Torus::members());
        let widths = "How many switches form a ring along each dimension: 8.8.8 is three of 8.";
        let endpoints = "Endpoints on each switch; balanced when 8 divided by the largest width.";
        grid::settings(form, (&mut self.widths, widths), (&mut self.endpoints, endpoints));
    }
}

impl Part for Torus {
    fn name(&self) -> &'static str {
        "torus"
    }
    fn label(&self) -> &'static str {
        "Torus"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A grid of switches, each joined to its neighbors, with links around from the last to the \
         first (Dally & Towles 2004, ch. 5).",
        )
    }
}

impl Build for Torus {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        grid::build(self.grid(), links)
    }
}

impl Torus {
    fn grid(&self) -> Grid {
        grid::grid(&self.widths, Lines::Ring, self.endpoints)
    }

    /// Tori of equal widths k with as many endpoints as uniform traffic can have at full rate.
    ///
    /// Over each channel of a ring go k/8 of the traffic of a switch, (k² - 1)/8k when k is odd,
    /// and half of it over the one link of a ring of two.
    fn members() -> Vec<Member<Torus>> {
        let widths = [(2, 2), (3, 3), (4, 2), (5, 1), (6, 1), (7, 1), (8, 1)];
        let parts = (1..=grid::MOST_DIMENSIONS).flat_map(|dimensions| {
            widths.map(|(width, endpoints)| Torus { widths: vec![width; dimensions], endpoints })
        });
        parts.map(|part| grid::member(part.clone(), &part.grid())).collect()
    }
}
