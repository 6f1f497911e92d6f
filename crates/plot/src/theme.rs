//! The names of the colors, and what they stand for where no style sheet gives them.

use plotters_backend::BackendColor;

/// Which colors a file is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white; also for print.
    Light,
    /// Light ink on a dark panel.
    Dark,
}

/// How many series colors, and how many markers, there are.
pub(crate) const SLOTS: usize = 6;

/// A color by its role; the page's style sheet gives `--panel`, `--muted`, `--series-0` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Panel,
    Ink,
    Muted,
    Hairline,
    Series(usize),
}

impl Token {
    const FIXED: [Self; 4] = [Self::Panel, Self::Ink, Self::Muted, Self::Hairline];

    /// The color of a series, or the muted one for what belongs to none.
    pub fn of_slot(slot: Option<usize>) -> Self {
        slot.map_or(Self::Muted, |slot| Self::Series(slot % SLOTS))
    }

    /// The class of a series of this color.
    pub fn class(self) -> String {
        match self {
            Self::Series(slot) => format!("s{slot}"),
            _ => String::new(),
        }
    }

    /// The value of a `fill` or `stroke` attribute: a variable, or a color in a file.
    pub fn paint(self, theme: Option<Theme>) -> String {
        match theme {
            None => match self {
                Self::Panel => "var(--panel)".to_owned(),
                Self::Ink => "var(--ink)".to_owned(),
                Self::Muted => "var(--muted)".to_owned(),
                Self::Hairline => "var(--hairline)".to_owned(),
                Self::Series(slot) => format!("var(--series-{slot})"),
            },
            Some(theme) => format!("#{:06x}", self.code(theme)),
        }
    }

    /// The color under which plotters carries the token to the backend.
    pub fn color(self) -> BackendColor {
        let code = self.code(Theme::Light);
        let rgb = ((code >> 16) as u8, (code >> 8) as u8, code as u8);
        BackendColor { alpha: 1.0, rgb }
    }

    /// The token that a color stands for; plain ink for a color that is none of ours.
    pub fn of_color(color: BackendColor) -> Self {
        let series = (0..SLOTS).map(Self::Series);
        let mut tokens = Self::FIXED.into_iter().chain(series);
        tokens.find(|token| token.color().rgb == color.rgb).unwrap_or(Self::Ink)
    }

    fn code(self, theme: Theme) -> u32 {
        let (light, dark) = match self {
            Self::Panel => (0xff_ff_ff, 0x1b_1f_23),
            Self::Ink => (0x1d_22_26, 0xe6_e8_ea),
            Self::Muted => (0x64_6c_73, 0x9a_a3_ab),
            Self::Hairline => (0xe4_e1_da, 0x2c_32_38),
            Self::Series(0) => (0x00_72_b2, 0x56_b4_e9),
            Self::Series(1) => (0xc2_57_00, 0xff_9d_4d),
            Self::Series(2) => (0x00_80_5a, 0x3e_cf_9f),
            Self::Series(3) => (0x8a_4f_9e, 0xcf_9f_e0),
            Self::Series(4) => (0x6b_6f_00, 0xd7_d3_4c),
            Self::Series(_) => (0x55_55_55, 0xbb_bb_bb),
        };
        match theme {
            Theme::Light => light,
            Theme::Dark => dark,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_survives_plotters() {
        let series = (0..SLOTS).map(Token::Series);
        for token in Token::FIXED.into_iter().chain(series) {
            assert_eq!(Token::of_color(token.color()), token);
        }
    }
}
