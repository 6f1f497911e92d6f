//! Routings of a tree beside one another, for the messages of a scenario.

use std::sync::Arc;

use serde::Serialize;

use super::certificates::{Certifying, Judged, Making, PhaseCertificate};
use super::study::least;
use super::{Detail, KEYS, RouteSearch, Scenario};
use crate::catalog::{Menu, Problem};
use crate::network::Network;
use crate::routing::pattern_specific::TreePlaces;
use crate::routing::{
    DModK, Demand, DynamicRandom, Greedy, PatternSpecific, Routes, Routing, SModK, StaticRandom,
};

/// What routings come to for the same messages (Prisacari 2020, Figs. 3.3 and 3.4). Its JSON form is
/// stable; keys may be added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// The phases in which messages go from endpoint to endpoint.
    pub phases: u32,
    /// Whether the messages of all phases are taken for one.
    pub at_once: bool,
    /// Each routing, in the order of [`Scenario::compared_routings`].
    pub rows: Vec<ComparedRow>,
    /// The experiment that simulates all of them that can be; empty where none can.
    pub text: String,
}

/// One routing; contention is the most messages of a phase on one link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRow {
    /// As the notation has it.
    pub routing: String,
    /// As a reader has it.
    pub label: String,
    /// Why it has no routes here.
    pub refused: Option<String>,
    /// Whether it draws a way for each message anew, so that another draw counts otherwise.
    pub is_drawn: bool,
    /// The worst phase.
    pub worst: u32,
    /// The mean over the phases.
    pub mean: f64,
    /// How many phases nobody could route with less above any level without more above another.
    pub optimal: u32,
    /// For each level, from the endpoints' links up.
    pub levels: Vec<ComparedLevel>,
    /// The experiment that simulates it. Empty where endpoints have several links and it is not made for
    /// the messages of an exchange: what is simulated then uses the first of the links only.
    pub text: String,
}

/// The links above a level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ComparedLevel {
    /// From 0, the endpoints.
    pub level: u32,
    /// In the phase where that is most, some link carries at least so many messages, whatever the
    /// routing.
    pub bound: u32,
    /// The most messages on one link, in the worst phase.
    pub worst: u32,
    /// The same, in the mean over the phases.
    pub mean: f64,
}

/// Compares routings, a little at a time.
pub struct ComparingRoutings {
    scenario: Scenario,
    network: Arc<Network>,
    places: Arc<TreePlaces>,
    demand: Arc<dyn Demand>,
    routings: Vec<Routing>,
    /// Endpoints have several links: of the routes in the network only those of messages use all.
    is_made: bool,
    stage: Stage,
    /// The scenario's own routes, where they are known.
    known: Option<Arc<Routes>>,
    rows: Vec<ComparedRow>,
}

enum Stage {
    /// Before a routing.
    Next,
    Searching(Box<RouteSearch>),
    Counting(Box<Certifying>),
}

impl Scenario {
    /// The routings that are compared: those of Prisacari 2020, §3.5.2, and the scenario's own where
    /// that is another with routes on the network. Those that are made for messages are made for the
    /// same as the scenario's own.
    pub fn compared_routings(&self, network: &Arc<Network>) -> Vec<Routing> {
        let at_once = self.routing.role().at_once();
        let mut routings = vec![
            Routing::from(StaticRandom::default()),
            DynamicRandom.into(),
            Greedy { at_once, ..Greedy::default() }.into(),
            SModK.into(),
            DModK.into(),
            PatternSpecific { at_once, ..PatternSpecific::default() }.into(),
        ];
        match routings.iter_mut().find(|routing| routing.name() == self.routing.name()) {
            Some(same) => *same = self.routing.clone(),
            None if self.routing.role().fits(network).is_ok() => {
                routings.insert(0, self.routing.clone());
            }
            None => {}
        }
        routings
    }

    /// Begins to compare routings for the scenario's messages on a network, which is this scenario's,
    /// as are the routes that are `known` already. Where endpoints have several links, climbs are made
    /// on the tree without the network.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement; the traffic is not fixed; or the network
    /// neither is nor is found to be an XGFT without parallel links.
    pub fn comparing(
        &self,
        network: &Arc<Network>,
        known: Option<&Arc<Routes>>,
    ) -> Result<ComparingRoutings, Vec<Problem>> {
        let places = TreePlaces::of(network).ok_or_else(|| {
            let allowed = "routings are compared message by message on trees: allowed are those \
                           without parallel links (xgft, k_ary_n_tree, fat_tree, or a file with one)";
            vec![Problem::new("topology", self.topology.name(), allowed)]
        })?;
        let is_made = places.shape().parents(1) > 1;
        let mut routings = self.compared_routings(network);
        routings.retain(|routing| !is_made || Making::is_known(routing));
        Ok(ComparingRoutings {
            demand: self.demand(network)?,
            routings,
            is_made,
            scenario: self.clone(),
            network: network.clone(),
            places: Arc::new(places),
            stage: Stage::Next,
            known: known.cloned(),
            rows: Vec::new(),
        })
    }
}

