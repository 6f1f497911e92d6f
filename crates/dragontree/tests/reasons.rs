//! What shares the busiest channel, against walks of every pair.

use std::collections::BTreeSet;

use dragontree::analysis::{Reason, paths};
use dragontree::catalog::Files;
use dragontree::network::{EndpointId, Node};
use dragontree::routing::Pair;
use dragontree::scenario::{Experiment, Study};

fn experiment(text: &str) -> Experiment {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    Experiment::build(plan.jobs[0].scenario(), None).expect(text)
}

/// Bit complement sends a whole group's a·p endpoints over one global link (Prisacari 2020, §6.4).
#[test]
fn the_formula_of_a_dragonfly_under_bit_complement_is_the_papers() {
    let text = "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement routing=minimal load=1";
    let experiment = experiment(text);
    let why = experiment
        .analysis()
        .limit
        .as_ref()
        .and_then(|limit| limit.why.clone())
        .expect("a link limits it");
    assert_eq!((why.flows, why.sources, why.destinations), (32, 32, 32));
    let symbols = "32 endpoints at full rate, all a·p of a group, share it: 1 / (a·p)";
    assert_eq!(why.formula, format!("{symbols} = 1 / 32 = 0.03125"));
    // Switches of four endpoints each, all alike.
    assert!(why.largest.iter().all(|portion| portion.flows == 4 && portion.utilization == 4.0));
    assert_eq!(why.largest.len(), 3);
}

/// A group is named where it sends as a whole: not for as many endpoints of several groups, nor for
/// a part of one, nor for a link that takes only some of what a group sends.
#[test]
fn a_group_is_named_only_where_all_of_it_sends() {
    let formula = |settings: &str| {
        let text = format!("topology=dragonfly,p=2,a=4,h=2 load=1 {settings}");
        let experiment = experiment(&text);
        experiment.analysis().report.reason.clone().expect(&text).formula()
    };
    let whole = "8 endpoints at full rate, all a·p of a group, share it: 1 / (a·p) = 1 / 8 = 0.125";
    assert_eq!(formula("traffic=shift,by=8 routing=minimal"), whole);
    // Two ranks on an endpoint send half as much each, and are no two endpoints.
    assert_eq!(formula("traffic=shift,by=16 routing=minimal ranks_per_endpoint=2"), whole);
    // Seven of each group send to the next one, one to that behind it.
    let part = "7 flows of full rate share it: 1 / 7 = 0.1429";
    assert_eq!(formula("traffic=shift,by=9 routing=minimal"), part);
    assert!(!formula("traffic=shift,by=8 routing=minimal placement=random").contains("a·p"));
    let valiant = formula("traffic=shift,by=8 routing=valiant");
    assert!(!valiant.contains("a·p"), "{valiant}");
}

/// As many endpoints as a group has, of two groups: the formula has their number alone.
#[test]
fn as_many_endpoints_of_two_groups_are_no_group() {
    let to_one = |from: u32| match (4..12).contains(&from) {
        true => "1".to_owned() + &",0".repeat(71),
        false => "0".to_owned() + &",0".repeat(71),
    };
    let rows = (0..72).map(|from| to_one(from) + "\n").collect::<String>();
    let text = "topology=dragonfly,p=2,a=4,h=2 routing=minimal traffic=matrix,data=@ load=1";
    let reason = into_an_endpoint(&with_file(text, &rows).expect("valid"));
    assert_eq!((reason.flows, reason.sources, reason.destinations), (8, 8, 1));
    assert_eq!(reason.formula(), "8 flows of full rate share it: 1 / 8 = 0.125");
}

