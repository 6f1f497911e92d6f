//! Finished runs by what they depend on, so that nothing is simulated twice.

use std::sync::Arc;

use dragontree::scenario::{Detail, Job, Plan, Record};
use dragontree_worker::Utilization;

/// A finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What was measured.
    pub record: Record,
    /// How busy the channels were, where no analysis tells and it was simulated here.
    pub busy: Option<Arc<Utilization>>,
    /// Whether the page brought it along instead of simulating it here.
    pub shipped: bool,
}

/// Finished runs of any study, in the order of their keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf(Vec<(String, Arc<Kept>)>);

impl Shelf {
    /// The runs that the page brings along.
    pub fn shipped(records: impl IntoIterator<Item = Record>) -> Shelf {
        let mut shelf = Shelf::default();
        for record in records {
            let key = record.scenario.clone();
            shelf.put(key, Kept { record, busy: None, shipped: true });
        }
        shelf
    }

    /// Puts a run on the shelf.
    pub fn keep(&mut self, key: String, record: Record, busy: Option<Utilization>) {
        self.put(key, Kept { record, busy: busy.map(Arc::new), shipped: false });
    }

    fn put(&mut self, key: String, kept: Kept) {
        match self.place(&key) {
            Ok(place) => self.0[place].1 = Arc::new(kept),
            Err(place) => self.0.insert(place, (key, Arc::new(kept))),
        }
    }

    /// Where the run with this key is, or would be.
    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(key))
    }

    /// Takes a run from the shelf for good.
    pub fn forget(&mut self, key: &str) {
        if let Ok(place) = self.place(key) {
            self.0.remove(place);
        }
    }

    /// The run with this key.
    pub fn get(&self, key: &str) -> Option<Arc<Kept>> {
        self.place(key).ok().map(|place| Arc::clone(&self.0[place].1))
    }

    /// The runs of a plan that are there, by their keys. Another study may have drawn the same run
    /// elsewhere: its curve and its place on the horizontal axis are those of this plan.
    pub fn find(&self, plan: &Plan, keys: &[String]) -> Vec<Option<Arc<Kept>>> {
        let placed = |(job, key): (&Job, &String)| {
            let kept = self.get(key)?;
            let x = job.place().unwrap_or_else(|| kept.record.x.clone());
            if kept.record.x == x && kept.record.series == job.series() {
                return Some(kept);
            }
            let record = Record { x, series: job.series().to_owned(), ..kept.record.clone() };
            Some(Arc::new(Kept { record, busy: kept.busy.clone(), shipped: kept.shipped }))
        };
        plan.jobs.iter().zip(keys).map(placed).collect()
    }
}

/// What each run of a plan depends on.
pub fn keys(plan: &Plan) -> Vec<String> {
    let last = |curve: u32| {
        let points = plan.jobs.iter().filter(|job| job.curve == curve);
        points.map(|job| job.point).max().unwrap_or(0)
    };
    let lasts: Vec<u32> = (0..plan.curves.len() as u32).map(last).collect();
    let key = |job: &Job| {
        let mut text = job.scenario().text(Detail::Everything);
        for kind in job.of_fabric().iter().chain(job.of_routes()) {
            text.push_str(&format!(" y={}", kind.name()));
        }
        // An automatic load is known only when the network is built; its place stands for it.
        match job.place() {
            Some(_) => text,
            None => {
                let last = lasts.get(job.curve as usize).copied().unwrap_or(0);
                format!("{text} point {} of {last}", job.point)
            }
        }
    };
    plan.jobs.iter().map(key).collect()
}

/// Which runs a start has to simulate: those that are missing; all of them when none is.
pub fn wanted(found: &[Option<Arc<Kept>>], verify: bool) -> Vec<u32> {
    let ours = |kept: &Option<Arc<Kept>>| match kept {
        Some(kept) => verify && kept.shipped,
        None => true,
    };
    let missing: Vec<u32> =
        (0..).zip(found).filter(|(_, kept)| ours(kept)).map(|(job, _)| job).collect();
    match missing.is_empty() {
        true => (0..found.len() as u32).collect(),
        false => missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree::scenario::{Abscissa, Study};

    fn plan(text: &str) -> Plan {
        Study::parse(text).unwrap().plan().unwrap()
    }

    fn record(plan: &Plan) -> Record {
        let mut running = plan.jobs[0].start(None).unwrap();
        while running.experiment().is_none() {
            running.advance(u64::MAX).unwrap();
        }
        running.record(0.0).unwrap()
    }

    #[test]
    fn a_shipped_record_is_found_by_every_study_with_that_run() {
        let small = plan("topology=dragonfly,p=1,a=2,h=1 load=0.1/0.2");
        let shelf = Shelf::shipped([record(&small)]);
        let other = plan("topology=dragonfly,p=1,a=2,h=1 load=0.1..0.5:5");
        let found: Vec<bool> = keys(&other).iter().map(|key| shelf.get(key).is_some()).collect();
        assert_eq!(found, [true, false, false, false, false]);
    }

    #[test]
    fn each_key_has_one_run_until_it_is_forgotten() {
        let plan = plan("topology=dragonfly,p=1,a=2,h=1 load=0.1/0.2/0.3");
        let mut shelf = Shelf::default();
        for key in ["b", "c", "a", "b"] {
            shelf.keep(key.to_owned(), record(&plan), None);
        }
        let present = |shelf: &Shelf| ["a", "b", "c"].map(|key| shelf.get(key).is_some());
        assert_eq!((shelf.0.len(), present(&shelf)), (3, [true; 3]));
        shelf.forget("b");
        shelf.forget("d");
        assert_eq!(present(&shelf), [true, false, true]);
    }

    #[test]
    fn a_run_stands_where_the_study_has_it() {
        let by_load = plan("topology=dragonfly,p=1,a=2,h=1 load=0.1/0.2");
        let shelf = Shelf::shipped([record(&by_load)]);
        let by_packet = plan(
            "topology=dragonfly,p=1,a=2,h=1 load=0.1 packet=256B/512B x=packet \
             routing=minimal routing=valiant",
        );
        let found = shelf.find(&by_packet, &keys(&by_packet));
        let kept = found[0].as_ref().expect("the default packet has 256 bytes");
        assert_eq!(kept.record.x, Abscissa::Number(256.0));
        assert_eq!(kept.record.series, by_packet.jobs[0].series());
    }

    #[test]
    fn automatic_loads_of_one_curve_differ() {
        let mut keys = keys(&plan("load=auto:5"));
        keys.dedup();
        assert_eq!(keys.len(), 5);
    }

    #[test]
    fn only_missing_runs_are_wanted() {
        let kept = |shipped| {
            let record = record(&plan("topology=dragonfly,p=1,a=2,h=1 load=0.1"));
            Some(Arc::new(Kept { record, busy: None, shipped }))
        };
        assert_eq!(wanted(&[kept(true), None], false), [1]);
        assert_eq!(wanted(&[kept(true), None], true), [0, 1]);
        assert_eq!(wanted(&[kept(false), kept(true)], true), [1]);
        assert_eq!(wanted(&[kept(false), kept(true)], false), [0, 1]);
    }
}
