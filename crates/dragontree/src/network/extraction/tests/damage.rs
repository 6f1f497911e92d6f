//! Cables that are missing, swapped or wrong are named, and nothing else is.

use super::*;

/// Trees with a majority at every step: at least three parents or children where one is wrong.
const SOLID: &[[&[u32]; 3]] = &[
    [&[4, 8], &[1, 4], &[1, 1]],
    [&[6, 12], &[1, 3], &[1, 2]],
    [&[4, 4, 4], &[1, 4, 4], &[1, 1, 1]],
    [&[4, 3, 6], &[1, 3, 3], &[1, 1, 1]],
    [&[4, 4, 4], &[1, 2, 2], &[1, 2, 2]],
    [&[3, 4, 3, 4], &[1, 3, 3, 3], &[1, 1, 1, 1]],
    [&[6, 6, 12], &[1, 6, 6], &[1, 1, 1]],
];

/// What was found to be wrong between switches, in words of the switches before the shuffle.
#[derive(Clone, Debug, Default, PartialEq)]
struct Wrong {
    /// How many links a pair lacks.
    missing: BTreeMap<(SwitchId, SwitchId), u32>,
    /// The pairs that have a link too many, each way round.
    misplaced: Vec<(SwitchId, SwitchId)>,
    /// All else.
    others: Vec<Deviation>,
}

fn wrong(network: &Network, found: &ExtractedTree, old: &[SwitchId]) -> Wrong {
    let was = |switch: SwitchId| old[switch.index()];
    let mut wrong = Wrong::default();
    for deviation in found.deviations() {
        match deviation {
            Deviation::Links { lower: Node::Switch(lower), upper, present, usual }
                if present < usual =>
            {
                wrong.missing.insert((was(*lower), was(*upper)), usual - present);
            }
            Deviation::Misplaced { port, .. } => {
                let ends = [network.owner(*port), network.neighbor(*port).expect("cabled")];
                let [Node::Switch(one), Node::Switch(other)] = ends else { panic!("switches") };
                wrong.misplaced.push((was(one).min(was(other)), was(one).max(was(other))));
            }
            other => wrong.others.push(other.clone()),
        }
    }
    wrong.misplaced.sort_unstable();
    wrong
}

/// The switches at the ends of a cable.
fn switches(cable: &Cable) -> (SwitchId, SwitchId) {
    let [(Node::Switch(one), _), (Node::Switch(other), _)] = cable.ends else { panic!("switches") };
    (one.min(other), one.max(other))
}

fn damaged() -> impl Strategy<Value = (usize, u64, usize)> {
    (0..SOLID.len(), any::<u64>(), 1_usize..4)
}

/// What is told of a damaged tree whose switches come in another order.
struct Told {
    wrong: Wrong,
    deviations: Vec<Deviation>,
    /// The switches as they were numbered before.
    old: Vec<SwitchId>,
}

