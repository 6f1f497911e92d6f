//! Searches for routes of messages: shared out, left, and told of.

use super::*;

/// What helpers solve is what the bench would have found; what they fail in is done without them.
#[test]
fn helpers_change_nothing_but_the_time() {
    let text = "topology=xgft,m=8.8.6,w=1.8.4 routing=pattern_specific \
                exchange=all_to_all,order=opt bytes=64B y=contention";
    let ran = |failing: u32| {
        let mut bench = Bench::default();
        let clock = clock(10.0);
        let run = Request::Run { generation: 7, text: text.to_owned(), job: 0 };
        assert_eq!(bench.handle(run, &clock), None);
        assert_eq!(bench.helpers(4), 3);
        let (mut asked, mut last) = (0, None);
        while bench.is_busy() {
            if failing > 0
                && let Some(plea) = bench.ask(3)
            {
                asked += 1;
                let answer = Plea::answer(&plea.write());
                bench.hear(&plea, Some(&answer).filter(|_| asked % failing != 0).map(|a| &**a));
            }
            assert!(!bench.is_waiting());
            last = bench.work(&clock);
        }
        match last {
            Some(Reply::Done { record, .. }) => (asked, record.digest, record.certificate),
            other => panic!("{other:?}"),
        }
    };
    let (_, digest, certificate) = ran(0);
    for failing in [1, 3] {
        let (asked, of_helped, certified) = ran(failing);
        assert!(asked > 3);
        assert_eq!((&of_helped, &certified), (&digest, &certificate));
    }
}

#[test]
fn a_search_for_routes_is_canceled() {
    let mut bench = Bench::default();
    let clock = clock(30.0);
    let text = "topology=xgft,m=8.8.6,w=1.8.4 routing=pattern_specific \
                exchange=all_to_all,order=opt bytes=64B";
    let run = Request::Run { generation: 7, text: text.to_owned(), job: 0 };
    assert_eq!(bench.handle(run, &clock), None);
    let mut shares = Vec::new();
    for _ in 0..100 {
        if let Some(Reply::Progress { share, .. }) = bench.work(&clock) {
            shares.push(share);
        }
    }
    assert!(shares.len() > 3 && shares.is_sorted() && shares.iter().all(|share| *share < 0.5));
    let stopped = Reply::Stopped { generation: 7, job: 0 };
    assert_eq!(bench.handle(Request::Cancel { generation: 7 }, &clock), Some(stopped));
    assert!(!bench.is_busy() && bench.ask(3).is_none() && !bench.is_waiting());
}

#[test]
fn the_search_for_routes_that_are_only_looked_at_tells_how_far_it_is() {
    let mut bench = Bench::default();
    let clock = clock(30.0);
    let text = "topology=xgft,m=8.8.4,w=1.8.4 routing=pattern_specific \
                exchange=all_to_all,order=opt y=contention";
    let run = Request::Run { generation: 7, text: text.to_owned(), job: 0 };
    assert_eq!(bench.handle(run, &clock), None);
    let mut shares = Vec::new();
    while bench.is_busy() {
        if let Some(Reply::Progress { share, .. }) = bench.work(&clock) {
            shares.push(share);
        }
    }
    let between = |from: f64, to: f64| shares.iter().any(|share| (from..to).contains(share));
    assert!(shares.is_sorted() && shares.len() > 8, "{shares:?}");
    assert!(between(0.1, 0.5) && between(0.5, 0.8) && between(0.8, 1.0), "{shares:?}");
}

#[test]
fn certificates_are_exported_with_all_phases() {
    let export = |text: &str| {
        let (text, format) = (text.to_owned(), "certificate".to_owned());
        let export = Request::Export { generation: 1, text, job: 0, format };
        done(&mut Bench::default(), export).unwrap()
    };
    let tree = "topology=xgft,m=4.4,w=1.2";
    match export(&format!("{tree} routing=pattern_specific exchange=all_to_all,order=xor")) {
        Reply::Exported { text, .. } => {
            let known: serde_json::Value = serde_json::from_str(&text).unwrap();
            let phases = known["phases"].as_array().unwrap();
            assert_eq!(phases.len(), 15);
            assert!(phases.iter().all(|phase| phase["levels"].as_array().unwrap().len() == 2));
            let witness = &phases.last().unwrap()["levels"][1]["witness"];
            assert_eq!(
                (witness["messages"].as_u64(), witness["links"].as_u64()),
                (Some(4), Some(2))
            );
        }
        other => panic!("{other:?}"),
    }
    let refused = |text: &str| match export(text) {
        Reply::Refused { problems, .. } => Problem::from(problems[0].clone()).key,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&format!("{tree} routing=dynamic_random exchange=ring")), "routing");
    assert_eq!(refused(&format!("{tree} routing=d_mod_k traffic=uniform")), "traffic");
    let large = "topology=xgft,m=8.8.18,w=1.8.8";
    assert_eq!(refused(&format!("{large} routing=d_mod_k exchange=all_to_all")), "exchange");
}

