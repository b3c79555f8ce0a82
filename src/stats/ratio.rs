//! Rates whose numerator and denominator both vary from game to game: captures a turn, forced
//! positions a position. Never takes positions or turns for independent: the unit is the game.

use super::number::{Confidence, Estimate, Known, Missing, real, real_len};

/// Sums over games of a numerator and a denominator; adds up exactly in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RatioSums {
    games: u64,
    x: u128,
    y: u128,
    xx: u128,
    xy: u128,
    yy: u128,
}

impl RatioSums {
    /// Adds a game.
    pub fn add(&mut self, numerator: u64, denominator: u64) {
        let (x, y) = (u128::from(numerator), u128::from(denominator));
        self.merge(&Self { games: 1, x, y, xx: x * x, xy: x * y, yy: y * y });
    }

    /// Adds all games of another tally.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
    }

    /// Games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The sum of the numerators.
    #[must_use]
    pub fn numerator(&self) -> u128 {
        self.x
    }

    /// The sum of the denominators.
    #[must_use]
    pub fn denominator(&self) -> u128 {
        self.y
    }

    /// The rate: sum of numerators over sum of denominators.
    ///
    /// # Errors
    /// [`Missing::Empty`] without games, [`Missing::EmptyCell`] if all denominators are 0.
    pub fn value(&self) -> Known<f64> {
        match (self.games, self.y) {
            (0, _) => Err(Missing::Empty),
            (_, 0) => Err(Missing::EmptyCell),
            (_, y) => Ok(self.x as f64 / y as f64),
        }
    }

    /// The rate judged by t over games, with the linearised variance of a ratio.
    ///
    /// # Errors
    /// As [`RatioSums::value`]. One game, or the same rate in all, gives an estimate without
    /// judgement.
    ///
    /// Source: W. Cochran, *Sampling Techniques*, 1977, 6.3.
    pub fn estimate(&self, confidence: Confidence) -> Known<Estimate> {
        let value = self.value()?;
        let n = self.games;
        let Ok(variance) = self.variance() else {
            return Ok(Estimate { value, standard_error: 0.0, n, judgement: Err(Missing::Single) });
        };
        Ok(Estimate::student(value, variance.sqrt(), n, real(n) - 1.0, confidence))
    }

    /// The difference of two rates from independent games, `self − other`.
    ///
    /// # Errors
    /// As [`RatioSums::value`]; [`Missing::Single`] if one has a single game.
    pub fn difference(&self, other: &Self, confidence: Confidence) -> Known<Estimate> {
        let value = self.value()? - other.value()?;
        let (a, b) = (self.variance()?, other.variance()?);
        let (df_a, df_b) = (real(self.games) - 1.0, real(other.games) - 1.0);
        let df =
            if a + b > 0.0 { (a + b).powi(2) / (a * a / df_a + b * b / df_b) } else { df_a + df_b };
        Ok(Estimate::student(value, (a + b).sqrt(), self.games + other.games, df, confidence))
    }

    /// The square of the standard error.
    fn variance(&self) -> Known<f64> {
        let ratio = self.value()?;
        if self.games < 2 {
            return Err(Missing::Single);
        }
        let n = real(self.games);
        // y²·Σ(x − r y)² with r = x/y, in whole numbers while they fit.
        let exact = |a: u128, b: u128, c: u128| a.checked_mul(b)?.checked_mul(c);
        let whole = || {
            let plus =
                exact(self.y, self.y, self.xx)?.checked_add(exact(self.x, self.x, self.yy)?)?;
            let minus = exact(self.x, self.y, self.xy)?.checked_mul(2)?;
            Some(plus.saturating_sub(minus) as f64 / (self.y as f64).powi(2))
        };
        let rough = || {
            let (xx, xy, yy) = (self.xx as f64, self.xy as f64, self.yy as f64);
            (xx - 2.0 * ratio * xy + ratio * ratio * yy).max(0.0)
        };
        let squares = whole().unwrap_or_else(rough);
        Ok(n / (n - 1.0) * squares / (self.y as f64).powi(2))
    }
}

/// The difference of two rates over the same openings, `a − b`: one numerator and denominator an
/// opening in each series.
///
/// # Errors
/// [`Missing::Shape`] if the lengths differ, [`Missing::Empty`], [`Missing::Single`] below two
/// openings, [`Missing::EmptyCell`] if all denominators of a series are 0.
///
/// Source: linearisation as in W. Cochran, *Sampling Techniques*, 1977, 6.5.
pub fn paired_ratio_difference(
    a: &[(u64, u64)],
    b: &[(u64, u64)],
    confidence: Confidence,
) -> Known<Estimate> {
    if a.len() != b.len() {
        return Err(Missing::Shape);
    }
    if a.len() == 1 {
        return Err(Missing::Single);
    }
    let sums = |series: &[(u64, u64)]| {
        let mut sums = RatioSums::default();
        series.iter().for_each(|&(x, y)| sums.add(x, y));
        sums
    };
    let (sum_a, sum_b) = (sums(a), sums(b));
    let (rate_a, rate_b) = (sum_a.value()?, sum_b.value()?);
    let n = real_len(a.len());
    let pull = |(x, y): (u64, u64), rate: f64, sum: &RatioSums| {
        (real(x) - rate * real(y)) * n / sum.denominator() as f64
    };
    let squares: f64 = a
        .iter()
        .zip(b)
        .map(|(&a, &b)| (pull(a, rate_a, &sum_a) - pull(b, rate_b, &sum_b)).powi(2))
        .sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    Ok(Estimate::student(rate_a - rate_b, error, sum_a.games(), n - 1.0, confidence))
}
