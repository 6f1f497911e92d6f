//! Meshes: grids whose lines are open (Dally & Towles 2004, ch. 5).
//!
//! ```text
//!   o──o──o──o      each switch is joined to the next along each dimension;
//!   │  │  │  │      those at the edge have ports to spare
//!   o──o──o──o
//! ```

use super::size::{Member, sizes};
use super::{Build, grid};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Grid, Lines, Links, Network};

/// A mesh of one to four dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Switches along each dimension.
    pub widths: Vec<u32>,
    /// Endpoints per switch (p).
    pub endpoints: u32,
}

impl Default for Mesh {
    fn default() -> Mesh {
        Mesh { widths: vec![8, 8, 8], endpoints: 1 }
    }
}

impl Settings for Mesh {
    fn settings(&mut self, form: &mut dyn Form) {
        sizes(form, self, 3, |_| Mesh::members());
        let widths = "How many switches form a line along each dimension: 8.8.8 is three of 8.";
        let endpoints = "Endpoints on each switch; balanced when 4 divided by the largest width.";
        grid::settings(form, (&mut self.widths, widths), (&mut self.endpoints, endpoints));
    }
}

impl Part for Mesh {
    fn name(&self) -> &'static str {
        "mesh"
    }
    fn label(&self) -> &'static str {
        "Mesh"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A grid of switches, each joined to its neighbors (Dally & Towles 2004, ch. 5).",
        )
    }
}

impl Build for Mesh {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        grid::build(self.grid(), links)
    }
}

impl Mesh {
    fn grid(&self) -> Grid {
        grid::grid(&self.widths, Lines::Open, self.endpoints)
    }

    /// Meshes of equal widths k with as many endpoints as uniform traffic can have at full rate:
    /// over the channel in the middle of a line go ⌊k/2⌋·⌈k/2⌉/k of the traffic of a switch.
    fn members() -> Vec<Member<Mesh>> {
        let parts = (1..=grid::MOST_DIMENSIONS).flat_map(|dimensions| {
            [(2, 2), (3, 1), (4, 1)]
                .map(|(width, endpoints)| Mesh { widths: vec![width; dimensions], endpoints })
        });
        parts.map(|part| grid::member(part.clone(), &part.grid())).collect()
    }
}
