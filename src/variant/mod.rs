//! Variants: rulesets as files. Finds, reads, checks and resolves them.
//!
//! A file is read as it is written ([`mod@file`]), its parents are found ([`extends`]), and the chain
//! is resolved into one ruleset with the origin of each answer ([`resolve`]). All [`problems`] are
//! collected and drawn into the text. Nothing here plays.

pub mod extends;
pub mod file;
mod fingerprint;
pub mod library;
pub mod problems;
pub mod reference;
pub mod resolve;
pub mod schema;
mod show;
pub mod suggest;
pub mod table;
pub mod validate;
mod weights;

use std::path::{Path, PathBuf};

use crate::rules::Ruleset;

use extends::{Address, Base};
use file::VariantFile;
use table::Table;

pub use fingerprint::{Fingerprint, NotAFingerprint, canonical_text, fingerprint, live_only};
pub use problems::{Problem, Problems, Severity};
pub use resolve::{Origin, Provenance};
pub use show::value_text;
pub use weights::{
    UnusableWeights, WeightsError, find_weights, learned, parse_weights, weights_path, weights_text,
};

/// A named ruleset, resolved.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The short name: the shipped name, or the file's name without its ending.
    pub id: String,
    /// The title; the short name where the file has none.
    pub name: String,
    /// What it is, in a sentence or two; may be empty.
    pub summary: String,
    /// Where the rules come from.
    pub sources: Vec<String>,
    /// The name of the variant that it extends directly, as written.
    pub extends: Option<String>,
    /// The rules.
    pub ruleset: Ruleset,
    /// Where each answer comes from.
    pub provenance: Provenance,
    /// What is probably not meant.
    pub warnings: Problems,
}

impl Variant {
    /// The fingerprint of its ruleset.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.ruleset)
    }
}

/// What checking one file found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Errors and warnings, with the texts that they stand in.
    pub problems: Problems,
    /// The variant, where there is no error.
    pub variant: Option<Variant>,
}

/// The variant of this name, or of the file at this path (with a slash or the ending `.toml`).
///
/// # Errors
/// With all problems of the file, when one of them is an error.
pub fn load(name_or_path: &str) -> Result<Variant, Problems> {
    let report = match Address::of(name_or_path, &Base::Folder(PathBuf::new())) {
        Ok(address) => check_address(&address),
        Err(problem) => report_of(problem),
    };
    report.variant.ok_or(report.problems)
}

/// Checks the variant file at a path.
#[must_use]
pub fn check_file(path: impl AsRef<Path>) -> Report {
    check_address(&Address::File(path.as_ref().to_path_buf()))
}

/// Checks the text of a variant file; `extends` may name shipped variants only.
#[must_use]
pub fn check_text(name: &str, text: &str) -> Report {
    let mut problems = Problems::new();
    let file = extends::parse_file(name, text, &mut problems);
    finished(name.to_owned(), name.to_owned(), file, None, Base::NamesOnly, problems)
}

/// The ruleset of a JSON object with the same keys as a variant file; `extends` may name shipped
/// variants only.
///
/// # Errors
/// With all problems, when one of them is an error; the messages name the keys.
pub fn from_json(value: &serde_json::Value) -> Result<Ruleset, Problems> {
    let mut problems = Problems::new();
    let Some(table) = Table::from_json(value) else {
        problems.push(Problem::error("rules must be an object of tables, `{\"man\": {…}, …}`"));
        return Err(problems);
    };
    let file = VariantFile::read(table, &mut problems);
    let name = "rules".to_owned();
    let report = finished(name.clone(), name, file, None, Base::NamesOnly, problems);
    report.variant.map(|variant| variant.ruleset).ok_or(report.problems)
}

/// The variant of a table that stands in another file, such as a study; its problems are added to
/// those of that file, and paths in `extends` are relative to `folder`.
pub fn from_table(
    id: &str,
    table: Table,
    folder: &Path,
    problems: &mut Problems,
) -> Option<Variant> {
    let errors = problems.error_count();
    let file = VariantFile::read(table, problems);
    let base = Base::Folder(folder.to_path_buf());
    let variant = resolved(id.to_owned(), id.to_owned(), file, None, base, problems);
    (problems.error_count() == errors).then_some(variant)
}

fn check_address(address: &Address) -> Report {
    let mut problems = Problems::new();
    match extends::read_file(address, &mut problems) {
        Ok(file) => {
            let base = address.base();
            finished(address.id(), address.display(), file, Some(address), base, problems)
        }
        Err(problem) => report_of(problem),
    }
}

fn report_of(problem: Problem) -> Report {
    let mut problems = Problems::new();
    problems.push(problem);
    Report { problems, variant: None }
}

fn finished(
    id: String,
    display: String,
    file: VariantFile,
    address: Option<&Address>,
    base: Base,
    mut problems: Problems,
) -> Report {
    let mut variant = resolved(id, display, file, address, base, &mut problems);
    if problems.has_errors() {
        return Report { problems, variant: None };
    }
    variant.warnings = problems.clone();
    Report { problems, variant: Some(variant) }
}

fn resolved(
    id: String,
    display: String,
    file: VariantFile,
    address: Option<&Address>,
    base: Base,
    problems: &mut Problems,
) -> Variant {
    let text =
        |value: &Option<table::Located<String>>| value.as_ref().map(|text| text.value.clone());
    let (name, summary, extends) = (text(&file.name), text(&file.summary), text(&file.extends));
    let sources = file.sources.clone();
    let links = extends::chain(file, address, display, base, problems);
    let (ruleset, provenance) = resolve::resolve(&links, problems);
    Variant {
        name: name.unwrap_or_else(|| id.clone()),
        summary: summary.unwrap_or_default(),
        id,
        sources,
        extends,
        ruleset,
        provenance,
        warnings: Problems::new(),
    }
}
