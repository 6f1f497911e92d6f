//! Nearest-neighbor exchanges on a dragonfly by the documents' model (Prisacari 2020, §5.3 and §5.4).

use super::{built, scenario};

/// Tasks (β), those of a group (γ), then demands (δ) and times in milliseconds: direct, indirect, and
/// direct from random places.
type Line = ([u32; 3], [u32; 3], [f64; 3], [f64; 3]);

/// Recomputed independently from the demand between the groups, with elements of 1 KiB and links of 5 GB/s.
const LINES: [Line; 9] = [
    ([8, 8, 4], [1, 8, 4], [6.4, 0.8258, 11.3615], [53.69, 8.39, 95.31]),
    ([8, 8, 4], [4, 4, 2], [3.2, 0.6194, 11.3615], [26.84, 8.39, 95.31]),
    ([8, 8, 4], [2, 4, 2], [1.6, 0.4129, 2.7188], [13.42, 8.39, 22.81]),
    ([8, 8, 4], [1, 4, 4], [3.2, 0.5161, 2.7188], [26.84, 8.39, 22.81]),
    ([8, 8, 4], [2, 2, 2], [0.8, 0.2581, 0.6971], [8.39, 8.39, 8.39]),
    ([8, 8, 4], [1, 2, 4], [1.6, 0.3097, 0.6971], [13.42, 8.39, 8.39]),
    ([16, 8, 8], [1, 4, 8], [8.0, 1.1613, 2.7884], [26.84, 3.90, 9.36]),
    ([16, 8, 8], [4, 2, 4], [2.0, 0.6452, 2.7884], [6.71, 3.36, 9.36]),
    ([16, 8, 8], [2, 4, 4], [4.0, 0.7742, 2.7884], [13.42, 3.36, 9.36]),
];

fn dotted(widths: [u32; 3]) -> String {
    widths.map(|width| width.to_string()).join(".")
}

#[test]
fn demands_and_times_are_the_documents() {
    for (tasks, block, demands, times) in LINES {
        let (tasks, block) = (dotted(tasks), dotted(block));
        let text = format!(
            "topology=dragonfly,p=4,a=8,h=4 bandwidth=40Gbps routing=minimal \
             exchange=nearest_neighbor,tasks={tasks} placement=blocks,tasks={tasks},block={block}"
        );
        let scenario = scenario(&text);
        let network = scenario.network().unwrap();
        let formulas = scenario.modelled(&network, None).unwrap();
        let value = |name: &str, source: &str| {
            let found = formulas.iter().find(|each| each.name == name).expect(name);
            assert!(found.source.ends_with(source), "{text}: {name} by {}", found.source);
            found.value.expect(name)
        };
        let names = ["direct", "indirect", "direct, random placement"];
        let of_demand = ["Eq. 5.16", "Eq. 5.17", "Eq. 5.20"];
        let of_time = ["Eq. 5.21", "Eq. 5.23", "Eq. 5.25"];
        for (place, name) in names.into_iter().enumerate() {
            let demand = value(&format!("δ {name}"), of_demand[place]);
            assert!((demand - demands[place]).abs() <= 5e-5, "{text}: δ {name} {demand}");
            let time = value(&format!("completion, {name}"), of_time[place]) / 1e6;
            assert!((time - times[place]).abs() <= 5.1e-3, "{text}: {name} {time} ms");
        }
    }
}

/// What all 64 tasks send together, in GiB, by the way the domain is cut; a task sends a 64th.
#[test]
fn volumes_of_64_tasks_are_the_documents() {
    let cuts = [
        ([64, 1, 1], 32),
        ([32, 2, 1], 17),
        ([16, 4, 1], 10),
        ([16, 2, 2], 10),
        ([8, 8, 1], 8),
        ([8, 4, 2], 7),
        ([4, 4, 4], 6),
    ];
    for (tasks, gibibytes) in cuts {
        let text = format!("exchange=nearest_neighbor,tasks={}", dotted(tasks));
        let (scenario, network, exchanging) = built(&text);
        assert_eq!(exchanging.exchanged.workload.bytes().0, gibibytes << 30, "{tasks:?}");
        let formulas = scenario.modelled(&network, None).unwrap();
        let of_task = formulas.iter().find(|each| each.name == "bytes that a task sends (V)");
        let of_task = of_task.and_then(|each| each.value).unwrap();
        assert_eq!(of_task * 64.0, (gibibytes << 30) as f64, "{tasks:?}");
    }
}
