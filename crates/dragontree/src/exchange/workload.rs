//! What the ranks of an exchange do.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{List, Phased};
use crate::units::{Bytes, Rank};

/// A message from one rank to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sends it.
    pub source: Rank,
    /// Who receives it.
    pub destination: Rank,
    /// Its length.
    pub bytes: Bytes,
    /// Which of the workload's messages it is.
    pub label: u64,
}

/// What happens to a message, for others to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Its last bit has left its source, which learns of it.
    Sent,
    /// Its last bit has arrived, and its destination has it.
    Delivered,
    /// Its source has heard that it arrived.
    Acknowledged,
}

/// How the messages that an endpoint has to send take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Queueing {
    /// One after the other, in the order in which they were posted.
    #[default]
    InOrder,
    /// A packet of each in turn.
    RoundRobin,
}

/// Messages and what each waits for. It is told what happens and answers with the messages that may
/// be sent then; these have the rank as their source at which it happens, in the order in which
/// they enter its queue.
#[derive(Clone, Debug, PartialEq)]
pub enum Workload {
    /// Messages that are listed one by one.
    List(List),
    /// An all-to-all in phases, whose messages are made when they are sent.
    Phased(Arc<Phased>),
}

/// How far a workload is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// For each message of a list, how much it still waits for.
    pub(super) waits: Vec<u32>,
    /// The phases of ranks of an all-to-all of which one half is done: what the rank sends or what it
    /// receives.
    pub(super) halves: BTreeSet<u64>,
}

impl State {
    /// One half of a rank's phase is done; whether the other was before.
    pub(super) fn completes(&mut self, phase_of_rank: u64) -> bool {
        let is_second = self.halves.remove(&phase_of_rank);
        if !is_second {
            self.halves.insert(phase_of_rank);
        }
        is_second
    }
}

impl Workload {
    /// The number of ranks.
    pub fn ranks(&self) -> u32 {
        match self {
            Workload::List(list) => list.ranks(),
            Workload::Phased(phased) => phased.ranks(),
        }
    }

    /// The number of messages that are sent in all.
    pub fn messages(&self) -> u64 {
        match self {
            Workload::List(list) => list.messages().len() as u64,
            Workload::Phased(phased) => phased.messages(),
        }
    }

    /// The length of all messages together.
    pub fn bytes(&self) -> Bytes {
        match self {
            Workload::List(list) => {
                Bytes(list.messages().iter().map(|message| message.bytes.0).sum())
            }
            Workload::Phased(phased) => phased.bytes(),
        }
    }

    /// Whether receivers acknowledge messages.
    pub fn is_acknowledged(&self) -> bool {
        match self {
            Workload::List(list) => list.is_acknowledged(),
            Workload::Phased(phased) => phased.is_acknowledged(),
        }
    }

    /// The bytes that every rank puts on its link, where what it sends to itself goes that way, too.
    pub fn sent_with_own(&self) -> Option<Bytes> {
        self.sends_own().then(|| Bytes(self.bytes().0 / u64::from(self.ranks().max(1))))
    }

    /// Whether a rank's messages to itself go to its switch and back, instead of arriving at once.
    pub fn sends_own(&self) -> bool {
        match self {
            Workload::List(_) => false,
            Workload::Phased(phased) => phased.sends_own(),
        }
    }

    /// How messages that wait at one endpoint take turns.
    pub fn queueing(&self) -> Queueing {
        match self {
            Workload::List(list) => list.queueing(),
            Workload::Phased(_) => Queueing::InOrder,
        }
    }

    /// Nothing has been sent.
    pub fn start(&self) -> State {
        match self {
            Workload::List(list) => list.start(),
            // A message's label says how far its source is, and no phase is half done.
            Workload::Phased(_) => State::default(),
        }
    }

    /// Adds the messages that a rank may send at once.
    pub fn begin(&self, state: &mut State, rank: Rank, post: &mut Vec<Message>) {
        match self {
            Workload::List(list) => list.begin(rank, post),
            Workload::Phased(phased) => phased.begin(state, rank, post),
        }
    }

    /// Something has happened to a message: adds the messages that may be sent because of it, by
    /// the message's source, or by its destination if it was delivered.
    pub fn react(
        &self,
        state: &mut State,
        moment: Moment,
        message: &Message,
        post: &mut Vec<Message>,
    ) {
        match self {
            Workload::List(list) => list.react(state, moment, message, post),
            Workload::Phased(phased) => phased.react(state, moment, message, post),
        }
    }
}
