//! Traffic within and between subnets, some of it to hot spots (Bogdański, inter-subnet routing, §5.1).

use super::{Destinations, Pattern, Site};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Needs, Structure};
use crate::placement::Unfit;
#[cfg(feature = "complete")]
use crate::random::Stream;
use crate::units::{Load, Rank};

/// A message goes to another subnet with the probability `remote`, each subnet and each endpoint of it
/// equally likely, else to another endpoint of its own; and of the messages of either kind the share
/// `hot` goes to the one endpoint of the chosen subnet that is its hot spot: that of a rank which the
/// run's seed draws among those of the subnet, the same for the whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct HotSpot {
    /// The share of messages that go to other subnets.
    pub remote: Load,
    /// The share of messages that go to hot spots.
    pub hot: Load,
}

impl Default for HotSpot {
    fn default() -> HotSpot {
        HotSpot { remote: Load::ppm(200_000), hot: Load::ppm(50_000) }
    }
}

impl Settings for HotSpot {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "remote",
            "To other subnets",
            "The share of messages that go to other subnets.",
            &mut self.remote,
            Load::ppm(0)..=Load::FULL,
        ));
        form.setting(Setting::number(
            "hot",
            "To hot spots",
            "The share of messages that go to hot spots.",
            &mut self.hot,
            Load::ppm(0)..=Load::FULL,
        ));
    }
}

impl Part for HotSpot {
    fn name(&self) -> &'static str {
        "hot_spot"
    }
    fn label(&self) -> &'static str {
        "Hot spots and subnets"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("A share to other subnets, some of it to hot spots (Bogdański, §5.1).")
    }
}

/// The most pairs whose shares are kept.
const MOST_PAIRS: u64 = 1 << 24;

impl Pattern for HotSpot {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let Structure::Subnets(subnets) = site.network.structure() else {
            let found = site.network.structure().name();
            return Err(Needs { part: self.name(), structure: "subnets", found }.into());
        };
        let ranks = u64::from(site.ranks());
        if ranks * ranks > MOST_PAIRS {
            let allowed = format!("{ranks} ranks, allowed with it: up to 4096");
            return Err(Unfit::Problem(Problem::new("", "", allowed)));
        }
        let mut members: Vec<Vec<Rank>> = vec![Vec::new(); subnets.count as usize];
        let mut own = vec![None; site.placement.len()];
        for (rank, endpoint) in (0..).zip(site.placement) {
            let subnet = endpoint.and_then(|endpoint| subnets.subnet_of(site.network, endpoint));
            if let Some(subnet) = subnet {
                members[subnet as usize].push(Rank(rank));
                own[rank as usize] = Some(subnet as usize);
            }
        }
        Ok(self.shares(&members, &own, site.seed))
    }
}

impl HotSpot {
    /// The share of what each rank sends that goes to each other.
    #[cfg(feature = "complete")]
    fn shares(&self, members: &[Vec<Rank>], own: &[Option<usize>], seed: u64) -> Destinations {
        let spot = |(subnet, ranks): (u64, &Vec<Rank>)| {
            let count = ranks.len() as u32;
            let mut stream = Stream::new(seed, "hot spot", subnet);
            (count > 0).then(|| ranks[stream.below(count) as usize])
        };
        let spots: Vec<Option<Rank>> = (0..).zip(members).map(spot).collect();
        let [remote, hot] = [self.remote, self.hot].map(Load::as_fraction);
        let others = members.iter().filter(|subnet| !subnet.is_empty()).count().max(1) - 1;
        let row = |(rank, subnet): (u32, &Option<usize>)| -> Vec<(Rank, f64)> {
            let Some(home) = *subnet else { return Vec::new() };
            let mut row = Vec::new();
            for (number, subnet) in members.iter().enumerate() {
                let side = match number == home {
                    true => 1.0 - remote,
                    false => remote / others.max(1) as f64,
                };
                let spot = spots[number].filter(|spot| spot.0 != rank);
                let to = subnet.iter().filter(|to| to.0 != rank);
                let count = to.clone().count() as f64;
                // A hot spot sends nothing to itself, so its own share is spread like the rest.
                let hot = if spot.is_some() { hot } else { 0.0 };
                row.extend(to.map(|to| {
                    let aimed = if spot == Some(*to) { hot } else { 0.0 };
                    (*to, side * ((1.0 - hot) / count + aimed))
                }));
            }
            row.retain(|(_, share)| *share > 0.0);
            row
        };
        Destinations::Weighted((0..).zip(own).map(row).collect())
    }

    #[cfg(not(feature = "complete"))]
    fn shares(&self, _: &[Vec<Rank>], _: &[Option<usize>], _: u64) -> Destinations {
        Destinations::Fixed(Vec::new())
    }
}
