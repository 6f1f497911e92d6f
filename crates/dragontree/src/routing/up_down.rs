//! Up*/Down*: no way leads up again once it has led down.
//!
//! The switches are ranked by their distance from the roots. A channel leads up when it leads to
//! a lower rank or, between equal ranks, to the lower GUID. Routes go up, then down; no cycle of
//! channels can form, so one virtual channel is enough (named in Bogdański et al. 2012, §1).
//!
//! # Which tables
//! A table knows nothing of where a packet comes from, so that a switch to which others send
//! packets down must send them down, too. A switch therefore goes down by a shortest way wherever
//! it can, and up only where there is no way down; of the ports that are as good, it takes one as
//! [MinHop](super::MinHop) does. That keeps every pair that a legal route joins joined, and nearly
//! every route as short as the rule allows: on trees, and on every fabric whose tables by OpenSM's
//! `updn` (3.3.23) are at hand, all of them, and the tables are the same entry by entry. In
//! irregular fabrics OpenSM looks for the shortest legal way of each switch by itself; then tables
//! that send a packet down and up again do occur, even deadlocks.
//!
//! # Which roots
//! `auto` finds the roots as OpenSM does: switches that have more than nine tenths of the endpoints
//! at one distance, and not more than a twentieth at any other; of those, here, the nearest to the
//! endpoints that join them all, because on trees of more than twenty leaves all other switches are
//! like that, too, and in networks such as Slim Fly the switches with the endpoints themselves.
//! Where there are none, as in a torus, OpenSM gives up; here the switch with the most links is the
//! root, so that every endpoint reaches every other. Each separate piece of a broken fabric has roots of its own. Between several roots there
//! is no legal route unless one is linked to another; with `mode=single` one of them is the only
//! root, and every switch reaches every other.

use std::sync::Arc;

use super::tables::{Choices, FAR, Graph, balanced, check_search};
use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Form, Part, Problem, Setting, Settings, Written};
use crate::network::{Lfts, Needs, Network, Node, SwitchId};

mod roots;

use roots::find_roots;

/// Up*/Down* routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpDown {
    /// Where up leads to.
    pub roots: Roots,
    /// How many of the roots count.
    pub mode: RootMode,
}

/// Root switches by number.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Roots {
    /// Those that are found.
    #[default]
    Auto,
    /// These.
    Given(Vec<u32>),
}

crate::choices! {
    /// How many of the roots count.
    pub enum RootMode {
        /// All of them.
        Multi = "multi", "All roots";
        /// The first.
        Single = "single", "One root";
    }
}

impl Written for Roots {
    fn read(&mut self, text: &str) -> bool {
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_: &u32| digits)
        };
        let read = match text {
            "auto" => Some(Roots::Auto),
            _ => text.split('.').map(number).collect::<Option<Vec<u32>>>().map(Roots::Given),
        };
        read.map(|roots| *self = roots).is_some()
    }
    fn print(&self) -> String {
        match self {
            Roots::Auto => "auto".to_owned(),
            Roots::Given(roots) => roots.iter().map(u32::to_string).collect::<Vec<_>>().join("."),
        }
    }
    fn allowed(&self) -> &'static str {
        "auto, or numbers of switches joined by dots"
    }
    fn example(&self) -> &'static str {
        "3.7"
    }
}

impl Settings for UpDown {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "roots",
            "Roots",
            "The switches to which up leads, by number and joined by dots; auto finds them.",
            &mut self.roots,
        ));
        form.setting(
            Setting::choice(
                "mode",
                "Mode",
                "Whether all roots count or only the first, from which every switch is reached.",
                &mut self.mode,
            )
            .advanced(),
        );
    }
}

impl Part for UpDown {
    fn name(&self) -> &'static str {
        "up_down"
    }
    fn label(&self) -> &'static str {
        "Up*/Down*"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Tables of shortest paths that go up towards the roots, then down, which cannot deadlock \
         (OpenSM's updn).",
        )
    }
}

