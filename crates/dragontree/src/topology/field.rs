//! Finite fields, and which orders they have.
//!
//! An element of GF(p^m) is the number whose base-p digits are the coefficients of its
//! polynomial, the constant lowest. Products are reduced by the first irreducible polynomial
//! `x^m + …` in the numeric order of its lower coefficients: x²+x+1 for GF(4), x³+x+1 for GF(8),
//! x²+1 for GF(9), x⁴+x+1 for GF(16).

/// The prime and the exponent of a prime power; none for other numbers.
pub(super) fn prime_power(order: u32) -> Option<(u32, u32)> {
    let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor))?;
    let (mut rest, mut exponent) = (order, 0);
    while rest.is_multiple_of(prime) {
        rest /= prime;
        exponent += 1;
    }
    (rest == 1).then_some((prime, exponent))
}

/// Why a number that should be a prime power is none: the end of a sentence, and the closest
/// prime power, each shown through `name` (where not the prime power itself is set, but what
/// follows from it).
pub(super) fn no_prime_power(
    order: u32,
    smallest: u32,
    name: impl Fn(u32) -> u32,
) -> (String, String) {
    let is_power = |order: &u32| prime_power(*order).is_some();
    let below = (smallest..order).rev().find(is_power);
    let above = (order + 1..).find(is_power).unwrap_or(smallest);
    let nearest = match below {
        Some(below) if order - below <= above - order => below,
        _ => above,
    };
    let around = match below {
        Some(below) => format!("{} and {}", name(below), name(above)),
        None => name(above).to_string(),
    };
    (around, name(nearest).to_string())
}

/// The field of so many elements.
pub(super) struct Field {
    order: u32,
    /// `sums[a · order + b]`.
    sums: Vec<u32>,
    /// `powers[e]` is the e-th power of the primitive element, `e < order - 1`.
    powers: Vec<u32>,
    /// The exponent of each element; that of zero has no meaning.
    logarithms: Vec<u32>,
}

impl Field {
    /// The field of this order; none when it is no prime power.
    pub(super) fn new(order: u32) -> Option<Field> {
        let (prime, degree) = prime_power(order)?;
        // A ring whose non-zero elements are the powers of one element is a field, so the first
        // polynomial that has such an element is the first irreducible one.
        let powers = (0..order).find_map(|lower| {
            let ring = Ring { prime, degree, lower };
            (1..order).find_map(|element| ring.all_powers(element, order))
        })?;
        let ring = Ring { prime, degree, lower: 0 };
        let sum = |index| ring.add(index / order, index % order);
        let mut logarithms = vec![0; order as usize];
        for (exponent, power) in powers.iter().enumerate() {
            logarithms[*power as usize] = exponent as u32;
        }
        Some(Field { order, sums: (0..order * order).map(sum).collect(), powers, logarithms })
    }

    /// A sum.
    pub(super) fn add(&self, one: u32, other: u32) -> u32 {
        self.sums[(one * self.order + other) as usize]
    }

    /// A product.
    pub(super) fn multiply(&self, one: u32, other: u32) -> u32 {
        match (one, other) {
            (0, _) | (_, 0) => 0,
            _ => self.power(self.logarithms[one as usize] + self.logarithms[other as usize]),
        }
    }

    /// A power of the primitive element ξ, the smallest element whose powers are all but zero.
    pub(super) fn power(&self, exponent: u32) -> u32 {
        self.powers[(exponent % (self.order - 1)) as usize]
    }
}

/// Polynomials over the numbers modulo a prime, modulo `x^degree + lower`.
struct Ring {
    prime: u32,
    degree: u32,
    lower: u32,
}

impl Ring {
    /// The sum of `one` and `factor` times `other`, digit by digit.
    fn add_times(&self, one: u32, factor: u32, other: u32) -> u32 {
        let (mut one, mut other, mut place, mut sum) = (one, other, 1, 0);
        for _ in 0..self.degree {
            sum += place * ((one % self.prime + factor * (other % self.prime)) % self.prime);
            place *= self.prime;
            one /= self.prime;
            other /= self.prime;
        }
        sum
    }

