//! Two variants on the same openings: paired scores and paired yes/no outcomes.
//! Never assumes that the two series are independent, and reports how they go together.

use super::distribution::{binomial_cdf, chi_squared_tail};
use super::interval::Share;
use super::number::{Confidence, Estimate, Interval, Known, Missing, real, real_len};
use super::root::find_root;

/// Most non-zero differences for which the exact sign-flip test lists all signs.
pub const SIGN_FLIPS_MAX: usize = 20;

/// Relative size below which a difference of values is taken for rounding.
const ROUNDING: f64 = 1e-13;

/// The difference of two paired series, `a − b`, one value an opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// Mean of the first series.
    pub mean_a: f64,
    /// Mean of the second series.
    pub mean_b: f64,
    /// Mean difference, judged by paired t with n − 1 degrees of freedom.
    pub estimate: Estimate,
    /// Pearson correlation of the two series; pairing gains precision when it is positive.
    pub correlation: Known<f64>,
}

/// Compares two series over the same openings.
///
/// # Errors
/// [`Missing::Shape`] if the lengths differ, [`Missing::Empty`] without pairs. One pair or equal
/// differences give an estimate whose judgement is missing.
///
/// Source: paired t test, Student, Biometrika 6 (1908) 1.
pub fn paired_difference(a: &[f64], b: &[f64], confidence: Confidence) -> Known<PairedDifference> {
    if a.len() != b.len() {
        return Err(Missing::Shape);
    }
    if a.is_empty() {
        return Err(Missing::Empty);
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    Ok(PairedDifference {
        mean_a: mean(a)?,
        mean_b: mean(b)?,
        estimate: mean_estimate(&differences, confidence)?,
        correlation: correlation(a, b),
    })
}

/// The mean of independent units judged against 0 by Student's t.
///
/// # Errors
/// [`Missing::Empty`] without values.
pub fn mean_estimate(values: &[f64], confidence: Confidence) -> Known<Estimate> {
    let centre = mean(values)?;
    let n = u64::try_from(values.len()).map_err(|_| Missing::Range)?;
    let Ok(variance) = sample_variance(values) else {
        return Ok(Estimate {
            value: centre,
            standard_error: 0.0,
            n,
            judgement: Err(Missing::Single),
        });
    };
    let error = (variance / real(n)).sqrt();
    Ok(Estimate::student(centre, error, n, real(n) - 1.0, confidence))
}

/// The arithmetic mean.
///
/// # Errors
/// [`Missing::Empty`] without values.
pub fn mean(values: &[f64]) -> Known<f64> {
    if values.is_empty() {
        return Err(Missing::Empty);
    }
    Ok(values.iter().sum::<f64>() / real_len(values.len()))
}

/// The variance with divisor n − 1; 0 where the values differ by rounding only.
///
/// # Errors
/// [`Missing::Empty`] or [`Missing::Single`] below two values.
pub fn sample_variance(values: &[f64]) -> Known<f64> {
    let centre = mean(values)?;
    if values.len() < 2 {
        return Err(Missing::Single);
    }
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    let largest = values.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if squares <= real_len(values.len()) * (ROUNDING * largest).powi(2) {
        return Ok(0.0);
    }
    Ok(squares / real_len(values.len() - 1))
}

/// Pearson's correlation of two series.
///
/// # Errors
/// [`Missing::Shape`] if the lengths differ, [`Missing::NoSpread`] if one series is constant,
/// [`Missing::Empty`] or [`Missing::Single`] below two pairs.
pub fn correlation(a: &[f64], b: &[f64]) -> Known<f64> {
    if a.len() != b.len() {
        return Err(Missing::Shape);
    }
    let (mean_a, mean_b) = (mean(a)?, mean(b)?);
    let spread = (sample_variance(a)? * sample_variance(b)?).sqrt();
    if spread <= 0.0 {
        return Err(Missing::NoSpread);
    }
    let product: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    Ok((product / real_len(a.len() - 1) / spread).clamp(-1.0, 1.0))
}

/// The difference of two independent series, `a − b`, by Welch's t.
///
/// # Errors
/// [`Missing::Empty`] or [`Missing::Single`] if one series has fewer than two values.
///
/// Source: B. Welch, Biometrika 34 (1947) 28.
pub fn welch(a: &[f64], b: &[f64], confidence: Confidence) -> Known<Estimate> {
    let (na, nb) = (real_len(a.len()), real_len(b.len()));
    welch_from(
        Group { n: na, mean: mean(a)?, variance: sample_variance(a)? },
        Group { n: nb, mean: mean(b)?, variance: sample_variance(b)? },
        confidence,
    )
}

/// Size, mean and sample variance of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// How many observations.
    pub n: f64,
    /// Their mean.
    pub mean: f64,
    /// Their variance with divisor n − 1.
    pub variance: f64,
}