impl Algorithm for UpDown {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        check_search(network, self.name())?;
        let lfts = up_down(network, &self.roots, self.mode);
        Ok(Routes::Tables(Box::new(Tables::new(network.clone(), lfts, Layers::One))))
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        let count = network.switch_count();
        if let Roots::Given(roots) = &self.roots
            && let Some(absent) = roots.iter().find(|root| **root >= count)
        {
            let allowed =
                format!("the network has {count} switches, allowed: 0 to {}", count.max(1) - 1);
            return Err(vec![Problem::new("roots", absent.to_string(), allowed)]);
        }
        self.routes(network).map_err(|needs| vec![Problem::new("", "", needs.to_string())])
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        check_search(network, self.name())
    }
}

fn up_down(network: &Network, roots: &Roots, mode: RootMode) -> Lfts {
    let graph = Graph::new(network);
    let roots = find_roots(network, &graph, roots, mode);
    let ranks = graph.distances(&roots);
    let key =
        |switch: SwitchId| (ranks[switch.index()], network.guid(Node::Switch(switch)), switch);
    let keys: Vec<_> = network.switches().map(key).collect();
    let mut search = Search {
        leads_up: network
            .switches()
            .flat_map(|from| graph.edges_from(from).iter().map(move |edge| (from, edge.to)))
            .map(|(from, to)| keys[to.index()] < keys[from.index()])
            .collect(),
        distances: vec![FAR; graph.switch_count()],
        descends: vec![false; graph.switch_count()],
        below: Vec::new(),
        above: Vec::new(),
        graph: &graph,
    };
    balanced(network, &graph, |to, choices| search.keep(to, choices))
}

struct Search<'a> {
    graph: &'a Graph,
    /// For each link whether it leads up.
    leads_up: Vec<bool>,
    distances: Vec<u32>,
    /// Whether a switch reaches the destination by going down only.
    descends: Vec<bool>,
    /// Switches that descend, and those that do not, nearest first.
    below: Vec<SwitchId>,
    above: Vec<SwitchId>,
}

impl Search<'_> {
    fn keep(&mut self, to: SwitchId, choices: &mut Choices) {
        self.distances.fill(FAR);
        self.descends.fill(false);
        self.descend(to);
        self.ascend();
        let Search { graph, leads_up, distances, descends, .. } = self;
        choices.keep(graph, |switch, place| {
            let next = graph.edges()[place].to.index();
            let nearer = distances[switch.index()] != FAR
                && distances[next].wrapping_add(1) == distances[switch.index()];
            match descends[switch.index()] {
                true => nearer && !leads_up[place] && descends[next],
                false => nearer && leads_up[place],
            }
        });
    }

    /// Finds the switches above the destination: from each it is a way down.
    fn descend(&mut self, to: SwitchId) {
        self.below.clear();
        self.below.push(to);
        self.distances[to.index()] = 0;
        self.descends[to.index()] = true;
        let mut next = 0;
        while let Some(switch) = self.below.get(next).copied() {
            next += 1;
            for place in self.graph.places(switch) {
                let other = self.graph.edges()[place].to;
                if self.leads_up[place] && !self.descends[other.index()] {
                    self.descends[other.index()] = true;
                    self.distances[other.index()] = self.distances[switch.index()] + 1;
                    self.below.push(other);
                }
            }
        }
    }

    /// Finds all others that come up to one of those, in the order of the distance.
    fn ascend(&mut self) {
        self.above.clear();
        let (mut next_below, mut next_above) = (0, 0);
        loop {
            let ends = (self.below.get(next_below), self.above.get(next_above));
            let switch = match ends {
                (Some(below), Some(above))
                    if self.distances[above.index()] < self.distances[below.index()] =>
                {
                    next_above += 1;
                    *above
                }
                (Some(below), _) => {
                    next_below += 1;
                    *below
                }
                (None, Some(above)) => {
                    next_above += 1;
                    *above
                }
                (None, None) => return,
            };
            for place in self.graph.places(switch) {
                let other = self.graph.edges()[place].to;
                if !self.leads_up[place] && self.distances[other.index()] == FAR {
                    self.distances[other.index()] = self.distances[switch.index()] + 1;
                    self.above.push(other);
                }
            }
        }
    }
}
