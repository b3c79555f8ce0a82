//! Study files: read, checked like variant files, and resolved into a plan. Plays nothing.
//!
//! ```toml
//! title         = "Two readings of Keny"          # default: the file's name
//! seed          = 1                               # default 1
//! opening_plies = 4                               # random plies at the start; default 4
//! plies_max     = 400                             # a game cut there is unfinished; default 400
//! shards        = 8                               # parts that `--shard` plays; default none
//! weights       = "weights"                       # a folder of learned weights; default: shipped
//! variants      = [                               # names, paths relative to this file, or tables
//!     "keny",
//!     "../my-reading.toml",
//!     { name = "one hop", extends = "keny", hop = { chain = 1 } },
//! ]
//!
//! [[stage]]                                       # any number of stages, each with
//! players  = ["random"]                           # players by their texts,
//! pairings = "self"                               # who plays whom (default "self"),
//! openings = 1000                                 # and openings for each pairing (default 100)
//!
//! [[stage]]
//! players  = ["greedy", "alphabeta:nodes=1000"]
//! pairings = "round-robin"
//! openings = 200
//! ```
//!
//! `pairings` is `"self"` (each player with itself), `"round-robin"` (each with each other one),
//! `{ gauntlet = "greedy" }` (that one with each other one), or a list such as
//! `[["random"], ["random", "greedy"]]`. A study of one stage may write `players`, `pairings` and
//! `openings` above, without `[[stage]]`; beside stages, `pairings` and `openings` stand there as
//! their defaults.
//!
//! Beside or instead of `variants`, `[design]` tables make them, and
//! `stop_when = { metric = "draws", half_width = 0.02 }` stops early:
//! see the modules `designs` and `stop`. `adjudicate = { lead = 5, plies = 20 }` gives a game to
//! the side that is five men ahead for twenty plies in a row; without it only the rules end games.

mod designs;
mod stages;
mod stop;

use std::path::{Path, PathBuf};

use super::adjudication::Adjudication;
use super::design::Design;
use super::plan::{GAMES_MAX, Plan, PlannedVariant};
use crate::limits::{SHARDS_MAX, SQUARES_MAX};
use crate::rules::Ruleset;
use crate::variant::extends::read_text;
use crate::variant::problems::{Problem, Problems, Spot};
use crate::variant::suggest::shown;
use crate::variant::table::{Located, Node, Raw, Table};
use crate::variant::{self, Variant};

pub use crate::limits::OPENING_PLIES_MAX;
pub use crate::limits::OPENINGS_MAX;
pub use crate::limits::PLAYERS_MAX;
pub use crate::limits::PLIES_MAX;
pub use crate::limits::STAGES_MAX;
pub use crate::limits::VARIANTS_MAX;

/// The keys of a study file.
pub const KEYS: [&str; 14] = [
    "title",
    "seed",
    "opening_plies",
    "plies_max",
    "shards",
    "weights",
    "variants",
    "players",
    "pairings",
    "openings",
    "stage",
    "design",
    "stop_when",
    "adjudicate",
];

/// A study that can be played.
#[derive(Clone, Debug)]
pub struct Study {
    /// What is played.
    pub plan: Plan,
    /// The number of shards that it is played in, where not in one piece; it changes no game.
    pub shards: Option<u32>,
    /// The text of the file.
    pub text: String,
    /// The folder of learned weights that it names.
    pub weights: Option<PathBuf>,
    /// What is probably not meant.
    pub warnings: Problems,
}

/// What checking a study file found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Errors and warnings, with the texts that they stand in.
    pub problems: Problems,
    /// The study, where there is no error.
    pub study: Option<Study>,
}

/// The study of the file at a path.
///
/// # Errors
/// With all problems of the file, when one of them is an error.
pub fn load(path: impl AsRef<Path>) -> Result<Study, Problems> {
    let report = check_file(path);
    report.study.ok_or(report.problems)
}

/// Checks the study file at a path.
#[must_use]
pub fn check_file(path: impl AsRef<Path>) -> Report {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    match read_text(path) {
        Ok(text) => check_text(&path.display().to_string(), &text, folder),
        Err(problem) => {
            let mut problems = Problems::new();
            problems.push(problem);
            Report { problems, study: None }
        }
    }
}

