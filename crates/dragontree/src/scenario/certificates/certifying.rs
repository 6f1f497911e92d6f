//! Follows the messages of each phase, a few at a time, and judges what that comes to.

use std::ops::Range;
use std::sync::Arc;

use super::making::{Climbers, Making};
use super::{Certificates, EXHAUSTED, GAP, LevelRow, OPTIMAL, PhaseCertificate, WORK, Witness};
use crate::analysis::{Climbing, LevelRecount, Lost, Recounting};
use crate::network::{Network, Node};
use crate::random::Stream;
use crate::routing::pattern_specific::{
    Bounding, Certificate, LevelBound, Status, TreePlaces, cannot_be_less, maximum_cannot_be_less,
};
use crate::routing::{Demand, Pair, Routes, Sent};

/// Steps in the time in which a message is followed and counted.
const STEPS_PER_MESSAGE: u64 = 400;

/// Counts what routes come to, a few messages at a time.
pub struct Certifying {
    subject: Subject,
    demand: Arc<dyn Demand>,
    /// Seeds the draws of a way where a message has several.
    seed: Option<u64>,
    /// The phase that is judged, or is next.
    next: u32,
    /// Where phases end that are to be judged.
    end: u32,
    judging: Option<Judging>,
    tools: Tools,
    phases: Vec<PhaseCertificate>,
    is_drawn: bool,
    /// Why a message cannot be followed.
    lost: Option<String>,
}

/// What counts, used for one phase after the other.
struct Tools {
    climbing: Climbing,
    counting: Recounting,
    bounding: Bounding,
}

/// What is judged.
#[derive(Clone)]
struct Subject {
    places: Arc<TreePlaces>,
    ways: Ways,
}

/// Where climbs come from.
#[derive(Clone)]
enum Ways {
    /// From routes in a network.
    Followed(Arc<Network>, Arc<Routes>),
    /// From the tree alone.
    Made(Making),
}

/// A phase that is judged.
struct Judging {
    phase: u32,
    sent: Vec<Sent>,
    /// Those that have been followed, as leaves.
    messages: Vec<Pair>,
    /// The climbs that do not come from routes in a network.
    made: Option<Climbers>,
    /// Where ways are drawn from.
    draw: Option<Stream>,
}

/// What is known of all phases.
pub(in crate::scenario) struct Judged {
    pub phases: Vec<PhaseCertificate>,
    /// Whether ways were drawn.
    pub is_drawn: bool,
}

impl Subject {
    /// Why a message between two endpoints cannot be followed, in a sentence.
    fn why(&self, pair: Pair, lost: Lost) -> String {
        let [from, to] = [pair.source, pair.destination].map(|end| match &self.ways {
            Ways::Followed(network, _) => network.name(Node::Endpoint(end)),
            Ways::Made(_) => format!("endpoint {}", end.0),
        });
        match lost {
            Lost::Unrouted => format!("there is no route from {from} to {to}"),
            Lost::Several => {
                "each message draws one of several ways, so that it depends on chance how \
                              many share a link"
                    .to_owned()
            }
            Lost::Crooked => {
                format!("the way from {from} to {to} is not straight up the tree and then down")
            }
        }
    }
}

impl Certifying {
    /// Begins with routes in a network with these places. Where a message has several ways, one is
    /// drawn if there is a seed.
    pub(in crate::scenario) fn new(
        network: &Arc<Network>,
        places: &Arc<TreePlaces>,
        routes: &Arc<Routes>,
        demand: &Arc<dyn Demand>,
        seed: Option<u64>,
    ) -> Certifying {
        let ways = Ways::Followed(network.clone(), routes.clone());
        Certifying::of(Subject { places: places.clone(), ways }, demand, seed)
    }

    /// Begins with climbs that are made without a network.
    pub(in crate::scenario) fn made(
        making: Making,
        places: &Arc<TreePlaces>,
        demand: &Arc<dyn Demand>,
    ) -> Certifying {
        let is_drawn = making.draws();
        let subject = Subject { places: places.clone(), ways: Ways::Made(making) };
        Certifying { is_drawn, ..Certifying::of(subject, demand, None) }
    }

    fn of(subject: Subject, demand: &Arc<dyn Demand>, seed: Option<u64>) -> Certifying {
        let climbing = match &subject.ways {
            Ways::Followed(network, routes) => Climbing::new(network, routes.oblivious()),
            Ways::Made(_) => Climbing::default(),
        };
        let shape = subject.places.shape();
        let (counting, bounding) = (Recounting::new(shape), Bounding::new(shape));
        Certifying {
            tools: Tools { climbing, counting, bounding },
            subject,
            demand: demand.clone(),
            seed,
            next: 0,
            end: demand.phases(),
            judging: None,
            phases: Vec::new(),
            is_drawn: false,
            lost: None,
        }
    }

