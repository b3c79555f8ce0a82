//! `keny train`: learns what the parts of a position are worth, for variants or for all rulesets of
//! a study that have no values yet, and keeps that in a folder.

use std::path::{Path, PathBuf};

use super::args::TrainArgs;
use super::exit::{Exit, Failure, Outcome};
use super::output::{Output, Style};
use super::{clock, explain, input};
use crate::player::{Round, Trained, TrainingPlan, train};
use crate::report::number;
use crate::rules::Ruleset;
use crate::study::file::looks_like_study;
use crate::variant::{self, find_weights, weights_path, weights_text};

/// Where weights go if no folder is named.
const FOLDER: &str = "weights";
/// The largest file that is looked at, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// A ruleset to learn for.
///
/// Dormant flags order the turns that a search looks at, and weights stand under a fingerprint that
/// does not know them: a ruleset is learned without them, as a study plays it.
struct Pupil {
    name: String,
    ruleset: Ruleset,
}

impl Pupil {
    fn new(name: String, ruleset: &Ruleset) -> Self {
        Self { name, ruleset: variant::live_only(ruleset) }
    }
}

/// Learns, tells and keeps.
pub(super) fn run(args: &TrainArgs, output: &mut Output) -> Outcome {
    let (pupils, folder) = pupils(args, output)?;
    let plan = TrainingPlan {
        rounds: args.rounds,
        plies_a_round: args.plies,
        nodes: args.nodes,
        seed: args.seed,
        ..TrainingPlan::default()
    };
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let count = pupils.len();
    for (number, pupil) in (1..).zip(&pupils) {
        if count > 1 {
            output.note(&format!("{number} of {count}: {}", pupil.name));
        }
        let begun = clock::now();
        let mut tell = |Round { number, rounds, games }| {
            output.note(&format!("round {number} of {rounds}: {} games", number::count(games)));
        };
        let trained = input::on_threads(args.threads, || train(&pupil.ruleset, &plan, &mut tell))?;
        output.note(&format!("{:.0} seconds", begun.elapsed().as_secs_f64()));
        let path = weights_path(&folder, &pupil.ruleset);
        keep(&path, &weights_text(&pupil.name, &pupil.ruleset, &trained))?;
        told(pupil, &trained, &path, output)?;
    }
    Ok(Exit::Done)
}

/// Who learns, and the folder that keeps it.
fn pupils(args: &TrainArgs, output: &mut Output) -> Result<(Vec<Pupil>, PathBuf), Failure> {
    let path = Path::new(&args.variant);
    let is_study = input::is_path(&args.variant)
        && input::read_text(path, FILE_MAX).is_ok_and(|text| looks_like_study(&text));
    if !is_study {
        let variant = input::variant(&args.variant, output)?;
        let folder = args.into.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
        return Ok((vec![Pupil::new(variant.id, &variant.ruleset)], folder));
    }
    // That something was not learned yet is no news here.
    let study = input::study_without_warnings(path, output)?;
    let folder = args.into.clone().or(study.weights).ok_or_else(|| {
        Failure::say(
            Exit::Usage,
            format!(
                "`{}` names no folder for weights; write `weights = \"{FOLDER}\"` into it, so that \
                 its players find them",
                args.variant
            ),
        )
    })?;
    let mut pupils: Vec<Pupil> = Vec::new();
    let mut known = 0;
    for variant in study.plan.variants {
        let found = find_weights(Some(&folder), &variant.ruleset)
            .map_err(|error| Failure::new(Exit::BadFile, error))?;
        let again = args.again && weights_path(&folder, &variant.ruleset).exists();
        let same = |pupil: &Pupil| variant::fingerprint(&pupil.ruleset) == variant.fingerprint;
        if (found.is_some() && !again) || pupils.iter().any(same) {
            known += 1;
        } else {
            pupils.push(Pupil::new(variant.name, &variant.ruleset));
        }
    }
    if known > 0 {
        let all = known + pupils.len();
        output.note(&format!("of {all} rulesets {known} have values already"));
    }
    Ok((pupils, folder))
}

/// Writes the whole file or nothing.
fn keep(path: &Path, text: &str) -> Result<(), Failure> {
    let new = path.with_extension("new");
    std::fs::write(&new, text)
        .and_then(|()| std::fs::rename(&new, path))
        .map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::say(Exit::Io, format!("cannot write `{}`: {error}", path.display()))
}

fn told(pupil: &Pupil, trained: &Trained, path: &Path, output: &mut Output) -> Result<(), Failure> {
    output.line(&output.styled(Style::Bold, &pupil.name))?;
    explain::tell_values(trained, output)?;
    output.line(&format!("  kept in `{}`", path.display()))
}
