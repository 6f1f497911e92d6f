//! The documents' formulas that apply to a scenario.

use serde::{Deserialize, Serialize};

use super::{Exchanging, Scenario};
use crate::analysis::models::{self, Hops};
use crate::catalog::{Menu, Problem};
use crate::exchange::{
    AllToAll, Answers, Exchange, NearestNeighbor, Order, Overhead, Phases, Workload,
};
use crate::network::{Groups, LinkClass, Network, Structure, Tree};
use crate::placement::{Gathering, Placement};
use crate::routing::{Routes, Routing, Via};
use crate::units::{Bytes, Time};

/// The value of a formula; its JSON form is stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Modelled {
    /// What it is.
    pub name: String,
    /// The document and its formula.
    pub source: String,
    /// Its value; none where the formula has none.
    pub value: Option<f64>,
    /// The value's unit, empty for counts and ratios.
    pub unit: String,
}

/// The source of a formula that no document gives.
pub(super) const OWN: &str = "derived here";

fn modelled(name: impl Into<String>, source: &str, value: f64, unit: &str) -> Modelled {
    let (source, unit) = (source.to_owned(), unit.to_owned());
    Modelled { name: name.into(), source, value: Some(value), unit }
}

fn prisacari(name: impl Into<String>, place: &str, value: f64, unit: &str) -> Modelled {
    modelled(name, &format!("Prisacari 2020, {place}"), value, unit)
}

impl Scenario {
    /// Every formula that applies to the scenario on its network, along routes as in
    /// [`exchanging_along`](Self::exchanging_along).
    ///
    /// # Errors
    /// Every problem found with the exchange, each naming its setting.
    pub fn modelled(
        &self,
        network: &Network,
        routes: Option<&Routes>,
    ) -> Result<Vec<Modelled>, Vec<Problem>> {
        let exchanging = self.exchanging_along(network, routes)?;
        let mut all = Vec::new();
        if let Some(reordered) = self.reordered(network, routes)? {
            of_reordered(&reordered.overhead(), &mut all);
        }
        match network.structure() {
            Structure::Tree(tree) => self.of_tree(network, tree, exchanging.as_ref(), &mut all),
            Structure::Groups(groups) => {
                self.of_groups(groups, &mut all);
                if let Some(exchanging) = &exchanging {
                    self.of_neighbors(groups, exchanging, &mut all);
                }
            }
            _ => {}
        }
        Ok(all)
    }

    /// What a message of these bytes meets on its way.
    fn hops(&self, bytes: Bytes) -> Hops {
        let rate = self.bandwidth.of(LinkClass::Endpoint);
        let message = match self.model().flit {
            Some(flit) => Bytes(bytes.0.div_ceil(flit.0) * flit.0),
            None => bytes,
        };
        Hops {
            link: self.latency.base,
            switch: self.switch_latency,
            adapter: self.adapter_latency,
            message: rate.serialization(message),
            acknowledgement: rate.serialization(self.acknowledgement()),
        }
    }

    /// The time of the exchange if no message had to wait for another's, where a formula tells: an
    /// all-to-all of everybody on a tree of equal links (Prisacari 2020, §2.5.1). With `awaits=both` it
    /// is the least that it can take.
    pub(super) fn ideal_time(&self, network: &Network, ranks: usize) -> Option<Time> {
        let Structure::Tree(tree) = network.structure() else { return None };
        let Exchange::AllToAll(exchange) = &self.exchange else { return None };
        let children: Vec<u32> = (1..=tree.levels()).map(|level| tree.children(level)).collect();
        let everybody = children.iter().map(|m| u64::from(*m)).product::<u64>() == ranks as u64;
        let alone = self.ranks_per_endpoint == 1
            && exchange.acks == Answers::Yes
            && exchange.phase.is_none();
        let equal = self.bandwidth.values().all(|rate| rate == self.bandwidth.base)
            && self.latency.values().all(|time| time == self.latency.base);
        let applies = everybody && alone && equal;
        applies.then(|| models::ideal_all_to_all(&children, self.hops(self.bytes)))
    }

