//! How many games a question needs, and how to divide them.
//! Never knows speeds or hours: it counts units of observation.

use super::distribution::{normal_cdf, normal_quantile};
use super::number::{Confidence, Known, Missing, real, real_len, whole_up};
use super::root::find_root;

/// Wished errors of a two-sided test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Chance to see a difference where there is none.
    pub alpha: f64,
    /// Chance to see the difference where there is one.
    pub power: f64,
}

impl Default for Power {
    /// The usual 5 % and 80 %.
    fn default() -> Self {
        Self { alpha: 0.05, power: 0.8 }
    }
}

impl Power {
    fn quantiles(self) -> Known<(f64, f64)> {
        let inside = |p: f64| p > 0.0 && p < 1.0;
        if !inside(self.alpha) || !inside(self.power) {
            return Err(Missing::Range);
        }
        Ok((-normal_quantile(self.alpha / 2.0), normal_quantile(self.power)))
    }
}

/// Observations in each of two groups to tell share `p1` from `p2`, pooled z test; round up with
/// [`units`].
///
/// # Errors
/// [`Missing::Range`] for shares outside [0, 1] or impossible errors, [`Missing::NoSpread`] if the
/// shares are equal.
///
/// Source: J. Fleiss, *Statistical Methods for Rates and Proportions*, 1981, 3.2 (without
/// continuity correction).
pub fn two_shares(p1: f64, p2: f64, wish: Power) -> Known<f64> {
    let (za, zb) = wish.quantiles()?;
    let difference = share_difference(p1, p2)?;
    let pooled = f64::midpoint(p1, p2);
    let free = p1 * (1.0 - p1) + p2 * (1.0 - p2);
    let sum = za * (2.0 * pooled * (1.0 - pooled)).sqrt() + zb * free.sqrt();
    Ok((sum / difference).powi(2))
}

/// As [`two_shares`], on the arcsine scale, with the power of both tails.
///
/// # Errors
/// As [`two_shares`].
///
/// Source: J. Cohen, *Statistical Power Analysis*, 1988, 6.4.
pub fn two_shares_arcsine(p1: f64, p2: f64, wish: Power) -> Known<f64> {
    let (za, zb) = wish.quantiles()?;
    share_difference(p1, p2)?;
    let h = 2.0 * (p1.sqrt().asin() - p2.sqrt().asin()).abs();
    // With one tail only: 2 ((za + zb) / h)². The other tail needs a little less.
    let one_tail = 2.0 * ((za + zb) / h).powi(2);
    let missing = |n: f64| {
        let shift = h * (n / 2.0).sqrt();
        normal_cdf(shift - za) + normal_cdf(-shift - za) - wish.power
    };
    find_root(one_tail / 4.0, one_tail * 1.01, missing).ok_or(Missing::Range)
}

fn share_difference(p1: f64, p2: f64) -> Known<f64> {
    let inside = |p: f64| (0.0..=1.0).contains(&p);
    if !inside(p1) || !inside(p2) {
        return Err(Missing::Range);
    }
    let difference = p1 - p2;
    if difference.abs() > 0.0 { Ok(difference) } else { Err(Missing::NoSpread) }
}

/// Observations for an interval of the share `p` that reaches `half_width` to each side.
///
/// # Errors
/// [`Missing::Range`] for a share outside [0, 1] or a half-width that is not positive.
pub fn share_half_width(p: f64, half_width: f64, confidence: Confidence) -> Known<f64> {
    if !(0.0..=1.0).contains(&p) {
        return Err(Missing::Range);
    }
    mean_half_width((p * (1.0 - p)).sqrt(), half_width, confidence)
}

/// Units for an interval of a mean that reaches `half_width` to each side, given the standard
/// deviation of a unit.
///
/// # Errors
/// [`Missing::Range`] for a half-width that is not positive or a negative deviation.
pub fn mean_half_width(deviation: f64, half_width: f64, confidence: Confidence) -> Known<f64> {
    if half_width > 0.0 && deviation >= 0.0 {
        Ok((confidence.z() * deviation / half_width).powi(2))
    } else {
        Err(Missing::Range)
    }
}

/// Pairs (openings) to see a mean difference between two variants on the same openings, given
/// each one's deviation and their correlation.
///
/// # Errors
/// [`Missing::Range`] for impossible arguments, [`Missing::NoSpread`] for a difference of 0.
pub fn paired_difference(
    difference: f64,
    deviations: [f64; 2],
    correlation: f64,
    wish: Power,
) -> Known<f64> {
    let (za, zb) = wish.quantiles()?;
    let [a, b] = deviations;
    if a < 0.0 || b < 0.0 || !(-1.0..=1.0).contains(&correlation) || difference.is_nan() {
        return Err(Missing::Range);
    }
    if difference.abs() <= 0.0 {
        return Err(Missing::NoSpread);
    }
    let variance = (a * a + b * b - 2.0 * correlation * a * b).max(0.0);
    Ok(variance * ((za + zb) / difference).powi(2))
}

/// Whole units: rounded up, at least 1.
#[must_use]
pub fn units(n: f64) -> u64 {
    whole_up(n).max(1)
}

/// How to divide `total` games over variants with the given deviations so that the sum of the
/// variances of their means is least: in proportion to the deviations.
///
/// # Errors
/// [`Missing::Empty`] without variants, [`Missing::NoSpread`] if no deviation is positive,
/// [`Missing::Range`] if one is negative.
///
/// Source: J. Neyman, JRSS 97 (1934) 558.
pub fn neyman(deviations: &[f64], total: u64) -> Known<Vec<f64>> {
    if deviations.is_empty() {
        return Err(Missing::Empty);
    }
    if deviations.iter().any(|&sd| sd.is_nan() || sd < 0.0) {
        return Err(Missing::Range);
    }
    let sum: f64 = deviations.iter().sum();
    if sum <= 0.0 {
        return Err(Missing::NoSpread);
    }
    Ok(deviations.iter().map(|sd| sd / sum * real(total)).collect())
}

/// The sum of the variances of the means under a division of games.
///
/// # Errors
/// [`Missing::Shape`] if the lists differ in length, [`Missing::EmptyCell`] where a variant with
/// spread gets no games.
pub fn summed_variance(deviations: &[f64], games: &[f64]) -> Known<f64> {
    if deviations.len() != games.len() {
        return Err(Missing::Shape);
    }
    deviations
        .iter()
        .zip(games)
        .filter(|(sd, _)| **sd > 0.0)
        .map(|(sd, n)| if *n > 0.0 { Ok(sd * sd / n) } else { Err(Missing::EmptyCell) })
        .sum()
}

/// An equal division.
#[must_use]
pub fn equal_division(variants: usize, total: u64) -> Vec<f64> {
    vec![real(total) / real_len(variants.max(1)); variants]
}
