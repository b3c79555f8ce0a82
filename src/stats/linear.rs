//! Least squares and what all regressions share: designs, terms that cannot be estimated, errors
//! by cluster. Never drops a term without naming it.

use nalgebra::{DMatrix, DVector};

use super::distribution::t_quantile_tails;
use super::number::{Confidence, Estimate, Interval, Known, Missing, real_len};

/// Relative size below which what a column adds to those before it counts as nothing.
const RANK_TOLERANCE: f64 = 1e-9;

/// The columns of a regression, with their names.
#[derive(Clone, Debug, PartialEq)]
pub struct Design {
    terms: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Design {
    /// A design with these terms and no rows.
    #[must_use]
    pub fn new<S: Into<String>>(terms: impl IntoIterator<Item = S>) -> Self {
        Self { terms: terms.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds an observation: one finite number for each term.
    ///
    /// # Errors
    /// [`Missing::Shape`] for another number of values, [`Missing::Range`] if one is not finite.
    pub fn push(&mut self, row: Vec<f64>) -> Known<()> {
        if row.len() != self.terms.len() {
            return Err(Missing::Shape);
        }
        if row.iter().any(|value| !value.is_finite()) {
            return Err(Missing::Range);
        }
        self.rows.push(row);
        Ok(())
    }

    /// The names of the terms.
    #[must_use]
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// The observations.
    #[must_use]
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// For each term whether it can be estimated beside those before it.
    #[must_use]
    pub fn estimable(&self) -> Vec<bool> {
        let mut basis: Vec<DVector<f64>> = Vec::new();
        (0..self.terms.len())
            .map(|column| {
                let mut rest = DVector::from_iterator(
                    self.rows.len(),
                    self.rows.iter().map(|row| row[column]),
                );
                let size = rest.norm();
                // Twice, because one pass of Gram-Schmidt loses digits.
                for _ in 0..2 {
                    for unit in &basis {
                        let along = unit.dot(&rest);
                        rest.axpy(-along, unit, 1.0);
                    }
                }
                let left = rest.norm();
                let adds = left > RANK_TOLERANCE * size && size > 0.0;
                if adds {
                    basis.push(rest / left);
                }
                adds
            })
            .collect()
    }

    /// The names of the terms that cannot be estimated.
    #[must_use]
    pub fn aliased(&self) -> Vec<&str> {
        let kept = self.estimable();
        self.terms.iter().zip(kept).filter(|(_, kept)| !kept).map(|(name, _)| &**name).collect()
    }

    /// The coefficients of least squares as weights of the observations, for each term: the
    /// coefficient is the weighted sum of the response. Terms that those before them fix are
    /// [`Missing::Aliased`].
    ///
    /// # Errors
    /// [`Missing::Empty`] without observations or terms.
    pub fn weights(&self) -> Known<Vec<Known<Vec<f64>>>> {
        let kept = self.estimable();
        let x = self.matrix(&kept);
        if x.nrows() == 0 || x.ncols() == 0 {
            return Err(Missing::Empty);
        }
        let weights = inverse_gram(&x)? * x.transpose();
        let mut rows = weights.row_iter();
        Ok(kept
            .iter()
            .map(|&kept| {
                let row = if kept { rows.next() } else { None };
                row.map(|row| row.iter().copied().collect()).ok_or(Missing::Aliased)
            })
            .collect())
    }

    /// The matrix of the columns marked in `kept`.
    pub(super) fn matrix(&self, kept: &[bool]) -> DMatrix<f64> {
        let width = kept.iter().filter(|kept| **kept).count();
        let values = self.rows.iter().flat_map(|row| {
            row.iter().zip(kept).filter(|(_, kept)| **kept).map(|(value, _)| *value)
        });
        DMatrix::from_row_iterator(self.rows.len(), width, values)
    }
}

/// Where the standard errors of a regression come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errors<'a> {
    /// From the model: independent observations of the assumed variance.
    Model,
    /// From the scatter of whole clusters (openings, pairs, games): one label an observation.
    Clustered(&'a [u64]),
}

/// One term of a fitted regression.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    /// The term.
    pub term: String,
    /// Its coefficient, or why there is none.
    pub estimate: Known<Estimate>,
}

/// All terms of a fitted regression, with what is needed to judge sums and ratios of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficients {
    terms: Vec<Coefficient>,
    values: DVector<f64>,
    spread: Spread,
    confidence: Confidence,
}

/// A ratio of two coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The ratio.
    pub value: f64,
    /// Its interval; missing where the denominator is not clearly apart from 0.
    pub interval: Known<Interval>,
}

