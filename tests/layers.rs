//! What may know what, and how large a piece of code may be.

#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::PathBuf;

use dragontree_tests::source::{Source, root};

const CORE: &str = "crates/dragontree/src";

/// The modules of the core and what each may import, besides itself.
const MODULES: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("random", &[]),
    ("sorting", &[]),
    ("catalog", &["units", "sorting"]),
    ("network", &["units", "random", "sorting"]),
    ("interchange", &["network", "units", "sorting"]),
    ("topology", &["network", "interchange", "units", "random", "catalog", "sorting"]),
    ("faults", &["network", "units", "random", "catalog", "sorting"]),
    ("placement", &["network", "interchange", "units", "random", "catalog", "sorting"]),
    ("routing", &["network", "interchange", "units", "random", "catalog", "sorting"]),
    ("traffic", &["network", "interchange", "placement", "units", "random", "catalog", "sorting"]),
    ("exchange", &["network", "interchange", "placement", "units", "random", "catalog", "sorting"]),
    ("analysis", BELOW_RUNS),
    ("simulation", BELOW_RUNS),
    ("scenario", ALL),
];

/// Everything below analysis and simulation, which do not know each other.
const BELOW_RUNS: &[&str] = &[
    "network",
    "interchange",
    "placement",
    "routing",
    "traffic",
    "exchange",
    "units",
    "random",
    "catalog",
    "sorting",
];

const ALL: &[&str] = &[
    "network",
    "interchange",
    "topology",
    "faults",
    "placement",
    "routing",
    "traffic",
    "exchange",
    "analysis",
    "simulation",
    "units",
    "random",
    "catalog",
    "sorting",
];

/// Macros that are exported at the top of the crate, and the modules that they belong to.
const MACROS: &[(&str, &str)] = &[("choices", "catalog")];

/// The crates, by the names of their folders, and what each may use of ours.
const CRATES: &[(&str, &[&str])] = &[
    ("crates/dragontree", &[]),
    ("crates/plot", &["dragontree"]),
    ("crates/worker", &["dragontree", "dragontree-plot"]),
    ("crates/cli", &["dragontree", "dragontree-plot"]),
    ("crates/xtask", &[]),
    ("crates/streams", &[]),
    ("web", &["dragontree", "dragontree-plot", "dragontree-worker"]),
    ("tests", &["dragontree", "dragontree-plot", "dragontree-cli"]),
];

/// What the core must not touch: the world.
const WORLD: &[&str] = &[
    "std::time",
    "std::fs",
    "std::thread",
    "std::env",
    "std::process",
    "std::io",
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "println!",
    "eprintln!",
    "print!",
    "dbg!",
    "HashMap",
    "HashSet",
];

/// The crates that the core may build on.
const FOUNDATIONS: &[&str] = &[
    "serde",
    "serde_json",
    "thiserror",
    "rand_core",
    "rand_xoshiro",
    "fnv",
    "libm",
    "base64",
    "miniz_oxide",
];

const LONGEST_FILE: usize = 400;
const LONGEST_FUNCTION: usize = 60;

fn none(violations: Vec<String>) {
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

/// The module that a file of the core belongs to.
fn module(source: &Source) -> Option<&str> {
    let inside = source.path.strip_prefix(CORE)?.trim_start_matches('/');
    inside.split('/').next()?.strip_suffix(".rs").or(inside.split('/').next())
}

/// The names right behind `crate::` at a place, several inside braces.
fn imported(code: &str, at: usize) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    if !code[at..].starts_with('{') {
        return vec![word(&code[at..])];
    }
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, at + 1);
    for (offset, c) in code[at..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        let ends = (c == ',' && depth == 1) || (c == '}' && depth == 0);
        if ends {
            names.push(word(&code[start..at + offset]));
            start = at + offset + 1;
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn modules_of_the_core_import_only_what_they_may() {
    let mut violations = Vec::new();
    for source in Source::all(CORE) {
        let Some(module) = module(&source).filter(|module| *module != "lib") else {
            continue;
        };
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == module) else {
            violations.push(format!("{}: the table knows no module {module}", source.path));
            continue;
        };
        for at in source.find("crate::") {
            for name in imported(&source.code, at + "crate::".len()) {
                let of_macro = MACROS.iter().find(|(known, _)| *known == name);
                let name = of_macro.map_or(name.as_str(), |(_, module)| *module);
                if name != module && !allowed.contains(&name) {
                    let line = source.line(at);
                    violations.push(format!("{}:{line}: {module} imports {name}", source.path));
                }
            }
        }
    }
    none(violations);
}

#[test]
fn no_file_of_the_core_leaves_its_module_by_super() {
    let mut violations = Vec::new();
    for source in Source::all(CORE) {
        // From `network.rs` one step leads out, from `network/builder.rs` two.
        let depth = source.path.matches('/').count() - CORE.matches('/').count();
        let way_out = vec!["super"; depth].join("::");
        for at in source.find(&format!("{way_out}::")) {
            violations.push(format!("{}:{}: {way_out}", source.path, source.line(at)));
        }
    }
    none(violations);
}

#[test]
fn the_core_never_touches_the_world() {
    let mut violations = Vec::new();
    for source in Source::all(CORE) {
        for word in WORLD {
            for at in source.find(word) {
                violations.push(format!("{}:{}: {word}", source.path, source.line(at)));
            }
        }
    }
    none(violations);
}

/// The names under some headings of a crate's `Cargo.toml`.
fn dependencies(folder: &str, headings: &[&str]) -> Vec<String> {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).expect("every crate has one");
    let table: toml::Table = text.parse().expect("cargo reads it too");
    let mut names = Vec::new();
    for heading in headings {
        let found = table.get(*heading).and_then(toml::Value::as_table);
        names.extend(found.into_iter().flat_map(toml::Table::keys).cloned());
    }
    names
}

