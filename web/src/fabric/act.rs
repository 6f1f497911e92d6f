//! What the reader does with the drawing: looks closer, points at something, walks along links.

use std::rc::Rc;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, KeyboardEvent, PointerEvent, TouchEvent, WheelEvent};

use super::lens::Lens;
use super::paint::shows_endpoints;
use super::pick::{around, pick, toward};
use super::scene::{Point, Scene, Spot};
use super::{View, breaking, describe};

/// So many rows of the table at first, and so many more at a time.
pub const ROWS: usize = 50;
/// How much a key or button zooms.
const STEP: f32 = 1.5;
/// A pointer that has moved so far drags; one that has not, clicks.
const STILL: f32 = 4.0;

/// What the pointers are doing.
#[derive(Clone, Copy, Default)]
pub struct Hand {
    /// Where a mouse began to drag, and where it was last.
    drag: Option<(Point, Point)>,
    /// Whether it has moved far enough.
    moved: bool,
    /// The middle of two fingers and their distance.
    pinch: Option<(Point, f32)>,
}

fn pixel(event: &PointerEvent) -> Point {
    [event.offset_x() as f32, event.offset_y() as f32]
}

impl View {
    /// Hears an event on the view or on the table.
    pub fn hear(self: &Rc<Self>, event: &Event) {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        let kind = event.type_();
        if target.class_name() != "fabric-view" {
            match kind.as_str() {
                "click" => self.act(&target),
                "toggle" => self.write_table(),
                _ => {}
            }
            return;
        }
        match kind.as_str() {
            "click" => self.clicks(event.unchecked_ref()),
            "keydown" => {
                let event = event.unchecked_ref::<KeyboardEvent>();
                let plain = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
                if plain && self.press(&event.key()) {
                    event.prevent_default();
                }
            }
            "pointerdown" => self.grasps(&target, event.unchecked_ref()),
            "pointermove" => self.moves(event.unchecked_ref()),
            "pointerout" => self.hover(None),
            "wheel" => self.wheels(&target, event.unchecked_ref()),
            "touchmove" | "touchend" => self.touches(&target, event.unchecked_ref()),
            _ => {}
        }
    }

    /// Does what a button is for.
    fn act(self: &Rc<Self>, target: &Element) {
        let act = target.get_attribute("data-act").unwrap_or_default();
        let (act, number) = act.split_once(' ').unwrap_or((&act, ""));
        let number: u32 = number.parse().unwrap_or(0);
        match act {
            "in" => self.zoom(STEP, None),
            "out" => self.zoom(1.0 / STEP, None),
            "all" => self.show_all(),
            "open" => self.open_block(Some(number)),
            "close" => self.open_block(None),
            "node" => self.choose(Some(Spot::Node(number))),
            "more" => {
                self.rows.set(self.rows.get() + 4 * ROWS);
                self.write_table();
            }
            "show" => {
                let busiest = self.shown().and_then(|(scene, loads, _)| scene.busiest(&*loads?));
                self.choose(busiest);
            }
            "from" => self.name_end("from"),
            "to" => self.name_end("to"),
            "change" => {
                let change = self.changes.borrow().get(number as usize).cloned();
                if let Some((_, broken)) = change {
                    breaking::apply(self.store, &broken);
                }
            }
            _ => {}
        }
    }

    fn scene(&self) -> Option<Rc<Scene>> {
        self.known.borrow().scene.clone()
    }

    /// Shows everything, or all of the open block.
    fn show_all(self: &Rc<Self>) {
        self.whole.set(true);
        self.fit();
    }

    /// Follows the size of the view, and a new drawing, unless the reader looks at a part.
    pub fn fit(self: &Rc<Self>) {
        let window = self.window.get();
        if let (true, true, Some(scene)) = (window[0] > 0.0, self.whole.get(), self.scene()) {
            let stretches = scene.picture.stretches;
            self.lens.set(Lens::fit(scene.corners(), stretches, window, scene.margins()));
        }
        self.update();
    }

