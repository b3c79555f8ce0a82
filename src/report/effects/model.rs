//! The runs of a design as a model of factors, and what each effect is as a weighted sum of the
//! runs. Knows no games.

use super::{Step, Term, steps};
use crate::stats::blocks::{Between, Rates};
use crate::stats::factorial::FactorSet;
use crate::stats::model::{FactorModel, Order};
use crate::stats::{Known, Missing, real_len};
use crate::study::design::{Design, DesignKind};

/// The most runs of a full design of which the interactions of any number of factors are found.
const ALL_MAX: usize = 128;
/// Runs of a sample for each term of a model, at the least.
const RUNS_PER_TERM: usize = 2;

/// A model of a design, fitted to those of its runs that have a value.
pub(super) struct Fit<'a> {
    design: &'a Design,
    model: FactorModel,
    order: Order,
    /// For each run that is used: the place of its variant among the series.
    places: Vec<usize>,
    series: usize,
    rows: Vec<Vec<f64>>,
    /// For each term of the model: the weights of the runs that are used.
    weights: Vec<Known<Vec<f64>>>,
}

/// Which terms are fitted to so many runs.
fn order_of(design: &Design, runs: usize) -> Known<Order> {
    let terms = |order| Ok::<_, Missing>(model(design, order)?.term_count() + 1);
    match design.kind {
        DesignKind::Full if design.orthogonal && runs <= ALL_MAX => Ok(Order::All),
        DesignKind::OneAtATime | DesignKind::Full | DesignKind::Fractional { .. } => {
            Ok(if model(design, Order::TwoWay).is_ok() { Order::TwoWay } else { Order::Main })
        }
        DesignKind::Sample { .. } => {
            let fits = terms(Order::TwoWay).is_ok_and(|terms| RUNS_PER_TERM * terms <= runs);
            Ok(if fits { Order::TwoWay } else { Order::Main })
        }
    }
}

fn model(design: &Design, order: Order) -> Known<FactorModel> {
    let factors: Vec<(&str, usize)> =
        design.factors.iter().map(|f| (f.flag.as_str(), f.levels.len())).collect();
    FactorModel::new(&factors, order)
}

/// The place of each run's variant among the variants of the design.
pub(super) fn places(design: &Design) -> Vec<usize> {
    let variants = design.variants();
    let place = |variant| variants.binary_search(&variant).expect("variants are those of the runs");
    design.runs.iter().map(|run| place(run.variant)).collect()
}

impl<'a> Fit<'a> {
    /// Fits the model to the runs marked as usable.
    ///
    /// # Errors
    /// [`Missing::Empty`] without runs, [`Missing::Range`] for too many factors.
    pub(super) fn new(design: &'a Design, usable: &[bool]) -> Known<Self> {
        let used: Vec<usize> = (0..usable.len()).filter(|&run| usable[run]).collect();
        let order = order_of(design, used.len())?;
        let model = model(design, order)?;
        let mut rows = Vec::with_capacity(used.len());
        let mut matrix = model.design();
        for &run in &used {
            let levels: Vec<usize> = design.runs[run].levels.iter().map(|&l| l.into()).collect();
            let row = model.row(&levels)?;
            matrix.push(row.clone())?;
            rows.push(row);
        }
        let all = places(design);
        Ok(Self {
            design,
            weights: matrix.weights()?,
            model,
            order,
            places: used.iter().map(|&run| all[run]).collect(),
            series: design.variants().len(),
            rows,
        })
    }

    pub(super) const fn order(&self) -> Order {
        self.order
    }

    /// The runs that are used.
    pub(super) const fn runs(&self) -> usize {
        self.places.len()
    }

    /// How many runs a sample needs for two-way interactions.
    pub(super) fn runs_for_interactions(&self) -> Option<usize> {
        let model = model(self.design, Order::TwoWay).ok()?;
        Some(RUNS_PER_TERM * (model.term_count() + 1))
    }

    /// Every effect of the design that the model has, as weights of the series.
    pub(super) fn terms(&self) -> Vec<(Term, Known<Vec<f64>>)> {
        let steps = steps(self.design);
        let main = steps.iter().map(|&step| {
            let weights = self.model.effect_weights(step.factor, 0, step.level);
            (Term::Main(step), weights.and_then(|weights| self.of_terms(&weights)))
        });
        let mut terms: Vec<_> = main.collect();
        if self.order == Order::Main {
            return terms;
        }
        let triple = |step: Step| (step.factor, 0, step.level);
        for (place, &one) in steps.iter().enumerate() {
            for &two in steps[place..].iter().filter(|two| two.factor > one.factor) {
                let weights = self.model.interaction_weights(triple(one), triple(two));
                let weights = weights.and_then(|weights| self.of_terms(&weights));
                terms.push((Term::Interaction(one, two), weights));
            }
        }
        terms
    }

    /// Every coefficient of the model but the constant: its factors, its name, and its weights of
    /// the series.
    pub(super) fn coefficients(&self) -> Vec<(FactorSet, String, Known<Vec<f64>>)> {
        let names = self.model.design();
        let terms = self.model.term_factors().into_iter().zip(names.terms()).zip(&self.weights);
        let of = |weights: &Vec<f64>| self.of_runs(weights);
        terms
            .skip(1)
            .map(|((factors, name), weights)| {
                (factors, name.clone(), weights.as_ref().map(of).map_err(|m| *m))
            })
            .collect()
    }

    /// A weighted sum of coefficients as weights of the series.
    fn of_terms(&self, terms: &[f64]) -> Known<Vec<f64>> {
        let mut runs = vec![0.0; self.runs()];
        for (&factor, weights) in terms.iter().zip(&self.weights).filter(|(w, _)| w.abs() > 0.0) {
            let weights = weights.as_ref().map_err(|missing| *missing)?;
            for (sum, weight) in runs.iter_mut().zip(weights) {
                *sum += factor * weight;
            }
        }
        Ok(self.of_runs(&runs))
    }

    /// Weights of runs as weights of the series; runs with the same rules have one.
    fn of_runs(&self, runs: &[f64]) -> Vec<f64> {
        let mut series = vec![0.0; self.series];
        for (&place, weight) in self.places.iter().zip(runs) {
            series[place] += weight;
        }
        series
    }

    /// What the model leaves unexplained between the runs, beyond sampling error.
    ///
    /// # Errors
    /// [`Missing::Single`] without residual degrees of freedom; as [`Rates::value`].
    pub(super) fn between(&self, rates: &Rates) -> Known<Between> {
        let values: Known<Vec<f64>> = self.places.iter().map(|&place| rates.value(place)).collect();
        let values = values?;
        let kept: Vec<(usize, &Vec<f64>)> = self
            .weights
            .iter()
            .enumerate()
            .filter_map(|(term, weights)| Some((term, weights.as_ref().ok()?)))
            .collect();
        let coefficients: Vec<f64> = kept
            .iter()
            .map(|(_, weights)| weights.iter().zip(&values).map(|(w, v)| w * v).sum())
            .collect();
        let left = self.rows.iter().enumerate().map(|(run, row)| {
            let fitted: f64 = kept.iter().zip(&coefficients).map(|((t, _), c)| row[*t] * c).sum();
            let leverage: f64 = kept.iter().map(|(term, weights)| row[*term] * weights[run]).sum();
            (self.places[run], values[run] - fitted, leverage)
        });
        let left: Vec<(usize, f64, f64)> = left.collect();
        rates.between(&left, real_len(self.runs()) - real_len(kept.len()))
    }
}
