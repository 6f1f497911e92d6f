//! The fast engine against the plain one: every message is delivered at the same time, and everything
//! that is reported is the same, bit by bit.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dragontree::catalog::Data;
use dragontree::exchange::Queueing;
use dragontree::network::{Node, PortId, SwitchId};
use dragontree::random::Stream;
use dragontree::routing::{
    AnyRoutes, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Unroutable, Waypoints,
};
use dragontree::scenario::{Experiment, Study};
use dragontree::simulation::{ExchangeReport, ExchangeSetup, Exchanging, Progress};
use dragontree::units::{Bytes, Time};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::random::any_list;
use super::{list, setup};

/// The report of both engines, and whether they were different ones; the fast one is interrupted whenever it has served so many events.
fn agree(setup: &ExchangeSetup, budget: u64, text: &str) -> (ExchangeReport, bool) {
    let mut fast = Exchanging::new(setup.clone());
    while let Progress::Running { share, .. } = fast.advance(budget) {
        assert!((0.0..=1.0).contains(&share), "{text}");
        if budget.is_multiple_of(7) {
            fast.report();
        }
    }
    let mut plain = Exchanging::plain(setup.clone());
    while plain.advance(1_000_000) != Progress::Done {}
    assert_eq!(fast.report(), plain.report(), "{text}");
    assert_eq!(fast.packet_hops(), plain.packet_hops(), "{text}");
    // Unless somebody waits for every credit, the fast engine has fewer events.
    assert!(fast.events() <= plain.events(), "{text}");
    (fast.report(), fast.events() < plain.events())
}

/// The exchange of a text; none where its parts do not fit together.
fn of_text(text: &str, acknowledgement: u64) -> Option<ExchangeSetup> {
    let plan = Study::parse(text).expect(text).plan().ok()?;
    let scenario = plan.jobs[0].scenario();
    let network = scenario.network().ok()?;
    let exchanging = scenario.exchanging(&network).ok()??;
    let silent = text.split_whitespace().filter(|word| !word.starts_with("exchange="));
    let silent = silent.collect::<Vec<_>>().join(" ");
    let plan = Study::parse(&silent).expect(text).plan().ok()?;
    let base = Experiment::build(plan.jobs[0].scenario(), None).ok()?.setup();
    Some(ExchangeSetup {
        network: base.network,
        routes: base.routes,
        placement: exchanging.placement.into(),
        workload: Arc::new(exchanging.exchanged.workload),
        packet: base.packet,
        acknowledgement: Bytes(acknowledgement),
        model: base.model,
        switch_latency: base.switch_latency,
        adapter_latency: base.adapter_latency,
        buffer: base.buffer,
        output_buffer: base.output_buffer,
        virtual_channels: base.virtual_channels,
        ways: base.injection.ways,
        seed: base.seed,
    })
}

