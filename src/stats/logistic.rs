//! Logistic and multinomial regression of outcomes, by maximum likelihood.
//! Never returns coefficients that run away: separated outcomes are named.

use nalgebra::{DMatrix, DVector};

use super::distribution::{chi_squared_tail, ln_choose};
use super::linear::{Coefficients, Design, Errors, Spread, clustered_meat, inverse_gram, label};
use super::number::{Confidence, Known, Missing, real, real_len, whole_up};

/// Newton steps after which a fit is given up; regular data need fewer than ten.
const STEPS_MAX: usize = 60;

/// Linear predictor beyond which the fit is running away: odds of e^25.
const RUNAWAY: f64 = 25.0;

/// Successes out of trials behind one row of a design.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trials {
    /// Successes; a draw may count one half.
    pub successes: f64,
    /// Trials, above 0.
    pub trials: f64,
}

/// A fitted logistic regression; coefficients are log odds.
#[derive(Clone, Debug, PartialEq)]
pub struct Logistic {
    /// The terms.
    pub coefficients: Coefficients,
    /// Log likelihood, binomial coefficients included where all counts are whole.
    pub log_likelihood: f64,
    /// Deviance: twice the distance to the likelihood of a perfect fit.
    pub deviance: f64,
    /// Estimated coefficients.
    pub parameters: usize,
}

impl Logistic {
    /// Akaike's criterion.
    #[must_use]
    pub fn aic(&self) -> f64 {
        2.0 * real_len(self.parameters) - 2.0 * self.log_likelihood
    }
}

/// A likelihood ratio test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikelihoodRatio {
    /// Twice the difference of the log likelihoods.
    pub chi_squared: f64,
    /// Difference of the numbers of parameters.
    pub df: u64,
    /// p of "the smaller model holds".
    pub p: f64,
}

impl LikelihoodRatio {
    /// Compares a larger model with a smaller one that it contains, each given as log likelihood
    /// and number of parameters.
    ///
    /// # Errors
    /// [`Missing::Range`] unless the larger model has more parameters.
    ///
    /// Source: S. Wilks, Annals of Mathematical Statistics 9 (1938) 60.
    pub fn of(larger: (f64, usize), smaller: (f64, usize)) -> Known<Self> {
        let more = larger.1.checked_sub(smaller.1).filter(|&df| df > 0).ok_or(Missing::Range)?;
        let df = u64::try_from(more).map_err(|_| Missing::Range)?;
        let chi_squared = (2.0 * (larger.0 - smaller.0)).max(0.0);
        Ok(Self { chi_squared, df, p: chi_squared_tail(chi_squared, df) })
    }
}

/// Fits the log odds of success as a linear function of the design. Terms fixed by those before
/// them are kept as [`Missing::Aliased`]. Clustered errors carry the factor G/(G−1) and t with
/// G − 1 degrees of freedom; they are the ones to use when a success may be a half, and when
/// several rows come from one game.
///
/// # Errors
/// [`Missing::Shape`] if lengths differ, [`Missing::Empty`] without rows, [`Missing::Range`] for
/// impossible counts, [`Missing::Separated`] without a finite maximum,
/// [`Missing::NotConverged`].
///
/// Source: P. McCullagh, J. Nelder, *Generalized Linear Models*, 1989, 4.4.
pub fn logistic(
    design: &Design,
    outcomes: &[Trials],
    errors: Errors<'_>,
    confidence: Confidence,
) -> Known<Logistic> {
    if outcomes.len() != design.rows().len() {
        return Err(Missing::Shape);
    }
    let possible = |t: &Trials| {
        t.trials > 0.0 && t.trials.is_finite() && (0.0..=t.trials).contains(&t.successes)
    };
    if !outcomes.iter().all(possible) {
        return Err(Missing::Range);
    }
    let kept = design.estimable();
    let x = design.matrix(&kept);
    if x.nrows() == 0 || x.ncols() == 0 {
        return Err(Missing::Empty);
    }
    let fit = newton(&x, outcomes)?;
    let (covariance, df) = match errors {
        Errors::Model => (Some(fit.inverse), None),
        Errors::Clustered(labels) => {
            let mut scores = x.clone();
            for (i, mut row) in scores.row_iter_mut().enumerate() {
                row *= outcomes[i].successes - outcomes[i].trials * fit.chances[i];
            }
            let (meat, clusters) = clustered_meat(&scores, labels)?;
            let groups = real_len(clusters);
            let factor = groups / (groups - 1.0);
            let robust = (clusters > 1).then(|| &fit.inverse * meat * &fit.inverse * factor);
            (robust, Some(groups - 1.0))
        }
    };
    let n = whole_up(outcomes.iter().map(|t| t.trials).sum());
    let spread = Spread { covariance, df, n };
    Ok(Logistic {
        coefficients: label(design, &kept, fit.coefficients, spread, confidence),
        log_likelihood: log_likelihood(outcomes, &fit.chances),
        deviance: deviance(outcomes, &fit.chances),
        parameters: x.ncols(),
    })
}

