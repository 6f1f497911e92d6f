//! Routings for the same messages as markup.

use dragontree::scenario::{Compared, ComparedLevel, ComparedRow};

use super::markup::{number, table};
use super::timing::Time;
use super::words::escaped;

/// A row for each routing, with a link that simulates it, and one for all; with how long each takes where
/// that was simulated.
pub fn routings(compared: &Compared, times: &[Option<Time>]) -> String {
    let Compared { phases, at_once, rows, text } = compared;
    let levels = rows.iter().map(|row| row.levels.len()).max().unwrap_or(0);
    let mut headings: Vec<String> =
        ["", if *at_once { "All phases" } else { "Worst phase" }, "Mean", "Optimal phases"]
            .map(str::to_owned)
            .to_vec();
    headings.extend((0..levels).map(|level| match level {
        0 => "Endpoints' links".to_owned(),
        level => format!("Above level {level}"),
    }));
    headings.extend((!times.is_empty()).then(|| "Completion".to_owned()));
    headings.push(String::new());
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |(place, row): (usize, &ComparedRow)| -> Vec<String> {
        let name = escaped(&row.label);
        if let Some(why) = &row.refused {
            let columns = headings.len() - 1;
            return vec![name, format!("<td colspan=\"{columns}\">{}", escaped(why))];
        }
        let drawn = if row.is_drawn { " (one draw)" } else { "" };
        let counts = [
            format!("{name}{drawn}"),
            row.worst.to_string(),
            number(row.mean),
            format!("{} of {phases}", row.optimal),
        ];
        let levels = row.levels.iter().map(|level: &ComparedLevel| match level.worst {
            worst if worst == level.bound => worst.to_string(),
            worst => format!("{worst} (at least {})", level.bound),
        });
        let time = times.get(place).map(|time| time.map_or_else(String::new, in_words));
        let link = [link(&row.text, "Simulate it")];
        counts.into_iter().chain(levels).chain(time).chain(link).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(cells).collect();
    format!(
        "<h2>Routings compared</h2><p>Messages of {} on the busiest link, each followed on its way. \
         {}</p>{}",
        if *at_once { "all phases together" } else { "a phase" },
        link(text, "Simulate them all"),
        table("Routings compared", &headings, rows.iter().map(|row| &row[..]))
    )
}

fn in_words(time: Time) -> String {
    let over = time.ideal.map(|ideal| format!(" ({} × ideal)", number(time.completion / ideal)));
    format!("{} µs{}", number(time.completion / 1e3), over.unwrap_or_default())
}

/// Nothing where an experiment cannot simulate it.
fn link(text: &str, words: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<a href=\"?{}\">{words}</a>", escaped(&text.replace(' ', "&")))
}
