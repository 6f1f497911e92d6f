//! The set-up step: everything a command needs, installed once and found again afterwards.

mod browser;
mod debian;
mod npm;
mod sysroot;
mod tools;
mod wasm;

use std::fs::{self, File};
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::process::Task;
use crate::toolchain::Toolchain;
use crate::workspace::Workspace;

pub use browser::Browser;

/// What a command needs on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A toolchain that builds for WebAssembly.
    pub wasm: bool,
    /// Trunk and wasm-bindgen.
    pub tools: bool,
    /// Node.js and the npm parts.
    pub npm: bool,
    /// A browser with its driver.
    pub browser: bool,
}

impl Needs {
    /// Only the ordinary toolchain.
    pub const NOTHING: Self = Self { wasm: false, tools: false, npm: false, browser: false };

    /// What building the page takes.
    pub const PAGE: Self = Self { wasm: true, tools: true, npm: true, browser: false };

    /// What either of the two needs.
    pub fn and(self, other: Self) -> Self {
        Self {
            wasm: self.wasm || other.wasm,
            tools: self.tools || other.tools,
            npm: self.npm || other.npm,
            browser: self.browser || other.browser,
        }
    }
}

/// A machine on which all needs are met.
pub struct Ready {
    /// Where things are.
    pub workspace: Workspace,
    host: Toolchain,
    wasm: Option<Toolchain>,
    browser: Option<Browser>,
    path: Vec<PathBuf>,
}

/// Meets the needs: looks first, and installs what is missing.
pub fn prepare(workspace: Workspace, needs: Needs) -> Result<Ready> {
    let _lock = match needs {
        Needs::NOTHING => None,
        _ => Some(lock(&workspace)?),
    };
    let host = Toolchain::host(&workspace.root);
    let wasm = match needs.wasm {
        true => Some(wasm::toolchain(&workspace, &host)?),
        false => None,
    };
    let mut path = Vec::new();
    if needs.npm {
        path.push(npm::programs(&workspace)?);
    }
    if needs.tools {
        path.extend(tools::directories(&workspace, &host)?);
    }
    let browser = match needs.browser {
        true => Some(Browser::find()?),
        false => None,
    };
    Ok(Ready { workspace, host, wasm, browser, path })
}

impl Ready {
    /// A program of the ordinary toolchain, run at the repository's top.
    pub fn host_task(&self, program: &str) -> Result<Task> {
        let task = self.host.task(program, &self.path)?;
        Ok(task.directory(&self.workspace.root))
    }

    /// A program of the toolchain that builds for WebAssembly, run at the repository's top.
    pub fn wasm_task(&self, program: &str) -> Result<Task> {
        let toolchain = self.wasm.as_ref().unwrap_or(&self.host);
        let task = toolchain.task(program, &self.path)?;
        Ok(task.directory(&self.workspace.root))
    }

    /// The browser, for steps that asked for one.
    pub fn browser(&self) -> Result<&Browser> {
        self.browser.as_ref().ok_or_else(|| {
            Error::missing(
                "This step did not ask for a browser.",
                "Add the browser to the needs of the step.",
            )
        })
    }
}

/// Two set-ups at once would install over each other.
fn lock(workspace: &Workspace) -> Result<File> {
    let cache = &workspace.cache;
    fs::create_dir_all(cache)
        .map_err(Error::io(format!("Could not create {}", cache.display())))?;
    let name = cache.join("lock");
    let doing = format!("Could not lock {}", name.display());
    let file = File::create(&name).map_err(Error::io(doing.clone()))?;
    if file.try_lock().is_err() {
        println!("Waiting for another set-up to finish.");
        file.lock().map_err(Error::io(doing))?;
    }
    Ok(file)
}
