//! sFtree: fat-tree routing in which every switch reaches every other (sFtree 2012, §4).
//!
//! Under [fat-tree routing](super::Ftree) two switches without a common ancestor do not reach each
//! other. Here such a switch sends towards one leaf switch, the root of an inverted subtree; the
//! first switch on the way that knows the destination turns the packet up again. There is no other
//! such turn in the fabric, and all ways that were there before stay as they are. Destinations
//! that endpoints have lost to broken links are reached like this, too.
//!
//! # Which root
//! The first leaf switch, in the order of the indices, that reaches every switch (Alg. 1) and that
//! is not the subnet manager's (§4.2); else the first that does so together with the leaf switch
//! beside it, its sibling, to which it then hands on what only that one reaches (Alg. 2); else the
//! first.
//!
//! # Why it cannot deadlock
//! A turn up happens at a switch above the root. In a fat tree no switch has two of those below
//! it, so a packet that has turned up comes down outside the subtree, and nothing that comes down
//! there gets back into it (§5, Lemmas 5.8 and 5.9). That is not true of every leaf switch where
//! cables are wrong, or where its links to one core lead to several switches below the same roots:
//! there the published rule alone can deadlock. Such a leaf switch is not taken as root, and a
//! sibling only where it is true of both together; without a root the pairs stay as they are.

use std::sync::Arc;

use super::ftree::{Forest, tables, ways_up_and_down};
use super::{Algorithm, Ftree, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{EndpointId, Forward, Lfts, Needs, Network, SwitchId};
use crate::sorting::sort_by_number;

/// sFtree routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SFtree {
    /// The endpoint that runs the subnet manager, by number.
    pub manager: Option<u32>,
}

impl Settings for SFtree {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::optional(
                "manager",
                "Subnet manager",
                "The endpoint that runs the subnet manager; its leaf switch is spared the detours.",
                &mut self.manager,
                "none",
                0..=u32::MAX - 1,
            )
            .advanced(),
        );
    }
}

impl Part for SFtree {
    fn name(&self) -> &'static str {
        "sftree"
    }
    fn label(&self) -> &'static str {
        "sFtree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Fat-tree routing with detours by one leaf switch, so that every switch reaches every \
         other without deadlock (sFtree 2012, §4).",
        )
    }
}

impl Algorithm for SFtree {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let forest = Forest::of(network, self.name())?;
        Ok(self.tables(network, &forest))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        let count = network.endpoint_count();
        if let Some(manager) = self.manager.filter(|manager| *manager >= count) {
            let allowed =
                format!("the network has {count} endpoints, allowed: 0 to {}", count.max(1) - 1);
            return Err(vec![Problem::new("manager", manager.to_string(), allowed)]);
        }
        let forest = Forest::of(network, self.name())?;
        Ok(self.tables(network, &forest))
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(Forest::of(network, self.name()).map(drop)?)
    }
}

impl SFtree {
    fn tables(&self, network: &Arc<Network>, forest: &Forest) -> Routes {
        let mut lfts = tables(network, forest, &Ftree::default());
        let manager = self.manager.filter(|manager| *manager < network.endpoint_count());
        let avoided = manager.and_then(|manager| network.switch_of(EndpointId(manager)));
        for part in forest.parts() {
            if let Some(subtree) = Subtree::choose((network, forest), &lfts, &part, avoided) {
                subtree.complete((network, forest), &mut lfts);
            }
        }
        Routes::Tables(Box::new(Tables::new(network.clone(), lfts, Layers::One)))
    }
}

/// Where packets turn up.
#[derive(Clone, Copy)]
struct Subtree {
    root: SwitchId,
    /// To which the root may hand on, and from which it may be handed, what is then sent up.
    sibling: Option<SwitchId>,
}

impl Subtree {
    /// The subtree for a connected part of the switches; none where no leaf switch can be its root.
    fn choose(
        (network, forest): (&Network, &Forest),
        lfts: &Lfts,
        part: &[SwitchId],
        avoided: Option<SwitchId>,
    ) -> Option<Subtree> {
        let mut leaves: Vec<SwitchId> = forest.leaves().to_vec();
        leaves.retain(|leaf| part.binary_search(leaf).is_ok() && forest.is_tree_above(&[*leaf]));
        sort_by_number(&mut leaves, |leaf| u128::from(Some(*leaf) == avoided));
        let reaches = |from: SwitchId, to: SwitchId| {
            lfts.get(from, network.switch_target(to)) != Forward::Nowhere
        };
        let reaches_all = |subtree: &Subtree| {
            let Subtree { root, sibling } = *subtree;
            part.iter().all(|switch| {
                reaches(root, *switch) || sibling.is_some_and(|sibling| reaches(sibling, *switch))
            })
        };
        let alone = |root: &&SwitchId| reaches_all(&Subtree { root: **root, sibling: None });
        let paired = |root: &SwitchId| {
            let is_sound = |sibling: &SwitchId| forest.is_tree_above(&[*root, *sibling]);
            Subtree { root: *root, sibling: forest.siblings(*root).find(is_sound) }
        };
        match leaves.iter().find(alone) {
            Some(root) => Some(paired(root)),
            None => {
                let both = leaves.iter().map(paired).find(reaches_all);
                both.or_else(|| leaves.first().map(paired))
            }
        }
    }

    /// Sends towards the root what a switch does not know (Alg. 2).
    fn complete(&self, (network, forest): (&Network, &Forest), lfts: &mut Lfts) {
        let Subtree { root, sibling } = *self;
        let detours = self.detours((network, forest), lfts);
        let aside = sibling
            .map_or(Forward::Nowhere, |sibling| lfts.get(root, network.switch_target(sibling)));
        for target in network.targets() {
            if lfts.get(root, target) == Forward::Nowhere {
                let knows = |sibling: SwitchId| lfts.get(sibling, target) != Forward::Nowhere;
                if !sibling.is_some_and(knows) {
                    continue;
                }
                lfts.set(root, target, aside);
            }
            for (switch, detour) in network.switches().zip(&detours) {
                if lfts.get(switch, target) == Forward::Nowhere {
                    lfts.set(switch, target, *detour);
                }
            }
        }
    }

    /// How each switch sends to the root: up and down; where that does not lead there, up and down
    /// to the sibling, which sends aside. By any other leaf switch beside the root nothing may
    /// come, as it would turn up there, outside the subtree.
    fn detours(&self, (network, forest): (&Network, &Forest), lfts: &Lfts) -> Vec<Forward> {
        let mut detours = ways_up_and_down(forest, self.root);
        if let Some(sibling) = self.sibling {
            for (detour, other) in detours.iter_mut().zip(ways_up_and_down(forest, sibling)) {
                if *detour == Forward::Nowhere {
                    *detour = other;
                }
            }
            detours[sibling.index()] = lfts.get(sibling, network.switch_target(self.root));
        }
        detours
    }
}
