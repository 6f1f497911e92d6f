//! All ways to route a few messages, until one keeps to the targets of all levels or none does.
//!
//! The message with the fewest ways left comes first. A way is left if no link on it is full and
//! no set of links is that a beginning of it leads to: those of an arc whose climbs begin with the
//! same digits carry together no more than the level's target times their number. Parents that
//! carry nothing yet are alike, so only the first of them is tried.

use super::instance::Instance;
use super::{Malformed, Shape};
use crate::routing::Pair;

/// The most messages that are worth it.
pub(super) const MOST_MESSAGES: usize = 96;

/// The most counters.
const MOST_COUNTERS: u64 = 1 << 22;

/// A search through all climbs of all messages.
pub(super) struct Exhaustion {
    /// The messages that go anywhere.
    messages: Vec<Traveller>,
    /// `parents[l]`: how many parents a node of level `l` has.
    parents: Vec<u32>,
    tables: Vec<Table>,
    counters: Vec<u32>,
    /// For each length of a climb's beginning where its counters of messages begin.
    beginnings: Vec<usize>,
    begun: Vec<u32>,
    chosen: Vec<Choice>,
    /// Messages looked at so far.
    pub visits: u64,
}

/// Counters of messages whose climbs begin with so many digits, on the arcs of a level.
struct Table {
    digits: usize,
    level: usize,
    first: usize,
    cap: u32,
}

struct Traveller {
    id: u32,
    turn: usize,
    /// For each level the arcs that it takes, counted within the level.
    arcs: Vec<[u32; 2]>,
    is_routed: bool,
}

/// A message that is routed, by the last of these climbs; they are tried from the end.
struct Choice {
    message: usize,
    climbs: Vec<Vec<u16>>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Digits, as many for each message of the instance as there are levels.
    Found(Vec<u16>),
    /// There is no way.
    Impossible,
}

/// Whether no climbs have fewer messages than `achieved`, which has a number for each level, on all links
/// above this one, and nowhere more; false also where more than `work` messages would have to be looked
/// at to know.
///
/// # Errors
/// A message is from or to a leaf that is not there.
pub fn cannot_be_less(
    shape: &Shape,
    messages: &[Pair],
    achieved: &[u32],
    level: usize,
    work: u64,
) -> Result<bool, Malformed> {
    if messages.len() > MOST_MESSAGES || achieved[level] == 0 {
        shape.check(messages)?;
        return Ok(achieved[level] == 0);
    }
    let mut targets = achieved.to_vec();
    targets[level] -= 1;
    is_impossible(shape, messages, &targets, work)
}

/// Whether no climbs have fewer messages than `most` on every link; false also where more than `work`
/// messages would have to be looked at to know.
///
/// # Errors
/// A message is from or to a leaf that is not there.
pub fn maximum_cannot_be_less(
    shape: &Shape,
    messages: &[Pair],
    most: u32,
    work: u64,
) -> Result<bool, Malformed> {
    if messages.len() > MOST_MESSAGES || most == 0 {
        shape.check(messages)?;
        return Ok(most == 0);
    }
    is_impossible(shape, messages, &vec![most - 1; shape.levels()], work)
}

/// Whether no climbs keep to the targets of all levels, as far as so much work tells.
fn is_impossible(
    shape: &Shape,
    messages: &[Pair],
    targets: &[u32],
    work: u64,
) -> Result<bool, Malformed> {
    let instance = Instance::new(shape.clone(), messages.to_vec())?;
    let Some(mut search) = Exhaustion::new(&instance, targets) else { return Ok(false) };
    while search.visits <= work {
        if let Some(outcome) = search.step(&instance) {
            return Ok(outcome == Outcome::Impossible);
        }
    }
    Ok(false)
}

impl Exhaustion {
    /// Whether so few messages go anywhere that it is worth it.
    pub fn takes(instance: &Instance) -> bool {
        instance.turns.iter().filter(|turn| **turn > 0).count() <= MOST_MESSAGES
    }

    /// Begins to look for climbs with which no link above a level carries more than that level's
    /// target; none where there are too many messages, or ways.
    pub fn new(instance: &Instance, targets: &[u32]) -> Option<Exhaustion> {
        let (shape, levels) = (&instance.shape, instance.levels());
        let parents: Vec<u32> = (1..=levels).map(|level| shape.parents(level)).collect();
        let (mut tables, mut size) = (Vec::new(), 0_u64);
        for digits in 1..=levels {
            let mut links = 1_u32;
            for (level, parents) in parents.iter().enumerate().skip(digits - 1) {
                if level >= digits {
                    links = links.saturating_mul(*parents);
                }
                let cap = targets[level].saturating_mul(links);
                tables.push(Table { digits, level, first: size as usize, cap });
                size += 2 * u64::from(shape.subtrees(level)) * u64::from(shape.links(digits - 1));
            }
        }
        let going = |id: &u32| instance.turns[*id as usize] > 0;
        let ids: Vec<u32> = (0..instance.messages.len() as u32).filter(going).collect();
        if ids.len() > MOST_MESSAGES || size > MOST_COUNTERS {
            return None;
        }
        let mut beginnings = vec![0, 0];
        for digits in 1..=levels {
            beginnings.push(beginnings[digits] + shape.links(digits - 1) as usize);
        }
        let traveller = |id: u32| {
            let within = |level: usize, side: usize| {
                instance.arc(id, level, side) - instance.crossings.of_level(level).start as u32
            };
            let turn = usize::from(instance.turns[id as usize]);
            let arcs = (0..turn).map(|level| [within(level, 0), within(level, 1)]).collect();
            Traveller { id, turn, arcs, is_routed: false }
        };
        let begun = vec![0; beginnings[levels + 1]];
        let mut search = Exhaustion {
            messages: ids.into_iter().map(traveller).collect(),
            parents,
            tables,
            counters: vec![0; size as usize],
            beginnings,
            begun,
            chosen: Vec::new(),
            visits: 0,
        };
        search.choose();
        Some(search)
    }

