//! Everything that is looked at of routes, one thing after the other.

use std::sync::Arc;

use super::Question;
use super::report::{Acyclic, ContentionSummary};
use crate::analysis::connectivity::{Connecting, Connectivity, Pairs};
use crate::analysis::contention::{Contending, Contention, Levels};
use crate::analysis::deadlock::{Deadlock, Dependencies, Ends, Verdict};
use crate::analysis::path::paths;
use crate::analysis::rails::Rail;
use crate::network::{EndpointId, Network, PortId, SwitchId};
use crate::routing::{Pair, Routes, Sharing};

/// The most paths that are walked one by one for routes that are no tables: some minutes.
const MOST_PATHS: u64 = 300_000_000;

/// Looks at the routes of a network.
pub(super) struct Examination {
    network: Arc<Network>,
    routes: Arc<Routes>,
    rails: Vec<Rail>,
    places: Vec<Result<Vec<Option<PortId>>, String>>,
    /// For each switch its level, where it is known.
    levels: Arc<[Option<u32>]>,
    /// Paths to be walked; few where routes are tables.
    paths: u64,
    stage: Stage,
    found: Examined,
}

enum Stage {
    Connecting(usize, Box<Connecting>),
    Contending(usize, Box<Contending>),
    Depending(Scope, Box<Dependencies>),
    Done,
}

/// Whose routes are looked at for cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Together,
    Endpoints,
    Switches,
}

/// What was found.
#[derive(Default)]
pub(super) struct Examined {
    pub connectivity: Vec<Connectivity>,
    pub contention: Vec<Result<Contention, String>>,
    pub acyclic: Acyclic,
    /// The cycle with the fewest kinds of senders, and whose it is.
    pub cycle: Option<(Scope, Deadlock)>,
    /// What was not looked at, and why.
    pub left_out: Option<String>,
}

impl Examined {
    /// Ordered pairs of endpoints on all rails, and of switches where routes lead to switches.
    pub fn pairs(&self) -> [Option<Pairs>; 2] {
        let mut together = [None, None];
        for Connectivity { endpoint_pairs, switch_pairs, .. } in &self.connectivity {
            for (all, own) in together.iter_mut().zip([Some(endpoint_pairs), switch_pairs.as_ref()])
            {
                if let Some(own) = own {
                    all.get_or_insert_with(Pairs::default).take_in(own);
                }
            }
        }
        together
    }

    /// The contention of the rail where it is worst.
    pub fn worst_contention(&self) -> Option<ContentionSummary> {
        let worse = |one: &&Contention, other: &&Contention| {
            one.worst.total_cmp(&other.worst).then(one.mean.total_cmp(&other.mean))
        };
        self.contention.iter().flatten().max_by(worse).map(ContentionSummary::of)
    }
}

impl Examination {
    pub fn new(
        network: &Arc<Network>,
        routes: &Arc<Routes>,
        rails: &[Rail],
        levels: &Arc<[Option<u32>]>,
        question: &Question,
    ) -> Examination {
        let mut examination = Examination {
            places: rails.iter().map(|rail| question.places(network, rail)).collect(),
            rails: rails.to_vec(),
            levels: levels.clone(),
            paths: paths_to_walk(network, routes),
            stage: Stage::Done,
            found: Examined::default(),
            network: network.clone(),
            routes: routes.clone(),
        };
        if examination.paths > MOST_PATHS {
            let text = format!(
                "about {} paths would have to be walked one by one, allowed: up to {MOST_PATHS}",
                examination.paths
            );
            let nothing = |_: &Rail| Err(text.clone());
            examination.found.contention = rails.iter().map(nothing).collect();
            examination.found.left_out = Some(text);
        } else {
            examination.connect(0);
        }
        examination
    }

    /// The places of the endpoints of each rail.
    pub fn places(&self) -> &[Result<Vec<Option<PortId>>, String>] {
        &self.places
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        let rails = self.rails.len().max(1) as f64;
        match &self.stage {
            Stage::Connecting(rail, connecting) => {
                0.4 * (*rail as f64 + connecting.share()) / rails
            }
            Stage::Contending(rail, _) => 0.4 + 0.3 * (*rail as f64 + 0.5) / rails,
            Stage::Depending(Scope::Together, dependencies) => 0.7 + 0.1 * dependencies.share(),
            Stage::Depending(Scope::Endpoints, dependencies) => 0.8 + 0.1 * dependencies.share(),
            Stage::Depending(Scope::Switches, dependencies) => 0.9 + 0.1 * dependencies.share(),
            Stage::Done => 1.0,
        }
    }

