//! Trees with gaps, with endpoints in odd places, with pairs of leaf switches, and large ones.

use super::*;

#[test]
fn dead_switches_leave_gaps() {
    let whole = build(&KAryNTree::default());
    let Structure::Tree(tree) = whole.structure() else { panic!("a tree") };
    // A leaf switch, one of the second level in another subtree, and a root.
    let cases = [
        (
            tree.switch(1, 6),
            vec!["switch 4 of level 2 on level 2 has 3 switches below, usual are 4"],
        ),
        (
            tree.switch(2, 9),
            vec!["switch 8 of level 1 on level 1 has 3 switches above, usual are 4"],
        ),
        (
            tree.switch(3, 5),
            vec!["switch 1 of level 2 on level 2 has 3 switches above, usual are 4"],
        ),
    ];
    for (dead, expected) in cases {
        let failures = Failures { switches: vec![dead], ..Failures::default() };
        let network = whole.without(&failures);
        let extraction = extract(&network);
        assert_eq!(extraction.idle, [dead]);
        let found = only(&extraction);
        check(&network, found);
        assert_eq!(found.to_string(), "m=4.4.4 w=1.4.4 p=1.1.1");
        assert_eq!(texts(&network, found), expected);
        assert_eq!(found.places().len(), 47);
    }
    // In a tree of two levels nobody can tell that a root was meant to be there.
    let network = build(&FatTree::default());
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let failures = Failures { switches: vec![tree.switch(2, 3)], ..Failures::default() };
    let (trees, _) = results(&network.without(&failures));
    assert_eq!(trees[0].to_string(), "m=8.16 w=1.7 p=1.1");
    assert!(trees[0].is_clean());
}

#[test]
fn partly_filled_trees_keep_their_slots() {
    let mut filled = KAryNTree::default();
    filled.cabling.filled = Some(3);
    filled.cabling.leaves = Some(13);
    let network = build(&filled);
    let extraction = extract(&network);
    assert_eq!(extraction.idle.len(), 3);
    let found = only(&extraction);
    // All leaf switches have three endpoints, so these are all slots that show.
    assert_eq!(found.to_string(), "m=3.4.4 w=1.4.4 p=1.1.1");
    assert_eq!(
        texts(&network, found),
        ["switch 12 of level 2 on level 2 has 1 switch below, usual are 4"]
    );
    // Endpoints that are missing here and there: the fullest leaf switch has all.
    let whole = build(&KAryNTree::default());
    let missing = [0, 1, 4, 22, 39, 60].map(EndpointId).to_vec();
    let network = whole.without(&Failures { endpoints: missing, ..Failures::default() });
    let (trees, _) = results(&network);
    assert_eq!(trees[0].to_string(), "m=4.4.4 w=1.4.4 p=1.1.1");
    assert_eq!(
        texts(&network, &trees[0]),
        [
            "switch 0 of level 1 has 2 of 4 endpoints",
            "switch 1 of level 1 has 3 of 4 endpoints",
            "switch 5 of level 1 has 3 of 4 endpoints",
            "switch 9 of level 1 has 3 of 4 endpoints",
            "switch 15 of level 1 has 3 of 4 endpoints",
        ]
    );
    assert_eq!(trees[0].slot(0).len(), 1);
    assert!(trees[0].slot(2).is_empty());
}

#[test]
fn slow_links_are_told_by_their_level() {
    let network = build(&KAryNTree { levels: 2, ..KAryNTree::default() });
    let mut plan = Plan::of(&network);
    let slow = Bandwidth::gbps(10);
    for cable in [3, 20] {
        plan.cables[cable].link.bandwidth = slow;
    }
    // All links of the endpoints on the first leaf switch are fast, which is fine.
    plan.cables[0].link.bandwidth = Bandwidth::gbps(200);
    let network = plan.build();
    let (trees, _) = results(&network);
    let slow: Vec<&Deviation> = trees[0].deviations().iter().collect();
    assert_eq!(slow.len(), 2);
    for deviation in slow {
        let Deviation::Slow { bandwidth, usual, .. } = deviation else { panic!("{deviation:?}") };
        assert_eq!((*bandwidth, *usual), (Bandwidth::gbps(10), Bandwidth::gbps(100)));
    }
    assert_eq!(
        texts(&network, &trees[0]),
        [
            "endpoint 3, port 0 leads to switch 0, port 3 at 10Gbps, usual are 100Gbps",
            "switch 2, port 4 leads to switch 4, port 2 at 10Gbps, usual are 100Gbps",
        ]
    );
    let slow = [3, 20].map(|cable| plan.cables[cable].ends);
    assert_eq!(slow[0], [(Node::Switch(SwitchId(0)), 3), (Node::Endpoint(EndpointId(3)), 0)]);
    assert_eq!(slow[1], [(Node::Switch(SwitchId(2)), 4), (Node::Switch(SwitchId(4)), 2)]);
}

