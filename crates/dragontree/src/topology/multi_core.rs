//! Several fat trees above pairs of rack switches (sFtree 2012, §3, Fig. 1).
//!
//! ```text
//!    core 0      core 1      core 2      core 3      each a fat tree; its slots take cables
//!      ╲ ╲_________╱___________╱___________╱╱        u links to each core it is attached to
//!       E ════════ O          E ════════ O           a pair: two rack switches side by side,
//!      /│\        /│\        /│\        /│\          x horizontal links
//!     0 … n-1    n … 2n-1                            n endpoints on each
//! ```
//! Rack switch `s` (0, 1 in the first pair) has its endpoints `s·n + j` on ports `j`, then `u`
//! ports for each core it is attached to, in order, then `x` ports to the other of its pair. With
//! `r` other rack switches before it on a core, its links take the slots `r·u … r·u + u - 1` there.

use super::fat_tree::{self, odd};
use super::pgft::{Planted, Widths};
use super::size::{Member, Presets, presets, sizes};
use super::{Build, finish, limit_size};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{
    Builder, Layer, Layered, LinkClass, Links, Network, Node, Structure, SwitchId,
};

crate::choices! {
    /// Which cores a rack switch is attached to.
    pub enum Attach {
        /// Each to all cores.
        All = "all", "All cores";
        /// The first of a pair to the first half of the cores, the second to the second half.
        Split = "split", "Half of the cores each";
    }
}

/// Rack switches in pairs below several cores. All slots of the cores are taken, so
/// `(r/2)^levels · 2` of a core must equal the rack switches attached to it times `uplinks`.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiCore {
    /// Pairs of rack switches.
    pub pairs: u32,
    /// Endpoints per rack switch (n).
    pub hosts: u32,
    /// Number of cores.
    pub cores: u32,
    /// Ports of a core's switches, an even number.
    pub core_radix: u32,
    /// Switch levels of a core.
    pub core_levels: u32,
    /// Links of a rack switch to each core it is attached to (u).
    pub uplinks: u32,
    /// Links between the two of a pair (x).
    pub horizontal: u32,
    /// Which cores a rack switch is attached to.
    pub attach: Attach,
}

impl Default for MultiCore {
    fn default() -> MultiCore {
        MultiCore::single_core(1)
    }
}

/// The 648-port switch with a layer of rack switches, a system like JuRoPA and one like Ranger
/// (sFtree 2012, §7.2.3 and §7.3). The counts of switches and endpoints are the document's; how
/// Ranger's rack switches are attached it does not say, so here they fill both cores.
const NAMED: Presets<MultiCore> = Presets {
    words: &[
        ("own", "None of these"),
        ("rack_648", "648-port switch with rack switches"),
        ("juropa", "Like JuRoPA: 5184 endpoints, 8 cores"),
        ("ranger", "Like Ranger: 2 cores of 3456 ports"),
    ],
    parts: || {
        let juropa =
            MultiCore { pairs: 216, cores: 8, uplinks: 3, attach: Attach::Split, ..rack_648() };
        let ranger = MultiCore {
            pairs: 288,
            cores: 2,
            core_radix: 24,
            core_levels: 3,
            uplinks: 6,
            horizontal: 0,
            ..rack_648()
        };
        vec![rack_648(), juropa, ranger]
    },
};

fn rack_648() -> MultiCore {
    MultiCore::single_core(3)
}

const MOST_PAIRS: u32 = 65_536;
const MOST_CORES: u32 = 64;
const MOST_LINKS: u32 = 256;
const LARGEST_RADIX: u32 = 256;
const HIGHEST: u32 = 4;
/// The most ports of a rack switch.
const LARGEST_RACK: u32 = 1024;