    /// The share of the messages that are judged, as if all phases had as many.
    pub fn share(&self) -> f64 {
        let begun = self.judging.as_ref().map_or(0.0, Judging::share);
        (f64::from(self.next) + begun) / f64::from(self.end.max(1))
    }

    /// Goes on for about `budget` steps of some ten nanoseconds each; whether all is done.
    pub fn advance(&mut self, budget: u64) -> bool {
        let mut left = budget;
        while self.lost.is_none() && self.next < self.end {
            if left == 0 {
                return false;
            }
            let Some(judging) = &mut self.judging else {
                self.begin();
                left = left.saturating_sub(STEPS_PER_MESSAGE);
                continue;
            };
            if let Err(lost) = judging.follow(&self.subject, &mut self.tools, &mut left) {
                self.draw(lost);
            } else if judging.is_complete()
                && let Some(judging) = self.judging.take()
            {
                let certificate = judging.conclude(&self.subject, &mut self.tools);
                left = left.saturating_sub(certificate.tried());
                self.phases.push(certificate);
                self.next += 1;
            }
        }
        true
    }

    /// All of it: the phases, or why a message cannot be followed.
    pub(in crate::scenario) fn judged(mut self) -> Result<Judged, String> {
        while !self.advance(u64::MAX) {}
        let Certifying { phases, is_drawn, lost, .. } = self;
        match lost {
            Some(why) => Err(why),
            None => Ok(Judged { phases, is_drawn }),
        }
    }

    /// One that has yet to begin, for a thread of its own.
    pub fn another(&self) -> Certifying {
        let is_drawn = self.is_drawn;
        Certifying { is_drawn, ..Certifying::of(self.subject.clone(), &self.demand, self.seed) }
    }

    /// How many phases there are, with those in which nobody sends.
    pub fn phase_count(&self) -> u32 {
        self.demand.phases()
    }

    /// Judges these phases only, from the first; what was followed before need not be again.
    ///
    /// # Errors
    /// A message cannot be followed: a sentence that says why.
    pub fn part(&mut self, phases: Range<u32>) -> Result<Vec<PhaseCertificate>, String> {
        (self.next, self.end) = (phases.start, phases.end.min(self.demand.phases()));
        while !self.advance(u64::MAX) {}
        let found = std::mem::take(&mut self.phases);
        self.lost.take().map_or(Ok(found), Err)
    }

    /// Of all phases, which were judged in parts; none where no message goes anywhere.
    pub fn joined(&self, phases: Vec<PhaseCertificate>) -> Option<Certificates> {
        Certificates::new(self.demand.as_ref(), phases)
    }

    /// All of it; none where no message goes anywhere.
    ///
    /// # Errors
    /// A message cannot be followed: a sentence that says why.
    pub fn outcome(self) -> Result<Option<Certificates>, String> {
        let demand = self.demand.clone();
        Ok(Certificates::new(demand.as_ref(), self.judged()?.phases))
    }

    /// All of it; none where a message cannot be followed, or none goes anywhere.
    pub fn finish(self) -> Option<Certificates> {
        self.outcome().ok().flatten()
    }

    /// Begins with the next phase, unless nobody sends in it.
    fn begin(&mut self) {
        let sent = self.demand.sent(self.next);
        match sent.is_empty() {
            true => self.next += 1,
            false => self.judging = Some(Judging::new(&self.subject, self.next, sent, None)),
        }
    }

    /// Begins a phase again in which a message has several ways, now with a draw; unless that
    /// was done, or there is nothing to draw from.
    fn draw(&mut self, (pair, lost): (Pair, Lost)) {
        let undrawn = self.judging.take().filter(|judging| judging.draw.is_none());
        let undrawn = undrawn.filter(|_| lost == Lost::Several);
        let (Some(judging), Some(seed)) = (undrawn, self.seed) else {
            self.lost = Some(self.subject.why(pair, lost));
            return;
        };
        self.is_drawn = true;
        // What was counted of the phase does not count.
        self.tools.counting.take();
        self.tools.bounding.take();
        let Judging { phase, sent, .. } = judging;
        let draw = Some(Stream::new(seed, "comparison", phase.into()));
        self.judging = Some(Judging::new(&self.subject, phase, sent, draw));
    }
}

impl Judging {
    fn new(subject: &Subject, phase: u32, sent: Vec<Sent>, draw: Option<Stream>) -> Judging {
        let shape = subject.places.shape();
        let made = match &subject.ways {
            Ways::Followed(..) => None,
            Ways::Made(making) => {
                let leaves = sent.iter().filter_map(|sent| subject.places.leaves(sent.pair));
                making.begin(shape, phase, leaves.collect())
            }
        };
        Judging { phase, messages: Vec::with_capacity(sent.len()), sent, made, draw }
    }

