//! Messages from a file, with what each waits for.

use super::{Closed, Exchanged, Refused, Site};
use crate::catalog::{Data, Form, Part, Setting, Settings};

/// Ranks send what a file says, in the part of the GOAL format that
/// [`goal`](crate::interchange::goal) reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Messages {
    /// The file.
    pub data: Data,
}

/// What is read when no file is named: a message goes around four ranks and back to the first.
#[cfg(feature = "complete")]
const EXAMPLE: &str = "\
num_ranks 4
rank 0 {
a: send 4096b to 1
b: recv 4096b from 3
}
rank 1 {
a: recv 4096b from 0
b: send 4096b to 2
b requires a
}
rank 2 {
a: recv 4096b from 1
b: send 4096b to 3
b requires a
}
rank 3 {
a: recv 4096b from 2
b: send 4096b to 0
b requires a
}
";

/// The most places in all phases.
#[cfg(feature = "complete")]
const MOST_PLACES: u64 = 1 << 26;

impl Settings for Messages {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "data",
            "File",
            "What ranks send and wait for: send, recv and requires of the GOAL format.",
            &mut self.data,
        ));
    }
}

impl Part for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }
    fn label(&self) -> &'static str {
        "Messages from a file"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Messages and what each waits for, from a file in the GOAL format.")
    }
}

impl Closed for Messages {
    #[cfg(feature = "complete")]
    fn exchanged(&self, site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        use super::steps::Steps;
        use super::{After, Moment, Queueing};
        use crate::interchange::{Source, goal};
        use crate::units::Bytes;

        let contents = self.data.contents(EXAMPLE).map_err(Refused::Problem)?;
        let [(name, text)] = contents[..] else {
            let allowed = format!("these are {} files, allowed: one", contents.len());
            return Err(Refused::setting("data", "", allowed));
        };
        let schedule = goal::read(Source { name, text })
            .map_err(|wrong| Refused::setting("data", name, wrong.to_string()))?;
        if schedule.ranks > site.ranks() {
            let allowed = format!(
                "it has {} ranks and the experiment {}, allowed: as many or fewer",
                schedule.ranks,
                site.ranks()
            );
            return Err(Refused::setting("data", name, allowed));
        }
        let mut steps = Steps::new(site.ranks());
        let mut sent = vec![0; site.ranks() as usize];
        for message in &schedule.messages {
            let moment = |arrived| if arrived { Moment::Delivered } else { Moment::Sent };
            let after = message
                .after
                .iter()
                .map(|wait| After { message: wait.message, moment: moment(wait.arrived) });
            // A rank's messages are shown one phase after the other.
            let phase = &mut sent[message.ends[0] as usize];
            if u64::from(*phase) * u64::from(site.ranks()) > MOST_PLACES {
                let allowed = format!(
                    "rank {} sends too many messages, allowed: up to {} of each of {} ranks",
                    message.ends[0],
                    MOST_PLACES / u64::from(site.ranks()),
                    site.ranks()
                );
                return Err(Refused::setting("data", name, allowed));
            }
            steps.send(*phase, message.ends, Bytes(message.bytes), after.collect());
            *phase += 1;
        }
        let ordered = steps.ordered(Queueing::InOrder);
        ordered.map_err(|lost| Refused::setting("data", name, unsendable(&schedule, lost)))
    }

    #[cfg(not(feature = "complete"))]
    fn exchanged(&self, _site: Site<'_>) -> Result<Option<Exchanged>, Refused> {
        Ok(None)
    }
}

/// Why a message can never be sent, with the lines of the file.
#[cfg(feature = "complete")]
fn unsendable(schedule: &crate::interchange::goal::Schedule, lost: super::Lost) -> String {
    let line = |message: u32| schedule.messages[message as usize].line;
    match lost {
        super::Lost::Circular { message } => format!(
            "line {}: what is sent here waits for itself, through the messages that it waits for",
            line(message)
        ),
        super::Lost::Elsewhere { message, after } => format!(
            "line {}: what is sent here waits for what is sent on line {}, of which its rank does \
             not hear",
            line(message),
            line(after)
        ),
    }
}