/// Finds the tree of these widths in spite of the damage.
fn told(plan: Plan, seed: u64, widths: [&[u32]; 3]) -> Told {
    let (plan, old) = plan.shuffled(seed);
    let network = plan.build();
    let extraction = extract(&network);
    let found = only(&extraction);
    check(&network, found);
    assert_eq!([&found.children()[..], &found.parents(), &found.parallel()], widths);
    Told { wrong: wrong(&network, found, &old), deviations: found.deviations().to_vec(), old }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn missing_links_are_named((tree, seed, count) in damaged()) {
        let [m, w, p] = SOLID[tree];
        let mut plan = Plan::of(&xgft(m, w, p));
        let mut expected = Wrong::default();
        let mut stream = Stream::new(seed, "damage", 0);
        let mut touched = BTreeSet::new();
        while expected.missing.len() < count {
            let cables = plan.between_switches();
            let cable = cables[stream.below(cables.len() as u32) as usize];
            let (one, other) = switches(&plan.cables[cable]);
            // A switch that loses all its links up is no longer part of the tree.
            if !touched.contains(&one) && !touched.contains(&other) {
                touched.extend([one, other]);
                plan.cables.remove(cable);
                expected.missing.insert((one, other), 1);
            }
        }
        prop_assert_eq!(told(plan, seed, [m, w, p]).wrong, expected);
    }

    #[test]
    fn swapped_cables_are_named((tree, seed, count) in damaged()) {
        // On two levels all leaf switches are joined to all others, so nothing can be swapped.
        let [m, w, p] = SOLID[tree.max(2)];
        let network = xgft(m, w, p);
        let mut plan = Plan::of(&network);
        let mut expected = Wrong::default();
        let mut stream = Stream::new(seed, "damage", 0);
        let cables = plan.between_switches();
        let mut touched = BTreeSet::new();
        // Two swaps between the same subtrees of three parts can be told in two ways.
        let swaps = if m[1..].iter().any(|width| *width < 4) { 1 } else { count.min(2) };
        while expected.misplaced.len() < 2 * swaps {
            let [one, other] = [0; 2].map(|_| cables[stream.below(cables.len() as u32) as usize]);
            let [(a, b), (c, d)] = [one, other].map(|cable| switches(&plan.cables[cable]));
            let joined = |one, other| {
                let ports = network.ports(Node::Switch(one));
                ports.map(PortId).any(|port| network.neighbor(port) == Some(Node::Switch(other)))
            };
            // Swapped within a block the cables would be where they were.
            if [a, b, c, d].iter().any(|switch| touched.contains(switch)) || joined(a, d) || joined(c, b) || a == c || b == d || a == d || b == c {
                continue;
            }
            touched.extend([a, b, c, d]);
            let upper = plan.cables[one].ends.iter().position(|(node, _)| *node == Node::Switch(b)).expect("an end");
            let other_upper = plan.cables[other].ends.iter().position(|(node, _)| *node == Node::Switch(d)).expect("an end");
            let end = plan.cables[one].ends[upper];
            plan.cables[one].ends[upper] = plan.cables[other].ends[other_upper];
            plan.cables[other].ends[other_upper] = end;
            expected.misplaced.push((a.min(d), a.max(d)));
            expected.misplaced.push((c.min(b), c.max(b)));
        }
        expected.misplaced.sort_unstable();
        let told = told(plan, seed, [m, w, p]);
        prop_assert_eq!(told.wrong, expected);
        let explained = told.deviations.iter().all(|each| matches!(each, Deviation::Misplaced { instead: Some(_), .. }));
        prop_assert!(explained, "{:?}", told.deviations);
    }

    #[test]
    fn a_cable_to_a_wrong_switch_is_named((tree, seed, _) in damaged()) {
        let [m, w, p] = SOLID[tree];
        let network = xgft(m, w, p);
        let mut plan = Plan::of(&network);
        let mut stream = Stream::new(seed, "damage", 0);
        let cables = plan.between_switches();
        let cable = cables[stream.below(cables.len() as u32) as usize];
        let (stays, leaves) = switches(&plan.cables[cable]);
        let others = network.switches().filter(|switch| ![stays, leaves].contains(switch));
        let others: Vec<SwitchId> = others.collect();
        let to = others[stream.below(others.len() as u32) as usize];
        let end = plan.cables[cable].ends.iter().position(|(node, _)| *node == Node::Switch(leaves)).expect("an end");
        plan.cables[cable].ends[end] = (Node::Switch(to), plan.switches[to.index()]);
        plan.switches[to.index()] += 1;
        let misplaced = vec![(stays.min(to), stays.max(to))];
        let told = told(plan, seed, [m, w, p]);
        prop_assert_eq!(told.wrong, Wrong { misplaced, ..Wrong::default() });
        let [Deviation::Misplaced { instead: Some(instead), .. }] = told.deviations[..] else {
            return Err(TestCaseError::fail(format!("{:?}", told.deviations)));
        };
        prop_assert!([stays, leaves].contains(&told.old[instead.index()]));
    }
}
