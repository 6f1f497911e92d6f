//! Slim Flies of diameter two: McKay-Miller-Širáň graphs (Besta & Hoefler 2014; Prisacari 2020,
//! §7.2.1.2).
//!
//! ```text
//!   half 0, q × q switches           half 1, q × q switches
//!  column x = 0  1  …               column m = 0  1  …
//!            ┌┐ ┌┐                            ┌┐ ┌┐
//!            ││ ││      y = m·x + c           ││ ││
//!   row y    ││ ││ ════════════════════       ││ ││    row c
//!            └┘ └┘                            └┘ └┘
//!  in a column: y - y' ∈ X          in a column: c - c' ∈ X'
//! ```
//! All arithmetic is that of the field of q = 4w + δ elements, δ ∈ {-1, 0, 1}. Each switch has 2w
//! links within its column and q to the other half, `(3q - δ)/2` in all; each of the `2q²`
//! switches has half as many endpoints, rounded down or up.

use super::field::{Field, no_prime_power, prime_power};
use super::size::{Member, Presets, presets, sizes};
use super::{Build, MOST_PORTS, attach_endpoints, finish, limit_size};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Builder, LinkClass, Links, Mms, Network, Node, Structure, SwitchId};

crate::choices! {
    /// What half a switch's links to other switches are, when their number is odd.
    pub enum Rounding {
        /// Uniform traffic gets nearly full bandwidth.
        Floor = "floor", "Down";
        /// More endpoints, with somewhat less bandwidth each.
        Ceil = "ceil", "Up";
    }
}

/// A Slim Fly.
#[derive(Clone, Debug, PartialEq)]
pub struct SlimFly {
    /// The number of endpoints per switch is half the number of links, rounded like this.
    pub rounding: Rounding,
    /// The order of the field (q), a prime power.
    pub order: u32,
}

impl Default for SlimFly {
    fn default() -> SlimFly {
        SlimFly { rounding: Rounding::Floor, order: 7 }
    }
}

const SMALLEST: u32 = 3;
const LARGEST: u32 = 128;

const PRESETS: Presets<SlimFly> = Presets {
    words: &[
        ("none", "None"),
        ("hoffman_singleton", "q = 5, p = 3: on the Hoffman-Singleton graph, 150 endpoints"),
        ("prisacari_p9", "q = 13, p = 9: 3042 endpoints (Prisacari 2020, §7.4)"),
        ("prisacari_p10", "q = 13, p = 10: 3380 endpoints (Prisacari 2020, §7.4)"),
    ],
    parts: || {
        let part = |order, rounding| SlimFly { rounding, order };
        vec![part(5, Rounding::Floor), part(13, Rounding::Floor), part(13, Rounding::Ceil)]
    },
};

impl Settings for SlimFly {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &PRESETS);
        form.setting(Setting::choice(
            "rounding",
            "Endpoints per switch",
            "Half as many as links to other switches, rounded down or up.",
            &mut self.rounding,
        ));
        // With fewer ports than 8 there is one network, and only when rounding down.
        sizes(form, self, 8, SlimFly::members);
        form.setting(Setting::number(
            "q",
            "Order of the field",
            "A prime power: 3, 4, 5, 7, 8, 9, 11, 13, …; there are 2q² switches.",
            &mut self.order,
            SMALLEST..=LARGEST,
        ));
    }
}

impl Part for SlimFly {
    fn name(&self) -> &'static str {
        "slim_fly"
    }
    fn label(&self) -> &'static str {
        "Slim Fly"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Switches at most two links apart, nearly as many as any graph of that diameter can have \
         (Besta & Hoefler 2014; Prisacari 2020, §7.2.1.2).",
        )
    }
}

impl Build for SlimFly {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let q = self.order;
        let field = Field::new(q).ok_or_else(|| {
            let (around, nearest) = no_prime_power(q, SMALLEST, |q| q);
            let allowed = format!("allowed: prime powers from {SMALLEST}, such as {around}");
            let nearest = Some(nearest);
            vec![Problem { nearest, ..Problem::new("q", q.to_string(), allowed) }]
        })?;
        limit_size("q", &q.to_string(), Some(self.port_count()))?;

        let p = self.endpoints_per_switch();
        let mut builder = Builder::new(links);
        builder.switches(2 * q * q, self.radix());
        attach_endpoints(&mut builder, 2 * q * q, p);
        for (half, steps) in generators(&field, q).iter().enumerate() {
            self.link_columns(&mut builder, &field, half as u32, steps);
        }
        self.link_halves(&mut builder, &field);
        finish(builder, Structure::Mms(Mms { order: q, endpoints_per_switch: p }))
    }
}

