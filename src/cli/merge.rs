//! `keny merge`: the stores of shards put together, and which shards are missing.

use super::args::MergeArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::Output;
use super::run::store_exit;
use super::signals::Signals;
use crate::study::merge::{self, MergeError, Merged, Options};
use crate::study::part::ranges;

/// Merges, and says what is missing; the shards to run again go to standard output alone.
pub(super) fn run(args: &MergeArgs, output: &mut Output) -> Outcome {
    let signals = Signals::listen()?;
    let MergeArgs { out, inputs, allow_partial, replace } = args;
    let options = Options { allow_partial: *allow_partial, replace: *replace };
    let merged = merge::merge(out, inputs, options, signals.stop())
        .map_err(|error| Failure::new(exit_of(&error, &signals), error))?;
    let out = out.display();
    if merged.texts_differ {
        output.note(
            "note: titles, names of variants or texts of the study differ between the stores; those \
             that come first by the alphabet were taken",
        );
    }
    let Merged { title, games, total, spared, repeated, written, .. } = &merged;
    if *written {
        let stores =
            if inputs.len() == 1 { "1 store".into() } else { format!("{} stores", inputs.len()) };
        let again = match repeated {
            0 => String::new(),
            1 => ", 1 of which was there twice".to_owned(),
            _ => format!(", {repeated} found again and equal"),
        };
        output
            .line(&format!("{title}: {games} of {total} games in `{out}`, from {stores}{again}"))?;
    }
    if *spared > 0 {
        output.note(&format!("{spared} games were spared by `stop_when`"));
    }
    if games == total {
        return Ok(Exit::Done);
    }
    tell_missing(&merged, output);
    if *written {
        if !merged.shards_missing.is_empty() {
            output.note(&format!("shards to run again: {}", array(&merged)));
        }
        return Ok(Exit::Done);
    }
    output.note(&format!("`{out}` was not written; `--allow-partial` writes what is there"));
    if !merged.shards_missing.is_empty() {
        output.line(&array(&merged))?;
    }
    Ok(Exit::CheckFailed)
}

fn array(merged: &Merged) -> String {
    format!("--array={}", ranges(&merged.shards_missing))
}

fn tell_missing(merged: &Merged, output: &mut Output) {
    let Merged { plan, games, total, missing, .. } = merged;
    let lacking = total - games;
    output.note(&format!("partial: {lacking} of {total} games are missing:"));
    for key in missing {
        output.note(&format!("  {}", merge::in_words(plan, key)));
    }
    let more = lacking - missing.len() as u64;
    if more > 0 {
        output.note(&format!("  and {more} more"));
    }
}

fn exit_of(error: &MergeError, signals: &Signals) -> Exit {
    match error {
        MergeError::Store(error) => store_exit(error),
        MergeError::OtherPlan { .. }
        | MergeError::OtherShards { .. }
        | MergeError::Conflict { .. } => Exit::BadFile,
        MergeError::Exists { .. } => Exit::Usage,
        MergeError::Unwritable { .. } => Exit::Io,
        MergeError::Stopped { .. } => signals.exit(),
    }
}
