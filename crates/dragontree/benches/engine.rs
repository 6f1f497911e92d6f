//! How fast packets move: `cargo bench -p dragontree --bench engine`.
//!
//! Fabrics of four sizes under uniform traffic, by the engine of every run and by the plain one
//! that it is compared with. The unit is a packet's crossing of one switch, a hop, or a flit's, per
//! second of the core's time. Words after `--` choose fabrics by the beginning of their names.
//!
//! `engine` is the memory of the engine's state, `process` the most that a process has had which does
//! nothing but this run: the program, network, routes, engine and statistics, as Linux tells it.
//!
//! Measuring begins when the network has filled, see [`FILL`]. With the word `filling` the packets
//! under way are printed instead, every microsecond from the start. With the word `instructions`
//! every run is repeated under Valgrind, which counts the instructions of a hop: unlike its time they
//! do not depend on what else the machine does.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use dragontree::network::Links;
use dragontree::routing::{DModK, Minimal, Routing, Ugal, Valiant, Via};
use dragontree::simulation::{Injection, Model, Progress, Setup, Simulation};
use dragontree::topology::{Dragonfly, Topology, Xgft};
use dragontree::traffic::Destinations;
use dragontree::units::{Bandwidth, Bytes, Load, Time};

/// The command's allocator, since a fabric's memory decides on its speed.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The fabrics: a balanced dragonfly with so many endpoints on a switch and minimal routing, and a
/// tree of three levels of switches with so many children each and D-mod-K. Named after their
/// routing, dragonflies on which packets go over a third group or over a switch there, and on which they
/// do so where the queues say so; with minimal routing again one in flits (wormhole switching).
const FABRICS: [(&str, u32); 15] = [
    ("dragonfly", 4),
    ("flits", 4),
    ("group", 4),
    ("switch", 4),
    ("ugal_group", 4),
    ("ugal_switch", 4),
    ("tree", 10),
    ("dragonfly", 6),
    ("switch", 6),
    ("dragonfly", 8),
    ("ugal_group", 8),
    ("ugal_switch", 8),
    ("tree", 25),
    ("dragonfly", 11),
    ("tree", 40),
];
/// Half of each where ways are twice as long.
const LOADS: [f64; 2] = [0.3, 0.9];
/// The largest that the plain engine runs.
const PLAIN: u32 = 6_000;
/// Simulated time before measuring, in nanoseconds: more than ten times that of a packet through an
/// empty network. With the word `filling`, 20 µs show that the packets under way are then within 1.5 %
/// of where they settle, at the higher load too (after 1.5 µs a fifth was missing); at the lower they
/// are from the second microsecond on. UGAL at a load of 0.9 is saturated, over groups by a tenth and
/// over switches by a hundredth: its packets under way grow as long as its buffers have room, and what
/// is measured of it is a network that goes on filling.
const FILL: u64 = 10_000;
/// Hops to measure, but at least so many nanoseconds.
const HOPS: f64 = 6e6;
const LEAST: u64 = 2_000;
/// The same under Valgrind, and by the plain engine.
const FEW_HOPS: f64 = 6e5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [child, name, size, load, hops] = words.as_slice()
        && child == "child"
    {
        let number = |text: &str| text.parse().expect("a number");
        let setup = setup(name, size.parse().expect("a size"), number(load));
        println!("{}", fast(&setup, number(hops)).print());
        return;
    }
    let is_one = |word: &str| words.iter().any(|each| each == word);
    let (count, filling) = (is_one("instructions"), is_one("filling"));
    let chosen: Vec<&String> =
        words.iter().filter(|word| *word != "instructions" && *word != "filling").collect();
    if !filling {
        println!("{HEADER}");
    }
    for (name, size) in FABRICS {
        let fabric = format!("{name} {size}");
        if !chosen.is_empty()
            && !chosen.iter().any(|word| fabric.replace(' ', "").starts_with(*word))
        {
            continue;
        }
        for load in LOADS {
            let twice = matches!(name, "group" | "switch");
            let load = if twice { load / 2.0 } else { load };
            match filling {
                true => fill_slowly(name, size, load),
                false => row(name, size, load, count),
            }
        }
    }
}

const HEADER: &str = "fabric        endpoints  load       fast      plain  ratio events/hop   engine  \
                      process instr/hop";

