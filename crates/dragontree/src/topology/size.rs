//! Shorthands that families of networks share: a named member, or one chosen by its size.

use crate::catalog::{Form, Pick, Setting};

/// A balanced member of a family.
pub(super) struct Member<T> {
    /// Ports of its largest switch.
    pub radix: u32,
    /// Its number of endpoints.
    pub endpoints: u64,
    /// Its settings.
    pub part: T,
}

/// Named members of a family.
pub(super) struct Presets<T: 'static> {
    /// Words and labels; the first stands for members without a name.
    pub words: &'static [(&'static str, &'static str)],
    /// The members with a name, in the order of the words after the first.
    pub parts: fn() -> Vec<T>,
}

struct Named {
    words: &'static [(&'static str, &'static str)],
    chosen: usize,
}

impl Pick for Named {
    fn words(&self) -> &'static [(&'static str, &'static str)] {
        self.words
    }
    fn chosen(&self) -> usize {
        self.chosen
    }
    fn choose(&mut self, index: usize) {
        self.chosen = index;
    }
}

/// Shows `preset=`, which replaces the part by the one of that name.
pub(super) fn presets<T: PartialEq>(form: &mut dyn Form, part: &mut T, presets: &Presets<T>) {
    let mut parts = (presets.parts)();
    let before = parts.iter().position(|each| each == part).map_or(0, |place| place + 1);
    let mut named = Named { words: presets.words, chosen: before };
    form.setting(
        Setting::choice("preset", "Preset", "A member of the family with a name.", &mut named)
            .shorthand(),
    );
    if named.chosen != before && (1..=parts.len()).contains(&named.chosen) {
        *part = parts.swap_remove(named.chosen - 1);
    }
}

/// Shows `radix=` and `endpoints=`, which replace the part by the largest balanced member with at
/// most so many ports per switch, or by the one nearest to so many endpoints. `members` lists
/// them; the smallest has the radix `smallest`.
pub(super) fn sizes<T>(
    form: &mut dyn Form,
    part: &mut T,
    smallest: u32,
    members: impl Fn(&T) -> Vec<Member<T>>,
) {
    const LARGEST: u32 = 256;
    let mut radix: Option<u32> = None;
    form.setting(
        Setting::optional(
            "radix",
            "Radix",
            "Chooses the largest balanced member with at most so many ports per switch.",
            &mut radix,
            "own",
            smallest..=LARGEST,
        )
        .text_only()
        .shorthand(),
    );
    if let Some(radix) = radix {
        let fitting = members(part).into_iter().filter(|member| member.radix <= radix);
        if let Some(largest) = fitting.max_by_key(|member| (member.endpoints, member.radix)) {
            *part = largest.part;
        }
    }
    nearest(form, part, members);
}

/// Shows `endpoints=`, which replaces the part by the balanced member nearest to so many.
pub(super) fn nearest<T>(
    form: &mut dyn Form,
    part: &mut T,
    members: impl Fn(&T) -> Vec<Member<T>>,
) {
    let mut endpoints: Option<u32> = None;
    form.setting(
        Setting::optional(
            "endpoints",
            "Endpoints",
            "Chooses the balanced member nearest to so many endpoints.",
            &mut endpoints,
            "own",
            2..=1_000_000,
        )
        .text_only()
        .shorthand(),
    );
    if let Some(endpoints) = endpoints {
        let distance = |member: &Member<T>| member.endpoints.abs_diff(u64::from(endpoints));
        if let Some(nearest) = members(part).into_iter().min_by_key(distance) {
            *part = nearest.part;
        }
    }
}
