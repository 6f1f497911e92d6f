//! The fabric: the network drawn on a canvas, with what is pointed at drawn over it.
//!
//! The drawing changes with every move of the pointer, and its parts need no views of their own:
//! the markup is fixed, one listener hears everything, and what changes is written in place.

use leptos::html::Div;
use leptos::prelude::*;

use crate::live::follow;
use crate::store::Store;

mod act;
mod ask;
mod breaking;
mod describe;
mod lens;
mod matrix;
mod overlay;
mod paint;
mod palette;
mod pick;
mod scene;
mod trace;
mod view;

pub use ask::{shown, watched};
pub use scene::Measure;
pub use trace::Trace;
pub use view::View;

/// Key, zoom, drawing, and the place for what is said.
const MARKUP: &str = r#"<div class="fabric-head">
<p class="load-key" hidden title="The load of each link, as expected or measured, in the busier direction"><span class="place"></span><span class="scale" aria-hidden="true"></span><span class="end">full</span></p>
<div class="zoom" role="group" aria-label="View of the fabric">
<button type="button" data-act="out" aria-label="Zoom out" title="Zoom out">−</button>
<button type="button" data-act="in" aria-label="Zoom in" title="Zoom in">+</button>
<button type="button" data-act="all" aria-label="Show all" title="Show all">⤢</button>
</div></div>
<div class="panel fabric-panel"><div class="fabric-view" role="group" aria-roledescription="drawing of a network" aria-label="The fabric" tabindex="0"><canvas aria-hidden="true"></canvas><div class="layer" aria-hidden="true"></div></div></div>
<div class="fabric-foot"><div class="said"></div><div class="actions"></div></div>
<p class="visually-hidden spoken" aria-live="polite"></p>"#;

/// The drawing with its key and what is said about it.
#[component]
pub fn Fabric() -> impl IntoView {
    let store = expect_context::<Store>();
    let place = NodeRef::<Div>::new();
    follow(move || {
        if let Some(place) = place.get() {
            View::open(store, &place);
        }
    });
    view! { <div class="fabric" role="region" aria-label="The fabric" node_ref=place inner_html=MARKUP></div> }
}

/// Where the fabric stands as a table, folded away until it is asked for.
#[component]
pub fn Table() -> impl IntoView {
    let markup = r#"<details><summary>The fabric as a table</summary><div class="scroll" tabindex="0" role="group" aria-label="The fabric as a table"></div></details>"#;
    view! { <div class="fabric-table" id="fabric-table" inner_html=markup></div> }
}
