//! The paths of every pair of endpoints as comma-separated values.

use std::fmt::Write;

use super::{Meant, PathStep, Tracer};
use crate::interchange::csv::cell;
use crate::network::Node;

impl Tracer {
    /// How many ordered pairs of endpoints there are.
    pub fn pair_count(&self) -> u64 {
        let count = u64::from(self.network.live_endpoint_count());
        count * count.saturating_sub(1)
    }

    /// A header, and a line for each path of each pair of endpoints:
    /// `source,destination,rail,probability,links,switches,problem`. The switches are those passed,
    /// each with the port by which packets leave and their virtual channel.
    pub fn csv(&self) -> String {
        let network = &self.network;
        let live = || network.endpoints().filter(|each| network.injection(*each).is_some());
        let meant = |endpoint| Meant { node: Node::Endpoint(endpoint), port: None };
        let mut text = "source,destination,rail,probability,links,switches,problem\n".to_owned();
        for source in live() {
            for destination in live().filter(|other| *other != source) {
                let Ok(report) = self.trace(meant(source), meant(destination)) else { continue };
                let [from, to] = [&report.source, &report.destination].map(|end| cell(&end.name));
                for path in &report.paths {
                    let (rail, share, hops) = (path.rail, path.probability, path.hops);
                    let switches = cell(&switches(&path.steps));
                    let problem = cell(path.problem.as_deref().unwrap_or_default());
                    // Writing to a string does not fail.
                    let _ =
                        writeln!(text, "{from},{to},{rail},{share},{hops},{switches},{problem}");
                }
            }
        }
        text
    }
}

fn switches(steps: &[PathStep]) -> String {
    let word = |step: &PathStep| {
        let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
        let vc = number(step.virtual_channel.map(u32::from));
        format!("{} [{}] vc {vc}", step.node.name, number(step.out_port))
    };
    let words: Vec<String> = steps.iter().filter(|step| step.is_switch).map(word).collect();
    words.join("; ")
}
