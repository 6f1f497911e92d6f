//! Words that several formats share.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Device, Kind, Writing};
use crate::network::LinkClass;
use crate::units::{Bandwidth, Time};

/// The rates that the links of an experiment may have.
pub(super) const BANDWIDTHS: RangeInclusive<Bandwidth> =
    Bandwidth::bps(1_000_000)..=Bandwidth::gbps(10_000);
/// The longest latency that the links of an experiment may have.
pub(super) const LONGEST_LATENCY: Time = Time::us(1_000);

/// The class that messages and files call by this name.
pub(super) fn class(text: &str) -> Option<LinkClass> {
    const PLAIN: [LinkClass; 7] = [
        LinkClass::Endpoint,
        LinkClass::Switch,
        LinkClass::Local,
        LinkClass::Global,
        LinkClass::Sibling,
        LinkClass::Router,
        LinkClass::Level(2),
    ];
    let plain = PLAIN.into_iter().find(|class| class.to_string() == text);
    plain.or_else(|| {
        let (word, number) = text.split_once(' ')?;
        let number = number.parse().ok()?;
        match word {
            "level" => Some(LinkClass::Level(number)),
            "dimension" => Some(LinkClass::Dimension(number)),
            _ => None,
        }
    })
}

/// What is allowed as a class.
pub(super) const CLASSES: &str =
    "endpoint, switch, local, global, sibling, router, level 2 and so on, or dimension 1 and so on";

/// What is allowed as a kind.
pub(super) const KINDS: &str = "switch, router or endpoint";

/// The kind of device that a word means.
pub(super) fn kind(word: &str) -> Option<Kind> {
    match word {
        "switch" => Some(Kind::Switch),
        "router" => Some(Kind::Router),
        "endpoint" | "host" => Some(Kind::Endpoint),
        _ => None,
    }
}

/// The word for a kind of device.
pub(super) fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Switch => "switch",
        Kind::Router => "router",
        Kind::Endpoint => "endpoint",
    }
}

/// The kind of a device of which only the name is known: an endpoint when the name begins like
/// one (`endpoint 3`, `host-1`, `node7`, `h2`, `e5`), else a switch.
pub(super) fn kind_of_name(name: &str) -> Kind {
    let lower = name.to_lowercase();
    let rest = lower.trim_start_matches(|c: char| c.is_alphabetic());
    let start = &lower[..lower.len() - rest.len()];
    match start {
        "endpoint" | "host" | "node" | "terminal" | "ca" | "hca" | "h" | "e" => Kind::Endpoint,
        _ => Kind::Switch,
    }
}

/// A name for each device that no other has, without control characters and outer spaces.
pub(super) fn distinct_names(devices: &[Device], writing: &mut Writing) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut changed = 0;
    let mut names = Vec::with_capacity(devices.len());
    for (place, device) in devices.iter().enumerate() {
        let plain = device.name.replace(char::is_control, " ");
        let mut name = plain.trim().to_owned();
        if name.is_empty() {
            name = format!("{} {place}", kind_word(device.kind));
        }
        while !taken.insert(name.clone()) {
            name.push_str(&format!(" #{place}"));
        }
        changed += u32::from(name != device.name);
        names.push(name);
    }
    if changed > 0 {
        writing.losses.push(format!("names are changed to be plain and distinct: {changed}"));
    }
    names
}
