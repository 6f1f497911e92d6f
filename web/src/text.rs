//! The text of the experiment: what varies is marked, and what is wrong is listed below.

use dragontree::catalog::Problem;
use dragontree::scenario::Study;
use leptos::prelude::*;

use crate::live::{live, memo, on};
use crate::mend::mend;
use crate::store::Store;

mod highlight;

use highlight::{Piece, pieces};

/// The text box.
#[component]
pub fn Text(
    /// What stands at its end.
    children: Children,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let text = memo(move || store.text());
    let locked = store.page.with_value(|page| !page.lock.is_empty());
    view! {
        <section class="text" aria-label="The experiment as text">
            <div class="text-line">
                <div class="text-field">
                    <pre aria-hidden="true">{live(move || marked(&text.get()))}</pre>
                    <textarea
                        aria-label="Text of the experiment"
                        aria-invalid=live(move || store.problems.with(|wrong| !wrong.is_empty()).to_string())
                        aria-describedby="problems"
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck="false"
                        rows="1"
                        readonly=locked
                        prop:value=live(move || text.get())
                        on:input=on(move |event| store.write_draft(event_target_value(&event)))
                        on:blur=on(move |_| store.settle_draft())
                    ></textarea>
                </div>
                {children()}
            </div>
            <Problems />
        </section>
    }
}

/// The text with a class for each piece.
fn marked(text: &str) -> Vec<AnyView> {
    let varies = Study::parse(text).unwrap_or_else(|wrong| *wrong.rest);
    pieces(text, &varies)
        .into_iter()
        .map(|(piece, text)| {
            let class = match piece {
                Piece::Key => "key",
                Piece::Value => "value",
                Piece::Varied => "varied",
                Piece::Space => "",
            };
            view! { <span class=class>{text}</span> }.into_any()
        })
        .collect()
}

/// What is wrong with the text or cannot be built, each with a way out where there is one.
#[component]
pub fn Problems() -> impl IntoView {
    let store = expect_context::<Store>();
    let wrong = memo(move || {
        let mut all = store.problems.get();
        // Where defaults stand in for what could not be read, what cannot be built says nothing of what is
        // meant.
        if all.is_empty() {
            all = store.refusals.get();
        }
        all.truncate(8);
        all
    });
    view! {
        <ul id="problems" class="problems" aria-live="polite">
            {live(move || wrong.get().into_iter().map(|problem| view! { <Wrong problem /> }.into_any()).collect::<Vec<_>>())}
        </ul>
    }
}

#[component]
fn Wrong(problem: Problem) -> impl IntoView {
    let store = expect_context::<Store>();
    let mended = {
        let problem = problem.clone();
        move || mend(&store.text(), &problem)
    };
    let nearest = problem.nearest.clone();
    let fix = nearest.filter(|_| untrack(&mended).is_some()).map(|nearest| {
        let apply = move |_| {
            if let Some(text) = untrack(&mended) {
                store.read_text(text);
            }
        };
        view! { <button type="button" class="link" on:click=on(apply)>"Use " <code>{nearest}</code></button> }
    });
    let sentence = Problem { nearest: None, ..problem.clone() };
    view! {
        <li>
            {(!problem.key.is_empty()).then(|| view! { <code>{problem.key.clone()}</code> " " })}
            {sentence_without_key(&sentence)}
            " "
            {fix}
        </li>
    }
}

fn sentence_without_key(problem: &Problem) -> String {
    let bare = Problem { key: String::new(), ..problem.clone() };
    format!("{bare}.")
}
