//! Sorting the little that a chart has.
//!
//! The standard library's sort is compiled anew for every type and comparison, at about six
//! kilobytes of WebAssembly each.

use std::cmp::Ordering;

/// Sorts in place; equal elements keep their order. Made for what is short or nearly in order.
pub(crate) fn sort<T>(elements: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 1..elements.len() {
        let mut place = end;
        while place > 0 && compare(&elements[place - 1], &elements[place]).is_gt() {
            elements.swap(place - 1, place);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library(mut pairs in prop::collection::vec((0..9_u8, any::<u8>()), 0..40)) {
            let mut expected = pairs.clone();
            expected.sort_by_key(|(first, _)| *first);
            sort(&mut pairs, |(one, _), (other, _)| one.cmp(other));
            prop_assert_eq!(pairs, expected);
        }
    }
}
