use dragontree::scenario::{Abscissa, ExchangeMetrics, Interval, LatencyRecord, Metrics};

use super::*;
use crate::{Open, Scale, Size, svg};

const FORECASTS: [Forecast; 1] =
    [Forecast { curve: 0, bound: Some(0.5), zero_load_ns: Some(500.0) }];

fn study(text: &str) -> (Study, Plan) {
    let study = Study::parse(text).expect("a valid text");
    let plan = study.plan().expect("a valid plan");
    (study, plan)
}

/// A run that accepts everything up to half the load.
fn record(x: Abscissa, offered: f64) -> Record {
    let saturated = offered > 0.5;
    Record {
        scenario: String::new(),
        series: String::new(),
        x,
        seed: 1,
        engine_version: 1,
        digest: String::new(),
        seconds: 0.0,
        fabric: None,
        routes: None,
        exchange: None,
        certificate: None,
        metrics: Some(Metrics {
            offered,
            offered_mean: None,
            accepted: offered.min(0.5),
            saturated,
            settled: true,
            latency_ns: LatencyRecord {
                mean: (!saturated).then_some(500.0 / (1.0 - offered)),
                p50: None,
                p99: None,
                max: None,
                zero_load: Some(500.0),
            },
            bound: Some(0.5),
            busiest: None,
            why: None,
            measured_busiest: None,
            below_bound: None,
            interval: Interval { accepted: Some(0.01), latency_ns: Some(7.0) },
            fairness: Some(1.0),
            worst_source: offered.min(0.5),
            hops_mean: 3.0,
            packet_hops: 1,
            rounded: false,
            short_buffer: None,
            max_utilization: 1.0,
            packets: 1,
            warmup_ns: 0.0,
            window_ns: 0.0,
            management: None,
            deadlock: None,
            deadlock_packets: None,
            deadlock_ns: None,
        }),
    }
}

fn by_load(plan: &Plan) -> Vec<(u32, u32, Record)> {
    let run = |job: &dragontree::scenario::Job| {
        let load = job.scenario().load.as_fraction();
        (job.curve, job.point, record(Abscissa::Number(load), load))
    };
    plan.jobs.iter().map(run).collect()
}

fn finished(runs: &[(u32, u32, Record)]) -> Vec<Finished<'_>> {
    runs.iter().map(|run| Finished { curve: run.0, point: run.1, record: &run.2 }).collect()
}

/// Why a value is not to be relied on, by what each of its runs found.
#[test]
fn points_say_why_they_are_open() {
    let study = Study::parse("load=0.6").unwrap();
    let plan = study.plan().unwrap();
    let open = |findings: [(bool, bool); 2]| {
        let runs = findings.map(|(saturated, settled)| {
            let mut run = record(Abscissa::Number(0.6), 0.6);
            let metrics = run.metrics.as_mut().unwrap();
            (metrics.saturated, metrics.settled) = (saturated, settled);
            (0, 0, run)
        });
        charts(&study, &plan, &finished(&runs), &FORECASTS)[0].series[0].points[0].open
    };
    assert_eq!(open([(false, true); 2]), None);
    assert_eq!(open([(false, true), (false, false)]), Some(Open::NotSettled));
    assert_eq!(open([(true, true), (false, true)]), Some(Open::Saturated));
    assert_eq!(open([(true, true), (true, false)]), Some(Open::SaturatedAndNotSettled));
}

#[test]
fn the_default_study_has_throughput_and_latency() {
    let (study, plan) = study("");
    let runs = by_load(&plan);
    let charts = charts(&study, &plan, &finished(&runs), &FORECASTS);
    assert_eq!(charts.len(), 2);
    assert_eq!(charts[0].title, "Accepted throughput over offered load");
    assert_eq!(charts[0].y.range, (0.0, 1.0));
    assert_eq!(charts[1].y.range, (0.0, 3000.0));
    assert_eq!(charts[0].series[0].name, "Minimal");
    let last = charts[0].series[0].points[19];
    assert_eq!((last.x, last.y, last.error, last.open), (1.0, 0.5, 0.01, Some(Open::Saturated)));
    let last = charts[1].series[0].points[19];
    assert_eq!((last.y, last.open), (f64::INFINITY, Some(Open::Saturated)));
    assert_eq!(charts[1].series[0].points[0].error, 7.0);
    assert!(charts[1].description.contains("unbounded from 55 %"));
    for chart in &charts {
        let size = Size { width: 640, height: 400 };
        assert!(svg(chart, size).is_ok());
    }
}

