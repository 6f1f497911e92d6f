//! Packs as one block of DEFLATE with its fixed codes (RFC 1951, section 3.2.6): a fifth longer
//! than with codes fitted to the text, by a third of the program.

use super::inflate::{DISTANCES, LENGTH_BITS, LENGTHS, distance_bits};

const SHORTEST: usize = 3;
const LONGEST: usize = 258;
const FARTHEST: usize = 1 << 15;
const HASHES: usize = 1 << 13;
/// How many earlier places are compared.
const DEPTH: usize = 256;

pub(super) fn deflate(input: &[u8]) -> Vec<u8> {
    let mut bits = Bits { bytes: Vec::new(), free: 0 };
    bits.put(1, 1);
    bits.put(1, 2);
    let mut places = Places::new(input);
    let mut at = 0;
    while at < input.len() {
        let (length, distance) = places.longest(at);
        places.enter(at);
        // A longer match may begin at the next byte.
        let is_better = length > 0 && places.longest(at + 1).0 > length;
        if length == 0 || is_better {
            bits.symbol(u16::from(input[at]));
            at += 1;
            continue;
        }
        bits.reference(length, distance);
        (at + 1..at + length).for_each(|place| places.enter(place));
        at += length;
    }
    bits.symbol(256);
    bits.bytes
}

/// Where three bytes have been seen before.
struct Places<'a> {
    input: &'a [u8],
    /// The last place of each hash, plus one.
    last: Vec<usize>,
    /// The place before, of the same hash, plus one.
    before: Vec<usize>,
}

impl<'a> Places<'a> {
    fn new(input: &'a [u8]) -> Places<'a> {
        Places { input, last: vec![0; HASHES], before: vec![0; input.len()] }
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let bytes = self.input.get(at..at + SHORTEST)?;
        let hash =
            bytes.iter().fold(0_u32, |hash, byte| (hash << 5) ^ hash >> 9 ^ u32::from(*byte));
        Some(hash as usize % HASHES)
    }

    fn enter(&mut self, at: usize) {
        if let Some(hash) = self.hash(at) {
            self.before[at] = self.last[hash];
            self.last[hash] = at + 1;
        }
    }

    /// Length and distance of the longest match; (0, 0) when there is none.
    fn longest(&self, at: usize) -> (usize, usize) {
        let mut best = (0, 0);
        let Some(hash) = self.hash(at) else {
            return best;
        };
        let most = LONGEST.min(self.input.len() - at);
        let mut place = self.last[hash];
        for _ in 0..DEPTH {
            let Some(start) = place.checked_sub(1).filter(|start| at - start <= FARTHEST) else {
                break;
            };
            let same = |length: &usize| self.input[start + length] == self.input[at + length];
            let length = (0..most).take_while(same).count();
            if length >= SHORTEST && length > best.0 {
                best = (length, at - start);
            }
            place = self.before[start];
        }
        best
    }
}

struct Bits {
    bytes: Vec<u8>,
    /// How many bits of the last byte are free.
    free: u32,
}

impl Bits {
    fn put(&mut self, number: usize, count: u8) {
        for place in 0..count {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((number >> place & 1) as u8) << (8 - self.free);
            }
            self.free -= 1;
        }
    }

    /// A code, which stands highest bit first.
    fn code(&mut self, code: u16, length: u8) {
        let reversed = code.reverse_bits() >> (16 - length);
        self.put(usize::from(reversed), length);
    }

    /// A literal byte, the end of the block or a length.
    fn symbol(&mut self, symbol: u16) {
        match symbol {
            0..144 => self.code(0x30 + symbol, 8),
            144..256 => self.code(0x190 + symbol - 144, 9),
            256..280 => self.code(symbol - 256, 7),
            _ => self.code(0xc0 + symbol - 280, 8),
        }
    }

    fn reference(&mut self, length: usize, distance: usize) {
        let code = LENGTHS.partition_point(|base| usize::from(*base) <= length) - 1;
        self.symbol(257 + code as u16);
        self.put(length - usize::from(LENGTHS[code]), LENGTH_BITS[code]);
        let code = DISTANCES.partition_point(|base| usize::from(*base) <= distance) - 1;
        self.code(code as u16, 5);
        self.put(distance - usize::from(DISTANCES[code]), distance_bits(code));
    }
}