/// Welch's t from sizes, means and variances; the estimate's n is that of both groups together.
///
/// # Errors
/// [`Missing::Single`] if a group has fewer than two observations.
///
/// Source: B. Welch, Biometrika 34 (1947) 28.
pub fn welch_from(a: Group, b: Group, confidence: Confidence) -> Known<Estimate> {
    if a.n < 2.0 || b.n < 2.0 {
        return Err(Missing::Single);
    }
    let (va, vb) = (a.variance / a.n, b.variance / b.n);
    let square = va + vb;
    let df = if square > 0.0 {
        square * square / (va * va / (a.n - 1.0) + vb * vb / (b.n - 1.0))
    } else {
        a.n + b.n - 2.0
    };
    let n = super::number::whole_up(a.n + b.n);
    Ok(Estimate::student(a.mean - b.mean, square.sqrt(), n, df, confidence))
}

/// The exact test that flips the sign of each difference: the share of all sign patterns whose
/// sum is at least as far from 0 as the observed one.
///
/// # Errors
/// [`Missing::NoSpread`] if all differences are 0, [`Missing::Range`] beyond
/// [`SIGN_FLIPS_MAX`] non-zero ones.
///
/// Source: E. Pitman, JRSS Supplement 4 (1937) 119.
pub fn sign_flip(differences: &[f64]) -> Known<f64> {
    let sizes: Vec<f64> = differences.iter().filter(|d| d.abs() > 0.0).map(|d| d.abs()).collect();
    if sizes.is_empty() {
        return Err(Missing::NoSpread);
    }
    if sizes.len() > SIGN_FLIPS_MAX {
        return Err(Missing::Range);
    }
    let observed = differences.iter().sum::<f64>().abs();
    let limit = observed * (1.0 - 1e-12) - 1e-12;
    let patterns = 1_u64 << sizes.len();
    let extreme = (0..patterns)
        .filter(|pattern| {
            let sum: f64 = sizes
                .iter()
                .enumerate()
                .map(|(bit, size)| if pattern >> bit & 1 == 1 { *size } else { -size })
                .sum();
            sum.abs() >= limit
        })
        .count();
    Ok(real_len(extreme) / real(patterns))
}

/// A yes/no outcome of the same openings under two variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairedShares {
    /// Yes under both.
    pub both: u64,
    /// Yes under the first only.
    pub only_a: u64,
    /// Yes under the second only.
    pub only_b: u64,
    /// Yes under neither.
    pub neither: u64,
}

impl PairedShares {
    /// Tallies two series of outcomes over the same openings.
    ///
    /// # Errors
    /// [`Missing::Shape`] if the lengths differ.
    pub fn tally(a: &[bool], b: &[bool]) -> Known<Self> {
        if a.len() != b.len() {
            return Err(Missing::Shape);
        }
        let mut tally = Self { both: 0, only_a: 0, only_b: 0, neither: 0 };
        for pair in a.iter().zip(b) {
            match pair {
                (true, true) => tally.both += 1,
                (true, false) => tally.only_a += 1,
                (false, true) => tally.only_b += 1,
                (false, false) => tally.neither += 1,
            }
        }
        Ok(tally)
    }

    /// How many openings.
    #[must_use]
    pub fn n(self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }

    /// The share under the first variant.
    #[must_use]
    pub fn share_a(self) -> Share {
        Share { count: self.both + self.only_a, n: self.n() }
    }

    /// The share under the second variant.
    #[must_use]
    pub fn share_b(self) -> Share {
        Share { count: self.both + self.only_b, n: self.n() }
    }

    /// The difference of the shares, `a − b`.
    ///
    /// # Errors
    /// [`Missing::Empty`] without openings.
    pub fn difference(self) -> Known<f64> {
        let [_, b, c, _, n] = self.reals()?;
        Ok((b - c) / n)
    }

    /// The standard error of the difference.
    ///
    /// # Errors
    /// As [`PairedShares::difference`].
    pub fn standard_error(self) -> Known<f64> {
        let [_, b, c, _, n] = self.reals()?;
        Ok((b + c - (b - c).powi(2) / n).max(0.0).sqrt() / n)
    }

