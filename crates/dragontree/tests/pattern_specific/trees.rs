//! Trees and messages.

use dragontree::analysis::{Recount, recount};
use dragontree::network::EndpointId;
use dragontree::routing::Pair;
use dragontree::routing::pattern_specific::{Options, Shape, Solution, Solving};

/// The trees of Prisacari 2020, Table 3.1.
pub const TABLE: [(&[u32], &[u32]); 10] = [
    (&[8, 2], &[1, 4]),
    (&[4, 4, 2], &[1, 4, 2]),
    (&[8, 4, 2], &[1, 8, 2]),
    (&[8, 8, 2], &[1, 8, 4]),
    (&[8, 4, 4, 2], &[1, 8, 4, 2]),
    (&[8, 8, 4, 2], &[1, 8, 8, 2]),
    (&[16, 8, 4, 2], &[1, 16, 8, 2]),
    (&[8, 8, 4, 4, 2], &[1, 8, 8, 4, 2]),
    (&[8, 8, 8, 4, 2], &[1, 8, 8, 8, 2]),
    (&[8, 8, 8, 8, 2], &[1, 8, 8, 8, 4]),
];

pub fn shape((children, parents): (&[u32], &[u32])) -> Shape {
    Shape::new(children, parents).unwrap()
}

pub fn messages(ends: impl IntoIterator<Item = (u32, u32)>) -> Vec<Pair> {
    let pair = |(from, to)| Pair { source: EndpointId(from), destination: EndpointId(to) };
    ends.into_iter().map(pair).collect()
}

/// Solves, and checks all that the certificate says against an independent count.
pub fn solve(shape: &Shape, messages: &[Pair], options: &Options) -> (Solution, Recount) {
    let solving = Solving::new(shape.clone(), messages.to_vec(), options.clone()).unwrap();
    let solution = solving.finish();
    let counted = recount(shape, messages, &solution.climbs).unwrap();
    let certificate = &solution.certificate;
    assert_eq!(certificate.levels.len(), counted.levels.len());
    for (level, counted) in certificate.levels.iter().zip(&counted.levels) {
        assert_eq!((level.achieved, level.known.bound), (counted.achieved, counted.bound));
    }
    assert_eq!(certificate.arcs_used, counted.arcs_used);
    assert_eq!(certificate.arcs_over, counted.arcs_over);
    (solution, counted)
}
