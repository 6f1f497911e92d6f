//! Everything that carries the figure elsewhere: link, embedding, files, command line.

use dragontree::scenario::Detail;
use leptos::ev::FocusEvent;
use leptos::html::Dialog;
use leptos::prelude::*;

use crate::browser;
use crate::live::{follow, live, memo, on, when};
use crate::notice::Notices;
use crate::store::Store;

mod embedding;
mod export;
mod snippet;

use embedding::Embedding;
use export::Exports;

/// Copies the link of the study; with the digest of its results when all are there.
#[component]
pub fn CopyLink() -> impl IntoView {
    let store = expect_context::<Store>();
    let copy = move |_| copy(store, untrack(|| store.link()), "Link copied");
    view! { <button type="button" class="quiet" on:click=on(copy)>"Copy link"</button> }
}

/// Copies and says so.
pub fn copy(store: Store, text: String, done: &'static str) {
    browser::spawn(async move {
        match browser::copy(&text).await {
            true => store.say(done),
            false => store.say(
                "This browser does not let the page copy; please select the text and copy it.",
            ),
        }
    });
}

/// The dialog.
#[component]
pub fn Share(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    follow(move || {
        let Some(dialog) = dialog.get() else { return };
        if open.get() && !dialog.open() {
            // It is in the document and not open, so it can be shown.
            let _ = dialog.show_modal();
        }
    });
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    view! {
        <dialog node_ref=dialog class="share" aria-labelledby="share-title" on:close=on(move |_| open.set(false))>
            <div class="share-head">
                <h2 id="share-title">"Share this figure"</h2>
                <button type="button" class="quiet" on:click=on(close)>"Close"</button>
            </div>
            {when(move || open.get(), || view! { <Notices /> <Link /> <Exports /> <Embedding /> <CommandLine /> }.into_any())}
        </dialog>
    }
}

#[component]
fn Link() -> impl IntoView {
    let store = expect_context::<Store>();
    let complete = memo(move || store.records().is_some());
    let note = move || match complete.get() {
        true => {
            "It carries the digest of these results: whoever runs it sees whether the numbers are the same."
        }
        false => "Once every point is simulated, the link also carries the digest of the results.",
    };
    view! {
        <section>
            <h3>"Link"</h3>
            <Copyable label="Link" text=Signal::derive(move || store.link()) />
            <p class="help">{note}</p>
        </section>
    }
}

#[component]
fn CommandLine() -> impl IntoView {
    let store = expect_context::<Store>();
    let command = move || {
        let study = crate::edit::unsigned(&store.study.get());
        format!("dragontree run \"{}\"", study.text(Detail::Basic))
    };
    view! {
        <section>
            <h3>"Command line"</h3>
            <Copyable label="Command" text=Signal::derive(command) />
            <p class="help">"The same engine gives the same numbers, bit for bit."</p>
        </section>
    }
}

/// A line of text with a button that copies it.
#[component]
fn Copyable(
    /// The name of the text.
    label: &'static str,
    /// The text.
    text: Signal<String>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let copied = RwSignal::new(false);
    let act = move |_| {
        copied.set(true);
        copy(store, text.get_untracked(), "Copied");
    };
    follow(move || {
        text.track();
        copied.set(false);
    });
    view! {
        <div class="copyable">
            <input type="text" readonly aria-label=label prop:value=live(move || text.get()) on:focus=on(|event: FocusEvent| {
                event_target::<web_sys::HtmlInputElement>(&event).select();
            }) />
            <button type="button" class="quiet" on:click=on(act)>
                {live(move || if copied.get() { "Copied" } else { "Copy" })}
            </button>
        </div>
    }
}
