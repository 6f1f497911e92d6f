//! What is said about the fabric, its nodes and its links.

use dragontree_worker::{Kind, Loads, Size};

use super::scene::{Measure, Scene, Spot, both_ways, percent};
use crate::words::{escaped, grouped};

/// So many neighbors are named in a row of the table.
const NAMED: usize = 4;

/// The name of what is pointed at.
pub fn title(scene: &Scene, spot: Spot) -> String {
    match spot {
        Spot::Node(node) => scene.name(node).to_owned(),
        Spot::Link { bundle, from } => {
            let to = scene.other_end(bundle, from);
            format!("{} to {}", scene.name(from), scene.name(to))
        }
    }
}

/// Name and details as markup.
pub fn markup(scene: &Scene, loads: Option<&Loads>, measure: Measure, spot: Spot) -> String {
    let (title, details) = (title(scene, spot), details(scene, loads, measure, spot));
    format!("<p><b>{}</b></p><p>{details}</p>", escaped(&title))
}

/// The whole in numbers, and its busiest link.
pub fn overall(size: Option<Size>, shown: Option<(&Scene, Option<&Loads>)>) -> String {
    let mut text = String::new();
    if let Some(Size { endpoints, switches, links, radix, .. }) = size {
        text = format!(
            "<p>{}, {}, {}, radix {radix}</p>",
            several(endpoints, "endpoint"),
            several(switches, "switch"),
            several(links, "link"),
        );
    }
    let busiest = shown.and_then(|(scene, loads)| Some((scene, loads?, scene.busiest(loads?)?)));
    if let Some((scene, loads, spot)) = busiest {
        let alike = match loads.alike {
            0 | 1 => String::new(),
            many => format!(" and {} alike", grouped(u64::from(many) - 1)),
        };
        text.push_str(&format!(
            "<p>Busiest: <button type=\"button\" class=\"link\" data-act=\"show\">{}</button>{alike}",
            escaped(&title(scene, spot))
        ));
    }
    text
}

/// What is known about what is pointed at.
pub fn details(scene: &Scene, loads: Option<&Loads>, measure: Measure, spot: Spot) -> String {
    match spot {
        Spot::Node(node) => of_node(scene, loads, measure, node),
        Spot::Link { bundle, from } => of_link(scene, loads, measure, bundle, from),
    }
}

fn of_node(scene: &Scene, loads: Option<&Loads>, measure: Measure, node: u32) -> String {
    let dot = scene.node(node);
    let ports = several(dot.all, "port");
    let mut text = match dot.kind {
        _ if dot.broken => "Broken".to_owned(),
        Kind::Block => format!("{}, {}", several(dot.used, "switch"), several(dot.all, "endpoint")),
        _ if dot.used == dot.all => format!("All {ports} in use"),
        _ => format!("{} of {ports} in use", dot.used),
    };
    let mut counts = [0; 3];
    for (_, other) in scene.links_of(node) {
        counts[scene.node(other).kind as usize] += u32::from(other != node);
    }
    let mut join = ", joined to ";
    for (number, noun) in counts.into_iter().zip(["switch", "endpoint", "block"]) {
        if number > 0 {
            text.push_str(join);
            text.push_str(&several(number, noun));
            join = " and ";
        }
    }
    if let Some(loads) = loads {
        let fullest = measure.text(fullest(scene, loads, measure.factor(), node));
        text.push_str(&match measure {
            Measure::Load(_) => format!(". Fullest link {fullest}"),
            Measure::Flows(_) => format!(". Most flows on a link {fullest}"),
            Measure::Busy(_) | Measure::BusyAt(_) => format!(". Busiest link {fullest}"),
        });
    }
    text + "."
}

/// The largest load on a link of a node.
fn fullest(scene: &Scene, loads: &Loads, factor: f32, node: u32) -> f32 {
    let links = scene.links_of(node).into_iter();
    let both = links.map(|(bundle, _)| both_ways(loads, bundle, true, factor));
    both.fold(0.0, |most, [there, back]| most.max(there).max(back))
}

