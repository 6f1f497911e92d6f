//! What is counted of messages on a tree, beside what there must be at least.

use dragontree::interchange::csv::cell;
use dragontree::scenario::{Certificates, LevelRow, PhaseCertificate, Witness};

use crate::columns::aligned;

/// What is added to the columns of a phase.
pub const HEADING: &str =
    ",messages,bound,achieved,verdict,witness,level_bounds,level_achieved,level_verdicts";

/// What is known of a phase, in cells; empty ones where nothing is.
pub fn cells(certificate: Option<&Certificates>, phase: u32) -> String {
    let phases = certificate.map_or(&[][..], |known| &known.phases);
    let Ok(place) = phases.binary_search_by_key(&phase, |known| known.phase) else {
        return ",".repeat(HEADING.matches(',').count());
    };
    let PhaseCertificate { messages, bound, achieved, verdict, .. } = &phases[place];
    let witness = highest(&phases[place]).and_then(|row| Some(arc(row, row.witness.as_ref()?)));
    let levels = |cell: &dyn Fn(&LevelRow) -> String, between: &str| {
        phases[place].levels.iter().map(cell).collect::<Vec<_>>().join(between)
    };
    format!(
        ",{messages},{bound},{achieved},{verdict},{},{},{},{}",
        cell(&witness.unwrap_or_default()),
        levels(&|row| row.bound.to_string(), " "),
        levels(&|row| row.achieved.to_string(), " "),
        levels(&|row| row.verdict.to_owned(), "; "),
    )
}

/// The level on which most messages must share a link.
fn highest(phase: &PhaseCertificate) -> Option<&LevelRow> {
    phase.levels.iter().max_by_key(|row| row.bound)
}

/// An arc in words.
fn arc(row: &LevelRow, witness: &Witness) -> String {
    let Witness { direction, messages, links, .. } = witness;
    let place = witness.place(row.level);
    let links = if *links == 1 { "1 link".to_owned() } else { format!("{links} links") };
    let side = if *direction == "up" { "from" } else { "to" };
    format!("{messages} over the {links} {side} {place}")
}

/// The sentence, and the levels of the worst phase.
pub fn table(certificate: &Certificates) -> String {
    let mut text = format!("  certificate: {}\n", certificate.summary);
    if certificate.at_once {
        text.push_str(
            "  (at_once=all: it takes all phases for one; what is above, each by itself)\n",
        );
    }
    let worst = certificate.phases.iter().find(|known| known.phase == certificate.worst_phase);
    let Some(worst) = worst else { return text };
    let which = match certificate.at_once {
        true => "all phases".to_owned(),
        false => format!("worst is phase {}", worst.phase),
    };
    text.push_str(&format!(
        "  {which}: {} messages, contention {}, at least {}: {}\n",
        worst.messages, worst.achieved, worst.bound, worst.verdict
    ));
    let headings = ["above level", "counted", "at least", "because of", "verdict"];
    let mut lines = vec![headings.map(str::to_owned).to_vec()];
    for row in &worst.levels {
        lines.push(vec![
            format!("{:11}", row.level),
            row.achieved.to_string(),
            row.bound.to_string(),
            row.witness.as_ref().map_or_else(String::new, |witness| arc(row, witness)),
            row.verdict.to_owned(),
        ]);
    }
    text.push_str(&aligned(&lines));
    text
}
