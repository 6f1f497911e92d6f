//! Stands in for the crate `wasm-streams`, as far as leptos must find it to compile.
//!
//! leptos brings along the calls of functions on a server, whose bodies may be streams. This page
//! calls no server, but wasm-bindgen keeps whatever the original exports to scripts: four kilobytes
//! of the first load.

use futures_util::stream::{Empty, Stream, empty};
use wasm_bindgen::{JsValue, UnwrapThrowExt};

/// A stream that can be read; here nothing comes out of it.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Takes a stream of the browser.
    pub fn from_raw(raw: web_sys::ReadableStream) -> ReadableStream {
        ReadableStream(raw)
    }

    /// The stream as the browser knows it.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// What the stream yields: nothing.
    pub fn into_stream(self) -> Empty<Result<JsValue, JsValue>> {
        empty()
    }

    /// A stream of the browser that yields nothing.
    pub fn from_stream(
        _: impl Stream<Item = Result<JsValue, JsValue>> + 'static,
    ) -> ReadableStream {
        ReadableStream(web_sys::ReadableStream::new().unwrap_throw())
    }
}
