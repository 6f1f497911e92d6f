//! Forwarding tables against those that OpenSM made of the same fabrics.

#![cfg(not(target_arch = "wasm32"))]

use std::hash::Hasher;
use std::sync::Arc;

use dragontree::interchange::{Source, ibnetdiscover, lfts};
use dragontree::network::{Forward, Lfts, Links, Network, Node, SwitchId};
use dragontree::routing::{
    Dfsssp, DownUp, Ftree, Lash, MinHop, RootMode, Roots, Routes, Routing, UpDown, Variant,
};
use dragontree::units::{Bandwidth, Time};
use dragontree_tests::source::root;

mod audit;
mod contention;
mod dimension_order;
mod dumps;
mod ftree;
mod layers;
mod mod_k;

const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

fn file(path: &str) -> Vec<u8> {
    let path = root().join("tests").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What gzip packed: it puts a header of ten bytes before the data and eight bytes behind it, and
/// the file's name after the header where a flag says so.
fn unpacked(path: &str) -> String {
    let packed = file(path);
    let named = packed[3] & 8 != 0;
    let name = packed[10..].iter().position(|byte| *byte == 0).filter(|_| named);
    let data = &packed[10 + name.map_or(0, |length| length + 1)..packed.len() - 8];
    let text = miniz_oxide::inflate::decompress_to_vec(data).expect("the file is whole");
    String::from_utf8(text).expect("a text")
}

/// The fabrics of which tables are kept.
const FABRICS: &[&str] = &[
    "bip12-2x2",
    "dragonfly-1-2-1",
    "half-k4n3",
    "half-k4n3-b",
    "half-k4n3-b-cbb2-l1",
    "k2n4",
    "k4n2",
    "k4n2-merged-inter",
    "k4n2-merged-reordered",
    "k4n3",
    "k4n3-partial",
    "pairs-small",
    "ring5",
    "torus4x4",
    "var422",
    "xgft-3-432-122",
];

fn network(fabric: &str) -> Arc<Network> {
    let text = match fabric {
        "ft648" => unpacked("fabrics/opensm/ft648.ibnetdiscover.gz"),
        _ => {
            let text = file(&format!("fabrics/opensm/{fabric}.ibnetdiscover"));
            String::from_utf8(text).expect("a text")
        }
    };
    let reading = ibnetdiscover::read(&[Source { name: fabric, text: &text }]);
    let reading = reading.unwrap_or_else(|error| panic!("{fabric}: {error}"));
    Arc::new(reading.fabric.network(&LINKS).expect("a network"))
}

fn dump(fabric: &str, engine: &str) -> String {
    unpacked(&format!("oracles/opensm/{fabric}.{engine}.lfts.gz"))
}

fn tables(network: &Arc<Network>, routing: impl Into<Routing>) -> Lfts {
    match routing.into().role().routes(network) {
        Ok(Routes::Tables(tables)) => tables.lfts().clone(),
        Ok(_) => panic!("no tables"),
        Err(needs) => panic!("{needs}"),
    }
}

/// The switches of these GUIDs as roots.
fn up_down(network: &Network, guids: impl Iterator<Item = u64> + Clone) -> UpDown {
    let is_root =
        |switch: &SwitchId| guids.clone().any(|guid| guid == network.guid(Node::Switch(*switch)));
    let roots = network.switches().filter(is_root).map(|switch| switch.0).collect();
    UpDown { roots: Roots::Given(roots), mode: RootMode::Multi }
}

fn ftree(variant: Variant) -> Ftree {
    Ftree { variant, ..Ftree::default() }
}

/// Our engine for one of OpenSM's, with the roots that it was given.
fn engine(network: &Network, fabric: &str, engine: &str) -> Routing {
    let guids = |first: u64, count: u64| {
        (0..count).map(move |n| 0x0002_c902_0040_0000 + ((first + n) << 8))
    };
    match (engine, fabric) {
        ("minhop", _) => MinHop.into(),
        ("dnup", _) => DownUp.into(),
        ("lash", _) => Lash::default().into(),
        ("dfsssp", _) => Dfsssp::default().into(),
        ("updn", _) => UpDown::default().into(),
        ("ftree", _) => ftree(Variant::OpenSm).into(),
        ("updn-root0", _) => up_down(network, guids(0, 1)).into(),
        ("updn-roots", "pairs-small") => up_down(network, guids(4, 4)).into(),
        ("updn-roots", "k4n3-partial") => up_down(network, guids(0x20, 16)).into(),
        _ => panic!("{engine}"),
    }
}

/// Every fabric with each engine of which OpenSM's tables are kept, but `ftree` on `pairs-small`,
/// where it leaves out endpoints. `updn` without roots and `ftree` refused the first three, which
/// are no trees.
fn engines(fabric: &str) -> &'static [&'static str] {
    match fabric {
        "dragonfly-1-2-1" | "ring5" | "torus4x4" => {
            &["minhop", "updn-root0", "dnup", "lash", "dfsssp"]
        }
        "pairs-small" => &["minhop", "updn", "updn-roots", "dnup", "lash", "dfsssp"],
        "k4n3-partial" => &["minhop", "updn", "updn-roots", "dnup", "lash", "dfsssp", "ftree"],
        _ => &["minhop", "updn", "dnup", "lash", "dfsssp", "ftree"],
    }
}

