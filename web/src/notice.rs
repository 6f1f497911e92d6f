//! What the page has to say besides results.

use leptos::prelude::*;

use crate::live::{live, on, when};
use crate::store::{Notice, Store};
use crate::summary::bar;

/// A button in a notice: its words, and what it does.
type Act = (&'static str, fn(Store));

/// What the workers' files not fitting the page means.
const RELOAD: &str = "This page and its simulator are of different versions, one of them from the \
                      browser's cache.";

/// The line over the figure, and the files that are being written.
#[component]
pub fn Notices() -> impl IntoView {
    let store = expect_context::<Store>();
    let writing = move || {
        let bar = bar(store.writing, "Writing").into_any();
        line(store, "notice passing writing", "Writing a file".to_owned(), Some(bar), &[STOP])
    };
    view! {
        <div class="notices" role="status">
            {live(move || store.notice.get().map(|notice| said(store, notice)))}
            {when(move || store.writing.with(|files| files.active), writing)}
        </div>
    }
}

const STOP: Act = ("Stop", Store::leave_files);
const DISMISS: fn(Store) = |store| store.notice.set(None);

fn said(store: Store, notice: Notice) -> AnyView {
    let (text, acts): (String, &'static [Act]) = match notice {
        Notice::Passing(text) => return line(store, "notice passing", text, None, &[]),
        Notice::Lasting(text) => (text, &[("Dismiss", DISMISS)]),
        Notice::Reload => (RELOAD.to_owned(), &[("Reload the page", |_| reload())]),
        Notice::Large(text) => (text, &[("Run it", Store::start_anyway), ("Not now", DISMISS)]),
    };
    line(store, "notice", text, None, acts)
}

fn line(
    store: Store,
    class: &'static str,
    text: String,
    bar: Option<AnyView>,
    acts: &'static [Act],
) -> AnyView {
    let act = |(words, act): &'static Act| {
        view! { " " <button type="button" class="link" on:click=on(move |_| act(store))>{*words}</button> }
    };
    let acts = acts.iter().map(act).collect_view();
    view! { <p class=class>{text}{bar}{acts}</p> }.into_any()
}

fn reload() {
    // A page that may not reload itself can still be reloaded by its reader.
    let _ = window().location().reload();
}
