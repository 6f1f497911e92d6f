//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Print the numbers of a network: cost, distances, shortest paths, bisection
    Info(Info),
    /// List every part with its settings, ranges and defaults
    List(List),
    /// Run the documents' figures and compare them with the printed numbers
    Figures(Figures),
    /// Write the network of an experiment, or a fabric's file, in another format
    Export(Export),
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
    pub text: Text,
    #[command(flatten)]
    pub output: Output,
    /// Also draw the charts into this file, one above the other
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// How many runs go on at once; as many as the machine has processors when left out
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// End with status 1 when a run ends so; may be given several times
    #[arg(long, value_name = "FINDING")]
    pub fail_on: Vec<FailOn>,
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
    /// Less is accepted than offered while the sources' queues grow
    Saturation,
    /// Packets wait for each other for ever
    Deadlock,
}

const RUN_HELP: &str = "\
Examples:
  dragontree run topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.1..1:10
  dragontree run --json 'placement=contiguous placement=random load=1' | jq .metrics.accepted

Keys of --json, one object per run, in the order of the text:
  scenario        the run as text, with everything written out
  series          the curve that it belongs to, empty when there is only one
  x               its place on the horizontal axis: a number or a name
  seed            its seed
  engine_version  the number of the engine; another one may give other numbers
  digest          64 bits over all integers of the run, in hexadecimal
  seconds         time that the run took; not part of the digest
  metrics
    offered           offered load; rates are fractions of the endpoints' link rate
    accepted          accepted throughput, averaged over all endpoints
    saturated         whether less is accepted than offered while the sources' queues grow
    settled           whether the precision was reached before the run's limit
    latency_ns        mean, p50, p99, max (null where unbounded), zero_load (analytic)
    bound             the offered load at which the busiest channel fills (analytic)
    busiest           that channel
    interval          half-widths of the 95 % intervals: accepted, latency_ns (null where unknown)
    fairness          Jain's index of the sources' rates
    worst_source      the smallest rate of a source
    hops_mean         mean number of switches crossed
    packet_hops       switches crossed by all packets together
    max_utilization   the largest share of time that a channel between switches was busy
    rounded           whether a packet's time on a link was rounded up to whole picoseconds
    packets           packets delivered in the window
    warmup_ns         simulated time before the window
    window_ns         simulated time of the window
    deadlock          null, or the packets that wait for each other

With e= and d= in the text (the engine and the digest of earlier results), the last line on \
standard error says whether they were reproduced.";

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

const INFO_HELP: &str = "\
Examples:
  dragontree info topology=dragonfly,p=2/4/8
  dragontree info --json 'topology=xgft,m=8.8,w=1.8 topology=dragonfly' | jq .diameter

Nothing is simulated. Keys of --json, one object per different network of the text:
  topology                the network as text, with everything written out
  faults                  what is broken of it
  seed                    the seed of random faults
  endpoints               live endpoints: those with a link
  slots                   endpoint slots, empty ones included
  switches                switches
  links                   links, those of the endpoints included
  radix                   the largest number of ports of a switch, cabled or not
  ports_per_endpoint      cabled switch ports per live endpoint
  links_per_endpoint      links per live endpoint
  diameter                links between switches on the longest of the shortest paths between \
endpoints
  mean_distance           the mean of these paths, over all ordered pairs of different endpoints; \
0 for a pair on one switch
  unconnected_pairs       ordered pairs of different endpoints without a path
  distances_sampled       whether these three come from a random sample of the switches
  diversity               mean and max number of shortest paths between two switches that carry \
endpoints and are not adjacent, parallel links counted; sampled as above; null without such a pair
  bisection_per_endpoint  bandwidth of the smallest cut found between two halves of the \
endpoints, per endpoint of a half, in units of an endpoint's: an upper bound of the bisection
  bisection               that cut: links, endpoints moved one by one because whole switches do \
not make equal halves (each cuts its link too), endpoints of a half
  seconds                 time that it took";

/// `dragontree list`.
#[derive(Debug, Args)]
pub struct List {
    /// Only this key
    pub key: Option<String>,
    /// Print one JSON object per key and line: key, label, tier, parts (name, label, help,
    /// settings) or settings (key, label, help, tier, kind, allowed, default)
    #[arg(long)]
    pub json: bool,
}

/// `dragontree figures`.
#[derive(Debug, Args)]
#[command(after_help = FIGURES_HELP)]
pub struct Figures {
    /// Only figures with these ids, or ids that begin so (P-F6)
    pub ids: Vec<String>,
    /// Run the documents' own sizes and windows instead of the reduced ones
    #[arg(long)]
    pub full: bool,
    /// Print one JSON object per check and line
    #[arg(long)]
    pub json: bool,
    /// How many runs go on at once; as many as the machine has processors when left out
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

const FIGURES_HELP: &str = "\
Keys of --json, one object per check: id, claim, source, note, study, metric, curve, x, \
expected, tolerance, min, max, origin, got, verdict (met, missed or failed), problem, seconds.

The status is 1 when a figure is missed.";

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
}

const EXPORT_HELP: &str = "\
Examples:
  dragontree export topology=xgft,m=4.4,w=1.4 --to ibnetdiscover -o tree.txt
  dragontree export fabric.txt --to json
  dragontree run fabric.txt routing=d_mod_k load=0.1..1:10

What is left out:
  all            levels, groups and other structure
  ibnetdiscover  latencies, classes of links, local ids of ports without a cable; a rate without an
                 InfiniBand name is written as the nearest one of four lanes
  edges          GUIDs, local ids, hosts, unused ports
  dot            GUIDs, local ids, hosts
  anynet         names, addresses, ports, rates, parallel links; latencies are multiples of the
                 longest time of which all are multiples
What else is lost of the network at hand is said on standard error. All of these are read too, as \
the files of a fabric.";
