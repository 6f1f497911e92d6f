//! Fat trees of equal switches: the largest full-bisection tree of a radix and height.
//!
//! ```text
//! radix=4, levels=2:   o   o        r/2 roots with r ports down
//!                     /|\ /|\ …
//!                     o o o o       r leaf switches: r/2 down, r/2 up
//!                     ‖ ‖ ‖ ‖
//!                     8 endpoints   r²/2
//! ```
//! Two levels are Prisacari's FT2 (§7.2.2.1), three the FT3 of his Fig. 7.3.

use super::Build;
use super::cabling::Cabling;
use super::pgft::{self, Widths};
use super::size::{Member, nearest};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Links, Network};

/// The tree with `m = (r/2, …, r/2, r)` and `w = (1, r/2, …, r/2)`, whose top may be slimmed.
///
/// It has `2·(r/2)^h` endpoints and, with a full top, `(2h - 1)·(r/2)^(h-1)` switches, hence
/// `2h - 1` ports and `h` links per endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct FatTree {
    /// Switch levels (h).
    pub levels: u32,
    /// Ports of a switch (r), an even number.
    pub radix: u32,
    /// Only every so many-th of the roots is there: the bandwidth into the top level is this
    /// many times smaller than below it.
    pub slimming: u32,
    /// The order of the up ports, and which places are filled.
    pub cabling: Cabling,
}

impl Default for FatTree {
    fn default() -> FatTree {
        FatTree { levels: 2, radix: 16, slimming: 1, cabling: Cabling::default() }
    }
}

const HIGHEST: u32 = 8;
const LARGEST: u32 = 1024;

/// The widths of the tree of this radix and height whose roots are reached by `uplinks` links.
pub(super) fn widths(radix: u32, levels: u32, uplinks: u32) -> Widths {
    let height = levels as usize;
    let mut children = vec![radix / 2; height];
    let mut parents = vec![radix / 2; height];
    if height > 1 {
        parents[height - 1] = uplinks;
    }
    parents[0] = 1;
    children[height - 1] = radix;
    Widths { children, parents, parallel: vec![1; height] }
}

/// The endpoints of the tree of this radix and height.
pub(super) fn endpoints(radix: u32, levels: u32) -> u64 {
    u64::from(radix / 2).saturating_pow(levels).saturating_mul(2)
}

impl Settings for FatTree {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "levels",
            "Levels",
            "Levels of switches; 2 is a leaf-spine network.",
            &mut self.levels,
            1..=HIGHEST,
        ));
        nearest(form, self, FatTree::balanced);
        form.setting(Setting::number(
            "radix",
            "Radix",
            "Ports of a switch, an even number: half of them lead down, half up.",
            &mut self.radix,
            2..=LARGEST,
        ));
        form.setting(Setting::number(
            "slimming",
            "Slimming of the top",
            "Divides the number of roots: 2 halves the bisection bandwidth at the top.",
            &mut self.slimming,
            1..=LARGEST / 2,
        ));
        self.cabling.settings(form);
    }
}

impl Part for FatTree {
    fn name(&self) -> &'static str {
        "fat_tree"
    }
    fn label(&self) -> &'static str {
        "Fat tree of equal switches"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "The largest full-bisection tree of switches of one radix, or with fewer roots \
         (Prisacari 2020, §7.2.2.1).",
        )
    }
}

impl Build for FatTree {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let mut problems = Vec::new();
        if !(1..=HIGHEST).contains(&self.levels) {
            let allowed = format!("allowed: 1 to {HIGHEST}");
            problems.push(Problem::new("levels", self.levels.to_string(), allowed));
        }
        let even = (2..=LARGEST).contains(&self.radix) && self.radix.is_multiple_of(2);
        if !even {
            problems.push(odd("radix", self.radix, LARGEST));
        }
        let uplinks = match self.levels {
            1 => 1,
            _ => self.radix / 2,
        };
        if even && (self.slimming == 0 || !uplinks.is_multiple_of(self.slimming)) {
            problems.push(divisor("slimming", self.slimming, uplinks, "the uplinks of a switch"));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let widths = widths(self.radix, self.levels, uplinks / self.slimming);
        let size = match self.levels {
            1 | 2 => ("radix", self.radix.to_string()),
            _ => ("levels", self.levels.to_string()),
        };
        pgft::build(&widths, &self.cabling, links, (size.0, &size.1))
    }
}

impl FatTree {
    /// The unslimmed trees with as many levels.
    fn balanced(&self) -> Vec<Member<FatTree>> {
        let member = |half: u32| {
            let part = FatTree { radix: 2 * half, slimming: 1, ..self.clone() };
            Member { radix: 2 * half, endpoints: endpoints(2 * half, self.levels), part }
        };
        (1..=LARGEST / 2).map(member).collect()
    }
}

/// A radix whose halves are no whole numbers, or that is out of range.
pub(super) fn odd(key: &str, given: u32, largest: u32) -> Problem {
    let nearest = Some((given.clamp(2, largest) & !1).to_string());
    let allowed =
        format!("half of the ports lead down, so allowed: an even number from 2 to {largest}");
    Problem { nearest, ..Problem::new(key, given.to_string(), allowed) }
}

/// A number that does not divide `whole`, which is `what`.
pub(super) fn divisor(key: &str, given: u32, whole: u32, what: &str) -> Problem {
    let divisors = (1..=whole).filter(|each| whole.is_multiple_of(*each));
    let nearest = divisors.min_by_key(|each| each.abs_diff(given)).map(|each| each.to_string());
    let allowed = format!("it must divide {what}, {whole}");
    Problem { nearest, ..Problem::new(key, given.to_string(), allowed) }
}
