//! D-mod-K: on a fat tree, the destination's number alone chooses the way up.
//!
//! At a switch of level l a packet that must climb takes the up port
//! `q = ⌊d / Π_{i≤l} W_i⌋ mod (W_{l+1}·P_{l+1})`: parent `q mod W_{l+1}`, parallel link
//! `q ÷ W_{l+1}`; on the way down the parallel link is that of the same `q` one level lower. The
//! parents divide, not the parallel links: of the destinations that reach a switch over level l,
//! every `Π W_i`-th is its own, and these must fall on different ports.
//!
//! Where the tree has to be found the number is that of the slot in it, empty slots counted.
//!
//! One path per destination and one virtual channel; where it leads to something absent, the pair
//! has no route. Named in Prisacari 2020, §2.4.1 and §3.5.2;
//! on a full-bisection tree no shift ever puts two flows on one channel.

use std::sync::{Arc, OnceLock};

use super::climb::{Climb, Decided, mod_k};
use super::{
    Algorithm, Code, Exit, Header, Hop, Oblivious, Pair, Queues, Refusal, Route, Routes, Sharing,
    Unroutable, Waypoints, Word,
};
use crate::catalog::{Form, Part, Problem, Settings};
use crate::network::{EndpointId, Lfts, Needs, Network, PortId, SwitchId};
use crate::random::Stream;

/// D-mod-K routing; it has no settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DModK;

impl Settings for DModK {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for DModK {
    fn name(&self) -> &'static str {
        "d_mod_k"
    }
    fn label(&self) -> &'static str {
        "D-mod-K"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "On a tree, the destination's number modulo the number of up ports chooses the way up \
         (Prisacari 2020, §2.4.1). In a fabric from a file the tree is found; what it lacks of that \
         has no route.",
        )
    }
}

impl Algorithm for DModK {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(self.found(network)?)
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        Ok(self.found(network)?)
    }

    fn fits(&self, network: &Arc<Network>) -> Result<(), Needs> {
        Ok(Climb::new(network, self.name()).map(drop)?)
    }
}

impl DModK {
    fn found(&self, network: &Arc<Network>) -> Result<Routes, Refusal> {
        let climb = Climb::new(network, self.name())?;
        let tree = climb.tree();
        let ways = Decided::new(&climb, |slot, level| mod_k(tree, level, slot));
        let lfts = OnceLock::new();
        Ok(Routes::Oblivious(Box::new(DModKRoutes { climb, ways, lfts })))
    }
}

struct DModKRoutes {
    climb: Climb,
    ways: Option<Decided>,
    /// The forwarding tables, once they have been asked for.
    lfts: OnceLock<Option<Arc<Lfts>>>,
}

impl Route for DModKRoutes {
    fn virtual_channels(&self) -> u8 {
        1
    }

    fn inject(&self, _pair: Pair, _stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        Waypoints::default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        let destination = header.destination;
        let slot = self.climb.slot(destination).ok_or(Unroutable { at, destination })?;
        self.climb.hop(at, destination, |level| mod_k(self.climb.tree(), level, slot))
    }

    fn only_way(&self, _from: SwitchId, pair: Pair, way: &mut Vec<Exit>) -> bool {
        let ways = self.ways.as_ref();
        ways.map(|ways| ways.trace(pair, pair.destination, way)).is_some()
    }

    fn drawn_word(
        &self,
        _from: SwitchId,
        pair: Pair,
        _stream: &mut Stream,
        _queues: &dyn Queues,
        code: Code,
    ) -> Option<Word> {
        self.ways.as_ref()?.word(pair, pair.destination, code)
    }

    fn touch(&self, pair: Pair) -> u32 {
        self.ways.as_ref().map_or(0, |ways| ways.touch(pair))
    }
}

impl Oblivious for DModKRoutes {
    fn sharing(&self) -> Sharing {
        Sharing::Sources
    }

    fn merges(&self) -> bool {
        true
    }

    fn onward(&self, at: SwitchId, destination: EndpointId) -> Option<PortId> {
        let Some(ways) = &self.ways else {
            let header = &mut Header { destination, waypoints: Waypoints::default(), stage: 0 };
            return self.next(at, header).ok().map(|hop| hop.port);
        };
        let number = ways.onward(self.climb.site(at)?, destination);
        Some(self.climb.network().port(at, number))
    }

    fn choices(&self, _pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        show(Waypoints::default(), 1.0);
    }

