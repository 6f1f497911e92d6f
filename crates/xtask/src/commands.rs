//! The subcommands: one file each, and one line each in the list.

mod build;
mod defaults;
mod serve;
mod test;

use crate::error::{Error, Result};

/// A subcommand.
pub struct Command {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Its arguments, as shown in the help.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// More help, shown by `--help` after the name.
    pub details: fn() -> String,
    /// Does it.
    pub run: fn(&[String]) -> Result<()>,
}

const COMMANDS: [Command; 4] = [serve::COMMAND, test::COMMAND, build::COMMAND, defaults::COMMAND];

/// Runs what the command line asks for.
pub fn dispatch(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Error::Usage(help()));
    };
    if is_help(name) || name == "help" {
        println!("{}", help());
        return Ok(());
    }
    let command = find(name)?;
    if rest.iter().any(|argument| is_help(argument)) {
        println!("{}", command_help(command));
        return Ok(());
    }
    (command.run)(rest)
}

/// Refuses arguments, for commands that take none.
pub fn expect_none(arguments: &[String], name: &str) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(extra) => {
            Err(Error::Usage(format!("`cargo xtask {name}` takes no argument, but got `{extra}`.")))
        }
    }
}

fn find(name: &str) -> Result<&'static Command> {
    let command = COMMANDS.iter().find(|command| command.name == name);
    command.ok_or_else(|| Error::Usage(format!("There is no command `{name}`.\n\n{}", help())))
}

fn is_help(argument: &str) -> bool {
    argument == "--help" || argument == "-h"
}

fn help() -> String {
    let mut text = String::from(
        "Installs what is missing, then builds, serves or tests Dragontree.\n\n\
         Usage: cargo xtask COMMAND [ARGUMENTS]\n\nCommands:\n",
    );
    for command in &COMMANDS {
        let usage = format!("{} {}", command.name, command.arguments);
        text.push_str(&format!("  {usage:<18} {}\n", command.about));
    }
    text.push_str(
        "\n`cargo xtask COMMAND --help` says more about one of them.\n\
         Tools are kept in DRAGONTREE_CACHE, or else in the user's cache directory.",
    );
    text
}

fn command_help(command: &Command) -> String {
    let usage = format!("cargo xtask {} {}", command.name, command.arguments);
    let details = (command.details)();
    format!("{}\n\nUsage: {}\n\n{details}", command.about, usage.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_the_help() {
        let help = help();
        assert!(COMMANDS.iter().all(|command| help.contains(command.name)));
    }

    #[test]
    fn an_unknown_command_is_named() {
        let error = dispatch(&["deploy".to_string()]);
        assert!(error.is_err_and(|error| error.to_string().contains("`deploy`")));
    }
}
