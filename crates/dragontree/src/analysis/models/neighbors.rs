//! Nearest-neighbor exchanges on dragonflies (Prisacari 2020, §5.3).

use crate::random::Stream;

/// How the tasks of a domain lie in a dragonfly: so many along each dimension, of which so many in each
/// group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks<'a> {
    /// Elements of the domain along each dimension (α).
    pub elements: &'a [u32],
    /// Tasks along each dimension (β).
    pub tasks: &'a [u32],
    /// Tasks of a group along each dimension (γ).
    pub per_group: &'a [u32],
}

/// For each dimension the share of what a task sends that goes to one neighbor along it (Prisacari 2020,
/// Eq. 5.10); 0 along dimensions of a single task.
pub fn message_shares(elements: &[u32], tasks: &[u32]) -> Vec<f64> {
    let weight = |(elements, tasks): (&u32, &u32)| match tasks {
        1 => 0.0,
        tasks => f64::from(*tasks) / f64::from(*elements),
    };
    let weights: Vec<f64> = elements.iter().zip(tasks).map(weight).collect();
    let sum: f64 = 2.0 * weights.iter().sum::<f64>();
    weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
}

impl Blocks<'_> {
    /// Groups along each dimension (λ).
    fn groups(&self) -> impl Iterator<Item = u32> {
        self.tasks.iter().zip(self.per_group).map(|(tasks, of_group)| tasks.div_ceil(*of_group))
    }

    /// For each dimension the tasks on one side of a group's block, times the share that each sends on.
    fn sides(&self) -> impl Iterator<Item = f64> {
        let tasks: f64 = self.per_group.iter().map(|each| f64::from(*each)).product();
        let shares = message_shares(self.elements, self.tasks);
        let per_group = self.per_group.iter();
        shares.into_iter().zip(per_group).map(move |(share, own)| tasks / f64::from(*own) * share)
    }

    /// The largest demand on the global link between two groups under minimal routing, in units of what a
    /// task sends (Prisacari 2020, Eq. 5.16).
    pub fn direct_demand(&self) -> f64 {
        let each = self.groups().zip(self.sides()).map(|(groups, side)| match groups {
            1 => 0.0,
            2 => 2.0 * side,
            _ => side,
        });
        each.fold(0.0, f64::max)
    }

    /// The same under Valiant routing over a random group, of which the dragonfly has `a·h + 1`
    /// (Prisacari 2020, Eq. 5.17); exact unless every two groups exchange something.
    pub fn indirect_demand(&self, others: u32) -> f64 {
        let sides = self.groups().zip(self.sides()).filter(|(groups, _)| *groups > 1);
        // The sum of nothing is −0.
        4.0 * sides.map(|(_, side)| side).sum::<f64>().max(0.0)
            / f64::from(others.saturating_sub(1))
    }
}

/// The largest demand with tasks placed at random, as the document models it: `|γ|/|λ|·ln|λ|/ln ln|λ|`
/// (Prisacari 2020, Eq. 5.20), for `per_group` tasks in each of `groups` groups. None for three groups
/// and fewer, where the formula has no value or none that means anything.
pub fn random_demand(per_group: u32, groups: u32) -> Option<f64> {
    if groups <= 3 {
        return None;
    }
    let logarithm = libm::log(f64::from(groups));
    Some(f64::from(per_group) / f64::from(groups) * logarithm / libm::log(logarithm))
}