    fn of_tree(
        &self,
        network: &Network,
        tree: &Tree,
        exchanging: Option<&Exchanging>,
        all: &mut Vec<Modelled>,
    ) {
        let levels = tree.levels();
        let children: Vec<u32> = (1..=levels).map(|level| tree.children(level)).collect();
        let mut room = 1;
        // Of what everybody sends to everybody.
        let everybody = match (&self.exchange, exchanging) {
            (Exchange::AllToAll(AllToAll { phase: None, .. }), Some(exchanging)) => {
                let places = children.iter().map(|own| u64::from(*own)).product::<u64>();
                self.ranks_per_endpoint == 1 && exchanging.placement.len() as u64 == places
            }
            (_, exchanging) => exchanging.is_none() && self.faults.name() == "none",
        };
        let loads = if everybody { models::least_load(&children) } else { Vec::new() };
        for (level, least) in (1..).zip(loads) {
            room *= u64::from(tree.children(level));
            let name = format!("B_min of level {level}");
            all.push(prisacari(name, "Eq. 2.1", least as f64, "messages per phase"));
            let unused = (room - least) as f64 / room as f64;
            let name = format!("unused share of full bisection above level {level}");
            all.push(prisacari(name, "§2.3.1", unused, ""));
        }
        let full = |level: u32| tree.parents(level) == tree.children(level - 1);
        let halved = has_half_roots(tree);
        if is_halvable(tree) && (2..levels).all(full) && (halved || full(levels)) {
            let saved = models::links_saved(levels);
            all.push(prisacari("links saved by halved roots", "§2.4.2", saved, ""));
            let saved = models::switches_saved(&children);
            all.push(prisacari("switches saved by halved roots", "§2.4.2", saved, ""));
        }
        if let Some(ideal) =
            exchanging.and_then(|exchanging| self.ideal_time(network, exchanging.placement.len()))
        {
            all.push(prisacari("ideal all-to-all time", "§2.5.1", ideal.as_ns(), "ns"));
            if halved {
                let more = models::xor_overhead(&children, self.hops(self.bytes));
                all.push(modelled("XOR beyond the ideal time, to first order", OWN, more, ""));
            }
        }
    }

    /// The time of an exchange in nanoseconds by the model that is there for it, and its formula: to
    /// first order that of XOR where a tree has half the roots, of nearest neighbors on a dragonfly that
    /// of the documents.
    pub(super) fn model_time(
        &self,
        network: &Network,
        exchanging: &Exchanging,
    ) -> Option<(f64, &'static str)> {
        let (time, formula) = match (network.structure(), &self.exchange) {
            (Structure::Tree(tree), Exchange::AllToAll(exchange)) => {
                let applies = exchange.order == Order::Xor && has_half_roots(tree);
                let ideal = self.ideal_time(network, exchanging.placement.len());
                let ideal = ideal.filter(|_| applies)?.as_ns();
                let children: Vec<u32> =
                    (1..=tree.levels()).map(|level| tree.children(level)).collect();
                let more = models::xor_overhead(&children, self.hops(self.bytes));
                (ideal * (1.0 + more), FIRST_ORDER)
            }
            (Structure::Groups(groups), Exchange::NearestNeighbor(exchange)) => {
                self.neighbor_time(groups, exchange, exchanging)?
            }
            _ => return None,
        };
        Some(((time * 1e3).round() / 1e3, formula))
    }

    /// Rates of local and of global links, relative to an endpoint's.
    fn relative(&self) -> [f64; 2] {
        let rate = |class| self.bandwidth.of(class).as_bps() as f64;
        [LinkClass::Local, LinkClass::Global].map(|class| rate(class) / rate(LinkClass::Endpoint))
    }

    fn of_groups(&self, groups: &Groups, all: &mut Vec<Modelled>) {
        let [p, a] = [groups.endpoints_per_switch, groups.switches_per_group];
        let h = groups.global_ports;
        if groups.rows() == 1 && groups.is_whole() {
            let [local, global] = self.relative();
            let throughput = models::uniform_throughput([p, a, h], local, global);
            all.push(prisacari("throughput of uniform traffic", "Eq. 6.8", throughput, ""));
        }
    }