#[test]
fn every_entry_is_that_of_opensm() {
    let mut compared = 0;
    for fabric in FABRICS {
        let network = network(fabric);
        for engine in engines(fabric) {
            let ours = tables(&network, self::engine(&network, fabric, engine));
            let text = lfts::write(&network, &ours).expect("room enough");
            let theirs = dump(fabric, engine);
            let pairs = text.lines().zip(theirs.lines());
            for (line, (ours, theirs)) in pairs.enumerate() {
                assert_eq!(ours, theirs, "{fabric}, {engine}, line {}", line + 1);
            }
            assert_eq!(text, theirs, "{fabric}, {engine}");
            compared += 1;
        }
    }
    assert_eq!(compared, 94);
}

fn fnv(text: &str) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The digests of a dump's entries, as `digests.txt` has them.
fn digests(network: &Network, lfts: &Lfts) -> [String; 2] {
    [false, true].map(|with_switches| {
        let mut lines = Vec::new();
        for target in network.targets() {
            let is_switch = matches!(network.target(target), (Node::Switch(_), _));
            if is_switch && !with_switches {
                continue;
            }
            for switch in network.switches() {
                let port = match lfts.get(switch, target) {
                    Forward::Here => 0,
                    Forward::Port(number) => number + 1,
                    Forward::Nowhere => continue,
                };
                let (guid, lid) = (network.guid(Node::Switch(switch)), network.target_lid(target));
                lines.push(format!("{guid:016x} {lid} {port}\n"));
            }
        }
        lines.sort_unstable();
        format!("{:016x}", fnv(&lines.concat()))
    })
}

#[test]
fn tables_too_large_to_be_kept_have_the_digests_of_those_of_opensm() {
    let list = String::from_utf8(file("oracles/opensm/digests.txt")).expect("a text");
    let network = network("ft648");
    // With the digests of the whole dumps, of 2.5 MB.
    for (engine, whole) in [("minhop", "4b304e6077047a1a"), ("ftree", "2ab3d8cb9f45c15f")] {
        let ours = tables(&network, self::engine(&network, "ft648", engine));
        let start = format!("ft648 {engine} ");
        let expected = list.lines().find_map(|line| line.strip_prefix(&start));
        let expected: Vec<&str> = expected.expect("a line for it").split(' ').collect();
        assert_eq!(digests(&network, &ours).to_vec(), expected);
        let text = lfts::write(&network, &ours).expect("room enough");
        assert_eq!(format!("{:016x}", fnv(&text)), whole);
    }
}
