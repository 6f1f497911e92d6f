//! Networks written and read again are the same, as far as the format carries them.

use dragontree::interchange::{
    Address, Cable, Delay, Device, Fabric, Format, Notice, Source, read, write,
};
use dragontree::network::Network;
use dragontree::scenario::Study;
use dragontree::units::Bandwidth;

use crate::opensm::{OPENSM, opensm};
use crate::{built, links, network, own};

/// Generated networks: with groups, several levels, parallel links, two rails, faults, rates
/// and latencies by class.
const GENERATED: &[&str] = &[
    "topology=dragonfly,p=2,a=4,h=2 latency=50ns,global=500ns bandwidth=100Gbps,local=4xQDR",
    "topology=xgft,m=4.2.3,w=1.2.2,p=1.2.1 latency=20ns,level2=40ns,level3=60ns",
    "topology=xgft,m=4.3,w=2.2",
    "topology=dragonfly,p=1,a=2,h=1 faults=random,links=2,endpoints=1,seed=3",
];

fn generated(text: &str) -> Network {
    let plan = Study::parse(text).expect(text).plan().expect(text);
    let network = plan.jobs[0].scenario().network().expect(text);
    Network::clone(&network)
}

/// Every network of these tests by a name.
fn networks() -> Vec<(String, Network)> {
    let simulated = OPENSM.iter().map(|(name, _)| (*name, network(&opensm(name))));
    let own = ["dual-port", "two-adapters", "rails", "rates", "miscabled", "routers", "plain"]
        .map(|name| (name, network(&own(name))));
    let generated = GENERATED.iter().map(|text| (*text, generated(text)));
    let all = simulated.chain(own).chain(generated);
    all.map(|(name, network)| (name.to_owned(), network)).collect()
}

/// What comes back of a network.
fn back(format: Format, name: &str, network: &Network) -> Fabric {
    let text = write(format, network).text;
    let again = read(&[Source { name: "fabric", text: &text }]);
    let again = again.unwrap_or_else(|error| panic!("{name} as {}: {error}", format.name()));
    // Of the repeated names in `own/two-adapters.txt`.
    let is_expected = |notice: &Notice| notice.text.contains("are called “localhost mlx5_0”");
    let notices: Vec<_> = again.notices.iter().filter(|notice| !is_expected(notice)).collect();
    assert!(notices.is_empty(), "{name} as {}: {notices:?}", format.name());
    Fabric::of(&built(&again.fabric))
}

/// A table without what some formats leave out.
fn without(fabric: &Fabric, device: impl Fn(&mut Device), cable: impl Fn(&mut Cable)) -> Fabric {
    let mut fabric = fabric.clone();
    fabric.devices.iter_mut().for_each(device);
    fabric.cables.iter_mut().for_each(cable);
    fabric
}

#[test]
fn json_carries_everything_but_the_structure() {
    for (name, network) in networks() {
        assert_eq!(back(Format::Json, &name, &network), Fabric::of(&network), "{name}");
    }
}

fn without_addresses(device: &mut Device) {
    device.guid = None;
    device.own = Address::default();
    device.addresses.clear();
    device.host.clear();
}

#[test]
fn dot_carries_all_but_addresses_and_hosts() {
    for (name, network) in networks() {
        let cut = |fabric: &Fabric| without(fabric, without_addresses, |_| ());
        let again = back(Format::Dot, &name, &network);
        assert_eq!(cut(&again), cut(&Fabric::of(&network)), "{name}");
    }
}

#[test]
fn ibnetdiscover_carries_all_but_latencies_and_classes() {
    for (name, network) in networks() {
        let cut = |fabric: &Fabric| {
            let mut fabric = without(
                fabric,
                |_| (),
                |cable| {
                    cable.latency = None;
                    cable.class = None;
                },
            );
            // A port without a cable has no line that could tell its local id.
            let cabled: Vec<(u32, u32)> =
                fabric.cables.iter().flat_map(|cable| cable.ends).collect();
            for (place, device) in (0..).zip(&mut fabric.devices) {
                device.addresses.retain(|(port, _)| cabled.contains(&(place, *port)));
            }
            fabric
        };
        let again = back(Format::Ibnetdiscover, &name, &network);
        assert_eq!(cut(&again), cut(&Fabric::of(&network)), "{name}");
    }
}

