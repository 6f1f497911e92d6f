//! What only a complete worker does: files, and which parts fit a network.

use std::sync::Arc;

use dragontree::catalog::{Menu, Part};
use dragontree::faults::Intact;
use dragontree::network::Network;
use dragontree::scenario::{KEYS, Key, Running, Scenario, csv};

use super::{Bench, Fitting, answer, refused};
use crate::protocol::{Remark, Reply, Request, Utilization};
use crate::trees::trees;
use crate::{fabric, files};

impl Bench {
    /// Takes a request that a small worker cannot serve.
    pub(super) fn handle_large(
        &mut self,
        request: Request,
        clock: &dyn Fn() -> f64,
    ) -> Option<Reply> {
        match request {
            Request::Export { generation, text, job, format } => {
                self.export(generation, (&text, job), format, clock)
            }
            Request::Inspect { generation, text, job, open, what } => {
                self.inspect(generation, (&text, job), open, &what)
            }
            Request::Open { generation, files } => Some(match files::open(&files) {
                Ok(opened) => Reply::Opened { generation, opened },
                Err(problems) => refused(generation, 0, problems),
            }),
            Request::Utilization { generation, text, job, open, busy } => {
                let found = self.job(&text, job).and_then(|job| job.scenario().fabric());
                let loads = found.map(|(network, _)| fabric::busy(&network, &busy, open).into());
                let reply = |parcel| Reply::Fabric { generation, job, open, loads: true, parcel };
                Some(answer(generation, job, loads.map(reply)))
            }
            Request::Table { generation, records } => {
                let (name, text) = ("dragontree.csv".to_owned(), csv(&records));
                Some(Reply::Exported { generation, job: 0, name, text, losses: Vec::new() })
            }
            Request::Estimate { generation, text } => Some(self.estimate(generation, &text, clock)),
            Request::Keep { file } => {
                self.files.add(file.name, &file.text);
                self.study = None;
                None
            }
            _ => None,
        }
    }
}

/// How busy the channels of a run were, where no bound says what they carry.
pub(super) fn busy(running: &Running) -> Option<Utilization> {
    let experiment = running.experiment()?;
    let is_known = experiment.analysis().limit.is_some();
    (!is_known).then(|| Utilization::of(experiment.network(), &running.utilization()?)).flatten()
}

/// The parts of the catalog that do not work on a scenario's network, the fat trees in that, and
/// what settings do.
pub(super) fn fits(scenario: &Scenario, network: &Arc<Network>) -> Fitting {
    let broken = scenario.faults.name() != Intact.name();
    Fitting { misfits: misfits(scenario, network), trees: trees(network, broken), help: help() }
}

fn misfits(scenario: &Scenario, network: &Arc<Network>) -> Vec<Remark> {
    let misfit = |part: &str| {
        let mut other = scenario.clone();
        other.choose("routing", part).ok()?;
        let needs = other.routing.role().fits(network).err()?;
        Some(remark("routing", part, "", &needs.to_string()))
    };
    let parts = Scenario::parts("routing");
    parts.iter().filter_map(|part| misfit(part.name)).collect()
}

/// What each part is and each setting does: a module without all parts leaves these sentences out.
fn help() -> Vec<Remark> {
    let of_key = |key: &'static Key| {
        let parts = Scenario::parts(key.name);
        let own = match parts.len() {
            0 => Scenario::default().describe(key.name),
            _ => Vec::new(),
        };
        let about: Vec<Remark> =
            parts.iter().map(|part| remark(key.name, part.name, "", part.help)).collect();
        let parts = parts.into_iter().map(|part| (part.name, part.settings));
        about.into_iter().chain(parts.chain([("", own)]).flat_map(move |(part, settings)| {
            settings.into_iter().map(move |each| remark(key.name, part, each.key, each.help))
        }))
    };
    KEYS.iter().flat_map(of_key).collect()
}

fn remark(key: &str, part: &str, setting: &str, text: &str) -> Remark {
    let [key, part, setting, text] = [key, part, setting, text].map(str::to_owned);
    Remark { key, part, setting, text }
}
