//! Opened files that the browser keeps, so that a link that names them opens after a reload too.
//!
//! They lie in a cache of the browser under an address that nothing is ever fetched from:
//! `kept/DIGEST/LENGTH/NAME`. Where there is no cache (a frame of another site, a page that did
//! not come over a secure connection, a reader who forbids it) nothing is kept, and the page asks
//! for the file.

use dragontree::catalog::data;
use dragontree_worker::Content;
use js_sys::{Array, JsString, Reflect};
use leptos::prelude::window;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage, Request, Response};

/// The most letters of all kept files together; the files that were opened first go first.
pub const MOST: u64 = 100_000_000;
/// The name of the cache.
const NAME: &str = "dragontree-files";

/// A kept file, without its text.
struct Entry {
    request: Request,
    digest: u64,
    length: u64,
    name: String,
}

fn storage() -> Option<CacheStorage> {
    let found = Reflect::get(&window(), &"caches".into()).ok()?;
    found.is_object().then(|| found.unchecked_into())
}

async fn cache() -> Option<Cache> {
    let opened = JsFuture::from(storage()?.open(NAME)).await;
    opened.ok().map(JsCast::unchecked_into)
}

/// The kept files, those that were kept first before the others.
async fn entries(cache: &Cache) -> Option<Vec<Entry>> {
    let requests = JsFuture::from(cache.keys()).await.ok()?.unchecked_into::<Array>();
    let read = |request: JsValue| {
        let request: Request = request.unchecked_into();
        let address = request.url();
        let mut parts = address.rsplit('/');
        let name = js_sys::decode_uri_component(parts.next()?).ok()?.into();
        let length = parts.next()?.parse().ok()?;
        let digest = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some(Entry { request, digest, length, name })
    };
    Some(requests.iter().filter_map(read).collect())
}

async fn delete(cache: &Cache, entry: &Entry) -> Option<()> {
    JsFuture::from(cache.delete_with_request(&entry.request)).await.ok().map(|_| ())
}

/// Keeps a file, as far as the browser can.
pub async fn keep(digest: u64, file: &Content) -> Option<()> {
    let length = file.text.len() as u64;
    let cache = cache().await?;
    let entries = entries(&cache).await?;
    let mut room = MOST.checked_sub(length)?;
    // From the newest to the oldest, which find no room any more.
    for entry in entries.iter().rev() {
        match room.checked_sub(entry.length).filter(|_| entry.digest != digest) {
            Some(left) => room = left,
            None => delete(&cache, entry).await?,
        }
    }
    let name: JsString = js_sys::encode_uri_component(&file.name);
    let address = format!("kept/{digest:016x}/{length}/{}", String::from(name));
    let response = Response::new_with_opt_str(Some(&file.text)).ok()?;
    JsFuture::from(cache.put_with_str(&address, &response)).await.ok().map(|_| ())
}

/// The kept file of this digest.
pub async fn fetch(digest: u64) -> Option<Content> {
    let cache = cache().await?;
    let entries = entries(&cache).await?;
    let entry = entries.into_iter().find(|entry| entry.digest == digest)?;
    let response = JsFuture::from(cache.match_with_request(&entry.request)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?.as_string()?;
    (data::digest(&text) == digest).then_some(Content { name: entry.name, text })
}

/// Keeps nothing any more.
pub async fn forget() {
    if let Some(storage) = storage() {
        // What cannot be deleted is not there.
        let _ = JsFuture::from(storage.delete(NAME)).await;
    }
}
