//! Why switches form no mesh or torus.

use super::super::{Network, Node, SwitchId};

/// The first reason why the switches of a network form no mesh or torus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAGrid {
    /// There are fewer than two.
    TooSmall,
    /// They are not all connected.
    Apart {
        /// A switch.
        one: SwitchId,
        /// One that cannot be reached from it.
        other: SwitchId,
    },
    /// A switch is next to more others than in any grid of so many switches.
    Degree {
        /// The switch.
        switch: SwitchId,
        /// The number of others.
        neighbors: usize,
        /// How many there could be.
        most: usize,
        /// All switches.
        switches: usize,
    },
    /// Two switches are next to at least three common others; in a grid it is two at most.
    Crowded {
        /// One.
        one: SwitchId,
        /// The other.
        other: SwitchId,
    },
    /// The links between two switches are in line with no others.
    Stray {
        /// One.
        one: SwitchId,
        /// The other.
        other: SwitchId,
    },
    /// The links in line with those between two switches do not join rows of others one by one.
    Uneven {
        /// One.
        one: SwitchId,
        /// The other.
        other: SwitchId,
    },
    /// A switch has no link in a dimension that most others have.
    Lacking {
        /// The switch.
        switch: SwitchId,
        /// A switch that has one.
        one: SwitchId,
        /// Where that leads.
        other: SwitchId,
    },
    /// The dimensions would give far more places than there are switches.
    Sparse {
        /// The widths.
        widths: Vec<u32>,
        /// All switches.
        switches: usize,
    },
    /// Two switches would be at the same place.
    SamePlace {
        /// One.
        one: SwitchId,
        /// The other.
        other: SwitchId,
    },
    /// At some places there is no switch.
    Missing {
        /// The widths.
        widths: Vec<u32>,
        /// Places without a switch.
        empty: usize,
        /// All switches.
        switches: usize,
    },
    /// Two switches are next to each other in a line, and not joined.
    Unjoined {
        /// One.
        one: SwitchId,
        /// The other.
        other: SwitchId,
        /// In which dimension, from 1.
        dimension: usize,
    },
}

impl NotAGrid {
    /// The reason in words.
    pub fn text(&self, network: &Network) -> String {
        let name = |switch: &SwitchId| network.name(Node::Switch(*switch));
        let product =
            |widths: &[u32]| widths.iter().map(u32::to_string).collect::<Vec<_>>().join(" × ");
        match self {
            NotAGrid::TooSmall => "a grid has at least two switches".to_owned(),
            NotAGrid::Apart { one, other } => {
                format!("{} cannot be reached from {}", name(other), name(one))
            }
            NotAGrid::Degree { switch, neighbors, most, switches } => format!(
                "{} is joined to {neighbors} other switches, in a mesh or torus of {switches} it is \
                 {most} at most",
                name(switch)
            ),
            NotAGrid::Crowded { one, other } => format!(
                "{} and {} are joined to more than two common switches",
                name(one),
                name(other)
            ),
            NotAGrid::Stray { one, other } => {
                format!(
                    "the link between {} and {} is in line with no others",
                    name(one),
                    name(other)
                )
            }
            NotAGrid::Uneven { one, other } => format!(
                "the links in line with that between {} and {} do not lead from one row of switches \
                 to the next",
                name(one),
                name(other)
            ),
            NotAGrid::Lacking { switch, one, other } => format!(
                "{} has no link in the dimension of that between {} and {}",
                name(switch),
                name(one),
                name(other)
            ),
            NotAGrid::Sparse { widths, switches } => format!(
                "links are in line as in a grid of {}, and there are {switches} switches",
                product(widths)
            ),
            NotAGrid::SamePlace { one, other } => {
                format!("{} and {} would be at the same place", name(one), name(other))
            }
            NotAGrid::Missing { widths, empty, switches } => format!(
                "of the places of a grid of {} switches {empty} would be empty, with {switches} \
                 switches",
                product(widths)
            ),
            NotAGrid::Unjoined { one, other, dimension } => format!(
                "no link joins {} and {}, which are next to each other in dimension {dimension}",
                name(one),
                name(other)
            ),
        }
    }
}
