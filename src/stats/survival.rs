//! Lengths of games of which some were cut off: the median by Kaplan and Meier.
//! Never takes a cut-off game for a finished one.

use super::histogram::Histogram;
use super::number::{Confidence, Interval, Known, Missing, real, real_len};

/// One step of the survival curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The length at which games ended.
    pub length: usize,
    /// Games that had lasted at least that long.
    pub at_risk: u64,
    /// Games that ended there.
    pub ended: u64,
    /// The chance to last longer.
    pub survival: f64,
    /// Greenwood's variance of that chance.
    pub variance: f64,
}

/// The survival curve of games: `finished` by length, `cut` by the length at which they were cut
/// off.
///
/// # Errors
/// [`Missing::Empty`] without games.
///
/// Source: E. Kaplan, P. Meier, JASA 53 (1958) 457.
pub fn curve(finished: &Histogram, cut: &Histogram) -> Known<Vec<Step>> {
    let mut at_risk = finished.n() + cut.n();
    if at_risk == 0 {
        return Err(Missing::Empty);
    }
    let longest = finished.counts().len().max(cut.counts().len());
    let count = |h: &Histogram, length: usize| h.counts().get(length).copied().unwrap_or(0);
    let (mut survival, mut sum) = (1.0, 0.0);
    let mut steps = Vec::new();
    for length in 0..longest {
        let ended = count(finished, length);
        if ended > 0 {
            let (risk, gone) = (real(at_risk), real(ended));
            survival *= (risk - gone) / risk;
            sum += if gone < risk { gone / (risk * (risk - gone)) } else { 0.0 };
            let variance = survival * survival * sum;
            steps.push(Step { length, at_risk, ended, survival, variance });
        }
        // A game cut off at a length was still going on there.
        at_risk -= ended + count(cut, length);
    }
    Ok(steps)
}

/// The median length with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MedianLength {
    /// The least length that at most half of the games outlast.
    pub value: f64,
    /// Its interval; an end may not exist where too many games were cut off.
    pub interval: Known<Interval>,
}

/// The median length of games of which some were cut off. The interval inverts the test of
/// "survival is one half" on the log-log scale; ends are moved outward by half a ply.
///
/// # Errors
/// [`Missing::Empty`] without games, [`Missing::Censored`] if more than half outlast the last end.
///
/// Source: R. Brookmeyer, J. Crowley, Biometrics 38 (1982) 29, with the log-log transformation.
pub fn median(
    finished: &Histogram,
    cut: &Histogram,
    confidence: Confidence,
) -> Known<MedianLength> {
    let steps = curve(finished, cut)?;
    let z = confidence.z();
    let at = steps.iter().find(|step| step.survival <= 0.5).ok_or(Missing::Censored)?;
    let goal = 0.5_f64.ln().abs().ln();
    // How many standard errors the curve lies below one half; no error is known once it is 0.
    let below = |step: &Step| {
        let log = step.survival.ln().abs();
        let error = step.variance.sqrt() / (step.survival * log);
        (log.ln() - goal) / error
    };
    let length = |step: Option<&Step>| step.map(|step| real_len(step.length));
    let low = length(steps.iter().find(|s| s.survival <= 0.0 || below(s) >= -z));
    let high = length(steps.iter().find(|s| s.survival > 0.0 && below(s) > z));
    let value = real_len(at.length);
    let interval = match (low, high) {
        (Some(low), Some(high)) => Interval::new(low - 0.5, high + 0.5),
        _ => Err(Missing::Unbounded),
    };
    Ok(MedianLength { value, interval })
}
