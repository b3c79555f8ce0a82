//! Counts of whole numbers (plies, branching, captures): exact sums, quantiles and merging.
//! Never holds the observations themselves, and adds in integers so that order cannot matter.

use super::distribution::binomial_cdf;
use super::number::{Confidence, Estimate, Interval, Known, Missing, real};
use super::paired::Group;

/// How often each value 0, 1, 2, … was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Histogram {
    counts: Vec<u64>,
}

impl Histogram {
    /// No observations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From the count of each value, starting at value 0.
    #[must_use]
    pub fn from_counts(counts: Vec<u64>) -> Self {
        let mut histogram = Self { counts };
        histogram.trim();
        histogram
    }

    /// Adds one observation.
    pub fn add(&mut self, value: usize) {
        self.add_many(value, 1);
    }

    /// Adds `count` equal observations.
    pub fn add_many(&mut self, value: usize, count: u64) {
        if count == 0 {
            return;
        }
        if value >= self.counts.len() {
            self.counts.resize(value + 1, 0);
        }
        self.counts[value] += count;
    }

    /// Adds all observations of another histogram; exact in any order.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (sum, more) in self.counts.iter_mut().zip(&other.counts) {
            *sum += more;
        }
    }

    /// How often each value was seen, from value 0 to the largest one seen.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Observations.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The least value seen.
    #[must_use]
    pub fn least(&self) -> Option<usize> {
        self.counts.iter().position(|&count| count > 0)
    }

    /// The largest value seen.
    #[must_use]
    pub fn largest(&self) -> Option<usize> {
        self.counts.iter().rposition(|&count| count > 0)
    }

    /// The sum of all observations.
    #[must_use]
    pub fn sum(&self) -> u128 {
        self.power_sum(1)
    }

    /// The mean.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations.
    pub fn mean(&self) -> Known<f64> {
        let n = self.n();
        if n == 0 { Err(Missing::Empty) } else { Ok(self.sum() as f64 / real(n)) }
    }

    /// The sum of squared deviations from the mean.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations.
    pub fn squared_deviations(&self) -> Known<f64> {
        let n = self.n();
        if n == 0 {
            return Err(Missing::Empty);
        }
        let (sum, squares) = (self.sum(), self.power_sum(2));
        Ok((u128::from(n) * squares - sum * sum) as f64 / real(n))
    }

    /// The standard deviation with divisor n − 1.
    ///
    /// # Errors
    /// [`Missing::Empty`] or [`Missing::Single`] below two observations.
    pub fn deviation(&self) -> Known<f64> {
        Ok(self.group()?.variance.sqrt())
    }

    /// The mean with the interval of Student's t.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations.
    pub fn mean_estimate(&self, confidence: Confidence) -> Known<Estimate> {
        let (n, mean) = (self.n(), self.mean()?);
        let Ok(group) = self.group() else {
            let judgement = Err(Missing::Single);
            return Ok(Estimate { value: mean, standard_error: 0.0, n, judgement });
        };
        let error = (group.variance / group.n).sqrt();
        Ok(Estimate::student(mean, error, n, group.n - 1.0, confidence))
    }

    /// Size, mean and variance, for Welch's t.
    ///
    /// # Errors
    /// [`Missing::Empty`] or [`Missing::Single`] below two observations.
    pub fn group(&self) -> Known<Group> {
        let (n, mean) = (self.n(), self.mean()?);
        if n < 2 {
            return Err(Missing::Single);
        }
        Ok(Group { n: real(n), mean, variance: self.squared_deviations()? / (real(n) - 1.0) })
    }

    /// The median: the middle observation, or the mean of the two middle ones.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations.
    pub fn median(&self) -> Known<f64> {
        self.quantile(0.5)
    }

    /// The quantile at `p`, interpolated between neighbouring observations.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations, [`Missing::Range`] for `p` outside `[0, 1]`.
    ///
    /// Source: definition 7 of R. Hyndman, Y. Fan, The American Statistician 50 (1996) 361.
    pub fn quantile(&self, p: f64) -> Known<f64> {
        if !(0.0..=1.0).contains(&p) {
            return Err(Missing::Range);
        }
        let n = self.n();
        let place = p * real(n.checked_sub(1).ok_or(Missing::Empty)?);
        let below = super::number::whole_up((place + 1.0).floor()).saturating_sub(1);
        let part = place - real(below);
        let low = self.ordered(below)?;
        let high = if part > 0.0 { self.ordered(below + 1)? } else { low };
        Ok(low + part * (high - low))
    }

    /// An interval for the true quantile at `p` from two observations, whatever the distribution;
    /// both ends moved outward by half a unit, because whole numbers are rounded ones.
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations, [`Missing::Unbounded`] if there are too few,
    /// [`Missing::Range`] for `p` outside `(0, 1)`.
    ///
    /// Source: order statistics, W. Conover, *Practical Nonparametric Statistics*, 1999, 3.2.
    pub fn quantile_interval(&self, p: f64, confidence: Confidence) -> Known<Interval> {
        if !(p > 0.0 && p < 1.0) {
            return Err(Missing::Range);
        }
        let n = self.n();
        if n == 0 {
            return Err(Missing::Empty);
        }
        let tail = confidence.alpha() / 2.0;
        // Ranks from 1: P(B < low) <= tail and P(B >= high) <= tail for B ~ Binomial(n, p).
        let first = |wanted: f64, mut low: u64, mut high: u64| {
            while low < high {
                let middle = low + (high - low) / 2;
                if binomial_cdf(middle, n, p) >= wanted { high = middle } else { low = middle + 1 }
            }
            low
        };
        let low_rank = first(tail, 0, n);
        let high_rank = first(1.0 - tail, 0, n) + 1;
        if low_rank == 0 || high_rank > n {
            return Err(Missing::Unbounded);
        }
        Interval::new(self.ordered(low_rank - 1)? - 0.5, self.ordered(high_rank - 1)? + 0.5)
    }

    /// The share of observations equal to `value`.
    #[must_use]
    pub fn share_of(&self, value: usize) -> super::interval::Share {
        let count = self.counts.get(value).copied().unwrap_or(0);
        super::interval::Share { count, n: self.n() }
    }

    /// The observation with `rank` others before it, in ascending order.
    fn ordered(&self, rank: u64) -> Known<f64> {
        let mut before = 0;
        for (value, &count) in self.counts.iter().enumerate() {
            before += count;
            if rank < before {
                return Ok(super::number::real_len(value));
            }
        }
        Err(Missing::Empty)
    }

    fn power_sum(&self, power: u32) -> u128 {
        (0_u128..).zip(&self.counts).map(|(k, &count)| k.pow(power) * u128::from(count)).sum()
    }

    fn trim(&mut self) {
        let length = self.largest().map_or(0, |value| value + 1);
        self.counts.truncate(length);
    }
}

