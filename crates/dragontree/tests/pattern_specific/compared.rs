//! Routings beside one another, against the count of flows per channel.

use dragontree::analysis::{Levels, rails_of, recount};
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::Climbs;
use dragontree::scenario::{Compared, Scenario, Study};

use crate::trees::shape;

fn scenario(text: &str) -> Scenario {
    Study::parse(text).expect(text).plan().expect(text).jobs[0].scenario().clone()
}

fn compared(text: &str) -> Compared {
    let scenario = scenario(text);
    let network = scenario.network().expect(text);
    let mut comparing = scenario.comparing(&network, None).expect(text);
    let mut slices = 0;
    while !comparing.advance(10_000) {
        slices += 1;
        assert!((0.0..=1.0).contains(&comparing.share()));
    }
    assert!(slices > 10, "it yields");
    comparing.finish()
}

const OPT: &str = "topology=xgft,m=8.4.2,w=1.8.2 exchange=all_to_all,order=opt bytes=4KiB";

/// For routings with a way for each pair the same as [`dragontree::analysis::Contending`] counts by
/// other means, between switches.
#[test]
fn contention_is_what_the_flows_on_channels_come_to() {
    let compared = compared(&format!("{OPT} routing=pattern_specific"));
    let names: Vec<&str> = compared.rows.iter().map(|row| row.routing.as_str()).collect();
    assert_eq!(
        names,
        ["static_random", "dynamic_random", "greedy", "s_mod_k", "d_mod_k", "pattern_specific",]
    );
    assert_eq!(compared.phases, 64);
    for row in &compared.rows {
        assert_eq!(row.is_drawn, row.routing == "dynamic_random");
        let scenario = scenario(&row.text);
        let network = scenario.network().unwrap();
        let routes = scenario.routes(&network).unwrap();
        let sending = scenario.sending(&network).unwrap().unwrap();
        let rail = &rails_of(&network, &routes)[0];
        let counted = sending.contending(&network, &routes, Levels::found(&network), rail).finish();
        if !row.is_drawn {
            assert_eq!(f64::from(row.worst), counted.worst, "{}", row.routing);
            assert!((row.mean - counted.mean).abs() < 1e-9, "{}", row.routing);
        }
    }
}

/// Half of the bisection is there, and each phase sends half of the messages over it: contention 1 is
/// possible in all phases, and what takes no notice of the pattern has more (Prisacari 2020, §3.5.2).
#[test]
fn what_knows_the_pattern_is_best() {
    let compared = compared(OPT);
    let row = |name: &str| {
        let named = |row: &&dragontree::scenario::ComparedRow| row.routing.ends_with(name);
        compared.rows.iter().find(named).unwrap()
    };
    let best = row("pattern_specific");
    assert_eq!((best.worst, best.mean, best.optimal), (1, 1.0, 64));
    assert_eq!(row("greedy").worst, 2);
    for name in ["static_random", "dynamic_random", "s_mod_k", "d_mod_k"] {
        assert!(row(name).worst > 2, "{name}");
        assert!(row(name).mean > row("greedy").mean, "{name}");
        assert!(row(name).levels.iter().all(|level| level.bound == 1));
    }
    let all = Study::parse(&compared.text).unwrap().plan().unwrap();
    assert_eq!(all.jobs.len(), 6);
}

/// A routing of its own is compared, too; what has no routes says why.
#[test]
fn the_text_s_own_routing_comes_first() {
    let compared = compared(&format!("{OPT} routing=min_hop"));
    assert_eq!(compared.rows.len(), 7);
    assert_eq!(compared.rows[0].routing, "min_hop");
    let text = "topology=dragonfly,p=2,a=4,h=2 exchange=all_to_all";
    let scenario = scenario(text);
    let problems = scenario.comparing(&scenario.network().unwrap(), None).err().unwrap();
    assert!(problems[0].to_string().starts_with("topology: “dragonfly” was given"), "{problems:?}");
}