    /// Goes on for about `budget` steps; what was found when all is done.
    pub fn advance(&mut self, budget: u64) -> Option<Examined> {
        match &mut self.stage {
            Stage::Connecting(rail, connecting) => {
                let (rail, found) = (*rail, connecting.advance(budget)?);
                self.found.connectivity.push(found);
                self.connect(rail + 1);
            }
            Stage::Contending(rail, contending) => {
                let (rail, found) = (*rail, contending.advance(budget)?);
                self.found.contention.push(Ok(found));
                self.contend(rail + 1);
            }
            Stage::Depending(scope, dependencies) => {
                let (scope, found) = (*scope, dependencies.advance(budget)?);
                self.conclude(scope, found);
            }
            Stage::Done => return Some(std::mem::take(&mut self.found)),
        }
        None
    }

    fn connect(&mut self, rail: usize) {
        match self.rails.get(rail) {
            Some(of) => {
                let connecting = Connecting::new(&self.network, &self.routes, of);
                self.stage = Stage::Connecting(rail, Box::new(connecting));
            }
            None => self.contend(0),
        }
    }

    fn contend(&mut self, mut rail: usize) {
        loop {
            match self.places.get(rail) {
                None => return self.depend(Scope::Together),
                Some(Err(reason)) => self.found.contention.push(Err(reason.clone())),
                Some(Ok(places)) => {
                    let level = |switch: SwitchId| self.levels[switch.index()];
                    let levels = Levels::with(&self.network, level);
                    let (network, routes) = (&self.network, &self.routes);
                    let contending = Contending::shifts(network, routes, levels, places);
                    self.stage = Stage::Contending(rail, Box::new(contending));
                    return;
                }
            }
            rail += 1;
        }
    }

    fn depend(&mut self, scope: Scope) {
        let ends = match (scope, self.routes.as_ref()) {
            // Such routes do not lead to switches.
            (_, Routes::Oblivious(_)) => Ends::ENDPOINTS,
            (Scope::Together, _) => Ends::BOTH,
            (Scope::Endpoints, _) => Ends::ENDPOINTS,
            (Scope::Switches, _) => Ends::SWITCHES,
        };
        let scope = if ends == Ends::ENDPOINTS { Scope::Endpoints } else { scope };
        let dependencies = Dependencies::new(&self.network, &self.routes, ends, ends);
        self.stage = Stage::Depending(scope, Box::new(dependencies));
    }

    fn conclude(&mut self, scope: Scope, found: Deadlock) {
        let free = matches!(found.verdict, Verdict::Acyclic(_));
        let acyclic = &mut self.found.acyclic;
        let of_tables = matches!(self.routes.as_ref(), Routes::Tables(_));
        if !free {
            self.found.cycle = match self.found.cycle.take() {
                // That of the endpoints alone matters most, then that of the switches alone.
                Some((Scope::Endpoints, earlier)) => Some((Scope::Endpoints, earlier)),
                _ => Some((scope, found)),
            };
        }
        match scope {
            Scope::Together => acyclic.together = Some(free),
            Scope::Endpoints => acyclic.endpoints = Some(free),
            Scope::Switches => acyclic.switches = Some(free),
        }
        match scope {
            // Who alone depends on less cannot close a cycle either.
            Scope::Together if free => {
                (acyclic.endpoints, acyclic.switches) = (Some(true), Some(true));
                self.stage = Stage::Done;
            }
            Scope::Together => self.depend(Scope::Endpoints),
            Scope::Endpoints if of_tables => self.depend(Scope::Switches),
            Scope::Endpoints | Scope::Switches => self.stage = Stage::Done,
        }
    }
}

/// A guess from a few pairs of how many paths the pairs of endpoints have together; none where
/// tables lead.
fn paths_to_walk(network: &Network, routes: &Routes) -> u64 {
    let oblivious = routes.oblivious();
    if oblivious.lfts().is_some() {
        return 0;
    }
    let live: Vec<EndpointId> =
        network.endpoints().filter(|endpoint| network.injection(*endpoint).is_some()).collect();
    let count = live.len() as u64;
    let mut most = 1;
    if let (Some(first), Some(last)) = (live.first(), live.last()) {
        for destination in [*last, live[live.len() / 2]] {
            let (mut several, pair) = (0, Pair { source: *first, destination });
            if *first != destination {
                let _ = paths(network, oblivious, pair, &mut |_, _| several += 1);
            }
            most = most.max(several);
        }
    }
    let walked = match oblivious.sharing() {
        Sharing::Destinations => {
            let carries = |switch: &SwitchId| network.carries_endpoints(*switch);
            network.switches().filter(carries).count() as u64
        }
        Sharing::Nothing | Sharing::Sources | Sharing::Switches => count,
    };
    count.saturating_mul(walked).saturating_mul(most)
}
