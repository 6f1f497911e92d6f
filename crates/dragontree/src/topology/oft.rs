//! Two-level orthogonal fat trees (Valerio et al. 1993 and 1994; Prisacari 2020, §7.2.2.4).
//!
//! ```text
//!   L2 routers   1 + k(k-1), with k endpoints each
//!      ╳╳╳       router i of L2 is linked like router i of L0
//!   L1 routers   1 + k(k-1), with 2k links each
//!      ╳╳╳       router i of L0 is linked to the k in row i of the k-ML3B
//!   L0 routers   1 + k(k-1), with k endpoints each
//! ```
//! Any two routers with endpoints have exactly one L1 router in common, but counterparts in L0
//! and L2 have k. All switches have 2k ports, and there are `2k³ - 2k² + 2k` endpoints. The thesis
//! asks that k - 1 be a prime; here any prime power will do, as a projective plane exists for each.

use super::Build;
use super::design::Design;
use super::field::{no_prime_power, prime_power};
use super::size::{Member, Presets, presets, sizes};
use super::stacked::{self, Stack};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Layer, LinkClass, Links, Network};

/// The two-level k-OFT.
#[derive(Clone, Debug, PartialEq)]
pub struct Oft {
    /// Endpoints and upper links of each router with endpoints (k); k - 1 is a prime power.
    pub half_radix: u32,
}

impl Default for Oft {
    fn default() -> Oft {
        Oft { half_radix: 6 }
    }
}

const SMALLEST: u32 = 3;
const LARGEST: u32 = 128;

const PRESETS: Presets<Oft> = Presets {
    words: &[
        ("none", "None"),
        ("prisacari_4", "k = 4: 104 endpoints (Prisacari 2020, Table 7.2)"),
        ("prisacari_12", "k = 12: 3192 endpoints (Prisacari 2020, §7.4)"),
    ],
    parts: || vec![Oft { half_radix: 4 }, Oft { half_radix: 12 }],
};

impl Settings for Oft {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &PRESETS);
        sizes(form, self, 2 * SMALLEST, |_| Oft::members());
        form.setting(Setting::number(
            "k",
            "Half the radix",
            "Endpoints and upper links of each router with endpoints; k - 1 is a prime power: \
             3, 4, 5, 6, 8, 9, 10, 12, 14, ….",
            &mut self.half_radix,
            SMALLEST..=LARGEST,
        ));
    }
}

impl Part for Oft {
    fn name(&self) -> &'static str {
        "oft"
    }
    fn label(&self) -> &'static str {
        "Orthogonal fat tree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Two stacked trees in which every two leaf switches have exactly one upper switch in \
         common (Prisacari 2020, §7.2.2.4).",
        )
    }
}

impl Build for Oft {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let k = self.half_radix;
        if prime_power(k.saturating_sub(1)).is_none() {
            return Err(vec![refusal("k", k)]);
        }
        stacked::limit([k, k, 2, k], ("k", k))?;
        let design = Design::ml3b(k).ok_or_else(|| vec![refusal("k", k)])?;
        let layer = |name| Layer { name, block: 0 };
        let stack = Stack {
            design: &design,
            copies: 2,
            endpoints: k,
            layers: vec![layer("L0 router"), layer("L1 router"), layer("L2 router")],
            layer_of_copy: |copy| 2 * copy,
            upper_layer: 1,
            class_of_copy: |copy| LinkClass::Level(2 + copy),
        };
        stack.build(links)
    }
}

/// What to say of a k for which no k-ML3B is known.
pub(super) fn refusal(key: &str, k: u32) -> Problem {
    let (around, nearest) = no_prime_power(k.saturating_sub(1), SMALLEST - 1, |n| n + 1);
    let allowed = format!("allowed: one more than a prime power, such as {around}");
    Problem { nearest: Some(nearest), ..Problem::new(key, k.to_string(), allowed) }
}

impl Oft {
    fn members() -> Vec<Member<Oft>> {
        let orders = (SMALLEST..=LARGEST).filter(|k| prime_power(k - 1).is_some());
        let member = |k: u32| Member {
            radix: 2 * k,
            endpoints: 2 * u64::from(k * (k * k - k + 1)),
            part: Oft { half_radix: k },
        };
        orders.filter(|k| stacked::fits(*k, *k, 2, *k)).map(member).collect()
    }
}
