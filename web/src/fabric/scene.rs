//! A drawing with what the page needs to find its way in it.

use dragontree_plot::Format;
use dragontree_worker::{Bundle, Dot, Kind, Loads, Picture};

/// A place on the screen or on the drawing.
pub type Point = [f32; 2];

/// About how wide a letter of a caption is.
const LETTER: f32 = 6.4;

/// A drawing and the study's run whose network it shows.
pub struct Scene {
    /// The drawing.
    pub picture: Picture,
    /// The run, by its place in the study's plan.
    pub job: u32,
    /// Where the name of each node begins.
    names: Vec<u32>,
}

/// What is pointed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A node.
    Node(u32),
    /// A bundle, as seen from one of its ends.
    Link {
        /// The bundle.
        bundle: u32,
        /// The end.
        from: u32,
    },
}

impl Scene {
    /// The scene of a drawing.
    pub fn new(picture: Picture, job: u32) -> Scene {
        let mut names = vec![0];
        let ends = picture.names().bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        names.extend(ends.map(|(at, _)| at as u32 + 1));
        Scene { picture, job, names }
    }

    /// Every node.
    pub fn nodes(&self) -> impl Iterator<Item = (u32, Dot)> + '_ {
        (0..self.picture.node_count() as u32).map(|node| (node, self.node(node)))
    }

    /// A node.
    pub fn node(&self, node: u32) -> Dot {
        self.picture.node(node as usize)
    }

    /// Every bundle.
    pub fn bundles(&self) -> impl Iterator<Item = (u32, Bundle)> + '_ {
        (0..self.picture.bundle_count() as u32).map(|bundle| (bundle, self.bundle(bundle)))
    }

    /// A bundle.
    pub fn bundle(&self, bundle: u32) -> Bundle {
        self.picture.bundle(bundle as usize)
    }

    /// The name of a node.
    pub fn name(&self, node: u32) -> &str {
        let (from, to) = (self.names[node as usize], self.names[node as usize + 1]);
        &self.picture.names()[from as usize..to as usize - 1]
    }

    /// The bundles at a node, with the node at the other end.
    pub fn links_of(&self, node: u32) -> Vec<(u32, u32)> {
        let other = |(bundle, Bundle { ends: [one, other], .. }): (u32, Bundle)| match node {
            _ if one == node => Some((bundle, other)),
            _ if other == node => Some((bundle, one)),
            _ => None,
        };
        self.bundles().filter_map(other).collect()
    }

    /// The node at the other end of a bundle.
    pub fn other_end(&self, bundle: u32, from: u32) -> u32 {
        let [one, other] = self.bundle(bundle).ends;
        if one == from { other } else { one }
    }

    /// The bundle of the busiest channel, as seen from where that leads from.
    pub fn busiest(&self, loads: &Loads) -> Option<Spot> {
        let (bundle, forward) = loads.busiest?;
        Some(Spot::Link { bundle, from: self.bundle(bundle).ends[usize::from(!forward)] })
    }

    /// The block that a spot is, when it can be opened.
    pub fn can_open(&self, spot: Spot) -> Option<u32> {
        let Spot::Node(node) = spot else { return None };
        let dot = self.node(node);
        (dot.kind == Kind::Block && dot.opens).then_some(dot.id)
    }

    /// Whether nodes and bundles have the same numbers in another scene.
    pub fn resembles(&self, other: &Scene) -> bool {
        let (one, other) = (&self.picture, &other.picture);
        one.node_count() == other.node_count()
            && one.bundle_count() == other.bundle_count()
            && one.open == other.open
    }

    /// Room for words around the drawing: left, top, right, bottom.
    pub fn margins(&self) -> [f32; 4] {
        let (mut rows, mut others) = (false, false);
        // Words in rows stand left of the drawing.
        let mut left = 76.0_f32;
        for (text, [x, ..]) in self.picture.captions() {
            (rows, others) = (rows || x.is_nan(), others || !x.is_nan());
            if x.is_nan() {
                left = left.max(text.len() as f32 * LETTER + 26.0);
            }
        }
        match (self.picture.matrix, rows, others) {
            (true, ..) => [48.0, 24.0, 16.0, 16.0],
            (_, true, true) => [left, 20.0, 20.0, 34.0],
            (_, true, false) => [left, 20.0, 20.0, 20.0],
            (_, false, true) => [30.0, 26.0, 30.0, 26.0],
            (_, false, false) => [24.0; 4],
        }
    }

    /// The corners of what is drawn; of an open block its own nodes.
    pub fn corners(&self) -> (Point, Point) {
        let open = self.picture.open.is_some() && !self.picture.matrix;
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        let nodes = self.nodes().filter(|(_, dot)| !open || dot.kind != Kind::Block);
        let captions = self.picture.captions().filter(|(_, [x, ..])| !open && !x.is_nan());
        let captions = captions.map(|(_, [x, y, ..])| [x, y]);
        let links = 0..if open { 0 } else { self.picture.bundle_count() };
        // Where a curve is farthest from the straight line.
        let middles = links.map(|link| {
            let Bundle { ends, control, .. } = self.picture.bundle(link);
            let [one, other] = ends.map(|end| self.picture.node(end as usize).at);
            [0, 1].map(|side: usize| (one[side] + other[side]) / 4.0 + control[side] / 2.0)
        });
        for at in nodes.map(|(_, dot)| dot.at).chain(captions).chain(middles) {
            for side in 0..2 {
                // What has no place leaves these as they are.
                low[side] = low[side].min(at[side]);
                high[side] = high[side].max(at[side]);
            }
        }
        match self.picture.matrix {
            true => ([0.0; 2], [1.0; 2]),
            false => (low, high),
        }
    }
}

