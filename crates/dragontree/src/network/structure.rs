//! What a network's regularity is called: the coordinates that algebraic routings need.

use super::SwitchId;

mod grid;
mod groups;
mod layered;
mod tree;

pub use grid::{Grid, Lines};
pub use groups::Groups;
pub use layered::{Layer, Layered, Mms, Subnets};
pub use tree::{Tree, UpPorts};

/// A part cannot work on a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{part} needs {structure}; this network has {found}")]
pub struct Needs {
    /// The part's name.
    pub part: &'static str,
    /// The structure it needs.
    pub structure: &'static str,
    /// What the network has instead.
    pub found: &'static str,
}

/// The regularity of a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Structure {
    /// A fat tree: levels of switches, endpoints at level 0.
    Tree(Tree),
    /// Switches in layers, without the digits of a tree.
    Layered(Layered),
    /// Switches at the points of a grid.
    Grid(Grid),
    /// Groups of switches joined by global links.
    Groups(Groups),
    /// The two halves of a McKay-Miller-Širáň graph.
    Mms(Mms),
    /// Trees of their own, joined by routers.
    Subnets(Subnets),
    /// None that is known.
    Irregular,
}

impl Structure {
    /// What it is called in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Structure::Tree(_) => "a tree",
            Structure::Layered(_) => "layers",
            Structure::Grid(_) => "a grid",
            Structure::Groups(_) => "groups",
            Structure::Mms(_) => "the halves of a Slim Fly",
            Structure::Subnets(_) => "subnets",
            Structure::Irregular => "no known structure",
        }
    }

    /// A switch's name by its place.
    pub fn switch_name(&self, switch: SwitchId) -> String {
        match self {
            Structure::Tree(tree) => {
                format!("switch {} of level {}", tree.index(switch), tree.level(switch))
            }
            Structure::Layered(layered) => layered.switch_name(switch),
            Structure::Grid(grid) => grid.switch_name(switch),
            Structure::Groups(groups) => {
                format!("switch {} of group {}", groups.place(switch), groups.group(switch))
            }
            Structure::Mms(mms) => mms.switch_name(switch),
            Structure::Subnets(subnets) => subnets.switch_name(switch),
            Structure::Irregular => format!("switch {}", switch.0),
        }
    }
}