impl FromIterator<usize> for Histogram {
    fn from_iter<I: IntoIterator<Item = usize>>(values: I) -> Self {
        let mut histogram = Self::new();
        for value in values {
            histogram.add(value);
        }
        histogram
    }
}

/// Count, mean and sum of squared deviations of real values that come in pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Observations.
    pub n: u64,
    /// Their mean; 0 without observations.
    pub mean: f64,
    /// Sum of squared deviations from the mean.
    pub m2: f64,
}

impl Moments {
    /// Adds one observation.
    ///
    /// Source: B. Welford, Technometrics 4 (1962) 419.
    pub fn add(&mut self, value: f64) {
        *self = self.merged(Self { n: 1, mean: value, m2: 0.0 });
    }

    /// The moments of both together. Rounding depends on the order: merge in a fixed one.
    ///
    /// Source: T. Chan, G. Golub, R. LeVeque, The American Statistician 37 (1983) 242.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        let n = self.n + other.n;
        if n == 0 {
            return self;
        }
        let shift = other.mean - self.mean;
        let part = real(other.n) / real(n);
        Self {
            n,
            mean: self.mean + shift * part,
            m2: self.m2 + other.m2 + shift * shift * real(self.n) * part,
        }
    }

    /// The standard deviation with divisor n − 1.
    ///
    /// # Errors
    /// [`Missing::Empty`] or [`Missing::Single`] below two observations.
    pub fn deviation(self) -> Known<f64> {
        match self.n {
            0 => Err(Missing::Empty),
            1 => Err(Missing::Single),
            n => Ok((self.m2 / (real(n) - 1.0)).sqrt()),
        }
    }
}
