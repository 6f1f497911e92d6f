//! Lists of parts.

use super::{Form, PartDescription};
#[cfg(not(feature = "complete"))]
use super::{Part, Settings};

/// A choice among the parts of a list, seen without its type.
pub trait Menu {
    /// The name of the chosen part.
    fn name(&self) -> &'static str;
    /// Chooses the part of this name, with its default settings; false when there is none.
    fn choose(&mut self, name: &str) -> bool;
    /// Shows the chosen part's settings.
    fn settings(&mut self, form: &mut dyn Form);
    /// Every part of the list, in menu order.
    fn describe_all(&self) -> Vec<PartDescription>;
    /// The names of all parts, in menu order.
    fn names(&self) -> Vec<&'static str>;
}

/// A list of parts as a type: every member with default settings.
pub trait PartChoice: Sized {
    /// Every part with its default settings, in menu order.
    fn all() -> Vec<Self>;
}

/// Stands for a part of which this build holds the settings only: without the feature `complete`
/// that is every part behind `later` in its list.
#[cfg(not(feature = "complete"))]
pub struct Elsewhere;

#[cfg(not(feature = "complete"))]
impl Elsewhere {
    /// What it says to whatever it is asked.
    pub const WORDS: &str = "only the complete build can do that";
}

#[cfg(not(feature = "complete"))]
impl Settings for Elsewhere {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

#[cfg(not(feature = "complete"))]
impl Part for Elsewhere {
    fn name(&self) -> &'static str {
        "elsewhere"
    }
    fn label(&self) -> &'static str {
        "Elsewhere"
    }
    fn help(&self) -> &'static str {
        Elsewhere::WORDS
    }
}

/// Declares a list of parts as an enum. Each line is `module::Type`; the enum's variants carry
/// the type's name. The role trait after the colon is what all of them can do. Parts behind
/// `later` can do it only with the feature `complete`: the page's first load brings the settings of
/// all parts, and the others themselves.
///
/// The `mod` lines stay outside so that `cargo fmt` visits the files.
#[macro_export]
macro_rules! catalog {
    ($(#[$about:meta])* pub enum $name:ident: $role:ident {
        $($module:ident::$part:ident),+ $(,)?
        $(; later: $($place:ident::$later:ident),+ $(,)?)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $(#[allow(missing_docs)] $part($module::$part),)+
            $($(#[allow(missing_docs)] $later($place::$later),)+)?
        }

        impl $crate::catalog::PartChoice for $name {
            fn all() -> Vec<$name> {
                vec![
                    $($name::$part(<$module::$part>::default()),)+
                    $($($name::$later(<$place::$later>::default()),)+)?
                ]
            }
        }

        impl $name {
            /// What all parts of this list can do.
            pub fn role(&self) -> &dyn $role {
                match self {
                    $($name::$part(part) => part,)+
                    $($(
                        #[cfg(feature = "complete")]
                        $name::$later(part) => part,
                        #[cfg(not(feature = "complete"))]
                        $name::$later(_) => &$crate::catalog::Elsewhere,
                    )+)?
                }
            }

            /// Whether this build holds what the part can do, not only its settings.
            pub fn is_held(&self) -> bool {
                match self {
                    $($name::$part(_) => true,)+
                    $($($name::$later(_) => cfg!(feature = "complete"),)+)?
                }
            }

            /// The part without its type, for its name, label and help.
            pub fn part(&self) -> &dyn $crate::catalog::Part {
                match self {
                    $($name::$part(part) => part,)+
                    $($($name::$later(part) => part,)+)?
                }
            }

            fn part_mut(&mut self) -> &mut dyn $crate::catalog::Part {
                match self {
                    $($name::$part(part) => part,)+
                    $($($name::$later(part) => part,)+)?
                }
            }
        }

        $(impl From<$module::$part> for $name {
            fn from(part: $module::$part) -> $name {
                $name::$part(part)
            }
        })+

        $($(impl From<$place::$later> for $name {
            fn from(part: $place::$later) -> $name {
                $name::$later(part)
            }
        })+)?

        impl $crate::catalog::Menu for $name {
            fn name(&self) -> &'static str {
                self.part().name()
            }
            fn choose(&mut self, name: &str) -> bool {
                use $crate::catalog::PartChoice;
                let found = $name::all().into_iter().find(|each| each.part().name() == name);
                found.map(|part| *self = part).is_some()
            }
            fn settings(&mut self, form: &mut dyn $crate::catalog::Form) {
                self.part_mut().settings(form);
            }
            fn describe_all(&self) -> Vec<$crate::catalog::PartDescription> {
                use $crate::catalog::PartChoice;
                $name::all().iter_mut().map(|each| {
                    $crate::catalog::PartDescription::of(each.part_mut())
                }).collect()
            }
            fn names(&self) -> Vec<&'static str> {
                use $crate::catalog::PartChoice;
                $name::all().iter().map(|each| each.part().name()).collect()
            }
        }
    };
}
