//! Exchanges as their ranks are placed, before anything is simulated.

use std::sync::Arc;

use super::record::{ExchangeMetrics, ManagementLatency, RankBandwidth, Reordering};
use super::{Experiment, KEYS, Limit, Scenario, ShortBuffer};
use crate::analysis::{Contending, Crossings, Levels, Rail};
use crate::catalog::{Menu, Problem};
use crate::exchange::{Exchange, Exchanged, Forwarding, List, Refused, Site, Workload};
use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::routing::{Oblivious, Routes, Sharing};
use crate::simulation::{ExchangeReport, ExchangeSetup};
use crate::traffic::{Destinations, Residents, Uniform};
use crate::units::{Bytes, Load, Rank, Time};

/// An exchange and where its ranks are.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchanging {
    /// Who sends what to whom, and when.
    pub exchanged: Exchanged,
    /// The endpoint of each rank.
    pub placement: Vec<EndpointId>,
}

impl Scenario {
    /// The scenario's exchange on a network; nothing where it has none.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn exchanging(&self, network: &Arc<Network>) -> Result<Option<Exchanging>, Vec<Problem>> {
        let routes = self.routes_to_ask(network)?;
        self.exchanging_along(network, routes.as_deref())
    }

    /// The same along routes that are known, which are this scenario's. Where none are, an exchange
    /// that asks for the lengths of ways goes by the shortest ones.
    ///
    /// # Errors
    /// As [`exchanging`](Self::exchanging).
    pub fn exchanging_along(
        &self,
        network: &Network,
        routes: Option<&Routes>,
    ) -> Result<Option<Exchanging>, Vec<Problem>> {
        self.check_alone().map_err(|problem| vec![problem])?;
        let placement = self.place(network)?;
        let along = Along::of(routes);
        let site = self.site(network, &placement, along.as_ref());
        let exchanged = self.exchange.role().exchanged(site);
        let exchanged = exchanged.map_err(|refused| vec![self.exchange_refused(refused)])?;
        let placement = placement.iter().copied().flatten().collect();
        Ok(exchanged.map(|exchanged| Exchanging { exchanged, placement }))
    }

    /// Whether nothing else is sent beside an exchange.
    pub(super) fn check_alone(&self) -> Result<(), Problem> {
        let name = self.exchange.name();
        if name != "none" && self.traffic != Uniform.into() {
            let allowed = format!(
                "the scenario has exchange={name}, too, and ranks do one or the other; allowed \
                 beside an exchange: no traffic="
            );
            return Err(Problem::new("traffic", self.traffic.name(), allowed));
        }
        if name != "none" && self.management.load > Load::ppm(0) {
            let allowed =
                "switches would send for ever, and an exchange ends; allowed beside one: 0";
            return Err(Problem::new("management", self.management.load.to_string(), allowed));
        }
        Ok(())
    }

    /// Where the ranks run, and what they send.
    pub(super) fn site<'a>(
        &self,
        network: &'a Network,
        placement: &'a [Option<EndpointId>],
        along: Option<&'a Along<'a>>,
    ) -> Site<'a> {
        Site {
            network,
            placement,
            ranks_per_endpoint: self.ranks_per_endpoint,
            bytes: self.bytes,
            seed: self.seed,
            forwarding: along.map(|along| along as &dyn Forwarding),
        }
    }

    /// Whether its exchange depends on the lengths of the ways that messages take.
    pub fn goes_by_ways(&self) -> bool {
        let asks = matches!(&self.exchange, Exchange::Broadcast(it) if it.goes_by_ways());
        asks && !self.routing.role().needs_messages()
    }

    /// The routes whose ways its exchange depends on; none where it depends on no such, they change
    /// with the load, or the network does not suit the routing that stands where none is chosen.
    ///
    /// # Errors
    /// Every problem with another routing.
    pub fn routes_to_ask(
        &self,
        network: &Arc<Network>,
    ) -> Result<Option<Arc<Routes>>, Vec<Problem>> {
        if !self.goes_by_ways() {
            return Ok(None);
        }
        match self.any_routes(network) {
            Ok(routes) => Ok(routes.fixed().ok().cloned()),
            Err(_) if self.routing == Scenario::default().routing => Ok(None),
            Err(problems) => Err(problems),
        }
    }

    /// What the exchange refuses, with the key that it asks something of.
    pub(super) fn exchange_refused(&self, refused: Refused) -> Problem {
        let name = self.exchange.name();
        match refused {
            Refused::Needs(needs) => Problem::new("exchange", name, needs.to_string()),
            Refused::Problem(problem) if KEYS.iter().any(|key| key.name == problem.key) => problem,
            Refused::Problem(problem) => problem.within(&format!("exchange={name}")),
        }
    }

    /// The length of an acknowledgement.
    pub(super) fn acknowledgement(&self) -> Bytes {
        self.model().flit.unwrap_or(ExchangeSetup::ACKNOWLEDGEMENT.min(self.packet))
    }
}