impl Settings for MultiCore {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &NAMED);
        sizes(form, self, 12, MultiCore::balanced);
        let number = |form: &mut dyn Form, key, label, help, value, lowest, most| {
            form.setting(Setting::number(key, label, help, value, lowest..=most));
        };
        let pairs = "Pairs of rack switches.";
        number(form, "pairs", "Pairs", pairs, &mut self.pairs, 1, MOST_PAIRS);
        let hosts = "Endpoints on each rack switch.";
        number(form, "hosts", "Endpoints per switch", hosts, &mut self.hosts, 1, MOST_LINKS);
        let cores = "Fat trees above the rack switches.";
        number(form, "cores", "Cores", cores, &mut self.cores, 1, MOST_CORES);
        let radix = "Ports of a core's switches, an even number.";
        number(form, "core_radix", "Core radix", radix, &mut self.core_radix, 2, LARGEST_RADIX);
        let uplinks = "Links of a rack switch to each core it is attached to.";
        number(form, "uplinks", "Uplinks per core", uplinks, &mut self.uplinks, 1, MOST_LINKS);
        let horizontal = "Links between the two rack switches of a pair.";
        let (key, label) = ("horizontal", "Horizontal links");
        number(form, key, label, horizontal, &mut self.horizontal, 0, MOST_LINKS);
        form.setting(
            Setting::number(
                "core_levels",
                "Core levels",
                "Switch levels of a core.",
                &mut self.core_levels,
                1..=HIGHEST,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "attach",
                "Attachment",
                "Whether each rack switch is attached to all cores, or one of a pair to the first \
                 half of them and the other to the second.",
                &mut self.attach,
            )
            .advanced(),
        );
    }
}

impl Part for MultiCore {
    fn name(&self) -> &'static str {
        "multi_core"
    }
    fn label(&self) -> &'static str {
        "Multi-core fat tree"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Pairs of rack switches below several fat trees, joined by horizontal links \
         (sFtree 2012, §3).",
        )
    }
}

impl Build for MultiCore {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        self.check()?;
        let core = fat_tree::widths(self.core_radix, self.core_levels, self.core_radix / 2);
        limit_size("pairs", &self.pairs.to_string(), self.port_count(&core))?;
        self.check_slots()?;

        let mut builder = Builder::new(links);
        builder.switches(2 * self.pairs, self.rack_ports());
        let cores: Vec<Planted> = (0..self.cores)
            .map(|_| Planted::add_switches(&mut builder, core.tree(), &[]))
            .collect();
        for rack in 0..2 * self.pairs {
            self.link_rack(&mut builder, rack, &cores);
        }
        for core in &cores {
            for level in 1..self.core_levels {
                core.link_upward(&mut builder, level, 2, |_, _| true);
            }
        }
        finish(builder, Structure::Layered(self.layers(&cores)))
    }
}

impl MultiCore {
    /// One core of `12k`-port switches, and rack switches with a third of such a number of ports
    /// each for endpoints, uplinks and horizontal links: `72k²` endpoints.
    pub(crate) fn single_core(k: u32) -> MultiCore {
        MultiCore {
            pairs: 9 * k,
            hosts: 4 * k,
            cores: 1,
            core_radix: 12 * k,
            core_levels: 2,
            uplinks: 4 * k,
            horizontal: 4 * k,
            attach: Attach::All,
        }
    }

    fn balanced(&self) -> Vec<Member<MultiCore>> {
        let member = |k: u32| {
            let endpoints = 72 * u64::from(k * k);
            Member { radix: 12 * k, endpoints, part: MultiCore::single_core(k) }
        };
        (1..=LARGEST_RADIX / 12).map(member).collect()
    }

    /// The cores that a rack switch is attached to, and its rank among those attached there.
    fn attachment(&self, rack: u32) -> (std::ops::Range<u32>, u32) {
        let half = self.cores / 2;
        match self.attach {
            Attach::All => (0..self.cores, rack),
            Attach::Split if rack.is_multiple_of(2) => (0..half, rack / 2),
            Attach::Split => (half..self.cores, rack / 2),
        }
    }

    fn rack_ports(&self) -> u32 {
        let cores = self.attachment(0).0.len() as u32;
        self.hosts + self.uplinks * cores + self.horizontal
    }

    /// Ports of switches and endpoints together; a core's slots are ports of its leaf switches.
    fn port_count(&self, core: &Widths) -> Option<u64> {
        let slots = fat_tree::endpoints(self.core_radix, self.core_levels);
        let of_core = core.port_count()?.checked_sub(slots)?;
        let of_racks = 2 * u64::from(self.pairs) * u64::from(self.rack_ports() + self.hosts);
        of_core.checked_mul(u64::from(self.cores))?.checked_add(of_racks)
    }

