//! Intervals for one proportion and for several shares at once.
//! Never Wald by default: it has no width where all or none succeed.

use super::distribution::{beta_quantile, normal_quantile};
use super::number::{Confidence, Interval, Known, Missing, real, real_len};

/// The interval of a weighted sum of independent values, each given by its weight, itself and its
/// own interval: the variance is recovered from each end apart, so that intervals that are not
/// symmetric stay so.
///
/// # Errors
/// [`Missing::Empty`] without a value of weight, [`Missing::NoSpread`] without width.
///
/// Source: G. Zou, W. Huang, X. Zhang, Computational Statistics & Data Analysis 53 (2009) 1080.
pub fn mover(parts: &[(f64, f64, Interval)]) -> Known<Interval> {
    if parts.iter().all(|(weight, _, _)| weight.abs() <= 0.0) {
        return Err(Missing::Empty);
    }
    let (mut value, mut below, mut above) = (0.0, 0.0, 0.0);
    for &(weight, own, interval) in parts {
        let (to_low, to_high) = (own - interval.low(), interval.high() - own);
        let (down, up) = if weight > 0.0 { (to_low, to_high) } else { (to_high, to_low) };
        value += weight * own;
        below += (weight * down).powi(2);
        above += (weight * up).powi(2);
    }
    Interval::new(value - below.sqrt(), value + above.sqrt())
}

/// A share counted out of `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Share {
    /// How many had the property.
    pub count: u64,
    /// Out of how many.
    pub n: u64,
}

impl Share {
    /// `count` out of `n`, if that is possible.
    #[must_use]
    pub fn new(count: u64, n: u64) -> Option<Self> {
        (count <= n).then_some(Self { count, n })
    }

    /// The share as a fraction.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations, [`Missing::Range`] if the count exceeds them.
    pub fn value(self) -> Known<f64> {
        let (x, n) = self.parts()?;
        Ok(x / n)
    }

    /// The Wilson interval: the default for one proportion.
    ///
    /// # Errors
    /// As [`Share::value`].
    ///
    /// Source: E. B. Wilson, JASA 22 (1927) 209.
    pub fn wilson(self, confidence: Confidence) -> Known<Interval> {
        let (x, n) = self.parts()?;
        wilson_real(x, n, confidence.z())
    }

    /// The exact interval of Clopper and Pearson; conservative.
    ///
    /// # Errors
    /// As [`Share::value`].
    ///
    /// Source: C. Clopper, E. Pearson, Biometrika 26 (1934) 404; Beta quantiles.
    pub fn clopper_pearson(self, confidence: Confidence) -> Known<Interval> {
        let (x, n) = self.parts()?;
        let tail = confidence.alpha() / 2.0;
        let low = if self.count == 0 { 0.0 } else { beta_quantile(x, n - x + 1.0, tail) };
        let high =
            if self.count == self.n { 1.0 } else { beta_quantile(x + 1.0, n - x, 1.0 - tail) };
        Interval::new(low, high)
    }

    /// The equal-tailed interval of the posterior under Jeffreys' prior Beta(1/2, 1/2).
    ///
    /// # Errors
    /// As [`Share::value`].
    ///
    /// Source: L. Brown, T. Cai, A. DasGupta, Statistical Science 16 (2001) 101.
    pub fn jeffreys_raw(self, confidence: Confidence) -> Known<Interval> {
        let (x, n) = self.parts()?;
        let tail = confidence.alpha() / 2.0;
        let quantile = |p| beta_quantile(x + 0.5, n - x + 0.5, p);
        Interval::new(quantile(tail), quantile(1.0 - tail))
    }

    /// Jeffreys' interval with the ends 0 at `count = 0` and 1 at `count = n`.
    ///
    /// # Errors
    /// As [`Share::value`].
    ///
    /// Source: Brown, Cai, DasGupta 2001, section 4.1.
    pub fn jeffreys(self, confidence: Confidence) -> Known<Interval> {
        let raw = self.jeffreys_raw(confidence)?;
        let low = if self.count == 0 { 0.0 } else { raw.low() };
        let high = if self.count == self.n { 1.0 } else { raw.high() };
        Interval::new(low, high)
    }

    /// The adjusted Wald interval of Agresti and Coull, cut to `[0, 1]`.
    ///
    /// # Errors
    /// As [`Share::value`].
    ///
    /// Source: A. Agresti, B. Coull, The American Statistician 52 (1998) 119.
    pub fn agresti_coull(self, confidence: Confidence) -> Known<Interval> {
        let (x, n) = self.parts()?;
        let z = confidence.z();
        let weight = n + z * z;
        let centre = (x + z * z / 2.0) / weight;
        let half = z * (centre * (1.0 - centre) / weight).sqrt();
        Interval::around(centre, half)?.clamped(0.0, 1.0)
    }

    /// The Wald interval, cut to `[0, 1]`; for comparison with other programs only.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] where all or none have the property, else as [`Share::value`].
    pub fn wald(self, confidence: Confidence) -> Known<Interval> {
        let (x, n) = self.parts()?;
        let p = x / n;
        let half = confidence.z() * (p * (1.0 - p) / n).sqrt();
        Interval::around(p, half)?.clamped(0.0, 1.0)
    }