impl Exchanging {
    /// The whole exchange as traffic: whom ranks send to, each with its share of what the rank that
    /// sends most does.
    pub(super) fn as_traffic(&self) -> Destinations {
        match &self.exchanged.workload {
            all_to_all @ Workload::Phased(_) => Destinations::Uniform { ranks: all_to_all.ranks() },
            Workload::List(list) => demand(list),
        }
    }

    /// How many packets, or flits, of this length the messages are cut into.
    pub(super) fn pieces(&self, unit: Bytes) -> u64 {
        let pieces = |bytes: u64| bytes.div_ceil(unit.0.max(1)).max(1);
        match &self.exchanged.workload {
            all_to_all @ Workload::Phased(_) => {
                let messages = all_to_all.messages();
                messages * pieces(all_to_all.bytes().0 / messages.max(1))
            }
            Workload::List(list) => list.messages().iter().map(|m| pieces(m.bytes.0)).sum(),
        }
    }

    /// Whether the messages are listed one by one.
    pub(super) fn is_listed(&self) -> bool {
        matches!(self.exchanged.workload, Workload::List(_))
    }

    /// The most bytes that a rank sends to others.
    fn most_sent(&self) -> Bytes {
        match &self.exchanged.workload {
            Workload::Phased(phased) => phased.sent_to_others(),
            Workload::List(list) => Bytes(sent(list).into_iter().max().unwrap_or(0)),
        }
    }

    /// The ports of the ranks on a rail.
    pub fn ports(&self, rail: &Rail) -> Vec<Option<PortId>> {
        let port = |endpoint: &EndpointId| rail.ports.get(endpoint.index()).copied().flatten();
        self.placement.iter().map(port).collect()
    }

    /// The contention of its phases on a rail, those left out in which nobody sends.
    pub fn contending(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        rail: &Rail,
    ) -> Contending {
        self.contending_in(network, routes, levels, rail, self.sending_phases())
    }

    /// The same of the phases with these numbers.
    pub fn contending_in(
        &self,
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        levels: Levels,
        rail: &Rail,
        phases: Vec<u32>,
    ) -> Contending {
        let messages = self.exchanged.workload.messages();
        if routes.oblivious().solved().is_some() {
            let demand = self.clone().demand();
            return Contending::messages(network, routes, levels, demand, phases).of(messages);
        }
        let all = self.exchanged.phases.clone();
        let sent = phases.into_iter().map(move |phase| all.phase(phase));
        Contending::phases(network, routes, levels, &self.ports(rail), sent).of(messages)
    }

    /// The numbers of the phases in which somebody sends.
    pub fn sending_phases(&self) -> Vec<u32> {
        let phases = &self.exchanged.phases;
        (0..phases.count()).filter(|phase| phases.sends(*phase)).collect()
    }

    /// How many messages leave the parts of the fabric in each phase; nothing where it has no levels
    /// or groups.
    pub fn crossings(&self, network: &Network) -> Vec<Crossings> {
        Crossings::of(network, &self.placement, || self.exchanged.phases.each())
    }
}

/// Routes of which each switch has one port for a destination.
pub(super) struct Along<'a>(&'a dyn Oblivious);

impl<'a> Along<'a> {
    /// Routes where they are such.
    pub fn of(routes: Option<&'a Routes>) -> Option<Along<'a>> {
        let routes = routes?.oblivious();
        routes.merges().then_some(Along(routes))
    }
}

impl Forwarding for Along<'_> {
    fn port(&self, at: SwitchId, to: EndpointId) -> Option<PortId> {
        self.0.onward(at, to)
    }