#[test]
fn crates_depend_only_on_what_they_may() {
    let mut violations = Vec::new();
    for (folder, allowed) in CRATES {
        for name in dependencies(folder, &["dependencies", "dev-dependencies"]) {
            if name.starts_with("dragontree") && !allowed.contains(&name.as_str()) {
                violations.push(format!("{folder}/Cargo.toml: {name}"));
            }
        }
    }
    for name in dependencies("crates/dragontree", &["dependencies", "build-dependencies"]) {
        if !FOUNDATIONS.contains(&name.as_str()) {
            violations.push(format!("crates/dragontree/Cargo.toml: {name}"));
        }
    }
    none(violations);
}

#[test]
fn no_crate_takes_the_files_of_another() {
    let mut violations = Vec::new();
    for source in ["crates", "web"].into_iter().flat_map(Source::all) {
        for word in ["include!", "#[path"] {
            for at in source.find(word) {
                if !within_crate(&source, source.line(at)) {
                    violations.push(format!("{}:{}: {word}", source.path, source.line(at)));
                }
            }
        }
    }
    none(violations);
}

/// Whether the file that a line of a source names is of the source's own crate.
fn within_crate(source: &Source, line: usize) -> bool {
    let path = root().join(&source.path);
    let written = fs::read_to_string(&path).unwrap_or_default();
    let named = written.lines().nth(line - 1).and_then(|text| text.split('"').nth(1));
    let file = named.and_then(|named| path.parent()?.join(named).canonicalize().ok());
    let own: PathBuf = source.path.split('/').take(2).collect();
    let own = root().join(own).canonicalize();
    file.zip(own.ok()).is_some_and(|(file, own)| file.starts_with(own))
}

#[test]
fn files_and_functions_are_short() {
    let mut violations = Vec::new();
    for source in ["crates", "web"].into_iter().flat_map(Source::all) {
        let length = source.length();
        if length > LONGEST_FILE {
            violations.push(format!("{}: {length} lines, allowed: {LONGEST_FILE}", source.path));
        }
        for (name, line, lines) in source.functions() {
            if lines > LONGEST_FUNCTION {
                violations.push(format!(
                    "{}:{line}: {name} has {lines} lines, allowed: {LONGEST_FUNCTION}",
                    source.path
                ));
            }
        }
    }
    none(violations);
}

#[test]
fn the_files_are_found_and_read() {
    let core = Source::all(CORE);
    for (module, _) in MODULES.iter().filter(|(name, _)| *name != "interchange") {
        assert!(core.iter().any(|source| self::module(source) == Some(module)), "{module}");
    }
    let imports: usize = core.iter().map(|source| source.find("crate::").count()).sum();
    let functions: usize = core.iter().map(|source| source.functions().len()).sum();
    assert!(imports > 50 && functions > 200, "{imports} imports, {functions} functions");
    assert!(core.iter().all(|source| source.find("proptest").next().is_none()));
}

#[test]
fn imports_are_seen_in_every_form() {
    assert_eq!(imported("network::{Port, Switch};", 0), ["network"]);
    assert_eq!(
        imported("{network::{Port, Switch}, units, catalog::{self}};", 0),
        ["network", "units", "catalog"]
    );
}
