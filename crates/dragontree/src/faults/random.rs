//! Random faults: so many links, switches and endpoints, chosen with a seed.

use super::Break;
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Failures, Network, Node};
use crate::random::Stream;

/// Links between switches, switches and endpoints, each uniformly random among all.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    /// How many links between switches fail.
    pub links: u32,
    /// How many switches fail.
    pub switches: u32,
    /// How many endpoints are missing.
    pub endpoints: u32,
    /// The faults' own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Default for Random {
    fn default() -> Random {
        Random { links: 1, switches: 0, endpoints: 0, seed: None }
    }
}

impl Settings for Random {
    fn settings(&mut self, form: &mut dyn Form) {
        let counts: [(_, _, _, &mut u32); 3] = [
            ("links", "Failed links", "How many links between switches fail.", &mut self.links),
            ("switches", "Failed switches", "How many switches fail.", &mut self.switches),
            ("endpoints", "Missing endpoints", "How many endpoints fail.", &mut self.endpoints),
        ];
        for (key, label, help, count) in counts {
            form.setting(Setting::number(key, label, help, count, 0..=1_000_000));
        }
        form.setting(
            Setting::optional(
                "seed",
                "Fault seed",
                "Seed of the choice; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for Random {
    fn name(&self) -> &'static str {
        "random"
    }
    fn label(&self) -> &'static str {
        "Random"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "So many links, switches and endpoints, each uniformly random among all.",
        )
    }
}

impl Break for Random {
    fn failures(&self, network: &Network, seed: u64) -> Result<Failures, Problem> {
        let seed = self.seed.unwrap_or(seed);
        let between_switches = network.links().filter(|(port, channel)| {
            let is_switch = |port| matches!(network.owner(port), Node::Switch(_));
            is_switch(*port) && is_switch(channel.peer)
        });
        let links = between_switches.map(|(port, _)| port).collect();
        let live = |endpoint: &_| network.injection(*endpoint).is_some();
        let endpoints = network.endpoints().filter(live).collect();
        Ok(Failures {
            links: some_of(links, self.links, "links", Stream::new(seed, "failed links", 0))?,
            switches: some_of(
                network.switches().collect(),
                self.switches,
                "switches",
                Stream::new(seed, "failed switches", 0),
            )?,
            endpoints: some_of(
                endpoints,
                self.endpoints,
                "endpoints",
                Stream::new(seed, "missing endpoints", 0),
            )?,
        })
    }
}

/// So many of all, in random order.
fn some_of<T>(
    mut all: Vec<T>,
    count: u32,
    key: &str,
    mut stream: Stream,
) -> Result<Vec<T>, Problem> {
    if count as usize > all.len() {
        let allowed = format!("this network has {}, allowed: 0 to {}", all.len(), all.len());
        let nearest = Some(all.len().to_string());
        return Err(Problem { nearest, ..Problem::new(key, count.to_string(), allowed) });
    }
    stream.shuffle(&mut all);
    all.truncate(count as usize);
    Ok(all)
}