    /// Routes one more message, or another way; the outcome when there is one.
    pub fn step(&mut self, instance: &Instance) -> Option<Outcome> {
        let Some(choice) = self.chosen.last() else {
            // Without messages nothing has been chosen.
            return Some(match self.messages.is_empty() {
                true => Outcome::Found(vec![0; instance.turns.len() * instance.levels()]),
                false => Outcome::Impossible,
            });
        };
        let message = choice.message;
        if self.messages[message].is_routed {
            self.count(false);
            self.chosen.last_mut()?.climbs.pop();
        }
        if self.chosen.last()?.climbs.is_empty() {
            self.chosen.pop();
            return None;
        }
        self.count(true);
        if self.chosen.len() == self.messages.len() {
            return Some(Outcome::Found(self.digits(instance)));
        }
        self.choose();
        None
    }

    fn digits(&self, instance: &Instance) -> Vec<u16> {
        let levels = instance.levels();
        let mut digits = vec![0; instance.turns.len() * levels];
        for choice in &self.chosen {
            let first = self.messages[choice.message].id as usize * levels;
            if let Some(climb) = choice.climbs.last() {
                digits[first..first + climb.len()].copy_from_slice(climb);
            }
        }
        digits
    }

    /// Finds the message with the fewest ways left, and these.
    fn choose(&mut self) {
        let mut fewest: Option<Choice> = None;
        for message in 0..self.messages.len() {
            if self.messages[message].is_routed {
                continue;
            }
            let most = fewest.as_ref().map_or(usize::MAX, |choice| choice.climbs.len());
            if most == 0 {
                break;
            }
            let mut climbs = Vec::new();
            let mut climb = Vec::new();
            self.visits += 1;
            self.extend(message, 0, &mut climb, &mut climbs, most);
            if climbs.len() < most {
                fewest = Some(Choice { message, climbs });
            }
        }
        self.chosen.extend(fewest);
    }

    /// Adds the ways that begin with a climb, until there are `most`.
    fn extend(
        &mut self,
        message: usize,
        beginning: u32,
        climb: &mut Vec<u16>,
        climbs: &mut Vec<Vec<u16>>,
        most: usize,
    ) {
        let level = climb.len();
        if level == self.messages[message].turn {
            climbs.push(climb.clone());
            return;
        }
        for digit in 0..self.parents[level] {
            let next = beginning * self.parents[level] + digit;
            let place = self.beginnings[level + 1] + next as usize;
            if climbs.len() >= most || (digit > 0 && self.begun[place - 1] == 0) {
                return;
            }
            if self.fits(message, level + 1, next) {
                climb.push(digit as u16);
                self.extend(message, next, climb, climbs, most);
                climb.pop();
            }
        }
    }

    /// Whether a message may begin so.
    fn fits(&mut self, message: usize, digits: usize, beginning: u32) -> bool {
        self.visits += 1;
        let message = &self.messages[message];
        let of_message = |table: &&Table| table.digits == digits && table.level < message.turn;
        self.tables.iter().filter(of_message).all(|table| {
            message.arcs[table.level]
                .iter()
                .all(|arc| self.counters[self.counter(table, *arc, beginning)] < table.cap)
        })
    }

    fn counter(&self, table: &Table, arc: u32, beginning: u32) -> usize {
        let links = self.beginnings[table.digits + 1] - self.beginnings[table.digits];
        table.first + arc as usize * links + beginning as usize
    }

    /// Counts the last message that was chosen in or out.
    fn count(&mut self, comes: bool) {
        let Some(Choice { message, climbs }) = self.chosen.last() else { return };
        let Some(climb) = climbs.last() else { return };
        let by = |counter: &mut u32| {
            *counter = if comes { *counter + 1 } else { *counter - 1 };
        };
        let traveller = &self.messages[*message];
        let mut beginning = 0;
        for (level, digit) in climb.iter().enumerate() {
            beginning = beginning * self.parents[level] + u32::from(*digit);
            by(&mut self.begun[self.beginnings[level + 1] + beginning as usize]);
            for table in self.tables.iter().filter(|table| table.digits == level + 1) {
                for arc in traveller.arcs.get(table.level).into_iter().flatten() {
                    let links = self.beginnings[table.digits + 1] - self.beginnings[table.digits];
                    by(&mut self.counters
                        [table.first + *arc as usize * links + beginning as usize]);
                }
            }
        }
        self.messages[*message].is_routed = comes;
    }
}
