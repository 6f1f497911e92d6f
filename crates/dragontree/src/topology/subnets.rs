//! Fat trees in subnets of their own, with routers for roots (ISR 2013, §3.1 and §5, Fig. 1).
//!
//! ```text
//!       router 0   …   router R-1        each with some links to every subnet
//!         │ ╲_________╱ │
//!      o  o             o  o             spines: as many links up as down
//!      │╲╱│             │╲╱│
//!      E══O             E══O             rack switches in pairs, with horizontal links
//!      subnet 0    …    subnet S-1
//! ```
//! The document's drawing is lost; the defaults are the subnets of 72 endpoints that follow from
//! its text: the 648-port fat tree with its roots replaced by routers, 12 endpoints on a rack
//! switch and 12 more on the other of its pair reachable without contention (§5.2).
//!
//! Rack switch `s` of a subnet has its endpoints on the first ports, then its links to the spines,
//! spine by spine, then those to the other of its pair. A spine has its links to the rack
//! switches, then those to the routers; link `u·spines + i`, where `u` is the number of such a
//! port on spine `i`, is the router's next in order: router `k` has the links `k·ports` to
//! `k·ports + ports - 1` of every subnet, subnet by subnet.

use super::pgft::{Planted, Widths};
use super::size::{Member, sizes};
use super::{Build, finish, limit_size};
use crate::catalog::{Form, Part, Problem, Setting, Settings, help};
use crate::network::{
    Builder, EndpointId, Labels, Layer, Layered, LinkClass, Links, Network, Node, Structure,
    Subnets as Structured, SwitchId,
};

/// Subnets of two switch levels, joined by routers above their spines. Links from the rack
/// switches, to the spines and on to the routers are equally many, so
/// `routers · ports = spines · 2·pairs · uplinks`.
///
/// LIDs are unique within a subnet: endpoints from 1, then the rack switches and spines; those
/// that follow are for the routers' ports.
#[derive(Clone, Debug, PartialEq)]
pub struct Subnets {
    /// Number of subnets (S).
    pub count: u32,
    /// Pairs of rack switches in a subnet.
    pub pairs: u32,
    /// Endpoints per rack switch.
    pub hosts: u32,
    /// Spines in a subnet.
    pub spines: u32,
    /// Links between a rack switch and each spine of its subnet.
    pub uplinks: u32,
    /// Links between the two rack switches of a pair.
    pub horizontal: u32,
    /// Number of routers (R).
    pub routers: u32,
    /// Ports of a router in each subnet.
    pub ports: u32,
}

impl Default for Subnets {
    fn default() -> Subnets {
        Subnets::balanced_with(2, 3)
    }
}

/// The most unicast LIDs of a subnet (ISR 2013, §1).
const MOST_LIDS: u64 = 49_151;
const MOST_SUBNETS: u32 = 1024;
const MOST: u32 = 1024;

impl Subnets {
    /// What each number is: key, label, help, value and the least that is allowed.
    fn numbers(&mut self) -> [(&'static str, &'static str, &'static str, &mut u32, u32); 7] {
        [
            (
                "pairs",
                "Pairs per subnet",
                help("Pairs of rack switches in a subnet."),
                &mut self.pairs,
                1,
            ),
            (
                "hosts",
                "Endpoints per switch",
                help("Endpoints on each rack switch."),
                &mut self.hosts,
                1,
            ),
            ("spines", "Spines per subnet", help("Spines in a subnet."), &mut self.spines, 1),
            (
                "uplinks",
                "Links per spine",
                help("Links between a rack switch and each spine of its subnet."),
                &mut self.uplinks,
                1,
            ),
            (
                "horizontal",
                "Horizontal links",
                help("Links between the two rack switches of a pair."),
                &mut self.horizontal,
                0,
            ),
            (
                "routers",
                "Routers",
                help("Routers, each joined to all subnets."),
                &mut self.routers,
                1,
            ),
            (
                "ports",
                "Router ports per subnet",
                help(
                    "Links of a router to each subnet; times the routers they are as many as the \
                 links between the spines and rack switches of a subnet.",
                ),
                &mut self.ports,
                1,
            ),
        ]
    }
}

impl Settings for Subnets {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "count",
            "Subnets",
            "How many subnets there are.",
            &mut self.count,
            2..=MOST_SUBNETS,
        ));
        sizes(form, self, 12, Subnets::balanced);
        for (key, label, says, value, least) in self.numbers() {
            let setting = Setting::number(key, label, says, value, least..=MOST);
            form.setting(match key {
                "routers" | "ports" => setting,
                _ => setting.advanced(),
            });
        }
    }
}