#[test]
fn endpoints_may_hang_on_upper_switches() {
    let trees: [&[&[u32]]; 6] = [
        &[&[4, 4], &[1, 4]],
        &[&[18, 36], &[1, 18]],
        &[&[4, 4, 4], &[1, 4, 4]],
        &[&[4, 2, 2], &[1, 4, 1]],
        // No two switches share several neighbors here.
        &[&[4, 3, 3], &[1, 1, 1]],
        &[&[8, 4, 4, 2], &[1, 8, 4, 2]],
    ];
    for widths in trees {
        let [m, w] = widths else { panic!("m and w") };
        let network = xgft(m, w, &[1]);
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        for level in 2..=tree.levels() {
            let mut plan = Plan::of(&network);
            let switch = tree.switch(level, tree.width(level) - 1);
            hang(&mut plan, switch);
            hang(&mut plan, switch);
            let (plan, old) = plan.shuffled(7);
            let network = plan.build();
            let extraction = extract(&network);
            let found = only(&extraction);
            check(&network, found);
            assert_eq!((&found.children()[..], &found.parents()[..]), (*m, *w));
            assert_eq!(found.deviations().len(), 2);
            for deviation in found.deviations() {
                let Deviation::Above { switch: above, level: on, .. } = deviation else {
                    panic!("{deviation:?}");
                };
                assert_eq!((old[above.index()], *on), (switch, level));
            }
        }
    }
}

#[test]
fn a_leaf_switch_may_have_no_endpoint() {
    for text in [&[4, 4, 4][..], &[4, 8], &[4, 4, 2]] {
        let parents = vec![1; 1].into_iter().chain(vec![4; text.len() - 1]).collect::<Vec<u32>>();
        let network = xgft(text, &parents, &[1]);
        let endpoints = (8..12).map(EndpointId).collect();
        let network = network.without(&Failures { endpoints, ..Failures::default() });
        let (trees, reasons) = results(&network);
        assert!(reasons.is_empty());
        assert_eq!(texts(&network, &trees[0]), ["switch 2 of level 1 has 0 of 4 endpoints"]);
        assert_eq!((&trees[0].children()[..], trees[0].parents()), (text, parents));
    }
}

#[test]
fn pairs_of_leaf_switches_are_recognized() {
    // JuRoPA: the two switches of a pair are in different trees, joined by horizontal links only.
    let split = MultiCore {
        pairs: 216,
        hosts: 12,
        cores: 8,
        core_radix: 36,
        core_levels: 2,
        uplinks: 3,
        horizontal: 12,
        attach: crate::topology::Attach::Split,
    };
    let network = build(&split);
    let (trees, reasons) = results(&network);
    assert!(reasons.is_empty());
    assert_eq!(trees.len(), 2);
    for found in &trees {
        assert_eq!(found.to_string(), "m=12.6.36 w=1.4.18 p=1.3.1");
        assert!(found.is_clean());
        for leaf in found.level(1) {
            assert_eq!(leaf.siblings.len(), 12);
            let Some(Node::Switch(sibling)) = network.neighbor(leaf.siblings[0]) else {
                panic!("a switch")
            };
            assert_eq!(sibling.0, leaf.switch.0 ^ 1);
            assert!(found.place(sibling).is_none());
        }
    }
    // Pairs below one small core, and one cable between leaf switches that are no pair.
    let pairs = MultiCore {
        pairs: 2,
        hosts: 3,
        cores: 1,
        core_radix: 8,
        core_levels: 1,
        uplinks: 2,
        horizontal: 1,
        attach: crate::topology::Attach::All,
    };
    let (trees, _) = results(&build(&pairs));
    assert_eq!(trees[0].to_string(), "m=3.4 w=1.1 p=1.2");
    assert!(trees[0].is_clean() && trees[0].level(1).all(|leaf| leaf.siblings.len() == 1));
    let mut plan = Plan::of(&build(&FatTree { radix: 8, ..FatTree::default() }));
    let spare = |plan: &mut Plan, switch: u32| {
        plan.switches[switch as usize] += 1;
        (Node::Switch(SwitchId(switch)), plan.switches[switch as usize] - 1)
    };
    let ends = [spare(&mut plan, 2), spare(&mut plan, 5)];
    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
    let network = plan.build();
    let (trees, _) = results(&network);
    assert_eq!(
        texts(&network, &trees[0]),
        ["switch 2, port 8 leads to switch 5, port 8; no link belongs there"]
    );
}

#[test]
fn larger_systems_are_found() {
    let ranger = MultiCore {
        pairs: 288,
        hosts: 12,
        cores: 2,
        core_radix: 24,
        core_levels: 3,
        uplinks: 6,
        horizontal: 0,
        attach: crate::topology::Attach::All,
    };
    let network = Plan::of(&build(&ranger)).shuffled(3).0.build();
    check_clean(
        &network,
        only(&extract(&network)),
        [&[12, 2, 12, 24], &[1, 2, 12, 12], &[1, 6, 1, 1]],
    );
}
