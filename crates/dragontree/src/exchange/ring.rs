//! The rings of the HPC Challenge benchmark (Bogdański et al. 2013, §5.1).

use super::steps::Steps;
use super::{After, Closed, Exchanged, Moment, Queueing, Refused, Site};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::random::Stream;

crate::choices! {
    /// The order of the ranks on a ring.
    pub enum RingOrder {
        /// By their numbers.
        Natural = "natural", "natural";
        /// Uniformly random.
        Random = "random", "random";
    }
}

/// Every rank sends to the one before it, and then to the one behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring {
    /// The order of the ranks.
    pub order: RingOrder,
    /// The order's own seed; without one it follows the run's.
    pub seed: Option<u64>,
}

impl Settings for Ring {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "order",
            "Order",
            "The order of the ranks on the ring.",
            &mut self.order,
        ));
        form.setting(
            Setting::optional(
                "seed",
                "Ring seed",
                "Seed of the random order; “run” follows the run's seed.",
                &mut self.seed,
                "run",
                0..=u64::MAX,
            )
            .advanced(),
        );
    }
}

impl Part for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }
    fn label(&self) -> &'static str {
        "Ring"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Every rank sends to its left neighbor and, when it has received, to its right one (HPCC).",
        )
    }
}

impl Closed for Ring {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let count = site.ranks();
        let mut ring: Vec<u32> = (0..count).collect();
        if self.order == RingOrder::Random {
            Stream::new(self.seed.unwrap_or(site.seed), "ring", 0).shuffle(&mut ring);
        }
        let at = |place: u32| ring[(place % count) as usize];
        let mut steps = Steps::new(count);
        for place in 0..count {
            steps.send(0, [at(place), at(place + count - 1)], site.bytes, Vec::new());
        }
        for place in 0..count {
            // The message that the right neighbor sent is the one behind in the list.
            let sent = After { message: place, moment: Moment::Sent };
            let received = After { message: (place + 1) % count, moment: Moment::Delivered };
            steps.send(1, [at(place), at(place + 1)], site.bytes, vec![sent, received]);
        }
        steps.finish(Queueing::InOrder)
    }
}
