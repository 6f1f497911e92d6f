//! What each rank sends to each other, as comma-separated numbers: a line for each source, in it a
//! number for each destination. Empty lines and lines that begin with `#` are skipped.

/// Why a matrix cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The file and the line, where it is one.
    pub place: String,
    /// What is wrong there, and what is allowed.
    pub allowed: String,
}

/// The numbers of files with these names and texts, a row for each of so many ranks. `number` reads
/// one; `none` says what those are that it refuses.
///
/// # Errors
/// The first number that is none, or line that has not one for each rank, or another number of lines.
pub fn read<T>(
    contents: &[(&str, &str)],
    ranks: u32,
    number: impl Fn(&str) -> Option<T>,
    none: &str,
) -> Result<Vec<Vec<T>>, Misfit> {
    let mut rows = Vec::new();
    for (name, text) in contents {
        for (line, words) in (1_u32..).zip(text.lines().map(str::trim)) {
            if !words.is_empty() && !words.starts_with('#') {
                let found = row(words, ranks, &number, none);
                let place = || format!("{name}, line {line}");
                rows.push(found.map_err(|allowed| Misfit { place: place(), allowed })?);
            }
        }
    }
    let count = rows.len();
    if count != ranks as usize {
        let allowed =
            format!("it has {count} lines of {ranks} numbers; allowed: as many lines as numbers");
        return Err(Misfit { place: String::new(), allowed });
    }
    Ok(rows)
}

/// The numbers of a line.
fn row<T>(
    line: &str,
    ranks: u32,
    number: impl Fn(&str) -> Option<T>,
    none: &str,
) -> Result<Vec<T>, String> {
    let cell = |(column, cell): (usize, &str)| {
        let cell = cell.trim();
        number(cell).ok_or_else(|| format!("number {}, “{cell}”, is {none}", column + 1))
    };
    let numbers: Vec<T> = line.split(',').enumerate().map(cell).collect::<Result<_, _>>()?;
    match numbers.len() == ranks as usize {
        true => Ok(numbers),
        false => {
            let count = numbers.len();
            Err(format!(
                "it has {count} numbers and there are {ranks} ranks; allowed: ranks={count}"
            ))
        }
    }
}