impl ComparingRoutings {
    /// Goes on for about `budget` steps of some ten nanoseconds each; whether all is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let Some(routing) = self.routings.get(self.rows.len()) else { return true };
        let scenario = Scenario { routing: routing.clone(), ..self.scenario.clone() };
        match std::mem::replace(&mut self.stage, Stage::Next) {
            Stage::Next if self.is_made => {
                let making = Making { routing: routing.clone(), seed: scenario.seed };
                let counting = Certifying::made(making, &self.places, &self.demand);
                self.stage = Stage::Counting(Box::new(counting));
            }
            Stage::Next => match self.known.take_if(|_| *routing == self.scenario.routing) {
                Some(routes) => self.stage = self.count(&scenario, &routes),
                None => match scenario.search_routes(&self.network) {
                    Ok(search) => self.stage = Stage::Searching(Box::new(search)),
                    Err(problems) => self.refuse(&scenario, &problems),
                },
            },
            Stage::Searching(mut search) => match search.advance(budget) {
                None => self.stage = Stage::Searching(search),
                Some(found) => match found.and_then(|routes| scenario.fixed(&routes)) {
                    Ok(routes) => self.stage = self.count(&scenario, &routes),
                    Err(problems) => self.refuse(&scenario, &problems),
                },
            },
            Stage::Counting(mut counting) => match counting.advance(budget) {
                true => self.conclude(&scenario, *counting),
                false => self.stage = Stage::Counting(counting),
            },
        }
        self.rows.len() == self.routings.len()
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        let own = match &self.stage {
            Stage::Next => 0.0,
            Stage::Searching(search) => 0.5 * search.share(),
            Stage::Counting(counting) => 0.5 + 0.5 * counting.share(),
        };
        (self.rows.len() as f64 + own) / self.routings.len() as f64
    }

    /// Begins to count what routes come to.
    fn count(&self, scenario: &Scenario, routes: &Arc<Routes>) -> Stage {
        let seed = Some(scenario.seed);
        let ComparingRoutings { network, places, demand, .. } = self;
        Stage::Counting(Box::new(Certifying::new(network, places, routes, demand, seed)))
    }

    /// The row of what was counted.
    fn conclude(&mut self, scenario: &Scenario, counted: Certifying) {
        match counted.judged() {
            Ok(Judged { phases, is_drawn }) => {
                let mut row = ComparedRow::new(scenario, &phases);
                if self.is_made && !self.uses_all_links(scenario) {
                    row.text.clear();
                }
                self.rows.push(ComparedRow { is_drawn, ..row });
            }
            Err(why) => self.refuse(scenario, &[Problem::new("", "", why)]),
        }
    }

    /// Whether a scenario's routes in the network use all links of an endpoint.
    fn uses_all_links(&self, scenario: &Scenario) -> bool {
        let role = scenario.routing.role();
        scenario.exchanges() && role.needs_messages() && role.fits(&self.network).is_ok()
    }

    fn refuse(&mut self, scenario: &Scenario, problems: &[Problem]) {
        let why: Vec<String> = problems.iter().map(Problem::to_string).collect();
        let row = ComparedRow::new(scenario, &[]);
        self.rows.push(ComparedRow { refused: Some(why.join(" ")), ..row });
    }

    /// What was found so far.
    pub fn finish(self) -> Compared {
        let base = self.scenario.text(Detail::Everything);
        let words = base.split(' ').filter(|word| !word.starts_with("routing="));
        let routed = self.rows.iter().filter(|row| row.refused.is_none() && !row.text.is_empty());
        let routings: Vec<String> = routed.map(|row| format!("routing={}", row.routing)).collect();
        let has_some = !routings.is_empty();
        let text: Vec<String> = words.map(str::to_owned).chain(routings).collect();
        let text = if has_some { least(text.join(" ")) } else { String::new() };
        let sends = |phase: &u32| !self.demand.sent(*phase).is_empty();
        let phases = (0..self.demand.phases()).filter(sends).count() as u32;
        Compared { phases, at_once: self.demand.is_together(), rows: self.rows, text }
    }
}

impl ComparedRow {
    /// What the phases come to.
    fn new(scenario: &Scenario, phases: &[PhaseCertificate]) -> ComparedRow {
        let key = KEYS.iter().find(|key| key.name == "routing");
        let levels = phases.first().map_or(0, |phase| phase.levels.len());
        let level = |level: usize| {
            let rows = || phases.iter().map(|phase| &phase.levels[level]);
            ComparedLevel {
                level: level as u32,
                bound: rows().map(|row| row.bound).max().unwrap_or(0),
                worst: rows().map(|row| row.achieved).max().unwrap_or(0),
                mean: mean(rows().map(|row| row.achieved)),
            }
        };
        let optimal = phases.iter().filter(|phase| phase.is_optimal()).count();
        ComparedRow {
            routing: key.map_or_else(String::new, |key| scenario.entry_text(key, Detail::Least)),
            label: scenario.routing.role().label().to_owned(),
            refused: None,
            is_drawn: false,
            worst: phases.iter().map(|phase| phase.achieved).max().unwrap_or(0),
            mean: mean(phases.iter().map(|phase| phase.achieved)),
            optimal: optimal as u32,
            levels: (0..levels).map(level).collect(),
            text: least(scenario.text(Detail::Everything)),
        }
    }
}

fn mean(values: impl Iterator<Item = u32> + Clone) -> f64 {
    let (sum, count) =
        values.fold((0_u64, 0_u64), |(sum, n), value| (sum + u64::from(value), n + 1));
    sum as f64 / count.max(1) as f64
}
