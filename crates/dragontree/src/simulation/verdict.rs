//! Whether a run's sources fall behind for good.

use super::Setup;
use super::engine::Base;
use super::statistics::Batch;
use crate::units::Time;

/// Batches of falling behind that make a run saturated, and the first that may count.
const FALLING_BEHIND: usize = 3;
const FIRST_VERDICT: usize = 8;
/// The share of offered that accepted must reach: while a run begins, and in its window.
const KEEPING_UP: (f64, f64) = (0.99, 0.995);
/// A source whose oldest packet grows older by more than this share of the time that passes is
/// served too slowly; what noise and buffers do stays below.
const AGING: f64 = 0.05;
/// Of a load that the network carries, a smaller share than this goes on piling up.
const PILING_UP: f64 = 0.005;
/// The fewest batches that tell filling from chance.
const FILLING_FOR: usize = 12;

/// Whether accepted has been short of offered for the last batches while ever more packets wait,
/// at the sources or in the network (whose buffers can hide the sources' queues for long).
/// `offered` is in packets per batch.
pub(super) fn falls_behind(base: &Base, ended: usize, offered: f64) -> bool {
    let settled = |batch: usize| base.statistics.end_of(batch) >= settling_time(&base.setup);
    if ended < FIRST_VERDICT || !settled(ended - FALLING_BEHIND - 1) {
        return false;
    }
    let together = f64::from(base.setup.injection.together());
    let recent = base.statistics.window(ended - FALLING_BEHIND - 1, ended);
    recent.len() == FALLING_BEHIND + 1
        && recent.windows(2).all(|pair| {
            is_short(pair[1].delivered, KEEPING_UP.0 * offered, together)
                && pair[1].backlog > pair[0].backlog
        })
}

/// The same over a whole window, in which the noise is smaller: all sources together, or a single
/// one whose oldest packet grows ever older. So many packets are generated at once.
pub(super) fn fell_behind(window: &[Batch], length: u64, offered: f64, together: f64) -> bool {
    let (Some(first), Some(last)) = (window.first(), window.last()) else { return false };
    let delivered = window.iter().map(|batch| batch.delivered).sum();
    let offered = offered * window.len() as f64;
    // What is offered and not delivered must be waiting, or else less was offered by chance.
    let missing = offered - delivered as f64;
    let waiting = last.backlog.saturating_sub(first.backlog) as f64;
    (is_short(delivered, KEEPING_UP.1 * offered, together) && waiting > missing / 2.0)
        || ages(window, length)
}

/// Whether fewer packets were delivered than expected, beyond what chance does to them; so many are
/// generated at once.
fn is_short(delivered: u64, expected: f64, together: f64) -> bool {
    (delivered as f64) < expected - 2.0 * (expected * together).sqrt()
}

/// Whether the oldest packet at any source grows older from each third of the window to the next.
fn ages(window: &[Batch], length: u64) -> bool {
    grows(window, |batch| batch.oldest as f64, AGING * length as f64)
}

/// Whether ever more packets wait, at the sources and in the network, from each third of a long window
/// to the next: a load just above what the network carries, whose shortfall chance could explain.
pub(super) fn piles_up(window: &[Batch], offered: f64) -> bool {
    let waiting = |batch: &Batch| (batch.backlog + batch.inside) as f64;
    grows(window, waiting, PILING_UP * offered)
}

/// Whether ever more packets are in the network, but none wait for long at the sources. Adaptive routes
/// may leave the ways that they begin with only once the queues there have grown for long.
pub(super) fn fills(window: &[Batch], length: u64, offered: f64) -> bool {
    let at_sources = |batch: &Batch| batch.backlog.saturating_sub(batch.inside) as f64;
    window.len() >= FILLING_FOR
        && grows(window, |batch| batch.inside as f64, PILING_UP * offered)
        && !grows(window, at_sources, PILING_UP * offered)
        && !ages(window, length)
}

/// Whether ever more packets are in the network, by more than chance does to them.
pub(super) fn still_fills(window: &[Batch], offered: f64, together: f64) -> bool {
    let last = window.last().map_or(0, |batch| batch.inside);
    let chance = 2.0 * (last as f64 * together).sqrt() / (window.len() / 3).max(1) as f64;
    window.len() >= FILLING_FOR
        && grows(window, |batch| batch.inside as f64, chance.max(PILING_UP * offered))
}

/// Whether more is delivered from each third of a window to the next, by more than chance does.
pub(super) fn rises(window: &[Batch], together: f64) -> bool {
    let thirds = window.rchunks_exact((window.len() / 3).max(1)).take(3);
    let sums: Vec<f64> =
        thirds.map(|part| part.iter().map(|batch| batch.delivered).sum::<u64>() as f64).collect();
    match sums[..] {
        [last, middle, first] => {
            first < middle
                && middle < last
                && last - first > 2.0 * ((first + last) * together).sqrt()
        }
        _ => false,
    }
}

/// By how much a number grew in a window, told by the means of its halves.
pub(super) fn grown(window: &[Batch], number: impl Fn(&Batch) -> u64) -> f64 {
    let half = window.len() / 2;
    if half == 0 {
        return 0.0;
    }
    let mean = |part: &[Batch]| part.iter().map(&number).sum::<u64>() as f64 / half as f64;
    let (first, last) = (&window[..half], &window[window.len() - half..]);
    // The middles of the halves are as far apart as half of the window is long.
    2.0 * (mean(last) - mean(first))
}

/// Whether the mean of a number grows from each third of the window to the next, by more than so much
/// per batch.
fn grows(window: &[Batch], number: impl Fn(&Batch) -> f64, per_batch: f64) -> bool {
    let third = window.len() / 3;
    if third == 0 {
        return false;
    }
    let mean = |part: &[Batch]| part.iter().map(&number).sum::<f64>() / part.len() as f64;
    let parts: Vec<f64> = window.rchunks_exact(third).take(3).map(mean).collect();
    let growth = per_batch * third as f64;
    parts[0] - parts[1] > growth && parts[1] - parts[2] > growth
}

/// The load as a share of the bound, 0 where that is not known.
pub(super) fn fullness(setup: &Setup) -> f64 {
    setup.bound.map_or(0.0, |bound| setup.load.as_fraction() / bound)
}

/// What the slowest endpoint needs to send a few messages.
pub(super) fn sending_time(setup: &Setup) -> u64 {
    let together = u64::from(setup.injection.together());
    let injections = setup.endpoints().filter_map(|endpoint| setup.network.injection(endpoint));
    let channels = injections.filter_map(|port| setup.network.channel(port));
    let slowest = channels.map(|channel| channel.serialization(setup.packet) * together).max();
    8 * slowest.unwrap_or(Time::ZERO).as_ps()
}

/// What a message alone needs to cross a few switches: nothing can be said of a run before.
pub(super) fn settling_time(setup: &Setup) -> u64 {
    let channels = setup.network.channels();
    let together = u64::from(setup.injection.together());
    let slowest = channels
        .map(|(_, channel)| channel.latency + channel.serialization(setup.packet) * together);
    let slowest = slowest.max().unwrap_or(Time::ZERO);
    8 * (slowest + setup.switch_latency + setup.adapter_latency).as_ps()
}
