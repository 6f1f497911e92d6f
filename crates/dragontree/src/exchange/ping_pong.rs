//! One message at a time between every two ranks (HPCC's ping-pong; Bogdański et al. 2013, §5.1).

use std::sync::Arc;

use super::steps::MOST_MESSAGES;
use super::{After, Closed, Exchanged, List, Moment, Phases, Refused, Site, Workload};
use crate::catalog::{Form, Part, Settings};
use crate::units::Rank;

/// A message goes from every rank to every other one, one after the other: each sends when it has been
/// sent to, so that no two are under way at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PingPong;

impl Settings for PingPong {
    fn settings(&mut self, _form: &mut dyn Form) {}
}

impl Part for PingPong {
    fn name(&self) -> &'static str {
        "ping_pong"
    }
    fn label(&self) -> &'static str {
        "Ping-pong"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "One message at a time, from every rank to every other one: latency and bandwidth (HPCC).",
        )
    }
}

/// The ranks that a message visits on its way over every ordered pair of `count` ranks, from rank 0 and
/// back to it: to each but the next rank and back, then to the next, and from the last one back down.
fn walk(count: u32) -> Vec<Rank> {
    let mut visited = vec![Rank(0)];
    for own in 0..count {
        visited.extend((own + 2..count).flat_map(|other| [Rank(other), Rank(own)]));
        visited.extend((own + 1 < count).then_some(Rank(own + 1)));
    }
    visited.extend((0..count.saturating_sub(1)).rev().map(Rank));
    visited
}

impl Closed for PingPong {
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        let ranks = site.ranks();
        if u64::from(ranks) * u64::from(ranks) > MOST_MESSAGES {
            let allowed = "exchange=ping_pong sends between every two, one after the other, allowed: \
                           up to 2000";
            return Err(Refused::setting("ranks", ranks, allowed.to_owned()));
        }
        let visited = walk(ranks);
        let pairs: Vec<(Rank, Rank)> = visited.windows(2).map(|ends| (ends[0], ends[1])).collect();
        let messages: Vec<_> = pairs.iter().map(|(from, to)| (*from, *to, site.bytes)).collect();
        let before = |own: u32| own.checked_sub(1);
        let arrived = |message| After { message, moment: Moment::Delivered };
        let after: Vec<Vec<After>> = (0..pairs.len() as u32)
            .map(|own| before(own).map(arrived).into_iter().collect())
            .collect();
        let list = List::new(ranks, &messages, &after);
        let list = list.map_err(|lost| Refused::setting("", "", lost.to_string()))?;
        // Each goes alone, so it is routed and judged alone.
        let stages = (0..pairs.len() as u32).collect();
        let phases = Phases::Single(Arc::new(pairs));
        Ok(Some(Exchanged { workload: Workload::List(list), phases, stages }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_visits_every_ordered_pair_once_and_returns() {
        for count in 2..9 {
            let visited = walk(count);
            let mut pairs: Vec<_> = visited.windows(2).map(|ends| (ends[0], ends[1])).collect();
            assert_eq!((visited[0], visited.last()), (Rank(0), Some(&Rank(0))));
            assert_eq!(pairs.len() as u32, count * (count - 1));
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len() as u32, count * (count - 1));
            assert!(pairs.iter().all(|(from, to)| from != to));
        }
    }
}
