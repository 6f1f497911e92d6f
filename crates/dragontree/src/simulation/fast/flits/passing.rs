//! Flits that are sent on as soon as they come in.

use super::super::Fast;
use super::super::deliveries::Delivered;
use super::super::moves::visible_credit;
use super::super::paths::{self, Coding};
use super::super::ports::{Ports, later};
use super::super::wheel::{Event, Wheel};
use super::super::worms::{NONE, Passage, Worms, is_following};
use super::Flits;

/// What passing flits on needs and changes.
struct Passing<'a> {
    worms: &'a mut Worms,
    /// Flits of a packet.
    flits: u32,
    coding: Coding,
    ports: &'a mut Ports,
    wheel: &'a mut Wheel,
    log: &'a mut Vec<Delivered>,
    /// When the window began; the part of it that is being served.
    window: u64,
    start: u64,
    end: u64,
}

impl Fast {
    /// Sends on as many of these events' flits as can be sent without further ado, one after the other;
    /// returns how many. For flits what [`pass_on`](Fast::pass_on) is for whole packets.
    pub(in super::super) fn pass_flits(&mut self, events: &[Event]) -> usize {
        let Fast { flits: Some(all), packets, ports, wheel, log, window, start, end, .. } = self
        else {
            return 0;
        };
        let Flits { worms, count: flits, .. } = all;
        let (flits, coding) = (*flits, packets.coding);
        let (window, start, end) = (*window, *start, *end);
        let mut passing = Passing { worms, flits, coding, ports, wheel, log, window, start, end };
        let (mut served, mut firsts) = (0, 0);
        for event in events {
            let Some(is_first) = passing.pass(*event) else { break };
            served += 1;
            firsts += u64::from(is_first);
        }
        self.base.statistics.packet_hops += firsts;
        served
    }
}

impl Passing<'_> {
    /// Sends a flit on; whether it is the first of its packet. Does nothing where something has to be
    /// looked at first.
    #[inline(always)]
    fn pass(&mut self, event: Event) -> Option<bool> {
        let Event { buffer: from, path, time, .. } = event;
        let Ports { kinds, ports, inlets, last_events, credits, lines, lane_bits, .. } =
            &mut *self.ports;
        let (now, lane_bits) = (self.window + u64::from(time), *lane_bits);
        let entry = ports.get((from >> lane_bits) as usize)?;
        let came = kinds.get(usize::from(entry.came))?;
        let coming = self.worms.incoming.get_mut(from as usize)?;
        let (place, mut passage) = match is_following(&event) {
            true => (*coming, *self.worms.passages.get(*coming)?),
            false if !paths::has_code(path) => return None,
            false => (NONE, Passage::new(event, path, entry.first, self.coding, self.flits)),
        };
        (passage.arrived, passage.sent) = (passage.arrived + 1, passage.sent + 1);
        let (to, is_last) = (passage.to, passage.is_over());
        let output = self.worms.outputs.get_mut(to as usize)?;
        let port = ports.get_mut((to >> lane_bits) as usize)?;
        let credit = credits.get_mut(to as usize)?;
        let inlet = inlets.get_mut(from as usize)?;
        let goes = kinds.get(usize::from(port.kind))?;
        let serialization = goes.timing.serialization;
        let lead = came.timing.serialization.saturating_sub(serialization);
        let departure = later(now + lead, port.free);
        let (time, due) = (departure + goes.flight, now + came.credit_delay);
        let ends = goes.takes == 0;
        let is_open = output.owner == place
            && *credit as i32 > 0
            && port.free <= now + goes.slack
            && (!is_last || lines.is_empty(to));
        if !is_open || !(ends || time >= self.end) || due < self.end {
            return None;
        }
        let place = self.worms.passages.keep(place, passage);
        (*coming, output.owner) = (place, place);
        (port.free, port.sent) = (departure + serialization, port.sent + 1);
        if ends && is_last {
            self.log.push(Delivered::new(time, passage.packet));
        } else if ends {
            self.worms.delivered_until = time.max(self.worms.delivered_until);
        } else {
            *credit -= 1;
            let (packet, path) = passage.next();
            let buffer = port.peer | (to & ((1 << lane_bits) - 1));
            self.wheel.push(usize::from(port.group), time, Event { buffer, packet, path, time: 0 });
        }
        if !inlet.note(due, self.start) {
            let (list, back) = visible_credit((ports, last_events), lane_bits, from, due);
            self.wheel.push(list, due, back);
        }
        Some(passage.has_begun())
    }
}
