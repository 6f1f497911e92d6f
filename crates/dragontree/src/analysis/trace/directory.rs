//! Which node a name, a GUID or a local id means.

use std::collections::BTreeMap;

use crate::network::{Network, Node, PortId};

/// A node that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The node.
    pub node: Node,
    /// The port of an endpoint, where a local id or a port's GUID tells it.
    pub port: Option<PortId>,
}

/// Nothing in the fabric is called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{given}” is no name, GUID (0x…) or local id of this fabric; a name of it is “{example}”")]
pub struct Unknown {
    /// What was asked for.
    pub given: String,
    /// A name that there is.
    pub example: String,
}

/// The names and addresses of a network's nodes.
pub struct Directory {
    names: BTreeMap<String, Node>,
    /// By the first word of names that have several: the host of an adapter.
    hosts: BTreeMap<String, Node>,
    guids: BTreeMap<u64, Meant>,
    lids: BTreeMap<u32, Meant>,
}

impl Directory {
    /// Those of a network. Of equal ones the first counts.
    pub fn new(network: &Network) -> Directory {
        let mut directory = Directory {
            names: network.nodes_by_name(),
            hosts: BTreeMap::new(),
            guids: BTreeMap::new(),
            lids: BTreeMap::new(),
        };
        for node in network.nodes() {
            if let (Node::Endpoint(_), Some((host, _))) = (node, network.name(node).split_once(' '))
            {
                directory.hosts.entry(host.to_owned()).or_insert(node);
            }
            directory.guids.entry(network.guid(node)).or_insert(Meant { node, port: None });
        }
        for target in network.targets() {
            let (node, port) = network.target(target);
            let meant = Meant { node, port };
            directory.guids.entry(network.target_guid(target)).or_insert(meant);
            let lid = network.target_lid(target);
            if lid != 0 {
                directory.lids.entry(lid).or_insert(meant);
            }
        }
        directory
    }

    /// The node that a text means: a name, `0x` with a GUID or a local id, a local id in decimal
    /// digits, or the first word of an endpoint's name.
    ///
    /// # Errors
    /// Nothing is called so.
    pub fn find(&self, text: &str) -> Result<Meant, Unknown> {
        let text = text.trim();
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.strip_prefix("lid ").unwrap_or(text).parse().ok(),
        };
        let by_name = |names: &BTreeMap<String, Node>| {
            names.get(text).map(|node| Meant { node: *node, port: None })
        };
        let by_guid = || self.guids.get(&number.filter(|_| text.starts_with("0x"))?).copied();
        let by_lid = || self.lids.get(&u32::try_from(number?).ok()?).copied();
        let found = by_name(&self.names).or_else(by_guid).or_else(by_lid);
        found.or_else(|| by_name(&self.hosts)).ok_or_else(|| {
            // Names of endpoints come after those of switches in few fabrics only.
            let endpoint = self.names.iter().find(|(_, node)| matches!(node, Node::Endpoint(_)));
            let example = endpoint.or_else(|| self.names.iter().next());
            Unknown {
                given: text.to_owned(),
                example: example.map_or_else(String::new, |(name, _)| name.clone()),
            }
        })
    }

    /// The two nodes of `A:B`; names may have colons of their own.
    ///
    /// # Errors
    /// Nothing is called as one of the halves.
    pub fn pair(&self, text: &str) -> Result<(Meant, Meant), Unknown> {
        let mut first = None;
        for (place, _) in text.match_indices(':') {
            let (source, destination) = (&text[..place], &text[place + 1..]);
            match (self.find(source), self.find(destination)) {
                (Ok(source), Ok(destination)) => return Ok((source, destination)),
                (Err(unknown), _) | (_, Err(unknown)) => {
                    first.get_or_insert(unknown);
                }
            }
        }
        Err(first.unwrap_or_else(|| Unknown {
            given: text.to_owned(),
            example: format!("{0}:{0}", self.names.keys().next().map_or("", String::as_str)),
        }))
    }
}