    pub(super) fn parts(self) -> Known<(f64, f64)> {
        if self.n == 0 {
            Err(Missing::Empty)
        } else if self.count > self.n {
            Err(Missing::Range)
        } else {
            Ok((real(self.count), real(self.n)))
        }
    }
}

/// Wilson's interval for a real-valued sum `x` of `n` observations in `[0, 1]`; conservative when
/// they are not all 0 or 1.
pub(super) fn wilson_real(x: f64, n: f64, z: f64) -> Known<Interval> {
    let weight = n + z * z;
    let centre = (x + z * z / 2.0) / weight;
    let half = z / weight * (x * (n - x) / n + z * z / 4.0).sqrt();
    let low = if x <= 0.0 { 0.0 } else { centre - half };
    let high = if x >= n { 1.0 } else { centre + half };
    Interval::new(low, high)?.clamped(0.0, 1.0)
}

/// Simultaneous intervals for all shares of one whole (win, draw, loss): Wilson's interval with
/// the error divided among the shares.
///
/// # Errors
/// [`Missing::Empty`] if all counts are 0.
///
/// Source: L. Goodman, Technometrics 7 (1965) 247.
pub fn goodman(counts: &[u64], confidence: Confidence) -> Known<Vec<Interval>> {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return Err(Missing::Empty);
    }
    let z = -normal_quantile(confidence.alpha() / real_len(counts.len()) / 2.0);
    counts.iter().map(|&count| wilson_real(real(count), real(n), z)).collect()
}

/// Simultaneous intervals for all shares of one whole, of equal length before they are cut.
///
/// # Errors
/// [`Missing::Empty`] if all counts are 0, [`Missing::NoSpread`] in samples so small that the
/// method gives a share no width ([`goodman`] always has one).
///
/// Source: C. Sison, J. Glaz, JASA 90 (1995) 366; truncated-Poisson moments as in their section 2.
pub fn sison_glaz(counts: &[u64], confidence: Confidence) -> Known<Vec<Interval>> {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return Err(Missing::Empty);
    }
    let level = confidence.level();
    let coverage = |width| sison_glaz_coverage(counts, n, width);
    let (mut short, mut enough) = (0, 1);
    while enough < n && coverage(enough) < level {
        (short, enough) = (enough, enough * 2);
    }
    while enough - short > 1 {
        let middle = short + (enough - short) / 2;
        if coverage(middle) < level { short = middle } else { enough = middle }
    }
    let (before, after) = (coverage(short), coverage(enough));
    let part = ((level - before) / (after - before)).clamp(0.0, 1.0);
    let step = real(short);
    counts
        .iter()
        .map(|&count| {
            let share = real(count) / real(n);
            let low = share - step / real(n);
            let high = share + (step + 2.0 * part) / real(n);
            Interval::new(low.max(0.0), high.min(1.0))
        })
        .collect()
}

/// The chance that all multinomial counts lie within `width` of the observed ones.
fn sison_glaz_coverage(counts: &[u64], n: u64, width: u64) -> f64 {
    let (mut product, mut mean, mut variance, mut third, mut fourth) = (1.0, 0.0, 0.0, 0.0, 0.0);
    for &count in counts {
        let m = truncated_poisson(real(count), count.saturating_sub(width), count + width);
        product *= m.mass;
        mean += m.mean;
        variance += m.variance;
        third += m.third;
        fourth += m.fourth - 3.0 * m.variance * m.variance;
    }
    if variance <= 0.0 {
        return 0.0;
    }
    let skew = third / variance.powf(1.5);
    let kurtosis = fourth / (variance * variance);
    let z = (real(n) - mean) / variance.sqrt();
    let z2 = z * z;
    let polynomial = 1.0
        + skew * (z2 * z - 3.0 * z) / 6.0
        + kurtosis * (z2 * z2 - 6.0 * z2 + 3.0) / 24.0
        + skew * skew * (z2.powi(3) - 15.0 * z2 * z2 + 45.0 * z2 - 15.0) / 72.0;
    let density = polynomial * super::distribution::normal_density(z) / variance.sqrt();
    product * density / poisson_pmf(n, real(n))
}

struct PoissonMoments {
    mass: f64,
    mean: f64,
    variance: f64,
    third: f64,
    fourth: f64,
}

/// Mass and central moments of a Poisson variable with mean `lambda` cut to `low..=high`.
fn truncated_poisson(lambda: f64, low: u64, high: u64) -> PoissonMoments {
    let weights: Vec<(f64, f64)> =
        (low..=high).map(|k| (real(k), poisson_pmf(k, lambda))).collect();
    let mass: f64 = weights.iter().map(|(_, w)| w).sum();
    let mean = weights.iter().map(|(k, w)| k * w).sum::<f64>() / mass;
    let central =
        |power: i32| weights.iter().map(|(k, w)| (k - mean).powi(power) * w).sum::<f64>() / mass;
    PoissonMoments { mass, mean, variance: central(2), third: central(3), fourth: central(4) }
}

fn poisson_pmf(k: u64, lambda: f64) -> f64 {
    if lambda <= 0.0 {
        return if k == 0 { 1.0 } else { 0.0 };
    }
    let k = real(k);
    (k * lambda.ln() - lambda - statrs::function::gamma::ln_gamma(k + 1.0)).exp()
}
