//! The ways of a scenario's messages as files for other programs, part by part, so that they are
//! never all in memory.

use std::fmt::Write;
use std::sync::Arc;

use serde::Serialize;

mod format;

use super::{Exchanging, Scenario};
use crate::analysis::PathFinder;
use crate::catalog::{Menu, Problem};
use crate::exchange::Workload;
use crate::interchange::csv::cell;
use crate::network::{EndpointId, Network, Node, PortId};
use crate::routing::{Exit, Oblivious, Pair, Routes, Waypoints};
use crate::units::Rank;

pub use format::WaysFormat;

/// The ways of the messages of an exchange or of fixed traffic, on routes that give each of them one.
/// Messages within an endpoint have none and are left out.
pub struct MessageWays {
    network: Arc<Network>,
    routes: Arc<Routes>,
    sending: Exchanging,
    /// The messages of a list, by their phases.
    listed: Vec<Told>,
    phases: u32,
    routing: &'static str,
}

/// A message: its phase, its ranks, and what an exchange calls it.
#[derive(Clone, Copy)]
struct Told {
    phase: u32,
    ranks: [Rank; 2],
    label: u64,
}

/// A message as a JSON object. Its form is stable; keys may be added.
#[derive(Serialize)]
struct Line {
    phase: u32,
    source_rank: u32,
    source: String,
    destination_rank: u32,
    destination: String,
    /// The source's port, where routes choose among several.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_port: Option<u32>,
    path: Vec<Passed>,
}

/// A switch, and the number of the port by which the message leaves it.
#[derive(Serialize)]
struct Passed {
    switch: String,
    port: u32,
}

/// How many messages a part of the lines of messages has at most.
const LINES: u32 = 1 << 13;
/// A part of the tables of sources has one in so many of all messages, within these bounds; each looks
/// through all of them.
const PARTS: u64 = 64;
const PER_PART: [u64; 2] = [1 << 13, 1 << 20];

impl Scenario {
    /// The ways of the scenario's messages in a network, which is this scenario's.
    ///
    /// # Errors
    /// As [`check_messages`](Self::check_messages) and [`message_ways_on`](Self::message_ways_on),
    /// and every problem with the routing.
    pub fn message_ways(
        &self,
        network: &Arc<Network>,
        most: u64,
    ) -> Result<MessageWays, Vec<Problem>> {
        self.check_messages(network, most)?;
        self.message_ways_on(network, &self.routes(network)?)
    }

    /// Whether messages are known and no more than so many.
    ///
    /// # Errors
    /// They are not; or exchange, traffic and placement do not fit the network.
    pub fn check_messages(&self, network: &Arc<Network>, most: u64) -> Result<(), Vec<Problem>> {
        self.known_messages(network)?;
        let messages = self.demand(network)?.messages();
        if messages > most {
            let reason = format!("there are {messages} messages, allowed here: up to {most}");
            return Err(vec![Problem::new("exchange", self.exchange.name(), reason)]);
        }
        Ok(())
    }

    fn known_messages(&self, network: &Arc<Network>) -> Result<Exchanging, Vec<Problem>> {
        self.sending(network)?.ok_or_else(|| {
            let allowed = "only known messages have ways: allowed are an exchange, or traffic of \
                           which it is known who sends to whom (all but uniform)";
            vec![Problem::new("traffic", self.traffic.name(), allowed)]
        })
    }

    /// The same as [`message_ways`](Self::message_ways), on routes that are known.
    ///
    /// # Errors
    /// Every problem with exchange, traffic and placement; the messages are not known, or travel on
    /// several rails.
    pub fn message_ways_on(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
    ) -> Result<MessageWays, Vec<Problem>> {
        let (routing, routes) = (self.routing.name(), routes.clone());
        let sending = self.known_messages(network)?;
        if crate::analysis::rails_of(network, &routes).len() > 1 {
            let allowed = "messages travel on all rails of this fabric; allowed: a fabric with one";
            return Err(vec![Problem::new("topology", self.topology.name(), allowed)]);
        }
        let listed = listed(&sending);
        let phases = match &sending.exchanged.workload {
            Workload::Phased(phased) => phased.phases(),
            Workload::List(_) => listed.last().map_or(0, |told| told.phase + 1),
        };
        Ok(MessageWays { network: network.clone(), routes, sending, listed, phases, routing })
    }
}

