//! The view: what is seen of the drawing, and what is written beside it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dragontree_plot::Format;
use dragontree_worker::{Broken, Loads};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{
    Element, Event, HtmlCanvasElement, HtmlElement, IntersectionObserver, MutationObserver,
    MutationObserverInit, ResizeObserver,
};

use super::act::Hand;
use super::ask::{Known, shown};
use super::lens::Lens;
use super::paint::{Frame, paint};
use super::palette::Palette;
use super::scene::{Measure, Point, Scene, Spot, percent};
use super::trace::Trace;
use super::{breaking, describe, overlay};
use crate::live::follow;
use crate::store::Store;

/// The view of the fabric.
pub struct View {
    /// The page's state.
    pub store: Store,
    /// What the workers have told.
    pub known: RefCell<Known>,
    /// The part that is seen.
    pub lens: Cell<Lens>,
    /// Width and height of the view.
    pub window: Cell<Point>,
    /// Whether the whole drawing is shown, so that it follows the size of the view.
    pub whole: Cell<bool>,
    /// What is under the pointer.
    pub hovered: Cell<Option<Spot>>,
    /// What was chosen by a click or a key.
    pub pinned: Cell<Option<Spot>>,
    /// What the pointers are doing.
    pub hand: Cell<Hand>,
    /// What the buttons do.
    pub changes: RefCell<Vec<(&'static str, Broken)>>,
    /// What the report on the routes shows here.
    pub trace: RefCell<Trace>,
    /// So many rows of the table are shown.
    pub rows: Cell<usize>,
    place: Element,
    palette: RefCell<Palette>,
    waiting: Cell<bool>,
    /// The markup of actions and words as last written.
    written: RefCell<[String; 2]>,
}

/// What hears everything: events and observers alike.
type Ear = Closure<dyn FnMut(JsValue)>;

/// The events that are heard.
const EVENTS: [&str; 9] = [
    "click",
    "keydown",
    "pointerdown",
    "pointermove",
    "pointerout",
    "pointerup",
    "wheel",
    "touchmove",
    "touchend",
];

impl View {
    /// Opens the view in a place that has its markup.
    pub fn open(store: Store, place: &Element) {
        let finished = store.found.with_untracked(|found| found.iter().all(Option::is_some));
        let embedded = store.embedded();
        // A finished figure in another page has no survey of its network.
        let known = Known::new(embedded && finished, !embedded);
        let view = Rc::new(View {
            store,
            known: RefCell::new(known),
            lens: Cell::default(),
            window: Cell::default(),
            whole: Cell::new(true),
            hovered: Cell::default(),
            pinned: Cell::default(),
            hand: Cell::default(),
            changes: RefCell::default(),
            trace: RefCell::default(),
            rows: Cell::new(super::act::ROWS),
            place: place.clone(),
            palette: RefCell::default(),
            waiting: Cell::default(),
            written: RefCell::default(),
        });
        store.attach(view.clone());
        view.listen();
        view.observe();
        let update = view.clone();
        follow(move || {
            if let Some(selected) = store.selected.get() {
                store.last.set(Some(selected));
            }
            store.found.track();
            store.survey.track();
            store.problems.track();
            let _ = shown(store);
            update.ask();
            update.update();
        });
    }

    /// Hears events from now on; all of it lives as long as the page.
    fn listen(self: &Rc<Self>) {
        let own = self.clone();
        let ear = Ear::new(move |event: JsValue| own.hear(event.unchecked_ref::<Event>()));
        let listener = ear.as_ref().unchecked_ref();
        let table = document().get_element_by_id("fabric-table");
        for event in EVENTS {
            // Elements always take listeners.
            let _ = self.place.add_event_listener_with_callback(event, listener);
        }
        if let Some(table) = table {
            let _ = table.add_event_listener_with_callback("click", listener);
            let _ = table.add_event_listener_with_callback_and_bool("toggle", listener, true);
        }
        ear.forget();
    }

