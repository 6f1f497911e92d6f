//! The messages of a run: who sends to whom, what they share, the documents' formulas, and how a
//! domain is best cut and placed.

use std::sync::Arc;

use dragontree::analysis::{Contending, Contention, Crossings, Levels, rails_of};
use dragontree::catalog::{Menu, Problem};
use dragontree::network::{Network, Structure};
use dragontree::routing::{AnyRoutes, Routes};
use dragontree::scenario::{
    Certificates, Certifying, Compared, ComparingRoutings, Exchanging, Modelled, Optimized,
    Optimizer, RouteSearch, Routed, Saturating, Saturation, Scenario, Search,
};
use dragontree::units::grouped;

use super::timing::{Time, Timing};
use super::{Finding, messages};

/// The most places in all phases together, of ranks that send or not, for which crossings are counted:
/// an all-to-all of 8,192 ranks in half a second for each level.
const MOST_PLACES: u64 = 1 << 26;

/// The most messages for which routings are compared: all phases of 512 endpoints, in some ten seconds.
const MOST_COMPARED: u64 = 1 << 18;

/// The steps of an inspection of messages, one after the other.
pub struct Sending {
    scenario: Scenario,
    network: Arc<Network>,
    /// The run's routes, once they are known.
    routes: Option<Arc<Routes>>,
    step: Step,
    found: Messages,
    /// Of which phases pictures are asked for, where that is all that is; otherwise nothing.
    pictured: Option<Vec<u32>>,
}

enum Step {
    Routing(Box<RouteSearch>),
    Certifying(Box<Certifying>),
    Counting(Vec<Contending>),
    Comparing(Box<ComparingRoutings>),
    Timing(Timing),
    Optimizing(Box<Optimizer>),
    Saturating(Box<Saturating>),
    Done,
}

/// What is known of the messages.
pub struct Messages {
    /// Who sends to whom, and from where.
    pub exchanging: Exchanging,
    /// What leaves the parts of the fabric; or why that is not known.
    pub crossings: Result<Vec<Crossings>, String>,
    /// What shares channels, on the rail where that is worst; or why that is not known.
    pub contention: Result<Contention, String>,
    /// How good the routes are, or why that is not known; nothing where there is no tree.
    pub certificate: Result<Option<Certificates>, String>,
    /// The documents' formulas, and of traffic what the network carries of it.
    pub formulas: Vec<Modelled>,
    /// Other routings for the same messages, on a tree; or why they are not compared.
    pub compared: Option<Result<Compared, String>>,
    /// How long the exchange takes by each of them; nothing where that is not simulated.
    pub times: Vec<Option<Time>>,
    /// The best ways to cut and place a domain, of the exchange of one; or why they are not known.
    pub best: Option<Result<Optimized, String>>,
}

impl Messages {
    /// Takes what shares channels on a rail, where it is worse than on those before.
    fn take_worse(&mut self, found: Contention) {
        let of = |contention: &Contention| (contention.worst, contention.mean);
        if self.contention.as_ref().map_or(true, |known| of(&found) > of(known)) {
            self.contention = Ok(found);
        }
    }
}

