//! What holds for every drawing.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod samples;

use dragontree_plot::{
    Axis, Chart, Format, Mark, Open, Point, Scale, Series, Size, Theme, mapping, standalone, svg,
};
use proptest::prelude::*;
use roxmltree::{Document, Node};
use samples::{empty_chart, latency_chart, log_chart, throughput_chart};

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.0..1.0,
        3 => -10.0..2000.0,
        1 => any::<f64>(),
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
    ]
}

prop_compose! {
    fn axis()(
        label in "\\PC{0,40}",
        low in value(),
        high in value(),
        log: bool,
        format in prop::sample::select(vec![
            Format::Percent, Format::Nanoseconds, Format::Number, Format::Bytes,
        ]),
        names in prop_oneof![4 => Just(Vec::new()), 1 => prop::collection::vec("\\PC{0,30}", 1..20)],
    ) -> Axis {
        let range = if low <= high { (low, high) } else { (high, low) };
        Axis { label, range, scale: if log { Scale::Log } else { Scale::Linear }, format, names }
    }
}

prop_compose! {
    fn point()(x in value(), y in value(), error in value(), open: bool) -> Point {
        Point { x, y, error, open: open.then_some(Open::Saturated) }
    }
}

prop_compose! {
    fn series()(
        name in "\\PC{0,30}",
        slot in prop_oneof![0_usize..14, any::<usize>()],
        points in prop::collection::vec(point(), 0..12),
        ghost: bool,
    ) -> Series {
        Series { name, slot, points, ghost }
    }
}

fn mark() -> impl Strategy<Value = Mark> {
    let slot = prop::option::of(0_usize..9);
    (value(), any::<String>(), slot, any::<bool>()).prop_map(|(at, label, slot, vertical)| {
        match vertical {
            true => Mark::Vertical { x: at, label, slot },
            false => Mark::Horizontal { y: at, label, slot },
        }
    })
}

prop_compose! {
    fn chart()(
        title in any::<String>(),
        description in any::<String>(),
        x in axis(),
        y in axis(),
        series in prop::collection::vec(series(), 0..5),
        marks in prop::collection::vec(mark(), 0..6),
    ) -> Chart {
        Chart { title, description, x, y, series, marks }
    }
}

fn numbers(text: &str) -> Vec<f64> {
    let separators = |character: char| !matches!(character, '0'..='9' | '.' | '-');
    text.split(separators)
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().unwrap())
        .collect()
}

fn attribute(node: Node, name: &str) -> Option<f64> {
    node.attribute(name).map(|text| text.parse().unwrap())
}

/// The points that an element touches, without the reach of its stroke.
fn extent(node: Node) -> Vec<(f64, f64)> {
    let at = |x, y| attribute(node, x).zip(attribute(node, y));
    match node.tag_name().name() {
        "path" => {
            let numbers = numbers(node.attribute("d").unwrap());
            numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
        }
        "circle" => {
            let ((x, y), r) = (at("cx", "cy").unwrap(), attribute(node, "r").unwrap());
            vec![(x - r, y - r), (x + r, y + r)]
        }
        "rect" => {
            let ((x, y), (width, height)) = (at("x", "y").unwrap(), at("width", "height").unwrap());
            vec![(x, y), (x + width, y + height)]
        }
        "text" => vec![at("x", "y").unwrap()],
        _ => Vec::new(),
    }
}

