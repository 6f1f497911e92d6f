//! The workers: started when there is work, replaced when they fail, stopped when asked.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use dragontree_worker::{PROTOCOL, Reply, Request, build, decode};
use leptos::prelude::set_timeout;
use wasm_bindgen::JsValue;

mod queue;
mod slot;

use queue::{Queue, Task};
use slot::{Signal, Slot};

/// How long a worker may take to hear a cancellation.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How often busy workers are looked at: one that the system has ended says nothing.
const ROUND: Duration = Duration::from_secs(2);
/// So many workers in a row that do not start mean that none will.
const MOST_FAILURES: u32 = 3;

/// What the pool tells the page.
pub enum Event {
    /// A worker's answer.
    Reply(Reply),
    /// A run broke two workers one after the other.
    Lost {
        /// The generation of the request.
        generation: u32,
        /// What the second worker said.
        message: String,
    },
    /// The worker's files are of another build than the page.
    Stale,
    /// Workers cannot be started here.
    Unavailable {
        /// What the browser said.
        message: String,
    },
}

/// A handle to the workers.
#[derive(Clone)]
pub struct Pool(Rc<RefCell<Inner>>);

struct Inner {
    slots: Vec<Slot>,
    queue: Queue,
    /// What every worker is told first.
    kept: Vec<Request>,
    limit: usize,
    opened: u32,
    failures: u32,
    watching: bool,
    is_large: Rc<dyn Fn(&Request) -> bool>,
    tell: Rc<dyn Fn(Event)>,
}

impl Pool {
    /// A pool of at most `limit` workers; none is started yet. `is_large` says what takes a
    /// complete one.
    pub fn new(
        limit: usize,
        is_large: impl Fn(&Request) -> bool + 'static,
        tell: impl Fn(Event) + 'static,
    ) -> Pool {
        Pool(Rc::new(RefCell::new(Inner {
            slots: Vec::new(),
            queue: Queue::default(),
            kept: Vec::new(),
            limit: limit.max(1),
            opened: 0,
            failures: 0,
            watching: false,
            is_large: Rc::new(is_large),
            tell: Rc::new(tell),
        })))
    }

    /// Asks the questions of a study in place of those of the one before. What the reader asked stays.
    pub fn ask(&self, questions: Vec<Request>) {
        self.withdraw(Task::is_of_study);
        let mut inner = self.0.borrow_mut();
        questions.into_iter().for_each(|question| inner.add(question, None));
        drop(inner);
        self.dispatch();
    }

    /// Asks one more question.
    pub fn also(&self, question: Request) {
        self.0.borrow_mut().add(question, None);
        self.dispatch();
    }

    /// Asks a question that somebody waits for: measuring a network, which may take long, is left
    /// and begun again after it.
    pub fn first(&self, question: Request) {
        self.ahead(question, None, |task| matches!(task.request, Request::Measure { .. }));
    }

    /// Asks what a study takes, as a run of it: all that takes long with a large network is left and
    /// begun again after it.
    pub fn estimate(&self, question: Request) {
        self.ahead(question, Some(0), |task| {
            matches!(
                task.request,
                Request::Measure { .. }
                    | Request::Analyze { .. }
                    | Request::Fabric { loads: true, .. }
            )
        });
    }

    fn ahead(&self, question: Request, curve: Option<u32>, is_left: impl Fn(&Task) -> bool) {
        let mut inner = self.0.borrow_mut();
        let working = inner.slots.iter().filter_map(|slot| slot.task.as_ref());
        let left: Vec<Request> = working
            .chain(inner.queue.waiting())
            .filter(|task| is_left(task) && !task.withdrawn)
            .map(|task| task.request.clone())
            .collect();
        inner.add(question, curve);
        drop(inner);
        self.withdraw(is_left);
        for request in left {
            self.0.borrow_mut().add(request, None);
        }
        self.dispatch();
    }

    /// Takes one question back.
    pub fn leave(&self, generation: u32) {
        self.withdraw(|task| !task.is_run() && task.generation() == generation);
        self.dispatch();
    }

