//! The messages.

use dragontree::analysis::Numbers;
use dragontree::scenario::{Plan, Record};

use crate::fabric::Parcel;
use crate::files::{Content, Opened};
use crate::inspect::{Finding, Inspection};
use crate::trees::Tree;
use crate::wire::wire_enum;

mod answers;

pub use answers::{Foresight, Refusal, Remark, Size, Utilization};

/// The number of the protocol; it rises when a message changes its meaning.
pub const PROTOCOL: u32 = 15;

/// What the page and its workers were built from: equal only when they fit together.
pub fn build() -> &'static str {
    env!("DRAGONTREE_BUILD")
}

/// What the page asks of a worker. Replies repeat the generation, so that late ones are known.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Which network a run has.
    Survey {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
        /// Whether it is to be said which parts do not fit it, which fat trees are in it, and what
        /// parts are and settings do.
        fits: bool,
    },
    /// What analysis says about a run.
    Analyze {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
    },
    /// The network of a run as a drawing, or what analysis expects on the links of that.
    Fabric {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
        /// The block that is open in the drawing.
        open: Option<u32>,
        /// Whether the loads are asked for, not the drawing.
        loads: bool,
    },
    /// How busy its channels were in a run, on the links of its network's drawing.
    Utilization {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
        /// The block that is open in the drawing.
        open: Option<u32>,
        /// What was measured.
        busy: Utilization,
    },
    /// Simulate a run.
    Run {
        /// The page's count of started studies.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
    },
    /// Read the files of a fabric.
    Open {
        /// The page's count of such questions.
        generation: u32,
        /// The files; several are rails of one fabric.
        files: Vec<Content>,
    },
    /// Keep a file for studies that name it; there is no answer.
    Keep {
        /// The file.
        file: Content,
    },
    /// Everything that is known of a run's network: distances, paths, bisection.
    Measure {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
    },
    /// Something about a run or its routes.
    Inspect {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
        /// The block that is open in the drawing.
        open: Option<u32>,
        /// What is asked.
        what: Inspection,
    },
    /// A run's network as a file.
    Export {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
        /// The run, by its place in the study's plan.
        job: u32,
        /// The name of the format.
        format: String,
    },
    /// Results as a file of comma-separated values.
    Table {
        /// The page's count of such questions.
        generation: u32,
        /// The results.
        records: Vec<Record>,
    },
    /// Whether a study would keep the machine busy for long, or cannot run in a page.
    Estimate {
        /// The page's count of such questions.
        generation: u32,
        /// The study.
        text: String,
    },
    /// Leave the run in hand.
    Cancel {
        /// The generation that is no longer wanted.
        generation: u32,
    },
}

