//! What the page has to say besides results.

use leptos::prelude::*;

use crate::live::{live, on, when};
use crate::store::{Notice, Run, Store};

/// The line over the figure, and the files that are being written.
#[component]
pub fn Notices() -> impl IntoView {
    let store = expect_context::<Store>();
    view! {
        <div class="notices" role="status">
            {live(move || store.notice.get().map(|notice| view! { <Line notice /> }.into_any()))}
            {when(move || store.writing.with(|files| files.jobs > 0), move || view! {
                <p class="notice passing writing">
                    "Writing a file"
                    <progress max="1" aria-label="Writing" value=live(move || store.writing.with(Run::share).to_string())></progress>
                    <button type="button" class="link" on:click=on(move |_| store.leave_files())>"Stop"</button>
                </p>
            }.into_any())}
        </div>
    }
}

#[component]
fn Line(notice: Notice) -> impl IntoView {
    let store = expect_context::<Store>();
    let dismiss = move |_| store.notice.set(None);
    match notice {
        Notice::Passing(text) => view! { <p class="notice passing">{text}</p> }.into_any(),
        Notice::Lasting(text) => view! {
            <p class="notice">
                {text} " " <button type="button" class="link" on:click=on(dismiss)>"Dismiss"</button>
            </p>
        }
        .into_any(),
        Notice::Reload => {
            let reload = move |_| {
                // A page that may not reload itself can still be reloaded by its reader.
                let _ = window().location().reload();
            };
            view! {
                <p class="notice">
                    "This page and its simulator are of different versions, one of them from the browser's cache. "
                    <button type="button" class="link" on:click=on(reload)>"Reload the page"</button>
                </p>
            }
            .into_any()
        }
        Notice::Large(text) => view! {
            <p class="notice">
                {text} " "
                <button type="button" class="link" on:click=on(move |_| store.start_anyway())>"Run it"</button>
                " "
                <button type="button" class="link" on:click=on(dismiss)>"Not now"</button>
            </p>
        }
        .into_any(),
    }
}
