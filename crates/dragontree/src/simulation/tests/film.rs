//! Films against what must be seen in them.

use super::*;
use crate::network::PortId;

/// Films a run to its end, or until there are so many frames.
fn film(setup: Setup, frames: usize) -> (Film, Simulation) {
    let mut simulation = Simulation::new(setup);
    let mut film = Film::default();
    while film.frames().len() < frames && film.advance(&mut simulation, 500) != Progress::Done {}
    (film, simulation)
}

/// One endpoint that sends all the time to another, seven switches at most away.
fn one_flow() -> Setup {
    let destinations = only(72, 0, 71);
    let load = Load::ppm(1_000_000);
    Setup { load, ..setup(small_dragonfly(), routing::Minimal, destinations) }
}

fn path(setup: &Setup) -> Vec<PortId> {
    let pair = Pair { source: EndpointId(0), destination: EndpointId(71) };
    let mut found = Vec::new();
    let routes = setup.routes.unloaded().oblivious();
    analysis::paths(&setup.network, routes, pair, &mut |path, _| {
        found = path.iter().map(|step| step.port).collect()
    })
    .unwrap();
    found
}

#[test]
fn each_link_of_a_path_lights_up_when_the_head_gets_there_and_no_other_ever() {
    let setup = one_flow();
    let path = path(&setup);
    let (film, _) = film(setup.clone(), 100);
    let frames = film.frames();
    let first = |port: PortId| frames.iter().position(|frame| frame.busy[port.index()] > 0);
    // The first packet is generated within a packet's time, 20.48 ns.
    let began = frames[first(path[0]).unwrap()].end;
    assert!(began <= Time::ns(7 + 20 + 20 + 1), "{began}");
    for (place, port) in path.iter().enumerate() {
        let lit = frames[first(*port).unwrap()].end;
        let late = lit - began;
        let hops = Time::ns(150) * place as u64;
        assert!(late + Time::ns(20) > hops && late < hops + Time::ns(20), "{place}: {late}");
        let after = frames.iter().filter(|frame| frame.end > lit);
        assert!(after.clone().count() > 40);
        assert!(after.into_iter().all(|frame| frame.busy[port.index()] == 255), "{place}");
    }
    let dark = |frame: &Frame| {
        let others = (0..).zip(&frame.busy).filter(|(port, _)| !path.contains(&PortId(*port)));
        others.into_iter().all(|(_, busy)| *busy == 0)
    };
    assert!(frames.iter().all(dark));
    // One of 72 endpoints receives at full rate; four links and the switches between them hold
    // what was sent in that time.
    let last = frames.last().unwrap();
    assert!((last.accepted - 1.0 / 72.0).abs() < 0.03 / 72.0 * 20.0, "{}", last.accepted);
    assert_eq!(last.at_sources, 0);
}

#[test]
fn filming_changes_nothing_and_frames_stay_few() {
    let uniform = Destinations::Uniform { ranks: 72 };
    let setup =
        Setup { load: Load::ppm(600_000), ..setup(small_dragonfly(), routing::Minimal, uniform) };
    for make in [Simulation::new, Simulation::plain] {
        let mut plain = make(setup.clone());
        while plain.advance(100_000) != Progress::Done {}
        let mut simulation = make(setup.clone());
        let mut film = Film::default();
        while film.advance(&mut simulation, 777) != Progress::Done {}
        assert_eq!(simulation.report(), plain.report());
        let frames = film.frames();
        assert!((64..=128).contains(&frames.len()), "{}", frames.len());
        let lengths = frames.windows(2).map(|pair| pair[1].end - pair[0].end);
        assert!(lengths.clone().all(|length| length == frames[0].end));
        let settled = &frames[frames.len() / 2..];
        let mean = settled.iter().map(|frame| frame.accepted).sum::<f64>() / settled.len() as f64;
        assert!((mean - 0.6).abs() < 0.02, "{mean}");
    }
}
