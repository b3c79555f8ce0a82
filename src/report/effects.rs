//! What the flags of a design do: main effects, two-way interactions, shares of variance. Judges by
//! [`crate::stats`] and the comparisons with the base; plays nothing and writes no text.

mod factorial;
mod gathered;
mod model;
mod robust;
mod series;
mod single;

use super::contrast::{ContrastMethod, Sample};
use super::view::clean;
use crate::stats::multiple::{Correction, adjust_column};
use crate::stats::{Interval, Known, Missing};
use crate::study::design::Design;
use crate::study::metrics::{self, Metric};

pub(super) use gathered::Gathered;
pub use robust::{EffectFlip, EffectRanking, Turned};

/// The metrics whose effects are found, by key, in the order of tables. The share of decisive games
/// is 1 minus that of draws, so that its effects are those with the other sign.
pub const EFFECTS: [&str; 9] = [
    "first-player-score",
    "balance",
    "draws",
    "plies",
    "branching",
    "forced",
    "taken",
    "hopping",
    "promotions",
];

/// A step of one factor: from the level of the base to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// The factor, by its place in the design.
    pub factor: usize,
    /// The level, by its place in the factor; 0 is that of the base.
    pub level: usize,
}

/// What an effect is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// One level of a factor against that of the base, averaged over the levels of the others.
    Main(Step),
    /// Half of what one step changes in the effect of the other.
    Interaction(Step, Step),
}

/// How an effect was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EffectMethod {
    /// As a comparison of one variant with the base.
    Single(ContrastMethod),
    /// A contrast of all runs, by t over whole openings.
    Openings,
    /// A contrast of all runs, by t over units, with an own variance for each run.
    Units,
    /// Least squares over the runs that have a value; `openings`: judged by t over whole openings,
    /// `sampled`: the runs are a sample, so that what the model leaves unexplained between them
    /// counts as error.
    LeastSquares {
        /// Whether runs share their openings.
        openings: bool,
        /// Whether the runs are a sample of all combinations.
        sampled: bool,
    },
    /// From the intervals of the runs themselves.
    Mover,
    /// From intervals of the runs that hold at all looks of the rule to stop early.
    Anytime,
}

impl EffectMethod {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single(method) => method.name(),
            Self::Openings => "contrast-t-over-openings",
            Self::Units => "contrast-t-over-units",
            Self::LeastSquares { openings: true, sampled: false } => "least-squares-over-openings",
            Self::LeastSquares { openings: false, sampled: false } => "least-squares-over-units",
            Self::LeastSquares { openings: true, sampled: true } => {
                "least-squares-over-openings-and-rulesets"
            }
            Self::LeastSquares { openings: false, sampled: true } => {
                "least-squares-over-units-and-rulesets"
            }
            Self::Mover => "mover",
            Self::Anytime => "anytime",
        }
    }
}

/// What an effect was found over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Two variants.
    Two(Sample),
    /// So many openings that the runs share.
    Openings(u64),
    /// So many units of all runs together.
    Units(u64),
}

/// The effect of a term on a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The metric.
    pub metric: &'static Metric,
    /// What it is the effect of.
    pub term: Term,
    /// What it was found over.
    pub basis: Basis,
    /// The effect, in the metric's unit.
    pub value: Known<f64>,
    /// Its interval.
    pub interval: Known<Interval>,
    /// Its interval at 90 %, by which "no difference" is judged at 5 %.
    pub interval_90: Known<Interval>,
    /// Two-sided p of "there is no effect".
    pub p: Known<f64>,
    /// That p, adjusted by Holm's method over the effects of its kind, design and pairing.
    pub p_adjusted: Option<f64>,
    /// How it was judged.
    pub method: EffectMethod,
}

impl Effect {
    /// Why something of it is missing.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        self.value.err().or(self.interval.err()).or(self.p.err())
    }

    /// Whether it is there, by its adjusted p.
    #[must_use]
    pub fn clear(&self) -> bool {
        self.p_adjusted.is_some_and(|p| p <= 0.05)
    }
}

/// The shares of one factor in a variance, each with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FactorShares {
    /// Sobol's first-order share: the factor alone.
    pub alone: f64,
    /// Its interval.
    pub alone_interval: Known<Interval>,
    /// Sobol's total share: with all interactions.
    pub total: f64,
    /// Its interval.
    pub total_interval: Known<Interval>,
    /// Shapley's share: interactions divided equally.
    pub shapley: f64,
    /// Its interval.
    pub shapley_interval: Known<Interval>,
}

/// Shares of the variance between the runs, by factor.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// The metric.
    pub metric: &'static Metric,
    /// The shares of each factor, after the sampling variance was taken off; intervals by a
    /// jackknife over groups of openings.
    pub shares: Known<Vec<FactorShares>>,
    /// The standard deviation between the runs that is divided, in the metric's unit.
    pub deviation: Known<f64>,
    /// The runs that have a value.
    pub runs: usize,
    /// The terms that could not be estimated and have no part in it.
    pub left_out: Vec<String>,
}

