//! The paths of every pair of endpoints as comma-separated values.

use std::fmt::Write;

use super::{Meant, PathStep, Tracer};
use crate::interchange::csv::cell;
use crate::network::{EndpointId, Node};

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
        let mut text = Tracer::CSV_HEAD.to_owned();
        self.network.endpoints().for_each(|source| self.csv_from(source, &mut text));
        text
    }

    /// The header of [`csv`](Self::csv).
    pub const CSV_HEAD: &str = "source,destination,rail,probability,links,switches,problem\n";

    /// Adds the lines of [`csv`](Self::csv) of the pairs with this source.
    pub fn csv_from(&self, source: EndpointId, text: &mut String) {
        let network = &self.network;
        let meant = |endpoint| Meant { node: Node::Endpoint(endpoint), port: None };
        let is_live = |endpoint: &EndpointId| network.injection(*endpoint).is_some();
        if !is_live(&source) {
            return;
        }
        let others = network.endpoints().filter(|other| is_live(other) && *other != source);
        for destination in others {
            let Ok(report) = self.trace(meant(source), meant(destination)) else { continue };
            let [from, to] = [&report.source, &report.destination].map(|end| cell(&end.name));
            for path in &report.paths {
                let (rail, share, hops) = (path.rail, path.probability, path.hops);
                let switches = cell(&switches(&path.steps));
                let problem = cell(path.problem.as_deref().unwrap_or_default());
                // Writing to a string does not fail.
                let _ = writeln!(text, "{from},{to},{rail},{share},{hops},{switches},{problem}");
            }
        }
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