impl Part for Subnets {
    fn name(&self) -> &'static str {
        "subnets"
    }
    fn label(&self) -> &'static str {
        "Subnets with routers"
    }
    fn help(&self) -> &'static str {
        help(
            "Two-level fat trees in subnets of their own, with InfiniBand routers above their spines \
         (ISR 2013, §5).",
        )
    }
}

impl Build for Subnets {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        self.check()?;
        let widths = self.widths();
        limit_size("count", &self.count.to_string(), self.port_count())?;
        self.check_lids()?;
        let mut builder = Builder::new(links);
        let extra = [self.horizontal, self.routers * self.ports / self.spines];
        let trees: Vec<Planted> = (0..self.count)
            .map(|_| Planted::add_switches(&mut builder, widths.tree(), &extra))
            .collect();
        let routers: Vec<SwitchId> =
            (0..self.routers).map(|_| builder.switch(self.ports * self.count)).collect();
        builder.endpoints(self.count * self.endpoints(), 1);
        for (subnet, tree) in (0..).zip(&trees) {
            self.link_subnet(&mut builder, subnet, tree);
            for (place, router) in (0..).zip(&routers) {
                self.link_router(&mut builder, (place, *router), (subnet, tree));
            }
        }
        builder.label(self.labels());
        finish(builder, Structure::Subnets(self.structure()))
    }
}

impl Subnets {
    /// Subnets of `12k`-port switches: a third of a rack switch's ports each for endpoints,
    /// spines and its neighbor, half of a spine's for routers, `24k` endpoints.
    fn balanced_with(count: u32, k: u32) -> Subnets {
        Subnets {
            count,
            pairs: 3,
            hosts: 4 * k,
            spines: 4,
            uplinks: k,
            horizontal: 4 * k,
            routers: 6 * k,
            ports: 4,
        }
    }

    /// As many subnets of any size; the radix is that of their switches, not of the routers.
    fn balanced(&self) -> Vec<Member<Subnets>> {
        let member = |k: u32| {
            let part = Subnets::balanced_with(self.count, k);
            let endpoints = u64::from(part.endpoints()) * u64::from(self.count);
            Member { radix: 12 * k, endpoints, part }
        };
        (1..=21).map(member).collect()
    }

    /// The tree of a subnet.
    fn widths(&self) -> Widths {
        Widths {
            children: vec![self.hosts, 2 * self.pairs],
            parents: vec![1, self.spines],
            parallel: vec![1, self.uplinks],
        }
    }

    /// Endpoints of a subnet.
    fn endpoints(&self) -> u32 {
        2 * self.pairs * self.hosts
    }

    /// Links between the spines and the rack switches of a subnet.
    fn spine_links(&self) -> u64 {
        2 * u64::from(self.pairs) * u64::from(self.spines) * u64::from(self.uplinks)
    }

    fn port_count(&self) -> Option<u64> {
        let horizontal = u64::from(self.pairs) * u64::from(self.horizontal);
        let own = u64::from(self.endpoints()) + self.spine_links() + horizontal;
        let routers = u64::from(self.routers) * u64::from(self.ports);
        (2 * (own + routers)).checked_mul(u64::from(self.count))
    }

