//! Learned weights as files: kept under the fingerprint of their ruleset, shipped for the library's
//! variants. Never learns and never judges a position.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::fingerprint::{Fingerprint, fingerprint};
use crate::board::SquareSet;
use crate::player::{Count, Player, PlayerSpec, Trained, Weights, build_with};
use crate::rules::{Rules, Ruleset};

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// The shipped files of weights.
        const SHIPPED: [&str; [$($name),+].len()] =
            [$(include_str!(concat!("../../variants/weights/", $name, ".toml"))),+];
    };
}

shipped![
    "keny",
    "keny-other-sources",
    "keny-setupgroup",
    "keny-zillions",
    "keny-collection",
    "keny-collection-variant",
    "turkish",
    "greek",
    "comoros",
    "kenya",
    "armenian",
    "english",
    "russian",
    "brazilian",
    "pool",
    "spanish",
    "italian",
    "czech",
    "thai",
    "international",
];

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
    games: u64,
    unfinished: u64,
    positions: u64,
    king_worth: Option<i32>,
    odds: i32,
    man: Vec<Vec<i32>>,
    king: Vec<i32>,
    counts: BTreeMap<String, i32>,
}

/// The text of a file of weights.
#[must_use]
pub fn weights_text(name: &str, ruleset: &Ruleset, trained: &Trained) -> String {
    let weights = &trained.weights;
    let mut text = format!(
        "# What the parts of a position are worth under the rules of {name}, in hundredths of a \
         man,\n# learned by self-play: `keny train {name}`.\nruleset = \"{}\"\ngames = {}\n\
         unfinished = {}\npositions = {}\n{}\n# The value at which a side scores e points for each \
         one of the other's.\nodds = {}\n\n# Men by own rank, the own edge first; then by the \
         distance of their file from the edge.\nman = [\n",
        fingerprint(ruleset),
        trained.games,
        trained.unfinished,
        trained.positions,
        trained.king_worth.map_or_else(String::new, |worth| format!(
            "\n# A king where nothing but men, kings and the move is looked at.\nking_worth = {worth}\n"
        )),
        weights.odds,
    );
    for row in &weights.man {
        writeln!(text, "    {row:?},").expect("a text takes all");
    }
    writeln!(
        text,
        "]\n# Kings by the distance of their square from the nearest edge.\nking = {:?}\n\n[counts]",
        weights.king
    )
    .expect("a text takes all");
    for count in Count::ALL {
        writeln!(
            text,
            "# {}\n{} = {}",
            count.meaning(),
            count.name(),
            weights.counts[count as usize]
        )
        .expect("a text takes all");
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
    Ok(Trained {
        weights,
        king_worth: file.king_worth,
        games: file.games,
        unfinished: file.unfinished,
        positions: file.positions,
    })
}

/// What was learned for a ruleset and is shipped, if it is that of a shipped variant.
#[must_use]
pub fn learned(ruleset: &Ruleset) -> Option<Trained> {
    let wanted = fingerprint(ruleset).to_string();
    // The fingerprint is the first text between quotes; a test reads every file to its end.
    let text = SHIPPED.iter().find(|text| text.split('"').nth(1) == Some(wanted.as_str()))?;
    parse_weights(text, ruleset).ok()
}

/// Makes a player for games under these rules, with the shipped weights where there are some.
#[must_use]
pub fn build_player<S: SquareSet>(
    spec: &PlayerSpec,
    rules: &Rules<S>,
    seed: u64,
) -> Box<dyn Player<S> + Send> {
    let learned = learned(rules.ruleset());
    build_with(spec, rules, learned.as_ref().map(|trained| &trained.weights), seed)
}
