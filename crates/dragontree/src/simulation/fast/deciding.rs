//! Where packets go: their ways from their sources' switches.

use crate::network::{EndpointId, PortId};
use crate::routing::{Code, Exit, Pair, Queues, Word};

use super::super::Setup;
use super::super::endpoint::Source;
use super::super::engine::Base;
use super::backlog::{Backlog, Sizes};
use super::forks::Forks;
use super::packets::Packets;
use super::paths::{self, END, Way};
use super::ports::{Kind, Port};
use super::wheel::Event;

/// Finds the way of a packet from its source's switch: in one word, or where it is not in one by
/// exits.
#[inline]
pub(super) fn find_way(
    setup: &Setup,
    source: &mut Source,
    exits: &mut Vec<Exit>,
    code: Code,
    queues: &Backlog<'_>,
    pair: Pair,
) -> Option<Word> {
    exits.clear();
    let (from, stream, route) = (source.switch?, &mut source.routes, setup.routes.route());
    let word = route.drawn_word(from, pair, stream, queues, code);
    if word.is_none() {
        route.trace(&setup.network, from, pair, stream, queues, exits);
    }
    word
}

/// What decides the ways of packets at their sources' switches.
pub(super) struct Deciding<'a> {
    pub(super) base: &'a mut Base,
    pub(super) packets: &'a mut Packets,
    pub(super) forks: &'a mut Forks,
    pub(super) exits: &'a mut Vec<Exit>,
    pub(super) lane_bits: u32,
    pub(super) sizes: Sizes,
}

impl Deciding<'_> {
    /// The way that an event's packet is known to go, a path, or that is decided now, a long path. None where
    /// there is none, which is noted in the event then. `first`: the first buffer behind its switch's outputs.
    #[inline(always)]
    pub(super) fn path(
        &mut self,
        (ports, kinds, now): (&[Port], &[Kind], u64),
        first: u32,
        event: &mut Event,
    ) -> Option<u64> {
        if paths::has_code(event.path) {
            return Some(event.path.into());
        }
        let destination = paths::undecided_destination(event.path)?;
        let queues = Backlog::new(ports, kinds, self.sizes, now);
        let path = self.decide(&queues, first, event.packet, destination);
        if path == u64::from(END) {
            event.path = END;
            return None;
        }
        Some(path)
    }

    /// Decides the way of a packet at its source's switch, whose outputs' first buffer is given: a long
    /// path, or [`END`] where it has none.
    #[inline(always)]
    pub(super) fn decide(
        &mut self,
        queues: &Backlog<'_>,
        first: u32,
        packet: u32,
        destination: EndpointId,
    ) -> u64 {
        let (mask, lane_bits) = (self.packets.coding.mask, self.lane_bits);
        let Some((weighing, fork)) = self.forks.of(packet) else {
            let Deciding { base, packets, exits, .. } = self;
            return decide_alone(base, exits, packets, queues, packet, destination).into();
        };
        let output = |way: &Word| PortId((first + (way.bits as u32 & mask)) >> lane_bits);
        let [one, other] = fork;
        let queued = [queues.queued(output(one)), queues.queued(output(other))];
        let second = weighing.takes_second(fork, queued, queues.capacity());
        self.packets.set_word(packet, fork[usize::from(second)])
    }
}

/// Decides the way of a packet at its source's switch, where its ways have not been drawn ahead: a path.
#[inline(never)]
fn decide_alone(
    Base { setup, sources, .. }: &mut Base,
    exits: &mut Vec<Exit>,
    packets: &mut Packets,
    queues: &Backlog<'_>,
    packet: u32,
    destination: EndpointId,
) -> u32 {
    let (source, code) = (EndpointId(packets.get(packet).source()), packets.coding.code);
    let Some(Some(from)) = sources.get_mut(source.index()) else { return END };
    let word = find_way(setup, from, exits, code, queues, Pair { source, destination });
    packets.set_way(packet, &Way::of(word, exits))
}
