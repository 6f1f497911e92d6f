//! A table of links, with commas between its columns.
//!
//! ```text
//! from,port,to,port,class,bandwidth,latency
//! endpoint 0,0,switch 0,0,endpoint,100Gbps,50ns
//! switch 0,1,switch 1,0,switch,4xEDR,50ns
//! ```
//! | column | is |
//! |---|---|
//! | `from`, `to` | the names of the nodes; `source` and `target` mean the same |
//! | `port` | the port at the node before it, from 0; without one the next free port |
//! | `class` | what the link joins, as [`LinkClass`] prints: `endpoint`, `switch`, `local`, `global`, `level 2`, … |
//! | `bandwidth`, `latency` | with their units; without one that of the experiment |
//!
//! Only `from` and `to` are needed, the order is free, and further columns are passed over. In a
//! row of the class `endpoint` the endpoint stands in `from`, in one of the class `router` a router
//! in `to`. Without a class a node is an endpoint when its name begins with `endpoint`, `host`,
//! `node`, `h` or `e`. A row with an empty `to` is a node without a link. Nodes are numbered in
//! the order in which they occur.

use super::csv::{cell, cells};
use super::report::{At, quoted};
use super::wiring::Wiring;
use super::{Cable, Delay, Fabric, Kind, Reading, Source, Unreadable, Writing, words};
use crate::network::{LinkClass, Network, Node, PortId};

/// Whether a line is the header of such a table.
pub(super) fn is_header(line: &str) -> bool {
    let Some(cells) = cells(line) else {
        return false;
    };
    Columns::new(&cells).is_some()
}

/// Where the columns are.
struct Columns {
    from: usize,
    to: usize,
    ports: [Option<usize>; 2],
    class: Option<usize>,
    bandwidth: Option<usize>,
    latency: Option<usize>,
    unknown: Vec<String>,
}

impl Columns {
    fn new(cells: &[String]) -> Option<Columns> {
        let cells: Vec<String> = cells.iter().map(|cell| cell.to_ascii_lowercase()).collect();
        let find = |names: &[&str]| cells.iter().position(|cell| names.contains(&cell.as_str()));
        let (from, to) = (find(&["from", "source"])?, find(&["to", "target"])?);
        let mut plain = cells.iter().enumerate().filter(|(_, cell)| *cell == "port");
        let mut port = |name: &str| find(&[name]).or_else(|| plain.next().map(|(at, _)| at));
        let ports = [port("from_port"), port("to_port")];
        let (class, bandwidth, latency) =
            (find(&["class"]), find(&["bandwidth"]), find(&["latency"]));
        let known = [Some(from), Some(to), ports[0], ports[1], class, bandwidth, latency];
        let unknown = cells.iter().enumerate().filter(|(at, _)| !known.contains(&Some(*at)));
        let unknown = unknown.map(|(_, cell)| cell.clone()).collect();
        Some(Columns { from, to, ports, class, bandwidth, latency, unknown })
    }
}

/// Reads a table of links.
///
/// # Errors
/// The first row that cannot be read.
pub fn read(source: &Source<'_>) -> Result<Reading, Unreadable> {
    let sources = [*source];
    let mut wiring = Wiring::new(&sources);
    let mut columns = None;
    for (line, text) in (1..).zip(source.text.lines()) {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let Some(cells) = cells(text.trim_start_matches('\u{feff}')) else {
            let expected = "a closing quotation mark, followed by a comma or the end of the line";
            return Err(wiring.error(line, expected, quoted(text)));
        };
        match &columns {
            Some(columns) => row(&mut wiring, line, columns, &cells)?,
            None => columns = Some(header(&mut wiring, line, &cells)?),
        }
    }
    if columns.is_none() {
        return Err(wiring.error(0, "a header with the columns from and to", "none"));
    }
    wiring.finish()
}