    fn add(&self, one: u32, other: u32) -> u32 {
        self.add_times(one, 1, other)
    }

    fn times_x(&self, element: u32) -> u32 {
        let highest = self.prime.pow(self.degree - 1);
        let (top, rest) = (element / highest, element % highest);
        // x^degree = -lower.
        self.add_times(rest * self.prime, self.prime - top, self.lower)
    }

    fn multiply(&self, one: u32, other: u32) -> u32 {
        let mut place = self.prime.pow(self.degree - 1);
        let mut product = 0;
        while place > 0 {
            product = self.add_times(self.times_x(product), other / place % self.prime, one);
            place /= self.prime;
        }
        product
    }

    /// The powers of an element from the 0-th on, when they are all elements but zero.
    fn all_powers(&self, element: u32, order: u32) -> Option<Vec<u32>> {
        let mut powers = vec![1];
        let mut power = element;
        while power != 1 && power != 0 && powers.len() < order as usize {
            powers.push(power);
            power = self.multiply(power, element);
        }
        (power == 1 && powers.len() as u32 == order - 1).then_some(powers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers_are_found() {
        let found: Vec<u32> = (0..50).filter(|order| prime_power(*order).is_some()).collect();
        let expected =
            [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32, 37, 41, 43, 47, 49];
        assert_eq!(found, expected);
        assert_eq!(prime_power(81), Some((3, 4)));
        assert_eq!(no_prime_power(6, 3, |q| q), ("5 and 7".to_owned(), "5".to_owned()));
        assert_eq!(no_prime_power(15, 3, |q| q + 1), ("14 and 17".to_owned(), "17".to_owned()));
    }

    #[test]
    fn sums_and_products_obey_the_laws_of_a_field() {
        for order in (2..=32).filter(|order| prime_power(*order).is_some()) {
            let field = Field::new(order).expect("a prime power");
            for a in 0..order {
                assert_eq!((field.add(a, 0), field.multiply(a, 1)), (a, a), "{order}");
                let inverses = (1..order).filter(|b| field.multiply(a, *b) == 1).count();
                assert_eq!(inverses, usize::from(a > 0), "{order}");
                assert_eq!((0..order).filter(|b| field.add(a, *b) == 0).count(), 1);
                for (b, c) in (0..order).flat_map(|b| (0..order).map(move |c| (b, c))) {
                    let (sum, product) = (field.add(a, b), field.multiply(a, b));
                    assert_eq!((sum, product), (field.add(b, a), field.multiply(b, a)));
                    assert_eq!(field.add(sum, c), field.add(a, field.add(b, c)));
                    assert_eq!(field.multiply(product, c), field.multiply(a, field.multiply(b, c)));
                    let spread = field.add(field.multiply(a, c), field.multiply(b, c));
                    assert_eq!(field.multiply(sum, c), spread, "{order}");
                }
            }
        }
    }

    /// The textbooks' polynomials: x² = x + 1 in GF(4), x³ = x + 1 in GF(8), x² = -1 in GF(9),
    /// x⁴ = x + 1 in GF(16).
    #[test]
    fn the_first_irreducible_polynomial_reduces() {
        let square_of_x = |order: u32, x: u32| {
            let field = Field::new(order).expect("a prime power");
            let (square, fourth) = (field.multiply(x, x), field.multiply(x, x));
            [square, field.multiply(square, x), field.multiply(square, fourth)]
        };
        assert_eq!(square_of_x(4, 2)[0], 3);
        assert_eq!(square_of_x(8, 2)[1], 3);
        assert_eq!(square_of_x(9, 3)[0], 2);
        assert_eq!(square_of_x(16, 2)[2], 3);
        let primitive = |order| Field::new(order).expect("a prime power").power(1);
        let found: Vec<u32> = [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23].map(primitive).to_vec();
        assert_eq!(found, [2, 2, 2, 3, 2, 4, 2, 2, 2, 3, 2, 5]);
    }

    #[test]
    fn other_orders_have_no_field() {
        assert!([0, 1, 6, 10, 12, 100].iter().all(|order| Field::new(*order).is_none()));
    }
}
