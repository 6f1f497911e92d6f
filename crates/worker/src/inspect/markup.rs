//! Words and tables as markup.

use dragontree::units::grouped;

/// A number with up to three decimals.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// So many flows.
pub fn flows(value: f64) -> String {
    let noun = if value == 1.0 { "flow" } else { "flows" };
    format!("{} {noun}", number(value))
}

/// A button that does `act`.
pub fn button(act: &str, words: &str) -> String {
    format!("<button type=\"button\" class=\"quiet\" data-act=\"{act}\">{words}</button> ")
}

/// A table: its name, the headings and the rows, whose first cell heads the row. Cells are markup.
pub fn table<'a>(
    name: &str,
    headings: &[&str],
    rows: impl Iterator<Item = &'a [String]>,
) -> String {
    let mut text = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{name}\"><table><thead><tr>"
    );
    headings.iter().for_each(|heading| text.push_str(&format!("<th scope=\"col\">{heading}")));
    text.push_str("<tbody>");
    for row in rows {
        for (place, cell) in row.iter().enumerate() {
            text.push_str(match place {
                0 => "<tr><th scope=\"row\">",
                // A cell over several columns brings its own.
                _ if cell.starts_with("<td") => "",
                _ => "<td>",
            });
            text.push_str(cell);
        }
    }
    text.push_str("</table></div>");
    text
}

/// A list under a line that unfolds it; nothing when it is empty. Items are markup.
pub fn folded(summary: &str, items: &[String], all: u64) -> String {
    if items.is_empty() {
        return String::new();
    }
    let mut text = format!("<details class=\"remarks\"><summary>{summary}</summary><ul>");
    items.iter().for_each(|item| text.push_str(&format!("<li>{item}")));
    if all > items.len() as u64 {
        text.push_str(&format!("<li>and {} more", grouped(all - items.len() as u64)));
    }
    text.push_str("</ul></details>");
    text
}

/// Something else under a line that unfolds it.
pub fn unfolding(summary: &str, body: &str) -> String {
    format!("<details class=\"remarks\"><summary>{summary}</summary>{body}</details>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_grouped() {
        assert_eq!(number(14.0), "14");
        assert_eq!(number(2.0 / 3.0), "0.667");
        assert_eq!(grouped(11_940_480_u32), "11,940,480");
    }
}
