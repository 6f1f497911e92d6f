//! The list of traffic patterns: whom each rank sends to, at an offered load. To add one: write
//! its file, declare it, list it.

#[cfg(not(feature = "complete"))]
use crate::catalog::Elsewhere;
use crate::catalog::Part;
#[cfg(not(feature = "complete"))]
use crate::network::Needs;
use crate::network::{EndpointId, Network};
use crate::placement::Unfit;
use crate::random::Stream;
use crate::units::Rank;

mod adversarial;
mod bit_complement;
mod bit_reversal;
mod hot_spot;
mod matrix;
mod partners;
mod permutation;
mod residents;
mod shift;
mod tornado;
mod transpose;
mod uniform;
mod worst_case;

pub use adversarial::Adversarial;
pub use bit_complement::BitComplement;
pub use bit_reversal::BitReversal;
pub use hot_spot::HotSpot;
pub use matrix::Matrix;
pub use permutation::Permutation;
pub use residents::{Residents, SEVERAL};
pub use shift::Shift;
pub use tornado::Tornado;
pub use transpose::Transpose;
pub use uniform::Uniform;
pub use worst_case::WorstCase;

/// A rule by which ranks choose destinations.
pub trait Pattern: Part {
    /// The destinations of the ranks on a site.
    ///
    /// # Errors
    /// The network lacks the structure that the pattern is defined on, or a setting does not fit it.
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit>;
}

crate::catalog! {
    /// Any traffic pattern.
    pub enum Traffic: Pattern {
        uniform::Uniform,
        shift::Shift,
        bit_complement::BitComplement;
        later:
        bit_reversal::BitReversal,
        worst_case::WorstCase,
        adversarial::Adversarial,
        tornado::Tornado,
        transpose::Transpose,
        permutation::Permutation,
        hot_spot::HotSpot,
        matrix::Matrix,
    }
}

#[cfg(not(feature = "complete"))]
impl Pattern for Elsewhere {
    fn destinations(&self, site: Site<'_>) -> Result<Destinations, Unfit> {
        let found = site.network.structure().name();
        Err(Needs { part: self.name(), structure: "the complete build", found }.into())
    }
}

/// Where the ranks run, for patterns that are defined by the fabric.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The fabric.
    pub network: &'a Network,
    /// The endpoint of each rank; none for place keepers, which stay silent.
    pub placement: &'a [Option<EndpointId>],
    /// The run's seed.
    pub seed: u64,
}

impl Site<'_> {
    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.placement.len() as u32
    }
}

/// The probability law of the ranks' destinations.
#[derive(Clone, Debug, PartialEq)]
pub enum Destinations {
    /// Each rank always sends to the same one; a rank without a destination is silent.
    Fixed(Vec<Option<Rank>>),
    /// Each rank sends to every other with equal probability.
    Uniform {
        /// The number of ranks.
        ranks: u32,
    },
    /// Each rank sends to some others, to each of them with its share of the rank's full rate; the
    /// shares of a rank sum up to at most 1.
    #[cfg(feature = "complete")]
    Weighted(Vec<Vec<(Rank, f64)>>),
}

impl Destinations {
    /// The law in which rank `r` of `ranks` always sends to `destination(r)`; who would send to
    /// itself is silent.
    fn fixed(ranks: u32, destination: impl Fn(u32) -> u32) -> Destinations {
        let other = |rank| Some(destination(rank)).filter(|other| *other != rank).map(Rank);
        Destinations::Fixed((0..ranks).map(other).collect())
    }

    /// The law without the ranks that keep a place: the others move up, and who would send to one
    /// that keeps a place is silent.
    pub fn without_keepers(self, placement: &[Option<EndpointId>]) -> Destinations {
        let mut live = 0;
        let number = |endpoint: &Option<EndpointId>| {
            endpoint.map(|_| {
                live += 1;
                Rank(live - 1)
            })
        };
        let numbers: Vec<Option<Rank>> = placement.iter().map(number).collect();
        if live as usize == placement.len() {
            return self;
        }
        let moved = |to: Rank| numbers.get(to.0 as usize).copied().flatten();
        match self {
            Destinations::Fixed(destinations) => {
                let kept = destinations.iter().zip(&numbers).filter(|(_, own)| own.is_some());
                Destinations::Fixed(kept.map(|(to, _)| to.and_then(moved)).collect())
            }
            Destinations::Uniform { .. } => Destinations::Uniform { ranks: live },
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => {
                let kept = shares.into_iter().zip(&numbers).filter(|(_, own)| own.is_some());
                let others = |row: Vec<(Rank, f64)>| {
                    row.into_iter().filter_map(|(to, share)| Some((moved(to)?, share))).collect()
                };
                Destinations::Weighted(kept.map(|(row, _)| others(row)).collect())
            }
        }
    }

