//! Single lines: headers of nodes and lines of ports.

use crate::interchange::Kind;
use crate::interchange::report::quoted;
use crate::units::Bandwidth;

/// What is wrong with a line.
pub(super) struct Wrong {
    pub(super) expected: &'static str,
    pub(super) found: String,
}

/// The first line of a node.
#[derive(Debug, PartialEq)]
pub(super) struct Header<'a> {
    pub(super) kind: Kind,
    pub(super) ports: u32,
    pub(super) id: &'a str,
    pub(super) description: &'a str,
    pub(super) lid: u32,
    pub(super) lmc: u8,
}

/// A port with a cable; port numbers as in the file, from 1.
#[derive(Debug, PartialEq)]
pub(super) struct PortLine<'a> {
    pub(super) port: u32,
    pub(super) guid: Option<u64>,
    pub(super) lid: u32,
    pub(super) lmc: u8,
    pub(super) peer: &'a str,
    pub(super) peer_port: u32,
    pub(super) peer_guid: Option<u64>,
    pub(super) description: &'a str,
    pub(super) peer_lid: Option<u32>,
    pub(super) rate: Option<Rate<'a>>,
}

/// A width and a speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rate<'a> {
    Known(Bandwidth),
    Unknown(&'a str),
}

/// The part of a line that has not been read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_start();
    }

    fn take(&mut self, start: &str) -> bool {
        let rest = self.0.strip_prefix(start);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, start: &str, expected: &'static str) -> Result<(), Wrong> {
        if self.take(start) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    fn wrong(&self, expected: &'static str) -> Wrong {
        let rest = self.0.trim();
        let found = if rest.is_empty() { "the end of the line".to_owned() } else { quoted(rest) };
        Wrong { expected, found }
    }

    fn digits(&mut self, is_digit: impl Fn(char) -> bool) -> &'a str {
        let end = self.0.find(|c| !is_digit(c)).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        digits
    }

    fn number(&mut self, expected: &'static str) -> Result<u32, Wrong> {
        let before = Rest(self.0);
        let number = self.digits(|c| c.is_ascii_digit()).parse();
        number.map_err(|_| before.wrong(expected))
    }

    /// A number in square brackets, the number of a port.
    fn port(&mut self) -> Result<u32, Wrong> {
        const EXPECTED: &str = "a port's number from 1 in square brackets";
        let before = Rest(self.0);
        self.expect("[", EXPECTED)?;
        let number = self.number(EXPECTED)?;
        self.expect("]", EXPECTED)?;
        if number == 0 {
            return Err(before.wrong(EXPECTED));
        }
        if self.take("[ext ") {
            self.number("the number of an external port")?;
            self.expect("]", "] after the number of an external port")?;
        }
        Ok(number)
    }

    /// A GUID in parentheses, if there is one.
    fn port_guid(&mut self) -> Result<Option<u64>, Wrong> {
        const EXPECTED: &str = "a GUID of up to 16 hexadecimal digits in parentheses";
        let start = Rest(self.0.trim_start());
        if !start.0.starts_with('(') {
            return Ok(None);
        }
        *self = Rest(&start.0[1..]);
        let guid = self.hexadecimal().ok_or_else(|| start.wrong(EXPECTED))?;
        self.expect(")", EXPECTED)?;
        Ok(Some(guid))
    }

    fn hexadecimal(&mut self) -> Option<u64> {
        self.take("0x");
        u64::from_str_radix(self.digits(|c| c.is_ascii_hexdigit()), 16).ok()
    }

    /// An id in quotation marks.
    fn id(&mut self) -> Result<&'a str, Wrong> {
        const EXPECTED: &str = "an id in quotation marks, such as \"S-0002c90200400300\"";
        let before = Rest(self.0);
        self.expect("\"", EXPECTED)?;
        let (id, rest) = self.0.split_once('"').ok_or_else(|| before.wrong(EXPECTED))?;
        self.0 = rest;
        if id.is_empty() { Err(before.wrong(EXPECTED)) } else { Ok(id) }
    }

    /// What stands behind the next `#`.
    fn comment(&self) -> &'a str {
        self.0.split_once('#').map_or("", |(_, comment)| comment.trim())
    }
}

