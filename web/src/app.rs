//! The page as a whole.

use leptos::ev::{self, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;

use crate::address::Start;
use crate::controls::Controls;
use crate::embed::{Embedded, report_height};
use crate::fabric::{Fabric, Table};
use crate::figure::{Drawing, Figure};
use crate::import::listen_to_drops;
use crate::live::{follow, live, memo, on};
use crate::messages::listen;
use crate::notice::Notices;
use crate::routes::Routes;
use crate::share::{CopyLink, Share};
use crate::store::Store;
use crate::summary::Summary;
use crate::text::Text;
use crate::theme::ThemeChoice;
use crate::why::Why;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let store = Store::new();
    provide_context(store);
    listen(store);
    listen_to_keys(store);
    listen_to_drops(store);
    report_height();
    if store.embedded() {
        view! { <Embedded /> }.into_any()
    } else {
        let back = window_event_listener(ev::popstate, move |_| store.read_address());
        on_cleanup(move || back.remove());
        view! { <FullPage /> }.into_any()
    }
}

#[component]
fn FullPage() -> impl IntoView {
    let store = expect_context::<Store>();
    let shows = move |piece: &'static str| store.page.with_value(|page| page.shows(piece));
    let sheet = RwSignal::new(false);
    let share = RwSignal::new(false);
    view! {
        <a class="skip" href="#figure">"Skip to the figure"</a>
        <Header share />
        <main class="page">
            {shows("text").then(|| view! { <Text><CopyLink /></Text> })}
            <div class="columns">
                {shows("controls").then(|| view! { <Sheet open=sheet /> })}
                <div class="results" id="figure" tabindex="-1">
                    <Notices />
                    <Summary />
                    <Stage />
                    <p class="print-only">{live(move || store.link())}</p>
                    {shows("routes").then(|| view! { <Routes /> }.into_any())}
                    {shows("fabric").then(|| view! { <Table /> }.into_any())}
                    <p class="fabric-table"><a href="model.html">"What is simulated, and what is not"</a></p>
                </div>
            </div>
        </main>
        {shows("controls").then(|| view! { <SheetButton open=sheet /> })}
        <Share open=share />
    }
}

/// The figure and the fabric, side by side where there is room.
#[component]
pub fn Stage() -> impl IntoView {
    let store = expect_context::<Store>();
    let shows = |piece| store.page.with_value(|page| page.shows(piece));
    let fabric = shows("fabric");
    view! {
        <div class="stage">
            <div class="pair" class:alone=!fabric>
                <Figure />
                {(shows("why") && !store.embedded()).then(|| view! { <Why /> }.into_any())}
                {fabric.then(|| view! { <Fabric /> }.into_any())}
            </div>
        </div>
    }
}

#[component]
fn Header(share: RwSignal<bool>) -> impl IntoView {
    view! {
        <header class="top">
            <a class="brand" href="./" aria-label="Dragontree, start again">
                <Drawing drawing=MARK.to_owned() />
                <span>"Dragontree"</span>
            </a>
            <a class="quiet" href="figures.html">"Figures"</a>
            <ThemeChoice />
            <button type="button" class="quiet" aria-haspopup="dialog" on:click=on(move |_| share.set(true))>
                "Share"
            </button>
            <RunButton />
        </header>
    }
}

/// The tree, as in the icon.
const MARK: &str = r#"<svg class="mark" viewBox="0 0 32 32" width="26" height="26"><path class="crown" d="M2.5 14.5C3.5 7.5 9 3 16 3s12.5 4.5 13.5 11.5c-2.2-1.700-4.3-1.900-6.2-.3c-2.2-1.900-4.900-1.900-7.3.2c-2.400-2.100-5.100-2.100-7.3-.2c-1.900-1.600-4-1.400-6.2.3Z"/><path class="trunk" d="M16 29V20.5M16 22.5L9.2 14.800M16 22.5L22.800 14.800M16 20.5V14.5M12 18l.8-3.400M20 18l-.8-3.4"/></svg>"#;

/// Starts the study, or stops it.
#[component]
pub fn RunButton() -> impl IntoView {
    let store = expect_context::<Store>();
    let active = memo(move || store.run.with(|run| run.active));
    let possible = move || active.get() || store.plan.with(|plan| !plan.jobs.is_empty());
    let never = store.page.with_value(|page| page.start == Start::Never);
    (!never).then(|| {
        view! {
            <button
                type="button"
                class="run"
                class:active=live(move || active.get())
                disabled=live(move || !possible())
                aria-keyshortcuts=live(move || if active.get() { "Escape" } else { "Control+Enter" })
                on:click=on(move |_| store.toggle())
            >
                {live(move || if active.get() { "Cancel" } else { "Run" })}
                <kbd aria-hidden="true">{live(move || if active.get() { "Esc" } else { "Ctrl ↵" })}</kbd>
            </button>
        }
    })
}

/// The controls: beside the figure, or a sheet over it where there is no room.
#[component]
fn Sheet(open: RwSignal<bool>) -> impl IntoView {
    let done = NodeRef::<html::Button>::new();
    follow(move || {
        if let (true, Some(button)) = (open.get(), done.get()) {
            // Focus may be refused while the sheet still moves in; the keyboard gets there too.
            let _ = button.focus();
        }
    });
    let close = move |event: KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.prevent_default();
            open.set(false);
        }
    };
    view! {
        <aside id="controls" class="sheet" class:open=live(move || open.get()) aria-label="Experiment" on:keydown=on(close)>
            <div class="sheet-head">
                <h2>"Experiment"</h2>
                <button node_ref=done type="button" class="quiet" on:click=on(move |_| open.set(false))>"Done"</button>
            </div>
            <Controls />
        </aside>
    }
}

#[component]
fn SheetButton(open: RwSignal<bool>) -> impl IntoView {
    view! {
        <div class="sheet-bar" class:covered=live(move || open.get())>
            <button
                type="button"
                class="quiet"
                aria-controls="controls"
                aria-expanded=live(move || open.get().to_string())
                on:click=on(move |_| open.set(true))
            >
                "Change the experiment"
            </button>
            <RunButton />
        </div>
    }
}

/// Ctrl+Enter runs, Escape stops; an open dialog keeps its own Escape.
fn listen_to_keys(store: Store) {
    let never = store.page.with_value(|page| page.start == Start::Never);
    let press = move |event: KeyboardEvent| {
        let modified = event.ctrl_key() || event.meta_key();
        if event.key() == "Enter" && modified && !never {
            event.prevent_default();
            store.settle_draft();
            store.start();
        } else if event.key() == "Escape" && !event.default_prevented() {
            store.cancel();
        }
    };
    let keys = window_event_listener(ev::keydown, press);
    on_cleanup(move || keys.remove());
}
