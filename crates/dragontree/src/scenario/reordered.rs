//! Broadcasts whose ranks are reordered by what the network is like (Subramoni et al. 2011, §IV-B).

use super::exchanging::Along;
use super::{Modelled, Reordering, Scenario};
use crate::catalog::Problem;
use crate::exchange::{Broadcast, Delays, Exchange, Overhead, Site};
use crate::network::{EndpointId, Network};
use crate::routing::Routes;

/// The delays that a broadcast is reordered by.
#[derive(Clone)]
pub struct Reordered<'a> {
    scenario: &'a Scenario,
    broadcast: &'a Broadcast,
    network: &'a Network,
    placement: Vec<Option<EndpointId>>,
    routes: Option<&'a Routes>,
    delays: Delays,
    overhead: Overhead,
}

impl Scenario {
    /// The delays that the scenario's broadcast is reordered by, along routes as in
    /// [`exchanging_along`](Self::exchanging_along); nothing where it is none, or its ranks stand in
    /// order.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn reordered<'a>(
        &'a self,
        network: &'a Network,
        routes: Option<&'a Routes>,
    ) -> Result<Option<Reordered<'a>>, Vec<Problem>> {
        let Exchange::Broadcast(broadcast) = &self.exchange else { return Ok(None) };
        let placement = self.place(network)?;
        let along = Along::of(routes);
        let site = self.site(network, &placement, along.as_ref());
        let found =
            broadcast.delays(site).and_then(|delays| Ok((delays, broadcast.overhead(site)?)));
        match found.map_err(|refused| vec![self.exchange_refused(refused)])? {
            (Some(delays), Some(overhead)) => Ok(Some(Reordered {
                scenario: self,
                broadcast,
                network,
                placement,
                routes,
                delays,
                overhead,
            })),
            _ => Ok(None),
        }
    }
}

/// Work is repeated until so many milliseconds have gone by, since clocks may tick only every tenth of one,
/// but at most so often.
const LEAST_MS: f64 = 10.0;
const MOST_REPEATS: u32 = 1000;

impl Scenario {
    /// How long the reordering of its broadcast takes on this machine, along routes as in
    /// [`exchanging_along`](Self::exchanging_along), by the caller's clock in milliseconds; nothing
    /// where there is none.
    ///
    /// # Errors
    /// Every problem found, each naming its setting.
    pub fn timed_reordering(
        &self,
        network: &Network,
        routes: Option<&Routes>,
        clock: &dyn Fn() -> f64,
    ) -> Result<Vec<Modelled>, Vec<Problem>> {
        let Exchange::Broadcast(broadcast) = &self.exchange else { return Ok(Vec::new()) };
        let placement = self.place(network)?;
        let along = Along::of(routes);
        let site = self.site(network, &placement, along.as_ref());
        let refused = |refused| vec![self.exchange_refused(refused)];
        let (delays, of_delays) = timed(clock, || broadcast.delays(site)).map_err(refused)?;
        let Some(delays) = delays else { return Ok(Vec::new()) };
        let (_, of_order) = timed(clock, || broadcast.arranged(site, &delays)).map_err(refused)?;
        let row = |(name, (time, repeats)): (&str, (f64, u32))| Modelled {
            name: format!("reordering: {name}"),
            source: match repeats {
                1 => "measured on this machine".to_owned(),
                _ => format!("measured on this machine, mean of {repeats}"),
            },
            value: Some(time),
            unit: "ms".to_owned(),
        };
        let times = [("time of the delays", of_delays), ("time of the order", of_order)];
        Ok(times.map(row).to_vec())
    }
}

/// What work comes to, its mean time, and how often it was done for that.
fn timed<T, E>(
    clock: &dyn Fn() -> f64,
    work: impl Fn() -> Result<T, E>,
) -> Result<(T, (f64, u32)), E> {
    let start = clock();
    let mut repeats = 0;
    loop {
        let found = work()?;
        repeats += 1;
        let elapsed = clock() - start;
        if elapsed >= LEAST_MS || repeats == MOST_REPEATS {
            return Ok((found, (elapsed / f64::from(repeats), repeats)));
        }
    }
}

impl Reordering {
    /// The numbers in their machine-readable form.
    pub(super) fn of(overhead: Overhead) -> Reordering {
        let Overhead { leaders, queries, delays, messages, comparisons } = overhead;
        Reordering { leaders, queries, delays, messages, comparisons }
    }
}

impl Reordered<'_> {
    /// For each place of the tree, counted from the root's, the rank that takes it.
    ///
    /// # Errors
    /// None that making the delays would not have had.
    pub fn ranks(&self) -> Result<Vec<u32>, Problem> {
        let along = Along::of(self.routes);
        let ranks = self.broadcast.arranged(self.site(along.as_ref()), &self.delays);
        ranks.map_err(|refused| self.scenario.exchange_refused(refused))
    }

    /// The same for a later broadcast from another rank, by the same delays.
    ///
    /// # Errors
    /// There is no such rank.
    pub fn ranks_from(&self, root: u32) -> Result<Vec<u32>, Problem> {
        let broadcast = Broadcast { root, ..self.broadcast.clone() };
        let along = Along::of(self.routes);
        let ranks = broadcast.arranged(self.site(along.as_ref()), &self.delays);
        ranks.map_err(|refused| self.scenario.exchange_refused(refused))
    }

    fn site<'a>(&'a self, along: Option<&'a Along<'a>>) -> Site<'a> {
        self.scenario.site(self.network, &self.placement, along)
    }

    /// What the reordering takes, counted.
    pub fn overhead(&self) -> Overhead {
        self.overhead
    }
}
