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

use serde::{Deserialize, Serialize};

use super::report::quoted;
use super::wiring::Wiring;
use super::{
    Address, Cable, Delay, Device, Fabric, MOST_PORTS, Reading, Source, Unreadable, Writing, words,
};
use crate::network::Network;

const FORMAT: &str = "dragontree fabric";
const VERSION: u32 = 1;

#[derive(Deserialize)]
struct FabricText {
    format: String,
    version: u32,
    devices: Vec<DeviceText>,
    links: Vec<LinkText>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct DeviceText {
    kind: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    ports: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "is_zero")]
    lid: u32,
    #[serde(skip_serializing_if = "is_zero")]
    lmc: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    host: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    addresses: Vec<AddressText>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct AddressText {
    port: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    lid: u32,
    lmc: u32,
}

#[derive(Serialize, Deserialize)]
struct LinkText {
    ends: [(u32, u32); 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bandwidth: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    latency: Option<String>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Reads a fabric.
///
/// # Errors
/// What is no JSON, has another form or version, or contradicts itself.
pub fn read(source: &Source<'_>) -> Result<Reading, Unreadable> {
    let sources = [*source];
    let mut wiring = Wiring::new(&sources);
    let text = source.text.trim_start_matches('\u{feff}');
    let fabric: FabricText = serde_json::from_str(text).map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(0);
        wiring.error(line, format!("a {FORMAT} in JSON"), error.to_string())
    })?;
    if (fabric.format.as_str(), fabric.version) != (FORMAT, VERSION) {
        let found = format!("{} of version {}", quoted(&fabric.format), fabric.version);
        return Err(wiring.error(0, format!("{FORMAT} of version {VERSION}"), found));
    }
    let mut ports = 0;
    for (place, text) in fabric.devices.into_iter().enumerate() {
        ports += u64::from(text.ports);
        if ports > MOST_PORTS {
            return Err(wiring.error(0, format!("up to {MOST_PORTS} ports"), ports.to_string()));
        }
        let device = device(&wiring, place, text)?;
        wiring.devices.push(device);
    }
    for (place, text) in fabric.links.into_iter().enumerate() {
        let cable = cable(&wiring, place, &text)?;
        let ends = cable.ends.map(|(device, port)| (device, Some(port)));
        wiring.join(0, ends, cable);
    }
    wiring.finish()
}

fn device(wiring: &Wiring<'_>, place: usize, text: DeviceText) -> Result<Device, Unreadable> {
    let of = |what: &str| format!("{what} in device {place}");
    let Some(kind) = words::kind(&text.kind) else {
        return Err(wiring.error(0, of(words::KINDS), quoted(&text.kind)));
    };
    let guid = |text: Option<String>| match text {
        None => Ok(None),
        Some(text) => {
            let digits = text.strip_prefix("0x").unwrap_or(&text);
            let guid = u64::from_str_radix(digits, 16);
            let wrong = |_| wiring.error(0, of("a GUID in hexadecimal digits"), quoted(&text));
            guid.map(Some).map_err(wrong)
        }
    };
    let lmc = |lmc: u32| match lmc {
        0..=7 => Ok(lmc as u8),
        _ => Err(wiring.error(0, of("an lmc from 0 to 7"), lmc.to_string())),
    };
    let mut addresses = Vec::new();
    for address in text.addresses {
        let AddressText { port, lid, .. } = address;
        if port >= text.ports || addresses.iter().any(|(other, _)| *other == port) {
            let expected = of(&format!("one address for each of {} ports", text.ports));
            return Err(wiring.error(0, expected, format!("port {port}")));
        }
        let address = Address { guid: guid(address.guid)?, lid, lmc: lmc(address.lmc)? };
        addresses.push((port, address));
    }
    addresses.sort_by_key(|(port, _)| *port);
    let own = Address { guid: None, lid: text.lid, lmc: lmc(text.lmc)? };
    let (guid, host) = (guid(text.guid)?, text.host);
    Ok(Device { guid, own, addresses, host, ..Device::new(kind, text.name, text.ports) })
}

fn cable(wiring: &Wiring<'_>, place: usize, text: &LinkText) -> Result<Cable, Unreadable> {
    for (device, port) in text.ends {
        let count = wiring.devices.get(device as usize).map(|device| device.ports);
        if count.is_none_or(|count| port >= count) {
            let expected = format!("a device of the list and one of its ports in link {place}");
            return Err(wiring.error(0, expected, format!("device {device}, port {port}")));
        }
    }
    let class = match &text.class {
        None => None,
        Some(class) => match words::class(class) {
            Some(class) => Some(class),
            None => return Err(wiring.error(0, words::CLASSES, quoted(class))),
        },
    };
    let bandwidth = text.bandwidth.as_deref().map(|text| wiring.bandwidth(0, text)).transpose()?;
    let latency = text.latency.as_deref().map(|text| wiring.latency(0, text)).transpose()?;
    Ok(Cable { ends: text.ends, class, bandwidth, latency: latency.map(Delay::Time) })
}

/// Writes a network.
pub fn write(network: &Network) -> Writing {
    let Fabric { devices, cables } = Fabric::of(network);
    let devices = devices.into_iter().map(device_text);
    let links = cables.iter().map(|cable| LinkText {
        ends: cable.ends,
        class: cable.class.map(|class| class.to_string()),
        bandwidth: cable.bandwidth.map(|rate| rate.to_string()),
        latency: match cable.latency {
            Some(Delay::Time(time)) => Some(time.to_string()),
            _ => None,
        },
    });
    let text = format!(
        "{{\"format\": \"{FORMAT}\", \"version\": {VERSION},\n\"devices\": [\n{}\n],\n\"links\": \
         [\n{}\n]}}\n",
        lines(devices),
        lines(links)
    );
    Writing { text, losses: Vec::new() }
}

fn device_text(device: Device) -> DeviceText {
    let address = |(port, address): (u32, Address)| AddressText {
        port,
        guid: address.guid.map(|guid| format!("{guid:#x}")),
        lid: address.lid,
        lmc: u32::from(address.lmc),
    };
    DeviceText {
        kind: words::kind_word(device.kind).to_owned(),
        name: device.name,
        ports: device.ports,
        guid: device.guid.map(|guid| format!("{guid:#x}")),
        lid: device.own.lid,
        lmc: u32::from(device.own.lmc),
        host: device.host,
        addresses: device.addresses.into_iter().map(address).collect(),
    }
}

/// One object a line.
fn lines(objects: impl Iterator<Item = impl Serialize>) -> String {
    // Strings and numbers always have a form in JSON.
    let lines = objects.map(|object| serde_json::to_string(&object).unwrap_or_default());
    lines.collect::<Vec<_>>().join(",\n")
}
