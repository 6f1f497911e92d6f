//! What pairs alone give.

use proptest::prelude::*;

use super::Shape;
use super::instance::Instance;
use super::layers::{Effort, Layers};
use crate::network::EndpointId;
use crate::random::Stream;
use crate::routing::Pair;

const TREES: [(&[u32], &[u32]); 8] = [
    (&[4, 4, 4], &[1, 2, 2]),
    (&[2, 2, 2, 2], &[1, 2, 2, 1]),
    (&[3, 4, 5], &[2, 3, 3]),
    (&[6, 6, 3], &[1, 6, 5]),
    (&[5, 5, 5], &[1, 3, 7]),
    (&[4, 6, 4], &[1, 15, 2]),
    (&[4, 4, 4, 4], &[1, 3, 3, 3]),
    (&[9, 9], &[2, 12]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    /// No link of an arc carries more than the messages that have their end below it, over its
    /// links, rounded up: all of them are spread evenly, those that turn below included.
    #[test]
    fn pairs_keep_to_what_is_known_of_each_arc(which in 0..TREES.len(), seed: u64, count in 1..500_u32) {
        let (children, parents) = TREES[which];
        let shape = Shape::new(children, parents).expect("a tree");
        let mut stream = Stream::new(seed, "test", 0);
        let mut end = || EndpointId(stream.below(shape.leaves()));
        let messages = (0..count).map(|_| Pair { source: end(), destination: end() }).collect();
        let instance = Instance::new(shape, messages).expect("leaves of the tree");
        let is_random = seed.is_multiple_of(2);
        let effort = Effort { weights: [0; 3], rounds: 0, retries: 0, is_random };
        let mut layers = Layers::new(&instance, effort, Stream::new(seed, "test", 1));
        while !layers.step(&instance) {}
        let worst = instance.worst(&layers.digits);
        for level in 0..instance.levels() {
            for arc in instance.crossings.of_level(level) {
                let links = instance.shape.links(level);
                prop_assert!(worst[arc] <= instance.crossings.ends[arc].div_ceil(links));
            }
        }
    }
}
