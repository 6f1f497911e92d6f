//! Valiant routing: every packet goes minimally to a random place, and from there minimally on.
//!
//! That makes uniform traffic of any traffic, at the price of twice the way (Valiant 1982; Kim et
//! al. 2008; Prisacari 2020, §5.2, §6.2, §7.3.2). Packets between endpoints of one switch stay there.
//! Where there is no place besides those of source and destination, the way is minimal. Ways with
//! a broken link or switch are not drawn.

use std::sync::Arc;

use super::minimal::{OnlyLinks, Over};
use super::{
    Algorithm, Code, Exit, Halves, Header, Hop, Oblivious, Pair, Queues, Route, Routes, Sharing,
    Unroutable, Waypoints, Word,
};
use crate::catalog::{Form, Part, Setting, Settings};
use crate::network::{Needs, Network, Node, PortId, SwitchId};
use crate::random::Stream;

mod diameter_two;
mod groups;

use diameter_two::ByCarriers;
pub(super) use groups::ByGroups;

/// Valiant routing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Valiant {
    /// What is drawn.
    pub via: Via,
    /// How packets within a group go.
    pub within: Within,
}

crate::choices! {
    /// The random place on the way.
    pub enum Via {
        /// A switch; on groups one of a third group.
        Switch = "switch", "A switch";
        /// A third group: packets leave it as soon as they can.
        Group = "group", "A group";
    }
}

crate::choices! {
    /// How packets go whose source and destination are in one group. Where the documents route over
    /// a group they say both: that these packets leave it, too (Prisacari 2020, §5.3.1), and a demand
    /// without them (Eq. 5.3).
    pub enum Within {
        /// Over another group, as all others do.
        Indirect = "indirect", "Over another group";
        /// Minimally.
        Minimal = "minimal", "Minimally";
    }
}

impl Settings for Valiant {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::choice(
            "via",
            "Via",
            "What every packet draws: a switch, on groups one of a third group, or only that group.",
            &mut self.via,
        ));
        form.setting(
            Setting::choice(
                "within",
                "Within a group",
                "How packets go between endpoints of one group: over another one, too, or minimally.",
                &mut self.within,
            )
            .advanced(),
        );
    }
}

impl Part for Valiant {
    fn name(&self) -> &'static str {
        "valiant"
    }
    fn label(&self) -> &'static str {
        "Valiant"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Minimally to a random switch or group, and from there minimally on (Prisacari 2020, §6.2 \
         and §7.3.2).",
        )
    }
}

impl Algorithm for Valiant {
    fn routes(&self, network: &Arc<Network>) -> Result<Routes, Needs> {
        Ok(Routes::Oblivious(Box::new(ValiantRoutes::new(network, self, self.name())?)))
    }
}

enum Ways {
    Groups(ByGroups),
    Carriers(ByCarriers),
}

pub(super) struct ValiantRoutes {
    network: Arc<Network>,
    ways: Ways,
    has_holes: bool,
}

/// Which ways are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The minimal ones, on the virtual channels of those that lead over a random place.
    Minimal,
    /// Those over a random place.
    Indirect,
}

/// The steps of the longest way where any two groups have a link: local and global ones to the third
/// group, a local one there, those to the last group, a local one, and that to the endpoint.
pub(super) const LONGEST: u32 = 7;

/// How often a way is drawn anew when it is broken, before all that are whole are listed.
const MOST_DRAWS: u32 = 16;

impl ValiantRoutes {
    /// The ways of a network, for this part.
    ///
    /// # Errors
    /// The network has neither groups nor switches at most two hops apart, or no groups where the
    /// settings are about them.
    pub(super) fn new(
        network: &Arc<Network>,
        settings: &Valiant,
        part: &'static str,
    ) -> Result<ValiantRoutes, Needs> {
        let found = network.structure().name();
        let ways = match Over::of(network, part)? {
            Over::Groups(minimal) => Ways::Groups(ByGroups::new(minimal, settings)),
            Over::DiameterTwo(_) if settings.via == Via::Group => {
                return Err(Needs { part, structure: "groups for “via=group”", found });
            }
            Over::DiameterTwo(_) if settings.within == Within::Minimal => {
                return Err(Needs { part, structure: "groups for “within=minimal”", found });
            }
            Over::DiameterTwo(minimal) => Ways::Carriers(ByCarriers::new(minimal)),
        };
        let has_holes = (0..network.port_count()).map(PortId).any(|port| {
            network.intact_neighbor(port).is_some() && network.neighbor(port).is_none()
        });
        Ok(ValiantRoutes { network: network.clone(), ways, has_holes })
    }

    /// Draws a way, broken or not.
    fn draw(&self, kind: Kind, pair: Pair, stream: &mut Stream) -> Waypoints {
        match (&self.ways, kind) {
            (Ways::Groups(ways), Kind::Minimal) => ways.draw_minimal(pair, stream),
            (Ways::Groups(ways), Kind::Indirect) => ways.draw(pair, stream),
            (Ways::Carriers(ways), Kind::Minimal) => ways.draw_minimal(pair, stream),
            (Ways::Carriers(ways), Kind::Indirect) => ways.draw(pair, stream),
        }
    }

