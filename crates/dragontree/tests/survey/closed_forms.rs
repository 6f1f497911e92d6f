//! Formulas of textbooks and documents.

use dragontree::analysis::{Bisection, Numbers};
use dragontree::network::{EndpointId, Failures, LinkClass, Links, Network, PerClass};
use dragontree::random::Stream;
use dragontree::topology::{Build, Dragonfly, Xgft};
use dragontree::units::Bandwidth;

use super::fabrics::{LINKS, fabric, grid, mlfm, mms, numbers, oft, pairs};

fn uniform(switches: u32, endpoints: u32) -> Vec<u32> {
    vec![endpoints; switches as usize]
}

fn tree(children: &[u32], parents: &[u32], parallel: &[u32]) -> Network {
    let [children, parents, parallel] = [children, parents, parallel].map(<[u32]>::to_vec);
    Xgft { children, parents, parallel, ..Xgft::default() }.build(&LINKS).expect("a valid tree")
}

fn dragonfly(endpoints: u32, switches: u32, global_links: u32) -> Network {
    Dragonfly { endpoints, switches, global_links, ..Dragonfly::default() }
        .build(&LINKS)
        .expect("a valid dragonfly")
}

fn close(got: Option<f64>, expected: f64) {
    let got = got.expect("a number");
    assert!((got - expected).abs() < 1e-12 * expected.max(1.0), "{got} for {expected}");
}

fn diversity(numbers: &Numbers) -> (f64, f64) {
    let diversity = numbers.diversity.expect("pairs that are not adjacent");
    assert!(!diversity.sampled);
    (diversity.mean, diversity.max)
}

fn cut(numbers: &Numbers) -> (u32, u32) {
    let Bisection { links, moved, .. } = numbers.bisection.expect("at least two endpoints");
    (links, moved)
}

/// Ports, links: Prisacari 2020, §7.2.2.1 (two and three levels of fat tree) and §7.2.1.2
/// (Slim Fly, q = 13: 3.11 and 2.05 with 9 endpoints per switch, 2.9 and 1.95 with 10).
#[test]
fn costs_match_the_documents() {
    let two = numbers(tree(&[18, 36], &[1, 18], &[1]));
    assert_eq!((two.endpoints, two.switches, two.links, two.radix), (648, 54, 1296, 36));
    assert_eq!((two.ports_per_endpoint, two.links_per_endpoint), (3.0, 2.0));
    let three = numbers(tree(&[4, 4, 8], &[1, 4, 4], &[1]));
    assert_eq!((three.ports_per_endpoint, three.links_per_endpoint), (5.0, 3.0));
    for (endpoints, ports, links) in [(9, 28.0 / 9.0, 3042 + 3211), (10, 2.9, 3380 + 3211)] {
        let fly = numbers(fabric(&uniform(338, endpoints), &mms(13)));
        close(Some(fly.ports_per_endpoint), ports);
        assert_eq!((fly.links, fly.radix), (links, 19 + endpoints));
    }
    let (endpoints, links) = oft(6);
    let oft = numbers(fabric(&endpoints, &links));
    assert_eq!((oft.endpoints, oft.switches, oft.radix), (372, 93, 12));
    assert_eq!((oft.ports_per_endpoint, oft.links_per_endpoint), (3.0, 2.0));
}

#[test]
fn missing_parts_are_not_counted() {
    let whole = fabric(&[2, 2, 2], &[(0, 1), (1, 2)]);
    let broken = Failures { endpoints: vec![EndpointId(5)], ..Failures::default() };
    let numbers = numbers(whole.without(&broken));
    assert_eq!((numbers.endpoints, numbers.slots, numbers.links), (5, 6, 7));
    assert_eq!((numbers.ports_per_endpoint, numbers.links_per_endpoint), (9.0 / 5.0, 7.0 / 5.0));
    assert_eq!(numbers.radix, 4);
}

