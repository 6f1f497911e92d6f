//! The messages of a run as markup.

use std::collections::BTreeSet;

use dragontree::analysis::{Contention, Crossings};
use dragontree::network::{EndpointId, Network, Structure};
use dragontree::scenario::{
    Certificates, Choice, Exchanging, Modelled, Optimized, PhaseCertificate,
};
use dragontree::units::{Rank, grouped};

use super::compared::routings;
use super::curves;
use super::markup::{number, table, unfolding};
use super::sending::Messages;
use super::words::escaped;

/// So many phases are drawn at a time.
const PICTURES: usize = 16;
/// Pictures have at most so many rows and columns; of more ranks some share one.
const ROWS: usize = 256;
/// Messages over more levels than this have the last color.
const COLORS: usize = 4;

/// Everything that is known.
pub fn markup(found: &Messages, network: &Network) -> String {
    let Messages {
        exchanging,
        crossings,
        contention,
        certificate,
        formulas,
        compared,
        times,
        best,
    } = found;
    let workload = &exchanging.exchanged.workload;
    let phases = &exchanging.exchanged.phases;
    let mut text = format!(
        "<p>{} ranks, {}, {}.</p>",
        grouped(workload.ranks()),
        counted(workload.messages(), "message"),
        counted(phases.used().into(), "phase")
    );
    if let Some(best) = best {
        text.push_str("<h2>The best ways to cut and place the domain</h2>");
        match best {
            Ok(best) => text.push_str(&choices(best)),
            Err(why) => text.push_str(&format!("<p>{}</p>", escaped(why))),
        }
    }
    text.push_str("<h2>Phases</h2>");
    text.push_str(&pictures(found, network));
    match contention {
        Ok(contention) => text.push_str(&shared(contention, &exchanging.sending_phases())),
        Err(why) => text.push_str(&format!("<p>{}</p>", escaped(why))),
    }
    match certificate {
        Ok(known) => text.push_str(&known.as_ref().map(certified).unwrap_or_default()),
        Err(why) => text.push_str(&format!("<h2>Certificate</h2><p>None: {}.</p>", escaped(why))),
    }
    match compared {
        Some(Ok(compared)) => text.push_str(&routings(compared, times)),
        Some(Err(why)) => {
            text.push_str(&format!("<h2>Routings compared</h2><p>{}</p>", escaped(why)));
        }
        None => {}
    }
    text.push_str("<h2>Crossings</h2>");
    match crossings {
        Ok(crossings) => text.push_str(&crossed(crossings, phases.used())),
        Err(why) => text.push_str(&format!("<p>{}</p>", escaped(why))),
    }
    text.push_str(&of_documents(formulas));
    text
}

fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// The parts of one level of a fabric.
struct Parts {
    one: String,
    several: String,
    /// Each rank's.
    of: Vec<u32>,
}

/// The parts of a fabric, from the smallest to the largest.
fn parts(network: &Network, placement: &[EndpointId]) -> Vec<Parts> {
    let named = |one: &str, several: &str, part: &dyn Fn(EndpointId) -> u32| Parts {
        one: one.to_owned(),
        several: several.to_owned(),
        of: placement.iter().map(|at| part(*at)).collect(),
    };
    match network.structure() {
        Structure::Tree(tree) => {
            let level = |level: u32| {
                let [one, several] = match level {
                    1 => ["leaf switch", "leaf switches"].map(str::to_owned),
                    level => ["subtree", "subtrees"].map(|noun| format!("{noun} of level {level}")),
                };
                named(&one, &several, &|at| tree.subtree(level, at))
            };
            (1..tree.levels()).map(level).collect()
        }
        Structure::Groups(groups) => vec![
            named("switch", "switches", &|at| groups.switch_of(at).0),
            named("group", "groups", &|at| groups.group(groups.switch_of(at))),
        ],
        _ => Vec::new(),
    }
}