    /// The phi coefficient: correlation of the two outcomes.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if one outcome is constant, [`Missing::Empty`].
    pub fn phi(self) -> Known<f64> {
        let [a, b, c, d, _] = self.reals()?;
        let product = (a + b) * (c + d) * (a + c) * (b + d);
        if product <= 0.0 { Err(Missing::NoSpread) } else { Ok((a * d - b * c) / product.sqrt()) }
    }

    /// The exact test of McNemar: two-sided binomial of the discordant openings.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if no opening is discordant.
    ///
    /// Source: Q. McNemar, Psychometrika 12 (1947) 153.
    pub fn mcnemar_exact(self) -> Known<f64> {
        let discordant = self.only_a + self.only_b;
        if discordant == 0 {
            return Err(Missing::NoSpread);
        }
        let less = self.only_a.min(self.only_b);
        Ok((2.0 * binomial_cdf(less, discordant, 0.5)).min(1.0))
    }

    /// McNemar's chi-squared (without continuity correction) and its p, 1 degree of freedom.
    ///
    /// # Errors
    /// As [`PairedShares::mcnemar_exact`].
    pub fn mcnemar_chi_squared(self) -> Known<(f64, f64)> {
        let (b, c) = (real(self.only_a), real(self.only_b));
        if b + c <= 0.0 {
            return Err(Missing::NoSpread);
        }
        let chi = (b - c).powi(2) / (b + c);
        Ok((chi, chi_squared_tail(chi, 1)))
    }

    /// The score interval of the difference: the default for paired outcomes.
    ///
    /// # Errors
    /// As [`PairedShares::difference`].
    ///
    /// Source: T. Tango, Statistics in Medicine 17 (1998) 891.
    pub fn tango(self, confidence: Confidence) -> Known<Interval> {
        let observed = self.difference()?;
        let [_, b, c, _, n] = self.reals()?;
        let z = confidence.z();
        let statistic = |delta: f64| {
            let above = b - c - n * delta;
            let linear = -b - c + (2.0 * n - b + c) * delta;
            let constant = -c * delta * (1.0 - delta);
            let root = (linear * linear - 8.0 * n * constant).max(0.0).sqrt();
            let q = (root - linear) / (4.0 * n);
            let variance = n * (2.0 * q + delta * (1.0 - delta));
            if above.abs() <= 0.0 { 0.0 } else { above / variance.max(1e-300).sqrt() }
        };
        let edge = 1.0 - 1e-12;
        let low = find_root(-edge, observed, |d| statistic(d) - z).unwrap_or(-1.0);
        let high = find_root(observed, edge, |d| statistic(d) + z).unwrap_or(1.0);
        Interval::new(low, high)
    }

    /// Newcombe's interval of the difference from two Wilson intervals and phi with continuity
    /// correction.
    ///
    /// # Errors
    /// As [`PairedShares::difference`].
    ///
    /// Source: R. Newcombe, Statistics in Medicine 17 (1998) 2635, method 10.
    pub fn newcombe(self, confidence: Confidence) -> Known<Interval> {
        let [a, b, c, d, n] = self.reals()?;
        let product = ((a + b) * (c + d) * (a + c) * (b + d)).sqrt();
        let cross = a * d - b * c;
        let corrected = if cross > 0.0 { (cross - n / 2.0).max(0.0) } else { cross };
        let phi = if product > 0.0 { corrected / product } else { 0.0 };
        let (p1, p2) = (self.share_a().value()?, self.share_b().value()?);
        let (w1, w2) = (self.share_a().wilson(confidence)?, self.share_b().wilson(confidence)?);
        let part = |x: f64, y: f64| (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt();
        let below = part(p1 - w1.low(), w2.high() - p2);
        let above = part(w1.high() - p1, p2 - w2.low());
        Interval::new(p1 - p2 - below, p1 - p2 + above)
    }

    /// The Wald interval of the difference; for comparison with other programs only.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if no opening is discordant, [`Missing::Empty`].
    pub fn wald(self, confidence: Confidence) -> Known<Interval> {
        Interval::around(self.difference()?, confidence.z() * self.standard_error()?)
    }

    fn reals(self) -> Known<[f64; 5]> {
        if self.n() == 0 {
            return Err(Missing::Empty);
        }
        let [a, b, c, d] = [self.both, self.only_a, self.only_b, self.neither].map(real);
        Ok([a, b, c, d, real(self.n())])
    }
}
