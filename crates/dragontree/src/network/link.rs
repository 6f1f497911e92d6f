//! What links join, and their rates and latencies.

use crate::units::{Bandwidth, Bytes, Time};

use super::PortId;

/// What a link joins; its rate and latency are chosen by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkClass {
    /// An endpoint and its switch.
    Endpoint,
    /// Two switches, where nothing more is known.
    Switch,
    /// Two switches of one group.
    Local,
    /// Two groups.
    Global,
    /// A tree's switches of this level (at least 2) and of the level below.
    Level(u32),
    /// Two switches side by side on one level of a tree.
    Sibling,
    /// A router and a switch of one of its subnets.
    Router,
    /// Two switches of a grid that differ in this coordinate (from 1).
    Dimension(u32),
}

impl std::fmt::Display for LinkClass {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LinkClass::Endpoint => formatter.write_str("endpoint"),
            LinkClass::Switch => formatter.write_str("switch"),
            LinkClass::Local => formatter.write_str("local"),
            LinkClass::Global => formatter.write_str("global"),
            LinkClass::Level(level) => write!(formatter, "level {level}"),
            LinkClass::Sibling => formatter.write_str("sibling"),
            LinkClass::Router => formatter.write_str("router"),
            LinkClass::Dimension(dimension) => write!(formatter, "dimension {dimension}"),
        }
    }
}

/// A quantity of the links: one for all, with exceptions for some classes.
#[derive(Clone, Debug, PartialEq)]
pub struct PerClass<T> {
    /// For every class without an exception.
    pub base: T,
    exceptions: Vec<(LinkClass, T)>,
}

impl<T: Copy> PerClass<T> {
    /// The same for all links.
    pub const fn all(base: T) -> PerClass<T> {
        PerClass { base, exceptions: Vec::new() }
    }

    /// The quantity of a link of this class.
    pub fn of(&self, class: LinkClass) -> T {
        self.exception(class).unwrap_or(self.base)
    }

    /// What this class has instead of the base.
    pub fn exception(&self, class: LinkClass) -> Option<T> {
        let found = self.exceptions.iter().find(|(each, _)| *each == class);
        found.map(|(_, value)| *value)
    }

    /// Sets or removes what this class has instead of the base.
    pub fn except(&mut self, class: LinkClass, value: Option<T>) {
        self.exceptions.retain(|(each, _)| *each != class);
        let place = self.exceptions.partition_point(|(each, _)| *each < class);
        if let Some(value) = value {
            self.exceptions.insert(place, (class, value));
        }
    }

    /// Every value that some link may have.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        std::iter::once(self.base).chain(self.exceptions.iter().map(|(_, value)| *value))
    }
}

/// Rate and latency of the links.
#[derive(Clone, Debug, PartialEq)]
pub struct Links {
    /// Payload rate.
    pub bandwidth: PerClass<Bandwidth>,
    /// Latency.
    pub latency: PerClass<Time>,
}

impl Links {
    /// All links alike.
    pub const fn all(bandwidth: Bandwidth, latency: Time) -> Links {
        Links { bandwidth: PerClass::all(bandwidth), latency: PerClass::all(latency) }
    }

    /// The link of this class.
    pub fn of(&self, class: LinkClass) -> Link {
        let (bandwidth, latency) = (self.bandwidth.of(class), self.latency.of(class));
        Link { bandwidth, latency, class }
    }
}

/// What a link is like, whatever it joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Payload rate.
    pub bandwidth: Bandwidth,
    /// Time from the first bit leaving to the first bit arriving.
    pub latency: Time,
    /// What the link joins.
    pub class: LinkClass,
}

/// One direction of a link, leaving from a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The port at the other end.
    pub peer: PortId,
    /// Payload rate.
    pub bandwidth: Bandwidth,
    /// Time from the first bit leaving to the first bit arriving.
    pub latency: Time,
    /// What the link joins.
    pub class: LinkClass,
}

impl Channel {
    /// The time that `bytes` take to leave.
    pub fn serialization(&self, bytes: Bytes) -> Time {
        self.bandwidth.serialization(bytes)
    }
}
