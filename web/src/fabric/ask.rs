//! What the drawing asks of the workers, once the network is known to be sound.

use std::rc::Rc;
use std::sync::Arc;

use dragontree::scenario::{Detail, Job, Plan, Record};
use dragontree_plot::study::{Finished, order};
use dragontree_worker::{Loads, Parcel, Picture, Request, Utilization};
use leptos::prelude::*;

use super::View;
use super::scene::{Measure, Scene};
use crate::shelf::Kept;
use crate::store::{Selected, Store};

/// What is known about the drawing.
#[derive(Default)]
pub struct Known {
    /// The drawing; of the former study until that of the present one is there.
    pub scene: Option<Rc<Scene>>,
    /// The block that is to be open in it.
    pub open: Option<u32>,
    /// The loads on it.
    loads: Vec<Held>,
    /// Those that came last, also for the former study: they stay until what is to be shown comes.
    latest: Option<Held>,
    /// Whether the drawing is that of the present study.
    fresh: bool,
    /// Whether workers may be asked: the network is known to be sound.
    ready: bool,
    /// Whether somebody can see the drawing.
    pub watched: bool,
    /// The drawing that was asked for last.
    asked: Option<(u32, Option<u32>)>,
    /// The runs whose loads were asked for, and whether as measured.
    asked_loads: Vec<(u32, bool)>,
}

/// Loads on a drawing.
#[derive(Clone)]
struct Held {
    /// The run.
    job: u32,
    /// What they are, where they are measured, not expected.
    measured: Option<Measure>,
    /// The block that is open in their drawing.
    open: Option<u32>,
    loads: Rc<Loads>,
}

/// The run whose network and loads are shown.
pub struct Shown {
    /// The run that stands for all with the same network and routes.
    pub job: u32,
    /// The offered load.
    offered: f64,
    /// How busy the channels were, where no analysis tells what they carry.
    measured: Option<Measured>,
}

/// How busy the channels of a run were.
struct Measured {
    job: u32,
    /// The offered load; none of an exchange.
    load: Option<f64>,
    busy: Arc<Utilization>,
}

impl Measured {
    /// That of a run, if it is known.
    fn of(found: &[Option<Arc<Kept>>], job: usize) -> Option<Measured> {
        let kept = found.get(job)?.as_ref()?;
        let load = kept.record.metrics.as_ref().map(|metrics| metrics.offered);
        Some(Measured { job: job as u32, load, busy: kept.busy.clone()? })
    }

    fn measure(&self) -> Measure {
        self.load.map_or(Measure::Busy(None), |load| Measure::BusyAt(load as f32))
    }
}

impl Shown {
    /// The run whose loads are shown, and whether as measured.
    fn key(&self) -> (u32, bool) {
        self.measured.as_ref().map_or((self.job, false), |measured| (measured.job, true))
    }
}

/// The run that the fabric shows: that of the point last selected, else of the first curve.
pub fn shown(store: Store) -> Option<Shown> {
    let last = store.last.get();
    let curve = last.map_or(0, |last| last.curve);
    let bound = store.foresights.with(|known| known.get(curve)?.as_ref()?.bound);
    store.plan.with(|plan| {
        let first = plan.jobs.iter().position(|job| job.curve as usize == curve)?;
        let found = last.and_then(|last| job_of(store, last));
        let own = |job: &&Job| job.curve as usize == curve;
        let alone = plan.jobs.iter().filter(own).all(|job| job.point == 0);
        let by_load = plan.x.is_load();
        let selected = found.unwrap_or(first);
        let load = plan.jobs.get(selected)?.scenario().load.as_fraction();
        let job = if by_load { first } else { selected };
        // Of the point that is selected, else of the highest load that there is.
        let any = by_load && found.is_none();
        let measured = store.found.with(|all| {
            let point = |job: &Job| {
                job.curve as usize == curve && (any || job.point == plan.jobs[selected].point)
            };
            let jobs = (0..plan.jobs.len()).filter(|job| point(&plan.jobs[*job]));
            let known = jobs.filter(|other| same_network(plan, job, *other));
            known
                .filter_map(|job| Measured::of(all, job))
                .reduce(|one, other| if other.load > one.load { other } else { one })
        });
        Some(Shown {
            job: job as u32,
            measured,
            offered: match found {
                Some(found) => store.found.with(|all| {
                    let kept = all.get(found).and_then(Option::as_ref);
                    kept.and_then(|kept| rate(&kept.record, bound)).unwrap_or(load)
                }),
                // Of an exchange, as fast as the busiest link allows.
                None if plan.exchanges() => bound.unwrap_or(1.0).min(1.0),
                // Before a point is selected: where the busiest link fills.
                None if by_load && !alone => bound.unwrap_or(1.0).min(1.0),
                None => load,
            },
        })
    })
}

