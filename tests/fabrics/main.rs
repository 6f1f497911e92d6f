//! Files of fabrics, foreign and own: what is in them, what is said of them, and that they come
//! back when written.

#![cfg(not(target_arch = "wasm32"))]

use dragontree::interchange::{Fabric, Reading, Source, read};
use dragontree::network::{Links, Network};
use dragontree::units::{Bandwidth, Time};
use dragontree_tests::source::root;

mod back;
mod damaged;
mod formats;
mod opensm;
mod own;

fn links() -> Links {
    Links::all(Bandwidth::gbps(100), Time::ns(50))
}

fn file(path: &str) -> Vec<u8> {
    let path = root().join("tests/fabrics").join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of `own/`.
fn own(name: &str) -> String {
    String::from_utf8(file(&format!("own/{name}.txt"))).expect("a text")
}

fn reading(text: &str) -> Reading {
    read(&[Source { name: "fabric", text }]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn built(fabric: &Fabric) -> Network {
    fabric.network(&links()).expect("readers leave nothing wrong")
}

fn network(text: &str) -> Network {
    built(&reading(text).fabric)
}

/// The notices as they are printed.
fn notices(reading: &Reading) -> Vec<String> {
    reading.notices.iter().map(ToString::to_string).collect()
}
