//! What only a complete worker does: files, and which parts fit a network.

use std::sync::Arc;

use dragontree::catalog::{Menu, Part, Problem};
use dragontree::faults::Intact;
use dragontree::interchange::Writing;
use dragontree::network::Network;
use dragontree::scenario::Scenario;

use super::{Bench, answer, refused};
use crate::files;
use crate::protocol::{Misfit, Reply, Request};
use crate::trees::{Tree, trees};

impl Bench {
    /// Takes a request that a small worker cannot serve.
    pub(super) fn handle_large(
        &mut self,
        request: Request,
        clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        match request {
            Request::Export { generation, text, job, format } => {
                Some(answer(generation, job, self.export(generation, &text, job, &format)))
            }
            Request::Inspect { generation, text, job, open, what } => {
                self.inspect(generation, (&text, job), open, &what)
            }
            Request::Open { generation, files } => Some(match files::open(&files) {
                Ok(opened) => Reply::Opened { generation, opened },
                Err(problems) => refused(generation, 0, problems),
            }),
            Request::Estimate { generation, text } => Some(self.estimate(generation, &text, clock)),
            Request::Keep { file } => {
                self.files.add(file.name, &file.text);
                self.study = None;
                None
            }
            _ => None,
        }
    }

    fn export(
        &mut self,
        generation: u32,
        text: &str,
        job: u32,
        format: &str,
    ) -> Result<Reply, Vec<Problem>> {
        let work = self.job(text, job)?;
        let network = work.scenario().network_like(self.earlier.as_ref())?;
        let Writing { text, losses } = files::write(work.scenario(), &network, format)?;
        let format = format.to_owned();
        Ok(Reply::Exported { generation, job, format, text, losses })
    }
}

/// The parts of the catalog that do not work on a scenario's network, and the fat trees in that.
pub(super) fn fits(scenario: &Scenario, network: &Arc<Network>) -> (Vec<Misfit>, Vec<Tree>) {
    let broken = scenario.faults.name() != Intact.name();
    (misfits(scenario, network), trees(network, broken))
}

fn misfits(scenario: &Scenario, network: &Arc<Network>) -> Vec<Misfit> {
    let misfit = |part: &str| {
        let mut other = scenario.clone();
        other.choose("routing", part).ok()?;
        let needs = other.routing.role().fits(network).err()?;
        Some(Misfit { key: "routing".to_owned(), part: part.to_owned(), reason: needs.to_string() })
    };
    let parts = Scenario::parts("routing");
    parts.iter().filter_map(|part| misfit(part.name)).collect()
}
