//! Effects of a design of combinations: full, fractional, sampled. Each effect is a weighted sum of
//! the runs, judged by whole openings where the runs share them. Computes no statistic itself.

use std::collections::BTreeMap;

use super::gathered::Played;
use super::model::{Fit, places};
use super::{
    Basis, Effect, EffectMethod, FactorShares, Means, PairingEffects, Shares, Step, Term,
    metrics_of_effects, ratio_of, steps,
};
use crate::report::stopped::Watched;
use crate::stats::blocks::{Between, GROUPS, RateUnit, Rates, jackknife_interval};
use crate::stats::factorial::{Component, FactorSet, VarianceShares, variance_shares};
use crate::stats::interval::mover;
use crate::stats::model::Order;
use crate::stats::{Confidence, Estimate, Interval, Known, Missing, real_len};
use crate::study::design::{Design, DesignKind};
use crate::study::metrics::Metric;

/// The fits of a design, by the runs that have a value.
type Fits<'a> = BTreeMap<Vec<bool>, Known<Fit<'a>>>;

pub(super) fn effects(
    design: &Design,
    played: &Played<'_>,
    confidence: Confidence,
) -> PairingEffects {
    let mut found = PairingEffects {
        main: Vec::new(),
        interactions: Vec::new(),
        family: 0,
        family_interactions: 0,
        shares: Vec::new(),
        means: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
    };
    let mut fits = Fits::new();
    for (place, metric) in metrics_of_effects().enumerate() {
        let source = Source::of(design, metric, place, played);
        let usable = source.usable(&places(design));
        let fit = fits.entry(usable.clone()).or_insert_with(|| Fit::new(design, &usable));
        let fit = match fit {
            Ok(fit) => fit,
            Err(missing) => {
                let none = steps(design)
                    .into_iter()
                    .map(|step| unknown(metric, Term::Main(step), *missing));
                found.main.extend(none);
                continue;
            }
        };
        let watched = played.watched.filter(|watched| watched.is_of(metric));
        let watched = watched.map(|watched| (design.variants(), watched));
        let judge = Judge { watched, ..Judge::new(design, fit, &source, &usable, confidence) };
        for (term, weights) in fit.terms() {
            match (term, &weights) {
                (Term::Main(_), _) => found.main.push(judge.effect(metric, term, weights)),
                // Named in the notes, beside the effect that stands for it.
                (Term::Interaction(..), Err(Missing::Aliased)) => {}
                (Term::Interaction(..), _) => {
                    found.interactions.push(judge.effect(metric, term, weights));
                }
            }
        }
        if let Source::Rates(rates) = &source {
            found.shares.push(judge.shares(metric, rates));
            found.means.extend(means(
                design,
                metric,
                rates,
                &usable,
                &found.interactions,
                confidence,
            ));
        }
        left_out(design, metric, &usable, &mut found.notes);
    }
    notes(design, &fits, &mut found.notes);
    found
}

/// Where the values of the runs come from.
enum Source {
    /// Rates over units.
    Rates(Rates),
    /// Values with intervals, one a variant.
    Values(Vec<Known<(f64, Interval)>>),
}

/// A term of the model: its factors, its estimate, and the same without each group of openings.
type Estimated = (FactorSet, Estimate, [f64; GROUPS]);

impl Source {
    fn of(design: &Design, metric: &Metric, place: usize, played: &Played<'_>) -> Self {
        let variants = design.variants();
        match ratio_of(metric) {
            Some((_, _, scale)) => {
                let units = variants.iter().map(|&variant| {
                    let series = played.series.get(variant as usize).and_then(Option::as_ref);
                    series.map_or_else(Vec::new, |series| series.units(place))
                });
                let units: Vec<Vec<RateUnit>> = units.collect();
                Self::Rates(Rates::new(&units, scale))
            }
            None => {
                let value = |&variant: &u32| {
                    let cell = played.rows[variant as usize].cell(metric.key);
                    let interval = cell.interval.unwrap_or(Err(Missing::Empty))?;
                    Ok((cell.value?, interval))
                };
                Self::Values(variants.iter().map(value).collect())
            }
        }
    }

