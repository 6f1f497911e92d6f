//! Messages that are listed one by one, each with what it waits for.

use super::{Message, Moment, Queueing, State};
use crate::units::{Bytes, Rank};

/// What a message waits for: a moment of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    /// The earlier one's place in the list.
    pub message: u32,
    /// What has to happen to it.
    pub moment: Moment,
}

/// A message that can never be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// It waits for one that its source does not hear of.
    #[error("message {message} waits for message {after}, of which its source does not hear")]
    Elsewhere {
        /// Its place in the list.
        message: u32,
        /// The other's.
        after: u32,
    },
    /// It waits for itself, perhaps through others.
    #[error("message {message} waits for itself, through the messages that it waits for")]
    Circular {
        /// Its place in the list.
        message: u32,
    },
}

/// Messages and what each waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    ranks: u32,
    messages: Vec<Message>,
    /// How much each message waits for.
    waits: Vec<u32>,
    /// For each message and moment, by [`slot`], where its followers begin.
    first: Vec<u32>,
    /// The messages that wait, by what they wait for.
    followers: Vec<u32>,
    /// The messages that wait for nothing, by their sources, and where those of each rank begin.
    ready: Vec<u32>,
    first_ready: Vec<u32>,
    acknowledged: bool,
    queueing: Queueing,
}

/// The place of a message's moment among all messages' moments.
fn slot(message: u64, moment: Moment) -> usize {
    message as usize * 3 + moment as usize
}

/// Sorts items by a key below `keys`, in the order in which they come; and where each key begins.
fn by_key(keys: usize, items: impl Iterator<Item = (usize, u32)> + Clone) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0; keys + 1];
    for (key, _) in items.clone() {
        first[key + 1] += 1;
    }
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    let mut next = first.clone();
    let mut sorted = vec![0; first[keys] as usize];
    for (key, item) in items {
        sorted[next[key] as usize] = item;
        next[key] += 1;
    }
    (first, sorted)
}

impl List {
    /// Messages as (source, destination, bytes), and for each what it waits for.
    ///
    /// # Errors
    /// The first message that can never be sent.
    pub fn new(
        ranks: u32,
        messages: &[(Rank, Rank, Bytes)],
        after: &[Vec<After>],
    ) -> Result<List, Lost> {
        let messages: Vec<Message> = (0..)
            .zip(messages)
            .map(|(label, (source, destination, bytes))| Message {
                source: *source,
                destination: *destination,
                bytes: *bytes,
                label,
            })
            .collect();
        let edges = || {
            let each = (0..).zip(after).flat_map(|(own, all)| all.iter().map(move |on| (own, on)));
            each.map(|(own, on): (u32, &After)| (slot(u64::from(on.message), on.moment), own))
        };
        for (own, on) in (0..).zip(after).flat_map(|(own, all)| all.iter().map(move |on| (own, on)))
        {
            let hears = |other: &Message| match on.moment {
                Moment::Delivered => other.destination,
                Moment::Sent | Moment::Acknowledged => other.source,
            };
            let source = messages[own as usize].source;
            if messages.get(on.message as usize).map(hears) != Some(source) {
                return Err(Lost::Elsewhere { message: own, after: on.message });
            }
        }
        let (first, followers) = by_key(messages.len() * 3, edges());
        let waits: Vec<u32> = (0..messages.len())
            .map(|index| after.get(index).map_or(0, |all| all.len() as u32))
            .collect();
        let ready = messages.iter().zip(&waits).filter(|(_, waits)| **waits == 0);
        let (first_ready, ready) = by_key(
            ranks as usize,
            ready.map(|(message, _)| (message.source.0 as usize, message.label as u32)),
        );
        let moments = after.iter().flatten();
        let acknowledged = moments.into_iter().any(|on| on.moment == Moment::Acknowledged);
        let queueing = Queueing::default();
        let list = List {
            ranks,
            messages,
            waits,
            first,
            followers,
            ready,
            first_ready,
            acknowledged,
            queueing,
        };
        list.check_order(after)?;
        Ok(list)
    }

    /// The same messages, taking turns in this way.
    pub fn with_queueing(self, queueing: Queueing) -> List {
        List { queueing, ..self }
    }

