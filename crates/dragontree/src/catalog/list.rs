//! Lists of parts.

use super::{Form, PartDescription};

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

/// Declares a list of parts as an enum. Each line is `module::Type`; the enum's variants carry
/// the type's name. The role trait after the colon is what all of them can do.
///
/// The `mod` lines stay outside so that `cargo fmt` visits the files.
#[macro_export]
macro_rules! catalog {
    ($(#[$about:meta])* pub enum $name:ident: $role:ident {
        $($module:ident::$part:ident),+ $(,)?
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $(#[allow(missing_docs)] $part($module::$part)),+
        }

        impl $crate::catalog::PartChoice for $name {
            fn all() -> Vec<$name> {
                vec![$($name::$part(<$module::$part>::default())),+]
            }
        }

        impl $name {
            /// What all parts of this list can do.
            pub fn role(&self) -> &dyn $role {
                match self {
                    $($name::$part(part) => part),+
                }
            }

            /// The part without its type, for its name, label and help.
            pub fn part(&self) -> &dyn $crate::catalog::Part {
                match self {
                    $($name::$part(part) => part),+
                }
            }

            fn part_mut(&mut self) -> &mut dyn $crate::catalog::Part {
                match self {
                    $($name::$part(part) => part),+
                }
            }
        }

        $(impl From<$module::$part> for $name {
            fn from(part: $module::$part) -> $name {
                $name::$part(part)
            }
        })+

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