/// The generator sets X and X': what two joined switches of one column differ by, in either half.
fn generators(field: &Field, q: u32) -> [Vec<u32>; 2] {
    let powers = |from: u32, to: u32| (from..=to).step_by(2).map(|exponent| field.power(exponent));
    let mut sets: [Vec<u32>; 2] = if q % 4 == 3 {
        let w = (q + 1) / 4;
        [
            powers(0, 2 * w - 2).chain(powers(2 * w - 1, 4 * w - 3)).collect(),
            powers(1, 2 * w - 1).chain(powers(2 * w, 4 * w - 2)).collect(),
        ]
    } else {
        // For δ = 1 up to ξ^(q-3) and ξ^(q-2), for δ = 0 up to ξ^(q-2) and ξ^(q-1) = 1.
        let last = if q % 4 == 1 { q - 3 } else { q - 2 };
        [powers(0, last).collect(), powers(1, last + 1).collect()]
    };
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets
}

impl SlimFly {
    /// Links of a switch within its column (2w).
    fn local_links(&self) -> u32 {
        // 2w for q = 4w + δ, δ ∈ {-1, 0, 1}.
        self.order.div_ceil(4) * 2 - if self.order % 4 == 1 { 2 } else { 0 }
    }

    fn endpoints_per_switch(&self) -> u32 {
        let links = self.local_links() + self.order;
        match self.rounding {
            Rounding::Floor => links / 2,
            Rounding::Ceil => links.div_ceil(2),
        }
    }

    fn radix(&self) -> u32 {
        self.endpoints_per_switch() + self.local_links() + self.order
    }

    fn port_count(&self) -> u64 {
        let switches = 2 * u64::from(self.order) * u64::from(self.order);
        switches * u64::from(self.radix() + self.endpoints_per_switch())
    }

    /// All Slim Flies with this rounding.
    fn members(&self) -> Vec<Member<SlimFly>> {
        let powers = (SMALLEST..=LARGEST).filter(|order| prime_power(*order).is_some());
        let parts = powers.map(|order| SlimFly { order, ..self.clone() });
        let members = parts.filter(|part| part.port_count() <= MOST_PORTS).map(|part| Member {
            radix: part.radix(),
            endpoints: 2 * u64::from(part.order * part.order * part.endpoints_per_switch()),
            part,
        });
        members.collect()
    }

    /// The switch of a half in a column and a row.
    fn switch(&self, half: u32, column: u32, row: u32) -> Node {
        Node::Switch(SwitchId((half * self.order + column) * self.order + row))
    }

    /// Joins the switches of each column whose rows differ by one of `steps`. A switch's local
    /// ports, after those of its endpoints, are in the order of the rows that they lead to.
    fn link_columns(&self, builder: &mut Builder, field: &Field, half: u32, steps: &[u32]) {
        let (q, p) = (self.order, self.endpoints_per_switch());
        // X and X' hold each element's negative too, so rows are joined both ways.
        let neighbors = |row: u32| {
            let mut rows: Vec<u32> = steps.iter().map(|step| field.add(row, *step)).collect();
            rows.sort_unstable();
            rows
        };
        let rows: Vec<Vec<u32>> = (0..q).map(neighbors).collect();
        let mut links = Vec::new();
        for (row, others) in rows.iter().enumerate() {
            for (number, other) in others.iter().enumerate() {
                let back = rows[*other as usize].partition_point(|each| *each < row as u32);
                if row < *other as usize {
                    links.push(((row as u32, p + number as u32), (*other, p + back as u32)));
                }
            }
        }
        for column in 0..q {
            for ((row, port), (other, other_port)) in &links {
                builder.link(
                    (self.switch(half, column, *row), *port),
                    (self.switch(half, column, *other), *other_port),
                    LinkClass::Local,
                );
            }
        }
    }

    /// Joins (0, x, y) with (1, m, c) where y = m·x + c. The last q ports of a switch lead to the
    /// columns of the other half in order.
    fn link_halves(&self, builder: &mut Builder, field: &Field) {
        let (q, first) = (self.order, self.endpoints_per_switch() + self.local_links());
        for (x, m) in (0..q).flat_map(|x| (0..q).map(move |m| (x, m))) {
            let product = field.multiply(m, x);
            for c in 0..q {
                builder.link(
                    (self.switch(0, x, field.add(product, c)), first + m),
                    (self.switch(1, m, c), first + x),
                    LinkClass::Global,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests;