fn header(wiring: &mut Wiring<'_>, line: u32, cells: &[String]) -> Result<Columns, Unreadable> {
    let Some(columns) = Columns::new(cells) else {
        let found = quoted(&cells.join(","));
        return Err(wiring.error(line, "a header with the columns from and to", found));
    };
    if !columns.unknown.is_empty() {
        wiring.report.notice(At { file: 0, line }, |_| {
            format!("these columns are passed over: {}", columns.unknown.join(", "))
        });
    }
    Ok(columns)
}

fn row(
    wiring: &mut Wiring<'_>,
    line: u32,
    columns: &Columns,
    cells: &[String],
) -> Result<(), Unreadable> {
    let cell = |column: Option<usize>| {
        let cell = column.and_then(|column| cells.get(column)).map(|cell| cell.trim());
        cell.filter(|cell| !cell.is_empty())
    };
    let class = cell(columns.class).map(|text| wiring.class(line, text)).transpose()?;
    let Some(from) = cell(Some(columns.from)) else {
        return Err(wiring.error(line, "the name of a node in the column from", "nothing"));
    };
    let one = wiring.device(from);
    let other = cell(Some(columns.to)).map(|to| wiring.device(to));
    match (class, other) {
        (Some(LinkClass::Endpoint), _) => wiring.devices[one as usize].kind = Kind::Endpoint,
        (Some(LinkClass::Router), other) => {
            wiring.devices[other.unwrap_or(one) as usize].kind = Kind::Router;
        }
        _ => {}
    }
    let mut ports = [None; 2];
    for (port, column) in ports.iter_mut().zip(columns.ports) {
        if let Some(text) = cell(column) {
            *port = Some(wiring.port(line, text)?);
        }
    }
    let bandwidth = cell(columns.bandwidth).map(|text| wiring.bandwidth(line, text)).transpose()?;
    let latency = cell(columns.latency).map(|text| wiring.latency(line, text)).transpose()?;
    if let Some(other) = other {
        let latency = latency.map(Delay::Time);
        let cable = Cable { class, bandwidth, latency, ..Cable::new([(0, 0); 2]) };
        wiring.join(line, [(one, ports[0]), (other, ports[1])], cable);
    }
    Ok(())
}

/// Writes the links of a network: those of the endpoints in the order of these, then those
/// between switches.
pub fn write(network: &Network) -> Writing {
    let Fabric { devices, cables } = Fabric::of(network);
    let mut writing = Writing::default();
    let names = words::distinct_names(&devices, &mut writing);
    let mut rows: Vec<([(u32, u32); 2], &Cable)> = Vec::new();
    for cable in &cables {
        let [one, other] = cable.ends;
        let kinds = [one, other].map(|(device, _)| devices[device as usize].kind);
        let is_turned = kinds[1] == Kind::Endpoint || kinds[0] == Kind::Router;
        rows.push((if is_turned { [other, one] } else { [one, other] }, cable));
    }
    rows.sort_by_key(|(ends, _)| (devices[ends[0].0 as usize].kind != Kind::Endpoint, *ends));
    let mut text = String::from("from,port,to,port,class,bandwidth,latency\n");
    for (ends, cable) in rows {
        let [(one, port), (other, peer)] = ends;
        let (one, other) = (cell(&names[one as usize]), cell(&names[other as usize]));
        let class = cable.class.map(|class| class.to_string()).unwrap_or_default();
        let bandwidth = cable.bandwidth.map(|rate| rate.to_string()).unwrap_or_default();
        let latency = match cable.latency {
            Some(Delay::Time(time)) => time.to_string(),
            _ => String::new(),
        };
        text.push_str(&format!("{one},{port},{other},{peer},{class},{bandwidth},{latency}\n"));
    }
    for (node, name) in network.nodes().zip(&names) {
        if network.ports(node).all(|port| network.peer(PortId(port)).is_none()) {
            let class = match node {
                Node::Endpoint(_) => LinkClass::Endpoint,
                Node::Switch(_) => LinkClass::Switch,
            };
            text.push_str(&format!("{},,,,{class},,\n", cell(name)));
        }
    }
    writing.text = text;
    writing
}
