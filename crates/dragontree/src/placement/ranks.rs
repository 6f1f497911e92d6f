//! Ranks from a file: which endpoint each of them runs on.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::{Place, Unfit};
use crate::catalog::{Data, Form, Part, Problem, Setting, Settings};
use crate::network::{EndpointId, Network, Node, PortId};

/// Ranks where a file says: a line for each rank with the number or the name of its endpoint, or `-`
/// for a place keeper, which stays silent. Empty lines and what follows a `#` are skipped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranks {
    /// The file.
    pub data: Data,
}

/// What is read when no file is named: eight ranks on the even endpoints.
const EXAMPLE: &str = "# one endpoint per rank\n0\n2\n4\n6\n8\n10\n12\n14\n";

impl Settings for Ranks {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "data",
            "File",
            "A line for each rank: the number or name of its endpoint, or -.",
            &mut self.data,
        ));
    }
}

impl Part for Ranks {
    fn name(&self) -> &'static str {
        "ranks"
    }
    fn label(&self) -> &'static str {
        "From a file"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("Each rank on the endpoint that a file names.")
    }
}

impl Place for Ranks {
    fn places(
        &self,
        network: &Network,
        ports: &[Option<PortId>],
        _seed: u64,
    ) -> Result<Vec<Option<PortId>>, Unfit> {
        let named = |endpoint| (network.name(Node::Endpoint(endpoint)), endpoint);
        let names = OnceCell::new();
        let find = |word: &str| {
            if let Ok(number) = word.parse::<u32>() {
                return numbered(network, number);
            }
            let names: &BTreeMap<String, EndpointId> =
                names.get_or_init(|| network.endpoints().map(named).collect());
            let found = names.get(word).copied();
            found.ok_or_else(|| "no endpoint has this name; allowed: a number or a name".to_owned())
        };
        let mut places = Vec::new();
        let mut taken = vec![0; ports.len()];
        for (name, text) in self.data.contents(EXAMPLE).map_err(Unfit::Problem)? {
            for (number, line) in (1_u32..).zip(text.lines()) {
                let word = line.split('#').next().unwrap_or_default().trim();
                let refuse = |allowed: String| {
                    let place = format!("{name}, line {number}: {word}");
                    Unfit::Problem(Problem::new("data", place, allowed))
                };
                match word {
                    "" => {}
                    "-" => places.push(None),
                    _ => {
                        let endpoint = find(word).map_err(refuse)?;
                        let port = ports.get(endpoint.index()).copied().flatten();
                        let port = port.ok_or_else(|| refuse("its slot is empty".to_owned()))?;
                        let other = std::mem::replace(&mut taken[endpoint.index()], number);
                        if other > 0 {
                            return Err(refuse(format!("line {other} has the same endpoint")));
                        }
                        places.push(Some(port));
                    }
                }
            }
        }
        Ok(places)
    }
}

/// The endpoint of this number.
fn numbered(network: &Network, number: u32) -> Result<EndpointId, String> {
    let count = network.endpoint_count();
    let found = Some(EndpointId(number)).filter(|_| number < count);
    found.ok_or_else(|| {
        format!("the fabric has {count} endpoints, allowed: 0 to {}", count.saturating_sub(1))
    })
}
