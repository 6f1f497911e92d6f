//! The state of the section, and what it asks of the workers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dragontree::scenario::{Detail, HeldBuffer};
use dragontree_worker::{Finding, Inspection, Loads, Request};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlElement};

use super::film::Film;
use crate::fabric::{self, Measure, Trace};
use crate::live::follow;
use crate::store::Store;

/// The events that are heard; the last one does not bubble.
const EVENTS: [&str; 5] = ["click", "submit", "focusin", "input", "toggle"];

/// The section.
pub struct Desk {
    /// The page's state.
    pub store: Store,
    place: Element,
    /// Whether workers may be asked: the network is known to be sound.
    pub ready: Cell<bool>,
    /// What the report in place is about: the study's questions, the run and the open block.
    about: Cell<Option<(u32, u32, Option<u32>)>>,
    /// The generation of the last question on each topic; 0 where no answer is waited for.
    asked: [Cell<u32>; 8],
    /// The run whose messages were asked for last.
    pub sent: Cell<u32>,
    /// The run whose circle of waiting packets was asked for, as in `about`.
    circled: Cell<Option<(u32, u32, Option<u32>)>>,
    /// The report, the paths and the circle as they were found.
    found: RefCell<[Option<Finding>; 3]>,
    /// Whether the drawing shows flows.
    pub tinted: Cell<bool>,
    /// The film of a run.
    pub film: Film,
    /// The way that the drawing shows: of which finding, and which of it.
    pub walked: Cell<Option<(Topic, usize)>>,
    /// The format of the file that was asked for.
    pub format: RefCell<String>,
}

/// What is asked about the routes; the answers to the first three are kept for the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The report.
    Report,
    /// The routes of a pair.
    Paths,
    /// The circle of packets of a deadlock.
    Circle,
    /// All routings.
    Comparison,
    /// The report as a file.
    File,
    /// A run over time.
    Course,
    /// A run's messages.
    Sending,
    /// The pictures of some of their phases.
    Phases,
}

impl Topic {
    const ALL: [Topic; 8] = [
        Topic::Report,
        Topic::Paths,
        Topic::Circle,
        Topic::Comparison,
        Topic::File,
        Topic::Course,
        Topic::Sending,
        Topic::Phases,
    ];

    /// Where an answer is written, or where it is seen that one is waited for.
    fn selector(self) -> &'static str {
        match self {
            Topic::Report | Topic::File => ".report",
            Topic::Paths => ".paths",
            Topic::Circle => ".circle",
            Topic::Comparison => ".comparison",
            Topic::Course => ".course",
            Topic::Sending => ".sent",
            Topic::Phases => ".phases",
        }
    }

    /// Where it is seen how far it is; the button that begins and ends it, by what that does then;
    /// and its words before and meanwhile. Of what takes no long time nothing.
    fn progress(self) -> Option<(&'static str, [&'static str; 2], &'static str)> {
        match self {
            Topic::Comparison => Some((".comparing", ["compare", "stop"], "Compare all routings")),
            Topic::Course => {
                Some((".filming", ["watch", "leave"], "Simulate and film the selected run"))
            }
            Topic::Sending => {
                Some((".sending", ["send", "halt"], "Look at the messages of the selected run"))
            }
            _ => None,
        }
    }
}

impl Desk {
    /// Opens the section in a place that has its markup.
    pub fn open(store: Store, place: &Element) {
        let desk = Rc::new(Desk {
            store,
            place: place.clone(),
            ready: Cell::default(),
            about: Cell::default(),
            asked: Default::default(),
            sent: Cell::default(),
            circled: Cell::default(),
            found: RefCell::default(),
            tinted: Cell::default(),
            film: Film::default(),
            walked: Cell::default(),
            format: RefCell::default(),
        });
        store.attach_desk(desk.clone());
        let own = desk.clone();
        let ear = Closure::<dyn FnMut(Event)>::new(move |event: Event| own.hear(&event));
        for event in EVENTS {
            // Elements always take listeners.
            let _ = place.add_event_listener_with_callback_and_bool(
                event,
                ear.as_ref().unchecked_ref(),
                true,
            );
        }
        ear.forget();
        follow(move || {
            let _ = fabric::shown(store);
            store.found.track();
            desk.renew();
        });
    }

