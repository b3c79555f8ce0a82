//! Weighted sums of rates that several series have over units which they may share: every effect
//! of a design. Never takes units for independent that come from one block.

use super::number::{Confidence, Estimate, Interval, Known, Missing, real, real_len};

/// The groups of a jackknife.
pub const GROUPS: usize = 20;

/// What one series has in one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateUnit {
    /// The block (opening) that it shares with the units of other series; nothing for a unit that
    /// stands alone.
    pub block: Option<u32>,
    /// The numerator.
    pub top: u64,
    /// The denominator; 0 where there was nothing to observe (the game was not finished).
    pub bottom: u64,
}

/// The rates of several series, each the sum of its numerators over that of its denominators.
///
/// The pull of a unit is what it adds to the error of its series' rate (the linearised rate).
#[derive(Clone, Debug, PartialEq)]
pub struct Rates {
    paired: bool,
    blocks: usize,
    series: Vec<Known<Series>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Series {
    value: f64,
    /// Units with something in the denominator.
    n: f64,
    variance: f64,
    /// The pull of each block; 0 where the series has no unit of it.
    pulls: Vec<f64>,
    /// The sum of the squared pulls of the units that stand alone.
    alone: f64,
    /// The sums of the pulls of those units, dealt into groups.
    alone_groups: [f64; GROUPS],
}

/// A further source of variance: what differs between series beyond their sampling error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Between {
    /// The variance of one series.
    pub variance: f64,
    /// The degrees of freedom that it was found with.
    pub df: f64,
}

impl Rates {
    /// The rates of these series, times `scale`. They count as paired where at least half of all
    /// units are in blocks; otherwise all units stand alone.
    ///
    /// Source: linearisation as in W. Cochran, *Sampling Techniques*, 1977, 6.3.
    #[must_use]
    pub fn new(series: &[Vec<RateUnit>], scale: f64) -> Self {
        let units = || series.iter().flatten().filter(|unit| unit.bottom > 0);
        let in_blocks = units().filter(|unit| unit.block.is_some()).count();
        let mut blocks: Vec<u32> = units().filter_map(|unit| unit.block).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let paired = blocks.len() > 1 && 2 * in_blocks >= units().count();
        if !paired {
            blocks.clear();
        }
        let series = series.iter().map(|units| Series::new(units, &blocks, scale)).collect();
        Self { paired, blocks: blocks.len(), series }
    }

    /// Whether units of different series belong together.
    #[must_use]
    pub const fn paired(&self) -> bool {
        self.paired
    }

    /// Blocks, 0 where nothing is paired.
    #[must_use]
    pub const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The rate of a series.
    ///
    /// # Errors
    /// [`Missing::Range`] for an unknown series, [`Missing::Empty`] without units,
    /// [`Missing::EmptyCell`] if all denominators are 0, [`Missing::Single`] for one unit.
    pub fn value(&self, series: usize) -> Known<f64> {
        Ok(self.of(series)?.value)
    }

    /// The squared standard error of that rate.
    ///
    /// # Errors
    /// As [`Rates::value`].
    pub fn variance(&self, series: usize) -> Known<f64> {
        Ok(self.of(series)?.variance)
    }

    /// The units of a series with something in the denominator; 0 where there is no rate.
    #[must_use]
    pub fn units(&self, series: usize) -> f64 {
        self.of(series).map_or(0.0, |series| series.n)
    }

    fn of(&self, series: usize) -> Known<&Series> {
        self.series.get(series).ok_or(Missing::Range)?.as_ref().map_err(|missing| *missing)
    }

    /// The sum of the rates, each with its weight, judged by t over whole blocks and units. Its n
    /// is the number of blocks, or of units where nothing is paired.
    ///
    /// Where all series share all blocks this is a contrast within blocks, right whatever the
    /// dependence in a block. Degrees of freedom are those of Welch and Satterthwaite, in blocks
    /// at most one less than these.
    ///
    /// # Errors
    /// [`Missing::Shape`] unless there is one weight a series; as [`Rates::value`] for a series
    /// with a weight.
    ///
    /// Sources: within-block contrasts, R. A. Fisher, *The Design of Experiments*, 1935; degrees of
    /// freedom, F. Satterthwaite, Biometrics Bulletin 2 (1946) 110.
    pub fn sum(
        &self,
        weights: &[f64],
        between: Option<Between>,
        confidence: Confidence,
    ) -> Known<Estimate> {
        if weights.len() != self.series.len() {
            return Err(Missing::Shape);
        }
        let mut pulls = vec![0.0; self.blocks];
        let (mut value, mut alone, mut units) = (0.0, 0.0, 0.0);
        let (mut squares, mut fourths, mut weight_squares) = (0.0, 0.0, 0.0);
        for (place, &weight) in weights.iter().enumerate().filter(|(_, w)| w.abs() > 0.0) {
            let series = self.of(place)?;
            value += weight * series.value;
            units += series.n;
            alone += weight * weight * series.alone;
            for (sum, pull) in pulls.iter_mut().zip(&series.pulls) {
                *sum += weight * pull;
            }
            let part = weight * weight * series.variance;
            squares += part;
            fourths += part * part / (series.n - 1.0);
            weight_squares += weight * weight;
        }
        let sampling = alone + pulls.iter().map(|pull| pull * pull).sum::<f64>();
        let mut df = if fourths > 0.0 { squares * squares / fourths } else { units - 1.0 };
        if self.paired {
            df = df.min(real_len(self.blocks) - 1.0);
        }
        let mut variance = sampling;
        if let Some(between) = between {
            let part = between.variance * weight_squares;
            variance += part;
            if variance > 0.0 && between.df > 0.0 && df > 0.0 {
                df = variance * variance / (sampling * sampling / df + part * part / between.df);
            }
        }
        let n = if self.paired { real_len(self.blocks) } else { units };
        let n = super::number::whole_up(n);
        Ok(Estimate::student(value, rounded_root(variance, value), n, df, confidence))
    }

