//! A WebAssembly toolchain made from Debian's compiler and its source package,
//! for machines that reach package mirrors but not rustup's server.

use std::fs;
use std::path::{Path, PathBuf};

use super::debian;
use crate::error::{Error, Result};
use crate::process::Task;
use crate::toolchain::{LINKED_PREFIX, Toolchain, WASM_TARGET, version_field};
use crate::workspace::Workspace;

const RUSTC: &str = "/usr/bin/rustc";
const CARGO: &str = "/usr/bin/cargo";
const RUSTDOC: &str = "/usr/bin/rustdoc";
const HOST_LIBRARIES: &str = "/usr/lib/rustlib";
const SOURCE: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const PURPOSE: &str = "a compiler that can build for WebAssembly";

/// The package whose only use is to have the standard library built.
const PROBE: &str = "standard-library-probe";

/// A toolchain linked earlier that still fits Debian's compiler.
pub fn existing() -> Option<Toolchain> {
    let compiler = Compiler::find()?;
    let toolchain = Toolchain::named(compiler.toolchain_name());
    toolchain.builds_wasm().then_some(toolchain)
}

/// Builds the standard library, lays out a toolchain in the cache and links it.
pub fn install(workspace: &Workspace, host: &Toolchain) -> Result<Toolchain> {
    let compiler = installed_compiler()?;
    let sysroot = workspace.cache.join(format!("sysroot-{}", compiler.release));
    let work = workspace.cache.join(format!("std-{}", compiler.release));
    println!(
        "Building the standard library of Rust {} for WebAssembly. One to two minutes.",
        compiler.release
    );
    let libraries = build_std(&work)?;
    lay_out(&sysroot, &compiler, &libraries, host)?;
    remove(&work)?;
    link(&compiler.toolchain_name(), &sysroot)
}

/// Debian's compiler.
struct Compiler {
    release: String,
    host: String,
}

impl Compiler {
    fn find() -> Option<Self> {
        let printed = Task::new(RUSTC).arguments(["-vV"]).probe()?;
        Some(Self {
            release: version_field(&printed, "release")?,
            host: version_field(&printed, "host")?,
        })
    }

    /// Carries the version, as libraries of one compiler do not fit another.
    fn toolchain_name(&self) -> String {
        format!("{LINKED_PREFIX}{}", self.release)
    }
}

fn installed_compiler() -> Result<Compiler> {
    if !is_complete() {
        debian::install(&PACKAGES, PURPOSE)?;
    }
    let compiler = Compiler::find().filter(|_| is_complete());
    let compiler = compiler.ok_or_else(|| {
        Error::missing(
            "The Debian packages did not bring a compiler with its source.",
            "Run `rustup target add wasm32-unknown-unknown` where rustup's server is reachable.",
        )
    })?;
    if is_at_least(&compiler.release, env!("CARGO_PKG_RUST_VERSION")) {
        return Ok(compiler);
    }
    Err(Error::missing(
        format!("Debian's rustc {} is too old.", compiler.release),
        format!(
            "Version {} or later is needed: enable the distribution's security updates and run \
             `apt-get install {}`.",
            env!("CARGO_PKG_RUST_VERSION"),
            PACKAGES.join(" ")
        ),
    ))
}

/// An old compiler counts as absent, since the packages wanted replace it.
fn is_complete() -> bool {
    let new_enough = Compiler::find()
        .is_some_and(|compiler| is_at_least(&compiler.release, env!("CARGO_PKG_RUST_VERSION")));
    new_enough && [CARGO, RUSTDOC, SOURCE].iter().all(|file| Path::new(file).exists())
}

fn is_at_least(release: &str, minimum: &str) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        let parts = version.split(['.', '-']);
        parts.map_while(|part| part.parse().ok()).collect()
    };
    numbers(release) >= numbers(minimum)
}

/// Returns the directory that holds the built libraries.
fn build_std(work: &Path) -> Result<PathBuf> {
    remove(work)?;
    write(
        &work.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"{PROBE}\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
             [lib]\npath = \"lib.rs\"\n\n[workspace]\n"
        ),
    )?;
    write(&work.join("lib.rs"), "")?;
    let target = work.join("target");
    Task::new(CARGO)
        .arguments(["build", "--quiet", "--release", "--target", WASM_TARGET])
        .arguments(["-Z", "build-std=std,panic_abort,proc_macro,test"])
        .arguments(["--target-dir".as_ref(), target.as_os_str()])
        .directory(work)
        .variable("RUSTC", RUSTC)
        .variable("RUSTC_BOOTSTRAP", "1")
        // Without bitcode, link-time optimization fails at the very end of a build.
        .variable("RUSTFLAGS", "-Cembed-bitcode=yes")
        .without("CARGO_ENCODED_RUSTFLAGS")
        .without("RUSTC_WRAPPER")
        .run("Check that the network reaches the crate registry, then start again.")?;
    Ok(target.join(WASM_TARGET).join("release/deps"))
}

