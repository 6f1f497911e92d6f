//! Whether local ids are unique within each subnet.

use crate::interchange::report::{At, Report};
use crate::interchange::{Address, Fabric, Kind};

/// The local ids of a port within its subnet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Taken {
    subnet: u32,
    first: u32,
    last: u32,
    device: u32,
    /// The number of an endpoint's port.
    port: Option<u32>,
}

/// Reports local ids that two ports of one subnet have. A subnet is what cables between switches
/// hold together: routers and adapters with several ports do not join two of them.
pub(super) fn check(fabric: &Fabric, report: &mut Report<'_>) {
    let mut taken = taken(fabric);
    taken.sort_unstable();
    let title = |taken: Taken| {
        let name = &fabric.devices[taken.device as usize].name;
        match taken.port {
            None => format!("“{name}”"),
            Some(port) => format!("port {} of “{name}”", port + 1),
        }
    };
    for pair in taken.windows(2) {
        let [one, other] = [pair[0], pair[1]];
        if one.subnet == other.subnet && other.first <= one.last {
            report.notice(At::default(), |_| {
                format!("{} and {} both have lid {}", title(one), title(other), other.first)
            });
        }
    }
}

fn taken(fabric: &Fabric) -> Vec<Taken> {
    let subnets = subnets(fabric);
    let kind = |device: u32| fabric.devices[device as usize].kind;
    let take = |switch: u32, address: Address, device, port| {
        let (subnet, first) = (subnets[switch as usize], address.lid);
        let last = first.saturating_add((1 << address.lmc) - 1);
        (first > 0).then_some(Taken { subnet, first, last, device, port })
    };
    let mut taken = Vec::new();
    for (index, device) in (0..).zip(&fabric.devices) {
        if device.kind == Kind::Switch {
            taken.extend(take(index, device.own, index, None));
        }
    }
    for cable in &fabric.cables {
        for (end, other) in [(0, 1), (1, 0)] {
            let ((device, port), (switch, _)) = (cable.ends[end], cable.ends[other]);
            if kind(device) == Kind::Endpoint && kind(switch) == Kind::Switch {
                let address = fabric.devices[device as usize].address(port);
                taken.extend(take(switch, address, device, Some(port)));
            }
        }
    }
    taken
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
