//! Learned weights as files: kept under the fingerprint of their ruleset, shipped for the library's
//! variants. Never learns and never judges a position.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::fingerprint::{Fingerprint, fingerprint};
use super::library;
use crate::player::{Count, Thousandths, Trained, TrainingPlan, Weights};
use crate::rules::Ruleset;

/// A file of weights that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}`: {why}", path.display())]
pub struct UnusableWeights {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// Why a text is no file of weights for a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is not TOML, or a key is missing, unknown or of the wrong type.
    #[error("weights: {0}")]
    Text(String),
    /// They were learned for other rules.
    #[error("weights are for ruleset {found}, not for {wanted}; learn them anew")]
    OtherRuleset {
        /// The fingerprint in the text.
        found: String,
        /// The fingerprint of the ruleset.
        wanted: Fingerprint,
    },
    /// A value that no position should be judged by.
    #[error("weights: {0} is too large a value; at most 5000 hundredths of a man are allowed")]
    Huge(i32),
    /// The tables have not the size of the board.
    #[error("weights: `man` or `king` has not the size that the board needs")]
    Shape,
    /// A count is missing.
    #[error("weights: table `counts` has no `{0}`")]
    Missing(&'static str),
    /// A count is unknown.
    #[error("weights: unknown key `{found}` in table `counts`; allowed are {allowed}")]
    Unknown {
        /// The key in the text.
        found: String,
        /// The keys, listed.
        allowed: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    ruleset: String,
    king_worth: Option<i32>,
    odds: i32,
    man: Vec<Vec<i32>>,
    king: Vec<i32>,
    training: Training,
    counts: BTreeMap<String, i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Training {
    rounds: u32,
    plies_a_round: u32,
    nodes: u64,
    epsilon: f64,
    seed: u64,
    games: u64,
    unfinished: u64,
    positions: u64,
}

impl Training {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a chance from 0 to 1 is at most 1000 thousandths"
    )]
    fn plan(&self) -> TrainingPlan {
        let thousandths = (self.epsilon.clamp(0.0, 1.0) * 1000.0).round() as u32;
        TrainingPlan {
            rounds: self.rounds,
            plies_a_round: self.plies_a_round,
            nodes: self.nodes,
            epsilon: Thousandths::new(thousandths),
            seed: self.seed,
        }
    }
}

/// The text of a file of weights.
#[must_use]
pub fn weights_text(name: &str, ruleset: &Ruleset, trained: &Trained) -> String {
    let weights = &trained.weights;
    let mut text = format!(
        "# What the parts of a position are worth under the rules of {name}, in hundredths of a \
         man,\n# learned by self-play: `keny train`.\nruleset = \"{}\"\n{}\n\
         # The value at which a side scores e points for each one of the other's.\n\
         odds = {}\n\n# Men by own rank, the own edge first; then by the distance of their file \
         from the edge.\nman = [\n",
        fingerprint(ruleset),
        trained.king_worth.map_or_else(String::new, |worth| format!(
            "\n# A king where nothing but men, kings and the move is looked at.\n\
             king_worth = {worth}\n"
        )),
        weights.odds,
    );
    for row in &weights.man {
        writeln!(text, "    {row:?},").expect("a text takes all");
    }
    let TrainingPlan { rounds, plies_a_round, nodes, epsilon, seed } = trained.plan;
    write!(
        text,
        "]\n# Kings by the distance of their square from the nearest edge.\nking = {:?}\n\n\
         # How they were learned, by turns of a search of so many nodes; the same again gives the \
         same.\n[training]\nrounds = {rounds}\nplies_a_round = {plies_a_round}\n\
         nodes = {nodes}\nepsilon = {epsilon}\nseed = {seed}\n\
         # Games of all rounds, those of them that reached the cap of plies, and positions of the \
         last fit.\ngames = {}\nunfinished = {}\npositions = {}\n\n[counts]\n",
        weights.king, trained.games, trained.unfinished, trained.positions
    )
    .expect("a text takes all");
    for count in Count::ALL {
        let (name, value) = (count.name(), weights.counts[count as usize]);
        writeln!(text, "# {}\n{name} = {value}", count.meaning()).expect("a text takes all");
    }
    text
}

/// Reads a file of weights for a ruleset.
///
/// # Errors
/// When the text is no such file, or one for other rules.
pub fn parse_weights(text: &str, ruleset: &Ruleset) -> Result<Trained, WeightsError> {
    let file: File =
        toml::from_str(text).map_err(|error| WeightsError::Text(error.message().to_owned()))?;
    let wanted = fingerprint(ruleset);
    if file.ruleset != wanted.to_string() {
        return Err(WeightsError::OtherRuleset { found: file.ruleset, wanted });
    }
    if let Some(found) = file.counts.keys().find(|key| Count::ALL.iter().all(|c| c.name() != **key))
    {
        let allowed = Count::ALL.map(Count::name).join(", ");
        return Err(WeightsError::Unknown { found: found.clone(), allowed });
    }
    let mut weights = Weights::zero(ruleset);
    for count in Count::ALL {
        let value = file.counts.get(count.name());
        weights.counts[count as usize] = *value.ok_or(WeightsError::Missing(count.name()))?;
    }
    weights.odds = file.odds.max(1);
    weights.man = file.man;
    weights.king = file.king;
    if !weights.fits(ruleset) {
        return Err(WeightsError::Shape);
    }
    let most = Weights::VALUE_MAX.unsigned_abs();
    if let Some(value) = weights.values().find(|value| value.unsigned_abs() > most) {
        return Err(WeightsError::Huge(value));
    }
    Ok(Trained {
        plan: file.training.plan(),
        weights,
        king_worth: file.king_worth,
        games: file.training.games,
        unfinished: file.training.unfinished,
        positions: file.training.positions,
    })
}

/// What was learned for a ruleset and is shipped, if it is that of a shipped variant.
#[must_use]
pub fn learned(ruleset: &Ruleset) -> Option<Trained> {
    let wanted = fingerprint(ruleset).to_string();
    // The fingerprint is the first text between quotes; a test reads every file to its end.
    let text =
        library::WEIGHTS.iter().find(|text| text.split('"').nth(1) == Some(wanted.as_str()))?;
    parse_weights(text, ruleset).ok()
}

/// Where a folder of weights keeps those of a ruleset.
#[must_use]
pub fn weights_path(folder: &Path, ruleset: &Ruleset) -> PathBuf {
    folder.join(format!("{}.toml", fingerprint(ruleset)))
}

/// What was learned for a ruleset: the folder's, where one is given and has it, or else what is
/// shipped.
///
/// # Errors
/// When the folder's file is there but cannot be used; the message names it.
pub fn find_weights(
    folder: Option<&Path>,
    ruleset: &Ruleset,
) -> Result<Option<Trained>, UnusableWeights> {
    let Some(folder) = folder else { return Ok(learned(ruleset)) };
    let path = weights_path(folder, ruleset);
    let unusable = |why: String| UnusableWeights { path: path.clone(), why };
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let trained = parse_weights(&text, ruleset);
            trained.map(Some).map_err(|error| unusable(error.to_string()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(learned(ruleset)),
        Err(error) => Err(unusable(error.to_string())),
    }
}