/// The messages of a list in the order of their phases.
fn listed(sending: &Exchanging) -> Vec<Told> {
    let Workload::List(list) = &sending.exchanged.workload else { return Vec::new() };
    let messages = list.messages().iter().zip(sending.exchanged.stages.iter());
    let told = messages.map(|(message, phase)| Told {
        phase: *phase,
        ranks: [message.source, message.destination],
        label: message.label,
    });
    let mut listed: Vec<Told> = told.collect();
    listed.sort_by_key(|told| told.phase);
    listed
}

impl MessageWays {
    /// At most.
    fn messages(&self) -> u64 {
        let ranks = self.sending.placement.len() as u64;
        match &self.sending.exchanged.workload {
            Workload::Phased(_) => ranks * ranks.saturating_sub(1),
            Workload::List(_) => self.listed.len() as u64,
        }
    }

    /// How many parts a file of a format has; one after the other they are the file.
    pub fn parts(&self, format: WaysFormat) -> u32 {
        match format {
            WaysFormat::Csv | WaysFormat::JsonLines => match &self.sending.exchanged.workload {
                Workload::Phased(_) => (self.phases * self.parts_per_phase()).max(1),
                Workload::List(list) => (list.messages().len() as u32).div_ceil(LINES).max(1),
            },
            WaysFormat::SourceTables => {
                let ranks = self.sending.placement.len() as u32;
                ranks.div_ceil(self.sources_per_part()).max(1)
            }
        }
    }

    /// A part of a file, by its number from 0.
    ///
    /// # Errors
    /// A message has several ways, or none.
    pub fn part(&self, format: WaysFormat, part: u32) -> Result<String, Vec<Problem>> {
        let mut text = String::new();
        if part == 0 {
            text.push_str(format.head());
        }
        match format {
            WaysFormat::SourceTables => self.tables(part, &mut text)?,
            WaysFormat::Csv | WaysFormat::JsonLines => {
                let mut finder = PathFinder::default();
                for told in self.told_in(part) {
                    let way = self.way(&mut finder, told)?;
                    if !way.is_empty() {
                        self.line(format, told, &way, &mut text);
                    }
                }
            }
        }
        Ok(text)
    }

    fn sources_per_part(&self) -> u32 {
        let (ranks, messages) = (self.sending.placement.len() as u64, self.messages());
        let per_part = (messages / PARTS).clamp(PER_PART[0], PER_PART[1]);
        (per_part * ranks / messages.max(1)).clamp(1, ranks.max(1)) as u32
    }

    /// How many parts the lines of a phase of an all-to-all are.
    fn parts_per_phase(&self) -> u32 {
        (self.sending.placement.len() as u32).div_ceil(LINES).max(1)
    }

    /// The messages of a part of the lines.
    fn told_in(&self, part: u32) -> Vec<Told> {
        let per_phase = match &self.sending.exchanged.workload {
            Workload::Phased(_) => self.parts_per_phase(),
            Workload::List(_) => {
                let mut parts = self.listed.chunks(LINES as usize);
                return parts.nth(part as usize).unwrap_or_default().to_vec();
            }
        };
        let mut told = self.told(part / per_phase);
        told.retain(|told| told.ranks[0].0 / LINES == part % per_phase);
        told
    }

    /// The messages of a phase.
    fn told(&self, phase: u32) -> Vec<Told> {
        if let Workload::Phased(phased) = &self.sending.exchanged.workload {
            let ranks = self.sending.placement.len() as u64;
            let told = |(rank, to): (u32, Option<Rank>)| {
                let label = u64::from(phase) * ranks + u64::from(rank);
                Some(Told { phase, ranks: [Rank(rank), to?], label })
            };
            return (0..).zip(phased.phase(phase)).filter_map(told).collect();
        }
        let past = |phase| self.listed.partition_point(|told| told.phase < phase);
        self.listed[past(phase)..past(phase + 1)].to_vec()
    }

    fn tables(&self, part: u32, text: &mut String) -> Result<(), Vec<Problem>> {
        let mut finder = PathFinder::default();
        let ranks = self.sending.placement.len() as u32;
        let first = part * self.sources_per_part();
        let past = (first + self.sources_per_part()).min(ranks);
        let mut tables = vec![String::new(); past.saturating_sub(first) as usize];
        for phase in 0..self.phases {
            for told in self.told(phase) {
                let [Rank(from), Rank(to)] = told.ranks;
                if !(first..past).contains(&from) {
                    continue;
                }
                let way = self.way(&mut finder, told)?;
                let ports = way.iter().map(|port| self.network.shown_number(*port).to_string());
                let ports: Vec<String> = ports.collect();
                if !ports.is_empty() {
                    let name = self.name(told.ranks[1]);
                    // Writing to a string does not fail.
                    let table = &mut tables[(from - first) as usize];
                    let _ = writeln!(table, "{phase} {to} {} # {name}", ports.join(","));
                }
            }
        }
        for (rank, table) in (first..).zip(tables) {
            let _ = write!(text, "source {rank} # {}\n{table}", self.name(Rank(rank)));
        }
        Ok(())
    }