/// The load at which ranks sent in a run; in an exchange the mean of the rank that sends most.
fn rate(record: &Record, bound: Option<f64>) -> Option<f64> {
    if let Some(exchange) = &record.exchange {
        return Some(exchange.bound_ns? * bound? / exchange.completion_ns?);
    }
    Some(record.metrics.as_ref()?.offered)
}

/// The run that is filmed: that of the point last selected, else the last point of the first curve.
pub fn watched(store: Store) -> Option<u32> {
    let selected = store.last.get_untracked().and_then(|last| job_of(store, last));
    let last = || {
        store.plan.with_untracked(|plan| {
            let points = (0..).zip(&plan.jobs).filter(|(_, job)| job.curve == 0);
            points
                .min_by_key(|(place, job)| (std::cmp::Reverse(job.point), *place))
                .map(|(at, _)| at)
        })
    };
    selected.map(|job| job as u32).or_else(last)
}

/// The first run of a point of the figure.
fn job_of(store: Store, Selected { curve, point }: Selected) -> Option<usize> {
    store.plan.with(|plan| {
        store.found.with(|found| {
            let finished = plan.jobs.iter().zip(found).filter_map(|(job, kept)| {
                let record = &kept.as_ref()?.record;
                Some(Finished { curve: job.curve, point: job.point, record })
            });
            let order = order(plan, &finished.collect::<Vec<_>>());
            let point = *order.get(curve)?.get(point)?;
            plan.jobs.iter().position(|job| job.curve as usize == curve && job.point == point)
        })
    })
}

impl Known {
    /// Nothing yet.
    pub fn new(ready: bool, watched: bool) -> Known {
        Known { ready, watched, ..Known::default() }
    }

    /// The loads of a run, or those that came last, as far as they belong to the drawing.
    pub fn loads(&self, shown: &Shown) -> Option<(Rc<Loads>, Measure)> {
        let own = self.loads.iter().find(|held| (held.job, held.measured.is_some()) == shown.key());
        let held = own.or(self.latest.as_ref()).filter(|held| self.fits(held))?;
        let measure = held.measured.unwrap_or(Measure::Load(shown.offered as f32));
        Some((held.loads.clone(), measure))
    }

    fn fits(&self, Held { open, loads, .. }: &Held) -> bool {
        self.scene.as_ref().is_some_and(|scene| {
            let bundles = 2 * scene.picture.bundle_count();
            scene.picture.open == *open && bundles == loads.bundles.len()
        })
    }

    /// What to ask for next, for a run: the drawing, then the loads on it.
    fn next(&mut self, store: Store, shown: &Shown) -> Option<Request> {
        let job = shown.job;
        if !self.ready || !self.watched {
            return None;
        }
        let open = self.open;
        let scene = self.scene.as_ref().filter(|_| self.fresh);
        let drawn = scene.is_some_and(|scene| {
            self.asked == Some((scene.job, open))
                && store
                    .plan
                    .with_untracked(|plan| same_network(plan, scene.job as usize, job as usize))
        });
        let study = store.study.get_untracked();
        let text = || crate::edit::unsigned(&study).text(Detail::Least);
        let generation = store.question();
        if !drawn {
            let new = self.asked.replace((job, open)) != Some((job, open));
            return new.then(|| Request::Fabric {
                generation,
                text: text(),
                job,
                open,
                loads: false,
            });
        }
        let asked = shown.key();
        let (job, _) = asked;
        let new = has_loads(store, job) && !self.asked_loads.contains(&asked);
        self.asked_loads.extend(new.then_some(asked));
        new.then(|| match &shown.measured {
            Some(Measured { busy, .. }) => {
                let busy = (**busy).clone();
                Request::Utilization { generation, text: text(), job, open, busy }
            }
            None => Request::Fabric { generation, text: text(), job, open, loads: true },
        })
    }
}

