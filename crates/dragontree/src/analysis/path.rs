//! The paths that oblivious routes take.

use crate::network::{Network, Node, PortId};
use crate::routing::{Header, Oblivious, Pair, Unroutable, Waypoints};

/// No sensible route crosses more switches than this, or the network's own more often than twice.
const LONGEST: usize = 64;

/// One channel of a path: the output port, and the virtual channel of the buffer it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The channel.
    pub port: PortId,
    /// The virtual channel.
    pub vc: u8,
}

/// The channels from a source to its destination, injection and ejection included.
pub type Path = Vec<Step>;

/// Shows every path of a pair with its probability.
///
/// # Errors
/// A route ends before its destination or does not end at all.
pub fn paths(
    network: &Network,
    routes: &dyn Oblivious,
    pair: Pair,
    show: &mut dyn FnMut(&[Step], f64),
) -> Result<(), Unroutable> {
    let mut outcome = Ok(());
    let mut path = Path::with_capacity(8);
    routes.choices(pair, &mut |waypoints, probability| match follow(
        network, routes, pair, waypoints, &mut path,
    ) {
        Ok(()) => show(&path, probability),
        Err(unroutable) => outcome = Err(unroutable),
    });
    outcome
}

fn follow(
    network: &Network,
    routes: &dyn Oblivious,
    pair: Pair,
    waypoints: Waypoints,
    path: &mut Path,
) -> Result<(), Unroutable> {
    let destination = pair.destination;
    let mut header = Header { destination, waypoints, stage: routes.first_stage(pair) };
    let lost = |at| Unroutable { at, destination };
    let nowhere = lost(crate::network::SwitchId(0));
    path.clear();
    path.push(Step { port: network.injection(pair.source).ok_or(nowhere)?, vc: 0 });
    let longest = LONGEST.max(2 * network.switch_count() as usize);
    while path.len() <= longest {
        let last = path.last().map(|step| step.port).and_then(|port| network.neighbor(port));
        let at = match last {
            Some(Node::Endpoint(endpoint)) if endpoint == destination => return Ok(()),
            Some(Node::Switch(switch)) => switch,
            _ => return Err(nowhere),
        };
        let hop = routes.next(at, &mut header)?;
        if network.channel(hop.port).is_none() {
            return Err(lost(at));
        }
        path.push(Step { port: hop.port, vc: hop.vc });
    }
    Err(nowhere)
}
