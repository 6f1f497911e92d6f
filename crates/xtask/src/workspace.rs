//! Where things are: the repository, its build outputs, the per-user cache.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The directories that everything else is found from.
pub struct Workspace {
    /// The repository's top.
    pub root: PathBuf,
    /// Installed tools, kept per user so that every clone shares them.
    pub cache: PathBuf,
}

impl Workspace {
    /// Finds the repository and the cache.
    pub fn find() -> Result<Self> {
        Ok(Self { root: find_root()?, cache: cache_directory(|name| env::var_os(name))? })
    }

    /// The built page.
    pub fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// The built page, which has to be there already.
    pub fn built_page(&self) -> Result<PathBuf> {
        let dist = self.dist();
        if dist.join("index.html").is_file() {
            return Ok(dist);
        }
        Err(Error::missing(
            format!("There is no page in {}.", dist.display()),
            "Run `cargo xtask build` first.",
        ))
    }

    /// The browser tests, which also bring the npm parts.
    pub fn browser_tests(&self) -> PathBuf {
        self.root.join("tests/browser")
    }

    /// Cargo's outputs.
    pub fn target(&self) -> PathBuf {
        match env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => self.root.join(directory),
            None => self.root.join("target"),
        }
    }

    /// The version of a package in Cargo.lock.
    pub fn locked_version(&self, package: &str) -> Result<String> {
        let file = self.root.join("Cargo.lock");
        let text = fs::read_to_string(&file)
            .map_err(Error::io(format!("Could not read {}", file.display())))?;
        locked_version(&text, package).ok_or_else(|| {
            Error::missing(
                format!("Cargo.lock does not name {package}."),
                "Restore the committed Cargo.lock, or run `cargo metadata` to write it again.",
            )
        })
    }
}

fn find_root() -> Result<PathBuf> {
    // Set by `cargo run`; more reliable than a path compiled in, as clones may share a build.
    let start = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let start = match start {
        Some(directory) => directory,
        None => env::current_dir().map_err(Error::io("Could not tell the current directory"))?,
    };
    let top = start.ancestors().find(|directory| is_root(directory));
    top.map(Path::to_path_buf).ok_or_else(|| {
        Error::missing(
            "This is not inside the Dragontree repository.",
            "Change to the repository's directory and run `cargo xtask` there.",
        )
    })
}

fn is_root(directory: &Path) -> bool {
    directory.join("Cargo.lock").is_file() && directory.join("crates/xtask").is_dir()
}

fn cache_directory(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(directory) = set("DRAGONTREE_CACHE") {
        return std::path::absolute(&directory)
            .map_err(Error::io("Could not use DRAGONTREE_CACHE"));
    }
    if let Some(directory) = set("XDG_CACHE_HOME") {
        return Ok(directory.join("dragontree"));
    }
    let home = set("HOME").or_else(|| set("USERPROFILE"));
    home.map(|home| home.join(".cache/dragontree")).ok_or_else(|| {
        Error::missing(
            "There is no home directory to keep tools in.",
            "Set DRAGONTREE_CACHE to a directory that may be written.",
        )
    })
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == name)?;
    let version = lines.next()?.strip_prefix("version = \"")?;
    Some(version.strip_suffix('"')?.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(set: &[(&str, &str)]) -> Option<PathBuf> {
        let get = |name: &str| {
            let found = set.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        };
        cache_directory(get).ok()
    }

    #[test]
    fn the_cache_follows_the_most_specific_variable() {
        let home = ("HOME", "/home/a");
        let xdg = ("XDG_CACHE_HOME", "/cache");
        let own = ("DRAGONTREE_CACHE", "/own");
        assert_eq!(cache(&[home, xdg, own]), Some("/own".into()));
        assert_eq!(cache(&[home, xdg]), Some("/cache/dragontree".into()));
        assert_eq!(cache(&[home]), Some("/home/a/.cache/dragontree".into()));
        assert_eq!(cache(&[("HOME", "")]), None);
    }

    #[test]
    fn versions_are_read_from_the_lock() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130".to_string()));
        assert_eq!(locked_version(lock, "trunk"), None);
    }
}
