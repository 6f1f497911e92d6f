//! The figure and its numbers as files.

use dragontree::catalog::Menu;
use dragontree::scenario::{Detail, Job, Scenario};
use dragontree_plot::{Chart, Size, Theme, standalone};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlCanvasElement, HtmlImageElement, Url};

use crate::browser;
use crate::figure::charts;
use crate::live::on;
use crate::messages::lines;
use crate::store::Store;

/// The size of an exported plot, without legend and caption.
const SIZE: Size = Size { width: 720, height: 440 };
/// Pixels of a PNG file per pixel of the drawing.
const DENSITY: f64 = 2.0;

/// The formats of the network's file, with what the buttons say.
const FORMATS: [(&str, &str); 5] = [
    ("ibnetdiscover", "ibnetdiscover"),
    ("edges", "CSV"),
    ("anynet", "BookSim"),
    ("dot", "DOT"),
    ("json", "JSON"),
];

/// The same for its routes.
const ROUTES: [(&str, &str); 3] =
    [("lfts", "LFTs"), ("levels", "Service levels"), ("paths", "Paths (CSV)")];

/// The same for the ways of known messages.
const MESSAGES: [(&str, &str); 4] = [
    ("message_paths", "Ways (CSV)"),
    ("message_paths_json", "Ways (JSON)"),
    ("source_tables", "Source tables"),
    ("certificate", "Certificate (JSON)"),
];

impl Store {
    /// Offers a file that a worker has written.
    pub fn exported(self, name: &str, text: &str, losses: Vec<String>) {
        browser::download(name, "text/plain", text);
        if !losses.is_empty() {
            self.say(&format!("The file leaves out: {}.", losses.join("; ")));
        }
    }
}

/// The section of the dialog.
#[component]
pub fn Exports() -> impl IntoView {
    let store = expect_context::<Store>();
    let figures = untrack(|| charts(store));
    let rows = figures.into_iter().map(|chart| view! { <FigureFiles chart /> });
    let sends = store.plan.with_untracked(|plan| {
        let scenario = plan.jobs.first().map(Job::scenario);
        let sends = |scenario: &Scenario| {
            scenario.exchange.name() != "none" || scenario.traffic.name() != "uniform"
        };
        scenario.is_some_and(sends)
    });
    let save_csv = move |_| store.export_table();
    let save_json = move |_| {
        let text = untrack(|| lines(store));
        browser::download("dragontree.jsonl", "application/jsonl", &text);
    };
    view! {
        <section>
            <h3>"Files"</h3>
            <ul class="files">
                {rows.collect_view()}
                <li>
                    <span>"Numbers"</span>
                    <button type="button" class="quiet" on:click=on(save_csv)>"CSV"</button>
                    <button type="button" class="quiet" on:click=on(save_json)>"JSON"</button>
                </li>
                {written("Network", &FORMATS)}
                {written("Routes", &ROUTES)}
                {sends.then(|| written("Messages", &MESSAGES))}
            </ul>
        </section>
    }
}

/// Files that a worker writes.
fn written(of: &'static str, formats: &'static [(&'static str, &'static str)]) -> impl IntoView {
    let store = expect_context::<Store>();
    let button = |(format, label): &(&'static str, &'static str)| {
        let format = *format;
        let save = move |_| store.export(format);
        view! { <button type="button" class="quiet" on:click=on(save)>{*label}</button> }
    };
    let buttons = formats.iter().map(button).collect_view();
    view! { <li><span>{of}</span>{buttons}</li> }
}

#[component]
fn FigureFiles(chart: Chart) -> impl IntoView {
    let store = expect_context::<Store>();
    let title = chart.title.clone();
    let name = chart.y.label.replace(' ', "-");
    let (chart, name) = (StoredValue::new(chart), StoredValue::new(name));
    let drawing = move || {
        chart.with_value(|chart| standalone(chart, SIZE, Theme::Light, &caption(store)).ok())
    };
    let save_svg = move |_| {
        if let Some(text) = drawing() {
            let name = name.with_value(|name| format!("dragontree-{name}.svg"));
            browser::download(&name, "image/svg+xml", &text);
        }
    };
    let save_png = move |_| {
        let Some(text) = drawing() else { return };
        let name = name.with_value(|name| format!("dragontree-{name}.png"));
        browser::spawn(async move {
            if png(&text, name).await.is_err() {
                store.say("This browser could not draw the picture; please take the SVG.");
            }
        });
    };
    view! {
        <li>
            <span>{title}</span>
            <button type="button" class="quiet" on:click=on(save_svg)>"SVG"</button>
            <button type="button" class="quiet" on:click=on(save_png)>"PNG"</button>
        </li>
    }
}

/// The experiment's text and link, so that a picture can be reproduced.
fn caption(store: Store) -> String {
    untrack(|| {
        let text = crate::edit::unsigned(&store.study.get()).text(Detail::Basic);
        format!("{text}\n{}", store.link())
    })
}

/// Draws an SVG text on a canvas and offers the picture.
async fn png(text: &str, name: String) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    options.set_type("image/svg+xml");
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let image = HtmlImageElement::new()?;
    image.set_src(&address);
    let loaded = JsFuture::from(image.decode()).await;
    let drawn = loaded.and_then(|_| paint(&image));
    Url::revoke_object_url(&address)?;
    let save = Closure::once_into_js(move |picture: JsValue| {
        if let Ok(picture) = picture.dyn_into::<Blob>() {
            browser::download_blob(&name, &picture);
        }
    });
    drawn?.to_blob(save.unchecked_ref())
}

fn paint(image: &HtmlImageElement) -> Result<HtmlCanvasElement, JsValue> {
    let canvas = document().create_element("canvas")?.dyn_into::<HtmlCanvasElement>()?;
    let (width, height) = (f64::from(image.natural_width()), f64::from(image.natural_height()));
    canvas.set_width((width * DENSITY) as u32);
    canvas.set_height((height * DENSITY) as u32);
    let context = canvas
        .get_context("2d")?
        .ok_or_else(|| JsValue::from("no canvas"))?
        .dyn_into::<web_sys::CanvasRenderingContext2d>()?;
    context.draw_image_with_html_image_element_and_dw_and_dh(
        image,
        0.0,
        0.0,
        width * DENSITY,
        height * DENSITY,
    )?;
    Ok(canvas)
}