/// Where nothing else limits, the link into an endpoint does: by the one flow that it has, or by all.
#[test]
fn endpoints_own_links_limit_at_full_rate() {
    let why = |text: &str| experiment(text).analysis().limit.as_ref().and_then(|it| it.why.clone());
    let tree = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=1";
    let shift = why(&format!("{tree} traffic=shift,by=5")).expect("a reason");
    assert_eq!(shift.formula, "1 flow of full rate fills it: 1 / 1 = 1");
    assert_eq!((shift.flows, shift.largest.len()), (1, 1));
    let slow = "topology=xgft,m=1.8,w=1.1 routing=d_mod_k load=1 bandwidth=100Gbps,level2=25Gbps";
    let four = why(&format!("{slow} traffic=shift,by=1")).expect("a reason");
    assert_eq!(four.formula, "1 flow takes 4 times its rate: 1 / 4 = 0.25");
    let uniform = why(tree).expect("a reason");
    assert_eq!(
        uniform.formula,
        "15 flows share it, each 0.06667 of its rate: 1 / (15 × 0.06667) = 1"
    );
    let fast = format!("{tree} bandwidth=100Gbps,endpoint=25Gbps traffic=shift,by=5");
    assert_eq!(why(&fast).expect("a reason").flows, 1);
}

/// The experiment of a text that names a file by `@`; none where its parts do not fit together.
fn with_file(text: &str, file: &str) -> Option<Experiment> {
    let mut files = Files::default();
    let digest = files.add("given.txt", file);
    let text = text.replace('@', &format!("file.{digest:016x}"));
    let mut plan = Study::parse(&text).expect(&text).plan().expect(&text);
    plan.attach(&files);
    plan.jobs[0].build(None).ok()
}

/// What shares the busiest channel, which leads into an endpoint.
fn into_an_endpoint(experiment: &Experiment) -> Reason {
    let report = &experiment.analysis().report;
    let neighbor = experiment.network().neighbor(report.busiest);
    assert!(matches!(neighbor, Some(Node::Endpoint(_))), "{neighbor:?}");
    let reason = report.reason.clone().expect("it fills below full load");
    assert!((reason.utilization - 1.0 / report.bound).abs() < 1e-6, "{reason:?}");
    reason
}

/// Incast: everybody sends to one, whose own link is shared by all of them.
#[test]
fn all_that_send_to_one_endpoint_share_its_link() {
    let rows = "0,0,0,0,0,0,0,0\n".to_owned() + &"1,0,0,0,0,0,0,0\n".repeat(7);
    for topology in ["xgft,m=8,w=1 routing=d_mod_k", "xgft,m=4.2,w=1.2 routing=static_random"] {
        let text = format!("topology={topology} traffic=matrix,data=@ load=1");
        let experiment = with_file(&text, &rows).expect("valid");
        let reason = into_an_endpoint(&experiment);
        assert_eq!((reason.flows, reason.sources, reason.destinations), (7, 7, 1), "{text}");
        assert_eq!(reason.formula(), "7 flows of full rate share it: 1 / 7 = 0.1429");
        assert_eq!(reason.largest.iter().map(|each| each.flows).sum::<u64>(), 7, "{text}");
        let why = experiment.analysis().limit.clone().and_then(|limit| limit.why);
        assert_eq!(why.expect("a reason").formula, reason.formula());
    }
}

/// Bogdański's hot spots: half of what each endpoint sends within its subnet goes to one of it.
#[test]
fn a_hot_spot_is_shared_by_all_others() {
    for routing in ["min_hop", "up_down"] {
        let text = format!(
            "topology=subnets,count=3 traffic=hot_spot,remote=0,hot=0.5 routing={routing} load=1"
        );
        let experiment = experiment(&text);
        let reason = into_an_endpoint(&experiment);
        let each = u64::from(experiment.network().endpoint_count()) / 3;
        let found = (reason.flows, reason.sources, reason.destinations);
        assert_eq!(found, (each - 1, each - 1, 1), "{text}");
        assert!(reason.formula().starts_with(&format!("{} flows share it", each - 1)));
    }
}

