//! Controls for numbers: a slider with a box, and the two ends of a range.

use dragontree::catalog::Unit;
use dragontree::scenario::Values;
use leptos::prelude::*;

use crate::live::{live, memo, on};

use super::row::{Handle, TextBox};
use super::scale::Scale;

/// The most points that the slider of a range offers.
const MOST_POINTS: u32 = 40;

/// A single number.
#[component]
pub fn Number(
    /// The setting.
    handle: Handle,
    /// How it is written.
    unit: Unit,
    /// The smallest allowed value.
    low: u64,
    /// The largest allowed value.
    high: u64,
    /// The word that leaves it to a rule.
    word: Option<&'static str>,
) -> impl IntoView {
    let given = memo(move || base(handle, unit).is_some());
    let scale = Scale::of(unit, low, high);
    let slider = move || {
        let scale = scale.filter(|_| given.get())?;
        Some(view! { <Slider handle scale unit /> })
    };
    let automatic = move || {
        let word = word.filter(|_| given.get())?;
        Some(view! {
            <button type="button" class="quiet word" on:click=on(move |_| handle.set(word))>{word}</button>
        })
    };
    let is_seed = (low, high) == (0, u64::MAX);
    view! {
        {live(move || match automatic() {
            Some(button) => button.into_any(),
            None if is_seed => view! { <FreshSeed handle /> }.into_any(),
            None => slider().into_any(),
        })}
        <TextBox handle />
    }
}

/// Where any number is as good as another, a button that draws one; short, for the link's sake.
#[component]
fn FreshSeed(handle: Handle) -> impl IntoView {
    let draw = move |_| {
        if let Ok(bits) = getrandom::u64() {
            handle.set(&(bits % 1_000_000).to_string());
        }
    };
    let label = format!("{}, draw another", handle.label);
    view! {
        <button type="button" class="quiet word" aria-label=label on:click=on(draw)>"new"</button>
    }
}

#[component]
fn Slider(handle: Handle, scale: Scale, unit: Unit) -> impl IntoView {
    let position = move || base(handle, unit).map_or(0, |base| scale.position(base));
    let slide = move |event| {
        if let Ok(position) = event_target_value(&event).parse() {
            handle.set(&unit.print(scale.value(position)));
        }
    };
    view! {
        <input
            type="range"
            min="0"
            max=scale.last()
            aria-label=handle.label
            aria-valuetext=live(move || handle.values.with(ToString::to_string))
            prop:value=live(move || position().to_string())
            on:input=on(slide)
        />
    }
}

/// A single value in base units; none for a word.
fn base(handle: Handle, unit: Unit) -> Option<u64> {
    unit.parse(&handle.values.with(ToString::to_string)).ok()
}

/// The ends of a range, in base units.
fn ends(handle: Handle) -> Option<(Unit, u64, u64)> {
    handle.values.with(|values| match values {
        Values::Points { unit, first, last, .. } => Some((*unit, *first, *last)),
        _ => None,
    })
}

/// A range: its ends and how many points it has.
#[component]
pub fn Range(
    /// The setting.
    handle: Handle,
) -> impl IntoView {
    let count = move || handle.values.with(Values::count);
    let set_count = move |count: &str| match untrack(|| ends(handle)) {
        Some((unit, first, last)) => {
            handle.set(&format!("{}..{}:{count}", unit.print(first), unit.print(last)));
        }
        None => handle.set(&format!("auto:{count}")),
    };
    let lowest = move || if ends(handle).is_some() { 2 } else { 1 };
    view! {
        {live(move || match ends(handle) {
            Some((unit, first, last)) => view! { <Ends handle unit first last /> }.into_any(),
            None => view! { <span class="ends">"around the theoretical bound"</span> }.into_any(),
        })}
        <span class="points-label">"Points"</span>
        <input
            type="range"
            min=live(lowest)
            max=MOST_POINTS
            aria-label=format!("{}, number of points", handle.label)
            prop:value=live(move || count().to_string())
            on:input=on(move |event| set_count(&event_target_value(&event)))
        />
        <input
            type="text"
            class="box"
            inputmode="numeric"
            aria-label=format!("{}, number of points", handle.label)
            prop:value=live(move || count().to_string())
            on:change=on(move |event| set_count(event_target_value(&event).trim()))
        />
    }
}

#[component]
fn Ends(handle: Handle, unit: Unit, first: u64, last: u64) -> impl IntoView {
    let count = move || handle.values.with_untracked(Values::count);
    let set = move |first: &str, last: &str| {
        handle.set(&format!("{}..{}:{}", first.trim(), last.trim(), count()));
    };
    let (low, high) = (unit.print(first), unit.print(last));
    let (other_low, other_high) = (low.clone(), high.clone());
    view! {
        <span class="ends">
            <input
                type="text"
                class="box"
                aria-label=format!("{}, from", handle.label)
                prop:value=low
                on:change=on(move |event| set(&event_target_value(&event), &other_high))
            />
            "to"
            <input
                type="text"
                class="box"
                aria-label=format!("{}, to", handle.label)
                prop:value=high
                on:change=on(move |event| set(&other_low, &event_target_value(&event)))
            />
        </span>
    }
}
