//! Runs figures and compares.

use std::num::NonZeroUsize;

use dragontree::catalog::Problem;
use dragontree::scenario::{Abscissa, Job, MetricKind, Plan, Saturation, Study};
use serde::Serialize;

use super::paper::{Expect, Figure, Form, Quantity, Run};
use super::points::{Points, joined};
use super::task::{Depth, Facts, Needed, Task};
use crate::error::Failure;
use crate::work::{self, Next, Worker};

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The number is within what is accepted.
    Met,
    /// It is not, for a reason that the file gives.
    Differs,
    /// It is not; or it is, and the file says that it is not.
    Missed,
    /// There is no number: the experiment is not valid or has no such point.
    Failed,
}

/// One check with its outcome; its JSON form is stable.
#[derive(Clone, Debug, Serialize)]
pub struct Checked {
    /// The figure.
    pub id: String,
    /// What the document says.
    pub claim: String,
    /// Where it says so.
    pub source: String,
    /// What was chosen or why the number is not met.
    pub note: Option<String>,
    /// The experiment's text.
    pub study: String,
    /// What was compared.
    pub metric: Quantity,
    /// The curve, when one was chosen.
    pub curve: Option<String>,
    /// The place, when one was chosen.
    pub x: Option<Abscissa>,
    /// The document's number.
    pub expected: Option<f64>,
    /// How far off it may be.
    pub tolerance: f64,
    /// The smallest accepted number.
    pub min: Option<f64>,
    /// The largest accepted number.
    pub max: Option<f64>,
    /// Where the number comes from, when it is not the source.
    pub origin: Option<String>,
    /// What came out; of several points the one that is furthest off.
    pub got: Option<f64>,
    /// Three standard deviations of it over the seeds, where it is a mean over several or a ratio of
    /// such means.
    pub three_sigma: Option<f64>,
    /// How it compares.
    pub verdict: Verdict,
    /// Why there is no number, or why it is not the document's.
    pub problem: Option<String>,
    /// Time of the experiment, which several checks may share.
    pub seconds: f64,
}

/// Runs figures and hands each check to `take`, in order.
///
/// # Errors
/// The first failure of `take`.
pub fn check(
    figures: &[Figure],
    form: Form,
    threads: NonZeroUsize,
    mut take: impl FnMut(&Checked) -> Result<(), Failure>,
) -> Result<Vec<Checked>, Failure> {
    let mut cases: Vec<Case<'_>> = figures
        .iter()
        .flat_map(|figure| figure.run.iter().map(|run| Case::new(figure, run, form)))
        .collect();
    let tasks: Vec<Task> = cases.iter().enumerate().flat_map(tasks).collect();
    let mut checked = Vec::new();
    let mut done = 0;
    let run = |index: usize, worker: &mut Worker<'_>| tasks.get(index)?.run(worker);
    work::in_order(tasks.len(), threads, run, |index, outcome| {
        let case = tasks.get(index).map_or(0, |task| task.case);
        settle(&cases[done..case], &mut checked, &mut take)?;
        done = case;
        cases[case].outcomes.push(outcome);
        Ok(Next::Simulate)
    })?;
    settle(&cases[done..], &mut checked, &mut take)?;
    Ok(checked)
}

/// Hands over the checks of cases whose runs have all finished.
fn settle(
    cases: &[Case<'_>],
    checked: &mut Vec<Checked>,
    take: &mut impl FnMut(&Checked) -> Result<(), Failure>,
) -> Result<(), Failure> {
    for case in cases {
        for expect in case.expected() {
            let outcome = case.compare(expect);
            take(&outcome)?;
            checked.push(outcome);
        }
    }
    Ok(())
}

fn tasks<'a>((index, case): (usize, &'a Case<'_>)) -> impl Iterator<Item = Task> + 'a {
    let jobs = case.plan.as_ref().map_or(&[][..], |plan| &plan.jobs[..]);
    let needed = case.needed();
    let Needed { depth, audited, looked, .. } = needed;
    // Points that differ in the load only have the same network.
    let known = move |job: &Job, others: &[Job]| {
        let same = |other: &Job| {
            other.curve == job.curve
                && other.scenario().shares_network(job.scenario())
                && (!audited || other.scenario().routing == job.scenario().routing)
        };
        depth == Depth::Network && !looked && others.iter().any(same)
    };
    let jobs = jobs.iter().enumerate().filter(move |(place, job)| !known(job, &jobs[..*place]));
    jobs.map(move |(_, job)| Task { case: index, job: job.clone(), needed: needed.clone() })
}

/// One experiment of one figure.
struct Case<'a> {
    figure: &'a Figure,
    run: &'a Run,
    form: Form,
    text: &'a str,
    plan: Result<Plan, String>,
    outcomes: Vec<Result<Facts, Vec<Problem>>>,
}

