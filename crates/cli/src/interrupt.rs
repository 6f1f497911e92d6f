//! Ctrl-C: the first asks runs to stop, so that what has finished can be shown; the second ends the
//! program at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// The status of a program that was interrupted.
pub const STATUS: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks runs to stop, unless the program was started so that it does nothing.
pub fn watch() {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(STATUS));
        }
    };
    ctrlc::try_set_handler(handler).ok();
}

/// Whether runs have been asked to stop.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}
