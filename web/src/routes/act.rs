//! What the reader does in the section.

use std::rc::Rc;

use dragontree::scenario::KEYS;
use dragontree_worker::Inspection;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement};

use super::Desk;
use super::desk::Topic;
use crate::edit;
use crate::store::Store;

impl Desk {
    /// Hears an event of the section.
    pub fn hear(self: &Rc<Self>, event: &Event) {
        let Some(target) = event.target().and_then(|target| target.dyn_into::<Element>().ok())
        else {
            return;
        };
        match event.type_().as_str() {
            "toggle" => self.renew(),
            "submit" => {
                event.prevent_default();
                self.ask_paths();
            }
            "focusin" if target.has_attribute("list") => self.suggest(),
            "input" if target.has_attribute("step") => self.leaf(),
            "input" if !target.has_attribute("list") => self.seek(&target),
            "click" => self.act(&target),
            _ => {}
        }
    }

    fn act(self: &Rc<Self>, target: &Element) {
        let act = target.get_attribute("data-act").unwrap_or_default();
        let (act, word) = act.split_once(' ').unwrap_or((&act, ""));
        match act {
            "compare" => self.ask(Topic::Comparison, Inspection::Comparison),
            "stop" => self.leave(Topic::Comparison),
            "watch" => self.watch(),
            "leave" => self.leave(Topic::Course),
            "send" => self.ask_of_watched(Topic::Sending, Inspection::Sending),
            "halt" => self.leave(Topic::Sending),
            "play" => self.play(),
            "film" => {
                self.tinted.set(false);
                self.film.toggle();
                self.refresh();
            }
            "choose" => self.choose(word),
            "tint" => {
                self.tinted.set(!self.tinted.get());
                self.film.hide();
                self.refresh();
            }
            "cycle" => self.walk(Topic::Report, word),
            "path" => self.walk(Topic::Paths, word),
            "circle" => self.walk(Topic::Circle, word),
            "file" => {
                word.clone_into(&mut self.format.borrow_mut());
                self.ask(Topic::File, Inspection::File { format: word.to_owned() });
            }
            _ => {}
        }
    }

    /// Shows a way in the drawing, or no longer when it is shown already.
    fn walk(&self, topic: Topic, word: &str) {
        let way = word.parse().ok().map(|index| (topic, index));
        let now = if self.walked.get() == way { None } else { way };
        self.walked.set(now);
        self.refresh();
    }

    /// Brings drawing and buttons in line with what is shown.
    pub fn refresh(&self) {
        self.show();
        let press = |button: &Element, pressed: bool| {
            // Elements take any attribute.
            let _ = button.set_attribute("aria-pressed", if pressed { "true" } else { "false" });
        };
        let Ok(buttons) = self.buttons() else { return };
        for button in (0..buttons.length()).filter_map(|index| buttons.get(index)) {
            let button: Element = button.unchecked_into();
            let act = button.get_attribute("data-act").unwrap_or_default();
            let walked = |topic: Topic, word: &str| {
                self.walked.get() == word.parse().ok().map(|index| (topic, index))
            };
            match act.split_once(' ') {
                None if act == "tint" => press(&button, self.tinted.get()),
                None if act == "film" => press(&button, self.film.shown().is_some()),
                Some(("cycle", word)) => press(&button, walked(Topic::Report, word)),
                Some(("path", word)) => press(&button, walked(Topic::Paths, word)),
                Some(("circle", word)) => press(&button, walked(Topic::Circle, word)),
                _ => {}
            }
        }
    }

    /// Makes a routing that of the study.
    fn choose(&self, name: &str) {
        let unlocked = self.store.page.with_value(|page| page.unlocked("routing"));
        let key = KEYS.iter().find(|key| key.name == "routing").filter(|_| unlocked);
        let Some(key) = key else { return };
        match self.store.study.with_untracked(|study| edit::only(study, key, name)) {
            Ok(study) => self.store.adopt(study),
            Err(problems) => self.store.refusals.set(problems),
        }
    }

    fn input(&self, which: &str) -> HtmlInputElement {
        self.element(&format!("input[name={which}]")).unchecked_into()
    }

    /// Asks for the pictures of phases from the one that is written on.
    fn leaf(&self) {
        if let Ok(first) = self.input("phase").value().parse() {
            self.ask_of(Topic::Phases, Inspection::Phases { first }, self.sent.get(), None);
        }
    }

    /// Asks for the routes between the ends that are written, once both are.
    pub fn ask_paths(&self) {
        let (from, to) = (self.input("from").value(), self.input("to").value());
        if !from.trim().is_empty() && !to.trim().is_empty() {
            self.ask(Topic::Paths, Inspection::Paths { from, to });
        }
    }

    /// Writes an end of a route.
    pub fn name_end(self: &Rc<Self>, which: &str, name: &str) {
        self.unfold();
        self.renew();
        self.input(which).set_value(name);
        self.ask_paths();
    }

    /// Offers the names in the drawing to whoever types.
    fn suggest(&self) {
        let mut markup = String::new();
        self.store.with_fabric(|view| view.name_ends(&mut markup));
        self.element("datalist").set_inner_html(&markup);
    }
}

impl Store {
    /// Attaches the section on the routes.
    pub fn attach_desk(self, desk: Rc<Desk>) {
        self.desk.set_value(Some(desk));
    }

    /// Tells the section on the routes something, where the page has it.
    pub fn with_desk(self, tell: impl FnOnce(&Rc<Desk>)) {
        // A handle outside the store: what is done may reach back into it.
        if let Some(desk) = self.desk.get_value() {
            tell(&desk);
        }
    }

    /// The block that is open in the drawing.
    pub fn open_block(self) -> Option<u32> {
        let mut open = None;
        self.with_fabric(|view| open = view.open_block_now());
        open
    }

    /// Makes a node the end of the route that is looked at.
    pub fn name_end(self, which: &str, name: &str) {
        self.with_desk(|desk| desk.name_end(which, name));
    }
}