    /// Which runs have a value.
    fn usable(&self, places: &[usize]) -> Vec<bool> {
        let known = |&place: &usize| match self {
            Self::Rates(rates) => rates.value(place).is_ok(),
            Self::Values(values) => values[place].is_ok(),
        };
        places.iter().map(known).collect()
    }
}

/// Everything that judges the effects on one metric.
struct Judge<'a> {
    fit: &'a Fit<'a>,
    source: &'a Source,
    /// The variants of the series, and what the rule to stop early looked at, if it was the metric.
    watched: Option<(Vec<u32>, &'a Watched)>,
    method: EffectMethod,
    /// For a sample: what the model leaves unexplained between the rulesets.
    between: Option<Known<Between>>,
    factors: u32,
    confidence: Confidence,
}

impl<'a> Judge<'a> {
    fn new(
        design: &Design,
        fit: &'a Fit<'a>,
        source: &'a Source,
        usable: &[bool],
        confidence: Confidence,
    ) -> Self {
        let sampled = matches!(design.kind, DesignKind::Sample { .. });
        let whole = design.orthogonal && usable.iter().all(|usable| *usable);
        let (method, between) = match source {
            Source::Values(_) => (EffectMethod::Mover, None),
            Source::Rates(rates) => {
                let openings = rates.paired();
                let method = match (whole && !sampled, openings) {
                    (true, true) => EffectMethod::Openings,
                    (true, false) => EffectMethod::Units,
                    (false, openings) => EffectMethod::LeastSquares { openings, sampled },
                };
                (method, sampled.then(|| fit.between(rates)))
            }
        };
        let factors = u32::try_from(design.factors.len()).expect("a model has a bit a factor");
        Self { fit, source, watched: None, method, between, factors, confidence }
    }

    fn effect(&self, metric: &'static Metric, term: Term, weights: Known<Vec<f64>>) -> Effect {
        let blank = unknown(metric, term, Missing::Empty);
        let blank = Effect { method: self.method, ..blank };
        let weights = match weights {
            Ok(weights) => weights,
            Err(missing) => return unknown(metric, term, missing),
        };
        let effect = self.fixed(metric, term, &weights, blank);
        match &self.watched {
            Some((variants, watched)) => {
                let weights: Vec<(f64, usize)> =
                    weights.iter().zip(variants).map(|(&w, &v)| (w, v as usize)).collect();
                self.anytime(effect, watched, &weights)
            }
            None => effect,
        }
    }

    /// The effect where games were stopped by what they brought on its metric. In a sample it is
    /// never surer than what the model leaves unexplained between the rulesets allows.
    fn anytime(&self, effect: Effect, watched: &Watched, weights: &[(f64, usize)]) -> Effect {
        let Effect { metric, value, .. } = effect;
        if value.is_err() {
            return effect;
        }
        let interval = |fixed: Known<Interval>, confidence| {
            let held = watched.sum(metric, weights, confidence)?;
            match (fixed, self.between.is_some()) {
                (Ok(fixed), true) => {
                    Interval::new(held.low().min(fixed.low()), held.high().max(fixed.high()))
                }
                (Err(missing), true) => Err(missing),
                (Ok(_) | Err(_), false) => Ok(held),
            }
        };
        let tested = effect.p != Err(Missing::Untested);
        let p = || -> Known<f64> {
            let held = watched.p_value(metric, weights)?;
            Ok(if self.between.is_some() { held.max(effect.p?) } else { held })
        };
        Effect {
            interval: interval(effect.interval, self.confidence),
            interval_90: if tested {
                interval(effect.interval_90, Confidence::P90)
            } else {
                Err(Missing::Untested)
            },
            p: if tested { p() } else { Err(Missing::Untested) },
            method: EffectMethod::Anytime,
            ..effect
        }
    }