/// Checks the text of a study file; paths in it are relative to `folder`.
#[must_use]
pub fn check_text(name: &str, text: &str, folder: &Path) -> Report {
    let mut problems = Problems::new();
    let file = problems.add_text(name, text);
    let (table, bad_lines) = Table::from_toml(file, text, &mut problems);
    if !bad_lines.is_empty() {
        // Beside a syntax error, half of the file is missing: more problems would mislead.
        return Report { problems, study: None };
    }
    let title = Path::new(name).file_stem().map_or("study".into(), |stem| stem.to_string_lossy());
    let (plan, shards, weights) = read(table, &title, folder, &mut problems);
    let study = (!problems.has_errors()).then(|| Study {
        plan,
        shards,
        text: text.to_owned(),
        weights,
        warnings: problems.clone(),
    });
    Report { problems, study }
}

/// Whether a text is meant as a study file rather than a variant file: it has a key that only
/// studies have.
#[must_use]
pub fn looks_like_study(text: &str) -> bool {
    let mut problems = Problems::new();
    let file = problems.add_text("", text);
    let (table, _) = Table::from_toml(file, text, &mut problems);
    table.entries.iter().any(|entry| KEYS.contains(&entry.key.as_str()))
}

/// The plan, the number of shards, and the folder of learned weights.
fn read(
    mut table: Table,
    title: &str,
    folder: &Path,
    problems: &mut Problems,
) -> (Plan, Option<u32>, Option<PathBuf>) {
    let title = table.text("title", problems).map_or_else(|| title.to_owned(), |text| text.value);
    let seed = table.integer("seed", 0, i64::MAX, problems).map_or(1, |seed| seed.value);
    let opening_plies = count(&mut table, "opening_plies", 0, OPENING_PLIES_MAX, problems);
    let plies_max = count(&mut table, "plies_max", 1, PLIES_MAX, problems);
    let shards = count(&mut table, "shards", 1, SHARDS_MAX, problems).map(|shards| shards.value);
    let weights = table.text("weights", problems);
    let has_design = table.entries.iter().any(|entry| entry.key == "design");
    let mut variants = read_variants(&mut table, folder, has_design, problems);
    let designs = read_designs(&mut table, folder, &mut variants, problems);
    let pairings = stages::read(&mut table, problems);
    let stopping = stop::read(&mut table, variants.len(), problems);
    let adjudication = read_adjudication(&mut table, problems);
    table.finish(&KEYS, problems);
    let mut plan = Plan {
        title,
        seed: seed.cast_unsigned(),
        opening_plies: opening_plies.as_ref().map_or(4, |plies| plies.value),
        plies_max: plies_max.as_ref().map_or(400, |plies| plies.value),
        variants,
        pairings,
        designs,
        stopping,
        adjudication,
    };
    judge(&plan, opening_plies.as_ref(), plies_max.as_ref(), problems);
    // Games are stored by the order of turns, and read back by what the fingerprint says.
    for variant in &mut plan.variants {
        variant.ruleset = variant::live_only(&variant.ruleset);
    }
    let weights = weights.map(|text| Located { value: folder.join(text.value), spot: text.spot });
    find_weights(&mut plan, weights.as_ref(), problems);
    (plan, shards, weights.map(|folder| folder.value))
}

/// When a game is given to the side far ahead.
fn read_adjudication(table: &mut Table, problems: &mut Problems) -> Option<Adjudication> {
    const KEYS: [&str; 2] = ["lead", "plies"];
    let entry = table.take("adjudicate")?;
    let mut table = entry.node.into_table("adjudicate", problems)?;
    let help = "write for example `adjudicate = { lead = 5, plies = 20 }`";
    table.need(&KEYS, entry.key_spot.as_ref(), help, problems);
    let lead = count(&mut table, "lead", 1, SQUARES_MAX.into(), problems);
    let plies = count(&mut table, "plies", 1, PLIES_MAX, problems);
    table.finish(&KEYS, problems);
    Some(Adjudication { lead: lead?.value, plies: plies?.value })
}

/// Gives each variant what was learned for it, if a player wants that.
fn find_weights(plan: &mut Plan, folder: Option<&Located<PathBuf>>, problems: &mut Problems) {
    if !plan.wants_learned() {
        return;
    }
    let spot = folder.and_then(|folder| folder.spot.as_ref());
    let mut without = Vec::new();
    for variant in &mut plan.variants {
        let folder = folder.map(|folder| folder.value.as_path());
        match variant::find_weights(folder, &variant.ruleset) {
            Ok(Some(trained)) => variant.weights = Some(trained),
            Ok(None) => without.push(format!("`{}`", shown(&variant.name))),
            Err(error) => problems.push(Problem::error(error.to_string()).at(spot, "")),
        }
    }
    if let Some(first) = without.first() {
        let whose = match without.len() {
            1 => first.clone(),
            count => format!("{count} variants, the first of them {first}"),
        };
        let help = match folder {
            Some(_) => "`keny train STUDY.toml` learns them into that folder",
            None => {
                "name a folder, `weights = \"weights\"`, and let `keny train STUDY.toml` fill it"
            }
        };
        problems.push(
            Problem::warning(format!(
                "nothing was learned yet for {whose}: players judge by generic values there"
            ))
            .at(spot, "")
            .with_help(help),
        );
    }
}

