//! The flows on each channel in the phase that is walked.

use super::levels::Levels;
use super::tally::Tally;
use crate::network::{Network, PortId};

/// Channels between switches, those of a kind side by side, and what they carry.
pub(super) struct Loads {
    /// For each port the place of its channel; the last place is that of all which are of no kind.
    places: Vec<Place>,
    /// For each place its port.
    ports: Vec<PortId>,
    /// For each kind of channel its first place, and where the last kind ends.
    kinds: Vec<usize>,
    /// Flows that take no other way.
    whole: Vec<u32>,
    /// The shares of others; empty while there are none.
    parted: Vec<f64>,
    /// The most flows in any phase of which that was not noted in the tally.
    highest: Vec<u32>,
    /// The places in use, each at least once, while they are not [`DENSE`].
    used: Vec<Place>,
}

/// The place of a channel.
pub(super) type Place = u32;

/// Where one channel in so many may be in use, one by one is the quickest way through all of them.
const DENSE: usize = 4;

impl Loads {
    pub fn new(network: &Network, levels: &Levels) -> Loads {
        let all = (0..network.port_count()).map(PortId);
        let mut ports: Vec<PortId> = all.filter(|port| levels.of(*port).is_some()).collect();
        ports.sort_by_key(|port| levels.of(*port));
        let mut places = vec![ports.len() as Place; network.port_count() as usize];
        for (place, port) in (0..).zip(&ports) {
            places[port.index()] = place;
        }
        let before = |kind| ports.partition_point(|port| levels.of(*port) < Some(kind));
        let kinds = (0..=levels.kinds().len()).map(before).collect();
        let count = ports.len();
        Loads {
            places,
            ports,
            kinds,
            whole: vec![0; count + 1],
            parted: Vec::new(),
            highest: vec![0; count],
            used: Vec::with_capacity(count / DENSE + 1),
        }
    }

    /// The place of the channel out of a port.
    pub fn place(&self, port: PortId) -> Place {
        self.places[port.index()]
    }

    /// Puts one more flow on a channel.
    pub fn add(&mut self, place: Place) {
        self.whole[place as usize] += 1;
        self.note(place);
    }

    /// Puts a share of a flow on a channel.
    pub fn add_share(&mut self, place: Place, share: f64) {
        if share == 1.0 {
            return self.add(place);
        }
        if self.parted.is_empty() {
            self.parted = vec![0.0; self.whole.len()];
        }
        self.parted[place as usize] += share;
        self.note(place);
    }

    fn note(&mut self, place: Place) {
        if !self.is_dense() {
            self.used.push(place);
        }
    }

    fn is_dense(&self) -> bool {
        self.used.len() * DENSE > self.ports.len()
    }

    /// Adds the loads to a tally, as those of a phase, and takes them off again.
    pub fn close(&mut self, tally: &mut Tally) {
        tally.stages += 1;
        match (self.is_dense(), self.parted.is_empty()) {
            (true, true) => self.close_whole(tally),
            (true, false) => self.close_each(0..self.ports.len(), tally),
            (false, _) => {
                let mut used = std::mem::take(&mut self.used);
                used.sort_unstable();
                used.dedup();
                self.close_each(used.iter().map(|place| *place as usize), tally);
                self.used = used;
            }
        }
        self.used.clear();
    }

    fn close_whole(&mut self, tally: &mut Tally) {
        let kinds = self.kinds.windows(2).zip(tally.most.iter_mut().zip(&mut tally.flows));
        for (ends, (most, flows)) in kinds {
            let whole = &self.whole[ends[0]..ends[1]];
            most.push(whole.iter().copied().max().map_or(0.0, f64::from));
            flows.push(whole.iter().copied().map(u64::from).sum::<u64>() as f64);
            for (highest, whole) in self.highest[ends[0]..ends[1]].iter_mut().zip(whole) {
                *highest = (*highest).max(*whole);
            }
        }
        self.whole.fill(0);
    }

    /// The same of these places only, the lowest first.
    fn close_each(&mut self, places: impl Iterator<Item = usize>, tally: &mut Tally) {
        let mut places = places.peekable();
        let kinds = self.kinds[1..].iter().zip(tally.most.iter_mut().zip(&mut tally.flows));
        for (end, (most, flows)) in kinds {
            let (mut top, mut all) = (0.0, 0.0);
            while let Some(place) = places.next_if(|place| place < end) {
                let whole = f64::from(std::mem::take(&mut self.whole[place]));
                let parted = self.parted.get_mut(place).map_or(0.0, std::mem::take);
                let load = rounded(whole + parted);
                let highest = &mut tally.per_channel[self.ports[place].index()];
                *highest = highest.max(load);
                (top, all) = (f64::max(top, load), all + load);
            }
            most.push(top);
            flows.push(all);
        }
    }

    /// Adds to a tally what each channel has carried at most.
    pub fn finish(&self, tally: &mut Tally) {
        for (port, highest) in self.ports.iter().zip(&self.highest) {
            let channel = &mut tally.per_channel[port.index()];
            *channel = channel.max(f64::from(*highest));
        }
    }
}

/// Rounded so that the order of summation does not show.
fn rounded(number: f64) -> f64 {
    if number == f64::from(number as u32) {
        return number;
    }
    (number * 1e9).round() / 1e9
}
