//! Blocks of a Cartesian domain in the groups of a dragonfly.

use super::{Place, Unfit};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{EndpointId, Needs, Network, PortId, Structure};
use crate::random::Stream;

crate::choices! {
    /// Which ranks share a group.
    pub enum Gathering {
        /// A block of the domain.
        Cartesian = "cartesian", "blocks of the domain";
        /// As many ranks, drawn at random.
        Random = "random", "any ranks";
    }
}

/// So many ranks in each group, which may leave endpoints idle; the groups, and the endpoints in
/// them, are drawn at random (Prisacari 2020, §5.3.2). A rank is a task of the domain, the first
/// dimension running fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// Ranks along each dimension of the domain (β).
    pub tasks: Vec<u32>,
    /// Ranks of a group along each dimension (γ); each divides the ranks.
    pub block: Vec<u32>,
    /// Which ranks share a group.
    pub order: Gathering,
    /// The placement's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Default for Blocks {
    fn default() -> Blocks {
        let order = Gathering::default();
        Blocks { tasks: vec![4; 3], block: vec![2; 3], order, seed: None }
    }
}

impl Settings for Blocks {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::numbers(
            "tasks",
            "Tasks",
            "Ranks along each dimension, the first running fastest.",
            &mut self.tasks,
            1..=1_000_000,
            8,
        ));
        form.setting(Setting::numbers(
            "block",
            "Block",
            "Ranks of a group along each dimension; each divides the tasks.",
            &mut self.block,
            1..=1_000_000,
            8,
        ));
        form.setting(
            Setting::choice(
                "order",
                "Ranks of a group",
                "A block of the domain, or as many ranks from anywhere.",
                &mut self.order,
            )
            .advanced(),
        );
        form.setting(
            Setting::optional(
                "seed",
                "Placement seed",
                "Seed of the random choices; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }
    fn label(&self) -> &'static str {
        "Blocks in groups"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A block of a domain in each group of a dragonfly (Prisacari 2020, §5.3.2).",
        )
    }
}

fn joined(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

/// The product, at most the largest number there is.
fn product(widths: &[u32]) -> u64 {
    widths.iter().fold(1, |product: u64, width| product.saturating_mul(u64::from(*width)))
}

impl Blocks {
    /// The number of ranks of a block.
    fn size(&self) -> u64 {
        product(&self.block)
    }

    /// Which block each rank is in, blocks counted like ranks.
    fn blocks(&self) -> Result<Vec<u32>, Unfit> {
        let refuse = |allowed: String| {
            let given = joined(&self.block);
            Err(Unfit::Problem(Problem::new("block", given, allowed)))
        };
        if self.block.len() != self.tasks.len() {
            let [block, tasks] = [self.block.len(), self.tasks.len()];
            return refuse(format!("these are {block} dimensions, allowed: {tasks}, as in tasks="));
        }
        let both = || self.tasks.iter().zip(&self.block);
        if let Some((tasks, width)) = both().find(|(tasks, width)| *tasks % *width != 0) {
            return refuse(format!("{width} does not divide {tasks} tasks; allowed: divisors"));
        }
        let count = product(&self.tasks);
        if count > MOST_RANKS {
            let (given, allowed) =
                (joined(&self.tasks), format!("{count} tasks, allowed: up to {MOST_RANKS}"));
            return Err(Unfit::Problem(Problem::new("tasks", given, allowed)));
        }
        let block = |rank: u64| {
            let (mut left, mut weight, mut number) = (rank, 1, 0);
            for (tasks, width) in both() {
                let own = left % u64::from(*tasks);
                number += own / u64::from(*width) * weight;
                weight *= u64::from(tasks / width);
                left /= u64::from(*tasks);
            }
            number as u32
        };
        Ok((0..count).map(block).collect())
    }
}

/// The most ranks that are placed.
const MOST_RANKS: u64 = 1 << 24;

impl Place for Blocks {
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        let Structure::Groups(groups) = network.structure() else {
            let (part, structure) = (self.name(), "groups");
            return Err(Needs { part, structure, found: network.structure().name() }.into());
        };
        let mut blocks = self.blocks()?;
        let (size, count) = (self.size(), blocks.iter().max().map_or(0, |last| last + 1));
        let mut stream = Stream::new(self.seed.unwrap_or(seed), "blocks", 0);
        if self.order == Gathering::Random {
            stream.shuffle(&mut blocks);
        }
        let mut free: Vec<Vec<PortId>> = vec![Vec::new(); groups.group_count as usize];
        for (endpoint, port) in (0..).map(EndpointId).zip(ports) {
            let (Some(port), Some(switch)) = (port, network.switch_of(endpoint)) else { continue };
            free[groups.group(switch) as usize].push(*port);
        }
        free.retain(|ports| ports.len() as u64 >= size);
        if (free.len() as u64) < u64::from(count) {
            let room = groups.endpoints_per_switch * groups.switches_per_group;
            let allowed = format!(
                "{count} blocks of {size} ranks need as many groups with that many endpoints, and {} \
                 have them; the fabric has {} groups of up to {room} endpoints",
                free.len(),
                groups.group_count
            );
            let problem = Problem::new("block", joined(&self.block), allowed);
            return Err(Unfit::Problem(problem));
        }
        free.iter_mut().for_each(|ports| stream.shuffle(ports));
        stream.shuffle(&mut free);
        Ok(blocks.into_iter().map(|block| free[block as usize].pop()).collect())
    }
}
