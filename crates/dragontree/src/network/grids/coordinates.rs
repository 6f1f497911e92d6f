//! From dimensions to places, and whether all is as in a grid.

use super::super::graph::Graph;
use super::super::sets::Sets;
use super::super::{Lines, Network, SwitchId};
use super::dimensions::Classes;
use super::{Dimension, FoundGrid, NotAGrid, neighbors};

/// A dimension with the coordinate of each switch.
struct Axis {
    class: u32,
    width: u32,
    lines: Lines,
    coordinates: Vec<u32>,
}

/// The places of the switches, by the dimensions of the edges.
///
/// # Errors
/// Something is not as in a grid.
pub fn coordinates(
    network: &Network,
    graph: &Graph,
    classes: &Classes,
) -> Result<FoundGrid, NotAGrid> {
    everywhere(graph, classes)?;
    let mut axes: Vec<Axis> = Vec::new();
    for other in neighbors(network, SwitchId(0)) {
        let class = class(graph, classes, 0, other);
        if axes.iter().all(|axis| axis.class != class) {
            axes.push(axis(graph, classes, class, other)?);
        }
    }
    let axes = with_rings_of_four(network, graph, classes, axes);
    let found = FoundGrid {
        dimensions: axes
            .iter()
            .map(|Axis { width, lines, .. }| Dimension { width: *width, lines: *lines })
            .collect(),
        places: places(&axes, graph.count())?,
    };
    found.check(graph)?;
    Ok(found)
}

/// The class of an edge.
fn class(graph: &Graph, classes: &Classes, from: u32, to: u32) -> u32 {
    graph.arc(from, to).map_or(u32::MAX, |entry| classes.of[entry])
}

/// Checks that each switch has a link of each dimension.
fn everywhere(graph: &Graph, classes: &Classes) -> Result<(), NotAGrid> {
    let nodes = graph.count() as u32;
    let touches = |class: u32, node: u32| {
        graph.neighbors(node).iter().any(|other| self::class(graph, classes, node, *other) == class)
    };
    let mut first = vec![None; classes.count as usize];
    let mut touched = vec![0_u32; classes.count as usize];
    for node in 0..nodes {
        let mut own: Vec<(u32, u32)> = Vec::new();
        for other in graph.neighbors(node) {
            let class = class(graph, classes, node, *other);
            first[class as usize].get_or_insert((SwitchId(node), SwitchId(*other)));
            own.push((class, *other));
        }
        own.sort_unstable();
        own.dedup_by_key(|(class, _)| *class);
        own.iter().for_each(|(class, _)| touched[*class as usize] += 1);
    }
    // Those in which the fewest links are have the least to do with the rest.
    let lacking = (0..classes.count).filter(|class| touched[*class as usize] < nodes);
    let Some(class) = lacking.min_by_key(|class| touched[*class as usize]) else { return Ok(()) };
    let Some((one, other)) = first[class as usize] else { return Ok(()) };
    if touched[class as usize] * 2 < nodes {
        return Err(NotAGrid::Stray { one, other });
    }
    let switch = (0..nodes).find(|node| !touches(class, *node)).unwrap_or(0);
    Err(NotAGrid::Lacking { switch: SwitchId(switch), one, other })
}

/// The coordinate of each switch in the dimension of a class; it grows from the lowest switch
/// towards the one that is named.
fn axis(graph: &Graph, classes: &Classes, class: u32, on: u32) -> Result<Axis, NotAGrid> {
    let mut sets = Sets::new(graph.count());
    let own = |[one, other]: &[u32; 2]| self::class(graph, classes, *one, *other) == class;
    for [one, other] in graph.edges().filter(|edge| !own(edge)) {
        sets.join(one as usize, other as usize);
    }
    let (layer, width) = sets.numbered();
    let mut beside = vec![Vec::new(); width as usize];
    for [one, other] in graph.edges().filter(own) {
        let ends = [layer[one as usize], layer[other as usize]];
        if ends[0] == ends[1] {
            return Err(NotAGrid::Uneven { one: SwitchId(one), other: SwitchId(other) });
        }
        for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
            let beside: &mut Vec<u32> = &mut beside[from as usize];
            if !beside.contains(&to) {
                beside.push(to);
            }
            if beside.len() > 2 {
                return Err(NotAGrid::Uneven { one: SwitchId(one), other: SwitchId(other) });
            }
        }
    }
    let closed = width > 2 && beside.iter().all(|beside| beside.len() == 2);
    let order = walk(&beside, layer[0], layer[on as usize], closed);
    let mut place = vec![0; width as usize];
    (0..).zip(&order).for_each(|(own, layer)| place[*layer as usize] = own);
    Ok(Axis {
        class,
        width,
        lines: if closed { Lines::Ring } else { Lines::Open },
        coordinates: layer.iter().map(|layer| place[*layer as usize]).collect(),
    })
}