/// The largest demand from one group on another (Prisacari 2020, Eqs. 5.2 and 5.4), and under Valiant
/// routing over a random other group (Eqs. 5.3 and 5.9, without what stays in a group): `messages` are
/// (source, destination, bytes), `group` has the group of each task, of which there are `groups`.
pub fn demand(messages: &[(u32, u32, u64)], group: &[u32], groups: u32) -> [f64; 2] {
    let mut sent = vec![0_u64; group.len()];
    messages.iter().for_each(|(source, _, bytes)| sent[*source as usize] += bytes);
    let count = groups as usize;
    let mut direct = vec![0.0; count * count];
    for (source, destination, bytes) in messages {
        let [from, to] = [source, destination].map(|task| group[*task as usize] as usize);
        if from != to {
            direct[from * count + to] += *bytes as f64 / sent[*source as usize] as f64;
        }
    }
    let out: Vec<f64> = direct.chunks(count).map(|row| row.iter().sum()).collect();
    let into: Vec<f64> = (0..count).map(|to| direct.iter().skip(to).step_by(count).sum()).collect();
    let others = f64::from(groups.saturating_sub(2).max(1));
    let (mut most, mut most_indirect) = (0.0, 0.0);
    for from in 0..count {
        for to in (0..count).filter(|to| *to != from) {
            let own = direct[from * count + to];
            most = f64::max(most, own);
            most_indirect = f64::max(most_indirect, (out[from] + into[to] - 2.0 * own) / others);
        }
    }
    [most, most_indirect]
}

/// The largest demand from one group on another (Prisacari 2020, Eqs. 5.2 and 5.4), as the first of
/// [`demand`], for any number of groups.
fn direct_demand(messages: &[(u32, u32, u64)], sent: &[u64], group: &[u32]) -> f64 {
    let between = |(source, destination, bytes): &(u32, u32, u64)| {
        let [from, to] = [source, destination].map(|task| group[*task as usize]);
        let share = *bytes as f64 / sent[*source as usize] as f64;
        (from != to).then_some(((from, to), share))
    };
    let mut demands: Vec<((u32, u32), f64)> = messages.iter().filter_map(between).collect();
    demands.sort_by_key(|(groups, _)| *groups);
    let of_pairs = demands.chunk_by(|one, other| one.0 == other.0);
    of_pairs.map(|pair| pair.iter().map(|(_, share)| share).sum()).fold(0.0, f64::max)
}

/// The mean of the largest demand over random placements, each of which puts as many tasks in each
/// group as `group`, the groups of the tasks: what [`random_demand`] models.
pub fn shuffled_demand(
    messages: &[(u32, u32, u64)],
    group: &[u32],
    seeds: std::ops::Range<u64>,
) -> f64 {
    let mut sent = vec![0_u64; group.len()];
    messages.iter().for_each(|(source, _, bytes)| sent[*source as usize] += bytes);
    let count = (seeds.end - seeds.start) as f64;
    let of = |seed: u64| {
        let mut group = group.to_vec();
        Stream::new(seed, "demand", 0).shuffle(&mut group);
        direct_demand(messages, &sent, &group)
    };
    seeds.map(of).sum::<f64>() / count
}

