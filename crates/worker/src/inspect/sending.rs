//! The messages of a run: who sends to whom, what they share, the documents' formulas, and how a
//! domain is best cut and placed.

use std::sync::Arc;

use dragontree::analysis::{Contending, Contention, Crossings, Levels, rails_of};
use dragontree::catalog::{Menu, Problem};
use dragontree::network::{Network, Structure};
use dragontree::routing::Routing;
use dragontree::scenario::{
    Certificates, Compared, ComparingRoutings, Exchanging, Modelled, Optimized, Optimizer,
    RouteSearch, Scenario, Search,
};
use dragontree::units::grouped;

use super::{Finding, messages};

/// The most places in all phases together, of ranks that send or not, for which crossings are counted:
/// an all-to-all of 8,192 ranks in half a second for each level.
const MOST_PLACES: u64 = 1 << 26;

/// The most messages for which routings are compared.
const MOST_COMPARED: u64 = 1 << 17;

/// The steps of an inspection of messages, one after the other.
pub struct Sending {
    scenario: Scenario,
    network: Arc<Network>,
    step: Step,
    found: Messages,
}

enum Step {
    Routing(Box<RouteSearch>),
    Counting(Vec<Contending>),
    Comparing(Box<ComparingRoutings>),
    Optimizing(Box<Optimizer>),
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
    /// How good the routes are.
    pub certificate: Option<Certificates>,
    /// The documents' formulas.
    pub formulas: Vec<Modelled>,
    /// Other routings for the same messages, on a tree.
    pub compared: Option<Compared>,
    /// The best ways to cut and place a domain, of the exchange of one; or why they are not known.
    pub best: Option<Result<Optimized, String>>,
}

impl Sending {
    /// The search for its routes, while that goes on.
    pub fn search(&mut self) -> Option<&mut RouteSearch> {
        match &mut self.step {
            Step::Routing(search) => Some(search),
            _ => None,
        }
    }

    /// Begins to look at the messages of a scenario.
    ///
    /// # Errors
    /// Exchange, traffic or placement do not fit the network, or the traffic is not fixed.
    pub fn start(scenario: &Scenario, network: &Arc<Network>) -> Result<Sending, Vec<Problem>> {
        let exchanging = scenario.sending(network)?.ok_or_else(|| {
            let allowed = "it has no phases to look at; allowed: an exchange, or traffic of \
                           which it is known who sends to whom (all but uniform)";
            vec![Problem::new("traffic", scenario.traffic.name(), allowed)]
        })?;
        let mut sending = Sending {
            scenario: scenario.clone(),
            network: network.clone(),
            step: Step::Done,
            found: Messages {
                crossings: crossings(&exchanging, network),
                exchanging,
                contention: Err(String::new()),
                certificate: None,
                formulas: scenario.modelled(network)?,
                compared: None,
                best: None,
            },
        };
        let imported = matches!(scenario.routing, Routing::Imported(_));
        match scenario.search_routes(network) {
            Ok(search) if !imported => sending.step = Step::Routing(Box::new(search)),
            Ok(_) => sending.count(scenario.routes(network))?,
            Err(problems) => sending.count(Err(problems))?,
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
                    let fixed = found.and_then(|routes| self.scenario.fixed(&routes));
                    self.count(fixed)?;
                }
            }
            Step::Counting(rails) => {
                let found = rails.last_mut().and_then(|rail| rail.advance(budget));
                if let Some(found) = found {
                    let known = self.found.contention.as_ref();
                    if known
                        .is_ok_and(|known| (found.worst, found.mean) > (known.worst, known.mean))
                        || known.is_err()
                    {
                        self.found.contention = Ok(found);
                    }
                    rails.pop();
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
                    self.found.compared = Some(comparing.finish());
                    self.optimize();
                }
            }
            Step::Optimizing(optimizer) => {
                if optimizer.advance() {
                    self.found.best = Some(Ok(optimizer.as_ref().clone().finish()));
                    self.step = Step::Done;
                }
            }
            Step::Done => {
                let times = self.scenario.timed_reordering(&self.network, clock)?;
                self.found.formulas.extend(times);
                let markup = messages::markup(&self.found, &self.network);
                return Ok(Some(Finding { markup, ..Finding::default() }));
            }
        }
        Ok(None)
    }

    /// About how much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match &self.step {
            Step::Routing(search) => 0.2 * search.share(),
            Step::Counting(_) => 0.2,
            Step::Comparing(comparing) => 0.3 + 0.6 * comparing.share(),
            Step::Optimizing(_) => 0.9,
            Step::Done => 1.0,
        }
    }

    /// Goes on with the routes, or why there are none.
    fn count(
        &mut self,
        routes: Result<Arc<dragontree::routing::Routes>, Vec<Problem>>,
    ) -> Result<(), Vec<Problem>> {
        let (network, scenario) = (&self.network, &self.scenario);
        match routes {
            Err(problems) => {
                self.found.contention = Err(in_words(&problems));
                self.compare();
            }
            Ok(routes) => {
                self.found.certificate = scenario.certificates(network, &routes)?;
                let exchanging = &self.found.exchanging;
                let rail =
                    |rail| exchanging.contending(network, &routes, Levels::found(network), &rail);
                self.step =
                    Step::Counting(rails_of(network, &routes).into_iter().map(rail).collect());
            }
        }
        Ok(())
    }

    /// Goes on with other routings for the same messages, where these can be followed one by one in
    /// some seconds.
    fn compare(&mut self) {
        let messages = self.found.exchanging.exchanged.workload.messages();
        match self.scenario.comparing(&self.network) {
            Ok(comparing) if messages <= MOST_COMPARED => {
                self.step = Step::Comparing(Box::new(comparing));
            }
            _ => self.optimize(),
        }
    }

    /// Goes on with the best ways to cut and place a domain, where the exchange has one.
    fn optimize(&mut self) {
        self.step = Step::Done;
        if self.scenario.exchange.name() == "nearest_neighbor" {
            match self.scenario.optimizer(&Search::default()) {
                Ok(optimizer) => self.step = Step::Optimizing(Box::new(optimizer)),
                Err(problems) => self.found.best = Some(Err(in_words(&problems))),
            }
        }
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

fn in_words(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use dragontree::scenario::Study;

    use super::*;

    /// What is said about the messages of a study's first run, by a clock that ticks each millisecond it
    /// is asked.
    fn told(text: &str) -> String {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let scenario = plan.jobs[0].scenario();
        let network = scenario.network_like(None).unwrap();
        let mut sending = Sending::start(scenario, &network).unwrap();
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
