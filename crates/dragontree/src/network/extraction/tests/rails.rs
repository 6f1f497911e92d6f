//! Several trees in one fabric, and what is none.

use super::*;

#[test]
fn rails_are_separate_trees() {
    // An endpoint with links to three switches lies in three networks (Prisacari 2020, Fig. 3.2).
    let network = xgft(&[2, 2], &[3, 3], &[1]);
    let (trees, _) = results(&network);
    assert_eq!(trees.len(), 3);
    for found in &trees {
        assert_eq!((found.to_string().as_str(), found.is_clean()), ("m=2.2 w=1.3 p=1.1", true));
    }
    // Two rails of different shape, and a cable between them that belongs to neither.
    let one = Plan::of(&xgft(&[4, 4, 4], &[1, 4, 4], &[1]));
    let other = Plan::of(&xgft(&[8, 8], &[1, 4], &[1, 2]));
    let mut both = one.clone();
    let first = one.switches.len() as u32;
    both.switches.extend(&other.switches);
    both.endpoints.iter_mut().for_each(|ports| *ports = 2);
    let moved = |(node, number): (Node, u32)| match node {
        Node::Switch(switch) => (Node::Switch(SwitchId(first + switch.0)), number),
        Node::Endpoint(_) => (node, number + 1),
    };
    both.cables
        .extend(other.cables.iter().map(|cable| Cable { ends: cable.ends.map(moved), ..*cable }));
    for joined in [false, true] {
        let mut plan = both.clone();
        if joined {
            plan.switches[3] += 1;
            plan.switches[first as usize + 9] += 1;
            let ends = [(Node::Switch(SwitchId(3)), 8), (Node::Switch(SwitchId(first + 9)), 16)];
            plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
        }
        let (plan, _) = plan.shuffled(5);
        let network = plan.build();
        let (trees, _) = results(&network);
        let mut widths: Vec<String> = trees.iter().map(ToString::to_string).collect();
        widths.sort();
        assert_eq!(widths, ["m=4.4.4 w=1.4.4 p=1.1.1", "m=8.8 w=1.4 p=1.2"]);
        let deviations: Vec<&Deviation> =
            trees.iter().flat_map(ExtractedTree::deviations).collect();
        match joined {
            false => assert!(deviations.is_empty()),
            true => assert!(matches!(deviations[..], [Deviation::Misplaced { instead: None, .. }])),
        }
    }
}

#[test]
fn endpoints_on_several_leaf_switches_are_told() {
    let mut plan = Plan::of(&build(&KAryNTree { levels: 2, ..KAryNTree::default() }));
    plan.endpoints[0] = 2;
    plan.switches[3] += 1;
    let ends = [(Node::Endpoint(EndpointId(0)), 1), (Node::Switch(SwitchId(3)), 8)];
    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Endpoint) });
    let network = plan.build();
    let (trees, _) = results(&network);
    let several = "endpoint 0 hangs on several leaf switches: switch 0, switch 3";
    assert!(texts(&network, &trees[0]).contains(&several.to_owned()));
}

#[test]
fn what_is_no_tree_says_why() {
    let torus = |x: u32, y: u32| {
        let mut plan =
            Plan { switches: vec![5; (x * y) as usize], endpoints: Vec::new(), cables: Vec::new() };
        for switch in 0..x * y {
            let (column, row) = (switch % x, switch / x);
            let right = row * x + (column + 1) % x;
            let below = (row + 1) % y * x + column;
            for (port, other) in [(0, right), (2, below)] {
                if other != switch {
                    let ends = [
                        (Node::Switch(SwitchId(switch)), port),
                        (Node::Switch(SwitchId(other)), port + 1),
                    ];
                    plan.cables.push(Cable { ends, link: LINKS.of(LinkClass::Switch) });
                }
            }
        }
        for switch in 0..x * y {
            hang(&mut plan, SwitchId(switch));
        }
        plan.build()
    };
    let cases = [
        (torus(5, 1), "switch 0 and switch 1 are joined, and both are on level 1"),
        (torus(4, 4), "switch 0 and switch 1 are joined, and both are on level 1"),
        (
            build(&Dragonfly {
                endpoints: 1,
                switches: 2,
                global_links: 1,
                ..Dragonfly::default()
            }),
            "switch 0 of group 0 and switch 1 of group 0 are joined, and both are on level 1",
        ),
        (
            build(&Dragonfly::default()),
            "switch 0 of group 0 and switch 1 of group 0 are joined, and both are on level 1",
        ),
        // Of three rack switches the middle one is joined to two leaf switches of the core.
        (
            build(&MultiCore::single_core(3)),
            "no symmetric tree: rack switch 0.1 has 6 links to core leaf 0.0, where 0 would fit \
             the rest",
        ),
        (
            build(&Subnets::default()),
            "no symmetric tree: most places below router 0 and its like would be empty",
        ),
        (
            Plan {
                switches: vec![1, 1],
                endpoints: Vec::new(),
                cables: vec![Cable {
                    ends: [(Node::Switch(SwitchId(0)), 0), (Node::Switch(SwitchId(1)), 0)],
                    link: LINKS.of(LinkClass::Switch),
                }],
            }
            .build(),
            "no endpoint hangs on switch 0 or any switch that it is joined to",
        ),
    ];
    for (network, expected) in cases {
        let (trees, reasons) = results(&network);
        assert_eq!((trees.len(), &reasons[..]), (0, &[expected.to_owned()][..]));
    }
}

#[test]
fn an_endpoint_and_a_root_may_have_changed_places() {
    // Endpoint 811 hangs on a switch of the third level, and its leaf switch on a root instead.
    let network = xgft(&[2, 10, 10, 16], &[1, 10, 10, 10], &[1]);
    let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
    let mut plan = Plan::of(&network);
    let cable = |plan: &Plan, one: Node, other: Node| {
        let joins = |cable: &Cable| {
            let ends = cable.ends.map(|(node, _)| node);
            ends == [one, other] || ends == [other, one]
        };
        plan.cables.iter().position(joins).expect("a cable")
    };
    let (leaf, middle) = (tree.switch(1, 896), tree.switch(3, 475));
    let root = tree.switch(4, 575);
    let endpoint = Node::Endpoint(EndpointId(896 * 2));
    let one = cable(&plan, Node::Switch(leaf), endpoint);
    let other = cable(&plan, Node::Switch(middle), Node::Switch(root));
    let end = plan.cables[one].ends[0];
    plan.cables[one].ends[0] = plan.cables[other].ends[0];
    plan.cables[other].ends[0] = end;
    let (plan, old) = plan.shuffled(1);
    let network = plan.build();
    let extraction = extract(&network);
    let found = only(&extraction);
    check(&network, found);
    assert_eq!(found.to_string(), "m=2.10.10.16 w=1.10.10.10 p=1.1.1.1");
    let is = |switch: SwitchId, was: SwitchId| old[switch.index()] == was;
    let [misplaced, above, slots] = found.deviations() else { panic!("{:?}", found.deviations()) };
    // One end of the cable between leaf switch and root should be on the middle switch.
    let Deviation::Misplaced { port, instead: Some(instead) } = misplaced else { panic!() };
    assert!(is(*instead, middle));
    assert!(matches!(network.owner(*port), Node::Switch(switch) if is(switch, root)));
    assert!(
        matches!(slots, Deviation::Endpoints { leaf: short, present: 1, slots: 2 } if is(*short, leaf))
    );
    assert!(matches!(above, Deviation::Above { switch, level: 3, .. } if is(*switch, middle)));
}
