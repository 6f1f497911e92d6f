//! The text of an experiment as it comes from the command line, and the files that belong to it.

use std::io::Read;
use std::path::{Path, PathBuf};

use dragontree::catalog::{Data, Files, Problem, Written};
use dragontree::interchange::{self, Source};
use dragontree::scenario::{Plan, Study};

use crate::arguments::Text;
use crate::error::Failure;

/// An experiment with its files.
pub struct Input {
    /// The study.
    pub study: Study,
    /// Its runs, which have got the files.
    pub plan: Plan,
    /// The files.
    pub paths: Vec<PathBuf>,
}

impl Input {
    /// Reads an experiment and every file that is given with it. What is odd in a fabric's file
    /// is said on standard error.
    pub fn read(arguments: &Text) -> Result<Input, Failure> {
        let mut files = Files::default();
        let mut given = Vec::new();
        for path in &arguments.files {
            given.push((path.clone(), files.add(path.display().to_string(), &read(path)?)));
        }
        let (fabrics, mut words): (Vec<_>, Vec<_>) =
            arguments.text.iter().cloned().partition(|word| is_file(word));
        let fabrics: Vec<PathBuf> = fabrics.into_iter().map(PathBuf::from).collect();
        if !fabrics.is_empty() {
            let digests = take_fabrics(&fabrics, &mut files)?;
            words.insert(0, format!("topology=imported,data={}", Data::files(&digests).print()));
        }
        let study = study(&words)?;
        let mut plan = plan(&study)?;
        plan.attach(&files);
        let missing = plan.missing();
        if !missing.is_empty() {
            return Err(Failure::input(&problems(&missing, &given)));
        }
        let paths = given.into_iter().map(|(path, _)| path).chain(fabrics).collect();
        Ok(Input { study, plan, paths })
    }
}

/// Whether a word is no setting but the path of a file.
fn is_file(word: &str) -> bool {
    !word.contains('=') && word != "-" && Path::new(word).is_file()
}

/// The text of a file; bytes that are no UTF-8 become a replacement character, as in a browser.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|source| Failure::Opening { path: path.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Adds the files of a fabric, after checking that they describe one.
fn take_fabrics(paths: &[PathBuf], files: &mut Files) -> Result<Vec<u64>, Failure> {
    let mut texts = Vec::new();
    for path in paths {
        texts.push((path.display().to_string(), read(path)?));
    }
    let sources: Vec<Source<'_>> = texts.iter().map(|(name, text)| Source { name, text }).collect();
    let file = |message: String| match &texts[..] {
        [(name, _)] => format!("{name}: {message}"),
        _ => message,
    };
    match interchange::read(&sources) {
        Ok(reading) => {
            for notice in &reading.notices {
                eprintln!("{}", file(notice.to_string()));
            }
        }
        Err(error) => return Err(Failure::Fabric(file(error.to_string()))),
    }
    Ok(texts.iter().map(|(name, text)| files.add(name, text)).collect())
}

/// What to say of files that the text names and nobody gave.
fn problems(missing: &[u64], given: &[(PathBuf, u64)]) -> Vec<Problem> {
    let others: Vec<String> = given
        .iter()
        .map(|(path, digest)| format!("{} has {digest:016x}", path.display()))
        .collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!(" ({})", others.join(", ")),
    };
    let problem = |digest: &u64| {
        let allowed =
            format!("this experiment needs the file with this digest; give it with --file{others}");
        Problem::new("data", format!("file.{digest:016x}"), allowed)
    };
    missing.iter().map(problem).collect()
}

/// Reads a study from arguments joined by spaces, or from standard input for `-`.
pub fn study(arguments: &[String]) -> Result<Study, Failure> {
    let mut text = arguments.join(" ");
    if text == "-" {
        text.clear();
        std::io::stdin().read_to_string(&mut text).map_err(Failure::Reading)?;
    }
    Study::parse(&text).map_err(|problems| Failure::input(&problems.problems))
}

/// The runs of a study.
pub fn plan(study: &Study) -> Result<Plan, Failure> {
    study.plan().map_err(|problems| Failure::input(&problems))
}