/// Prints how many packets are under way in one fabric, every microsecond from the start.
fn fill_slowly(name: &str, size: u32, load: f64) {
    let (warmup, window) = (Some(Time::ZERO), Some(Time::us(20)));
    let mut simulation = Simulation::new(Setup { warmup, window, ..setup(name, size, load) });
    while simulation.advance(1_000_000) != Progress::Done {}
    let moments = simulation.course().moments.into_iter();
    let inside: Vec<String> = moments.map(|moment| moment.in_network.to_string()).collect();
    println!("{:<13} {load:>5} {}", format!("{name} {size}"), inside.join(" "));
}

/// Measures one fabric under one load and prints a line.
fn row(name: &str, size: u32, load: f64, count: bool) {
    let setup = setup(name, size, load);
    let endpoints = setup.network.endpoint_count();
    let child = || Measured::read(&child(Command::new(own()), name, size, load, HOPS).0);
    let fast = (0..3).map(|_| child().expect("a line")).reduce(quicker).expect("runs");
    let plain = (endpoints <= PLAIN).then(|| plain(&setup, FEW_HOPS));
    let show = |value: Option<f64>, digits: usize| {
        value.map_or(String::from("-"), |value| format!("{value:.digits$}"))
    };
    println!(
        "{:<13} {:>9} {:>5} {:>8} M {:>8} M {:>6} {:>10} {:>5} MB {:>5} MB {:>9}",
        format!("{name} {size}"),
        endpoints,
        load,
        show(Some(fast.rate() / 1e6), 2),
        show(plain.as_ref().map(|plain| plain.rate() / 1e6), 2),
        show(plain.as_ref().map(|plain| fast.rate() / plain.rate()), 1),
        show(Some(fast.events as f64 / fast.hops as f64), 3),
        show(Some(fast.memory as f64 / 1e6), 1),
        show(fast.peak.map(|bytes| bytes as f64 / 1e6), 1),
        show(count.then(|| instructions(name, size, load)), 0),
    );
}

/// Counts the seconds that the thread has had a core, where the system tells them: what else the
/// machine does hardly moves them. Elsewhere those that have passed.
struct Clock {
    start: Instant,
    on_core: Option<u64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { start: Instant::now(), on_core: Clock::on_core() }
    }

    /// Nanoseconds, as Linux tells them.
    fn on_core() -> Option<u64> {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().next()?.parse().ok()
    }

    fn seconds(&self) -> f64 {
        match (self.on_core, Clock::on_core()) {
            (Some(before), Some(now)) if now > before => (now - before) as f64 / 1e9,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

/// A measured piece of a run.
struct Measured {
    hops: u64,
    events: u64,
    seconds: f64,
    /// Bytes of the engine's state.
    memory: u64,
    /// The most bytes that the process has had, where the system tells them.
    peak: Option<u64>,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.hops as f64 / self.seconds
    }

    /// The line that another process writes.
    fn print(&self) -> String {
        let Measured { hops, events, seconds, memory, peak } = self;
        format!("{hops} {events} {seconds} {memory} {}", peak.unwrap_or(0))
    }

    fn read(line: &str) -> Option<Measured> {
        let mut words = line.split_whitespace();
        let mut number = || words.next()?.parse().ok();
        let (hops, events) = (number()?, number()?);
        let seconds = words.next()?.parse().ok()?;
        let mut number = || words.next()?.parse().ok();
        let (memory, peak) = (number()?, number()?);
        Some(Measured { hops, events, seconds, memory, peak: (peak > 0).then_some(peak) })
    }
}

/// The most memory that this process has had, in bytes, as Linux tells it.
fn peak() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kilobytes * 1024)
}

fn quicker(one: Measured, other: Measured) -> Measured {
    if one.rate() > other.rate() { one } else { other }
}

/// How far a run has to go to make so many hops once it has filled.
fn end(setup: &Setup, hops: f64) -> Time {
    let packets = f64::from(setup.load.as_ppm()) / 1e6 * setup.placement.len() as f64 / 20.48;
    Time::ns(FILL + LEAST.max((hops / (packets * 4.0)) as u64))
}

fn fast(setup: &Setup, hops: f64) -> Measured {
    let mut simulation = Simulation::new(setup.clone());
    fill(&mut simulation);
    let (before, events) = (simulation.packet_hops(), simulation.events());
    let start = Clock::start();
    measured_part(&mut simulation, end(setup, hops));
    Measured {
        seconds: start.seconds(),
        hops: (simulation.packet_hops() - before) * flits(setup),
        events: simulation.events() - events,
        memory: simulation.memory().0,
        peak: peak(),
    }
}

