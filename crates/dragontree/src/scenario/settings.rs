//! The values of a scenario that are no parts: their labels, help and ranges.

use std::ops::RangeInclusive;

use super::{Buffer, Key, Scenario, Switching};
use crate::catalog::{Form, Scalar, Setting, Settings};
use crate::network::{LinkClass, Network, PerClass};
use crate::simulation::Injection;
use crate::units::{Bandwidth, Bytes, Load, Time};

impl Settings for Buffer {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::number(
            "",
            "Input buffer",
            "Input buffer of a switch port.",
            &mut self.bytes,
            Bytes(1)..=Bytes(1 << 30),
        ));
        form.setting(
            Setting::choice(
                "per",
                "Input buffer is",
                "Whether virtual channels share the buffer equally, each at least a packet or flit, \
                 or have one each.",
                &mut self.per,
            )
            .advanced(),
        );
    }
}

impl Settings for Switching {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "",
            "Switching",
            "Whether packets move whole, or in flits of which the first claims each output's virtual \
             channel and the last gives it back.",
            &mut self.kind,
        ));
        form.setting(
            Setting::number(
                "flit",
                "Flit",
                "Size of a flit in wormhole switching; a packet is a whole number of them.",
                &mut self.flit,
                Bytes(1)..=Bytes(1 << 20),
            )
            .advanced(),
        );
    }
}

impl Settings for Injection {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "",
            "Injection",
            "Whether a source sends at random, in each slot of a message's time with the load as \
             probability, or at equal intervals.",
            &mut self.spacing,
        ));
        form.setting(
            Setting::number(
                "packets",
                "Packets of a message",
                "How many packets are generated at once and sent to one destination; latencies are then \
                 those of messages, to the last packet.",
                &mut self.packets,
                1..=4096,
            )
            .advanced(),
        );
        form.setting(
            Setting::choice(
                "ways",
                "A way for",
                "Whether routes that choose at random choose for each packet, or once for a message, \
                 also of an exchange.",
                &mut self.ways,
            )
            .advanced(),
        );
        form.setting(
            Setting::optional(
                "shortest",
                "Shortest packet",
                "Cuts messages into packets of random lengths from this to packet=, the last what is \
                 left; “packet” leaves all as long as packet=.",
                &mut self.shortest,
                "packet",
                Bytes(1)..=Bytes(1 << 20),
            )
            .advanced(),
        );
    }
}

/// A class of links: as the notation writes it, with what the rows for its bandwidth and for its
/// latency are called.
type Class = (&'static str, [&'static str; 2], LinkClass);

macro_rules! class {
    ($key:literal, $class:expr) => {
        (
            $key,
            [concat!("Bandwidth of ", $key, " links"), concat!("Latency of ", $key, " links")],
            $class,
        )
    };
}

/// The classes of links.
const CLASSES: &[Class] = &[
    class!("endpoint", LinkClass::Endpoint),
    class!("local", LinkClass::Local),
    class!("global", LinkClass::Global),
    class!("level2", LinkClass::Level(2)),
    class!("level3", LinkClass::Level(3)),
    class!("level4", LinkClass::Level(4)),
    class!("level5", LinkClass::Level(5)),
    class!("level6", LinkClass::Level(6)),
    class!("level7", LinkClass::Level(7)),
    class!("level8", LinkClass::Level(8)),
    class!("sibling", LinkClass::Sibling),
    class!("router", LinkClass::Router),
    class!("dimension1", LinkClass::Dimension(1)),
    class!("dimension2", LinkClass::Dimension(2)),
    class!("dimension3", LinkClass::Dimension(3)),
    class!("dimension4", LinkClass::Dimension(4)),
    class!("switch", LinkClass::Switch),
];

/// Which classes of links a network has, a bit for each: bit n is the n-th setting after the first of
/// `bandwidth` and `latency`.
pub fn link_classes(network: &Network) -> u32 {
    let has = |class: &LinkClass| network.link_classes().any(|own| own == *class);
    CLASSES.iter().rev().fold(0, |bits, (_, _, class)| bits << 1 | u32::from(has(class)))
}

/// Shows a quantity of all links and its exceptions by class, which have the labels of this place.
fn per_class<T: Scalar + Copy + Default + 'static>(
    form: &mut dyn Form,
    all: (&'static str, &'static str),
    (place, help): (usize, &'static str),
    value: &mut PerClass<T>,
    range: RangeInclusive<T>,
) {
    form.setting(Setting::number("", all.0, all.1, &mut value.base, range.clone()));
    for (key, labels, of) in CLASSES {
        let mut exception = value.exception(*of);
        form.setting(
            Setting::optional(key, labels[place], help, &mut exception, "base", range.clone())
                .text_only(),
        );
        value.except(*of, exception);
    }
}

impl Settings for PerClass<Bandwidth> {
    fn settings(&mut self, form: &mut dyn Form) {
        per_class(
            form,
            ("Bandwidth", "Payload rate of the links; 4xQDR and the like are InfiniBand's rates."),
            (0, "Payload rate of the links of this class only."),
            self,
            Bandwidth::bps(1_000_000)..=Bandwidth::gbps(10_000),
        );
    }
}