#[test]
fn axes_and_marks_stand_before_the_first_point_and_stay() {
    for text in ["", "load=auto:7", "load=0.02..0.1:5", "buffer=1KiB..64KiB:x2 load=0.5"] {
        let (study, plan) = study(text);
        let runs = by_load(&plan);
        let all = finished(&runs);
        let empty = charts(&study, &plan, &[], &FORECASTS);
        for count in 1..=all.len() {
            let some = charts(&study, &plan, &all[..count], &FORECASTS);
            for (before, after) in empty.iter().zip(&some) {
                assert_eq!((&before.y, &before.marks), (&after.y, &after.marks), "{text}");
                if text.contains("buffer") {
                    continue;
                }
                assert_eq!(before.x, after.x, "{text}");
            }
        }
    }
}

#[test]
fn a_load_alone_stands_within_the_plot() {
    for (text, end) in [("load=0.1", 0.15), ("load=0.8", 1.0), ("load=0.05..0.1:2", 0.1)] {
        let (study, plan) = study(text);
        let charts = charts(&study, &plan, &[], &FORECASTS);
        assert_eq!((charts[0].x.range.1, charts[0].y.range.1), (end, end), "{text}");
    }
}

#[test]
fn equal_bounds_share_a_mark() {
    let (study, plan) = study("placement=contiguous placement=random placement=random,seed=2");
    let forecast = |curve, bound| Forecast { curve, bound: Some(bound), zero_load_ns: Some(500.0) };
    let forecasts = [forecast(0, 0.5), forecast(1, 0.25), forecast(2, 0.25)];
    let charts = charts(&study, &plan, &[], &forecasts);
    let expected = [(0.5, "bound 50 %", Some(0)), (0.25, "bound 25 %", None)];
    let expected =
        expected.map(|(x, label, slot)| Mark::Vertical { x, label: label.to_owned(), slot });
    assert_eq!(charts[0].marks, expected);
    let zero_load = Mark::Horizontal { y: 500.0, label: "zero load 500 ns".to_owned(), slot: None };
    assert_eq!(charts[1].marks.last(), Some(&zero_load));
}

#[test]
fn three_seeds_give_an_interval_of_their_own() {
    let (study, plan) = study("seeds=3 load=0.4");
    let mut runs = by_load(&plan);
    for (run, accepted) in runs.iter_mut().zip([0.3, 0.4, 0.5]) {
        run.2.metrics.as_mut().expect("simulated").accepted = accepted;
    }
    let two = charts(&study, &plan, &finished(&runs[..2]), &FORECASTS);
    let own = 0.01 / 2.0_f64.sqrt();
    assert!((two[0].series[0].points[0].error - own).abs() < 1e-12);
    let three = charts(&study, &plan, &finished(&runs), &FORECASTS);
    let point = three[0].series[0].points[0];
    assert!((point.y - 0.4).abs() < 1e-12);
    assert!((point.error - 4.303 * 0.1 / 3.0_f64.sqrt()).abs() < 1e-9);
    assert_eq!(order(&plan, &finished(&runs)), [[0]]);
}

#[test]
fn metrics_are_divided_by_the_curve_they_are_over() {
    let text =
        "traffic=shift,by=1 case=near load=0.2/0.4 case=far load=0.2/0.4 y=accepted,over=near";
    let (study, plan) = study(text);
    let mut runs = by_load(&plan);
    for run in &mut runs[2..] {
        run.2.metrics.as_mut().expect("simulated").accepted /= 2.0;
    }
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    assert_eq!(charts.len(), 1);
    assert_eq!(charts[0].y.label, "accepted throughput relative to near");
    let values: Vec<f64> = charts[0].series.iter().map(|s| s.points[1].y).collect();
    assert_eq!(values, [1.0, 0.5]);
}