    /// Follows the size of the view, the theme, the printer, and whether it can be seen at all.
    fn observe(self: &Rc<Self>) {
        let view = self.element(".fabric-view");
        let own = self.clone();
        let measure = Ear::new(move |_| own.measure());
        let own = self.clone();
        let recolor = Ear::new(move |_| own.recolor());
        let own = self.clone();
        let see = Ear::new(move |entries: JsValue| {
            let seen = |entry: JsValue| {
                let seen = js_sys::Reflect::get(&entry, &"isIntersecting".into());
                seen.is_ok_and(|seen| seen.is_truthy())
            };
            if entries.unchecked_into::<js_sys::Array>().iter().any(seen) {
                own.known.borrow_mut().watched = true;
                own.ask();
            }
        });
        let size = ResizeObserver::new(measure.as_ref().unchecked_ref());
        let sight = IntersectionObserver::new(see.as_ref().unchecked_ref());
        let theme = MutationObserver::new(recolor.as_ref().unchecked_ref());
        if let (Ok(size), Ok(sight), Ok(theme), Some(root)) =
            (size, sight, theme, document().document_element())
        {
            size.observe(&view);
            sight.observe(&view);
            let options = MutationObserverInit::new();
            options.set_attributes(true);
            // The root is a node like any other.
            let _ = theme.observe_with_options(&root, &options);
            std::mem::forget((size, sight, theme));
        }
        for query in ["print", "(prefers-color-scheme: dark)"] {
            if let Ok(Some(media)) = window().match_media(query) {
                let listener = recolor.as_ref().unchecked_ref();
                // A list of one known query always takes listeners.
                let _ = media.add_event_listener_with_callback("change", listener);
                std::mem::forget(media);
            }
        }
        self.recolor();
        std::mem::forget((measure, recolor, see));
    }

    /// A piece of the view's own markup.
    pub fn element(&self, selector: &str) -> HtmlElement {
        let found = self.place.query_selector(selector).ok().flatten();
        found.unwrap_or_else(|| self.place.clone()).unchecked_into()
    }

    fn measure(self: &Rc<Self>) {
        let view = self.element(".fabric-view");
        self.window.set([view.client_width() as f32, view.client_height() as f32]);
        self.fit();
    }

    /// Reads the colors anew. Printers do not wait for the next frame: it is drawn at once.
    fn recolor(self: &Rc<Self>) {
        let palette = Palette::of(&self.place);
        if *self.palette.borrow() != palette {
            self.palette.replace(palette);
            self.draw();
        }
    }

    /// The drawing, the loads on it and what those mean.
    pub fn shown(&self) -> Option<(Rc<Scene>, Option<Rc<Loads>>, Measure)> {
        let shown = untrack(|| shown(self.store))?;
        let known = self.known.borrow();
        let scene = known.scene.clone()?;
        if let Some((loads, measure)) = self.trace.borrow().tint(&scene) {
            return Some((scene, Some(loads), measure));
        }
        let (loads, measure) = known.loads(&shown).unzip();
        Some((scene, loads, measure.unwrap_or(Measure::Busy(None))))
    }

    /// Brings everything up to date, the drawing with the next frame.
    pub fn update(self: &Rc<Self>) {
        self.write();
        if self.waiting.replace(true) {
            return;
        }
        let own = self.clone();
        request_animation_frame(move || {
            own.waiting.set(false);
            own.draw();
        });
    }

    fn draw(&self) {
        let (lens, window) = (self.lens.get(), self.window.get());
        let canvas = self.element("canvas").unchecked_into::<HtmlCanvasElement>();
        let Some((scene, loads, measure)) = self.shown().filter(|_| window[0] > 0.0) else {
            return;
        };
        let (loads, palette) = (loads.as_deref(), &self.palette.borrow());
        let offered = measure.factor();
        paint(&canvas, &Frame { scene: &scene, loads, offered, lens, window, palette });
        self.point();
    }