const FABRICS: &[&str] = &[
    "topology=xgft,m=4.4,w=1.2,p=1.2 routing=d_mod_k",
    "topology=xgft,m=4.4,w=1.4 routing=s_mod_k",
    "topology=xgft,m=4.2.4,w=1.2.2 routing=dynamic_random",
    "topology=xgft,m=4.2.4,w=1.2.2,p=1.2.2 routing=static_random",
    "topology=xgft,m=4.4,w=1.2 routing=ftree",
    "topology=xgft,m=4.4,w=1.2 routing=min_hop",
    "topology=k_ary_n_tree,k=2,n=4 routing=d_mod_k",
    "topology=xgft,m=8,w=1 routing=d_mod_k",
    "topology=dragonfly,p=2,a=4,h=2 routing=minimal",
    "topology=dragonfly,p=2,a=4,h=2,groups=4 routing=minimal",
    "topology=dragonfly,p=1,a=4,h=2,groups=5 routing=valiant,via=switch",
    "topology=dragonfly,p=2,a=4,h=2,groups=5 routing=valiant,via=group",
    "topology=dragonfly,p=2,a=4,h=2,groups=5 routing=ugal",
    "topology=dragonfly,p=1,a=4,h=2,groups=4 routing=ugal,via=group,c=0.5,candidates=4",
    "topology=dragonfly,p=2,a=4,h=2,groups=5 routing=ugal,threshold=0.01,information=global",
    "topology=slim_fly,q=3 routing=ugal,threshold=0.02",
    "topology=hyperx,widths=3.3,p=2 routing=dimension_order",
    "topology=hyperx,widths=3.3,p=2 routing=ugal,c=0.25",
    "topology=torus,widths=7,p=2 routing=dimension_order",
    "topology=torus,widths=4.4,p=1 routing=min_hop",
    "topology=torus,widths=4.4,p=1 routing=lash",
    "topology=mesh,widths=12,p=1 routing=dimension_order",
];
const EXCHANGES: &[&str] = &[
    "all_to_all",
    "all_to_all,order=lin,shift=3",
    "all_to_all,order=xor",
    "all_to_all,order=opt",
    "all_to_all,order=ghe",
    "all_to_all,acks=no",
    "all_to_all,order=lin,acks=no",
    "all_to_all,order=lin,own=sent",
    "all_to_all,order=opt,own=sent,acks=no",
    "all_to_all,awaits=both",
    "all_to_all,order=lin,awaits=both,acks=no",
    "nearest_neighbor,elements=8.8,tasks=4.4",
    "nearest_neighbor,elements=6.6.6,tasks=2.2.3",
    "torus_neighbor,widths=4.4",
    "torus_neighbor,widths=2.2.2",
    "ring",
    "ring,order=random",
    "broadcast",
    "broadcast,between=leaders,order=depth_first",
    "ping_pong",
    "broadcast,tree=scatter_allgather,root=3",
];

/// Bytes that twelve ranks send: nothing, a little, several packets; two send nothing at all, and what one
/// would send to itself is left out.
const MATRIX: &str = "\
    0,1,0,64,0,0,9000,0,0,0,0,3\n\
    4096,7,0,0,0,0,0,0,0,0,0,0\n\
    0,0,0,0,0,0,0,0,0,0,0,0\n\
    100,100,100,0,100,100,100,100,100,100,100,100\n\
    0,0,0,0,0,2048,2048,0,0,0,0,0\n\
    20000,0,0,0,0,0,0,0,0,0,0,0\n\
    333,0,4444,0,0,0,0,5555,0,0,1,0\n\
    0,0,0,0,0,0,0,0,0,0,0,0\n\
    1,2,3,4,5,6,7,8,9,10,11,12\n\
    0,0,0,0,0,0,0,0,8192,0,0,0\n\
    0,10000,0,10000,0,0,0,0,0,0,0,0\n\
    0,0,0,0,0,0,0,0,0,0,6000,0\n";

/// Every exchange, and matrices in both orders; these have as many ranks as lines.
fn exchanges() -> Vec<String> {
    let own = |data: &str, ranks: u32| {
        ["at_once", "row"].map(|order| format!("matrix,order={order}{data} ranks={ranks}"))
    };
    let file = format!(",data={}", Data::token(MATRIX));
    let known = EXCHANGES.iter().map(|exchange| exchange.to_string());
    known.chain(own("", 8)).chain(own(&file, 12)).collect()
}

