//! Files that workers write for the reader.

use dragontree::catalog::Problem;
use dragontree_worker::{Reply, Request};
use leptos::prelude::*;

use super::{Notice, Run, Store};

impl Store {
    /// Asks for the network, with what is broken of it, or for its routes as a file.
    pub fn export(self, format: &str) {
        let (text, format) = (self.own_text(), format.to_owned());
        self.ask_first(Request::Export { generation: self.begin_file(), text, job: 0, format });
    }

    /// Asks for the results as a file of comma-separated values.
    pub fn export_table(self) {
        let records = untrack(|| self.present_records());
        self.ask_first(Request::Table { generation: self.begin_file(), records });
    }

    /// One file more is waited for; gives the generation of the question.
    fn begin_file(self) -> u32 {
        let generation = self.next_generation();
        self.writing.update(|files| {
            files.active = true;
            files.jobs += 1;
            files.tell(generation, 0.0);
        });
        generation
    }

    /// Whether somebody waits for a file of this generation.
    pub(super) fn is_writing(self, generation: u32) -> bool {
        self.writing
            .with_untracked(|files| files.shares.iter().any(|(file, _)| *file == generation))
    }

    /// Nobody waits for a file any more.
    pub(super) fn end_file(self, generation: u32) {
        self.writing.update(|files| {
            files.end(Some(generation));
            if files.shares.is_empty() {
                *files = Run::default();
            }
        });
    }

    /// Leaves the files that are being written.
    pub fn leave_files(self) {
        for (generation, _) in self.writing.get_untracked().shares {
            self.end_file(generation);
            self.leave(generation);
        }
    }

    /// Takes the replies that are about files; gives back the others.
    pub(super) fn hear_file(self, reply: Reply) -> Option<Reply> {
        let generation = match &reply {
            Reply::Progress { generation, .. }
            | Reply::Exported { generation, .. }
            | Reply::Refused { generation, .. } => *generation,
            _ => return Some(reply),
        };
        if !self.is_writing(generation) {
            return Some(reply);
        }
        match reply {
            Reply::Progress { share, .. } => {
                self.writing.update(|files| files.tell(generation, share));
                return None;
            }
            Reply::Exported { name, text, losses, .. } => self.exported(&name, &text, losses),
            Reply::Refused { problems, .. } => {
                let problems = problems.into_iter().map(Problem::from);
                let text: Vec<String> = problems.map(|problem| problem.to_string()).collect();
                self.notice.set(Some(Notice::Lasting(text.join(" "))));
            }
            _ => {}
        }
        self.end_file(generation);
        None
    }
}
