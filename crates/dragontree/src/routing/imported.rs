//! Tables from files, as a subnet manager wrote them.

use std::sync::Arc;

use super::tables::check_size;
use super::{Algorithm, Layers, Routes, Tables};
use crate::catalog::{Data, Form, Part, Problem, Setting, Settings};
use crate::interchange::levels::{self, Level};
use crate::interchange::{Notice, Source, Unreadable, lfts};
use crate::network::{Lfts, Needs, Network, Node, SwitchId, Target};

/// The forwarding tables of a dump, on the network that they were made for or any other whose
/// switches have those GUIDs; with them, where they are given, the service levels of the pairs,
/// each a virtual layer of its own. What the tables say is followed as it is, loops and dead ends
/// included: such pairs have no route.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The dumps: `opensm-lfts.dump`, or what `dump_lfts` or `ibroute` print.
    pub lfts: Data,
    /// Service levels: lines `SLID DLID SL`.
    pub levels: Option<Data>,
}

/// What is read when no file is named: OpenSM's MinHop tables of a ring of five switches.
const EXAMPLE: &str = include_str!("imported/example.txt");

/// The most pairs whose layers are kept one by one.
const MOST_PAIRS: u64 = 1 << 28;

/// What files say of the routes of a network.
pub struct Import {
    /// The tables.
    pub lfts: Lfts,
    /// The virtual layers.
    pub layers: Layers,
    /// What does not fit the network, or is not taken over.
    pub notices: Vec<Notice>,
}

impl Imported {
    /// What the files say of a network, with what is odd in them.
    ///
    /// # Errors
    /// A file is not there, lines of it cannot be read, or none of its tables belongs to the
    /// network.
    pub fn import(&self, network: &Network) -> Result<Import, Vec<Problem>> {
        let contents = contents("lfts", &self.lfts, EXAMPLE)?;
        let read = lfts::read_own(&sources(&contents), network);
        let reading = read.map_err(|wrong| unreadable("lfts", &contents, &wrong))?;
        if reading.tables == 0 && network.switch_count() > 0 {
            let allowed = "its tables are those of other switches than this network has; tables \
                           and network must come from the same fabric";
            return Err(vec![Problem::new("lfts", names(&contents), allowed)]);
        }
        let mut import =
            Import { lfts: reading.lfts, layers: Layers::One, notices: reading.notices };
        if let Some(data) = &self.levels {
            let contents = self::contents("levels", data, "")?;
            let read = levels::read(&sources(&contents), network);
            let reading = read.map_err(|wrong| unreadable("levels", &contents, &wrong))?;
            import.layers = layers(network, &reading.levels).map_err(|problem| vec![problem])?;
            import.notices.extend(reading.notices);
        }
        Ok(import)
    }
}

impl Imported {
    /// The routes, with what is odd in the files.
    ///
    /// # Errors
    /// As [`import`](Self::import), and the tables would be too large.
    pub fn find_with_notices(
        &self,
        network: &Arc<Network>,
    ) -> Result<(Routes, Vec<Notice>), Vec<Problem>> {
        check_size(network, self.name())
            .map_err(|needs| vec![Problem::new("", "", needs.to_string())])?;
        let Import { lfts, layers, notices } = self.import(network)?;
        Ok((Routes::Tables(Box::new(Tables::new(network.clone(), lfts, layers))), notices))
    }
}

type Contents<'a> = Vec<(&'a str, &'a str)>;

fn contents<'a>(key: &str, data: &'a Data, example: &'a str) -> Result<Contents<'a>, Vec<Problem>> {
    let renamed = |problem: Problem| vec![Problem { key: key.to_owned(), ..problem }];
    data.contents(example).map_err(renamed)
}

fn sources<'a>(contents: &Contents<'a>) -> Vec<Source<'a>> {
    contents.iter().map(|(name, text)| Source { name, text }).collect()
}

fn names(contents: &Contents<'_>) -> String {
    contents.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn unreadable(key: &str, contents: &Contents<'_>, wrong: &[Unreadable]) -> Vec<Problem> {
    let names = names(contents);
    wrong.iter().map(|each| Problem::new(key, names.clone(), each.to_string())).collect()
}

/// Layers by the sources' switches where that is enough, else by the sources.
fn layers(network: &Network, levels: &[Level]) -> Result<Layers, Problem> {
    let highest = levels.iter().map(|level| level.level).max().unwrap_or(0);
    let (targets, switches) = (network.target_count() as usize, network.switch_count() as usize);
    const UNKNOWN: u8 = u8::MAX;
    let mut paths = vec![UNKNOWN; targets * switches];
    let mut by_switch = true;
    for Level { source, destination, level } in levels {
        if let Some(switch) = switch_of(network, *source) {
            let path = &mut paths[destination.0 as usize * switches + switch.index()];
            by_switch &= *path == UNKNOWN || path == level;
            *path = *level;
        }
    }
    let count = highest + 1;
    if by_switch {
        paths.iter_mut().filter(|layer| **layer == UNKNOWN).for_each(|layer| *layer = 0);
        return Ok(Layers::PerPath { count, layers: paths });
    }
    let pairs = (targets as u64).saturating_mul(targets as u64);
    if pairs > MOST_PAIRS {
        let allowed = format!(
            "levels that differ between the endpoints of a switch can be kept for up to \
             {MOST_PAIRS} pairs; this network has {pairs}"
        );
        return Err(Problem::new("levels", "", allowed));
    }
    let mut layers = vec![0; targets * targets];
    for Level { source, destination, level } in levels {
        layers[destination.0 as usize * targets + source.0 as usize] = *level;
    }
    Ok(Layers::PerPair { count, layers })
}

fn switch_of(network: &Network, source: Target) -> Option<SwitchId> {
    match network.target(source) {
        (Node::Switch(switch), _) => Some(switch),
        (_, port) => match network.neighbor(port?)? {
            Node::Switch(switch) => Some(switch),
            Node::Endpoint(_) => None,
        },
    }
}

impl Settings for Imported {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(
            Setting::written(
                "lfts",
                "Tables",
                "The forwarding tables: opensm-lfts.dump, or what dump_lfts or ibroute print.",
                &mut self.lfts,
            )
            .text_only(),
        );
        form.setting(
            Setting::written(
                "levels",
                "Service levels",
                "The service level of every pair, in lines of two local ids and the level.",
                &mut self.levels,
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
        crate::catalog::help("The forwarding tables that OpenSM or another subnet manager dumped.")
    }
}

impl Algorithm for Imported {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        check_size(network, self.name())?;
        self.find(network, 0).map_err(|_| Needs {
            part: self.name(),
            structure: "a file with the tables of its switches",
            found: "none that fits",
        })
    }

    fn find(&self, network: &Arc<Network>, _seed: u64) -> Result<Routes, Vec<Problem>> {
        self.find_with_notices(network).map(|(routes, _)| routes)
    }
}