fn check(drawn: &str) {
    let document = Document::parse(drawn).unwrap_or_else(|error| panic!("{error}:\n{drawn}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let children: Vec<_> = root.children().filter(Node::is_element).collect();
    assert_eq!(children[0].tag_name().name(), "title");
    assert_eq!(children[1].tag_name().name(), "desc");
    let view = numbers(root.attribute("viewBox").unwrap());
    let (right, bottom) = (view[0] + view[2], view[1] + view[3]);
    for node in root.descendants() {
        assert!(attribute(node, "font-size").is_none_or(|size| size >= 12.0));
        assert!(node.attribute("style").is_none(), "a strict page forbids style attributes");
        for (x, y) in extent(node) {
            let inside = (view[0]..=right).contains(&x) && (view[1]..=bottom).contains(&y);
            assert!(inside, "({x}, {y}) outside {view:?} in {drawn}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_input_is_drawn_or_refused(
        chart in chart(),
        width in 0_u32..700,
        height in 0_u32..500,
        caption in any::<String>(),
    ) {
        let size = Size { width, height };
        let drawn = svg(&chart, size);
        if let Ok(drawn) = &drawn {
            check(drawn);
        }
        let file = standalone(&chart, size, Theme::Dark, &caption);
        prop_assert_eq!(drawn.is_ok(), file.is_ok());
        if let Ok(file) = &file {
            check(file);
            prop_assert!(!file.contains("var("));
        }
    }

    #[test]
    fn any_points_are_drawn_on_good_axes(
        series in prop::collection::vec(series(), 0..6),
        marks in prop::collection::vec(mark(), 0..8),
        width in 96_u32..700,
        height in 96_u32..500,
        log: bool,
    ) {
        let base = if log { log_chart() } else { throughput_chart() };
        let chart = Chart { series, marks, ..base };
        check(&svg(&chart, Size { width, height }).unwrap());
    }

    #[test]
    fn mapping_inverts(x in 0.0..1.0, y in 0.0..0.6, width in 96_u32..700) {
        let chart = throughput_chart();
        let mapping = mapping(&chart, Size { width, height: 300 }).unwrap();
        let (px, py) = mapping.to_pixel(x, y).unwrap();
        let (again_x, again_y) = mapping.to_value(px, py);
        prop_assert!((again_x - x).abs() < 1e-9 && (again_y - y).abs() < 1e-9);
    }
}

#[test]
fn mapping_agrees_with_the_drawing() {
    for (chart, size) in [
        (throughput_chart(), Size { width: 640, height: 400 }),
        (latency_chart(), Size { width: 328, height: 300 }),
        (log_chart(), Size { width: 555, height: 333 }),
    ] {
        let drawn = svg(&chart, size).unwrap();
        let document = Document::parse(&drawn).unwrap();
        let mapping = mapping(&chart, size).unwrap();
        let circles = document.descendants().filter(|node| node.has_tag_name("circle"));
        let mut seen = 0;
        for circle in circles {
            let index = circle.attribute("data-point").unwrap().parse().unwrap();
            let (x, y) = mapping.position(0, index).unwrap();
            let (cx, cy) = (attribute(circle, "cx").unwrap(), attribute(circle, "cy").unwrap());
            assert!((cx - x).abs() <= 0.11 && (cy - y).abs() <= 0.11, "{cx} {cy} {x} {y}");
            seen += 1;
        }
        assert!(seen > 1);
    }
}

#[test]
fn nearest_finds_every_distinct_point() {
    let chart = latency_chart();
    let mapping = mapping(&chart, Size { width: 640, height: 400 }).unwrap();
    for (series, given) in chart.series.iter().enumerate() {
        for index in 0..given.points.len() {
            let (x, y) = mapping.position(series, index).unwrap();
            let (found_series, found) = mapping.nearest(x, y).unwrap();
            assert_eq!(mapping.position(found_series, found), Some((x, y)));
        }
    }
    assert_eq!(mapping.to_pixel(0.5, f64::INFINITY), None);
}

#[test]
fn nothing_moves_when_points_arrive() {
    let size = Size { width: 640, height: 400 };
    let (empty, full) = (empty_chart(), throughput_chart());
    let (before, after) = (mapping(&empty, size).unwrap(), mapping(&full, size).unwrap());
    assert_eq!(before.plot(), after.plot());
    let (before, after) = (svg(&empty, size).unwrap(), svg(&full, size).unwrap());
    assert!(before.lines().filter(|line| *line != "</g>").all(|line| after.contains(line)));
}

#[test]
fn impossible_axes_are_named() {
    let size = Size { width: 640, height: 400 };
    let axis = Axis::log("latency", (0.0, 5.0), Format::Nanoseconds);
    let error = svg(&Chart { y: axis, ..empty_chart() }, size).unwrap_err();
    assert!(error.to_string().starts_with("the y axis cannot show 0 to 5"), "{error}");
}

#[test]
fn a_narrow_chart_has_fewer_ticks() {
    let ticks = |width| {
        let drawn = svg(&throughput_chart(), Size { width, height: 300 }).unwrap();
        drawn.matches("<text").count()
    };
    assert!(ticks(160) < ticks(640));
}