/// Whether analysis says what a run puts on the links: not where only fabric or routes are looked at.
fn has_loads(store: Store, job: u32) -> bool {
    store.plan.with_untracked(|plan| plan.jobs.get(job as usize).is_some_and(Job::simulates))
}

fn same_network(plan: &Plan, one: usize, other: usize) -> bool {
    let scenario = |job: usize| plan.jobs.get(job).map(Job::scenario);
    let (Some(one), Some(other)) = (scenario(one), scenario(other)) else {
        return false;
    };
    one.topology == other.topology
        && one.faults == other.faults
        && one.seed == other.seed
        && one.links() == other.links()
}

impl View {
    /// Asks for what the drawing lacks. Nothing is asked before somebody can see it.
    pub fn ask(&self) {
        let Some(shown) = untrack(|| shown(self.store)) else { return };
        let request = self.known.borrow_mut().next(self.store, &shown);
        if let Some(request) = request {
            self.store.ask_also(request);
        }
    }

    /// The study has changed: what is drawn is that of the former one.
    pub fn outdate(&self) {
        let mut known = self.known.borrow_mut();
        (known.fresh, known.ready, known.asked) = (false, false, None);
        known.asked_loads.clear();
    }

    /// The network is sound: it can be drawn.
    pub fn permit(&self) {
        self.known.borrow_mut().ready = true;
        self.ask();
    }

    /// A drawing or the loads on it have come.
    pub fn hear_parcel(self: &Rc<Self>, job: u32, open: Option<u32>, loads: bool, parcel: Parcel) {
        if loads {
            match Loads::unpack(parcel) {
                Some(loads) => self.hear_loads(job, open, loads),
                // Nothing is expected of adaptive routes; no loads fit no drawing.
                None => {
                    let loads = Rc::new(Loads { bundles: Vec::new(), busiest: None, alike: 0 });
                    let held = Held { job, measured: None, open, loads };
                    self.known.borrow_mut().loads.push(held);
                    self.update();
                }
            }
        } else if let Some(picture) = Picture::unpack(&parcel) {
            self.hear_picture(job, picture);
        }
    }

    fn hear_picture(self: &Rc<Self>, job: u32, picture: Picture) {
        let mut known = self.known.borrow_mut();
        known.loads.clear();
        known.latest.take_if(|_| !has_loads(self.store, job));
        known.asked_loads.clear();
        known.fresh = true;
        let scene = Rc::new(Scene::new(picture, job));
        let before = known.scene.replace(scene.clone());
        drop(known);
        self.adopt(before.as_deref(), &scene);
        self.ask();
    }

    fn hear_loads(self: &Rc<Self>, job: u32, open: Option<u32>, loads: Loads) {
        let mut known = self.known.borrow_mut();
        // Those that are expected of adaptive routes come empty, so these are not.
        let measured = known.asked_loads.contains(&(job, true));
        let measured = self.store.found.with_untracked(|all| {
            Measured::of(all, job as usize).filter(|_| measured).map(|own| own.measure())
        });
        let held = Held { job, measured, open, loads: Rc::new(loads) };
        if !known.fits(&held) {
            // A block has been opened or closed since.
            return;
        }
        known.latest = Some(held.clone());
        known
            .loads
            .retain(|other| other.job != job || other.measured.is_some() != measured.is_some());
        known.loads.push(held);
        drop(known);
        self.update();
    }

    /// There are no loads, or no network at all.
    pub fn refuse(self: &Rc<Self>) {
        let mut known = self.known.borrow_mut();
        known.latest = None;
        if !known.fresh {
            known.scene = None;
            known.loads.clear();
        }
        drop(known);
        self.update();
    }
}
