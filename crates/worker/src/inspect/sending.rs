//! The messages of a run: who sends to whom, what they share, the documents' formulas, and how a
//! domain is best cut and placed.

use std::sync::Arc;

use dragontree::analysis::{Contending, Contention, Crossings, Levels, rails_of};
use dragontree::catalog::{Menu, Problem};
use dragontree::network::Network;
use dragontree::routing::Routing;
use dragontree::scenario::{
    Certificates, Compared, ComparingRoutings, Exchanging, Modelled, Optimized, Optimizer,
    RouteSearch, Scenario, Search,
};

use super::{Finding, messages};

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
    /// What leaves the parts of the fabric.
    pub crossings: Vec<Crossings>,
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
            let allowed = "it has no phases to look at; allowed: an exchange, or traffic in which \
                           each rank sends to one other (shift, bit_complement, bit_reversal)";
            vec![Problem::new("traffic", scenario.traffic.name(), allowed)]
        })?;
        let mut sending = Sending {
            scenario: scenario.clone(),
            network: network.clone(),
            step: Step::Done,
            found: Messages {
                crossings: exchanging.crossings(network),
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

    /// Goes on for a while; what was found out, at the end.
    ///
    /// # Errors
    /// The messages cannot be told after all.
    pub fn advance(&mut self, budget: u64) -> Result<Option<Finding>, Vec<Problem>> {
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

fn in_words(problems: &[Problem]) -> String {
    problems.iter().map(Problem::to_string).collect::<Vec<_>>().join(" ")
}
