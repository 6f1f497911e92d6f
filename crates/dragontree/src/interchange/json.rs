//! The own form, which leaves out least: JSON of version 1.
//!
//! ```json
//! {"format": "dragontree fabric", "version": 1,
//! "devices": [
//! {"kind": "switch", "name": "switch 0", "ports": 4, "guid": "0x2c90200000000", "lid": 2},
//! {"kind": "endpoint", "name": "endpoint 0", "ports": 1, "guid": "0x2c90300000000", "host": "n1",
//!  "addresses": [{"port": 0, "guid": "0x2c90300000001", "lid": 1, "lmc": 0}]}
//! ],
//! "links": [
//! {"ends": [[0, 2], [1, 0]], "class": "endpoint", "bandwidth": "100Gbps", "latency": "50ns"}
//! ]}
//! ```
//! | key | is |
//! |---|---|
//! | `kind` | `switch`, `router` or `endpoint` |
//! | `name` | the name; may be left out |
//! | `ports` | how many ports it has |
//! | `guid` | the GUID in hexadecimal digits, as JSON's numbers are too short |
//! | `lid`, `lmc` | of a switch's own port; 0 when left out |
//! | `addresses` | those of an endpoint's ports, each with its number from 0 |
//! | `host` | what the endpoints of one host have in common |
//! | `ends` | two places in `devices` from 0, each with the number of a port from 0 |
//! | `class`, `bandwidth`, `latency` | as in a table of links ([`edges`](super::edges)); may be left out |

use super::report::quoted;
use super::wiring::Wiring;
use super::{
    Address, Cable, Delay, Device, Fabric, MOST_PORTS, Reading, Source, Unreadable, Writing, words,
};
use crate::network::Network;

mod value;

use value::{Content, Value, quotation};

const FORMAT: &str = "dragontree fabric";
const VERSION: u32 = 1;

/// Reads a fabric.
///
/// # Errors
/// What is no JSON, has another form or version, or contradicts itself.
pub fn read(source: &Source<'_>) -> Result<Reading, Unreadable> {
    let sources = [*source];
    let mut reader = Reader { wiring: Wiring::new(&sources) };
    let top = value::parse(source.text.trim_start_matches('\u{feff}'))
        .map_err(|wrong| reader.wiring.error(wrong.line, wrong.expected, quoted(&wrong.found)))?;
    let (format, version) = (reader.text(&top, "format")?, reader.number(&top, "version")?);
    if (format, version) != (FORMAT, VERSION) {
        let found = format!("{} of version {version}", quoted(format));
        return Err(reader.wrong(&top, &format!("a {FORMAT} of version {VERSION}"), found));
    }
    let mut ports = 0;
    for value in reader.list(&top, "devices")? {
        let device = reader.device(value)?;
        ports += u64::from(device.ports);
        if ports > MOST_PORTS {
            let expected = format!("up to {MOST_PORTS} ports in all");
            return Err(reader.wrong(value, &expected, ports.to_string()));
        }
        reader.wiring.devices.push(device);
    }
    for value in reader.list(&top, "links")? {
        let cable = reader.cable(value)?;
        let ends = cable.ends.map(|(device, port)| (device, Some(port)));
        reader.wiring.join(value.line, ends, cable);
    }
    reader.wiring.finish()
}

struct Reader<'a> {
    wiring: Wiring<'a>,
}

