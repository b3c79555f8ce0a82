//! The commands: reads arguments, files, the clock and the terminal, and is the only floor that
//! prints. Decides nothing about rules.

mod analyse;
mod args;
mod check;
mod clock;
mod completions;
mod diff;
mod exit;
mod explain;
mod input;
mod merge;
mod moves;
mod output;
mod perft;
mod pipe;
mod plan;
mod play;
mod playouts;
mod relevance;
mod replay;
mod report;
mod rules;
mod run;
mod sentences;
mod signals;
mod train;
mod turn_json;
mod wrap;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use exit::{Message, Outcome};
use output::Output;

pub use exit::Exit;

/// Runs the command of this process's arguments; the code says how it ended.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return shown(&error),
    };
    let mut output = Output::new();
    let outcome = obey(cli.command, &mut output);
    let outcome = outcome.and_then(|exit| output.flush().map(|()| exit));
    let exit = outcome.unwrap_or_else(|failure| {
        match failure.message {
            Message::Error(error) => output.note(&format!("error: {error:#}")),
            Message::Drawn(text) => output.note(&text),
            Message::Silent => {}
        }
        failure.exit
    });
    ExitCode::from(exit.code())
}

fn obey(command: Command, output: &mut Output) -> Outcome {
    match command {
        Command::Check(args) => check::run(&args, output),
        Command::Rules(args) => rules::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Diff(args) => diff::run(&args, output),
        Command::Moves(args) => moves::run(&args, output),
        Command::Perft(args) => perft::run(&args, output),
        Command::Playouts(args) => playouts::run(&args, output),
        Command::Pipe => pipe::run(output),
        Command::Replay(args) => replay::run(&args, output),
        Command::Play(args) => play::run(&args, output),
        Command::Analyse(args) => analyse::run(&args, output),
        Command::Train(args) => train::run(&args, output),
        Command::Plan(args) => plan::run(&args, output),
        Command::Run(args) => run::run(&args, output),
        Command::Merge(args) => merge::run(&args, output),
        Command::Report(args) => report::run(&args, output),
        Command::Relevance(args) => relevance::run(&args, output),
        Command::Completions(args) => completions::run(&args, output),
    }
}

/// Prints help, the version, or what is wrong with the command line.
fn shown(error: &clap::Error) -> ExitCode {
    // Where nobody reads, nothing can be said.
    drop(error.print());
    let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
    ExitCode::from(exit.code())
}
