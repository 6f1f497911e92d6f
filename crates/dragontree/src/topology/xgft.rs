//! Extended generalized fat trees (Öhring et al. 1995), with parallel links.
//!
//! ```text
//! XGFT(2; 2,2; 1,2):   o   o      level 2, w_2 = 2 parents per leaf
//!                      |\ /|
//!                      | X |
//!                      |/ \|
//!                      o   o      level 1, m_1 = 2 endpoints per leaf
//!                     / \ / \
//!                     0 1 2 3     level 0
//! ```
//! The k-ary n-tree is `m=k.k…k`, `w=1.k…k` (Zahavi 2009, Def. 1).

use super::cabling::Cabling;
use super::pgft::{self, Widths};
use super::size::{Member, presets, sizes};
use super::{Build, fat_tree};
use crate::catalog::{Form, Part, Problem, Setting, Settings};
use crate::network::{Links, Network};

mod named;

/// The tree XGFT(h; m; w) whose every link is `p` parallel links; one number in `p` stands for
/// all levels (Prisacari 2020, §2.4.2 and §3.3.1).
///
/// Level `l` has `Π_{i≤l} w_i · Π_{i>l} m_i` nodes, each with `m_l·p_l` links down; a switch of
/// it has `m_l·p_l + w_{l+1}·p_{l+1}` ports, and two endpoints are at most `2h` links apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Xgft {
    /// Children of a switch, from the leaves up (m).
    pub children: Vec<u32>,
    /// Parents of a node, from the endpoints up (w).
    pub parents: Vec<u32>,
    /// Parallel links to each parent, from the endpoints up (p).
    pub parallel: Vec<u32>,
    /// The order of the up ports, and which places are filled.
    pub cabling: Cabling,
}

const HIGHEST: usize = 8;

impl Default for Xgft {
    fn default() -> Xgft {
        Xgft {
            children: vec![4, 4, 4],
            parents: vec![1, 4, 4],
            parallel: vec![1],
            cabling: Cabling::default(),
        }
    }
}

impl Settings for Xgft {
    fn settings(&mut self, form: &mut dyn Form) {
        presets(form, self, &named::NAMED);
        sizes(form, self, 2, Xgft::balanced);
        form.setting(Setting::numbers(
            "m",
            "Children per level",
            "How many children a switch has, from the leaf switches up: 4.4.2 is three levels.",
            &mut self.children,
            1..=4096,
            HIGHEST,
        ));
        form.setting(Setting::numbers(
            "w",
            "Parents per level",
            "How many parents a node has, from the endpoints up; as many numbers as m.",
            &mut self.parents,
            1..=4096,
            HIGHEST,
        ));
        form.setting(
            Setting::numbers(
                "p",
                "Parallel links",
                "How many parallel links lead to each parent, from the endpoints up; one number \
                 stands for all levels.",
                &mut self.parallel,
                1..=64,
                HIGHEST,
            )
            .advanced(),
        );
        self.cabling.settings(form);
    }
}

impl Part for Xgft {
    fn name(&self) -> &'static str {
        "xgft"
    }
    fn label(&self) -> &'static str {
        "Fat tree (XGFT)"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help(
            "Extended generalized fat tree of any height and widths; k-ary n-trees are m=k.k.k, \
         w=1.k.k (Öhring 1995; Prisacari 2020, §2.4.2).",
        )
    }
}

impl Build for Xgft {
    fn build(&self, links: &Links) -> Result<Network, Vec<Problem>> {
        let widths = self.widths()?;
        pgft::build(&widths, &self.cabling, links, ("m", &dotted(&self.children)))
    }
}

impl Xgft {
    /// The full-bisection trees with as many levels, whose switches all have one radix.
    fn balanced(&self) -> Vec<Member<Xgft>> {
        let levels = self.children.len().clamp(1, HIGHEST) as u32;
        let member = |half: u32| {
            let widths = fat_tree::widths(2 * half, levels, half);
            let part = Xgft {
                children: widths.children,
                parents: widths.parents,
                parallel: vec![1],
                cabling: self.cabling.clone(),
            };
            Member { radix: 2 * half, endpoints: fat_tree::endpoints(2 * half, levels), part }
        };
        (1..=128).map(member).collect()
    }