/// The layers in their order: from the first one around, or from the end that lies behind it.
fn walk(beside: &[Vec<u32>], first: u32, on: u32, closed: bool) -> Vec<u32> {
    let follow = |from: u32, start: u32| {
        let mut order = vec![from, start];
        while order.len() < beside.len() {
            let [.., before, last] = order[..] else { break };
            let Some(next) = beside[last as usize].iter().find(|next| **next != before) else {
                break;
            };
            order.push(*next);
        }
        order
    };
    let back = beside[first as usize].iter().find(|other| **other != on);
    match back {
        Some(_) if !closed => {
            let order = follow(on, first);
            let end = order.len() - 1;
            follow(order[end], order[end - 1])
        }
        _ => follow(first, on),
    }
}

/// Makes rings of two lines of two switches each, where following the first port leads around.
fn with_rings_of_four(
    network: &Network,
    graph: &Graph,
    classes: &Classes,
    axes: Vec<Axis>,
) -> Vec<Axis> {
    let first_port = |switch: u32, axis: &Axis| {
        neighbors(network, SwitchId(switch))
            .position(|other| class(graph, classes, switch, other) == axis.class)
    };
    let mut whole: Vec<Axis> = Vec::new();
    for mut axis in axes {
        let before = whole.last().filter(|before| before.width == 2 && axis.width == 2);
        let next = before.and_then(|before| {
            neighbors(network, SwitchId(0))
                .find(|other| class(graph, classes, 0, *other) == before.class)
        });
        if let (Some(before), Some(next)) = (before, next)
            && first_port(next, &axis) < first_port(next, before)
        {
            for (own, one) in axis.coordinates.iter_mut().zip(&before.coordinates) {
                *own = if *own == 0 { *one } else { 3 - one };
            }
            (axis.width, axis.lines) = (4, Lines::Ring);
            whole.pop();
        }
        whole.push(axis);
    }
    whole
}

/// The place of each switch.
fn places(axes: &[Axis], count: usize) -> Result<Vec<u32>, NotAGrid> {
    let all = axes.iter().try_fold(1_u64, |all, axis| all.checked_mul(u64::from(axis.width)));
    let widths = || axes.iter().map(|axis| axis.width).collect();
    // Far from full it is no damaged grid either.
    let Some(all) = all.filter(|all| *all <= 2 * count as u64) else {
        return Err(NotAGrid::Sparse { widths: widths(), switches: count });
    };
    let mut taken: Vec<Option<SwitchId>> = vec![None; all as usize];
    let mut places = Vec::with_capacity(count);
    for switch in 0..count {
        let upwards = axes.iter().rev();
        let place = upwards.fold(0, |place, axis| place * axis.width + axis.coordinates[switch]);
        let switch = SwitchId(switch as u32);
        if let Some(one) = taken[place as usize].replace(switch) {
            return Err(NotAGrid::SamePlace { one, other: switch });
        }
        places.push(place);
    }
    if taken.contains(&None) {
        let empty = all as usize - count;
        return Err(NotAGrid::Missing { widths: widths(), empty, switches: count });
    }
    Ok(places)
}

impl FoundGrid {
    /// Checks that switches are joined if they are next to each other in a line. No others are:
    /// a link leads from a layer to the next, and leaves the other coordinates as they are.
    fn check(&self, graph: &Graph) -> Result<(), NotAGrid> {
        let mut switches = vec![0; self.places.len()];
        (0..).zip(&self.places).for_each(|(switch, place)| switches[*place as usize] = switch);
        let mut stride = 1;
        for (dimension, Dimension { width, lines }) in self.dimensions.iter().enumerate() {
            for place in 0..self.places.len() as u32 {
                let next = match place / stride % width + 1 {
                    beyond if beyond < *width => place + stride,
                    _ if *lines == Lines::Ring => place - (width - 1) * stride,
                    _ => continue,
                };
                let [one, other] = [place, next].map(|place| switches[place as usize]);
                if graph.arc(one, other).is_none() {
                    let (one, other) = (SwitchId(one), SwitchId(other));
                    return Err(NotAGrid::Unjoined { one, other, dimension: dimension + 1 });
                }
            }
            stride *= width;
        }
        Ok(())
    }
}
