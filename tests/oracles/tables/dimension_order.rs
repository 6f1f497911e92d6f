//! Dimension order on a torus against OpenSM's engine `dor`.

use dragontree::network::{Builder, EndpointId, Grid, Lines, LinkClass, Structure};
use dragontree::routing::{DimensionOrder, Header, Pair};

use super::*;

/// The torus of 4×4 switches with one endpoint each.
pub fn torus() -> Arc<Network> {
    let mut builder = Builder::new(&LINKS);
    for _ in 0..16 {
        builder.switch(5);
    }
    for id in 0..16 {
        let endpoint = builder.endpoint(1);
        let switch = Node::Switch(SwitchId(id));
        builder.link((Node::Endpoint(endpoint), 0), (switch, 0), LinkClass::Endpoint);
    }
    for id in 0..16 {
        let (x, y) = (id % 4, id / 4);
        let switch = |x: u32, y: u32| Node::Switch(SwitchId(x % 4 + y % 4 * 4));
        builder.link((switch(x, y), 1), (switch(x + 1, y), 2), LinkClass::Dimension(1));
        builder.link((switch(x, y), 3), (switch(x, y + 1), 4), LinkClass::Dimension(2));
    }
    let grid = Grid { widths: vec![4, 4], lines: Lines::Ring, endpoints_per_switch: 1 };
    Arc::new(builder.finish(Structure::Grid(grid)).expect("a torus"))
}

/// Every way takes the same switches as in the tables, also where both ways around are as long.
#[test]
fn ways_are_those_of_opensm() {
    let (ours, theirs) = (torus(), network("torus4x4"));
    let text = dump("torus4x4", "dor");
    let reading = lfts::read(&[Source { name: "dor", text: &text }], &theirs).expect("readable");
    let names = theirs.nodes_by_name();
    let Ok(Routes::Oblivious(routes)) = Routing::from(DimensionOrder).role().routes(&ours) else {
        panic!("a grid")
    };
    let tables = routes.lfts().expect("small ones");
    for source in 0..16 {
        for destination in (0..16).filter(|destination| *destination != source) {
            let pair = Pair { source: EndpointId(source), destination: EndpointId(destination) };
            let mut header =
                Header { destination: pair.destination, waypoints: Default::default(), stage: 0 };
            let host = format!("host-{}-{}-0", destination % 4, destination / 4);
            let Node::Endpoint(host) = names[&host] else { panic!("a host") };
            let target = theirs.endpoint_target(host).expect("a cable");
            let mut at = SwitchId(source);
            while at != SwitchId(destination) {
                let name = format!("sw-{}-{}", at.0 % 4, at.0 / 4);
                let Node::Switch(same) = names[&name] else { panic!("a switch") };
                let port = reading.lfts.port(&theirs, same, target).expect("a way");
                let expected = theirs.neighbor(port).map(|node| theirs.name(node));
                let hop = routes.next(at, &mut header).expect("a way");
                let Some(Node::Switch(next)) = ours.neighbor(hop.port) else { panic!("a switch") };
                assert_eq!(Some(format!("sw-{}-{}", next.0 % 4, next.0 / 4)), expected, "{pair:?}");
                let destination = ours.endpoint_target(pair.destination).expect("a cable");
                assert_eq!(tables.port(&ours, at, destination), Some(hop.port));
                at = next;
            }
        }
    }
}

/// The torus that is found in what ibnetdiscover printed is the one that OpenSM routes: the tables
/// are the same, entry by entry.
#[test]
fn tables_of_the_file_are_those_of_opensm() {
    let network = network("torus4x4");
    let text = dump("torus4x4", "dor");
    let reading = lfts::read(&[Source { name: "dor", text: &text }], &network).expect("readable");
    let routes = match Routing::from(DimensionOrder).role().find(&network, 1) {
        Ok(Routes::Oblivious(routes)) => routes,
        Ok(Routes::Tables(_)) => panic!("not by tables"),
        Err(problems) => panic!("{problems:?}"),
    };
    let tables = routes.lfts().expect("small ones");
    for endpoint in network.endpoints() {
        let target = network.endpoint_target(endpoint).expect("a cable");
        for switch in network.switches() {
            let [own, theirs] =
                [&*tables, &reading.lfts].map(|tables| tables.port(&network, switch, target));
            assert_eq!(own, theirs, "{switch:?} {endpoint:?}");
        }
    }
}