struct Fit {
    coefficients: DVector<f64>,
    chances: Vec<f64>,
    inverse: DMatrix<f64>,
}

fn newton(x: &DMatrix<f64>, outcomes: &[Trials]) -> Known<Fit> {
    let mut coefficients = DVector::zeros(x.ncols());
    for _ in 0..STEPS_MAX {
        let predictor = x * &coefficients;
        if predictor.amax() > RUNAWAY {
            return Err(Missing::Separated);
        }
        let chances: Vec<f64> = predictor.iter().map(|eta| 1.0 / (1.0 + (-eta).exp())).collect();
        let mut weighted = x.clone();
        let mut score = DVector::zeros(x.ncols());
        for (i, (outcome, p)) in outcomes.iter().zip(&chances).enumerate() {
            let row = x.row(i).transpose();
            score += row * (outcome.successes - outcome.trials * p);
            let mut scaled = weighted.row_mut(i);
            scaled *= (outcome.trials * p * (1.0 - p)).sqrt();
        }
        let inverse = inverse_gram(&weighted).map_err(|_| Missing::Separated)?;
        let step = &inverse * score;
        let size = step.amax();
        if size < 1e-10 * (1.0 + coefficients.amax()) {
            coefficients += step;
            return Ok(Fit { coefficients, chances, inverse });
        }
        // A step of several log odds overshoots: shorten it.
        coefficients += step * (4.0 / size).min(1.0);
    }
    Err(Missing::NotConverged)
}

fn log_likelihood(outcomes: &[Trials], chances: &[f64]) -> f64 {
    let ways: f64 = outcomes
        .iter()
        .map(|t| {
            let (k, n) = (t.successes.round(), t.trials.round());
            let whole = (k - t.successes).abs() <= 0.0 && (n - t.trials).abs() <= 0.0;
            if whole { ln_choose(whole_up(n), whole_up(k)) } else { 0.0 }
        })
        .sum();
    ways + outcomes.iter().zip(chances).map(|(t, p)| bernoulli(*t, *p)).sum::<f64>()
}

fn bernoulli(t: Trials, p: f64) -> f64 {
    let hit = if t.successes > 0.0 { t.successes * p.ln() } else { 0.0 };
    let missed = t.trials - t.successes;
    hit + if missed > 0.0 { missed * (-p).ln_1p() } else { 0.0 }
}

fn deviance(outcomes: &[Trials], chances: &[f64]) -> f64 {
    let perfect: f64 = outcomes.iter().map(|t| bernoulli(*t, t.successes / t.trials)).sum();
    let fitted: f64 = outcomes.iter().zip(chances).map(|(t, p)| bernoulli(*t, *p)).sum();
    (2.0 * (perfect - fitted)).max(0.0)
}

/// A fitted multinomial regression: for each outcome but the first, the log odds against the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Multinomial {
    /// One list of coefficients for each outcome after the first.
    pub outcomes: Vec<Coefficients>,
    /// Log likelihood of the single observations.
    pub log_likelihood: f64,
    /// Log likelihood with constant shares only.
    pub log_likelihood_null: f64,
    /// Estimated coefficients.
    pub parameters: usize,
}

