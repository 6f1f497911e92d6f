//! Unpacks DEFLATE (RFC 1951).

/// Smallest lengths of the codes from 257 upward.
pub(super) const LENGTHS: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];
/// How many bits follow to add to them.
pub(super) const LENGTH_BITS: [u8; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/// Smallest distances of the codes.
pub(super) const DISTANCES: [u16; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];

/// How many bits follow the code of a distance to add to it.
pub(super) fn distance_bits(code: usize) -> u8 {
    (code / 2).saturating_sub(1) as u8
}

/// The order in which the lengths of the codes for code lengths stand.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE: usize = 15;

/// The unpacked bytes; none when the input is damaged, ends too early or holds more than `most`
/// bytes.
pub(super) fn inflate(input: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut bits = Bits { input, at: 0 };
    let mut output = Vec::new();
    loop {
        let is_last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut output, most)?,
            1 => {
                let mut lengths = [8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                compressed(
                    &mut bits,
                    &Code::new(&lengths),
                    &Code::new(&[5; 30]),
                    &mut output,
                    most,
                )?;
            }
            2 => {
                let (literals, distances) = codes(&mut bits)?;
                compressed(&mut bits, &literals, &distances, &mut output, most)?;
            }
            _ => return None,
        }
        if is_last {
            return Some(output);
        }
    }
}

struct Bits<'a> {
    input: &'a [u8],
    /// The next bit.
    at: usize,
}

impl Bits<'_> {
    /// The next bits as a number, the first bit the lowest.
    fn take(&mut self, count: u8) -> Option<u16> {
        let mut number = 0;
        for place in 0..count {
            let byte = self.input.get(self.at / 8)?;
            number |= u16::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(number)
    }

    fn symbol(&mut self, code: &Code) -> Option<usize> {
        let (mut word, mut first, mut index) = (0, 0, 0);
        for count in &code.counts[1..] {
            word |= usize::from(self.take(1)?);
            if word < first + count {
                return code.symbols.get(index + word - first).copied();
            }
            index += count;
            first = (first + count) << 1;
            word <<= 1;
        }
        None
    }
}

/// A canonical prefix code.
struct Code {
    /// How many symbols have codes of each length.
    counts: [usize; LONGEST_CODE + 1],
    /// The symbols in the order of their codes.
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[u8]) -> Code {
        let of_length = |length: usize| {
            (0..lengths.len()).filter(move |symbol| usize::from(lengths[*symbol]) == length)
        };
        let mut counts = [0; LONGEST_CODE + 1];
        let mut symbols = Vec::with_capacity(lengths.len());
        for (length, count) in counts.iter_mut().enumerate().skip(1) {
            symbols.extend(of_length(length));
            *count = of_length(length).count();
        }
        Code { counts, symbols }
    }
}

fn stored(bits: &mut Bits<'_>, output: &mut Vec<u8>, most: usize) -> Option<()> {
    let start = bits.at.div_ceil(8);
    let header = bits.input.get(start..start + 4)?;
    let length = usize::from(u16::from_le_bytes([header[0], header[1]]));
    let check = usize::from(u16::from_le_bytes([header[2], header[3]]));
    let bytes = bits.input.get(start + 4..start + 4 + length)?;
    if length + check != 0xffff || output.len() + length > most {
        return None;
    }
    output.extend_from_slice(bytes);
    bits.at = 8 * (start + 4 + length);
    Some(())
}

/// The codes for literals and lengths, and for distances, at the start of a block.
fn codes(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    let literals = usize::from(bits.take(5)?) + 257;
    let distances = usize::from(bits.take(5)?) + 1;
    let mut lengths = [0; 19];
    for place in ORDER.iter().take(usize::from(bits.take(4)?) + 4) {
        lengths[*place] = bits.take(3)? as u8;
    }
    let code = Code::new(&lengths);
    let mut lengths: Vec<u8> = Vec::new();
    while lengths.len() < literals + distances {
        let (value, count) = match bits.symbol(&code)? {
            16 => (*lengths.last()?, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        lengths.resize(lengths.len() + usize::from(count), value);
    }
    let (first, second) = lengths.split_at_checked(literals)?;
    Some((Code::new(first), Code::new(second.get(..distances)?)))
}

fn compressed(
    bits: &mut Bits<'_>,
    literals: &Code,
    distances: &Code,
    output: &mut Vec<u8>,
    most: usize,
) -> Option<()> {
    loop {
        match bits.symbol(literals)? {
            symbol @ 0..256 => output.push(symbol as u8),
            256 => return Some(()),
            symbol => {
                let code = symbol - 257;
                let length = usize::from(LENGTHS.get(code)? + bits.take(LENGTH_BITS[code])?);
                let code = bits.symbol(distances)?;
                let (base, extra) = (DISTANCES.get(code)?, bits.take(distance_bits(code))?);
                let distance = usize::from(*base) + usize::from(extra);
                let start = output.len().checked_sub(distance)?;
                // The copy may run into what it copies.
                for place in start..start + length {
                    output.push(output[place]);
                }
            }
        }
        if output.len() > most {
            return None;
        }
    }
}
