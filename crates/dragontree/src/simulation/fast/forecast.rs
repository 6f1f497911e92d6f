//! The memory that the fast engine will take.

use crate::network::Channel;

use super::super::Setup;
use super::super::endpoint::Source;
use super::Fast;
use super::inlet::{Inlet, LastEvent};
use super::packets::Packet;
use super::parked;
use super::ports::Port;
use super::wheel::{CHUNK, Event};
use super::worms;

/// Events of an endpoint or a packet under way, with what sorts them and the gaps between them.
const EVENTS: f64 = 2.5;
/// Where there are so few endpoints hardly two have an event in the same list, and each list takes a
/// chunk; where there are more, lists are shared and chunks count little beside the rest.
const ALONE: u32 = 64;
/// Lists that grow have this much room, for each place that is taken.
const GROWN: f64 = 1.4;

/// Flits that all channels and the switches behind them take, one after the other.
fn on_channels(setup: &Setup) -> f64 {
    let flits = |channel: &Channel| {
        let ahead = channel.latency.as_ps() + setup.switch_latency.as_ps();
        1.0 + ahead as f64 / channel.serialization(setup.unit()).as_ps().max(1) as f64
    };
    setup.network.channels().map(|(_, channel)| flits(&channel)).sum()
}

/// At so many switches is a packet in flits at once, about.
const PASSAGES: f64 = 2.0;

impl Fast {
    /// What [`memory`](Fast::memory) will be with so many packets under way, in bytes.
    pub(in crate::simulation) fn forecast(setup: &Setup, packets: f64) -> f64 {
        let network = &setup.network;
        let lanes = f64::from(setup.virtual_channels.max(1).next_power_of_two());
        let (list, place) = parked::SIZES;
        let (passage, output) = (GROWN * worms::SIZES.0 as f64, worms::SIZES.1);
        let credits = lanes * size_of::<u32>() as f64;
        let of_flits = if setup.model.flit.is_some() { output } else { 0 };
        let inlet = lanes * (size_of::<Inlet>() + size_of::<LastEvent>() + list + of_flits) as f64;
        let ports = f64::from(network.port_count()) * (size_of::<Port>() as f64 + credits)
            + f64::from(network.switch_port_count()) * inlet;
        let events = EVENTS * size_of::<Event>() as f64;
        let endpoint = size_of::<Option<Source>>() as f64 + events;
        // Places that were left, and ways that go on in words of their own.
        let words = 2 * size_of::<u32>();
        let (record, waiting) =
            (GROWN * (size_of::<Packet>() + words) as f64, GROWN * place as f64);
        let moving = match setup.model.flit {
            // A packet waits in a list or for an event.
            None => packets * events.max(waiting),
            // A flit that waits is only counted, and its packet is at several switches.
            Some(_) => {
                let flits = packets * setup.model.flits(setup.packet) as f64;
                flits.min(on_channels(setup)) * events + packets * PASSAGES * passage
            }
        };
        let endpoints = network.endpoint_count();
        let chunks = (endpoints.min(ALONE) as usize * CHUNK * size_of::<Event>()) as f64;
        ports + f64::from(endpoints) * endpoint + chunks + packets * record + moving
    }
}
