//! How destinations are shared out among the ports that lead up.

use std::sync::Arc;

use super::report::{Uplink, Uplinks};
use crate::network::{Forward, Lfts, Network, Node, PortId, SwitchId, Target};
use crate::sorting::{both, sort_by_number};

/// The most switches that are listed.
const MOST_LISTED: usize = 50;

/// Counts destinations, a few at a time.
pub(super) struct Counting {
    network: Arc<Network>,
    lfts: Arc<Lfts>,
    /// For each port of a switch the destinations that it leads to; none where it leads not up.
    counts: Vec<Option<u32>>,
    next: u32,
}

impl Counting {
    /// None where no switch is known to be above another.
    pub fn new(
        network: &Arc<Network>,
        lfts: Arc<Lfts>,
        levels: &[Option<u32>],
    ) -> Option<Counting> {
        let last = network.switches().last()?;
        let up = |port: u32| {
            let level = |node| match node {
                Node::Switch(switch) => levels[SwitchId::index(switch)],
                Node::Endpoint(_) => None,
            };
            let above = level(network.neighbor(PortId(port))?)?;
            (above > level(network.owner(PortId(port)))?).then_some(0)
        };
        let counts: Vec<Option<u32>> = (0..network.ports(Node::Switch(last)).end).map(up).collect();
        let any = counts.iter().any(Option::is_some);
        any.then(|| Counting { network: network.clone(), lfts, counts, next: 0 })
    }

    /// Goes on for about `budget` entries; the result when all are done.
    pub fn advance(&mut self, budget: u64) -> Option<Uplinks> {
        let mut left = budget;
        while self.next < self.network.target_count() {
            if left == 0 {
                return None;
            }
            self.count(Target(self.next));
            self.next += 1;
            left = left.saturating_sub(u64::from(self.network.switch_count()) / 2 + 1);
        }
        Some(self.conclude())
    }

    fn count(&mut self, target: Target) {
        let cabled = |(_, port): (Node, Option<PortId>)| self.network.peer(port?);
        if cabled(self.network.target(target)).is_none() {
            return;
        }
        for switch in self.network.switches() {
            if let Forward::Port(number) = self.lfts.get(switch, target) {
                let ports = self.network.ports(Node::Switch(switch));
                if number < ports.len() as u32
                    && let Some(count) = &mut self.counts[(ports.start + number) as usize]
                {
                    *count += 1;
                }
            }
        }
    }

    fn conclude(&self) -> Uplinks {
        let mut uplinks = Uplinks::default();
        // The least usable first, and of equals the first.
        let mut keys: Vec<(u64, u32)> = Vec::new();
        for switch in self.network.switches() {
            let Some(uplink) = self.uplink(switch) else { continue };
            uplinks.switches += 1;
            if uplink.most - uplink.fewest >= 2 {
                uplinks.uneven += 1;
                keys.push(((uplink.usable * 1e9) as u64, switch.0));
            }
        }
        sort_by_number(&mut keys, |(first, second)| both(*first, u64::from(*second)));
        keys.truncate(MOST_LISTED);
        let switches = keys.iter().map(|(_, switch)| SwitchId(*switch));
        uplinks.listed = switches.filter_map(|switch| self.uplink(switch)).collect();
        uplinks
    }

    /// A switch with at least two ports that lead up.
    fn uplink(&self, switch: SwitchId) -> Option<Uplink> {
        let ports = self.network.ports(Node::Switch(switch));
        let counted = ports.filter_map(|port| Some((port, self.counts[port as usize]?)));
        let counted: Vec<(u32, u32)> = counted.collect();
        if counted.len() < 2 {
            return None;
        }
        let (mut busiest, mut most, mut fewest, mut all) = (counted[0].0, 0, u32::MAX, 0);
        for (port, count) in &counted {
            if *count > most {
                (busiest, most) = (*port, *count);
            }
            fewest = fewest.min(*count);
            all += count;
        }
        let mean = f64::from(all) / counted.len() as f64;
        Some(Uplink {
            switch: self.network.name(Node::Switch(switch)),
            ports: counted.len() as u32,
            destinations: all,
            fewest,
            busiest: self.network.shown_number(PortId(busiest)),
            most,
            usable: if most > 0 { mean / f64::from(most) } else { 1.0 },
        })
    }
}
