//! Everything the page knows, and what can be done with it.
//!
//! The study is the one source: plan, charts, form, text and address follow from it. Results lie
//! on a shelf by what they depend on, so a study shows at once whatever was simulated before.

use std::rc::Rc;
use std::sync::Arc;

use dragontree::analysis::Numbers;
use dragontree::catalog::Problem;
use dragontree::scenario::{
    Detail, ENGINE_VERSION, Plan, Problems, Record, Scenario, Study, X, study_digest,
};
use dragontree_worker::{Content, Foresight, Remark, Size, Tree, unpack_records};
use leptos::prelude::*;

use crate::address::{self, Presentation};
use crate::browser;
use crate::fabric::View;
use crate::live::memo;
use crate::pool::Pool;
use crate::routes::Desk;
use crate::shelf::{self, Kept, Shelf};

mod hear;
mod questions;
mod running;
mod writing;

pub use running::Run;

/// The results that the page brings along for the first paint: those of static/default.jsonl. The
/// last of them is the numbers of the network.
const SHIPPED: &[u8] = include_bytes!("../../static/default.bin");

/// What a survey of the network found.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// The generation of the question.
    pub generation: u32,
    /// What has this network.
    pub of: Arc<Scenario>,
    /// The network in numbers.
    pub size: Size,
    /// Parts that cannot be chosen for it.
    pub misfits: Vec<Remark>,
    /// Fat trees in it, where it does not say itself what it is.
    pub trees: Vec<Tree>,
}

/// Something said to the reader that is no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// It goes away by itself.
    Passing(String),
    /// It stays until the reader reacts.
    Lasting(String),
    /// The page and its workers do not fit together.
    Reload,
    /// A study from a link is so large that it waits for consent.
    Large(String),
}

/// What a link said about its results, compared with what came out here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same numbers.
    Reproduced,
    /// Other numbers, made by the engine of this number.
    Differs(u32),
}

/// A point under the pointer or the keyboard, in the order of the charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The curve.
    pub curve: usize,
    /// The point on it.
    pub point: usize,
}

/// A handle to the page's state; copying it copies no state.
#[derive(Clone, Copy)]
pub struct Store {
    /// The experiment.
    pub study: RwSignal<Study>,
    /// The text while it is being written and not yet in its canonical form.
    pub draft: RwSignal<Option<String>>,
    /// What is wrong with the text.
    pub problems: RwSignal<Vec<Problem>>,
    /// What cannot be built.
    pub refusals: RwSignal<Vec<Problem>>,
    /// Every finished run.
    pub shelf: RwSignal<Shelf>,
    /// The runs of the study.
    pub plan: Memo<Plan>,
    /// What each run depends on.
    pub keys: Memo<Vec<String>>,
    /// The finished runs among them.
    pub found: Memo<Vec<Option<Arc<Kept>>>>,
    /// What is known about the network.
    pub survey: RwSignal<Option<Survey>>,
    /// What parts are and settings do, once the form is in use.
    pub help: RwSignal<Vec<Remark>>,
    /// All that can be measured of it, once it is.
    pub numbers: RwSignal<Option<Numbers>>,
    /// The same of the default study's network, which the page brings along.
    shipped: StoredValue<Option<Numbers>>,
    /// What analysis says, by curve.
    pub foresights: RwSignal<Vec<Option<Foresight>>>,
    /// The run in progress, or the last one.
    pub run: RwSignal<Run>,
    /// Curves that the legend has switched off.
    pub hidden: RwSignal<Vec<usize>>,
    /// The point that is read out.
    pub selected: RwSignal<Option<Selected>>,
    /// The point that was read out last.
    pub last: RwSignal<Option<Selected>>,
    /// What is said to the reader.
    pub notice: RwSignal<Option<Notice>>,
    /// How the page presents the study.
    pub page: StoredValue<Presentation>,
    /// Whether the study came with the address and was not touched since.
    by_link: StoredValue<bool>,
    /// What is odd in the files of the fabric that was opened last.
    pub remarks: RwSignal<Vec<String>>,
    /// Files that a worker looks at.
    pub opening: StoredValue<Vec<Content>>,
    /// The files that the workers have, by their digests.
    pub handed: StoredValue<Vec<u64>>,
    /// Whether files are kept in this browser.
    pub keeps: RwSignal<bool>,
    /// Whether it is asked which parts fit the network.
    fitting: StoredValue<bool>,
    generation: StoredValue<u32>,
    /// The files that workers write, as a run of which each is a part.
    pub writing: RwSignal<Run>,
    /// The query of the study that was last opened or run: where the way back leads.
    settled: StoredValue<String>,
    /// The generation of the latest questions.
    asked: StoredValue<u32>,
    /// How many runs have come to their end.
    pub finished: RwSignal<u32>,
    pool: StoredValue<Option<Pool>, LocalStorage>,
    /// The drawing of the network, where it is shown.
    fabric: StoredValue<Option<Rc<View>>, LocalStorage>,
    /// The section on the routes, where it is shown.
    pub desk: StoredValue<Option<Rc<Desk>>, LocalStorage>,
}

