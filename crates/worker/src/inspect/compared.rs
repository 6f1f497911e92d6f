//! Routings for the same messages as markup.

use dragontree::scenario::{Compared, ComparedLevel, ComparedRow};

use super::markup::{number, table};
use super::words::escaped;

/// A row for each routing, with a link that simulates it, and one for all.
pub fn routings(compared: &Compared) -> String {
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
    headings.push(String::new());
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |row: &ComparedRow| -> Vec<String> {
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
        let link = [link(&row.text, "Simulate it")];
        counts.into_iter().chain(levels).chain(link).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
    format!(
        "<h2>Routings compared</h2><p>Messages of {} on the busiest link, each followed on its way. \
         {}</p>{}",
        if *at_once { "all phases together" } else { "a phase" },
        link(text, "Simulate them all"),
        table("Routings compared", &headings, rows.iter().map(|row| &row[..]))
    )
}

/// Nothing where an experiment cannot simulate it.
fn link(text: &str, words: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<a href=\"?{}\">{words}</a>", escaped(&text.replace(' ', "&")))
}
