//! The numbers of the stages as a curve, and those of the channels as bars.

use dragontree::analysis::{Bar, Contention, Crossings};

use super::markup::{flows, folded, number, table};
use dragontree::units::grouped;

/// A curve has at most so many columns; of several stages in one the largest and the smallest show.
const COLUMNS: usize = 600;
/// The height of the drawing in its own units.
const HEIGHT: f64 = 100.0;
/// The most rows of bars.
const ROWS: u32 = 16;
/// The length of the longest bar.
const LONGEST: f64 = 120.0;

/// Flows on the busiest channel, shift by shift.
pub fn stages(contention: &Contention) -> String {
    flows_by(contention, "shift", [1, contention.per_stage.len() as u32])
}

/// Flows on the busiest channel, phase by phase, of which the first and the last are numbered so.
pub fn phases(contention: &Contention, ends: [u32; 2]) -> String {
    flows_by(contention, "phase", ends)
}

/// Messages from one part of a level to another, phase by phase.
pub fn crossings(crossings: &Crossings) -> String {
    let values: Vec<f64> = crossings.per_phase.iter().map(|own| f64::from(*own)).collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    let noun = if most == 1.0 { "message" } else { "messages" };
    curve(&Drawn {
        what: &format!("Messages leaving each {}", crossings.level),
        stage: "phase",
        mean: values.iter().sum::<f64>() / values.len().max(1) as f64,
        values: &values,
        most,
        in_words: format!("{} {noun}", number(most)),
        ends: [0, (values.len() as u32).saturating_sub(1)],
    })
}

fn flows_by(contention: &Contention, stage: &str, ends: [u32; 2]) -> String {
    let Contention { per_stage, worst, mean, .. } = contention;
    curve(&Drawn {
        what: "Most flows on a channel between switches",
        stage,
        values: per_stage,
        most: *worst,
        mean: *mean,
        in_words: flows(*worst),
        ends,
    })
}

/// What a curve shows of the stages.
struct Drawn<'a> {
    what: &'a str,
    stage: &'a str,
    values: &'a [f64],
    most: f64,
    mean: f64,
    /// The most with its noun.
    in_words: String,
    /// The numbers of the first and the last stage.
    ends: [u32; 2],
}

fn curve(drawn: &Drawn<'_>) -> String {
    let Drawn { what, stage, values, most, mean, in_words, ends } = drawn;
    if values.is_empty() {
        return String::new();
    }
    let top = most.max(1.0);
    let height = |value: f64| HEIGHT - value / top * HEIGHT;
    let columns = values.len().min(COLUMNS);
    let (mut upper, mut lower) = (String::from("M0 100"), String::new());
    for column in 0..columns {
        let part = |column: usize| column * values.len() / columns;
        let stages = &values[part(column)..part(column + 1)];
        let most = stages.iter().copied().fold(0.0, f64::max);
        let least = stages.iter().copied().fold(f64::INFINITY, f64::min);
        upper.push_str(&format!("V{:.1}H{}", height(most), column + 1));
        lower.push_str(&format!(
            "{}{column} {:.1}h1",
            ['L', 'M'][usize::from(column == 0)],
            height(least)
        ));
    }
    let [from, to] = match *stage {
        "shift" => [format!("From the shift by {}", ends[0]), format!("that by {}", ends[1])],
        stage => [format!("From {stage} {}", ends[0]), format!("{stage} {}", ends[1])],
    };
    format!(
        "<figure class=\"stages\"><figcaption>{what}, by {stage}</figcaption>\
         <span class=\"high\">{}</span>\
         <svg role=\"img\" aria-label=\"{from} to {to}: at most {in_words}, {} in the mean\" \
         viewBox=\"0 0 {columns} 100\" preserveAspectRatio=\"none\">\
         <path class=\"most\" d=\"{upper}V100Z\"/><path class=\"least\" d=\"{lower}\"/></svg>\
         <span class=\"low\">0</span><span class=\"first\">{}</span>\
         <span class=\"last\">{}</span></figure>",
        number(top),
        number(*mean),
        grouped(ends[0]),
        grouped(ends[1])
    )
}

/// The shifts with the most flows on a channel, as a list that unfolds.
pub fn worst_stages(per_stage: &[f64]) -> String {
    const MOST: usize = 20;
    let mut left = per_stage.to_vec();
    let mut items = Vec::new();
    while items.len() < MOST.min(per_stage.len()) {
        let mut worst = 0;
        for (stage, own) in left.iter().enumerate() {
            if *own > left[worst] {
                worst = stage;
            }
        }
        items.push(format!("shift by {}: {}", grouped(worst as u64 + 1), flows(left[worst])));
        left[worst] = f64::NEG_INFINITY;
    }
    folded("The worst shifts", &items, per_stage.len() as u64)
}

/// How many channels carry how many flows at most in one stage.
pub fn channels(histogram: &[Bar]) -> String {
    let (Some(first), Some(last)) = (histogram.first(), histogram.last()) else {
        return String::new();
    };
    let step = (last.flows - first.flows) / ROWS + 1;
    let mut rows: Vec<[u32; 3]> = Vec::new();
    for bar in histogram {
        let low = first.flows + (bar.flows - first.flows) / step * step;
        match rows.last_mut().filter(|row| row[0] == low) {
            Some(row) => {
                row[1] = bar.flows;
                row[2] += bar.channels;
            }
            None => rows.push([low, bar.flows, bar.channels]),
        }
    }
    let most = rows.iter().map(|row| row[2]).max().unwrap_or(1).max(1);
    let row = |[low, high, channels]: &[u32; 3]| {
        let flows = if low == high { low.to_string() } else { format!("{low}–{high}") };
        let length = (f64::from(*channels) / f64::from(most) * LONGEST).max(1.0);
        let bar = format!(
            "<svg class=\"bar\" width=\"{LONGEST}\" height=\"10\" aria-hidden=\"true\">\
             <rect width=\"{length:.1}\" height=\"10\"/></svg> {}",
            grouped(*channels)
        );
        [flows, bar]
    };
    let rows: Vec<[String; 2]> = rows.iter().map(row).collect();
    table("Channels by flows", &["Most flows", "Channels"], rows.iter().map(|row| &row[..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_shifts_come_first_and_earlier_ones_before_their_equals() {
        let markup = worst_stages(&[1.0, 3.0, 2.0, 3.0]);
        let places: Vec<usize> = ["by 2: 3", "by 4: 3", "by 3: 2", "by 1: 1 flow<"]
            .iter()
            .map(|text| markup.find(text).unwrap_or_else(|| panic!("{text} in {markup}")))
            .collect();
        assert!(places.is_sorted(), "{markup}");
    }

    #[test]
    fn many_numbers_of_flows_share_rows() {
        let bars: Vec<Bar> = (0..100).map(|flows| Bar { flows, channels: 2 }).collect();
        let markup = channels(&bars);
        assert!(markup.matches("<tr>").count() <= 18, "{markup}");
        assert!(markup.contains("0–6"), "{markup}");
    }
}
