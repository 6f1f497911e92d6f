use std::cell::Cell;

use super::*;
use crate::fabric::{Loads, Picture};
use crate::{Content, Finding, Inspection};

mod searching;

const TEXT: &str = "topology=dragonfly,p=1,a=2,h=1 load=0.1/0.2";

fn request(job: u32) -> Request {
    Request::Run { generation: 7, text: TEXT.to_owned(), job }
}

/// A clock that moves on by so much at every look.
fn clock(step: f64) -> impl Fn() -> f64 {
    let now = Cell::new(0.0);
    move || {
        now.set(now.get() + step);
        now.get()
    }
}

#[test]
fn a_run_ends_with_its_record() {
    let mut bench = Bench::default();
    let clock = clock(1.0);
    assert_eq!(bench.handle(request(1), &clock), None);
    let mut last = None;
    while bench.is_busy() {
        last = bench.work(&clock);
    }
    match last {
        Some(Reply::Done { generation: 7, job: 1, record, busy: None }) => {
            assert_eq!(record.metrics.map(|metrics| metrics.offered), Some(0.2))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_named_generation_is_canceled() {
    let mut bench = Bench::default();
    let clock = clock(1.0);
    bench.handle(request(0), &clock);
    assert_eq!(bench.handle(Request::Cancel { generation: 6 }, &clock), None);
    assert!(bench.is_busy());
    let stopped = Reply::Stopped { generation: 7, job: 0 };
    let cancel = Request::Cancel { generation: 7 };
    assert_eq!(bench.handle(cancel, &clock), Some(stopped));
    assert!(!bench.is_busy());
}

/// Whether a study fits into a page, and what is said of it.
fn estimated(text: &str) -> (bool, String) {
    let estimate = Request::Estimate { generation: 4, text: text.to_owned() };
    match Bench::default().handle(estimate, &clock(10.0)) {
        Some(Reply::Estimated { generation: 4, fits, text }) => (fits, text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_what_takes_long_is_asked_about() {
    assert_eq!(estimated(TEXT), (true, String::new()));
    let (fits, text) = estimated("load=0.5..1:6 warmup=0ns window=100ms");
    assert!(fits);
    assert!(text.starts_with("This link asks for 6 runs: about "), "{text}");
    assert!(text.contains(" G packet-hops, about ") && text.contains(" MB of memory"), "{text}");
}

#[test]
fn what_does_not_fit_into_a_page_is_refused() {
    let (fits, text) = estimated(
        "topology=torus,widths=60.60.60,p=1 load=1 virtual_channels=16 buffer=100MB packet=1B routing=dimension_order",
    );
    assert!(!fits);
    assert!(text.starts_with("This study is too large for a page"), "{text}");
    // What is wrong with a study is said by its runs.
    assert_eq!(estimated("topology=torus routing=minimal"), (true, String::new()));
}

#[test]
fn a_survey_counts_and_names_what_does_not_fit() {
    let survey = Request::Survey { generation: 1, text: TEXT.to_owned(), job: 0, fits: true };
    match Bench::default().handle(survey, &clock(1.0)) {
        Some(Reply::Surveyed { size, misfits, help, .. }) => {
            let said = |key, part, setting| {
                let own = |each: &&Remark| {
                    (each.key.as_str(), each.part.as_str(), each.setting.as_str())
                        == (key, part, setting)
                };
                help.iter().find(own).map(|each| each.text.as_str())
            };
            assert_eq!(
                said("traffic", "shift", "by"),
                Some("Rank s sends to s + by, modulo the number of ranks.")
            );
            assert!(said("routing", "lash", "").is_some_and(|text| text.contains("OpenSM")));
            assert!(said("load", "", "").is_some_and(|text| text.contains("load")));
            assert_eq!((size.endpoints, size.switches, size.radix), (6, 6, 3));
            assert!(misfits.iter().any(|misfit| misfit.part == "d_mod_k"));
            assert!(misfits.iter().all(|misfit| misfit.part != "minimal"));
            // Endpoint, local and global are the first three of the settings.
            assert_eq!(size.classes, 0b111);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn analysis_is_given_bit_by_bit_and_can_be_left() {
    let ask = |generation| Request::Analyze { generation, text: TEXT.to_owned(), job: 0 };
    let mut bench = Bench::default();
    assert_eq!(bench.handle(ask(3), &clock(1.0)), None);
    let cancel = Request::Cancel { generation: 3 };
    let stopped = Reply::Stopped { generation: 3, job: 0 };
    assert_eq!(bench.handle(cancel, &clock(1.0)), Some(stopped));
    assert_eq!(bench.handle(ask(4), &clock(1.0)), None);
    match bench.work(&clock(1.0)) {
        Some(Reply::Analyzed { generation: 4, foresight, .. }) => {
            assert!(foresight.bound.is_some_and(|bound| bound > 0.0))
        }
        other => panic!("{other:?}"),
    }
    assert!(!bench.is_busy());
}

#[test]
fn a_drawing_comes_without_analysis_and_its_loads_with_it() {
    let mut bench = Bench::default();
    // Broken as it is, minimal routing does not reach everywhere; it can be drawn all the same.
    let text = format!("{TEXT} faults=list,link=0-1");
    let ask = |generation, text: &str, loads| {
        let text = text.to_owned();
        Request::Fabric { generation, text, job: 1, open: None, loads }
    };
    match bench.handle(ask(3, &text, false), &clock(1.0)) {
        Some(Reply::Fabric { generation: 3, job: 1, open: None, loads: false, parcel }) => {
            let picture = Picture::unpack(&parcel).unwrap();
            assert_eq!((picture.node_count(), &picture.broken.links[..]), (12, &[[0, 1]][..]));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(bench.handle(ask(4, &text, true), &clock(1.0)), None);
    let refused = bench.work(&clock(1.0));
    assert!(matches!(refused, Some(Reply::Refused { generation: 4, .. })), "{refused:?}");
    assert_eq!(bench.handle(ask(5, TEXT, true), &clock(1.0)), None);
    match bench.work(&clock(1.0)) {
        Some(Reply::Fabric { loads: true, parcel, .. }) => {
            assert_eq!(Loads::unpack(parcel).unwrap().bundles.len(), 2 * (6 + 3 + 3));
        }
        other => panic!("{other:?}"),
    }
}

/// Where no analysis tells, a run's end says how busy its channels were, and that can be drawn.
#[test]
fn what_adaptive_routes_put_on_links_is_drawn_as_measured() {
    let text = "topology=dragonfly,p=2,a=4,h=2 routing=ugal traffic=shift,by=8 load=0.5 \
                warmup=2us window=5us";
    let mut bench = Bench::default();
    let run = Request::Run { generation: 1, text: text.to_owned(), job: 0 };
    let mut reply = bench.handle(run, &clock(1.0));
    while bench.is_busy() {
        reply = bench.work(&clock(1.0)).or(reply);
    }
    let Some(Reply::Done { record, busy: Some(busy), .. }) = reply else { panic!("{reply:?}") };
    let most = f64::from(busy.channels[busy.busiest as usize]) / 255.0;
    let measured = record.metrics.unwrap().max_utilization;
    assert!((most - measured).abs() <= 0.5 / 255.0 && most > 0.5, "{most}, {measured}");
    let text = text.to_owned();
    let loads = Request::Utilization { generation: 2, text, job: 0, open: None, busy };
    let Some(Reply::Fabric { generation: 2, open: None, loads: true, parcel, .. }) =
        bench.handle(loads, &clock(1.0))
    else {
        panic!("no loads")
    };
    let loads = Loads::unpack(parcel).unwrap();
    let (bundle, forward) = loads.busiest.unwrap();
    let there = loads.bundles[2 * bundle as usize + usize::from(!forward)];
    assert!((f64::from(there) - most).abs() < 1e-6);
}

#[test]
fn loads_and_analysis_of_what_is_not_simulated_are_not_its_record() {
    let text = "topology=xgft,m=4.4,w=1.2 routing=pattern_specific \
                exchange=all_to_all,order=opt y=contention";
    let mut bench = Bench::default();
    let mut said = |request| {
        let mut reply = bench.handle(request, &clock(1.0));
        while bench.is_busy() {
            reply = bench.work(&clock(1.0)).or(reply);
        }
        reply
    };
    let text = || text.to_owned();
    let loads = Request::Fabric { generation: 1, text: text(), job: 0, open: None, loads: true };
    match said(loads) {
        Some(Reply::Fabric { loads: true, parcel, .. }) => assert!(Loads::unpack(parcel).is_some()),
        other => panic!("{other:?}"),
    }
    let analyzed = said(Request::Analyze { generation: 2, text: text(), job: 0 });
    assert!(matches!(analyzed, Some(Reply::Analyzed { .. })), "{analyzed:?}");
}

#[test]
fn a_survey_counts_what_works() {
    let mut bench = Bench::default();
    let text = format!("{TEXT} faults=list,link=0-1");
    bench.handle(request(0), &clock(1.0));
    let survey = Request::Survey { generation: 1, text, job: 0, fits: true };
    match bench.handle(survey, &clock(1.0)) {
        Some(Reply::Surveyed { size, .. }) => assert_eq!(size.links, 11),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_is_opened_kept_and_measured() {
    let ring = "from,port,to,port,class,bandwidth,latency\n".to_owned()
        + "a,0,b,0,switch,,\nb,1,c,0,switch,,\nc,1,a,1,switch,,\n"
        + "x,0,a,2,endpoint,,\ny,0,b,2,endpoint,,\nz,0,c,2,endpoint,,\n";
    let file = Content { name: "ring.csv".to_owned(), text: ring };
    let mut bench = Bench::default();
    let open = Request::Open { generation: 1, files: vec![file.clone()] };
    let Some(Reply::Opened { opened, .. }) = bench.handle(open, &clock(1.0)) else {
        panic!("it is a fabric")
    };
    let token = opened.fabric.unwrap();
    assert!(token.starts_with("z."), "{token}");
    assert_eq!(opened.lfts, None);
    assert_eq!(bench.handle(Request::Keep { file }, &clock(1.0)), None);
    let text = format!("topology=imported,data={token} load=0.1");
    let measure = Request::Measure { generation: 2, text: text.clone(), job: 0 };
    assert_eq!(bench.handle(measure, &clock(1.0)), None);
    let mut last = None;
    while bench.is_busy() {
        last = bench.work(&clock(1.0));
    }
    match last {
        Some(Reply::Measured { numbers, .. }) => {
            assert_eq!((numbers.endpoints, numbers.switches, numbers.diameter), (3, 3, Some(1)))
        }
        other => panic!("{other:?}"),
    }
    let format = "ibnetdiscover".to_owned();
    let export = Request::Export { generation: 3, text, job: 0, format };
    match done(&mut bench, export) {
        Some(Reply::Exported { text, .. }) => assert!(text.contains("Switch\t3 \"S-")),
        other => panic!("{other:?}"),
    }
    let garbage = Content { name: "notes.txt".to_owned(), text: "garbage".to_owned() };
    let open = Request::Open { generation: 4, files: vec![garbage] };
    let refused = bench.handle(open, &clock(1.0));
    assert!(matches!(refused, Some(Reply::Refused { generation: 4, .. })), "{refused:?}");
}

#[test]
fn what_cannot_be_built_is_refused_with_its_key() {
    let text = "topology=xgft routing=minimal load=0.1".to_owned();
    let ask = Request::Analyze { generation: 1, text, job: 0 };
    match Bench::default().handle(ask, &clock(1.0)) {
        Some(Reply::Refused { problems, .. }) => {
            let problem = Problem::from(problems[0].clone());
            assert_eq!(problem.key, "routing");
        }
        other => panic!("{other:?}"),
    }
}

/// The last of what is said about a request.
fn done(bench: &mut Bench, request: Request) -> Option<Reply> {
    let mut reply = bench.handle(request, &clock(1.0));
    while bench.is_busy() {
        reply = bench.work(&clock(1.0)).or(reply);
    }
    reply
}

/// Inspects the routes of a study's first run.
fn inspect(text: &str, what: Inspection) -> Reply {
    let mut bench = Bench::default();
    let text = text.to_owned();
    let ask = Request::Inspect { generation: 9, text, job: 0, open: None, what };
    done(&mut bench, ask).unwrap()
}

fn found(text: &str, what: Inspection) -> Finding {
    match inspect(text, what) {
        Reply::Inspected { generation: 9, finding } => *finding,
        other => panic!("{other:?}"),
    }
}

const TREE: &str = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=0.1";

#[test]
fn a_report_comes_with_the_flows_of_the_drawing() {
    let finding = found(TREE, Inspection::Report);
    assert!(finding.markup.contains("In none of 15 shifts"), "{}", finding.markup);
    assert_eq!(finding.most, 1.0);
    let flows = Loads::unpack(finding.flows.unwrap()).unwrap();
    assert_eq!(flows.bundles.len(), 2 * finding.bundles as usize);
    assert_eq!(finding.bundles, 16 + 16);
    let csv = found(TREE, Inspection::File { format: "csv".to_owned() });
    assert!(csv.markup.starts_with("section,rail,item,value\n"), "{}", csv.markup);
}

#[test]
fn a_cycle_leads_through_the_drawing() {
    let finding = found("topology=imported routing=min_hop load=0.1", Inspection::Report);
    assert!(finding.trails[0].len() >= 4, "{:?}", finding.trails);
}

/// The packets of a ring's deadlock wait on its links, all in one sense.
#[test]
fn waiting_packets_are_found_in_the_drawing() {
    let text = "topology=torus,widths=5,p=1 traffic=shift,by=2 load=1 routing=min_hop";
    let plan = Study::parse(text).unwrap().plan().unwrap();
    let mut running = plan.jobs[0].start(None).unwrap();
    while running.advance(1_000_000) != Ok(Step::Done) {}
    let packets = running.record(0.0).unwrap().metrics.unwrap().deadlock_packets.unwrap();
    let held: Vec<_> = packets.iter().map(|packet| packet.holds.clone()).collect();
    let finding = found(text, Inspection::Circle { held });
    assert_eq!(finding.trails[0].len(), packets.len(), "{:?}", finding.trails);
    assert!(finding.markup.contains("5 packets wait for one another"), "{}", finding.markup);
    let elsewhere = found(TREE, Inspection::Circle { held: Vec::new() });
    assert!(elsewhere.trails[0].is_empty());
}

#[test]
fn the_routes_of_a_pair_are_told_and_drawn() {
    let pair = |from: &str, to: &str| Inspection::Paths { from: from.into(), to: to.into() };
    let finding = found(TREE, pair("endpoint 0", "endpoint 15"));
    assert_eq!(finding.trails.len(), 1);
    assert_eq!(finding.trails[0].len(), 4);
    let unknown = inspect(TREE, pair("endpoint 0", "nobody"));
    assert!(matches!(unknown, Reply::Refused { generation: 9, .. }), "{unknown:?}");
}

#[test]
fn routings_are_compared_with_those_that_do_not_fit() {
    let markup = found(TREE, Inspection::Comparison).markup;
    assert!(markup.contains("in use"), "{markup}");
    assert!(markup.contains("data-act=\"choose min_hop\""), "{markup}");
    assert!(markup.contains("not here"), "{markup}");
}

#[test]
fn dumps_of_tables_are_told_from_fabrics() {
    let mut bench = Bench::default();
    let text = "topology=imported routing=min_hop load=0.1".to_owned();
    let export = Request::Export { generation: 1, text, job: 0, format: "lfts".to_owned() };
    let Some(Reply::Exported { text, .. }) = done(&mut bench, export) else {
        panic!("these routes are tables")
    };
    let tables = Content { name: "opensm-lfts.dump".to_owned(), text };
    let levels = "# source destination level\n1 2 0\n0x2 1 3\n".to_owned();
    let levels = Content { name: "lash.sl".to_owned(), text: levels };
    let open = Request::Open { generation: 2, files: vec![levels, tables] };
    match bench.handle(open, &clock(1.0)) {
        Some(Reply::Opened { opened, .. }) => {
            assert_eq!(opened.fabric, None);
            assert!(opened.lfts.is_some() && opened.levels.is_some());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_messages_of_a_phase_are_drawn_and_counted() {
    // XOR on 16 ranks of leaf switches with 4 (Prisacari 2020, §2.2): in the phases 1 to 3 all
    // messages stay within a leaf switch, in all others they leave it.
    let text = "topology=xgft,m=4.4,w=1.4 routing=pattern_specific exchange=all_to_all,order=xor";
    let markup = found(text, Inspection::Sending).markup;
    let has = |words: &str| assert!(markup.contains(words), "{words}: {markup}");
    has("16 ranks, 240 messages, 16 phases.");
    has("phase 3: 16 messages, 0 between leaf switches, contention 0");
    has("phase 4: 16 messages, 16 between leaf switches, contention 1");
    // Rank 1 sends to rank 0 in phase 1: a dot in the second row, the first column.
    has("<path class=\"c0\" d=\"M1 0.5h1M0 1.5h1");
    has("From phase 1 to phase 15: at most 1 flow");
    has("All 15 phases optimal: contention 1.");
    has("B_min of level 1");
    has("<th scope=\"col\">Optimal<br>of 15<th");
    has("<th scope=\"col\">Completion,<br>µs (× ideal)<th");
    // XOR never leaves more than one message to a link of a full tree, by destinations as well.
    has("<tr><th scope=\"row\">D-mod-K<td>1<td>1<td>15<td>1<td>1<td>23.107 (1)<td><a href=");
}

/// On such trees only routes that are made for messages are simulated, so there are no links for others.
#[test]
fn routings_are_compared_where_endpoints_have_several_links() {
    let text = "topology=xgft,m=4.4,w=2.2 routing=pattern_specific exchange=all_to_all,order=xor";
    let markup = found(text, Inspection::Sending).markup;
    let has = |words: &str| assert!(markup.contains(words), "{words}: {markup}");
    has("All 15 phases optimal: contention 1.");
    has(
        "<tr><th scope=\"row\">Pattern-specific<td>1<td>1<td>15<td>1<td>1<td>23.107 (1)<td><a href=",
    );
    has("Simulate them all");
    assert_eq!(markup.matches("Simulate it").count(), 2, "{markup}");
}
