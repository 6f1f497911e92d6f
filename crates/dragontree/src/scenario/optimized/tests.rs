use super::*;
use crate::scenario::Study;

/// The dragonfly of Prisacari 2020, §5.4: 1056 endpoints, links of 5 GB/s.
const FABRIC: &str = "topology=dragonfly,p=4,a=8,h=4 bandwidth=40Gbps";

fn scenario(text: &str) -> Scenario {
    Study::parse(text).unwrap().plan().unwrap().jobs[0].scenario().clone()
}

fn optimized(text: &str, strategies: &[Strategy], keep_tasks: bool) -> Optimized {
    let search = Search { top: 1000, keep_tasks, strategies: strategies.to_vec() };
    scenario(text).optimized(&search).unwrap()
}

/// Whether these are the same tasks and blocks up to the order of dimensions.
fn is(choice: &Choice, tasks: [u32; 3], block: [u32; 3]) -> bool {
    let mut found: Vec<_> = choice.tasks.iter().zip(&choice.block).collect();
    let mut expected: Vec<_> = tasks.iter().zip(&block).collect();
    found.sort();
    expected.sort();
    found == expected
}

/// P-F5.3b: the volume of a task for all ways to cut the domain into 64, from Eq. 5.8.
#[test]
fn volumes_are_those_of_the_document() {
    let text = format!("{FABRIC} exchange=nearest_neighbor,tasks=4.4.4");
    let found = optimized(&text, &[Strategy::BlocksValiant], false);
    let mut volumes = Vec::new();
    for choice in &found.best {
        let each = (choice.tasks.clone(), choice.bytes_per_task >> 20);
        if !volumes.contains(&each) {
            volumes.push(each);
        }
    }
    volumes.sort();
    let expected = [
        ([4, 4, 4], 96),
        ([8, 4, 2], 112),
        ([8, 8, 1], 128),
        ([16, 2, 2], 160),
        ([16, 4, 1], 160),
        ([32, 2, 1], 272),
        ([64, 1, 1], 512),
    ];
    assert_eq!(volumes, expected.map(|(tasks, volume)| (tasks.to_vec(), volume)));
}

/// P-F5.3c: what ends first has the smallest volume; the worst takes more than twice as long.
/// P-F5.3a: the rate that the global links allow ranks the two ends the other way round.
#[test]
fn the_best_of_64_tasks_is_a_cube_and_throughput_ranks_them_in_reverse() {
    let text = format!("{FABRIC} exchange=nearest_neighbor,tasks=64.1.1");
    let found = optimized(&text, &[Strategy::BlocksValiant], false);
    let (best, worst) = (&found.best[0], found.worst.as_ref().unwrap());
    assert_eq!((&best.tasks[..], &worst.tasks[..]), (&[4, 4, 4][..], &[64, 1, 1][..]));
    // Indirect routing loads no global link fully, so that times are as volumes: 512 to 96.
    assert!((found.worth.unwrap() - 512.0 / 96.0).abs() < 1e-12);
    let least = |tasks: &[u32], groups| {
        let each = found.best.iter().chain(&found.worst);
        let each = each.filter(|choice| choice.tasks == tasks && choice.groups == groups);
        each.map(|choice| choice.demand).fold(f64::INFINITY, f64::min)
    };
    for groups in [2, 4, 8, 16, 32] {
        assert!(least(&[64, 1, 1], groups) < least(&[4, 4, 4], groups), "{groups} groups");
    }
}

