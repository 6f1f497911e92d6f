//! Writing them, a slice at a time.

use std::sync::Arc;

use dragontree::analysis::Tracer;
use dragontree::catalog::{Menu, Problem};
use dragontree::interchange::{self, Format, Writing};
use dragontree::network::{EndpointId, Network};
use dragontree::routing::Routes;
use dragontree::scenario::{
    Certifying, MessageWays, RouteSearch, Routed, Scenario, TablesFile, WaysFormat,
};

/// The most pairs of endpoints whose paths or service levels are written, and the most messages: on
/// usual trees their ways take not much less than [`MOST_MEGABYTES`].
const MOST_PAIRS: u64 = 1_200_000;

/// The longest file: browsers hold no text twice as long.
const MOST_MEGABYTES: usize = 250;

/// The share of finding routes, where that takes a search, in the whole.
const ROUTING: f64 = 0.7;

/// A scenario's network as a file, or its routes as forwarding tables, pair by pair or message by
/// message, or how good they are.
pub struct Writer {
    scenario: Scenario,
    network: Arc<Network>,
    kind: Kind,
    step: Step,
    text: String,
    /// The share of the work that finding routes was.
    before: f64,
}

/// What is written of routes.
#[derive(Clone, Copy)]
enum Kind {
    Tables,
    Levels,
    Paths,
    Certificate,
    Ways(WaysFormat),
}

enum Step {
    Routing(Box<RouteSearch>),
    /// The forwarding tables from this one on.
    Tabulating(Box<TablesFile>, u32),
    /// The paths from this endpoint on.
    Tracing(Box<Tracer>, u32),
    /// The ways of messages from this part on.
    Telling(Box<MessageWays>, u32),
    Certifying(Box<Certifying>),
    Written(Writing),
}

impl Default for Step {
    fn default() -> Step {
        Step::Written(Writing::default())
    }
}

impl Writer {
    /// Begins with a format, for which routes may have to be found.
    ///
    /// # Errors
    /// There is no such format, there are no routes, these are no tables, or there are too many pairs
    /// or messages.
    pub fn start(
        scenario: &Scenario,
        network: &Arc<Network>,
        routed: &dyn Fn() -> Result<Routed, Vec<Problem>>,
        format: &str,
    ) -> Result<Writer, Vec<Problem>> {
        let ways = WaysFormat::ALL.into_iter().find(|known| known.name() == format);
        let kind = match format {
            "lfts" => Some(Kind::Tables),
            "levels" => Some(Kind::Levels),
            "paths" => Some(Kind::Paths),
            "certificate" => Some(Kind::Certificate),
            _ => ways.map(Kind::Ways),
        };
        let mut writer = Writer {
            scenario: scenario.clone(),
            network: network.clone(),
            kind: kind.unwrap_or(Kind::Tables),
            step: Step::default(),
            text: String::new(),
            before: 0.0,
        };
        match kind {
            None => writer.step = Step::Written(fabric(network, format)?),
            Some(kind) => {
                match kind {
                    Kind::Tables => {}
                    Kind::Levels | Kind::Paths => scenario.check_pairs(network, MOST_PAIRS)?,
                    Kind::Ways(WaysFormat::JsonLines) => {
                        // Its lines are twice as long.
                        scenario.check_messages(network, MOST_PAIRS / 2)?;
                    }
                    Kind::Ways(_) | Kind::Certificate => {
                        scenario.check_messages(network, MOST_PAIRS)?;
                    }
                }
                match routed()? {
                    Routed::Found(routes) => writer.begin(&scenario.fixed(&routes)?)?,
                    Routed::Searching(search) => writer.step = Step::Routing(search),
                }
            }
        }
        Ok(writer)
    }

