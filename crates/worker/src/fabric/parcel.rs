//! Drawings and loads as they travel: numbers in two lists, words in one text.

use super::{ANCHOR, BUNDLE, Broken, Loads, NODE, NONE, Picture};
use crate::wire::wire_struct;

/// Everything of a drawing, or the loads on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parcel {
    numbers: Vec<u32>,
    floats: Vec<f32>,
    words: String,
}

wire_struct! { Parcel { numbers, floats, words } }

/// Separates texts of several lines.
const MARK: char = '\u{1}';

/// The front part of a series, which is taken off.
fn take<T: Clone>(series: &mut &[T], count: usize) -> Option<Vec<T>> {
    let (front, rest) = series.split_at_checked(count)?;
    *series = rest;
    Some(front.to_vec())
}

impl From<Picture> for Parcel {
    fn from(picture: Picture) -> Parcel {
        let Broken { links, switches, endpoints } = &picture.broken;
        let mut numbers = vec![
            u32::from(picture.matrix),
            u32::from(picture.stretches),
            picture.open.unwrap_or(NONE),
            picture.node_count() as u32,
            picture.bundle_count() as u32,
            links.len() as u32,
            switches.len() as u32,
        ];
        numbers.extend(&picture.nodes);
        numbers.extend(&picture.bundles);
        numbers.extend(links.as_flattened());
        numbers.extend(switches);
        numbers.extend(endpoints);
        let mut floats = picture.places;
        floats.extend(picture.controls);
        floats.extend(picture.anchors);
        let words = format!("{}{MARK}{}{MARK}{}", picture.names, picture.kinds, picture.captions);
        Parcel { numbers, floats, words }
    }
}

impl Picture {
    /// Unpacks a drawing; none when the parcel holds something else.
    pub fn unpack(parcel: &Parcel) -> Option<Picture> {
        let mut numbers = &parcel.numbers[..];
        let header = take(&mut numbers, 7)?;
        let [nodes, bundles, links, switches] = [3, 4, 5, 6].map(|place| header[place] as usize);
        let mut floats = &parcel.floats[..];
        let mut words = parcel.words.split(MARK).map(str::to_owned);
        let picture = Picture {
            matrix: header[0] != 0,
            stretches: header[1] != 0,
            open: (header[2] != NONE).then_some(header[2]),
            nodes: take(&mut numbers, nodes * NODE)?,
            places: take(&mut floats, nodes * 2)?,
            bundles: take(&mut numbers, bundles * BUNDLE)?,
            controls: take(&mut floats, bundles * 2)?,
            broken: Broken {
                links: take(&mut numbers, links * 2)?.as_chunks().0.to_vec(),
                switches: take(&mut numbers, switches)?,
                endpoints: numbers.to_vec(),
            },
            anchors: floats.to_vec(),
            names: words.next()?,
            kinds: words.next()?,
            captions: words.next()?,
        };
        let captions = picture.captions.lines().count();
        (picture.anchors.len() == captions * ANCHOR).then_some(picture)
    }
}

impl From<Loads> for Parcel {
    fn from(loads: Loads) -> Parcel {
        let Loads { bundles, busiest, alike } = loads;
        let (busiest, forward) = busiest.unwrap_or((NONE, false));
        let numbers = vec![busiest, u32::from(forward), alike];
        Parcel { numbers, floats: bundles, words: String::new() }
    }
}

impl Loads {
    /// Unpacks loads; none when the parcel holds something else.
    pub fn unpack(parcel: Parcel) -> Option<Loads> {
        let [busiest, forward, alike] = parcel.numbers[..] else { return None };
        let busiest = (busiest != NONE).then_some((busiest, forward != 0));
        Some(Loads { bundles: parcel.floats, busiest, alike })
    }
}
