//! Dragonflies with a name, and the balanced ones.

use super::{Dragonfly, LocalLinks, Wiring};
use crate::topology::size::{Member, Presets};

pub(super) const PRESETS: Presets<Dragonfly> = Presets {
    words: &[
        ("none", "None"),
        ("prisacari_2_4_2", "(2, 4, 2): 72 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_2_3_2", "(2, 3, 2): 42 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_2_5_2", "(2, 5, 2): 110 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_3_6_3", "(3, 6, 3): 342 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_3_5_3", "(3, 5, 3): 240 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_3_7_3", "(3, 7, 3): 462 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_4_8_4", "(4, 8, 4): 1056 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_4_7_4", "(4, 7, 4): 812 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_4_9_4", "(4, 9, 4): 1332 endpoints (Prisacari 2020, Table 4.2)"),
        ("prisacari_4_8_3", "(4, 8, 3): 800 endpoints (Prisacari 2020, §6.4)"),
    ],
    parts: || {
        let sizes = [
            [2, 4, 2],
            [2, 3, 2],
            [2, 5, 2],
            [3, 6, 3],
            [3, 5, 3],
            [3, 7, 3],
            [4, 8, 4],
            [4, 7, 4],
            [4, 9, 4],
            [4, 8, 3],
        ];
        sizes.map(|[p, a, h]| Dragonfly::of(p, a, h)).into()
    },
};

impl Dragonfly {
    /// The dragonfly (p, a, h) with everything else as usual.
    pub(super) fn of(endpoints: u32, switches: u32, global_links: u32) -> Dragonfly {
        Dragonfly {
            local: LocalLinks::Mesh,
            endpoints,
            switches,
            global_links,
            groups: None,
            wiring: Wiring::Palmtree,
            rows: None,
        }
    }

    /// The balanced members, all groups present, with this wiring and these links in a group:
    /// h = p, and a = 2p switches in a full mesh.
    ///
    /// A channel of a row carries what a full mesh spreads over as many as there are rows, so a
    /// flattened butterfly is balanced with 2p rows and 2p columns, a = 4p². The smallest, one row
    /// of two, is the full mesh.
    pub(super) fn balanced(&self) -> Vec<Member<Dragonfly>> {
        let sizes: Vec<[u32; 3]> = match self.local {
            LocalLinks::Mesh => (1..=20).map(|p| [p, 2 * p, 2 * p - 1]).collect(),
            LocalLinks::Flattened => {
                let squares = (1..=5).map(|p| [p, 4 * p * p, 4 * p - 2]);
                std::iter::once([1, 2, 1]).chain(squares).collect()
            }
        };
        let member = |[p, switches, local]: [u32; 3]| {
            let other = Dragonfly::of(p, switches, p);
            let part = Dragonfly { local: self.local, wiring: self.wiring, ..other };
            let endpoints = u64::from(p * switches) * u64::from(switches * p + 1);
            Member { radix: 2 * p + local, endpoints, part }
        };
        sizes.into_iter().map(member).collect()
    }
}
