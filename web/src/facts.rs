//! The network in numbers.

use dragontree::analysis::Numbers;
use dragontree_plot::Format;
use leptos::prelude::*;

use crate::live::live;
use crate::store::Store;
use crate::words;

/// A number in three digits.
fn short(number: f64) -> String {
    let (part, unit) = match number {
        number if number >= 999_500.0 => (number / 1e6, "M"),
        number if number >= 9_995.0 => (number / 1e3, "k"),
        number => (number, ""),
    };
    Format::Number.text(part) + unit
}

/// What follows from the topology's settings.
#[component]
pub fn Facts() -> impl IntoView {
    let store = expect_context::<Store>();
    let number = move |which: fn(&dragontree_worker::Size) -> u32| {
        live(move || {
            let known = store.survey.with(|survey| survey.as_ref().map(|known| which(&known.size)));
            let known = known.filter(|_| !store.knows_another());
            known.map_or("–".to_owned(), words::grouped)
        })
    };
    let measured = move |which: fn(&Numbers) -> Option<String>| {
        live(move || {
            let known = store.numbers.with(|numbers| which(numbers.as_ref()?));
            known.filter(|_| !store.knows_another()).unwrap_or_else(|| "–".to_owned())
        })
    };
    view! {
        <dl class="facts" aria-label="The network">
            <div><dt>"endpoints"</dt><dd>{number(|size| size.endpoints)}</dd></div>
            <div><dt>"switches"</dt><dd>{number(|size| size.switches)}</dd></div>
            <div><dt>"links"</dt><dd>{number(|size| size.links)}</dd></div>
            <div title="Ports of the largest switch">
                <dt>"radix"</dt><dd>{number(|size| size.radix)}</dd>
            </div>
            <div title="The most links between switches on a shortest path between endpoints; on average after the slash">
                <dt>"diameter"</dt>
                <dd>{measured(|n| Some(format!("{} / {}", n.diameter?, short(n.mean_distance?))))}</dd>
            </div>
            <div title="Shortest paths between switches that are not neighbors, on average; at most after the slash">
                <dt>"diversity"</dt>
                <dd>{measured(|n| n.diversity.map(|d| format!("{} / {}", short(d.mean), short(d.max))))}</dd>
            </div>
            <div title="What it takes per endpoint: switch ports, and links after the slash">
                <dt>"cost"</dt>
                <dd>{measured(|n| Some(format!("{} / {}", short(n.ports_per_endpoint), short(n.links_per_endpoint))))}</dd>
            </div>
            <div title="Bandwidth of the best cut found into halves, per endpoint of one half: the bisection is at most this">
                <dt>"bisection ≤"</dt>
                <dd>{measured(|n| n.bisection_per_endpoint.map(short))}</dd>
            </div>
        </dl>
    }
}
