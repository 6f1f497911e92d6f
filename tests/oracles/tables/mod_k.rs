//! D-mod-K and S-mod-K on the trees of OpenSM's fabrics, which have to be found in them.

use dragontree::analysis::{Contending, Levels, rails};
use dragontree::catalog::Menu;
use dragontree::network::PortId;
use dragontree::placement::{Keepers, Order};
use dragontree::routing::{DModK, SModK};

use super::*;

fn slots(network: &Network) -> Vec<Option<PortId>> {
    let ports = &rails(network)[0].ports;
    Order::Ftree.places(network, ports, Keepers::Yes).expect("a tree")
}

/// In the order of the tree's indices, with place keepers, no shift contends where the tree is
/// full (Zahavi 2009, Table I, full rows; Prisacari 2020, §2.4.1), and two flows share a channel
/// where half the links above the leaves are missing.
#[test]
fn shifts_contend_as_the_closed_form_has_it() {
    for (fabric, worst) in [
        ("k4n2", 1.0),
        ("k2n4", 1.0),
        ("k4n3", 1.0),
        ("half-k4n3", 1.0),
        ("half-k4n3-b", 1.0),
        ("half-k4n3-b-cbb2-l1", 2.0),
        ("k4n2-merged-inter", 1.0),
        ("k4n2-merged-reordered", 1.0),
        ("k4n3-partial", 1.0),
        ("bip12-2x2", 1.0),
        ("ft648", 1.0),
    ] {
        let network = network(fabric);
        for routing in [Routing::from(DModK), SModK.into()] {
            let routes = Arc::new(routing.role().routes(&network).expect("a tree"));
            let levels = Levels::found(&network);
            let found = Contending::shifts(&network, &routes, levels, &slots(&network)).finish();
            let what = format!("{fabric}, {}", routing.name());
            assert_eq!((found.worst, found.unrouted), (worst, 0), "{what}");
        }
    }
}
