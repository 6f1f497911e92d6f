//! Opening the files of a fabric: with a button, or by dropping them on the page.

use dragontree::catalog::data;
use dragontree::scenario::{Entry, KEYS, Key, Study};
use dragontree_worker::{Content, Opened, Request};
use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{DragEvent, File, FileList};

use crate::live::{live, on, when};
use crate::store::{Notice, Store};
use crate::{browser, edit, kept, words};

/// The largest file that is opened, in bytes.
const LARGEST: f64 = 64e6;
/// The most remarks about a file that are shown.
const MOST_REMARKS: usize = 20;

/// The button, and what was odd in the files.
#[component]
pub fn OpenFabric() -> impl IntoView {
    let store = expect_context::<Store>();
    let input = NodeRef::<html::Input>::new();
    let press = move |_| {
        if let Some(input) = input.get_untracked() {
            input.click();
        }
    };
    let take = move |_| {
        if let Some(input) = input.get_untracked() {
            take(store, input.files());
            // The same file may be chosen again after it was changed.
            input.set_value("");
        }
    };
    let forget = move |_| {
        browser::spawn(async move {
            kept::forget().await;
            store.keeps.set(false);
        });
    };
    view! {
        <div class="open-fabric">
            <button type="button" class="quiet" on:click=on(press)>"Open your own files…"</button>
            <input
                node_ref=input
                type="file"
                multiple
                hidden
                aria-label="Files of a fabric"
                on:change=on(take)
            />
            {live(move || remarks(&store.remarks.get()))}
            {when(move || store.keeps.get(), move || view! {
                <p class="help">
                    {format!("Opened files are kept in this browser only, up to {} MB in all. ", kept::MOST / 1_000_000)}
                    <button type="button" class="link" on:click=on(forget)>"Forget them"</button>
                </p>
            }.into_any())}
        </div>
    }
}

fn remarks(all: &[String]) -> Option<AnyView> {
    let shown = all.iter().take(MOST_REMARKS).cloned();
    let items: Vec<_> = shown.map(|text| view! { <li>{text}</li> }).collect();
    let more = all.len().saturating_sub(MOST_REMARKS);
    let rest = (more > 0).then(|| view! { <li>{format!("and {more} more")}</li> });
    let count = words::grouped(all.len() as u64);
    let noun = if all.len() == 1 { "remark" } else { "remarks" };
    (!all.is_empty()).then(|| {
        view! {
            <details class="remarks">
                <summary>{format!("{count} {noun} on the file")}</summary>
                <ul>{items}{rest}</ul>
            </details>
        }
        .into_any()
    })
}

/// Takes files that are dropped anywhere on the page.
pub fn listen_to_drops(store: Store) {
    let over = window_event_listener(ev::dragover, |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
        }
    });
    let drop = window_event_listener(ev::drop, move |event: DragEvent| {
        if has_files(&event) {
            event.prevent_default();
            take(store, event.data_transfer().and_then(|transfer| transfer.files()));
        }
    });
    on_cleanup(move || {
        over.remove();
        drop.remove();
    });
}

fn has_files(event: &DragEvent) -> bool {
    let types = event.data_transfer().map(|transfer| transfer.types());
    types.is_some_and(|types| types.includes(&"Files".into(), 0))
}

/// Reads the files and hands them to a worker, which says what they are.
fn take(store: Store, files: Option<FileList>) {
    let Some(files) = files else { return };
    // The list is emptied with the input, before the files are read.
    let files: Vec<File> = (0..files.length()).filter_map(|index| files.get(index)).collect();
    if files.is_empty() {
        return;
    }
    browser::spawn(async move {
        let mut contents = Vec::new();
        for file in files {
            if file.size() > LARGEST {
                let text = format!(
                    "{} has {:.0} MB; files of up to {:.0} MB can be opened.",
                    file.name(),
                    file.size() / 1e6,
                    LARGEST / 1e6
                );
                store.notice.set(Some(Notice::Lasting(text)));
                return;
            }
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            match text {
                Some(text) => contents.push(Content { name: file.name(), text }),
                None => {
                    let text = format!("{} could not be read.", file.name());
                    store.notice.set(Some(Notice::Lasting(text)));
                    return;
                }
            }
        }
        store.open(contents);
    });
}

