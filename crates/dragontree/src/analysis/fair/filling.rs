//! Progressive filling of channels by flows, whatever these are.
//!
//! Everything is done in the order of flows and channels, so that the same input gives the same bits.

/// Numbers that differ by less than this part of them are equal: sums of equal shares differ in their
/// last bits.
pub(super) const EQUAL: f64 = 1e-9;

/// The part of a channel's rate that is too little to count.
const NOTHING: f64 = 1e-12;

/// Channels and the flows over them.
pub(super) struct Filling {
    channels: Vec<Channel>,
    /// Places of the channels that may still fill.
    open: Vec<u32>,
    flows: Vec<Flow>,
    /// For each flow after the other the channels it needs, and what it puts on them in bits per second
    /// when it sends all it offers.
    used: Vec<u32>,
    bits: Vec<f64>,
    /// For each channel after the other the flows over it.
    over: Vec<u32>,
    /// How far the flows have grown that nothing holds back, as a share of what they offer.
    level: f64,
}

struct Channel {
    /// In bits per second.
    rate: f64,
    /// Whether it is one of those that fill first.
    first: bool,
    /// What flows put on it that grow no more, in bits per second.
    fixed: f64,
    /// What the others would put on it if they sent all they offer.
    growing: f64,
    /// How many these are.
    count: u32,
    /// Where the flows over it end.
    end: usize,
}

struct Flow {
    /// What it offers, in bits per second.
    rate: f64,
    /// The share of it that it sends, once that is known.
    level: Option<f64>,
    /// Where the channels end that it needs.
    end: usize,
}

impl Filling {
    /// Channels by their rates in bits per second, and what all flows together would put on each as a
    /// multiple of that.
    pub fn new(channels: &[(f64, f64)]) -> Filling {
        let most = channels.iter().map(|(_, utilization)| *utilization).fold(0.0, f64::max);
        let channel = |(rate, utilization): &(f64, f64)| Channel {
            rate: *rate,
            first: *utilization >= most * (1.0 - EQUAL),
            fixed: 0.0,
            growing: 0.0,
            count: 0,
            end: 0,
        };
        Filling {
            channels: channels.iter().map(channel).collect(),
            open: (0..channels.len() as u32).collect(),
            flows: Vec::new(),
            used: Vec::new(),
            bits: Vec::new(),
            over: Vec::new(),
            level: if most > 1.0 { 1.0 / most } else { 1.0 },
        }
    }

    /// Adds a flow by what it offers, in bits per second, and what of that it puts on channels. Where it
    /// needs a channel that fills first, its rate is known at once, and nothing else is kept: so routes
    /// that spread uniform traffic over a whole symmetric network take no room.
    pub fn add(&mut self, rate: f64, uses: impl Iterator<Item = (u32, f64)>) {
        let start = self.used.len();
        for (channel, bits) in uses {
            self.used.push(channel);
            self.bits.push(bits);
        }
        let is_first = |at: &u32| self.channels[*at as usize].first;
        let level = self.used[start..].iter().any(is_first).then_some(self.level);
        for (at, bits) in self.used[start..].iter().zip(&self.bits[start..]) {
            let channel = &mut self.channels[*at as usize];
            match level {
                Some(level) => channel.fixed += bits * level,
                None => {
                    channel.growing += bits;
                    channel.count += 1;
                }
            }
        }
        if level.is_some() {
            self.used.truncate(start);
            self.bits.truncate(start);
        }
        self.flows.push(Flow { rate, level, end: self.used.len() });
    }

    /// How much is kept.
    pub fn kept(&self) -> usize {
        self.flows.len() + self.used.len()
    }

    /// Sorts the flows by channels, when all have been added.
    pub fn begin(&mut self) {
        let mut end = 0;
        for channel in &mut self.channels {
            // Moved forward below, flow by flow.
            channel.end = end;
            end += channel.count as usize;
        }
        self.over = vec![0; self.used.len()];
        let mut start = 0;
        for (number, flow) in self.flows.iter().enumerate() {
            for at in &self.used[start..flow.end] {
                let end = &mut self.channels[*at as usize].end;
                self.over[*end] = number as u32;
                *end += 1;
            }
            start = flow.end;
        }
    }

    /// Fills channels for about as long as it takes to walk `budget` ways; whether all are filled.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while self.round() {
            let cost = 1 + self.open.len() as u64 / 8;
            if left < cost {
                return false;
            }
            left -= cost;
        }
        true
    }

    /// Lets the flows grow until the next channel is full; false when there is none.
    fn round(&mut self) -> bool {
        let Filling { channels, open, .. } = self;
        open.retain(|at| channels[*at as usize].count > 0);
        let full_at = |at: &u32| {
            let Channel { rate, fixed, growing, .. } = &channels[*at as usize];
            // Less than this is what subtracting leaves of nothing.
            if *growing > rate * NOTHING { (rate - fixed) / growing } else { f64::INFINITY }
        };
        let next = open.iter().map(full_at).fold(f64::INFINITY, f64::min);
        if next >= 1.0 - EQUAL {
            return false;
        }
        let level = self.level.max(next);
        let full: Vec<u32> =
            open.iter().copied().filter(|at| full_at(at) <= level * (1.0 + EQUAL)).collect();
        self.level = level;
        for at in full {
            let start = if at == 0 { 0 } else { self.channels[at as usize - 1].end };
            for place in start..self.channels[at as usize].end {
                self.hold(self.over[place] as usize);
            }
        }
        true
    }

    /// A flow grows no more.
    fn hold(&mut self, number: usize) {
        let start = if number == 0 { 0 } else { self.flows[number - 1].end };
        let flow = &mut self.flows[number];
        if flow.level.is_some() {
            return;
        }
        flow.level = Some(self.level);
        for place in start..flow.end {
            let channel = &mut self.channels[self.used[place] as usize];
            channel.fixed += self.bits[place] * self.level;
            channel.growing -= self.bits[place];
            channel.count -= 1;
        }
    }

    /// What all flows send together, in bits per second.
    pub fn sent(&self) -> f64 {
        self.levels().zip(&self.flows).map(|(level, flow)| level * flow.rate).sum()
    }

    /// The share of what it offers that each flow sends: all of it where no channel holds it back.
    pub fn levels(&self) -> impl Iterator<Item = f64> {
        self.flows.iter().map(|flow| flow.level.unwrap_or(1.0))
    }
}
