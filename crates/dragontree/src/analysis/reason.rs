//! Why a curve ends where it does: what shares the channel that fills first.

use super::bundles::Leg;
use crate::network::{EndpointId, Network, Node, PortId, Structure, SwitchId};
use crate::routing::Pair;
use crate::sorting::{both, sort_by_number};

/// The most portions of the traffic that are told one by one.
const TOLD: usize = 3;
/// Shares that differ by less than this part of them are equal.
const EQUAL: f64 = 1e-6;

/// What shares a channel, when every rank that sends does so at its link's full rate. A flow is the
/// traffic from one endpoint to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The number of flows over the channel.
    pub flows: u64,
    /// The endpoints that these come from.
    pub sources: u64,
    /// The endpoints that these go to.
    pub destinations: u64,
    /// Whether the sources are a whole group's endpoints: p on each of its a switches.
    pub whole_group: bool,
    /// What each flow takes of the channel's rate, where all take the same.
    pub each: Option<f64>,
    /// What all of them take together, as a multiple of the channel's rate.
    pub utilization: f64,
    /// The largest portions, by the switches of their sources and destinations.
    pub largest: Vec<Portion>,
}

/// The flows from the endpoints of one switch to those of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portion {
    /// The switch of the sources.
    pub from: SwitchId,
    /// The switch of the destinations.
    pub to: SwitchId,
    /// How many flows they are.
    pub flows: u64,
    /// Its ends, where it is one.
    pub flow: Option<Pair>,
    /// What they take together, as a multiple of the channel's rate.
    pub utilization: f64,
}

impl Portion {
    /// The ends of its only flow, or of all flows the switches.
    pub fn ends(&self) -> [Node; 2] {
        match self.flow {
            Some(Pair { source, destination }) => [source, destination].map(Node::Endpoint),
            None => [self.from, self.to].map(Node::Switch),
        }
    }
}

impl Reason {
    /// The offered load at which the channel fills, with the numbers that it comes from.
    pub fn formula(&self) -> String {
        let Reason { flows, sources, utilization, .. } = self;
        let bound = number(1.0 / utilization);
        let at_full_rate = (utilization - *sources as f64).abs() < EQUAL * utilization;
        match self.each {
            // All that each of them sends goes over it.
            _ if at_full_rate && self.whole_group => format!(
                "{sources} endpoints at full rate, all a·p of a group, share it: 1 / (a·p) = \
                 1 / {sources} = {bound}"
            ),
            _ if at_full_rate && flows > sources => {
                let share = if *sources == 1 {
                    "endpoint at full rate fills"
                } else {
                    "endpoints at full rate share"
                };
                format!("{sources} {share} it: 1 / {sources} = {bound}")
            }
            Some(each) if (each - 1.0).abs() < EQUAL => {
                let share = if *flows == 1 {
                    "flow of full rate fills"
                } else {
                    "flows of full rate share"
                };
                format!("{flows} {share} it: 1 / {flows} = {bound}")
            }
            Some(each) if *flows > 1 => {
                let each = number(each);
                format!(
                    "{flows} flows share it, each {each} of its rate: 1 / ({flows} × {each}) = {bound}"
                )
            }
            _ => {
                let all = number(*utilization);
                let (take, together) =
                    if *flows == 1 { ("flow takes", "") } else { ("flows take", " together") };
                format!("{flows} {take} {all} times its rate{together}: 1 / {all} = {bound}")
            }
        }
    }
}

