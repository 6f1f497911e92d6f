//! HyperX: a grid whose lines are full meshes (Ahn et al. 2009; Prisacari 2020, §7.2.1.1).
//!
//! ```text
//!   o──o──o      each switch is joined to every other of its row,
//!   │╲ │ ╱│      of its column, …: one link for each two
//!   o──o──o
//!   │╲ │ ╱│
//!   o──o──o
//! ```
//! With s switches along each of D dimensions and `s - 1` endpoints per switch all parts of a
//! switch are in balance: its radix is `(D + 1)·(s - 1)`. In two dimensions that is a radix r
//! divisible by 3 with `s = r/3 + 1` and `(r/3)·(r/3 + 1)²` endpoints.

use super::size::{Member, sizes};
use super::{Build, grid};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{Grid, Lines, Links, Network};

/// A HyperX of one to four dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperX {
    /// Switches along each dimension.
    pub widths: Vec<u32>,
    /// Endpoints per switch (p).
    pub endpoints: u32,
}

impl Default for HyperX {
    fn default() -> HyperX {
        HyperX::balanced(2, 8)
    }
}

impl Settings for HyperX {
    fn settings(&mut self, form: &mut dyn Form) {
        sizes(form, self, 3, |_| HyperX::members());
        let widths = "How many switches stand along each dimension: 8.8 is two dimensions of 8.";
        let endpoints =
            "Endpoints on each switch; balanced when one less than switches per dimension.";
        grid::settings(form, (&mut self.widths, widths), (&mut self.endpoints, endpoints));
    }
}

impl Part for HyperX {
    fn name(&self) -> &'static str {
        "hyperx"
    }
    fn label(&self) -> &'static str {
        "HyperX"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A grid of switches, each joined to every other in its row and its column \
         (Ahn et al. 2009; Prisacari 2020, §7.2.1.1).",
        )
    }
}

impl Build for HyperX {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        grid::build(self.grid(), links)
    }
}

impl HyperX {
    fn grid(&self) -> Grid {
        grid::grid(&self.widths, Lines::Full, self.endpoints)
    }

    /// The balanced HyperX with so many switches along each dimension.
    fn balanced(dimensions: usize, width: u32) -> HyperX {
        HyperX { widths: vec![width; dimensions], endpoints: width - 1 }
    }

    /// The balanced members of two dimensions, as the thesis compares them.
    fn members() -> Vec<Member<HyperX>> {
        let parts = (2..=86).map(|width| HyperX::balanced(2, width));
        let fitting = parts.filter(|part| grid::fits(&part.grid()));
        fitting.map(|part| grid::member(part.clone(), &part.grid())).collect()
    }
}