    /// Another drawing is there: what was looked at in the former stays where it exists here.
    pub fn adopt(self: &Rc<Self>, before: Option<&Scene>, scene: &Scene) {
        let same = before.is_some_and(|before| before.resembles(scene));
        self.hovered.set(None);
        if !same {
            self.whole.set(true);
            self.pinned.set(None);
        }
        self.fit();
    }

    /// Zooms around a place of the screen, by default around what is chosen.
    fn zoom(self: &Rc<Self>, factor: f32, around: Option<Point>) {
        let (lens, [width, height]) = (self.lens.get(), self.window.get());
        let chosen = match (self.scene(), self.pinned.get()) {
            (Some(scene), Some(Spot::Node(node))) => Some(lens.pixel(scene.node(node).at)),
            _ => None,
        };
        let around = around.or(chosen).unwrap_or([width / 2.0, height / 2.0]);
        self.look(lens.zoomed(factor, around));
    }

    fn look(self: &Rc<Self>, lens: Lens) {
        self.whole.set(false);
        self.lens.set(lens);
        self.update();
    }

    fn hover(self: &Rc<Self>, spot: Option<Spot>) {
        if self.hovered.replace(spot) != spot {
            self.write();
            self.point();
        }
    }

    fn at(&self, pixel: Point) -> Option<Spot> {
        let (scene, lens) = (self.scene()?, self.lens.get());
        pick(&scene, &lens, pixel, shows_endpoints(&scene, &lens))
    }

    /// Chooses a spot, brings it into view, and tells screen readers.
    fn choose(self: &Rc<Self>, spot: Option<Spot>) {
        self.hovered.set(None);
        self.pinned.set(spot);
        let Some((scene, loads, measure)) = self.shown() else { return };
        let mut said = String::new();
        if let Some(spot) = spot {
            let (Spot::Node(from) | Spot::Link { from, .. }) = spot;
            let lens = self.lens.get().showing(scene.node(from).at, self.window.get());
            if lens != self.lens.get() {
                self.look(lens);
            }
            let details = describe::details(&scene, loads.as_deref(), measure, spot);
            said = format!("{}. {details}", describe::title(&scene, spot));
        }
        self.element(".spoken").set_text_content(Some(&said));
        self.write();
        self.point();
    }