    fn is_by_switch(&self) -> bool {
        self.0.sharing() == Sharing::Switches
    }
}

/// The bytes that each rank sends.
fn sent(list: &List) -> Vec<u64> {
    let mut sent = vec![0; list.ranks() as usize];
    list.messages().iter().for_each(|message| sent[message.source.0 as usize] += message.bytes.0);
    sent
}

/// The messages of a list as traffic.
fn demand(list: &List) -> Destinations {
    let most = sent(list).into_iter().max().unwrap_or(0).max(1);
    let mut rows: Vec<Vec<(Rank, u64)>> = vec![Vec::new(); list.ranks() as usize];
    for message in list.messages().iter().filter(|message| message.bytes.0 > 0) {
        rows[message.source.0 as usize].push((message.destination, message.bytes.0));
    }
    let shares = |mut row: Vec<(Rank, u64)>| -> Vec<(Rank, f64)> {
        row.sort_unstable();
        let merged = row.chunk_by(|one, other| one.0 == other.0);
        let bytes = |same: &[(Rank, u64)]| same.iter().map(|(_, bytes)| bytes).sum::<u64>();
        merged.map(|same| (same[0].0, bytes(same) as f64 / most as f64)).collect()
    };
    Destinations::Weighted(rows.into_iter().map(shares).collect())
}

impl Experiment {
    /// Everything that the simulation of the exchange depends on; none where there is traffic instead.
    pub fn exchange_setup(&self) -> Option<ExchangeSetup> {
        let exchanging = self.exchanging.as_ref()?;
        let setup = self.setup();
        Some(ExchangeSetup {
            network: setup.network,
            routes: setup.routes,
            placement: setup.placement,
            workload: Arc::new(exchanging.exchanged.workload.clone()),
            packet: setup.packet,
            acknowledgement: self.scenario.acknowledgement(),
            model: setup.model,
            switch_latency: setup.switch_latency,
            adapter_latency: setup.adapter_latency,
            buffer: setup.buffer,
            output_buffer: setup.output_buffer,
            virtual_channels: setup.virtual_channels,
            ways: setup.injection.ways,
            seed: setup.seed,
        })
    }

    /// The numbers of an exchange in their machine-readable form.
    pub(super) fn exchange_metrics(&self, report: &ExchangeReport) -> ExchangeMetrics {
        let nanoseconds = |time: Option<Time>| time.map(Time::as_ns);
        let limit = self.analysis.limit.as_ref();
        let exchanging = self.exchanging.as_ref();
        let of_messages = exchanging.map_or(0, |it| it.exchanged.workload.messages());
        let ideal = self.scenario.ideal_time(&self.network, self.placement.len());
        let model = exchanging.and_then(|it| self.scenario.model_time(&self.network, it));
        let own = limit.and_then(|limit| self.busiest_by_own(limit));
        // What ranks send to themselves is in no reason.
        let reason = limit.filter(|_| own.is_none());
        let shared = reason.and_then(|it| Some(it.why.as_ref()?.at_full_rate(it.bound)));
        let shared = shared.unwrap_or_default();
        let of_limit = || limit.map(|it| (self.least_time(it.bound), it.busiest_name.clone()));
        let own = own.map(|(time, name)| (Some(time), name));
        let (bound, busiest) = own.or_else(of_limit).unzip();
        let bound = bound.flatten();
        let share = bound.zip(report.completion).map(|(bound, end)| bound / end.as_ns() * 100.0);
        let why = |(share, busiest): (f64, &String)| {
            format!(
                "The channel from {busiest} has most to carry: were it never idle, that would take \
                 {share:.0} % of the time of the exchange.{shared}"
            )
        };
        ExchangeMetrics {
            why: share.zip(busiest.as_ref()).map(why),
            completion_ns: nanoseconds(report.completion),
            ideal_ns: nanoseconds(ideal),
            model_ns: model.map(|(time, _)| time),
            model: model.map(|(_, formula)| formula.to_owned()),
            bound_ns: bound,
            busiest,
            effective_throughput: report.effective_throughput,
            messages: report.messages,
            of_messages,
            bytes: report.bytes.0,
            latency_min_ns: nanoseconds(report.latency_min),
            latency_ns: ManagementLatency {
                mean: report.latency.mean_ns,
                p50: nanoseconds(report.latency.median),
                p99: nanoseconds(report.latency.p99),
                max: nanoseconds(report.latency.max),
            },
            packets: report.packets,
            packet_hops: report.packet_hops,
            max_utilization: report.max_utilization,
            rounded: self.rounds(),
            short_buffer: ShortBuffer::find(&self.setup()),
            rank_bandwidth: self.rank_bandwidth(report),
            reordering: self.reordering(),
            stuck: report.stuck,
            deadlock: report.deadlock.as_ref().map(|cycle| self.in_words(cycle)),
            deadlock_packets: report.deadlock.as_ref().map(|cycle| self.packets(cycle)),
            deadlock_ns: super::waiting::stopped(report.deadlock.as_deref()),
        }
    }

