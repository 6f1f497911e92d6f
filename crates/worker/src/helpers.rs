//! Workers of a worker: they help to find routes of messages.

use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::bench::{Bench, Plea};
use crate::{Reply, build, decode};

/// More are not started, however many processors there are.
const MOST: u32 = 15;

/// What a helper says, by its number; nothing when it has failed.
pub type Tell = Rc<dyn Fn(u32, Option<JsValue>)>;

/// The helpers of a worker.
#[derive(Default)]
pub struct Helpers {
    helpers: Vec<Helper>,
    next: u32,
    /// One has failed: a browser that does not let workers start workers, or memory that is short.
    /// The work is done without.
    given_up: bool,
}

struct Helper {
    id: u32,
    ready: bool,
    /// What it was asked for.
    plea: Option<Plea>,
    worker: Worker,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(Event)>,
}

impl Helpers {
    /// Gives idle helpers what the bench has for them, and starts some where they are of use; `boot`
    /// is the address of the script that starts a worker.
    pub fn employ(&mut self, bench: &mut Bench, processors: u32, boot: &str, tell: &Tell) {
        let wanted = bench.helpers(processors).min(MOST);
        if wanted == 0 || self.given_up {
            self.helpers.clear();
            return;
        }
        while (self.helpers.len() as u32) < wanted {
            self.next += 1;
            match Helper::start(self.next, boot, tell) {
                Ok(helper) => self.helpers.push(helper),
                Err(_) => {
                    self.given_up = true;
                    break;
                }
            }
        }
        // Where others have become busy, those are left that have something to bring to an end.
        let mut surplus = self.helpers.len().saturating_sub(wanted as usize);
        self.helpers.retain(|one| {
            let is_left = surplus > 0 && one.plea.is_none();
            surplus -= usize::from(is_left);
            !is_left
        });
        let count = self.helpers.len() as u32;
        for helper in self.helpers.iter_mut().filter(|one| one.ready && one.plea.is_none()) {
            let Some(plea) = bench.ask(count) else { return };
            helper.ask(plea);
        }
    }

    /// Takes what a helper says.
    pub fn hear(&mut self, bench: &mut Bench, id: u32, said: Option<&JsValue>) {
        let Some(helper) = self.helpers.iter_mut().find(|helper| helper.id == id) else { return };
        let answer = said.and_then(JsValue::as_string);
        let is_ready = || matches!(said.and_then(decode), Some(Reply::Ready { .. }));
        if answer.is_none() && is_ready() {
            helper.ready = true;
            return;
        }
        if let Some(plea) = helper.plea.take() {
            bench.hear(&plea, answer.as_deref());
        }
        // Nothing else is said by a helper but why it has failed.
        if answer.is_none() {
            self.helpers.retain(|helper| helper.id != id);
            self.given_up = true;
            for plea in self.helpers.drain(..).filter_map(|mut helper| helper.plea.take()) {
                bench.hear(&plea, None);
            }
        }
    }
}

impl Helper {
    fn start(id: u32, boot: &str, tell: &Tell) -> Result<Helper, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(boot, &options)?;
        let (pass, fail) = (tell.clone(), tell.clone());
        let hear = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            pass(id, Some(event.data()));
        });
        let fail = Closure::<dyn FnMut(_)>::new(move |event: Event| {
            event.prevent_default();
            fail(id, None);
        });
        worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        let script = format!("./worker.js?v={}", build());
        worker.post_message(&Array::of2(&script.into(), &wasm_bindgen::module()))?;
        Ok(Helper { id, ready: false, plea: None, worker, _hear: hear, _fail: fail })
    }

    fn ask(&mut self, plea: Plea) {
        // A text can always be cloned into a worker.
        let _ = self.worker.post_message(&plea.write().into());
        self.plea = Some(plea);
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