impl Store {
    /// The state of a page that was opened at the browser's present address.
    pub fn new() -> Store {
        let study = RwSignal::new(Study::default());
        let mut shipped = unpack_records(SHIPPED).unwrap_or_default();
        let numbers = shipped.pop().and_then(|record| record.fabric);
        let shelf = RwSignal::new(Shelf::shipped(shipped));
        let plan = memo(move || study.with(|study| study.plan().unwrap_or_else(|_| empty())));
        let keys = memo(move || plan.with(shelf::keys));
        let found = memo(move || {
            shelf.with(|shelf| plan.with(|plan| keys.with(|keys| shelf.find(plan, keys))))
        });
        let page = Presentation::read(&browser::search(), &browser::fragment());
        let store = Store {
            study,
            draft: RwSignal::new(None),
            problems: RwSignal::default(),
            refusals: RwSignal::default(),
            shelf,
            plan,
            keys,
            found,
            survey: RwSignal::new(None),
            help: RwSignal::new(Vec::new()),
            numbers: RwSignal::new(None),
            shipped: StoredValue::new(numbers),
            foresights: RwSignal::default(),
            run: RwSignal::default(),
            hidden: RwSignal::default(),
            selected: RwSignal::new(None),
            last: RwSignal::new(None),
            notice: RwSignal::new(None),
            page: StoredValue::new(page),
            by_link: StoredValue::new(false),
            remarks: RwSignal::default(),
            opening: StoredValue::default(),
            handed: StoredValue::default(),
            keeps: RwSignal::new(false),
            fitting: StoredValue::new(false),
            generation: StoredValue::new(0),
            writing: RwSignal::default(),
            settled: StoredValue::default(),
            asked: StoredValue::new(0),
            finished: RwSignal::new(0),
            pool: StoredValue::new_local(None),
            fabric: StoredValue::new_local(None),
            desk: StoredValue::new_local(None),
        };
        store.open_pool();
        let link = address::study_text(&browser::search(), &browser::fragment());
        store.by_link.set_value(!link.is_empty());
        store.read_address();
        store
    }

    /// Whether the page is a figure inside another page.
    pub fn embedded(self) -> bool {
        self.page.with_value(|page| page.embed)
    }

    /// Takes the study from the address.
    pub fn read_address(self) {
        let text = address::study_text(&browser::search(), &browser::fragment());
        self.settled.set_value(text.replace(' ', "&"));
        self.read(text);
        // A finished figure in another page starts no worker before somebody uses it.
        let complete = self.found.with_untracked(|found| found.iter().all(Option::is_some));
        if !(self.embedded() && complete) {
            self.ask();
        } else {
            self.foresights.set(self.known_foresights());
        }
    }

    /// Takes the study from a text that was written outside the form.
    pub fn read_text(self, text: String) {
        self.by_link.set_value(false);
        self.read(text);
        self.changed();
    }

