//! Dragonflies (Kim et al. 2008; Prisacari 2020, §4.2, §5.2, §6.2).
//!
//! ```text
//!   group 0            group 1           p endpoints per switch
//!  ┌─────────┐        ┌─────────┐        a switches per group, all joined to each other
//!  │ s0 ─ s1 │════════│ s0 ─ s1 │        h global links per switch
//!  └─────────┘        └─────────┘        up to a·h + 1 groups
//! ```
//! Endpoint `(g·a + s)·p + n` hangs on port `n` of switch `s` of group `g`.
//!
//! With `local=flattened` a group is a flattened butterfly of two dimensions, as in the Cascade
//! network (Faanes et al. 2012): its switches stand in rows, and each is joined to every other of
//! its row and of its column. That takes `rows + columns - 2` local ports instead of `a - 1`.

use super::size::{presets, sizes};
use super::{Build, attach_endpoints, finish, limit_size};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{
    Builder, Groups, LinkClass, Links, Network, Node, PortId, Structure, SwitchId,
};

mod members;

use members::PRESETS;

crate::choices! {
    /// Which switches of a group are joined.
    pub enum LocalLinks {
        /// Every two.
        Mesh = "mesh", "Full mesh";
        /// Every two of one row or one column.
        Flattened = "flattened", "Flattened butterfly";
    }
}

crate::choices! {
    /// Which global port leads to which group.
    pub enum Wiring {
        /// Port k of group g leads to group g + k + 1, so every group looks the same.
        Palmtree = "palmtree", "Palm tree";
        /// Port k of group g leads to the k-th other group in order.
        Consecutive = "consecutive", "Consecutive";
    }
}

/// A dragonfly; `groups` left out is the largest, `a·h + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dragonfly {
    /// Which switches of a group are joined.
    pub local: LocalLinks,
    /// Endpoints per switch (p).
    pub endpoints: u32,
    /// Switches per group (a).
    pub switches: u32,
    /// Global links per switch (h).
    pub global_links: u32,
    /// Number of groups.
    pub groups: Option<u32>,
    /// Which global port leads where.
    pub wiring: Wiring,
    /// Rows of a flattened butterfly; without a number the rows and columns are as equal as can be.
    pub rows: Option<u32>,
}

impl Default for Dragonfly {
    fn default() -> Dragonfly {
        Dragonfly::of(4, 8, 4)
    }
}

impl Settings for Dragonfly {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &PRESETS);
        form.setting(
            Setting::choice(
                "local",
                "Links in a group",
                "Whether every two switches of a group are joined, or those of a row and a column.",
                &mut self.local,
            )
            .advanced(),
        );
        sizes(form, self, 3, Dragonfly::balanced);
        form.setting(Setting::number(
            "p",
            "Endpoints per switch",
            "Endpoints on each switch; balanced when a = 2p and h = p (a = 4p² when flattened).",
            &mut self.endpoints,
            1..=64,
        ));
        form.setting(Setting::number(
            "a",
            "Switches per group",
            "Switches in a group, each joined to every other (or its row and column).",
            &mut self.switches,
            1..=128,
        ));
        form.setting(Setting::number(
            "h",
            "Global links per switch",
            "Links of each switch to other groups.",
            &mut self.global_links,
            1..=64,
        ));
        self.arrangement(form);
    }
}

impl Dragonfly {
    /// Shows how the groups and the switches within them are arranged.
    fn arrangement(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::optional(
                "groups",
                "Groups",
                "From 2 to a·h + 1 (max); with fewer, several links join each pair of groups.",
                &mut self.groups,
                "max",
                2..=8193,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "wiring",
                "Global wiring",
                "Which global port leads to which group.",
                &mut self.wiring,
            )
            .advanced(),
        );
        form.setting(
            Setting::optional(
                "rows",
                "Rows of a group",
                "Rows of switches in a group with local=flattened; it divides a.",
                &mut self.rows,
                "auto",
                2..=64,
            )
            .advanced(),
        );
    }
}

impl Part for Dragonfly {
    fn name(&self) -> &'static str {
        "dragonfly"
    }
    fn label(&self) -> &'static str {
        "Dragonfly"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Groups of fully joined switches, with global links between all groups (Kim et al. 2008; \
         Prisacari 2020, §4.2).",
        )
    }
}

impl Build for Dragonfly {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let [p, a, h] = [self.endpoints, self.switches, self.global_links];
        let group_count = self.group_count()?;
        let columns = self.columns()?;
        let first_global = p + columns - 1 + a / columns - 1;
        let radix = first_global + h;
        let ports = u64::from(a) * u64::from(group_count) * u64::from(p + radix);
        limit_size("a", &a.to_string(), Some(ports))?;

        let mut builder = Builder::new(links);
        builder.switches(group_count * a, radix);
        attach_endpoints(&mut builder, group_count * a, p);
        for group in 0..group_count {
            self.link_locally(&mut builder, group, columns);
        }
        let global = self.link_globally(&mut builder, group_count, first_global);
        finish(builder, Structure::Groups(Groups::new([p, a, h, group_count], columns, global)))
    }

    fn is_held(&self) -> bool {
        cfg!(feature = "complete") || (self.local == LocalLinks::Mesh && self.is_modest())
    }
}

/// With more switches the pairs of them may be too many to be walked before a run, and what is measured where
/// no bound is known takes the complete build.
pub(crate) const MOST_SWITCHES: u64 = 10_000;

impl Dragonfly {
    /// Whether there are no more than [`MOST_SWITCHES`].
    fn is_modest(&self) -> bool {
        let [a, h] = [self.switches, self.global_links].map(u64::from);
        a.saturating_mul(self.groups.map_or(a * h + 1, u64::from)) <= MOST_SWITCHES
    }