    fn line(&self, format: WaysFormat, told: Told, way: &[PortId], text: &mut String) {
        let passed = |port: &PortId| Passed {
            switch: self.network.name(self.network.owner(*port)),
            port: self.network.shown_number(*port),
        };
        let [from, to] = told.ranks;
        let (ends, way) = way.split_at(usize::from(self.names_outlets()));
        let line = Line {
            phase: told.phase,
            source_rank: from.0,
            source: self.name(from),
            destination_rank: to.0,
            destination: self.name(to),
            source_port: ends.first().map(|port| self.network.shown_number(*port)),
            path: way.iter().map(passed).collect(),
        };
        if format == WaysFormat::JsonLines {
            // Of numbers and texts there is always an object.
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
            return;
        }
        let word = |passed: Passed| format!("{} [{}]", passed.switch, passed.port);
        let words: Vec<String> = ends.iter().map(passed).chain(line.path).map(word).collect();
        let [source, destination] = [&line.source, &line.destination].map(|name| cell(name));
        let _ = writeln!(
            text,
            "{},{},{source},{},{destination},{}",
            line.phase,
            line.source_rank,
            line.destination_rank,
            cell(&words.join("; "))
        );
    }

    fn endpoint(&self, rank: Rank) -> EndpointId {
        self.sending.placement[rank.0 as usize]
    }

    fn name(&self, rank: Rank) -> String {
        self.network.name(Node::Endpoint(self.endpoint(rank)))
    }

    fn names_outlets(&self) -> bool {
        self.routes.route().names_outlets()
    }

    /// The ports by which a message leaves the switches on its way, after that of its source where
    /// routes choose it; none within an endpoint.
    fn way(&self, finder: &mut PathFinder, told: Told) -> Result<Vec<PortId>, Vec<Problem>> {
        let [source, destination] = told.ranks.map(|rank| self.endpoint(rank));
        if source == destination {
            return Ok(Vec::new());
        }
        let pair = Pair { source, destination };
        let routes = self.routes.oblivious();
        if let Some(waypoints) = routes.of_message(pair, told.label) {
            let way = follow(&self.network, routes, pair, waypoints);
            return way.ok_or_else(|| self.lost(told));
        }
        let (mut way, mut ways) = (Vec::new(), 0);
        let routed = finder.paths(&self.network, routes, pair, &mut |steps, _| {
            ways += 1;
            way.clear();
            let skipped = usize::from(!self.names_outlets());
            way.extend(steps.iter().skip(skipped).map(|step| step.port));
        });
        match (routed, ways) {
            (Ok(()), 1) => Ok(way),
            (Ok(()), 2..) => Err(self.refused(
                "its messages have several ways, one of which is drawn; allowed: a routing that \
                 gives each message one (static_random, d_mod_k, greedy, pattern_specific, …)",
            )),
            _ => Err(self.lost(told)),
        }
    }

    fn lost(&self, told: Told) -> Vec<Problem> {
        let [from, to] = told.ranks.map(|rank| self.name(rank));
        self.refused(&format!("it leads nowhere from {from} to {to}"))
    }

    fn refused(&self, reason: &str) -> Vec<Problem> {
        vec![Problem::new("routing", self.routing, reason)]
    }
}

/// The ports by which a packet with these waypoints leaves switches, after that of its source where
/// routes choose it; where it comes to its end.
fn follow(
    network: &Network,
    routes: &dyn Oblivious,
    pair: Pair,
    waypoints: Waypoints,
) -> Option<Vec<PortId>> {
    let outlet = routes.outlet(network, pair, waypoints)?;
    let Node::Switch(mut at) = network.neighbor(outlet)? else { return None };
    let mut exits: Vec<Exit> = Vec::new();
    routes.follow(network, at, pair, waypoints, &mut exits);
    let mut way: Vec<PortId> =
        Some(outlet).filter(|_| routes.names_outlets()).into_iter().collect();
    for exit in exits {
        let port = network.port(at, exit.number);
        way.push(port);
        match network.neighbor(port)? {
            Node::Switch(next) => at = next,
            Node::Endpoint(end) => return (end == pair.destination).then_some(way),
        }
    }
    None
}
