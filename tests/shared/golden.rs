//! Small studies whose results must be the same bits everywhere.

use std::hash::Hasher;

use dragontree::catalog::Problem;
use dragontree::scenario::{Detail, Record, Step, Study, study_digest};
use dragontree_plot::study::{Finished, Forecast, charts};
use dragontree_plot::{Size, Theme, standalone, svg};
use fnv::FnvHasher;

/// Events between two looks at the progress.
const BUDGET: u64 = 1_000_000;

const SIZE: Size = Size { width: 640, height: 400 };

/// One line of the golden file: `results drawings text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    /// The digest of the study's results.
    pub results: u64,
    /// A digest of the bytes of its charts.
    pub drawings: u64,
    /// The study.
    pub text: String,
}

impl Golden {
    /// Reads the golden file; lines that begin with `#` say what it is.
    pub fn read(file: &str) -> Vec<Golden> {
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(Golden::line).collect()
    }

    fn line(line: &str) -> Option<Golden> {
        let mut words = line.splitn(3, ' ');
        let mut digest = || u64::from_str_radix(words.next()?, 16).ok();
        let (results, drawings) = (digest()?, digest()?);
        Some(Golden { results, drawings, text: words.next()?.to_owned() })
    }

    /// The line of the golden file.
    pub fn print(&self) -> String {
        format!("{:016x} {:016x} {}", self.results, self.drawings, self.text)
    }

    /// Runs a study and digests what comes out.
    ///
    /// # Errors
    /// The text describes no study or one of its runs is not possible.
    pub fn of(text: &str) -> Result<Golden, Vec<Problem>> {
        let study = Study::parse(text).map_err(|problems| problems.problems)?;
        let records = run(&study)?;
        Ok(Golden {
            results: study_digest(&records),
            drawings: drawings(&study, &records)?,
            text: text.to_owned(),
        })
    }
}

/// Runs a study, one point after the other.
fn run(study: &Study) -> Result<Vec<Record>, Vec<Problem>> {
    let mut records: Vec<Record> = Vec::new();
    let mut earlier = None;
    for job in &study.plan()?.jobs {
        let mut running = job.start(earlier.as_ref())?;
        while running.advance(BUDGET) != Ok(Step::Done) {}
        records.push(running.record(0.0).expect("it has ended"));
        earlier = running.experiment().cloned();
    }
    Ok(records)
}

/// Digests the charts of a study, as on the page and as files.
fn drawings(study: &Study, records: &[Record]) -> Result<u64, Vec<Problem>> {
    let plan = study.plan()?;
    let jobs = plan.jobs.iter().zip(records);
    let finished: Vec<_> =
        jobs.map(|(job, record)| Finished { curve: job.curve, point: job.point, record }).collect();
    let forecasts = Forecast::of(&finished);
    let undrawn = |error| vec![Problem::new("", "", format!("{error}"))];
    let caption = study.text(Detail::Everything);
    let mut hasher = FnvHasher::default();
    for chart in charts(study, &plan, &finished, &forecasts) {
        let page = svg(&chart, SIZE).map_err(undrawn)?;
        let file = standalone(&chart, SIZE, Theme::Light, &caption).map_err(undrawn)?;
        hasher.write(page.as_bytes());
        hasher.write(file.as_bytes());
    }
    Ok(hasher.finish())
}
