//! The drawing of a network on its way to the page.
//!
//! Small networks are drawn link by link, parallel links as one **bundle**. In large ones a node of
//! the drawing is a block of switches, and a bundle all links between two blocks; a block can be
//! opened, which shows its own switches among the other blocks. Where even blocks have too many
//! bundles the drawing is a matrix, with the nodes on its diagonal.

mod bundle;
mod load;
mod paint;
mod parcel;

pub use load::loads;
#[cfg(feature = "complete")]
pub use load::{Steps, busy, flows, trails};
pub use paint::picture;
pub use parcel::Parcel;

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
    /// Where it is drawn; an empty slot has no place, which is no number.
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
    /// Class, rate and latency, by the place in the kinds of the picture.
    pub kind: u32,
    /// The first working link, by a switch and the port there.
    pub working: Option<[u32; 2]>,
    /// The first link that is broken by itself, not with a switch.
    pub failed: Option<[u32; 2]>,
}

/// What is broken or missing by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// Links, each by a switch and the port there.
    pub links: Vec<[u32; 2]>,
    /// Switches.
    pub switches: Vec<u32>,
    /// Endpoints.
    pub endpoints: Vec<u32>,
}

/// The drawing of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Whether bundles are the cells of a matrix instead of curves.
    pub matrix: bool,
    /// Whether width and height may be scaled independently.
    pub stretches: bool,
    /// The block that is open.
    pub open: Option<u32>,
    /// What is broken.
    pub broken: Broken,
    /// Numbers of the nodes, and their places.
    nodes: Vec<u32>,
    places: Vec<f32>,
    /// Numbers of the bundles, and their control points.
    bundles: Vec<u32>,
    controls: Vec<f32>,
    /// Places and directions of the captions.
    anchors: Vec<f32>,
    /// Names of the nodes, class, rate and latency of the links, captions: a line each.
    names: String,
    kinds: String,
    captions: String,
}

/// Numbers per node, per bundle and per caption.
const NODE: usize = 4;
const BUNDLE: usize = 9;
const ANCHOR: usize = 4;
/// Stands for no number.
const NONE: u32 = u32::MAX;

impl Picture {
    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len() / NODE
    }

    /// A node of the drawing.
    pub fn node(&self, node: usize) -> Dot {
        let (at, numbers) = (&self.places[node * 2..], &self.nodes[node * NODE..]);
        Dot {
            at: [at[0], at[1]],
            kind: match numbers[0] & 3 {
                0 => Kind::Switch,
                1 => Kind::Endpoint,
                _ => Kind::Block,
            },
            broken: numbers[0] & 4 != 0,
            opens: numbers[0] & 8 != 0,
            id: numbers[1],
            used: numbers[2],
            all: numbers[3],
        }
    }

    fn add_node(&mut self, dot: Dot, name: &str) {
        let kind = match dot.kind {
            Kind::Switch => 0,
            Kind::Endpoint => 1,
            Kind::Block => 2,
        };
        let bits = kind + 4 * u32::from(dot.broken) + 8 * u32::from(dot.opens);
        self.places.extend(dot.at);
        self.nodes.extend([bits, dot.id, dot.used, dot.all]);
        add_line(&mut self.names, name);
    }

    /// The names of the nodes, one per line.
    pub fn names(&self) -> &str {
        &self.names
    }

    /// The number of bundles.
    pub fn bundle_count(&self) -> usize {
        self.bundles.len() / BUNDLE
    }

    /// A bundle.
    pub fn bundle(&self, bundle: usize) -> Bundle {
        let numbers = &self.bundles[bundle * BUNDLE..(bundle + 1) * BUNDLE];
        let control = &self.controls[bundle * 2..];
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
        let Bundle { ends: [one, other], control, links, broken, kind, .. } = bundle;
        let [working, failed] = [bundle.working, bundle.failed].map(|it| it.unwrap_or([NONE; 2]));
        self.controls.extend(control);
        self.bundles.extend([one, other, links, broken, kind]);
        self.bundles.extend([working[0], working[1], failed[0], failed[1]]);
    }

    /// Class, rate and latency of a kind of links in words.
    pub fn kind(&self, kind: u32) -> &str {
        self.kinds.lines().nth(kind as usize).unwrap_or("link")
    }

    /// Words beside the drawing, each with its place and the direction in which it stands beyond
    /// that; those without a horizontal place stand at the left margin.
    pub fn captions(&self) -> impl Iterator<Item = (&str, [f32; 4])> {
        let anchors = self.anchors.chunks_exact(ANCHOR);
        self.captions.lines().zip(anchors.map(|at| [at[0], at[1], at[2], at[3]]))
    }

    fn add_caption(&mut self, text: &str, anchor: [f32; 4]) {
        add_line(&mut self.captions, text);
        self.anchors.extend(anchor);
    }
}

fn add_line(lines: &mut String, line: &str) {
    lines.push_str(&line.replace(['\n', '\r'], " "));
    lines.push('\n');
}

/// What analysis expects on each bundle when every rank that sends does so at full rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Loads {
    /// For each bundle its fullest link from its first end to its second, then that back, as
    /// multiples of the link's rate.
    pub bundles: Vec<f32>,
    /// The bundle of the busiest channel, and whether it leads from the first end to the second;
    /// none when it is not drawn.
    pub busiest: Option<(u32, bool)>,
    /// How many channels are as busy as that.
    pub alike: u32,
}

#[cfg(test)]
mod tests;