#[test]
fn doubled_sizes_are_on_a_logarithmic_axis_and_names_at_whole_numbers() {
    let (sizes, plan) = study("buffer=1KiB..64KiB:x2 load=0.5");
    let charts_of_sizes = charts(&sizes, &plan, &[], &FORECASTS);
    assert_eq!(charts_of_sizes[0].x.scale, Scale::Log);
    assert_eq!(charts_of_sizes[0].x.range, (1024.0, 65536.0));
    let (names, plan) = study("placement=contiguous placement=random load=0.5 x=placement");
    let runs: Vec<_> = plan
        .jobs
        .iter()
        .map(|job| (job.curve, job.point, record(job.place().expect("a word"), 0.5)))
        .collect();
    let charts = charts(&names, &plan, &finished(&runs), &FORECASTS);
    let places: Vec<f64> = charts[0].series[0].points.iter().map(|p| p.x).collect();
    assert_eq!(places, [0.0, 1.0]);
    assert_eq!(charts[0].x.names, ["Contiguous", "Random"]);
    assert!(charts[0].description.contains("50 % at Random"), "{}", charts[0].description);
}

#[test]
fn a_size_alone_stands_off_the_edge_and_unknown_times_have_no_numbers() {
    let (study, plan) = study("exchange=all_to_all bytes=4KiB");
    let charts = charts(&study, &plan, &[], &[]);
    assert_eq!(charts[0].x.range, (0.0, 8000.0));
    assert_eq!((charts[0].y.range, charts[0].y.text(0.0).as_str()), ((0.0, 1.0), ""));
}

#[test]
fn an_axis_of_what_only_runs_tell_does_not_shrink_when_the_second_comes() {
    let (study, plan) = study("topology=dragonfly,p=4/2 x=endpoints load=0.5");
    let sizes = [1056.0, 528.0];
    let run = |(job, size): (&dragontree::scenario::Job, f64)| {
        (job.curve, job.point, record(Abscissa::Number(size), 0.5))
    };
    let runs: Vec<_> = plan.jobs.iter().zip(sizes).map(run).collect();
    let range = |runs| charts(&study, &plan, &finished(runs), &FORECASTS)[0].x.range;
    assert_eq!((range(&runs[..1]), range(&runs)), ((0.0, 1200.0), (0.0, 1200.0)));
}

#[test]
fn numbers_among_names_are_names() {
    let (study, plan) = study("virtual_channels=4/auto/2 load=0.5");
    let runs: Vec<_> = plan
        .jobs
        .iter()
        .map(|job| (job.curve, job.point, record(job.place().expect("known"), 0.5)))
        .collect();
    let charts = charts(&study, &plan, &finished(&runs), &FORECASTS);
    assert_eq!(charts[0].x.names, ["4", "auto", "2"]);
    let places: Vec<f64> = charts[0].series[0].points.iter().map(|p| p.x).collect();
    assert_eq!(places, [0.0, 1.0, 2.0]);
}

/// Runs of an exchange that take a nanosecond for each byte and half as much again, ideally without
/// that; the busiest channel is busy for a quarter of a nanosecond for each.
fn by_bytes(plan: &Plan) -> Vec<(u32, u32, Record)> {
    let run = |job: &dragontree::scenario::Job| {
        let bytes = job.scenario().bytes.0 as f64;
        let exchange = Some(Box::new(ExchangeMetrics {
            completion_ns: Some(1.5 * bytes),
            ideal_ns: Some(bytes),
            bound_ns: Some(0.25 * bytes),
            effective_throughput: Some(0.75),
            ..ExchangeMetrics::default()
        }));
        let record = Record { metrics: None, exchange, ..record(Abscissa::Number(bytes), 0.1) };
        (job.curve, job.point, record)
    };
    plan.jobs.iter().map(run).collect()
}

