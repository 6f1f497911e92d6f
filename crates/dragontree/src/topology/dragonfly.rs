//! Dragonflies (Kim et al. 2008; Prisacari 2020, §4.2, §5.2, §6.2).
//!
//! ```text
//!   group 0            group 1           p endpoints per switch
//!  ┌─────────┐        ┌─────────┐        a switches per group, all joined to each other
//!  │ s0 ─ s1 │════════│ s0 ─ s1 │        h global links per switch
//!  └─────────┘        └─────────┘        up to a·h + 1 groups
//! ```
//! Endpoint `(g·a + s)·p + n` hangs on port `n` of switch `s` of group `g`.

use super::size::{Member, sizes};
use super::{Build, finish, limit_size};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{
    Builder, EndpointId, Groups, LinkClass, Links, Network, Node, PortId, Structure, SwitchId,
};

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
}

impl Default for Dragonfly {
    fn default() -> Dragonfly {
        Dragonfly {
            endpoints: 4,
            switches: 8,
            global_links: 4,
            groups: None,
            wiring: Wiring::Palmtree,
        }
    }
}

impl Settings for Dragonfly {
    fn settings(&mut self, form: &mut dyn Form) {
        sizes(form, self, 3, Dragonfly::balanced);
        form.setting(Setting::number(
            "p",
            "Endpoints per switch",
            "Endpoints on each switch; balanced when a = 2p and h = p.",
            &mut self.endpoints,
            1..=64,
        ));
        form.setting(Setting::number(
            "a",
            "Switches per group",
            "Switches in a group, each joined to every other.",
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
        "Groups of fully joined switches, with global links between all groups (Kim et al. 2008; \
         Prisacari 2020, §4.2)."
    }
}

impl Build for Dragonfly {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let [p, a, h] = [self.endpoints, self.switches, self.global_links];
        let group_count = self.group_count()?;
        let ports = u64::from(a) * u64::from(group_count) * u64::from(2 * p + a - 1 + h);
        limit_size("a", &a.to_string(), Some(ports))?;

        let mut builder = Builder::new(links);
        for _ in 0..group_count * a {
            builder.switch(p + a - 1 + h);
        }
        for index in 0..group_count * a * p {
            let endpoint = builder.endpoint(1);
            debug_assert_eq!(endpoint, EndpointId(index));
            let switch = Node::Switch(SwitchId(index / p));
            builder.link((Node::Endpoint(endpoint), 0), (switch, index % p), LinkClass::Endpoint);
        }
        for group in 0..group_count {
            self.link_locally(&mut builder, group);
        }
        let global = self.link_globally(&mut builder, group_count);
        finish(builder, Structure::Groups(Groups::new([p, a, h, group_count], &global)))
    }
}

impl Dragonfly {
    /// The members with a = 2p and h = p, all groups present, with this wiring.
    fn balanced(&self) -> Vec<Member<Dragonfly>> {
        let member = |p: u32| {
            let part = Dragonfly {
                endpoints: p,
                switches: 2 * p,
                global_links: p,
                groups: None,
                wiring: self.wiring,
            };
            let endpoints = 2 * u64::from(p * p) * u64::from(2 * p * p + 1);
            Member { radix: 4 * p - 1, endpoints, part }
        };
        (1..=20).map(member).collect()
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

    fn link_locally(&self, builder: &mut Builder, group: u32) {
        let (a, p) = (self.switches, self.endpoints);
        for low in 0..a {
            for high in low + 1..a {
                let switch = |place| Node::Switch(SwitchId(group * a + place));
                builder.link(
                    (switch(low), p + high - 1),
                    (switch(high), p + low),
                    LinkClass::Local,
                );
            }
        }
    }

    /// Adds the global links and lists, for every pair of groups, the ports between them.
    fn link_globally(&self, builder: &mut Builder, group_count: u32) -> Vec<Vec<PortId>> {
        let (a, p, h) = (self.switches, self.endpoints, self.global_links);
        let radix = p + a - 1 + h;
        let place = |group: u32, port: u32| (SwitchId(group * a + port / h), p + a - 1 + port % h);
        let mut between = vec![Vec::new(); (group_count * group_count) as usize];
        for group in 0..group_count {
            for port in 0..a * h {
                let Some((target, target_port)) = self.opposite(group, port, group_count) else {
                    continue;
                };
                let (switch, number) = place(group, port);
                between[(group * group_count + target) as usize]
                    .push(PortId(switch.0 * radix + number));
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
    /// Every pair of groups has `c = ⌊a·h / (G - 1)⌋` links; ports that are left over stay
    /// unused. With the largest G this is the palm-tree wiring.
    fn opposite(&self, group: u32, port: u32, group_count: u32) -> Option<(u32, u32)> {
        let others = group_count - 1;
        let per_pair = self.switches * self.global_links / others;
        if port >= per_pair * others {
            return None;
        }
        match self.wiring {
            Wiring::Palmtree => {
                let (round, distance) = (port / others, port % others + 1);
                let target = (group + distance) % group_count;
                Some((target, round * others + others - distance))
            }
            Wiring::Consecutive => {
                let target = if port < group { port } else { port + 1 };
                Some((target, if group < target { group } else { group - 1 }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Bandwidth, Time};

    const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

    fn dragonfly(p: u32, a: u32, h: u32) -> Dragonfly {
        Dragonfly { endpoints: p, switches: a, global_links: h, ..Dragonfly::default() }
    }

    #[test]
    fn counts_match_the_documents() {
        // Prisacari 2020, Table 4.2 and chapter 6.
        let cases = [
            ((2, 4, 2), 72),
            ((2, 3, 2), 42),
            ((2, 5, 2), 110),
            ((3, 6, 3), 342),
            ((3, 5, 3), 240),
            ((3, 7, 3), 462),
            ((4, 8, 4), 1056),
            ((4, 7, 4), 812),
            ((4, 9, 4), 1332),
            ((4, 8, 3), 800),
        ];
        for ((p, a, h), endpoints) in cases {
            for wiring in [Wiring::Palmtree, Wiring::Consecutive] {
                let network = Dragonfly { wiring, ..dragonfly(p, a, h) }.build(&LINKS).expect("ok");
                let groups = a * h + 1;
                assert_eq!(network.endpoint_count(), endpoints);
                assert_eq!(network.switch_count(), a * groups);
                assert_eq!(network.radix(), p + a - 1 + h);
                let local = groups * a * (a - 1) / 2;
                assert_eq!(network.link_count(), endpoints + local + groups * (groups - 1) / 2);
            }
        }
    }

    #[test]
    fn every_pair_of_groups_is_joined_equally_often_and_both_ways() {
        for (groups, wiring) in [
            (None, Wiring::Palmtree),
            (None, Wiring::Consecutive),
            (Some(2), Wiring::Palmtree),
            (Some(4), Wiring::Palmtree),
            (Some(7), Wiring::Palmtree),
        ] {
            let network =
                Dragonfly { groups, wiring, ..dragonfly(2, 4, 2) }.build(&LINKS).expect("ok");
            let Structure::Groups(structure) = network.structure() else { panic!("groups") };
            let count = structure.group_count;
            let expected = (8 / (count - 1)) as usize;
            for from in 0..count {
                for to in (0..count).filter(|to| *to != from) {
                    let ports = structure.global_ports(from, to);
                    assert_eq!(ports.len(), expected, "{groups:?} {from} {to}");
                    for port in ports {
                        let Some(Node::Switch(there)) = network.neighbor(*port) else {
                            panic!("a global port leads to a switch")
                        };
                        assert_eq!(structure.group(there), to);
                    }
                }
            }
        }
    }

    #[test]
    fn local_ports_lead_where_they_say() {
        let network = dragonfly(2, 4, 2).build(&LINKS).expect("ok");
        let Structure::Groups(groups) = network.structure() else { panic!("groups") };
        for from in network.switches() {
            for to in network.switches().filter(|to| groups.group(*to) == groups.group(from)) {
                if to != from {
                    let port = groups.local_port(&network, from, to);
                    assert_eq!(network.neighbor(port), Some(Node::Switch(to)));
                }
            }
        }
    }

    #[test]
    fn too_many_groups_are_refused_with_the_limit() {
        let problems = Dragonfly { groups: Some(40), ..dragonfly(4, 8, 4) }
            .build(&LINKS)
            .expect_err("too many");
        assert_eq!(problems[0].nearest.as_deref(), Some("33"));
    }
}
