//! Errors by resampling: bootstrap and jackknife, over any unit (opening, pair, game).
//! Never draws from a source other than the seed it is given.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::distribution::binomial_cdf;
use super::interval::Share;
use super::number::{Confidence, Interval, Known, Missing, real, real_len, whole_up};
use super::paired::{mean, sample_variance};

/// What resampling says about a statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampled {
    /// The statistic of the data.
    pub value: f64,
    /// The standard deviation of the statistic over resamples.
    pub standard_error: f64,
    /// The percentile interval.
    pub interval: Known<Interval>,
}

/// The bootstrap of a statistic: `resamples` times as many units are drawn with return.
///
/// # Errors
/// [`Missing::Empty`] without units, [`Missing::Range`] for fewer than 100 resamples,
/// [`Missing::Unbounded`] if the statistic of a resample is not finite.
///
/// Source: B. Efron, R. Tibshirani, *An Introduction to the Bootstrap*, 1993, 6 and 13.
pub fn bootstrap<T: Copy>(
    units: &[T],
    statistic: impl Fn(&[T]) -> f64,
    resamples: usize,
    seed: u64,
    confidence: Confidence,
) -> Known<Resampled> {
    if units.is_empty() {
        return Err(Missing::Empty);
    }
    if resamples < 100 {
        return Err(Missing::Range);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let n = u64::try_from(units.len()).map_err(|_| Missing::Range)?;
    let mut drawn = units.to_vec();
    let mut values = Vec::with_capacity(resamples);
    for _ in 0..resamples {
        for slot in &mut drawn {
            *slot = units[usize::try_from(below(&mut rng, n)).map_err(|_| Missing::Range)?];
        }
        let value = statistic(&drawn);
        if !value.is_finite() {
            return Err(Missing::Unbounded);
        }
        values.push(value);
    }
    values.sort_by(f64::total_cmp);
    let tail = confidence.alpha() / 2.0;
    Ok(Resampled {
        value: statistic(units),
        standard_error: sample_variance(&values)?.sqrt(),
        interval: Interval::new(quantile(&values, tail), quantile(&values, 1.0 - tail)),
    })
}

/// The least value that at least the share `p` of the sorted values does not exceed.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let rank = whole_up(p * real_len(sorted.len())).saturating_sub(1);
    let last = sorted.len() - 1;
    sorted[usize::try_from(rank).map_or(last, |rank| rank.min(last))]
}

/// An unbiased number below `n`, by rejection; 0 for `n` 0.
fn below(rng: &mut impl Rng, n: u64) -> u64 {
    let fair = n.checked_sub(1).map_or(0, |most| most.leading_zeros());
    if n < 2 {
        return 0;
    }
    loop {
        let draw = rng.next_u64() >> fair;
        if draw < n {
            return draw;
        }
    }
}

/// The exact bootstrap of a share: successes of a resample are Binomial(n, share).
///
/// # Errors
/// [`Missing::NoSpread`] if all or none have the property (every resample is the same),
/// [`Missing::Empty`].
pub fn bootstrap_share(share: Share, confidence: Confidence) -> Known<Resampled> {
    let p = share.value()?;
    if share.count == 0 || share.count == share.n {
        return Err(Missing::NoSpread);
    }
    let n = share.n;
    let quantile = |wanted: f64| {
        let found = (0..=n).find(|&k| binomial_cdf(k, n, p) >= wanted).unwrap_or(n);
        real(found) / real(n)
    };
    let tail = confidence.alpha() / 2.0;
    Ok(Resampled {
        value: p,
        standard_error: (p * (1.0 - p) / real(n)).sqrt(),
        interval: Interval::new(quantile(tail), quantile(1.0 - tail)),
    })
}

/// The jackknife's standard error of a statistic: from leaving out each unit once.
///
/// # Errors
/// [`Missing::Empty`] or [`Missing::Single`] below two units.
///
/// Source: J. Tukey, Annals of Mathematical Statistics 29 (1958) 614.
pub fn jackknife<T: Copy>(units: &[T], statistic: impl Fn(&[T]) -> f64) -> Known<f64> {
    match units.len() {
        0 => return Err(Missing::Empty),
        1 => return Err(Missing::Single),
        _ => {}
    }
    let values: Vec<f64> = (0..units.len())
        .map(|left_out| {
            let rest: Vec<T> =
                units.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, u)| *u).collect();
            statistic(&rest)
        })
        .collect();
    let n = real_len(units.len());
    let centre = mean(&values)?;
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Ok(((n - 1.0) / n * squares).sqrt())
}
