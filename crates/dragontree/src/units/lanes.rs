//! InfiniBand's link rates: so many lanes of one speed.

use super::Bandwidth;

/// Names of lane speeds, with the payload rate of a lane as bits per second and a divisor.
///
/// SDR, DDR and QDR code 8 bits as 10; FDR10 and later 64 as 66; HDR and later state the rate
/// behind the forward error correction (InfiniBand Architecture Specification, vol. 2).
const SPEEDS: &[(&str, u64, u64)] = &[
    ("SDR", 2_000_000_000, 1),
    ("DDR", 4_000_000_000, 1),
    ("QDR", 8_000_000_000, 1),
    ("FDR10", 10_000_000_000, 1),
    ("FDR", 150_000_000_000, 11),
    ("EDR", 25_000_000_000, 1),
    ("HDR", 50_000_000_000, 1),
    ("NDR", 100_000_000_000, 1),
    ("XDR", 200_000_000_000, 1),
];

/// Widths that InfiniBand defines.
const WIDTHS: &[u64] = &[1, 2, 4, 8, 12];

impl Bandwidth {
    /// The payload rate that InfiniBand calls by this name, width first: `4xQDR` is 32 Gbit/s.
    /// None when the text is no such name.
    pub fn infiniband(text: &str) -> Option<Bandwidth> {
        let (width, speed) = text.split_once(['x', 'X'])?;
        let lanes: u64 = width.parse().ok().filter(|width| WIDTHS.contains(width))?;
        let known = SPEEDS.iter().find(|(name, _, _)| name.eq_ignore_ascii_case(speed));
        known.map(|(_, rate, divisor)| Bandwidth(lanes * rate / divisor))
    }

    /// What InfiniBand calls this rate, preferably with four lanes; none when it has no
    /// such name.
    pub fn infiniband_name(self) -> Option<String> {
        let widths = [4, 1, 2, 8, 12];
        let named = |width: u64| {
            let speed = SPEEDS.iter().find(|(_, rate, divisor)| width * rate / divisor == self.0);
            speed.map(|(name, _, _)| format!("{width}x{name}"))
        };
        widths.into_iter().find_map(named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_specification() {
        // Payload rates in Gbit/s: 4x SDR 8, DDR 16, QDR 32, FDR10 40, EDR 100, HDR 200.
        let cases = [("4xSDR", 8), ("4xDDR", 16), ("4xQDR", 32), ("4xFDR10", 40), ("12xQDR", 96)];
        for (name, gigabits) in cases.into_iter().chain([("2xHDR", 100), ("4xXDR", 800)]) {
            assert_eq!(Bandwidth::infiniband(name), Some(Bandwidth::gbps(gigabits)), "{name}");
        }
        assert_eq!(Bandwidth::infiniband("4xFDR").map(Bandwidth::as_bps), Some(54_545_454_545));
        for wrong in ["", "4x", "3xQDR", "QDR", "4xPDR", "4QDR"] {
            assert_eq!(Bandwidth::infiniband(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_name_stands_for_its_rate() {
        for width in WIDTHS {
            for (speed, _, _) in SPEEDS {
                let rate = Bandwidth::infiniband(&format!("{width}x{speed}")).expect("a rate");
                let name = rate.infiniband_name().expect("a name");
                assert_eq!(Bandwidth::infiniband(&name), Some(rate), "{width}x{speed} {name}");
            }
        }
        assert_eq!(Bandwidth::gbps(8).infiniband_name().as_deref(), Some("4xSDR"));
        assert_eq!(Bandwidth::gbps(7).infiniband_name(), None);
    }
}
