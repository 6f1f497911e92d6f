//! Scattered placement: a job's hosts in so many racks, as a batch system finds them free.

use super::{Place, Unfit};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{EndpointId, Network, PortId, Structure, SwitchId};
use crate::random::Stream;

/// So many endpoints, the hosts of a job, in exactly so many racks, in random order. The racks are drawn
/// at random; each has a host, and the others are on any endpoints of these racks. A job of 512 to
/// 1024 cores had 58 hosts in 40 racks on average on the machine of Subramoni et al. 2011, Table I.
#[derive(Clone, Debug, PartialEq)]
pub struct Scattered {
    /// Endpoints that have ranks.
    pub hosts: u32,
    /// Racks that have hosts.
    pub racks: u32,
    /// What a rack is: all below a switch of this level.
    pub level: u32,
    /// The placement's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Default for Scattered {
    fn default() -> Scattered {
        Scattered { hosts: 28, racks: 22, level: 1, seed: None }
    }
}

impl Settings for Scattered {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "hosts",
            "Hosts",
            "Endpoints that have ranks.",
            &mut self.hosts,
            1..=4_000_000,
        ));
        form.setting(Setting::number(
            "racks",
            "Racks",
            "Racks that have hosts, each at least one.",
            &mut self.racks,
            1..=1_000_000,
        ));
        form.setting(
            Setting::number(
                "level",
                "A rack is",
                "1: a switch with its endpoints; more: all below a switch of that level of a tree, or a \
                 group of a dragonfly.",
                &mut self.level,
                1..=8,
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

impl Part for Scattered {
    fn name(&self) -> &'static str {
        "scattered"
    }
    fn label(&self) -> &'static str {
        "Scattered over racks"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A job's hosts at random in so many racks (Subramoni et al. 2011, Table I).",
        )
    }
}

impl Scattered {
    /// The rack of an endpoint on a switch.
    fn rack(&self, network: &Network, endpoint: EndpointId, switch: SwitchId) -> Option<u32> {
        match network.structure() {
            _ if self.level == 1 => Some(switch.0),
            Structure::Tree(tree) if self.level <= tree.levels() => {
                Some(tree.subtree(self.level, endpoint))
            }
            Structure::Groups(groups) if self.level == 2 => Some(groups.group(switch)),
            _ => None,
        }
    }
}

fn refused(key: &str, given: u32, allowed: String) -> Unfit {
    Unfit::Problem(Problem::new(key, given.to_string(), allowed))
}

impl Place for Scattered {
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        let mut racks: Vec<Vec<PortId>> = Vec::new();
        for (endpoint, port) in (0..).map(EndpointId).zip(ports) {
            let (Some(port), Some(switch)) = (port, network.switch_of(endpoint)) else { continue };
            let Some(rack) = self.rack(network, endpoint, switch) else {
                let allowed = "it has no switches of that level, allowed: 1, on trees up to their \
                               levels, on dragonflies 2";
                return Err(refused("level", self.level, allowed.to_owned()));
            };
            if racks.len() <= rack as usize {
                racks.resize(rack as usize + 1, Vec::new());
            }
            racks[rack as usize].push(*port);
        }
        racks.retain(|rack| !rack.is_empty());
        let most = (racks.len() as u32).min(self.hosts);
        if self.racks > most {
            let allowed = format!(
                "there are {} racks for {} hosts, allowed: up to {most}",
                racks.len(),
                self.hosts
            );
            return Err(refused("racks", self.racks, allowed));
        }
        let mut stream = Stream::new(self.seed.unwrap_or(seed), "scattered", 0);
        stream.shuffle(&mut racks);
        racks.truncate(self.racks as usize);
        racks.iter_mut().for_each(|rack| stream.shuffle(rack));
        let mut hosts: Vec<PortId> = racks.iter_mut().filter_map(Vec::pop).collect();
        let mut others: Vec<PortId> = racks.into_iter().flatten().collect();
        stream.shuffle(&mut others);
        let room = hosts.len() + others.len();
        others.truncate(self.hosts as usize - hosts.len());
        hosts.append(&mut others);
        if hosts.len() < self.hosts as usize {
            let allowed = format!(
                "{} racks have room for {room} hosts, allowed: up to that, or more racks",
                self.racks
            );
            return Err(refused("hosts", self.hosts, allowed));
        }
        stream.shuffle(&mut hosts);
        Ok(hosts.into_iter().map(Some).collect())
    }
}