    /// The effect as if the number of games had been fixed before play.
    fn fixed(&self, metric: &'static Metric, term: Term, weights: &[f64], blank: Effect) -> Effect {
        match self.source {
            Source::Values(values) => {
                let parts: Known<Vec<(f64, f64, Interval)>> = weights
                    .iter()
                    .zip(values)
                    .filter(|(weight, _)| weight.abs() > 0.0)
                    .map(|(&weight, value)| (*value).map(|(value, own)| (weight, value, own)))
                    .collect();
                let value = parts.as_ref().map(|parts| parts.iter().map(|(w, v, _)| w * v).sum());
                let interval = parts.as_ref().map_err(|m| *m).and_then(|parts| mover(parts));
                Effect {
                    value: value.map_err(|missing| *missing),
                    interval,
                    interval_90: Err(Missing::Untested),
                    p: Err(Missing::Untested),
                    ..blank
                }
            }
            Source::Rates(rates) => match self.estimate(rates, weights) {
                Err(missing) => unknown(metric, term, missing),
                Ok(estimate) => Effect {
                    basis: basis(rates, &estimate),
                    value: Ok(estimate.value),
                    interval: estimate.judgement.map(|judgement| judgement.interval),
                    interval_90: at_90(&estimate),
                    p: estimate.judgement.map(|judgement| judgement.p),
                    ..blank
                },
            },
        }
    }

    fn estimate(&self, rates: &Rates, weights: &[f64]) -> Known<Estimate> {
        rates.sum(weights, self.between.transpose()?, self.confidence)
    }

    fn shares(&self, metric: &'static Metric, rates: &Rates) -> Shares {
        let mut left_out = Vec::new();
        let mut terms = Vec::new();
        for (factors, name, weights) in self.fit.coefficients() {
            let weights = weights.as_ref().map_err(|missing| *missing);
            let estimate = weights.and_then(|weights| self.estimate(rates, weights));
            let without = weights.and_then(|weights| rates.without_groups(weights));
            match (estimate, without) {
                (Ok(estimate), Ok(without)) => terms.push((factors, estimate, without)),
                (Ok(_) | Err(_), Ok(_) | Err(_)) => left_out.push(name),
            }
        }
        let divided = |value: &dyn Fn(&Estimated) -> f64| {
            let component = |term: &Estimated| Component {
                factors: term.0,
                variance: value(term).powi(2),
                noise: term.1.standard_error.powi(2),
            };
            let components: Vec<Component> = terms.iter().map(component).collect();
            variance_shares(&components, self.factors)
        };
        let whole = divided(&|term| term.1.value);
        let deviation = whole.as_ref().map(|whole| whole.total.sqrt()).map_err(|m| *m);
        let without: Known<Vec<VarianceShares>> =
            (0..GROUPS).map(|group| divided(&|term| term.2[group])).collect();
        let shares = whole.map(|whole| {
            (0..self.factors as usize)
                .map(|factor| self.factor_shares(&whole, &without, factor))
                .collect()
        });
        Shares { metric, shares, deviation, runs: self.fit.runs(), left_out }
    }

    fn factor_shares(
        &self,
        whole: &VarianceShares,
        without: &Known<Vec<VarianceShares>>,
        factor: usize,
    ) -> FactorShares {
        let interval = |of: fn(&VarianceShares) -> &[f64]| {
            let without = without.as_ref().map_err(|missing| *missing)?;
            let without: Vec<f64> = without.iter().map(|shares| of(shares)[factor]).collect();
            let value = of(whole)[factor];
            jackknife_interval(value, &without, self.confidence)?.clamped(0.0, 1.0)
        };
        FactorShares {
            alone: whole.first[factor],
            alone_interval: interval(|shares| &shares.first),
            total: whole.with_interactions[factor],
            total_interval: interval(|shares| &shares.with_interactions),
            shapley: whole.shapley[factor],
            shapley_interval: interval(|shares| &shares.shapley),
        }
    }
}

fn basis(rates: &Rates, estimate: &Estimate) -> Basis {
    if rates.paired() { Basis::Openings(estimate.n) } else { Basis::Units(estimate.n) }
}

