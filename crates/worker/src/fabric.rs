//! The drawing of a network on its way to the page: numbers in typed arrays, names in one text.
//!
//! Small networks are drawn link by link, parallel links as one **bundle**. In large ones a node of
//! the drawing is a block of switches, and a bundle all links between two blocks; a block can be
//! opened, which shows its own switches among the other blocks. Where even blocks have too many
//! bundles the drawing is a matrix, with the nodes on its diagonal.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_wasm_bindgen::preserve;

mod bundle;
mod load;
mod paint;

pub use load::loads;
pub use paint::picture;

macro_rules! series {
    ($(#[$about:meta])* $name:ident of $number:ty as $array:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name(pub Vec<$number>);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                preserve::serialize(&js_sys::$array::from(&self.0[..]), serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let array: js_sys::$array = preserve::deserialize(deserializer)?;
                Ok($name(array.to_vec()))
            }
        }
    };
}

series! {
    /// Real numbers; a typed array between page and worker.
    Floats of f32 as Float32Array
}
series! {
    /// Counts and ids; a typed array between page and worker.
    Numbers of u32 as Uint32Array
}

/// What a node of the drawing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A switch.
    Switch,
    /// An endpoint.
    Endpoint,
    /// A block of switches with their endpoints.
    Block,
}

/// A node of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Where it is drawn.
    pub at: [f32; 2],
    /// What it is.
    pub kind: Kind,
    /// Its number among those of its kind.
    pub id: u32,
    /// Whether it is broken or missing.
    pub broken: bool,
    /// Whether it is a block that can be opened.
    pub opens: bool,
    /// Ports with a working cable; of a block its switches.
    pub used: u32,
    /// All ports; of a block its endpoints.
    pub all: u32,
}

/// The links between two nodes of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bundle {
    /// The nodes; twice the same for the links within a block.
    pub ends: [u32; 2],
    /// The control point of its curve.
    pub control: [f32; 2],
    /// How many links it holds.
    pub links: u32,
    /// How many of those are broken.
    pub broken: u32,
    /// Class, rate and latency, by the place in [`Picture::kinds`].
    pub kind: u32,
    /// The first working link, by a switch and the port there.
    pub working: Option<[u32; 2]>,
    /// The first link that is broken by itself, not with a switch.
    pub failed: Option<[u32; 2]>,
}

/// The drawing of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Whether bundles are the cells of a matrix instead of curves.
    pub matrix: bool,
    /// Whether width and height may be scaled independently.
    pub stretches: bool,
    /// The block that is open.
    pub open: Option<u32>,
    places: Floats,
    about: Numbers,
    names: String,
    curves: Floats,
    bundles: Numbers,
    kinds: String,
    captions: String,
    anchors: Floats,
    /// What is broken by itself: links (each a switch and a port).
    pub links: Numbers,
    /// Switches that are broken.
    pub switches: Numbers,
    /// Endpoints that are missing.
    pub endpoints: Numbers,
}

/// Numbers per node in `about` and per bundle in `bundles`.
const ABOUT: usize = 4;
const BUNDLE: usize = 9;
/// Stands for no number.
const NONE: u32 = u32::MAX;

impl Picture {
    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.about.0.len() / ABOUT
    }

    /// A node of the drawing.
    pub fn node(&self, node: usize) -> Dot {
        let (at, about) = (&self.places.0[node * 2..], &self.about.0[node * ABOUT..]);
        Dot {
            at: [at[0], at[1]],
            kind: match about[0] & 3 {
                0 => Kind::Switch,
                1 => Kind::Endpoint,
                _ => Kind::Block,
            },
            broken: about[0] & 4 != 0,
            opens: about[0] & 8 != 0,
            id: about[1],
            used: about[2],
            all: about[3],
        }
    }

    fn add_node(&mut self, dot: Dot, name: &str) {
        let kind = match dot.kind {
            Kind::Switch => 0,
            Kind::Endpoint => 1,
            Kind::Block => 2,
        };
        let bits = kind + 4 * u32::from(dot.broken) + 8 * u32::from(dot.opens);
        self.places.0.extend(dot.at);
        self.about.0.extend([bits, dot.id, dot.used, dot.all]);
        add_line(&mut self.names, name);
    }

    /// The names of the nodes, one per line.
    pub fn names(&self) -> &str {
        &self.names
    }

    /// The number of bundles.
    pub fn bundle_count(&self) -> usize {
        self.bundles.0.len() / BUNDLE
    }

    /// A bundle.
    pub fn bundle(&self, bundle: usize) -> Bundle {
        let numbers = &self.bundles.0[bundle * BUNDLE..];
        let control = &self.curves.0[bundle * 2..];
        let port = |at: usize| (numbers[at] != NONE).then(|| [numbers[at], numbers[at + 1]]);
        Bundle {
            ends: [numbers[0], numbers[1]],
            control: [control[0], control[1]],
            links: numbers[2],
            broken: numbers[3],
            kind: numbers[4],
            working: port(5),
            failed: port(7),
        }
    }

    fn add_bundle(&mut self, bundle: Bundle) {
        let Bundle { ends, control, links, broken, kind, working, failed } = bundle;
        self.curves.0.extend(control);
        self.bundles.0.extend(ends);
        self.bundles.0.extend([links, broken, kind]);
        self.bundles.0.extend(working.unwrap_or([NONE; 2]));
        self.bundles.0.extend(failed.unwrap_or([NONE; 2]));
    }

    /// Class, rate and latency of links in words.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.kinds.lines()
    }

    /// Words beside the drawing, each with its place and the direction in which it stands beyond
    /// that; those without a horizontal place stand at the left margin.
    pub fn captions(&self) -> impl Iterator<Item = (&str, [f32; 4])> {
        let anchors = self.anchors.0.chunks_exact(4);
        self.captions.lines().zip(anchors.map(|at| [at[0], at[1], at[2], at[3]]))
    }

    fn add_caption(&mut self, text: &str, anchor: [f32; 4]) {
        add_line(&mut self.captions, text);
        self.anchors.0.extend(anchor);
    }
}

fn add_line(lines: &mut String, line: &str) {
    lines.extend(line.chars().map(|c| if c == '\n' { ' ' } else { c }));
    lines.push('\n');
}

/// What analysis expects on each bundle when every rank that sends does so at full rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Loads {
    /// For each bundle its fullest link from its first end to its second, then that back, as
    /// multiples of the link's rate.
    pub bundles: Floats,
    /// The bundle of the busiest channel, and whether it leads from the first end to the second;
    /// none when it is not drawn.
    pub busiest: Option<(u32, bool)>,
    /// How many channels are as busy as that.
    pub alike: u32,
    /// The offered load at which the busiest channel fills.
    pub bound: f64,
}

#[cfg(test)]
mod tests;
