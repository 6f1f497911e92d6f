//! An inspection, a slice at a time.

use std::sync::Arc;

use dragontree::analysis::{
    Audit, AuditReport, CompareStep, Comparing, Contention, PathReport, engines,
};
use dragontree::catalog::{Menu, Problem};
use dragontree::network::{Network, Node, PortId, SwitchId};
use dragontree::routing::{AnyRoutes, Routes, Routing};
use dragontree::scenario::{Experiment, HeldBuffer, Job, Looked, RouteSearch, Scenario};

use super::sending::Sending;
use super::watching::Watching;
use super::{Finding, Inspection, circle, comparison, paths, report};
use crate::fabric;

/// Steps between two looks at the clock: about a millisecond.
const BUDGET: u64 = 300_000;

/// An inspection in progress.
pub struct Inspector {
    /// The network as it is drawn: before anything failed.
    drawn: Network,
    open: Option<u32>,
    engine: String,
    work: Work,
    /// The share of the work that finding the routes is.
    routed: f64,
    /// How many routings had been compared when that was last told.
    told: usize,
}

enum Work {
    /// Routes are being found, for what comes then.
    Routing(Box<RouteSearch>, Box<Meant>),
    Auditing(Box<Audit>, Form),
    Comparing(Box<Comparing>),
    /// The routes of a pair, with their channels.
    Traced(Box<PathReport>, Vec<Vec<PortId>>),
    Watching(Box<Watching>),
    Sending(Box<Sending>),
    /// What waits in a circle.
    Circling(Vec<HeldBuffer>),
}

/// What is to be done with routes.
struct Meant {
    scenario: Scenario,
    network: Arc<Network>,
    what: What,
}

enum What {
    Audit(Form),
    Paths { from: String, to: String },
}

/// The share of finding routes in an inspection, where that takes a search.
const ROUTING: f64 = 0.5;

/// In which form a report is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Markup,
    Csv,
    Json,
    Text,
}

/// What a slice came to.
pub enum Slice {
    /// It goes on: the share that is done, and whether there is something new that should be told
    /// without delay.
    Goes(f64, bool),
    /// It is over.
    Over(Finding),
    /// There is nothing to be found out.
    Refused(Vec<Problem>),
}

/// What is known before the end.
#[derive(Default)]
pub struct News {
    /// In words, as markup; nothing where there is nothing new.
    pub markup: String,
    /// How busy the links are, as in a [`Finding`]'s film; of what is no film nothing.
    pub picture: Vec<u8>,
    /// When that picture ended, in nanoseconds.
    pub end_ns: f64,
}

