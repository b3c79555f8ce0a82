//! `keny check`: are variant and study files right, and what are they.

use std::path::Path;

use super::args::CheckArgs;
use super::exit::{Exit, Outcome};
use super::input::is_path;
use super::output::Output;
use crate::study;
use crate::study::file::looks_like_study;
use crate::variant::extends::read_text;
use crate::variant::{self, Problems, library};

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
    let Checked { problems, what } = checked(file);
    if !problems.is_empty() {
        output.note(&problems.render(output.colour_of_notes()));
    }
    let found = counted(&problems);
    if let Some(what) = what {
        output.line(&format!("{file}: {found}, {what}"))?;
        return Ok(Exit::Done);
    }
    output.line(&format!("{file}: {found}"))?;
    let unreadable = is_path(file) && std::fs::File::open(file).is_err();
    Ok(if unreadable { Exit::Io } else { Exit::BadFile })
}

/// What checking came to.
struct Checked {
    problems: Problems,
    /// What it is, in a few words, if it is right.
    what: Option<String>,
}

fn checked(file: &str) -> Checked {
    let shipped = library::name(file).is_some();
    let path = Path::new(file);
    if !shipped && read_text(path).is_ok_and(|text| looks_like_study(&text)) {
        let study::file::Report { problems, study } = study::file::check_file(path);
        let what = study.map(|study| {
            let variants = study.plan.variants.len();
            format!("study of {variants} variants and {} games", study.plan.games_total())
        });
        return Checked { problems, what };
    }
    let variant::Report { problems, variant } = if !shipped && !is_path(file) && path.is_file() {
        variant::check_file(path)
    } else {
        match variant::load(file) {
            Ok(variant) => {
                let problems = variant.warnings.clone();
                variant::Report { problems, variant: Some(variant) }
            }
            Err(problems) => variant::Report { problems, variant: None },
        }
    };
    let what = variant.map(|variant| format!("fingerprint {}", variant.fingerprint()));
    Checked { problems, what }
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
