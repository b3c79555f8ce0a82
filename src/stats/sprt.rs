//! Log likelihood ratios of sequential tests between two Elo differences.
//! Never mixes their scales: each model says in which Elo its two hypotheses are meant.

use super::number::{Known, Missing, real, real_len};
use super::root::find_root;
use super::score::{BayesElo, NELO_PER_DEVIATION, score_of_elo};

/// Weight given to an outcome that was never seen, so that logarithms exist.
const UNSEEN: f64 = 1e-3;

/// Iterations of the normalised maximum likelihood; it settles in under ten.
const ITERATIONS_MAX: usize = 50;

/// Which likelihood ratio, and on which Elo scale its hypotheses stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LlrModel {
    /// Logistic Elo, exact multinomial likelihoods under a given mean score.
    LogisticExact,
    /// Logistic Elo, second-order approximation.
    LogisticQuadratic,
    /// Normalised Elo, exact multinomial likelihoods under a given mean over deviation.
    NormalizedExact,
    /// Normalised Elo, closed form.
    NormalizedClosedForm,
    /// BayesElo with the draw parameter estimated from the sample; games only, not pairs.
    BayesEloLegacy,
}

impl LlrModel {
    /// All models.
    pub const ALL: [Self; 5] = [
        Self::LogisticExact,
        Self::LogisticQuadratic,
        Self::NormalizedExact,
        Self::NormalizedClosedForm,
        Self::BayesEloLegacy,
    ];
}

/// The bounds of Wald's test: below the first accept `elo0`, above the second accept `elo1`.
///
/// # Errors
/// [`Missing::Range`] unless both errors lie in (0, 1/2).
///
/// Source: A. Wald, Annals of Mathematical Statistics 16 (1945) 117.
pub fn bounds(alpha: f64, beta: f64) -> Known<(f64, f64)> {
    let fits = |error: f64| error > 0.0 && error < 0.5;
    if !fits(alpha) || !fits(beta) {
        return Err(Missing::Range);
    }
    Ok(((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()))
}

/// The log likelihood ratio of `elo1` over `elo0`.
///
/// `low_to_high` counts units by score, equally spaced from 0 to 1: three counts for games
/// (loss, draw, win), five for pairs (LL, LD, DD+WL, WD, WW).
///
/// # Errors
/// [`Missing::Empty`] without units, [`Missing::Shape`] unless there are three or five counts (three
/// for BayesElo), [`Missing::NoSpread`] where the variance of the sample is needed and zero,
/// [`Missing::EmptyCell`] for BayesElo without wins or losses.
///
/// Source: M. Van den Bergh, *Generalized SPRT*, and the fishtest programs that follow it.
pub fn llr(low_to_high: &[u64], model: LlrModel, elo0: f64, elo1: f64) -> Known<f64> {
    let games_per_unit: f64 = match low_to_high.len() {
        3 => 1.0,
        5 => 2.0,
        _ => return Err(Missing::Shape),
    };
    if low_to_high.iter().sum::<u64>() == 0 {
        return Err(Missing::Empty);
    }
    let sample = Distribution::of_counts(low_to_high);
    let (mean, variance) = sample.moments();
    let deviation = |elo: f64| elo / NELO_PER_DEVIATION;
    match model {
        LlrModel::LogisticExact => {
            let (s0, s1) = (score_of_elo(elo0), score_of_elo(elo1));
            sample.ratio(&sample.with_mean(s0)?, &sample.with_mean(s1)?)
        }
        LlrModel::LogisticQuadratic => {
            let (s0, s1) = (score_of_elo(elo0), score_of_elo(elo1));
            let spread = positive(variance)?;
            Ok(sample.n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * spread))
        }
        LlrModel::NormalizedExact => {
            let scale = games_per_unit.sqrt();
            let p0 = sample.with_standard_mean(deviation(elo0) * scale)?;
            let p1 = sample.with_standard_mean(deviation(elo1) * scale)?;
            sample.ratio(&p0, &p1)
        }
        LlrModel::NormalizedClosedForm => {
            let spread = (positive(variance)? * games_per_unit).sqrt();
            let found = (mean - 0.5) / spread;
            let part = |elo: f64| 1.0 + (found - deviation(elo)).powi(2);
            Ok(sample.n * games_per_unit / 2.0 * (part(elo0) / part(elo1)).ln())
        }
        LlrModel::BayesEloLegacy => bayes_elo_llr(low_to_high, elo0, elo1),
    }
}