/// Demands and times on a dragonfly (4, 8, 4), recomputed independently from the demand between the
/// groups; of random placements the mean of a thousand.
#[test]
fn times_are_those_of_the_formulas() {
    let lines = [
        ([8, 8, 4], [1, 8, 4], [53.69, 8.39, 47.07]),
        ([8, 8, 4], [4, 4, 2], [26.84, 8.39, 47.07]),
        ([8, 8, 4], [2, 4, 2], [13.42, 8.39, 18.46]),
        ([8, 8, 4], [1, 4, 4], [26.84, 8.39, 18.46]),
        ([8, 8, 4], [2, 2, 2], [8.39, 8.39, 9.06]),
        ([16, 8, 8], [1, 4, 8], [26.84, 3.90, 8.36]),
        ([16, 8, 8], [4, 2, 4], [6.71, 3.36, 8.36]),
        ([16, 8, 8], [2, 4, 4], [13.42, 3.36, 8.36]),
    ];
    for (tasks, block, expected) in lines {
        let [x, y, z] = tasks;
        let text = format!("{FABRIC} exchange=nearest_neighbor,tasks={x}.{y}.{z}");
        for (strategy, expected) in Strategy::ALL.into_iter().zip(expected) {
            let found = optimized(&text, &[strategy], true);
            let size: u32 = block.iter().product();
            let same = |choice: &&Choice| match strategy {
                Strategy::RandomMinimal => choice.block.iter().product::<u32>() == size,
                _ => is(choice, tasks, block),
            };
            let choice = found.best.iter().find(same).unwrap();
            let time = choice.completion_ns / 1e6;
            let off = if strategy == Strategy::RandomMinimal { 0.05 * expected } else { 0.006 };
            assert!((time - expected).abs() <= off, "{choice:?}, expected {expected}");
        }
    }
}

/// For each task its group, and what each sends to each: a few lines that know no formula.
fn counted(elements: [u32; 2], tasks: [u32; 2], block: [u32; 2]) -> (f64, f64, bool) {
    let groups = (tasks[0] / block[0] * (tasks[1] / block[1])) as usize;
    let group = |x: u32, y: u32| (x / block[0] + y / block[1] * (tasks[0] / block[0])) as usize;
    let sides = [elements[1] / tasks[1], elements[0] / tasks[0]];
    let volume: u32 = (0..2).filter(|k| tasks[*k] > 1).map(|k| 2 * sides[k]).sum();
    let mut sent = vec![vec![0.0; groups]; groups];
    for (x, y) in (0..tasks[0]).flat_map(|x| (0..tasks[1]).map(move |y| (x, y))) {
        for (dx, dy, side) in [(1, 0, 0), (tasks[0] - 1, 0, 0), (0, 1, 1), (0, tasks[1] - 1, 1)] {
            let to = group((x + dx) % tasks[0], (y + dy) % tasks[1]);
            if tasks[side] > 1 && to != group(x, y) {
                sent[group(x, y)][to] += f64::from(sides[side]) / f64::from(volume);
            }
        }
    }
    let direct = sent.iter().flatten().fold(0.0, |most: f64, each| most.max(*each));
    // Nine groups: seven others to go over.
    let mut indirect: f64 = 0.0;
    let mut strangers = false;
    for i in 0..groups {
        for j in (0..groups).filter(|j| *j != i) {
            let out: f64 = (0..groups).filter(|k| *k != j).map(|k| sent[i][k]).sum();
            let into: f64 = (0..groups).filter(|k| *k != i).map(|k| sent[k][j]).sum();
            indirect = indirect.max((out + into) / 7.0);
            strangers |= sent[i][j] == 0.0;
        }
    }
    (direct, indirect, strangers)
}

