//! `cargo xtask serve`: the page on this machine.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::Duration;

use super::Command;
use crate::error::{Error, Result};
use crate::setup::{Needs, prepare};
use crate::trunk;
use crate::workspace::Workspace;

const DEFAULT_PORT: u16 = 8080;
const POLL: Duration = Duration::from_millis(500);

/// The command.
pub const COMMAND: Command = Command {
    name: "serve",
    arguments: "[--port N]",
    about: "Build the page, serve it on this machine and print its address",
    details,
    run,
};

fn details() -> String {
    format!(
        "  --port N   The port to serve on; {DEFAULT_PORT} when left out\n\n\
         The page is built again when a source file changes; reload it to see the change."
    )
}

fn run(arguments: &[String]) -> Result<()> {
    let port = parse_port(arguments)?;
    check_free(port)?;
    let ready = prepare(Workspace::find()?, Needs::PAGE)?;
    println!("Building the page: about five minutes the first time, one when little changed.");
    let mut server = trunk::task(&ready, "serve")?
        .arguments(["--no-autoreload", "true", "--address", "127.0.0.1"])
        .arguments(["--port", &port.to_string()])
        .spawn()?;
    watch(&mut server, port)
}

/// Prints the address once the page is there, and returns when the server ends.
fn watch(server: &mut Child, port: u16) -> Result<()> {
    let mut announced = false;
    loop {
        let ended = server.try_wait().map_err(Error::io("Lost sight of the server"))?;
        if let Some(status) = ended {
            return Err(Error::Failed {
                command: "trunk serve".to_string(),
                status: status.to_string(),
                advice: "Read the first error above, then start again.".to_string(),
            });
        }
        if !announced && TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            println!("\nDragontree is at http://127.0.0.1:{port}/ (Ctrl+C ends it)\n");
            announced = true;
        }
        thread::sleep(POLL);
    }
}

fn check_free(port: u16) -> Result<()> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::missing(
            format!("Port {port} cannot be used; another program may have it."),
            "Choose another one with `cargo xtask serve --port N`.",
        )),
    }
}

fn parse_port(arguments: &[String]) -> Result<u16> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let value = match words.as_slice() {
        [] => return Ok(DEFAULT_PORT),
        ["--port", value] => value,
        [single] => single.strip_prefix("--port=").unwrap_or_default(),
        _ => "",
    };
    let port = value.parse().ok().filter(|port| *port != 0);
    port.ok_or_else(|| {
        Error::Usage(format!(
            "Expected `--port N` with N from 1 to 65535, but got `{}`.",
            words.join(" ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(arguments: &[&str]) -> Option<u16> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        parse_port(&arguments).ok()
    }

    #[test]
    fn the_port_can_be_chosen() {
        assert_eq!(port(&[]), Some(DEFAULT_PORT));
        assert_eq!(port(&["--port", "9000"]), Some(9000));
        assert_eq!(port(&["--port=9000"]), Some(9000));
    }

    #[test]
    fn anything_else_is_refused() {
        for arguments in [
            &["--port"][..],
            &["9000"],
            &["--port", "0"],
            &["--port", "70000"],
            &["--port", "1", "2"],
        ] {
            assert_eq!(port(arguments), None, "{arguments:?}");
        }
    }
}