#[test]
fn exchanges_have_times_and_the_lines_below_them() {
    let (study, plan) = study("exchange=all_to_all bytes=1KiB..64KiB:x2");
    let runs = by_bytes(&plan);
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    assert_eq!(charts[0].title, "Completion time over message size");
    assert_eq!((charts[0].y.scale, charts[0].y.range), (Scale::Log, (120.0, 1e5)));
    assert_eq!(
        (charts[1].y.label.as_str(), charts[1].y.range),
        ("effective throughput", (0.0, 1.0))
    );
    let Mark::Path { points, slot, .. } = &charts[0].marks[0] else {
        panic!("{:?}", charts[0].marks)
    };
    assert_eq!((points.len(), points[0], *slot), (7, (1024.0, 1024.0), Some(0)));
    let Mark::Path { points, slot, .. } = &charts[0].marks[1] else {
        panic!("{:?}", charts[0].marks)
    };
    assert_eq!((points.len(), points[0], *slot), (7, (1024.0, 256.0), Some(0)));
    let drawn = svg(&charts[0], Size { width: 400, height: 300 }).expect("it is drawn");
    assert_eq!(drawn.matches("mark path").count(), 2, "{drawn}");
    for label in [">no contention<", ">busiest channel never idle<"] {
        assert!(drawn.contains(label), "{label} in {drawn}");
    }
}

#[test]
fn models_of_neighbors_are_lines_by_their_formulas_within_the_figure() {
    let (study, plan) = study("exchange=nearest_neighbor packet=1KiB/2KiB/4KiB x=packet");
    let mut runs = by_bytes(&plan);
    for (run, formula) in runs.iter_mut().zip(["Eq. 5.21", "Eq. 5.21", "Eq. 5.25"]) {
        let exchange = run.2.exchange.as_mut().expect("it is one");
        (exchange.model_ns, exchange.model) = (Some(4e6), Some(formula.to_owned()));
    }
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    let drawn = svg(&charts[0], Size { width: 400, height: 300 }).expect("it is drawn");
    for label in [">by Eq. 5.21<", ">by Eq. 5.25: 4 ms<"] {
        assert!(drawn.contains(label), "{label} in {drawn}");
    }
    assert!(charts[0].y.range.1 >= 4e6);
}

#[test]
fn the_line_of_the_busiest_channel_is_the_mean_over_seeds() {
    let (study, plan) = study("exchange=all_to_all bytes=1KiB");
    let mut runs = by_bytes(&plan);
    let mut other = runs[0].clone();
    let exchange = other.2.exchange.as_mut().expect("it is one");
    exchange.bound_ns = Some(512.0);
    runs.push(other);
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    let Mark::Horizontal { y, label, .. } = &charts[0].marks[1] else {
        panic!("{:?}", charts[0].marks)
    };
    assert_eq!((*y, label.as_str()), (384.0, "busiest channel never idle: 384 ns"));
}

#[test]
fn times_are_divided_by_those_without_contention() {
    let (study, plan) = study("exchange=all_to_all bytes=1KiB/8KiB y=completion,over=ideal");
    let runs = by_bytes(&plan);
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    assert_eq!(charts[0].y.label, "completion time relative to the time without contention");
    assert!(charts[0].series[0].points.iter().all(|point| point.y == 1.5));
}

/// What is known of times beforehand is drawn over all metrics that follow from them.
#[test]
fn models_are_drawn_relative_to_the_ideal_and_as_throughput() {
    let text = "exchange=all_to_all bytes=1KiB/8KiB y=completion,over=ideal y=effective_throughput";
    let (study, plan) = study(text);
    let mut runs = by_bytes(&plan);
    for run in &mut runs {
        let exchange = run.2.exchange.as_mut().expect("it is one");
        exchange.model_ns = exchange.ideal_ns.map(|time| 2.5 * time);
        exchange.model = Some("first-order overhead".to_owned());
    }
    let heights = |chart: &Chart| -> Vec<Vec<f64>> {
        let path = |mark: &Mark| match mark {
            Mark::Path { points, .. } => points.iter().map(|(_, y)| *y).collect(),
            other => panic!("{other:?}"),
        };
        chart.marks.iter().map(path).collect()
    };
    let charts = charts(&study, &plan, &finished(&runs), &[]);
    assert_eq!(heights(&charts[0]), [[1.0; 2], [0.25; 2], [2.5; 2]]);
    assert!(charts[0].y.range.1 >= 2.5);
    // The runs are at 0.75, and take 1.5 times as long as ideally.
    assert_eq!(heights(&charts[1]), [[1.125; 2], [4.5; 2], [0.45; 2]]);
    let drawn = svg(&charts[0], Size { width: 400, height: 300 }).expect("it is drawn");
    assert!(drawn.contains(">by first-order overhead<"), "{drawn}");
}

