//! Bulky contents of settings: carried along in the text, or in files that it names by a digest.
//!
//! `data=z.LENGTH.CHECKSUM.DATA` carries a text of so many bytes: compressed (DEFLATE), in the
//! letters of base64url. `data=file.DIGEST` names a file by the FNV-1a-64 of its text, in 16
//! hexadecimal digits, and whoever runs the experiment supplies it as [`Files`].

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;

use super::{Field, Form, Problem, Setting, Written};

mod inline;
#[cfg(feature = "complete")]
mod packed;
#[cfg(not(feature = "complete"))]
mod sealed;

use inline::decode;

/// The most files that one setting may name.
const MOST_FILES: usize = 16;

/// A file's name and text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, for messages only.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Files by the digests of their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    files: BTreeMap<u64, Arc<File>>,
}

impl Files {
    /// Adds a file and returns its digest. A byte order mark at the start is dropped, as a
    /// browser does.
    pub fn add(&mut self, name: impl Into<String>, text: &str) -> u64 {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let digest = digest(text);
        let file = File { name: name.into(), text: text.to_owned() };
        self.files.entry(digest).or_insert_with(|| file.into());
        digest
    }

    /// The file of this digest.
    pub fn get(&self, digest: u64) -> Option<&Arc<File>> {
        self.files.get(&digest)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// The FNV-1a-64 of a text.
pub fn digest(text: &str) -> u64 {
    let mut hasher = fnv::FnvHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The value of a setting that carries or names a content.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Data {
    /// The content that the part brings with it, `example` in the text.
    #[default]
    Example,
    /// A content carried along.
    Inline {
        /// How it is written.
        token: Arc<str>,
        /// What it says; empty without the feature `complete`, where no part reads it.
        text: Arc<str>,
    },
    /// Files, each by its digest, with its content once that is attached.
    Files(Vec<(u64, Option<Arc<File>>)>),
}

impl Data {
    /// The files that a value names.
    pub fn files(digests: &[u64]) -> Data {
        Data::Files(digests.iter().map(|digest| (*digest, None)).collect())
    }

    /// Names and texts of the contents; `example` is what the part brings with it.
    ///
    /// # Errors
    /// A file has not been attached.
    pub fn contents<'a>(&'a self, example: &'a str) -> Result<Vec<(&'a str, &'a str)>, Problem> {
        match self {
            Data::Example => Ok(vec![("the example", example)]),
            Data::Inline { text, .. } => Ok(vec![("the text's own data", text)]),
            Data::Files(files) => {
                let content = |(digest, file): &'a (u64, Option<Arc<File>>)| match file {
                    Some(file) => Ok((file.name.as_str(), file.text.as_str())),
                    None => {
                        let allowed = format!(
                            "this experiment needs the file with the digest {digest:016x}; open it"
                        );
                        Err(Problem::new("data", self.print(), allowed))
                    }
                };
                files.iter().map(content).collect()
            }
        }
    }
}

fn read_digest(text: &str) -> Option<u64> {
    let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| digits)
}

impl Written for Data {
    fn read(&mut self, text: &str) -> bool {
        let read = match text.strip_prefix("file.") {
            _ if text == "example" => Some(Data::Example),
            Some(digests) => {
                let digests: Option<Vec<u64>> = digests.split('.').map(read_digest).collect();
                digests.filter(|list| list.len() <= MOST_FILES).map(|list| Data::files(&list))
            }
            None => {
                let content = decode(text).ok();
                content.map(|content| Data::Inline { token: text.into(), text: content.into() })
            }
        };
        read.map(|data| *self = data).is_some()
    }

    fn print(&self) -> String {
        match self {
            Data::Example => "example".to_owned(),
            Data::Inline { token, .. } => token.to_string(),
            Data::Files(files) => {
                let digest = |(digest, _): &(u64, _)| format!(".{digest:016x}");
                format!("file{}", files.iter().map(digest).collect::<String>())
            }
        }
    }

    fn allowed(&self) -> &'static str {
        "file.DIGEST with the 16 digits of a file, several files with dots between them; \
         z.LENGTH.CHECKSUM.DATA with the content itself; or example"
    }

    fn example(&self) -> &'static str {
        "file.cbf29ce484222325"
    }

    fn refusal(&self, text: &str) -> Option<String> {
        match text.split('.').next() {
            Some("file" | "example") | None => None,
            Some(_) if !text.contains('.') => None,
            Some(_) => decode(text).err().map(|damaged| damaged.to_string()),
        }
    }

    fn missing(&self) -> Vec<u64> {
        match self {
            Data::Files(files) => {
                let missing = files.iter().filter(|(_, file)| file.is_none());
                missing.map(|(digest, _)| *digest).collect()
            }
            _ => Vec::new(),
        }
    }

    fn attach(&mut self, files: &Files) {
        if let Data::Files(wanted) = self {
            for (digest, file) in wanted {
                *file = files.get(*digest).cloned().or(file.take());
            }
        }
    }
}

/// A content that may be missing, which is written as `none`.
impl Written for Option<Data> {
    fn read(&mut self, text: &str) -> bool {
        if text == "none" {
            *self = None;
            return true;
        }
        let mut data = Data::default();
        let read = data.read(text);
        if read {
            *self = Some(data);
        }
        read
    }

    fn print(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Written::print)
    }

    fn allowed(&self) -> &'static str {
        "file.DIGEST with the 16 digits of a file, several files with dots between them; \
         z.LENGTH.CHECKSUM.DATA with the content itself; or none"
    }

    fn example(&self) -> &'static str {
        Data::Example.example()
    }

    fn refusal(&self, text: &str) -> Option<String> {
        Data::Example.refusal(text)
    }

    fn missing(&self) -> Vec<u64> {
        self.as_ref().map(Written::missing).unwrap_or_default()
    }

    fn attach(&mut self, files: &Files) {
        if let Some(data) = self {
            data.attach(files);
        }
    }
}

/// Gives the settings that `show` shows the files that they name.
pub fn attach(show: impl FnOnce(&mut dyn Form), files: &Files) {
    struct Attacher<'a>(&'a Files);
    impl Form for Attacher<'_> {
        fn setting(&mut self, setting: Setting<'_>) {
            if let Field::Written { value } = setting.field {
                value.attach(self.0);
            }
        }
    }
    show(&mut Attacher(files));
}

/// The digests of the files that the settings name and have not been given.
pub fn missing(show: impl FnOnce(&mut dyn Form)) -> Vec<u64> {
    struct Collector(Vec<u64>);
    impl Form for Collector {
        fn setting(&mut self, setting: Setting<'_>) {
            if let Field::Written { value } = setting.field {
                self.0.extend(value.missing());
            }
        }
    }
    let mut collector = Collector(Vec::new());
    show(&mut collector);
    collector.0
}

#[cfg(test)]
mod tests;