/// What the pictures of phases mean, and those of the first ones; where there are more a field says
/// from which on they are shown.
fn pictures(found: &Messages, network: &Network) -> String {
    let Messages { exchanging, .. } = found;
    let ranks = exchanging.placement.len();
    let share = ranks.div_ceil(ROWS).max(1);
    let parts = parts(network, &exchanging.placement);
    let sending = exchanging.sending_phases();
    let mut text = String::from("<p class=\"help\">");
    text.push_str("From top to bottom the senders, from left to right the receivers.");
    if share > 1 {
        text.push_str(&format!(" Each dot stands for what {share} ranks send to {share} others."));
    }
    for class in 0..=parts.len().min(COLORS - 1) {
        let words = match (class, parts.len()) {
            (_, 0) => break,
            (0, _) => format!("within a {}", parts[0].one),
            (class, count) if class == count => format!("between {}", parts[count - 1].several),
            (class, _) => format!("within a {}", parts[class].one),
        };
        text.push_str(&format!(" <span class=\"class c{class}\">{words}</span>"));
    }
    text.push_str("</p>");
    if let ([first, .., last], true) = (&sending[..], sending.len() > PICTURES) {
        let count = grouped(sending.len() as u32);
        text.push_str(&format!(
            "<p><label>{PICTURES} of the {count} phases in which somebody sends, from phase \
             <input type=\"number\" name=\"phase\" min=\"{first}\" max=\"{last}\" step=\"{PICTURES}\" \
             value=\"{first}\"></label></p>"
        ));
    }
    let shown = phases(found, network, &pictured(exchanging, 0));
    text + "<div class=\"phases\" aria-live=\"polite\">" + &shown + "</div>"
}

/// The phases that are shown from one on: as many as there are pictures, of those in which somebody
/// sends.
pub fn pictured(exchanging: &Exchanging, first: u32) -> Vec<u32> {
    let sending = exchanging.sending_phases().into_iter();
    sending.filter(|phase| *phase >= first).take(PICTURES).collect()
}

/// Who sends to whom in some phases, a picture each (Prisacari 2020, Figs. 4.3 to 4.5). What is known
/// of contention begins with the first of them.
pub fn phases(found: &Messages, network: &Network, shown: &[u32]) -> String {
    let Messages { exchanging, contention, .. } = found;
    let ranks = exchanging.placement.len();
    let share = ranks.div_ceil(ROWS).max(1);
    let parts = parts(network, &exchanging.placement);
    let mut text = String::new();
    for (place, phase) in shown.iter().enumerate() {
        let messages = exchanging.exchanged.phases.phase(*phase);
        let flows = contention.as_ref().ok().and_then(|found| found.per_stage.get(place)).copied();
        text.push_str(&picture(*phase, ranks, &messages, &parts, share, flows));
    }
    text
}

/// One phase: a dot for each message, or for those between as many ranks as share one, over the largest
/// parts.
fn picture(
    phase: u32,
    ranks: usize,
    messages: &[(Rank, Rank)],
    parts: &[Parts],
    share: usize,
    contention: Option<f64>,
) -> String {
    let rows = ranks.div_ceil(share);
    let mut dots: [BTreeSet<(usize, usize)>; COLORS] = Default::default();
    let (mut sent, mut between) = (0, vec![0_u64; parts.len()]);
    for (from, to) in messages {
        let [from, to] = [from, to].map(|rank| rank.0 as usize);
        let leaves = |part: &Parts| part.of[from] != part.of[to];
        let class = parts.iter().filter(|part| leaves(part)).count();
        sent += 1;
        for (part, crossing) in parts.iter().zip(&mut between) {
            *crossing += u64::from(leaves(part));
        }
        dots[class.min(COLORS - 1)].insert((from / share, to / share));
    }
    let mut caption = format!("phase {}: {}", grouped(phase), counted(sent, "message"));
    for (Parts { several, .. }, crossing) in parts.iter().zip(&between).rev() {
        caption.push_str(&format!(", {} between {several}", grouped(*crossing)));
    }
    if let Some(flows) = contention {
        caption.push_str(&format!(", contention {}", number(flows)));
    }
    let areas = parts.last().map(|largest| areas(&largest.of, share)).unwrap_or_default();
    let paths: String = (0..).zip(&dots).map(|(class, dots)| dotted(class, dots)).collect();
    format!(
        "<figure><svg role=\"img\" aria-label=\"{caption}\" viewBox=\"0 0 {rows} {rows}\">\
         <path class=\"areas\" d=\"{areas}\"/>{paths}</svg><figcaption>{caption}</figcaption></figure>"
    )
}