impl<'a> Case<'a> {
    fn new(figure: &'a Figure, run: &'a Run, form: Form) -> Case<'a> {
        let text = run.text(form);
        let plan =
            Study::parse(text).map_err(|problems| problems.problems).and_then(|study| study.plan());
        Case {
            figure,
            run,
            form,
            text,
            plan: plan.map_err(|problems| joined(&problems)),
            outcomes: Vec::new(),
        }
    }

    /// What must come out in this form.
    fn expected(&self) -> impl Iterator<Item = &'a Expect> {
        self.run.expected(self.form)
    }

    fn depth(&self) -> Depth {
        let depth = |expect: &Expect| match expect.metric {
            Quantity::Metric(MetricKind::Bound | MetricKind::ChannelTime) => Depth::Analysis,
            Quantity::Metric(_) | Quantity::Deadlock => Depth::Simulation,
            _ => Depth::Network,
        };
        let deepest = self.expected().map(depth).max();
        deepest.unwrap_or(Depth::Network)
    }

    fn needed(&self) -> Needed {
        let any = |is: fn(Quantity) -> bool| self.expected().any(|each| is(each.metric));
        Needed {
            depth: self.depth(),
            numbers: self.numbers(),
            audited: any(|quantity| matches!(quantity, Quantity::Free(_))),
            looked: any(|quantity| matches!(quantity, Quantity::Formula | Quantity::Crossings)),
            carried: self.expected().any(|e| e.of.as_deref() == Some(Saturation::FAIR_MEAN)),
        }
    }

    fn numbers(&self) -> Vec<&'static str> {
        let name = |expect: &Expect| match expect.metric {
            Quantity::Network(name) => Some(name),
            _ => None,
        };
        self.expected().filter_map(name).collect()
    }

    fn compare(&self, expect: &Expect) -> Checked {
        let got = match &self.plan {
            Ok(plan) => Points { plan, outcomes: &self.outcomes }.worst(expect),
            Err(problem) => Err(problem.clone()),
        };
        let is_met = got.as_ref().map(|got| expect.excess(got.value) <= ROUNDING);
        let (verdict, problem) = match (is_met, &expect.differs) {
            (Ok(true), None) => (Verdict::Met, None),
            (Ok(false), Some(reason)) => (Verdict::Differs, Some(reason.clone())),
            (Ok(false), None) => (Verdict::Missed, None),
            (Ok(true), Some(_)) => (Verdict::Missed, Some(MET_AFTER_ALL.to_owned())),
            (Err(problem), _) => (Verdict::Failed, Some(problem.clone())),
        };
        let facts = self.outcomes.iter().flatten();
        Checked {
            id: self.figure.id.clone(),
            claim: self.figure.claim.clone(),
            source: self.figure.source.clone(),
            note: self.figure.note.clone(),
            study: self.text.to_owned(),
            metric: expect.metric,
            curve: expect.curve.clone(),
            x: expect.x.clone(),
            expected: expect.expected.map(|number| number.0),
            tolerance: expect.tolerance,
            min: expect.min.map(|number| number.0),
            max: expect.max.map(|number| number.0),
            origin: expect.origin.clone(),
            got: got.as_ref().ok().map(|got| got.value),
            three_sigma: got.as_ref().ok().and_then(|got| got.three_sigma()),
            verdict,
            problem,
            seconds: facts.map(|facts| facts.seconds).sum(),
        }
    }
}

/// What is wrong where a number is met that is said to differ.
const MET_AFTER_ALL: &str = "it is met, though a reason is given why it differs";