    fn lfts(&self) -> Option<Arc<Lfts>> {
        let choose = |slot, level| mod_k(self.climb.tree(), level, slot);
        self.lfts.get_or_init(|| self.climb.tabulate(choose).map(Arc::new)).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::analysis::paths;
    use crate::network::{Failures, Links, Node, Structure};
    use crate::topology::{Build, Cabling, KAryNTree, PortOrder, Xgft};
    use crate::units::{Bandwidth, Time};

    const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

    fn build(part: &dyn Build) -> Arc<Network> {
        Arc::new(part.build(&LINKS).expect("a valid tree"))
    }

    fn tree(children: &[u32], parents: &[u32], parallel: &[u32]) -> Xgft {
        let [children, parents, parallel] = [children, parents, parallel].map(<[u32]>::to_vec);
        Xgft { children, parents, parallel, ..Xgft::default() }
    }

    /// The channels of a pair's route; none where it has none.
    fn route(network: &Arc<Network>, source: u32, destination: u32) -> Option<Vec<PortId>> {
        let Ok(Routes::Oblivious(routes)) = DModK.routes(network) else { panic!("a tree") };
        let pair = Pair { source: EndpointId(source), destination: EndpointId(destination) };
        let mut route = None;
        let walked = paths(network, routes.as_ref(), pair, &mut |path, _| {
            route = Some(path.iter().map(|step| step.port).collect());
        });
        walked.ok().and(route)
    }

    /// The most flows on one channel, for each distance of a shift.
    fn contention(network: &Arc<Network>) -> Vec<u32> {
        let count = network.endpoint_count();
        let worst = |by: u32| {
            let mut flows = BTreeMap::new();
            for source in 0..count {
                let route = route(network, source, (source + by) % count).expect("a route");
                for port in route {
                    *flows.entry(port).or_insert(0) += 1;
                }
            }
            flows.values().copied().max().unwrap_or(0)
        };
        (1..count).map(worst).collect()
    }

    #[test]
    fn no_shift_contends_on_a_full_bisection_tree() {
        let trees = [
            tree(&[2, 2, 2, 2], &[1, 2, 2, 2], &[1]),
            tree(&[4, 4, 4], &[1, 4, 4], &[1]),
            tree(&[4, 4], &[1, 2], &[1, 2]),
            tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]),
            tree(&[4, 4, 3], &[1, 4, 4], &[1]),
            tree(&[9, 9, 3], &[1, 9, 9], &[1]),
        ];
        for tree in trees {
            for (ports, reversed) in [
                (PortOrder::Grouped, 0),
                (PortOrder::Interleaved, 0),
                (PortOrder::Grouped, 2),
                (PortOrder::Interleaved, 3),
            ] {
                let cabling = Cabling { ports, reversed, ..Cabling::default() };
                let network = build(&Xgft { cabling, ..tree.clone() });
                let worst = contention(&network);
                assert!(worst.iter().all(|flows| *flows == 1), "{:?}", network.structure());
            }
        }
        // Half the links above the leaves: two flows share each, in all but the shortest shifts.
        let slim = contention(&build(&tree(&[4, 2, 4], &[1, 2, 2], &[1])));
        assert_eq!(slim.iter().max(), Some(&2));
    }

    /// Whether the pair's route, as it was before something broke, avoids what broke.
    fn survives(route: &[PortId], before: &Network, after: &Network) -> bool {
        route.iter().all(|port| before.peer(*port) == after.peer(*port))
    }

    #[test]
    fn a_pair_whose_route_has_a_hole_is_unroutable() {
        let whole = build(&KAryNTree::default());
        let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
        let failures = Failures {
            switches: vec![tree.switch(3, 5), tree.switch(1, 2)],
            endpoints: vec![EndpointId(1), EndpointId(40)],
            links: vec![PortId(whole.ports(Node::Switch(tree.switch(2, 9))).start + 5)],
        };
        let absent =
            Cabling { filled: Some(3), leaves: Some(13), roots: Some(11), ..Cabling::default() };
        let broken = [
            Arc::new(whole.without(&failures)),
            build(&KAryNTree { cabling: absent, ..KAryNTree::default() }),
        ];
        for network in broken {
            let mut unroutable = 0;
            for source in 0..64 {
                for destination in (0..64).filter(|destination| *destination != source) {
                    let before = route(&whole, source, destination).expect("it is whole");
                    let expected = survives(&before, &whole, &network).then_some(before);
                    unroutable += u32::from(expected.is_none());
                    assert_eq!(route(&network, source, destination), expected);
                }
            }
            assert!(unroutable > 500 && unroutable < 3500, "{unroutable}");
        }
    }

    #[test]
    fn tables_are_made_once() {
        let network = build(&KAryNTree::default());
        let routes = DModK.routes(&network).unwrap_or_else(|needs| panic!("{needs}"));
        let [one, other] = [0; 2].map(|_| routes.oblivious().lfts().expect("small tables"));
        assert!(Arc::ptr_eq(&one, &other));
    }

    #[test]
    fn endpoints_with_several_links_are_refused() {
        let network = build(&tree(&[2, 2], &[2, 2], &[1]));
        let needs = DModK.routes(&network).err().expect("several links per endpoint");
        assert!(needs.found.starts_with("several links per endpoint (of an xgft, w= and p= "));
    }
}
