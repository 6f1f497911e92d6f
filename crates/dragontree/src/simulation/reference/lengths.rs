//! Packets of random lengths: what messages are cut into.

use crate::network::EndpointId;
use crate::random::Stream;

use super::super::Setup;

/// How the sources cut their messages.
pub(in crate::simulation) struct Lengths {
    /// The shortest and the longest packet, and a message, in bytes.
    shortest: u32,
    pub(super) longest: u32,
    pub(super) message: u64,
    /// The sources, by endpoint; switches, which come behind these, send packets of one length.
    cuts: Vec<Cut>,
    /// Packets that have been delivered, those of switches included.
    pub(super) arrived: u64,
}

/// Where a source is in its messages.
struct Cut {
    stream: Stream,
    /// Messages that have been sent.
    messages: u32,
    /// Bytes of the message at the head of the queue that have not been sent, and those of them that
    /// are the next packet.
    left: u64,
    next: u32,
}

impl Lengths {
    /// None where all packets are of one length.
    pub(super) fn new(setup: &Setup) -> Option<Lengths> {
        let shortest = setup.shortest()? as u32;
        let longest = setup.packet.0 as u32;
        let message = setup.packet.0 * u64::from(setup.injection.together());
        let cut = |endpoint: u32| {
            let stream = Stream::new(setup.seed, "packet lengths", u64::from(endpoint));
            let mut cut = Cut { stream, messages: 0, left: message, next: 0 };
            cut.draw(shortest, longest);
            cut
        };
        let cuts = (0..setup.endpoint_count()).map(cut).collect();
        Some(Lengths { shortest, longest, message, cuts, arrived: 0 })
    }

    /// The length of the packet at the head of a source's queue.
    pub(super) fn next(&self, endpoint: EndpointId) -> u32 {
        self.cuts.get(endpoint.index()).map_or(self.longest, |cut| cut.next)
    }

    /// The message that this belongs to, counted by the source.
    pub(super) fn message(&self, endpoint: EndpointId) -> u32 {
        self.cuts.get(endpoint.index()).map_or(0, |cut| cut.messages)
    }

    /// Goes on to the next packet; whether the last one was the end of a message.
    pub(super) fn advance(&mut self, endpoint: EndpointId) -> bool {
        let Some(cut) = self.cuts.get_mut(endpoint.index()) else { return true };
        cut.left -= u64::from(cut.next);
        let is_last = cut.left == 0;
        if is_last {
            cut.messages += 1;
            cut.left = self.message;
        }
        cut.draw(self.shortest, self.longest);
        is_last
    }
}

impl Cut {
    /// Decides the length of the next packet: each in the range is equally likely, but the last is what
    /// is left.
    fn draw(&mut self, shortest: u32, longest: u32) {
        let length = shortest + self.stream.below(longest - shortest + 1);
        self.next = u64::from(length).min(self.left) as u32;
    }
}
