//! Parts with settings: one declaration gives parser, printer, range checks, form and help.
//!
//! A part (a topology, a routing, …) shows each of its settings once, in [`Settings::settings`];
//! reading, printing and describing are three small visitors over that one declaration.
//! A list of parts is declared with the [`catalog!`](crate::catalog!) macro.

use std::ops::RangeInclusive;

use crate::units::{Bandwidth, Bytes, Load, NotAQuantity, Time};

pub mod data;
mod describe;
mod list;
mod text;

pub use data::{Data, File, Files};
pub use describe::{Description, Kind, PartDescription, describe};
#[cfg(not(feature = "complete"))]
pub use list::Elsewhere;
pub use list::{Menu, PartChoice};
pub use text::{Problem, read_setting};

/// Where the page's form shows a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Always.
    Basic,
    /// Folded away until asked for.
    Advanced,
    /// Nowhere: it is written in the text only.
    Text,
}

/// Something with settings: each is shown to `form` once, in canonical order.
pub trait Settings {
    /// Shows every setting with its key, label, help and range.
    fn settings(&mut self, form: &mut dyn Form);
}

/// A named member of a list: a topology, a routing, a traffic pattern, …
pub trait Part: Settings {
    /// The name in the notation, in snake case.
    fn name(&self) -> &'static str;
    /// The name in menus and captions.
    fn label(&self) -> &'static str;
    /// One sentence: what it is, and its source. Given by [`help`].
    fn help(&self) -> &'static str;
}

/// What helps a reader; empty without the feature `complete`: the page's first load leaves it out.
#[inline(always)]
pub const fn help(text: &'static str) -> &'static str {
    if cfg!(feature = "complete") { text } else { "" }
}

/// What visits the settings.
pub trait Form {
    /// Called once for each setting.
    fn setting(&mut self, setting: Setting<'_>);
}

/// One setting, as it passes by a [`Form`].
pub struct Setting<'a> {
    /// The key in the notation; empty for the value that stands right after the entry's name.
    pub key: &'static str,
    /// The name in the form.
    pub label: &'static str,
    /// One sentence: what it does; empty without the feature `complete`.
    pub help: &'static str,
    /// Where the form shows it.
    pub tier: Tier,
    /// Whether it only sets other settings: it is read, and printed where it was written, but has
    /// no value of its own.
    pub shorthand: bool,
    /// The value and what it may be.
    pub field: Field<'a>,
}

// Not inlined: the page's code is smaller where every declaration is a call.
impl<'a> Setting<'a> {
    fn new(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        field: Field<'a>,
    ) -> Setting<'a> {
        Setting { key, label, help: self::help(help), tier: Tier::Basic, shorthand: false, field }
    }

    /// A number or quantity within `range`, given in the value's own unit.
    #[inline(never)]
    pub fn number<T: Scalar>(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        value: &'a mut T,
        range: RangeInclusive<T>,
    ) -> Setting<'a> {
        let range = range.start().base()..=range.end().base();
        Setting::new(key, label, help, Field::Number { value, range })
    }

    /// A number that may also be left to a rule, written as `word`.
    #[inline(never)]
    pub fn optional<T: Scalar + Default + 'static>(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        value: &'a mut Option<T>,
        word: &'static str,
        range: RangeInclusive<T>,
    ) -> Setting<'a> {
        let range = range.start().base()..=range.end().base();
        Setting::new(key, label, help, Field::Optional { value, word, range })
    }

    /// A list of whole numbers, written with dots between them (`4.4.2`).
    #[inline(never)]
    pub fn numbers(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        value: &'a mut Vec<u32>,
        range: RangeInclusive<u32>,
        longest: usize,
    ) -> Setting<'a> {
        Setting::new(key, label, help, Field::Numbers { value, range, longest })
    }

    /// One of a fixed set of words.
    #[inline(never)]
    pub fn choice(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        value: &'a mut dyn Pick,
    ) -> Setting<'a> {
        Setting::new(key, label, help, Field::Choice { value })
    }

    /// A value with a syntax of its own.
    #[inline(never)]
    pub fn written(
        key: &'static str,
        label: &'static str,
        help: &'static str,
        value: &'a mut dyn Written,
    ) -> Setting<'a> {
        Setting::new(key, label, help, Field::Written { value })
    }

    /// The same setting, folded away in the form.
    pub fn advanced(mut self) -> Setting<'a> {
        self.tier = Tier::Advanced;
        self
    }

    /// The same setting, left out of the form.
    pub fn text_only(mut self) -> Setting<'a> {
        self.tier = Tier::Text;
        self
    }

    /// The same setting, which only sets others; it must be shown before those.
    pub fn shorthand(mut self) -> Setting<'a> {
        self.shorthand = true;
        self
    }
}

/// The value of a setting and what it may be.
pub enum Field<'a> {
    /// A number or quantity, its range in base units.
    Number {
        /// The value.
        value: &'a mut dyn Scalar,
        /// Smallest and largest allowed value.
        range: RangeInclusive<u64>,
    },
    /// A number or quantity, or a word that leaves it to a rule.
    Optional {
        /// The value.
        value: &'a mut dyn OptionalScalar,
        /// The word for "left to a rule".
        word: &'static str,
        /// Smallest and largest allowed value.
        range: RangeInclusive<u64>,
    },
    /// A list of whole numbers.
    Numbers {
        /// The values.
        value: &'a mut Vec<u32>,
        /// Smallest and largest allowed member.
        range: RangeInclusive<u32>,
        /// The largest allowed number of members.
        longest: usize,
    },
    /// One of several words.
    Choice {
        /// The value.
        value: &'a mut dyn Pick,
    },
    /// A value with a syntax of its own.
    Written {
        /// The value.
        value: &'a mut dyn Written,
    },
}

