//! What a survey finds.

use serde::{Deserialize, Serialize};

use crate::network::{Network, Node, PortId};

/// The numbers of a fabric. What a [`Survey`](super::Survey) does not know yet is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    /// Live endpoints: those with a link.
    pub endpoints: u32,
    /// Endpoint slots, empty ones included.
    pub slots: u32,
    /// Switches, with or without links.
    pub switches: u32,
    /// Links, those of the endpoints included.
    pub links: u32,
    /// The largest number of ports of a switch, cabled or not: what one must buy.
    pub radix: u32,
    /// Cabled switch ports per live endpoint (Prisacari 2020, §7.2).
    pub ports_per_endpoint: f64,
    /// Links per live endpoint, its own included (Prisacari 2020, §7.2).
    pub links_per_endpoint: f64,
    /// The largest number of links between switches on a shortest path between endpoints; 0 when
    /// all are on one switch.
    pub diameter: Option<u32>,
    /// The mean number of links between switches on a shortest path, over all ordered pairs of
    /// different live endpoints with a path; a pair on one switch counts as 0.
    pub mean_distance: Option<f64>,
    /// Ordered pairs of different live endpoints without a path between them.
    pub unconnected_pairs: Option<u64>,
    /// Whether distances come from a random sample of the endpoints' switches, so that the
    /// diameter is only the largest found, the mean and the unconnected pairs estimates: where
    /// looking at all of them would take more than 2²⁸ steps.
    pub distances_sampled: bool,
    /// Shortest paths between switches; none when there is no such pair.
    pub diversity: Option<Diversity>,
    /// The best cut found, as bandwidth per endpoint: the bandwidth of the links that are cut,
    /// over that of all endpoints of the smaller half. An upper bound of the bisection bandwidth
    /// per endpoint.
    pub bisection_per_endpoint: Option<f64>,
    /// That cut; none with fewer than two endpoints.
    pub bisection: Option<Bisection>,
}

/// Numbers of shortest paths between two switches, over all pairs that carry endpoints and are
/// not adjacent (Prisacari 2020, §7.2.3.3): all switches of direct networks, those at the edge of
/// the others. Parallel links make different paths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diversity {
    /// The mean; exact up to 2⁵³.
    pub mean: f64,
    /// The maximum; exact up to 2⁵³.
    pub max: f64,
    /// Whether both come from a random sample of the switches: where counting from all of them
    /// would take more than 2³⁰ steps.
    pub sampled: bool,
}

/// A cut that leaves half of the endpoints (rounded down) on one side, the others on the other.
/// It is the smallest that was found, which need not be the smallest that there is.
///
/// Whole switches change sides. Where that leaves the sides unequal, by no more than the most
/// endpoints of one switch, single endpoints are moved to make up for it, and their links count
/// as cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bisection {
    /// Links that are cut, without those of single endpoints.
    pub links: u32,
    /// Endpoints that were moved one by one.
    pub moved: u32,
    /// Endpoints of the smaller half.
    pub half: u32,
}

impl Numbers {
    /// The names of all numbers, in the order of [`values`](Self::values).
    pub const NAMES: [&str; 16] = [
        "endpoints",
        "slots",
        "switches",
        "links",
        "radix",
        "ports_per_endpoint",
        "links_per_endpoint",
        "diameter",
        "mean_distance",
        "unconnected_pairs",
        "diversity_mean",
        "diversity_max",
        "bisection_per_endpoint",
        "bisection_links",
        "bisection_moved",
        "bisection_half",
    ];

    /// Every number; none where it is unknown or does not exist.
    pub fn values(&self) -> [Option<f64>; 16] {
        let (paths, cut) = (&self.diversity, &self.bisection);
        [
            Some(f64::from(self.endpoints)),
            Some(f64::from(self.slots)),
            Some(f64::from(self.switches)),
            Some(f64::from(self.links)),
            Some(f64::from(self.radix)),
            Some(self.ports_per_endpoint),
            Some(self.links_per_endpoint),
            self.diameter.map(f64::from),
            self.mean_distance,
            self.unconnected_pairs.map(|pairs| pairs as f64),
            paths.map(|paths| paths.mean),
            paths.map(|paths| paths.max),
            self.bisection_per_endpoint,
            cut.map(|cut| f64::from(cut.links)),
            cut.map(|cut| f64::from(cut.moved)),
            cut.map(|cut| f64::from(cut.half)),
        ]
    }

    /// A number by its name; none where it is unknown or does not exist, or there is no such name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let place = Numbers::NAMES.iter().position(|known| *known == name)?;
        self.values()[place]
    }

    /// What needs no search.
    pub(super) fn count(network: &Network) -> Numbers {
        let ports = network.switches().flat_map(|switch| network.ports(Node::Switch(switch)));
        let ports = ports.filter(|port| network.peer(PortId(*port)).is_some()).count();
        let endpoints = network.live_endpoint_count();
        let links = network.link_count();
        let per_endpoint = |count: f64| count / f64::from(endpoints.max(1));
        Numbers {
            endpoints,
            slots: network.endpoint_count(),
            switches: network.switch_count(),
            links,
            radix: network.radix(),
            ports_per_endpoint: per_endpoint(ports as f64),
            links_per_endpoint: per_endpoint(f64::from(links)),
            diameter: None,
            mean_distance: None,
            unconnected_pairs: None,
            distances_sampled: false,
            diversity: None,
            bisection_per_endpoint: None,
            bisection: None,
        }
    }
}
