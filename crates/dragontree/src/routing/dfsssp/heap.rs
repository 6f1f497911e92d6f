//! A queue by priority.

/// Numbers by their keys, the least first, in a heap of which each element has four below it.
///
/// Which of several equal keys comes first is that of OpenSM's heap (3.3.23, `cl_heap.c`).
pub(super) struct Heap {
    /// Key and number.
    elements: Vec<(u64, u32)>,
    /// Where each number is.
    places: Vec<u32>,
}

impl Heap {
    /// The key of numbers that have none yet.
    pub const UNSET: u64 = u64::MAX;

    const BRANCHES: usize = 4;

    /// An empty heap for numbers below `count`.
    pub fn new(count: usize) -> Heap {
        Heap { elements: Vec::with_capacity(count), places: vec![0; count] }
    }

    /// Holds these numbers instead, all without a key.
    pub fn fill(&mut self, numbers: impl Iterator<Item = u32>) {
        self.elements.clear();
        self.elements.extend(numbers.map(|number| (Heap::UNSET, number)));
        for (place, (_, number)) in self.elements.iter().enumerate() {
            self.places[*number as usize] = place as u32;
        }
    }

    /// Gives a number that is in the heap a key below its old one.
    pub fn lower(&mut self, number: u32, key: u64) {
        let mut place = self.places[number as usize] as usize;
        while place > 0 {
            let above = (place - 1) / Heap::BRANCHES;
            if key >= self.elements[above].0 {
                break;
            }
            self.put(place, self.elements[above]);
            place = above;
        }
        self.put(place, (key, number));
    }

    /// Takes out the number with the least key, if any has one.
    pub fn pop(&mut self) -> Option<(u64, u32)> {
        let first = self.elements.first().copied().filter(|(key, _)| *key != Heap::UNSET)?;
        let last = self.elements.pop()?;
        if !self.elements.is_empty() {
            self.sink(last);
        }
        Some(first)
    }

    /// Puts an element where the first was, or as far below as it has to be.
    fn sink(&mut self, element: (u64, u32)) {
        let mut place = 0;
        loop {
            let first = place * Heap::BRANCHES + 1;
            let end = self.elements.len().min(first + Heap::BRANCHES);
            if first >= end {
                break;
            }
            let mut least = first;
            for below in first + 1..end {
                if self.elements[below].0 <= self.elements[least].0 {
                    least = below;
                }
            }
            if element.0 <= self.elements[least].0 {
                break;
            }
            self.put(place, self.elements[least]);
            place = least;
        }
        self.put(place, element);
    }

    fn put(&mut self, place: usize, element: (u64, u32)) {
        self.elements[place] = element;
        self.places[element.1 as usize] = place as u32;
    }
}
