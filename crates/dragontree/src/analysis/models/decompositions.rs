//! The ways to cut a domain into tasks and tasks into the blocks of groups (Prisacari 2020, §5.3.5).

/// The divisors of a number, ascending.
fn divisors(number: u32) -> Vec<u32> {
    let small = (1..=number.isqrt()).filter(|divisor| number.is_multiple_of(*divisor));
    let mut all: Vec<u32> = small.flat_map(|divisor| [divisor, number / divisor]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Every ordered way to cut a domain into so many tasks (β), each number dividing the domain's
/// elements along its dimension (α), in lexicographic order. None where looking for them takes more
/// than `steps` steps.
pub fn decompositions(elements: &[u32], tasks: u64, steps: u64) -> Option<Vec<Vec<u32>>> {
    let mut widths: Vec<Vec<u32>> = elements.iter().map(|own| divisors(*own)).collect();
    widths.iter_mut().for_each(|all| all.retain(|own| tasks.is_multiple_of(u64::from(*own))));
    let mut begun: Vec<(Vec<u32>, u64)> = vec![(Vec::new(), tasks)];
    let mut taken = 0;
    for widths in &widths {
        let mut longer = Vec::new();
        for (list, left) in &begun {
            taken += widths.len() as u64;
            if taken > steps {
                return None;
            }
            for width in widths.iter().filter(|width| left.is_multiple_of(u64::from(**width))) {
                let list: Vec<u32> = list.iter().copied().chain([*width]).collect();
                longer.push((list, left / u64::from(*width)));
            }
        }
        begun = longer;
    }
    Some(begun.into_iter().filter(|(_, left)| *left == 1).map(|(list, _)| list).collect())
}

/// How many blocks [`blocks_of`] tries for these tasks.
pub fn blocks_tried(tasks: &[u32]) -> u64 {
    let each = tasks.iter().map(|tasks| divisors(*tasks).len() as u64);
    each.fold(1, u64::saturating_mul)
}

/// Every block of a group (γ) that divides the tasks along each dimension (β), has up to `room` tasks
/// and leaves up to `groups` blocks, in lexicographic order.
pub fn blocks_of(tasks: &[u32], room: u64, groups: u64) -> Vec<Vec<u32>> {
    let mut blocks: Vec<(Vec<u32>, u64)> = vec![(Vec::new(), 1)];
    for tasks in tasks {
        let widths = divisors(*tasks);
        let longer = |(block, size): &(Vec<u32>, u64)| {
            let fits = widths.iter().filter(|width| size * u64::from(**width) <= room);
            let each = fits.map(|width| {
                let block: Vec<u32> = block.iter().copied().chain([*width]).collect();
                (block, size * u64::from(*width))
            });
            each.collect::<Vec<_>>()
        };
        blocks = blocks.iter().flat_map(longer).collect();
    }
    let count: u64 = tasks.iter().map(|tasks| u64::from(*tasks)).product();
    let fits = |(block, size): (Vec<u32>, u64)| (count / size <= groups).then_some(block);
    blocks.into_iter().filter_map(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What three loops find.
    #[test]
    fn all_decompositions_and_blocks_are_found() {
        let elements = [12, 18, 8];
        for count in 1..=64_u32 {
            let mut expected = Vec::new();
            for x in 1..=12 {
                for y in 1..=18 {
                    for z in 1..=8 {
                        let divides = 12 % x == 0 && 18 % y == 0 && 8 % z == 0;
                        if x * y * z == count && divides {
                            expected.push(vec![x, y, z]);
                        }
                    }
                }
            }
            assert_eq!(decompositions(&elements, count.into(), 10_000), Some(expected));
        }
        let mut expected = Vec::new();
        for x in [1, 2, 3, 6] {
            for y in [1, 2, 4] {
                if x * y <= 8 && 24 / (x * y) <= 5 {
                    expected.push(vec![x, y]);
                }
            }
        }
        assert_eq!(blocks_of(&[6, 4], 8, 5), expected);
        assert_eq!(blocks_tried(&[6, 4]), 12);
    }

    #[test]
    fn a_search_that_is_too_long_is_none() {
        assert_eq!(decompositions(&[720_720; 8], 720_720, 10_000), None);
    }
}
