//! Certificates that several threads make, one of which has something else to do first.

use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use dragontree::scenario::{Certificates, Certifying, PhaseCertificate};

/// A thread takes so many phases at a time; pairs of neighboring phases share their ways, which are
/// followed once by each thread.
const PHASES: u32 = 64;

/// The number of the first phase of a part, and what is known of the part.
type Part = (u32, Result<Vec<PhaseCertificate>, String>);

/// Does something on this thread while others judge phases, and then judges some, too.
///
/// # Errors
/// Of the certificates: a message cannot be followed, in a sentence.
pub fn beside<T>(
    first: impl FnOnce() -> T,
    certifying: Option<Certifying>,
    threads: NonZeroUsize,
) -> (T, Result<Option<Certificates>, String>) {
    let Some(mut own) = certifying else { return (first(), Ok(None)) };
    let next = AtomicU32::new(0);
    let others = threads.get().min(own.phase_count().div_ceil(PHASES) as usize + 1) - 1;
    thread::scope(|scope| {
        let begin = |_| {
            let (mut other, next) = (own.another(), &next);
            scope.spawn(move || judge(&mut other, next))
        };
        let others: Vec<_> = (0..others).map(begin).collect();
        let done = first();
        let mut parts = judge(&mut own, &next);
        for other in others {
            parts.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        parts.sort_by_key(|(first, _)| *first);
        let phases: Result<Vec<_>, String> = parts.into_iter().map(|(_, part)| part).collect();
        (done, phases.map(|phases| own.joined(phases.concat())))
    })
}

/// Judges parts until none is left, or one cannot be.
fn judge(certifying: &mut Certifying, next: &AtomicU32) -> Vec<Part> {
    let mut parts = Vec::new();
    let count = certifying.phase_count();
    loop {
        let first = next.fetch_add(PHASES, Ordering::Relaxed);
        if first >= count {
            return parts;
        }
        let part = certifying.part(first..first + PHASES);
        if part.is_err() {
            // Nothing after it counts.
            next.fetch_max(count, Ordering::Relaxed);
        }
        parts.push((first, part));
    }
}
