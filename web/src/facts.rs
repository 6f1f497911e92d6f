//! The network in numbers.

use leptos::prelude::*;

use crate::live::live;
use crate::store::Store;
use crate::words;

/// What follows from the topology's settings.
#[component]
pub fn Facts() -> impl IntoView {
    let store = expect_context::<Store>();
    let number = move |which: fn(&dragontree_worker::Size) -> u32| {
        live(move || {
            let known = store.survey.with(|survey| survey.as_ref().map(|known| which(&known.size)));
            known.map_or("–".to_owned(), |count| words::count(u64::from(count)))
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
        </dl>
    }
}