    /// The lists, all of one length.
    fn widths(&self) -> Result<Widths, Vec<Problem>> {
        let height = self.children.len();
        let parallel = match self.parallel[..] {
            [one] => vec![one; height],
            _ => self.parallel.clone(),
        };
        let lists = [("m", &self.children), ("w", &self.parents), ("p", &parallel)];
        let wrong = |(key, numbers): (&str, &Vec<u32>)| {
            let allowed = if numbers.contains(&0) || numbers.is_empty() {
                "it must have a number for each level, and no zero".to_owned()
            } else if numbers.len() != height {
                format!("it must have {height} numbers, as many as m")
            } else {
                return None;
            };
            Some(Problem::new(key, dotted(numbers), allowed))
        };
        let problems: Vec<Problem> = lists.into_iter().filter_map(wrong).collect();
        match problems.is_empty() {
            true => Ok(Widths {
                children: self.children.clone(),
                parents: self.parents.clone(),
                parallel,
            }),
            false => Err(problems),
        }
    }
}

fn dotted(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{LinkClass, Node, Structure};
    use crate::units::{Bandwidth, Time};

    fn build(children: &[u32], parents: &[u32], parallel: &[u32]) -> Network {
        let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
        let [children, parents, parallel] = [children, parents, parallel].map(<[u32]>::to_vec);
        Xgft { children, parents, parallel, ..Xgft::default() }.build(&links).expect("a valid tree")
    }

    /// Nodes and links per level, as counted in the built graph.
    fn counts(network: &Network) -> (Vec<u32>, Vec<u32>) {
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        let mut nodes = vec![0; tree.levels() as usize + 1];
        nodes[0] = network.endpoint_count();
        for switch in network.switches() {
            nodes[tree.level(switch) as usize] += 1;
        }
        let mut links = vec![0; tree.levels() as usize];
        for (_, channel) in network.channels() {
            match channel.class {
                LinkClass::Endpoint => links[0] += 1,
                LinkClass::Level(level) => links[level as usize - 1] += 1,
                other => panic!("{other:?} in a tree"),
            }
        }
        (nodes, links.iter().map(|channels| channels / 2).collect())
    }

    #[test]
    fn counts_match_the_documents() {
        // Prisacari 2020, Table 2.1, Fig. 3.1, Table 3.1, Table 4.1; 648- and 3456-port switches.
        type Numbers = &'static [u32];
        let cases: &[[Numbers; 4]] = &[
            [&[4, 2, 2], &[1, 4, 1], &[16, 4, 8, 4], &[16, 16, 8]],
            [&[4, 3, 2], &[1, 4, 3], &[24, 6, 8, 12], &[24, 24, 24]],
            [&[8, 8, 4, 2], &[1, 8, 8, 2], &[512, 64, 64, 128, 128], &[512, 512, 512, 256]],
            [&[16, 8, 4, 2], &[1, 16, 8, 4], &[1024, 64, 128, 256, 512], &[1024; 4]],
            [&[9, 9, 3], &[1, 9, 9], &[243, 27, 27, 81], &[243; 3]],
            [&[13, 11, 7], &[1, 13, 11], &[1001, 77, 91, 143], &[1001; 3]],
            [&[18, 36], &[1, 18], &[648, 36, 18], &[648; 2]],
            [&[12, 12, 24], &[1, 12, 12], &[3456, 288, 288, 144], &[3456; 3]],
        ];
        for [children, parents, nodes, links] in cases {
            let network = build(children, parents, &[1]);
            assert_eq!(counts(&network), (nodes.to_vec(), links.to_vec()), "{children:?}");
        }
    }

    #[test]
    fn every_link_changes_one_digit() {
        let network = build(&[4, 2, 4], &[1, 2, 2], &[1, 2, 2]);
        let Structure::Tree(tree) = network.structure() else { panic!("a tree") };
        assert_eq!(counts(&network).0, [32, 8, 8, 4]);
        for endpoint in network.endpoints() {
            let leaf = network.switch_of(endpoint).expect("a cabled endpoint");
            assert!(tree.is_above(leaf, endpoint));
            let port = network.peer(network.injection(endpoint).expect("cabled")).expect("cabled");
            assert_eq!(network.number(port), tree.child_digit(1, endpoint));
        }
        for switch in network.switches() {
            for port in network.ports(Node::Switch(switch)).map(crate::network::PortId) {
                let Some(Node::Switch(other)) = network.neighbor(port) else {
                    continue;
                };
                assert_eq!(tree.level(switch).abs_diff(tree.level(other)), 1);
            }
        }
    }

    #[test]
    fn lists_of_different_lengths_and_huge_trees_are_refused() {
        let links = Links::all(Bandwidth::gbps(100), Time::ns(50));
        let tree = Xgft {
            children: vec![4, 4],
            parents: vec![1],
            parallel: vec![1, 1, 1],
            ..Xgft::default()
        };
        let problems = tree.build(&links).expect_err("lengths differ");
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, ["w", "p"]);
        let huge = Xgft { children: vec![4096; 8], parents: vec![4096; 8], ..Xgft::default() };
        assert!(huge.build(&links).expect_err("too large")[0].to_string().contains("4000000"));
    }
}
