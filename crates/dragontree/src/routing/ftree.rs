//! Fat-tree routing: one way down to every destination, and the destinations dealt out so that
//! shifts do not contend.
//!
//! Endpoints are routed leaf switch by leaf switch, slot by slot, in the order of a tree's own
//! indices (Zahavi 2009, Alg. 2). From its leaf switch each takes one way up to a root, at every
//! switch by the port over which the fewest come down so far (Alg. 4); all other switches go up to
//! that way, by the least used of parallel links (Alg. 3). Empty slots are dealt out as if they
//! were not, so that the others keep their places (§3.2).
//!
//! Beyond the paper, as OpenSM's engine `ftree` does: all other switches above a destination also
//! know a way down to it, by the least used ports first, and what is below only those goes up to
//! them; switches are destinations, too. Two switches reach each other when they have a common
//! ancestor or one is above the other. On full trees the tables of `variant=opensm` are those of
//! OpenSM 3.3.23, entry by entry.
//!
//! Leaf switches that are joined side by side (sFtree 2012, §3) hand each other what is for the
//! other's endpoints or for itself; such a link is always the last between switches. Ways go up,
//! then down, then aside, so no cycle of channels can form and one virtual channel is enough.
//!
//! Where something is broken or added every pair that such a way joins has a route. Unlike in
//! OpenSM (3.3.23) that holds for endpoints behind leaf switches joined side by side, and for
//! pairs of switches.

use std::sync::Arc;

use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Forward, Lfts, Needs, Network, SwitchId, Target};

mod columns;
mod forest;
mod plan;

use columns::{Columns, Counted};
pub(super) use forest::Forest;

crate::choices! {
    /// Whose fat-tree routing it is. They differ where several links lead to each parent.
    pub enum Variant {
        /// As published: of ports that are used as much the first gets the next destination, in
        /// the order of the parents, then of the links to each (Zahavi 2009, Alg. 4); to switches
        /// leads the first port (sFtree 2012, §3.1).
        Published = "published", "As published";
        /// As in OpenSM 3.3.23: the parents take turns; switches come after all endpoints, in the
        /// order of their GUIDs, and take their share of the links upward.
        OpenSm = "opensm", "As in OpenSM";
    }
}

crate::choices! {
    /// Whether empty slots are dealt out, too.
    pub enum Keepers {
        /// So that the other endpoints get what they would get in a full tree (Zahavi 2009, §3.2).
        Yes = "yes", "Keep their places";
        /// As if there were no slot.
        No = "no", "Leave them out";
    }
}

/// Fat-tree routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ftree {
    /// Whose it is.
    pub variant: Variant,
    /// What is done about empty slots.
    pub keepers: Keepers,
}

impl Settings for Ftree {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::choice(
                "variant",
                "Variant",
                "Where several links lead to each parent: whether one parent's links get \
                 destinations in a row, as published, or the parents take turns, as in OpenSM.",
                &mut self.variant,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "keepers",
                "Empty slots",
                "Whether slots without an endpoint get their share of the links, so that the \
                 order of a shift is kept.",
                &mut self.keepers,
            )
            .advanced(),
        );
    }
}

impl Part for Ftree {
    fn name(&self) -> &'static str {
        "ftree"
    }
    fn label(&self) -> &'static str {
        "Fat-tree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables for fat trees in which shifts do not contend (Zahavi 2009; OpenSM's ftree). \
         Switches reach each other where they have a common ancestor.",
        )
    }
}

impl Algorithm for Ftree {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        let forest = Forest::of(network, self.name())?;
        Ok(routes(network, tables(network, &forest, self)))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        let forest = Forest::of(network, self.name())?;
        Ok(routes(network, tables(network, &forest, self)))
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(Forest::of(network, self.name()).map(drop)?)
    }
}

fn routes(network: &Arc<Network>, lfts: Lfts) -> Routes {
    Routes::Tables(Box::new(Tables::new(network.clone(), lfts, Layers::One)))
}

/// Routes every destination of a network.
pub(super) fn tables(network: &Network, forest: &Forest, settings: &Ftree) -> Lfts {
    let mut lfts = Lfts::new(network);
    let mut columns = Columns::new(forest, settings.variant);
    // While no port has been used they all get the first ones.
    if settings.variant == Variant::Published {
        for switch in network.switches() {
            columns.find(switch, Counted::No);
            write(&mut lfts, &columns, network.switch_target(switch));
        }
    }
    let slots = forest.slots().iter();
    for slot in slots.filter(|slot| slot.target.is_some() || settings.keepers == Keepers::Yes) {
        columns.find(slot.switch, Counted::Yes);
        if let Some(target) = slot.target {
            lfts.set(slot.switch, target, Forward::Port(slot.number));
            write(&mut lfts, &columns, target);
        }
    }
    if settings.variant == Variant::OpenSm {
        for switch in network.switches_by_guid() {
            columns.find(switch, Counted::Upward);
            write(&mut lfts, &columns, network.switch_target(switch));
        }
    }
    lfts
}

/// How each switch gets to another by the first ports, without a link aside; nothing where it does
/// not.
pub(super) fn ways_up_and_down(forest: &Forest, to: SwitchId) -> Vec<Forward> {
    let mut columns = Columns::new(forest, Variant::Published);
    columns.find_without_siblings(to);
    let mut ways = vec![Forward::Nowhere; forest.serves.len()];
    for (switch, number) in columns.entries() {
        ways[switch.index()] = Forward::Port(number);
    }
    ways
}

fn write(lfts: &mut Lfts, columns: &Columns<'_>, target: Target) {
    for (switch, number) in columns.entries() {
        lfts.set(switch, target, Forward::Port(number));
    }
}