/// What the numbers on the links mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Shares of a link's rate at this offered load.
    Load(f32),
    /// Flows that share a link in the worst stage, as shares of so many.
    Flows(f32),
    /// Shares of a time that a link was busy: a short one until so many nanoseconds, or all that is
    /// measured of a run.
    Busy(Option<f64>),
    /// Shares of the time that is measured of a run with this offered load.
    BusyAt(f32),
}

impl Measure {
    /// By what a number is multiplied before it is a share of a full link.
    pub fn factor(self) -> f32 {
        match self {
            Measure::Load(offered) => offered,
            Measure::Flows(_) | Measure::Busy(_) | Measure::BusyAt(_) => 1.0,
        }
    }

    /// A share in words.
    pub fn text(self, share: f32) -> String {
        match self {
            Measure::Load(_) | Measure::Busy(_) | Measure::BusyAt(_) => percent(share),
            Measure::Flows(most) => {
                Format::Number.text(f64::from((share * most * 1e3).round() / 1e3))
            }
        }
    }
}

/// A load; what would be more than full is full.
pub fn percent(load: f32) -> String {
    // Single precision leaves traces beyond the sixth digit.
    let load = f64::from(load.min(1.0));
    Format::Percent.text((load * 1e6).round() / 1e6)
}

/// The expected load of a bundle from one end, and back, at an offered load.
pub fn both_ways(loads: &Loads, bundle: u32, forward: bool, offered: f32) -> [f32; 2] {
    let at = 2 * bundle as usize;
    let load = |way: usize| loads.bundles.get(at + way).copied().unwrap_or(0.0) * offered;
    if forward { [load(0), load(1)] } else { [load(1), load(0)] }
}

/// A place on a quadratic curve, at a share of its way.
pub fn on_curve([from, control, to]: [Point; 3], share: f32) -> Point {
    let rest = 1.0 - share;
    let mix = |axis: usize| {
        rest * rest * from[axis] + 2.0 * rest * share * control[axis] + share * share * to[axis]
    };
    [mix(0), mix(1)]
}
