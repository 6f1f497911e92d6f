//! Stamps the build: page and worker are separate files, and a cached one may be stale.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{fs, io};

use fnv::FnvHasher;

/// Whatever changes what the page and the worker say to each other or compute.
const SOURCES: [&str; 5] =
    ["src", "../dragontree/src", "../plot/src", "../../web/src", "../../Cargo.lock"];

fn main() -> io::Result<()> {
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        collect(Path::new(source), &mut files)?;
    }
    files.sort();
    let mut hasher = FnvHasher::default();
    for file in files {
        hasher.write(&fs::read(file)?);
    }
    println!("cargo::rustc-env=DRAGONTREE_BUILD={:016x}", hasher.finish());
    Ok(())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}