/// A value with a syntax of its own, without slashes, commas, spaces and double dots.
pub trait Written {
    /// Takes the value from text; false when it is not allowed.
    fn read(&mut self, text: &str) -> bool;
    /// The value in canonical text.
    fn print(&self) -> String;
    /// What is allowed, as the end of "allowed:".
    fn allowed(&self) -> &'static str;
    /// A value that is allowed, other than the default.
    fn example(&self) -> &'static str;
    /// Why a text is not allowed, where more can be said than what is allowed.
    fn refusal(&self, _text: &str) -> Option<String> {
        None
    }
    /// The digests of the files that it names and has not been given.
    fn missing(&self) -> Vec<u64> {
        Vec::new()
    }
    /// Takes what it names from files.
    fn attach(&mut self, _files: &Files) {}
}

/// The unit in which a number is read and printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A plain whole number.
    Count,
    /// Picoseconds.
    Time,
    /// Bits per second.
    Bandwidth,
    /// Bytes.
    Bytes,
    /// Parts per million of a link's rate.
    Load,
}

impl Unit {
    /// Reads a value into base units.
    pub fn parse(self, text: &str) -> Result<u64, NotAQuantity> {
        match self {
            Unit::Count => {
                let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                let number = if digits { text.parse().ok() } else { None };
                number.ok_or(NotAQuantity { expected: "a whole number" })
            }
            Unit::Time => text.parse::<Time>().map(Time::as_ps),
            Unit::Bandwidth => text.parse::<Bandwidth>().map(Bandwidth::as_bps),
            Unit::Bytes => text.parse::<Bytes>().map(|bytes| bytes.0),
            Unit::Load => text.parse::<Load>().map(|load| u64::from(load.as_ppm())),
        }
    }

    /// Prints a value given in base units.
    pub fn print(self, base: u64) -> String {
        match self {
            Unit::Count => base.to_string(),
            Unit::Time => Time::ps(base).to_string(),
            Unit::Bandwidth => Bandwidth::bps(base).to_string(),
            Unit::Bytes => Bytes(base).to_string(),
            Unit::Load => Load::ppm(u32::try_from(base).unwrap_or(u32::MAX)).to_string(),
        }
    }
}

/// A single number or quantity, seen as a whole number of base units.
pub trait Scalar {
    /// Its unit.
    fn unit(&self) -> Unit;
    /// Its value in base units.
    fn base(&self) -> u64;
    /// Takes a value in base units, already known to be in range.
    fn set(&mut self, base: u64);
}

macro_rules! scalar {
    ($type:ty, $unit:ident, |$value:ident| $get:expr, |$base:ident| $make:expr) => {
        impl Scalar for $type {
            fn unit(&self) -> Unit {
                Unit::$unit
            }
            fn base(&self) -> u64 {
                let $value = self;
                $get
            }
            fn set(&mut self, $base: u64) {
                *self = $make;
            }
        }
    };
}

scalar!(u32, Count, |value| u64::from(*value), |base| u32::try_from(base).unwrap_or(u32::MAX));
scalar!(u64, Count, |value| *value, |base| base);
scalar!(Time, Time, |value| value.as_ps(), |base| Time::ps(base));
scalar!(Bandwidth, Bandwidth, |value| value.as_bps(), |base| Bandwidth::bps(base));
scalar!(Bytes, Bytes, |value| value.0, |base| Bytes(base));
scalar!(Load, Load, |value| u64::from(value.as_ppm()), |base| {
    Load::ppm(u32::try_from(base).unwrap_or(u32::MAX))
});

/// A [`Scalar`] that may be absent.
pub trait OptionalScalar {
    /// The unit when present.
    fn unit(&self) -> Unit;
    /// The value in base units, when present.
    fn base(&self) -> Option<u64>;
    /// Takes a value in base units, or none.
    fn set(&mut self, base: Option<u64>);
}

impl<T: Scalar + Default> OptionalScalar for Option<T> {
    fn unit(&self) -> Unit {
        T::default().unit()
    }
    fn base(&self) -> Option<u64> {
        self.as_ref().map(Scalar::base)
    }
    fn set(&mut self, base: Option<u64>) {
        *self = base.map(|base| {
            let mut value = T::default();
            value.set(base);
            value
        });
    }
}

/// One of a fixed set of words; implemented by [`choices!`](crate::choices!).
pub trait Pick {
    /// The words, each with its label.
    fn words(&self) -> &'static [(&'static str, &'static str)];
    /// Which is chosen.
    fn chosen(&self) -> usize;
    /// Chooses another, by its place among [`words`](Self::words).
    fn choose(&mut self, index: usize);
}

/// Declares an enum of words for a [`Setting::choice`]; the first is the default.
#[macro_export]
macro_rules! choices {
    ($(#[$about:meta])* pub enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $word:literal, $label:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$doc])* $variant),+
        }
        impl $name {
            const ALL: &[$name] = &[$($name::$variant),+];
        }
        impl Default for $name {
            fn default() -> $name {
                Self::ALL[0]
            }
        }
        impl $crate::catalog::Pick for $name {
            fn words(&self) -> &'static [(&'static str, &'static str)] {
                &[$(($word, $label)),+]
            }
            fn chosen(&self) -> usize {
                Self::ALL.iter().position(|each| each == self).unwrap_or(0)
            }
            fn choose(&mut self, index: usize) {
                *self = Self::ALL.get(index).copied().unwrap_or(*self);
            }
        }
    };
}
