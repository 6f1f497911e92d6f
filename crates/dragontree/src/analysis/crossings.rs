//! How many messages leave the parts of a fabric in each phase of an exchange (Prisacari 2020, §2.2 and
//! §2.3.1).

use serde::{Deserialize, Serialize};

use crate::network::{EndpointId, Network, Structure};
use crate::units::Rank;

/// Messages that leave the parts of one level: the subtrees below it in a tree, the switches or groups of
/// a dragonfly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crossings {
    /// What the parts are: `level 1` and so on, `switch` or `group`.
    pub level: String,
    /// How many parts there are.
    pub parts: u32,
    /// For each phase the messages from one part to another.
    pub per_phase: Vec<u32>,
    /// For each phase the most messages that leave one part or enter one.
    pub busiest: Vec<u32>,
}

impl Crossings {
    /// Those of every level below the highest, the lowest first; none where the network is no tree and
    /// has no groups.
    pub fn of<P: Iterator<Item = Vec<(Rank, Rank)>>>(
        network: &Network,
        placement: &[EndpointId],
        phases: impl Fn() -> P,
    ) -> Vec<Crossings> {
        let by = |level: String, parts: u32, part: &dyn Fn(EndpointId) -> u32| {
            let part: Vec<u32> = placement.iter().map(|endpoint| part(*endpoint)).collect();
            Crossings::count(level, parts, &part, phases())
        };
        match network.structure() {
            Structure::Tree(tree) => (1..tree.levels())
                .map(|level| {
                    let parts = ((level + 1)..=tree.levels()).map(|above| tree.children(above));
                    by(format!("level {level}"), parts.product(), &|endpoint| {
                        tree.subtree(level, endpoint)
                    })
                })
                .collect(),
            Structure::Groups(groups) => {
                let switch = |endpoint| groups.switch_of(endpoint);
                vec![
                    by("switch".to_owned(), network.switch_count(), &|endpoint| switch(endpoint).0),
                    by("group".to_owned(), groups.group_count, &|endpoint| {
                        groups.group(switch(endpoint))
                    }),
                ]
            }
            _ => Vec::new(),
        }
    }

    fn count(
        level: String,
        parts: u32,
        part: &[u32],
        phases: impl Iterator<Item = Vec<(Rank, Rank)>>,
    ) -> Crossings {
        let (mut per_phase, mut busiest) = (Vec::new(), Vec::new());
        let mut flows = vec![[0_u32; 2]; parts as usize];
        for phase in phases {
            let mut crossing = 0;
            for (from, to) in phase {
                let [from, to] = [from, to].map(|rank| part[rank.0 as usize]);
                if to != from {
                    crossing += 1;
                    flows[from as usize][0] += 1;
                    flows[to as usize][1] += 1;
                }
            }
            per_phase.push(crossing);
            busiest.push(flows.iter().flatten().copied().max().unwrap_or(0));
            flows.fill([0; 2]);
        }
        Crossings { level, parts, per_phase, busiest }
    }
}
