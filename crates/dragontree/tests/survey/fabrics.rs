//! Graphs of switches that tests build by hand.

use std::sync::Arc;

use dragontree::analysis::{Numbers, Survey};
use dragontree::network::{
    Builder, EndpointId, LinkClass, Links, Network, Node, Structure, SwitchId,
};
use dragontree::units::{Bandwidth, Time};

pub const LINKS: Links = Links::all(Bandwidth::gbps(100), Time::ns(50));

/// A network without a known structure: endpoints per switch, and links between switches.
pub fn fabric(endpoints: &[u32], links: &[(u32, u32)]) -> Network {
    structured(endpoints, links, Structure::Irregular)
}

/// A network that says what structure it has.
pub fn structured(endpoints: &[u32], links: &[(u32, u32)], structure: Structure) -> Network {
    let mut next: Vec<u32> = endpoints.to_vec();
    let mut ports = next.clone();
    for (one, other) in links {
        ports[*one as usize] += 1;
        ports[*other as usize] += 1;
    }
    let mut builder = Builder::new(&LINKS);
    for ports in &ports {
        builder.switch(*ports);
    }
    let switch = |number: u32| Node::Switch(SwitchId(number));
    let mut id = 0;
    for (number, count) in (0..).zip(endpoints) {
        for port in 0..*count {
            builder.endpoint(1);
            let endpoint = Node::Endpoint(EndpointId(id));
            builder.link((endpoint, 0), (switch(number), port), LinkClass::Endpoint);
            id += 1;
        }
    }
    let mut port = |number: u32| {
        next[number as usize] += 1;
        (switch(number), next[number as usize] - 1)
    };
    for (one, other) in links {
        let ends = (port(*one), port(*other));
        builder.link(ends.0, ends.1, LinkClass::Switch);
    }
    builder.finish(structure).unwrap()
}

/// A network whose endpoints each have ports to several switches.
pub fn multi_homed(switches: u32, homes: &[Vec<u32>], links: &[(u32, u32)]) -> Network {
    let mut builder = Builder::new(&LINKS);
    let ports = links.len() + homes.iter().map(Vec::len).sum::<usize>();
    for _ in 0..switches {
        builder.switch(ports as u32);
    }
    let mut next = vec![0; switches as usize];
    let mut port = |number: u32| {
        next[number as usize] += 1;
        (Node::Switch(SwitchId(number)), next[number as usize] - 1)
    };
    for (id, homes) in (0..).zip(homes) {
        builder.endpoint(homes.len() as u32);
        for (number, switch) in (0..).zip(homes) {
            let endpoint = (Node::Endpoint(EndpointId(id)), number);
            builder.link(endpoint, port(*switch), LinkClass::Endpoint);
        }
    }
    for (one, other) in links {
        let ends = (port(*one), port(*other));
        builder.link(ends.0, ends.1, LinkClass::Switch);
    }
    builder.finish(Structure::Irregular).unwrap()
}

/// Everything that is to be known about a network.
pub fn numbers(network: Network) -> Numbers {
    let mut survey = Survey::new(Arc::new(network));
    while !survey.advance(1_000_000) {}
    survey.numbers()
}

/// Every pair of numbers below `count` that `joined` joins.
pub fn pairs(count: u32, joined: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let all = (0..count).flat_map(|high| (0..high).map(move |low| (low, high)));
    all.filter(|(low, high)| joined(*low, *high)).collect()
}

/// The links of a grid whose lines are rings, opened where `open`.
pub fn grid(widths: &[u32], open: bool) -> Vec<(u32, u32)> {
    let count: u32 = widths.iter().product();
    let mut links = Vec::new();
    let mut stride = 1;
    for width in widths {
        for switch in 0..count {
            let digit = switch / stride % width;
            let next = switch - digit * stride + (digit + 1) % width * stride;
            let wraps = digit + 1 == *width;
            if !(wraps && (open || *width == 2)) && next != switch {
                links.push((switch, next));
            }
        }
        stride *= width;
    }
    links
}

/// The links of the McKay-Miller-Širáň graph over a prime `q` = 4w + 1 (Prisacari 2020,
/// §7.2.1.2): the squares in one half, the others in the other half.
pub fn mms(q: u32) -> Vec<(u32, u32)> {
    let square = |number: u32| (1..q).any(|root| root * root % q == number);
    pairs(2 * q * q, |low, high| {
        let [a, b] = [low, high].map(|id| (id / (q * q), id / q % q, id % q));
        match (a.0, b.0) {
            (0, 1) => a.2 == (b.1 * a.1 + b.2) % q,
            (half, _) => a.1 == b.1 && square((a.2 + q - b.2) % q) == (half == 0) && a.2 != b.2,
        }
    })
}

/// An orthogonal fat tree over a prime `k - 1`: points and lines of a projective plane, each
/// point twice (Prisacari 2020, §7.2.2.4). Endpoints per switch, and links.
pub fn oft(k: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
    let q = k - 1;
    let count = q * q + q + 1;
    // One of each class of proportional vectors.
    let points: Vec<[u32; 3]> = (0..q * q)
        .map(|id| [1, id / q, id % q])
        .chain((0..q).map(|id| [0, 1, id]))
        .chain([[0, 0, 1]])
        .collect();
    let mut links = Vec::new();
    for (one, point) in (0..).zip(&points) {
        for (other, line) in (0..).zip(&points) {
            if (point[0] * line[0] + point[1] * line[1] + point[2] * line[2]) % q == 0 {
                links.extend([(one, 2 * count + other), (count + one, 2 * count + other)]);
            }
        }
    }
    let endpoints = (0..3 * count).map(|id| if id < 2 * count { k } else { 0 }).collect();
    (endpoints, links)
}

/// A multi-layer full mesh (Prisacari 2020, §7.2.2.3). Endpoints per switch, and links.
pub fn mlfm(h: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
    let local = h * (h + 1);
    let mut endpoints = vec![h; local as usize];
    let mut links = Vec::new();
    for (low, high) in pairs(h + 1, |_, _| true) {
        let global = endpoints.len() as u32;
        endpoints.push(0);
        for layer in 0..h {
            links.push((layer * (h + 1) + low, global));
            links.push((layer * (h + 1) + high, global));
        }
    }
    (endpoints, links)
}
