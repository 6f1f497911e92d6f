//! The text of an experiment as it comes from the command line, and the files that belong to it.

use std::io::Read;
use std::path::{Path, PathBuf};

use dragontree::catalog::{Data, Files, Problem, Written};
use dragontree::interchange::{self, Format, Source};
use dragontree::scenario::{
    self, Entry, PARTS_OF_FILES, Plan, Problems, Scenario, Study, Values, part_of_file,
};

use crate::arguments::{Tables, Text};
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
    pub fn read(arguments: &Text, tables: &Tables) -> Result<Input, Failure> {
        let given = Given::read(arguments, tables)?;
        let study = study(&given.words)?;
        let mut plan = plan(&study)?;
        given.attach(&mut plan)?;
        Ok(Input { study, plan, paths: given.paths })
    }
}

/// The words of an experiment and the files given with it.
struct Given {
    words: Vec<String>,
    files: Files,
    named: Vec<(PathBuf, u64)>,
    paths: Vec<PathBuf>,
    /// How many of the files with their digests stand beside the words, not among them.
    beside: usize,
}

impl Given {
    fn read(arguments: &Text, tables: &Tables) -> Result<Given, Failure> {
        let mut files = Files::default();
        let mut named = Vec::new();
        for path in &arguments.files {
            named.push((path.clone(), files.add(path.display().to_string(), &read(path)?)));
        }
        let words = uncommented(&arguments.text);
        if let Some(word) = arguments.text.first().filter(|_| words.is_empty()) {
            return Err(Failure::Missing(word.clone()));
        }
        let (fabrics, mut texts): (Vec<_>, Vec<_>) =
            words.iter().cloned().partition(|word| is_file(word));
        if let Some(word) = texts.iter().find(|word| is_lost(word)) {
            return Err(Failure::Missing(word.clone()));
        }
        if let Some(text) = texts.iter_mut().find(|text| *text == "-") {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map_err(Failure::Reading)?;
            *text = decoded(&bytes);
        }
        // Words may be put before and behind those of a link only when it is taken apart.
        let mut words: Vec<String> = texts.iter().flat_map(|text| scenario::words(text)).collect();
        let paths: Vec<PathBuf> = fabrics.into_iter().map(PathBuf::from).collect();
        let mut fabrics = Vec::new();
        for path in paths {
            let text = read(&path)?;
            match part_of(&text, &words) {
                None => fabrics.push((path, text)),
                Some((key, part)) => {
                    let digest = files.add(path.display().to_string(), &text);
                    let token = Data::files(&[digest]).print();
                    if !fill_in(&mut words, &format!("{key}={part}"), &token) {
                        // Before the cases, which all have it.
                        words.insert(0, format!("{key}={part},data={token}"));
                    }
                    named.push((path, digest));
                }
            }
        }
        if !fabrics.is_empty() {
            let digests = take_fabrics(&fabrics, &mut files)?;
            let token = Data::files(&digests).print();
            if !fill_in(&mut words, "topology=imported", &token) {
                words.insert(0, format!("topology=imported,data={token}"));
            }
        }
        if !tables.lfts.is_empty() {
            let word = take_tables(tables, &words, &mut files, &mut named)?;
            // Before the cases, which all have it.
            words.insert(0, word);
        }
        let fabrics = fabrics.into_iter().map(|(path, _)| path);
        let paths = named.iter().map(|(path, _)| path.clone()).chain(fabrics).collect();
        Ok(Given { words, files, named, paths, beside: arguments.files.len() })
    }

    /// Gives the runs their files. One that no run asks for would otherwise be taken for used.
    fn attach(&self, plan: &mut Plan) -> Result<(), Failure> {
        let wanted = plan.missing();
        plan.attach(&self.files);
        let missing = plan.missing();
        if !missing.is_empty() {
            return Err(Failure::input(&problems(&missing, &self.named)));
        }
        let mut beside = self.named[..self.beside].iter();
        match beside.find(|(_, digest)| !wanted.contains(digest)) {
            None => Ok(()),
            Some((path, digest)) => Err(Failure::Argument {
                name: "--file",
                given: path.display().to_string(),
                allowed: format!(
                    "a file that the text names (this one by data=file.{digest:016x}); without \
                     --file it goes where its contents belong"
                ),
            }),
        }
    }
}

