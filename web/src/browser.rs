//! The few things asked of the browser, none of which may fail loudly.

use std::pin::Pin;
use std::time::Duration;

use leptos::prelude::{document, set_timeout, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlTextAreaElement, Url};

/// The query of the page's address, with its question mark.
pub fn search() -> String {
    window().location().search().unwrap_or_default()
}

/// The fragment of the page's address, with its mark.
pub fn fragment() -> String {
    window().location().hash().unwrap_or_default()
}

/// The page's address without query and fragment.
pub fn base() -> String {
    let location = window().location();
    let origin = location.origin().unwrap_or_default();
    let path = location.pathname().unwrap_or_default();
    format!("{origin}{path}")
}

/// The address of the page's own script.
pub fn script() -> String {
    let place = document().query_selector("script[data-module]").ok().flatten();
    let name = place.and_then(|place| place.get_attribute("data-module")).unwrap_or_default();
    let base = document().base_uri().ok().flatten().unwrap_or_default();
    Url::new_with_base(&name, &base).map(|address| address.href()).unwrap_or(name)
}

/// Whether the page is inside another one.
pub fn is_framed() -> bool {
    let own = window();
    let parent = own.parent().ok().flatten();
    parent.is_some_and(|parent| !js_sys::Object::is(&parent, &own))
}

/// Writes the address in place, or as a new step of the history.
pub fn write_address(query: &str, step: bool) {
    let Ok(history) = window().history() else {
        return;
    };
    let address = match query {
        "" => window().location().pathname().unwrap_or_default(),
        _ => format!("?{query}"),
    };
    // Browsers refuse when asked too often; the next change writes again.
    let _ = match step {
        true => history.push_state_with_url(&JsValue::NULL, "", Some(&address)),
        false => history.replace_state_with_url(&JsValue::NULL, "", Some(&address)),
    };
}

/// Remembers a word, where the browser allows that.
pub fn remember(key: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(key, value);
    }
}

/// How many workers the machine can keep busy beside the page.
pub fn spare_cores() -> usize {
    let cores = window().navigator().hardware_concurrency();
    (cores as usize).saturating_sub(1).max(1)
}

/// Goes on with something while the page does.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    let work: Pin<Box<dyn Future<Output = ()>>> = Box::pin(work);
    wasm_bindgen_futures::spawn_local(work);
}

/// Copies text; false when the browser does not allow it.
pub async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // Missing outside secure contexts, though the bindings say otherwise.
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if clipboard.is_ok_and(|found| found.is_object()) {
        let written = JsFuture::from(navigator.clipboard().write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    copy_by_selection(text).unwrap_or(false)
}

/// The old way, which also works in frames without permission.
fn copy_by_selection(text: &str) -> Option<bool> {
    let document = document();
    let area: HtmlTextAreaElement = document.create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_class_name("visually-hidden");
    area.set_value(text);
    let body = document.body()?;
    body.append_child(&area).ok()?;
    area.select();
    let command = js_sys::Reflect::get(&document, &"execCommand".into()).ok()?;
    let command: js_sys::Function = command.dyn_into().ok()?;
    let copied = command.call1(&document, &"copy".into());
    area.remove();
    copied.ok()?.as_bool()
}

/// Offers text as a file.
pub fn download(name: &str, kind: &str, text: &str) {
    let parts = js_sys::Array::of1(&text.into());
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    if let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) {
        download_blob(name, &blob);
    }
}

/// Offers a blob as a file.
pub fn download_blob(name: &str, blob: &Blob) {
    let Ok(address) = Url::create_object_url_with_blob(blob) else {
        return;
    };
    let anchor = document().create_element("a").ok();
    if let Some(anchor) = anchor.and_then(|made| made.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&address);
        anchor.set_download(name);
        anchor.click();
    }
    // Some browsers read the address only after the click has been handled.
    let release = move || {
        let _ = Url::revoke_object_url(&address);
    };
    set_timeout(release, Duration::from_secs(20));
}
