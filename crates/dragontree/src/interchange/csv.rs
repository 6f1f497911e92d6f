//! Comma-separated values (RFC 4180), one row a line.

/// The cells of a line; none when a quotation mark is not closed or stands within a cell.
pub(super) fn cells(line: &str) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let (cell, after) = match rest.strip_prefix('"') {
            Some(quoted) => quotation(quoted)?,
            None => {
                let (cell, after) = rest.split_at(rest.find(',').unwrap_or(rest.len()));
                (cell.to_owned(), after)
            }
        };
        cells.push(cell);
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(cells),
            None => return None,
        }
    }
}

/// What stands up to the closing quotation mark, two of which mean one, and what follows.
fn quotation(text: &str) -> Option<(String, &str)> {
    let mut cell = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        cell.push_str(before);
        match after.strip_prefix('"') {
            Some(next) => {
                cell.push('"');
                rest = next;
            }
            None => return Some((cell, after)),
        }
    }
}

/// A text as a cell: in quotation marks where it would not be read back without.
pub fn cell(text: &str) -> String {
    match text.contains([',', '"', '#', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_hold_commas_and_quotation_marks() {
        let cases: [(&str, Option<&[&str]>); 6] = [
            ("a,b", Some(&["a", "b"])),
            ("a,,", Some(&["a", "", ""])),
            ("\"switch (0, 1)\",2", Some(&["switch (0, 1)", "2"])),
            ("\"say \"\"x\"\"\"", Some(&["say \"x\""])),
            ("\"a", None),
            ("\"a\"b", None),
        ];
        for (line, expected) in cases {
            let found = cells(line);
            assert_eq!(
                found.as_deref().map(|cells| cells.iter().map(String::as_str).collect()),
                expected.map(<[&str]>::to_vec),
                "{line}"
            );
            if let Some(found) = found {
                let printed: Vec<String> = found.iter().map(|text| cell(text)).collect();
                assert_eq!(cells(&printed.join(",")), Some(found));
            }
        }
    }
}
