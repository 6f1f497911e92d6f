//! The state of the section, and what it asks of the workers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dragontree::scenario::Detail;
use dragontree_worker::{Finding, Inspection, Loads, Request};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, HtmlElement};

use crate::fabric::{self, Trace};
use crate::live::follow;
use crate::store::Store;

/// The events that are heard; the last one does not bubble.
const EVENTS: [&str; 4] = ["click", "submit", "focusin", "toggle"];

/// The section.
pub struct Desk {
    /// The page's state.
    pub store: Store,
    place: Element,
    /// Whether workers may be asked: the network is known to be sound.
    ready: Cell<bool>,
    /// What the report in place is about: the study's questions, the run and the open block.
    about: Cell<Option<(u32, u32, Option<u32>)>>,
    /// The generation of the last question on each topic; 0 where no answer is waited for.
    asked: [Cell<u32>; 4],
    /// The report and the paths as they were found.
    found: RefCell<[Option<Finding>; 2]>,
    /// Whether the drawing shows flows.
    pub tinted: Cell<bool>,
    /// The way that the drawing shows: of which finding, and which of it.
    pub walked: Cell<Option<(Topic, usize)>>,
    /// The format of the file that was asked for.
    pub format: RefCell<String>,
}

/// What is asked about the routes; the answers to the first two are kept for the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The report.
    Report,
    /// The routes of a pair.
    Paths,
    /// All routings.
    Comparison,
    /// The report as a file.
    File,
}

impl Topic {
    const ALL: [Topic; 4] = [Topic::Report, Topic::Paths, Topic::Comparison, Topic::File];

    /// Where an answer is written, or where it is seen that one is waited for.
    fn selector(self) -> &'static str {
        match self {
            Topic::Report | Topic::File => ".report",
            Topic::Paths => ".paths",
            Topic::Comparison => ".comparison",
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
            found: RefCell::default(),
            tinted: Cell::default(),
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
            desk.renew();
        });
    }

    /// A piece of the section's own markup.
    pub fn element(&self, selector: &str) -> HtmlElement {
        let found = self.place.query_selector(selector).ok().flatten();
        found.unwrap_or_else(|| self.place.clone()).unchecked_into()
    }

    fn is_open(&self) -> bool {
        self.place.query_selector("details[open]").is_ok_and(|found| found.is_some())
    }

    /// Unfolds the section.
    pub fn unfold(&self) {
        // It takes any attribute; the report is asked for when it has opened.
        let _ = self.element("details").set_attribute("open", "");
    }

    /// The study has changed: what is here is about the former one.
    pub fn outdate(&self) {
        self.ready.set(false);
        self.store.with_fabric(|view| view.trace(Trace::default()));
        if self.is_open() {
            self.busy(Topic::Report, true);
        }
    }

    /// The network is sound: its routes can be looked at.
    pub fn permit(self: &Rc<Self>) {
        self.ready.set(true);
        self.renew();
    }

    /// Asks for the report when the section is open and the one in place is about something else.
    pub fn renew(self: &Rc<Self>) {
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

    /// Asks for something about the routes of the shown run.
    pub fn ask(&self, topic: Topic, what: Inspection) {
        let Some((_, job, open)) = self.about.get() else { return };
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
        if topic == Topic::Comparison {
            self.element(".comparing").set_hidden(!busy);
            let (act, words) = match busy {
                true => ("stop", "Stop"),
                false => ("compare", "Compare all routings"),
            };
            let button = self.element("section > button");
            let _ = button.set_attribute("data-act", act);
            button.set_text_content(Some(words));
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
        let bundles = found.iter().flatten().map(|finding| finding.bundles).next().unwrap_or(0);
        let flows = report.filter(|_| self.tinted.get()).and_then(|report| {
            let loads = Loads::unpack(report.flows.clone()?)?;
            Some((Rc::new(loads), report.most))
        });
        let trail = self.walked.get().and_then(|(topic, index)| {
            let trail = found.get(topic as usize)?.as_ref()?.trails.get(index)?;
            Some(trail.iter().map(|step| (step / 2, step % 2 == 0)).collect())
        });
        let trace = Trace { flows, trail: trail.unwrap_or_default(), bundles: bundles as usize };
        self.store.with_fabric(|view| view.trace(trace));
    }
}