impl Coefficients {
    /// One entry a term, in the order of the design.
    #[must_use]
    pub fn terms(&self) -> &[Coefficient] {
        &self.terms
    }

    /// The estimate of a term.
    ///
    /// # Errors
    /// [`Missing::Range`] for a name the design does not have, [`Missing::Aliased`].
    pub fn named(&self, term: &str) -> Known<Estimate> {
        self.terms.iter().find(|c| c.term == term).ok_or(Missing::Range)?.estimate
    }

    /// A weighted sum of the coefficients, one weight a term.
    ///
    /// # Errors
    /// [`Missing::Shape`] for another number of weights, [`Missing::Aliased`] if a term with a
    /// weight cannot be estimated.
    pub fn combination(&self, weights: &[f64]) -> Known<Estimate> {
        let weights = self.kept_weights(weights)?;
        let value = weights.dot(&self.values);
        let variance = self.spread.covariance.as_ref().map(|c| (c * &weights).dot(&weights));
        Ok(self.spread.judge(value, variance, self.confidence))
    }

    /// The ratio of two coefficients (the value of a king in men) with Fieller's interval.
    ///
    /// # Errors
    /// As [`Coefficients::named`]; [`Missing::EmptyCell`] if the denominator is 0.
    ///
    /// Source: E. Fieller, JRSS B 16 (1954) 175.
    pub fn ratio(&self, numerator: &str, denominator: &str) -> Known<Ratio> {
        let (a, b) = (self.named(numerator)?.value, self.named(denominator)?.value);
        if b.abs() <= 0.0 {
            return Err(Missing::EmptyCell);
        }
        let interval = self.fieller(numerator, denominator, a, b);
        Ok(Ratio { value: a / b, interval })
    }

    fn fieller(&self, numerator: &str, denominator: &str, a: f64, b: f64) -> Known<Interval> {
        let one = |name: &str| -> Known<DVector<f64>> {
            let weights: Vec<f64> =
                self.terms.iter().map(|c| if c.term == name { 1.0 } else { 0.0 }).collect();
            self.kept_weights(&weights)
        };
        let (x, y) = (one(numerator)?, one(denominator)?);
        let covariance = self.spread.covariance.as_ref().ok_or(Missing::Single)?;
        let part = |u: &DVector<f64>, v: &DVector<f64>| (covariance * u).dot(v);
        let factor = match self.spread.df {
            None => self.confidence.z(),
            Some(df) if df > 0.0 => t_quantile_tails(self.confidence.alpha(), df),
            Some(_) => return Err(Missing::Single),
        };
        let square = factor * factor;
        // (a − r b)² = square · Var(a − r b), a quadratic equation in r.
        let lead = b * b - square * part(&y, &y);
        if lead <= 0.0 {
            return Err(Missing::Unbounded);
        }
        let middle = (a * b - square * part(&x, &y)) / lead;
        let last = (a * a - square * part(&x, &x)) / lead;
        Interval::around(middle, (middle * middle - last).max(0.0).sqrt())
    }

    fn kept_weights(&self, weights: &[f64]) -> Known<DVector<f64>> {
        if weights.len() != self.terms.len() {
            return Err(Missing::Shape);
        }
        let mut kept = Vec::with_capacity(self.values.len());
        for (term, &weight) in self.terms.iter().zip(weights) {
            match term.estimate {
                Ok(_) => kept.push(weight),
                Err(reason) if weight.abs() > 0.0 => return Err(reason),
                Err(_) => {}
            }
        }
        Ok(DVector::from_vec(kept))
    }
}

/// A least-squares fit.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// The terms.
    pub coefficients: Coefficients,
    /// Sum of squared residuals.
    pub residual_squares: f64,
    /// Residual degrees of freedom.
    pub df: usize,
}

