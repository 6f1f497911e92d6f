//! One chart with its interactive layer.

use dragontree_plot::{Chart, Mapping, Size, mapping, svg};
use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{ResizeObserver, ResizeObserverEntry};

use super::readout::{Readout, ReadoutBox};
use super::step::{self, Step};
use super::{Drawing, sampling};
use crate::address::Start;
use crate::live::{follow, live, memo, on, when};
use crate::store::Store;

/// A chart is drawn for its place on the screen, never scaled: text keeps its size.
fn size(width: f64, embedded: bool) -> Size {
    let (share, low, high) = if embedded { (0.41, 210.0, 320.0) } else { (0.86, 270.0, 430.0) };
    Size {
        width: width.round().clamp(200.0, 4000.0) as u32,
        height: (width * share).round().clamp(low, high) as u32,
    }
}

/// A chart below this width has no room for a read-out beside every point.
const NARROW: u32 = 480;

/// One panel of the figure.
#[component]
pub fn Panel(
    /// Every chart of the figure.
    charts: Signal<Vec<Chart>>,
    /// Which one this is.
    index: usize,
    /// Which one is in front where there is room for one only.
    front: RwSignal<usize>,
    /// What screen readers hear.
    spoken: RwSignal<String>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let width = RwSignal::new(520.0);
    let place = NodeRef::<Div>::new();
    observe_width(place, width);
    let chart = memo(move || charts.with(|charts| charts.get(index).cloned()));
    let size = memo(move || size(width.get(), store.embedded()));
    let drawing = NodeRef::<Div>::new();
    draw(drawing, chart, size);
    let scales = memo(move || chart.with(|chart| mapping(chart.as_ref()?, size.get()).ok()));
    let label = move || chart.with(|chart| chart.as_ref().map(|chart| chart.title.clone()));
    let press = move |event: KeyboardEvent| {
        let Some(step) = Step::of(&event.key()) else {
            return;
        };
        event.prevent_default();
        let from = store.selected.get_untracked();
        let found = chart.with_untracked(|chart| step::step(chart.as_ref()?, from, step));
        store.selected.set(found);
        spoken.set(speech(chart, store).unwrap_or_default());
    };
    view! {
            <div
                class="panel"
                class:behind=live(move || front.get() != index)
                role="group"
                aria-roledescription="chart"
                aria-label=live(label)
                tabindex="0"
                on:keydown=on(press)
            >
                <h3 aria-hidden="true">{live(label)}</h3>
                <div class="chart" node_ref=place>
                    <div class="drawing" node_ref=drawing></div>
                    <Hint chart />
                    <Layer chart scales size />
    <Touch chart scales />
                </div>
            </div>
        }
}

/// The area over a chart that follows the pointer.
#[component]
fn Touch(chart: Memo<Option<Chart>>, scales: Memo<Option<Mapping>>) -> impl IntoView {
    let store = expect_context::<Store>();
    let hover = move |event: PointerEvent| {
        let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
        let found = with_both(chart, scales, |chart, scales| step::nearest(chart, scales, x, y));
        if found != store.selected.get_untracked() {
            store.selected.set(found);
        }
    };
    view! {
                <div
                    class="touch"
                    on:pointermove=on(hover)
                    on:pointerdown=on(hover)
                    on:pointerleave=on(move |_| store.selected.set(None))
                ></div>
    }
}

/// The cross-hair, the ring around the selected point, and the read-out.
#[component]
fn Layer(
    chart: Memo<Option<Chart>>,
    scales: Memo<Option<Mapping>>,
    size: Memo<Size>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let spot = move || {
        let selected = store.selected.get()?;
        chart.with(|chart| {
            let chart = chart.as_ref()?;
            let series = chart.series.iter().position(|series| series.slot == selected.curve)?;
            let readout = Readout::of(chart, selected)?;
            let position = scales.with(|scales| scales.as_ref()?.position(series, selected.point));
            let plot = scales.with(|scales| scales.as_ref().map(Mapping::plot))?;
            let note = sampling(store, selected).map(|note| readout.noted(&note));
            Some((position?, plot, readout, note))
        })
    };
    live(move || {
        spot().map(|((x, y), plot, readout, note)| {
            let Size { width, height } = size.get();
            let slot = store.selected.get().map_or(0, |selected| selected.curve % 6);
            // The read-out stands in the corner with most room. Where a chart is too narrow for it to stand
            // beside the point, it keeps above or below, as far off as can be.
            let on_left = x > (plot.left + plot.right) / 2.0;
            let gap = 14.0 + if on_left { f64::from(width) - x } else { x };
            let bare = f64::from(height) - plot.bottom;
            let (limit, [over, under]) = match width < NARROW {
                true => (f64::from(height) / 2.0, [0.0; 2]),
                false => (plot.top + (plot.bottom - plot.top) / 4.0, [plot.top + 6.0, bare + 6.0]),
            };
            let above = y > limit;
            let (top, bottom) = (plot.top, plot.bottom);
            let drawing = format!(
                "<svg class=\"layer\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
                 height=\"{height}\"><path class=\"crosshair\" d=\"M{x} {top}V{bottom}\"/>\
                 <circle class=\"ring s{slot}\" cx=\"{x}\" cy=\"{y}\" r=\"7\"/></svg>"
            );
            view! {
                <Drawing drawing />
                <div
                    class="beside"
                    class:on-left=on_left
                    style:top=above.then(|| format!("{over}px"))
                    style:bottom=(!above).then(|| format!("{under}px"))
                >
                    <i style:width=format!("{gap}px")></i>
                    <div class="readout">
                        <ReadoutBox readout />
                        <p class="sampling">{note}</p>
                    </div>
                </div>
            }
            .into_any()
        })
    })
}

