//! Which adapters share a host, by their descriptions.

use std::collections::BTreeMap;

use crate::interchange::report::{At, Report, quoted};
use crate::interchange::{Device, Fabric, Kind};

/// How the last word of a description begins when it names one of a host's adapters.
const ADAPTERS: &[&str] = &["HCA-", "mlx", "mthca", "hfi", "qib", "ipath", "ib", "roce", "rdma"];

/// Lets adapters whose descriptions begin with the same host and end with an adapter's name share
/// that host. Where the whole description is not unique the host's name means nothing.
pub(super) fn share(fabric: &mut Fabric, report: &mut Report<'_>) {
    let mut hosts: BTreeMap<&str, Vec<&Device>> = BTreeMap::new();
    for device in fabric.devices.iter().filter(|device| device.kind == Kind::Endpoint) {
        if let Some(host) = host(&device.name) {
            hosts.entry(host).or_default().push(device);
        }
    }
    let mut shared: BTreeMap<String, bool> = BTreeMap::new();
    for (host, devices) in hosts.into_iter().filter(|(_, devices)| devices.len() > 1) {
        let mut names = BTreeMap::new();
        let mut names = devices.iter().map(|device| (names.insert(&device.name, ()), &device.name));
        let repeated = names.find(|(before, _)| before.is_some()).map(|(_, name)| name);
        if let Some(name) = repeated {
            let text = format!(
                "several adapters are called {}, so none of the host {} are taken to share one",
                quoted(name),
                quoted(host)
            );
            report.notice(At::default(), |_| text);
        }
        shared.insert(host.to_owned(), repeated.is_none());
    }
    for device in &mut fabric.devices {
        let host = host(&device.name).filter(|host| shared.get(*host) == Some(&true));
        if let Some(host) = host.filter(|_| device.kind == Kind::Endpoint) {
            device.host = host.to_owned();
        }
    }
}

/// The host in a description such as `host-1 HCA-2` or `host-1 mlx5_1`.
fn host(description: &str) -> Option<&str> {
    let (host, adapter) = description.rsplit_once(char::is_whitespace)?;
    let named = ADAPTERS.iter().any(|start| adapter.starts_with(start));
    let numbered = adapter.ends_with(|c: char| c.is_ascii_digit());
    let host = host.trim();
    (named && numbered && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts_are_what_stands_before_the_adapter() {
        let cases = [
            ("host-1 HCA-1", Some("host-1")),
            ("n01 mlx5_0", Some("n01")),
            ("rack 3 node 7 hfi1_0", Some("rack 3 node 7")),
            ("gpu12 ibp65s0f0", Some("gpu12")),
            ("host-3-0", None),
            ("MT25408 ConnectX Mellanox Technologies", None),
            ("HCA-1", None),
            ("", None),
        ];
        for (description, expected) in cases {
            assert_eq!(host(description), expected, "{description}");
        }
    }
}
