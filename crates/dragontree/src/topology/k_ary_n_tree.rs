//! k-ary n-trees (Petrini & Vanneschi 1997; Zahavi 2009, Def. 1).
//!
//! ```text
//! k=2, n=3:   o o o o     n levels of k^(n-1) switches, k links down and k up
//!             |X| |X|     (the roots have none up)
//!             o o o o
//!             | \X/ |     each switch is joined to the k above and below it
//!             | / \ |     that differ in one digit
//!             o o o o
//!             ‖ ‖ ‖ ‖     k^n endpoints
//! ```

use super::Build;
use super::cabling::Cabling;
use super::fat_tree::divisor;
use super::pgft::{self, Widths};
use super::size::{Member, sizes};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Links, Network};

/// The tree with `m = (k, …, k)` and `w = (1, k, …, k)`: `k^n` endpoints, `n·k^(n-1)` switches.
///
/// Its roots use half of their `2k` ports. With `merged = g`, `g` of them become one, joined to
/// each child by `g` links; with `top < k`, a root has that many children only, so `top/k` of the
/// tree is there.
#[derive(Clone, Debug, PartialEq)]
pub struct KAryNTree {
    /// Switch levels (n).
    pub levels: u32,
    /// Children and parents of a switch (k).
    pub arity: u32,
    /// How many roots are merged into one (g).
    pub merged: u32,
    /// Children of a root; k when left out.
    pub top: Option<u32>,
    /// The order of the up ports, and which places are filled.
    pub cabling: Cabling,
}

impl Default for KAryNTree {
    fn default() -> KAryNTree {
        KAryNTree { levels: 3, arity: 4, merged: 1, top: None, cabling: Cabling::default() }
    }
}

const HIGHEST: u32 = 8;
const WIDEST: u32 = 512;

impl Settings for KAryNTree {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "n",
            "Levels",
            "Levels of switches.",
            &mut self.levels,
            1..=HIGHEST,
        ));
        sizes(form, self, 2, KAryNTree::balanced);
        form.setting(Setting::number(
            "k",
            "Arity",
            "Children and parents of a switch: half of its ports.",
            &mut self.arity,
            1..=WIDEST,
        ));
        form.setting(Setting::number(
            "merged",
            "Merged roots",
            "So many roots become one, joined to each child by as many links; it must divide k.",
            &mut self.merged,
            1..=WIDEST,
        ));
        form.setting(
            Setting::optional(
                "top",
                "Children of a root",
                "From 1 to k (full): with fewer, a part of the tree only is there.",
                &mut self.top,
                "full",
                1..=WIDEST,
            )
            .advanced(),
        );
        self.cabling.settings(form);
    }
}

impl Part for KAryNTree {
    fn name(&self) -> &'static str {
        "k_ary_n_tree"
    }
    fn label(&self) -> &'static str {
        "k-ary n-tree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "k^n endpoints below n levels of k^(n-1) switches with k links down and k up \
         (Zahavi 2009, Def. 1).",
        )
    }
}

impl Build for KAryNTree {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        self.check()?;
        let (k, height) = (self.arity, self.levels as usize);
        let mut widths = Widths {
            children: vec![k; height],
            parents: vec![k; height],
            parallel: vec![1; height],
        };
        widths.parents[height - 1] = k / self.merged;
        widths.parallel[height - 1] = self.merged;
        widths.parents[0] = 1;
        widths.children[height - 1] = self.top.unwrap_or(k);
        let size = match self.levels {
            1 | 2 => ("k", k.to_string()),
            _ => ("n", self.levels.to_string()),
        };
        pgft::build(&widths, &self.cabling, links, (size.0, &size.1))
    }
}

impl KAryNTree {
    fn check(&self) -> Result<(), Vec<Problem>> {
        let mut problems = Vec::new();
        for (key, given, most) in [("n", self.levels, HIGHEST), ("k", self.arity, WIDEST)] {
            if !(1..=most).contains(&given) {
                let allowed = format!("allowed: 1 to {most}");
                problems.push(Problem::new(key, given.to_string(), allowed));
            }
        }
        if self.levels == 1 && self.merged != 1 {
            let allowed = "with n=1 there is a single switch and nothing to merge, allowed: 1";
            problems.push(Problem::new("merged", self.merged.to_string(), allowed));
        } else if self.merged == 0 || !self.arity.is_multiple_of(self.merged) {
            problems.push(divisor("merged", self.merged, self.arity, "k"));
        }
        if let Some(top) = self.top.filter(|top| !(1..=self.arity).contains(top)) {
            let allowed = format!("allowed: 1 to k = {}, or full", self.arity);
            let nearest = Some(top.clamp(1, self.arity.max(1)).to_string());
            problems.push(Problem { nearest, ..Problem::new("top", top.to_string(), allowed) });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// The complete trees with as many levels.
    fn balanced(&self) -> Vec<Member<KAryNTree>> {
        let member = |k: u32| {
            let part = KAryNTree { arity: k, merged: 1, top: None, ..self.clone() };
            let radix = if self.levels == 1 { k } else { 2 * k };
            Member { radix, endpoints: u64::from(k).saturating_pow(self.levels), part }
        };
        (1..=WIDEST).map(member).collect()
    }
}