fn lay_out(sysroot: &Path, compiler: &Compiler, built: &Path, host: &Toolchain) -> Result<()> {
    remove(sysroot)?;
    let rustlib = sysroot.join("lib/rustlib");
    copy_libraries(built, &rustlib.join(WASM_TARGET).join("lib"))?;

    let native = rustlib.join(&compiler.host);
    symlink(&Path::new(HOST_LIBRARIES).join(&compiler.host).join("lib"), &native.join("lib"))?;
    symlink(&linker(host, &compiler.host)?, &native.join("bin/rust-lld"))?;

    let bin = sysroot.join("bin");
    symlink(Path::new(CARGO), &bin.join("cargo"))?;
    symlink(Path::new(RUSTDOC), &bin.join("rustdoc"))?;
    let wrapper = format!("#!/bin/sh\nexec {RUSTC} --sysroot '{}' \"$@\"\n", sysroot.display());
    let rustc = bin.join("rustc");
    write(&rustc, &wrapper)?;
    make_executable(&rustc)
}

/// Debian's compiler comes without the WebAssembly linker; the host toolchain has it.
fn linker(host: &Toolchain, triple: &str) -> Result<PathBuf> {
    let file = host.sysroot().map(|sysroot| {
        let directory = sysroot.join("lib/rustlib").join(triple);
        directory.join("bin/rust-lld")
    });
    file.filter(|file| file.is_file()).ok_or_else(|| {
        Error::missing(
            format!("{} has no rust-lld.", host.label()),
            "Install the stable toolchain of rustup, then start again.",
        )
    })
}

fn copy_libraries(from: &Path, to: &Path) -> Result<()> {
    let own = format!("lib{}", PROBE.replace('-', "_"));
    fs::create_dir_all(to).map_err(Error::io(format!("Could not create {}", to.display())))?;
    let entries = fs::read_dir(from);
    let entries = entries.map_err(Error::io(format!("Could not read {}", from.display())))?;
    for file in entries.flatten().map(|entry| entry.path()) {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if name.ends_with(".rlib") && !name.starts_with(&own) {
            fs::copy(&file, to.join(name))
                .map_err(Error::io(format!("Could not copy {}", file.display())))?;
        }
    }
    Ok(())
}

fn link(name: &str, sysroot: &Path) -> Result<Toolchain> {
    Task::new("rustup")
        .arguments(["toolchain", "link", name])
        .arguments([sysroot])
        .run("Check that rustup's directory may be written, then start again.")?;
    let toolchain = Toolchain::named(name);
    if toolchain.builds_wasm() {
        return Ok(toolchain);
    }
    Err(Error::missing(
        format!("The toolchain {name} was linked but cannot build for WebAssembly."),
        format!("Remove {} and start again.", sysroot.display()),
    ))
}

fn write(file: &Path, text: &str) -> Result<()> {
    create_parent(file)?;
    fs::write(file, text).map_err(Error::io(format!("Could not write {}", file.display())))
}

fn remove(directory: &Path) -> Result<()> {
    if !directory.exists() {
        return Ok(());
    }
    fs::remove_dir_all(directory)
        .map_err(Error::io(format!("Could not remove {}", directory.display())))
}

fn create_parent(file: &Path) -> Result<()> {
    let Some(parent) = file.parent() else {
        return Ok(());
    };
    fs::create_dir_all(parent).map_err(Error::io(format!("Could not create {}", parent.display())))
}

#[cfg(unix)]
fn symlink(to: &Path, at: &Path) -> Result<()> {
    create_parent(at)?;
    std::os::unix::fs::symlink(to, at)
        .map_err(Error::io(format!("Could not link {}", at.display())))
}

#[cfg(unix)]
fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .map_err(Error::io(format!("Could not change {}", file.display())))
}

// Never reached: apt is looked for first. Present so that the program builds elsewhere.
#[cfg(not(unix))]
fn symlink(to: &Path, at: &Path) -> Result<()> {
    create_parent(at)?;
    fs::copy(to, at).map(|_| ()).map_err(Error::io(format!("Could not copy {}", at.display())))
}

#[cfg(not(unix))]
fn make_executable(_file: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(is_at_least("1.96.0", "1.95"));
        assert!(is_at_least("1.100.0", "1.95"));
        assert!(is_at_least("1.95.0-nightly", "1.95"));
        assert!(!is_at_least("1.85.0", "1.95"));
    }

    #[test]
    fn a_toolchain_carries_its_version() {
        let compiler =
            Compiler { release: "1.96.0".into(), host: "x86_64-unknown-linux-gnu".into() };
        assert_eq!(compiler.toolchain_name(), "dragontree-wasm-1.96.0");
    }
}
