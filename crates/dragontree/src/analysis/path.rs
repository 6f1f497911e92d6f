//! The paths that oblivious routes take.

use crate::network::{Network, Node, PortId};
use crate::routing::{Exit, Header, Oblivious, Pair, Unroutable, Waypoints};

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
    PathFinder::default().paths(network, routes, pair, show)
}

/// Finds paths of many pairs in memory that is taken once.
#[derive(Default)]
pub struct PathFinder {
    path: Path,
    way: Vec<Exit>,
}

impl PathFinder {
    /// The same as [`paths`].
    ///
    /// # Errors
    /// A route ends before its destination or does not end at all.
    pub fn paths(
        &mut self,
        network: &Network,
        routes: &dyn Oblivious,
        pair: Pair,
        show: &mut dyn FnMut(&[Step], f64),
    ) -> Result<(), Unroutable> {
        if self.only_way(network, routes, pair) {
            show(&self.path, 1.0);
            return Ok(());
        }
        let mut outcome = Ok(());
        let path = &mut self.path;
        routes.choices(pair, &mut |waypoints, probability| match follow(
            network, routes, pair, waypoints, path,
        ) {
            Ok(()) => show(path, probability),
            Err(unroutable) => outcome = Err(unroutable),
        });
        outcome
    }

    /// Takes the only way of a pair where the routes know it as a whole and it arrives; what is
    /// wrong with one that does not is found out switch by switch.
    fn only_way(&mut self, network: &Network, routes: &dyn Oblivious, pair: Pair) -> bool {
        let Some(injection) = network.injection(pair.source) else { return false };
        let Some(Node::Switch(from)) = network.neighbor(injection) else { return false };
        self.way.clear();
        if !routes.only_way(from, pair, &mut self.way) {
            return false;
        }
        self.path.clear();
        self.path.push(Step { port: injection, vc: 0 });
        let mut at = Some(Node::Switch(from));
        for Exit { number, vc } in self.way.iter().copied() {
            let Some(node @ Node::Switch(_)) = at else { return false };
            let port = PortId(network.ports(node).start + number);
            self.path.push(Step { port, vc });
            at = network.neighbor(port);
        }
        at == Some(Node::Endpoint(pair.destination))
    }
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
    path.push(Step { port: routes.outlet(network, pair, waypoints).ok_or(nowhere)?, vc: 0 });
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