/// Takes a whole number within limits out.
fn count(
    table: &mut Table,
    key: &str,
    min: u32,
    max: u32,
    problems: &mut Problems,
) -> Option<Located<u32>> {
    let number = table.integer(key, min.into(), max.into(), problems)?;
    let value = u32::try_from(number.value).expect("it lies within the limits, which are u32");
    Some(Located { value, spot: number.spot })
}

/// Whether the numbers of a plan fit together.
fn judge(
    plan: &Plan,
    opening_plies: Option<&Located<u32>>,
    plies_max: Option<&Located<u32>>,
    problems: &mut Problems,
) {
    let spot = |number: Option<&Located<u32>>| number.and_then(|number| number.spot.clone());
    let (opening_spot, cap_spot) = (spot(opening_plies), spot(plies_max));
    if plan.opening_plies >= plan.plies_max {
        let message = format!(
            "the opening of {} plies leaves nothing to play before the ply cap of {}",
            plan.opening_plies, plan.plies_max
        );
        let (first, second) = match (opening_spot, cap_spot) {
            (None, cap) => (cap, None),
            (opening, cap) => (opening, cap),
        };
        problems.push(
            Problem::error(message)
                .at(first.as_ref(), "")
                .with_context(second.as_ref(), "")
                .with_help("take a smaller `opening_plies` or a larger `plies_max`"),
        );
    } else if plan.opening_plies == 0 && plan.pairings.iter().any(|pair| pair.openings > 1) {
        problems.push(
            Problem::warning(
                "without an opening, players that do not draw lots play the same game every time",
            )
            .at(opening_spot.as_ref(), "")
            .with_help("take `opening_plies` of 1 or more, or players with a temperature"),
        );
    }
    if plan.games_total() > GAMES_MAX {
        let message = format!(
            "the study has {} games, but at most {GAMES_MAX} are played",
            plan.games_total()
        );
        problems.push(Problem::error(message).with_help("take fewer openings or variants"));
    }
}

/// Takes the designs out, and adds their variants to those that the study lists.
fn read_designs(
    table: &mut Table,
    folder: &Path,
    variants: &mut Vec<PlannedVariant>,
    problems: &mut Problems,
) -> Vec<Design> {
    let listed: Vec<(String, Ruleset)> =
        variants.iter().map(|variant| (variant.name.clone(), variant.ruleset)).collect();
    let find_base = |text: &str, spot: Option<&Spot>, problems: &mut Problems| {
        if let Some(variant) = listed.iter().find(|(name, _)| name == text) {
            return Some(variant.clone());
        }
        let variant = load_variant(text, spot, folder, problems)?;
        Some((variant.id, variant.ruleset))
    };
    let designs = designs::read(table, &find_base, variants, problems);
    if variants.len() > VARIANTS_MAX {
        let message = format!(
            "the study has {} variants with those of its designs, but at most {VARIANTS_MAX} are \
             played",
            variants.len()
        );
        problems.push(Problem::error(message).with_help("take smaller designs"));
    }
    designs
}

fn read_variants(
    table: &mut Table,
    folder: &Path,
    has_design: bool,
    problems: &mut Problems,
) -> Vec<PlannedVariant> {
    const EXAMPLE: &str = "write for example `variants = [\"keny\", \"turkish\"]`";
    let given = table.entries.iter().any(|entry| entry.key == "variants");
    let list = table.list("variants", problems);
    let Some(Located { value: nodes, spot }) = list else {
        if !given && !has_design {
            let message = "a study needs `variants` or a `[design]`";
            problems.push(Problem::error(message).with_help(EXAMPLE));
        }
        return Vec::new();
    };
    if nodes.is_empty() || nodes.len() > VARIANTS_MAX {
        let message = format!("`variants` lists {} variants", nodes.len());
        let allowed = format!("expected 1 to {VARIANTS_MAX}");
        problems.push(Problem::error(message).at(spot.as_ref(), allowed).with_help(EXAMPLE));
        return Vec::new();
    }
    let mut variants: Vec<(PlannedVariant, Option<Spot>)> = Vec::new();
    for node in nodes {
        let spot = node.spot.clone();
        let Some(variant) = read_variant(node, folder, problems) else { continue };
        let fingerprint = variant.fingerprint();
        let planned = PlannedVariant {
            name: variant.id,
            ruleset: variant.ruleset,
            fingerprint,
            weights: None,
        };
        if let Some(problem) = twin(&planned, spot.as_ref(), &variants) {
            problems.push(problem);
        }
        variants.push((planned, spot));
    }
    variants.into_iter().map(|(variant, _)| variant).collect()
}