/// The mean of a metric at each combination of the levels of two factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// The metric.
    pub metric: &'static Metric,
    /// The factors.
    pub factors: [usize; 2],
    /// For each level of the first, for each level of the second: the mean over the runs with both.
    pub cells: Vec<Vec<Known<MeanOfRuns>>>,
}

/// A mean and its interval.
pub type MeanOfRuns = (f64, Known<Interval>);

/// The effects that a design has under one pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct PairingEffects {
    /// Main effects: for each of [`EFFECTS`] every level of every factor but the base's.
    pub main: Vec<Effect>,
    /// Two-way interactions, in the same order; none one at a time.
    pub interactions: Vec<Effect>,
    /// How many p of main effects were adjusted together.
    pub family: usize,
    /// How many p of interactions were adjusted together.
    pub family_interactions: usize,
    /// Shares of variance, one for each of [`EFFECTS`] but the balance; none one at a time.
    pub shares: Vec<Shares>,
    /// The largest interactions that are there, for drawing.
    pub means: Vec<Means>,
    /// Why there are no interactions, or of which terms nothing can be said.
    pub notes: Vec<String>,
    /// What a reader must know before believing the effects, in sentences.
    pub warnings: Vec<String>,
}

/// A design and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignView {
    /// What was varied.
    pub design: Design,
    /// The effects under each pairing.
    pub pairings: Vec<PairingEffects>,
    /// Whether the effects depend on the pairing; empty with one pairing.
    pub robust: Vec<EffectRanking>,
}

/// A warning where some rulesets are played with learned values and others with generic ones.
fn mixed_values(design: &Design, learned: &[bool]) -> Option<String> {
    let variants = design.variants();
    let with = variants.iter().filter(|variant| learned[**variant as usize]).count();
    (0 < with && with < variants.len()).then(|| {
        format!(
            "the players judge positions by learned values on {with} of the {} rulesets and by \
             generic ones on the others: an effect may be that of the values and not of the rules",
            variants.len()
        )
    })
}

/// Adjusts the p of one family; returns how many there are.
fn adjust(effects: &mut [Effect]) -> usize {
    let p: Vec<Option<f64>> = effects.iter().map(|effect| effect.p.ok()).collect();
    let (adjusted, size) = adjust_column(&p, Correction::Holm);
    for (effect, adjusted) in effects.iter_mut().zip(adjusted) {
        effect.p_adjusted = adjusted;
    }
    size
}

/// The ratio behind a metric of [`EFFECTS`]: numerator, denominator, factor. Nothing for the
/// balance.
fn ratio_of(metric: &Metric) -> Option<(metrics::Quantity, metrics::Quantity, f64)> {
    match metric.formula {
        metrics::Formula::Ratio { top, bottom, scale, .. } => Some((top, bottom, scale)),
        metrics::Formula::Quantile { .. }
        | metrics::Formula::Deviation { .. }
        | metrics::Formula::Balance
        | metrics::Formula::CensoredMedian
        | metrics::Formula::KingValue
        | metrics::Formula::LineEntropy
        | metrics::Formula::TopLine => None,
    }
}

/// The metrics of [`EFFECTS`].
fn metrics_of_effects() -> impl Iterator<Item = &'static Metric> {
    EFFECTS.iter().filter_map(|key| Metric::find(key))
}

/// Every step of a design: each level of each factor but that of the base.
pub(super) fn steps(design: &Design) -> Vec<Step> {
    let factors = design.factors.iter().enumerate();
    factors
        .flat_map(|(factor, of)| (1..of.levels.len()).map(move |level| Step { factor, level }))
        .collect()
}

impl DesignView {
    /// A step in words: `capture.mandatory = false`.
    #[must_use]
    pub fn step_name(&self, step: Step) -> String {
        let factor = &self.design.factors[step.factor];
        format!("{} = {}", clean(&factor.flag), clean(&factor.levels[step.level]))
    }

    /// A term in words; the levels of an interaction are named where a factor has more than two.
    #[must_use]
    pub fn term_name(&self, term: Term) -> String {
        match term {
            Term::Main(step) => self.step_name(step),
            Term::Interaction(one, two) => {
                let name = |step: Step| match self.design.factors[step.factor].levels.len() {
                    2 => clean(&self.design.factors[step.factor].flag),
                    _ => self.step_name(step),
                };
                format!("{} × {}", name(one), name(two))
            }
        }
    }
}

/// The designs of a plan with their effects: for each pairing, for each design.
pub(super) fn designs(plan: &[Design], by_pairing: &[Vec<PairingEffects>]) -> Vec<DesignView> {
    plan.iter()
        .enumerate()
        .map(|(number, design)| {
            let of = |designs: &Vec<PairingEffects>| designs[number].clone();
            let pairings: Vec<PairingEffects> = by_pairing.iter().map(of).collect();
            let robust = robust::rankings(&pairings);
            DesignView { design: design.clone(), pairings, robust }
        })
        .collect()
}