    fn of_neighbors(&self, groups: &Groups, exchanging: &Exchanging, all: &mut Vec<Modelled>) {
        let Exchange::NearestNeighbor(exchange) = &self.exchange else { return };
        let (elements, tasks) = (&exchange.elements, &exchange.tasks);
        let count: u32 = tasks.iter().product();
        for (dimension, share) in (1..).zip(models::message_shares(elements, tasks)) {
            let name = format!("share of a message along dimension {dimension} (m)");
            all.push(prisacari(name, "Eq. 5.10", share, ""));
        }
        let sent = sent_by_task(exchange, exchanging);
        all.push(prisacari("bytes that a task sends (V)", "Eq. 5.8", sent, "B"));
        // Demand is that on one link between two groups.
        if !groups.is_whole() {
            return;
        }
        let mut add = |name: &str, [place, of_time]: [&str; 2], demand: f64| {
            all.push(prisacari(format!("δ {name}"), place, demand, ""));
            let time = self.at_demand(sent, demand);
            all.push(prisacari(format!("completion, {name}"), of_time, time, "ns"));
        };
        if let Some(per_group) = self.per_group(groups, tasks) {
            let blocks = models::Blocks { elements, tasks, per_group: &per_group };
            add("direct", ["Eq. 5.16", "Eq. 5.21"], blocks.direct_demand());
            let indirect = blocks.indirect_demand(groups.group_count - 1);
            add("indirect", ["Eq. 5.17", "Eq. 5.23"], indirect);
        }
        let messages = messages(&exchanging.exchanged);
        let of_tasks = groups_of_ranks(groups, exchanging);
        let [direct, indirect] = models::demand(&messages, &of_tasks, groups.group_count);
        add("direct, of this placement", ["Eqs. 5.2, 5.4", "Eq. 5.6"], direct);
        add("indirect, of this placement", ["Eqs. 5.3, 5.9", "Eq. 5.6"], indirect);
        let of_tasks = of_tasks.get(..count as usize).unwrap_or(&of_tasks);
        let shuffled = self.drawn_demand(groups, exchanging, count);
        add("direct, mean of 30 random placements", ["Eqs. 5.2, 5.4", "Eq. 5.6"], shuffled);
        let mut used = of_tasks.to_vec();
        used.sort_unstable();
        used.dedup();
        let used = used.len().max(1) as u32;
        let value = models::random_demand(count.div_ceil(used), used);
        let model = prisacari("δ direct, random placement", "Eq. 5.20", 0.0, "");
        all.push(Modelled { value, ..model });
        if let Some(demand) = value {
            let time = self.at_demand(sent, demand);
            all.push(prisacari("completion, direct, random placement", "Eq. 5.25", time, "ns"));
        }
    }
}

impl Scenario {
    /// The time in nanoseconds that tasks take who send so many bytes each, with this demand on the
    /// busiest global link (Prisacari 2020, Eq. 5.6).
    fn at_demand(&self, sent: f64, demand: f64) -> f64 {
        let [_, global] = self.relative();
        let rate = self.bandwidth.of(LinkClass::Endpoint).as_bps() as f64 / 8e9;
        sent / (rate * models::effective_bandwidth(demand, global))
    }

    /// The tasks of a group along each dimension (γ) where the placement puts a block of the domain into
    /// each.
    fn per_group(&self, groups: &Groups, tasks: &[u32]) -> Option<Vec<u32>> {
        match &self.placement {
            Placement::Contiguous(_) => {
                let endpoints = groups.endpoints_per_switch * groups.switches_per_group;
                blocks(tasks, endpoints * self.ranks_per_endpoint)
            }
            Placement::Blocks(placed) if placed.order == Gathering::Cartesian => {
                (placed.tasks == tasks).then(|| placed.block.clone())
            }
            _ => None,
        }
    }

    /// The time in nanoseconds of a nearest-neighbor exchange on a dragonfly by the documents' model,
    /// and its formula: blocks in groups under minimal (Prisacari 2020, Eq. 5.21) and under Valiant
    /// routing over a group (Eq. 5.23), any tasks in groups under minimal routing (Eq. 5.25). They are
    /// of one task on an endpoint, and of one link between every two groups.
    fn neighbor_time(
        &self,
        groups: &Groups,
        exchange: &NearestNeighbor,
        exchanging: &Exchanging,
    ) -> Option<(f64, &'static str)> {
        if !groups.is_whole() || self.ranks_per_endpoint != 1 || self.faults.name() != "none" {
            return None;
        }
        let (demand, formula) = self.modelled_demand(groups, exchange, exchanging)?;
        Some((self.at_demand(sent_by_task(exchange, exchanging), demand), formula))
    }

    /// The demand on the busiest global link by the model of the placement and the routing, and the
    /// formula of the rate that follows.
    fn modelled_demand(
        &self,
        groups: &Groups,
        exchange: &NearestNeighbor,
        exchanging: &Exchanging,
    ) -> Option<(f64, &'static str)> {
        let (elements, tasks) = (&exchange.elements[..], &exchange.tasks[..]);
        let per_group = self.per_group(groups, tasks);
        let blocks = per_group.as_deref();
        let blocks = blocks.map(|per_group| models::Blocks { elements, tasks, per_group });
        match (&self.routing, &self.placement, blocks) {
            (Routing::Minimal(_), _, Some(blocks)) => Some((blocks.direct_demand(), "Eq. 5.21")),
            (Routing::Valiant(valiant), _, Some(blocks)) if valiant.via == Via::Group => {
                Some((blocks.indirect_demand(groups.group_count - 1), "Eq. 5.23"))
            }
            (Routing::Minimal(_), Placement::Blocks(placed), None) if placed.tasks == tasks => {
                let each: u32 = placed.block.iter().product();
                let count: u32 = tasks.iter().product();
                // Of few groups the formula says nothing, and placements are drawn instead.
                Some(match models::random_demand(each, count / each.max(1)) {
                    Some(demand) => (demand, "Eq. 5.25"),
                    None => (self.drawn_demand(groups, exchanging, count), MEAN_OF_DRAWN),
                })
            }
            _ => None,
        }
    }
}

