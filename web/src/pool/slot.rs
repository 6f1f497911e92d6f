//! One worker.

use dragontree_worker::{Request, build, encode};
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::queue::Task;
use crate::browser;

/// What comes from a worker.
pub enum Signal {
    /// A message.
    Message(JsValue),
    /// It could not be started, or it trapped.
    Error(String),
}

/// A worker and what it does.
pub struct Slot {
    /// Its number, never used again for another.
    pub id: u32,
    /// Whether it is complete, or the small one that the page itself brings along.
    pub complete: bool,
    /// Whether it has said that it listens.
    pub ready: bool,
    /// What it does; free without one.
    pub task: Option<Task>,
    /// The curve of its last run.
    pub curve: Option<u32>,
    /// When it was last given something or said something, in milliseconds.
    pub heard: f64,
    worker: Worker,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(Event)>,
}

impl Slot {
    /// Starts a worker.
    ///
    /// # Errors
    /// The browser does not allow it.
    pub fn open(
        id: u32,
        complete: bool,
        tell: impl Fn(Signal) + Clone + 'static,
    ) -> Result<Slot, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let address = format!("worker_boot.js?v={}", build());
        let worker = Worker::new_with_options(&address, &options)?;
        let pass = tell.clone();
        let hear = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| {
            pass(Signal::Message(event.data()));
        });
        let fail = Closure::<dyn FnMut(_)>::new(move |event: Event| {
            event.prevent_default();
            tell(Signal::Error(message(&event)));
        });
        worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        worker.post_message(&files(complete))?;
        let heard = js_sys::Date::now();
        Ok(Slot {
            id,
            complete,
            ready: false,
            task: None,
            curve: None,
            heard,
            worker,
            _hear: hear,
            _fail: fail,
        })
    }

    /// Whether it has nothing to do.
    pub fn is_idle(&self) -> bool {
        self.task.is_none()
    }

    /// Hands over a task.
    pub fn take(&mut self, task: Task) {
        self.send(&task.request);
        self.curve = task.curve.or(self.curve);
        self.heard = js_sys::Date::now();
        self.task = Some(task);
    }

    /// Posts a request.
    pub fn send(&self, request: &Request) {
        // Bytes can always be cloned into the worker.
        let _ = self.worker.post_message(&encode(request));
    }
}

/// Tells the complete workers how many are busy, for these share the processors.
pub fn share(slots: &[Slot]) {
    let busy = slots.iter().filter(|slot| !slot.is_idle()).count();
    for slot in slots.iter().filter(|slot| slot.complete && slot.ready) {
        // A number can always be cloned into the worker.
        let _ = slot.worker.post_message(&(busy as f64).into());
    }
}

/// What a worker starts from: the script and the module of the complete one, or those of the page,
/// whose module is compiled already.
fn files(complete: bool) -> JsValue {
    let stamped = |file: &str| JsValue::from(format!("./{file}?v={}", build()));
    let files = match complete {
        true => Array::of2(&stamped("worker.js"), &stamped("worker_bg.wasm")),
        false => Array::of2(&browser::script().into(), &wasm_bindgen::module()),
    };
    files.into()
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// What an error event says; one without words means that a file did not load.
fn message(event: &Event) -> String {
    let said = event.dyn_ref::<web_sys::ErrorEvent>().map(web_sys::ErrorEvent::message);
    said.filter(|text| !text.is_empty())
        .unwrap_or_else(|| "its files could not be loaded".to_owned())
}
