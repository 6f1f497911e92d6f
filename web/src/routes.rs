//! What a run is like over time, what it sends, and what its routes are like: contention, connectivity, deadlocks,
//! the comparison of all routings on the same fabric, and the routes of a pair.
//!
//! Workers compute and write the markup; here it is put in its place, and what it offers is done.

use leptos::html::Div;
use leptos::prelude::*;

use crate::live::follow;
use crate::store::Store;

mod act;
mod desk;
mod film;
mod hear;

pub use desk::Desk;

/// The place of everything; what changes is written into it.
const MARKUP: &str = r#"<p class="circle" aria-live="polite"></p>
<details class="routes"><summary>One run over time: links filling, throughput, latencies</summary>
<p class="acts"><button type="button" class="quiet" data-act="watch">Simulate and film the selected run</button>
<progress class="filming" max="1" hidden aria-label="Filming"></progress></p>
<div class="player" hidden><button type="button" class="quiet" data-act="play">Play</button>
<input type="range" min="0" aria-label="Time in the run"><output></output>
<button type="button" class="quiet" data-act="film">Color the fabric by the film</button></div>
<div class="course"></div>
</details>
<details class="routes messages"><summary>Messages: phases, contention, formulas, the best placement</summary>
<p class="acts"><button type="button" class="quiet" data-act="send">Look at the messages of the selected run</button>
<progress class="sending" max="1" hidden aria-label="Looking"></progress></p>
<div class="sent"></div>
</details>
<details class="routes looks"><summary>Routes: contention, connectivity, deadlock, paths</summary>
<div class="report" aria-live="polite"></div>
<section aria-label="Routes of a pair">
<h2>Routes of a pair</h2>
<form class="pair-form"><label>From <input name="from" list="route-ends" autocomplete="off" spellcheck="false"></label>
<label>To <input name="to" list="route-ends" autocomplete="off" spellcheck="false"></label>
<button type="submit" class="quiet">Show routes</button></form>
<p class="help">By name, GUID or local id; or choose an end in the drawing.</p>
<datalist id="route-ends"></datalist>
<div class="paths" aria-live="polite"></div>
</section>
<section aria-label="All routings on this fabric">
<h2>All routings on this fabric</h2>
<button type="button" class="quiet" data-act="compare">Compare all routings</button>
<progress class="comparing" max="1" hidden aria-label="Comparing"></progress>
<div class="comparison" aria-live="polite"></div>
</section>
</details>"#;

/// The section, folded away until it is asked for.
#[component]
pub fn Routes() -> impl IntoView {
    let store = expect_context::<Store>();
    let place = NodeRef::<Div>::new();
    follow(move || {
        if let Some(place) = place.get() {
            Desk::open(store, &place);
        }
    });
    view! { <div class="routes-section" role="region" aria-label="Routes" node_ref=place inner_html=MARKUP></div> }
}
