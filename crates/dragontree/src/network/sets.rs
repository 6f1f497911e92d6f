//! Sets of numbers that grow by joining.

/// Disjoint sets of the numbers below a count.
pub struct Sets {
    above: Vec<usize>,
}

impl Sets {
    /// Each number is a set of its own.
    pub fn new(count: usize) -> Sets {
        Sets { above: (0..count).collect() }
    }

    /// How many numbers there are.
    pub fn count(&self) -> usize {
        self.above.len()
    }

    /// The number that stands for a set: its lowest.
    pub fn find(&mut self, mut own: usize) -> usize {
        while self.above[own] != own {
            self.above[own] = self.above[self.above[own]];
            own = self.above[own];
        }
        own
    }

    /// Makes two sets one.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.above[one.max(other)] = one.min(other);
    }

    /// For each number that of its set, by their lowest numbers, and how many sets there are.
    pub fn numbered(&mut self) -> (Vec<u32>, u32) {
        let mut count = 0;
        let mut numbers: Vec<u32> = Vec::with_capacity(self.above.len());
        for own in 0..self.above.len() {
            let number = match self.find(own) {
                first if first < own => numbers[first],
                _ => {
                    count += 1;
                    count - 1
                }
            };
            numbers.push(number);
        }
        (numbers, count)
    }
}