impl Inspector {
    /// The search for routes of messages, while that goes on.
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.work {
            Work::Sending(sending) => sending.search(),
            _ => None,
        }
    }

    /// Begins an inspection of a run, with what runs before it have found.
    ///
    /// # Errors
    /// There is no such network or file, or a pair is not known.
    pub fn start(
        job: &Job,
        (looked, earlier): (Option<&Looked>, Option<&Experiment>),
        open: Option<u32>,
        what: &Inspection,
    ) -> Result<Inspector, Vec<Problem>> {
        let scenario = job.scenario();
        let network = scenario.network_like(earlier)?;
        let (drawn, _) = scenario.fabric()?;
        let engine = scenario.routing.name().to_owned();
        let what = match what {
            Inspection::Course => {
                let watching = Watching::start(job, earlier, &drawn, open)?;
                let work = Work::Watching(Box::new(watching));
                return Ok(Inspector { drawn, open, engine, work, routed: 0.0, told: 0 });
            }
            Inspection::Sending | Inspection::Phases { .. } => {
                let routed = scenario.routed_like(looked, earlier, &network);
                let first = match what {
                    Inspection::Phases { first } => Some(*first),
                    _ => None,
                };
                let sending = Sending::start(scenario, &network, routed, first)?;
                let work = Work::Sending(Box::new(sending));
                return Ok(Inspector { drawn, open, engine, work, routed: 0.0, told: 0 });
            }
            Inspection::Circle { held } => {
                let work = Work::Circling(held.clone());
                return Ok(Inspector { drawn, open, engine, work, routed: 0.0, told: 0 });
            }
            Inspection::Comparison => None,
            Inspection::Report => Some(What::Audit(Form::Markup)),
            Inspection::File { format } => Some(What::Audit(match format.as_str() {
                "csv" => Form::Csv,
                "json" => Form::Json,
                "anonymized" => Form::Text,
                _ => return Err(vec![Problem::new("format", format, "there is no such")]),
            })),
            Inspection::Paths { from, to } => {
                Some(What::Paths { from: from.clone(), to: to.clone() })
            }
        };
        let work = match what {
            None => {
                let question = scenario.question(&network);
                let engines = engines(&scenario.routing);
                Work::Comparing(Box::new(Comparing::new(&network, engines, &question)))
            }
            Some(what) => Meant { scenario: scenario.clone(), network, what }.begin()?,
        };
        let routed = if matches!(work, Work::Routing(..)) { ROUTING } else { 0.0 };
        Ok(Inspector { drawn, open, engine, work, routed, told: 0 })
    }

    /// Goes on until the clock, in milliseconds, has reached `end`.
    pub fn work(&mut self, clock: &dyn Fn() -> f64, end: f64) -> Slice {
        loop {
            let began = clock();
            match &mut self.work {
                Work::Traced(report, ways) => {
                    let (trails, bundles) = fabric::trails(&self.drawn, ways, self.open);
                    let markup = paths::paths(report);
                    return Slice::Over(Finding { markup, trails, bundles, ..Finding::default() });
                }
                Work::Circling(held) => {
                    return Slice::Over(circle::circle(&self.drawn, held, self.open));
                }
                Work::Routing(search, meant) => {
                    if let Some(found) = search.advance(BUDGET) {
                        match meant.go_on(meant.fixed(found)) {
                            Ok(work) => self.work = work,
                            Err(problems) => return Slice::Refused(problems),
                        }
                    }
                }
                Work::Auditing(audit, form) => {
                    if let Some(found) = audit.advance(BUDGET) {
                        let form = *form;
                        return Slice::Over(self.conclude(&found, form));
                    }
                }
                Work::Watching(watching) => match watching.advance() {
                    Ok(None) => {}
                    Ok(Some(finding)) => return Slice::Over(finding),
                    Err(problems) => return Slice::Refused(problems),
                },
                Work::Sending(sending) => match sending.advance(BUDGET, clock) {
                    Ok(None) => {}
                    Ok(Some(finding)) => return Slice::Over(finding),
                    Err(problems) => return Slice::Refused(problems),
                },
                Work::Comparing(comparing) => match comparing.advance(BUDGET) {
                    CompareStep::Done => {
                        let markup = comparison::comparison(comparing.done(), &self.engine);
                        return Slice::Over(Finding { markup, ..Finding::default() });
                    }
                    CompareStep::Routing => comparing.took((clock() - began) / 1000.0),
                    CompareStep::Working => {}
                },
            }
            if clock() >= end {
                return self.progress();
            }
        }
    }

    fn progress(&mut self) -> Slice {
        match &self.work {
            Work::Comparing(comparing) => {
                let done = comparing.done().len();
                let is_new = std::mem::replace(&mut self.told, done) != done;
                Slice::Goes(comparing.share(), is_new)
            }
            Work::Routing(search, _) => Slice::Goes(ROUTING * search.share(), false),
            Work::Auditing(audit, _) => {
                Slice::Goes(self.routed + (1.0 - self.routed) * audit.share(), false)
            }
            Work::Traced(..) | Work::Circling(_) => Slice::Goes(1.0, false),
            Work::Watching(watching) => Slice::Goes(watching.share(), false),
            Work::Sending(sending) => Slice::Goes(sending.share(), false),
        }
    }

    /// What is known so far.
    pub fn news(&self) -> News {
        match &self.work {
            Work::Comparing(comparing) => {
                let markup = comparison::comparison(comparing.done(), &self.engine);
                News { markup, ..News::default() }
            }
            Work::Watching(watching) => watching.news(),
            _ => News::default(),
        }
    }

    fn conclude(&self, found: &AuditReport, form: Form) -> Finding {
        let markup = match form {
            Form::Csv => found.csv(),
            Form::Json => json(found),
            Form::Text => report::plain(found),
            Form::Markup => return self.shown(found),
        };
        Finding { markup, ..Finding::default() }
    }

    /// The report as markup, with what it shows in the drawing.
    fn shown(&self, found: &AuditReport) -> Finding {
        let mut flows = vec![0.0_f64; self.drawn.port_count() as usize];
        for contention in found.rails.iter().filter_map(|rail| rail.contention.as_ref()) {
            let Contention { per_channel, .. } = contention;
            for (most, own) in flows.iter_mut().zip(per_channel) {
                *most = most.max(*own);
            }
        }
        let (loads, most) = fabric::flows(&self.drawn, &flows, self.open);
        let channel =
            |at: [u32; 2]| PortId(self.drawn.ports(Node::Switch(SwitchId(at[0]))).start + at[1]);
        let cycle = found.cycle.iter().map(|step| channel(step.at)).collect();
        let (trails, bundles) = fabric::trails(&self.drawn, &[cycle], self.open);
        let markup = report::report(found);
        let flows = Some(loads.into());
        Finding { markup, flows, most, trails, bundles, ..Finding::default() }
    }
}