fn of_link(
    scene: &Scene,
    loads: Option<&Loads>,
    measure: Measure,
    bundle: u32,
    from: u32,
) -> String {
    let all = scene.bundle(bundle);
    let kind = scene.picture.kind(all.kind);
    let mut text = match all.links {
        1 => kind.to_owned(),
        many => format!("{} links, the first a {kind}", grouped(many)),
    };
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    match all.broken {
        0 => {}
        broken if broken == all.links => text.push_str(", broken"),
        broken => text.push_str(&format!(", {broken} of them broken")),
    }
    if let Some(loads) = loads.filter(|_| all.broken < all.links) {
        let forward = all.ends[0] == from;
        let both = both_ways(loads, bundle, forward, measure.factor());
        let [there, back] = both.map(|share| measure.text(share));
        match measure {
            Measure::Flows(_) => {
                text.push_str(&format!(". In the worst stage {there} flows, back {back}"));
            }
            Measure::Busy(_) | Measure::BusyAt(_) => {
                text.push_str(&format!(". Busy {there}, back {back}"));
            }
            Measure::Load(_) => {
                text.push_str(&format!(". Expected load {there}, back {back}"));
                let [there, back] = both_ways(loads, bundle, true, 1.0);
                let most = there.max(back);
                if most > 1.0 {
                    text.push_str(&format!("; full at {} offered", percent(1.0 / most)));
                }
            }
        }
    }
    text + "."
}

/// The fabric as a table of so many rows: switches or blocks.
pub fn table(scene: &Scene, loads: Option<&Loads>, measure: Measure, rows: usize) -> String {
    let mut text = "<table><thead><tr><th scope=\"col\">Name<th scope=\"col\">In use\
                    <th scope=\"col\">Joined to<th scope=\"col\">Fullest link<tbody>"
        .to_owned();
    let shown = || scene.nodes().filter(|(_, dot)| dot.kind != Kind::Endpoint);
    for (node, dot) in shown().take(rows) {
        let used = match dot.kind {
            _ if dot.broken => "broken".to_owned(),
            Kind::Block => several(dot.used, "switch"),
            _ => format!("{} of {}", dot.used, several(dot.all, "port")),
        };
        let full = loads.map(|loads| measure.text(fullest(scene, loads, measure.factor(), node)));
        text.push_str(&format!(
            "<tr><th scope=\"row\"><button type=\"button\" class=\"link\" data-act=\"node {node}\">\
             {}</button><td>{used}<td>{}<td>{}",
            escaped(scene.name(node)),
            escaped(&neighbors(scene, node)),
            full.unwrap_or_else(|| "–".to_owned()),
        ));
    }
    text.push_str("</table>");
    let all = shown().count();
    if all > rows {
        text.push_str(&format!(
            "<button type=\"button\" class=\"link\" data-act=\"more\">More, {} in all</button>",
            grouped(all as u64)
        ));
    }
    text
}

/// The first neighbors by name; endpoints are only counted.
fn neighbors(scene: &Scene, node: u32) -> String {
    let mut text = String::new();
    let (mut named, mut more, mut endpoints) = (0, 0, 0);
    for (_, other) in scene.links_of(node) {
        match scene.node(other).kind {
            Kind::Endpoint => endpoints += 1,
            _ if named == NAMED => more += 1,
            _ => {
                named += 1;
                text.push_str(scene.name(other));
                text.push_str(", ");
            }
        }
    }
    if more > 0 {
        text.push_str(&format!("{more} more, "));
    }
    if endpoints > 0 {
        text.push_str(&several(endpoints, "endpoint"));
    }
    text.trim_end_matches(", ").to_owned()
}

/// A number of things; a switch makes switches.
fn several(number: u32, noun: &str) -> String {
    let ending = match (number, noun.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_things_are_grouped_and_agree() {
        assert_eq!(several(1, "switch"), "1 switch");
        assert_eq!(several(1056, "endpoint"), "1,056 endpoints");
        assert_eq!(several(2, "switch"), "2 switches");
    }

    #[test]
    fn loads_beyond_full_are_full_and_flows_are_counted() {
        assert_eq!(percent(8.0), percent(1.0));
        assert_eq!(percent(0.031_25), dragontree_plot::Format::Percent.text(0.031_25));
        assert_eq!(Measure::Flows(14.0).text(0.5), "7");
        assert_eq!(Measure::Load(0.5).text(0.5), percent(0.5));
    }
}
