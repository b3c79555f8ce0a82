//! What was varied in a study, and which levels each run has: the data of a design, and its text in
//! a store. Plays nothing, judges nothing, reads no study file.
//!
//! A run is one combination of levels. Each run has a variant of the plan, whose games are its
//! games. Runs whose rules are equal (a flag of one of them is dormant) have one variant, so a
//! variant may stand in several runs of a design, in several designs, and in none: variants that
//! the study lists itself stand beside the designs.

pub(super) mod runs;

use serde::{Deserialize, Serialize};

/// What one `[design]` of a study varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// How its runs were chosen.
    pub kind: DesignKind,
    /// The name of the variant whose flags are changed, as the study writes it.
    pub base: String,
    /// What is varied, in the order of the study.
    pub factors: Vec<Factor>,
    /// The combinations that are played, in order. With the kinds `one-at-a-time`, `full` and
    /// `sample` the first is the base itself.
    pub runs: Vec<Run>,
    /// For a fraction: the factors after the free ones, each with those whose product it is.
    pub generators: Vec<Generator>,
    /// Sets of effects that the runs cannot tell apart, of up to two factors, shortest first in
    /// each set; only where all factors have two levels. The effect of no factor is the mean.
    pub aliases: Vec<Vec<Effect>>,
    /// Whether the design is a full one or a fraction and all its combinations are played, so that
    /// effects that are not aliases do not disturb each other. Otherwise effects need least
    /// squares.
    pub orthogonal: bool,
    /// Combinations that are not played as such: they are invalid, or have the rules of another.
    pub left_out: Vec<LeftOut>,
}

/// How the runs of a design were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DesignKind {
    /// The base, and every single change of it.
    OneAtATime,
    /// All combinations of the levels.
    Full,
    /// A regular part of all combinations of two levels each.
    Fractional {
        /// The length of the shortest word: 4 or 5 as asked for, or more. With 4, main effects are
        /// aliased with no interaction of two factors; with 5, no two such effects are aliased.
        resolution: u8,
    },
    /// Random combinations in which the levels of each factor are balanced.
    Sample {
        /// The number that they were drawn from.
        seed: u64,
    },
}

/// A flag that is varied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factor {
    /// The flag's key: `capture.mandatory`.
    pub flag: String,
    /// Its levels as variant files write them, two at least; the first is the base's.
    pub levels: Vec<String>,
}

/// A combination of levels and the variant that is played for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The level of each factor, as its place in [`Factor::levels`].
    pub levels: Vec<u8>,
    /// The number of the variant in the plan.
    pub variant: u32,
}

/// A factor that is set to the product of others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generator {
    /// The factor, by its place in [`Design::factors`].
    pub factor: u8,
    /// The factors whose product it is.
    pub product_of: Vec<u8>,
}

/// An effect: the factors that it depends on, by their places; one is a main effect, two are an
/// interaction.
pub type Effect = Vec<u8>;

/// A combination that is not played as such.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The name that its variant would have.
    pub name: String,
    /// The level of each factor.
    pub levels: Vec<u8>,
    /// Why.
    pub why: Why,
}

/// Why a combination is not played as such.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The answers do not fit together; what the validator says. It is no run.
    Invalid(String),
    /// It has the rules of another variant, whose name this is. It is a run with that variant.
    EqualTo(String),
}

impl DesignKind {
    /// The words of study files.
    pub const WORDS: [&str; 4] = ["one-at-a-time", "full", "fractional", "sample"];

    /// The word in study files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OneAtATime => Self::WORDS[0],
            Self::Full => Self::WORDS[1],
            Self::Fractional { .. } => Self::WORDS[2],
            Self::Sample { .. } => Self::WORDS[3],
        }
    }
}

impl Design {
    /// The runs that a variant of the plan is played for, in order; several where combinations
    /// have the same rules, none for a variant that stands beside the design.
    pub fn runs_of(&self, variant: u32) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(move |run| run.variant == variant)
    }

    /// The variants of the runs, each once, rising.
    #[must_use]
    pub fn variants(&self) -> Vec<u32> {
        let mut variants: Vec<u32> = self.runs.iter().map(|run| run.variant).collect();
        variants.sort_unstable();
        variants.dedup();
        variants
    }

    /// The variant of the base, if it is one of the runs.
    #[must_use]
    pub fn base_variant(&self) -> Option<u32> {
        let base = self.runs.iter().find(|run| run.levels.iter().all(|&level| level == 0));
        base.map(|run| run.variant)
    }

    /// Whether all factors have two levels.
    #[must_use]
    pub fn two_level(&self) -> bool {
        self.factors.iter().all(|factor| factor.levels.len() == 2)
    }

    /// The name of an effect: `capture.mandatory × hop.chain`, or `mean` for that of no factor.
    #[must_use]
    pub fn effect_name(&self, effect: &[u8]) -> String {
        let names: Vec<&str> = effect
            .iter()
            .filter_map(|&factor| self.factors.get(usize::from(factor)))
            .map(|factor| factor.flag.as_str())
            .collect();
        if names.is_empty() { "mean".to_owned() } else { names.join(" × ") }
    }

    /// Whether its numbers fit together and a plan of so many variants.
    #[must_use]
    pub(super) fn is_sound(&self, variants: usize) -> bool {
        let has_levels = |levels: &[u8]| {
            levels.len() == self.factors.len()
                && levels
                    .iter()
                    .zip(&self.factors)
                    .all(|(&level, factor)| usize::from(level) < factor.levels.len())
        };
        let known = |effect: &[u8]| effect.iter().all(|&f| usize::from(f) < self.factors.len());
        self.runs.iter().all(|run| has_levels(&run.levels) && (run.variant as usize) < variants)
            && self.left_out.iter().all(|out| has_levels(&out.levels))
            && self.generators.iter().all(|g| known(&[g.factor]) && known(&g.product_of))
            && self.aliases.iter().flatten().all(|effect| known(effect))
    }
}

/// The designs as one text, for a store.
#[must_use]
pub(super) fn to_text(designs: &[Design]) -> String {
    serde_json::to_string(designs).expect("lists, numbers and texts can be written as JSON")
}

/// The designs of such a text, for a plan of so many variants; nothing if it is damaged.
#[must_use]
pub(super) fn from_text(text: &str, variants: usize) -> Option<Vec<Design>> {
    let designs: Vec<Design> = serde_json::from_str(text).ok()?;
    designs.iter().all(|design| design.is_sound(variants)).then_some(designs)
}