    /// Switches in a row of a group; all of them in a full mesh.
    fn columns(&self) -> Result<u32, Vec<Problem>> {
        match (self.local, self.rows) {
            (LocalLinks::Mesh, None) => Ok(self.switches),
            (LocalLinks::Mesh, Some(rows)) => {
                let allowed = "a full mesh has no rows, allowed: auto, or local=flattened";
                Err(vec![Problem::new("rows", rows.to_string(), allowed)])
            }
            (LocalLinks::Flattened, _) if !cfg!(feature = "complete") => Ok(self.switches),
            (LocalLinks::Flattened, Some(rows)) => self.columns_in(rows),
            (LocalLinks::Flattened, None) => self.squarest_columns(),
        }
    }

    /// Switches in each of so many rows.
    fn columns_in(&self, rows: u32) -> Result<u32, Vec<Problem>> {
        let a = self.switches;
        let fitting: Vec<u32> = (2..a).filter(|rows| a.is_multiple_of(*rows)).collect();
        if fitting.contains(&rows) {
            return Ok(a / rows);
        }
        let list: Vec<String> = fitting.iter().map(u32::to_string).chain(["auto".into()]).collect();
        let allowed = format!("rows of equal length divide a = {a}, allowed: {}", list.join(", "));
        let nearest = fitting.iter().min_by_key(|each| each.abs_diff(rows));
        let nearest = Some(nearest.map_or("auto".to_owned(), u32::to_string));
        Err(vec![Problem { nearest, ..Problem::new("rows", rows.to_string(), allowed) }])
    }

    /// Switches in a row when there are as many rows as columns, or somewhat fewer. Up to three
    /// switches are one row, which is a full mesh.
    fn squarest_columns(&self) -> Result<u32, Vec<Problem>> {
        let a = self.switches;
        let rows =
            (1..=a).take_while(|rows| rows * rows <= a).filter(|rows| a.is_multiple_of(*rows));
        match rows.last() {
            Some(rows) if rows > 1 || a <= 3 => Ok(a / rows),
            _ => {
                let allowed = "with local=flattened switches stand in rows and columns, allowed: \
                               1 to 3, and numbers that are no primes";
                let nearest = Some((a + 1).to_string());
                Err(vec![Problem { nearest, ..Problem::new("a", a.to_string(), allowed) }])
            }
        }
    }

    fn group_count(&self) -> Result<u32, Vec<Problem>> {
        let most = self.switches * self.global_links + 1;
        match self.groups {
            None => Ok(most),
            Some(groups) if groups > most => {
                let allowed = format!("allowed: 2 to a·h + 1 = {most}, or max");
                let mut problem = Problem::new("groups", groups.to_string(), allowed);
                problem.nearest = Some(most.to_string());
                Err(vec![problem])
            }
            Some(groups) if groups < most && self.wiring == Wiring::Consecutive => {
                let allowed = format!("consecutive wiring is defined for groups={most} only");
                Err(vec![Problem::new("wiring", "consecutive", allowed)])
            }
            Some(groups) => Ok(groups),
        }
    }

    fn link_locally(&self, builder: &mut Builder, group: u32, columns: u32) {
        let (a, p) = (self.switches, self.endpoints);
        let mut join = |low: u32, high: u32, first: u32, places: [u32; 2]| {
            let switch = |place| Node::Switch(SwitchId(group * a + place));
            let [low_port, high_port] = [first + places[1] - 1, first + places[0]];
            builder.link((switch(low), low_port), (switch(high), high_port), LinkClass::Local);
        };
        for low in 0..a {
            let (row, column) = (low / columns, low % columns);
            for other in column + 1..columns {
                join(low, row * columns + other, p, [column, other]);
            }
            for other in row + 1..a / columns {
                join(low, other * columns + column, p + columns - 1, [row, other]);
            }
        }
    }

    /// Adds the global links and lists, for every pair of groups, the ports between them.
    fn link_globally(
        &self,
        builder: &mut Builder,
        group_count: u32,
        first_global: u32,
    ) -> Vec<PortId> {
        let (a, h) = (self.switches, self.global_links);
        let radix = first_global + h;
        let place =
            |group: u32, port: u32| (SwitchId(group * a + port / h), first_global + port % h);
        let others = group_count - 1;
        let per_pair = a * h / others;
        let mut between = vec![PortId(0); (group_count * others * per_pair) as usize];
        for group in 0..group_count {
            for port in 0..per_pair * others {
                let (target, target_port) = self.opposite(group, port, group_count);
                let (switch, number) = place(group, port);
                let pair = group * others + target - u32::from(target > group);
                between[(pair * per_pair + port / others) as usize] =
                    PortId(switch.0 * radix + number);
                if group < target {
                    let (other, other_number) = place(target, target_port);
                    builder.link(
                        (Node::Switch(switch), number),
                        (Node::Switch(other), other_number),
                        LinkClass::Global,
                    );
                }
            }
        }
        between
    }

    /// The group and its global port at the other end of a group's global port (0 to a·h - 1).
    ///
    /// Every pair of groups has `c = ⌊a·h / (G - 1)⌋` links; ports from c·(G - 1) on are left over
    /// and stay unused. With the largest G this is the palm-tree wiring.
    fn opposite(&self, group: u32, port: u32, group_count: u32) -> (u32, u32) {
        let others = group_count - 1;
        match self.wiring {
            Wiring::Palmtree => {
                let (round, distance) = (port / others, port % others + 1);
                let target = (group + distance) % group_count;
                (target, round * others + others - distance)
            }
            Wiring::Consecutive => {
                let target = if port < group { port } else { port + 1 };
                (target, if group < target { group } else { group - 1 })
            }
        }
    }
}

#[cfg(test)]
mod tests;
