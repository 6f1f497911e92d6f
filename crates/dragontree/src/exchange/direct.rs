//! The locality-aware exchange of dragonflies: by classes of minimal ways (Prisacari 2020, §4.4.3).

use super::{Refused, Site};
use crate::network::{Groups, Network, Node, PortId, Structure, SwitchId};

/// Every phase is one class of ways for all: the same endpoint, the same switch, a local link, a global
/// one, global and local, local and global, local, global and local.
///
/// A step is the same for all ranks but for the place `v` of a rank on its switch: a local step `σ` leads
/// on by `(σ - 1 + v) mod (a - 1) + 1` switches, a global step `j` by the port `(j + v) mod h`. Both are
/// bijections of the switches for every `v`, so that a phase is a permutation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Direct {
    /// Ranks of an endpoint, endpoints of a switch, switches of a group, global ports of a switch.
    ranks: u32,
    endpoints: u32,
    switches: u32,
    ports: u32,
    /// For each switch and global port the switch at the other end.
    far: Vec<u32>,
}

/// What all ranks do in a phase: how far on they send on an endpoint and on a switch, and the local, the
/// global and the second local step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    ends: [u32; 2],
    steps: [Option<u32>; 3],
}

/// Which steps a class has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Class {
    local: bool,
    global: bool,
    local_after: bool,
}

const CLASSES: [Class; 5] = {
    const fn class(local: bool, global: bool, local_after: bool) -> Class {
        Class { local, global, local_after }
    }
    [
        class(true, false, false),
        class(false, true, false),
        class(false, true, true),
        class(true, true, false),
        class(true, true, true),
    ]
};

impl Direct {
    /// The exchange on a site's network.
    pub fn new(site: Site<'_>) -> Result<Direct, Refused> {
        let Structure::Groups(groups) = site.network.structure() else {
            return Err(site.needs("order=lat", "groups"));
        };
        let [p, a] = [groups.endpoints_per_switch, groups.switches_per_group];
        let h = groups.global_ports;
        if groups.rows() > 1 {
            return Err(site.needs("order=lat", "groups whose switches are all joined"));
        }
        let far = far_ends(site.network, groups).filter(|_| groups.is_whole());
        let Some(far) = far else {
            let xor = if site.places().is_power_of_two() { "xor, " } else { "" };
            let allowed = format!(
                "it follows global ports, which takes wiring=palmtree and groups=max; allowed here: \
                 lin, {xor}opt, ghe, bgh, permuted"
            );
            return Err(Refused::setting("order", "lat", allowed));
        };
        let ranks = site.ranks_per_endpoint.max(1);
        Ok(Direct { ranks, endpoints: p, switches: a, ports: h, far })
    }

    /// How many phases a class has.
    fn phases(&self, class: Class) -> u32 {
        let local = if class.local { self.switches - 1 } else { 1 };
        let after = if class.local_after { self.switches - 1 } else { 1 };
        let global = if class.global { self.ports } else { 1 };
        self.ranks * self.endpoints * local * after * global
    }

    /// What all ranks do in a phase.
    pub fn way(&self, phase: u32) -> Way {
        let within = self.ranks * self.endpoints;
        if phase < within {
            // The same endpoint comes first, then the others of the switch.
            let ends = [phase % self.ranks, phase / self.ranks];
            return Way { ends, steps: [None; 3] };
        }
        let mut phase = phase - within;
        let mut class = CLASSES[0];
        for each in CLASSES {
            class = each;
            let count = self.phases(each);
            if phase < count {
                break;
            }
            phase -= count;
        }
        let mut take = |width: u32| {
            let digit = phase % width;
            phase /= width;
            digit
        };
        let ends = [take(self.ranks), take(self.endpoints)];
        let after = class.local_after.then(|| take(self.switches - 1));
        let port = class.global.then(|| take(self.ports));
        let first = class.local.then(|| take(self.switches - 1));
        Way { ends, steps: [first, port, after] }
    }

    /// Where a rank sends.
    pub fn follow(&self, way: &Way, place: u32) -> u32 {
        let (resident, endpoint) = (place % self.ranks, place / self.ranks);
        let (node, mut switch) = (endpoint % self.endpoints, endpoint / self.endpoints);
        let on_switch = resident + self.ranks * node;
        let [first, port, after] = way.steps;
        if let Some(step) = first {
            switch = self.local(switch, step, on_switch);
        }
        if let Some(port) = port {
            switch = self.far[(switch * self.ports + (port + on_switch) % self.ports) as usize];
        }
        if let Some(step) = after {
            switch = self.local(switch, step, on_switch);
        }
        self.number(switch, node + way.ends[1], resident + way.ends[0])
    }

    fn local(&self, switch: u32, step: u32, on_switch: u32) -> u32 {
        let a = self.switches;
        switch / a * a + (switch % a + (step + on_switch) % (a - 1) + 1) % a
    }

    fn number(&self, switch: u32, node: u32, resident: u32) -> u32 {
        (switch * self.endpoints + node % self.endpoints) * self.ranks + resident % self.ranks
    }
}

/// The switches at the other ends of all global ports; none where a port leads nowhere, or two switches'
/// ports of one number to the same switch.
fn far_ends(network: &Network, groups: &Groups) -> Option<Vec<u32>> {
    let h = groups.global_ports;
    let mut far = Vec::new();
    for switch in network.switches() {
        let ports = network.ports(Node::Switch(switch));
        for port in ports.end - h..ports.end {
            match network.intact_neighbor(PortId(port)) {
                Some(Node::Switch(SwitchId(other))) => far.push(other),
                _ => return None,
            }
        }
    }
    let mut reached = vec![false; far.len()];
    for (place, other) in far.iter().enumerate() {
        let slot = &mut reached[*other as usize * h as usize + place % h as usize];
        if std::mem::replace(slot, true) {
            return None;
        }
    }
    Some(far)
}
