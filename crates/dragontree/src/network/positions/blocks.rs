//! Networks too large for drawing every switch: blocks of switches that belong together.

use super::irregular;
use super::{Bend, Point, Positions};
use crate::network::{Grid, Layered, Network, Structure, Subnets, Tree};

/// A partition of the switches.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// The block of each switch.
    pub of: Vec<u32>,
    /// The name of each block.
    pub names: Vec<String>,
    /// The place of each block.
    pub places: Vec<Point>,
    /// How links between blocks are curved.
    pub bend: Bend,
}

/// The most blocks in one row of a drawing.
const MOST_IN_ROW: u32 = 48;
/// The most blocks of a square drawing.
const MOST: u32 = 400;

/// Blocks in the making.
struct Partition {
    of: Vec<u32>,
    names: Vec<String>,
    /// How many nodes of a line are drawn as one.
    factor: f32,
}

impl Partition {
    fn new(network: &Network) -> Partition {
        Partition { of: vec![0; network.switch_count() as usize], names: Vec::new(), factor: 1.0 }
    }

    /// Cuts a row of switches into blocks of so many.
    fn cut(&mut self, row: &[u32], run: u32, name: &str) {
        let (run, width) = (run.max(1), row.len() as u32);
        for (start, switches) in (0..).step_by(run as usize).zip(row.chunks(run as usize)) {
            let block = self.names.len() as u32;
            switches.iter().for_each(|switch| self.of[*switch as usize] = block);
            self.names.push(match (start + run).min(width) - 1 {
                _ if run >= width => name.to_owned(),
                last if last == start => format!("{name}: {start}"),
                last => format!("{name}: {start} to {last}"),
            });
        }
    }
}

impl Positions {
    /// Blocks of switches: groups, columns, parts of a level, tiles of a grid. There are at most
    /// a few hundred.
    pub fn blocks(&self, network: &Network) -> Blocks {
        let Partition { of, names, factor } = match network.structure() {
            Structure::Tree(tree) => levels(network, tree),
            Structure::Layered(layered) => layers(network, layered, None),
            Structure::Grid(grid) => tiles(network, grid),
            Structure::Groups(groups) => {
                let group = network.switches().map(|switch| groups.group(switch));
                merged(group.collect(), groups.group_count, "group")
            }
            Structure::Mms(mms) => {
                let column = network.switches().map(|switch| switch.0 / mms.order);
                merged(column.collect(), 2 * mms.order, "column")
            }
            Structure::Subnets(subnets) => layers(network, &subnets.layers, Some(subnets)),
            Structure::Irregular if !cfg!(feature = "complete") => {
                merged(vec![0; self.switches.len()], 1, "network")
            }
            Structure::Irregular => irregular(network, &self.switches),
        };
        let mut sums = vec![([0.0_f32, 0.0], 0.0_f32); names.len()];
        for ([x, y], block) in self.switches.iter().zip(&of) {
            let (sum, count) = &mut sums[*block as usize];
            *sum = [sum[0] + x, sum[1] + y];
            *count += 1.0;
        }
        let mut places: Vec<Point> =
            sums.into_iter().map(|([x, y], count)| [x / count, y / count]).collect();
        if let Structure::Mms(_) = network.structure() {
            let half = places.len().div_ceil(2).max(1);
            places.chunks_mut(half).for_each(|places| stack(places, &self.switches));
        }
        let mut bend = self.bend.clone();
        bend.coarsen(factor);
        Blocks { of, names, places, bend }
    }
}

/// Puts the columns of half an MMS graph one above the other: their links lead to those of the
/// other half only, and would all lie on one line if they stood side by side. An open column stands
/// beside the stack.
fn stack(columns: &mut [Point], switches: &[Point]) {
    let count = columns.len() as f32;
    let middle = columns.iter().map(|[x, _]| x).sum::<f32>() / count;
    let step = (columns[columns.len() - 1][0] - columns[0][0]) / (count - 1.0).max(1.0);
    let rows = switches.iter().map(|[_, y]| *y);
    let (top, bottom) =
        rows.fold((f32::MAX, f32::MIN), |(top, bottom), y| (top.min(y), bottom.max(y)));
    for (place, column) in columns.iter_mut().enumerate() {
        let share = place as f32 / (count - 1.0).max(1.0);
        // Columns stand at whole steps or halfway between them.
        *column = [middle + step / 4.0, top + share * (bottom - top)];
    }
}

/// Runs of equal length of what is numbered from 0.
fn merged(of: Vec<u32>, count: u32, noun: &str) -> Partition {
    let run = count.div_ceil(MOST).max(1);
    let name = |block: u32| match run {
        1 => format!("{noun} {block}"),
        _ => format!("{noun}s {} to {}", block * run, (block * run + run).min(count) - 1),
    };
    let names = (0..count.div_ceil(run)).map(name).collect();
    Partition { of: of.into_iter().map(|each| each / run).collect(), names, factor: 1.0 }
}