    /// The weighted sum without each of [`GROUPS`] groups of blocks and units, to first order; for
    /// a jackknife of what is computed from several such sums.
    ///
    /// # Errors
    /// As [`Rates::sum`].
    ///
    /// Source: B. Efron, R. Tibshirani, *An Introduction to the Bootstrap*, 1993, 11.
    pub fn without_groups(&self, weights: &[f64]) -> Known<[f64; GROUPS]> {
        if weights.len() != self.series.len() {
            return Err(Missing::Shape);
        }
        let mut groups = [0.0; GROUPS];
        let mut value = 0.0;
        for (place, &weight) in weights.iter().enumerate().filter(|(_, w)| w.abs() > 0.0) {
            let series = self.of(place)?;
            value += weight * series.value;
            for (block, pull) in series.pulls.iter().enumerate() {
                groups[block % GROUPS] += weight * pull;
            }
            for (sum, pull) in groups.iter_mut().zip(&series.alone_groups) {
                *sum += weight * pull;
            }
        }
        let factor = real_len(GROUPS) / (real_len(GROUPS) - 1.0);
        Ok(groups.map(|pull| value - factor * pull))
    }

    /// What the rates differ by beyond their sampling error and beyond a model of `df` residual
    /// degrees of freedom, from the place, the residual and the leverage of each series.
    ///
    /// # Errors
    /// As [`Rates::value`]; [`Missing::Single`] without residual degrees of freedom.
    pub fn between(&self, residuals: &[(usize, f64, f64)], df: f64) -> Known<Between> {
        if df < 1.0 {
            return Err(Missing::Single);
        }
        let squares: f64 = residuals.iter().map(|(_, residual, _)| residual * residual).sum();
        let noise = residuals
            .iter()
            .map(|&(series, _, leverage)| Ok((1.0 - leverage) * self.variance(series)?));
        let noise: f64 = noise.sum::<Known<f64>>()?;
        Ok(Between { variance: ((squares - noise) / df).max(0.0), df })
    }
}

/// The interval of a value from what it is without each group: by t over groups.
///
/// # Errors
/// [`Missing::Single`] below two groups, [`Missing::NoSpread`] where all are equal.
///
/// Source: J. Tukey, Annals of Mathematical Statistics 29 (1958) 614.
pub fn jackknife_interval(value: f64, without: &[f64], confidence: Confidence) -> Known<Interval> {
    let variance = super::paired::sample_variance(without)?;
    let groups = real_len(without.len());
    let error = (variance * (groups - 1.0).powi(2) / groups).sqrt();
    let estimate = Estimate::student(value, error, 0, groups - 1.0, confidence);
    Ok(estimate.judgement?.interval)
}

/// The root of a variance; 0 where the variance is rounding beside the value.
fn rounded_root(variance: f64, value: f64) -> f64 {
    let root = variance.max(0.0).sqrt();
    if root <= 1e-12 * value.abs().max(1e-12) { 0.0 } else { root }
}

impl Series {
    /// `blocks` in rising order.
    fn new(units: &[RateUnit], blocks: &[u32], scale: f64) -> Known<Self> {
        let counted = || units.iter().filter(|unit| unit.bottom > 0);
        let n = real_len(counted().count());
        let (top, bottom) =
            counted().fold((0, 0), |(top, bottom), unit| (top + unit.top, bottom + unit.bottom));
        match (units.len(), bottom) {
            (0, _) => return Err(Missing::Empty),
            (_, 0) => return Err(Missing::EmptyCell),
            _ if n < 2.0 => return Err(Missing::Single),
            _ => {}
        }
        let rate = real(top) / real(bottom);
        // With this factor the squared pulls of one series add up to its variance.
        let factor = scale * (n / (n - 1.0)).sqrt() / real(bottom);
        let (mut pulls, mut alone, mut squares) = (vec![0.0; blocks.len()], 0.0, 0.0);
        let mut alone_groups = [0.0; GROUPS];
        for (number, unit) in counted().enumerate() {
            let pull = (real(unit.top) - rate * real(unit.bottom)) * factor;
            squares += pull * pull;
            match unit.block.and_then(|block| blocks.binary_search(&block).ok()) {
                Some(place) => pulls[place] += pull,
                None => {
                    alone += pull * pull;
                    alone_groups[number % GROUPS] += pull;
                }
            }
        }
        Ok(Self { value: scale * rate, n, variance: squares, pulls, alone, alone_groups })
    }
}
