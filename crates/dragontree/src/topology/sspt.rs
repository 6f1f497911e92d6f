//! Stacked single-path trees (Prisacari 2020, §7.2.2.2).
//!
//! ```text
//!        level two   R1·r1/r2 switches with r2 links into each copy
//!         /  |  \
//!   ┌─────┐ ┌─────┐
//!   │o o o│ │o o o│  2·r1/r2 copies of R1 = 1 + r1·(r2 - 1) level-one switches,
//!   └─────┘ └─────┘  each with r1 links up and r1 endpoints
//! ```
//! Every two level-one switches of a copy have exactly one level-two switch in common, and so do
//! those of different copies but for counterparts, which have r1. The trees are block designs
//! S(2, r2, R1); constructions are here for r2 = 2 (the complete graph: the MLFM), r2 = r1 with
//! r1 - 1 a prime power (projective planes: the OFT), and r2 = 3 (Steiner triple systems).

use super::Build;
use super::design::Design;
use super::field::prime_power;
use super::size::{Member, sizes};
use super::stacked::{self, Stack};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Layer, LinkClass, Links, Network};

/// The stacked tree of switches with `2·r1` ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Sspt {
    /// Upper links and endpoints of a level-one switch (r1).
    pub upper_links: u32,
    /// Links of a level-two switch into each copy (r2).
    pub lower_links: u32,
}

impl Default for Sspt {
    fn default() -> Sspt {
        Sspt { upper_links: 6, lower_links: 3 }
    }
}

const LARGEST: u32 = 128;

impl Settings for Sspt {
    fn settings(&mut self, form: &mut dyn Form) {
        sizes(form, self, 2, |_| Sspt::members());
        form.setting(Setting::number(
            "r1",
            "Upper links",
            "Links of a level-one switch to level-two switches, and its endpoints.",
            &mut self.upper_links,
            1..=LARGEST,
        ));
        form.setting(Setting::number(
            "r2",
            "Lower links",
            "Links of a level-two switch into each stacked tree: 2, 3 when r1 is a multiple of 3, \
             or r1 when r1 - 1 is a prime power.",
            &mut self.lower_links,
            2..=LARGEST,
        ));
    }
}

impl Part for Sspt {
    fn name(&self) -> &'static str {
        "sspt"
    }
    fn label(&self) -> &'static str {
        "Stacked single-path tree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Two levels of switches of one radix, with exactly one path between nearly all of the \
         lower ones; MLFM and OFT are its extremes (Prisacari 2020, §7.2.2.2).",
        )
    }
}

impl Build for Sspt {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let [r1, r2] = [self.upper_links, self.lower_links];
        let construction = self
            .construction()
            .map_err(|allowed| vec![Problem::new("r2", r2.to_string(), allowed)])?;
        stacked::limit([r1, r2, self.copies(), r1], ("r1", r1))?;
        let design = match construction {
            Construction::Pairs => Some(Design::pairs(r1)),
            Construction::Plane => Design::ml3b(r1),
            Construction::Triples => Some(Design::triples(r1 / 3)),
        };
        let design = design.ok_or_else(|| vec![super::oft::refusal("r1", r1)])?;
        let stack = Stack {
            design: &design,
            copies: self.copies(),
            endpoints: r1,
            layers: vec![
                Layer { name: "level-one switch", block: design.points() },
                Layer { name: "level-two switch", block: 0 },
            ],
            layer_of_copy: |_| 0,
            upper_layer: 1,
            class_of_copy: |_| LinkClass::Level(2),
        };
        stack.build(links)
    }
}

/// How the single-path tree is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Construction {
    Pairs,
    Plane,
    Triples,
}

impl Sspt {
    fn copies(&self) -> u32 {
        2 * self.upper_links / self.lower_links
    }

    /// How the tree is made, or why it cannot be: the end of a sentence.
    fn construction(&self) -> Result<Construction, String> {
        let [r1, r2] = [self.upper_links, self.lower_links];
        let is_plane = r1 == r2 && prime_power(r1 - 1).is_some();
        if !(2 * r1).is_multiple_of(r2) {
            return Err(format!("it must divide 2·r1 = {}", 2 * r1));
        }
        match r2 {
            2 => Ok(Construction::Pairs),
            _ if is_plane => Ok(Construction::Plane),
            // As r2 divides 2·r1 there are 6m + 1 points, for which a triple system exists.
            3 => Ok(Construction::Triples),
            _ if r1 == r2 => Err(format!(
                "r2 = r1 needs an r1 one more than a prime power, and {} is none; r2=2 is possible \
                 for every r1",
                r1 - 1
            )),
            _ => Err("no construction is known here but for r2=2, r2=3, and r2=r1".to_owned()),
        }
    }

    fn members() -> Vec<Member<Sspt>> {
        let parts = (1..=LARGEST).flat_map(|r1| {
            let mut sizes = vec![2, 3, r1];
            sizes.dedup();
            sizes.into_iter().map(move |r2| Sspt { upper_links: r1, lower_links: r2 })
        });
        let fits = |part: &Sspt| {
            let (r1, r2) = (part.upper_links, part.lower_links);
            r2 > 1 && part.construction().is_ok() && stacked::fits(r1, r2, part.copies(), r1)
        };
        let member = |part: Sspt| Member {
            radix: 2 * part.upper_links,
            endpoints: u64::from(part.copies() * part.upper_links)
                * u64::from(Design::points_of(part.upper_links, part.lower_links)),
            part,
        };
        parts.filter(fits).map(member).collect()
    }
}
