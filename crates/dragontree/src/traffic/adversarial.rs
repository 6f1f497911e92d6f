//! Adversarial traffic: each group to one other group (Kim, Dally, Scott & Abts 2008, §4.2).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{EndpointId, Needs, Network, Structure};
use crate::placement::Unfit;
use crate::units::Rank;

/// Every message of a rank in group g goes to a random rank in group g + by, each equally likely: all
/// ranks of a group share the links to one other group, over which minimal routing takes them. The
/// groups are those of a dragonfly, or the subnets of a fabric that has some. Where that group is the
/// rank's own, it does not send to itself; where it has no ranks, it is silent.
#[derive(Clone, Debug, PartialEq)]
pub struct Adversarial {
    /// How many groups on; taken modulo the number of groups, so that 0 stays within.
    pub by: u32,
}

impl Default for Adversarial {
    fn default() -> Adversarial {
        Adversarial { by: 1 }
    }
}

impl Settings for Adversarial {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "by",
            "Groups on",
            "Group g sends to group g + by, modulo the number of groups.",
            &mut self.by,
            0..=1_000_000,
        ));
    }
}

impl Part for Adversarial {
    fn name(&self) -> &'static str {
        "adversarial"
    }
    fn label(&self) -> &'static str {
        "Adversarial"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Each group sends to random endpoints of one other group (Kim et al. 2008, §4.2).",
        )
    }
}

/// The most pairs whose shares are kept.
const MOST_PAIRS: u64 = 1 << 24;

impl Pattern for Adversarial {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let count = match site.network.structure() {
            Structure::Groups(groups) => groups.group_count,
            Structure::Subnets(subnets) => subnets.count,
            other => {
                let structure = "a dragonfly's groups or subnets";
                return Err(Needs { part: self.name(), structure, found: other.name() }.into());
            }
        };
        let mut members: Vec<Vec<Rank>> = vec![Vec::new(); count as usize];
        let mut targets = vec![None; site.placement.len()];
        for (rank, endpoint) in (0..).zip(site.placement) {
            let own = endpoint.and_then(|endpoint| group_of(site.network, endpoint));
            if let Some(own) = own {
                members[own as usize].push(Rank(rank));
                let target = (u64::from(own) + u64::from(self.by)) % u64::from(count);
                targets[rank as usize] = Some(target as usize);
            }
        }
        let pairs: u64 = targets.iter().flatten().map(|to| members[*to].len() as u64).sum();
        if pairs > MOST_PAIRS {
            let allowed =
                format!("{pairs} pairs would communicate, allowed with it: up to {MOST_PAIRS}");
            return Err(Unfit::Problem(Problem::new("", "", allowed)));
        }
        Ok(shares(&members, &targets))
    }
}

/// The group of an endpoint, or its subnet.
fn group_of(network: &Network, endpoint: EndpointId) -> Option<u32> {
    match network.structure() {
        Structure::Groups(groups) => Some(groups.group(network.switch_of(endpoint)?)),
        Structure::Subnets(subnets) => subnets.subnet_of(network, endpoint),
        _ => None,
    }
}

/// What each rank sends to each of its target group.
#[cfg(feature = "complete")]
fn shares(members: &[Vec<Rank>], targets: &[Option<usize>]) -> Destinations {
    let row = |(rank, target): (u32, &Option<usize>)| -> Vec<(Rank, f64)> {
        let theirs = target.map_or(&[][..], |target| &members[target]);
        let others = theirs.iter().filter(|to| to.0 != rank);
        let share = 1.0 / others.clone().count().max(1) as f64;
        others.map(|to| (*to, share)).collect()
    };
    Destinations::Weighted((0..).zip(targets).map(row).collect())
}

#[cfg(not(feature = "complete"))]
fn shares(_members: &[Vec<Rank>], _targets: &[Option<usize>]) -> Destinations {
    Destinations::Fixed(Vec::new())
}
