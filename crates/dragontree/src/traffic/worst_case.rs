//! The traffic that minimal routing carries worst (Prisacari 2020, §6.2 and §7.4.2).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Settings};
use crate::network::{EndpointId, Graph, Groups, Needs, Network, Structure};
use crate::placement::Unfit;
use crate::units::Rank;

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
            Structure::Groups(groups) => next_groups(groups, network.switch_count()),
            Structure::Mms(_) => chains::partners(&Graph::of(network)),
            _ => next_switches(network).ok_or_else(needs)?,
        };
        Ok(between(site, &partners))
    }
}

/// For each switch the one at its place in the next group.
fn next_groups(groups: &Groups, switches: u32) -> Vec<Option<u32>> {
    let next = |switch| Some((switch + groups.switches_per_group) % switches);
    (0..switches).map(next).collect()
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

/// Each rank sends to the one that has its place at the partner of its switch; silent are those
/// without, and those that would send to themselves.
fn between(site: Site<'_>, partners: &[Option<u32>]) -> Destinations {
    let home = |endpoint: &EndpointId| site.network.switch_of(*endpoint);
    let mut ranks: Vec<Vec<Rank>> = vec![Vec::new(); partners.len()];
    for (rank, endpoint) in (0..).zip(site.placement) {
        if let Some(switch) = endpoint.as_ref().and_then(home) {
            ranks[switch.index()].push(Rank(rank));
        }
    }
    let mut destinations = vec![None; site.placement.len()];
    for (own, partner) in ranks.iter().zip(partners) {
        let theirs = partner.map_or(&[][..], |partner| &ranks[partner as usize]);
        for (rank, other) in own.iter().zip(theirs).filter(|(rank, other)| rank != other) {
            destinations[rank.0 as usize] = Some(*other);
        }
    }
    Destinations::Fixed(destinations)
}
