//! All engines on one fabric.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Question;
use super::cabling;
use super::examination::{Examination, Examined};
use super::report::{Acyclic, ContentionSummary};
use crate::analysis::connectivity::Pairs;
use crate::analysis::contention::switch_levels;
use crate::analysis::rails::rails_of;
use crate::catalog::{Menu, PartChoice, Problem};
use crate::network::Network;
use crate::network::extraction::extract;
use crate::routing::{AnyRoutes, Imported, NotFixed, Routes, Routing, Search};

/// What a routing comes to on a fabric, all rails together. Its JSON form is stable; keys may be
/// added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Engine {
    /// Its name in the notation.
    pub engine: String,
    /// Its name in menus.
    pub label: String,
    /// Why it cannot route the fabric.
    pub refused: Option<String>,
    /// Contention of the shift all-to-all on the rail where it is worst.
    pub contention: Option<ContentionSummary>,
    /// Ordered pairs of endpoints.
    pub endpoint_pairs: Option<Pairs>,
    /// Ordered pairs of switches; none where routes do not lead to switches.
    pub switch_pairs: Option<Pairs>,
    /// Virtual layers or channels that the routes use.
    pub layers: Option<u32>,
    /// Whether the routes are free of cycles of dependencies.
    pub acyclic: Acyclic,
    /// What was not looked at, and why.
    pub left_out: Option<String>,
    /// Time that finding the routes took, measured by whoever asked for it.
    pub seconds: Option<f64>,
}

/// The routings of the list, `own` in the place of the one of its name.
pub fn engines(own: &Routing) -> Vec<Routing> {
    let mut engines = Routing::all();
    let place = engines.iter().position(|engine| engine.name() == own.name());
    match place {
        Some(place) => engines[place] = own.clone(),
        None => engines.push(own.clone()),
    }
    engines
}

/// Compares engines, one after the other, a little at a time.
pub struct Comparing {
    network: Arc<Network>,
    question: Question,
    levels: Arc<[Option<u32>]>,
    engines: Vec<Routing>,
    search: Option<(Engine, Box<Search>)>,
    examination: Option<(Engine, Box<Examination>)>,
    done: Vec<Engine>,
}

/// What a call of [`Comparing::advance`] came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareStep {
    /// It has searched for the routes of an engine, and either found them, or that there are none,
    /// or is not done yet; whoever measures it tells [`Comparing::took`].
    Routing,
    /// It has looked at routes.
    Working,
    /// Everything is done.
    Done,
}

impl Comparing {
    /// Begins with a fabric and routings; order and seed are those of the question.
    pub fn new(network: &Arc<Network>, engines: Vec<Routing>, question: &Question) -> Comparing {
        let extraction = cabling::may_be_tree(network).then(|| extract(network));
        Comparing {
            levels: switch_levels(network, extraction.as_ref()).into(),
            question: question.clone(),
            engines,
            search: None,
            examination: None,
            done: Vec::new(),
            network: network.clone(),
        }
    }

    /// The engines that are done, in order.
    pub fn done(&self) -> &[Engine] {
        &self.done
    }

    /// The label of the engine that is at work, or comes next.
    pub fn current(&self) -> Option<&'static str> {
        self.engines.get(self.done.len()).map(|engine| engine.part().label())
    }

    /// A guess of the share of the work that is done.
    pub fn share(&self) -> f64 {
        let searched = self.search.as_ref().map_or(0.0, |(_, search)| 0.5 * search.share());
        let part = self.examination.as_ref().map_or(searched, |(_, work)| 0.5 + 0.5 * work.share());
        (self.done.len() as f64 + part) / self.engines.len().max(1) as f64
    }

    /// How long the last call took, where it searched for the routes of an engine.
    pub fn took(&mut self, seconds: f64) {
        let engine = match (&mut self.search, &mut self.examination, self.done.last_mut()) {
            (Some((engine, _)), ..) | (None, Some((engine, _)), _) => engine,
            (None, None, Some(engine)) => engine,
            (None, None, None) => return,
        };
        engine.seconds = Some(engine.seconds.unwrap_or(0.0) + seconds);
    }

    /// Goes on for about `budget` steps of some nanoseconds each.
    pub fn advance(&mut self, budget: u64) -> CompareStep {
        if let Some((_, examination)) = &mut self.examination {
            if let Some(found) = examination.advance(budget)
                && let Some((engine, _)) = self.examination.take()
            {
                self.done.push(filled(engine, found));
            }
            return CompareStep::Working;
        }
        if self.search.is_none() && !self.begin() {
            return CompareStep::Done;
        }
        if let Some((_, search)) = &mut self.search
            && let Some(found) = search.advance(budget)
            && let Some((engine, _)) = self.search.take()
        {
            self.conclude(engine, found);
        }
        CompareStep::Routing
    }

    /// Begins with the next engine; false where there is none.
    fn begin(&mut self) -> bool {
        let Some(routing) = self.engines.get(self.done.len()) else { return false };
        let mut engine = Engine {
            engine: routing.name().to_owned(),
            label: routing.part().label().to_owned(),
            ..Engine::default()
        };
        if *routing == Routing::from(Imported::default()) {
            engine.refused = Some("no forwarding tables are given".to_owned());
            self.done.push(engine);
        } else {
            let search = routing.role().begin(&self.network, self.question.seed);
            self.search = Some((engine, Box::new(search)));
        }
        true
    }

    /// Goes on to look at routes that were found.
    fn conclude(&mut self, mut engine: Engine, found: Result<AnyRoutes, Vec<Problem>>) {
        match found {
            Ok(AnyRoutes::Adaptive(_)) => {
                engine.refused = Some(NotFixed.to_string());
                self.done.push(engine);
            }
            Ok(AnyRoutes::Fixed(routes)) => {
                let network = &self.network;
                engine.layers = Some(layers(&routes));
                let rails = rails_of(network, &routes);
                let examination =
                    Examination::new(network, &routes, &rails, &self.levels, &self.question);
                self.examination = Some((engine, Box::new(examination)));
            }
            Err(problems) => {
                let text: Vec<String> = problems.iter().map(Problem::to_string).collect();
                let text = text.join("; ");
                // Wherever this stands, the name stands before it.
                let reason = text.strip_prefix(&engine.engine).map_or(&text[..], str::trim_start);
                engine.refused = Some(reason.to_owned());
                self.done.push(engine);
            }
        }
    }

    /// The whole of it at once.
    pub fn finish(mut self) -> Vec<Engine> {
        while self.advance(u64::MAX) != CompareStep::Done {}
        self.done
    }
}

fn layers(routes: &Routes) -> u32 {
    u32::from(routes.route().virtual_channels())
}

fn filled(engine: Engine, found: Examined) -> Engine {
    let unknown = found.contention.iter().find_map(|of_rail| of_rail.as_ref().err().cloned());
    let [endpoint_pairs, switch_pairs] = found.pairs();
    Engine {
        endpoint_pairs,
        switch_pairs,
        contention: found.worst_contention(),
        acyclic: found.acyclic,
        left_out: found.left_out.or(unknown),
        ..engine
    }
}