/// Each message of a ping-pong is alone, and judged alone: all 240 as one phase would have 15 on each
/// endpoint's link.
#[test]
fn messages_one_after_the_other_share_no_link() {
    for routing in ["d_mod_k", "pattern_specific"] {
        let text = format!("topology=xgft,m=4.4,w=1.4 exchange=ping_pong routing={routing}");
        let scenario = scenario(&text);
        let network = scenario.network().unwrap();
        let routes = scenario.routes(&network).unwrap();
        let judged = scenario.certificates(&network, &routes).unwrap().unwrap();
        assert_eq!(judged.summary, "All 240 phases optimal: contention 1.");
    }
}

/// Where something has failed, it is said that a pair has no route, and which one has none.
#[test]
fn what_a_fault_leaves_without_a_route_is_told() {
    let text = "topology=xgft,m=4.4,w=1.4 exchange=all_to_all faults=random,links=2";
    let compared = compared(text);
    for name in ["static_random", "s_mod_k", "d_mod_k"] {
        let row = compared.rows.iter().find(|row| row.routing == name).unwrap();
        let why = row.refused.as_deref().unwrap();
        assert!(why.starts_with("there is no route from endpoint "), "{name}: {why}");
    }
    let drawn = compared.rows.iter().find(|row| row.routing == "dynamic_random").unwrap();
    assert!(drawn.is_drawn && drawn.refused.is_none());
    // Over groups in between ways go up and down more than once.
    let crooked =
        crate::compared::compared("topology=xgft,m=4.4,w=1.4 exchange=all_to_all routing=valiant");
    let why = crooked.rows[0].refused.as_deref().unwrap();
    assert!(why.ends_with("is not straight up the tree and then down"), "{why}");
}

/// Of an all-to-all, every endpoint sends and receives 63 messages; 8 · 56 leave a subtree of 8 by 8
/// links, and 32 · 32 a half by 16. Modulo routes keep to that without knowing it (Zahavi 2009); one
/// phase after the other, as above, they do not.
#[test]
fn all_phases_at_once_share_the_links_as_evenly_as_counting_says() {
    for routing in ["pattern_specific", "greedy"] {
        let compared = compared(&format!("{OPT} routing={routing},at_once=all"));
        assert_eq!((compared.phases, compared.at_once), (1, true));
        for row in &compared.rows {
            let bounds: Vec<u32> = row.levels.iter().map(|level| level.bound).collect();
            assert_eq!(bounds, [63, 56, 64], "{}", row.routing);
        }
        let row = |name: &str| {
            compared.rows.iter().find(|row| row.routing == name).unwrap_or_else(|| panic!("{name}"))
        };
        for even in ["pattern_specific,at_once=all", "s_mod_k", "d_mod_k"] {
            let worst: Vec<u32> = row(even).levels.iter().map(|level| level.worst).collect();
            assert_eq!(worst, [63, 56, 64], "{even}");
        }
        assert!(row("greedy,at_once=all").worst < row("static_random").worst);
    }
}

