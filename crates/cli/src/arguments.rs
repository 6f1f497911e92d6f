//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use dragontree::units::Bytes;

mod help;

use help::{
    AUDIT_HELP, COURSE_HELP, EXPORT_HELP, FIGURES_HELP, INFO_HELP, LOADS_HELP, LOOK_HELP,
    MODEL_HELP, OPTIMIZE_HELP, PATH_HELP, PATTERN_HELP, RUN_HELP, SATURATION_HELP,
};

/// Simulates interconnection networks: fabrics, routing and traffic, from one line of text.
#[derive(Debug, Parser)]
#[command(name = "dragontree", version, after_help = EXIT_STATUS)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_STATUS: &str = "\
Exit status: 0 done; 1 the run ended with a finding that was asked to be an error; 2 bad input, \
with every problem on standard error.

A text that is understood here is also the address of the page, and the other way round.";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run an experiment and print what it measures
    Run(Run),
    /// Simulate runs and print how they go over time: throughput, latency, waiting packets
    Course(Course),
    /// Simulate runs and print how busy each channel was, and what the analysis expects
    Loads(Loads),
    /// Print the numbers of a network: cost, distances, shortest paths, bisection
    Info(Info),
    /// List every part with its settings, ranges and defaults
    List(List),
    /// Run the documents' figures and compare them with the printed numbers
    Figures(Figures),
    /// Write the network of an experiment, or a fabric's file, in another format; or its routes
    Export(Export),
    /// Count the flows that share a channel in every phase of an exchange, or every shift of an
    /// all-to-all
    Contention(Look),
    /// Print who sends to whom in each phase of an exchange, and what that crosses
    #[command(after_help = PATTERN_HELP)]
    Pattern(Look),
    /// Print the documents' formulas that apply: bounds, ideal times, demands, what is saved
    #[command(after_help = MODEL_HELP)]
    Model(Look),
    /// Print by analysis at which load traffic fills a channel, where, and what flows get if they
    /// share channels fairly
    Saturation(Saturation),
    /// Find the best ways to cut, place and route a nearest-neighbor exchange on a dragonfly
    Optimize(Optimize),
    /// Route a fabric: which pairs have a route, can it deadlock, how do shifts contend
    Route(Audit),
    /// Audit a fabric and its forwarding tables, as they are in a cluster
    Audit(Audit),
    /// Compare every routing there is on a fabric
    Compare(Look),
    /// Print every path between two nodes
    Path(Ends),
    /// Print the GUIDs of the switches between two nodes on a line
    Query(Ends),
}

/// Files with the routes of a fabric, which stand for routing=imported.
#[derive(Debug, Default, Args)]
pub struct Tables {
    /// Forwarding tables: opensm-lfts.dump, or what dump_lfts or ibroute print; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    pub lfts: Vec<PathBuf>,
    /// Service levels of pairs, in lines of two local ids and a level
    #[arg(long, value_name = "FILE", requires = "lfts")]
    pub levels: Vec<PathBuf>,
}

/// The experiment that a command is about, with the files that belong to it.
#[derive(Debug, Args)]
pub struct Text {
    /// The experiment: KEY=VALUE words, a link, or - for standard input; the default experiment
    /// without any. A file with a fabric stands for topology=imported with that file; several
    /// are rails of one fabric
    pub text: Vec<String>,
    /// Supply a file that the text names by its digest (data=file.DIGEST); may be given several
    /// times
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `dragontree run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_HELP)]
pub struct Run {
    #[command(flatten)]
    pub runs: Runs,
    /// Also draw the charts into this file, one above the other
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print what the study will take, packet-hops, time and memory, and run nothing
    #[arg(long)]
    pub estimate: bool,
    /// Refuse a study that needs more memory than this (8GB), at as many runs at once; what the
    /// system has free when left out
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Bytes>,
    /// Run it whatever memory it needs
    #[arg(long)]
    pub force: bool,
    /// End with status 1 when a run ends so; may be given several times
    #[arg(long, value_name = "FINDING")]
    pub fail_on: Vec<FailOn>,
}

/// `dragontree course`.
#[derive(Debug, Args)]
#[command(after_help = COURSE_HELP)]
pub struct Course {
    #[command(flatten)]
    pub runs: Runs,
}

/// `dragontree loads`.
#[derive(Debug, Args)]
#[command(after_help = LOADS_HELP)]
pub struct Loads {
    #[command(flatten)]
    pub runs: Runs,
}

/// Runs of an experiment, and how they are done and printed.
#[derive(Debug, Args)]
pub struct Runs {
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub tables: Tables,
    #[command(flatten)]
    pub output: Output,
    /// How many runs go on at once; as many as the machine has processors when left out
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// What is printed instead of tables.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct Output {
    /// Print one JSON object per run or network and line; the keys are explained below
    #[arg(long)]
    pub json: bool,
    /// Print comma-separated values with a header line
    #[arg(long)]
    pub csv: bool,
}

/// A finding that may be asked to be an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Less is accepted than offered while the sources' queues grow; of routes: flows share a
    /// channel in some shift
    Saturation,
    /// Packets wait for each other for ever; of routes: they can, between endpoints
    Deadlock,
    /// Endpoints have no route to each other
    Unreachable,
}

/// `dragontree info`.
#[derive(Debug, Args)]
#[command(after_help = INFO_HELP)]
pub struct Info {
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub output: Output,
    /// How many networks are worked on at once; as many as the machine has processors when left
    /// out
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// `dragontree list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only this key; y lists what may be drawn
    pub key: Option<String>,
    /// Print one JSON object per key and line: key, label, tier, parts (name, label, help,
    /// settings) or settings (key, label, help, tier, kind, allowed, default); of y metrics (name,
    /// label, of what)
    #[arg(long)]
    pub json: bool,
}