/// Sums over the coordinates: along a ring of even `k` the mean over all ordered pairs, a place
/// with itself included, is k/4, along an open line (k² - 1)/(3k).
#[test]
fn distances_and_paths_of_grids_have_their_closed_forms() {
    let factor = |count: f64| count / (count - 1.0);
    let torus = numbers(fabric(&uniform(8 * 6, 1), &grid(&[8, 6], false)));
    assert_eq!(torus.diameter, Some(7));
    close(torus.mean_distance, (8.0 / 4.0 + 6.0 / 4.0) * factor(48.0));
    // To the far corner: 7!/(4!·3!) orders of the steps, two ways around each ring.
    assert_eq!(diversity(&torus).1, 35.0 * 4.0);

    let mesh = numbers(fabric(&uniform(35, 1), &grid(&[5, 7], true)));
    assert_eq!(mesh.diameter, Some(10));
    close(mesh.mean_distance, (24.0 / 15.0 + 48.0 / 21.0) * factor(35.0));
    assert_eq!(diversity(&mesh).1, 210.0);

    let cube = numbers(fabric(&uniform(256, 1), &grid(&[2; 8], false)));
    assert_eq!(cube.diameter, Some(8));
    close(cube.mean_distance, 4.0 * factor(256.0));
    // d! paths over distance d.
    let choose = [28.0, 56.0, 70.0, 56.0, 28.0, 8.0, 1.0];
    let factorial = [2.0, 6.0, 24.0, 120.0, 720.0, 5040.0, 40320.0];
    let paths: f64 = choose.iter().zip(factorial).map(|(pairs, paths)| pairs * paths).sum();
    assert_eq!(diversity(&cube), (paths / 247.0, 40320.0));

    let full = numbers(fabric(&uniform(16, 3), &pairs(16, |_, _| true)));
    assert_eq!((full.diameter, full.diversity), (Some(1), None));
    // 45 of the other 47 endpoints are on other switches.
    close(full.mean_distance, 45.0 / 47.0);
}

/// Between leaves that meet at level l there are w_2 … w_l paths (Prisacari 2020, §3.3.1,
/// Property 1), each link of which may be chosen out of p parallel ones, up and down.
#[test]
fn distances_and_paths_of_trees_have_their_closed_forms() {
    let slim = numbers(tree(&[4, 3, 2], &[1, 3, 2], &[1]));
    assert_eq!(slim.diameter, Some(4));
    // Of 23 others, 3 are on the same leaf, 8 below the same switch of level 2.
    close(slim.mean_distance, (8.0 * 2.0 + 12.0 * 4.0) / 23.0);
    assert_eq!(diversity(&slim), ((2.0 * 3.0 + 3.0 * 6.0) / 5.0, 6.0));
    let parallel = numbers(tree(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]));
    assert_eq!(diversity(&parallel).1, 4.0 * 16.0);
}

/// Number of minimal paths between switches that are not adjacent (Prisacari 2020, §7.2.3.3):
/// Slim Fly as counted elsewhere for q = 5, 13, 17; one for nearly all pairs of the others, k
/// between counterparts of an orthogonal fat tree, h within a column of a multi-layer full mesh.
#[test]
fn diameter_two_networks_have_the_documents_diversity() {
    for (q, mean, max) in [(5, 1.0, 1.0), (13, 1.0377, 3.0), (17, 1.0435, 4.0)] {
        let fly = numbers(fabric(&uniform(2 * q * q, 2), &mms(q)));
        let found = diversity(&fly);
        assert!((found.0 - mean).abs() < 5e-5 && found.1 == max, "{q}: {found:?}");
        assert_eq!(fly.diameter, Some(2));
    }
    for k in [4_u32, 6, 8] {
        let (endpoints, links) = oft(k);
        let oft = numbers(fabric(&endpoints, &links));
        let edge = f64::from(2 * (k * k - k + 1));
        assert_eq!(diversity(&oft).1, f64::from(k));
        close(Some(diversity(&oft).0), 1.0 + f64::from(k - 1) / (edge - 1.0));
        assert_eq!(oft.diameter, Some(2));
    }
    let (endpoints, links) = mlfm(15);
    let mesh = numbers(fabric(&endpoints, &links));
    assert_eq!((mesh.endpoints, mesh.switches, mesh.diameter), (3600, 360, Some(2)));
    // 14 of the 239 other switches stand in the same column.
    close(Some(diversity(&mesh).0), (225.0 + 14.0 * 15.0) / 239.0);
    assert_eq!(diversity(&mesh).1, 15.0);
}