    /// Has every complete worker keep something, also those that are started later.
    pub fn keep(&self, request: Request) {
        let mut inner = self.0.borrow_mut();
        let able = |slot: &&Slot| slot.ready && slot.complete;
        inner.slots.iter().filter(able).for_each(|slot| slot.send(&request));
        inner.kept.push(request);
    }

    /// Simulates runs, each given with the curve that it belongs to.
    pub fn run(&self, runs: impl IntoIterator<Item = (Request, u32)>) {
        let mut inner = self.0.borrow_mut();
        for (request, curve) in runs {
            inner.add(request, Some(curve));
        }
        drop(inner);
        self.dispatch();
    }

    /// Stops every run.
    pub fn cancel(&self) {
        self.withdraw(Task::is_run);
        self.dispatch();
    }

    /// Takes tasks back: those that wait at once, those in hand within a moment.
    fn withdraw(&self, which: impl Fn(&Task) -> bool) {
        let mut inner = self.0.borrow_mut();
        inner.queue.withdraw(&which);
        let mut late = Vec::new();
        for slot in &mut inner.slots {
            let Some(task) = slot.task.as_mut().filter(|task| which(task)) else {
                continue;
            };
            if let Some(generation) = task.withdraw() {
                late.push(slot.id);
                slot.send(&Request::Cancel { generation });
            }
        }
        drop(inner);
        if !late.is_empty() {
            let pool = self.clone();
            set_timeout(move || pool.replace(&late), PATIENCE);
        }
    }

    /// Ends workers that still have a task that was taken back.
    fn replace(&self, late: &[u32]) {
        let stuck = |slot: &Slot| {
            let withdrawn = slot.task.as_ref().is_some_and(|task| task.withdrawn);
            late.contains(&slot.id) && withdrawn
        };
        self.0.borrow_mut().slots.retain(|slot| !stuck(slot));
        self.dispatch();
    }

    /// Gives waiting tasks to free workers, and starts workers for the rest.
    fn dispatch(&self) {
        let mut inner = self.0.borrow_mut();
        inner.make_room();
        for place in 0..inner.slots.len() {
            let inner = &mut *inner;
            let taken: Vec<u32> = inner.slots.iter().filter_map(|slot| slot.curve).collect();
            let slot = &mut inner.slots[place];
            if slot.is_idle()
                && slot.ready
                && let Some(task) = inner.queue.next(slot.complete, slot.curve, &taken)
            {
                slot.take(task);
            }
        }
        slot::share(&inner.slots);
        drop(inner);
        self.open();
        self.watch();
    }

    /// Looks after busy workers for as long as there are some.
    fn watch(&self) {
        let mut inner = self.0.borrow_mut();
        if inner.watching || inner.slots.iter().all(|slot| slot.task.is_none()) {
            return;
        }
        inner.watching = true;
        let pool = self.clone();
        set_timeout(
            move || {
                pool.0.borrow_mut().watching = false;
                pool.bury_silent();
                pool.watch();
            },
            ROUND,
        );
    }

    fn bury_silent(&self) {
        let now = js_sys::Date::now();
        let silent = |slot: &&Slot| {
            let patience = slot.task.as_ref().map_or(f64::INFINITY, Task::patience);
            now - slot.heard > patience
        };
        let inner = self.0.borrow();
        let dead: Vec<u32> = inner.slots.iter().filter(silent).map(|slot| slot.id).collect();
        drop(inner);
        for id in dead {
            self.bury(id, "it gave no sign of life".to_owned());
        }
    }

    fn open(&self) {
        let mut inner = self.0.borrow_mut();
        while let Some(complete) = inner.needs() {
            inner.opened += 1;
            let id = inner.opened;
            let pool = self.clone();
            match Slot::open(id, complete, move |signal| pool.hear(id, signal)) {
                Ok(slot) => inner.slots.push(slot),
                Err(error) => {
                    let message = words(&error);
                    drop(inner);
                    self.give_up(message);
                    return;
                }
            }
        }
    }