/// The problem that a variant has the name or the rules of an earlier one.
fn twin(
    new: &PlannedVariant,
    spot: Option<&Spot>,
    earlier: &[(PlannedVariant, Option<Spot>)],
) -> Option<Problem> {
    let same_name = earlier.iter().find(|(other, _)| other.name == new.name);
    if let Some((_, first)) = same_name {
        let message = format!("two variants are called `{}`", shown(&new.name));
        return Some(
            Problem::error(message).at(spot, "").with_context(first.as_ref(), "first here"),
        );
    }
    let (other, first) = earlier.iter().find(|(other, _)| other.fingerprint == new.fingerprint)?;
    let message = format!(
        "`{}` and `{}` are the same rules, so their games are the same",
        shown(&other.name),
        shown(&new.name)
    );
    Some(Problem::warning(message).at(spot, "").with_context(first.as_ref(), "first here"))
}

fn read_variant(node: Node, folder: &Path, problems: &mut Problems) -> Option<Variant> {
    let spot = node.spot.clone();
    match node.value {
        Raw::Text(text) => load_variant(&text, spot.as_ref(), folder, problems),
        Raw::Table(mut table) => {
            // Its keys are told as a variant file's, without the name of the list.
            table = unrooted(table, "variants.");
            let name = table.entries.iter().find(|entry| entry.key == "name");
            let name = name.and_then(|entry| match &entry.node.value {
                Raw::Text(name) if !name.trim().is_empty() => Some(name.clone()),
                Raw::Text(_)
                | Raw::Bool(_)
                | Raw::Integer(_)
                | Raw::Huge(_)
                | Raw::Float(_)
                | Raw::Date(_)
                | Raw::Null
                | Raw::List(_)
                | Raw::Table(_) => None,
            });
            let Some(name) = name else {
                problems.push(
                    Problem::error("a variant that is written here needs a `name`")
                        .at(spot.as_ref(), "")
                        .with_help("write `{ name = \"…\", extends = \"keny\", … }`"),
                );
                // What else is wrong with it is told too.
                let _ = variant::from_table("", table, folder, problems);
                return None;
            };
            variant::from_table(&name, table, folder, problems)
        }
        Raw::Bool(_)
        | Raw::Integer(_)
        | Raw::Huge(_)
        | Raw::Float(_)
        | Raw::Date(_)
        | Raw::Null
        | Raw::List(_) => {
            problems.push(node.unfit("variants", "a name, a path, or a table of rules"));
            None
        }
    }
}

/// The variant that a text names; what is wrong with another file is told in one line here.
fn load_variant(
    text: &str,
    spot: Option<&Spot>,
    folder: &Path,
    problems: &mut Problems,
) -> Option<Variant> {
    let is_path = text.contains(['/', '\\'])
        || Path::new(text).extension().is_some_and(|end| end.eq_ignore_ascii_case("toml"));
    let path = folder.join(text);
    let found = if is_path { variant::load(&path.to_string_lossy()) } else { variant::load(text) };
    let errors = match found {
        Ok(variant) => return Some(variant),
        Err(errors) => errors,
    };
    let mut items = errors.items().iter();
    let unplaced =
        items.clone().find(|problem| problem.place.is_none() && errors.items().len() == 1);
    let problem = if let Some(problem) = unplaced {
        problem.clone().at(spot, "")
    } else {
        let first = items.next().map_or("", |problem| &problem.message);
        Problem::error(format!("the variant file `{}` cannot be used: {first}", shown(text)))
            .at(spot, "")
            .with_help(format!("`keny check {}` shows all that is wrong with it", path.display()))
    };
    problems.push(problem);
    None
}

/// The table with paths that do not begin with `prefix`.
fn unrooted(mut table: Table, prefix: &str) -> Table {
    let path = table.path.strip_prefix(prefix).unwrap_or("");
    table.path = path.to_owned();
    for entry in &mut table.entries {
        if let Raw::Table(inner) = &mut entry.node.value {
            *inner = unrooted(std::mem::take(inner), prefix);
        }
    }
    table
}
