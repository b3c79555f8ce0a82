//! How many-sided a set of lines is: entropy and the most frequent one.
//! Never compares entropies of samples of different size without the correction for size.

use super::interval::Share;
use super::number::{Confidence, Estimate, Known, Missing, real, real_len};

/// Relative size below which a difference is taken for rounding.
const ROUNDING: f64 = 1e-12;

/// The diversity of observed lines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diversity {
    /// Different lines seen.
    pub distinct: usize,
    /// Entropy of the observed shares in bits; too small in small samples.
    pub entropy_observed: f64,
    /// Entropy in bits with Miller's correction, judged by the normal distribution.
    pub entropy: Estimate,
    /// The most frequent line.
    pub top: Share,
}

/// The diversity of lines, given how often each was seen.
///
/// # Errors
/// [`Missing::Empty`] if nothing was seen.
///
/// Source: G. Miller in H. Quastler, *Information Theory in Psychology*, 1955; variance by the delta
/// method, G. Basharin, Theory of Probability and its Applications 4 (1959) 333.
pub fn diversity(counts: &[u64], confidence: Confidence) -> Known<Diversity> {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return Err(Missing::Empty);
    }
    let mut seen: Vec<u64> = counts.iter().copied().filter(|&count| count > 0).collect();
    // Sorted, so that the order of the lines cannot change the last digits.
    seen.sort_unstable();
    let shares = || seen.iter().map(|&count| real(count) / real(n));
    let observed: f64 = shares().map(|p| -p * p.log2()).sum();
    let second: f64 = shares().map(|p| p * p.log2().powi(2)).sum();
    let spread = second - observed * observed;
    // Equal shares have no spread; what rounding leaves of it is not one.
    let variance = if spread > ROUNDING * second { spread / real(n) } else { 0.0 };
    let correction = (real_len(seen.len()) - 1.0) / (2.0 * real(n)) / std::f64::consts::LN_2;
    Ok(Diversity {
        distinct: seen.len(),
        entropy_observed: observed.max(0.0),
        entropy: Estimate::normal(observed + correction, variance.sqrt(), n, confidence),
        top: Share { count: seen.last().copied().unwrap_or(0), n },
    })
}