impl Settings for PerClass<Time> {
    fn settings(&mut self, form: &mut dyn Form) {
        per_class(
            form,
            (
                "Link latency",
                "Time from the first bit leaving a port to it arriving at the other end.",
            ),
            (1, "Latency of the links of this class only."),
            self,
            Time::ZERO..=Time::us(1000),
        );
    }
}

impl Scenario {
    /// The single value behind a key.
    pub(super) fn value(&mut self, key: &Key) -> Setting<'_> {
        match key.name {
            "load" | "bytes" | "ranks" | "ranks_per_endpoint" => self.workload(key),
            "warmup" | "window" | "precision" | "seed" | "seeds" => self.measurement(key),
            _ => self.hardware(key),
        }
    }

    /// What is offered to the network.
    fn workload(&mut self, key: &Key) -> Setting<'_> {
        let label = key.label;
        match key.name {
            "load" => Setting::number(
                "",
                label,
                "Offered load, as a fraction of each source's link rate; auto:20 spreads twenty around the \
                 analytic bound.",
                &mut self.load,
                Load::ppm(1)..=Load::FULL,
            ),
            "bytes" => Setting::number(
                "",
                label,
                "Length of a message of the exchange, where that does not follow from it.",
                &mut self.bytes,
                Bytes(1)..=Bytes(64 << 20),
            ),
            "ranks_per_endpoint" => Setting::number(
                "",
                label,
                "Ranks that share an endpoint and its load; messages between them stay there and are \
                 not sent.",
                &mut self.ranks_per_endpoint,
                1..=256,
            ),
            _ => Setting::optional(
                "",
                label,
                "Number of ranks; “all” fills every endpoint.",
                &mut self.ranks,
                "all",
                2..=4_000_000,
            ),
        }
    }

    /// What the network is made of.
    fn hardware(&mut self, key: &Key) -> Setting<'_> {
        let label = key.label;
        match key.name {
            "switch_latency" => Setting::number(
                "",
                label,
                "Time through a switch, from head in to head out.",
                &mut self.switch_latency,
                Time::ZERO..=Time::us(1000),
            ),
            "adapter_latency" => Setting::number(
                "",
                label,
                "Time through an endpoint's adapter, counted at the source and at the destination.",
                &mut self.adapter_latency,
                Time::ZERO..=Time::us(1000),
            ),
            "switch" => Setting::choice(
                "",
                label,
                "Where a switch keeps packets: virtual output queues at the inputs, one FIFO per input \
                 port and virtual channel (the first packet blocks the others), or queues at the \
                 outputs with room of their own.",
                &mut self.switch,
            ),
            "output_buffer" => Setting::number(
                "",
                label,
                "Output queue of a switch port; without effect with FIFO inputs, which have none.",
                &mut self.output_buffer,
                Bytes(1)..=Bytes(1 << 30),
            ),
            "virtual_channels" => Setting::optional(
                "",
                label,
                "Virtual channels per link; “auto” takes what the routing needs, fewer merge the \
                 last classes and may deadlock, more stay unused.",
                &mut self.virtual_channels,
                "auto",
                1..=16,
            ),
            _ => Setting::number(
                "",
                label,
                "Size of a packet, which is also the message unless injection= says otherwise.",
                &mut self.packet,
                Bytes(1)..=Bytes(1 << 20),
            ),
        }
    }

    /// How long and how often is measured.
    fn measurement(&mut self, key: &Key) -> Setting<'_> {
        let label = key.label;
        match key.name {
            "warmup" => Setting::optional(
                "",
                label,
                "Simulated time before measuring; “auto” finds it from the results.",
                &mut self.warmup,
                "auto",
                Time::ZERO..=Time::us(1_000_000),
            ),
            "window" => Setting::optional(
                "",
                label,
                "Simulated time of measuring; “auto” goes on until the precision is reached.",
                &mut self.window,
                "auto",
                Time::ns(100)..=Time::us(1_000_000),
            ),
            "precision" => Setting::number(
                "",
                label,
                "Half-width of the 95 % interval of the throughput at which a run stops; three \
                 times as much for the latency.",
                &mut self.precision,
                Load::ppm(1_000)..=Load::ppm(500_000),
            ),
            "seed" => Setting::number(
                "",
                label,
                "Seed of every random choice.",
                &mut self.seed,
                0..=u64::MAX,
            ),
            _ => Setting::number(
                "",
                label,
                "How many seeds are run and pooled, from the seed upward.",
                &mut self.seeds,
                1..=1000,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::KEYS;
    use super::*;

    #[test]
    fn settings_of_a_key_differ_in_their_labels() {
        for key in KEYS {
            let settings = Scenario::default().describe(key.name);
            let mut labels: Vec<&str> = settings.iter().map(|setting| setting.label).collect();
            labels.sort_unstable();
            labels.dedup();
            assert_eq!(labels.len(), settings.len(), "{}", key.name);
        }
    }

    #[test]
    fn every_key_has_a_value_or_a_part_of_its_own() {
        let mut helps: Vec<&str> = Vec::new();
        for key in KEYS {
            let settings = Scenario::default().describe(key.name);
            let own = settings.iter().find(|setting| setting.key.is_empty());
            assert_eq!(own.is_some(), Scenario::parts(key.name).is_empty(), "{}", key.name);
            helps.extend(own.map(|setting| setting.help));
        }
        let count = helps.len();
        helps.sort_unstable();
        helps.dedup();
        assert_eq!(helps.len(), count);
    }
}