/// A square for each run of ranks in the same part; nothing where ranks are strewn over the parts.
fn areas(part: &[u32], share: usize) -> String {
    let mut path = String::new();
    if part.chunk_by(|one, other| one == other).count() > ROWS {
        return path;
    }
    let mut first = 0;
    for run in part.chunk_by(|one, other| one == other) {
        let [from, side] = [first, run.len()].map(|ranks| number(ranks as f64 / share as f64));
        path.push_str(&format!("M{from} {from}h{side}v{side}h-{side}z"));
        first += run.len();
    }
    path
}

fn dotted(class: usize, dots: &BTreeSet<(usize, usize)>) -> String {
    if dots.is_empty() {
        return String::new();
    }
    let path: String = dots.iter().map(|(from, to)| format!("M{to} {from}.5h1")).collect();
    format!("<path class=\"c{class}\" d=\"{path}\"/>")
}

/// What shares channels between switches, phase by phase and level by level.
fn shared(contention: &Contention, phases: &[u32]) -> String {
    let row = |level: &dragontree::analysis::LevelContention| {
        let direction = level.direction.map_or("", |direction| direction.word());
        [
            format!("{} {direction}", escaped(&level.level)),
            grouped(level.channels),
            number(level.worst),
            number(level.mean),
        ]
    };
    let rows: Vec<[String; 4]> = contention.per_level.iter().map(row).collect();
    let headings = ["Channels", "Number", "Most messages on one", "Mean of the phases"];
    let ends = [phases.first(), phases.last()].map(|phase| phase.copied().unwrap_or(0));
    let mut text = String::new();
    if phases.len() > 1 {
        text.push_str(&curves::phases(contention, ends));
    }
    text.push_str(&table("Contention by channels", &headings, rows.iter().map(|row| &row[..])));
    if contention.unrouted > 0 {
        let lost = counted(contention.unrouted, "message");
        text.push_str(&format!("<p class=\"wrong\">{lost} without a route.</p>"));
    }
    text
}

/// How good routes are, and the levels of the worst phase.
fn certified(certificate: &Certificates) -> String {
    let worst = certificate.phases.iter().find(|known| known.phase == certificate.worst_phase);
    let mut text = format!("<h2>Certificate</h2><p>{}</p>", escaped(&certificate.summary));
    if certificate.at_once {
        text.push_str("<p class=\"help\">It takes all phases for one, as at_once=all asks for; the phases above are counted each by itself.</p>");
    }
    let Some(PhaseCertificate { phase, levels, .. }) = worst else { return text };
    let row = |row: &dragontree::scenario::LevelRow| {
        let because = row.witness.as_ref().map(|arc| {
            let side = if arc.direction == "up" { "from" } else { "to" };
            let links = counted(arc.links.into(), "link");
            let place = escaped(&arc.place(row.level));
            format!("{} over the {links} {side} {place}", counted(arc.messages.into(), "message"))
        });
        [
            format!("level {}", row.level),
            row.achieved.to_string(),
            row.bound.to_string(),
            because.unwrap_or_default(),
            row.verdict.to_owned(),
        ]
    };
    let rows: Vec<[String; 5]> = levels.iter().map(row).collect();
    let headings = ["Links above", "Most messages on one", "At least", "Because of", "Verdict"];
    let which = match certificate.at_once {
        true => "all phases".to_owned(),
        false => format!("phase {phase}, the worst"),
    };
    let caption = format!("The levels of {which}");
    let body = table(&caption, &headings, rows.iter().map(|row| &row[..]));
    text.push_str(&unfolding(&caption, &body));
    text
}