    /// The bandwidth of a rank on a ring, or between two at a time.
    fn rank_bandwidth(&self, report: &ExchangeReport) -> Option<RankBandwidth> {
        let bytes = self.scenario.bytes.0 as f64;
        let rate = |bytes: f64, time_ns: f64| bytes / time_ns * 1e3;
        match &self.scenario.exchange {
            Exchange::Ring(_) => {
                let mean = rate(2.0 * bytes, report.completion?.as_ns());
                Some(RankBandwidth { min: mean, mean, max: mean })
            }
            Exchange::PingPong(_) => Some(RankBandwidth {
                min: rate(bytes, report.latency.max?.as_ns()),
                mean: rate(bytes, report.latency.mean_ns?),
                max: rate(bytes, report.latency_min?.as_ns()),
            })
            .filter(|rates| rates.max.is_finite()),
            _ => None,
        }
    }

    /// What a broadcast takes to reorder its ranks, where it does.
    fn reordering(&self) -> Option<Reordering> {
        let Exchange::Broadcast(broadcast) = &self.scenario.exchange else { return None };
        let placement = self.exchanging.as_ref()?.placement.iter().copied().map(Some);
        let placement: Vec<Option<EndpointId>> = placement.collect();
        let site = self.scenario.site(&self.network, &placement, None);
        Some(Reordering::of(broadcast.overhead(site).ok()??))
    }

    /// How long the endpoints' links take, and one of them, where what ranks send to themselves makes
    /// these busier than the channel of the limit.
    fn busiest_by_own(&self, limit: &Limit) -> Option<(f64, String)> {
        let bytes = self.exchanging.as_ref()?.exchanged.workload.sent_with_own()?;
        // By several links several ranks send at once.
        let alone = !self.routes.route().names_outlets();
        let own = (self.time_to_send(bytes).filter(|_| alone)? * 1e3).round() / 1e3;
        let port = self.network.peer(self.network.injection(*self.placement.first()?)?)?;
        let busier = own > self.least_time(limit.bound)? + 1e-3;
        busier.then(|| (own, self.network.channel_name(port)))
    }

    /// The time in nanoseconds that the busiest channel takes, which fills when ranks send at a share
    /// `bound` of their full rate; none where endpoints are not alike.
    pub(super) fn least_time(&self, bound: f64) -> Option<f64> {
        let time = self.time_to_send(self.exchanging.as_ref()?.most_sent())? / bound;
        time.is_finite().then_some((time * 1e3).round() / 1e3)
    }

    /// The time in nanoseconds that an endpoint's link takes for what its ranks send, each so much; none
    /// where endpoints are not alike.
    fn time_to_send(&self, bytes: Bytes) -> Option<f64> {
        let residents = Residents::new(self.network.endpoint_count(), &self.placement);
        let each = if residents.are_alone() { 1 } else { residents.each()? };
        let injections = self.placement.iter().filter_map(|at| self.network.injection(*at));
        let rates: Vec<u64> = injections
            .filter_map(|port| Some(self.network.channel(port)?.bandwidth.as_bps()))
            .collect();
        let rate = *rates.first()?;
        let alike = rates.iter().all(|other| *other == rate);
        alike.then(|| bytes.0 as f64 * 8e9 * f64::from(each) / rate as f64)
    }
}
