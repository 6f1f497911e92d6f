//! What is told of the cables: trees and pieces.

use super::report::{DeviationReport, Piece, TreeReport};
use crate::analysis::rails::Rail;
use crate::network::extraction::{Deviation, Extraction, Fabric};
use crate::network::{Network, Node, PortId, Structure, SwitchId};

/// The most deviations that are listed for a tree.
const MOST_LISTED: usize = 500;

/// Whether a network may be meant as a fat tree.
pub(super) fn may_be_tree(network: &Network) -> bool {
    matches!(
        network.structure(),
        Structure::Irregular | Structure::Tree(_) | Structure::Layered(_) | Structure::Subnets(_)
    )
}

/// The trees that are found, with what deviates from them.
pub(super) fn trees(network: &Network, extraction: &Extraction) -> Vec<TreeReport> {
    let of_fabric = |fabric: &Fabric| {
        let (tree, reason, deviations) = match &fabric.found {
            Ok(tree) => (Some(tree.to_string()), None, tree.deviations()),
            Err(reason) => (None, Some(reason.text(network)), &[][..]),
        };
        let report = |deviation: &Deviation| DeviationReport {
            kind: kind(deviation).to_owned(),
            text: deviation.text(network),
        };
        TreeReport {
            first: fabric.switches.first().map_or_else(String::new, |first| name(network, *first)),
            switches: fabric.switches.len() as u32,
            tree,
            reason,
            deviations: deviations.iter().take(MOST_LISTED).map(report).collect(),
            deviation_count: deviations.len() as u32,
        }
    };
    extraction.fabrics.iter().map(of_fabric).collect()
}

fn name(network: &Network, switch: SwitchId) -> String {
    network.name(Node::Switch(switch))
}

fn kind(deviation: &Deviation) -> &'static str {
    match deviation {
        Deviation::Links { present, usual, .. } if present < usual => "missing",
        Deviation::Links { .. } => "surplus",
        Deviation::Misplaced { .. } => "miscabled",
        Deviation::Slow { .. } => "slow",
        Deviation::Endpoints { .. } | Deviation::Above { .. } | Deviation::SeveralLeaves { .. } => {
            "endpoints"
        }
        Deviation::Children { .. } | Deviation::Parents { .. } | Deviation::Outside { .. } => {
            "switches"
        }
    }
}

/// The parts of a rail that no cable joins, those with endpoints.
pub(super) fn pieces(network: &Network, rail: &Rail) -> Vec<Piece> {
    let mut endpoints = vec![0; network.switch_count() as usize];
    for port in rail.ports.iter().flatten() {
        if let Some(Node::Switch(switch)) = network.neighbor(*port) {
            endpoints[switch.index()] += 1;
        }
    }
    let mut seen = vec![false; endpoints.len()];
    let mut pieces = Vec::new();
    for first in &rail.switches {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        let (mut switches, mut next) = (vec![*first], 0);
        while let Some(switch) = switches.get(next).copied() {
            next += 1;
            for port in network.ports(Node::Switch(switch)).map(PortId) {
                if let Some(Node::Switch(other)) = network.neighbor(port)
                    && !std::mem::replace(&mut seen[other.index()], true)
                {
                    switches.push(other);
                }
            }
        }
        let count = switches.iter().map(|switch| endpoints[switch.index()]).sum();
        if count > 0 {
            let first = name(network, *first);
            pieces.push(Piece { first, switches: switches.len() as u32, endpoints: count });
        }
    }
    pieces
}
