//! Whether local ids are unique within each subnet.

use std::collections::BTreeMap;

use crate::interchange::report::{At, Report};
use crate::interchange::{Address, Fabric, Kind};

/// A device, and the number of an endpoint's port.
type Owner = (u32, Option<u32>);

/// Reports local ids that two ports of one subnet have. A subnet is what cables between switches
/// hold together: routers and adapters with several ports do not join two of them.
pub(super) fn check(fabric: &Fabric, report: &mut Report<'_>) {
    let mut checker = Checker { fabric, report, taken: BTreeMap::new() };
    let subnets = subnets(fabric);
    let kind = |device: u32| fabric.devices[device as usize].kind;
    for (index, device) in (0..).zip(&fabric.devices) {
        if device.kind == Kind::Switch {
            checker.take(subnets[index as usize], device.own, (index, None));
        }
    }
    for cable in &fabric.cables {
        for (end, other) in [(0, 1), (1, 0)] {
            let ((device, port), (switch, _)) = (cable.ends[end], cable.ends[other]);
            if kind(device) == Kind::Endpoint && kind(switch) == Kind::Switch {
                let address = fabric.devices[device as usize].address(port);
                checker.take(subnets[switch as usize], address, (device, Some(port)));
            }
        }
    }
}

struct Checker<'a, 'r, 's> {
    fabric: &'a Fabric,
    report: &'r mut Report<'s>,
    /// Whose the local ids of each subnet are.
    taken: BTreeMap<(u32, u32), Owner>,
}

impl Checker<'_, '_, '_> {
    fn take(&mut self, subnet: u32, address: Address, owner: Owner) {
        if address.lid == 0 {
            return;
        }
        for lid in address.lid..address.lid.saturating_add(1 << address.lmc) {
            if let Some(other) = self.taken.insert((subnet, lid), owner) {
                let text =
                    format!("{} and {} both have lid {lid}", self.title(other), self.title(owner));
                self.report.notice(At::default(), |_| text);
                return;
            }
        }
    }

    fn title(&self, (device, port): Owner) -> String {
        let name = &self.fabric.devices[device as usize].name;
        match port {
            None => format!("“{name}”"),
            Some(port) => format!("port {} of “{name}”", port + 1),
        }
    }
}

/// The subnet of each device, by one of its switches.
fn subnets(fabric: &Fabric) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..fabric.devices.len() as u32).collect();
    for cable in &fabric.cables {
        let [one, other] = cable.ends.map(|(device, _)| device);
        let switches =
            [one, other].iter().all(|device| fabric.devices[*device as usize].kind == Kind::Switch);
        if switches {
            let (one, other) = (root(&mut parents, one), root(&mut parents, other));
            parents[one.max(other) as usize] = one.min(other);
        }
    }
    (0..parents.len() as u32).map(|device| root(&mut parents, device)).collect()
}

/// The device that stands for a subnet; halves the way to it.
fn root(parents: &mut [u32], mut device: u32) -> u32 {
    while parents[device as usize] != device {
        let above = parents[parents[device as usize] as usize];
        parents[device as usize] = above;
        device = above;
    }
    device
}