    /// A piece of the section's own markup.
    pub fn element(&self, selector: &str) -> HtmlElement {
        let found = self.place.query_selector(selector).ok().flatten();
        found.unwrap_or_else(|| self.place.clone()).unchecked_into()
    }

    /// All buttons that do something.
    pub fn buttons(&self) -> Result<web_sys::NodeList, JsValue> {
        self.place.query_selector_all("[data-act]")
    }

    fn is_open(&self) -> bool {
        self.place.query_selector(".looks[open]").is_ok_and(|found| found.is_some())
    }

    /// Unfolds the section.
    pub fn unfold(&self) {
        // It takes any attribute; the report is asked for when it has opened.
        let _ = self.element(".looks").set_attribute("open", "");
    }

    /// The study has changed: what is here is about the former one.
    pub fn outdate(&self) {
        self.ready.set(false);
        Topic::ALL.into_iter().for_each(|topic| self.leave(topic));
        self.lose_film();
        self.forget(Topic::Sending);
        self.encircle();
        self.store.with_fabric(|view| view.trace(Trace::default()));
        if self.is_open() {
            self.busy(Topic::Report, true);
        }
    }

    /// The network is sound: its routes can be looked at.
    pub fn permit(self: &Rc<Self>) {
        self.ready.set(true);
        self.renew();
        // Once: the messages of other studies are looked at when the reader asks.
        let asked = self.store.page.try_update_value(|page| std::mem::take(&mut page.messages));
        if asked == Some(true) {
            // It takes any attribute.
            let _ = self.element(".messages").set_attribute("open", "");
            self.ask_of_watched(Topic::Sending, Inspection::Sending);
        }
    }

    /// Asks for the report when the section is open and the one in place is about something else, and
    /// for the circle where the selected run deadlocks.
    pub fn renew(self: &Rc<Self>) {
        self.encircle();
        let Some(shown) = untrack(|| fabric::shown(self.store)) else { return };
        if !self.ready.get() || !self.is_open() {
            return;
        }
        let about = Some((self.store.question(), shown.job, self.store.open_block()));
        if self.about.replace(about) == about {
            return;
        }
        self.leave(Topic::Report);
        self.forget(Topic::Paths);
        self.forget(Topic::Comparison);
        self.ask(Topic::Report, Inspection::Report);
    }

    /// Asks where the packets of the selected run's deadlock are, unless that is known.
    fn encircle(&self) {
        let held = self.ready.get().then(|| self.held()).flatten();
        let open = self.store.open_block();
        let about = held.as_ref().map(|(job, _)| (self.store.question(), *job, open));
        if self.circled.replace(about) == about {
            return;
        }
        self.forget(Topic::Circle);
        if self.walked.get().is_some_and(|(topic, _)| topic == Topic::Circle) {
            self.walked.set(None);
            self.show();
        }
        if let Some((job, held)) = held {
            self.ask_of(Topic::Circle, Inspection::Circle { held }, job, open);
        }
    }

    /// The selected run and what its packets hold, where it deadlocks.
    fn held(&self) -> Option<(u32, Vec<HeldBuffer>)> {
        let job = fabric::watched(self.store)?;
        self.store.found.with_untracked(|found| {
            let record = &found.get(job as usize)?.as_ref()?.record;
            let of_traffic = record.metrics.as_ref().and_then(|run| run.deadlock_packets.as_ref());
            let of_exchange =
                record.exchange.as_ref().and_then(|run| run.deadlock_packets.as_ref());
            let packets = of_traffic.or(of_exchange)?;
            Some((job, packets.iter().map(|packet| packet.holds.clone()).collect()))
        })
    }

    /// Asks for something about the routes of the shown run.
    pub fn ask(&self, topic: Topic, what: Inspection) {
        if let Some((_, job, open)) = self.about.get() {
            self.ask_of(topic, what, job, open);
        }
    }

