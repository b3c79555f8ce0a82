//! Two proportions from independent games: difference, ratios, tests and equivalence.
//! Never for the same openings played under both variants: that is `paired`.

use super::distribution::{hypergeometric_pmf, normal_cdf, normal_tails};
use super::interval::Share;
use super::number::{Confidence, Interval, Known, Missing};
use super::root::find_root;

/// Two shares from independent observations; differences are `a − b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TwoShares {
    /// The share that a difference counts positively.
    pub a: Share,
    /// The share that a difference counts negatively.
    pub b: Share,
}

/// A test statistic with its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZTest {
    /// The standardised difference.
    pub z: f64,
    /// Two-sided p of "no difference".
    pub p: f64,
}

/// Which test gave a p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShareTest {
    /// The pooled z test.
    PooledZ,
    /// Fisher's exact test: some expected count is below 5.
    Fisher,
}

/// Two one-sided tests of "the difference is at least the margin".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equivalence {
    /// The difference.
    pub difference: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Statistic against `difference ≤ −margin`.
    pub z_lower: f64,
    /// Statistic against `difference ≥ margin`.
    pub z_upper: f64,
    /// p of `difference ≤ −margin`.
    pub p_lower: f64,
    /// p of `difference ≥ margin`.
    pub p_upper: f64,
    /// p of "not equivalent": the larger of the two.
    pub p: f64,
    /// The interval that must lie inside ±margin: confidence 1 − 2·alpha.
    pub interval: Interval,
    /// Whether it does.
    pub equivalent: bool,
}

/// The equivalence test of any normal estimate: equivalent at `alpha` exactly if the interval of
/// confidence 1 − 2·alpha lies inside ±`margin`.
///
/// # Errors
/// [`Missing::NoSpread`] without standard error, [`Missing::Range`] unless `margin > 0` and
/// `0 < alpha < 1/2`.
///
/// Source: D. Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657.
pub fn equivalence(
    difference: f64,
    standard_error: f64,
    margin: f64,
    alpha: f64,
) -> Known<Equivalence> {
    let confidence = Confidence::new(1.0 - 2.0 * alpha).ok_or(Missing::Range)?;
    if margin.is_nan() || margin <= 0.0 {
        return Err(Missing::Range);
    }
    let interval = Interval::around(difference, confidence.z() * standard_error)?;
    let z_lower = (difference + margin) / standard_error;
    let z_upper = (difference - margin) / standard_error;
    let (p_lower, p_upper) = (normal_cdf(-z_lower), normal_cdf(z_upper));
    let p = p_lower.max(p_upper);
    let equivalent = -margin < interval.low() && interval.high() < margin;
    Ok(Equivalence {
        difference,
        standard_error,
        z_lower,
        z_upper,
        p_lower,
        p_upper,
        p,
        interval,
        equivalent,
    })
}

impl TwoShares {
    /// The difference of the shares, `a − b`.
    ///
    /// # Errors
    /// [`Missing::Empty`] if one has no observations.
    pub fn difference(self) -> Known<f64> {
        Ok(self.a.value()? - self.b.value()?)
    }