/// What leaves the parts of the fabric, for each level and phase.
fn crossed(crossings: &[Crossings], phases: u32) -> String {
    if crossings.is_empty() {
        return "<p>The fabric has only one part.</p>".to_owned();
    }
    let row = |of: &Crossings| {
        let most = |numbers: &[u32]| numbers.iter().copied().max().unwrap_or(0);
        let all: u64 = of.per_phase.iter().map(|own| u64::from(*own)).sum();
        [
            escaped(&of.level),
            grouped(of.parts),
            grouped(all),
            grouped(most(&of.per_phase)),
            grouped(most(&of.busiest)),
        ]
    };
    let rows: Vec<[String; 5]> = crossings.iter().map(row).collect();
    let headings =
        ["Leaving each", "Parts", "Messages", "Most in a phase", "Most of one part in a phase"];
    let several = crossings.iter().filter(|_| phases > 1);
    let curves: String = several.map(curves::crossings).collect();
    curves + &table("Crossings", &headings, rows.iter().map(|row| &row[..]))
}

fn of_documents(formulas: &[Modelled]) -> String {
    if formulas.is_empty() {
        return String::new();
    }
    let row = |formula: &Modelled| {
        let value = formula.value.map_or("no value".to_owned(), number);
        [
            escaped(&formula.name),
            format!("{value} {}", escaped(&formula.unit)),
            escaped(&formula.source),
        ]
    };
    let rows: Vec<[String; 3]> = formulas.iter().map(row).collect();
    let headings = ["Formula", "Value", "Source"];
    "<h2>Formulas</h2>".to_owned() + &table("Formulas", &headings, rows.iter().map(|row| &row[..]))
}

/// The best choices, each a link to its experiment; the worst one last.
fn choices(found: &Optimized) -> String {
    let Optimized { tasks, compared, best, worst, worth } = found;
    let points = |numbers: &[u32]| {
        numbers.iter().map(u32::to_string).collect::<Vec<_>>().join("&thinsp;×&thinsp;")
    };
    let row = |(rank, choice): (String, &Choice)| {
        let href = escaped(&choice.text.replace(' ', "&"));
        [
            rank,
            points(&choice.tasks),
            points(&choice.block),
            grouped(choice.groups),
            choice.strategy.label().to_owned(),
            format!("{} MiB", number(choice.bytes_per_task as f64 / f64::from(1 << 20))),
            format!("{} ({})", number(choice.bandwidth), escaped(&choice.limit)),
            format!("{} ms", number(choice.completion_ns / 1e6)),
            escaped(&choice.source),
            format!("<a href=\"?{href}\">Simulate it</a>"),
        ]
    };
    let ranks = (1..).map(|rank: u32| rank.to_string()).zip(best);
    let last = worst.iter().map(|worst| ("worst".to_owned(), worst));
    let rows: Vec<[String; 10]> = ranks.chain(last).map(row).collect();
    let headings = [
        "",
        "Tasks",
        "In a group",
        "Groups",
        "Placed, routed",
        "A task sends",
        "Bandwidth of a task",
        "Completion",
        "Formula",
        "",
    ];
    let worth = worth.map_or(String::new(), |worth| {
        format!("; the worst takes {} times as long as the best", number(worth))
    });
    format!(
        "<p>{} of {} were compared by the documents' formulas{worth}.</p>{}",
        counted(*compared, "choice"),
        counted(*tasks, "task"),
        table("The best choices", &headings, rows.iter().map(|row| &row[..]))
    )
}