    fn share(&self) -> f64 {
        self.messages.len() as f64 / self.sent.len().max(1) as f64
    }

    fn is_complete(&self) -> bool {
        self.messages.len() == self.sent.len()
    }

    /// Follows more messages while steps are left.
    ///
    /// # Errors
    /// Which of them cannot be followed, and why.
    fn follow(
        &mut self,
        subject: &Subject,
        Tools { climbing, counting, bounding }: &mut Tools,
        left: &mut u64,
    ) -> Result<(), (Pair, Lost)> {
        if let Some(made) = &mut self.made
            && !made.advance(*left)
        {
            *left = 0;
            return Ok(());
        }
        let first = self.messages.len();
        for (message, sent) in self.sent.iter().enumerate().skip(first) {
            if *left == 0 {
                break;
            }
            *left = left.saturating_sub(STEPS_PER_MESSAGE);
            let lost = |why| (sent.pair, why);
            let pair = subject.places.leaves(sent.pair).ok_or(lost(Lost::Crooked))?;
            let own;
            let climb = match (&subject.ways, &mut self.made) {
                (Ways::Followed(network, routes), _) => {
                    let (routes, draw) = (routes.oblivious(), self.draw.as_mut());
                    climbing.climb(network, &subject.places, routes, sent, draw)
                }
                (Ways::Made(_), Some(made)) => {
                    own = made.climb(subject.places.shape(), message, pair);
                    Ok(&own[..])
                }
                (Ways::Made(_), None) => Err(Lost::Unrouted),
            };
            let counted = counting.follow(pair, climb.map_err(lost)?);
            counted.map_err(|_| lost(Lost::Crooked))?;
            bounding.add(pair);
            self.messages.push(pair);
        }
        Ok(())
    }

    /// What it comes to. All that is taken over from what is known of solved routes is that all ways
    /// were tried; of few messages they are tried here, too.
    fn conclude(self, subject: &Subject, tools: &mut Tools) -> PhaseCertificate {
        let Subject { places, ways } = subject;
        let Judging { phase, messages, .. } = self;
        let solved: Option<&Certificate> = match ways {
            Ways::Followed(_, routes) => {
                let phases = routes.oblivious().solved().map_or(&[][..], |solved| solved.phases());
                let place = phases.binary_search_by_key(&phase, |solved| solved.phase).ok();
                place.map(|place| &phases[place].certificate)
            }
            Ways::Made(_) => self.made.as_ref().and_then(Climbers::certificate),
        };
        let shape = places.shape();
        let counted = tools.counting.take().levels;
        let known = tools.bounding.take().levels;
        let most: Vec<u32> = counted.iter().map(|level| level.achieved).collect();
        let is_told = |level: usize| {
            let same = |solved: &&Certificate| {
                solved.levels.iter().map(|level| level.achieved).eq(most.iter().copied())
            };
            solved.filter(same).is_some_and(|solved| solved.levels[level].exhausted)
        };
        let tried = |level: usize| {
            is_told(level) || cannot_be_less(shape, &messages, &most, level, WORK).unwrap_or(false)
        };
        let row = |(level, (known, counted)): (usize, (&LevelBound, &LevelRecount))| LevelRow {
            level: level as u32,
            bound: counted.bound,
            achieved: counted.achieved,
            verdict: match counted.achieved == counted.bound {
                true => OPTIMAL,
                false if tried(level) => EXHAUSTED,
                false => GAP,
            },
            witness: Witness::of(known, places).filter(|_| known.bound == counted.bound),
        };
        let levels: Vec<LevelRow> = known.iter().zip(&counted).enumerate().map(row).collect();
        let achieved = levels.iter().map(|level| level.achieved).max().unwrap_or(0);
        let least = levels.iter().map(|level| level.bound).max().unwrap_or(0);
        let proven = match solved.map(|solved| (solved.status, solved.achieved())) {
            Some((Status::OptimalByExhaustion, proven)) => proven.min(achieved),
            _ => 0,
        };
        // Fewer on each level may be impossible without more on another, and still fewer on the worst
        // link not be.
        let of_maximum = match achieved {
            _ if achieved == least => OPTIMAL,
            _ if achieved == proven => EXHAUSTED,
            _ if maximum_cannot_be_less(shape, &messages, achieved, WORK).unwrap_or(false) => {
                EXHAUSTED
            }
            _ => GAP,
        };
        let is =
            |verdict| of_maximum == verdict || levels.iter().any(|level| level.verdict == verdict);
        let verdict = [GAP, EXHAUSTED].into_iter().find(|verdict| is(*verdict)).unwrap_or(OPTIMAL);
        let bound = if of_maximum == GAP { least.max(proven) } else { achieved };
        let messages = messages.len() as u32;
        PhaseCertificate { phase, messages, bound, achieved, verdict, levels }
    }
}
