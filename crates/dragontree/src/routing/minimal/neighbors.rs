//! Which switches are joined to which, as bits: what two switches have in common is found by
//! comparing two rows.

use crate::network::{Network, Node, PortId, SwitchId};
use crate::sorting::{both, sort_by_number};

/// Stands for a switch without a row.
const NO_ROW: u32 = u32::MAX;

/// The most words of bits: 128 MiB, and half as much for their counts.
const MOST_WORDS: u64 = 1 << 24;

/// For every switch with endpoints, the switches that it has links to, and the ports there.
pub(super) struct Neighbors {
    /// Words in a row: one bit for each switch.
    words: usize,
    /// For each switch its row in `bits`.
    rows: Vec<u32>,
    bits: Vec<u64>,
    /// For each word of `bits`, the number of neighbors before it, of all rows.
    before: Vec<u32>,
    /// For each neighbor of each row, where its ports start in `ports`; one past the last port at
    /// the end.
    first: Vec<u32>,
    ports: Vec<PortId>,
}

/// The switches that a switch has links to, once for each link, in the order of its ports.
fn switches_around(
    network: &Network,
    switch: SwitchId,
) -> impl Iterator<Item = (SwitchId, PortId)> + '_ {
    let ports = network.ports(Node::Switch(switch)).map(PortId);
    ports.filter_map(|port| match network.neighbor(port) {
        Some(Node::Switch(neighbor)) => Some((neighbor, port)),
        _ => None,
    })
}

impl Neighbors {
    /// Lists the links of a network; none when they are too many for rows of bits.
    pub(super) fn new(network: &Network) -> Option<Neighbors> {
        let words = (network.switch_count() as usize).div_ceil(64);
        let carriers =
            network.switches().filter(|switch| network.carries_endpoints(*switch)).count();
        if (words as u64).saturating_mul(carriers as u64) > MOST_WORDS {
            return None;
        }
        let mut table = Neighbors {
            words,
            rows: vec![NO_ROW; network.switch_count() as usize],
            bits: Vec::with_capacity(words * carriers),
            before: Vec::with_capacity(words * carriers),
            first: Vec::new(),
            ports: Vec::new(),
        };
        let mut around = Vec::new();
        for switch in network.switches().filter(|switch| network.carries_endpoints(*switch)) {
            around.clear();
            around.extend(switches_around(network, switch));
            sort_by_number(&mut around, |(next, port)| both(u64::from(next.0), u64::from(port.0)));
            table.add_row(switch, &around);
        }
        table.first.push(table.ports.len() as u32);
        Some(table)
    }

    /// Adds the row of a switch whose neighbors and ports come in order.
    fn add_row(&mut self, switch: SwitchId, around: &[(SwitchId, PortId)]) {
        let start = self.bits.len();
        self.rows[switch.index()] = (start / self.words) as u32;
        self.bits.resize(start + self.words, 0);
        for neighbors in around.chunk_by(|one, other| one.0 == other.0) {
            let (word, bit) = place(neighbors[0].0);
            self.bits[start + word] |= bit;
            self.first.push(self.ports.len() as u32);
            self.ports.extend(neighbors.iter().map(|(_, port)| *port));
        }
        let mut count = self.first.len() as u32
            - self.bits[start..].iter().map(|word| word.count_ones()).sum::<u32>();
        for word in start..start + self.words {
            self.before.push(count);
            count += self.bits[word].count_ones();
        }
    }

    /// Where the row of a switch starts; none when it has no endpoints.
    fn start(&self, switch: SwitchId) -> Option<usize> {
        let row = self.rows[switch.index()];
        (row != NO_ROW).then_some(row as usize * self.words)
    }

    /// The neighbors of a switch as words of bits; nothing when it has no endpoints.
    fn row(&self, switch: SwitchId) -> &[u64] {
        self.start(switch).map_or(&[], |start| &self.bits[start..start + self.words])
    }

    /// The ports of a switch with endpoints that lead to another switch.
    pub(super) fn ports(&self, from: SwitchId, to: SwitchId) -> &[PortId] {
        let (word, bit) = place(to);
        let Some(at) = self.start(from).map(|start| start + word) else { return &[] };
        if self.bits[at] & bit == 0 {
            return &[];
        }
        let neighbor = (self.before[at] + (self.bits[at] & (bit - 1)).count_ones()) as usize;
        &self.ports[self.first[neighbor] as usize..self.first[neighbor + 1] as usize]
    }

    /// The switches that two switches with endpoints both have links to, in order.
    pub(super) fn common(&self, one: SwitchId, other: SwitchId) -> Common<'_> {
        let (one, other) = (self.row(one), self.row(other));
        let word = one.first().zip(other.first()).map_or(0, |(one, other)| one & other);
        Common { one, other, at: 0, word }
    }

    /// Whether some two switches with endpoints have no link, but one to a third that has
    /// endpoints too.
    pub(super) fn meet_at_carriers(&self) -> bool {
        let carriers: Vec<usize> =
            (0..self.rows.len()).filter(|switch| self.rows[*switch] != NO_ROW).collect();
        let mut mask = vec![0; self.words];
        for switch in &carriers {
            mask[switch / 64] |= 1 << (switch % 64);
        }
        carriers.iter().any(|from| {
            let mut others = mask.clone();
            others[from / 64] &= !(1 << (from % 64));
            let near = self.row(SwitchId(*from as u32));
            let far: Vec<u64> = others.iter().zip(near).map(|(all, near)| all & !near).collect();
            let between = |middle: &usize| near[middle / 64] >> (middle % 64) & 1 == 1;
            carriers.iter().filter(|middle| between(middle)).any(|middle| {
                let row = self.row(SwitchId(*middle as u32));
                row.iter().zip(&far).any(|(row, far)| row & far != 0)
            })
        })
    }
}

/// The word and the bit of a switch in a row.
fn place(switch: SwitchId) -> (usize, u64) {
    (switch.index() / 64, 1 << (switch.0 % 64))
}

/// What two rows have in common.
#[derive(Clone)]
pub(super) struct Common<'a> {
    one: &'a [u64],
    other: &'a [u64],
    at: usize,
    /// What is left of the word at `at`.
    word: u64,
}

impl Iterator for Common<'_> {
    type Item = SwitchId;

    fn next(&mut self) -> Option<SwitchId> {
        while self.word == 0 {
            self.at += 1;
            self.word = self.one.get(self.at)? & self.other.get(self.at)?;
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(SwitchId(self.at as u32 * 64 + bit))
    }
}
