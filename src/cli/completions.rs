//! `keny completions`: what a shell needs to complete the command line.

use clap::CommandFactory;

use super::args::{Cli, CompletionsArgs};
use super::exit::{Exit, Outcome};
use super::output::Output;

/// Prints the completions of one shell.
pub(super) fn run(args: &CompletionsArgs, output: &mut Output) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "keny", &mut script);
    output.write(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
