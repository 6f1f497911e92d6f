//! Things that come and go, each at a place that it keeps meanwhile.

use std::ops::{Index, IndexMut};

use super::{bytes, make_room, reserve};

/// All of them, with the places that were left: these are taken again first, the last one before others.
pub(super) struct Slots<T> {
    all: Vec<T>,
    unused: Vec<u32>,
}

impl<T: Copy> Slots<T> {
    pub(super) fn new() -> Slots<T> {
        Slots { all: Vec::new(), unused: Vec::new() }
    }

    /// Makes room for so many.
    pub(super) fn make_room(&mut self, count: usize) {
        self.all.reserve_exact(count);
    }

    /// Adds one; returns its place.
    #[inline(always)]
    pub(super) fn add(&mut self, one: T) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.all[place as usize] = one;
                place
            }
            None => self.add_another(one),
        }
    }

    #[cold]
    fn add_another(&mut self, one: T) -> u32 {
        make_room(&mut self.all);
        self.all.push(one);
        self.all.len() as u32 - 1
    }

    /// Leaves places. What was there can be read until others are added.
    pub(super) fn leave(&mut self, places: impl ExactSizeIterator<Item = u32>) {
        reserve(&mut self.unused, places.len());
        self.unused.extend(places);
    }

    /// What is at a place, or was last.
    pub(super) fn get(&self, place: u32) -> Option<&T> {
        self.all.get(place as usize)
    }

    pub(super) fn get_mut(&mut self, place: u32) -> Option<&mut T> {
        self.all.get_mut(place as usize)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.all.len() - self.unused.len()
    }

    /// How many places there are, and for how many there is room.
    pub(super) fn places(&self) -> usize {
        self.all.len()
    }

    pub(super) fn room(&self) -> usize {
        self.all.capacity()
    }

    /// Those that there are.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        // A bit each, as this comes when most memory is taken.
        let bits = u64::BITS as usize;
        let mut unused = vec![0_u64; self.all.len().div_ceil(bits)];
        for place in &self.unused {
            unused[*place as usize / bits] |= 1 << (*place as usize % bits);
        }
        let is_there = move |place: usize| unused[place / bits] >> (place % bits) & 1 == 0;
        let all = self.all.iter().enumerate();
        all.filter(move |(place, _)| is_there(*place)).map(|(_, one)| one)
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> u64 {
        bytes(&self.all) + bytes(&self.unused)
    }
}

impl<T> Index<u32> for Slots<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, place: u32) -> &T {
        &self.all[place as usize]
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    #[inline(always)]
    fn index_mut(&mut self, place: u32) -> &mut T {
        &mut self.all[place as usize]
    }
}
