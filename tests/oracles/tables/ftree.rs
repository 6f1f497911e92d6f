//! Fat-tree routing where OpenSM's engine `ftree` leaves something out.

use super::*;

/// Four leaf switches in two pairs: OpenSM has no way to the last endpoint of three of them. Two
/// others take each other's ports on the first pair, because of what is left out.
#[test]
fn endpoints_behind_leaf_switches_side_by_side_are_routed_as_well() {
    let network = network("pairs-small");
    let text = dump("pairs-small", "ftree");
    let reading = lfts::read(&[Source { name: "ftree", text: &text }], &network).expect("a dump");
    let ours = tables(&network, ftree(Variant::OpenSm));
    let (mut others, mut more) = (Vec::new(), 0);
    for target in network.targets() {
        for switch in network.switches() {
            let [own, other] = [&ours, &reading.lfts].map(|lfts| lfts.get(switch, target));
            let (node, _) = network.target(target);
            match (own, other) {
                (Forward::Nowhere, _) => {
                    // A root and another one.
                    assert_eq!(other, Forward::Nowhere);
                    assert!(matches!(node, Node::Switch(_)));
                }
                (_, Forward::Nowhere) => more += 1,
                _ if own == other => {}
                _ => others.push((network.name(Node::Switch(switch)), network.name(node))),
            }
        }
    }
    assert_eq!(more, 24);
    others.sort();
    let others: Vec<(&str, &str)> = others.iter().map(|(one, two)| (&one[..], &two[..])).collect();
    let two = |leaf| [(leaf, "host-2-0"), (leaf, "host-2-2")];
    assert_eq!(others, [two("leaf-0"), two("leaf-1")].concat());
}