impl Sending {
    /// The search for its routes, while that goes on.
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.step {
            Step::Routing(search) => Some(search),
            _ => None,
        }
    }

    /// Begins to look at the messages of a scenario, whose routes these are; where a `first` phase is
    /// given only at the pictures from that on.
    ///
    /// # Errors
    /// Exchange, traffic or placement do not fit the network, or the traffic is not fixed.
    pub fn start(
        scenario: &Scenario,
        network: &Arc<Network>,
        routed: Result<Routed, Vec<Problem>>,
        first: Option<u32>,
    ) -> Result<Sending, Vec<Problem>> {
        let routes = match &routed {
            Ok(Routed::Found(routes)) => routes.fixed().ok().cloned(),
            _ => None,
        };
        let exchanging = scenario.sending_along(network, routes.as_deref())?.ok_or_else(|| {
            let allowed = "it has no phases to look at; allowed: an exchange, or traffic of \
                           which it is known who sends to whom (all but uniform)";
            vec![Problem::new("traffic", scenario.traffic.name(), allowed)]
        })?;
        let pictured = first.map(|first| messages::pictured(&exchanging, first));
        let (crossings, formulas) = match pictured {
            Some(_) => (Ok(Vec::new()), Vec::new()),
            None => {
                (crossings(&exchanging, network), scenario.modelled(network, routes.as_deref())?)
            }
        };
        let mut sending = Sending {
            scenario: scenario.clone(),
            network: network.clone(),
            routes: None,
            step: Step::Done,
            pictured,
            found: Messages {
                crossings,
                exchanging,
                contention: Err(String::new()),
                certificate: Ok(None),
                formulas,
                compared: None,
                times: Vec::new(),
                best: None,
            },
        };
        match routed {
            Ok(Routed::Searching(search)) => sending.step = Step::Routing(search),
            Ok(Routed::Found(routes)) => sending.certify(scenario.fixed(&routes))?,
            Err(problems) => sending.certify(Err(problems))?,
        }
        Ok(sending)
    }

    /// Goes on for a while; what was found out, at the end. The clock is in milliseconds.
    ///
    /// # Errors
    /// The messages cannot be told after all.
    pub fn advance(
        &mut self,
        budget: u64,
        clock: &dyn Fn() -> f64,
    ) -> Result<Option<Finding>, Vec<Problem>> {
        match &mut self.step {
            Step::Routing(search) => {
                if let Some(found) = search.advance(budget) {
                    self.take_routes(found)?;
                }
            }
            Step::Certifying(certifying) => {
                if certifying.advance(budget)
                    && let Step::Certifying(certifying) =
                        std::mem::replace(&mut self.step, Step::Done)
                {
                    self.found.certificate = certifying.outcome();
                    self.count();
                }
            }
            Step::Counting(rails) => {
                if let Some(found) = rails.last_mut().and_then(|rail| rail.advance(budget)) {
                    rails.pop();
                    self.found.take_worse(found);
                }
                if rails.is_empty() {
                    self.compare();
                }
            }
            Step::Comparing(comparing) => {
                if comparing.advance(budget)
                    && let Step::Comparing(comparing) =
                        std::mem::replace(&mut self.step, Step::Done)
                {
                    self.time(comparing.finish());
                }
            }
            Step::Timing(timing) => {
                if timing.advance(budget)
                    && let Step::Timing(timing) = std::mem::replace(&mut self.step, Step::Done)
                {
                    self.found.times = timing.finish();
                    self.optimize();
                }
            }
            Step::Optimizing(optimizer) => {
                if optimizer.advance() {
                    self.found.best = Some(Ok(optimizer.as_ref().clone().finish()));
                    self.step = Step::Done;
                }
            }
            Step::Saturating(saturating) => match saturating.advance(budget) {
                Ok(None) => {}
                over => self.carry(over.ok().flatten()),
            },
            Step::Done => return self.conclude(clock).map(Some),
        }
        Ok(None)
    }

    /// What was found out, or the pictures that were asked for.
    fn conclude(&mut self, clock: &dyn Fn() -> f64) -> Result<Finding, Vec<Problem>> {
        let markup = match &self.pictured {
            Some(phases) => messages::phases(&self.found, &self.network, phases),
            None => {
                let routes = self.routes.as_deref();
                let times = self.scenario.timed_reordering(&self.network, routes, clock)?;
                self.found.formulas.extend(times);
                messages::markup(&self.found, &self.network)
            }
        };
        Ok(Finding { markup, ..Finding::default() })
    }

    /// About how much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match &self.step {
            Step::Routing(search) => 0.2 * search.share(),
            Step::Certifying(certifying) => 0.2 + 0.1 * certifying.share(),
            Step::Counting(rails) => match &rails[..] {
                [last] => 0.3 + 0.1 * last.share(),
                _ => 0.3,
            },
            Step::Comparing(comparing) => 0.4 + 0.3 * comparing.share(),
            Step::Timing(timing) => 0.7 + 0.2 * timing.share(),
            Step::Optimizing(_) => 0.9,
            Step::Saturating(saturating) => 0.9 + 0.1 * saturating.share(),
            Step::Done => 1.0,
        }
    }

    /// Goes on with routes that took a search, or why there are none.
    fn take_routes(&mut self, found: Result<AnyRoutes, Vec<Problem>>) -> Result<(), Vec<Problem>> {
        let fixed = found.and_then(|routes| self.scenario.fixed(&routes));
        if let Ok(routes) = &fixed {
            self.follow(routes)?;
        }
        self.certify(fixed)
    }

    /// Takes up how long the ways of routes are, where the exchange depends on it.
    fn follow(&mut self, routes: &Routes) -> Result<(), Vec<Problem>> {
        if !self.scenario.goes_by_ways() {
            return Ok(());
        }
        if let Some(along) = self.scenario.exchanging_along(&self.network, Some(routes))? {
            if self.pictured.is_none() {
                self.found.crossings = crossings(&along, &self.network);
                self.found.formulas = self.scenario.modelled(&self.network, Some(routes))?;
            }
            self.found.exchanging = along;
        }
        Ok(())
    }

    /// Goes on with the routes, or why there are none.
    fn certify(&mut self, routes: Result<Arc<Routes>, Vec<Problem>>) -> Result<(), Vec<Problem>> {
        match routes {
            Err(problems) => {
                self.found.contention = Err(in_words(&problems));
                self.compare();
            }
            Ok(routes) if self.pictured.is_some() => {
                self.routes = Some(routes);
                self.count();
            }
            Ok(routes) => {
                let certifying = self.scenario.certifying(&self.network, &routes)?;
                self.routes = Some(routes);
                match certifying {
                    Some(certifying) => self.step = Step::Certifying(Box::new(certifying)),
                    None => self.count(),
                }
            }
        }
        Ok(())
    }

    /// Goes on with what shares channels.
    fn count(&mut self) {
        let Some(routes) = &self.routes else { return };
        let (network, exchanging) = (&self.network, &self.found.exchanging);
        let phases = || self.pictured.clone().unwrap_or_else(|| exchanging.sending_phases());
        let rail = |rail| {
            let levels = Levels::found(network);
            exchanging.contending_in(network, routes, levels, &rail, phases())
        };
        self.step = Step::Counting(rails_of(network, routes).into_iter().map(rail).collect());
    }

    /// Goes on with other routings for the same messages, where these can be followed one by one in
    /// some seconds.
    fn compare(&mut self) {
        if self.pictured.is_some() {
            self.step = Step::Done;
            return;
        }
        let messages = self.found.exchanging.exchanged.workload.messages();
        match self.scenario.comparing(&self.network, self.routes.as_ref()) {
            Ok(comparing) if messages <= MOST_COMPARED => {
                self.step = Step::Comparing(Box::new(comparing));
            }
            Ok(_) => {
                self.found.compared = Some(Err(too_many_to_compare(messages)));
                self.optimize();
            }
            Err(_) => self.optimize(),
        }
    }

    /// Goes on with how long the exchange takes by the routings that were compared.
    fn time(&mut self, compared: Compared) {
        let workload = &self.found.exchanging.exchanged.workload;
        let (messages, bytes) = (workload.messages(), workload.bytes().0);
        let timing = Timing::new(&self.scenario, &compared, messages, bytes);
        self.found.compared = Some(Ok(compared));
        match timing {
            Some(timing) => self.step = Step::Timing(timing),
            None => self.optimize(),
        }
    }

    /// Goes on with the best ways to cut and place a domain, where the exchange has one, or with what
    /// the network carries of traffic.
    fn optimize(&mut self) {
        self.step = Step::Done;
        if let Some(routes) = self.routes.as_ref().filter(|_| !self.scenario.exchanges())
            && let Ok(saturating) = Saturating::on(&self.scenario, &self.network, routes)
        {
            self.step = Step::Saturating(Box::new(saturating));
        }
        if self.scenario.exchange.name() == "nearest_neighbor" {
            match self.scenario.optimizer(&Search::default()) {
                Ok(optimizer) => self.step = Step::Optimizing(Box::new(optimizer)),
                Err(problems) => self.found.best = Some(Err(in_words(&problems))),
            }
        }
    }

    /// Ends with what the network carries; that is not known where pairs have no route, which have been
    /// counted by now.
    fn carry(&mut self, found: Option<Saturation>) {
        self.found.formulas.extend(found.iter().flat_map(Saturation::formulas));
        self.step = Step::Done;
    }
}

