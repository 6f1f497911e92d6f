//! The Dragontree page: a study in the address, a form generated from the catalog, the figure,
//! and workers that simulate. See the README for the map of the code.

mod address;
mod app;
mod browser;
mod controls;
mod edit;
mod embed;
mod fabric;
mod facts;
mod figure;
mod headline;
mod import;
mod kept;
mod live;
mod mend;
mod messages;
mod notice;
mod pool;
mod routes;
mod share;
mod shelf;
mod store;
mod summary;
mod text;
mod theme;
mod trees;
mod why;
mod words;

fn main() {
    // The module also holds a small worker, which starts from the same file.
    if dragontree_worker::serve() {
        return;
    }
    console_error_panic_hook::set_once();
    if let Some(loading) = leptos::prelude::document().get_element_by_id("loading") {
        loading.remove();
    }
    leptos::mount::mount_to_body(app::App);
}
