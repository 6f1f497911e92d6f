//! Being a worker: listening to the page, and working on the bench between messages.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort, Performance};

use crate::{Bench, PROTOCOL, Reply, build, decode, encode};

/// The bench in its surroundings.
struct Shop {
    bench: RefCell<Bench>,
    clock: Performance,
    /// A message sent here comes back after those that wait from the page.
    bell: MessagePort,
    ringing: Cell<bool>,
}

/// Whether this is a worker, not a page; if so, it listens from now on.
pub fn serve() -> bool {
    let Some(scope) = scope() else { return false };
    std::panic::set_hook(Box::new(|panic| {
        post(&Reply::Panicked { message: panic.to_string() });
    }));
    if open(&scope).is_none() {
        post(&Reply::Panicked {
            message: "this browser's workers lack a clock or channels".to_owned(),
        });
    }
    true
}

/// Starts to listen, and says so.
fn open(scope: &DedicatedWorkerGlobalScope) -> Option<()> {
    let channel = MessageChannel::new().ok()?;
    let shop = Rc::new(Shop {
        bench: RefCell::default(),
        clock: scope.performance()?,
        bell: channel.port1(),
        ringing: Cell::new(false),
    });

    let listener = shop.clone();
    let hear = Closure::<dyn FnMut(_)>::new(move |event: MessageEvent| listener.hear(&event));
    scope.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget();

    let worker = shop;
    let work = Closure::<dyn FnMut()>::new(move || worker.work());
    channel.port2().set_onmessage(Some(work.as_ref().unchecked_ref()));
    work.forget();

    post(&Reply::Ready { build: build().to_owned(), protocol: PROTOCOL });
    Some(())
}

impl Shop {
    fn now(&self) -> f64 {
        self.clock.now()
    }

    fn hear(&self, event: &MessageEvent) {
        let Some(request) = decode(&event.data()) else {
            return;
        };
        let reply = self.bench.borrow_mut().handle(request, &|| self.now());
        reply.iter().for_each(post);
        self.ring();
    }

    fn work(&self) {
        self.ringing.set(false);
        let reply = self.bench.borrow_mut().work(&|| self.now());
        reply.iter().for_each(post);
        self.ring();
    }

    /// Comes back to the work once waiting messages are heard; timers would wait for longer.
    fn ring(&self) {
        let wanted = self.bench.borrow().is_busy() && !self.ringing.get();
        if wanted && self.bell.post_message(&JsValue::NULL).is_ok() {
            self.ringing.set(true);
        }
    }
}

fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

fn post(reply: &Reply) {
    let Some(scope) = scope() else { return };
    let message = encode(reply);
    // Its memory goes to the page without being copied. A page that cannot be reached is gone, and
    // this worker with it.
    let _ = scope.post_message_with_transfer(&message, &Array::of1(&message.buffer()));
}