impl Reader<'_> {
    fn wrong(&self, value: &Value<'_>, expected: &str, found: String) -> Unreadable {
        self.wiring.error(value.line, expected, found)
    }

    /// What stands behind a key; none for `null` too.
    fn field<'v>(
        &self,
        value: &'v Value<'v>,
        key: &str,
    ) -> Result<Option<&'v Value<'v>>, Unreadable> {
        let Content::Object(fields) = &value.content else {
            return Err(self.wrong(value, "an object in braces", "something else".to_owned()));
        };
        let field = fields.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        Ok(field.filter(|value| value.content != Content::Word("null")))
    }

    /// The text behind a key; empty when there is none.
    fn text<'v>(&self, value: &'v Value<'v>, key: &str) -> Result<&'v str, Unreadable> {
        match self.field(value, key)? {
            None => Ok(""),
            Some(Value { content: Content::Text(text), .. }) => Ok(text),
            Some(other) => {
                let expected = format!("a text in quotation marks for “{key}”");
                Err(self.wrong(other, &expected, "something else".to_owned()))
            }
        }
    }

    /// The number behind a key; 0 when there is none.
    fn number(&self, value: &Value<'_>, key: &str) -> Result<u32, Unreadable> {
        match self.field(value, key)? {
            None => Ok(0),
            Some(value) => self.whole(value, &format!("a whole number for “{key}”")),
        }
    }

    fn whole(&self, value: &Value<'_>, expected: &str) -> Result<u32, Unreadable> {
        match &value.content {
            Content::Word(word) => {
                word.parse().map_err(|_| self.wrong(value, expected, quoted(word)))
            }
            _ => Err(self.wrong(value, expected, "something else".to_owned())),
        }
    }

    /// The members of the list behind a key; none when there is no such key.
    fn list<'v>(&self, value: &'v Value<'v>, key: &str) -> Result<&'v [Value<'v>], Unreadable> {
        match self.field(value, key)? {
            None => Ok(&[]),
            Some(Value { content: Content::List(members), .. }) => Ok(members),
            Some(other) => {
                let expected = format!("a list in square brackets for “{key}”");
                Err(self.wrong(other, &expected, "something else".to_owned()))
            }
        }
    }

    fn guid(&self, value: &Value<'_>) -> Result<Option<u64>, Unreadable> {
        let text = self.text(value, "guid")?;
        if text.is_empty() {
            return Ok(None);
        }
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let wrong = |_| self.wrong(value, "a GUID in hexadecimal digits", quoted(text));
        u64::from_str_radix(digits, 16).map(Some).map_err(wrong)
    }

    fn address(&self, value: &Value<'_>) -> Result<Address, Unreadable> {
        let (lid, lmc) = (self.number(value, "lid")?, self.number(value, "lmc")?);
        let Some(lmc) = u8::try_from(lmc).ok().filter(|lmc| *lmc <= 7) else {
            return Err(self.wrong(value, "an lmc from 0 to 7", lmc.to_string()));
        };
        Ok(Address { guid: self.guid(value)?, lid, lmc })
    }

    fn device(&self, value: &Value<'_>) -> Result<Device, Unreadable> {
        let word = self.text(value, "kind")?;
        let Some(kind) = words::kind(word) else {
            return Err(self.wrong(value, words::KINDS, quoted(word)));
        };
        let ports = self.number(value, "ports")?;
        let mut device = Device::new(kind, self.text(value, "name")?, ports);
        let own = self.address(value)?;
        device.guid = own.guid;
        device.own = Address { guid: None, ..own };
        device.host = self.text(value, "host")?.to_owned();
        for value in self.list(value, "addresses")? {
            let port = self.number(value, "port")?;
            let place = device.addresses.binary_search_by_key(&port, |(other, _)| *other);
            match place {
                Err(place) if port < ports => {
                    device.addresses.insert(place, (port, self.address(value)?));
                }
                _ => {
                    let expected = format!("one address for each of {ports} ports");
                    return Err(self.wrong(value, &expected, format!("port {port}")));
                }
            }
        }
        Ok(device)
    }

    fn cable(&self, value: &Value<'_>) -> Result<Cable, Unreadable> {
        const EXPECTED: &str = "two ends, each with a device's place in the list and a port";
        let mut ends = [(0, 0); 2];
        let [one, other] = self.list(value, "ends")? else {
            return Err(self.wrong(value, EXPECTED, "something else".to_owned()));
        };
        for (end, value) in ends.iter_mut().zip([one, other]) {
            let pair = match &value.content {
                Content::List(pair) => &pair[..],
                _ => &[],
            };
            let [device, port] = pair else {
                return Err(self.wrong(value, EXPECTED, "something else".to_owned()));
            };
            *end = (self.whole(device, EXPECTED)?, self.whole(port, EXPECTED)?);
            let (device, port) = *end;
            let known = self.wiring.devices.get(device as usize);
            if known.is_none_or(|known| port >= known.ports) {
                let found = format!("device {device}, port {port}");
                return Err(self.wrong(value, EXPECTED, found));
            }
        }
        let line = value.line;
        let given = |key| Ok(Some(self.text(value, key)?).filter(|text| !text.is_empty()));
        let class = given("class")?.map(|text| self.wiring.class(line, text));
        let bandwidth = given("bandwidth")?.map(|text| self.wiring.bandwidth(line, text));
        let latency = given("latency")?.map(|text| self.wiring.latency(line, text));
        Ok(Cable {
            ends,
            class: class.transpose()?,
            bandwidth: bandwidth.transpose()?,
            latency: latency.transpose()?.map(Delay::Time),
        })
    }
}

/// Writes a network.
pub fn write(network: &Network) -> Writing {
    let Fabric { devices, cables } = Fabric::of(network);
    let devices: Vec<String> = devices.iter().map(device).collect();
    let links: Vec<String> = cables.iter().map(link).collect();
    let text = format!(
        "{{\"format\": \"{FORMAT}\", \"version\": {VERSION},\n\"devices\": [\n{}\n],\n\"links\": \
         [\n{}\n]}}\n",
        devices.join(",\n"),
        links.join(",\n")
    );
    Writing { text, losses: Vec::new() }
}

fn device(device: &Device) -> String {
    let mut text = format!(
        "{{\"kind\": \"{}\", \"name\": {}, \"ports\": {}",
        words::kind_word(device.kind),
        quotation(&device.name),
        device.ports
    );
    if let Some(guid) = device.guid {
        text.push_str(&format!(", \"guid\": \"{guid:#x}\""));
    }
    let Address { lid, lmc, .. } = device.own;
    if (lid, lmc) != (0, 0) {
        text.push_str(&format!(", \"lid\": {lid}, \"lmc\": {lmc}"));
    }
    if !device.host.is_empty() {
        text.push_str(&format!(", \"host\": {}", quotation(&device.host)));
    }
    let address = |(port, address): &(u32, Address)| {
        let Address { guid, lid, lmc } = address;
        let guid = guid.map(|guid| format!(", \"guid\": \"{guid:#x}\"")).unwrap_or_default();
        format!("{{\"port\": {port}{guid}, \"lid\": {lid}, \"lmc\": {lmc}}}")
    };
    if !device.addresses.is_empty() {
        let addresses: Vec<String> = device.addresses.iter().map(address).collect();
        text.push_str(&format!(", \"addresses\": [{}]", addresses.join(", ")));
    }
    text.push('}');
    text
}

fn link(cable: &Cable) -> String {
    let [(one, port), (other, peer)] = cable.ends;
    let mut text = format!("{{\"ends\": [[{one}, {port}], [{other}, {peer}]]");
    if let Some(class) = cable.class {
        text.push_str(&format!(", \"class\": \"{class}\""));
    }
    if let Some(bandwidth) = cable.bandwidth {
        text.push_str(&format!(", \"bandwidth\": \"{bandwidth}\""));
    }
    if let Some(Delay::Time(latency)) = cable.latency {
        text.push_str(&format!(", \"latency\": \"{latency}\""));
    }
    text.push('}');
    text
}