/// The words before a comment: a word `#` or `#comment` and all behind it, as a shell would have it. With
/// spaces in it such a word ends with the comment, and the first may be the end of an address.
pub fn uncommented(words: &[String]) -> &[String] {
    let is_comment = |(index, word): (usize, &String)| {
        let word = word.trim();
        let is_open = word.starts_with('#') && !word.contains(char::is_whitespace);
        is_open && (index > 0 || !word.contains('='))
    };
    let end = words.iter().enumerate().position(is_comment);
    &words[..end.unwrap_or(words.len())]
}

/// Whether a word is no setting but the path of a file, or of what a shell passes in place of one.
pub fn is_file(word: &str) -> bool {
    let path = Path::new(word);
    !word.contains('=') && word != "-" && path.exists() && !path.is_dir()
}

/// Whether a word is neither a setting nor the standard input, and there is no file of that name.
fn is_lost(word: &str) -> bool {
    let word = word.trim();
    let is_text =
        word.contains('=') || word.contains("://") || word.is_empty() || word.starts_with('#');
    !is_text && word != "-" && !is_file(word)
}

/// The text of a file.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|source| Failure::Opening { path: path.to_owned(), source })?;
    Ok(decoded(&bytes))
}

/// Bytes as text, as a browser reads them: without a byte order mark, and with replacement characters
/// for bytes that are no UTF-8.
fn decoded(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned()
}

/// The key and the part that take a text which is no fabric.
fn part_of(text: &str, words: &[String]) -> Option<(&'static str, &'static str)> {
    match part_of_file(text) {
        // A matrix is traffic unless the words ask for it as an exchange.
        Some((_, "matrix")) if has_open(words, "exchange=matrix") => Some(("exchange", "matrix")),
        None => only_open(text, words),
        known => known,
    }
}

/// The part that takes a text of which nothing else is known: the only one that the words name without
/// a file.
fn only_open(text: &str, words: &[String]) -> Option<(&'static str, &'static str)> {
    let is_open = |(key, part): &(&str, &str)| has_open(words, &format!("{key}={part}"));
    let mut open = PARTS_OF_FILES.into_iter().filter(is_open);
    let only = open.next().filter(|_| Format::guess(text).is_none())?;
    open.next().is_none().then_some(only)
}

/// Whether the words name a part without a file.
fn has_open(words: &[String], part: &str) -> bool {
    words.iter().any(|word| is_open(word, part))
}

/// Whether an entry is this part without a file.
fn is_open(entry: &str, part: &str) -> bool {
    let settings = entry.strip_prefix(part);
    settings.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        && !entry.contains(",data=")
}

/// Gives a part that the words name without a file this one; whether there is such a part.
fn fill_in(words: &mut [String], part: &str, token: &str) -> bool {
    let open = words.iter_mut().find(|word| is_open(word, part));
    open.map(|word| word.push_str(&format!(",data={token}"))).is_some()
}

