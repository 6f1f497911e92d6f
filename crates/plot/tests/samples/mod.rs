//! Charts with invented curves: their shape is that of real ones, their numbers mean nothing.

use dragontree_plot::{Axis, Chart, Format, Mark, Open, Point, Series};

/// A smooth bend from the diagonal to a plateau.
fn accepted(load: f64, plateau: f64) -> f64 {
    let excess = (load - plateau).max(0.0);
    load.min(plateau) + 0.03 * excess / (excess + 0.2)
}

fn throughput(name: &str, slot: usize, plateau: f64) -> Series {
    let point = |step: u32| {
        let x = f64::from(step) / 20.0;
        let error = if step.is_multiple_of(4) { 0.012 } else { 0.002 };
        Point { x, y: accepted(x, plateau), error, open: None }
    };
    Series { name: name.to_owned(), slot, points: (1..=20).map(point).collect(), ghost: false }
}

fn latency(name: &str, slot: usize, saturation: f64) -> Series {
    let point = |step: u32| {
        let x = f64::from(step) / 20.0;
        let room = saturation - x;
        let y = if room > 0.0 { 480.0 + 60.0 * x / room } else { f64::INFINITY };
        Point {
            x,
            y,
            error: if room > 0.0 { 8.0 / (room + 0.05) } else { 0.0 },
            open: (room <= 0.05).then_some(Open::Saturated),
        }
    };
    Series { name: name.to_owned(), slot, points: (1..=20).map(point).collect(), ghost: false }
}

fn bound(x: f64, label: &str, slot: usize) -> Mark {
    Mark::Vertical { x, label: label.to_owned(), slot: Some(slot) }
}

fn bounds() -> Vec<Mark> {
    vec![bound(0.031, "3.1 %", 0), bound(0.194, "19.4 %", 1), bound(0.46, "46 %", 2)]
}

/// Throughput over load for three routings, with their bounds.
pub fn throughput_chart() -> Chart {
    Chart {
        title: "Accepted throughput over offered load".to_owned(),
        description: "Minimal routing stays at 3 %; Valiant to any switch reaches 49 %.".to_owned(),
        x: Axis::percent("offered load"),
        y: Axis::percent_to("accepted throughput", 0.6),
        series: vec![
            throughput("Minimal", 0, 0.031),
            throughput("Valiant, group", 1, 0.194),
            throughput("Valiant, any switch", 2, 0.46),
        ],
        marks: bounds(),
    }
}

/// Latency over load, rising until it is unbounded.
pub fn latency_chart() -> Chart {
    let zero_load = Mark::Horizontal { y: 480.0, label: "zero load".to_owned(), slot: None };
    Chart {
        title: "Latency over offered load".to_owned(),
        description: "Each curve rises and becomes unbounded at its saturation.".to_owned(),
        x: Axis::percent("offered load"),
        y: Axis::latency("mean latency", 400.0),
        series: vec![
            latency("Minimal", 0, 0.12),
            latency("Valiant, group", 1, 0.33),
            latency("Valiant, any switch", 2, 0.72),
        ],
        marks: bounds().into_iter().chain([zero_load]).collect(),
    }
}

/// Message sizes and times on logarithmic axes, six slots, a ghost, a gap, and close marks.
pub fn log_chart() -> Chart {
    let series = |slot: usize| {
        let point = |power: u32| {
            let x = f64::from(1024 << power);
            let y = if slot == 3 && power == 5 { f64::NAN } else { x * (1.0 + slot as f64) / 12.0 };
            Point { x, y, error: y / 4.0, open: (power > 8).then_some(Open::NotSettled) }
        };
        let points = (0..=10).map(point).collect();
        Series { name: format!("order <{slot}> & more"), slot, points, ghost: slot == 4 }
    };
    let near = |x: f64, label: &str| bound(x, label, 5);
    Chart {
        title: "Completion <time> & \"size\"".to_owned(),
        description: String::new(),
        x: Axis::log("message size", (1024.0, 1024.0 * 1024.0), Format::Bytes),
        y: Axis::log("completion time", (50.0, 1e6), Format::Nanoseconds),
        series: (0..6).map(series).collect(),
        marks: vec![near(4096.0, "4 KiB"), near(6000.0, "buffer"), near(9e5, "rendezvous")],
    }
}

/// Axes and bounds before the first point.
pub fn empty_chart() -> Chart {
    Chart { series: Vec::new(), ..throughput_chart() }
}