/// What stands in a chart that has no point yet.
#[component]
fn Hint(chart: Memo<Option<Chart>>) -> impl IntoView {
    let store = expect_context::<Store>();
    let empty = memo(move || {
        let bare = |chart: &Chart| chart.series.iter().all(|series| series.points.is_empty());
        chart.with(|chart| chart.as_ref().is_none_or(bare))
    });
    let idle = move || empty.get() && !store.run.with(|run| run.active);
    let never = store.page.with_value(|page| page.start == Start::Never);
    let startable = move || !never && !store.plan.with(|plan| plan.jobs.is_empty());
    let start = move || {
        view! {
            <button type="button" class="quiet" on:click=on(move |_| store.start())>
                "Simulate"
            </button>
        }
    };
    let words = move || {
        view! {
            <div class="hint">
                <p>"Not simulated yet"</p>
                {when(startable, move || start().into_any())}
            </div>
        }
        .into_any()
    };
    view! { {when(idle, words)} }
}

/// Keeps the drawing up to date; points that were not there before are marked as fresh.
fn draw(place: NodeRef<Div>, chart: Memo<Option<Chart>>, size: Memo<Size>) {
    let seen = StoredValue::new(Vec::<(usize, u64)>::new());
    follow(move || {
        let Some(element) = place.get() else { return };
        chart.with(|chart| {
            let drawing = chart.as_ref().and_then(|chart| svg(chart, size.get()).ok());
            element.set_inner_html(&drawing.unwrap_or_default());
            let mut now = Vec::new();
            for (index, series) in chart.iter().flat_map(|chart| &chart.series).enumerate() {
                for (number, point) in series.points.iter().enumerate() {
                    let key = (series.slot, point.x.to_bits());
                    if seen.with_value(|seen| !seen.contains(&key)) {
                        freshen(&element, index, number);
                    }
                    now.push(key);
                }
            }
            seen.set_value(now);
        });
    });
}

fn freshen(drawing: &web_sys::Element, series: usize, point: usize) {
    let selector = format!(".series[data-series='{series}'] [data-point='{point}']");
    if let Ok(Some(marker)) = drawing.query_selector(&selector) {
        // Drawn markers are elements like any other.
        let _ = marker.class_list().add_1("fresh");
    }
}

fn with_both<R>(
    chart: Memo<Option<Chart>>,
    scales: Memo<Option<Mapping>>,
    act: impl FnOnce(&Chart, &Mapping) -> Option<R>,
) -> Option<R> {
    chart.with_untracked(|chart| {
        scales.with_untracked(|scales| act(chart.as_ref()?, scales.as_ref()?))
    })
}

fn speech(chart: Memo<Option<Chart>>, store: Store) -> Option<String> {
    let selected = store.selected.get_untracked()?;
    chart.with_untracked(|chart| {
        let chart = chart.as_ref()?;
        Some(Readout::of(chart, selected)?.spoken(&chart.y.label))
    })
}

/// Follows the width of an element; a hidden one keeps its last.
fn observe_width(place: NodeRef<Div>, width: RwSignal<f64>) {
    follow(move || {
        let Some(element) = place.get() else { return };
        let follow = Closure::<dyn FnMut(_)>::new(move |entries: js_sys::Array| {
            let entry = entries.get(0).unchecked_into::<ResizeObserverEntry>();
            let now = entry.content_rect().width();
            if now >= 1.0 && (now - width.get_untracked()).abs() >= 1.0 {
                width.set(now);
            }
        });
        let Ok(observer) = ResizeObserver::new(follow.as_ref().unchecked_ref()) else {
            return;
        };
        observer.observe(&element);
        let kept = StoredValue::new_local((observer, follow));
        on_cleanup(move || {
            kept.with_value(|(observer, _)| observer.disconnect());
        });
    });
}
