//! Being a worker: listening to the page, and working on the bench between messages.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort, Performance};

#[cfg(feature = "complete")]
use crate::bench::Plea;
#[cfg(feature = "complete")]
use crate::helpers::{Helpers, Tell};
use crate::{Bench, PROTOCOL, Reply, build, decode, encode};

/// The bench in its surroundings.
struct Shop {
    bench: RefCell<Bench>,
    #[cfg(feature = "complete")]
    helpers: RefCell<Helpers>,
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
        #[cfg(feature = "complete")]
        helpers: RefCell::default(),
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

    fn hear(self: &Rc<Self>, event: &MessageEvent) {
        #[cfg(feature = "complete")]
        if let Some(plea) = event.data().as_string() {
            return say(&Plea::answer(&plea).into());
        }
        #[cfg(feature = "complete")]
        if let Some(busy) = event.data().as_f64() {
            self.bench.borrow_mut().share_with(busy as u32);
            return self.ring();
        }
        let Some(request) = decode(&event.data()) else {
            return;
        };
        let reply = self.bench.borrow_mut().handle(request, &|| self.now());
        reply.iter().for_each(post);
        // How many others are busy is said right behind what is asked: nothing is shared out before.
        self.come_back(false);
    }

    fn work(self: &Rc<Self>) {
        self.ringing.set(false);
        let reply = self.bench.borrow_mut().work(&|| self.now());
        reply.iter().for_each(post);
        self.ring();
    }

    #[cfg(feature = "complete")]
    fn hear_helper(self: &Rc<Self>, id: u32, said: Option<&JsValue>) {
        self.helpers.borrow_mut().hear(&mut self.bench.borrow_mut(), id, said);
        self.ring();
    }

    /// Lets others help, where there is something to share out; whether there is nothing else to do.
    #[cfg(feature = "complete")]
    fn share_out(self: &Rc<Self>) -> bool {
        let Some(scope) = scope() else { return false };
        let processors = scope.navigator().hardware_concurrency() as u32;
        let boot = scope.location().href();
        let shop = Rc::downgrade(self);
        let tell: Tell = Rc::new(move |id, said: Option<JsValue>| {
            if let Some(shop) = shop.upgrade() {
                shop.hear_helper(id, said.as_ref());
            }
        });
        let bench = &mut self.bench.borrow_mut();
        self.helpers.borrow_mut().employ(bench, processors, &boot, &tell);
        bench.is_waiting()
    }

    #[cfg(not(feature = "complete"))]
    fn share_out(self: &Rc<Self>) -> bool {
        false
    }

    /// Comes back to the work once waiting messages are heard; timers would wait for longer.
    fn ring(self: &Rc<Self>) {
        let waits = self.share_out();
        self.come_back(waits);
    }

    /// The same where nothing is shared out; not where that is waited for.
    fn come_back(&self, waits: bool) {
        let wanted = self.bench.borrow().is_busy() && !waits && !self.ringing.get();
        if wanted && self.bell.post_message(&JsValue::NULL).is_ok() {
            self.ringing.set(true);
        }
    }
}

fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

#[cfg(feature = "complete")]
fn say(text: &JsValue) {
    if let Some(scope) = scope() {
        let _ = scope.post_message(text);
    }
}

fn post(reply: &Reply) {
    let Some(scope) = scope() else { return };
    let message = encode(reply);
    // Its memory goes to the page without being copied. A page that cannot be reached is gone, and
    // this worker with it.
    let _ = scope.post_message_with_transfer(&message, &Array::of1(&message.buffer()));
}
