//! Dependencies between channels, added path by path and never closing a cycle.

use std::sync::Arc;

use super::graph::Graph;

/// A channel and the next one on a path, both by their places in the [`Graph`].
pub(in crate::routing) type Turn = (u32, u32);

/// The turns of the paths in one virtual layer: a graph of channels without cycles.
///
/// Channels are kept in an order in which every turn leads on, and a new turn that leads back in
/// it reorders only what lies between (Pearce & Kelly 2006). Since turns are never taken away, one
/// that closes a cycle by itself does so for ever and is not tried again.
pub(in crate::routing) struct Acyclic {
    graph: Arc<Graph>,
    /// Where the row of bits of a channel starts in `after`, and of the channel in the other
    /// direction in `before`.
    starts: Arc<[u32]>,
    /// For each channel a bit for each link of the switch where it ends.
    after: Vec<u64>,
    /// For each channel a bit for each link of the switch where it starts: those that lead here.
    before: Vec<u64>,
    /// Turns that would close a cycle, like `after`.
    refused: Vec<u64>,
    /// The place of each channel in the order.
    ranks: Vec<u32>,
    added: Vec<Turn>,
    ahead: Reach,
    behind: Reach,
}

/// The channels that a search came to.
struct Reach {
    found: Vec<u32>,
    /// How many of them the search has gone on from.
    done: usize,
    /// The number of the search that came to a channel last.
    seen: Vec<u32>,
    search: u32,
}

impl Reach {
    fn new(channels: usize) -> Reach {
        Reach { found: Vec::new(), done: 0, seen: vec![0; channels], search: 0 }
    }

    fn start(&mut self, at: u32) {
        self.search += 1;
        self.found.clear();
        self.done = 0;
        self.visit(at);
    }

    fn next(&mut self) -> Option<usize> {
        let channel = self.found.get(self.done)?;
        self.done += 1;
        Some(*channel as usize)
    }

    fn has(&self, channel: u32) -> bool {
        self.seen[channel as usize] == self.search
    }

    fn visit(&mut self, channel: u32) {
        if std::mem::replace(&mut self.seen[channel as usize], self.search) != self.search {
            self.found.push(channel);
        }
    }

    /// What was found, in the order of the ranks.
    fn sorted(&self, ranks: &[u32]) -> Vec<u64> {
        let key = |channel: &u32| u64::from(ranks[*channel as usize]) << 32 | u64::from(*channel);
        let mut keys: Vec<u64> = self.found.iter().map(key).collect();
        keys.sort_unstable();
        keys
    }
}

/// Where the rows of all channels start, and the words of all of them together.
pub(in crate::routing) fn rows(graph: &Graph) -> Arc<[u32]> {
    let mut words = 0;
    let mut starts = Vec::with_capacity(graph.edges().len() + 1);
    for edge in graph.edges() {
        starts.push(words);
        words += graph.edges_from(edge.to).len().div_ceil(64) as u32;
    }
    starts.push(words);
    starts.into()
}

fn ones(row: &[u64]) -> impl Iterator<Item = u32> + '_ {
    row.iter().zip(0_u32..).flat_map(|(word, index)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(index * 64 + bit)
        })
    })
}

impl Acyclic {
    /// No turns yet; `starts` are the [`rows`] of the graph.
    pub fn new(graph: &Arc<Graph>, starts: &Arc<[u32]>) -> Acyclic {
        let channels = graph.edges().len();
        let words = starts.last().copied().unwrap_or(0) as usize;
        Acyclic {
            graph: graph.clone(),
            starts: starts.clone(),
            after: vec![0; words],
            before: vec![0; words],
            refused: vec![0; words],
            ranks: (0..channels as u32).collect(),
            added: Vec::new(),
            ahead: Reach::new(channels),
            behind: Reach::new(channels),
        }
    }

