//! A fabric from a file.

use super::Build;
use crate::catalog::{Data, Form, Part, Problem, Setting, Settings};
use crate::interchange::{self, Reading, Source};
use crate::network::{Links, Network};

/// A fabric as a file describes it; the rates and latencies of the links apply where the file
/// says nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The file, or several with a rail each.
    pub data: Data,
}

/// What is read when no file is named: a ring of five switches with two hosts each, as OpenSM saw
/// it.
const EXAMPLE: &str = include_str!("imported/example.txt");

impl Imported {
    /// What the file says, with what is odd in it.
    ///
    /// # Errors
    /// The file is not there, or a line of it cannot be read.
    pub fn reading(&self) -> Result<Reading, Problem> {
        let contents = self.data.contents(EXAMPLE)?;
        let sources: Vec<Source<'_>> =
            contents.iter().map(|(name, text)| Source { name, text }).collect();
        let names: Vec<&str> = contents.iter().map(|(name, _)| *name).collect();
        interchange::read(&sources)
            .map_err(|error| Problem::new("data", names.join(", "), error.to_string()))
    }
}

impl Settings for Imported {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::written(
                "data",
                "File",
                "The fabric: what ibnetdiscover prints, a list of links, a DOT graph or JSON.",
                &mut self.data,
            )
            .text_only(),
        );
    }
}

impl Part for Imported {
    fn name(&self) -> &'static str {
        "imported"
    }
    fn label(&self) -> &'static str {
        "From a file"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "A fabric of your own, from ibnetdiscover, a list of links, a DOT graph or JSON.",
        )
    }
}

impl Build for Imported {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let reading = self.reading().map_err(|problem| vec![problem])?;
        let network = reading.fabric.network(links);
        network.map_err(|miswired| vec![Problem::new("data", "", miswired.to_string())])
    }
}