    /// The standard error of the difference, each share with its own variance.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    pub fn standard_error(self) -> Known<f64> {
        let (x1, n1) = self.a.parts()?;
        let (x2, n2) = self.b.parts()?;
        let (p1, p2) = (x1 / n1, x2 / n2);
        Ok((p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2).sqrt())
    }

    /// The z test with the pooled share (its square is the chi-squared test of the 2×2 table).
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if both shares are 0 or both 1, [`Missing::Empty`].
    pub fn pooled_z(self) -> Known<ZTest> {
        let (x1, n1) = self.a.parts()?;
        let (x2, n2) = self.b.parts()?;
        let pooled = (x1 + x2) / (n1 + n2);
        let error = (pooled * (1.0 - pooled) * (1.0 / n1 + 1.0 / n2)).sqrt();
        if error <= 0.0 {
            return Err(Missing::NoSpread);
        }
        let z = (x1 / n1 - x2 / n2) / error;
        Ok(ZTest { z, p: normal_tails(z) })
    }

    /// The two-sided p of the usual choice: pooled z, or Fisher where an expected count is below
    /// 5; with the name of the test used.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    pub fn p_value(self) -> Known<(f64, ShareTest)> {
        let (x1, n1) = self.a.parts()?;
        let (x2, n2) = self.b.parts()?;
        let (yes, no) = (x1 + x2, n1 + n2 - x1 - x2);
        let least = yes.min(no) * n1.min(n2) / (n1 + n2);
        if least < 5.0 {
            Ok((self.fisher()?, ShareTest::Fisher))
        } else {
            Ok((self.pooled_z()?.p, ShareTest::PooledZ))
        }
    }

    /// Newcombe's interval of the difference from two Wilson intervals: the default.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: R. Newcombe, Statistics in Medicine 17 (1998) 873, method 10.
    pub fn newcombe(self, confidence: Confidence) -> Known<Interval> {
        let (p1, p2) = (self.a.value()?, self.b.value()?);
        let (w1, w2) = (self.a.wilson(confidence)?, self.b.wilson(confidence)?);
        let difference = p1 - p2;
        let below = (p1 - w1.low()).hypot(w2.high() - p2);
        let above = (w1.high() - p1).hypot(p2 - w2.low());
        Interval::new(difference - below, difference + above)
    }

    /// The Wald interval of the difference; for comparison with other programs only.
    ///
    /// # Errors
    /// [`Missing::NoSpread`] if each share is 0 or 1, [`Missing::Empty`].
    pub fn wald(self, confidence: Confidence) -> Known<Interval> {
        Interval::around(self.difference()?, confidence.z() * self.standard_error()?)
    }

    /// The Wald interval after one success and one failure more in each group.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: A. Agresti, B. Caffo, The American Statistician 54 (2000) 280.
    pub fn agresti_caffo(self, confidence: Confidence) -> Known<Interval> {
        self.difference()?;
        let more = |share: Share| Share { count: share.count + 1, n: share.n + 2 };
        Self { a: more(self.a), b: more(self.b) }.wald(confidence)?.clamped(-1.0, 1.0)
    }

    /// The score interval with the variance factor N/(N−1).
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: O. Miettinen, M. Nurminen, Statistics in Medicine 4 (1985) 213.
    pub fn miettinen_nurminen(self, confidence: Confidence) -> Known<Interval> {
        let (_, n1) = self.a.parts()?;
        let (_, n2) = self.b.parts()?;
        self.score_interval(confidence, (n1 + n2) / (n1 + n2 - 1.0))
    }

    /// The score interval without correction.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: R. Mee, Biometrics 40 (1984) 1175.
    pub fn mee(self, confidence: Confidence) -> Known<Interval> {
        self.score_interval(confidence, 1.0)
    }

    fn score_interval(self, confidence: Confidence, factor: f64) -> Known<Interval> {
        let observed = self.difference()?;
        let z = confidence.z();
        let statistic = |delta: f64| self.score_statistic(delta, factor);
        let edge = 1.0 - 1e-12;
        let low = find_root(-edge, observed, |d| statistic(d) - z).unwrap_or(-1.0);
        let high = find_root(observed, edge, |d| statistic(d) + z).unwrap_or(1.0);
        Interval::new(low, high)
    }

    /// (difference − delta) over its standard error under "the true difference is delta".
    ///
    /// Source of the restricted shares: C. Farrington, G. Manning, Statistics in Medicine 9
    /// (1990) 1447, appendix.
    fn score_statistic(self, delta: f64, factor: f64) -> f64 {
        let (Ok((x1, n1)), Ok((x2, n2))) = (self.a.parts(), self.b.parts()) else {
            return 0.0;
        };
        let (p1, p2) = (x1 / n1, x2 / n2);
        let above = p1 - p2 - delta;
        let ratio = n2 / n1;
        let a = 1.0 + ratio;
        let b = -(1.0 + ratio + p1 + ratio * p2 + delta * (ratio + 2.0));
        let c = delta * delta + delta * (2.0 * p1 + ratio + 1.0) + p1 + ratio * p2;
        let d = -p1 * delta * (1.0 + delta);
        let v = (b / (3.0 * a)).powi(3) - b * c / (6.0 * a * a) + d / (2.0 * a);
        let root = ((b / (3.0 * a)).powi(2) - c / (3.0 * a)).max(0.0).sqrt();
        let u = if v < 0.0 { -root } else { root };
        let cosine = if u.abs() > 0.0 { (v / u.powi(3)).clamp(-1.0, 1.0) } else { 0.0 };
        let w = (std::f64::consts::PI + cosine.acos()) / 3.0;
        let q1 = (2.0 * u * w.cos() - b / (3.0 * a)).clamp(0.0, 1.0);
        let q2 = (q1 - delta).clamp(0.0, 1.0);
        let variance = (q1 * (1.0 - q1) / n1 + q2 * (1.0 - q2) / n2) * factor;
        if above.abs() <= 0.0 { 0.0 } else { above / variance.max(1e-300).sqrt() }
    }

    /// The ratio of the shares, `a / b`.
    ///
    /// # Errors
    /// [`Missing::EmptyCell`] if `b` has no successes, [`Missing::Empty`].
    pub fn risk_ratio(self) -> Known<f64> {
        let (a, b) = (self.a.value()?, self.b.value()?);
        if self.b.count == 0 { Err(Missing::EmptyCell) } else { Ok(a / b) }
    }

    /// The ratio of the odds, `a` over `b`.
    ///
    /// # Errors
    /// [`Missing::EmptyCell`] if a cell of the 2×2 table is empty, [`Missing::Empty`].
    pub fn odds_ratio(self) -> Known<f64> {
        let [a, b, c, d] = self.cells()?;
        if a.min(b).min(c).min(d) <= 0.0 { Err(Missing::EmptyCell) } else { Ok(a * d / (b * c)) }
    }

    /// The interval of the odds ratio from the Wald interval of its logarithm.
    ///
    /// # Errors
    /// As [`TwoShares::odds_ratio`].
    ///
    /// Source: B. Woolf, Annals of Human Genetics 19 (1955) 251.
    pub fn odds_ratio_interval(self, confidence: Confidence) -> Known<Interval> {
        let log = self.odds_ratio()?.ln();
        let error = self.cells()?.iter().map(|cell| 1.0 / cell).sum::<f64>().sqrt();
        Interval::around(log, confidence.z() * error)?.map(f64::exp)
    }

    /// Cohen's h: the difference of the shares on the arcsine scale.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: J. Cohen, *Statistical Power Analysis*, 1988, 6.2.
    pub fn cohen_h(self) -> Known<f64> {
        let arc = |p: f64| 2.0 * p.sqrt().asin();
        Ok(arc(self.a.value()?) - arc(self.b.value()?))
    }

    /// Two one-sided z tests of equivalence within ±`margin`, unpooled standard error.
    ///
    /// # Errors
    /// As [`equivalence`].
    pub fn equivalence(self, margin: f64, alpha: f64) -> Known<Equivalence> {
        equivalence(self.difference()?, self.standard_error()?, margin, alpha)
    }

    /// Fisher's exact test: the sum of all tables with the same margins that are at most as
    /// likely as the observed one.
    ///
    /// # Errors
    /// As [`TwoShares::difference`].
    ///
    /// Source: R. A. Fisher, *Statistical Methods for Research Workers*, 1934, section 21.02.
    pub fn fisher(self) -> Known<f64> {
        self.difference()?;
        let drawn = self.a.count + self.b.count;
        let chance = |k| hypergeometric_pmf(k, self.a.n, self.b.n, drawn);
        let limit = chance(self.a.count) * (1.0 + 1e-10);
        let low = drawn.saturating_sub(self.b.n);
        let sum: f64 =
            (low..=drawn.min(self.a.n)).map(chance).filter(|&chance| chance <= limit).sum();
        Ok(sum.min(1.0))
    }

    fn cells(self) -> Known<[f64; 4]> {
        let (x1, n1) = self.a.parts()?;
        let (x2, n2) = self.b.parts()?;
        Ok([x1, n1 - x1, x2, n2 - x2])
    }
}