/// How far off a number may be that is meant to be exact.
const ROUNDING: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(runs: &str) -> Vec<(Verdict, Option<f64>)> {
        verdicts_in(Form::Reduced, runs)
    }

    fn verdicts_in(form: Form, runs: &str) -> Vec<(Verdict, Option<f64>)> {
        let text = format!("id = \"\"\nclaim = \"\"\nsource = \"\"\n{runs}");
        let figure: Figure = toml::from_str(&text).expect("it reads");
        let checked = check(&[figure], form, NonZeroUsize::MIN, |_| Ok(()));
        let checked = checked.expect("nothing is written");
        checked.iter().map(|c| (c.verdict, c.got)).collect()
    }

    #[test]
    fn counts_need_no_routes() {
        let found = verdicts(
            "[[run]]\nstudy = \"topology=xgft,m=4.2.2,w=1.4.1\"\nexpect = [\n\
             { metric = \"endpoints\", expected = 16 },\n\
             { metric = \"switches\", expected = 15 }]",
        );
        assert_eq!(found, [(Verdict::Met, Some(16.0)), (Verdict::Missed, Some(16.0))]);
    }

    #[test]
    fn some_numbers_are_expected_in_full_only() {
        let runs = "[[run]]\nstudy = \"topology=xgft,m=4.2,w=1.4\"\n\
                    full = \"topology=xgft,m=4.4,w=1.4\"\nexpect = [\n\
                    { metric = \"endpoints\", min = 8 },\n\
                    { metric = \"endpoints\", expected = 16, in_full = true }]";
        assert_eq!(verdicts(runs), [(Verdict::Met, Some(8.0))]);
        assert_eq!(verdicts_in(Form::Full, runs), [(Verdict::Met, Some(16.0)); 2]);
    }

    #[test]
    fn a_number_may_differ_for_a_reason_but_not_be_met_then() {
        let found = verdicts(
            "[[run]]\nstudy = \"topology=xgft,m=4.2.2,w=1.4.1\"\nexpect = [\n\
             { metric = \"switches\", expected = 14, differs = \"two roots less\" },\n\
             { metric = \"switches\", expected = 16, differs = \"none\" }]",
        );
        assert_eq!(found, [(Verdict::Differs, Some(16.0)), (Verdict::Missed, Some(16.0))]);
    }

    #[test]
    fn distances_and_cuts_need_no_routes() {
        // The routing, minimal between groups, fits no tree.
        let found = verdicts(
            "[[run]]\nstudy = \"topology=xgft,m=4.4.4,w=1.4.4\"\nexpect = [\n\
             { metric = \"diameter\", expected = 4 },\n\
             { metric = \"bisection_per_endpoint\", expected = 1 },\n\
             { metric = \"diversity_max\", expected = 15 }]",
        );
        let expected =
            [(Verdict::Met, Some(4.0)), (Verdict::Met, Some(1.0)), (Verdict::Missed, Some(16.0))];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_curve_is_compared_with_itself_from_place_to_place() {
        let found = verdicts(
            "[[run]]\nstudy = \"topology=xgft,m=4.2,w=1.4 routing=d_mod_k exchange=all_to_all \
             bytes=64B/1KiB/256B\"\nexpect = [\n\
             { metric = \"ideal\", successive = true, min = 1 },\n\
             { metric = \"ideal\", successive = true, x = 64, min = 1 }]",
        );
        let [(all, Some(smallest)), (Verdict::Failed, None)] = found[..] else {
            panic!("{found:?}");
        };
        assert!(all == Verdict::Missed && smallest < 1.0, "{found:?}");
    }

    #[test]
    fn of_several_curves_the_worst_counts_and_mistakes_fail() {
        let found = verdicts(
            "[[run]]\nstudy = \"topology=dragonfly,p=1,a=2/4,h=1 load=0.5/1\"\nexpect = [\n\
             { metric = \"endpoints\", min = 7 },\n\
             { metric = \"endpoints\", min = 20, curve = \"a=4\" },\n\
             { metric = \"endpoints\", min = 20, curve = \"a=5\" }]\n\
             [[run]]\nstudy = \"topology=ring\"\nexpect = [{ metric = \"radix\", min = 1 }]",
        );
        let expected = [
            (Verdict::Missed, Some(6.0)),
            (Verdict::Met, Some(20.0)),
            (Verdict::Failed, None),
            (Verdict::Failed, None),
        ];
        assert_eq!(found, expected);
    }
}