impl Scenario {
    /// The mean demand of placements in which the tasks of an exchange change places at random.
    fn drawn_demand(&self, groups: &Groups, exchanging: &Exchanging, tasks: u32) -> f64 {
        let of_tasks = groups_of_ranks(groups, exchanging);
        let of_tasks = of_tasks.get(..tasks as usize).unwrap_or(&of_tasks);
        let messages = messages(&exchanging.exchanged);
        models::shuffled_demand(&messages, of_tasks, self.seed..self.seed + DRAWN)
    }
}

/// The group of each rank.
fn groups_of_ranks(groups: &Groups, exchanging: &Exchanging) -> Vec<u32> {
    let group = |endpoint: &_| groups.group(groups.switch_of(*endpoint));
    exchanging.placement.iter().map(group).collect()
}

/// Whether half of a tree's roots may be left out: its highest switches have two children each, and
/// endpoints and switches one link to each parent (Prisacari 2020, §2.4.2).
fn is_halvable(tree: &Tree) -> bool {
    let levels = tree.levels();
    let single = (1..=levels).all(|level| tree.parallel(level) == 1) && tree.parents(1) == 1;
    levels > 1 && tree.children(levels) == 2 && single
}

/// Whether half of them are left out.
fn has_half_roots(tree: &Tree) -> bool {
    let levels = tree.levels();
    is_halvable(tree) && 2 * tree.parents(levels) == tree.children(levels - 1)
}

/// The bytes that a task sends (V).
fn sent_by_task(exchange: &NearestNeighbor, exchanging: &Exchanging) -> f64 {
    let count: u32 = exchange.tasks.iter().product();
    (exchanging.exchanged.workload.bytes().0 / u64::from(count.max(1))) as f64
}

/// What it takes to reorder a broadcast, counted.
fn of_reordered(overhead: &Overhead, all: &mut Vec<Modelled>) {
    let Overhead { leaders, queries, delays, messages, comparisons } = *overhead;
    let mut add = |name: &str, place: &str, count: u64| {
        let source = format!("Subramoni et al. 2011, {place}");
        all.push(modelled(format!("reordering: {name}"), &source, count as f64, ""));
    };
    add("leaders", "§III-C", u64::from(leaders));
    add("ways or rates asked for", "§IV-B", queries);
    add("delays in the matrix", "§IV-B", delays);
    add("messages that spread them", "§IV-B", messages);
    add("leaders compared", "§IV-B", comparisons);
    add("steps of the first broadcast", "Table III", overhead.steps());
    add("steps of another one from its root", "Table III", overhead.later(true).steps());
    add("steps of another one from another root", "Table III", overhead.later(false).steps());
}

/// What the models of an exchange are called that are no equations of a document.
const FIRST_ORDER: &str = "first-order overhead";
const MEAN_OF_DRAWN: &str = "mean of 30 random placements";

/// How many random placements are drawn.
const DRAWN: u64 = 30;

/// The tasks of each group along each dimension where so many consecutive ones fill a group and form a
/// block.
fn blocks(tasks: &[u32], room: u32) -> Option<Vec<u32>> {
    let mut left = room;
    let mut block = Vec::new();
    for width in tasks {
        if left >= *width && left.is_multiple_of(*width) {
            block.push(*width);
            left /= width;
        } else if width.is_multiple_of(left) {
            block.push(left);
            left = 1;
        } else {
            return None;
        }
    }
    Some(block)
}

/// Source, destination and bytes of each message.
fn messages(exchanged: &crate::exchange::Exchanged) -> Vec<(u32, u32, u64)> {
    match (&exchanged.workload, &exchanged.phases) {
        (Workload::List(list), Phases::Listed(_)) => list
            .messages()
            .iter()
            .map(|each| (each.source.0, each.destination.0, each.bytes.0))
            .collect(),
        _ => Vec::new(),
    }
}
