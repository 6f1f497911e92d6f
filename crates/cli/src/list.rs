//! `dragontree list`: every key of the notation, from the catalog.

use std::io::Write;

use dragontree::catalog::{Description, Kind, PartDescription, Tier, Unit};
use dragontree::scenario::{KEYS, Key, MetricKind, Scenario, Study, Values};
use serde_json::{Value, json};

use crate::Finding;
use crate::arguments::List;
use crate::error::Failure;

/// Runs the command.
pub fn list(arguments: &List) -> Result<Finding, Failure> {
    let wanted = arguments.key.as_deref();
    let keys: Vec<&Key> =
        KEYS.iter().filter(|key| wanted.is_none_or(|wanted| key.name == wanted)).collect();
    let metrics = wanted.is_none_or(|wanted| wanted == METRICS);
    if keys.is_empty() && !metrics {
        let names: Vec<&str> = KEYS.iter().map(|key| key.name).chain([METRICS]).collect();
        return Err(Failure::Argument {
            name: "list",
            given: wanted.unwrap_or_default().to_owned(),
            allowed: names.join(", "),
        });
    }
    let mut output = std::io::stdout().lock();
    for key in keys {
        if arguments.json {
            writeln!(output, "{}", key_json(key))?;
        } else {
            output.write_all(key_text(key).as_bytes())?;
        }
    }
    if metrics && arguments.json {
        let metrics: Vec<Value> = MetricKind::ALL.iter().map(|kind| metric_json(*kind)).collect();
        let object = json!({"key": METRICS, "label": "Vertical axis", "metrics": metrics});
        writeln!(output, "{object}")?;
    } else if metrics {
        output.write_all(metrics_text().as_bytes())?;
    }
    output.flush()?;
    Ok(Finding::Nothing)
}

/// The key of what is drawn, which is no setting of a run.
const METRICS: &str = "y";

/// What may be drawn, by what it takes to know it.
fn metrics_text() -> String {
    let of_kind = |kinds: &[MetricKind]| {
        let line = |kind: &MetricKind| format!("    {:<21} {}\n", kind.name(), kind.label());
        format!(
            "{METRICS}=… of {}\n{}",
            takes(kinds[0]),
            kinds.iter().map(line).collect::<String>()
        )
    };
    let alike = |one: &MetricKind, other: &MetricKind| takes(*one) == takes(*other);
    MetricKind::ALL.chunk_by(alike).map(of_kind).collect()
}

/// What a metric is one of.
fn takes(kind: MetricKind) -> &'static str {
    match (kind.is_of_exchange(), kind.is_of_fabric(), kind.is_of_routes()) {
        (true, _, _) => "an exchange",
        (_, true, _) => "a fabric",
        (_, _, true) => "routes",
        _ => "traffic",
    }
}

fn metric_json(kind: MetricKind) -> Value {
    json!({"name": kind.name(), "label": kind.label(), "of": takes(kind)})
}

fn settings(key: &Key) -> Vec<Description> {
    let mut settings = Scenario::default().describe(key.name);
    // A study's default may vary where a single scenario's cannot.
    let entries = Study::default().entries(None, key);
    for setting in &mut settings {
        let values = entries.first().and_then(|entry| entry.get(setting.key));
        setting.value = values.map_or(setting.value.clone(), Values::to_string);
    }
    settings
}

fn key_text(key: &Key) -> String {
    let parts = Scenario::parts(key.name);
    let mut text = String::new();
    if parts.is_empty() {
        for alike in settings(key).chunk_by(|one, other| one.help == other.help) {
            text.push_str(&setting_text(&full_name(key, alike), &alike[0]));
        }
        text.push('\n');
        return text;
    }
    let default = default_part(key);
    for part in parts {
        let mark = if Some(part.name) == default { " (default)" } else { "" };
        text.push_str(&format!("{}={}{mark}\n    {}\n", key.name, part.name, part.help));
        let (shorthands, own): (Vec<_>, Vec<_>) =
            part.settings.iter().partition(|setting| setting.shorthand);
        for setting in own.into_iter().chain(shorthands) {
            text.push_str(&indented(&setting_text(setting.key, setting)));
        }
        text.push('\n');
    }
    text
}

/// The key with its setting; settings that differ in their name only are written as one.
fn full_name(key: &Key, alike: &[Description]) -> String {
    let names: Vec<&str> = alike.iter().map(|setting| setting.key).collect();
    match names[..] {
        [""] => key.name.to_owned(),
        [name] => format!("{},{name}", key.name),
        _ => format!("{},({})", key.name, names.join("|")),
    }
}

fn setting_text(name: &str, setting: &Description) -> String {
    format!("{name}={}\n    {} Allowed: {}.\n", setting.value, setting.help, setting.kind.allowed())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn default_part(key: &Key) -> Option<&'static str> {
    let mut scenario = Scenario::default();
    let name = scenario.content(key.name, |content| match content {
        dragontree::scenario::Content::Part(menu) => Some(menu.name()),
        dragontree::scenario::Content::Value(_) => None,
    });
    name.flatten()
}

fn key_json(key: &Key) -> Value {
    let parts = Scenario::parts(key.name);
    let mut object = json!({"key": key.name, "label": key.label, "tier": tier(key.tier)});
    if parts.is_empty() {
        let settings: Vec<Value> = settings(key).iter().map(setting_json).collect();
        object["settings"] = settings.into();
    } else {
        let parts: Vec<Value> = parts.iter().map(part_json).collect();
        object["default"] = default_part(key).into();
        object["parts"] = parts.into();
    }
    object
}

fn part_json(part: &PartDescription) -> Value {
    let settings: Vec<Value> = part.settings.iter().map(setting_json).collect();
    json!({"name": part.name, "label": part.label, "help": part.help, "settings": settings})
}

fn setting_json(setting: &Description) -> Value {
    json!({
        "key": setting.key,
        "label": setting.label,
        "help": setting.help,
        "tier": tier(setting.tier),
        "shorthand": setting.shorthand,
        "kind": kind(&setting.kind),
        "allowed": setting.kind.allowed(),
        "default": setting.value,
    })
}

fn tier(tier: Tier) -> &'static str {
    match tier {
        Tier::Basic => "basic",
        Tier::Advanced => "advanced",
        Tier::Text => "text",
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Number { unit, .. } => match unit {
            Unit::Count => "count",
            Unit::Time => "time",
            Unit::Bandwidth => "bandwidth",
            Unit::Bytes => "bytes",
            Unit::Load => "load",
        },
        Kind::Numbers { .. } => "numbers",
        Kind::Choice(_) => "choice",
        Kind::Written { .. } => "text",
    }
}