    /// The number of pairs that have traffic.
    pub fn pairs(&self) -> u64 {
        match self {
            Destinations::Fixed(destinations) => destinations.iter().flatten().count() as u64,
            Destinations::Uniform { ranks } => {
                u64::from(*ranks) * u64::from(ranks.saturating_sub(1))
            }
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => shares.iter().map(|row| row.len() as u64).sum(),
        }
    }

    /// Whether the rank sends at all.
    pub fn sends(&self, source: Rank) -> bool {
        match self {
            Destinations::Fixed(destinations) => destinations[source.0 as usize].is_some(),
            Destinations::Uniform { ranks } => *ranks > 1,
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => !shares[source.0 as usize].is_empty(),
        }
    }

    /// Draws the destination of a rank's next message; the rank must be one that sends.
    #[inline(always)]
    pub fn draw(&self, source: Rank, stream: &mut Stream) -> Rank {
        match self {
            Destinations::Fixed(destinations) => destinations[source.0 as usize].unwrap_or(source),
            Destinations::Uniform { ranks } => {
                let other = stream.below(ranks - 1);
                Rank(other + u32::from(other >= source.0))
            }
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => drawn(&shares[source.0 as usize], source, stream),
        }
    }

    /// Whether ranks may send less than the offered load.
    pub fn thin(&self) -> bool {
        match self {
            #[cfg(feature = "complete")]
            Destinations::Weighted(_) => true,
            _ => false,
        }
    }

    /// Draws the destination of what a rank would send at the full offered load; none where it sends
    /// less, or nothing.
    pub fn draw_or_pass(&self, source: Rank, stream: &mut Stream) -> Option<Rank> {
        #[cfg(feature = "complete")]
        if let Destinations::Weighted(shares) = self {
            return passed(&shares[source.0 as usize], fraction(stream));
        }
        self.sends(source).then(|| self.draw(source, stream))
    }

    /// Shows every destination of a rank with its probability.
    pub fn each(&self, source: Rank, show: &mut dyn FnMut(Rank, f64)) {
        match self {
            Destinations::Fixed(destinations) => {
                if let Some(destination) = destinations[source.0 as usize] {
                    show(destination, 1.0);
                }
            }
            Destinations::Uniform { ranks } => {
                let share = 1.0 / f64::from(ranks - 1);
                (0..*ranks).filter(|other| *other != source.0).for_each(|r| show(Rank(r), share));
            }
            #[cfg(feature = "complete")]
            Destinations::Weighted(shares) => {
                shares[source.0 as usize].iter().for_each(|(to, share)| show(*to, *share));
            }
        }
    }
}

/// Draws one of some destinations by their shares.
#[cfg(feature = "complete")]
fn drawn(row: &[(Rank, f64)], source: Rank, stream: &mut Stream) -> Rank {
    let all: f64 = row.iter().map(|(_, share)| share).sum();
    let last = row.last().map_or(source, |(to, _)| *to);
    passed(row, all * fraction(stream)).unwrap_or(last)
}

/// The destination at this place among the shares; none beyond them.
#[cfg(feature = "complete")]
fn passed(row: &[(Rank, f64)], place: f64) -> Option<Rank> {
    let mut left = place;
    row.iter().find_map(|(to, share)| {
        left -= share;
        (left < 0.0).then_some(*to)
    })
}

/// A number from 0 to below 1.
#[cfg(feature = "complete")]
fn fraction(stream: &mut Stream) -> f64 {
    f64::from(stream.below(1 << 31)) / f64::from(1_u32 << 31)
}
