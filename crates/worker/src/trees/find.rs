//! Finding them.

use dragontree::network::extraction::{Fabric, extract};
use dragontree::network::{Network, Node, Structure};

use super::Tree;

/// More deviations of one tree than this are only counted.
const MOST: usize = 500;

/// The trees of a network that does not say itself what it is, and of a tree where `broken` says
/// that something of it is missing.
pub fn trees(network: &Network, broken: bool) -> Vec<Tree> {
    let asked = match network.structure() {
        Structure::Irregular => true,
        Structure::Tree(_) => broken,
        _ => false,
    };
    let fabrics = if asked { extract(network).fabrics } else { Vec::new() };
    let several = fabrics.len() > 1;
    fabrics.iter().map(|fabric| tree(network, fabric, several)).collect()
}

fn tree(network: &Network, fabric: &Fabric, several: bool) -> Tree {
    let first = fabric.switches.first().filter(|_| several);
    let found = fabric.found.as_ref();
    let deviations = found.map(|tree| tree.deviations()).unwrap_or_default();
    Tree {
        from: first.map(|switch| network.name(Node::Switch(*switch))),
        switches: fabric.switches.len() as u32,
        found: found.map(ToString::to_string).map_err(|reason| reason.text(network)),
        deviations: deviations.iter().take(MOST).map(|each| each.text(network)).collect(),
        count: deviations.len() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree::scenario::Study;

    fn found(text: &str, broken: bool) -> Vec<Tree> {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        trees(&plan.jobs[0].scenario().network().unwrap(), broken)
    }

    #[test]
    fn a_broken_tree_names_what_is_missing() {
        let text = "topology=xgft,m=2.2,w=1.2 load=0.1";
        assert_eq!(found(text, false), []);
        let trees = found(&format!("{text} faults=list,link=0-2"), true);
        assert_eq!(trees.len(), 1);
        assert_eq!(trees[0].found, Ok("m=2.2 w=1.2 p=1.1".to_owned()));
        assert_eq!((trees[0].count, trees[0].from.clone()), (1, None));
        let missing = "switch 0 of level 1 has 0 links to switch 0 of level 2";
        assert!(trees[0].deviations[0].starts_with(missing), "{:?}", trees[0].deviations);
    }

    #[test]
    fn what_is_no_tree_says_why() {
        let trees = found("topology=imported load=0.1", false);
        assert_eq!(trees.len(), 1);
        assert!(trees[0].found.is_err(), "a ring is no tree");
    }
}
