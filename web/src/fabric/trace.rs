//! What is shown in the drawing in place of the expected loads: flows on the links, ways along them,
//! and how busy the links of a run were.

use std::rc::Rc;

use dragontree_worker::{Kind, Loads};

use super::View;
use super::scene::{Measure, Scene, Spot};
use crate::words::escaped;

/// More names than this are not offered to whoever types.
const MOST_NAMES: usize = 2_000;

/// Flows and ways on a drawing.
#[derive(Default)]
pub struct Trace {
    /// A number for every link, and what it means.
    pub tint: Option<(Rc<Loads>, Measure)>,
    /// The bundles of a way, each with whether it leads from the first end to the second.
    pub trail: Vec<(u32, bool)>,
    /// How many bundles the drawing has that this belongs to.
    pub bundles: usize,
}

impl Trace {
    fn fits(&self, scene: &Scene) -> bool {
        self.bundles == scene.picture.bundle_count()
    }

    /// The numbers on the links, where they belong to the drawing.
    pub fn tint(&self, scene: &Scene) -> Option<(Rc<Loads>, Measure)> {
        self.tint.clone().filter(|_| self.fits(scene))
    }

    /// The way, where it belongs to the drawing.
    pub fn trail(&self, scene: &Scene) -> Vec<(u32, bool)> {
        if self.fits(scene) { self.trail.clone() } else { Vec::new() }
    }
}

impl View {
    /// Shows something in place of what was shown before.
    pub fn trace(self: &Rc<Self>, trace: Trace) {
        self.trace.replace(trace);
        self.update();
    }

    /// The block that is open in the drawing.
    pub fn open_block_now(&self) -> Option<u32> {
        self.known.borrow().open
    }

    /// Whether what is chosen can be the end of a route.
    pub fn is_end(&self, scene: &Scene) -> bool {
        let Some(Spot::Node(node)) = self.pinned.get() else { return false };
        let dot = scene.node(node);
        let mut shown = false;
        self.store.with_desk(|_| shown = true);
        shown && dot.kind != Kind::Block && !dot.broken
    }

    /// Offers the names of switches and endpoints, the first of them where there are many.
    pub fn name_ends(&self, markup: &mut String) {
        let Some((scene, ..)) = self.shown() else { return };
        let ends = scene.nodes().filter(|(_, dot)| dot.kind != Kind::Block && !dot.broken);
        for (node, _) in ends.take(MOST_NAMES) {
            markup.push_str("<option value=\"");
            markup.push_str(&escaped(scene.name(node)));
            markup.push_str("\">");
        }
    }

    /// Makes what is chosen an end of the route that is looked at.
    pub fn name_end(&self, which: &str) {
        let Some((scene, ..)) = self.shown() else { return };
        if let Some(Spot::Node(node)) = self.pinned.get() {
            self.store.name_end(which, scene.name(node));
        }
    }
}