    /// Asks for something about the selected run.
    pub fn ask_of_watched(&self, topic: Topic, what: Inspection) {
        if let Some(job) = fabric::watched(self.store) {
            if topic == Topic::Sending {
                // Pictures of the former messages have no place any more.
                self.leave(Topic::Phases);
                self.sent.set(job);
            }
            self.ask_of(topic, what, job, self.store.open_block());
        }
    }

    /// Asks for something about a run, with a block of the drawing open.
    pub fn ask_of(&self, topic: Topic, what: Inspection, job: u32, open: Option<u32>) {
        let text = self
            .store
            .study
            .with_untracked(|study| crate::edit::unsigned(study).text(Detail::Least));
        let generation = self.store.next_generation();
        self.leave(topic);
        self.asked[topic as usize].set(generation);
        self.busy(topic, true);
        self.store.ask_first(Request::Inspect { generation, text, job, open, what });
    }

    /// Does not wait for an answer any more.
    pub fn leave(&self, topic: Topic) {
        let generation = self.asked[topic as usize].replace(0);
        if generation != 0 {
            self.store.leave(generation);
        }
        self.busy(topic, false);
    }

    fn busy(&self, topic: Topic, busy: bool) {
        // Elements take any attribute.
        let _ = self.target(topic).set_attribute("aria-busy", if busy { "true" } else { "false" });
        let Some((bar, [begin, end], words)) = topic.progress() else { return };
        self.element(bar).set_hidden(!busy);
        let (before, after, words) = if busy { (begin, end, "Stop") } else { (end, begin, words) };
        let Ok(Some(button)) = self.place.query_selector(&format!("[data-act={before}]")) else {
            return;
        };
        let _ = button.set_attribute("data-act", after);
        button.set_text_content(Some(words));
    }

    /// Tells how much of what is asked is done.
    pub fn progress(&self, topic: Topic, share: f64) {
        if let Some((bar, ..)) = topic.progress() {
            // Elements take any attribute.
            let _ = self.element(bar).set_attribute("value", &share.to_string());
        }
    }

    /// Where an answer is written.
    pub fn target(&self, topic: Topic) -> HtmlElement {
        self.element(topic.selector())
    }

    /// The topic of a question that is waiting for its answer.
    pub fn topic(&self, generation: u32) -> Option<Topic> {
        Topic::ALL.into_iter().find(|topic| self.asked[*topic as usize].get() == generation)
    }

    /// Keeps what was found for the drawing.
    pub fn keep(&self, topic: Topic, finding: Option<Finding>) {
        if let Some(found) = self.found.borrow_mut().get_mut(topic as usize) {
            *found = finding;
        }
    }

    /// Takes an answer away, and what the drawing shows of it.
    fn forget(&self, topic: Topic) {
        self.leave(topic);
        self.target(topic).set_inner_html("");
        self.keep(topic, None);
    }

    /// Shows in the drawing what was chosen for that.
    pub fn show(&self) {
        let found = self.found.borrow();
        let report = found[Topic::Report as usize].as_ref();
        let filmed = self.film.shown();
        let looked = found.iter().flatten().map(|finding| finding.bundles as usize).next();
        let bundles =
            filmed.as_ref().map(|(loads, _)| loads.bundles.len() / 2).or(looked).unwrap_or(0);
        let flows = report.filter(|_| self.tinted.get()).and_then(|report| {
            let loads = Loads::unpack(report.flows.clone()?)?;
            Some((Rc::new(loads), Measure::Flows(report.most)))
        });
        let trail = self.walked.get().and_then(|(topic, index)| {
            let trail = found.get(topic as usize)?.as_ref()?.trails.get(index)?;
            Some(trail.iter().map(|step| (step / 2, step % 2 == 0)).collect())
        });
        let trace = Trace { tint: filmed.or(flows), trail: trail.unwrap_or_default(), bundles };
        self.store.with_fabric(|view| view.trace(trace));
    }
}