/// The interval at 90 % of an estimate that was judged at another level.
fn at_90(estimate: &Estimate) -> Known<Interval> {
    let df = estimate.judgement?.df.ok_or(Missing::Empty)?;
    let Estimate { value, standard_error, n, .. } = *estimate;
    let narrow = Estimate::student(value, standard_error, n, df, Confidence::P90);
    Ok(narrow.judgement?.interval)
}

/// An effect of which nothing is known.
fn unknown(metric: &'static Metric, term: Term, missing: Missing) -> Effect {
    Effect {
        metric,
        term,
        basis: Basis::Units(0),
        value: Err(missing),
        interval: Err(missing),
        interval_90: Err(missing),
        p: Err(missing),
        p_adjusted: None,
        method: EffectMethod::LeastSquares { openings: false, sampled: false },
    }
}

/// The means behind the interaction with the least p of a metric.
fn means(
    design: &Design,
    metric: &'static Metric,
    rates: &Rates,
    usable: &[bool],
    interactions: &[Effect],
    confidence: Confidence,
) -> Option<Means> {
    let known = interactions.iter().filter(|effect| effect.metric.key == metric.key);
    let known = known.filter_map(|effect| Some((effect.p.ok()?, effect.term)));
    let (_, term) = known.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let Term::Interaction(Step { factor: one, .. }, Step { factor: two, .. }) = term else {
        return None;
    };
    let places = places(design);
    let mean = |a: usize, b: usize| -> Known<(f64, Known<Interval>)> {
        let runs = design.runs.iter().zip(&places).zip(usable);
        let these: Vec<usize> = runs
            .filter(|((run, _), usable)| {
                **usable && usize::from(run.levels[one]) == a && usize::from(run.levels[two]) == b
            })
            .map(|((_, place), _)| *place)
            .collect();
        if these.is_empty() {
            return Err(Missing::Empty);
        }
        let mut weights = vec![0.0; design.variants().len()];
        these.iter().for_each(|&place| weights[place] += 1.0 / real_len(these.len()));
        let estimate = rates.sum(&weights, None, confidence)?;
        Ok((estimate.value, estimate.judgement.map(|judgement| judgement.interval)))
    };
    let levels = |factor: usize| 0..design.factors[factor].levels.len();
    let cells = levels(one).map(|a| levels(two).map(|b| mean(a, b)).collect()).collect();
    Some(Means { metric, factors: [one, two], cells })
}

/// The most names in a note.
const NAMED_MAX: usize = 8;

fn named(names: &[String]) -> String {
    let shown = names.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Names the runs without a value.
fn left_out(design: &Design, metric: &Metric, usable: &[bool], notes: &mut Vec<String>) {
    let missing = usable.iter().filter(|usable| !**usable).count();
    if missing > 0 {
        notes.push(format!(
            "{}: {missing} of {} runs have no value or no spread to judge by; least squares over \
             the others",
            metric.name,
            design.runs.len()
        ));
    }
}

/// What the models cannot say.
fn notes(design: &Design, fits: &Fits<'_>, notes: &mut Vec<String>) {
    let Some(Ok(fit)) = fits.values().max_by_key(|fit| fit.as_ref().map_or(0, Fit::runs)) else {
        return;
    };
    if matches!(design.kind, DesignKind::Sample { .. }) && fit.order() == Order::Main {
        let wanted = fit.runs_for_interactions();
        let wanted = wanted.map_or_else(String::new, |runs| format!("; they need {runs}"));
        notes.push(format!(
            "two-way interactions are not estimated from {} rulesets{wanted}",
            fit.runs()
        ));
    }
    let hidden: Vec<String> = fit
        .coefficients()
        .into_iter()
        .filter(|(_, _, weights)| weights.is_err())
        .map(|(_, name, _)| name)
        .collect();
    // The sets of a whole fraction are told beside the effects.
    let told = design.orthogonal && matches!(design.kind, DesignKind::Fractional { .. });
    if !hidden.is_empty() && !told {
        notes.push(format!("not to be told apart from other terms: {}", named(&hidden)));
    }
}