const SIZES: &[&str] = &["1B", "64B", "1000B", "2KiB", "3333B", "10kB"];
const LINKS: &[&str] = &[
    "",
    "bandwidth=54.545Gbps",
    "latency=0ns switch_latency=0ns",
    "latency=0ns switch_latency=0ns adapter_latency=0ns",
    "latency=0ns",
    "latency=500ns,endpoint=3ns adapter_latency=500ns",
    "bandwidth=100Gbps,endpoint=40Gbps,local=25Gbps,level2=200Gbps adapter_latency=100ns",
    "bandwidth=10Gbps,global=100Gbps,dimension1=1Gbps latency=50ns,global=1us adapter_latency=7ns",
    "latency=1ps switch_latency=2ps",
    "bandwidth=1Mbps latency=1ms",
];
const BUFFERS: &[&str] = &[
    "packet=256B buffer=256B,per=vc output_buffer=256B",
    "packet=256B buffer=300B,per=vc output_buffer=700B",
    "packet=512B buffer=1KiB,per=vc output_buffer=512B",
    "packet=512B buffer=512B,per=port output_buffer=100kB",
    "packet=64B buffer=2KiB,per=vc output_buffer=2KiB",
    "packet=2KiB buffer=4KiB,per=port output_buffer=8KiB",
    "packet=2KiB buffer=5000B,per=vc output_buffer=5000B",
    "packet=1000B buffer=100kB,per=vc output_buffer=100kB",
    "switching=wormhole,flit=64B packet=256B buffer=512B,per=vc output_buffer=256B",
    "switching=wormhole,flit=64B packet=4KiB buffer=64B,per=vc output_buffer=64B",
    "switching=wormhole,flit=32B packet=256B buffer=4KiB,per=vc output_buffer=4KiB",
    "switching=wormhole,flit=256B packet=256B buffer=5000B,per=port output_buffer=700B",
];
const CHANNELS: &[&str] = &["", "virtual_channels=1", "virtual_channels=2", "virtual_channels=4"];
const RANKS: &[&str] = &[
    "",
    "",
    "ranks_per_endpoint=2",
    "ranks_per_endpoint=3 placement=random",
    "ranks_per_endpoint=4 ranks=15",
];
const FAULTS: &[&str] = &["", "faults=random,links=2,seed=3", "faults=random,endpoints=2,links=1"];
const ACKNOWLEDGEMENTS: &[u64] = &[1, 64, 64, 500];
const BUDGETS: &[u64] = &[0, 7, 1000, 1_000_000];

fn fabric() -> impl Strategy<Value = String> {
    let parts = (select(FABRICS), select(FAULTS), select(LINKS), select(BUFFERS), select(CHANNELS));
    (parts, 1_u32..1000).prop_map(|((fabric, faults, links, buffers, channels), seed)| {
        format!("{fabric} {faults} {links} {buffers} {channels} seed={seed}")
    })
}

/// What the random exchanges have met, so that the tests say when they have become too easy.
#[derive(Default)]
struct Met {
    runs: Cell<u32>,
    complete: Cell<u32>,
    deadlocked: Cell<u32>,
    stuck: Cell<u32>,
}

impl Met {
    fn count(&self, (report, differ): (ExchangeReport, bool)) {
        let count = |cell: &Cell<u32>, is: bool| cell.set(cell.get() + u32::from(is));
        count(&self.runs, differ);
        count(&self.complete, report.completion > Some(Time::ZERO));
        count(&self.deadlocked, report.deadlock.is_some());
        count(&self.stuck, report.stuck);
    }

    fn all(&self) -> [u32; 4] {
        [&self.runs, &self.complete, &self.deadlocked, &self.stuck].map(Cell::get)
    }
}

fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig { cases, failure_persistence: None, ..Default::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn both_engines_deliver_every_message_of_an_exchange_at_the_same_time() {
    let met = Met::default();
    let work = (select(exchanges()), select(SIZES), select(RANKS), select(ACKNOWLEDGEMENTS));
    let ways = select(vec!["", "injection=bernoulli,ways=message"]);
    let cases = (fabric(), work, ways, select(BUDGETS));
    let outcome = runner(360).run(&cases, |(fabric, work, ways, budget)| {
        let (exchange, size, ranks, acknowledgement) = work;
        let text = format!("{fabric} exchange={exchange} bytes={size} {ranks} {ways}");
        if let Some(setup) = of_text(&text, acknowledgement) {
            met.count(agree(&setup, budget, &text));
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.err().map_or(String::new(), |error| error.to_string()));
    let met = met.all();
    assert!(met[0] >= 150 && met[1] >= 120 && met[2] >= 3, "{met:?}");
}

/// Routes that note which messages are asked for by their labels.
struct Watched(Arc<Routes>, Arc<AtomicU64>);

impl Route for Watched {
    fn virtual_channels(&self) -> u8 {
        self.0.route().virtual_channels()
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, queues: &dyn Queues) -> Waypoints {
        self.0.route().inject(pair, stream, queues)
    }

    fn of_message(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        let found = self.0.route().of_message(pair, label);
        self.1.fetch_add(u64::from(found.is_some()), Ordering::Relaxed);
        found
    }

    fn of_answer(&self, pair: Pair, label: u64) -> Option<Waypoints> {
        self.0.route().of_answer(pair, label)
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        self.0.route().next(at, header)
    }
}

impl Oblivious for Watched {
    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        self.0.oblivious().choices(pair, show);
    }
}

#[test]
fn both_engines_send_each_message_on_its_own_way() {
    let mut differing = 0;
    let fabrics = ["topology=xgft,m=4.2.4,w=1.2.2", "topology=k_ary_n_tree,k=2,n=4"];
    let links = [
        "",
        "latency=0ns switch_latency=0ns adapter_latency=0ns",
        "packet=512B buffer=1KiB,per=vc",
    ];
    for (exchange, ranks) in exchanges().iter().zip(RANKS.iter().cycle()) {
        for (fabric, links) in fabrics.iter().zip(links.iter().cycle()) {
            let text = format!(
                "{fabric} routing=pattern_specific exchange={exchange} bytes=1000B {ranks} {links}"
            );
            let plan = Study::parse(&text).expect(&text).plan().expect(&text);
            // The tasks of some exchanges are too many for some fabrics.
            let Ok(experiment) = Experiment::build(plan.jobs[0].scenario(), None) else {
                assert!(!exchange.starts_with("matrix"), "{text}");
                continue;
            };
            let asked = Arc::new(AtomicU64::new(0));
            let watched = Watched(experiment.routes().unloaded().clone(), asked.clone());
            let routes = Routes::Oblivious(Box::new(watched));
            let mut setup = experiment.exchange_setup().expect("an exchange");
            let report = agree(&setup, 1000, &text).0;
            assert!(report.completion.is_some(), "{text}");
            setup.routes = AnyRoutes::from(routes);
            assert_eq!(agree(&setup, 1000, &text).0, report, "{text}");
            differing += asked.load(Ordering::Relaxed);
        }
    }
    assert!(differing > 1000, "{differing}");
}

const MANIFOLD: &[&str] =
    &["m=4.4,w=2.2", "m=4.2.2,w=2.2.1", "m=3.2.3,w=3.1.2", "m=2.6,w=4.2", "m=16,w=3"];
const OF_MESSAGES: &[&str] = &["pattern_specific", "pattern_specific,at_once=all", "greedy"];

/// On trees of several links per endpoint messages leave by all of them, and come by all.
#[test]
fn both_engines_send_by_all_ports_of_endpoints() {
    let met = Met::default();
    let both = Cell::new(0);
    let fabric = (select(MANIFOLD), select(OF_MESSAGES), select(LINKS), select(BUFFERS));
    let work = (select(exchanges()), select(SIZES), select(RANKS), select(ACKNOWLEDGEMENTS));
    let ways = select(vec!["", "injection=bernoulli,ways=message"]);
    let cases = (fabric, work, ways, select(BUDGETS), 1_u32..1000);
    let outcome = runner(300).run(&cases, |(fabric, work, ways, budget, seed)| {
        let (tree, routing, links, buffers) = fabric;
        let (exchange, size, ranks, acknowledgement) = work;
        let text = format!(
            "topology=xgft,{tree} routing={routing} {links} {buffers} exchange={exchange} \
             bytes={size} {ranks} {ways} seed={seed}"
        );
        let plan = Study::parse(&text).expect(&text).plan();
        let built =
            plan.ok().and_then(|plan| Experiment::build(plan.jobs[0].scenario(), None).ok());
        let Some(experiment) = built else { return Ok(()) };
        let base = experiment.exchange_setup().expect("an exchange");
        let setup = ExchangeSetup { acknowledgement: Bytes(acknowledgement), ..base };
        let (report, differ) = agree(&setup, budget, &text);
        let network = experiment.network();
        let further =
            network.endpoints().flat_map(|end| network.ports(Node::Endpoint(end)).skip(1));
        let peer = |port: &u32| network.peer(PortId(*port)).expect("cabled").index();
        let (mut out, mut into) = (0.0, 0.0);
        for port in further {
            out += report.utilization[port as usize];
            into += report.utilization[peer(&port)];
        }
        both.set(both.get() + u32::from(out > 0.0 && into > 0.0));
        met.count((report, differ));
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.err().map_or(String::new(), |error| error.to_string()));
    let met = met.all();
    assert!(met[0] >= 150 && met[1] >= 150 && both.get() >= 150, "{met:?} {}", both.get());
}

#[test]
fn both_engines_deliver_every_message_of_a_list_at_the_same_time() {
    let met = Met::default();
    let queueings = &[Queueing::InOrder, Queueing::RoundRobin][..];
    let work = (1_u64..1000, 1_u32..300, any::<bool>(), select(queueings));
    let cases = (fabric(), work, select(ACKNOWLEDGEMENTS), select(BUDGETS), any::<bool>());
    let outcome = runner(300).run(&cases, |(fabric, work, acknowledgement, budget, together)| {
        let (seed, count, acknowledged, queueing) = work;
        if Study::parse(&fabric).expect(&fabric).plan().is_err() {
            return Ok(());
        }
        let messages = any_list(seed, count, acknowledged, 1).with_queueing(queueing);
        let Some(base) = super::setup_of(&fabric, messages) else { return Ok(()) };
        let ends: Vec<_> = base.network.endpoints().collect();
        // Two ranks on an endpoint, or neighbors on neighboring ones; some perhaps without a cable.
        let place = |rank: usize| ends[if together { rank / 2 } else { rank } % ends.len()];
        let placement = (0..10).map(place).collect();
        let acknowledgement = Bytes(acknowledgement);
        let setup = ExchangeSetup { placement, acknowledgement, ..base };
        met.count(agree(&setup, budget, &format!("{fabric}: {work:?} {together}")));
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.err().map_or(String::new(), |error| error.to_string()));
    let met = met.all();
    assert!(met[0] >= 150 && met[1] >= 120 && met[3] >= 5, "{met:?}");
}

/// All go half-way around a ring at once, over one virtual channel or two.
#[test]
fn packets_that_wait_for_each_other_are_the_same() {
    let mut deadlocks = 0;
    for buffers in BUFFERS {
        for channels in ["virtual_channels=1", "virtual_channels=2", ""] {
            for links in LINKS {
                let text = format!(
                    "topology=torus,widths=6,p=1 routing=dimension_order {links} {channels} {buffers}"
                );
                let shift: Vec<super::Listed> = (0..24)
                    .map(|own| (own % 6, (own % 6 + 3) % 6, 30_000 + u64::from(own), vec![]))
                    .collect();
                for queueing in [Queueing::InOrder, Queueing::RoundRobin] {
                    let setup = setup(&text, list(6, &shift).with_queueing(queueing));
                    deadlocks += u32::from(agree(&setup, 1000, &text).0.deadlock.is_some());
                }
            }
        }
    }
    assert!(deadlocks >= 50, "{deadlocks}");
}

/// What the fast engine does not know runs all the same.
#[test]
fn other_models_are_left_to_the_plain_engine() {
    let listed: Vec<super::Listed> = (0..6).map(|own| (own, 5 - own, 5000, vec![])).collect();
    let empty: Vec<super::Listed> = (0..6).map(|own| (own, 5 - own, 0, vec![])).collect();
    let star = |rest: &str| format!("topology=xgft,m=6,w=1 routing=d_mod_k packet=512B {rest}");
    for (text, listed) in [
        (star("switch=fifo_inputs"), &listed),
        (star("switching=wormhole,flit=64B switch=output_buffered"), &listed),
        (star(""), &empty),
    ] {
        let setup = setup(&text, list(6, listed));
        let mut runs = [Exchanging::new(setup.clone()), Exchanging::plain(setup)];
        for run in &mut runs {
            while run.advance(1_000_000) != Progress::Done {}
        }
        assert_eq!(runs[0].events(), runs[1].events(), "{text}");
        assert_eq!(runs[0].report(), runs[1].report(), "{text}");
    }
}

/// An all-to-all of which 261,632 messages are made one by one: only what is under way is kept.
#[test]
fn memory_is_for_what_is_under_way() {
    let text =
        "topology=xgft,m=8.8.8,w=1.8.8 routing=d_mod_k packet=2KiB exchange=all_to_all bytes=2KiB";
    let setup = of_text(text, 64).expect(text);
    let messages = setup.workload.messages();
    let mut run = Exchanging::new(setup);
    while run.advance(1_000_000) != Progress::Done {}
    assert_eq!(run.report().messages, messages);
    assert!(run.memory().0 < 16 * messages, "{:?}", run.memory());
}

/// Some slices of an all-to-all of 67,100,672 messages on a tree of 8,192 endpoints: it goes on, and what it
/// keeps is far less than a word for each message.
#[test]
fn the_beginning_of_a_large_all_to_all_keeps_no_list_of_its_messages() {
    let text = "topology=xgft,m=16.16.32,w=1.16.16 routing=d_mod_k packet=2KiB \
                exchange=all_to_all bytes=8KiB";
    let setup = of_text(text, 64).expect(text);
    let messages = setup.workload.messages();
    assert_eq!(messages, 8192 * 8191);
    let mut run = Exchanging::new(setup);
    let mut before = 0.0;
    for _ in 0..5 {
        let Progress::Running { share, .. } = run.advance(200_000) else { panic!("it ends") };
        assert!(share > before, "{share}");
        before = share;
    }
    assert!(run.memory().0 < messages, "{:?}", run.memory());
}

/// Fabrics of so many ports that their switches are served in groups.
#[test]
fn larger_fabrics_agree() {
    let tree = "topology=xgft,m=8.8.8,w=1.8.8";
    let dragonfly = "topology=dragonfly,p=4,a=8,h=4";
    let flits = "switching=wormhole,flit=64B";
    for text in [
        &format!("{tree} routing=d_mod_k packet=256B exchange=all_to_all bytes=300B ranks=300"),
        &format!("{tree} routing=dynamic_random packet=2KiB exchange=nearest_neighbor bytes=1B"),
        &format!("{tree} routing=s_mod_k packet=1KiB exchange=broadcast bytes=1MiB"),
        &format!("{dragonfly} packet=512B exchange=all_to_all,acks=no bytes=700B ranks=250"),
        &format!("{dragonfly} packet=1000B exchange=ring,order=random bytes=1MiB ranks=100"),
        &format!("{dragonfly} routing=ugal packet=2KiB exchange=torus_neighbor,widths=10.10.10"),
        &format!(
            "{dragonfly} routing=valiant packet=2KiB exchange=torus_neighbor,widths=8.8.8 \
             bytes=50kB buffer=2KiB,per=vc output_buffer=2KiB"
        ),
        &format!(
            "{dragonfly} exchange=torus_neighbor,widths=10.10.10 bytes=20kB virtual_channels=1 \
             buffer=300B,per=vc output_buffer=300B latency=100ns,endpoint=0ns adapter_latency=0ns"
        ),
        &format!("{tree} routing=d_mod_k {flits} exchange=all_to_all bytes=300B ranks=200"),
        &format!("{dragonfly} routing=ugal {flits} exchange=torus_neighbor,widths=8.8.8 bytes=2kB"),
        &format!(
            "{dragonfly} {flits} exchange=torus_neighbor,widths=8.8.8 bytes=4kB virtual_channels=1 \
             buffer=256B,per=vc output_buffer=256B"
        ),
    ] {
        let setup = of_text(text, 64).expect(text);
        let (report, differ) = agree(&setup, 10_000, text);
        assert!(differ && report.packet_hops > 4_000, "{text}: {}", report.packet_hops);
    }
}
