//! Messages as bytes: what page and worker of one build say to each other.
//!
//! A number stands in its own length, the lowest byte first; texts and lists begin with how many
//! bytes or members they have; a kind is one byte. Nothing is named, so that neither names nor code
//! that looks for them is loaded: reading objects took fifty kilobytes of the page.

use dragontree::analysis::{Bisection, Diversity, Numbers};
use dragontree::scenario::{
    Abscissa, ExchangeMetrics, HeldBuffer, Interval, LatencyRecord, ManagementLatency,
    ManagementRecord, MeasuredChannel, Metrics, RankBandwidth, Record, Reordering, RouteNumbers,
    ShortBuffer, WaitingPacket, Why, WhyPortion,
};
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};

/// Something that travels.
pub trait Wire: Sized {
    /// Adds it to a message.
    fn put(&self, message: &mut Vec<u8>);
    /// Takes it off the front of a message; none when something else stands there.
    fn take(message: &mut &[u8]) -> Option<Self>;
}

/// Declares how a struct travels: field by field.
macro_rules! wire_struct {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::wire::Wire for $name {
            fn put(&self, message: &mut Vec<u8>) {
                $($crate::wire::Wire::put(&self.$field, message);)+
            }
            fn take(message: &mut &[u8]) -> Option<$name> {
                Some($name { $($field: $crate::wire::Wire::take(message)?),+ })
            }
        }
    };
}

/// Declares how an enum travels: each kind by its number, then its fields.
macro_rules! wire_enum {
    ($name:ident { $($number:literal => $kind:ident { $($field:ident),* })+ }) => {
        impl $crate::wire::Wire for $name {
            fn put(&self, message: &mut Vec<u8>) {
                match self {
                    $($name::$kind { $($field),* } => {
                        message.push($number);
                        $($crate::wire::Wire::put($field, message);)*
                    })+
                }
            }
            fn take(message: &mut &[u8]) -> Option<$name> {
                Some(match <u8 as $crate::wire::Wire>::take(message)? {
                    $($number => $name::$kind { $($field: $crate::wire::Wire::take(message)?),* },)+
                    _ => return None,
                })
            }
        }
    };
}

pub(crate) use {wire_enum, wire_struct};

macro_rules! numbers {
    ($($type:ty),+) => {
        $(impl Wire for $type {
            fn put(&self, message: &mut Vec<u8>) {
                message.extend_from_slice(&self.to_le_bytes());
            }
            fn take(message: &mut &[u8]) -> Option<$type> {
                let (front, rest) = message.split_first_chunk()?;
                *message = rest;
                Some(<$type>::from_le_bytes(*front))
            }
        })+
    };
}

numbers! { u8, u32, u64, f32, f64 }

impl Wire for bool {
    fn put(&self, message: &mut Vec<u8>) {
        message.push(u8::from(*self));
    }
    fn take(message: &mut &[u8]) -> Option<bool> {
        u8::take(message).map(|byte| byte != 0)
    }
}