/// The links by the names of what they join, with ports, class, rate and latency.
fn by_names(network: &Network) -> Vec<String> {
    let mut links: Vec<String> = network
        .links()
        .map(|(port, channel)| {
            let mut ends = [port, channel.peer].map(|port| {
                format!("{} [{}]", network.name(network.owner(port)), network.number(port))
            });
            ends.sort();
            let [one, other] = ends;
            format!("{one} - {other}: {} {} {}", channel.class, channel.bandwidth, channel.latency)
        })
        .collect();
    links.sort();
    links
}

#[test]
fn edges_carry_the_links_by_the_names_of_their_ends() {
    for (name, network) in networks() {
        // Two adapters of the same name get different ones.
        if name == "two-adapters" {
            let losses = write(Format::Edges, &network).losses;
            assert_eq!(losses, ["names are changed to be plain and distinct: 1"]);
            continue;
        }
        let text = write(Format::Edges, &network).text;
        let again = crate::network(&text);
        assert_eq!(by_names(&again), by_names(&network), "{name}");
        assert_eq!(again.endpoint_count(), network.endpoint_count(), "{name}");
        assert_eq!(again.switch_count(), network.switch_count(), "{name}");
    }
}

#[test]
fn anynet_carries_who_is_joined_to_whom() {
    for (name, network) in networks() {
        let writing = write(Format::Anynet, &network);
        let is_plain = writing.losses.is_empty();
        let expected = ![
            "rails",
            "rates",
            "dual-port",
            "miscabled",
            "xgft",
            "faults",
            "k4n2-merged",
            "half-k4n3-b",
            "var422",
            "bip12",
            "k4n3-partial",
        ]
        .iter()
        .any(|part| name.contains(part));
        if expected {
            assert_eq!(writing.losses, [""; 0], "{name}");
        }
        if !is_plain {
            continue;
        }
        let again = crate::network(&writing.text);
        let pairs = |network: &Network| {
            let mut pairs: Vec<_> = network
                .links()
                .map(|(port, channel)| {
                    let mut ends = [port, channel.peer].map(|port| network.owner(port));
                    ends.sort();
                    ends
                })
                .collect();
            pairs.sort();
            pairs
        };
        assert_eq!(pairs(&again), pairs(&network), "{name}");
    }
}

#[test]
fn latencies_of_anynet_are_multiples_of_what_all_have_in_common() {
    // 50 ns and 500 ns: a global link counts ten.
    let network = generated(GENERATED[0]);
    let text = write(Format::Anynet, &network).text;
    let fabric = crate::reading(&text).fabric;
    let times: Vec<Option<Delay>> = fabric.cables.iter().map(|cable| cable.latency).collect();
    assert_eq!(times.iter().filter(|time| **time == Some(Delay::Times(10))).count(), 36);
    assert!(times.iter().all(|time| matches!(time, None | Some(Delay::Times(10)))));
    let again = fabric.network(&links()).expect("a network");
    let count = |network: &Network, ns| {
        let latency = dragontree::units::Time::ns(ns);
        network.links().filter(|(_, channel)| channel.latency == latency).count()
    };
    assert_eq!(
        [count(&again, 50), count(&again, 500)],
        [count(&network, 50), count(&network, 500)]
    );
}

#[test]
fn what_a_format_cannot_say_is_told() {
    let losses = |format, text: &str| write(format, &generated(text)).losses;
    assert_eq!(
        losses(Format::Ibnetdiscover, "topology=dragonfly,p=1,a=2,h=1 bandwidth=90Gbps"),
        ["links of 90Gbps are written as 4xEDR"]
    );
    assert_eq!(Bandwidth::gbps(100).infiniband_name().as_deref(), Some("4xEDR"));
    assert_eq!(losses(Format::Ibnetdiscover, "topology=dragonfly,p=1,a=2,h=1"), [""; 0]);
    assert_eq!(
        losses(Format::Anynet, GENERATED[1]),
        ["parallel links between two switches are written once: 12"]
    );
    assert_eq!(
        losses(Format::Anynet, GENERATED[2]),
        ["only the first link of every endpoint is written: 12 are not"]
    );
    assert_eq!(
        losses(Format::Anynet, GENERATED[3]),
        ["endpoints without a link: 1; the others are numbered anew"]
    );
}
