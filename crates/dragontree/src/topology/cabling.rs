//! What fat trees share: the order of their up ports, and which places are filled.

use crate::catalog::{Form, Problem, Setting};
use crate::network::{EndpointId, Tree, UpPorts};

crate::choices! {
    /// The order in which a switch's up ports lead to its parents.
    pub enum PortOrder {
        /// All links to the first parent, then all to the second, and so on.
        Grouped = "grouped", "Parent by parent";
        /// One link to each parent, then the second link to each, and so on.
        Interleaved = "interleaved", "One to each parent in turn";
    }
}

/// How a tree is cabled and how far it is filled. What is absent leaves its place: endpoint slots
/// stay empty, switches have no cable.
///
/// ```text
/// ports=grouped   A A B B        roots=2   o   o   .    (the third root is absent)
/// interleaved     A B A B        leaves=3  o   o   o   .
/// reversed        B B A A        filled=1  0 . 2 . 4 . . .
/// ```
/// `reversed` leaf switches, counted from the last, have their up ports in reverse order: three
/// leaves `A A B B` and one `B B A A` are the cabling of a row of Zahavi 2009, Table I, that no
/// other order reproduces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cabling {
    /// The order of the up ports, which shows where several links lead to one parent.
    pub ports: PortOrder,
    /// How many leaf switches, from the last, have their up ports in reverse order.
    pub reversed: u32,
    /// Endpoints on each leaf switch; all slots when left out.
    pub filled: Option<u32>,
    /// Leaf switches that are there, from the first; all when left out.
    pub leaves: Option<u32>,
    /// Roots that are there, from the first; all when left out.
    pub roots: Option<u32>,
}

const MOST: u32 = 1_000_000;

impl Cabling {
    /// Shows the settings.
    pub(super) fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::choice(
                "ports",
                "Up ports",
                "The order in which up ports lead to the parents, where parallel links do.",
                &mut self.ports,
            )
            .advanced(),
        );
        form.setting(
            Setting::number(
                "reversed",
                "Reversed leaves",
                "How many leaf switches, from the last, have their up ports in reverse order.",
                &mut self.reversed,
                0..=MOST,
            )
            .advanced(),
        );
        let counts: [(_, _, _, &mut Option<u32>); 3] = [
            (
                "filled",
                "Filled slots",
                "Endpoints on each leaf switch; the slots of the others stay empty.",
                &mut self.filled,
            ),
            (
                "leaves",
                "Leaf switches present",
                "Leaf switches that are there, from the first; the slots of the others stay empty.",
                &mut self.leaves,
            ),
            (
                "roots",
                "Roots present",
                "Top switches that are there, from the first; the others have no cable.",
                &mut self.roots,
            ),
        ];
        for (key, label, help, count) in counts {
            form.setting(Setting::optional(key, label, help, count, "all", 1..=MOST).advanced());
        }
    }

    /// Refuses more than the tree has.
    pub(super) fn check(&self, tree: &Tree) -> Result<(), Vec<Problem>> {
        let wrong = |key: &str, given: u32, lowest: u32, most: u32, word: &str| {
            (given > most || given < lowest).then(|| {
                let allowed = format!("this tree allows {lowest} to {most}{word}");
                let nearest = Some(given.clamp(lowest, most).to_string());
                Problem { nearest, ..Problem::new(key, given.to_string(), allowed) }
            })
        };
        let counts = [
            ("filled", self.filled, tree.children(1)),
            ("leaves", self.leaves, tree.width(1)),
            ("roots", self.roots, tree.width(tree.levels())),
        ];
        let counts = counts
            .iter()
            .filter_map(|(key, given, most)| wrong(key, (*given)?, 1, *most, ", or all"));
        let reversed = wrong("reversed", self.reversed, 0, tree.width(1), "");
        let problems: Vec<Problem> = reversed.into_iter().chain(counts).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    pub(super) fn up_ports(&self) -> UpPorts {
        UpPorts {
            interleaved: self.ports == PortOrder::Interleaved,
            reversed_leaves: self.reversed,
        }
    }

    /// Whether there is a node at a place of a level; level 0 are the endpoint slots.
    pub(super) fn is_there(&self, tree: &Tree, level: u32, index: u32) -> bool {
        let within = |index: u32, count: Option<u32>| count.is_none_or(|count| index < count);
        match level {
            0 => within(tree.child_digit(1, EndpointId(index)), self.filled),
            _ => {
                (level > 1 || within(index, self.leaves))
                    && (level < tree.levels() || within(index, self.roots))
            }
        }
    }
}
