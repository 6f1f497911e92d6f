//! The browser that runs the tests, and the driver that the unit tests speak to.

use std::env;
use std::path::{Path, PathBuf};

use super::debian;
use crate::error::{Error, Result};
use crate::process::find_program;

const BROWSERS: [&str; 4] =
    ["chromium", "google-chrome", "google-chrome-stable", "chromium-browser"];
const MACOS_BROWSERS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const DRIVERS: [&str; 2] = ["chromedriver", "chromium.chromedriver"];

/// A browser and its driver.
pub struct Browser {
    /// The browser itself.
    pub chromium: PathBuf,
    /// The program through which WebDriver tests control it.
    pub driver: PathBuf,
}

impl Browser {
    /// Finds a browser with its driver, or installs Debian's.
    pub fn find() -> Result<Self> {
        if let Some(browser) = Self::present() {
            return Ok(browser);
        }
        if debian::is_debian() {
            let packages = ["chromium", "chromium-driver"];
            debian::install(&packages, "a browser for the tests")?;
        }
        Self::present().ok_or_else(|| {
            Error::missing(
                "Chromium or Chrome and the chromedriver of the same version are needed.",
                "Install both, or set CHROMIUM and CHROMEDRIVER to their paths, then start again.",
            )
        })
    }

    fn present() -> Option<Self> {
        let installed = BROWSERS.iter().find_map(|name| find_program(name));
        let chromium = from_variable("CHROMIUM").or(installed).or_else(|| {
            let mut files = MACOS_BROWSERS.iter().map(PathBuf::from);
            files.find(|file| file.is_file())
        })?;
        let driver = from_variable("CHROMEDRIVER")
            .or_else(|| DRIVERS.iter().find_map(|name| find_program(name)))?;
        Some(Self { chromium, driver })
    }
}

fn from_variable(name: &str) -> Option<PathBuf> {
    let value = env::var_os(name)?;
    Some(PathBuf::from(value)).filter(|file| Path::is_file(file))
}