/// Ordinary least squares of `y` on the design. Terms that those before them fix are kept in the
/// result as [`Missing::Aliased`]. Clustered errors carry the factor G/(G−1)·(N−1)/(N−k) and
/// G − 1 degrees of freedom.
///
/// # Errors
/// [`Missing::Shape`] if lengths differ, [`Missing::Empty`] without observations or terms.
///
/// Source: cluster-robust covariance of K. Liang, S. Zeger, Biometrika 73 (1986) 13, with the usual
/// small-sample factor (A. Cameron, D. Miller, J. Human Resources 50 (2015) 317).
pub fn least_squares(
    design: &Design,
    y: &[f64],
    errors: Errors<'_>,
    confidence: Confidence,
) -> Known<LeastSquares> {
    if y.len() != design.rows.len() {
        return Err(Missing::Shape);
    }
    let kept = design.estimable();
    let x = design.matrix(&kept);
    if x.nrows() == 0 || x.ncols() == 0 {
        return Err(Missing::Empty);
    }
    let response = DVector::from_column_slice(y);
    let inverse = inverse_gram(&x)?;
    let coefficients = &inverse * x.tr_mul(&response);
    let residuals = response - &x * &coefficients;
    let residual_squares = residuals.norm_squared();
    let df = x.nrows() - x.ncols();
    let (covariance, t_df) = match errors {
        Errors::Model if df == 0 => (None, 0.0),
        Errors::Model => (Some(&inverse * (residual_squares / real_len(df))), real_len(df)),
        Errors::Clustered(labels) => {
            let mut scores = x.clone();
            for (mut row, residual) in scores.row_iter_mut().zip(residuals.iter()) {
                row *= *residual;
            }
            let (meat, clusters) = clustered_meat(&scores, labels)?;
            let groups = real_len(clusters);
            if clusters < 2 || df == 0 {
                (None, 0.0)
            } else {
                let n = real_len(x.nrows());
                let factor = groups / (groups - 1.0) * (n - 1.0) / real_len(df);
                (Some(&inverse * meat * &inverse * factor), groups - 1.0)
            }
        }
    };
    let n = u64::try_from(x.nrows()).map_err(|_| Missing::Range)?;
    let spread = Spread { covariance, df: Some(t_df), n };
    let coefficients = label(design, &kept, coefficients, spread, confidence);
    Ok(LeastSquares { coefficients, residual_squares, df })
}

/// The inverse of XᵀX.
pub(super) fn inverse_gram(x: &DMatrix<f64>) -> Known<DMatrix<f64>> {
    let gram = x.tr_mul(x);
    gram.cholesky().map(|factor| factor.inverse()).ok_or(Missing::Aliased)
}

/// The sum over clusters of the outer product of their summed scores, and how many clusters.
pub(super) fn clustered_meat(
    scores: &DMatrix<f64>,
    labels: &[u64],
) -> Known<(DMatrix<f64>, usize)> {
    if labels.len() != scores.nrows() {
        return Err(Missing::Shape);
    }
    let width = scores.ncols();
    let mut sums: std::collections::BTreeMap<u64, DVector<f64>> = std::collections::BTreeMap::new();
    for (label, row) in labels.iter().zip(scores.row_iter()) {
        let sum = sums.entry(*label).or_insert_with(|| DVector::zeros(width));
        *sum += row.transpose();
    }
    let mut meat = DMatrix::zeros(width, width);
    for sum in sums.values() {
        meat += sum * sum.transpose();
    }
    Ok((meat, sums.len()))
}

/// The errors of a fit: covariance if there is one, degrees of freedom of t, observations.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) covariance: Option<DMatrix<f64>>,
    pub(super) df: Option<f64>,
    pub(super) n: u64,
}

impl Spread {
    pub(super) fn judge(
        &self,
        value: f64,
        variance: Option<f64>,
        confidence: Confidence,
    ) -> Estimate {
        let n = self.n;
        let error = variance.map(|variance| variance.max(0.0).sqrt());
        match (error, self.df) {
            (None, _) => {
                Estimate { value, standard_error: 0.0, n, judgement: Err(Missing::Single) }
            }
            (Some(error), Some(df)) => Estimate::student(value, error, n, df, confidence),
            (Some(error), None) => Estimate::normal(value, error, n, confidence),
        }
    }
}

/// Puts the coefficients of the kept columns beside the terms of the design.
pub(super) fn label(
    design: &Design,
    kept: &[bool],
    values: DVector<f64>,
    spread: Spread,
    confidence: Confidence,
) -> Coefficients {
    let mut column = 0;
    let mut terms = Vec::with_capacity(kept.len());
    for (term, &kept) in design.terms.iter().zip(kept) {
        let estimate = if kept {
            let variance = spread.covariance.as_ref().map(|c| c[(column, column)]);
            column += 1;
            Ok(spread.judge(values[column - 1], variance, confidence))
        } else {
            Err(Missing::Aliased)
        };
        terms.push(Coefficient { term: term.clone(), estimate });
    }
    Coefficients { terms, values, spread, confidence }
}