/// The rate at which a task can send, in units of its link's, where the global links have `global` times
/// that (Prisacari 2020, Eq. 5.21).
pub fn effective_bandwidth(demand: f64, global: f64) -> f64 {
    if demand > 0.0 { (global / demand).min(1.0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages of a torus of tasks whose first coordinate runs fastest.
    fn torus(elements: &[u32], tasks: &[u32]) -> Vec<(u32, u32, u64)> {
        let count: u32 = tasks.iter().product();
        let mut messages = Vec::new();
        let mut stride = 1;
        for (own, width) in tasks.iter().enumerate() {
            let area = (0..tasks.len()).filter(|other| *other != own);
            let bytes = area.map(|k| u64::from(elements[k] / tasks[k])).product::<u64>() * 1024;
            for task in (0..count).filter(|_| *width > 1) {
                let place = task / stride % width;
                for by in [1, width - 1] {
                    let to = task - place * stride + (place + by) % width * stride;
                    messages.push((task, to, bytes));
                }
            }
            stride *= width;
        }
        messages
    }

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
    }

    const ELEMENTS: &[u32] = &[512; 3];

    /// Tasks per group, then the demand under minimal and Valiant routing, and that of the
    /// random model.
    type Line = ([u32; 3], f64, f64, Option<f64>);

    /// On a dragonfly (4, 8, 4), recomputed independently from the demand between the groups.
    const NARROW: &[Line] = &[
        ([1, 8, 4], 6.4, 0.8258, Some(11.3615)),
        ([4, 4, 2], 3.2, 0.6194, Some(11.3615)),
        ([2, 4, 2], 1.6, 0.4129, Some(2.7188)),
        ([1, 4, 4], 3.2, 0.5161, Some(2.7188)),
        ([2, 2, 2], 0.8, 0.2581, Some(0.6971)),
        ([1, 2, 4], 1.6, 0.3097, Some(0.6971)),
    ];
    const WIDE: &[Line] = &[
        ([1, 4, 8], 8.0, 1.1613, Some(2.7884)),
        ([4, 2, 4], 2.0, 0.6452, Some(2.7884)),
        ([2, 4, 4], 4.0, 0.7742, Some(2.7884)),
    ];

    #[test]
    fn demands_of_blocks_are_those_of_the_formulas_and_of_their_messages() {
        for (tasks, lines) in [([8, 8, 4], NARROW), ([16, 8, 8], WIDE)] {
            let messages = torus(ELEMENTS, &tasks);
            for (per_group, direct, indirect, random) in lines {
                let blocks = Blocks { elements: ELEMENTS, tasks: &tasks, per_group };
                near(blocks.direct_demand(), *direct, 5e-5);
                near(blocks.indirect_demand(32), *indirect, 5e-5);
                let groups: Vec<u32> = blocks.groups().collect();
                let found = random_demand(per_group.iter().product(), groups.iter().product());
                near(found.unwrap_or(0.0), random.unwrap_or(0.0), 5e-5);
                let group = |task: u32| {
                    let at =
                        [task % tasks[0], task / tasks[0] % tasks[1], task / tasks[0] / tasks[1]];
                    let block: Vec<u32> = at.iter().zip(per_group).map(|(x, by)| x / by).collect();
                    block[0] + groups[0] * (block[1] + groups[1] * block[2])
                };
                let group: Vec<u32> = (0..tasks.iter().product()).map(group).collect();
                let [by_messages, by_valiant] = demand(&messages, &group, 33);
                near(by_messages, *direct, 1e-9);
                near(by_valiant, *indirect, 5e-5);
            }
        }
    }

    #[test]
    fn shares_are_those_of_the_surfaces() {
        assert_eq!(message_shares(ELEMENTS, &[8, 8, 4]), [0.2, 0.2, 0.1]);
        assert_eq!(message_shares(ELEMENTS, &[16, 8, 8]), [0.25, 0.125, 0.125]);
        assert_eq!(message_shares(ELEMENTS, &[1, 1, 1]), [0.0; 3]);
    }

    /// Means of 30 random placements, found independently, so that they vary by a few percent; of more here,
    /// so that these do not.
    #[test]
    fn random_placements_have_the_demand_that_others_found() {
        let lines: [([u32; 3], u32, f64); 9] = [
            ([8, 8, 4], 32, 5.61),
            ([8, 8, 4], 16, 2.20),
            ([8, 8, 4], 8, 1.08),
            ([16, 8, 8], 32, 2.49),
            ([4, 4, 4], 32, 16.3),
            ([4, 4, 4], 16, 4.76),
            ([4, 4, 4], 8, 1.73),
            ([4, 4, 4], 4, 0.83),
            ([4, 4, 4], 2, 0.44),
        ];
        for (tasks, per_group, expected) in lines {
            let messages = torus(ELEMENTS, &tasks);
            let count: u32 = tasks.iter().product();
            let group: Vec<u32> = (0..count).map(|task| task / per_group).collect();
            let found = shuffled_demand(&messages, &group, 0..1000);
            near(found, expected, 0.05 * expected);
        }
        assert_eq!(random_demand(32, 2), None);
        for (per_group, groups, expected) in
            [(16, 4, 16.98), (8, 8, 2.84), (4, 16, 0.68), (2, 32, 0.17)]
        {
            near(random_demand(per_group, groups).unwrap_or(0.0), expected, 0.005);
        }
    }
}