fn positive(variance: f64) -> Known<f64> {
    if variance > 0.0 { Ok(variance) } else { Err(Missing::NoSpread) }
}

fn bayes_elo_llr(low_to_high: &[u64], elo0: f64, elo1: f64) -> Known<f64> {
    let &[losses, draws, wins] = low_to_high else {
        return Err(Missing::Shape);
    };
    let games = super::score::Wdl { wins, draws, losses };
    let draw = games.bayes_elo()?.draw;
    let chances = |advantage: f64| BayesElo { advantage, draw }.chances();
    let terms = [wins, draws, losses].into_iter().zip(chances(elo0).into_iter().zip(chances(elo1)));
    Ok(terms
        .filter(|(count, _)| *count > 0)
        .map(|(count, (p0, p1))| real(count) * (p1 / p0).ln())
        .sum())
}

/// Chances of equally spaced scores, with the number of units they come from.
struct Distribution {
    n: f64,
    scores: Vec<(f64, f64)>,
}

impl Distribution {
    fn of_counts(low_to_high: &[u64]) -> Self {
        let top = real_len(low_to_high.len() - 1);
        let seen = |count: u64| if count == 0 { UNSEEN } else { real(count) };
        let n: f64 = low_to_high.iter().map(|&count| seen(count)).sum();
        let scores = low_to_high
            .iter()
            .enumerate()
            .map(|(k, &count)| (real_len(k) / top, seen(count) / n))
            .collect();
        Self { n, scores }
    }

    fn moments(&self) -> (f64, f64) {
        moments(&self.scores)
    }

    fn ratio(&self, p0: &[f64], p1: &[f64]) -> Known<f64> {
        let each = self.scores.iter().zip(p0.iter().zip(p1));
        Ok(self.n * each.map(|((_, p), (p0, p1))| p * (p1 / p0).ln()).sum::<f64>())
    }

    /// The most likely chances with the given mean score.
    fn with_mean(&self, mean: f64) -> Known<Vec<f64>> {
        let moved: Vec<(f64, f64)> = self.scores.iter().map(|(a, p)| (a - mean, *p)).collect();
        tilted(&moved)
    }

    /// The most likely chances whose mean is `t` standard deviations above one half.
    fn with_standard_mean(&self, t: f64) -> Known<Vec<f64>> {
        let even = 1.0 / real_len(self.scores.len());
        let mut chances = vec![even; self.scores.len()];
        for _ in 0..ITERATIONS_MAX {
            let now: Vec<(f64, f64)> =
                self.scores.iter().zip(&chances).map(|((a, _), p)| (*a, *p)).collect();
            let (mean, variance) = moments(&now);
            let sigma = positive(variance)?.sqrt();
            let moved: Vec<(f64, f64)> = self
                .scores
                .iter()
                .map(|(a, p)| {
                    let square = ((mean - a) / sigma).powi(2);
                    (a - 0.5 - t * sigma * (1.0 + square) / 2.0, *p)
                })
                .collect();
            let next = tilted(&moved)?;
            let change = next.iter().zip(&chances).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            chances = next;
            if change < 1e-14 {
                break;
            }
        }
        Ok(chances)
    }
}

fn moments(scores: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = scores.iter().map(|(a, p)| a * p).sum();
    let variance = scores.iter().map(|(a, p)| (a - mean).powi(2) * p).sum();
    (mean, variance)
}

/// The chances nearest in likelihood to the given ones under which the values have mean 0:
/// p / (1 + x·a), with x solving Σ p·a / (1 + x·a) = 0.
fn tilted(values: &[(f64, f64)]) -> Known<Vec<f64>> {
    let least = values.iter().map(|(a, _)| *a).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|(a, _)| *a).fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return Err(Missing::Range);
    }
    let inside = 1.0 - 1e-12;
    let x = find_root(-inside / most, -inside / least, |x| {
        values.iter().map(|(a, p)| p * a / (1.0 + x * a)).sum()
    })
    .ok_or(Missing::NotConverged)?;
    Ok(values.iter().map(|(a, p)| p / (1.0 + x * a)).collect())
}