/// Adds the files of a fabric, after checking that they describe one.
fn take_fabrics(texts: &[(PathBuf, String)], files: &mut Files) -> Result<Vec<u64>, Failure> {
    let names: Vec<String> = texts.iter().map(|(path, _)| path.display().to_string()).collect();
    let both = names.iter().zip(texts);
    let sources: Vec<Source<'_>> =
        both.clone().map(|(name, (_, text))| Source { name, text }).collect();
    let file = |message: String| match &names[..] {
        [name] => format!("{name}: {message}"),
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
    Ok(both.map(|(name, (_, text))| files.add(name, text)).collect())
}

/// Adds the files of routes; the word that stands for them.
fn take_tables(
    tables: &Tables,
    words: &[String],
    files: &mut Files,
    named: &mut Vec<(PathBuf, u64)>,
) -> Result<String, Failure> {
    if let Some(word) = words.iter().find(|word| word.starts_with("routing=")) {
        return Err(Failure::Argument {
            name: "--lfts",
            given: word.to_owned(),
            allowed: "no routing= in the text, for which --lfts stands".to_owned(),
        });
    }
    let mut word = "routing=imported".to_owned();
    for (key, paths) in [("lfts", &tables.lfts), ("levels", &tables.levels)] {
        if paths.is_empty() {
            continue;
        }
        let mut digests = Vec::new();
        for path in paths {
            let digest = files.add(path.display().to_string(), &read(path)?);
            digests.push(digest);
            named.push((path.clone(), digest));
        }
        word.push_str(&format!(",{key}={}", Data::files(&digests).print()));
    }
    Ok(word)
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

/// Reads a study from words.
pub fn study(words: &[String]) -> Result<Study, Failure> {
    let study = Study::parse(&words.join("\n"));
    study.map_err(|Problems { problems, .. }| Failure::input(&problems))
}

/// The scenarios of a study with different networks, in order.
pub fn networks(arguments: &Text) -> Result<Vec<Scenario>, Failure> {
    let found = different(arguments, &Tables::default(), Scenario::shares_network);
    found.map(|meant| meant.scenarios)
}

/// The scenarios of a study that differ in their networks, their routes, their places or what is sent,
/// in order.
pub fn routings(arguments: &Text, tables: &Tables) -> Result<Vec<Scenario>, Failure> {
    meant(arguments, tables).map(|meant| meant.scenarios)
}

/// The scenarios of a study that differ in anything but their loads, and their routes unless what is
/// exchanged depends on these, in order.
pub fn exchanges(arguments: &Text, tables: &Tables) -> Result<Vec<Scenario>, Failure> {
    let unrouted = |one: &Scenario, other: &Scenario| {
        let routing = if one.goes_by_ways() { &other.routing } else { &one.routing };
        *one == Scenario { load: one.load, routing: routing.clone(), ..other.clone() }
    };
    different(arguments, tables, unrouted).map(|meant| meant.scenarios)
}

/// What a text means where nothing is loaded.
pub struct Meant {
    /// Its scenarios that differ.
    pub scenarios: Vec<Scenario>,
    /// Whether it chooses a routing.
    pub chooses: bool,
    /// The files given with it.
    pub files: Files,
}

/// The same, with what else is known of the text.
pub fn meant(arguments: &Text, tables: &Tables) -> Result<Meant, Failure> {
    different(arguments, tables, |one, other| {
        one.shares_network(other)
            && (&one.routing, &one.placement) == (&other.routing, &other.placement)
            && (&one.exchange, &one.traffic) == (&other.exchange, &other.traffic)
            && (one.ranks, one.ranks_per_endpoint) == (other.ranks, other.ranks_per_endpoint)
            && one.seed == other.seed
    })
}

/// The scenarios of a study that are not alike.
fn different(
    arguments: &Text,
    tables: &Tables,
    alike: impl Fn(&Scenario, &Scenario) -> bool,
) -> Result<Meant, Failure> {
    let Unloaded { plan, chooses, files } = unloaded(arguments, tables)?;
    let mut scenarios: Vec<Scenario> = Vec::new();
    for job in plan.jobs {
        if !scenarios.iter().any(|known| alike(known, job.scenario())) {
            scenarios.push(job.scenario().clone());
        }
    }
    Ok(Meant { scenarios, chooses, files })
}

/// A text where the load is of no importance.
struct Unloaded {
    /// Its runs at full load.
    plan: Plan,
    /// Whether it chooses a routing.
    chooses: bool,
    /// The files given with it.
    files: Files,
}

/// The runs of a study at full load, one for each seed, of which two settings may vary.
pub fn at_full_load(arguments: &Text, tables: &Tables) -> Result<Plan, Failure> {
    unloaded(arguments, tables).map(|unloaded| unloaded.plan)
}

/// Reads a text. Load and axes are of no importance, and two settings may vary besides the load.
fn unloaded(arguments: &Text, tables: &Tables) -> Result<Unloaded, Failure> {
    let given = Given::read(arguments, tables)?;
    let (mut study, mut problems) = match Study::parse(&given.words.join("\n")) {
        Ok(study) => (study, Vec::new()),
        Err(problems) => (*problems.rest, problems.problems),
    };
    let sections = study.cases.iter().map(|case| &case.section).chain([&study.common]);
    let chooses = sections.map(|section| section.entries("routing").len()).sum::<usize>() > 0;
    let of_the_plan = study.plan().err().unwrap_or_default();
    problems.retain(|problem: &Problem| !of_the_plan.contains(problem));
    let one_load = Entry { part: None, settings: vec![(String::new(), Values::one("1"))] };
    study.common.entries_mut("load").clear();
    study.common.entries_mut("load").push(one_load);
    for case in &mut study.cases {
        case.section.entries_mut("load").clear();
    }
    (study.x, study.y) = (None, Vec::new());
    match study.plan() {
        Ok(mut plan) => {
            given.attach(&mut plan)?;
            if problems.is_empty() {
                return Ok(Unloaded { plan, chooses, files: given.files });
            }
        }
        Err(found) => problems.extend(found),
    }
    Err(Failure::input(&problems))
}

/// The runs of a study.
pub fn plan(study: &Study) -> Result<Plan, Failure> {
    study.plan().map_err(|problems| Failure::input(&problems))
}