    fn hear(&self, id: u32, signal: Signal) {
        let reply = match signal {
            Signal::Message(data) => decode::<Reply>(&data),
            Signal::Error(message) => Some(Reply::Panicked { message }),
        };
        match reply {
            Some(Reply::Ready { build: of, protocol }) => {
                self.welcome(id, of == build() && protocol == PROTOCOL)
            }
            Some(Reply::Panicked { message }) => self.bury(id, message),
            Some(reply) => self.pass_on(id, reply),
            // A worker of another build may say what this one cannot read.
            None => self.welcome(id, false),
        }
    }

    fn welcome(&self, id: u32, fits: bool) {
        let mut inner = self.0.borrow_mut();
        if fits {
            inner.failures = 0;
            let kept = inner.kept.clone();
            if let Some(slot) = inner.slot(id) {
                slot.ready = true;
                let own = kept.iter().filter(|_| slot.complete);
                own.for_each(|request| slot.send(request));
            }
            drop(inner);
            self.dispatch();
        } else {
            inner.slots.clear();
            inner.queue = Queue::default();
            drop(inner);
            self.tell(Event::Stale);
        }
    }

    fn pass_on(&self, id: u32, reply: Reply) {
        let goes_on =
            matches!(reply, Reply::Progress { .. } | Reply::Inspecting { .. } | Reply::Working);
        if let Some(slot) = self.0.borrow_mut().slot(id) {
            slot.heard = js_sys::Date::now();
            slot.task.take_if(|_| !goes_on);
        }
        self.tell(Event::Reply(reply));
        if !goes_on {
            self.dispatch();
        }
    }

    /// Replaces a worker that broke; its task is tried once more.
    fn bury(&self, id: u32, message: String) {
        let mut inner = self.0.borrow_mut();
        let Some(place) = inner.slots.iter().position(|slot| slot.id == id) else {
            return;
        };
        let slot = inner.slots.remove(place);
        if !slot.ready {
            inner.failures += 1;
            if inner.failures >= MOST_FAILURES {
                drop(inner);
                self.give_up(message);
                return;
            }
        }
        let lost = slot.task.as_ref().and_then(|task| inner.queue.retry(task));
        drop(inner);
        if let Some(generation) = lost {
            self.tell(Event::Lost { generation, message });
        }
        self.dispatch();
    }

    fn give_up(&self, message: String) {
        let mut inner = self.0.borrow_mut();
        inner.slots.clear();
        inner.queue = Queue::default();
        inner.failures = 0;
        drop(inner);
        self.tell(Event::Unavailable { message });
    }

    fn tell(&self, event: Event) {
        let tell = self.0.borrow().tell.clone();
        tell(event);
    }
}

impl Inner {
    fn slot(&mut self, id: u32) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| slot.id == id)
    }

    fn add(&mut self, request: Request, curve: Option<u32>) {
        let large = (self.is_large)(&request);
        self.queue.add(Task::new(request, large, curve));
    }

    /// Where there is no complete worker but a task for one, and no room, the first small one that
    /// is idle makes room: small tasks would keep it from that for as long as there are some.
    fn make_room(&mut self) {
        let complete = self.slots.iter().any(|slot| slot.complete);
        if self.queue.count(true) > 0 && !complete {
            self.has_room_for_complete();
        }
    }

    /// Whether one more complete worker may be started, if need be in place of an idle small one.
    fn has_room_for_complete(&mut self) -> bool {
        if self.slots.len() >= self.limit {
            let idle = self.slots.iter().position(|slot| slot.is_idle() && !slot.complete);
            idle.map(|place| self.slots.remove(place));
        }
        self.slots.len() < self.limit
    }

    /// Whether one more worker is to be started, and then, whether a complete one.
    fn needs(&mut self) -> Option<bool> {
        let starting = |complete| {
            let of = |slot: &&Slot| !slot.ready && slot.complete == complete;
            self.slots.iter().filter(of).count()
        };
        let (small, complete) = (starting(false), starting(true));
        let large = self.queue.count(true);
        if large > complete && self.has_room_for_complete() {
            return Some(true);
        }
        let spare = small + complete.saturating_sub(large);
        (self.queue.count(false) > spare && self.slots.len() < self.limit).then_some(false)
    }
}

/// What a thrown value says.
fn words(error: &JsValue) -> String {
    let text = error.as_string();
    text.unwrap_or_else(|| String::from(js_sys::Object::from(error.clone()).to_string()))
}
