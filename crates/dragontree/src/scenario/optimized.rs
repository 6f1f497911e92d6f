//! The best ways to cut and place a nearest-neighbor exchange on a dragonfly, by the documents'
//! formulas (Prisacari 2020, §5.3.5).

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::study::least;
use super::{Detail, Scenario};
use crate::analysis::models;
use crate::catalog::{Menu, Problem};
use crate::exchange::{Exchange, NearestNeighbor};
use crate::network::{LinkClass, Structure};
use crate::placement::{Blocks, Gathering};
use crate::routing::{Minimal, Valiant, Via};

/// A way to place tasks and to route between them; those that the documents have formulas for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Blocks of the domain in groups, minimal routing (Prisacari 2020, Eq. 5.16).
    BlocksMinimal,
    /// Blocks of the domain in groups, Valiant routing over a random group (Eq. 5.17).
    BlocksValiant,
    /// Any tasks in a group, minimal routing: the mean over drawn placements, which Eq. 5.20 models
    /// (too high by half to three times where groups are few and full, too low where they are many).
    RandomMinimal,
}

impl Strategy {
    /// Every one, in the order that breaks ties.
    pub const ALL: [Strategy; 3] =
        [Strategy::BlocksMinimal, Strategy::BlocksValiant, Strategy::RandomMinimal];

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Strategy::BlocksMinimal => "blocks, minimal",
            Strategy::BlocksValiant => "blocks, Valiant",
            Strategy::RandomMinimal => "random, minimal",
        }
    }
}

/// What an optimizer tries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// How many of the best choices it keeps.
    pub top: usize,
    /// Whether tasks are cut as the exchange says; else in every way with as many tasks.
    pub keep_tasks: bool,
    /// The strategies.
    pub strategies: Vec<Strategy>,
}

impl Default for Search {
    fn default() -> Search {
        Search { top: 10, keep_tasks: false, strategies: Strategy::ALL.to_vec() }
    }
}

/// One way to cut, place and route an exchange; its JSON form is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Tasks along each dimension (β).
    pub tasks: Vec<u32>,
    /// Tasks of a group along each dimension (γ); where any tasks share a group, only their number
    /// counts.
    pub block: Vec<u32>,
    /// Groups that have tasks (|λ|).
    pub groups: u64,
    /// How tasks are placed and routed.
    pub strategy: Strategy,
    /// The largest demand on a global link, in units of what a task sends (δ).
    pub demand: f64,
    /// The formula of the demand.
    pub source: String,
    /// The rate at which a task can send, in units of its link's (Prisacari 2020, Eq. 5.21).
    pub bandwidth: f64,
    /// The links that limit it: `endpoint` or `global`.
    pub limit: String,
    /// Bytes that a task sends (V).
    pub bytes_per_task: u64,
    /// The time of the exchange in nanoseconds, `V/B_eff`.
    pub completion_ns: f64,
    /// The experiment that simulates it.
    pub text: String,
}

/// What an optimizer found; its JSON form is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimized {
    /// The number of tasks.
    pub tasks: u64,
    /// How many choices fit the dragonfly and were compared, counting those once that differ only in the
    /// order of dimensions with equally many elements.
    pub compared: u64,
    /// The best ones, the best first: those that end first; among these those of the least demand,
    /// then in the order of [`Strategy::ALL`], then those of the fewest groups, then by tasks and
    /// block in lexicographic order.
    pub best: Vec<Choice>,
    /// The one that is last in the same order.
    pub worst: Option<Choice>,
    /// How many times as long the worst one takes as the best.
    pub worth: Option<f64>,
}

/// A search for the best choices, done in steps.
#[derive(Clone, Debug)]
pub struct Optimizer {
    scenario: Scenario,
    exchange: NearestNeighbor,
    search: Search,
    /// Endpoints of a group.
    room: u64,
    /// Groups of the dragonfly.
    groups: u32,
    /// Rate of global links, in units of an endpoint's.
    global: f64,
    /// Bytes that an endpoint sends in a nanosecond.
    rate: f64,
    left: std::vec::IntoIter<Vec<u32>>,
    count: u64,
    compared: u64,
    best: Vec<Choice>,
    worst: Option<Choice>,
}

