//! The film of a run: how busy its links were, moment by moment, in the drawing.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use dragontree_plot::Format;
use dragontree_worker::{Finding, Inspection, Loads};
use leptos::prelude::set_timeout;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::Desk;
use super::desk::Topic;
use crate::fabric::Measure;

/// How long a picture is shown.
const PICTURE: Duration = Duration::from_millis(80);

/// What was filmed, and what of it is shown.
#[derive(Default)]
pub struct Film {
    /// Picture after picture, as in a [`Finding`].
    pictures: RefCell<Vec<u8>>,
    /// When each ended; one that has no end is the mean of what was measured.
    ends: RefCell<Vec<f64>>,
    /// The numbers of a picture.
    length: Cell<usize>,
    /// Which picture is shown.
    at: Cell<usize>,
    hidden: Cell<bool>,
    playing: Cell<bool>,
}

impl Film {
    /// The picture that is to be seen in the drawing, and what it means.
    pub fn shown(&self) -> Option<(Rc<Loads>, Measure)> {
        let (pictures, length) = (self.pictures.borrow(), self.length.get());
        let picture = pictures.get(self.at.get() * length..)?.get(..length)?;
        if length == 0 || self.hidden.get() {
            return None;
        }
        let bundles: Vec<f32> = picture.iter().map(|busy| f32::from(*busy) / 255.0).collect();
        let most = picture.iter().copied().max()?;
        let place = picture.iter().position(|busy| *busy == most && most > 0);
        let busiest = place.map(|place| (place as u32 / 2, place % 2 == 0));
        let end = self.ends.borrow().get(self.at.get()).copied();
        Some((Rc::new(Loads { bundles, busiest, alike: 1 }), Measure::Busy(end)))
    }

    /// Shows the film in the drawing, or no longer.
    pub fn toggle(&self) {
        self.hidden.set(!self.hidden.get());
    }

    /// Does not show it in the drawing any more.
    pub fn hide(&self) {
        self.hidden.set(true);
    }
}

impl Desk {
    /// Asks for a film of the selected run.
    pub fn watch(&self) {
        self.lose_film();
        self.film.hidden.set(false);
        self.tinted.set(false);
        self.ask_of_watched(Topic::Course, Inspection::Course);
    }

    /// Forgets the film.
    pub fn lose_film(&self) {
        self.leave(Topic::Course);
        self.film.playing.set(false);
        self.film.pictures.take();
        self.target(Topic::Course).set_inner_html("");
        self.element(".player").set_hidden(true);
    }

    /// Shows pictures, the last one first.
    pub fn expose(&self, pictures: Vec<u8>, ends: Vec<f64>) {
        self.film.pictures.replace(pictures);
        let count = ends.len();
        self.film.ends.replace(ends);
        self.film.length.set(self.film.pictures.borrow().len() / count.max(1));
        self.film.at.set(count.saturating_sub(1));
        self.refresh();
    }

    /// A run has been filmed to its end: it can be played, and the mean of its window is shown.
    pub fn develop(self: &Rc<Self>, finding: Finding) {
        let Finding { film, ends, .. } = finding;
        let last = ends.len();
        self.film.length.set(film.len() / (last + 1));
        self.film.pictures.replace(film);
        self.film.ends.replace(ends);
        self.element(".player").set_hidden(false);
        let slider = self.slider();
        slider.set_max(&last.to_string());
        self.show_picture(last);
    }

    fn slider(&self) -> HtmlInputElement {
        self.element("input[type=range]").unchecked_into()
    }

    /// Shows the picture that the slider is at.
    pub fn seek(&self, slider: &Element) {
        let slider: &HtmlInputElement = slider.unchecked_ref();
        self.film.playing.set(false);
        self.show_picture(slider.value().parse().unwrap_or(0));
    }

    /// Shows one picture, and where it is in time.
    fn show_picture(&self, at: usize) {
        self.film.at.set(at);
        self.slider().set_value(&at.to_string());
        let ends = self.film.ends.borrow();
        let words = match ends.get(at) {
            Some(end) => Format::Nanoseconds.text(*end),
            None => "measured mean".to_owned(),
        };
        self.element("output").set_text_content(Some(&words));
        let last = ends.last().copied().unwrap_or(1.0);
        let style = self.target(Topic::Course).style();
        // Styles take any property.
        let _ = match ends.get(at) {
            Some(end) => style.set_property("--now", &(end / last).to_string()),
            None => style.remove_property("--now").map(|_| ()),
        };
        drop(ends);
        let words = if self.film.playing.get() { "Pause" } else { "Play" };
        if let Ok(Some(button)) = self.element(".player").query_selector("[data-act=play]") {
            button.set_text_content(Some(words));
        }
        self.refresh();
    }

    /// Plays the film, from its beginning where it is at its end; or stops at the present picture.
    pub fn play(self: &Rc<Self>) {
        let (at, last) = (self.film.at.get(), self.film.ends.borrow().len());
        let playing = !self.film.playing.get();
        self.film.playing.set(playing);
        if !playing {
            return self.show_picture(at);
        }
        self.film.hidden.set(false);
        self.tinted.set(false);
        self.show_picture(if at + 1 >= last { 0 } else { at });
        self.go_on();
    }

    /// Shows the next picture after a while, and so on to the last.
    fn go_on(self: &Rc<Self>) {
        let own = self.clone();
        set_timeout(
            move || {
                let next = own.film.at.get() + 1;
                if !own.film.playing.get() {
                    return;
                }
                let more = next + 1 < own.film.ends.borrow().len();
                own.film.playing.set(more);
                own.show_picture(next);
                if more {
                    own.go_on();
                }
            },
            PICTURE,
        );
    }
}
