//! The traffic that minimal routing carries worst (Prisacari 2020, §6.2 and §7.4.2).

use super::partners::{between, groups_on};
use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::network::{Graph, Needs, Network, Structure};
use crate::placement::Unfit;

mod chains;

/// All ranks of a switch send to those of one other switch, over as few links as there are:
/// - dragonfly: to the same place in the next group, whose ranks share one global link;
/// - Slim Fly: along chains of four switches, so that the ranks of two switches share the middle
///   link;
/// - MLFM, OFT: to the next switch, which is joined to the first over one other switch only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorstCase;

impl Settings for WorstCase {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for WorstCase {
    fn name(&self) -> &'static str {
        "worst_case"
    }
    fn label(&self) -> &'static str {
        "Worst case"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Switches paired so that minimal routes share one link (Prisacari 2020, §7.4.2).",
        )
    }
}

impl Pattern for WorstCase {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let network = site.network;
        let found = network.structure().name();
        let needs = || Needs {
            part: self.name(),
            structure: "a dragonfly, a Slim Fly, an MLFM or an OFT",
            found,
        };
        let partners = match network.structure() {
            Structure::Groups(groups) => {
                groups_on(network.switch_count(), groups.switches_per_group, 1)
            }
            Structure::Mms(_) => chains::partners(&Graph::of(network)),
            _ => next_switches(network).ok_or_else(needs)?,
        };
        Ok(between(site, &partners))
    }
}

/// For each switch with endpoints the next such; none where most of these have several ways to it,
/// or a link.
fn next_switches(network: &Network) -> Option<Vec<Option<u32>>> {
    let mut carries = vec![false; network.switch_count() as usize];
    let homes = network.endpoints().filter_map(|endpoint| network.switch_of(endpoint));
    homes.for_each(|switch| carries[switch.index()] = true);
    let carriers: Vec<u32> = (0..).zip(carries).filter(|(_, own)| *own).map(|(id, _)| id).collect();
    let graph = Graph::of(network);
    let mut partners = vec![None; graph.count()];
    let mut alone = 0;
    for (place, switch) in carriers.iter().enumerate() {
        let next = carriers[(place + 1) % carriers.len()];
        let joined = graph.arc(*switch, next).is_some();
        alone += usize::from(!joined && common(&graph, *switch, next) == 1);
        partners[*switch as usize] = Some(next);
    }
    (carriers.len() > 2 && 2 * alone > carriers.len()).then_some(partners)
}

/// The number of nodes that are next to both.
fn common(graph: &Graph, one: u32, other: u32) -> usize {
    let theirs = graph.neighbors(other);
    graph.neighbors(one).iter().filter(|node| theirs.binary_search(node).is_ok()).count()
}
