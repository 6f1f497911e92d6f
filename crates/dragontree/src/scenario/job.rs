//! One run of a study, and how a study falls into its runs.

use std::sync::Arc;

use super::axis::{self, Axis};
use super::derived::Derived;
use super::metric::MetricKind;
use super::plan::{BY_BYTES, BY_CASE, BY_EXCHANGE, BY_FABRIC, BY_LOAD};
use super::record::Abscissa;
use super::{Plan, Scenario, Study, X};
use crate::catalog::{Problem, Unit};

/// The most runs that a study may consist of.
const MOST_JOBS: u64 = 5_000;
/// An automatic range of loads ends at this multiple of the analytic bound.
pub(super) const AUTOMATIC_REACH: f64 = 1.5;

/// One run of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The curve that it belongs to.
    pub curve: u32,
    /// Its place on the curve; several seeds share one.
    pub point: u32,
    pub(super) scenario: Arc<Scenario>,
    pub(super) series: String,
    pub(super) place: Where,
    pub(super) automatic: Option<(u32, u32)>,
    pub(super) wants: Wants,
}

/// What a run is to find out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wants {
    /// Whether packets are simulated.
    pub simulation: bool,
    /// The numbers of the fabric that are needed.
    pub fabric: Vec<MetricKind>,
    /// The numbers of the routes that are needed.
    pub routes: Vec<MetricKind>,
}