    fn check(&self) -> Result<(), Vec<Problem>> {
        let outside = |key: &str, given: u32, least: u32, most: u32| {
            let allowed = format!("allowed: {least} to {most}");
            (given < least || given > most).then(|| Problem::new(key, given.to_string(), allowed))
        };
        let mut own = self.clone();
        let numbers = own.numbers().map(|(key, _, _, value, least)| (key, *value, least));
        let numbers =
            numbers.iter().filter_map(|(key, value, least)| outside(key, *value, *least, MOST));
        let count = outside("count", self.count, 2, MOST_SUBNETS);
        let mut problems: Vec<Problem> = count.into_iter().chain(numbers).collect();
        let (above, below) = (u64::from(self.routers) * u64::from(self.ports), self.spine_links());
        if problems.is_empty() && above != below {
            let allowed = format!(
                "{} routers with {} ports in each subnet are {above} links, and the spines of a \
                 subnet have {below}",
                self.routers, self.ports
            );
            let fitting = (below.is_multiple_of(u64::from(self.ports)))
                .then(|| (below / u64::from(self.ports)).to_string());
            let problem = Problem::new("routers", self.routers.to_string(), allowed);
            problems.push(Problem { nearest: fitting, ..problem });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Whether a subnet's endpoints, switches and router ports have LIDs enough.
    fn check_lids(&self) -> Result<(), Vec<Problem>> {
        let switches = u64::from(2 * self.pairs + self.spines);
        let lids = u64::from(self.endpoints()) + switches + self.spine_links();
        if lids <= MOST_LIDS {
            return Ok(());
        }
        let allowed =
            format!("a subnet would need {lids} LIDs, allowed: up to {MOST_LIDS} (ISR 2013, §1)");
        Err(vec![Problem::new("pairs", self.pairs.to_string(), allowed)])
    }

    fn link_subnet(&self, builder: &mut Builder, subnet: u32, tree: &Planted) {
        let first = subnet * self.endpoints();
        for index in 0..self.endpoints() {
            let endpoint = Node::Endpoint(EndpointId(first + index));
            builder.link((endpoint, 0), tree.slot(index), LinkClass::Endpoint);
        }
        tree.link_upward(builder, 1, 1, |_, _| true);
        let ports = self.hosts + self.spines * self.uplinks;
        for pair in 0..self.pairs {
            let rack = |place| Node::Switch(tree.switch(1, 2 * pair + place));
            for number in ports..ports + self.horizontal {
                builder.link((rack(0), number), (rack(1), number), LinkClass::Sibling);
            }
        }
    }

    /// Links a router, given with its place, to a subnet.
    fn link_router(
        &self,
        builder: &mut Builder,
        (place, router): (u32, SwitchId),
        (subnet, tree): (u32, &Planted),
    ) {
        let down = 2 * self.pairs * self.uplinks;
        for port in 0..self.ports {
            let link = place * self.ports + port;
            let spine = Node::Switch(tree.switch(2, link % self.spines));
            let lower = (spine, down + link / self.spines);
            let upper = (Node::Switch(router), subnet * self.ports + port);
            builder.link(lower, upper, LinkClass::Router);
        }
    }

    /// LIDs by subnet; routers have none of their own.
    fn labels(&self) -> Labels {
        let switches = 2 * self.pairs + self.spines;
        let of_switches = (0..self.count * switches)
            .map(|switch| self.endpoints() + switch % switches + 1)
            .chain((0..self.routers).map(|_| 0));
        let of_endpoints =
            (0..self.count * self.endpoints()).map(|endpoint| endpoint % self.endpoints() + 1);
        Labels { lids: of_switches.chain(of_endpoints).collect(), ..Labels::default() }
    }

    fn structure(&self) -> Structured {
        let racks = 2 * self.pairs;
        let layers = vec![
            Layer { name: "rack switch", block: racks },
            Layer { name: "spine", block: self.spines },
            Layer { name: "router", block: 0 },
        ];
        let mut subnets = Vec::new();
        let mut layer_of = Vec::new();
        for subnet in 0..self.count {
            let of_tree = (0..racks).map(|_| 0).chain((0..self.spines).map(|_| 1));
            layer_of.extend(of_tree);
            subnets.resize(layer_of.len(), Some(subnet));
        }
        layer_of.extend((0..self.routers).map(|_| 2));
        subnets.resize(layer_of.len(), None);
        Structured { count: self.count, subnets, layers: Layered::new(layers, layer_of) }
    }
}
