//! Messages from other pages, so that a course can set, run and grade an experiment.
//!
//! Each is an object with a `type`; an `id` comes back with the answer.
//!
//! | asked | answered |
//! |---|---|
//! | `dragontree:ping` | `dragontree:pong` with `build` |
//! | `dragontree:get-state` | `dragontree:state` with `text`, `link`, `running`, `done`, `total` |
//! | `dragontree:set-state` with `text` | the state, with `problems` where there are some |
//! | `dragontree:run`, `dragontree:cancel` | the state |
//! | `dragontree:get-results` | `dragontree:results` with `results`, a record in JSON per line |
//!
//! `run` begins anew where a run goes on, and needs no consent; a study that does not fit is refused.
//!
//! Whoever has asked, and the surrounding page, hears `dragontree:done` when a run ends.

use dragontree::scenario::Detail;
use js_sys::{Array, Object, Reflect};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Window};

use crate::browser;
use crate::live::follow;
use crate::store::Store;

/// A page that has asked something.
#[derive(Clone)]
struct Peer {
    window: Window,
    origin: String,
}

impl Peer {
    fn of(event: &MessageEvent) -> Option<Peer> {
        let window = event.source()?.dyn_into::<Window>().ok()?;
        // A sandboxed page has the origin "null", which cannot be addressed.
        let origin = Some(event.origin()).filter(|origin| origin != "null" && !origin.is_empty());
        Some(Peer { window, origin: origin.unwrap_or_else(|| "*".to_owned()) })
    }

    fn post(&self, message: &Object) {
        // A window that is gone needs no answer.
        let _ = self.window.post_message(message, &self.origin);
    }
}

/// Listens from now on.
pub fn listen(store: Store) {
    let peers = StoredValue::new_local(Vec::<Peer>::new());
    let hear = move |event: MessageEvent| {
        let Some(answer) = answer(store, &event.data()) else {
            return;
        };
        let Some(peer) = Peer::of(&event) else { return };
        peer.post(&answer);
        peers.update_value(|peers| {
            if !peers.iter().any(|known| Object::is(&known.window, &peer.window)) {
                peers.push(peer);
            }
        });
    };
    let listener = window_event_listener(ev::message, hear);
    on_cleanup(move || listener.remove());
    let announced = StoredValue::new(0);
    follow(move || {
        let finished = store.finished.get();
        if announced.get_value() != finished {
            announced.set_value(finished);
            announce(store, &peers.get_value());
        }
    });
}

fn announce(store: Store, peers: &[Peer]) {
    let message = untrack(|| state(store, "dragontree:done"));
    peers.iter().for_each(|peer| peer.post(&message));
    let parent = window().parent().ok().flatten().filter(|_| browser::is_framed());
    if let Some(parent) = parent {
        let known = peers.iter().any(|peer| Object::is(&peer.window, &parent));
        if !known {
            let origin = "*".to_owned();
            Peer { window: parent, origin }.post(&message);
        }
    }
}

/// The answer to a message; none when it is not meant for this page.
fn answer(store: Store, asked: &JsValue) -> Option<Object> {
    let get = |key: &str| Reflect::get(asked, &key.into()).ok();
    let kind = asked.is_object().then(|| get("type")?.as_string()).flatten()?;
    let state = || untrack(|| state(store, "dragontree:state"));
    let message = match kind.strip_prefix("dragontree:")? {
        "ping" => {
            let message = typed("dragontree:pong");
            put(&message, "build", dragontree_worker::build());
            message
        }
        "get-state" => state(),
        "set-state" => {
            let text = get("text").and_then(|text| text.as_string());
            store.read_text(text.unwrap_or_default());
            store.settle_draft();
            state()
        }
        "run" => {
            store.start_unasked();
            state()
        }
        "cancel" => {
            store.cancel();
            state()
        }
        "get-results" => {
            let message = typed("dragontree:results");
            put(&message, "results", untrack(|| lines(store)));
            message
        }
        _ => return None,
    };
    if let Some(id) = get("id").filter(|id| !id.is_undefined()) {
        put(&message, "id", id);
    }
    Some(message)
}

fn state(store: Store, kind: &str) -> Object {
    let message = typed(kind);
    let found = store.found.get();
    let text = crate::edit::unsigned(&store.study.get()).text(Detail::Basic);
    put(&message, "text", text);
    put(&message, "link", store.link());
    put(&message, "running", store.run.with(|run| run.active));
    put(&message, "done", found.iter().flatten().count() as f64);
    put(&message, "total", found.len() as f64);
    let problems: Array = store
        .problems
        .get()
        .iter()
        .chain(&store.refusals.get())
        .map(|problem| JsValue::from(problem.to_string()))
        .collect();
    put(&message, "problems", problems);
    message
}

/// The records that are there, one in JSON on each line.
pub fn lines(store: Store) -> String {
    let records = store.present_records();
    let lines = records.iter().filter_map(|record| record.json().ok());
    lines.map(|line| line + "\n").collect()
}

fn typed(kind: &str) -> Object {
    let message = Object::new();
    put(&message, "type", kind);
    message
}

fn put(message: &Object, key: &str, value: impl Into<JsValue>) {
    // Plain objects accept any property.
    let _ = Reflect::set(message, &key.into(), &value.into());
}
