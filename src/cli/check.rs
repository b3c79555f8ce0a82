//! `keny check`: are variant files right, and what are their fingerprints.

use super::args::CheckArgs;
use super::exit::{Exit, Outcome};
use super::input::is_path;
use super::output::Output;
use crate::variant::{self, Problems, Report, library};

/// Checks each file or name; all shipped variants if there is none.
pub(super) fn run(args: &CheckArgs, output: &mut Output) -> Outcome {
    if args.files.is_empty() {
        for name in library::NAMES {
            check(name, output)?;
        }
        return Ok(Exit::Done);
    }
    let mut worst = Exit::Done;
    for file in &args.files {
        worst = worst.max(check(file, output)?);
    }
    // What is wrong has been told.
    Ok(worst)
}

fn check(file: &str, output: &mut Output) -> Outcome {
    let report = if library::name(file).is_none()
        && !is_path(file)
        && std::fs::exists(file).unwrap_or(false)
    {
        variant::check_file(file)
    } else {
        match variant::load(file) {
            Ok(variant) => Report { problems: variant.warnings.clone(), variant: Some(variant) },
            Err(problems) => Report { problems, variant: None },
        }
    };
    if !report.problems.is_empty() {
        output.note(&report.problems.render(output.colour_of_notes()));
    }
    let found = counted(&report.problems);
    match report.variant {
        Some(variant) => {
            output.line(&format!("{file}: {found}, fingerprint {}", variant.fingerprint()))?;
            Ok(Exit::Done)
        }
        None => {
            output.line(&format!("{file}: {found}"))?;
            let unreadable = is_path(file) && std::fs::File::open(file).is_err();
            Ok(if unreadable { Exit::Io } else { Exit::BadFile })
        }
    }
}

/// "ok", "1 error", "2 errors and 1 warning".
fn counted(problems: &Problems) -> String {
    let counted = |count: usize, word: &str| match count {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{count} {word}s")),
    };
    let parts: Vec<String> =
        [counted(problems.error_count(), "error"), counted(problems.warning_count(), "warning")]
            .into_iter()
            .flatten()
            .collect();
    if parts.is_empty() { "ok".to_owned() } else { parts.join(" and ") }
}
