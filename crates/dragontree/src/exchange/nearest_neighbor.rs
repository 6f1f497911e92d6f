//! The nearest-neighbor exchange of a domain that is cut into blocks (Prisacari 2020, §5.3.2).

use super::steps::{Neighbors, check_fit, neighbors, to_neighbors};
use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::units::Bytes;

/// Every task sends what lies on each side of its block to the task there.
#[derive(Clone, Debug, PartialEq)]
pub struct NearestNeighbor {
    /// Elements of the domain along each dimension (α).
    pub elements: Vec<u32>,
    /// Tasks along each dimension (β); each divides the elements.
    pub tasks: Vec<u32>,
    /// What is sent for each element of a side (μ).
    pub per_element: Bytes,
}

impl Default for NearestNeighbor {
    fn default() -> NearestNeighbor {
        let (elements, tasks) = (vec![512; 3], vec![4; 3]);
        NearestNeighbor { elements, tasks, per_element: Bytes(1024) }
    }
}

impl Settings for NearestNeighbor {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::numbers(
            "elements",
            "Elements",
            "Elements of the domain along each dimension.",
            &mut self.elements,
            1..=1_000_000,
            8,
        ));
        form.setting(Setting::numbers(
            "tasks",
            "Tasks",
            "Ranks along each dimension, the first running fastest; each divides the elements.",
            &mut self.tasks,
            1..=1_000_000,
            8,
        ));
        form.setting(
            Setting::number(
                "per_element",
                "Sent per element",
                "What is sent for each element on a block's side.",
                &mut self.per_element,
                Bytes(1)..=Bytes(1 << 20),
            )
            .advanced(),
        );
    }
}

impl Part for NearestNeighbor {
    fn name(&self) -> &'static str {
        "nearest_neighbor"
    }
    fn label(&self) -> &'static str {
        "Nearest neighbors"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Blocks of a domain send their sides to their neighbors at once (Prisacari 2020, §5.3.2).",
        )
    }
}

/// The longest message.
const LONGEST: u128 = 1 << 40;

impl NearestNeighbor {
    /// The length of a message along each dimension (Prisacari 2020, Eq. 5.8).
    ///
    /// # Errors
    /// The tasks do not divide the elements, or messages would be too long.
    pub fn sides(&self) -> Result<Vec<Bytes>, Refused> {
        let given = || self.tasks.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        let [dimensions, tasks] = [self.elements.len(), self.tasks.len()];
        if dimensions != tasks {
            let allowed =
                format!("these are {tasks} dimensions, allowed: {dimensions}, as in elements=");
            return Err(Refused::setting("tasks", given(), allowed));
        }
        let both = || self.elements.iter().zip(&self.tasks);
        if let Some((elements, tasks)) = both().find(|(elements, tasks)| *elements % *tasks != 0) {
            let allowed = format!("{tasks} does not divide {elements} elements; allowed: divisors");
            return Err(Refused::setting("tasks", given(), allowed));
        }
        let side = |own: usize| {
            let others = both().enumerate().filter(|(other, _)| *other != own);
            let area = others.map(|(_, (elements, tasks))| u128::from(elements / tasks));
            let bytes = area.product::<u128>() * u128::from(self.per_element.0);
            (bytes <= LONGEST).then_some(Bytes(bytes as u64))
        };
        let sides: Option<Vec<Bytes>> = (0..dimensions).map(side).collect();
        sides.ok_or_else(|| {
            let allowed = format!(
                "a message would be longer than {}, allowed: more tasks or fewer \
                                   elements",
                Bytes(LONGEST as u64)
            );
            Refused::setting("tasks", given(), allowed)
        })
    }

    /// Source, destination and bytes of each message, where the tasks divide the elements.
    ///
    /// # Errors
    /// As [`sides`](Self::sides).
    pub fn messages(&self) -> Result<Vec<(u32, u32, u64)>, Refused> {
        let sides = self.sides()?;
        let message =
            |Neighbors { dimension, ends: [from, to], .. }| (from, to, sides[dimension].0);
        Ok(neighbors(&self.tasks).map(message).collect())
    }
}

impl Closed for NearestNeighbor {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let sides = self.sides()?;
        check_fit("tasks", &self.tasks, site.ranks())?;
        to_neighbors(site.ranks(), &self.tasks, &sides)
    }
}
