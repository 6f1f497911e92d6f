//! Ways up and down a tree that is whole and even: what [`Climb::hop`] says, in tables.

use super::{Climb, Site};
use crate::network::EndpointId;
use crate::routing::{Code, Exit, Pair, Steps, Word};

/// Ways up and down a whole tree: what [`Climb::hop`] says, in tables.
pub(in crate::routing) struct Ladder {
    levels: usize,
    /// For each endpoint its rung on each level, from 1.
    rungs: Vec<Rung>,
    /// For each level, from 0, what stands for each choice of a link upward.
    links: Vec<Vec<Link>>,
}

/// What an endpoint contributes to the ways at one level.
#[derive(Clone, Copy, Debug)]
struct Rung {
    /// The number of the first port downward to the endpoint.
    down: u16,
    /// The endpoint's subtree.
    subtree: u32,
}

/// One of the links upward of a switch of some level.
#[derive(Clone, Copy, Debug)]
pub(in crate::routing) struct Link {
    /// The number of its port.
    up: u16,
    /// Which of the parallel links it is.
    parallel: u16,
}

impl Ladder {
    /// The tables of a tree. None where something is missing or switches of one level differ in
    /// their ports.
    pub fn new(climb: &Climb) -> Option<Ladder> {
        if !climb.is_whole() {
            return None;
        }
        let tree = climb.tree();
        let ports: Option<Vec<&[u32]>> =
            (1..=tree.levels()).map(|level| climb.ports_of_level(level)).collect();
        let ports = ports?;
        let short = |number: u32| u16::try_from(number).ok();
        let rung = |slot: EndpointId, level: u32| {
            let first = tree.child_digit(level, slot) * tree.parallel(level);
            let own = &ports[level as usize - 1][first as usize..][..tree.parallel(level) as usize];
            let in_a_row = own.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            let subtree = tree.subtree(level, slot);
            short(own[0]).filter(|_| in_a_row).map(|down| Rung { down, subtree })
        };
        let link = |level: u32, chosen: u32| {
            // An endpoint has but one port.
            let up = level.checked_sub(1).map_or(0, |below| {
                ports[below as usize][(tree.down_ports(level) + chosen) as usize]
            });
            let parallel = chosen / tree.parents(level + 1);
            Some(Link { up: short(up)?, parallel: short(parallel)? })
        };
        let links = (0..tree.levels()).map(|level| {
            (0..tree.up_ports(level)).map(|chosen| link(level, chosen)).collect::<Option<_>>()
        });
        let mut rungs = Vec::with_capacity(climb.slots.len() * tree.levels() as usize);
        for slot in &climb.slots {
            for level in 1..=tree.levels() {
                rungs.push(rung((*slot)?, level)?);
            }
        }
        Some(Ladder { levels: tree.levels() as usize, rungs, links: links.collect::<Option<_>>()? })
    }

    /// The link that stands for a choice at a level, as in [`Climb::hop`].
    pub fn link(&self, level: usize, chosen: u32) -> Link {
        self.links[level][chosen as usize]
    }

    fn of(&self, endpoint: EndpointId) -> &[Rung] {
        let first = endpoint.index() * self.levels;
        &self.rungs[first..first + self.levels]
    }

    /// Adds the way of a pair over the links that it takes upward from each level.
    pub fn trace(&self, pair: Pair, way: &mut Vec<Exit>, link: impl Fn(usize) -> Link) {
        let [from, to] = [pair.source, pair.destination].map(|end| self.of(end));
        trace(from, to, way, |rung| *rung, link);
    }
}

/// Adds the way between two endpoints, given by what is known of them on each level, over the links
/// that it takes upward from each level.
#[inline(always)]
fn trace<T>(
    from: &[T],
    to: &[T],
    way: &mut impl Steps,
    rung: impl Fn(&T) -> Rung,
    link: impl Fn(usize) -> Link,
) {
    let exit = |number: u16| Exit { number: u32::from(number), vc: 0 };
    let mut top = 0;
    while let (Some(one), Some(other)) = (from.get(top), to.get(top))
        && rung(one).subtree != rung(other).subtree
        && top + 1 < to.len()
    {
        top += 1;
        way.add(exit(link(top).up));
    }
    while let Some(step) = to.get(top) {
        way.add(exit(rung(step).down + link(top).parallel));
        let Some(below) = top.checked_sub(1) else { return };
        top = below;
    }
}

/// Ways over a whole tree where one of the two ends decides.
pub(in crate::routing) struct Decided {
    levels: usize,
    /// For each endpoint and level; side by side, since both are looked up at once.
    steps: Vec<Step>,
}

/// An endpoint's rung on a level, from 1, and the link upward from the level below where it decides.
#[derive(Clone, Copy, Debug)]
struct Step {
    rung: Rung,
    link: Link,
}

impl Decided {
    /// The ways; `choose` tells the link upward for an endpoint of the tree and a level, as in
    /// [`Climb::hop`].
    pub fn new(climb: &Climb, choose: impl Fn(EndpointId, u32) -> u32) -> Option<Decided> {
        let Ladder { levels, rungs, links } = Ladder::new(climb)?;
        let ends = climb.slots.iter().flatten();
        let choices = ends.flat_map(|slot| (0..levels).map(move |level| (*slot, level)));
        let link =
            |(slot, level): (EndpointId, usize)| links[level][choose(slot, level as u32) as usize];
        let step = |(rung, choice)| Step { rung, link: link(choice) };
        Some(Decided { levels, steps: rungs.into_iter().zip(choices).map(step).collect() })
    }

    #[inline(always)]
    fn of(&self, endpoint: EndpointId) -> &[Step] {
        let first = endpoint.index() * self.levels;
        &self.steps[first..first + self.levels]
    }

    /// Reads a little of what is known of two endpoints.
    pub fn touch(&self, Pair { source, destination }: Pair) -> u32 {
        let ends = [self.of(source), self.of(destination)].into_iter();
        let steps = ends.flat_map(|steps| [steps.first(), steps.last()]).flatten();
        steps.fold(0, |sum, step| sum ^ step.rung.subtree)
    }

    /// Adds the way of a pair; `decides` is the one of the two that decides.
    pub fn trace(&self, pair: Pair, decides: EndpointId, way: &mut impl Steps) {
        let [from, to, decides] = [pair.source, pair.destination, decides].map(|end| self.of(end));
        trace(from, to, way, |step| step.rung, |level| decides[level].link);
    }

    /// The same way in one word, where it has room for the longest.
    #[inline]
    pub fn word(&self, pair: Pair, decides: EndpointId, code: Code) -> Option<Word> {
        let mut way = code.writer(2 * self.levels as u32 - 1)?;
        self.trace(pair, decides, &mut way);
        way.word()
    }

    /// The number of the port by which a switch is left for a destination, where that decides.
    pub fn onward(&self, site: Site, destination: EndpointId) -> u32 {
        let steps = self.of(destination);
        let level = site.level as usize;
        let Step { rung, link } = steps[level - 1];
        u32::from(match rung.subtree == site.subtree {
            true => rung.down + link.parallel,
            false => steps[level].link.up,
        })
    }
}
