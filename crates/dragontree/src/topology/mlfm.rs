//! Multi-layer full meshes (Fujitsu Laboratories 2014; Prisacari 2020, §7.2.2.3).
//!
//! ```text
//!  global routers      (0,1)     (0,2)     (1,2)        one for each two columns i < j,
//!                      │  │      │  │      │  │         linked to local routers i and j
//!                      i  j      i  j      i  j         of every layer
//!  local routers    L.0   L.1   L.2                     l layers of h + 1 columns,
//!                   ││    ││    ││                      p endpoints each
//! ```
//! With `h = l = p` all switches have 2h ports, and there are `h³ + h²` endpoints. Between two
//! local routers of one column there are h minimal paths, between any others exactly one.

use super::Build;
use super::design::Design;
use super::size::{Member, Presets, presets, sizes};
use super::stacked::{self, Stack};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Layer, LinkClass, Links, Network};

/// The (h, l, p)-MLFM; what is left out of l and p equals h.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlfm {
    /// Upper links of a local router (h); a layer has one local router more.
    pub upper_links: u32,
    /// The number of layers (l).
    pub layers: Option<u32>,
    /// Endpoints per local router (p).
    pub endpoints: Option<u32>,
}

impl Default for Mlfm {
    fn default() -> Mlfm {
        Mlfm::balanced(7)
    }
}

const LARGEST: u32 = 128;

const PRESETS: Presets<Mlfm> = Presets {
    words: &[
        ("none", "None"),
        ("prisacari_3", "h = l = p = 3: 36 endpoints (Prisacari 2020, Fig. 7.1b)"),
        ("prisacari_15", "h = l = p = 15: 3600 endpoints (Prisacari 2020, §7.4)"),
    ],
    parts: || vec![Mlfm::balanced(3), Mlfm::balanced(15)],
};

impl Settings for Mlfm {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &PRESETS);
        sizes(form, self, 2, |_| Mlfm::members());
        form.setting(Setting::number(
            "h",
            "Upper links",
            "Links of a local router to global routers; a layer has h + 1 local routers.",
            &mut self.upper_links,
            1..=LARGEST,
        ));
        form.setting(Setting::optional(
            "l",
            "Layers",
            "How many full meshes are stacked; “h”: as many as upper links.",
            &mut self.layers,
            "h",
            1..=LARGEST,
        ));
        form.setting(Setting::optional(
            "p",
            "Endpoints per local router",
            "Endpoints on each local router; “h”: as many as upper links.",
            &mut self.endpoints,
            "h",
            1..=LARGEST,
        ));
    }
}

impl Part for Mlfm {
    fn name(&self) -> &'static str {
        "mlfm"
    }
    fn label(&self) -> &'static str {
        "Multi-layer full mesh"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Layers of full meshes in which each link leads over a switch that all layers share \
         (Prisacari 2020, §7.2.2.3).",
        )
    }
}

impl Build for Mlfm {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let h = self.upper_links;
        let (layers, endpoints) = (self.layers.unwrap_or(h), self.endpoints.unwrap_or(h));
        stacked::limit([h, 2, layers, endpoints], ("h", h))?;
        let stack = Stack {
            design: &Design::pairs(h),
            copies: layers,
            endpoints,
            layers: vec![
                Layer { name: "local router", block: h + 1 },
                Layer { name: "global router", block: 0 },
            ],
            layer_of_copy: |_| 0,
            upper_layer: 1,
            class_of_copy: |_| LinkClass::Level(2),
        };
        stack.build(links)
    }
}

impl Mlfm {
    /// The h-MLFM: `h = l = p`.
    fn balanced(upper_links: u32) -> Mlfm {
        Mlfm { upper_links, layers: None, endpoints: None }
    }

    fn members() -> Vec<Member<Mlfm>> {
        let fitting = (1..=LARGEST).filter(|h| stacked::fits(*h, 2, *h, *h));
        let member = |h: u32| Member {
            radix: 2 * h,
            endpoints: u64::from(h * h * (h + 1)),
            part: Mlfm::balanced(h),
        };
        fitting.map(member).collect()
    }
}
