//! Routes for known messages with the least contention on a tree (Prisacari 2020, Chapter 3).
//!
//! The most messages on one link cannot be fewer than counting says ([`LowerBound`]); [`Solving`]
//! looks for routes that keep to that, and says whether they do ([`Certificate`]). The thesis solves
//! an integer program per layer of the tree. Here, layer by layer as there:
//!
//! * messages at each place are split in two, and again, so that those of every subtree are spread
//!   evenly (`split`); numbers of links that are no powers of two are dealt (`colors`);
//! * what is still too much for an arc above is exchanged at random (`repair`);
//! * where that does not help, the layer below is tried again (`layers`);
//! * if few messages are left with more contention than counting asks for, all ways are tried
//!   (`exhaustion`).
//!
//! With the first alone no link carries more than [`LevelBound::a_priori`], which is the bound itself
//! if all messages turn on the same level, and 1 for a permutation on a tree of full bisection.
//! Elsewhere only the certificate proves anything: there are messages for which no routes keep to the
//! bound, and routes of a layer that keep to all conditions of the thesis but cannot be continued.
//!
//! ```
//! use dragontree::network::EndpointId;
//! use dragontree::routing::Pair;
//! use dragontree::routing::pattern_specific::{Options, Shape, Solving, Status};
//!
//! // XGFT(2: 4,4: 1,4), on which every leaf sends to the one opposite.
//! let shape = Shape::new(&[4, 4], &[1, 4])?;
//! let pair = |leaf| Pair { source: EndpointId(leaf), destination: EndpointId(15 - leaf) };
//! let messages = (0..16).map(pair).collect();
//! let solution = Solving::new(shape, messages, Options::default())?.finish();
//! assert_eq!(solution.certificate.achieved(), 1);
//! assert_eq!(solution.certificate.status, Status::Optimal);
//! // The climb of message 0: to its only parent, then to one of four.
//! assert!(matches!(solution.climbs.of(0), [0, 0..4]));
//! # Ok::<(), dragontree::routing::pattern_specific::Malformed>(())
//! ```

mod balance;
mod certificate;
mod colors;
mod exhaustion;
mod instance;
mod layers;
mod lower_bound;
mod pairing;
mod part;
mod repair;
mod shape;
mod solving;
mod split;
#[cfg(test)]
mod tests;

pub use certificate::{Certificate, LevelCertificate, Status};
pub use lower_bound::{Heading, LevelBound, LowerBound, TreeArc};
pub use shape::{Climbs, Malformed, Shape};
pub use solving::{Goal, Options, Solution, Solving};