/// How many random placements are drawn.
const DRAWN: u64 = 30;

/// The most choices that are tried.
const MOST_CHOICES: u64 = 1_000_000;

/// The most choices that are listed.
const MOST_LISTED: usize = 1000;

impl Scenario {
    /// Starts to look for the best ways to cut and place the scenario's nearest-neighbor exchange. Its
    /// placement and routing do not matter.
    ///
    /// # Errors
    /// The scenario is no such exchange on an intact dragonfly, its tasks do not fit, or there would be
    /// too much to try; every problem names its setting.
    pub fn optimizer(&self, search: &Search) -> Result<Optimizer, Vec<Problem>> {
        let exchange = self.to_optimize().map_err(|problem| vec![problem])?.clone();
        self.check_alone().map_err(|problem| vec![problem])?;
        let (room, groups) = self.dragonfly()?;
        let count = exchange.tasks.iter().fold(1_u64, |all, own| all.saturating_mul((*own).into()));
        let within = |allowed| vec![refused_tasks(&exchange, allowed)];
        exchange.sides().map_err(|refused| vec![self.exchange_refused(refused)])?;
        if count > room * u64::from(groups) {
            let endpoints = room * u64::from(groups);
            return Err(within(format!(
                "{count} tasks, allowed: up to {endpoints}, the endpoints"
            )));
        }
        let found = match search.keep_tasks {
            true => Some(vec![exchange.tasks.clone()]),
            false => models::decompositions(&exchange.elements, count, MOST_CHOICES),
        };
        let each = Strategy::ALL.len() as u64;
        let tried = found.as_ref().map(|all| {
            all.iter().map(|own| models::blocks_tried(own)).fold(0, u64::saturating_add) * each
        });
        let Some(found) = found.filter(|_| tried.is_some_and(|tried| tried <= MOST_CHOICES)) else {
            let allowed = format!(
                "{count} tasks can be cut and placed in more than {MOST_CHOICES} ways; allowed: \
                 fewer tasks or dimensions"
            );
            return Err(within(allowed));
        };
        let has_block =
            |tasks: &Vec<u32>| !models::blocks_of(tasks, room, groups.into()).is_empty();
        if !found.iter().any(has_block) {
            let allowed = format!(
                "no block of them has at most {room} tasks, as a group has endpoints, and leaves at \
                 most {groups} blocks, as there are groups; allowed: tasks that blocks divide so"
            );
            return Err(within(allowed));
        }
        let rate = |class| self.bandwidth.of(class).as_bps() as f64;
        Ok(Optimizer {
            scenario: self.clone(),
            search: Search { top: search.top.clamp(1, MOST_LISTED), ..search.clone() },
            room,
            groups,
            global: rate(LinkClass::Global) / rate(LinkClass::Endpoint),
            rate: rate(LinkClass::Endpoint) / 8e9,
            left: found.into_iter(),
            count,
            compared: 0,
            best: Vec::new(),
            worst: None,
            exchange,
        })
    }

    /// Finds the best ways in one go.
    ///
    /// # Errors
    /// As [`optimizer`](Self::optimizer).
    pub fn optimized(&self, search: &Search) -> Result<Optimized, Vec<Problem>> {
        let mut optimizer = self.optimizer(search)?;
        while !optimizer.advance() {}
        Ok(optimizer.finish())
    }

