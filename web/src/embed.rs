//! The page as a figure inside another page.

use dragontree::catalog::Tier;
use dragontree::scenario::KEYS;
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::ResizeObserver;

use crate::app::{RunButton, Stage};
use crate::browser;
use crate::controls::Field;
use crate::live::{live, on};
use crate::notice::Notices;
use crate::store::Store;
use crate::summary::Summary;
use crate::text::Problems;

/// The figure, its legend, the controls that the author left, and a way to the full page.
#[component]
pub fn Embedded() -> impl IntoView {
    let store = expect_context::<Store>();
    let basic = KEYS.iter().filter(|key| key.tier == Tier::Basic);
    let shown = store.page.with_value(|page| page.shows("controls"));
    let fields = basic.map(|key| view! { <Field key /> });
    view! {
        <main class="embedded">
            <Notices />
            <Problems />
            <Summary />
            <Stage />
            <div class="embed-foot">
                {shown.then(|| view! {
                    <form
                        class="controls strip"
                        aria-label="Experiment"
                        on:submit=on(|event: SubmitEvent| event.prevent_default())
                        on:pointerover=on(move |_| store.ask_what_fits())
                        on:focusin=on(move |_| store.ask_what_fits())
                    >
                        {fields.collect_view()}
                    </form>
                })}
                <a href=live(move || store.link()) target="_blank" rel="noopener">"Open in Dragontree"</a>
                <RunButton />
            </div>
        </main>
    }
}

/// Tells a surrounding page how tall this one is, in the three ways that hosts listen for.
pub fn report_height() {
    if !browser::is_framed() {
        return;
    }
    let Some(root) = document().document_element() else {
        return;
    };
    let measured = root.clone();
    let last = StoredValue::new(0.0);
    let report = Closure::<dyn FnMut()>::new(move || {
        let height = measured.get_bounding_client_rect().height().ceil();
        if (height - last.get_value()).abs() >= 1.0 {
            last.set_value(height);
            post_height(height);
        }
    });
    if let Ok(observer) = ResizeObserver::new(report.as_ref().unchecked_ref()) {
        observer.observe(&root);
        // It lives as long as the page.
        std::mem::forget((observer, report));
    }
}

fn post_height(height: f64) {
    let Ok(Some(parent)) = window().parent() else {
        return;
    };
    let messages = [
        ("type", "dragontree:resize"),
        ("subject", "lti.frameResize"),
        ("context", "iframe.resize"),
    ];
    for (key, value) in messages {
        let message = js_sys::Object::new();
        // Plain objects accept any property.
        let _ = js_sys::Reflect::set(&message, &key.into(), &value.into());
        let _ = js_sys::Reflect::set(&message, &"height".into(), &height.into());
        // The height says nothing that the host does not see, so any host may hear it.
        let _ = parent.post_message(&message, "*");
    }
}
