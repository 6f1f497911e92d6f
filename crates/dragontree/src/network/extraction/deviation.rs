//! What keeps a network from being the tree that it nearly is, or from being one at all.

use crate::network::{EndpointId, Network, Node, PortId, SwitchId};
use crate::units::Bandwidth;

/// One thing in which a network differs from the tree that is meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Deviation {
    /// Two nodes that belong together have fewer or more links than usual between these levels,
    /// or none.
    Links {
        /// The switch or endpoint below.
        lower: Node,
        /// The switch above.
        upper: SwitchId,
        /// Its links.
        present: u32,
        /// What is usual.
        usual: u32,
    },
    /// A link leads to a switch where none belongs.
    Misplaced {
        /// The port at its end that has a link less than it should elsewhere, if one has: else
        /// at the lower end.
        port: PortId,
        /// Where it should lead, if that shows.
        instead: Option<SwitchId>,
    },
    /// A link is slower than most between its levels.
    Slow {
        /// Its port at the lower end.
        port: PortId,
        /// Its rate.
        bandwidth: Bandwidth,
        /// The rate of most.
        usual: Bandwidth,
    },
    /// A leaf switch has fewer endpoints than the fullest.
    Endpoints {
        /// The leaf switch.
        leaf: SwitchId,
        /// Its endpoints.
        present: u32,
        /// Those of the fullest leaf switch.
        slots: u32,
    },
    /// An endpoint hangs on a switch above the leaf switches.
    Above {
        /// The endpoint.
        endpoint: EndpointId,
        /// The switch.
        switch: SwitchId,
        /// The switch's level.
        level: u32,
    },
    /// An endpoint hangs on several leaf switches of one tree.
    SeveralLeaves {
        /// The endpoint.
        endpoint: EndpointId,
        /// The leaf switches.
        leaves: Vec<SwitchId>,
    },
    /// A switch has fewer or more children than usual on its level, whole subtrees.
    Children {
        /// The switch.
        switch: SwitchId,
        /// Its level.
        level: u32,
        /// Its children.
        present: u32,
        /// What is usual.
        usual: u32,
    },
    /// A switch has fewer or more parents than usual on its level.
    Parents {
        /// The switch.
        switch: SwitchId,
        /// Its level.
        level: u32,
        /// Its parents.
        present: u32,
        /// What is usual.
        usual: u32,
    },
    /// A switch has no place in the tree.
    Outside {
        /// The switch.
        switch: SwitchId,
    },
}

impl Deviation {
    /// The deviation in words.
    pub fn text(&self, network: &Network) -> String {
        let switch = |switch: &SwitchId| network.name(Node::Switch(*switch));
        match self {
            Deviation::Links { lower, upper, present, usual } => format!(
                "{} has {} to {}, usual are {usual}",
                network.name(*lower),
                counted(*present, "link"),
                switch(upper)
            ),
            Deviation::Misplaced { port, instead } => {
                let should = match instead {
                    Some(instead) => format!("it should lead to {}", switch(instead)),
                    None => "no link belongs there".to_owned(),
                };
                format!("{}; {should}", link_text(network, *port))
            }
            Deviation::Slow { port, bandwidth, usual } => {
                format!("{} at {bandwidth}, usual are {usual}", link_text(network, *port))
            }
            Deviation::Endpoints { leaf, present, slots } => {
                format!("{} has {present} of {slots} endpoints", switch(leaf))
            }
            Deviation::Above { endpoint, switch: above, level } => format!(
                "{} hangs on {}, which is on level {level}",
                network.name(Node::Endpoint(*endpoint)),
                switch(above)
            ),
            Deviation::SeveralLeaves { endpoint, leaves } => format!(
                "{} hangs on several leaf switches: {}",
                network.name(Node::Endpoint(*endpoint)),
                leaves.iter().map(switch).collect::<Vec<_>>().join(", ")
            ),
            Deviation::Children { switch: upper, level, present, usual } => format!(
                "{} on level {level} has {} below, usual are {usual}",
                switch(upper),
                counted(*present, "switch")
            ),
            Deviation::Parents { switch: lower, level, present, usual } => format!(
                "{} on level {level} has {} above, usual are {usual}",
                switch(lower),
                counted(*present, "switch")
            ),
            Deviation::Outside { switch: outside } => {
                format!("{} has no place in the tree", switch(outside))
            }
        }
    }
}

/// A number of things, in words.
fn counted(count: u32, thing: &str) -> String {
    match (count, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "switch") => format!("{count} switches"),
        _ => format!("{count} {thing}s"),
    }
}

/// A link, with the numbers of its ports as [`Network::shown_number`] has them.
fn link_text(network: &Network, port: PortId) -> String {
    let end = |port: PortId| {
        format!("{}, port {}", network.name(network.owner(port)), network.shown_number(port))
    };
    match network.peer(port) {
        Some(peer) => format!("{} leads to {}", end(port), end(peer)),
        None => format!("{} has no cable", end(port)),
    }
}

/// Why connected switches are no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotATree {
    /// No switch has an endpoint, so there is nothing to count levels from.
    NoEndpoints {
        /// The lowest switch.
        switch: SwitchId,
    },
    /// Two switches are joined though their levels do not follow one another, and so are many.
    Levels {
        /// One switch.
        switch: SwitchId,
        /// Its level.
        level: u32,
        /// The other switch.
        peer: SwitchId,
        /// Its level.
        peer_level: u32,
    },
    /// There are more levels than any tree has.
    TooHigh {
        /// A switch of the highest level.
        switch: SwitchId,
        /// Its level.
        level: u32,
    },
    /// Two switches are joined, or not joined, other than in most of the rest, and so are many.
    Asymmetric {
        /// The lower switch.
        switch: SwitchId,
        /// The upper switch.
        peer: SwitchId,
        /// The links between them.
        present: u32,
        /// How many there should be.
        usual: u32,
    },
    /// Most of the places of the tree that these switches would be part of are empty.
    Sparse {
        /// A top switch.
        switch: SwitchId,
    },
}

impl NotATree {
    /// The reason in words.
    pub fn text(&self, network: &Network) -> String {
        let name = |switch: &SwitchId| network.name(Node::Switch(*switch));
        match self {
            NotATree::NoEndpoints { switch } => {
                format!("no endpoint hangs on {} or any switch that it is joined to", name(switch))
            }
            NotATree::Levels { switch, level, peer, peer_level } => {
                let (one, other) = (name(switch), name(peer));
                match level == peer_level {
                    true => format!("{one} and {other} are joined, and both are on level {level}"),
                    false => format!(
                        "{one} on level {level} and {other} on level {peer_level} are joined"
                    ),
                }
            }
            NotATree::TooHigh { switch, level } => {
                format!("{} is {level} levels above the nearest endpoint", name(switch))
            }
            NotATree::Asymmetric { switch, peer, present, usual } => format!(
                "no symmetric tree: {} has {} to {}, where {usual} would fit the rest",
                name(switch),
                counted(*present, "link"),
                name(peer)
            ),
            NotATree::Sparse { switch } => format!(
                "no symmetric tree: most places below {} and its like would be empty",
                name(switch)
            ),
        }
    }
}
