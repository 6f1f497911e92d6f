//! The checks, in the order they run.

use std::ffi::OsStr;
use std::fs;

use super::size;
use crate::commands::build;
use crate::error::{Error, Result};
use crate::setup::{Needs, Ready};
use crate::toolchain::WASM_TARGET;

/// One check.
pub struct Step {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it does.
    pub does: &'static str,
    /// Roughly how long it may take.
    pub takes: &'static str,
    /// What it needs on the machine.
    pub needs: Needs,
    /// Does it.
    pub run: fn(&Ready) -> Result<()>,
}

/// What runs in the browser. The page, whose worker is the small one, is compiled by itself: beside
/// others it would have their features.
const WASM_PACKAGES: [&[&str]; 2] = [
    &["--package", "dragontree", "--package", "dragontree-plot", "--package", "dragontree-worker"],
    &["--package", "dragontree-web"],
];

/// Every check, the fast ones first.
pub const STEPS: [Step; 10] = [
    Step {
        name: "fmt",
        does: "Looks at the layout of the code",
        takes: "seconds",
        needs: Needs::NOTHING,
        run: fmt,
    },
    Step {
        name: "scripts",
        does: "Looks whether the page's scripts and its tests can be read",
        takes: "seconds",
        needs: NPM,
        run: scripts,
    },
    Step {
        name: "clippy",
        does: "Looks for mistakes and missing documentation",
        takes: "two minutes the first time",
        needs: Needs::NOTHING,
        run: clippy,
    },
    Step {
        name: "doc",
        does: "Builds the documentation and checks its links",
        takes: "one minute the first time",
        needs: Needs::NOTHING,
        run: doc,
    },
    Step {
        name: "native",
        does: "Runs the unit tests, the papers' figures, the import rules and the frozen links",
        takes: "three to five minutes",
        needs: Needs::NOTHING,
        run: native,
    },
    Step {
        name: "wasm-check",
        does: "Compiles what runs in the browser, without optimization",
        takes: "two minutes the first time",
        needs: WASM,
        run: wasm_check,
    },
    Step {
        name: "wasm-test",
        does: "Compares results in a headless browser with the native ones",
        takes: "two minutes the first time",
        needs: WASM_TEST,
        run: wasm_test,
    },
    Step {
        name: "build",
        does: "Builds the optimized page into dist/",
        takes: "five minutes the first time",
        needs: Needs::PAGE,
        run: build::build,
    },
    Step {
        name: "browser",
        does: "Uses the page in dist/ in a headless browser",
        takes: "two minutes",
        needs: BROWSER,
        run: browser,
    },
    Step {
        name: "size",
        does: "Measures what a first visit to the page in dist/ loads",
        takes: "seconds",
        needs: NPM,
        run: size::check,
    },
];

const WASM: Needs = Needs { wasm: true, ..Needs::NOTHING };
const WASM_TEST: Needs = Needs { tools: true, browser: true, ..WASM };
const NPM: Needs = Needs { npm: true, ..Needs::NOTHING };
const BROWSER: Needs = Needs { browser: true, ..NPM };

/// The page is not among the others: its features must not reach the native build.
const HOST_PACKAGES: [&[&str]; 2] =
    [&["--workspace", "--exclude", "dragontree-web"], &["--package", "dragontree-web"]];

fn fmt(ready: &Ready) -> Result<()> {
    require(ready, "fmt", "rustfmt")?;
    ready.host_task("cargo")?.arguments(["fmt", "--all", "--check"]).run("Run `cargo fmt --all`.")
}

/// `node --check` takes one file at a time.
fn scripts(ready: &Ready) -> Result<()> {
    let tests = ready.workspace.browser_tests();
    let folders =
        [tests.join("cases"), tests.join("support"), tests, ready.workspace.root.join("static")];
    for folder in &folders {
        let doing = || format!("Could not read {}", folder.display());
        for entry in fs::read_dir(folder).map_err(Error::io(doing()))? {
            let path = entry.map_err(Error::io(doing()))?.path();
            if path.extension().is_some_and(|end| end == "mjs" || end == "js") {
                ready
                    .host_task("node")?
                    .arguments([OsStr::new("--check"), path.as_os_str()])
                    .run("Mend what the message above names.")?;
            }
        }
    }
    Ok(())
}