    /// Does what a key stands for; false when it stands for nothing.
    fn press(self: &Rc<Self>, key: &str) -> bool {
        match key {
            "ArrowRight" => self.step([1.0, 0.0]),
            "ArrowLeft" => self.step([-1.0, 0.0]),
            "ArrowDown" => self.step([0.0, 1.0]),
            "ArrowUp" => self.step([0.0, -1.0]),
            "Enter" => self.walk(),
            "+" | "=" => self.zoom(STEP, None),
            "-" => self.zoom(1.0 / STEP, None),
            "0" => self.show_all(),
            "Escape" => match self.pinned.get() {
                Some(Spot::Link { from, .. }) => self.choose(Some(Spot::Node(from))),
                Some(_) => self.choose(None),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// From a node to its first link, from a link to the node at its other end.
    fn walk(self: &Rc<Self>) {
        let (Some(scene), lens) = (self.scene(), self.lens.get()) else { return };
        let next = match self.pinned.get() {
            None => Some(Spot::Node(0)),
            Some(Spot::Node(from)) => {
                around(&scene, &lens, from, None).map(|bundle| Spot::Link { bundle, from })
            }
            Some(Spot::Link { bundle, from }) => Some(Spot::Node(scene.other_end(bundle, from))),
        };
        if next.is_some() {
            self.choose(next);
        }
    }

    /// From a node to the next in a direction, from a link to the next of its node.
    fn step(self: &Rc<Self>, arrow: Point) {
        let (Some(scene), lens) = (self.scene(), self.lens.get()) else { return };
        let endpoints = shows_endpoints(&scene, &lens);
        let next = match self.pinned.get() {
            None => Spot::Node(0),
            Some(Spot::Node(from)) => Spot::Node(toward(&scene, &lens, from, arrow, endpoints)),
            Some(Spot::Link { bundle, from }) => {
                let ahead = arrow[0] + arrow[1] > 0.0;
                let next = around(&scene, &lens, from, Some((bundle, ahead)));
                Spot::Link { bundle: next.unwrap_or(bundle), from }
            }
        };
        self.choose(Some(next));
    }

    fn open_block(self: &Rc<Self>, block: Option<u32>) {
        self.known.borrow_mut().open = block;
        self.ask();
        self.store.with_desk(|desk| desk.renew());
    }

    /// A mouse begins to drag. Fingers move the page; two of them move the drawing.
    fn grasps(&self, view: &Element, event: &PointerEvent) {
        let (at, mouse) = (pixel(event), event.pointer_type() != "touch" && event.button() == 0);
        let drag = mouse.then_some((at, at));
        self.hand.set(Hand { drag, moved: false, ..self.hand.get() });
        if mouse {
            // A pointer that is gone again needs no capture.
            let _ = view.set_pointer_capture(event.pointer_id());
        }
    }

    /// A mouse that is held moves the drawing; one that is not points at it.
    fn moves(self: &Rc<Self>, event: &PointerEvent) {
        let (at, mut hand) = (pixel(event), self.hand.get());
        match hand.drag.filter(|_| event.buttons() & 1 == 1) {
            Some((start, last)) => {
                hand.moved |= (at[0] - start[0]).abs() + (at[1] - start[1]).abs() > STILL;
                if hand.moved {
                    self.hovered.set(None);
                    self.look(self.lens.get().moved([at[0] - last[0], at[1] - last[1]]));
                    hand.drag = Some((start, at));
                }
            }
            None => {
                hand.drag = None;
                self.hover(if event.pointer_type() == "touch" { None } else { self.at(at) });
            }
        }
        self.hand.set(hand);
    }

    /// A click chooses what is there; the end of a drag is none.
    fn clicks(self: &Rc<Self>, event: &PointerEvent) {
        if !self.hand.get().moved {
            self.choose(self.at(pixel(event)));
        }
    }

    /// The wheel zooms a view that has the focus, and with Ctrl (or two fingers on a trackpad) any.
    fn wheels(self: &Rc<Self>, view: &Element, event: &WheelEvent) {
        let control = event.ctrl_key();
        if !control && document().active_element().as_ref() != Some(view) {
            return;
        }
        event.prevent_default();
        let lines = if event.delta_mode() == 0 { 1.0 } else { 20.0 };
        let speed = if control { 0.01 } else { 0.002 };
        let turned = (event.delta_y() * lines * speed).clamp(-0.7, 0.7) as f32;
        // Close enough to an exponential, and turning back undoes it.
        let factor = (1.0 - turned / 2.0) / (1.0 + turned / 2.0);
        self.zoom(factor, Some(pixel(event.unchecked_ref())));
    }

    /// Two fingers move and zoom; one finger scrolls the page.
    fn touches(self: &Rc<Self>, view: &Element, event: &TouchEvent) {
        let touches = event.touches();
        let mut hand = self.hand.get();
        let before = hand.pinch.take();
        if let (Some(one), Some(other)) = (touches.get(0), touches.get(1)) {
            event.prevent_default();
            let corner = view.unchecked_ref::<HtmlElement>().get_bounding_client_rect();
            let from = [one.client_x() as f32, one.client_y() as f32];
            let to = [other.client_x() as f32, other.client_y() as f32];
            let middle = [
                (from[0] + to[0]) / 2.0 - corner.left() as f32,
                (from[1] + to[1]) / 2.0 - corner.top() as f32,
            ];
            let apart = super::paint::distance(from, to).max(1.0);
            if let Some((last, before)) = before {
                let lens = self.lens.get().moved([middle[0] - last[0], middle[1] - last[1]]);
                self.look(lens.zoomed(apart / before, middle));
            }
            hand.pinch = Some((middle, apart));
        }
        self.hand.set(hand);
    }

    /// Writes the table, when it is open.
    pub fn write_table(&self) {
        let Some(table) = document().get_element_by_id("fabric-table") else { return };
        let open = table.query_selector("details[open] .scroll").ok().flatten();
        if let (Some(place), Some((scene, loads, measure))) = (open, self.shown()) {
            let rows = self.rows.get();
            place.set_inner_html(&describe::table(&scene, loads.as_deref(), measure, rows));
        }
    }
}
