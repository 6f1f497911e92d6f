//! Single lines of dumps.

use crate::interchange::report::quoted;

/// What is wrong with a line.
#[derive(Debug, PartialEq)]
pub(in crate::interchange) struct Wrong {
    pub(in crate::interchange) expected: &'static str,
    pub(in crate::interchange) found: String,
}

/// A line that says something.
#[derive(Debug, PartialEq)]
pub(super) enum Line<'a> {
    /// The table of the switch with this GUID begins; what stands behind is its name.
    Switch { guid: u64, name: &'a str },
    /// An entry.
    Entry { lid: u32, port: u32, guid: Option<u64> },
    /// Something else.
    Other,
}

/// A port that stands for no way.
pub(super) const NO_WAY: u32 = 255;

pub(super) fn line(text: &str) -> Result<Line<'_>, Wrong> {
    let text = text.trim();
    if text.starts_with("Unicast lids") {
        header(text)
    } else if text.starts_with("Multicast mlids") {
        let expected = "forwarding tables of single destinations (Unicast lids)";
        Err(Wrong { expected, found: "those of groups (Multicast mlids)".to_owned() })
    } else if let Some(entry) = text.strip_prefix("0x") {
        self::entry(text, entry)
    } else {
        Ok(Line::Other)
    }
}

fn header(text: &str) -> Result<Line<'_>, Wrong> {
    let wrong = || Wrong {
        expected: "the switch's GUID, as in “Unicast lids [0-15] of switch Lid 2 guid 0x2c9020040”",
        found: quoted(text),
    };
    let (_, rest) = text.split_once(" guid 0x").ok_or_else(wrong)?;
    let (guid, name) = hexadecimal(rest).ok_or_else(wrong)?;
    let name = name.trim().trim_end_matches(':');
    let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
    let unquoted = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\''));
    Ok(Line::Switch { guid, name: unquoted.unwrap_or(name) })
}

/// Reads an entry, of which `rest` stands behind the first `0x`.
fn entry<'a>(text: &'a str, rest: &'a str) -> Result<Line<'a>, Wrong> {
    let wrong = |expected| Wrong { expected, found: quoted(text) };
    const LID: &str = "a local id from 0x0000 to 0xffff and a port, as in “0x000b 012”";
    let (lid, rest) = hexadecimal(rest).ok_or_else(|| wrong(LID))?;
    let lid = u32::try_from(lid).ok().filter(|lid| *lid <= 0xffff).ok_or_else(|| wrong(LID))?;
    let blanks = rest.trim_start();
    if blanks.len() == rest.len() {
        return Err(wrong(LID));
    }
    const PORT: &str = "a port from 0 to 255 behind the local id, as in “0x000b 012”";
    let end = blanks.find(|c: char| !c.is_ascii_digit()).unwrap_or(blanks.len());
    let (digits, comment) = blanks.split_at(end);
    let ends = comment.chars().next().is_none_or(|c| c.is_whitespace() || c == ':');
    let port = digits.parse().ok().filter(|port| ends && *port <= NO_WAY);
    let port = port.ok_or_else(|| wrong(PORT))?;
    let guid = comment.split_once("portguid 0x").and_then(|(_, guid)| hexadecimal(guid));
    Ok(Line::Entry { lid, port, guid: guid.map(|(guid, _)| guid).filter(|guid| *guid != 0) })
}

/// The hexadecimal number that a text begins with, and the rest.
fn hexadecimal(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_program_are_read() {
        let switch = |guid, name| Ok(Line::Switch { guid, name });
        let entry = |lid, port, guid| Ok(Line::Entry { lid, port, guid });
        let cases = [
            // OpenSM
            (
                "Unicast lids [0-15] of switch Lid 2 guid 0x0002c90200400000 ('ring-0'):",
                switch(0x2c9_0200_4000_00, "ring-0"),
            ),
            (
                "0x000b 012 # Channel Adapter portguid 0x0002c90300100001: 'host 0x1 2'",
                entry(11, 12, Some(0x2c9_0300_1000_01)),
            ),
            ("0x0003 003 # unknown node and type", entry(3, 3, None)),
            ("15 lids dumped", Ok(Line::Other)),
            // dump_lfts
            (
                "Unicast lids [0x0-0x20] of switch DR path slid 0; dlid 0; 0,1,3 guid \
                 0xf4521403001d5d40 (MF0;sw-1:SX6036/U1):",
                switch(0xf452_1403_001d_5d40, "MF0;sw-1:SX6036/U1"),
            ),
            ("  Lid  Out   Destination", Ok(Line::Other)),
            ("       Port     Info ", Ok(Line::Other)),
            (
                "0x0001 022 : (Switch portguid 0xf4521403001d56c0: 'MF0;sw-2')",
                entry(1, 22, Some(0xf452_1403_001d_56c0)),
            ),
            ("0x0005 003 : (path #2 out of 4: portguid 0x2c9)", entry(5, 3, Some(0x2c9))),
            ("12 valid lids dumped ", Ok(Line::Other)),
            // ibroute
            ("0x0007 255 : (illegal port)", entry(7, 255, None)),
            ("# a comment", Ok(Line::Other)),
            ("0xffff 0", entry(0xffff, 0, None)),
        ];
        for (text, expected) in cases {
            assert_eq!(line(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_cannot_be_read_say_what_is_expected() {
        for (text, expected) in [
            ("Unicast lids [0-15] of switch Lid 2 ('ring-0'):", "GUID"),
            ("Unicast lids [0-15] of switch Lid 2 guid 0x ('ring-0'):", "GUID"),
            ("0x 012 # Channel Adapter", "local id"),
            ("0x12345 012", "local id"),
            ("0x0001", "local id"),
            ("0x0001 x", "port"),
            ("0x0001 256 : ", "port"),
            ("0x0001 12a", "port"),
            ("Multicast mlids [0xc000-0xc0ff] of switch Lid 2 guid 0x1", "Unicast"),
        ] {
            let wrong = line(text).expect_err(text);
            assert!(wrong.expected.contains(expected), "{wrong:?}");
        }
    }
}
