//! The line and marker of a curve, as in the charts.

use leptos::prelude::*;

/// The outline of each curve's marker around (11, 6).
const MARKERS: [&str; 6] = [
    "M7 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z",
    "M7.5 2.5h7v7h-7Z",
    "M11 1.5l4.6 8h-9.2Z",
    "M11 1l5 5l-5 5l-5 -5Z",
    "M8.2 1.8l2.8 2.8l2.8 -2.8l1.4 1.4l-2.8 2.8l2.8 2.8l-1.4 1.4l-2.8 -2.8l-2.8 2.8l-1.4 -1.4l2.8 -2.8l-2.8 -2.8Z",
    "M9.9 1.5h2.2v3.4h3.4v2.2h-3.4v3.4h-2.2v-3.4h-3.4v-2.2h3.4Z",
];

/// A sample of a curve; decoration beside its name.
#[component]
pub fn Glyph(
    /// Its place in the legend, which gives color and marker.
    curve: usize,
) -> impl IntoView {
    let color = curve % MARKERS.len();
    let marker = MARKERS[color];
    let drawing = format!(
        "<svg class=\"glyph s{color}\" viewBox=\"0 0 22 12\" width=\"22\" height=\"12\">\
         <path d=\"M0 6H22\" class=\"stroke\"/><path d=\"{marker}\" class=\"fill\"/></svg>"
    );
    view! { <Drawing drawing /> }
}

/// A drawing made of ready markup, which screen readers pass over.
#[component]
pub fn Drawing(
    /// The markup.
    drawing: String,
) -> impl IntoView {
    view! { <span class="svg" aria-hidden="true" inner_html=drawing></span> }
}