/// A number to four digits.
pub(crate) fn number(value: f64) -> String {
    let (mut digits, mut scaled) = (3, value);
    while scaled < 1.0 && digits < 9 {
        (digits, scaled) = (digits + 1, scaled * 10.0);
    }
    while scaled >= 10.0 && digits > 0 {
        (digits, scaled) = (digits - 1, scaled / 10.0);
    }
    let text = format!("{value:.digits$}");
    match digits {
        0 => text,
        _ => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// Collects what goes over one channel.
pub(super) struct Reasoning {
    channel: PortId,
    endpoint: Option<EndpointId>,
    rate: f64,
    flows: u64,
    sources: u64,
    /// The bundle that a source was last counted of.
    counted: Option<usize>,
    /// The group that all sources so far are in.
    origin: Origin,
    /// The destinations counted so far.
    destinations: u64,
    /// Which endpoints have been shown as sources and as destinations: several ranks may share one.
    shown: [Vec<bool>; 2],
    least: f64,
    most: f64,
    /// Portions, some of them in several pieces.
    portions: Vec<Portion>,
    /// How many there were when none was in pieces.
    whole: usize,
}

/// Where sources are, on a network of groups.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// None is known yet.
    Unknown,
    /// In this group.
    Group(u32),
    /// In several.
    Several,
}

/// Pieces of portions that may come together before they are put together.
const PIECES: usize = 4096;

impl Reasoning {
    /// For a channel that leaves a switch; none for another.
    pub(super) fn new(network: &Network, channel: PortId) -> Option<Reasoning> {
        let endpoint = match (network.owner(channel), network.neighbor(channel)?) {
            (Node::Endpoint(_), _) => return None,
            (Node::Switch(_), Node::Endpoint(endpoint)) => Some(endpoint),
            (Node::Switch(_), Node::Switch(_)) => None,
        };
        let rate = network.channel(channel)?.bandwidth.as_bps() as f64;
        Some(Reasoning {
            channel,
            endpoint,
            rate,
            flows: 0,
            sources: 0,
            counted: None,
            origin: Origin::Unknown,
            destinations: 0,
            shown: [(); 2].map(|()| vec![false; network.endpoint_count() as usize]),
            least: f64::INFINITY,
            most: 0.0,
            portions: Vec::new(),
            whole: 0,
        })
    }

    pub(super) fn channel(&self) -> PortId {
        self.channel
    }

    /// The endpoint that the channel leads into, if it does.
    pub(super) fn endpoint(&self) -> Option<EndpointId> {
        self.endpoint
    }

    /// Adds the pairs of a leg, a share of whose traffic goes over the channel. `sources` is how
    /// many endpoints its bundle has.
    pub(super) fn add(
        &mut self,
        network: &Network,
        bundle: usize,
        sources: u64,
        leg: &Leg,
        share: f64,
    ) {
        if leg.flows == 0 {
            return;
        }
        let [sending, receiving] = &mut self.shown;
        let is_new = !std::mem::replace(&mut receiving[leg.pair.destination.index()], true);
        let sends = std::mem::replace(&mut sending[leg.pair.source.index()], true);
        if self.counted.replace(bundle) != Some(bundle) && !sends {
            self.sources += sources;
            self.locate(network, leg.pair.source);
        }
        if is_new {
            self.destinations += u64::from(leg.destinations);
        }
        self.flows += leg.flows;
        let utilization = leg.between * share / self.rate;
        let each = utilization / leg.flows as f64;
        (self.least, self.most) = (self.least.min(each), self.most.max(each));
        let switch = |endpoint| network.switch_of(endpoint);
        if let (Some(from), Some(to)) = (switch(leg.pair.source), switch(leg.pair.destination)) {
            let (flows, flow) = (leg.flows, Some(leg.pair).filter(|_| leg.flows == 1));
            self.portions.push(Portion { from, to, flows, flow, utilization });
            if self.portions.len() >= 2 * self.whole + PIECES {
                self.put_together();
            }
        }
    }

    /// Notes the group of a source, whose bundle is on one switch.
    fn locate(&mut self, network: &Network, source: EndpointId) {
        let Structure::Groups(groups) = network.structure() else { return };
        let group = network.switch_of(source).map(|switch| Origin::Group(groups.group(switch)));
        self.origin = match (self.origin, group) {
            (Origin::Unknown, Some(group)) => group,
            (known, Some(group)) if known == group => known,
            _ => Origin::Several,
        };
    }

    /// Whether the sources are all endpoints that a group has.
    fn has_whole_group(&self, network: &Network) -> bool {
        let (Structure::Groups(groups), Origin::Group(_)) = (network.structure(), self.origin)
        else {
            return false;
        };
        let all = groups.switches_per_group * groups.endpoints_per_switch;
        self.sources == u64::from(all)
    }

    fn put_together(&mut self) {
        let ends = |portion: &Portion| both(portion.from.0.into(), portion.to.0.into());
        sort_by_number(&mut self.portions, ends);
        self.portions.dedup_by(|piece, portion| {
            let same = ends(piece) == ends(portion);
            if same {
                portion.flows += piece.flows;
                portion.flow = None;
                portion.utilization += piece.utilization;
            }
            same
        });
        self.whole = self.portions.len();
    }

    /// What was found, for a channel with this utilization.
    pub(super) fn reason(mut self, network: &Network, utilization: f64) -> Reason {
        self.put_together();
        // Sums of equal shares differ in their last bits; that must not decide.
        let rounded = |portion: &Portion| (portion.utilization * 1e9).round() as u64;
        sort_by_number(&mut self.portions, |portion| both(u64::MAX - rounded(portion), 0));
        self.portions.truncate(TOLD);
        Reason {
            flows: self.flows,
            sources: self.sources,
            destinations: self.destinations,
            whole_group: self.has_whole_group(network),
            each: (self.most - self.least <= EQUAL * self.most).then_some(self.most),
            utilization,
            largest: self.portions,
        }
    }
}