/// Rings, tori, meshes, hypercubes, complete graphs: the textbook's bisection widths
/// (Dally & Towles 2004, ch. 3 and 5; Leighton 1992, ch. 1).
#[test]
fn cuts_of_regular_graphs_are_those_of_the_textbooks() {
    let cases = [
        (uniform(24, 1), grid(&[24], false), (2, 0)),
        // An odd ring of switches with two endpoints: one of the middle switch changes sides.
        (uniform(7, 2), grid(&[7], false), (2, 1)),
        (uniform(64, 3), grid(&[8, 8], false), (16, 0)),
        (uniform(512, 1), grid(&[8, 8, 8], false), (128, 0)),
        (uniform(256, 1), grid(&[4; 4], false), (128, 0)),
        (uniform(4096, 1), grid(&[16, 16, 16], false), (512, 0)),
        (uniform(80, 1), grid(&[10, 8], true), (8, 0)),
        (uniform(63, 1), grid(&[7, 9], true), (8, 0)),
        (uniform(256, 1), grid(&[2; 8], false), (128, 0)),
        (uniform(16, 1), pairs(16, |_, _| true), (64, 0)),
        (uniform(15, 1), pairs(15, |_, _| true), (56, 0)),
    ];
    for (endpoints, links, expected) in cases {
        let numbers = numbers(fabric(&endpoints, &links));
        assert_eq!(cut(&numbers), expected, "{} switches", numbers.switches);
    }
}

/// Full bisection is one link per endpoint; halving w at one level halves it. A dragonfly of an
/// odd number of groups is cut through one group: ((G - 1)/2)² global links between whole groups
/// and (a/2)² local ones.
#[test]
fn cuts_of_trees_and_dragonflies_have_their_closed_forms() {
    let trees: &[(&[u32], &[u32], f64)] = &[
        (&[4, 4, 4], &[1, 4, 4], 1.0),
        (&[18, 36], &[1, 18], 1.0),
        (&[12, 12, 24], &[1, 12, 12], 1.0),
        (&[8, 8, 4, 2], &[1, 8, 8, 2], 0.5),
        (&[16, 8, 4, 2], &[1, 16, 8, 4], 1.0),
        (&[4, 4, 2], &[1, 4, 2], 0.5),
        (&[8, 8], &[1, 2], 0.25),
    ];
    for (children, parents, expected) in trees {
        let numbers = numbers(tree(children, parents, &[1]));
        assert_eq!(numbers.bisection_per_endpoint, Some(*expected), "{children:?}");
    }
    for p in [2, 4, 5] {
        let groups = 2 * p * p + 1;
        let numbers = numbers(dragonfly(p, 2 * p, p));
        assert_eq!(cut(&numbers), ((groups / 2) * (groups / 2) + p * p, 0), "p={p}");
    }
}

/// A link counts by its bandwidth, relative to that of an endpoint.
#[test]
fn fast_links_weigh_more() {
    let mut bandwidth = PerClass::all(Bandwidth::gbps(100));
    bandwidth.except(LinkClass::Global, Some(Bandwidth::gbps(25)));
    bandwidth.except(LinkClass::Local, Some(Bandwidth::gbps(400)));
    let links = Links { bandwidth, latency: LINKS.latency };
    let fly =
        Dragonfly { endpoints: 2, switches: 3, global_links: 1, groups: None, ..<_>::default() };
    // Four groups of three switches, two groups on each side: four global links.
    let numbers = numbers(fly.build(&links).expect("a valid dragonfly"));
    assert_eq!(cut(&numbers), (4, 0));
    assert_eq!(numbers.bisection_per_endpoint, Some(4.0 * 0.25 / 12.0));
}