    /// Goes on for about `budget` steps of some ten nanoseconds each, or by one switch, one source or one
    /// part of the messages; the file when it is whole.
    ///
    /// # Errors
    /// There are no routes, or these cannot be written so.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Writing>, Vec<Problem>> {
        match &mut self.step {
            Step::Routing(search) => {
                if let Some(found) = search.advance(budget) {
                    self.before = ROUTING;
                    self.begin(&self.scenario.fixed(&found?)?)?;
                }
            }
            Step::Tabulating(file, next) if *next < file.tables() => {
                file.table(*next, &mut self.text);
                *next += 1;
            }
            Step::Tabulating(..) => {
                if let Step::Tabulating(file, _) = std::mem::take(&mut self.step) {
                    let text = std::mem::take(&mut self.text);
                    self.step = Step::Written(file.finish(text));
                }
            }
            Step::Tracing(tracer, next) => {
                tracer.csv_from(EndpointId(*next), &mut self.text);
                *next += 1;
                if *next >= self.network.endpoint_count() {
                    self.conclude();
                }
            }
            Step::Telling(ways, next) => {
                let Kind::Ways(format) = self.kind else { return Ok(None) };
                self.text.push_str(&ways.part(format, *next)?);
                *next += 1;
                if *next >= ways.parts(format) {
                    self.conclude();
                }
            }
            Step::Certifying(certifying) => {
                if certifying.advance(budget)
                    && let Step::Certifying(certifying) = std::mem::take(&mut self.step)
                {
                    let known = certifying.finish().ok_or_else(|| self.uncertified())?;
                    self.text = serde_json::to_string(&known)
                        .map_err(|error| self.refused(&error.to_string()))?;
                    self.conclude();
                }
            }
            Step::Written(writing) => return Ok(Some(std::mem::take(writing))),
        }
        if self.text.len() > MOST_MEGABYTES * 1_000_000 {
            let allowed =
                format!("the file would be longer than {MOST_MEGABYTES} MB, the most here");
            return Err(self.refused(&allowed));
        }
        Ok(None)
    }

    /// About how much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let own = match &self.step {
            Step::Routing(search) => return ROUTING * search.share(),
            Step::Tabulating(file, next) => f64::from(*next) / f64::from(file.tables().max(1)),
            Step::Tracing(_, next) => {
                f64::from(*next) / f64::from(self.network.endpoint_count().max(1))
            }
            Step::Telling(ways, next) => match self.kind {
                Kind::Ways(format) => f64::from(*next) / f64::from(ways.parts(format).max(1)),
                _ => 0.0,
            },
            Step::Certifying(certifying) => certifying.share(),
            Step::Written(_) => 1.0,
        };
        self.before + (1.0 - self.before) * own
    }

    /// The search for its routes, while that goes on.
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.step {
            Step::Routing(search) => Some(search),
            _ => None,
        }
    }

    /// Goes on with routes.
    fn begin(&mut self, routes: &Arc<Routes>) -> Result<(), Vec<Problem>> {
        let (scenario, network) = (&self.scenario, &self.network);
        self.step = match self.kind {
            Kind::Tables => {
                let file = scenario.lfts_file(network, routes, MOST_MEGABYTES as u64)?;
                Step::Tabulating(Box::new(file), 0)
            }
            Kind::Levels => {
                let text = scenario.levels_file(network, routes, MOST_PAIRS)?;
                Step::Written(Writing { text, losses: Vec::new() })
            }
            Kind::Paths => {
                self.text = Tracer::CSV_HEAD.to_owned();
                Step::Tracing(Box::new(scenario.paths_file(network, routes, MOST_PAIRS)?), 0)
            }
            Kind::Certificate => {
                let certifying = scenario.certifying(network, routes)?;
                Step::Certifying(Box::new(certifying.ok_or_else(|| self.uncertified())?))
            }
            Kind::Ways(_) => Step::Telling(Box::new(scenario.message_ways_on(network, routes)?), 0),
        };
        Ok(())
    }

    /// What was written is a file in which nothing is left out.
    fn conclude(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.step = Step::Written(Writing { text, losses: Vec::new() });
    }

    fn uncertified(&self) -> Vec<Problem> {
        self.refused(
            "messages are certified on trees without parallel links, where each has one way",
        )
    }

    fn refused(&self, allowed: &str) -> Vec<Problem> {
        vec![Problem::new("routing", self.scenario.routing.name(), allowed)]
    }
}

/// What a file of a format is called.
pub fn name(format: &str) -> &'static str {
    match format {
        "lfts" => "dragontree-lfts.dump",
        "levels" => "dragontree-levels.sl",
        "paths" => "dragontree-paths.csv",
        "message_paths" => "dragontree-message-paths.csv",
        "message_paths_json" => "dragontree-message-paths.jsonl",
        "source_tables" => "dragontree-source-tables.txt",
        "certificate" => "dragontree-certificate.json",
        "edges" => "dragontree-network.csv",
        "dot" => "dragontree-network.dot",
        "json" => "dragontree-network.json",
        _ => "dragontree-network.txt",
    }
}

/// The network in a format.
fn fabric(network: &Network, format: &str) -> Result<Writing, Vec<Problem>> {
    match Format::ALL.into_iter().find(|known| known.name() == format) {
        Some(format) => Ok(interchange::write(format, network)),
        None => Err(vec![Problem::new("format", format, "there is no such")]),
    }
}
