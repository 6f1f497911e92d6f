//! Block designs: points in blocks of equal size so that every two points share exactly one block,
//! in other words the Steiner systems S(2, size, points).
//!
//! A single-path tree has one level-one switch for each point and one level-two switch for each
//! block, joined where the point lies in the block (Prisacari 2020, §7.2.2.2).

use super::field::Field;

/// Which blocks each point lies in.
pub(super) struct Design {
    /// Points in a block (r2).
    pub size: u32,
    /// Blocks that a point lies in (r1).
    pub degree: u32,
    /// The blocks of each point, `degree` of them, point after point.
    rows: Vec<u32>,
}

impl Design {
    /// The number of points of a design: `1 + r1·(r2 - 1)`.
    pub(super) fn points_of(degree: u32, size: u32) -> u32 {
        1 + degree * (size - 1)
    }

    /// The number of points.
    pub(super) fn points(&self) -> u32 {
        self.rows.len() as u32 / self.degree
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        self.rows.len() as u32 / self.size
    }

    /// The blocks of a point.
    pub(super) fn row(&self, point: u32) -> &[u32] {
        let start = (point * self.degree) as usize;
        &self.rows[start..start + self.degree as usize]
    }

    /// Every two of `degree + 1` points as a block, in lexicographic order.
    pub(super) fn pairs(degree: u32) -> Design {
        // Before the pairs that begin with `low` come those that begin with less.
        let pair = |low: u32, high: u32| low * (2 * degree + 1 - low) / 2 + high - low - 1;
        let row = |point: u32| {
            let others = (0..=degree).filter(move |other| *other != point);
            others.map(move |other| pair(point.min(other), point.max(other)))
        };
        Design { size: 2, degree, rows: (0..=degree).flat_map(row).collect() }
    }

    /// The k-ML3B for k = n + 1 (Prisacari 2020, §7.2.2.4), a projective plane: as many blocks as
    /// points, k blocks for every point and k points in every block. None when n is no prime power.
    ///
    /// Of the thesis's "slightly modified" Latin squares only `L_s(r, c) = r + s·c` over GF(n) give
    /// every two rows one value in common; the equally orthogonal `s·r + c` do not.
    pub(super) fn ml3b(k: u32) -> Option<Design> {
        let n = k.checked_sub(1)?;
        let field = Field::new(n)?;
        let first = n * n;
        let mut rows: Vec<u32> = (first..first + k).collect();
        for (square, r) in (0..k).flat_map(|square| (0..n).map(move |r| (square, r))) {
            rows.push(first + square);
            rows.extend((0..n).map(|c| match square {
                0 => r * n + c,
                1 => c * n + r,
                _ => field.add(r, field.multiply(square - 1, c)) + c * n,
            }));
        }
        Some(Design { size: k, degree: k, rows })
    }

    /// The Steiner triple system of `6m + 1` points after Skolem (Bose's method, which covers
    /// `6m + 3` points, never gives trees that can be stacked).
    ///
    /// The points are (i, s) for i < 2m and s < 3, and one more. With the half-idempotent
    /// commutative quasigroup `i∘j = σ((i + j) mod 2m)`, σ(2x) = x and σ(2x + 1) = x + m, the
    /// triples are {(i, 0), (i, 1), (i, 2)} and {∞, (m + i, s), (i, s + 1)} for i < m, and
    /// {(i, s), (j, s), (i∘j, s + 1)} for i < j.
    pub(super) fn triples(m: u32) -> Design {
        let point = |i: u32, s: u32| s % 3 * 2 * m + i;
        let infinity = 6 * m;
        let half = |x: u32| x / 2 + x % 2 * m;
        let mut triples = Vec::new();
        for i in 0..m {
            triples.push([point(i, 0), point(i, 1), point(i, 2)]);
            triples.extend((0..3).map(|s| [infinity, point(m + i, s), point(i, s + 1)]));
        }
        for (i, j) in (0..2 * m).flat_map(|i| (i + 1..2 * m).map(move |j| (i, j))) {
            let product = half((i + j) % (2 * m));
            triples.extend((0..3).map(|s| [point(i, s), point(j, s), point(product, s + 1)]));
        }
        Design::of_blocks(infinity + 1, 3, triples.as_flattened())
    }