    /// Draws what is pointed at.
    pub fn point(&self) {
        let known = self.known.borrow();
        let markup = known.scene.as_ref().and_then(|scene| {
            let (hovered, pinned) = (self.hovered.get(), self.pinned.get());
            let trail = self.trace.borrow().trail(scene);
            overlay::markup(
                scene,
                &self.lens.get(),
                self.window.get(),
                hovered.or(pinned),
                pinned,
                &trail,
            )
        });
        self.element(".layer").set_inner_html(&markup.unwrap_or_default());
    }

    /// Writes what is said about the drawing.
    pub fn write(&self) {
        let shown = self.shown();
        let key = self.element(".load-key");
        key.set_hidden(!matches!(&shown, Some((_, Some(_), _))));
        if let Some((_, _, measure)) = &shown {
            let (place, end) = match measure {
                Measure::Load(offered) => {
                    (format!("At {} load", percent(*offered)), "full".to_owned())
                }
                Measure::BusyAt(load) => {
                    (format!("Busy at {} load", percent(*load)), "full".to_owned())
                }
                Measure::Flows(_) => ("Flows per link, 0".to_owned(), measure.text(1.0)),
                Measure::Busy(Some(end)) => {
                    (format!("Busy at {}", Format::Nanoseconds.text(*end)), "full".to_owned())
                }
                Measure::Busy(None) => ("Busy on average".to_owned(), "full".to_owned()),
            };
            self.element(".place").set_text_content(Some(&place));
            self.element(".end").set_text_content(Some(&end));
        }
        let spot = self.hovered.get().or(self.pinned.get());
        let said = match (&shown, spot) {
            (Some((scene, loads, measure)), Some(spot)) => {
                describe::markup(scene, loads.as_deref(), *measure, spot)
            }
            (shown, _) => {
                let size = untrack(|| self.store.survey.get()).map(|survey| survey.size);
                describe::overall(
                    size,
                    shown.as_ref().map(|(scene, loads, _)| (&**scene, loads.as_deref())),
                )
            }
        };
        self.replace(".said", &said);
        self.write_actions(shown.as_ref().map(|(scene, ..)| &**scene));
        self.write_table();
    }

    /// Offers what can be done to what is chosen.
    fn write_actions(&self, scene: Option<&Scene>) {
        let changes = match (scene, self.pinned.get()) {
            (Some(scene), Some(spot)) if untrack(|| breaking::possible(self.store)) => {
                breaking::changes(scene, spot)
            }
            _ => Vec::new(),
        };
        let button = |act: &str, words: &str| {
            format!("<button type=\"button\" class=\"link\" data-act=\"{act}\">{words}</button> ")
        };
        let mut markup = String::new();
        for (index, (words, _)) in changes.iter().enumerate() {
            markup.push_str(&button(&format!("change {index}"), words));
        }
        if scene.is_some_and(|scene| self.is_end(scene)) {
            markup.push_str(&button("from", "Routes from here"));
            markup.push_str(&button("to", "Routes to here"));
        }
        if let Some(block) = scene.and_then(|scene| scene.can_open(self.pinned.get()?)) {
            markup.push_str(&button(&format!("open {block}"), "Open this block"));
        }
        if scene.is_some_and(|scene| scene.picture.open.is_some()) {
            markup.push_str(&button("close", "Close the block"));
        }
        self.changes.replace(changes);
        self.replace(".actions", &markup);
    }

    /// Writes markup where there is other; a button that had the focus leaves it to its successor.
    fn replace(&self, selector: &str, markup: &str) {
        let place = self.element(selector);
        let mut written = self.written.borrow_mut();
        let written = &mut written[usize::from(selector == ".said")];
        if written == markup {
            return;
        }
        markup.clone_into(written);
        let focus = document().active_element();
        let had = focus.is_some_and(|focus| place.contains(Some(&focus)));
        place.set_inner_html(markup);
        if had {
            let next = place.query_selector("button").ok().flatten();
            let next =
                next.map(JsCast::unchecked_into).unwrap_or_else(|| self.element(".fabric-view"));
            // Focus may be refused while the page is hidden.
            let _ = next.focus();
        }
    }
}