    /// Draws a way; none where all are broken.
    pub(super) fn draw_whole(
        &self,
        kind: Kind,
        pair: Pair,
        stream: &mut Stream,
    ) -> Option<Waypoints> {
        let mut draws = 0;
        loop {
            let waypoints = self.draw(kind, pair, stream);
            if !self.has_holes || self.leads_there(pair, waypoints) {
                return Some(waypoints);
            }
            draws += 1;
            if draws == MOST_DRAWS && self.whole(kind, pair).is_empty() {
                return None;
            }
        }
    }

    /// Shows every way that the network would have if nothing were broken, with its probability.
    fn each(&self, kind: Kind, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        match (&self.ways, kind) {
            (Ways::Groups(ways), Kind::Minimal) => ways.each_minimal(pair, show),
            (Ways::Groups(ways), Kind::Indirect) => ways.each(pair, show),
            (Ways::Carriers(ways), Kind::Minimal) => ways.each_minimal(pair, show),
            (Ways::Carriers(ways), Kind::Indirect) => ways.each(pair, show),
        }
    }

    /// Whether a way leads to its end.
    fn leads_there(&self, pair: Pair, waypoints: Waypoints) -> bool {
        let end = self.ports(pair, waypoints).last().and_then(|port| self.network.neighbor(port));
        end == Some(Node::Endpoint(pair.destination))
    }

    /// The ways of a pair that are whole, with their probabilities when one of them is drawn.
    pub(super) fn whole(&self, kind: Kind, pair: Pair) -> Vec<(Waypoints, f64)> {
        let mut whole = Vec::new();
        self.each(kind, pair, &mut |waypoints, share| {
            if !self.has_holes || self.leads_there(pair, waypoints) {
                whole.push((waypoints, share));
            }
        });
        let total: f64 = whole.iter().map(|(_, share)| share).sum();
        whole.iter_mut().for_each(|(_, share)| *share /= total);
        whole
    }

    /// Ways on groups of which every two have one link, and the links.
    #[inline]
    pub(super) fn by_only_links(&self) -> Option<(&ByGroups, &OnlyLinks)> {
        match &self.ways {
            Ways::Groups(ways) => Some((ways, ways.only_links()?)),
            Ways::Carriers(_) => None,
        }
    }

    /// The ports by which a way leaves the switches on it, that of the destination included.
    pub(super) fn ports(&self, pair: Pair, waypoints: Waypoints) -> impl Iterator<Item = PortId> {
        let mut header = Header { destination: pair.destination, waypoints, stage: 0 };
        let mut at = self.network.switch_of(pair.source);
        std::iter::from_fn(move || {
            let port = self.next(at?, &mut header).ok()?.port;
            at = match self.network.neighbor(port) {
                Some(Node::Switch(next)) => Some(next),
                Some(Node::Endpoint(_)) | None => None,
            };
            Some(port)
        })
    }
}

impl Route for ValiantRoutes {
    fn virtual_channels(&self) -> u8 {
        match &self.ways {
            Ways::Groups(ways) => ways.virtual_channels(),
            Ways::Carriers(ways) => ways.virtual_channels(),
        }
    }

    fn inject(&self, pair: Pair, stream: &mut Stream, _queues: &dyn Queues) -> Waypoints {
        self.draw_whole(Kind::Indirect, pair, stream).unwrap_or_default()
    }

    fn next(&self, at: SwitchId, header: &mut Header) -> Result<Hop, Unroutable> {
        match &self.ways {
            Ways::Groups(ways) => ways.next(at, header),
            Ways::Carriers(ways) => ways.next(at, header),
        }
    }

    fn drawn_word(
        &self,
        from: SwitchId,
        pair: Pair,
        stream: &mut Stream,
        _queues: &dyn Queues,
        code: Code,
    ) -> Option<Word> {
        let (ways, links) = self.by_only_links()?;
        let (home, number) = links.home(pair.destination);
        let ends = [links.spot(from), home];
        let empty = code.writer(LONGEST)?;
        let third = ways.third_between(ends, stream);
        Some(ways.between(links, ends, third, empty).end(Exit { number, vc: 0 }))
    }
}

impl Oblivious for ValiantRoutes {
    fn sharing(&self) -> Sharing {
        Sharing::Switches
    }

    fn ways_per_pair(&self) -> u64 {
        match &self.ways {
            Ways::Groups(ways) => ways.per_pair(),
            Ways::Carriers(ways) => ways.per_pair(),
        }
    }

    fn halves(&self) -> Option<&dyn Halves> {
        match &self.ways {
            _ if self.has_holes => None,
            Ways::Groups(ways) => Some(ways),
            Ways::Carriers(ways) => Some(ways),
        }
    }

    fn choices(&self, pair: Pair, show: &mut dyn FnMut(Waypoints, f64)) {
        if !self.has_holes {
            return self.each(Kind::Indirect, pair, show);
        }
        let whole = self.whole(Kind::Indirect, pair);
        if whole.is_empty() {
            show(Waypoints::default(), 1.0);
        }
        whole.iter().for_each(|(waypoints, share)| show(*waypoints, *share));
    }
}