    /// The design whose blocks are listed, `size` points after `size` points.
    fn of_blocks(points: u32, size: u32, blocks: &[u32]) -> Design {
        let degree = blocks.len() as u32 / points;
        let mut rows = vec![0; blocks.len()];
        let mut filled = vec![0; points as usize];
        for (place, point) in blocks.iter().enumerate() {
            let number = &mut filled[*point as usize];
            if *number < degree {
                rows[(*point * degree + *number) as usize] = place as u32 / size;
            }
            *number += 1;
        }
        Design { size, degree, rows }
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::prime_power;
    use super::*;

    /// Checks that every block has its size and every two points share exactly one block.
    fn check(design: &Design, size: u32, degree: u32) {
        assert_eq!((design.size, design.degree), (size, degree));
        assert_eq!(design.points(), Design::points_of(degree, size));
        let mut blocks = vec![Vec::new(); design.blocks() as usize];
        for point in 0..design.points() {
            for block in design.row(point) {
                blocks[*block as usize].push(point);
            }
        }
        assert!(blocks.iter().all(|block| block.len() as u32 == size), "{size} {degree}");
        let points = design.points() as usize;
        let mut together = vec![0_u8; points * points];
        for block in &blocks {
            for (one, other) in block.iter().flat_map(|one| block.iter().map(move |b| (one, b))) {
                together[*one as usize * points + *other as usize] += u8::from(one != other);
            }
        }
        let apart = |place: usize| place / points != place % points;
        let shared = together.iter().enumerate().all(|(at, shared)| *shared == u8::from(apart(at)));
        assert!(shared, "{size} {degree}");
    }

    #[test]
    fn every_two_points_share_one_block() {
        for degree in 1..=99 {
            check(&Design::pairs(degree), 2, degree);
        }
        for k in (3..=40).filter(|k| prime_power(k - 1).is_some()) {
            check(&Design::ml3b(k).expect("k - 1 is a prime power"), k, k);
        }
        for m in 1..=20 {
            check(&Design::triples(m), 3, 3 * m);
        }
    }

    #[test]
    fn pairs_are_in_lexicographic_order() {
        let design = Design::pairs(3);
        let rows: Vec<&[u32]> = (0..4).map(|point| design.row(point)).collect();
        assert_eq!(rows, [[0, 1, 2], [0, 3, 4], [1, 3, 5], [2, 4, 5]]);
    }

    /// The tables that the algorithm of Prisacari 2020, §7.2.2.4 gives for k = 3 and 4 (Table 7.2)
    /// and, for k = 6, rows of its third and later squares.
    #[test]
    fn ml3b_is_filled_as_described() {
        let rows = |k: u32| {
            let design = Design::ml3b(k).expect("k - 1 is a prime");
            (0..design.points()).map(|row| design.row(row).to_vec()).collect::<Vec<_>>()
        };
        let three = [[4, 5, 6], [4, 0, 1], [4, 2, 3], [5, 0, 2], [5, 1, 3], [6, 0, 3], [6, 1, 2]];
        assert_eq!(rows(3), three.map(Vec::from));
        let four = [
            [9, 10, 11, 12],
            [9, 0, 1, 2],
            [9, 3, 4, 5],
            [9, 6, 7, 8],
            [10, 0, 3, 6],
            [10, 1, 4, 7],
            [10, 2, 5, 8],
            [11, 0, 4, 8],
            [11, 1, 5, 6],
            [11, 2, 3, 7],
            [12, 0, 5, 7],
            [12, 1, 3, 8],
            [12, 2, 4, 6],
        ];
        assert_eq!(rows(4), four.map(Vec::from));
        let six = rows(6);
        assert_eq!(six[11], [27, 0, 6, 12, 18, 24]);
        assert_eq!(six[12], [27, 1, 7, 13, 19, 20]);
        assert_eq!(six[16], [28, 0, 7, 14, 16, 23]);
        assert_eq!(six[26], [30, 0, 9, 13, 17, 21]);
        assert!(Design::ml3b(7).is_none() && Design::ml3b(0).is_none());
    }
}