/// The value of a line such as `switchguid=0x2c90200400300(2c90200400300)`: the GUIDs of the node
/// and of its port 0.
pub(super) fn guids(value: &str) -> Result<(u64, Option<u64>), Wrong> {
    let mut rest = Rest(value.trim());
    let guid = rest.hexadecimal();
    let guid = guid.ok_or_else(|| Rest(value).wrong("a GUID of up to 16 hexadecimal digits"))?;
    Ok((guid, rest.port_guid()?))
}

/// Reads a header whose first word was `kind`; `rest` is what follows it.
pub(super) fn header(kind: Kind, rest: &str) -> Result<Header<'_>, Wrong> {
    let mut rest = Rest(rest);
    rest.skip_blanks();
    let ports = rest.number("the number of ports")?;
    rest.skip_blanks();
    let id = rest.id()?;
    let comment = rest.comment();
    let (description, after) = match quotation(comment)? {
        Some((_, description, after)) => (description, after),
        None => split_before(comment, &[" base port ", " enhanced port ", " port 0 ", " lid "]),
    };
    let lid = value_of("lid", after)?.unwrap_or(0);
    Ok(Header { kind, ports, id, description, lid, lmc: lmc(after)? })
}

/// Reads the line of a port; on nodes other than switches a port has a local id of its own.
pub(super) fn port(kind: Kind, line: &str) -> Result<PortLine<'_>, Wrong> {
    let mut rest = Rest(line);
    let port = rest.port()?;
    let guid = rest.port_guid()?;
    rest.skip_blanks();
    let peer = rest.id()?;
    let peer_port = rest.port()?;
    let peer_guid = rest.port_guid()?;
    let comment = rest.comment();
    let (before, description, after) = match quotation(comment)? {
        Some(parts) => parts,
        None => {
            let (before, rest) = match kind {
                Kind::Switch => ("", comment),
                _ => comment.split_at(end_of_address(comment)),
            };
            let (description, after) = split_before(rest, &[" lid "]);
            (before, description.trim(), after)
        }
    };
    Ok(PortLine {
        port,
        guid,
        lid: value_of("lid", before)?.unwrap_or(0),
        lmc: lmc(before)?,
        peer,
        peer_port,
        peer_guid,
        description,
        peer_lid: value_of("lid", after)?,
        rate: rate(after),
    })
}

/// A comment cut at its first and last quotation marks: a description may hold more of them.
fn quotation(comment: &str) -> Result<Option<(&str, &str, &str)>, Wrong> {
    match (comment.find('"'), comment.rfind('"')) {
        (Some(first), Some(last)) if first < last => {
            let parts = (&comment[..first], &comment[first + 1..last], &comment[last + 1..]);
            Ok(Some(parts))
        }
        (None, _) => Ok(None),
        (Some(first), _) => {
            Err(Rest(&comment[first..]).wrong("a description between quotation marks"))
        }
    }
}

/// Cuts before the last of the first words that occur.
fn split_before<'a>(text: &'a str, words: &[&str]) -> (&'a str, &'a str) {
    let place = words.iter().find_map(|word| text.rfind(word));
    place.map_or((text, ""), |place| text.split_at(place))
}

/// Where `lid 12 lmc 0` ends at the start of a comment.
fn end_of_address(comment: &str) -> usize {
    let mut rest = Rest(comment);
    for word in ["lid ", "lmc "] {
        let after_word = comment.len() - rest.0.len();
        if !rest.take(word) || rest.number("").is_err() {
            return after_word;
        }
        rest.skip_blanks();
    }
    comment.len() - rest.0.len()
}

/// The number behind a word.
fn value_of(word: &str, text: &str) -> Result<Option<u32>, Wrong> {
    let mut words = text.split_whitespace().skip_while(|each| *each != word).skip(1);
    let Some(value) = words.next() else {
        return Ok(None);
    };
    match value.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) => Err(Rest(value).wrong("a whole number behind lid or lmc")),
    }
}

fn lmc(text: &str) -> Result<u8, Wrong> {
    match value_of("lmc", text)? {
        None => Ok(0),
        Some(lmc @ 0..=7) => Ok(lmc as u8),
        Some(other) => Err(Rest(&other.to_string()).wrong("an lmc from 0 to 7")),
    }
}

/// The width and speed behind a local id.
fn rate(text: &str) -> Option<Rate<'_>> {
    let mut words = text.split_whitespace().skip_while(|each| *each != "lid").skip(2);
    let name = words.next().filter(|name| name.contains(['x', '?']))?;
    Some(Bandwidth::infiniband(name).map_or(Rate::Unknown(name), Rate::Known))
}
