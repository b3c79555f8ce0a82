//! Two-level designs in which every combination was played: effects and shares of variance.
//! Never needs a regression: effects are differences of means.

use super::distribution::t_quantile_tails;
use super::number::{Confidence, Estimate, Known, Missing, real_len};
use super::paired::{mean_estimate, sample_variance};

/// A set of factors: bit i stands for factor i. One bit is a main effect, two an interaction.
pub type FactorSet = u32;

/// Most factors of a design that is played in full.
pub const FACTORS_MAX: u32 = 16;

/// The mean of one combination of levels, with the variance of that mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellMean {
    /// The mean.
    pub mean: f64,
    /// The square of its standard error.
    pub variance: f64,
}

/// The effect of a set of factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The factors.
    pub factors: FactorSet,
    /// Mean at the high level minus mean at the low level of their product.
    pub estimate: Estimate,
}

/// All effects of a full two-level design from independent cells in standard order (the first
/// factor changes fastest). Estimates carry `games` as their n and are judged by the normal
/// distribution.
///
/// # Errors
/// [`Missing::Shape`] unless there are 2^k cells with 1 ≤ k ≤ [`FACTORS_MAX`].
///
/// Source: F. Yates, *The Design and Analysis of Factorial Experiments*, 1937.
pub fn effects(cells: &[CellMean], games: u64, confidence: Confidence) -> Known<Vec<Effect>> {
    let factors = factor_count(cells.len())?;
    let half = real_len(cells.len()) / 2.0;
    let error = cells.iter().map(|cell| cell.variance).sum::<f64>().sqrt() / half;
    let means: Vec<f64> = cells.iter().map(|cell| cell.mean).collect();
    Ok((1..1 << factors)
        .map(|set| {
            let value = contrast(&means, set) / half;
            Effect { factors: set, estimate: Estimate::normal(value, error, games, confidence) }
        })
        .collect())
}

/// Sum of the cells in which the product of the factors is high, minus the others.
fn contrast(cells: &[f64], set: FactorSet) -> f64 {
    (0..).zip(cells).map(|(cell, value)| sign(cell, set) * value).sum()
}

/// +1 or −1: the product of the levels of the factors of `set` in cell `cell`.
#[must_use]
pub fn sign(cell: u32, set: FactorSet) -> f64 {
    if (set.count_ones() - (cell & set).count_ones()).is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn factor_count(cells: usize) -> Known<u32> {
    let factors = cells.checked_ilog2().filter(|k| (1..=FACTORS_MAX).contains(k));
    let factors = factors.ok_or(Missing::Shape)?;
    if cells.is_power_of_two() { Ok(factors) } else { Err(Missing::Shape) }
}

/// An effect measured within blocks (openings, seeds) that all combinations share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockEffect {
    /// The factors.
    pub factors: FactorSet,
    /// The mean of the blocks' own effects, judged by t over blocks.
    pub estimate: Estimate,
    /// The standard error if combinations were independent: shows what sharing gains.
    pub se_independent: Known<f64>,
}

/// All effects of a full two-level design played on common blocks: one row a block, one column a
/// combination in standard order. Right whatever the dependence within a block.
///
/// # Errors
/// [`Missing::Shape`] for a ragged table or a width that is not 2^k, [`Missing::Empty`] without
/// blocks.
pub fn block_effects(blocks: &[Vec<f64>], confidence: Confidence) -> Known<Vec<BlockEffect>> {
    let width = blocks.first().ok_or(Missing::Empty)?.len();
    let factors = factor_count(width)?;
    if blocks.iter().any(|block| block.len() != width) {
        return Err(Missing::Shape);
    }
    let half = real_len(width) / 2.0;
    let column_variance = |column: usize| {
        let values: Vec<f64> = blocks.iter().map(|block| block[column]).collect();
        sample_variance(&values)
    };
    let sum: Known<f64> = (0..width).map(column_variance).sum();
    let se_independent = sum.map(|sum| (sum / real_len(blocks.len())).sqrt() / half);
    (1..1 << factors)
        .map(|set| {
            let each: Vec<f64> = blocks.iter().map(|block| contrast(block, set) / half).collect();
            let estimate = mean_estimate(&each, confidence)?;
            Ok(BlockEffect { factors: set, estimate, se_independent })
        })
        .collect()
}

/// One term of a model with orthogonal terms of unit variance (±1 columns of a full design), or any
/// other model whose terms add their variances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// The factors the term depends on.
    pub factors: FactorSet,
    /// The variance it contributes: the squared coefficient in ±1 coding (half the effect).
    pub variance: f64,
    /// The expected part of that variance which is sampling error.
    pub noise: f64,
}

