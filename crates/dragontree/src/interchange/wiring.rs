//! Collects named devices and the cables between them, for formats that list links.

use std::collections::BTreeMap;

use super::report::{At, Report, quoted};
use super::{Cable, Device, Fabric, Kind, MOST_PORTS, Reading, Source, Unreadable, words};
use crate::units::{Bandwidth, Time};

/// Devices and cables of a file that is being read.
pub(super) struct Wiring<'a> {
    pub(super) report: Report<'a>,
    pub(super) devices: Vec<Device>,
    by_name: BTreeMap<String, u32>,
    cables: Vec<Loose>,
}

/// A cable whose ports may still be open.
struct Loose {
    at: At,
    ends: [(u32, Option<u32>); 2],
    cable: Cable,
}

impl<'a> Wiring<'a> {
    pub(super) fn new(sources: &'a [Source<'a>]) -> Wiring<'a> {
        let report = Report::new(sources);
        Wiring { report, devices: Vec::new(), by_name: BTreeMap::new(), cables: Vec::new() }
    }

    pub(super) fn error(
        &self,
        line: u32,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Unreadable {
        self.report.unreadable(At { file: 0, line }, expected, found)
    }

    /// The number of a port.
    pub(super) fn port(&self, line: u32, text: &str) -> Result<u32, Unreadable> {
        let number = text.parse().ok().filter(|port| u64::from(*port) < MOST_PORTS);
        number.ok_or_else(|| self.error(line, "the number of a port, from 0", quoted(text)))
    }

    /// A rate that an experiment may have.
    pub(super) fn bandwidth(&self, line: u32, text: &str) -> Result<Bandwidth, Unreadable> {
        let rate = text.parse().ok().filter(|rate| words::BANDWIDTHS.contains(rate));
        let expected = "a data rate from 1Mbps to 10Tbps, such as 100Gbps or 4xQDR";
        rate.ok_or_else(|| self.error(line, expected, quoted(text)))
    }

    /// A latency that an experiment may have.
    pub(super) fn latency(&self, line: u32, text: &str) -> Result<Time, Unreadable> {
        let time = text.parse().ok().filter(|time| *time <= words::LONGEST_LATENCY);
        let expected = "a time from 0ns to 1ms, such as 50ns";
        time.ok_or_else(|| self.error(line, expected, quoted(text)))
    }

    /// The device of this name, which is added where it is new.
    pub(super) fn device(&mut self, name: &str) -> u32 {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let place = self.devices.len() as u32;
        self.by_name.insert(name.to_owned(), place);
        self.devices.push(Device::new(words::kind_of_name(name), name, 0));
        place
    }

    /// Adds a device that is known to be new.
    pub(super) fn add(&mut self, kind: Kind, name: &str) -> u32 {
        let place = self.device(name);
        self.devices[place as usize].kind = kind;
        place
    }

    /// Adds a cable; a port that is not told gets the next number.
    pub(super) fn join(&mut self, line: u32, ends: [(u32, Option<u32>); 2], cable: Cable) {
        self.cables.push(Loose { at: At { file: 0, line }, ends, cable });
    }

    /// Numbers the ports that are open and checks the others.
    pub(super) fn finish(mut self) -> Result<Reading, Unreadable> {
        self.leave_out_what_no_switch_forwards();
        let mut taken: BTreeMap<(u32, u32), At> = BTreeMap::new();
        for loose in &self.cables {
            for (device, port) in loose.ends {
                let Some(port) = port else {
                    continue;
                };
                if let Some(other) = taken.insert((device, port), loose.at) {
                    let expected = format!("every port of {} once", self.title(device));
                    let found = format!("port {port} again, after {}", self.report.place(other));
                    return Err(self.report.unreadable(loose.at, expected, found));
                }
                let count = &mut self.devices[device as usize].ports;
                *count = (*count).max(port.saturating_add(1));
            }
        }
        let mut next = vec![0; self.devices.len()];
        let mut cables = Vec::with_capacity(self.cables.len());
        for loose in &self.cables {
            let ends = loose.ends.map(|(device, port)| {
                let next = &mut next[device as usize];
                let port = port.unwrap_or_else(|| {
                    while taken.contains_key(&(device, *next)) {
                        *next += 1;
                    }
                    taken.insert((device, *next), loose.at);
                    *next
                });
                let count = &mut self.devices[device as usize].ports;
                *count = (*count).max(port.saturating_add(1));
                (device, port)
            });
            cables.push(Cable { ends, ..loose.cable.clone() });
        }
        let ports: u64 = self.devices.iter().map(|device| u64::from(device.ports)).sum();
        if ports > MOST_PORTS {
            let expected = format!("up to {MOST_PORTS} ports in all");
            return Err(self.report.unreadable(At::default(), expected, ports.to_string()));
        }
        let fabric = Fabric { devices: self.devices, cables };
        Ok(Reading { fabric, notices: self.report.finish() })
    }

    fn title(&self, device: u32) -> String {
        quoted(&self.devices[device as usize].name)
    }

    fn leave_out_what_no_switch_forwards(&mut self) {
        let cables = std::mem::take(&mut self.cables);
        for loose in cables {
            let [one, other] = loose.ends;
            let is_endpoint =
                |(device, _): (u32, _)| self.devices[device as usize].kind == Kind::Endpoint;
            let why = match () {
                () if one.0 == other.0 && (one.1 == other.1 || is_endpoint(one)) => {
                    "to itself".to_owned()
                }
                () if is_endpoint(one) && is_endpoint(other) => {
                    format!("to another endpoint, {}, with no switch between", self.title(other.0))
                }
                () => {
                    self.cables.push(loose);
                    continue;
                }
            };
            let text = format!("{} is cabled {why}; the link is left out", self.title(one.0));
            self.report.notice(loose.at, |_| text);
        }
    }
}
