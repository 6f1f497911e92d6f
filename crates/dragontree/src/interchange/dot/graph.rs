//! The statements of a graph.

use std::collections::BTreeMap;

use super::{Token, Word, begins_with, quoted, words};
use crate::interchange::report::At;
use crate::interchange::wiring::Wiring;
use crate::interchange::{Cable, Delay, Reading, Unreadable};

type Attributes = BTreeMap<String, String>;

pub(super) struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    wiring: Wiring<'a>,
    /// The defaults of nodes and edges, of the graph and of each subgraph around this place.
    defaults: Vec<[Attributes; 2]>,
    is_directed: bool,
    /// Edges of a directed graph whose opposites have not come yet.
    single: BTreeMap<(u32, u32), u32>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(tokens: Vec<Token>, wiring: Wiring<'a>) -> Parser<'a> {
        let defaults = vec![Default::default()];
        Parser { tokens, at: 0, wiring, defaults, is_directed: false, single: BTreeMap::new() }
    }

    pub(super) fn read(mut self) -> Result<Reading, Unreadable> {
        self.take_word("strict");
        self.is_directed = self.take_word("digraph");
        if !self.is_directed && !self.take_word("graph") {
            return Err(self.wrong("graph or digraph"));
        }
        if matches!(self.word(), Some(Word::Id(_))) {
            self.at += 1;
        }
        self.expect('{', "{ at the start of the graph")?;
        while !self.defaults.is_empty() {
            self.statement()?;
        }
        if self.word().is_some_and(|word| matches!(word, Word::Id(id) if begins_with(id))) {
            return Err(self.wrong("one graph in the file"));
        }
        let single: u32 = self.single.values().sum();
        if single > 0 {
            self.wiring.report.notice(At::default(), |_| {
                format!("edges without an opposite are taken as links both ways: {single}")
            });
        }
        self.wiring.finish()
    }

    fn word(&self) -> Option<&Word> {
        self.tokens.get(self.at).map(|token| &token.word)
    }

    fn line(&self) -> u32 {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(0, |token| token.line)
    }

    fn wrong(&self, expected: &str) -> Unreadable {
        let found = self.word().map_or("the end of the file".to_owned(), |w| quoted(&w.text()));
        self.wiring.error(self.line(), expected, found)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.word(), Some(Word::Id(id)) if id.eq_ignore_ascii_case(word));
        self.at += usize::from(is_there);
        is_there
    }

    fn take(&mut self, sign: char) -> bool {
        let is_there = self.word() == Some(&Word::Sign(sign));
        self.at += usize::from(is_there);
        is_there
    }

    fn expect(&mut self, sign: char, expected: &str) -> Result<(), Unreadable> {
        if self.take(sign) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    fn id(&mut self, expected: &str) -> Result<String, Unreadable> {
        match self.word() {
            Some(Word::Id(id)) => {
                let id = id.clone();
                self.at += 1;
                Ok(id)
            }
            _ => Err(self.wrong(expected)),
        }
    }

    fn statement(&mut self) -> Result<(), Unreadable> {
        if self.take(';') || self.take(',') {
            return Ok(());
        }
        if self.take('}') {
            self.defaults.pop();
            return match self.word() {
                Some(Word::Arrow) => Err(self.wrong("edges between single nodes")),
                _ => Ok(()),
            };
        }
        if self.take_word("subgraph") && matches!(self.word(), Some(Word::Id(_))) {
            self.at += 1;
        }
        if self.take('{') {
            let outer = self.defaults.last().cloned().unwrap_or_default();
            self.defaults.push(outer);
            return Ok(());
        }
        for (place, word) in ["node", "edge"].into_iter().enumerate() {
            let opens = self.tokens.get(self.at + 1).map(|token| &token.word);
            if opens == Some(&Word::Sign('[')) && self.take_word(word) {
                let attributes = self.attributes()?;
                if let Some(defaults) = self.defaults.last_mut() {
                    defaults[place].extend(attributes);
                }
                return Ok(());
            }
        }
        let line = self.line();
        let first = self.id("a node, an edge, a subgraph or }")?;
        if self.take('=') {
            return self.id("a value behind =").map(drop);
        }
        if first.eq_ignore_ascii_case("graph") {
            return self.attributes().map(drop);
        }
        self.nodes(line, &first)
    }

    /// A node, or edges in a chain.
    fn nodes(&mut self, line: u32, first: &str) -> Result<(), Unreadable> {
        let mut chain = vec![self.node(first)?];
        while self.word() == Some(&Word::Arrow) {
            self.at += 1;
            let id = self.id("a single node behind the arrow")?;
            chain.push(self.node(&id)?);
        }
        let given = self.attributes()?;
        let [_, defaults] = self.defaults.last().cloned().unwrap_or_default();
        match chain[..] {
            [(device, _)] => self.describe(line, device, &given),
            _ => {
                let attributes = defaults.into_iter().chain(given).collect();
                for pair in chain.windows(2) {
                    self.edge(line, [pair[0], pair[1]], &attributes)?;
                }
                Ok(())
            }
        }
    }

    /// The device of a node, with the number of the port behind a colon.
    fn node(&mut self, id: &str) -> Result<(u32, Option<u32>), Unreadable> {
        let mut port = None;
        while self.take(':') {
            port = port.or(self.id("a port behind the colon")?.parse().ok());
        }
        let before = self.wiring.devices.len();
        let device = self.wiring.device(id);
        if self.wiring.devices.len() > before {
            let [defaults, _] = self.defaults.last().cloned().unwrap_or_default();
            self.describe(self.line(), device, &defaults)?;
        }
        Ok((device, port))
    }

    fn attributes(&mut self) -> Result<Attributes, Unreadable> {
        let mut attributes = Attributes::new();
        while self.take('[') {
            while !self.take(']') {
                if self.take(',') || self.take(';') {
                    continue;
                }
                let key = self.id("the name of an attribute or ]")?;
                let is_given = self.take('=');
                let value = if is_given { self.id("a value behind =")? } else { String::new() };
                attributes.insert(key, value);
            }
        }
        Ok(attributes)
    }

    fn describe(
        &mut self,
        line: u32,
        device: u32,
        attributes: &Attributes,
    ) -> Result<(), Unreadable> {
        let place = device as usize;
        if let Some(word) = attributes.get("kind").or(attributes.get("type")) {
            match words::kind(word) {
                Some(kind) => self.wiring.devices[place].kind = kind,
                // Others give types of their own a meaning of their own.
                None if !attributes.contains_key("kind") => {}
                None => return Err(self.wiring.error(line, words::KINDS, quoted(word))),
            }
        }
        if let Some(label) = attributes.get("label").filter(|label| !label.contains('\\')) {
            self.wiring.devices[place].name = label.clone();
        }
        if let Some(ports) = attributes.get("ports") {
            self.wiring.devices[place].ports = self.wiring.port(line, ports)?;
        }
        Ok(())
    }

    fn edge(
        &mut self,
        line: u32,
        nodes: [(u32, Option<u32>); 2],
        attributes: &Attributes,
    ) -> Result<(), Unreadable> {
        let [(one, port), (other, peer)] = nodes;
        if self.is_directed {
            match self.single.get_mut(&(other, one)).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    return Ok(());
                }
                None => *self.single.entry((one, other)).or_default() += 1,
            }
        }
        let wiring = &mut self.wiring;
        let port_of = |name: &str| attributes.get(name).map(|text| wiring.port(line, text));
        let port = port_of("from_port").transpose()?.or(port);
        let peer = port_of("to_port").transpose()?.or(peer);
        let bandwidth = attributes.get("bandwidth").map(|text| wiring.bandwidth(line, text));
        let latency = attributes.get("latency").map(|text| wiring.latency(line, text));
        let class = match attributes.get("class") {
            None => None,
            Some(text) => match words::class(text) {
                Some(class) => Some(class),
                None => return Err(wiring.error(line, words::CLASSES, quoted(text))),
            },
        };
        let cable = Cable {
            class,
            bandwidth: bandwidth.transpose()?,
            latency: latency.transpose()?.map(Delay::Time),
            ..Cable::new([(0, 0); 2])
        };
        wiring.join(line, [(one, port), (other, peer)], cable);
        Ok(())
    }
}