/// `dragontree figures`.
#[derive(Debug, Args)]
#[command(after_help = FIGURES_HELP)]
pub struct Figures {
    /// Only figures with these ids, or ids that begin so (P-F6)
    pub ids: Vec<String>,
    /// Run the larger studies instead of the reduced ones: more sizes, more seeds or longer windows
    #[arg(long)]
    pub full: bool,
    /// Print one JSON object per check and line
    #[arg(long)]
    pub json: bool,
    /// Print a page to read, in HTML whose links lead to the laboratory beside it
    #[arg(long, conflicts_with = "json")]
    pub html: bool,
    /// How many runs go on at once; as many as the machine has processors when left out
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

/// `dragontree contention` and `dragontree compare`.
#[derive(Debug, Args)]
#[command(after_help = LOOK_HELP)]
pub struct Look {
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub tables: Tables,
    #[command(flatten)]
    pub output: Output,
}

/// `dragontree saturation`.
#[derive(Debug, Args)]
#[command(after_help = SATURATION_HELP)]
pub struct Saturation {
    #[command(flatten)]
    pub runs: Runs,
}

/// `dragontree optimize`.
#[derive(Debug, Args)]
#[command(after_help = OPTIMIZE_HELP)]
pub struct Optimize {
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub output: Output,
    /// How many of the best are printed, up to 1000
    #[arg(long, value_name = "N", default_value = "10")]
    pub top: NonZeroUsize,
    /// Cut the domain only as tasks= says, and not in every way with as many tasks
    #[arg(long)]
    pub keep_tasks: bool,
    /// Try only this; may be given several times
    #[arg(long = "try", value_name = "STRATEGY")]
    pub strategies: Vec<Tried>,
}

/// How tasks are placed and routed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tried {
    /// Blocks of the domain in groups, minimal routing
    BlocksMinimal,
    /// Blocks of the domain in groups, Valiant routing over a random group
    BlocksValiant,
    /// Any tasks in a group, minimal routing
    RandomMinimal,
}

/// `dragontree audit` and `dragontree route`.
#[derive(Debug, Args)]
#[command(after_help = AUDIT_HELP)]
pub struct Audit {
    #[command(flatten)]
    pub text: Text,
    #[command(flatten)]
    pub tables: Tables,
    #[command(flatten)]
    pub report: ReportOptions,
}

/// How a report is printed.
#[derive(Debug, Args)]
pub struct ReportOptions {
    #[command(flatten)]
    pub output: Output,
    /// Replace names and GUIDs, each by the same everywhere (S1, H1), to show the report to others
    #[arg(long)]
    pub anonymize: bool,
    /// End with status 1 when this is found; may be given several times
    #[arg(long, value_name = "FINDING")]
    pub fail_on: Vec<FailOn>,
}

/// `dragontree path` and `dragontree query`.
#[derive(Debug, Args)]
#[command(after_help = PATH_HELP)]
pub struct Ends {
    /// The experiment or the fabric's file, as in dragontree run; then A:B, where nodes are called
    /// by their names, GUIDs (0x…) or local ids. - reads the lines “query A:B” from standard input
    #[arg(required = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub tables: Tables,
    /// Supply a file that the text names by its digest
    #[arg(long = "file", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print one JSON object per pair and line
    #[arg(long)]
    pub json: bool,
}

/// `dragontree export`.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub struct Export {
    #[command(flatten)]
    pub text: Text,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    pub to: ExportFormat,
    /// Write into this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// What a network is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// As ibnetdiscover prints it; ibsim reads it
    Ibnetdiscover,
    /// A table of links with commas between its columns
    Edges,
    /// For BookSim's topology anynet
    Anynet,
    /// For Graphviz
    Dot,
    /// The form that leaves out least
    Json,
    /// The forwarding tables of the routing, as opensm-lfts.dump has them; OpenSM's engine “file”
    /// reads them
    Lfts,
    /// The service level of every pair of endpoints, in lines of two local ids and the level: the
    /// virtual layers of tables that have several
    Levels,
    /// Every path of every pair of endpoints, as comma-separated values
    Paths,
    /// The way of every message of an exchange, or of traffic that names who sends to whom,
    /// phase by phase, as comma-separated values
    MessagePaths,
    /// The same as one JSON object per line
    MessagePathsJson,
    /// For each source the ways of its messages as lists of ports
    SourceTables,
}
