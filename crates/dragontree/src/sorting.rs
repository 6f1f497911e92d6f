//! Sorting by whole numbers.
//!
//! The standard library's sort is compiled anew for every type and comparison, at about six
//! kilobytes of WebAssembly each. Here it is compiled once; what is sorted is moved afterwards.

use std::collections::BinaryHeap;

/// Sorts by a number, the smallest first; elements with the same number keep their order.
///
/// Slices of more than `u32::MAX` elements are left as they are; none is that long.
pub fn sort_by_number<T>(elements: &mut [T], number: impl Fn(&T) -> u128) {
    let count = u32::try_from(elements.len()).unwrap_or(0);
    let mut order: Vec<(u128, u32)> =
        elements.iter().zip(0..count).map(|(element, place)| (number(element), place)).collect();
    sort(&mut order);
    for place in 0..order.len() {
        // Where the element that belongs here has been moved to by now.
        let mut from = order[place].1 as usize;
        while from < place {
            from = order[from].1 as usize;
        }
        order[place].1 = from as u32;
        elements.swap(place, from);
    }
}

/// Two numbers as one that is in the order of the first, then of the second.
pub fn both(first: u64, second: u64) -> u128 {
    u128::from(first) << 64 | u128::from(second)
}

#[inline(never)]
fn sort(order: &mut Vec<(u128, u32)>) {
    match cfg!(feature = "complete") {
        true => order.sort_unstable(),
        // In the page's first load, where sorting takes little of the time.
        false => sort_with_little_code(order),
    }
}

fn sort_with_little_code(order: &mut Vec<(u128, u32)>) {
    *order = BinaryHeap::from(std::mem::take(order)).into_sorted_vec();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Each step is told where its element went, so that none goes through all earlier ones.
    #[test]
    fn the_last_that_belongs_first_costs_no_more() {
        let count = 1_000_000_u64;
        let mut numbers: Vec<u64> = (1..count).chain([0]).collect();
        sort_by_number(&mut numbers, |number| u128::from(*number));
        assert!(numbers.into_iter().eq(0..count));
    }

    proptest! {
        #[test]
        fn little_code_sorts_as_much_does(mut order in prop::collection::vec((0..9_u128, any::<u32>()), 0..60)) {
            let mut expected = order.clone();
            expected.sort_unstable();
            sort_with_little_code(&mut order);
            prop_assert_eq!(order, expected);
        }

        #[test]
        fn it_sorts_as_the_standard_library(mut pairs in prop::collection::vec((0..9_u64, 0..9_u64, any::<u8>()), 0..60)) {
            let mut expected = pairs.clone();
            expected.sort_by_key(|(first, second, _)| (*first, *second));
            sort_by_number(&mut pairs, |(first, second, _)| both(*first, *second));
            prop_assert_eq!(pairs, expected);
        }
    }
}