    /// Whether every message is sent in the end; if not, one that waits for itself.
    fn check_order(&self, after: &[Vec<After>]) -> Result<(), Lost> {
        let mut waits = self.waits.clone();
        let mut next = self.ready.clone();
        while let Some(message) = next.pop() {
            for moment in [Moment::Sent, Moment::Delivered, Moment::Acknowledged] {
                for follower in self.followers(u64::from(message), moment) {
                    waits[*follower as usize] -= 1;
                    if waits[*follower as usize] == 0 {
                        next.push(*follower);
                    }
                }
            }
        }
        let unsent = |message: &u32| waits[*message as usize] > 0;
        let Some(mut message) = (0..waits.len() as u32).find(unsent) else { return Ok(()) };
        // What waits for ever waits for something that does, so that this leads around a circle.
        let mut seen = vec![false; waits.len()];
        while !std::mem::replace(&mut seen[message as usize], true) {
            let others = after[message as usize].iter().map(|on| on.message);
            message = others.into_iter().find(unsent).unwrap_or(message);
        }
        Err(Lost::Circular { message })
    }

    fn followers(&self, message: u64, moment: Moment) -> &[u32] {
        let slot = slot(message, moment);
        &self.followers[self.first[slot] as usize..self.first[slot + 1] as usize]
    }

    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Whether some message waits for another to be acknowledged.
    pub fn is_acknowledged(&self) -> bool {
        self.acknowledged
    }

    /// How messages that wait at one endpoint take turns.
    pub fn queueing(&self) -> Queueing {
        self.queueing
    }

    pub(super) fn start(&self) -> State {
        State { waits: self.waits.clone(), ..State::default() }
    }

    pub(super) fn begin(&self, rank: Rank, post: &mut Vec<Message>) {
        let rank = rank.0 as usize;
        let ready =
            &self.ready[self.first_ready[rank] as usize..self.first_ready[rank + 1] as usize];
        post.extend(ready.iter().map(|message| self.messages[*message as usize]));
    }

    pub(super) fn react(
        &self,
        state: &mut State,
        moment: Moment,
        message: &Message,
        post: &mut Vec<Message>,
    ) {
        for follower in self.followers(message.label, moment) {
            let waits = &mut state.waits[*follower as usize];
            *waits -= 1;
            if *waits == 0 {
                post.push(self.messages[*follower as usize]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(source: u32, destination: u32) -> (Rank, Rank, Bytes) {
        (Rank(source), Rank(destination), Bytes(8))
    }

    fn after(message: u32, moment: Moment) -> After {
        After { message, moment }
    }

    #[test]
    fn a_message_is_posted_when_the_last_thing_it_waits_for_has_happened() {
        let messages = [message(0, 1), message(2, 1), message(1, 2), message(0, 2)];
        let both = vec![after(0, Moment::Delivered), after(1, Moment::Delivered)];
        let waits = [vec![], vec![], both, vec![after(0, Moment::Acknowledged)]];
        let list = List::new(3, &messages, &waits).unwrap();
        assert!(list.is_acknowledged());
        let mut state = list.start();
        let mut post = Vec::new();
        for rank in 0..3 {
            list.begin(Rank(rank), &mut post);
        }
        assert_eq!(post.iter().map(|message| message.label).collect::<Vec<_>>(), [0, 1]);
        let (first, second) = (post[0], post[1]);
        post.clear();
        list.react(&mut state, Moment::Delivered, &first, &mut post);
        assert_eq!(post, []);
        list.react(&mut state, Moment::Delivered, &second, &mut post);
        assert_eq!(post.iter().map(|message| message.label).collect::<Vec<_>>(), [2]);
        post.clear();
        list.react(&mut state, Moment::Acknowledged, &first, &mut post);
        assert_eq!(post.iter().map(|message| message.label).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_message_that_can_never_be_sent_is_named() {
        let messages = [message(0, 1), message(1, 0), message(2, 0)];
        let circle = [vec![after(1, Moment::Delivered)], vec![after(0, Moment::Delivered)], vec![]];
        assert_eq!(List::new(3, &messages, &circle), Err(Lost::Circular { message: 0 }));
        // The first message waits for a circle and is not on it.
        let messages = [message(1, 0), message(2, 1), message(1, 2)];
        let behind = [
            vec![after(1, Moment::Delivered)],
            vec![after(2, Moment::Delivered)],
            vec![after(1, Moment::Delivered)],
        ];
        assert_eq!(List::new(3, &messages, &behind), Err(Lost::Circular { message: 1 }));
        let messages = [message(0, 1), message(1, 0), message(2, 0)];
        let deaf = [vec![], vec![after(0, Moment::Sent)], vec![]];
        assert_eq!(List::new(3, &messages, &deaf), Err(Lost::Elsewhere { message: 1, after: 0 }));
    }
}