    /// Whether every number is in its range, and the settings fit each other.
    fn check(&self) -> Result<(), Vec<Problem>> {
        let ranges = [
            ("pairs", self.pairs, 1, MOST_PAIRS),
            ("hosts", self.hosts, 1, MOST_LINKS),
            ("cores", self.cores, 1, MOST_CORES),
            ("uplinks", self.uplinks, 1, MOST_LINKS),
            ("horizontal", self.horizontal, 0, MOST_LINKS),
            ("core_levels", self.core_levels, 1, HIGHEST),
        ];
        let outside = |(key, given, lowest, most): &(&str, u32, u32, u32)| {
            let allowed = format!("allowed: {lowest} to {most}");
            let problem = Problem::new(*key, given.to_string(), allowed);
            (!(*lowest..=*most).contains(given)).then_some(problem)
        };
        let mut problems: Vec<Problem> = ranges.iter().filter_map(outside).collect();
        let even = self.core_radix.is_multiple_of(2);
        if !even || !(2..=LARGEST_RADIX).contains(&self.core_radix) {
            problems.push(odd("core_radix", self.core_radix, LARGEST_RADIX));
        }
        if self.attach == Attach::Split && !self.cores.is_multiple_of(2) {
            let allowed = "half of the cores go to each switch of a pair, so it must be even";
            let nearest = Some((self.cores + 1).to_string());
            let problem = Problem::new("cores", self.cores.to_string(), allowed);
            problems.push(Problem { nearest, ..problem });
        }
        if problems.is_empty() && self.rack_ports() > LARGEST_RACK {
            let allowed = format!(
                "a rack switch would have {} ports, allowed: up to {LARGEST_RACK}",
                self.rack_ports()
            );
            problems.push(Problem::new("uplinks", self.uplinks.to_string(), allowed));
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Whether the rack switches take all slots of a core and no more.
    fn check_slots(&self) -> Result<(), Vec<Problem>> {
        let slots = fat_tree::endpoints(self.core_radix, self.core_levels);
        let attached = match self.attach {
            Attach::All => 2 * u64::from(self.pairs),
            Attach::Split => u64::from(self.pairs),
        };
        if attached * u64::from(self.uplinks) == slots {
            return Ok(());
        }
        let allowed = format!(
            "{attached} rack switches on a core with {} uplinks each need {} ports, and a core \
             has {slots}; allowed: what needs just as many",
            self.uplinks,
            attached * u64::from(self.uplinks),
        );
        let switches_per_pair = attached / u64::from(self.pairs);
        let fitting = slots / (u64::from(self.uplinks) * switches_per_pair);
        let exact = fitting * u64::from(self.uplinks) * switches_per_pair == slots && fitting > 0;
        let problem = Problem::new("pairs", self.pairs.to_string(), allowed);
        Err(vec![Problem { nearest: exact.then(|| fitting.to_string()), ..problem }])
    }

    /// Adds the endpoints of a rack switch and all its links.
    fn link_rack(&self, builder: &mut Builder, rack: u32, cores: &[Planted]) {
        let switch = Node::Switch(SwitchId(rack));
        for number in 0..self.hosts {
            let endpoint = Node::Endpoint(builder.endpoint(1));
            builder.link((endpoint, 0), (switch, number), LinkClass::Endpoint);
        }
        let (attached, rank) = self.attachment(rack);
        let attached = &cores[attached.start as usize..attached.end as usize];
        let slots = (0..self.uplinks).map(|link| rank * self.uplinks + link);
        let ends = attached.iter().flat_map(|core| slots.clone().map(|slot| core.slot(slot)));
        for (number, end) in (self.hosts..).zip(ends) {
            builder.link((switch, number), end, LinkClass::Level(2));
        }
        if rack.is_multiple_of(2) {
            let sibling = Node::Switch(SwitchId(rack + 1));
            let first = self.rack_ports() - self.horizontal;
            for number in first..self.rack_ports() {
                builder.link((switch, number), (sibling, number), LinkClass::Sibling);
            }
        }
    }

    /// The rack switches by pairs, and the levels of the cores core by core.
    fn layers(&self, cores: &[Planted]) -> Layered {
        let mut layers = vec![Layer { name: "rack switch", block: 2 }];
        let mut layer_of = vec![0; 2 * self.pairs as usize];
        for (place, core) in cores.iter().enumerate() {
            for level in 1..=self.core_levels {
                let width = core.tree().width(level);
                layer_of.extend((0..width).map(|_| level));
                if place == 0 {
                    layers.push(Layer { name: self.layer_name(level), block: width });
                }
            }
        }
        Layered::new(layers, layer_of)
    }

    fn layer_name(&self, level: u32) -> &'static str {
        match level {
            1 if self.core_levels > 1 => "core leaf",
            _ if level == self.core_levels => "core root",
            _ => "core switch",
        }
    }
}