/// Shares of the variance between variants, by factor.
#[derive(Clone, Debug, PartialEq)]
pub struct VarianceShares {
    /// The variance that is divided.
    pub total: f64,
    /// Sobol's first-order shares: the factor alone.
    pub first: Vec<f64>,
    /// Sobol's total shares: the factor with all its interactions; they may sum to more than 1.
    pub with_interactions: Vec<f64>,
    /// Shapley's shares: interactions divided equally; they sum to 1.
    pub shapley: Vec<f64>,
}

/// Divides the variance of a model among its factors, after taking the sampling variance off each
/// component (floor 0).
///
/// # Errors
/// [`Missing::NoSpread`] if nothing is left to divide, [`Missing::Range`] if a component names a
/// factor beyond `factors`.
///
/// Sources: I. Sobol, Mathematics and Computers in Simulation 55 (2001) 271; A. Owen, SIAM/ASA
/// J. Uncertainty Quantification 2 (2014) 245.
pub fn variance_shares(components: &[Component], factors: u32) -> Known<VarianceShares> {
    if components.iter().any(|c| factors < 32 && c.factors >> factors != 0) {
        return Err(Missing::Range);
    }
    let parts: Vec<(FactorSet, f64)> = components
        .iter()
        .filter(|c| c.factors != 0)
        .map(|c| (c.factors, (c.variance - c.noise).max(0.0)))
        .collect();
    let total: f64 = parts.iter().map(|(_, variance)| variance).sum();
    if total <= 0.0 {
        return Err(Missing::NoSpread);
    }
    let share = |weight: &dyn Fn(FactorSet) -> f64| -> f64 {
        parts.iter().map(|(set, variance)| weight(*set) * variance).sum::<f64>() / total
    };
    let each = |weight: &dyn Fn(FactorSet, FactorSet) -> f64| -> Vec<f64> {
        (0..factors).map(|factor| share(&|set| weight(set, 1 << factor))).collect()
    };
    Ok(VarianceShares {
        total,
        first: each(&|set, factor| if set == factor { 1.0 } else { 0.0 }),
        with_interactions: each(&|set, factor| if set & factor != 0 { 1.0 } else { 0.0 }),
        shapley: each(&|set, factor| {
            if set & factor != 0 { 1.0 / f64::from(set.count_ones()) } else { 0.0 }
        }),
    })
}

/// The components of a full two-level design: squared half effects, and with `corrected` their
/// sampling variance as noise.
#[must_use]
pub fn components(effects: &[Effect], corrected: bool) -> Vec<Component> {
    effects
        .iter()
        .map(|effect| {
            let square = |value: f64| (value / 2.0).powi(2);
            let noise = if corrected { square(effect.estimate.standard_error) } else { 0.0 };
            Component { factors: effect.factors, variance: square(effect.estimate.value), noise }
        })
        .collect()
}

/// Margins for effects of a design without replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lenth {
    /// First robust guess of the standard error.
    pub s0: f64,
    /// Pseudo standard error.
    pub pse: f64,
    /// Degrees of freedom: a third of the number of effects.
    pub df: f64,
    /// Margin for one effect.
    pub margin: f64,
    /// Margin for all effects together.
    pub simultaneous_margin: f64,
}

/// Lenth's margins: effects beyond them are active. Needs most effects to be about 0.
///
/// # Errors
/// [`Missing::Empty`] below three effects, [`Missing::NoSpread`] if most are 0.
///
/// Source: R. Lenth, Technometrics 31 (1989) 469.
pub fn lenth(effects: &[f64], confidence: Confidence) -> Known<Lenth> {
    if effects.len() < 3 {
        return Err(Missing::Empty);
    }
    let sizes: Vec<f64> = effects.iter().map(|effect| effect.abs()).collect();
    let s0 = 1.5 * median(sizes.clone());
    let pse = 1.5 * median(sizes.into_iter().filter(|size| *size < 2.5 * s0).collect());
    if pse.is_nan() || pse <= 0.0 {
        return Err(Missing::NoSpread);
    }
    let m = real_len(effects.len());
    let df = m / 3.0;
    let together = confidence.level().powf(1.0 / m);
    Ok(Lenth {
        s0,
        pse,
        df,
        margin: t_quantile_tails(confidence.alpha(), df) * pse,
        simultaneous_margin: t_quantile_tails(1.0 - together, df) * pse,
    })
}

/// The median; 0 of no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    if n == 0 { 0.0 } else { f64::midpoint(values[(n - 1) / 2], values[n / 2]) }
}