    fn read(self, text: String) {
        self.cancel();
        match Study::parse(&text) {
            Ok(study) => {
                self.draft.set(None);
                self.problems.set(Vec::new());
                self.study.set(study);
            }
            Err(Problems { problems, rest }) => {
                self.draft.set(Some(text));
                self.problems.set(problems);
                self.study.set(*rest);
            }
        }
        self.forget_view();
    }

    /// Follows the text while it is being written.
    pub fn write_draft(self, text: String) {
        self.read_text(text.clone());
        self.draft.set(Some(text));
    }

    /// Ends the writing: a text without problems takes its canonical form.
    pub fn settle_draft(self) {
        if self.problems.with_untracked(Vec::is_empty) {
            self.draft.set(None);
        }
    }

    /// Takes a study from the form.
    pub fn adopt(self, study: Study) {
        self.by_link.set_value(false);
        self.cancel();
        self.draft.set(None);
        self.problems.set(Vec::new());
        self.study.set(study);
        self.forget_view();
        self.changed();
    }

    /// Tells the drawing of the network what happens from now on.
    pub fn attach(self, view: Rc<View>) {
        self.fabric.set_value(Some(view));
    }

    /// Tells the drawing of the network something, where the page has it.
    pub fn with_fabric(self, tell: impl FnOnce(&Rc<View>)) {
        // A handle outside the store: what the view does may reach back into it.
        if let Some(view) = self.fabric.get_value() {
            tell(&view);
        }
    }

    /// What shows the former study only.
    fn forget_view(self) {
        self.hidden.set(Vec::new());
        self.selected.set(None);
        self.last.set(None);
        self.with_fabric(|view| view.outdate());
        self.with_desk(|desk| desk.outdate());
        self.refusals.set(Vec::new());
        self.notice.set(None);
    }

    /// The study as people read it.
    pub fn text(self) -> String {
        let study = crate::edit::unsigned(&self.study.get());
        self.draft.get().unwrap_or_else(|| study.text(Detail::Basic))
    }

    /// Every record of the study in its order; nothing while one is missing.
    pub fn records(self) -> Option<Vec<Record>> {
        let found = self.found.get();
        let all: Option<Vec<_>> = found.into_iter().collect();
        let all = all.filter(|all| !all.is_empty())?;
        Some(all.iter().map(|kept| kept.record.clone()).collect())
    }

    /// The records that are there, in the order of the study.
    pub fn present_records(self) -> Vec<Record> {
        let found = self.found.get();
        found.iter().flatten().map(|kept| kept.record.clone()).collect()
    }

    /// The study, with what came out when all of it is there.
    pub fn signed(self) -> Study {
        let study = crate::edit::unsigned(&self.study.get());
        match self.records() {
            Some(records) => Study {
                engine: Some(ENGINE_VERSION),
                digest: Some(study_digest(&records)),
                ..study
            },
            None => study,
        }
    }

    /// The address of the study on its own page.
    pub fn link(self) -> String {
        address::link(&browser::base(), &self.signed())
    }

    /// How the results compare with what the link promised, once all were simulated here.
    pub fn verdict(self) -> Option<Verdict> {
        let study = self.study.get();
        let promised = study.digest?;
        let here = |kept: &Option<Arc<Kept>>| kept.as_ref().is_some_and(|kept| !kept.shipped);
        if !self.found.with(|found| found.iter().all(here)) {
            return None;
        }
        let same = study_digest(&self.records()?) == promised;
        Some(match same {
            true => Verdict::Reproduced,
            false => Verdict::Differs(study.engine.unwrap_or(ENGINE_VERSION)),
        })
    }

    /// Says something that goes away by itself.
    pub fn say(self, text: &str) {
        let notice = Some(Notice::Passing(text.to_owned()));
        self.notice.set(notice.clone());
        let fade = move || {
            if self.notice.get_untracked() == notice {
                self.notice.set(None);
            }
        };
        set_timeout(fade, std::time::Duration::from_secs(4));
    }
}

/// The plan of a study whose axes contradict each other.
fn empty() -> Plan {
    Plan {
        x: X { label: "Load".to_owned(), unit: Some(dragontree::catalog::Unit::Load) },
        curves: Vec::new(),
        jobs: Vec::new(),
    }
}
