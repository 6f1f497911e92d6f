//! Routes of messages, found by several threads.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::channel;

use dragontree::catalog::Problem;
use dragontree::network::Network;
use dragontree::routing::Routes;
use dragontree::scenario::{RouteSearch, Scenario};

/// So few messages have their routes before threads have begun.
const FEW: u64 = 20_000;
/// Steps between two looks at what the threads have found.
const BUDGET: u64 = 1_000_000;

/// A scenario's routes in a network, found by so many threads where they are routes of messages.
///
/// # Errors
/// As [`Scenario::routes`].
pub fn routes(
    scenario: &Scenario,
    network: &Arc<Network>,
    threads: NonZeroUsize,
) -> Result<Arc<Routes>, Vec<Problem>> {
    let mut search = scenario.search_routes(network)?;
    share_out(&mut search, scenario, network, threads.get() - 1, || true);
    scenario.fixed(&search.finish()?)
}

/// Solves phases of messages with so many threads beside this one, until all are solved or
/// `goes_on` says no.
pub fn share_out(
    search: &mut RouteSearch,
    scenario: &Scenario,
    network: &Arc<Network>,
    threads: usize,
    goes_on: impl Fn() -> bool,
) {
    if threads == 0 || search.messages().is_none_or(|messages| messages < FEW) {
        return;
    }
    let one_in = 2 * (threads as u32 + 1);
    std::thread::scope(|scope| {
        let (found, shares) = channel();
        let mut idle = threads;
        while goes_on() {
            while idle > 0
                && let Some(phases) = search.give(one_in)
            {
                let found = found.clone();
                idle -= 1;
                scope.spawn(move || {
                    let share = scenario.share_of_routes(network, phases.clone());
                    // Nobody waits for what is no longer wanted.
                    let _ = found.send((phases, share));
                });
            }
            let next = match search.is_waiting() {
                true => shares.recv().ok(),
                false => shares.try_recv().ok(),
            };
            match next {
                Some((_, Ok(share))) => search.take(share),
                Some((phases, Err(_))) => search.take_back(&phases),
                None if search.solve(BUDGET) => return,
                None => continue,
            }
            idle += 1;
        }
    });
}
