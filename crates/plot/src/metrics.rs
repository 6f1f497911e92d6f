//! Widths of text from a built-in table, so that a layout never asks a browser.

/// Advance widths of Helvetica in thousandths of the font size, from space to tilde.
#[rustfmt::skip]
const ADVANCES: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

const OTHER_ADVANCE: u16 = 600;
const WIDE_ADVANCE: u16 = 1000;

// The page's font is the reader's system font, which may be a seventh wider than Helvetica.
const SAFETY: f64 = 1.15;

/// The width of a line of text in the unit of `size`.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let thousandths: f64 = text.chars().map(|character| f64::from(advance(character))).sum();
    thousandths * size * SAFETY / 1000.0
}

fn advance(character: char) -> u16 {
    let code = u32::from(character);
    let index = code.checked_sub(u32::from(' ')).map(|offset| offset as usize);
    match index.and_then(|index| ADVANCES.get(index)) {
        Some(&advance) => advance,
        None if code >= 0x1100 && !(0x2000..0x2e80).contains(&code) => WIDE_ADVANCE,
        None => OTHER_ADVANCE,
    }
}

/// The text, cut with an ellipsis where it would exceed `limit`; empty when not even that fits.
pub(crate) fn shortened(text: &str, size: f64, limit: f64) -> String {
    if width(text, size) <= limit {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        kept.push(character);
        kept.push('…');
        let fits = width(&kept, size) <= limit;
        kept.pop();
        if !fits {
            kept.pop();
            break;
        }
    }
    let kept = kept.trim_end();
    if kept.is_empty() { String::new() } else { format!("{kept}…") }
}

/// The text in lines of at most `limit`, broken at spaces where possible; line feeds are kept.
pub(crate) fn wrapped(text: &str, size: f64, limit: f64) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let space = if line.is_empty() { "" } else { " " };
            if width(&format!("{line}{space}{word}"), size) <= limit {
                line.push_str(space);
                line.push_str(word);
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line = broken(word, size, limit, &mut lines);
        }
        lines.push(line);
    }
    lines
}

/// Cuts a word that is wider than a line; returns the last piece.
fn broken(word: &str, size: f64, limit: f64, lines: &mut Vec<String>) -> String {
    let mut line = String::new();
    for character in word.chars() {
        line.push(character);
        if width(&line, size) > limit && line.chars().count() > 1 {
            line.pop();
            lines.push(std::mem::take(&mut line));
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_keeps_within_the_limit() {
        assert_eq!(shortened("throughput", 12.0, 200.0), "throughput");
        let cut = shortened("throughput", 12.0, 40.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 40.0, "{cut}");
        assert_eq!(shortened("throughput", 12.0, 2.0), "");
    }

    #[test]
    fn wrapping_loses_no_word() {
        let text = "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement\nrouting=minimal";
        let lines = wrapped(text, 12.0, 120.0);
        assert!(lines.iter().all(|line| width(line, 12.0) <= 120.0), "{lines:?}");
        let joined: String = lines.concat().split_whitespace().collect();
        assert_eq!(joined, text.split_whitespace().collect::<String>());
    }
}
