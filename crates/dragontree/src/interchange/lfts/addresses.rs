//! Which destination a local id or a port's GUID means.

use std::collections::BTreeMap;

use crate::network::{Network, Node, SwitchId, Target};

/// The highest local id of a single destination; those above are groups (InfiniBand Architecture
/// Specification, §4.1.3).
pub(super) const HIGHEST_LID: u32 = 0xbfff;

/// A destination that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::interchange) struct Found {
    pub(in crate::interchange) target: Target,
    /// Which of its local ids it is, from 0.
    pub(in crate::interchange) further: u32,
    /// Whether its local id in the network is another one.
    pub(in crate::interchange) moved: bool,
}

/// The addresses of a network's destinations.
#[derive(Debug)]
pub(in crate::interchange) struct Addresses {
    switches: BTreeMap<u64, SwitchId>,
    guids: BTreeMap<u64, Target>,
    /// By the first local id; none where several destinations have it.
    lids: BTreeMap<u32, Option<Target>>,
    /// First local ids and their free bits.
    ranges: Vec<(u32, u8)>,
}

impl Addresses {
    pub(in crate::interchange) fn new(network: &Network) -> Addresses {
        let mut addresses = Addresses {
            switches: BTreeMap::new(),
            guids: BTreeMap::new(),
            lids: BTreeMap::new(),
            ranges: Vec::with_capacity(network.target_count() as usize),
        };
        for switch in network.switches() {
            addresses.switches.entry(network.guid(Node::Switch(switch))).or_insert(switch);
        }
        for target in network.targets() {
            addresses.guids.entry(network.target_guid(target)).or_insert(target);
            let (lid, lmc) = (network.target_lid(target), network.target_lmc(target));
            if lid != 0 {
                let known = addresses.lids.entry(lid);
                known.and_modify(|several| *several = None).or_insert(Some(target));
            }
            addresses.ranges.push((lid, lmc));
        }
        addresses
    }

    pub(in crate::interchange) fn switch(&self, guid: u64) -> Option<SwitchId> {
        self.switches.get(&guid).copied()
    }

    /// The destination of a port's GUID or, where no port has it, of a local id.
    pub(in crate::interchange) fn find(&self, guid: Option<u64>, lid: u32) -> Option<Found> {
        guid.and_then(|guid| self.by_guid(guid, lid)).or_else(|| self.by_lid(lid))
    }

    /// Whether several destinations have this first local id, as those of several subnets may.
    pub(in crate::interchange) fn is_shared(&self, lid: u32) -> bool {
        self.lids.get(&lid) == Some(&None)
    }

    fn by_guid(&self, guid: u64, lid: u32) -> Option<Found> {
        let target = *self.guids.get(&guid)?;
        let (first, lmc) = self.ranges[target.0 as usize];
        let count = 1 << lmc;
        let within = lid.checked_sub(first).filter(|further| *further < count);
        Some(Found {
            target,
            further: within.unwrap_or(lid & (count - 1)),
            moved: first != 0 && within.is_none(),
        })
    }

    fn by_lid(&self, lid: u32) -> Option<Found> {
        let (first, target) = self.lids.range(..=lid).next_back()?;
        let target = (*target)?;
        let (_, lmc) = self.ranges[target.0 as usize];
        let further = lid - first;
        (further < 1 << lmc).then_some(Found { target, further, moved: false })
    }
}
