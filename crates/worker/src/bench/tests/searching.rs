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
