use dragontree::network::{EndpointId, Failures, Network, PortId, SwitchId};
use dragontree::scenario::{Experiment, Scenario, Study};

use super::*;

fn scenario(text: &str) -> Scenario {
    let plan = Study::parse(text).unwrap().plan().unwrap();
    plan.jobs[0].scenario().clone()
}

fn fabric(text: &str) -> (Network, Failures) {
    scenario(text).fabric().unwrap()
}

fn draw(text: &str, open: Option<u32>) -> Picture {
    let (network, failures) = fabric(text);
    picture(&network, &failures, open)
}

fn bundles(picture: &Picture) -> impl Iterator<Item = Bundle> + '_ {
    (0..picture.bundle_count()).map(|bundle| picture.bundle(bundle))
}

const SMALL: &str = "topology=dragonfly,p=2,a=4,h=2 load=0.5";
const LARGE_TREE: &str = "topology=xgft,m=20.20.20,w=1.20.20 load=0.5";
const LARGE_DRAGONFLY: &str = "topology=dragonfly,p=8,a=16,h=8 load=0.5";

#[test]
fn a_small_network_has_a_dot_for_each_node_and_a_bundle_for_each_pair() {
    let picture = draw(SMALL, None);
    let (network, _) = fabric(SMALL);
    assert_eq!(picture.node_count(), 36 + 72);
    assert_eq!(picture.names().lines().count(), 36 + 72);
    assert_eq!(picture.names().lines().nth(7), Some("switch 3 of group 1"));
    assert_eq!(bundles(&picture).map(|bundle| bundle.links).sum::<u32>(), network.link_count());
    assert_eq!(picture.bundle_count(), network.link_count() as usize);
    let kinds: Vec<&str> = picture.kinds.lines().collect();
    assert_eq!(kinds.len(), 3);
    assert!(kinds.contains(&"global link, 100Gbps, 50ns"), "{kinds:?}");
    assert_eq!(picture.node(35).used, 7);
    assert_eq!((picture.node(36).kind, picture.node(36).id), (Kind::Endpoint, 0));
    assert_eq!(picture.captions().count(), 9);
}

#[test]
fn parallel_links_are_one_bundle() {
    let picture = draw("topology=xgft,m=4.2,w=1.2,p=1.3 load=0.5", None);
    let links: Vec<u32> = bundles(&picture).map(|bundle| bundle.links).collect();
    // Two leaves with four endpoints each, two roots, three links between each leaf and root.
    assert_eq!(links, [1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 3, 3]);
}

#[test]
fn what_is_broken_is_drawn_and_named_for_the_text() {
    let broken = "topology=dragonfly,p=2,a=4,h=2 faults=list,link=0-2,switch=5,endpoint=3 load=0.5";
    let picture = draw(broken, None);
    assert_eq!(
        (&picture.broken.links[..], &picture.broken.switches[..]),
        (&[[0, 2]][..], &[5][..])
    );
    assert_eq!(picture.broken.endpoints, [3]);
    assert!(picture.node(5).broken && picture.node(36 + 3).broken);
    assert_eq!((picture.node(0).used, picture.node(0).all), (6, 7));
    let failed: Vec<Bundle> = bundles(&picture).filter(|bundle| bundle.broken > 0).collect();
    // The link itself, seven of the switch, and the endpoint's.
    assert_eq!(failed.len(), 9);
    let own: Vec<&Bundle> = failed.iter().filter(|bundle| bundle.failed.is_some()).collect();
    assert_eq!(own.len(), 1);
    assert_eq!((own[0].failed, own[0].working), (Some([0, 2]), None));
    // Nothing moves when something breaks.
    let intact = draw(SMALL, None);
    assert_eq!((intact.node_count(), intact.bundle_count()), (108, picture.bundle_count()));
    assert!(intact.places == picture.places);
}

#[test]
fn every_working_link_is_named_as_the_text_names_it() {
    let (network, _) = fabric(SMALL);
    for bundle in bundles(&draw(SMALL, None)) {
        let [switch, port] = bundle.working.unwrap();
        let port = network.port(SwitchId(switch), port);
        let ends = [port, network.peer(port).unwrap()].map(|port| match network.owner(port) {
            dragontree::network::Node::Switch(SwitchId(switch)) => switch,
            dragontree::network::Node::Endpoint(EndpointId(endpoint)) => 36 + endpoint,
        });
        assert!(ends == bundle.ends || ends == [bundle.ends[1], bundle.ends[0]]);
    }
}