fn clippy(ready: &Ready) -> Result<()> {
    require(ready, "clippy", "clippy")?;
    let advice = "Mend what the messages above name.";
    for packages in HOST_PACKAGES {
        ready
            .host_task("cargo")?
            .arguments(["clippy", "--quiet", "--all-targets"])
            .arguments(packages)
            .arguments(["--", "-D", "warnings"])
            .run(advice)?;
    }
    Ok(())
}

/// The command and the core share a name, so they are documented one after the other.
fn doc(ready: &Ready) -> Result<()> {
    let others = ["--workspace", "--exclude", "dragontree-web", "--exclude", "dragontree-cli"];
    for packages in [&["--package", "dragontree-cli"][..], &others] {
        ready
            .host_task("cargo")?
            .arguments(["doc", "--quiet", "--no-deps"])
            .arguments(packages)
            .variable("RUSTDOCFLAGS", "-D warnings")
            .run("Mend the documentation that the messages above name.")?;
    }
    Ok(())
}

fn native(ready: &Ready) -> Result<()> {
    for packages in HOST_PACKAGES {
        ready
            .host_task("cargo")?
            .arguments(["test"])
            .arguments(packages)
            .run("The first failing test above says what it expected.")?;
    }
    Ok(())
}

fn wasm_check(ready: &Ready) -> Result<()> {
    for packages in WASM_PACKAGES {
        ready
            .wasm_task("cargo")?
            .arguments(["check", "--quiet", "--target", WASM_TARGET])
            .arguments(packages)
            .run("Mend what the messages above name; threads, files and clocks are not there.")?;
    }
    Ok(())
}

fn wasm_test(ready: &Ready) -> Result<()> {
    let browser = ready.browser()?;
    ready
        .wasm_task("cargo")?
        .arguments(["test", "--target", WASM_TARGET])
        .arguments(["--package", "dragontree-tests", "--test", "wasm"])
        .variable("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .variable("CHROMEDRIVER", &browser.driver)
        // In seconds: on a slow machine the studies of the golden file take longer than the default of 20.
        .variable("WASM_BINDGEN_TEST_TIMEOUT", "300")
        .run(
            "When a result differs, look for floating-point functions or hash maps in the core. \
             When no test ran, the browser and its driver may differ in version.",
        )
}

fn browser(ready: &Ready) -> Result<()> {
    let workspace = &ready.workspace;
    let page = workspace.built_page()?;
    ready
        .host_task("cargo")?
        .arguments(["build", "--quiet", "--profile", "cli"])
        .arguments(["--package", "dragontree-cli"])
        .run("The command-line program does not build; see above.")?;
    let program = format!("cli/dragontree{}", std::env::consts::EXE_SUFFIX);
    let program = workspace.target().join(program);
    if !program.is_file() {
        return Err(Error::missing(
            format!("There is no {} after the build.", program.display()),
            "Set CARGO_TARGET_DIR to where cargo puts its outputs.",
        ));
    }
    ready
        .host_task("node")?
        .arguments([workspace.browser_tests().join("run.mjs")])
        .arguments([page])
        .variable("CHROMIUM", &ready.browser()?.chromium)
        .variable("DRAGONTREE", program)
        .run("The first failing check above says what it expected of the page.")
}

/// Rustup can leave these two parts out.
fn require(ready: &Ready, subcommand: &str, component: &str) -> Result<()> {
    let printed = ready.host_task("cargo")?.arguments([subcommand, "--version"]).probe();
    match printed {
        Some(_) => Ok(()),
        None => Err(Error::missing(
            format!("The toolchain has no {component}."),
            format!("Run `rustup component add {component}`, then start again."),
        )),
    }
}