impl Wire for String {
    fn put(&self, message: &mut Vec<u8>) {
        (self.len() as u32).put(message);
        message.extend_from_slice(self.as_bytes());
    }
    fn take(message: &mut &[u8]) -> Option<String> {
        let length = u32::take(message)? as usize;
        let (front, rest) = message.split_at_checked(length)?;
        *message = rest;
        String::from_utf8(front.to_vec()).ok()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put(&self, message: &mut Vec<u8>) {
        self.is_some().put(message);
        if let Some(value) = self {
            value.put(message);
        }
    }
    fn take(message: &mut &[u8]) -> Option<Option<T>> {
        match bool::take(message)? {
            true => T::take(message).map(Some),
            false => Some(None),
        }
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn put(&self, message: &mut Vec<u8>) {
        (self.len() as u32).put(message);
        self.iter().for_each(|each| each.put(message));
    }
    fn take(message: &mut &[u8]) -> Option<Vec<T>> {
        let count = u32::take(message)?;
        // A damaged count asks for no more memory than the message has bytes.
        let mut list = Vec::with_capacity((count as usize).min(message.len()));
        for _ in 0..count {
            list.push(T::take(message)?);
        }
        Some(list)
    }
}

impl<T: Wire> Wire for Box<T> {
    fn put(&self, message: &mut Vec<u8>) {
        self.as_ref().put(message);
    }
    fn take(message: &mut &[u8]) -> Option<Box<T>> {
        T::take(message).map(Box::new)
    }
}

impl<T: Wire, E: Wire> Wire for Result<T, E> {
    fn put(&self, message: &mut Vec<u8>) {
        self.is_ok().put(message);
        match self {
            Ok(value) => value.put(message),
            Err(error) => error.put(message),
        }
    }
    fn take(message: &mut &[u8]) -> Option<Result<T, E>> {
        match bool::take(message)? {
            true => T::take(message).map(Ok),
            false => E::take(message).map(Err),
        }
    }
}

impl Wire for Abscissa {
    fn put(&self, message: &mut Vec<u8>) {
        let as_result = match self {
            Abscissa::Number(number) => Ok(*number),
            Abscissa::Word(word) => Err(word.clone()),
        };
        as_result.put(message);
    }
    fn take(message: &mut &[u8]) -> Option<Abscissa> {
        Some(match <Result<f64, String>>::take(message)? {
            Ok(number) => Abscissa::Number(number),
            Err(word) => Abscissa::Word(word),
        })
    }
}

wire_struct! { Record {
    scenario, series, x, seed, engine_version, digest, seconds, certificate, metrics, exchange,
    fabric, routes,
} }
wire_struct! { Metrics {
    offered, offered_mean, accepted, saturated, settled, latency_ns, bound, busiest, why, measured_busiest,
    below_bound, interval, fairness, worst_source, hops_mean, packet_hops, max_utilization, rounded,
    short_buffer, packets, warmup_ns, window_ns, management, deadlock, deadlock_packets, deadlock_ns,
} }
wire_struct! { ExchangeMetrics {
    completion_ns, ideal_ns, model_ns, model, bound_ns, busiest, why, effective_throughput, messages,
    of_messages, bytes, latency_ns, latency_min_ns, packets, packet_hops, max_utilization, rounded,
    short_buffer, rank_bandwidth, reordering, stuck, deadlock, deadlock_packets, deadlock_ns,
} }
wire_struct! { RankBandwidth { min, mean, max } }
wire_struct! { Reordering { leaders, queries, delays, messages, comparisons } }
wire_struct! { ManagementRecord { offered, accepted, interval, saturated, latency_ns } }
wire_struct! { ManagementLatency { mean, p50, p99, max } }
wire_struct! { Why { flows, sources, destinations, formula, largest } }
wire_struct! { WhyPortion { from, to, flows, utilization } }
wire_struct! { MeasuredChannel { channel, utilization, packets, detours, found, why } }
wire_struct! { WaitingPacket { source, number, destination, holds, needs, since_ns } }
wire_struct! { HeldBuffer { from, port, to, vc } }
wire_struct! { ShortBuffer { channel, bytes, needed, round_trip_ns } }
wire_struct! { LatencyRecord { mean, p50, p99, max, zero_load } }
wire_struct! { Interval { accepted, latency_ns } }
wire_struct! { RouteNumbers { contention, contention_mean, layers, unrouted, unrouted_switches } }
wire_struct! { Numbers {
    endpoints, slots, switches, links, radix, ports_per_endpoint, links_per_endpoint, diameter,
    mean_distance, unconnected_pairs, distances_sampled, diversity, bisection_per_endpoint,
    bisection,
} }
wire_struct! { Diversity { mean, max, sampled } }
wire_struct! { Bisection { links, moved, half } }

/// Makes a message ready to be posted.
pub fn encode(message: &impl Wire) -> Uint8Array {
    Uint8Array::from(&packed(message)[..])
}

/// Reads a posted message; none when it is none of this protocol.
pub fn decode<T: Wire>(message: &JsValue) -> Option<T> {
    unpacked(&message.dyn_ref::<Uint8Array>()?.to_vec())
}

fn packed(value: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.put(&mut bytes);
    bytes
}

fn unpacked<T: Wire>(mut bytes: &[u8]) -> Option<T> {
    T::take(&mut bytes).filter(|_| bytes.is_empty())
}

/// Records as bytes, for results that the page brings along.
pub fn pack_records(records: &Vec<Record>) -> Vec<u8> {
    packed(records)
}

/// The records of [`pack_records`]; none when the bytes are anything else.
pub fn unpack_records(bytes: &[u8]) -> Option<Vec<Record>> {
    unpacked(bytes)
}

#[cfg(test)]
#[cfg(feature = "complete")]
mod tests {
    use dragontree::scenario::Study;

    use super::*;
    use crate::{Inspection, Reply, Request, Utilization};

    /// Puts a message and takes it again.
    fn travel<T: Wire>(message: &T) -> Option<T> {
        unpacked(&packed(message))
    }

    fn record(text: &str) -> Record {
        let plan = Study::parse(text).unwrap().plan().unwrap();
        let mut running = plan.jobs[0].start(None).unwrap();
        while running.advance(1_000_000) != Ok(dragontree::scenario::Step::Done) {}
        running.record(0.25).unwrap()
    }

    #[test]
    fn records_arrive_as_they_were() {
        let small = "topology=dragonfly,p=1,a=2,h=1 load=0.2";
        for text in [
            format!("{small} seed=18446744073709551615"),
            format!("{small} y=accepted y=diameter y=contention y=unrouted"),
            format!("{small} routing=min_hop"),
            format!("{small} exchange=ring bytes=1KiB"),
            "topology=dragonfly,p=2,a=4,h=2 routing=ugal traffic=shift,by=8 load=1 window=20us"
                .to_owned(),
        ] {
            let record = Box::new(record(&text));
            let measured = record.metrics.as_ref().and_then(|own| own.measured_busiest.as_ref());
            assert_eq!(measured.is_some_and(|own| own.why.is_some()), text.contains("ugal"));
            let channels = vec![0, 127, 255];
            let busy = measured.map(|_| Utilization { channels, busiest: 2, alike: 1 });
            let reply = Reply::Done { generation: 1, job: 2, record, busy };
            assert_eq!(travel(&reply), Some(reply), "{text}");
        }
    }

    #[test]
    fn the_page_brings_the_results_of_the_file_along() {
        let bytes = include_bytes!("../../../static/default.bin");
        let lines = unpack_records(bytes).unwrap().into_iter().map(|record| record.json().unwrap());
        let expected = include_str!("../../../static/default.jsonl");
        assert!(lines.eq(expected.lines()), "cargo xtask defaults writes both anew");
        assert_eq!(unpack_records(&bytes[1..]), None);
    }

    #[test]
    fn what_is_cut_is_nothing() {
        let what = Inspection::Paths { from: "a".to_owned(), to: "ü".to_owned() };
        let (text, open) = ("topology=torus".to_owned(), Some(7));
        let request = Request::Inspect { generation: 1, text, job: 3, open, what };
        let mut bytes = Vec::new();
        request.put(&mut bytes);
        for length in 0..bytes.len() {
            assert_eq!(Request::take(&mut &bytes[..length]), None, "{length}");
        }
        assert_eq!(Request::take(&mut &bytes[..]), Some(request));
        let (text, busy) =
            ("topology=torus".to_owned(), Utilization { channels: vec![9], busiest: 0, alike: 1 });
        let request = Request::Utilization { generation: 1, text, job: 3, open, busy };
        assert_eq!(travel(&request), Some(request));
    }
}
