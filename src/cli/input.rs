//! What commands read: variants, positions, files, and what the terminal can show.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;

use super::args::SceneArgs;
use super::exit::{Exit, Failure, Message};
use super::output::Output;
use crate::board::{Placement, SquareSet};
use crate::notation::{Marks, parse_position};
use crate::player::Weights;
use crate::rules::{Position, Rules, Ruleset};
use crate::study;
use crate::study::file::Study;
use crate::variant::{self, Variant};

/// The variant of a name or path; its warnings are told.
pub(super) fn variant(name_or_path: &str, output: &mut Output) -> Result<Variant, Failure> {
    let variant = variant::load(name_or_path).map_err(|problems| {
        let missing = variant::library::name(name_or_path).is_none()
            && is_path(name_or_path)
            && File::open(name_or_path).is_err();
        Failure {
            exit: if missing { Exit::Io } else { Exit::BadFile },
            message: Message::Drawn(problems.render(output.colour_of_notes())),
        }
    })?;
    if !variant.warnings.is_empty() {
        output.note(&variant.warnings.render(output.colour_of_notes()));
    }
    Ok(variant)
}

/// The study of a file; its warnings are told.
pub(super) fn study(path: &Path, output: &mut Output) -> Result<Study, Failure> {
    let study = study_without_warnings(path, output)?;
    if !study.warnings.is_empty() {
        output.note(&study.warnings.render(output.colour_of_notes()));
    }
    Ok(study)
}

/// The study of a file, for a command that its warnings do not concern.
pub(super) fn study_without_warnings(path: &Path, output: &Output) -> Result<Study, Failure> {
    study::file::load(path).map_err(|problems| Failure {
        exit: if File::open(path).is_err() { Exit::Io } else { Exit::BadFile },
        message: Message::Drawn(problems.render(output.colour_of_notes())),
    })
}

/// The learned values of a ruleset: from this folder, or as shipped.
pub(super) fn weights(
    folder: Option<&Path>,
    ruleset: &Ruleset,
) -> Result<Option<Weights>, Failure> {
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(Failure::say(Exit::Io, message));
    }
    let trained = variant::find_weights(folder, ruleset);
    let trained = trained.map_err(|error| Failure::new(Exit::BadFile, error))?;
    Ok(trained.map(|trained| trained.weights))
}

/// Whether a text names a file and not a shipped variant.
pub(super) fn is_path(text: &str) -> bool {
    text.contains(['/', '\\'])
        || Path::new(text).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"))
}

/// The variant of a command that begins at a position.
pub(super) fn scene(args: &SceneArgs, output: &mut Output) -> Result<Variant, Failure> {
    variant(&args.variant, output)
}

/// The position that a text means, or the start.
pub(super) fn position<S: SquareSet>(
    text: Option<&str>,
    rules: &Rules<S>,
) -> Result<Position<S>, Failure> {
    match text {
        None => Ok(rules.start_position()),
        Some(text) => {
            position_of(text, rules.ruleset()).map_err(|error| Failure::say(Exit::Usage, error))
        }
    }
}

/// The position that a text means under a ruleset, in the word that the rules use.
pub(super) fn position_of<S: SquareSet>(
    text: &str,
    ruleset: &Ruleset,
) -> Result<Position<S>, String> {
    let (side, placement) =
        parse_position(text, &ruleset.board).map_err(|error| format!("position: {error}"))?;
    let placement: Placement<S> = placement.cast();
    Ok(Position::new(placement, side))
}

/// The text of a file of at most `bytes_max` bytes; of standard input where the path is `-`.
pub(super) fn read_text(path: &Path, bytes_max: u64) -> Result<String, Failure> {
    let name = if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        format!("`{}`", path.display())
    };
    let unreadable = |reason: &dyn std::fmt::Display| {
        Failure::say(Exit::Io, format!("cannot read {name}: {reason}"))
    };
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(bytes_max + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(bytes_max + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > bytes_max {
        return Err(unreadable(&format!("it is larger than {bytes_max} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        unreadable(&format!("it is not UTF-8 text (byte {at})"))
    })
}

/// The marks for boards: ASCII where it is asked for, or where the terminal's locale is not UTF-8.
pub(super) fn marks(ascii: bool) -> Marks {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    let narrow = locale.is_some_and(|locale| !locale.to_ascii_lowercase().contains("utf"));
    if ascii || narrow && std::io::stdout().is_terminal() { Marks::Ascii } else { Marks::Unicode }
}

/// Runs the work on so many threads; on one for each core if no number is given.
pub(super) fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| Failure::say(Exit::Io, format!("cannot start the threads: {error}")))?;
    Ok(pool.install(work))
}
