//! Who takes part in a broadcast between endpoints (Subramoni et al. 2011, §III-C).

use super::super::Site;
use super::Between;
use crate::network::EndpointId;

/// The ranks among which a broadcast goes through the network, from the root on around to the one before
/// it.
pub(super) struct Leaders {
    ranks: Vec<u32>,
    /// The endpoint of each.
    pub endpoints: Vec<EndpointId>,
    /// For each rank that is a leader, the other ranks of its endpoint.
    mates: Vec<Vec<u32>>,
}

impl Leaders {
    /// All ranks, or one of each endpoint: the root, and elsewhere the first rank.
    pub fn new(site: Site<'_>, root: u32, between: Between) -> Leaders {
        let at: Vec<EndpointId> = site.placement.iter().copied().flatten().collect();
        let mut leader_of: Vec<Option<u32>> = vec![None; site.network.endpoint_count() as usize];
        let mut mates = vec![Vec::new(); at.len()];
        let mut ranks = Vec::new();
        let all = 0..at.len() as u32;
        for rank in std::iter::once(root).chain(all.filter(|rank| *rank != root)) {
            let leader = &mut leader_of[at[rank as usize].index()];
            match leader.filter(|_| between == Between::Leaders) {
                Some(leader) => mates[leader as usize].push(rank),
                None => {
                    *leader = Some(rank);
                    ranks.push(rank);
                }
            }
        }
        ranks.sort_unstable();
        let before = ranks.partition_point(|rank| *rank < root);
        ranks.rotate_left(before);
        let endpoints = ranks.iter().map(|rank| at[*rank as usize]).collect();
        Leaders { ranks, endpoints, mates }
    }

    /// How many they are.
    pub fn count(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// The rank of one.
    pub fn rank(&self, leader: u32) -> u32 {
        self.ranks[leader as usize]
    }

    /// The other ranks of its endpoint.
    pub fn mates(&self, rank: u32) -> &[u32] {
        &self.mates[rank as usize]
    }
}
