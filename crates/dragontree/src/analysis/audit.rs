//! The audit of a fabric and its routes: what is wrong with it, uneven, or deviates from the tree
//! that is meant; and the comparison of all engines on one fabric.
//!
//! ```
//! use dragontree::analysis::{Audit, Question};
//! use dragontree::scenario::Study;
//!
//! let study = Study::parse("topology=xgft,m=4.4,w=1.4 routing=min_hop load=1")?;
//! let plan = study.plan().expect("one run");
//! let scenario = plan.jobs[0].scenario();
//! let network = scenario.network().expect("a network");
//! let routes = scenario.routes(&network).expect("a routing that fits");
//! let report = Audit::new(&network, Ok(&routes), &Question::of("min_hop")).finish();
//! assert_eq!(report.contention.map(|found| found.worst), Some(1.0));
//! assert_eq!(report.acyclic.endpoints, Some(true));
//! # Ok::<(), dragontree::scenario::Problems>(())
//! ```

use std::sync::Arc;

use super::contention::{Contention, switch_levels};
use super::deadlock::{Deadlock, Verdict};
use super::rails::{Rail, rails, rails_of};
use crate::catalog::{Menu, describe};
use crate::network::extraction::{Extraction, extract};
use crate::network::{Lfts, Network, Node, PortId};
use crate::placement::{Contiguous, Placement};
use crate::routing::Routes;
use crate::sorting::{both, sort_by_number};

mod cabling;
mod compare;
mod csv;
mod examination;
mod findings;
mod report;
mod uplinks;

pub use compare::{CompareStep, Comparing, Engine, engines};
pub use csv::comparison_csv;
pub use report::{
    Acyclic, AuditReport, ContentionSummary, CycleStep, DeviationReport, LoadedChannel, Piece,
    RailReport, Remark, Subject, TreeReport, Uplink, Uplinks, Weight,
};

use examination::{Examination, Examined};
use uplinks::Counting;

/// What an audit is to know besides the fabric and the routes.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The name of the routing; empty where none was asked for, so that nothing is missing.
    pub engine: String,
    /// The order in which endpoints take part in the shifts.
    pub placement: Placement,
    /// How many of its places take part; all without a number.
    pub ranks: Option<u32>,
    /// The seed of what is random.
    pub seed: u64,
    /// What was odd in the files of the routes.
    pub notices: Vec<String>,
    /// Whether names and GUIDs are replaced, each by the same everywhere (S1, H1), so that the
    /// report can be shown to others. What was odd in files is only counted then.
    pub anonymized: bool,
}

impl Question {
    /// Endpoints by their ids, nothing odd, names as they are.
    pub fn of(engine: &str) -> Question {
        Question {
            engine: engine.to_owned(),
            placement: Contiguous::default().into(),
            ranks: None,
            seed: 1,
            notices: Vec::new(),
            anonymized: false,
        }
    }

    /// The places of a rail's endpoints.
    fn places(&self, network: &Network, rail: &Rail) -> Result<Vec<Option<PortId>>, String> {
        let places = self.placement.role().places(network, &rail.ports, self.seed);
        let mut places = places.map_err(|needs| needs.to_string())?;
        places.truncate(self.ranks.map_or(usize::MAX, |ranks| ranks as usize));
        Ok(places)
    }

    /// The order in words, as the notation writes it.
    fn order(&self) -> String {
        let mut placement = self.placement.clone();
        let settings = describe(|form| placement.settings(form));
        let mut text = placement.name().to_owned();
        for setting in settings {
            text.push_str(&format!(",{}={}", setting.key, setting.value));
        }
        text
    }
}

/// Looks at a fabric and its routes, a little at a time.
pub struct Audit {
    network: Arc<Network>,
    question: Question,
    extraction: Option<Extraction>,
    examination: Option<Examination>,
    counting: Option<Counting>,
    found: Option<Examined>,
    report: AuditReport,
}

impl Audit {
    /// Begins. Where there are no routes, the report says why, and tells the rest.
    ///
    /// Trees are looked for at once, which takes time in proportion to the links.
    pub fn new(
        network: &Arc<Network>,
        routes: Result<&Arc<Routes>, &str>,
        question: &Question,
    ) -> Audit {
        let network = match question.anonymized {
            true => Arc::new(network.anonymized()),
            false => network.clone(),
        };
        let extraction = cabling::may_be_tree(&network).then(|| extract(&network));
        let levels: Arc<[Option<u32>]> = switch_levels(&network, extraction.as_ref()).into();
        let rails = routes.map_or_else(|_| rails(&network), |routes| rails_of(&network, routes));
        let mut report = AuditReport {
            engine: question.engine.clone(),
            endpoints: network.live_endpoint_count(),
            switches: network.switch_count(),
            links: network.link_count(),
            order: question.order(),
            notices: question.notices.clone(),
            rails: rails.iter().map(|rail| rail_report(&network, rail)).collect(),
            ..AuditReport::default()
        };
        if question.anonymized {
            report.notices.clear();
        }
        let mut audit = Audit {
            question: question.clone(),
            extraction,
            examination: None,
            counting: None,
            found: None,
            report,
            network,
        };
        match routes {
            Ok(routes) => {
                let network = &audit.network;
                audit.report.layers = Some(u32::from(routes.route().virtual_channels()));
                let lfts: Option<Arc<Lfts>> = routes.oblivious().lfts();
                audit.counting = lfts.and_then(|lfts| Counting::new(network, lfts, &levels));
                let examination = Examination::new(network, routes, &rails, &levels, question);
                audit.examination = Some(examination);
            }
            Err(reason) => {
                let is_meant = !question.engine.is_empty();
                audit.report.findings.push(Remark {
                    weight: if is_meant { Weight::Fault } else { Weight::Note },
                    subject: Subject::Routes,
                    // The reason may have names in it.
                    text: match question.anonymized && is_meant {
                        true => format!("There are no routes by {}.", question.engine),
                        false => format!("There are no routes: {reason}."),
                    },
                });
            }
        }
        audit
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        self.examination.as_ref().map_or(1.0, Examination::share)
    }

