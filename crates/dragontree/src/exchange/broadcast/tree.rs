//! K-nomial trees: who passes a broadcast on to whom (Subramoni et al. 2011, §II).

/// The children of a rank in a k-nomial tree of `count` ranks under rank 0, in the order in which they
/// are sent to: `r + m·k^l`, for `k^l` below the place of r's lowest digit that is not 0, largest first.
pub(super) fn children(rank: u32, k: u32, count: u32) -> Vec<u32> {
    let mut weights = Vec::new();
    let mut weight: u32 = 1;
    while weight < count && (rank / weight).is_multiple_of(k) {
        weights.push(weight);
        match weight.checked_mul(k) {
            Some(next) => weight = next,
            None => break,
        }
    }
    let mut all = Vec::new();
    for weight in weights.into_iter().rev() {
        let each = (1..k).map_while(|m| rank.checked_add(m.checked_mul(weight)?));
        all.extend(each.take_while(|child| *child < count));
    }
    all
}

/// Who passes the message on to whom, by places counted from the root.
pub(super) struct Tree {
    /// For each place the one that it gets the message from.
    pub parent: Vec<u32>,
    /// The places breadth first, children in the order in which they are sent to.
    pub order: Vec<u32>,
    /// For each place when it gets the message if each sending takes one round.
    pub round: Vec<u32>,
    k: u32,
}

impl Tree {
    pub fn new(k: u32, count: u32) -> Tree {
        let nowhere = vec![0; count as usize];
        let mut tree = Tree { parent: nowhere.clone(), order: vec![0], round: nowhere, k };
        let mut next = 0;
        while let Some(place) = tree.order.get(next).copied() {
            next += 1;
            let rounds = tree.round[place as usize] + 1..;
            for (round, child) in rounds.zip(children(place, k, count)) {
                tree.parent[child as usize] = place;
                tree.round[child as usize] = round;
                tree.order.push(child);
            }
        }
        tree
    }

    /// The number of places.
    pub fn count(&self) -> u32 {
        self.parent.len() as u32
    }

    /// The places depth first, children in the order in which they are sent to.
    pub fn depth_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.parent.len());
        let mut left = vec![0];
        while let Some(place) = left.pop() {
            order.push(place);
            left.extend(children(place, self.k, self.count()).into_iter().rev());
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Subramoni et al. 2011, Fig. 3.
    #[test]
    fn the_tree_of_32_ranks_in_base_4_is_the_printed_one() {
        assert_eq!(children(0, 4, 32), [16, 4, 8, 12, 1, 2, 3]);
        assert_eq!(children(16, 4, 32), [20, 24, 28, 17, 18, 19]);
        assert_eq!(children(4, 4, 32), [5, 6, 7]);
        assert_eq!(children(20, 4, 32), [21, 22, 23]);
        assert_eq!(children(5, 4, 32), [0; 0]);
        // With unit cost per sending, the last rank has it after seven of them.
        assert_eq!(Tree::new(4, 32).round.iter().max(), Some(&7));
    }

    /// Recomputed by hand from Fig. 3.
    #[test]
    fn the_tree_of_32_ranks_is_visited_breadth_first_and_depth_first() {
        let tree = Tree::new(4, 32);
        let breadth = [
            0, 16, 4, 8, 12, 1, 2, 3, 20, 24, 28, 17, 18, 19, 5, 6, 7, 9, 10, 11, 13, 14, 15, 21,
            22, 23, 25, 26, 27, 29, 30, 31,
        ];
        let depth = [
            0, 16, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 17, 18, 19, 4, 5, 6, 7, 8, 9,
            10, 11, 12, 13, 14, 15, 1, 2, 3,
        ];
        assert_eq!(tree.order, breadth);
        assert_eq!(tree.depth_first(), depth);
    }
}