impl Store {
    /// Asks a worker what the files of a fabric are.
    fn open(self, files: Vec<Content>) {
        let generation = self.question();
        self.opening.set_value(files.clone());
        self.ask_also(Request::Open { generation, files });
    }

    /// Has the workers and the browser keep files that the study names by their digests.
    fn keep(self, files: Vec<Content>) {
        let digested = files.into_iter().map(|file| (data::digest(&file.text), file));
        let files: Vec<(u64, Content)> = digested.collect();
        for (digest, file) in &files {
            self.hand(*digest, file.clone());
        }
        browser::spawn(async move {
            for (digest, file) in files {
                let kept = kept::keep(digest, &file).await.is_some();
                self.keeps.update(|keeps| *keeps |= kept);
            }
        });
    }

    /// Makes the opened files the topology and the routing.
    pub fn opened(self, opened: Opened) {
        let files = self.opening.try_update_value(std::mem::take).unwrap_or_default();
        let named =
            |token: &Option<String>| token.as_ref().is_some_and(|token| token.starts_with("file."));
        let of_ranks = opened.parts.iter().flatten().any(|word| word.starts_with("file."));
        if of_ranks || [&opened.fabric, &opened.lfts, &opened.levels].into_iter().any(named) {
            self.keep(files);
        }
        let edited = self.study.with_untracked(|study| {
            // Tables and service levels may be opened one after the other, but belong to a fabric.
            let fresh = opened.fabric.is_some();
            let study = import(study, "topology", &[("data", &opened.fabric)], true)?;
            let tables = [("lfts", &opened.lfts), ("levels", &opened.levels)];
            let mut study = import(&study, "routing", &tables, fresh)?;
            for part in &opened.parts {
                if let [key, part, token] = &part[..] {
                    study = take_part(&study, key, part, token)?;
                }
            }
            Ok(study)
        });
        match edited {
            Ok(study) => self.adopt(study),
            Err(problems) => self.refusals.set(problems),
        }
        self.remarks.set(opened.notices);
        if opened.lfts.is_some() || opened.levels.is_some() {
            self.with_desk(|desk| desk.unfold());
        }
    }
}

/// Makes an opened file that of the only part of a key.
fn take_part(study: &Study, key: &str, part: &str, token: &str) -> edit::Edited {
    let find = |name| KEYS.iter().find(|known| known.name == name);
    // A matrix is traffic unless it was chosen as an exchange.
    let chosen =
        |key: &&Key| study.entries(None, key).iter().any(|e| e.part.as_deref() == Some(part));
    let Some(key) = find("exchange").filter(chosen).or_else(|| find(key)) else {
        return Ok(study.clone());
    };
    let mut study = edit::choose(&edit::only(study, key, part)?, key, 0, part)?;
    if key.name == "traffic" {
        ["exchange", "bytes"].iter().for_each(|other| study.common.entries_mut(other).clear());
    }
    edit::set(&study, key, 0, "data", token)
}

/// Makes opened files, where there are some, what a key takes; unless `fresh`, beside what it took
/// before.
fn import(
    study: &Study,
    key: &str,
    files: &[(&str, &Option<String>)],
    fresh: bool,
) -> edit::Edited {
    let mut study = study.clone();
    let given = files.iter().filter_map(|(setting, token)| Some((*setting, token.as_deref()?)));
    let given: Vec<(&str, &str)> = given.collect();
    let Some(key) = KEYS.iter().find(|known| known.name == key) else { return Ok(study) };
    let entries = study.entries(None, key);
    let joins = |only: &Entry| !fresh && only.part.as_deref() == Some("imported");
    if !given.is_empty() && !matches!(&entries[..], [only] if joins(only)) {
        study = edit::only(&study, key, "imported")?;
    }
    for (setting, token) in given {
        study = edit::set(&study, key, 0, setting, token)?;
    }
    Ok(study)
}
