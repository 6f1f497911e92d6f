//! Deliveries that have been decided on and not been counted.

/// A packet that has left its last switch, and when its last bit is delivered.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Delivered {
    pub(super) time: u64,
    pub(super) packet: u32,
}

/// A list of deliveries.
#[derive(Default)]
pub(super) struct Log {
    /// As many as `count` are in the list; what follows is room.
    places: Vec<Delivered>,
    count: usize,
}

impl Log {
    /// Makes room for so many more.
    pub(super) fn reserve(&mut self, more: usize) {
        let wanted = self.count + more;
        if self.places.len() < wanted {
            self.places.resize(wanted.next_power_of_two(), Delivered::default());
        }
    }

    /// The places for which there is room, and how many of the list are taken.
    #[inline(always)]
    pub(super) fn open(&mut self) -> (&mut [Delivered], &mut usize) {
        (&mut self.places, &mut self.count)
    }

    /// Adds a delivery.
    pub(super) fn push(&mut self, delivered: Delivered) {
        self.reserve(1);
        self.places[self.count] = delivered;
        self.count += 1;
    }

    /// The list.
    pub(super) fn all(&self) -> &[Delivered] {
        &self.places[..self.count]
    }

    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// The memory that it takes.
    pub(super) fn memory(&self) -> u64 {
        super::bytes(&self.places)
    }
}