/// On a dragonfly (2, 4, 2) of nine groups of eight, links of 1 byte in a nanosecond.
#[test]
fn every_choice_is_what_counting_messages_finds() {
    let fabric = "topology=dragonfly,p=2,a=4,h=2 bandwidth=8Gbps,global=2Gbps";
    let exchange = "exchange=nearest_neighbor,elements=24.36,tasks=6.6,per_element=1B";
    let found = optimized(
        &format!("{fabric} {exchange}"),
        &[Strategy::BlocksMinimal, Strategy::BlocksValiant],
        false,
    );
    let (mut count, mut least, mut most) = (0, f64::INFINITY, 0.0_f64);
    for (x, y) in (1..=24).flat_map(|x| (1..=36).map(move |y| (x, y))) {
        if x * y != 36 || 24 % x != 0 || 36 % y != 0 {
            continue;
        }
        for (u, v) in (1..=x).flat_map(|u| (1..=y).map(move |v| (u, v))) {
            if x % u != 0 || y % v != 0 || u * v > 8 || 36 / (u * v) > 9 {
                continue;
            }
            let (direct, indirect, strangers) = counted([24, 36], [x, y], [u, v]);
            let volume =
                if x > 1 { 2 * (36 / y) } else { 0 } + if y > 1 { 2 * (24 / x) } else { 0 };
            let chosen = |strategy| {
                let same = |choice: &&Choice| {
                    choice.strategy == strategy && choice.tasks == [x, y] && choice.block == [u, v]
                };
                found.best.iter().find(same).unwrap()
            };
            let minimal = chosen(Strategy::BlocksMinimal);
            assert!((minimal.demand - direct).abs() < 1e-12, "{minimal:?}, counted {direct}");
            let time = f64::from(volume) * (direct * 4.0).max(1.0);
            assert!((minimal.completion_ns - time).abs() < 1e-9, "{minimal:?}, counted {time}");
            let valiant = chosen(Strategy::BlocksValiant);
            // Eq. 5.17 says too much where all groups exchange something (§5.3.4).
            let exact = (valiant.demand - indirect).abs() < 1e-12;
            assert!(exact || !strangers && valiant.demand > indirect, "{valiant:?}, {indirect}");
            for choice in [minimal, valiant] {
                least = least.min(choice.completion_ns);
                most = most.max(choice.completion_ns);
            }
            count += 2;
        }
    }
    assert_eq!((found.compared, found.best.len()), (count, count as usize));
    assert_eq!(found.best[0].completion_ns, least);
    assert_eq!(found.worst.unwrap().completion_ns, most);
    assert!(found.best.is_sorted_by(|one, other| better(one, other).is_lt()));
}

#[test]
fn every_text_is_an_experiment_that_can_be_built() {
    let text = "topology=dragonfly,p=2,a=4,h=2 exchange=nearest_neighbor,elements=16.16.16,\
                tasks=4.4.2 seed=7";
    let found = optimized(text, &Strategy::ALL, false);
    for choice in found.best.iter().chain(&found.worst) {
        let scenario = scenario(&choice.text);
        let network = scenario.network().unwrap();
        let exchanging = scenario.exchanging(&network).unwrap().unwrap();
        assert_eq!(exchanging.placement.len(), 32, "{}", choice.text);
        let sent = exchanging.exchanged.workload.bytes().0;
        assert_eq!(sent, 32 * choice.bytes_per_task, "{}", choice.text);
        assert_eq!(scenario.seed, 7);
        assert!(!choice.text.contains("load="), "{}", choice.text);
        let routed = scenario.routing.name();
        assert_eq!(routed == "valiant", choice.strategy == Strategy::BlocksValiant);
    }
}

#[test]
fn what_cannot_be_optimized_is_refused_in_one_sentence() {
    let neighbors = "exchange=nearest_neighbor";
    for (text, expected) in [
        ("topology=dragonfly", "exchange: “none” was given"),
        (&format!("{neighbors} topology=torus"), "topology: “torus” was given"),
        (&format!("{neighbors} faults=random"), "faults: “random” was given"),
        (&format!("{neighbors} ranks_per_endpoint=2"), "ranks_per_endpoint: “2” was given"),
        (&format!("{neighbors} traffic=shift"), "traffic: “shift” was given"),
        (
            &format!("{neighbors},tasks=16.16.16"),
            "tasks: “16.16.16” was given; 4096 tasks, allowed",
        ),
        (&format!("{neighbors},tasks=3.1.1"), "tasks: “3.1.1” was given; 3 does not divide"),
        (
            "topology=dragonfly,p=8,a=16,h=8 exchange=nearest_neighbor,tasks=4.4.4.4.4.4.4,\
             elements=16.16.16.16.16.16.16,per_element=1B",
            "allowed: fewer tasks or dimensions",
        ),
    ] {
        let problems = scenario(text).optimizer(&Search::default()).unwrap_err();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].to_string().contains(expected), "{}", problems[0]);
    }
}
