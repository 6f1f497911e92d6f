//! Reading them.

use dragontree::catalog::{Data, Problem, Written, data};
use dragontree::interchange::{self, Source};
use dragontree::scenario::part_of_file;

use super::{Content, Opened};

/// Tells what files are: a fabric, several being its rails; dumps of forwarding tables and of
/// service levels, which mean something on their fabric only; and what ranks send or where they are.
pub fn open(contents: &[Content]) -> Result<Opened, Vec<Problem>> {
    let (mut fabric, mut tables, mut levels) = (Vec::new(), Vec::new(), Vec::new());
    let mut parts = Vec::new();
    for file in contents {
        if let Some((key, part)) = part_of_file(&file.text) {
            parts.push([key, part, &Data::token(&file.text)].map(str::to_owned).to_vec());
            continue;
        }
        let kind = if file.text.lines().any(|line| line.starts_with(TABLES)) {
            &mut tables
        } else if interchange::levels::is_like(&file.text) {
            &mut levels
        } else {
            &mut fabric
        };
        kind.push(file);
    }
    let sources: Vec<Source<'_>> =
        fabric.iter().map(|file| Source { name: &file.name, text: &file.text }).collect();
    let mut notices = Vec::new();
    let others = !tables.is_empty() || !levels.is_empty() || !parts.is_empty();
    if !fabric.is_empty() || !others {
        let reading = interchange::read(&sources).map_err(|error| {
            let names: Vec<&str> = fabric.iter().map(|file| file.name.as_str()).collect();
            vec![Problem::new("file", names.join(", "), error.to_string())]
        })?;
        notices = reading.notices.iter().map(ToString::to_string).collect();
    }
    let [fabric, lfts, levels] = [&fabric, &tables, &levels].map(|files| token(files));
    Ok(Opened { fabric, lfts, levels, parts, notices })
}

/// What every table in a dump begins with.
const TABLES: &str = "Unicast lids";

/// What stands for files in the notation.
fn token(contents: &[&Content]) -> Option<String> {
    match contents {
        [] => None,
        [only] => Some(Data::token(&only.text)),
        _ => {
            let digests: Vec<u64> = contents.iter().map(|file| data::digest(&file.text)).collect();
            Some(Data::files(&digests).print())
        }
    }
}
