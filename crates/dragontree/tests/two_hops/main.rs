//! Minimal and Valiant routing over groups and where switches are at most two hops apart: against
//! brute force on small networks, closed forms, and numbers of others.

use std::collections::BTreeMap;

use dragontree::analysis::{Step, paths};
use dragontree::network::{EndpointId, Network, Node, PortId, SwitchId};
use dragontree::routing::{Oblivious, Pair};
use dragontree::scenario::{Experiment, Study};

mod halves;
mod minimal;
mod ugal;
mod valiant;

fn experiment(text: &str) -> Experiment {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    Experiment::build(plan.jobs[0].scenario(), None).unwrap_or_else(|all| panic!("{text}: {all:?}"))
}

fn oblivious(experiment: &Experiment) -> &dyn Oblivious {
    experiment.routes().fixed().expect("fixed routes").oblivious()
}

/// Networks small enough for every pair of endpoints to be looked at.
const SMALL: &[&str] = &[
    "slim_fly,q=3",
    "slim_fly,q=4",
    "slim_fly,q=5",
    "hyperx,widths=4.3,p=2",
    "hyperx,widths=6,p=2",
    "mlfm,h=3",
    "mlfm,h=2,l=4,p=1",
    "oft,k=3",
    "sspt,r1=6,r2=3",
    "torus,widths=3.3,p=1",
    "torus,widths=5,p=2",
    "mesh,widths=2.2,p=2",
    "mesh,widths=3,p=1",
    "xgft,m=4.3,w=1.2",
    // Two parallel links between a leaf and each of its parents, and one switch for all.
    "xgft,m=4.3,w=1.2,p=1.2",
    "xgft,m=5,w=1",
];

/// Every way of at most two hops between two switches, each with its probability: the direct
/// links alike, else the switches in between alike, and of parallel links each alike.
fn ways(network: &Network, from: SwitchId, to: SwitchId) -> BTreeMap<Vec<PortId>, f64> {
    let out = |from: SwitchId| {
        let ports = network.ports(Node::Switch(from)).map(PortId);
        ports.filter_map(|port| match network.neighbor(port) {
            Some(Node::Switch(neighbor)) => Some((port, neighbor)),
            _ => None,
        })
    };
    let between = |from, to| out(from).filter(move |(_, end)| *end == to).map(|(port, _)| port);
    if from == to {
        return BTreeMap::from([(Vec::new(), 1.0)]);
    }
    let direct: Vec<PortId> = between(from, to).collect();
    if !direct.is_empty() {
        let share = 1.0 / direct.len() as f64;
        return direct.into_iter().map(|port| (vec![port], share)).collect();
    }
    let mut middles: Vec<SwitchId> = out(from).map(|(_, middle)| middle).collect();
    middles.sort();
    middles.dedup();
    middles.retain(|middle| between(*middle, to).next().is_some());
    let mut ways = BTreeMap::new();
    for middle in &middles {
        let [first, second] = [between(from, *middle), between(*middle, to)].map(Iterator::collect);
        let (first, second): (Vec<PortId>, Vec<PortId>) = (first, second);
        let share = 1.0 / (middles.len() * first.len() * second.len()) as f64;
        for port in first {
            ways.extend(second.iter().map(|last| (vec![port, *last], share)));
        }
    }
    ways
}

/// The paths of a pair without their ends, each with its probability; none when there is no route.
fn found(experiment: &Experiment, pair: Pair) -> Option<BTreeMap<Vec<PortId>, f64>> {
    let network = experiment.network();
    let mut ways = BTreeMap::new();
    let walked = paths(network, oblivious(experiment), pair, &mut |path: &[Step], share| {
        let ports: Vec<PortId> = path.iter().map(|step| step.port).collect();
        assert_eq!(network.injection(pair.source), Some(ports[0]));
        let middle = ports[1..ports.len() - 1].to_vec();
        *ways.entry(middle).or_default() += share;
    });
    walked.ok().map(|()| ways)
}

fn pairs(network: &Network) -> impl Iterator<Item = Pair> + use<'_> {
    let endpoints = network.endpoints();
    endpoints.flat_map(|source| {
        let others = network.endpoints().filter(move |other| *other != source);
        others.map(move |destination| Pair { source, destination })
    })
}

fn switch_of(network: &Network, endpoint: EndpointId) -> SwitchId {
    network.switch_of(endpoint).expect("a cabled endpoint")
}

/// What is wrong with a study's only run.
fn refusal(text: &str) -> String {
    let plan = Study::parse(text).expect("a study").plan().expect("a plan");
    let problems = Experiment::build(plan.jobs[0].scenario(), None).err().expect(text);
    problems[0].to_string()
}

/// Whether the channels of a routing wait for each other in a cycle, with virtual channels merged as
/// told.
fn is_cyclic(experiment: &Experiment, merged: &dyn Fn(PortId, u8) -> u8) -> bool {
    let network = experiment.network();
    let mut after: BTreeMap<(u32, u8), Vec<(u32, u8)>> = BTreeMap::new();
    for pair in pairs(network) {
        let walked = paths(network, oblivious(experiment), pair, &mut |path, _| {
            let step = |step: &Step| (step.port.0, merged(step.port, step.vc));
            for two in path.windows(2) {
                after.entry(step(&two[0])).or_default().push(step(&two[1]));
            }
        });
        walked.expect("a route");
    }
    closes_a_cycle(after)
}

/// Whether channels wait for each other in a cycle, by what each waits for.
fn closes_a_cycle(mut after: BTreeMap<(u32, u8), Vec<(u32, u8)>>) -> bool {
    // Take away what waits for nothing, until nothing is left or everything waits.
    let mut waiting: BTreeMap<(u32, u8), usize> = BTreeMap::new();
    let mut before: BTreeMap<(u32, u8), Vec<(u32, u8)>> = BTreeMap::new();
    for (holds, needs) in &mut after {
        needs.sort();
        needs.dedup();
        waiting.insert(*holds, needs.len());
        for each in needs {
            before.entry(*each).or_default().push(*holds);
        }
    }
    let mut free: Vec<(u32, u8)> =
        before.keys().filter(|each| !waiting.contains_key(each)).copied().collect();
    while let Some(done) = free.pop() {
        waiting.remove(&done);
        for holds in before.get(&done).into_iter().flatten() {
            let left = waiting.get_mut(holds).expect("it waits for one more");
            *left -= 1;
            if *left == 0 {
                free.push(*holds);
            }
        }
    }
    !waiting.is_empty()
}
