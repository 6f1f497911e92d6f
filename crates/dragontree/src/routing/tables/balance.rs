//! How OpenSM spreads destinations over the ports that lead to them equally well.

use super::graph::{FAR, Graph};
use crate::network::{Forward, Lfts, Network, SwitchId, Target};

/// For one destination switch the links by which each switch may send what goes there.
#[derive(Clone, Debug)]
pub(in crate::routing) struct Choices {
    first: Vec<u32>,
    /// Places of links, switch by switch in the order of the ports.
    places: Vec<u32>,
}

impl Choices {
    /// Keeps the links of each switch that `fits` by their places.
    pub fn keep(&mut self, graph: &Graph, mut fits: impl FnMut(SwitchId, usize) -> bool) {
        self.places.clear();
        self.first.clear();
        self.first.push(0);
        for switch in (0..graph.switch_count() as u32).map(SwitchId) {
            let fitting = graph.places(switch).filter(|place| fits(switch, *place));
            self.places.extend(fitting.map(|place| place as u32));
            self.first.push(self.places.len() as u32);
        }
    }

    /// Keeps the links that lead one step nearer, by the distances of the switches.
    pub fn keep_nearer(&mut self, graph: &Graph, distances: &[u32]) {
        let edges = graph.edges();
        self.keep(graph, |switch, place| {
            let (here, there) = (distances[switch.index()], distances[edges[place].to.index()]);
            here != FAR && there.wrapping_add(1) == here
        });
    }

    fn of(&self, switch: usize) -> &[u32] {
        &self.places[self.first[switch] as usize..self.first[switch + 1] as usize]
    }
}

/// Tables in which every switch sends each destination through one of the ports that `search`
/// keeps for the destination's switch: the port that has the fewest endpoints so far, and of
/// several the lowest.
///
/// Endpoints come switch by switch, those of the switches with the most endpoints first, in the
/// order of the ports; switches come last and do not count. So does OpenSM in its engines
/// `minhop`, `updn` and `dnup` (3.3.23, `osm_ucast_mgr.c`).
pub(in crate::routing) fn balanced(
    network: &Network,
    graph: &Graph,
    mut search: impl FnMut(SwitchId, &mut Choices),
) -> Lfts {
    let mut lfts = Lfts::new(network);
    let mut counts = vec![0_u32; graph.edges().len()];
    let mut choices = Choices { first: Vec::new(), places: Vec::new() };
    let mut send = |lfts: &mut Lfts, choices: &Choices, target: Target, counted: bool| {
        for switch in network.switches() {
            let places = choices.of(switch.index()).iter();
            if let Some(place) = places.min_by_key(|place| counts[**place as usize]) {
                counts[*place as usize] += u32::from(counted);
                let number = graph.edges()[*place as usize].number;
                lfts.set(switch, target, Forward::Port(number));
            }
        }
    };
    for switch in graph.busiest_first() {
        let endpoints = graph.endpoints_at(switch);
        if endpoints.is_empty() {
            break;
        }
        search(switch, &mut choices);
        for (number, target) in endpoints {
            send(&mut lfts, &choices, *target, true);
            lfts.set(switch, *target, Forward::Port(*number));
        }
    }
    for switch in graph.order() {
        search(*switch, &mut choices);
        send(&mut lfts, &choices, network.switch_target(*switch), false);
    }
    lfts
}