    /// The exchange, where the formulas apply to the scenario.
    fn to_optimize(&self) -> Result<&NearestNeighbor, Problem> {
        let Exchange::NearestNeighbor(exchange) = &self.exchange else {
            let allowed = "what is optimized are exchanges of a domain; allowed: nearest_neighbor";
            return Err(Problem::new("exchange", self.exchange.name(), allowed));
        };
        if self.faults.name() != "none" {
            let allowed = "the formulas are those of a whole dragonfly; allowed: none";
            return Err(Problem::new("faults", self.faults.name(), allowed));
        }
        if self.ranks_per_endpoint != 1 {
            let allowed = "the formulas are those of one task on each endpoint; allowed: 1";
            let given = self.ranks_per_endpoint.to_string();
            return Err(Problem::new("ranks_per_endpoint", given, allowed));
        }
        Ok(exchange)
    }

    /// Endpoints of a group and groups of the dragonfly.
    fn dragonfly(&self) -> Result<(u64, u32), Vec<Problem>> {
        let network = self.network()?;
        let refuse = |allowed: &str| vec![Problem::new("topology", self.topology.name(), allowed)];
        let Structure::Groups(groups) = network.structure() else {
            return Err(refuse("blocks are placed in groups; allowed: dragonfly"));
        };
        let (switches, ports) = (groups.switches_per_group, groups.global_ports);
        if groups.rows() != 1 || groups.group_count != switches * ports + 1 {
            let allowed = "the formulas are those of groups that one link joins to each other one; \
                           allowed: dragonfly with as many groups as its ports allow";
            return Err(refuse(allowed));
        }
        let room = u64::from(groups.endpoints_per_switch) * u64::from(switches);
        Ok((room, groups.group_count))
    }
}

fn refused_tasks(exchange: &NearestNeighbor, allowed: String) -> Problem {
    let given = exchange.tasks.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
    Problem::new("tasks", given, allowed).within("exchange=nearest_neighbor")
}

/// Which of two choices is better; the less one.
fn better(one: &Choice, other: &Choice) -> Ordering {
    let times = one.completion_ns.total_cmp(&other.completion_ns);
    times
        .then(one.demand.total_cmp(&other.demand))
        .then(one.strategy.cmp(&other.strategy))
        .then(one.groups.cmp(&other.groups))
        .then_with(|| one.tasks.cmp(&other.tasks))
        .then_with(|| one.block.cmp(&other.block))
}

impl Optimizer {
    /// Tries every placement of one more way to cut the domain; whether there is none left. At most a
    /// million placements are tried in all.
    pub fn advance(&mut self) -> bool {
        let Some(tasks) = self.left.next() else { return true };
        let cut = NearestNeighbor { tasks, ..self.exchange.clone() };
        let Ok(sides) = cut.sides() else { return false };
        let sent = sides.iter().zip(&cut.tasks).filter(|(_, tasks)| **tasks > 1);
        let bytes: u64 = sent.map(|(side, _)| 2 * side.0).sum();
        let mut sizes = Vec::new();
        for block in models::blocks_of(&cut.tasks, self.room, self.groups.into()) {
            if !self.is_first(&cut, &block) {
                continue;
            }
            let size: u64 = block.iter().map(|own| u64::from(*own)).product();
            let known = sizes.contains(&size);
            sizes.push(size);
            for strategy in self.search.strategies.clone() {
                if strategy == Strategy::RandomMinimal && known {
                    continue;
                }
                if let Some(demand) = self.demand(&cut, &block, strategy) {
                    self.compare(&cut, &block, strategy, demand, bytes);
                }
            }
        }
        false
    }

    /// Whether a choice stands for those that differ only in the order of equal dimensions, for which
    /// the formulas say the same: the one whose numbers descend.
    fn is_first(&self, cut: &NearestNeighbor, block: &[u32]) -> bool {
        let NearestNeighbor { elements, tasks, .. } = cut;
        let alike = |one: usize, other: usize| {
            let cuts_alike = !self.search.keep_tasks || tasks[one] == tasks[other];
            elements[one] == elements[other] && cuts_alike
        };
        let descends = |other: usize| {
            let mut before = (0..other).filter(|one| alike(*one, other));
            before.all(|one| (tasks[one], block[one]) >= (tasks[other], block[other]))
        };
        (0..block.len()).all(descends)
    }