/// Multi-layer full meshes are cut between columns: (h + 1)/(2h) links per endpoint for odd h
/// (Prisacari 2020, §7.2.3.2: about one half). For even h the middle column is cut through:
/// h²/4 global switches between whole columns lose h links each, those between a whole column
/// and the middle one h/2 each, (h + 2)/(2h + 2) per endpoint.
#[test]
fn cuts_of_multi_layer_full_meshes_are_exact() {
    for h in [3_u32, 5, 9, 15] {
        let (endpoints, links) = mlfm(h);
        let numbers = numbers(fabric(&endpoints, &links));
        close(numbers.bisection_per_endpoint, f64::from(h + 1) / f64::from(2 * h));
    }
    for h in [4_u32, 8, 14] {
        let (endpoints, links) = mlfm(h);
        let numbers = numbers(fabric(&endpoints, &links));
        close(numbers.bisection_per_endpoint, f64::from(h + 2) / f64::from(2 * h + 2));
    }
}

/// Slim Fly: no cut has fewer than λ₂·R/4 links (Fiedler 1975), and the second eigenvalue of the
/// Laplacian is q. The document's "≈ 0.71 b" with p = ⌊r'/2⌋ is what large q tend to; for q = 13
/// it would be a cut of 1080 links, fewer than the 1099 that there must be.
#[test]
fn cuts_of_slim_flies_lie_close_to_the_spectral_bound() {
    for (q, best_known) in [(5_u32, 65), (13, 1105), (17, 2465)] {
        let endpoints = (3 * q - 1) / 4;
        let numbers = numbers(fabric(&uniform(2 * q * q, endpoints), &mms(q)));
        let (links, moved) = cut(&numbers);
        assert!(2 * links >= q * q * q && links <= best_known && moved == 0, "{q}: {links}");
        let eigenvalue = second_eigenvalue(2 * q * q, &mms(q));
        assert!((eigenvalue - f64::from(q)).abs() < 1e-6, "{q}: {eigenvalue}");
    }
}

/// The second smallest eigenvalue of a graph's Laplacian, by power iteration on its complement.
fn second_eigenvalue(count: u32, links: &[(u32, u32)]) -> f64 {
    let mut degrees = vec![0.0; count as usize];
    for (one, other) in links {
        degrees[*one as usize] += 1.0;
        degrees[*other as usize] += 1.0;
    }
    let shift = 2.0 * degrees.iter().copied().fold(0.0, f64::max);
    let mut stream = Stream::new(1, "test", 0);
    let mut vector: Vec<f64> = degrees.iter().map(|_| f64::from(stream.below(1000))).collect();
    let mut eigenvalue = 0.0;
    for _ in 0..3000 {
        let mean = vector.iter().sum::<f64>() / f64::from(count);
        vector.iter_mut().for_each(|each| *each -= mean);
        let length = vector.iter().map(|each| each * each).sum::<f64>().sqrt();
        vector.iter_mut().for_each(|each| *each /= length);
        let mut next: Vec<f64> =
            vector.iter().zip(&degrees).map(|(each, degree)| (shift - degree) * each).collect();
        for (one, other) in links {
            next[*one as usize] += vector[*other as usize];
            next[*other as usize] += vector[*one as usize];
        }
        eigenvalue = shift - next.iter().zip(&vector).map(|(a, b)| a * b).sum::<f64>();
        vector = next;
    }
    eigenvalue
}

/// Orthogonal fat trees: the document's ≈ 0.89 (0.81 for small ones) is above cuts that were found
/// with other programs, which are met or beaten here; near 3000 endpoints they still carry more
/// than a Slim Fly, and that more than a multi-layer full mesh (Prisacari 2020, §7.2.3.2).
#[test]
fn cuts_of_orthogonal_fat_trees_are_as_good_as_known_ones() {
    let best = [(4, 32), (6, 120), (8, 320), (12, 1188)];
    let mut last = 0.0;
    for (k, best_known) in best {
        let (endpoints, links) = oft(k);
        let numbers = numbers(fabric(&endpoints, &links));
        assert!(cut(&numbers).0 <= best_known, "{k}: {:?}", numbers.bisection);
        last = numbers.bisection_per_endpoint.expect("a cut");
    }
    let fly = numbers(fabric(&uniform(338, 9), &mms(13))).bisection_per_endpoint;
    let (endpoints, links) = mlfm(14);
    let mesh = numbers(fabric(&endpoints, &links)).bisection_per_endpoint;
    assert!(Some(last) > fly && fly > mesh, "{last} {fly:?} {mesh:?}");
}