    /// Adds all of these turns, or none if that would close a cycle; says which.
    pub fn add(&mut self, turns: &[Turn]) -> bool {
        let mut new = false;
        for turn in turns {
            let (word, bit) = self.bit(*turn);
            if self.refused[word] & bit != 0 {
                return false;
            }
            new |= self.after[word] & bit == 0;
        }
        if !new {
            return true;
        }
        self.added.clear();
        for turn in turns {
            let (word, bit) = self.bit(*turn);
            if self.after[word] & bit != 0 {
                continue;
            }
            if !self.make_room(*turn) {
                let alone = self.added.is_empty();
                self.take_back();
                if alone || !self.make_room(*turn) {
                    self.refused[word] |= bit;
                }
                return false;
            }
            self.flip(*turn);
            self.added.push(*turn);
        }
        true
    }

    fn take_back(&mut self) {
        while let Some(turn) = self.added.pop() {
            self.flip(turn);
        }
    }

    /// Word and mask of a turn in `after`.
    fn bit(&self, (from, to): Turn) -> (usize, u64) {
        let first = self.graph.places(self.graph.edges()[from as usize].to).start;
        let index = to as usize - first;
        (self.starts[from as usize] as usize + index / 64, 1 << (index % 64))
    }

    fn flip(&mut self, (from, to): Turn) {
        let (word, bit) = self.bit((from, to));
        self.after[word] ^= bit;
        // A turn the other way: from the channel back to the channel that comes in reverse.
        let back = |channel: u32| self.graph.edges()[channel as usize].back;
        let (word, bit) = self.bit((back(to), back(from)));
        self.before[word] ^= bit;
    }

    /// Reorders the channels so that the second comes after the first; says whether it can.
    fn make_room(&mut self, (from, to): Turn) -> bool {
        let (low, high) = (self.ranks[to as usize], self.ranks[from as usize]);
        if high < low {
            return true;
        }
        if self.closes(from, to) {
            return false;
        }
        let (behind, ahead) = (self.behind.sorted(&self.ranks), self.ahead.sorted(&self.ranks));
        let mut free: Vec<u32> =
            behind.iter().chain(&ahead).map(|key| (key >> 32) as u32).collect();
        free.sort_unstable();
        for (key, rank) in behind.iter().chain(&ahead).zip(free) {
            self.ranks[*key as u32 as usize] = rank;
        }
        true
    }

    /// Searches from both ends of a turn for what lies between their ranks, until the searches meet
    /// or are both complete; says whether they met, so that the turn would close a cycle.
    fn closes(&mut self, from: u32, to: u32) -> bool {
        let (low, high) = (self.ranks[to as usize], self.ranks[from as usize]);
        self.ahead.start(to);
        self.behind.start(from);
        loop {
            let (ahead, behind) = (self.ahead.next(), self.behind.next());
            if ahead.is_none() && behind.is_none() {
                return false;
            }
            if ahead.is_some_and(|channel| self.look_ahead(channel, high))
                || behind.is_some_and(|channel| self.look_behind(channel, low))
            {
                return true;
            }
        }
    }

    /// Goes on to what follows a channel below a rank; says whether the other search was there.
    fn look_ahead(&mut self, channel: usize, limit: u32) -> bool {
        let Acyclic { graph, starts, after, ranks, ahead, behind, .. } = self;
        let first = graph.places(graph.edges()[channel].to).start as u32;
        for index in ones(&after[starts[channel] as usize..starts[channel + 1] as usize]) {
            let other = first + index;
            if behind.has(other) {
                return true;
            }
            if ranks[other as usize] < limit {
                ahead.visit(other);
            }
        }
        false
    }

    /// Goes on to what precedes a channel above a rank; says whether the other search was there.
    fn look_behind(&mut self, channel: usize, limit: u32) -> bool {
        let Acyclic { graph, starts, before, ranks, ahead, behind, .. } = self;
        let back = graph.edges()[channel].back as usize;
        let first = graph.places(graph.edges()[back].to).start;
        for index in ones(&before[starts[back] as usize..starts[back + 1] as usize]) {
            let other = graph.edges()[first + index as usize].back;
            if ahead.has(other) {
                return true;
            }
            if ranks[other as usize] > limit {
                behind.visit(other);
            }
        }
        false
    }
}