/// Fits counts of several outcomes (columns; the first is the base) as functions of the design.
///
/// # Errors
/// As [`logistic`].
///
/// Source: D. McFadden in P. Zarembka, *Frontiers in Econometrics*, 1974; Newton's method.
pub fn multinomial(
    design: &Design,
    counts: &[Vec<u64>],
    confidence: Confidence,
) -> Known<Multinomial> {
    let columns = counts.first().map_or(0, Vec::len);
    if counts.len() != design.rows().len() || counts.iter().any(|row| row.len() != columns) {
        return Err(Missing::Shape);
    }
    let kept = design.estimable();
    let x = design.matrix(&kept);
    if columns < 2 || x.nrows() == 0 || x.ncols() == 0 {
        return Err(Missing::Empty);
    }
    let (width, others) = (x.ncols(), columns - 1);
    let mut beta = DVector::zeros(width * others);
    let mut settled = None;
    for _ in 0..STEPS_MAX {
        let state = multinomial_step(&x, counts, &beta)?;
        let inverse = state.information.cholesky().ok_or(Missing::Separated)?.inverse();
        let step = &inverse * state.score;
        let size = step.amax();
        beta += step * (4.0 / size.max(1e-300)).min(1.0);
        if size < 1e-10 {
            settled = Some(inverse);
            break;
        }
    }
    let covariance = settled.ok_or(Missing::NotConverged)?;
    let n: u64 = counts.iter().flatten().sum();
    let outcomes = (0..others)
        .map(|k| {
            let part = beta.rows(k * width, width).into_owned();
            let block = covariance.view((k * width, k * width), (width, width)).into_owned();
            let spread = Spread { covariance: Some(block), df: None, n };
            label(design, &kept, part, spread, confidence)
        })
        .collect();
    let log_likelihood = multinomial_step(&x, counts, &beta)?.log_likelihood;
    let null = (0..columns)
        .map(|k| real(counts.iter().map(|row| row[k]).sum()))
        .filter(|total| *total > 0.0)
        .map(|total: f64| total * (total / real(n)).ln())
        .sum();
    let parameters = width * others;
    Ok(Multinomial { outcomes, log_likelihood, log_likelihood_null: null, parameters })
}

struct MultinomialState {
    score: DVector<f64>,
    information: DMatrix<f64>,
    log_likelihood: f64,
}

fn multinomial_step(
    x: &DMatrix<f64>,
    counts: &[Vec<u64>],
    beta: &DVector<f64>,
) -> Known<MultinomialState> {
    let width = x.ncols();
    let others = beta.len() / width;
    let mut score = DVector::zeros(beta.len());
    let mut information = DMatrix::zeros(beta.len(), beta.len());
    let mut log_likelihood = 0.0;
    for (i, row) in counts.iter().enumerate() {
        let features = x.row(i).transpose();
        let predictors: Vec<f64> =
            (0..others).map(|k| features.dot(&beta.rows(k * width, width))).collect();
        if predictors.iter().any(|eta| eta.abs() > RUNAWAY) {
            return Err(Missing::Separated);
        }
        let total = 1.0 + predictors.iter().map(|eta| eta.exp()).sum::<f64>();
        let chances: Vec<f64> = predictors.iter().map(|eta| eta.exp() / total).collect();
        let n = real(row.iter().sum());
        log_likelihood -= n * total.ln();
        let outer = &features * features.transpose();
        for k in 0..others {
            let count = real(row[k + 1]);
            log_likelihood += count * predictors[k];
            let mut part = score.rows_mut(k * width, width);
            part += &features * (count - n * chances[k]);
            for l in 0..others {
                let same = if k == l { chances[k] } else { 0.0 };
                let weight = n * (same - chances[k] * chances[l]);
                let mut block = information.view_mut((k * width, l * width), (width, width));
                block += &outer * weight;
            }
        }
    }
    Ok(MultinomialState { score, information, log_likelihood })
}
