//! Light, dark, or as the system has it.

use leptos::prelude::*;

use crate::browser;
use crate::figure::Drawing;
use crate::live::{live, on};

/// Where the choice is kept; the boot script reads it before the first paint.
const KEY: &str = "dragontree.theme";

/// Each choice with its label.
const CHOICES: [(&str, &str); 3] = [("auto", "Auto"), ("light", "Light"), ("dark", "Dark")];

/// The sign of the choice.
const HALF: &str = r#"<svg viewBox="0 0 16 16" width="15" height="15"><circle cx="8" cy="8" r="6.5" class="round"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13Z" class="half"/></svg>"#;

/// Takes a theme, unless there is none of this name.
pub fn take(theme: &str) {
    let root = document().document_element();
    let (Some(root), true) = (root, CHOICES.iter().any(|(name, _)| *name == theme)) else {
        return;
    };
    // An attribute always can be set on the root element.
    let _ = root.set_attribute("data-theme", theme);
}

/// The choice of the theme.
#[component]
pub fn ThemeChoice() -> impl IntoView {
    let root = document().document_element();
    let now = root.and_then(|root| root.get_attribute("data-theme"));
    let now = RwSignal::new(now.unwrap_or_else(|| "auto".to_owned()));
    let choose = move |event| {
        let chosen = event_target_value(&event);
        take(&chosen);
        browser::remember(KEY, &chosen);
        now.set(chosen);
    };
    let options = CHOICES.map(|(name, label)| {
        view! { <option value=name selected=live(move || now.get() == name)>{label}</option> }
    });
    view! {
        <label class="theme">
            <span class="visually-hidden">"Theme"</span>
            <Drawing drawing=HALF.to_owned() />
            <select on:change=on(choose)>{options}</select>
        </label>
    }
}