/// Parts of each level: whole subtrees where there are many, else runs of switches.
fn levels(network: &Network, tree: &Tree) -> Partition {
    let mut partition = Partition::new(network);
    for level in 1..=tree.levels() {
        let width = tree.width(level);
        // Lengths at which the digits of the numbers roll over.
        let parents = (1..=level).map(|below| tree.parents(below));
        let children = (level + 1..=tree.levels()).map(|above| tree.children(above));
        let mut run: u32 = 1;
        for digit in parents.chain(children) {
            if width / run > MOST_IN_ROW {
                run = run.saturating_mul(digit);
            }
        }
        // A large last digit may leave nothing to be seen.
        let run = if run >= width && width > 1 { width.div_ceil(MOST_IN_ROW) } else { run };
        let row: Vec<u32> = (0..width).map(|index| tree.switch(level, index).0).collect();
        partition.cut(&row, run, &format!("level {level}"));
    }
    partition
}

/// Tiles of the first two dimensions, with all that further dimensions hold there.
fn tiles(network: &Network, grid: &Grid) -> Partition {
    let width = |dimension: usize| grid.widths.get(dimension).copied().unwrap_or(1);
    let most = MOST.isqrt();
    let side = |own: u32, other: u32| {
        // A narrow grid leaves room for the other dimension.
        let room = if other < most { MOST / other.max(1) } else { most };
        own.div_ceil(room.max(1))
    };
    let [columns, rows] = [width(0), width(1)];
    let tile = [side(columns, rows), side(rows, columns)];
    let across = columns.div_ceil(tile[0]);
    let place = |switch| {
        let at = grid.coordinates(switch);
        let coordinate = |dimension: usize| at.get(dimension).copied().unwrap_or(0);
        coordinate(0) / tile[0] + across * (coordinate(1) / tile[1])
    };
    let name = |block: u32| {
        let range = |tile: u32, index: u32, width: u32| match tile {
            1 => index.to_string(),
            _ => format!("{} to {}", index * tile, (index * tile + tile).min(width) - 1),
        };
        let mut text = format!("switches ({}", range(tile[0], block % across, columns));
        if grid.widths.len() > 1 {
            text.push_str(&format!(", {}", range(tile[1], block / across, rows)));
        }
        text.push_str(if grid.widths.len() > 2 { ", …)" } else { ")" });
        text
    };
    Partition {
        of: network.switches().map(place).collect(),
        names: (0..across * rows.div_ceil(tile[1])).map(name).collect(),
        factor: tile[0].max(tile[1]) as f32,
    }
}

/// Parts of each layer, within each subnet where there are some.
fn layers(network: &Network, layered: &Layered, subnets: Option<&Subnets>) -> Partition {
    let count = layered.layers().len();
    // Without subnets all is in the first; what belongs to none comes last.
    let number = subnets.map_or(1, |subnets| subnets.count);
    let subnet = |switch| match subnets {
        Some(subnets) => subnets.subnet(switch).unwrap_or(number),
        None => 0,
    };
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); (number as usize + 1) * count];
    for switch in network.switches() {
        rows[subnet(switch) as usize * count + layered.layer(switch) as usize].push(switch.0);
    }
    let shown = rows.iter().filter(|row| !row.is_empty()).count().max(1) as u32;
    let most = (4 * MOST_IN_ROW / shown).clamp(1, MOST_IN_ROW);
    let mut partition = Partition::new(network);
    for (index, row) in rows.iter().enumerate() {
        let layer = &layered.layers()[index % count];
        let name = match (subnets, (index / count) as u32) {
            (Some(_), subnet) if subnet < number => format!("{} of subnet {subnet}", layer.name),
            _ => layer.name.to_owned(),
        };
        // Whole racks, several of them where there are many.
        let width = row.len() as u32;
        let racks = width.checked_div(layer.block).filter(|racks| *racks > 1);
        let run = match racks {
            Some(racks) => layer.block * racks.div_ceil(most),
            None => width.div_ceil(most),
        };
        partition.cut(row, run, &name);
    }
    partition
}

/// Parts of levels; where there are none what is near to each other on the drawing.
fn irregular(network: &Network, places: &[Point]) -> Partition {
    let mut partition = Partition::new(network);
    if let Some(rows) = irregular::levels(network) {
        for (height, row) in rows.iter().enumerate() {
            let run = (row.len() as u32).div_ceil(MOST_IN_ROW);
            partition.cut(row, run, &format!("row {height}"));
        }
        return partition;
    }
    let mut order: Vec<u32> = (0..network.switch_count()).collect();
    let by = |side: usize| {
        move |one: &u32, other: &u32| {
            places[*one as usize][side].total_cmp(&places[*other as usize][side])
        }
    };
    order.sort_by(by(0));
    let columns = MOST.min(network.switch_count()).isqrt().max(1);
    let tall = network.switch_count().div_ceil(columns).max(1);
    for (column, switches) in order.chunks_mut(tall as usize).enumerate() {
        switches.sort_by(by(1));
        partition.cut(switches, tall.div_ceil(columns), &format!("part {column}"));
    }
    partition
}