/// A file of routes that take a search tells how far it is, and is left when nobody wants it.
#[test]
fn files_of_routes_come_in_slices() {
    let text = "topology=xgft,m=8.8.4,w=1.8.4 exchange=all_to_all,order=opt";
    let alone = "routing=pattern_specific";
    for (format, routing) in [
        ("certificate", "routing=pattern_specific,at_once=all"),
        ("certificate", alone),
        ("message_paths", alone),
        ("source_tables", alone),
        ("paths", alone),
        ("lfts", "routing=min_hop"),
        ("lfts", "routing=d_mod_k"),
    ] {
        let text = format!("{text} {routing}");
        let mut bench = Bench::default();
        let clock = clock(60.0);
        let export = |generation| Request::Export {
            generation,
            text: text.clone(),
            job: 0,
            format: format.to_owned(),
        };
        assert_eq!(bench.handle(export(3), &clock), None);
        let (mut shares, mut file) = (Vec::new(), String::new());
        while bench.is_busy() {
            match bench.work(&clock) {
                Some(Reply::Progress { generation: 3, job: 0, share }) => shares.push(share),
                Some(Reply::Exported { generation: 3, text, .. }) => file = text,
                None => {}
                other => panic!("{format}: {other:?}"),
            }
        }
        assert!(shares.len() > 10 && shares.is_sorted(), "{format}: {shares:?}");
        let after = shares.iter().filter(|share| (0.7..1.0).contains(*share)).count();
        assert!(after > 3, "{format}, {routing}: {shares:?}");
        assert!(file.len() > 300, "{format}: {file}");
        assert_eq!(bench.handle(export(4), &clock), None);
        (0..5).for_each(|_| drop(bench.work(&clock)));
        let stopped = Reply::Stopped { generation: 4, job: 0 };
        assert_eq!(bench.handle(Request::Cancel { generation: 4 }, &clock), Some(stopped));
        assert!(!bench.is_busy());
    }
}

/// Tables that a browser could not hold as a text are refused before any of them is written.
#[test]
fn tables_that_are_too_long_are_refused() {
    let text = "topology=xgft,m=20.20.20,w=1.20.20 routing=d_mod_k load=0.1".to_owned();
    let export = Request::Export { generation: 3, text, job: 0, format: "lfts".to_owned() };
    match done(&mut Bench::default(), export) {
        Some(Reply::Refused { generation: 3, problems, .. }) => {
            let said = Problem::from(problems[0].clone()).to_string();
            assert!(
                said.contains("“d_mod_k” was given; the tables would be up to 813 MB"),
                "{said}"
            );
        }
        other => panic!("{other:?}"),
    }
}

/// Other workers help with the routes of a file, too.
#[test]
fn helpers_are_asked_for_files() {
    let text = "topology=xgft,m=8.8.6,w=1.8.4 exchange=all_to_all,order=opt \
                routing=pattern_specific";
    let (text, format) = (text.to_owned(), "certificate".to_owned());
    let mut bench = Bench::default();
    let export = Request::Export { generation: 3, text, job: 0, format };
    assert_eq!(bench.handle(export, &clock(1.0)), None);
    assert_eq!(bench.helpers(4), 3);
    assert!(bench.ask(3).is_some());
}

/// Who is busy has a share of the processors; what the page says of that counts more than the study.
#[test]
fn processors_are_shared_among_the_busy() {
    let text = "topology=xgft,m=8.8.6,w=1.8.4 exchange=all_to_all,order=opt \
                routing=pattern_specific,seed=1/2/3 y=contention";
    let run = Request::Run { generation: 7, text: text.to_owned(), job: 0 };
    let mut bench = Bench::default();
    assert_eq!(bench.handle(run, &clock(1.0)), None);
    let mut of = |busy| {
        bench.share_with(busy);
        bench.helpers(8)
    };
    assert_eq!([0, 1, 2, 3, 5, 8, 9].map(&mut of), [1, 7, 3, 1, 0, 0, 0]);
}

/// Routes that were found for their contention are not found again for whoever looks at the messages,
/// or wants them as a file; others are.
#[test]
fn routes_of_a_study_of_contention_serve_again() {
    let tree = "topology=xgft,m=4.4.4,w=1.4.2 exchange=all_to_all,order=opt";
    let text = format!("{tree} routing=pattern_specific y=contention");
    let mut bench = Bench::default();
    let run = Request::Run { generation: 7, text: text.clone(), job: 0 };
    assert!(matches!(done(&mut bench, run), Some(Reply::Done { .. })));
    let mut searches = |text: &str, format: Option<&str>| {
        let text = text.to_owned();
        let asked = match format {
            None => {
                let what = Inspection::Sending;
                Request::Inspect { generation: 8, text, job: 0, open: None, what }
            }
            Some(format) => {
                let format = format.to_owned();
                Request::Export { generation: 8, text, job: 0, format }
            }
        };
        assert_eq!(bench.handle(asked, &clock(1.0)), None);
        let searches = bench.search().is_some();
        bench.handle(Request::Cancel { generation: 8 }, &clock(1.0));
        searches
    };
    let wants = [None, Some("certificate"), Some("message_paths")];
    for other in ["pattern_specific,seed=1", "greedy"] {
        let other = text.replace("pattern_specific", other);
        assert!(wants.iter().all(|what| searches(&other, *what)));
    }
    let elsewhere = text.replace("w=1.4.2", "w=1.4.4");
    assert!(wants.iter().all(|what| searches(&elsewhere, *what)));
    assert!(wants.iter().all(|what| !searches(&text, *what)));
}
