//! `keny report`: the tables of a stored run, for people and for programs.

use std::fs;
use std::path::Path;

use super::args::{Format, ReportArgs};
use super::clock;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::run::store_failure;
use crate::report::{self, Extent, View};
use crate::study::Store;
use crate::study::metrics::MeasureError;
use crate::study::thinking::thinking;

/// Prints the report, or writes it to a file (CSV: to a folder).
pub(super) fn run(args: &ReportArgs, output: &mut Output) -> Outcome {
    if !args.run.exists() {
        // The store would say no more than that it cannot be opened.
        let message = format!("cannot read `{}`: there is no such file", args.run.display());
        return Err(Failure::say(Exit::Io, message));
    }
    let store = Store::open(&args.run).map_err(store_failure)?;
    let mut view = view(&store)?;
    if let Some(openings) = args.times {
        let (clock, machine) = (clock::worked as fn() -> _, clock::told());
        view.thinking = Some(thinking(store.plan(), openings, clock, machine));
    }
    let (done, planned) = (view.games_done, view.games_planned - view.games_spared());
    if matches!(args.format, Format::Csv) && done < planned {
        // The other formats say it themselves.
        output.note(&format!("partial: {done} of {planned} games"));
    }
    let text = match args.format {
        Format::Table => {
            let extent = if args.all { Extent::All } else { Extent::Short };
            report::terminal(&view, output.width(), args.out.is_none() && output.colour(), extent)
        }
        Format::Markdown => report::markdown(&view),
        Format::Json => report::json(&view),
        Format::Html => report::html(&view),
        Format::Csv => return csv(&view, args.out.as_deref(), output),
    };
    match &args.out {
        None => output.write(&text)?,
        Some(path) => write(path, &text, output)?,
    }
    Ok(Exit::Done)
}

/// The numbers of a store.
pub(super) fn view(store: &Store) -> Result<View, Failure> {
    report::view(store).map_err(|error| match error {
        MeasureError::Store(error) => store_failure(error),
        MeasureError::Threads { .. } | MeasureError::Replay { .. } => Failure::new(Exit::Io, error),
    })
}

/// All CSV tables into a folder, or the first of them to standard output.
fn csv(view: &View, folder: Option<&Path>, output: &mut Output) -> Outcome {
    let tables = report::csv(view);
    match folder {
        None => {
            let (name, text) = &tables[0];
            output.write(text)?;
            let others: Vec<&str> = tables[1..].iter().map(|(name, _)| *name).collect();
            let others = others.join(", ");
            output.note(&format!("this is {name}; `--out FOLDER` writes {others} too"));
        }
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|error| {
                let message = format!("cannot make the folder `{}`: {error}", folder.display());
                Failure::say(Exit::Io, message)
            })?;
            for (name, text) in &tables {
                write(&folder.join(name), text, output)?;
            }
        }
    }
    Ok(Exit::Done)
}

fn write(path: &Path, text: &str, output: &mut Output) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| {
        Failure::say(Exit::Io, format!("cannot write `{}`: {error}", path.display()))
    })?;
    output.note(&format!("written: {}", path.display()));
    Ok(())
}
