//! Fabrics from files that the reader opens, and into files that the page offers.

use dragontree::catalog::{Data, Problem, Written, data};
use dragontree::interchange::{self, Format, Source};
use serde::{Deserialize, Serialize};

/// A file with its text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Content {
    /// Its name, for messages only.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What opening a fabric's files came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// What stands for the files in the notation: `data=` takes it.
    pub token: String,
    /// What is odd in the files, a sentence each.
    pub notices: Vec<String>,
}

/// Reads a fabric; several files are rails of one.
pub fn open(contents: &[Content]) -> Result<Opened, Vec<Problem>> {
    let sources: Vec<Source<'_>> =
        contents.iter().map(|file| Source { name: &file.name, text: &file.text }).collect();
    let reading = interchange::read(&sources).map_err(|error| {
        let names: Vec<&str> = contents.iter().map(|file| file.name.as_str()).collect();
        vec![Problem::new("file", names.join(", "), error.to_string())]
    })?;
    let token = match contents {
        [only] => Data::token(&only.text),
        _ => {
            let digests: Vec<u64> = contents.iter().map(|file| data::digest(&file.text)).collect();
            Data::files(&digests).print()
        }
    };
    Ok(Opened { token, notices: reading.notices.iter().map(ToString::to_string).collect() })
}

/// The format of this name.
pub fn format(name: &str) -> Option<Format> {
    Format::ALL.into_iter().find(|format| format.name() == name)
}
