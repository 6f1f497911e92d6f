//! What the workers say about the routes.

use std::rc::Rc;

use dragontree::catalog::Problem;
use dragontree_worker::{Finding, Refusal, Reply};
use leptos::prelude::*;

use super::Desk;
use super::desk::Topic;
use crate::browser;
use crate::share;
use crate::store::Store;
use crate::words::escaped;

impl Store {
    /// Takes the replies that are about the routes; gives back the others.
    pub fn hear_routes(self, reply: Reply) -> Option<Reply> {
        let generation = match &reply {
            Reply::Inspected { generation, .. }
            | Reply::Inspecting { generation, .. }
            | Reply::Refused { generation, .. } => *generation,
            _ => return Some(reply),
        };
        let desk = self.desk.get_value();
        let topic = desk.as_ref().and_then(|desk| desk.topic(generation));
        match (desk, topic) {
            (Some(desk), Some(topic)) => {
                desk.take(topic, reply);
                None
            }
            _ => Some(reply),
        }
    }
}

impl Desk {
    /// Nobody will answer a question.
    pub fn lose(&self, generation: u32) {
        if let Some(topic) = self.topic(generation) {
            self.leave(topic);
        }
    }

    fn take(self: &Rc<Self>, topic: Topic, reply: Reply) {
        match reply {
            Reply::Inspecting { share, markup, picture, end_ns, .. } => {
                self.progress(topic, share);
                if !markup.is_empty() {
                    self.target(topic).set_inner_html(&markup);
                }
                if !picture.is_empty() {
                    self.expose(picture, vec![end_ns]);
                }
            }
            Reply::Inspected { finding, .. } => {
                self.leave(topic);
                self.write(topic, *finding);
            }
            Reply::Refused { problems, .. } => {
                self.leave(topic);
                let markup = refusal(problems);
                self.write(topic, Finding { markup, ..Finding::default() });
            }
            _ => {}
        }
    }

    fn write(self: &Rc<Self>, topic: Topic, finding: Finding) {
        if topic == Topic::File {
            let format = self.format.borrow().clone();
            match format.as_str() {
                "anonymized" => share::copy(self.store, finding.markup, "Copied without names"),
                _ => {
                    let name = format!("dragontree-routes.{format}");
                    browser::download(&name, "text/plain", &finding.markup);
                }
            }
            return;
        }
        self.target(topic).set_inner_html(&finding.markup);
        match topic {
            Topic::Comparison | Topic::Sending | Topic::Phases => return,
            Topic::Course => return self.develop(finding),
            Topic::Report | Topic::Paths | Topic::Circle | Topic::File => {}
        }
        self.walked.set(match topic {
            Topic::Paths | Topic::Circle => (!finding.trails.is_empty()).then_some((topic, 0)),
            _ => self.walked.get().filter(|(walked, _)| *walked == Topic::Circle),
        });
        self.keep(topic, Some(finding));
        self.refresh();
    }
}

/// Why something about the routes cannot be told.
fn refusal(problems: Vec<Refusal>) -> String {
    let sentence = |refusal: Refusal| {
        let problem = Problem::from(refusal);
        format!("<p class=\"wrong\">{}</p>", escaped(&problem.to_string()))
    };
    problems.into_iter().map(sentence).collect()
}