/// Of several links of an endpoint most routings use one in a network; the tree alone tells what they come
/// to if they use all. Modulo routes are those of the formula, counted here by themselves. What is made for
/// messages is simulated with all links.
#[test]
fn several_links_of_an_endpoint_are_compared_on_the_tree() {
    for (tree, shape) in [
        ("m=4.4.2,w=2.2.2", shape((&[4, 4, 2], &[2, 2, 2]))),
        ("m=3.2.3,w=3.1.2", shape((&[3, 2, 3], &[3, 1, 2]))),
        ("m=2.6,w=4.2", shape((&[2, 6], &[4, 2]))),
    ] {
        let text = format!("topology=xgft,{tree} exchange=all_to_all,order=lin");
        let compared = compared(&format!("{text} routing=pattern_specific"));
        assert_eq!(compared.rows.len(), 6, "{tree}");
        for row in &compared.rows {
            let is_simulated = ["greedy", "pattern_specific"].contains(&row.routing.as_str());
            assert_eq!(!row.text.is_empty(), is_simulated, "{tree}, {}", row.routing);
        }
        let both = Study::parse(&compared.text).unwrap().plan().unwrap();
        assert_eq!(both.jobs.len(), 2, "{}", compared.text);
        let scenario = scenario(&text);
        let demand = scenario.demand(&scenario.network().unwrap()).unwrap();
        let phases = (0..demand.phases()).map(|phase| demand.sent(phase));
        let phases: Vec<Vec<_>> = phases.filter(|sent| !sent.is_empty()).collect();
        let digits = |pair: Pair, end: u32| -> Vec<u16> {
            let (mut rest, mut digits) = (end, Vec::new());
            for level in 1..=shape.turn(pair) {
                digits.push((rest % shape.parents(level)) as u16);
                rest /= shape.parents(level);
            }
            digits
        };
        let modulo = |end: &dyn Fn(Pair) -> u32| -> Vec<u32> {
            let mut worst = vec![0; shape.levels()];
            for sent in &phases {
                let all: Vec<Pair> = sent.iter().map(|sent| sent.pair).collect();
                let climbs: Vec<_> = all.iter().map(|pair| digits(*pair, end(*pair))).collect();
                let counted = recount(&shape, &all, &Climbs::new(&climbs)).unwrap();
                for (worst, level) in worst.iter_mut().zip(&counted.levels) {
                    *worst = level.achieved.max(*worst);
                }
            }
            worst
        };
        let row = |name: &str| compared.rows.iter().find(|row| row.routing == name).unwrap();
        let worst =
            |name: &str| -> Vec<u32> { row(name).levels.iter().map(|level| level.worst).collect() };
        assert_eq!(worst("d_mod_k"), modulo(&|pair| pair.destination.0), "{tree}");
        assert_eq!(worst("s_mod_k"), modulo(&|pair| pair.source.0), "{tree}");
        let best = row("pattern_specific");
        assert_eq!(best.optimal, compared.phases, "{tree}");
        // In the network the same routes are followed link by link.
        for name in ["greedy", "pattern_specific"] {
            let text = format!("{text} routing={name}");
            let scenario = crate::compared::scenario(&text);
            let network = scenario.network().unwrap();
            let routes = scenario.routes(&network).unwrap();
            let judged = scenario.certificates(&network, &routes).unwrap().unwrap();
            let most = judged.phases.iter().map(|phase| phase.achieved).max().unwrap();
            assert_eq!((most, judged.optimal), (row(name).worst, row(name).optimal), "{text}");
        }
        for other in &compared.rows {
            assert_eq!(other.refused, None);
            assert_eq!(other.is_drawn, other.routing == "dynamic_random");
            assert!(other.worst >= best.worst && other.optimal <= best.optimal, "{tree}");
            // Each endpoint sends one message in a phase.
            assert_eq!(other.levels[0].bound, 1);
        }
        assert!(row("static_random").mean > best.mean, "{tree}");
    }
}

/// The only phase there is then is judged bit by bit, and what comes out is the same.
#[test]
fn all_phases_at_once_are_judged_a_few_messages_at_a_time() {
    let scenario = scenario(&format!("{OPT} routing=pattern_specific,at_once=all"));
    let network = scenario.network().unwrap();
    let routes = scenario.routes(&network).unwrap();
    let mut certifying = scenario.certifying(&network, &routes).unwrap().unwrap();
    let mut shares = Vec::new();
    while !certifying.advance(10_000) {
        shares.push(certifying.share());
    }
    assert!(shares.len() > 100 && shares.is_sorted(), "{shares:?}");
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    assert_eq!(certifying.finish(), scenario.certificates(&network, &routes).unwrap());
}

/// XOR crosses the middle with all messages in the second half of its phases, over half as many
/// links, and with none in the first (Prisacari 2020, §2.3.2 and Fig. 2.4b); OPT shares no link.
#[test]
fn one_phase_is_compared_like_all() {
    let best = |exchange: &str| {
        let text = format!("topology=xgft,m=8.4.2,w=1.8.2 exchange=all_to_all,{exchange}");
        let compared = compared(&format!("{text} routing=pattern_specific bytes=4KiB"));
        assert_eq!(compared.phases, 1, "{exchange}");
        compared.rows.last().unwrap().levels.iter().map(|level| level.worst).collect::<Vec<_>>()
    };
    assert_eq!(best("order=xor,phase=31"), [1, 1, 0]);
    assert_eq!(best("order=xor,phase=32"), [1, 1, 2]);
    assert_eq!(best("order=xor,phase=63"), [1, 1, 2]);
    assert_eq!(best("order=opt,phase=63"), [1, 1, 1]);
}
