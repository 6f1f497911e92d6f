//! Drawings compared byte for byte; `UPDATE_GOLDEN=1` writes them anew.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod samples;

use std::path::Path;

use dragontree_plot::{Chart, Size, Theme, standalone, svg};
use samples::{empty_chart, latency_chart, log_chart, throughput_chart};

const WIDE: Size = Size { width: 640, height: 400 };
const NARROW: Size = Size { width: 328, height: 300 };
const CAPTION: &str = "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement routing=minimal \
    routing=valiant,via=group routing=valiant,via=switch load=0.05..1:20 seed=1\n\
    Dotted: the load at which the busiest channel fills.";

fn compare(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == drawn, "{name} differs; UPDATE_GOLDEN=1 writes it anew");
}

fn compare_both(name: &str, chart: &Chart) {
    compare(&format!("{name}-wide.svg"), &svg(chart, WIDE).unwrap());
    compare(&format!("{name}-narrow.svg"), &svg(chart, NARROW).unwrap());
}

#[test]
fn throughput() {
    compare_both("throughput", &throughput_chart());
}

#[test]
fn latency() {
    compare_both("latency", &latency_chart());
}

#[test]
fn logarithmic() {
    compare_both("log", &log_chart());
}

#[test]
fn empty() {
    compare_both("empty", &empty_chart());
}

#[test]
fn files() {
    let chart = throughput_chart();
    let light = standalone(&chart, WIDE, Theme::Light, CAPTION).unwrap();
    compare("standalone-light.svg", &light);
    let dark = standalone(&log_chart(), NARROW, Theme::Dark, CAPTION).unwrap();
    compare("standalone-dark.svg", &dark);
}
