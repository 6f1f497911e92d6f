//! Which of several guesses at the levels gives the best trees.

use super::component::Component;
use super::found::ExtractedTree;
use super::labels::{Grown, Labels};
use super::levels::{HIGHEST, Levels, guesses};
use super::pods::Pods;
use super::survey::Survey;
use super::{Deviation, Fabric, NotATree, assemble};
use crate::network::{Network, SwitchId};

/// The trees of a component, or why it is none.
pub(super) fn fabrics(network: &Network, component: &Component) -> Vec<Fabric> {
    let mut tried: Vec<Levels> = Vec::new();
    let mut best: Option<Fit> = None;
    let mut reason = None;
    for guess in guesses(component) {
        let levels = guess(component);
        if tried.contains(&levels) {
            continue;
        }
        tried.push(levels.clone());
        match Fit::new(network, component, levels) {
            Ok(fit) if best.as_ref().is_none_or(|best| fit.cost < best.cost) => best = Some(fit),
            Ok(_) => {}
            Err(why) => {
                reason.get_or_insert(why);
            }
        }
        if best.as_ref().is_some_and(|best| best.cost == 0) {
            break;
        }
    }
    match best {
        Some(fit) => fit
            .trees
            .into_iter()
            .map(|(switches, tree)| Fabric { switches, found: Ok(tree) })
            .collect(),
        None => {
            let switch = component.switches[0];
            let found = Err(reason.unwrap_or(NotATree::NoEndpoints { switch }));
            vec![Fabric { switches: component.switches.clone(), found }]
        }
    }
}

/// The trees that follow from the levels, each with its switches, and how much deviates.
struct Fit {
    trees: Vec<(Vec<SwitchId>, ExtractedTree)>,
    cost: u64,
}

impl Fit {
    fn new(network: &Network, component: &Component, levels: Levels) -> Result<Fit, NotATree> {
        let highest = (0..component.len()).max_by_key(|switch| levels[*switch as usize]);
        if let Some(highest) = highest
            && levels[highest as usize] > HIGHEST
        {
            let (switch, level) = (component.switches[highest as usize], levels[highest as usize]);
            return Err(NotATree::TooHigh { switch, level });
        }
        let pods = Pods::find(component, levels);
        check_levels(component, &pods)?;
        let mut labels: Labels = vec![None; component.switches.len()];
        let mut grown = Vec::new();
        for (height, root) in pods.trees() {
            let tree = Grown::new((network, component), &pods, (height, root), &mut labels);
            let top = pods.of_height(height)[root].tops[0];
            let switch = component.switches[top as usize];
            grown.push(tree.ok_or(NotATree::Sparse { switch })?);
        }
        let survey = Survey::new((network, component), &pods, &grown, &labels)?;
        let mut cost = survey.cost + grown.len() as u64 - 1;
        let trees = assemble::trees((network, component), &pods, (&grown, &labels), survey)?;
        let deviations = trees.iter().flat_map(|(_, tree)| tree.deviations());
        let above = |deviation: &&Deviation| matches!(deviation, Deviation::Above { .. });
        cost += deviations.filter(above).count() as u64;
        Ok(Fit { trees, cost })
    }
}

/// Refuses levels that do not follow one another along more than a quarter of the links.
fn check_levels(component: &Component, pods: &Pods) -> Result<(), NotATree> {
    let mut first = None;
    let mut wrong = 0;
    for (switch, neighbors) in (0..).zip(&component.neighbors) {
        for (peer, links) in neighbors.iter().filter(|(peer, _)| *peer > switch) {
            let (level, peer_level) = (pods.levels[switch as usize], pods.levels[*peer as usize]);
            let side_by_side = pods.siblings[switch as usize] == Some(*peer);
            if level.abs_diff(peer_level) != 1 && !side_by_side {
                wrong += u64::from(*links);
                let [switch, peer] = [switch, *peer].map(|each| component.switches[each as usize]);
                first.get_or_insert(NotATree::Levels { switch, level, peer, peer_level });
            }
        }
    }
    match first {
        Some(reason) if 4 * wrong > component.link_count() => Err(reason),
        _ => Ok(()),
    }
}
