//! The size of the first load.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::setup::Ready;

/// The sum of the compressed sizes to aim for, in bytes.
const TARGET: u64 = 400_000;
/// What the sum may never exceed. Builds of the same sources in different places differ by some
/// hundred bytes.
const CEILING: u64 = 405_800;

/// Files that the first visit does not load: the complete worker, which comes when something needs
/// it, and the pages to read with their style sheets.
const ON_DEMAND: [&str; 7] = [
    "worker.js",
    "worker_bg.wasm",
    "figures.html",
    "model.html",
    "optimal_routes.html",
    "reading.css",
    "style.css",
];

/// Files of these kinds are loaded at the first visit.
const KINDS: [&str; 4] = ["html", "css", "js", "wasm"];

/// Prints one compressed size per line; Node.js brings the compressor.
const COMPRESS: &str = "
const fs = require('node:fs'), zlib = require('node:zlib');
for (const file of process.argv.slice(1)) {
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 };
  console.log(zlib.brotliCompressSync(fs.readFileSync(file), { params }).length);
}";

/// Prints the sizes beside the target and fails when their sum is over the ceiling.
pub fn check(ready: &Ready) -> Result<()> {
    let page = ready.workspace.built_page()?;
    let mut files = Vec::new();
    collect(&page, &mut files)?;
    files.sort();
    let compressed = compress(ready, &files)?;
    let (mut total, mut later) = (0, 0);
    println!("{:>10} {:>10}  file", "bytes", "brotli");
    for (file, brotli) in files.iter().zip(&compressed) {
        let raw = fs::metadata(file)
            .map_err(Error::io(format!("Could not read {}", file.display())))?
            .len();
        let name = file.strip_prefix(&page).unwrap_or(file);
        let on_demand = is_on_demand(name);
        let when = if on_demand { ", on demand" } else { "" };
        println!("{raw:>10} {brotli:>10}  {}{when}", name.display());
        *(if on_demand { &mut later } else { &mut total }) += brotli;
    }
    println!("{:>10} {later:>10}  on demand", "");
    println!("{:>10} {total:>10}  first load: target {TARGET}, at most {CEILING}", "");
    match total <= CEILING {
        true => Ok(()),
        false => Err(Error::TooLarge { bytes: total, ceiling: CEILING }),
    }
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let doing = || format!("Could not read {}", directory.display());
    for entry in fs::read_dir(directory).map_err(Error::io(doing()))? {
        let path = entry.map_err(Error::io(doing()))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_counted(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_counted(file: &Path) -> bool {
    let kind = file.extension().and_then(|kind| kind.to_str());
    kind.is_some_and(|kind| KINDS.contains(&kind))
}

fn is_on_demand(name: &Path) -> bool {
    ON_DEMAND.iter().any(|known| name == Path::new(known))
}

fn compress(ready: &Ready, files: &[PathBuf]) -> Result<Vec<u64>> {
    let printed =
        ready.host_task("node")?.arguments(["-e", COMPRESS, "--"]).arguments(files).probe();
    let sizes = printed.as_deref().and_then(parse_sizes);
    let sizes = sizes.filter(|sizes| sizes.len() == files.len());
    sizes.ok_or_else(|| {
        Error::missing(
            "Node.js could not compress the page.",
            "Check that `node` runs and that the files in dist/ can be read.",
        )
    })
}

fn parse_sizes(printed: &str) -> Option<Vec<u64>> {
    printed.lines().map(|line| line.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_visit_loads_is_counted() {
        assert!(is_counted(Path::new("page-1a2b_bg.wasm")));
        assert!(is_counted(Path::new("index.html")));
        assert!(!is_counted(Path::new("icon.svg")));
        assert!(!is_counted(Path::new("LICENSE")));
    }

    #[test]
    fn the_complete_worker_is_loaded_on_demand() {
        assert!(is_on_demand(Path::new("worker_bg.wasm")));
        assert!(!is_on_demand(Path::new("worker_boot.js")));
        assert!(!is_on_demand(Path::new("style-1a2b.css")));
    }

    #[test]
    fn sizes_are_read_one_per_line() {
        assert_eq!(parse_sizes("12\n345\n"), Some(vec![12, 345]));
        assert_eq!(parse_sizes("12\nerror\n"), None);
    }
}
