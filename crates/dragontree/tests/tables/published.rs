//! Contention of shifts, as others have counted it.

use std::sync::Arc;

use dragontree::analysis::{Contending, Contention, Levels, rails};
use dragontree::placement::{Keepers, Order};
use dragontree::routing::Routes;
use dragontree::scenario::Study;

fn contention(text: &str, order: Order, keepers: Keepers) -> Contention {
    let plan = Study::parse(text).unwrap().plan().unwrap();
    let scenario = plan.jobs[0].scenario();
    let network = scenario.network().unwrap();
    let routes: Arc<Routes> = Arc::new(scenario.routing.role().routes(&network).unwrap());
    let slots = order.places(&network, &rails(&network)[0].ports, keepers).unwrap();
    Contending::shifts(&network, &routes, Levels::new(&network), &slots).finish()
}

/// On a full tree no shift contends: Zahavi 2009, Table I, column of the fat-tree routing, which
/// D-mod-K equals on these.
#[test]
fn no_shift_contends_on_a_full_tree() {
    for tree in [
        "m=2.2.2.2,w=1.2.2.2",
        "m=4.4,w=1.4",
        "m=4.4,w=1.2,p=1.2",
        "m=4.4.2,w=1.4.4",
        "m=4.2.4,w=1.2.2,p=1.2.2",
        "m=4.4.3,w=1.4.4",
        "m=4.4.4,w=1.4.4",
        "m=12.12,w=1.12",
        "m=4.4.4.4,w=1.4.4.4",
        "m=12.12.12,w=1.12.12",
        "m=9.9.3,w=1.9.9",
        "m=11.7.5,w=1.11.7",
    ] {
        let text = format!("topology=xgft,{tree} routing=d_mod_k");
        let found = contention(&text, Order::Index, Keepers::Yes);
        assert_eq!((found.worst, found.mean, found.unrouted), (1.0, 1.0, 0), "{tree}");
        assert!(found.per_stage.iter().all(|flows| *flows == 1.0), "{tree}");
    }
}

/// Two endpoints for each link into the roots of XGFT(8,4,4,2;1,8,4,2): counted by a program of
/// its own that walked every pair.
#[test]
fn a_tree_slimmed_at_the_top_contends_as_counted_elsewhere() {
    let found =
        contention("topology=xgft,m=8.4.4.2,w=1.8.4.2 routing=d_mod_k", Order::Index, Keepers::Yes);
    assert_eq!((found.worst, found.stages), (2.0, 255));
    assert!((found.mean - 1.498).abs() < 0.0005, "{}", found.mean);
}

/// Endpoints are missing from k-ary n-trees. With place keepers in routing and pattern nothing
/// contends; when the pattern alone leaves the empty slots out, it does: counted for the fat-tree
/// routing of Zahavi 2009 by a program of its own that walked every pair. D-mod-K keeps the same
/// places.
#[test]
fn place_keepers_keep_the_shifts_free_of_contention() {
    for (tree, missing, mean) in [
        ("m=4.4,w=1.4", "4", 1.429),
        ("m=4.4.4,w=1.4.4", "4", 1.774),
        ("m=4.4.4,w=1.4.4", "1.4.22.39.60", 1.897),
    ] {
        let text = format!("topology=xgft,{tree} faults=list,endpoint={missing} routing=d_mod_k");
        let kept = contention(&text, Order::Index, Keepers::Yes);
        assert_eq!((kept.worst, kept.mean, kept.unrouted), (1.0, 1.0, 0), "{text}");
        for order in [Order::Index, Order::Lid, Order::Ftree] {
            let kept = contention(&text, order, Keepers::Yes);
            assert_eq!((kept.worst, kept.mean), (1.0, 1.0), "{text} {order:?}");
            let compact = contention(&text, order, Keepers::No);
            assert_eq!((compact.worst, compact.unrouted), (2.0, 0), "{text}");
            assert!((compact.mean - mean).abs() < 0.0005, "{text}: {}", compact.mean);
        }
    }
}

/// In the same tree two flows meet in the N/2 − 1 shifts in which more cross the bisection than
/// there are links (Prisacari 2020, §2.4.2 and Fig. 2.4).
#[test]
fn contention_at_the_top_follows_the_crossings() {
    let found =
        contention("topology=xgft,m=8.4.4.2,w=1.8.4.2 routing=d_mod_k", Order::Index, Keepers::Yes);
    let top = found.per_level.iter().find(|level| {
        level.level == "level 4" && level.direction == Some(dragontree::analysis::Direction::Up)
    });
    let top = top.unwrap();
    for (stage, (flows, crossing)) in top.per_stage.iter().zip(&top.flows_per_stage).enumerate() {
        // A shift by s takes min(s, N − s) flows out of either half.
        let by = stage + 1;
        assert_eq!(*crossing, 2.0 * by.min(256 - by) as f64);
        assert_eq!(*flows, if *crossing > f64::from(top.channels) { 2.0 } else { 1.0 }, "{by}");
    }
    assert_eq!(top.per_stage.iter().filter(|flows| **flows == 2.0).count(), 127);
}