/// What crosses a switch on its own, of a packet.
fn flits(setup: &Setup) -> u64 {
    setup.model.flits(setup.packet)
}

fn fill(simulation: &mut Simulation) {
    advance_until(|| simulation.advance(1000), Time::ns(FILL));
}

/// The part whose instructions Valgrind counts, by this name.
#[inline(never)]
fn measured_part(simulation: &mut Simulation, end: Time) {
    advance_until(|| simulation.advance(10_000), end);
}

fn advance_until(mut advance: impl FnMut() -> Progress, end: Time) {
    while let Progress::Running { now, .. } = advance()
        && now < end
    {}
}

fn plain(setup: &Setup, hops: f64) -> Measured {
    let mut simulation = Simulation::plain(setup.clone());
    advance_until(|| simulation.advance(1000), Time::ns(FILL));
    let (before, events) = (simulation.packet_hops(), simulation.events());
    let start = Clock::start();
    advance_until(|| simulation.advance(10_000), end(setup, hops));
    Measured {
        seconds: start.seconds(),
        hops: (simulation.packet_hops() - before) * flits(setup),
        events: simulation.events() - events,
        memory: 0,
        peak: None,
    }
}

/// This program's path.
fn own() -> PathBuf {
    std::env::current_exe().expect("this program's path")
}

/// What a process of its own writes that measures one fabric, and its log.
fn child(mut command: Command, name: &str, size: u32, load: f64, hops: f64) -> (String, String) {
    let words = ["child", name, &size.to_string(), &load.to_string(), &hops.to_string()];
    let output = command.args(words).output().expect("a process of its own");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The instructions of a hop, as Valgrind counts them.
fn instructions(name: &str, size: u32, load: f64) -> f64 {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*measured_part*")
        .arg(own());
    let (line, log) = child(valgrind, name, size, load, FEW_HOPS);
    let collected = log.lines().find_map(|line| line.split("Collected : ").nth(1));
    let collected: f64 = collected.and_then(|text| text.trim().parse().ok()).expect(&log);
    collected / Measured::read(&line).expect(&log).hops as f64
}

/// A run of a fabric.
fn setup(name: &str, size: u32, load: f64) -> Setup {
    let (topology, routing, virtual_channels) = match name {
        "dragonfly" | "flits" | "group" | "switch" | "ugal_group" | "ugal_switch" => {
            let dragonfly = Dragonfly {
                endpoints: size,
                switches: 2 * size,
                global_links: size,
                ..Dragonfly::default()
            };
            let (routing, virtual_channels) = match name {
                "group" => (Routing::from(Valiant { via: Via::Group, ..Valiant::default() }), 3),
                "switch" => (Routing::from(Valiant { via: Via::Switch, ..Valiant::default() }), 4),
                "ugal_group" => (Routing::from(Ugal { via: Via::Group, ..Ugal::default() }), 3),
                "ugal_switch" => (Routing::from(Ugal { via: Via::Switch, ..Ugal::default() }), 4),
                _ => (Routing::from(Minimal), 2),
            };
            (Topology::from(dragonfly), routing, virtual_channels)
        }
        _ => {
            let (children, parents) = (vec![size; 3], vec![1, size, size]);
            let tree = Xgft { children, parents, parallel: vec![1], ..Xgft::default() };
            (Topology::from(tree), Routing::from(DModK), 1)
        }
    };
    let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
    let network = Arc::new(topology.role().build(&links).expect("a network"));
    Setup {
        routes: routing.role().find_any(&network, 1).expect("routes"),
        placement: network.endpoints().collect(),
        destinations: Arc::new(Destinations::Uniform { ranks: network.endpoint_count() }),
        network,
        load: Load::ppm((load * 1e6) as u32),
        injection: Injection::default(),
        management: None,
        packet: Bytes(256),
        model: Model { flit: (name == "flits").then_some(Bytes(64)), ..Model::default() },
        switch_latency: Time::ns(100),
        adapter_latency: Time::ZERO,
        buffer: Bytes(100_000 / virtual_channels),
        output_buffer: Bytes(100_000),
        virtual_channels: virtual_channels as u8,
        warmup: Some(Time::us(1)),
        window: Some(Time::us(10_000)),
        bound: None,
        precision: Load::ppm(10_000),
        seed: 1,
    }
}