    /// Goes on for about `budget` steps of some nanoseconds each; the report when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<AuditReport> {
        if let Some(examination) = &mut self.examination
            && self.found.is_none()
        {
            self.found = Some(examination.advance(budget)?);
            return None;
        }
        if let Some(counting) = &mut self.counting {
            self.report.uplinks = Some(counting.advance(budget)?);
            self.counting = None;
            return None;
        }
        Some(self.conclude())
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> AuditReport {
        loop {
            if let Some(report) = self.advance(u64::MAX) {
                return report;
            }
        }
    }

    fn conclude(&mut self) -> AuditReport {
        let network = &self.network;
        let mut report = std::mem::take(&mut self.report);
        if let Some(extraction) = &self.extraction {
            report.trees = cabling::trees(network, extraction);
        }
        let found = self.found.take().unwrap_or_default();
        report.acyclic = found.acyclic;
        if let Some((_, Deadlock { verdict: Verdict::Cyclic(cycle), .. })) = &found.cycle {
            report.cycle = cycle.iter().map(|step| cycle_step(network, step)).collect();
        }
        [report.endpoint_pairs, report.switch_pairs] = found.pairs();
        report.contention = found.worst_contention();
        let left_out = found.left_out.clone();
        let scope = found.cycle.as_ref().map(|(scope, _)| *scope);
        self.fill_rails(&mut report, found);
        findings::add(&mut report, &self.question, scope, left_out.as_deref());
        report
    }

    fn fill_rails(&self, report: &mut AuditReport, found: Examined) {
        let Some(examination) = &self.examination else { return };
        for (rail, places) in report.rails.iter_mut().zip(examination.places()) {
            rail.places = places.as_ref().map_or(0, |places| places.len() as u32);
        }
        for (rail, connectivity) in report.rails.iter_mut().zip(found.connectivity) {
            rail.connectivity = connectivity;
        }
        for (rail, contention) in report.rails.iter_mut().zip(found.contention) {
            match contention {
                Ok(contention) => {
                    load(&self.network, &contention, rail);
                    rail.contention = Some(contention);
                }
                Err(reason) => rail.contention_unknown = Some(reason),
            }
        }
    }
}

fn rail_report(network: &Network, rail: &Rail) -> RailReport {
    RailReport {
        endpoints: rail.ports.iter().flatten().count() as u32,
        switches: rail.switches.len() as u32,
        pieces: cabling::pieces(network, rail),
        ..RailReport::default()
    }
}

fn place(network: &Network, port: PortId) -> [u32; 2] {
    match network.owner(port) {
        Node::Switch(switch) => [switch.0, network.number(port)],
        Node::Endpoint(endpoint) => [endpoint.0, network.number(port)],
    }
}

fn neighbor(network: &Network, port: PortId) -> String {
    network.neighbor(port).map_or_else(String::new, |node| network.name(node))
}

fn cycle_step(network: &Network, step: &super::deadlock::Dependency) -> CycleStep {
    let port = step.holds.port;
    CycleStep {
        switch: network.name(network.owner(port)),
        port: network.shown_number(port),
        to: neighbor(network, port),
        virtual_channel: step.holds.vc,
        source: network.name(step.source),
        destination: network.name(step.destination),
        at: place(network, port),
    }
}

/// Lists the channels of a rail that carry the most flows, of equals the first.
fn load(network: &Network, contention: &Contention, rail: &mut RailReport) {
    const MOST_LISTED: usize = 50;
    let several = |(port, flows): (usize, &f64)| {
        // In billionths, so that whole numbers order them.
        (*flows > 1.0 + 1e-9).then_some((u64::MAX - (*flows * 1e9) as u64, port as u32))
    };
    let mut keys: Vec<(u64, u32)> =
        contention.per_channel.iter().enumerate().filter_map(several).collect();
    sort_by_number(&mut keys, |(first, second)| both(*first, u64::from(*second)));
    rail.overloaded = keys.len() as u32;
    keys.truncate(MOST_LISTED);
    let channel = |(_, port): &(u64, u32)| LoadedChannel {
        switch: network.name(network.owner(PortId(*port))),
        port: network.shown_number(PortId(*port)),
        to: neighbor(network, PortId(*port)),
        flows: contention.per_channel[*port as usize],
        at: place(network, PortId(*port)),
    };
    rail.most_loaded = keys.iter().map(channel).collect();
}
