//! Chosen faults: links by a switch and one of its ports, switches and endpoints by number.

use super::Break;
use crate::catalog::{Form, Part, Problem, Setting, Settings, Written};
use crate::network::{EndpointId, Failures, Network, Node, PortId, SwitchId};

/// The links, switches and endpoints that fail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    /// Links, each by one of its switches and the port there.
    pub links: LinkEnds,
    /// Switches by number.
    pub switches: Numbers,
    /// Endpoints by number.
    pub endpoints: Numbers,
}

/// Links, each named by a switch and the port there, both counted from 0: `5-2.7-1` are two.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkEnds(pub Vec<(u32, u32)>);

/// Numbers of nodes joined by dots; `none` for none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers(pub Vec<u32>);

/// Reads what dots join; `none` is nothing.
fn read_list<T>(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    match text {
        "none" => Some(Vec::new()),
        _ => text.split('.').map(read).collect(),
    }
}

fn print_list<T>(list: &[T], print: impl Fn(&T) -> String) -> String {
    match list {
        [] => "none".to_owned(),
        _ => list.iter().map(print).collect::<Vec<_>>().join("."),
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

impl Written for LinkEnds {
    fn read(&mut self, text: &str) -> bool {
        let pair = |text: &str| {
            let (switch, port) = text.split_once('-')?;
            Some((number(switch)?, number(port)?))
        };
        read_list(text, pair).map(|links| self.0 = links).is_some()
    }
    fn print(&self) -> String {
        print_list(&self.0, |(switch, port)| format!("{switch}-{port}"))
    }
    fn allowed(&self) -> &'static str {
        "SWITCH-PORT, several joined by dots (5-2.7-1), or none"
    }
    fn example(&self) -> &'static str {
        "5-2.7-1"
    }
}

impl Written for Numbers {
    fn read(&mut self, text: &str) -> bool {
        read_list(text, number).map(|numbers| self.0 = numbers).is_some()
    }
    fn print(&self) -> String {
        print_list(&self.0, u32::to_string)
    }
    fn allowed(&self) -> &'static str {
        "whole numbers joined by dots, or none"
    }
    fn example(&self) -> &'static str {
        "3.7"
    }
}

impl Settings for List {
    fn settings(&mut self, form: &mut dyn Form) {
        form.setting(Setting::written(
            "link",
            "Failed links",
            "Each link by one of its switches and the port there, both counted from 0: 5-2.7-1.",
            &mut self.links,
        ));
        form.setting(Setting::written(
            "switch",
            "Failed switches",
            "Switches by number, joined by dots.",
            &mut self.switches,
        ));
        form.setting(Setting::written(
            "endpoint",
            "Missing endpoints",
            "Endpoints by number, joined by dots.",
            &mut self.endpoints,
        ));
    }
}

impl Part for List {
    fn name(&self) -> &'static str {
        "list"
    }
    fn label(&self) -> &'static str {
        "Chosen"
    }
    fn help(&self) -> &'static str {
        crate::catalog::help("The links, switches and endpoints named.")
    }
}

impl Break for List {
    fn failures(&self, network: &Network, _seed: u64) -> Result<Failures, Problem> {
        let link = |(switch, number): &(u32, u32)| link(network, *switch, *number);
        let within = |key, count: u32, number: u32| {
            let allowed = format!("allowed: 0 to {}", count.saturating_sub(1));
            if number < count { Ok(number) } else { Err(refused(key, number.to_string(), allowed)) }
        };
        let switch = |number: &u32| within("switch", network.switch_count(), *number);
        let endpoint = |number: &u32| within("endpoint", network.endpoint_count(), *number);
        let switches: Result<Vec<u32>, Problem> = self.switches.0.iter().map(switch).collect();
        let endpoints: Result<Vec<u32>, Problem> = self.endpoints.0.iter().map(endpoint).collect();
        Ok(Failures {
            links: self.links.0.iter().map(link).collect::<Result<_, _>>()?,
            switches: switches?.into_iter().map(SwitchId).collect(),
            endpoints: endpoints?.into_iter().map(EndpointId).collect(),
        })
    }
}

fn link(network: &Network, switch: u32, number: u32) -> Result<PortId, Problem> {
    let given = format!("{switch}-{number}");
    if switch >= network.switch_count() {
        let allowed = format!("switches are 0 to {}", network.switch_count().saturating_sub(1));
        return Err(refused("link", given, allowed));
    }
    let ports = network.ports(Node::Switch(SwitchId(switch)));
    let port = PortId(ports.start.saturating_add(number));
    if !ports.contains(&port.0) {
        let allowed = format!("the switch's ports are 0 to {}", ports.len().saturating_sub(1));
        return Err(refused("link", given, allowed));
    }
    match network.peer(port) {
        Some(_) => Ok(port),
        None => Err(refused("link", given, "there is no cable in this port".to_owned())),
    }
}

fn refused(key: &str, given: String, allowed: String) -> Problem {
    Problem::new(key, given, allowed)
}
