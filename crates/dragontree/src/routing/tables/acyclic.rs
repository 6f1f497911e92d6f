//! Dependencies between channels, added path by path and never closing a cycle.

use super::graph::Graph;

/// A channel and the next one on a path, both by their places in the [`Graph`].
pub(in crate::routing) type Turn = (u32, u32);

/// The turns of the paths in one virtual layer: a graph of channels without cycles.
///
/// Channels are kept in an order in which every turn leads on, and a new turn that leads back in
/// it reorders only what lies between (Pearce & Kelly 2006). Since turns are never taken away, one
/// that closes a cycle by itself does so for ever and is not tried again.
pub(in crate::routing) struct Acyclic<'a> {
    graph: &'a Graph,
    /// Where the row of bits of a channel starts in `after`, and of the channel in the other
    /// direction in `before`.
    starts: &'a [u32],
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
    /// The number of the search that came to a channel last.
    seen: Vec<u32>,
    search: u32,
}

impl Reach {
    fn new(channels: usize) -> Reach {
        Reach { found: Vec::new(), seen: vec![0; channels], search: 0 }
    }

    fn start(&mut self, at: u32) {
        self.search += 1;
        self.found.clear();
        self.visit(at);
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
pub(in crate::routing) fn rows(graph: &Graph) -> Vec<u32> {
    let mut words = 0;
    let mut starts = Vec::with_capacity(graph.edges().len() + 1);
    for edge in graph.edges() {
        starts.push(words);
        words += graph.edges_from(edge.to).len().div_ceil(64) as u32;
    }
    starts.push(words);
    starts
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

impl<'a> Acyclic<'a> {
    /// No turns yet; `starts` are the [`rows`] of the graph.
    pub fn new(graph: &'a Graph, starts: &'a [u32]) -> Acyclic<'a> {
        let channels = graph.edges().len();
        let words = starts.last().copied().unwrap_or(0) as usize;
        Acyclic {
            graph,
            starts,
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
                if self.added.is_empty() {
                    self.refused[word] |= bit;
                }
                self.take_back();
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
        if !self.look_ahead(to, from) {
            return false;
        }
        self.look_behind(from, low);
        let (behind, ahead) = (self.behind.sorted(&self.ranks), self.ahead.sorted(&self.ranks));
        let mut free: Vec<u32> =
            behind.iter().chain(&ahead).map(|key| (key >> 32) as u32).collect();
        free.sort_unstable();
        for (key, rank) in behind.iter().chain(&ahead).zip(free) {
            self.ranks[*key as u32 as usize] = rank;
        }
        true
    }

    /// Finds what follows a channel up to the rank of another; false if it comes to that.
    fn look_ahead(&mut self, start: u32, goal: u32) -> bool {
        let Acyclic { graph, starts, after, ranks, ahead, .. } = self;
        let last = ranks[goal as usize];
        ahead.start(start);
        let mut next = 0;
        while let Some(channel) = ahead.found.get(next).map(|channel| *channel as usize) {
            next += 1;
            let first = graph.places(graph.edges()[channel].to).start as u32;
            for index in ones(&after[starts[channel] as usize..starts[channel + 1] as usize]) {
                let other = first + index;
                if other == goal {
                    return false;
                }
                if ranks[other as usize] < last {
                    ahead.visit(other);
                }
            }
        }
        true
    }

    /// Finds what precedes a channel down to a rank.
    fn look_behind(&mut self, start: u32, least: u32) {
        let Acyclic { graph, starts, before, ranks, behind, .. } = self;
        behind.start(start);
        let mut next = 0;
        while let Some(channel) = behind.found.get(next).copied() {
            next += 1;
            let back = graph.edges()[channel as usize].back as usize;
            let first = graph.places(graph.edges()[back].to).start;
            for index in ones(&before[starts[back] as usize..starts[back + 1] as usize]) {
                let other = graph.edges()[first + index as usize].back;
                if ranks[other as usize] > least {
                    behind.visit(other);
                }
            }
        }
    }
}
