//! What the workers say about the routes.

use std::rc::Rc;

use dragontree::catalog::Problem;
use dragontree_worker::{Finding, Refusal, Reply};
use leptos::prelude::*;

use super::Desk;
use super::desk::{COMPARISON, FILE, PATHS, REPORT};
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
        let place = desk
            .as_ref()
            .and_then(|desk| desk.asked.iter().position(|asked| asked.get() == generation));
        match (desk, place) {
            (Some(desk), Some(place)) => {
                desk.take(place, reply);
                None
            }
            _ => Some(reply),
        }
    }
}

impl Desk {
    /// Nobody will answer a question.
    pub fn lose(&self, generation: u32) {
        if let Some(place) = self.asked.iter().position(|asked| asked.get() == generation) {
            self.leave(place);
        }
    }

    fn take(self: &Rc<Self>, place: usize, reply: Reply) {
        match reply {
            Reply::Inspecting { share, markup, .. } => {
                // Elements take any attribute.
                let _ = self.element(".comparing").set_attribute("value", &share.to_string());
                if place == COMPARISON && !markup.is_empty() {
                    self.target(place).set_inner_html(&markup);
                }
            }
            Reply::Inspected { finding, .. } => {
                self.leave(place);
                self.write(place, *finding);
            }
            Reply::Refused { problems, .. } => {
                self.leave(place);
                let markup = refusal(problems);
                self.write(place, Finding { markup, ..Finding::default() });
            }
            _ => {}
        }
    }

    fn write(self: &Rc<Self>, place: usize, finding: Finding) {
        if place == FILE {
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
        self.target(place).set_inner_html(&finding.markup);
        if place == COMPARISON {
            return;
        }
        self.walked.set((place == PATHS && !finding.trails.is_empty()).then_some((PATHS, 0)));
        if place == REPORT {
            self.walked.set(None);
        }
        if let Some(found) = self.found.borrow_mut().get_mut(place) {
            *found = Some(finding);
        }
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