#[test]
fn what_is_not_simulated_stands_over_what_it_is_of() {
    let tree = "topology=xgft,m=4.4,w=1.4 exchange=all_to_all y=contention";
    let axis = |text: &str| {
        let (study, plan) = study(text);
        let chart = charts(&study, &plan, &[], &[]).remove(0);
        let names = (0..plan.curves.len()).map(|at| chart.x.text(at as f64)).collect::<Vec<_>>();
        assert!(svg(&chart, Size { width: 640, height: 400 }).is_ok());
        assert!(!plan.x.is_load(), "{text}");
        (chart.title, names.join(", "))
    };
    let alone = axis(tree);
    assert_eq!(alone.0, "Flows on the busiest channel in the worst shift or phase over fabric");
    assert_eq!(alone.1, "Fat tree (XGFT)");
    let cases = "case=OPT exchange=all_to_all,order=opt case=XOR exchange=all_to_all,order=xor";
    let cases = axis(&format!("{tree} {cases}"));
    assert_eq!(cases.0, "Flows on the busiest channel in the worst shift or phase over case");
    assert_eq!(cases.1, "OPT, XOR");
    assert_eq!(axis("topology=dragonfly y=bisection").1, "Dragonfly");
    // What varies is an axis of its own.
    assert_eq!(
        axis(&format!("{tree} bytes=1KiB/2KiB")).0,
        "Flows on the busiest channel in the worst shift or phase over message size"
    );
}

#[test]
fn cases_along_which_nothing_varies_are_divided_by_one_another() {
    let (study, plan) = study(
        "y=endpoints,over=one case=one topology=dragonfly,p=1,a=2,h=1 case=two topology=dragonfly,p=2,a=2,h=1",
    );
    let run = |job: &dragontree::scenario::Job| {
        let mut run = record(job.place().expect("known beforehand"), 0.0);
        let network = job.scenario().network().expect("a fabric");
        run.fabric = Some(dragontree::analysis::Survey::new(network).numbers());
        (job.curve, job.point, run)
    };
    let runs: Vec<_> = plan.jobs.iter().map(run).collect();
    let chart = charts(&study, &plan, &finished(&runs), &[]).remove(0);
    let points = chart.series.iter().map(|series| (series.points[0].x, series.points[0].y));
    assert_eq!(points.collect::<Vec<_>>(), [(0.0, 1.0), (1.0, 2.0)]);
}

#[test]
fn a_sample_of_several_runs_has_all_packets_and_the_worst_of_the_rest() {
    let (_, plan) = study("load=0.2");
    let run = |packets, window_ns, fairness, worst_source| {
        let mut record = record(Abscissa::Number(0.2), 0.2);
        let metrics = record.metrics.take().expect("of traffic");
        record.metrics = Some(Metrics {
            packets,
            window_ns,
            fairness,
            worst_source,
            warmup_ns: 900.0,
            ..metrics
        });
        (0, 0, record)
    };
    let runs = [run(1_000, 5_000.0, Some(0.99), 0.2), run(2_500, 4_000.0, Some(0.98), 0.25)];
    let plain = |sampling: Sampling| sampling.to_string().replace('\u{a0}', " ");
    let text = |runs| samplings(&plan, &finished(runs))[0][0].map(plain);
    let one = "1,000 packets in 5 µs\nafter 900 ns of warm-up\nworst source 20 %, fairness 0.990";
    assert_eq!(text(&runs[..1]).as_deref(), Some(one));
    let both = "3,500 packets in 5 µs\nafter 900 ns of warm-up\nworst source 20 %, fairness 0.980";
    assert_eq!(text(&runs).as_deref(), Some(both));
    // Nothing arrived in one of them.
    let text = text(&[run(0, 5_000.0, None, 0.0), run(9, 5_000.0, Some(1.0), 0.1)]);
    assert_eq!(
        text.as_deref(),
        Some("9 packets in 5 µs\nafter 900 ns of warm-up\nworst source 0 %")
    );
    assert!(samplings(&plan, &[]).iter().all(Vec::is_empty));
}