/// What leaves the parts of the fabric, where it has such and there is not too much to count.
fn crossings(exchanging: &Exchanging, network: &Network) -> Result<Vec<Crossings>, String> {
    if !matches!(network.structure(), Structure::Tree(_) | Structure::Groups(_)) {
        return Err("Crossings are counted on trees and on fabrics of groups.".to_owned());
    }
    let [ranks, phases] =
        [exchanging.placement.len() as u64, exchanging.exchanged.phases.count().into()];
    if ranks * phases > MOST_PLACES {
        return Err(format!(
            "Crossings are counted of up to {} phases of {} ranks; there are {}.",
            grouped(MOST_PLACES / ranks),
            grouped(ranks),
            grouped(phases)
        ));
    }
    Ok(exchanging.crossings(network))
}

/// Why routings are not compared.
fn too_many_to_compare(messages: u64) -> String {
    format!(
        "Routings are compared here for up to {} messages; there are {}. A single phase (phase=) has \
         fewer, and dragontree compare has no limit.",
        grouped(MOST_COMPARED),
        grouped(messages)
    )
}

fn in_words(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use dragontree::scenario::{Experiment, Study};

    use super::*;

    /// What is said about the messages of a study's first run, by a clock that ticks each millisecond it
    /// is asked.
    fn told(text: &str) -> String {
        pictured(text, None)
    }

    /// The same, or where a phase is given the pictures from that on.
    fn pictured(text: &str, first: Option<u32>) -> String {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network_like(None).unwrap();
        let mut sending =
            Sending::start(scenario, &network, scenario.routed(None, &network), first).unwrap();
        let time = Cell::new(0.0);
        let clock = || time.replace(time.get() + 1.0);
        loop {
            if let Some(found) = sending.advance(300_000, &clock).unwrap() {
                return found.markup;
            }
        }
    }

    #[test]
    fn the_time_that_a_reordering_takes_is_measured() {
        let broadcast = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k exchange=broadcast";
        let text = told(&format!("{broadcast},order=breadth_first"));
        for name in ["reordering: time of the delays", "reordering: time of the order"] {
            assert!(text.contains(name), "{name} in {text}");
        }
        assert!(text.contains("<td>1 ms<td>measured on this machine, mean of 10"), "{text}");
        assert!(!told(broadcast).contains("reordering"));
    }

    #[test]
    fn what_a_network_carries_of_traffic_is_among_the_formulas() {
        let small = "topology=dragonfly,p=2,a=4,h=2";
        let text = told(&format!("{small} traffic=bit_complement"));
        assert!(text.contains("<h2>Formulas</h2>"), "{text}");
        assert!(text.contains(">load at which the busiest channel fills<td>0.125 <"), "{text}");
        assert!(text.contains("flows max-min fair<td>0.167 <"), "{text}");
        let exchange = told(&format!("{small} exchange=all_to_all"));
        assert!(!exchange.contains("max-min"), "{exchange}");
        let adaptive = told(&format!("{small} traffic=bit_complement routing=ugal"));
        assert!(!adaptive.contains("max-min"), "{adaptive}");
    }

    #[test]
    fn crossings_of_every_level_are_told_phase_by_phase_for_any_number_of_ranks() {
        let small = told("topology=xgft,m=4.4.4,w=1.4.4 routing=d_mod_k exchange=all_to_all");
        let caption = "64 messages, 64 between subtrees of level 2, 64 between leaf switches";
        assert!(small.contains(caption), "{small}");
        assert!(!small.contains("Each dot"), "{small}");
        let large = told("topology=xgft,m=8.8.8,w=1.8.8 routing=d_mod_k exchange=all_to_all");
        assert_eq!(large.matches("<figcaption>phase ").count(), 16);
        assert!(large.contains("Each dot stands for what 2 ranks send to 2 others."), "{large}");
        assert!(large.contains("viewBox=\"0 0 256 256\""), "{large}");
        for text in [&small, &large] {
            for level in ["level 1", "level 2"] {
                let caption = format!("<figcaption>Messages leaving each {level}, by phase<");
                assert!(text.contains(&caption), "{text}");
            }
        }
    }

    #[test]
    fn pictures_of_other_phases_are_those_of_the_whole() {
        let text = "topology=dragonfly,p=2,a=3,h=1 exchange=all_to_all,order=ghe";
        let all = told(text);
        let field = "name=\"phase\" min=\"1\" max=\"23\" step=\"16\" value=\"1\"";
        assert!(all.contains(field) && all.contains("16 of the 23 phases"), "{all}");
        let shown = |markup: &str| -> Vec<String> {
            let figures = markup.split("<figure>").skip(1);
            figures.map(|figure| figure.split("</figure>").next().unwrap().to_owned()).collect()
        };
        // With the phase's contention, which is that phase's own.
        let (first, next) = (shown(&all), shown(&pictured(text, Some(5))));
        let known = first.iter().filter(|figure| figure.contains("<figcaption>phase "));
        assert_eq!(known.count(), 16);
        assert_eq!((next.len(), &next[..12]), (16, &first[4..16]));
        let last = shown(&pictured(text, Some(20)));
        assert!(last[0].contains("<figcaption>phase 20: ") && last.len() == 4, "{last:?}");
        assert!(last[0].contains(", contention "), "{last:?}");
        assert_eq!(pictured(text, Some(24)), "");
    }

    /// The scenario of a study's first run, its network, and the beginning of an inspection.
    fn begun(text: &str, earlier: Option<&Experiment>) -> Sending {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network_like(earlier).unwrap();
        Sending::start(scenario, &network, scenario.routed(earlier, &network), None).unwrap()
    }

    #[test]
    fn certificates_come_phase_by_phase_and_routes_are_found_once() {
        let text = "topology=xgft,m=4.4.4,w=1.4.2 routing=pattern_specific exchange=all_to_all";
        let mut first = begun(text, None);
        assert!(first.search().is_some());
        let mut shares = Vec::new();
        while first.advance(50_000, &|| 0.0).unwrap().is_none() {
            shares.push(first.share());
        }
        assert!(shares.is_sorted(), "{shares:?}");
        let certifying = shares.iter().filter(|share| (0.2..0.3).contains(*share));
        assert!(certifying.count() > 20, "{shares:?}");
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let earlier = plan.jobs[0].build(None).unwrap();
        let mut next = begun(text, Some(&earlier));
        assert!(next.search().is_none());
        assert!(
            next.routes.as_ref().is_some_and(|own| Arc::ptr_eq(own, earlier.routes().unloaded()))
        );
        while next.advance(300_000, &|| 0.0).unwrap().is_none() {}
        assert_eq!(next.found.certificate, first.found.certificate);
        assert_eq!(next.found.compared, first.found.compared);
    }

    #[test]
    fn routings_are_compared_by_the_time_that_they_take() {
        let exchange = "topology=xgft,m=4.4,w=1.2 exchange=all_to_all,order=xor bytes=4KiB";
        let text = told(exchange);
        assert!(text.contains("<th scope=\"col\">Completion"), "{text}");
        let run = Study::parse(&format!("{exchange} routing=d_mod_k")).unwrap().plan().unwrap();
        let mut running = run.jobs[0].scenario().run().unwrap();
        while running.advance(u64::MAX).unwrap() != dragontree::scenario::Step::Done {}
        let found = running.record(0.0).unwrap().exchange.unwrap();
        let time = super::super::markup::number(found.completion_ns.unwrap() / 1e3);
        assert!(text.contains(&format!("<td>{time} (")), "{time} in {text}");
        // What is sent has no end, or too many packets.
        for none in ["traffic=shift,by=4", "exchange=all_to_all bytes=4MiB"] {
            assert!(!told(&format!("topology=xgft,m=4.4,w=1.2 {none}")).contains("Completion"));
        }
    }

    #[test]
    fn a_broadcast_by_hops_is_ordered_along_routes_that_took_a_search() {
        let text = "topology=torus,widths=4.4,p=2 faults=random,links=6 routing=lash \
                    exchange=broadcast,order=depth_first,root=3";
        let mut sending = begun(text, None);
        assert!(sending.search().is_some());
        while sending.advance(300_000, &|| 0.0).unwrap().is_none() {}
        let Sending { scenario, network, found, .. } = sending;
        assert_eq!(
            found.exchanging.exchanged,
            scenario.exchanging(&network).unwrap().unwrap().exchanged
        );
        let shortest = scenario.exchanging_along(&network, None).unwrap().unwrap();
        assert_ne!(found.exchanging.exchanged, shortest.exchanged);
    }

    #[test]
    fn why_routings_are_not_compared_is_said() {
        let tree = "routing=d_mod_k exchange=all_to_all topology=xgft";
        let mut all = begun(&format!("{tree},m=8.8.8,w=1.8.8"), None);
        all.compare();
        assert!(matches!(all.step, Step::Comparing(_)) && all.found.compared.is_none());
        let mut more = begun(&format!("{tree},m=8.8.9,w=1.8.8"), None);
        more.compare();
        let Some(Err(why)) = &more.found.compared else { panic!("too many") };
        let known = "Routings are compared here for up to 262,144 messages; there are 331,200. A";
        assert!(why.starts_with(known), "{why}");
    }

    #[test]
    fn why_crossings_are_not_counted_is_said() {
        let text = told("topology=torus,widths=4.4 routing=dimension_order exchange=all_to_all");
        assert!(
            text.contains("Crossings are counted on trees and on fabrics of groups."),
            "{text}"
        );
        let study = "topology=xgft,m=32.32.16,w=1.32.32 routing=d_mod_k exchange=all_to_all";
        let plan = Study::parse(study).unwrap().plan().unwrap();
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network_like(None).unwrap();
        let exchanging = scenario.sending(&network).unwrap().unwrap();
        assert_eq!(
            crossings(&exchanging, &network).unwrap_err(),
            "Crossings are counted of up to 4,096 phases of 16,384 ranks; there are 16,384."
        );
    }
}