impl Meant {
    /// Begins to find the routes, and goes on where that takes no search.
    fn begin(self) -> Result<Work, Vec<Problem>> {
        let (scenario, network) = (&self.scenario, &self.network);
        if matches!(scenario.routing, Routing::Imported(_)) {
            return self.go_on(scenario.routes_with_notices(network));
        }
        if let What::Audit(_) = self.what
            && let Err(problems) = scenario.check_for_pairs()
        {
            return self.go_on(Err(problems));
        }
        let mut search = scenario.search_routes(network)?;
        match search.advance(0) {
            Some(found) => self.go_on(self.fixed(found)),
            None => Ok(Work::Routing(Box::new(search), Box::new(self))),
        }
    }

    /// The routes that a search has found, in which nothing is odd.
    fn fixed(
        &self,
        found: Result<AnyRoutes, Vec<Problem>>,
    ) -> Result<(Arc<Routes>, Vec<String>), Vec<Problem>> {
        Ok((self.scenario.fixed(&found?)?, Vec::new()))
    }

    /// Goes on with routes and what is odd in their files; an audit also where there are none.
    fn go_on(
        &self,
        found: Result<(Arc<Routes>, Vec<String>), Vec<Problem>>,
    ) -> Result<Work, Vec<Problem>> {
        let Meant { scenario, network, what } = self;
        match what {
            What::Audit(form) => Ok(audit(scenario, network, found, *form)),
            What::Paths { from, to } => {
                let report = paths::find(network, &found?.0, from, to)?;
                let ways = paths::ways(network, &report);
                Ok(Work::Traced(Box::new(report), ways))
            }
        }
    }
}

fn audit(
    scenario: &Scenario,
    network: &Arc<Network>,
    found: Result<(Arc<Routes>, Vec<String>), Vec<Problem>>,
    form: Form,
) -> Work {
    let mut question = scenario.question(network);
    question.anonymized = form == Form::Text;
    let in_words = |problems: Vec<Problem>| {
        problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("; ")
    };
    let routes = found.map_err(in_words).map(|(routes, notices)| {
        question.notices = notices;
        routes
    });
    let routes = routes.as_ref().map_err(String::as_str);
    Work::Auditing(Box::new(Audit::new(network, routes, &question)), form)
}

/// The report in JSON, by the browser's own writer; nothing where there is none.
fn json(report: &AuditReport) -> String {
    use serde::Serialize;
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    let value = report.serialize(&serializer).ok();
    let text = value.and_then(|value| js_sys::JSON::stringify(&value).ok());
    text.map(String::from).unwrap_or_default()
}