    /// The largest demand on a global link and its formula; nothing where the strategy has none.
    fn demand(
        &self,
        cut: &NearestNeighbor,
        block: &[u32],
        strategy: Strategy,
    ) -> Option<(f64, &'static str)> {
        let NearestNeighbor { elements, tasks, .. } = cut;
        let blocks = models::Blocks { elements, tasks, per_group: block };
        let size: u32 = block.iter().product();
        let groups = (self.count / u64::from(size.max(1))) as u32;
        match strategy {
            Strategy::BlocksMinimal => Some((blocks.direct_demand(), "Prisacari 2020, Eq. 5.16")),
            Strategy::BlocksValiant if self.groups > 2 => {
                Some((blocks.indirect_demand(self.groups - 1), "Prisacari 2020, Eq. 5.17"))
            }
            // One group has whatever is drawn: the same as a block.
            Strategy::RandomMinimal if groups > 1 => {
                let messages = cut.messages().ok()?;
                let group: Vec<u32> = (0..self.count as u32).map(|task| task / size).collect();
                let demand = models::shuffled_demand(&messages, &group, 0..DRAWN);
                Some((demand, "Prisacari 2020, Eqs. 5.2, 5.4, mean of random placements"))
            }
            _ => None,
        }
    }

    /// Keeps a choice where it is among the best, or the worst.
    fn compare(
        &mut self,
        cut: &NearestNeighbor,
        block: &[u32],
        strategy: Strategy,
        (demand, source): (f64, &str),
        bytes: u64,
    ) {
        let bandwidth = models::effective_bandwidth(demand, self.global);
        let size: u64 = block.iter().map(|own| u64::from(*own)).product();
        let choice = Choice {
            tasks: cut.tasks.clone(),
            block: block.to_vec(),
            groups: self.count / size,
            strategy,
            demand,
            source: source.to_owned(),
            bandwidth,
            limit: if bandwidth < 1.0 { "global" } else { "endpoint" }.to_owned(),
            bytes_per_task: bytes,
            completion_ns: bytes as f64 / (self.rate * bandwidth),
            text: String::new(),
        };
        self.compared += 1;
        if self.worst.as_ref().is_none_or(|worst| better(worst, &choice).is_lt()) {
            self.worst = Some(choice.clone());
        }
        let place = self.best.partition_point(|known| better(known, &choice).is_lt());
        if place < self.search.top {
            self.best.insert(place, choice);
            self.best.truncate(self.search.top);
        }
    }

    /// What was found so far.
    pub fn finish(mut self) -> Optimized {
        let mut best = std::mem::take(&mut self.best);
        let mut worst = self.worst.take();
        best.iter_mut().chain(&mut worst).for_each(|choice| choice.text = self.text(choice));
        let first = best.first().map(|best| best.completion_ns).filter(|time| *time > 0.0);
        let worth = first.zip(worst.as_ref()).map(|(best, worst)| worst.completion_ns / best);
        Optimized { tasks: self.count, compared: self.compared, best, worst, worth }
    }

    /// The experiment that simulates a choice.
    fn text(&self, choice: &Choice) -> String {
        let exchange = NearestNeighbor { tasks: choice.tasks.clone(), ..self.exchange.clone() };
        let order = match choice.strategy {
            Strategy::RandomMinimal => Gathering::Random,
            _ => Gathering::Cartesian,
        };
        let (tasks, block) = (choice.tasks.clone(), choice.block.clone());
        let placement = Blocks { tasks, block, order, seed: None };
        let routing = match choice.strategy {
            Strategy::BlocksValiant => Valiant { via: Via::Group, ..Valiant::default() }.into(),
            _ => Minimal.into(),
        };
        let scenario = Scenario {
            exchange: exchange.into(),
            placement: placement.into(),
            routing,
            ranks: None,
            ..self.scenario.clone()
        };
        least(scenario.text(Detail::Everything))
    }
}

#[cfg(test)]
mod tests;