impl Request {
    /// Whether it takes a complete worker: one with all parts, for the runs of a plan that need
    /// them, for files, and for whatever looks at routes. The page itself brings a small one along.
    pub fn is_large(&self, plan: &Plan) -> bool {
        let is_large = |job: &u32| plan.jobs.get(*job as usize).is_none_or(|job| !job.is_held());
        match self {
            Request::Survey { fits, job, .. } => *fits || is_large(job),
            Request::Analyze { job, .. }
            | Request::Fabric { job, .. }
            | Request::Run { job, .. } => is_large(job),
            Request::Measure { .. }
            | Request::Utilization { .. }
            | Request::Open { .. }
            | Request::Keep { .. }
            | Request::Inspect { .. }
            | Request::Export { .. }
            | Request::Table { .. }
            | Request::Estimate { .. } => true,
            Request::Cancel { .. } => false,
        }
    }
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Always the first message: requests are heard from here on.
    Ready {
        /// What the worker was built from.
        build: String,
        /// The protocol that it speaks.
        protocol: u32,
    },
    /// The answer to a survey.
    Surveyed {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// The network in numbers.
        size: Size,
        /// Parts of the catalog that cannot be chosen for this network, and what they lack.
        misfits: Vec<Remark>,
        /// Fat trees in a network that does not say what it is, or that is broken.
        trees: Vec<Tree>,
        /// What each part of the catalog is and each setting does; empty where it was not asked what fits.
        help: Vec<Remark>,
    },
    /// The answer to a question for the analysis.
    Analyzed {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// What analysis says.
        foresight: Foresight,
    },
    /// The network as a drawing, or the loads on it in the order of its bundles.
    Fabric {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// As in the request.
        open: Option<u32>,
        /// As in the request; so are those that were measured.
        loads: bool,
        /// The drawing or the loads; empty where an adaptive routing's are asked for.
        parcel: Parcel,
    },
    /// The answer to opening files.
    Opened {
        /// As in the request.
        generation: u32,
        /// What they are.
        opened: Opened,
    },
    /// The answer to measuring a network.
    Measured {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// The numbers.
        numbers: Box<Numbers>,
    },
    /// A run or its routes are being inspected.
    Inspecting {
        /// As in the request.
        generation: u32,
        /// How much is done, from 0 to 1.
        share: f64,
        /// What is known so far, as markup; empty where that is not new.
        markup: String,
        /// How busy the links of a filmed run are, as in a [`Finding`].
        picture: Vec<u8>,
        /// When that picture ended, in nanoseconds.
        end_ns: f64,
    },
    /// The answer to an inspection.
    Inspected {
        /// As in the request.
        generation: u32,
        /// What was found out.
        finding: Box<Finding>,
    },
    /// A network as a file, or results.
    Exported {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// What the file is to be called.
        name: String,
        /// The file's text.
        text: String,
        /// What of the network it does not hold, a sentence each.
        losses: Vec<String>,
    },
    /// The answer to an estimate.
    Estimated {
        /// As in the request.
        generation: u32,
        /// Whether it can run in a page.
        fits: bool,
        /// What it would take, in sentences; empty where it need not be asked about.
        text: String,
    },
    /// A run goes on.
    Progress {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// How much of the run is done, from 0 to 1.
        share: f64,
    },
    /// The worker is alive and busy with what was asked.
    Working,
    /// A run has ended.
    Done {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// What was measured.
        record: Box<Record>,
        /// How busy the channels were, where analysis does not tell.
        busy: Option<Utilization>,
    },
    /// A run was left as asked.
    Stopped {
        /// As in the request.
        generation: u32,
        /// The run that was left.
        job: u32,
    },
    /// The request asks for something that cannot be built.
    Refused {
        /// As in the request.
        generation: u32,
        /// As in the request.
        job: u32,
        /// Why.
        problems: Vec<Refusal>,
    },
    /// The worker broke an invariant and is lost.
    Panicked {
        /// What it said.
        message: String,
    },
}

wire_enum! { Request {
    0 => Survey { generation, text, job, fits }
    1 => Analyze { generation, text, job }
    2 => Fabric { generation, text, job, open, loads }
    3 => Run { generation, text, job }
    4 => Open { generation, files }
    5 => Keep { file }
    6 => Measure { generation, text, job }
    7 => Inspect { generation, text, job, open, what }
    8 => Export { generation, text, job, format }
    9 => Cancel { generation }
    10 => Estimate { generation, text }
    11 => Utilization { generation, text, job, open, busy }
    12 => Table { generation, records }
} }
// The first is read by pages of other builds, too.
wire_enum! { Reply {
    0 => Ready { build, protocol }
    1 => Surveyed { generation, job, size, misfits, trees, help }
    2 => Analyzed { generation, job, foresight }
    3 => Fabric { generation, job, open, loads, parcel }
    4 => Opened { generation, opened }
    5 => Measured { generation, job, numbers }
    6 => Inspecting { generation, share, markup, picture, end_ns }
    7 => Inspected { generation, finding }
    8 => Exported { generation, job, name, text, losses }
    9 => Progress { generation, job, share }
    10 => Working {}
    11 => Done { generation, job, record, busy }
    12 => Stopped { generation, job }
    13 => Refused { generation, job, problems }
    14 => Panicked { message }
    15 => Estimated { generation, fits, text }
} }
