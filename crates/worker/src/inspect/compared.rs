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
    let worst = if *at_once { "All<br>phases" } else { "Worst<br>phase" };
    let mut headings: Vec<String> =
        ["", worst, "Mean", &format!("Optimal<br>of {phases}")].map(str::to_owned).to_vec();
    headings.extend((0..levels).map(|level| match level {
        0 => "Endpoints'<br>links".to_owned(),
        level => format!("Above<br>level {level}"),
    }));
    headings.extend((!times.is_empty()).then(|| "Completion,<br>µs (× ideal)".to_owned()));
    headings.push(String::new());
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let cells = |(place, row): (usize, &ComparedRow)| -> Vec<String> {
        let name = escaped(&row.label);
        if let Some(why) = &row.refused {
            let columns = headings.len() - 1;
            return vec![name, format!("<td colspan=\"{columns}\">{}", escaped(why))];
        }
        let drawn = if row.is_drawn { "<small>one draw</small>" } else { "" };
        let counts = [
            format!("{name}{drawn}"),
            row.worst.to_string(),
            number(row.mean),
            row.optimal.to_string(),
        ];
        let levels = row.levels.iter().map(|level: &ComparedLevel| match level.worst {
            worst if worst == level.bound => worst.to_string(),
            worst => format!("{worst} / {}", level.bound),
        });
        let time = times.get(place).map(|time| time.map_or_else(String::new, in_words));
        let link = [link(&row.text, "Simulate it")];
        counts.into_iter().chain(levels).chain(time).chain(link).collect()
    };
    let rows: Vec<Vec<String>> = rows.iter().enumerate().map(cells).collect();
    format!(
        "<h2>Routings compared</h2><p>Messages of {} on the busiest link, each followed on its way; \
         after a slash what they must be at least, where that is less. {}</p>\
         <div class=\"compared\">{}</div>",
        if *at_once { "all phases together" } else { "a phase" },
        link(text, "Simulate them all"),
        table("Routings compared", &headings, rows.iter().map(|row| &row[..]))
    )
}

fn in_words(time: Time) -> String {
    let over = time.ideal.map(|ideal| format!(" ({})", number(time.completion / ideal)));
    format!("{}{}", number(time.completion / 1e3), over.unwrap_or_default())
}

/// Nothing where an experiment cannot simulate it.
fn link(text: &str, words: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("<a href=\"?{}\">{words}</a>", escaped(&text.replace(' ', "&")))
}