/// Uniform traffic to an endpoint whose link has a tenth of the others' rate: each of the others
/// sends it a fifth of its own.
#[test]
fn a_slow_endpoint_limits_uniform_traffic() {
    let file = "from,to,class,bandwidth
        a,s,endpoint,100Gbps\nb,s,endpoint,100Gbps\nc,s,endpoint,100Gbps
        d,t,endpoint,10Gbps\ne,t,endpoint,100Gbps\nf,t,endpoint,100Gbps
        s,t,switch,800Gbps\n";
    let file = file.lines().map(|line| line.trim().to_owned() + "\n").collect::<String>();
    let mut limited = 0;
    for routing in ["minimal", "min_hop", "up_down", "valiant"] {
        let text = format!("topology=imported,data=@ routing={routing} load=1");
        let Some(experiment) = with_file(&text, &file) else { continue };
        let reason = into_an_endpoint(&experiment);
        assert_eq!((reason.flows, reason.sources, reason.destinations), (5, 5, 1), "{text}");
        assert_eq!(reason.formula(), "5 flows share it, each 2 of its rate: 1 / (5 × 2) = 0.1");
        limited += 1;
    }
    assert!(limited >= 2, "{limited}");
}

/// Every flow over the busiest channel, found by walking every pair for itself.
#[test]
fn flows_and_endpoints_are_those_of_all_pairs() {
    let mut limited = 0;
    for topology in [
        "dragonfly,p=2,a=3,h=1",
        "dragonfly,p=3,a=4,h=1,groups=3",
        "xgft,m=4.3.2,w=1.2.1",
        "xgft,m=6.4,w=1.2",
        "slim_fly,q=5,rounding=ceil",
        "torus,widths=5.3,p=2",
    ] {
        for routing in
            ["minimal", "d_mod_k", "s_mod_k", "static_random", "dynamic_random", "min_hop"]
        {
            for traffic in ["uniform", "bit_complement", "shift,by=7"] {
                let text =
                    format!("topology={topology} routing={routing} traffic={traffic} load=1");
                let plan = Study::parse(&text).expect("valid").plan().expect("a plan");
                let Ok(experiment) = Experiment::build(plan.jobs[0].scenario(), None) else {
                    continue;
                };
                let report = &experiment.analysis().report;
                let Some(reason) = &report.reason else { continue };
                limited += 1;
                let (network, count) =
                    (experiment.network(), experiment.network().endpoint_count());
                let sends = |from: u32, to: u32| match traffic {
                    "uniform" => from != to,
                    "bit_complement" => to == count - 1 - from && from != to,
                    _ => to == (from + 7) % count,
                };
                let (mut passing, mut sources, mut destinations) =
                    (Vec::new(), BTreeSet::new(), BTreeSet::new());
                let pairs = (0..count).flat_map(|from| (0..count).map(move |to| (from, to)));
                for (from, to) in pairs.filter(|(from, to)| sends(*from, *to)) {
                    let pair = Pair { source: EndpointId(from), destination: EndpointId(to) };
                    let mut passes = false;
                    paths(
                        network,
                        experiment.routes().fixed().expect("fixed routes").oblivious(),
                        pair,
                        &mut |path, _| {
                            passes |= path.iter().any(|step| step.port == report.busiest);
                        },
                    )
                    .expect("routes");
                    if passes {
                        passing.push(pair);
                        sources.insert(from);
                        destinations.insert(to);
                    }
                }
                for portion in &reason.largest {
                    assert_eq!(portion.flow.is_some(), portion.flows == 1, "{text}");
                    assert!(portion.flow.is_none_or(|flow| passing.contains(&flow)), "{text}");
                }
                let flows = passing.len() as u64;
                let found = (reason.flows, reason.sources, reason.destinations);
                let expected = (flows, sources.len() as u64, destinations.len() as u64);
                assert_eq!(found, expected, "{text}");
                let utilization = report.utilization[report.busiest.index()];
                assert!((reason.utilization - utilization).abs() < 1e-9, "{text}");
                if let Some(each) = reason.each {
                    assert!((each * flows as f64 - utilization).abs() < 1e-6, "{text}");
                }
            }
        }
    }
    assert!(limited >= 20, "{limited}");
}
