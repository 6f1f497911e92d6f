//! All-to-alls on fat trees (Prisacari 2020, chapter 2).

use crate::units::Time;

/// For each level below the roots, the most messages that any all-to-all in permutations makes leave or
/// enter one of the level's subtrees in some phase, at least (Prisacari 2020, Eq. 2.1):
/// `Π_l − ⌊Π_l / (M_{l+1}…M_L)⌋`, where `children` has M_1 to M_L and `Π_l` is the product of the first
/// l. Full bisection has room for `Π_l`.
pub fn least_load(children: &[u32]) -> Vec<u64> {
    let product = |some: &[u32]| some.iter().map(|width| u64::from(*width)).product::<u64>();
    let bound = |level: usize| {
        let (below, above) = (product(&children[..level]), product(&children[level..]));
        below - below.checked_div(above).unwrap_or(0)
    };
    (1..children.len()).map(bound).collect()
}

/// The share of all links that a tree of `levels` levels with full bisection saves when its roots, which
/// have two children, are halved (Prisacari 2020, §2.4.2).
pub fn links_saved(levels: u32) -> f64 {
    1.0 / (2.0 * f64::from(levels))
}

/// The share of all switches that it saves (Prisacari 2020, §2.4.2); `children` has m_1 to m_h.
pub fn switches_saved(children: &[u32]) -> f64 {
    let Some((last, others)) = children.split_last() else { return 0.0 };
    let below: f64 = others.iter().map(|width| 1.0 / f64::from(*width)).sum();
    let roots = 1.0 / f64::from(*last);
    1.0 - (roots / 2.0 + below) / (roots + below)
}

/// What a message meets on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// Time on a link.
    pub link: Time,
    /// Time through a switch.
    pub switch: Time,
    /// Time through an adapter, at either end.
    pub adapter: Time,
    /// Time that the message takes to leave its source.
    pub message: Time,
    /// Time that its acknowledgement, a flit, takes to leave.
    pub acknowledgement: Time,
}

/// The time of an all-to-all in which every rank sends one message at a time, waits for its
/// acknowledgement, and meets no other (Prisacari 2020, §2.5.1):
/// `Σ_l M_1…M_{l−1}(M_l − 1)·T(l)` with `T(l) = 2·(2·t_adapter + (2l − 1)·t_switch + 2l·t_link)` and what
/// message and acknowledgement take to leave.
pub fn ideal_all_to_all(children: &[u32], hops: Hops) -> Time {
    let (mut below, mut sum) = (1, Time::ZERO);
    for (level, width) in (1..).zip(children) {
        let path = hops.adapter * 2 + hops.switch * (2 * level - 1) + hops.link * (2 * level);
        let turn = path * 2 + hops.message + hops.acknowledgement;
        sum += turn * (below * u64::from(width - 1));
        below *= u64::from(*width);
    }
    sum
}

/// How much longer, relative to the ideal time, XOR takes where the roots carry half of what may cross
/// them: in half of the phases a message takes twice as long to leave.
pub fn xor_overhead(children: &[u32], hops: Hops) -> f64 {
    let ranks: f64 = children.iter().map(|width| f64::from(*width)).product();
    let ideal = ideal_all_to_all(children, hops).as_ns();
    ranks / 2.0 * hops.message.as_ns() / ideal
}