impl Wants {
    /// What a study's metrics need: without any, a simulation.
    pub fn of(study: &Study) -> Wants {
        let kinds = || study.y.iter().map(|metric| metric.kind);
        let fabric: Vec<MetricKind> = kinds().filter(|kind| kind.is_of_fabric()).collect();
        let routes: Vec<MetricKind> = kinds().filter(|kind| kind.is_of_routes()).collect();
        let rest = study.y.len() - fabric.len() - routes.len();
        Wants { simulation: study.y.is_empty() || rest > 0, fabric, routes }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Where {
    Number(f64),
    Word(String),
    Derived(Derived),
    Load,
}

impl Study {
    /// The runs that the study consists of, in the order of its text.
    ///
    /// # Errors
    /// More than two settings vary, there are too many runs, or `x=` names nothing that varies.
    pub fn plan(&self) -> Result<Plan, Vec<Problem>> {
        let mut plan = Plan {
            x: X { label: String::new(), unit: None },
            curves: Vec::new(),
            jobs: Vec::new(),
        };
        let cases: Vec<_> = match self.cases.is_empty() {
            true => vec![None],
            false => self.cases.iter().map(Some).collect(),
        };
        let mut problems = Vec::new();
        for case in cases {
            let outcome = axis::axes(self, case).and_then(|(scenario, axes)| {
                let name = case.map_or("", |case| &case.name);
                let (x, wants) = (self.x.as_deref(), Wants::of(self));
                let sized = axes.iter().any(|axis| axis.key.name == "bytes");
                let curves = Curves { name, scenario, axes, x, sized, wants };
                curves.plan(&mut plan).map_err(|problem| vec![problem])
            });
            for problem in outcome.err().into_iter().flatten() {
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
        }
        if problems.is_empty() {
            problems.extend(plan.check_kinds());
            problems.extend(self.y.iter().filter_map(|metric| plan.check(metric)));
        }
        if problems.is_empty() { Ok(plan) } else { Err(problems) }
    }
}

/// The curves of one case.
struct Curves<'a> {
    name: &'a str,
    scenario: Scenario,
    axes: Vec<Axis>,
    x: Option<&'a str>,
    /// Whether the length of messages varies.
    sized: bool,
    wants: Wants,
}

impl Curves<'_> {
    fn plan(mut self, plan: &mut Plan) -> Result<(), Problem> {
        let derived = self.x.and_then(Derived::read);
        let x = self.take_x(derived)?;
        let series = self.axes.pop();
        let horizontal = match (&x, derived) {
            (_, Some(derived)) => X { label: derived.label().to_owned(), unit: Some(Unit::Count) },
            (Some(axis), None) => X { label: axis.label.clone(), unit: axis.unit },
            (None, None) => self.without_axis(),
        };
        if !plan.curves.is_empty() && plan.x != horizontal {
            let allowed = format!(
                "the cases have different horizontal axes ({} and {}); x= must name one of all",
                plan.x.label, horizontal.label
            );
            return Err(Problem::new("case", self.name, allowed));
        }
        plan.x = horizontal;
        let count = |axis: Option<&Axis>| axis.map_or(1, |axis| axis.options.len());
        let points = count(series.as_ref()) as u64 * count(x.as_ref()) as u64;
        check_count(points * u64::from(self.scenario.seeds))?;
        let options = series.as_ref().map_or(vec![None], |axis| {
            axis.options.iter().map(|choice| Some((axis, choice))).collect()
        });
        for option in options {
            let mut scenario = self.scenario.clone();
            let mut automatic = None;
            let mut name = self.name.to_owned();
            if let Some((axis, choice)) = option {
                automatic = axis.apply(choice, &mut scenario)?;
                name = [&name, &legend(axis, &choice.label)]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(", ");
            }
            plan.curves.push(name.clone());
            self.curve(plan, &scenario, &name, x.as_ref(), derived, automatic)?;
        }
        Ok(())
    }

    /// The horizontal axis where nothing varies.
    fn without_axis(&self) -> X {
        let (label, unit) = match &self.scenario.exchange {
            _ if !self.wants.simulation && !self.name.is_empty() => (BY_CASE, None),
            _ if !self.wants.simulation => (BY_FABRIC, None),
            exchange if exchange.has_own_lengths() => (BY_EXCHANGE, None),
            _ if self.scenario.exchanges() => (BY_BYTES, Some(Unit::Bytes)),
            _ => (BY_LOAD, Some(Unit::Load)),
        };
        X { label: label.to_owned(), unit }
    }

    /// Where a run stands on that axis.
    fn place_without_axis(&self, scenario: &Scenario) -> Where {
        match &scenario.exchange {
            _ if !self.wants.simulation && !self.name.is_empty() => {
                Where::Word(self.name.to_owned())
            }
            _ if !self.wants.simulation => Where::Word(scenario.topology.part().label().to_owned()),
            exchange if exchange.has_own_lengths() => {
                Where::Word(exchange.part().label().to_owned())
            }
            _ if scenario.exchanges() => Where::Number(scenario.bytes.0 as f64),
            _ => Where::Load,
        }
    }

    /// Takes the horizontal axis out of the axes.
    fn take_x(&mut self, derived: Option<Derived>) -> Result<Option<Axis>, Problem> {
        let place = match (self.x, derived) {
            (Some(name), Some(_)) => {
                let place = self.axes.iter().position(|axis| axis.key.name == "topology");
                if place.is_none() {
                    let allowed = "it follows from the network, so the topology must vary";
                    return Err(Problem::new("x", name, allowed));
                }
                place
            }
            (Some(name), None) => {
                let place = self.axes.iter().position(|axis| axis.is_called(name));
                if place.is_none() {
                    let varied: Vec<String> = self.axes.iter().map(Axis::name).collect();
                    let allowed = format!(
                        "it must name something that varies ({}) or endpoints, switches, links, \
                         radix",
                        varied.join(", ")
                    );
                    return Err(Problem::new("x", name, allowed));
                }
                place
            }
            (None, _) => {
                let by_load = self.axes.iter().position(|axis| axis.key.name == "load");
                by_load.or_else(|| self.longest_numeric())
            }
        };
        Ok(place.or(self.axes.len().checked_sub(1)).map(|place| self.axes.remove(place)))
    }

    fn longest_numeric(&self) -> Option<usize> {
        let numeric = self.axes.iter().enumerate().filter(|(_, axis)| axis.unit.is_some());
        numeric.max_by_key(|(place, axis)| (axis.options.len(), *place)).map(|(place, _)| place)
    }

    fn curve(
        &self,
        plan: &mut Plan,
        scenario: &Scenario,
        series: &str,
        x: Option<&Axis>,
        derived: Option<Derived>,
        automatic: Option<(u32, u32)>,
    ) -> Result<(), Problem> {
        let curve = plan.curves.len() as u32 - 1;
        let options = x.map_or(vec![None], |axis| {
            axis.options.iter().map(|choice| Some((axis, choice))).collect()
        });
        for (point, option) in options.into_iter().enumerate() {
            let mut scenario = scenario.clone();
            let mut automatic = automatic;
            let mut place = self.place_without_axis(&scenario);
            if let Some((axis, choice)) = option {
                automatic = axis.apply(choice, &mut scenario)?.or(automatic);
                place = match choice.number {
                    _ if axis.key.name == "load" => Where::Load,
                    Some(base) => Where::Number(in_unit(axis.unit, base)),
                    None => Where::Word(choice.label.clone()),
                };
            }
            if self.sized && scenario.exchange.has_own_lengths() {
                let allowed = "its messages have lengths of their own; allowed: no varying bytes=";
                return Err(Problem::new("exchange", scenario.exchange.part().name(), allowed));
            }
            let place = derived.map_or(place, Where::Derived);
            check_count(plan.jobs.len() as u64 + u64::from(scenario.seeds))?;
            for seed in 0..u64::from(scenario.seeds) {
                plan.jobs.push(Job {
                    curve,
                    point: point as u32,
                    scenario: Arc::new(Scenario {
                        seed: scenario.seed.wrapping_add(seed),
                        seeds: 1,
                        ..scenario.clone()
                    }),
                    series: series.to_owned(),
                    place: place.clone(),
                    automatic,
                    wants: self.wants.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Refuses so many runs if they are more than [`MOST_JOBS`].
fn check_count(runs: u64) -> Result<(), Problem> {
    if runs <= MOST_JOBS {
        return Ok(());
    }
    let allowed = format!("the study has {runs} runs or more, allowed: up to {MOST_JOBS}");
    Err(Problem::new("", "", allowed))
}

/// What the legend calls an option: parts by their name, values with their setting.
fn legend(axis: &Axis, label: &str) -> String {
    match (axis.setting.as_str(), axis.unit) {
        ("", None) => label.to_owned(),
        ("", Some(_)) => format!("{}={label}", axis.key.name),
        (setting, _) => format!("{setting}={label}"),
    }
}

/// A number for the axis: fractions, nanoseconds, gigabits per second, bytes or counts.
fn in_unit(unit: Option<Unit>, base: u64) -> f64 {
    match unit {
        Some(Unit::Load) => base as f64 / 1e6,
        Some(Unit::Time) => base as f64 / 1e3,
        Some(Unit::Bandwidth) => base as f64 / 1e9,
        _ => base as f64,
    }
}

impl Job {
    /// The numbers of the fabric that it is to find out.
    pub fn of_fabric(&self) -> &[MetricKind] {
        &self.wants.fabric
    }

    /// The numbers of the routes that it is to find out.
    pub fn of_routes(&self) -> &[MetricKind] {
        &self.wants.routes
    }

    /// The same run, but only to find out everything about its fabric.
    pub fn measuring(mut self) -> Job {
        let fabric = MetricKind::ALL.iter().copied().filter(|kind| kind.is_of_fabric()).collect();
        self.wants = Wants { simulation: false, fabric, routes: Vec::new() };
        self
    }

    /// The same run, but only to be analyzed before packets are sent.
    pub fn analyzing(mut self) -> Job {
        self.wants = Wants { simulation: true, fabric: Vec::new(), routes: Vec::new() };
        self
    }

    /// Whether packets are simulated, not only fabric or routes looked at.
    pub fn simulates(&self) -> bool {
        self.wants.simulation
    }

    /// Whether this build can do it: without the feature `complete` it holds only some parts, and
    /// nothing of what is found out about fabric and routes besides simulating.
    pub fn is_held(&self) -> bool {
        let looks = self.wants.routes.is_empty() && self.wants.fabric.is_empty();
        (cfg!(feature = "complete") || looks) && self.scenario.is_held()
    }

    /// The scenario as far as it is known before the network is built.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The same, to be kept.
    pub fn shared_scenario(&self) -> Arc<Scenario> {
        self.scenario.clone()
    }

    /// The name of its curve; empty where there is only one.
    pub fn series(&self) -> &str {
        &self.series
    }

    /// Where the run stands on the horizontal axis, when that is known before it is built: not
    /// for automatic loads, nor where it follows from the network.
    pub fn place(&self) -> Option<Abscissa> {
        match &self.place {
            Where::Number(number) => Some(Abscissa::Number(*number)),
            Where::Word(word) => Some(Abscissa::Word(word.clone())),
            Where::Load if self.automatic.is_none() => {
                Some(Abscissa::Number(self.scenario.load.as_fraction()))
            }
            Where::Load | Where::Derived(_) => None,
        }
    }
}
