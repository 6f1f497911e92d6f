//! Makes scripts and modules smaller: shorter names by which a module and its script know each other,
//! and nothing that only people and tools read.
//!
//! wasm-bindgen ends each of some hundred names with sixteen random digits, which no compression
//! makes smaller, and which stand in both files. Comments and indentation of scripts go, too, and the
//! sections of a module in which tools left notes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// The number of a module's sections of notes.
const NOTES: u8 = 0;
/// The number of its section of imports.
const IMPORTS: u8 = 2;
/// How a module names its script.
const OWN: &str = "./";
/// The length of a module's header.
const HEADER: usize = 8;

/// Shortens every script of a folder, and the module that belongs to it.
pub fn folder(folder: &Path) -> Result<()> {
    let doing = || format!("Could not read {}", folder.display());
    for entry in fs::read_dir(folder).map_err(Error::io(doing()))? {
        let script = entry.map_err(Error::io(doing()))?.path();
        let stem = script.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let module = script.with_file_name(format!("{stem}_bg.wasm"));
        if script.extension().is_some_and(|kind| kind == "js") {
            one(&script, module.is_file().then_some(module.as_path()))?;
        }
    }
    Ok(())
}

fn one(script: &Path, module: Option<&Path>) -> Result<()> {
    let reading = |file: &Path| Error::io(format!("Could not read {}", file.display()));
    let writing = |file: &Path| Error::io(format!("Could not write {}", file.display()));
    let mut text = strip(&fs::read_to_string(script).map_err(reading(script))?);
    if let Some(module) = module {
        let bytes = fs::read(module).map_err(reading(module))?;
        // A module of a form that is not known here stays as it is.
        if let Some((shortened, names)) = shorten(&bytes) {
            fs::write(module, shortened).map_err(writing(module))?;
            text = rename(&text, &names);
        }
    }
    fs::write(script, text).map_err(writing(script))
}

/// Drops indentation and comments that have lines of their own.
fn strip(script: &str) -> String {
    let mut text = String::new();
    let mut commented = false;
    for line in script.lines().map(str::trim_start) {
        commented |= line.starts_with("/*");
        if !commented && !line.is_empty() && !line.starts_with("//") {
            text.push_str(line);
            text.push('\n');
        }
        commented &= !line.trim_end().ends_with("*/");
    }
    text
}

/// Replaces whole identifiers, and the quoted name of the script itself.
fn rename(script: &str, names: &BTreeMap<String, String>) -> String {
    let mut script = script.to_owned();
    for (own, short) in names.iter().filter(|(name, _)| name.starts_with(OWN)) {
        script = script.replace(&format!("\"{own}\""), &format!("\"{short}\""));
    }
    let mut text = String::new();
    let mut rest = script.as_str();
    while !rest.is_empty() {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        text.push_str(names.get(word).map_or(word, String::as_str));
        let next = after.find(is_word).unwrap_or(after.len());
        text.push_str(&after[..next]);
        rest = &after[next..];
    }
    text
}

/// A module whose imports have short names, and which those are.
fn shorten(module: &[u8]) -> Option<(Vec<u8>, BTreeMap<String, String>)> {
    let mut names = BTreeMap::new();
    let mut written = module.get(..HEADER)?.to_vec();
    let mut place = HEADER;
    while let Some(kind) = module.get(place) {
        let (length, start) = number(module, place + 1)?;
        let end = start.checked_add(length)?;
        let content = module.get(start..end)?;
        match *kind {
            NOTES => {}
            IMPORTS => {
                let content = imports(content, &mut names)?;
                written.push(IMPORTS);
                write_number(&mut written, content.len());
                written.extend(content);
            }
            _ => written.extend(module.get(place..end)?),
        }
        place = end;
    }
    Some((written, names))
}

/// The section of imports with short names.
fn imports(content: &[u8], names: &mut BTreeMap<String, String>) -> Option<Vec<u8>> {
    let (count, mut place) = number(content, 0)?;
    let mut written = Vec::new();
    write_number(&mut written, count);
    for _ in 0..count {
        for is_own in [false, true] {
            let (length, start) = number(content, place)?;
            place = start.checked_add(length)?;
            let name = std::str::from_utf8(content.get(start..place)?).ok()?;
            let short = match is_own {
                true if name.starts_with("__wb") => Some(format!("_{:x}", names.len())),
                false if name.starts_with(OWN) => Some(".".to_owned()),
                _ => None,
            };
            let name = match short {
                Some(short) => names.entry(name.to_owned()).or_insert(short).as_str(),
                None => name,
            };
            write_number(&mut written, name.len());
            written.extend(name.bytes());
        }
        let end = description(content, place)?;
        written.extend(content.get(place..end)?);
        place = end;
    }
    (place == content.len()).then_some(written)
}

/// Where the description of an import ends: of a function, a table, a memory, a global or a tag.
fn description(content: &[u8], place: usize) -> Option<usize> {
    let limits = |place: usize| {
        let (_, after) = number(content, place + 1)?;
        let bounded = content.get(place)? & 1 != 0;
        if bounded { number(content, after).map(|(_, after)| after) } else { Some(after) }
    };
    match content.get(place)? {
        0 => number(content, place + 1).map(|(_, after)| after),
        1 => limits(place + 2),
        2 => limits(place + 1),
        3 => Some(place + 3),
        4 => number(content, place + 2).map(|(_, after)| after),
        _ => None,
    }
}

/// A number in LEB128, and where the bytes behind it begin.
fn number(bytes: &[u8], mut place: usize) -> Option<(usize, usize)> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.get(place)?;
        place += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(value).ok().map(|value| (value, place));
        }
    }
    None
}

fn write_number(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module that imports two functions and a memory from a script, with a section behind.
    fn module(script: &str, first: &str, second: &str) -> Vec<u8> {
        let mut content = vec![3];
        for (name, description) in
            [(first, &[0, 5][..]), (second, &[0, 0x81, 1]), ("memory", &[2, 1, 1, 2])]
        {
            content.push(script.len() as u8);
            content.extend(script.bytes());
            content.push(name.len() as u8);
            content.extend(name.bytes());
            content.extend(description);
        }
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        module.extend([IMPORTS, content.len() as u8]);
        module.extend(content);
        module.extend([10, 2, 7, 7]);
        module
    }

    #[test]
    fn imports_get_short_names() {
        let mut long =
            module("./page_bg.js", "__wbg_open_0123456789abcdef", "__wbindgen_cast_0001");
        long.extend([NOTES, 3, 1, b'n', 9]);
        let (shortened, names) = shorten(&long).unwrap();
        assert_eq!(shortened, module(".", "_1", "_2"));
        assert_eq!(names["__wbg_open_0123456789abcdef"], "_1");
        assert_eq!(shorten(&long[..20]), None);
    }

    #[test]
    fn scripts_keep_everything_but_names_and_comments() {
        let names = [("__wbg_a_1", "_0"), ("./a_bg.js", ".")];
        let names = names.map(|(long, short)| (long.to_owned(), short.to_owned())).into();
        let script = "// says\n/**\n * more\n */\nx = {\n    __wbg_a_1: (y) => \"__wbg_a_12\",\n};\n\"./a_bg.js\": x\n";
        let short = "x = {\n_0: (y) => \"__wbg_a_12\",\n};\n\".\": x\n";
        assert_eq!(rename(&strip(script), &names), short);
    }
}
