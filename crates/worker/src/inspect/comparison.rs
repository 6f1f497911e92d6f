//! All routings on one fabric, as markup.

use dragontree::analysis::{Engine, Pairs};

use super::markup::{number, table};
use dragontree::units::grouped;

use super::words::escaped;

/// The routings that are done; the one in use is named.
pub fn comparison(engines: &[Engine], own: &str) -> String {
    let rows: Vec<Vec<String>> = engines.iter().map(|engine| row(engine, own)).collect();
    let headings = [
        "Routing",
        "Most flows",
        "Mean",
        "Endpoint pairs",
        "Switch pairs",
        "Layers",
        "Deadlock",
        "Time",
        "Choice",
    ];
    table("All routings on this fabric", &headings, rows.iter().map(|row| &row[..]))
}

fn row(engine: &Engine, own: &str) -> Vec<String> {
    let name = escaped(&engine.label);
    if let Some(reason) = &engine.refused {
        let cell = format!("<td colspan=\"8\" class=\"refused\">not here: {}", escaped(reason));
        return vec![name, cell];
    }
    let mut cells = vec![name];
    match &engine.contention {
        Some(contention) => cells.extend([number(contention.worst), number(contention.mean)]),
        None => cells.extend(["–".to_owned(), "–".to_owned()]),
    }
    cells.push(pairs(engine.endpoint_pairs.as_ref()));
    cells.push(pairs(engine.switch_pairs.as_ref()));
    cells.push(engine.layers.map_or("–".to_owned(), |layers| layers.to_string()));
    let acyclic = &engine.acyclic;
    let verdict = match (acyclic.endpoints, acyclic.together) {
        (Some(false), _) => "possible",
        (Some(true), Some(false)) => "with switches",
        (Some(true), _) => "none",
        (None, _) => "–",
    };
    cells.push(verdict.to_owned());
    let time = |seconds: f64| match seconds {
        short if short < 1.0 => format!("{:.0} ms", short * 1000.0),
        long => format!("{long:.1} s"),
    };
    cells.push(engine.seconds.map_or("–".to_owned(), time));
    cells.push(match engine.engine == own {
        true => "in use".to_owned(),
        false => format!(
            "<button type=\"button\" class=\"link\" data-act=\"choose {}\">Use it</button>",
            escaped(&engine.engine)
        ),
    });
    if let Some(left_out) = &engine.left_out {
        cells[0].push_str(&format!("<small>{}</small>", escaped(left_out)));
    }
    cells
}

/// All pairs, or how many of them have a route.
fn pairs(pairs: Option<&Pairs>) -> String {
    match pairs {
        None => "–".to_owned(),
        Some(pairs) if pairs.routed == pairs.total => "all".to_owned(),
        Some(pairs) => format!("{} of {}", grouped(pairs.routed), grouped(pairs.total)),
    }
}