#[test]
fn loads_follow_the_bundles() {
    let scenario = scenario("topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.5");
    let experiment = Experiment::build(&scenario, None).unwrap();
    let (network, failures) = scenario.fabric().unwrap();
    let report = &experiment.analysis().report;
    let picture = picture(&network, &failures, None);
    let loads = loads(&network, report, None);
    assert_eq!(loads.bundles.len(), 2 * picture.bundle_count());
    let utilization = |port: PortId| report.utilization[port.index()] as f32;
    for (bundle, both) in bundles(&picture).zip(loads.bundles.chunks_exact(2)) {
        let [switch, port] = bundle.working.unwrap();
        let port = network.port(SwitchId(switch), port);
        let ways = [utilization(port), utilization(network.peer(port).unwrap())];
        // A link's own switch may be either end.
        assert!(both == ways || both == [ways[1], ways[0]]);
    }
    let (busiest, forward) = loads.busiest.unwrap();
    let busiest = loads.bundles[2 * busiest as usize + usize::from(!forward)];
    assert_eq!(busiest, 8.0);
    // One link from each of 9 groups to that of its complement, but for the group in the middle.
    assert_eq!(loads.alike, 8);
}

#[test]
fn a_large_tree_is_drawn_in_blocks_of_which_one_can_be_opened() {
    let closed = draw(LARGE_TREE, None);
    let dots: Vec<Dot> = (0..closed.node_count()).map(|node| closed.node(node)).collect();
    assert!(!closed.matrix && dots.len() == 60, "{}", dots.len());
    assert!(dots.iter().all(|dot| dot.kind == Kind::Block && dot.opens));
    assert_eq!(dots.iter().map(|dot| dot.used).sum::<u32>(), 1200);
    assert_eq!(dots.iter().map(|dot| dot.all).sum::<u32>(), 8000);
    let links: u32 = bundles(&closed).map(|bundle| bundle.links).sum();
    assert_eq!(links, 2 * 8000);
    let open = draw(LARGE_TREE, Some(0));
    assert_eq!(open.open, Some(0));
    // Twenty leaves with twenty endpoints each in the place of one block.
    assert_eq!(open.node_count(), 59 + 20 + 400);
    assert_eq!(open.node(0).kind, Kind::Switch);
    assert_eq!(open.node(59 + 20).kind, Kind::Endpoint);
    assert_eq!(bundles(&open).map(|bundle| bundle.links).sum::<u32>(), links + 400);
}

#[test]
fn many_groups_are_drawn_as_a_matrix() {
    let closed = draw(LARGE_DRAGONFLY, None);
    assert!(closed.matrix && !closed.stretches);
    assert_eq!(closed.node_count(), 129);
    // Every pair of groups, and each group with itself.
    assert_eq!(closed.bundle_count(), 129 * 128 / 2 + 129);
    let open = draw(LARGE_DRAGONFLY, Some(128));
    assert_eq!(open.node_count(), 128 + 16);
    assert!(open.matrix);
    let scenario = scenario(&format!("{LARGE_DRAGONFLY} traffic=bit_complement"));
    let experiment = Experiment::build(&scenario, None).unwrap();
    for picture in [closed, open] {
        let (network, _) = scenario.fabric().unwrap();
        let loads = loads(&network, &experiment.analysis().report, picture.open);
        assert_eq!(loads.bundles.len(), 2 * picture.bundle_count());
    }
}

#[test]
fn a_block_that_does_not_exist_stays_closed() {
    for (text, block, nodes) in [(LARGE_TREE, 4_000_000, 60), (SMALL, 0, 108)] {
        let picture = draw(text, Some(block));
        assert_eq!((picture.open, picture.node_count()), (None, nodes));
    }
}

#[test]
fn what_travels_arrives() {
    let text = "topology=dragonfly,p=2,a=4,h=2 faults=list,link=0-2,switch=5.7,endpoint=3 load=0.5";
    for picture in [draw(text, None), draw(LARGE_TREE, Some(3)), draw(LARGE_DRAGONFLY, Some(3))] {
        let arrived = Picture::unpack(&picture.clone().into()).unwrap();
        // Captions at the margin have no horizontal place, and nothing equals that.
        assert_eq!(arrived.captions().count(), picture.captions().count());
        let plain = |picture: Picture| Picture { anchors: Vec::new(), ..picture };
        assert!(plain(arrived) == plain(picture));
    }
    let loads = Loads { bundles: vec![0.5, 0.25], busiest: Some((0, true)), alike: 2 };
    assert_eq!(Loads::unpack(loads.clone().into()), Some(loads));
    assert_eq!(Picture::unpack(&Parcel::default()), None);
    assert_eq!(Loads::unpack(Parcel::default()), None);
}
