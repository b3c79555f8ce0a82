//! Effects of a design that changes one flag at a time: each run against the base, opening by
//! opening. Computes no statistic itself.

use std::collections::BTreeMap;

use super::gathered::Played;
use super::{Basis, Effect, EffectMethod, PairingEffects, Step, Term, metrics_of_effects};
use crate::report::contrast::{Contrast, Sample, contrasts};
use crate::report::view::clean;
use crate::stats::interval::mover;
use crate::stats::{Confidence, Known, Missing};
use crate::study::design::Design;
use crate::study::metrics::{self, Metric};

/// The comparisons of the runs of a design with its base, by variant: at the level of the report
/// and at 90 %.
pub(in crate::report) type Compared = BTreeMap<u32, (Vec<Contrast>, Vec<Contrast>)>;

/// Compares one run with the base.
pub(in crate::report) fn compare(
    variant: u32,
    units: &[metrics::Unit],
    base: &[metrics::Unit],
    confidence: Confidence,
) -> (Vec<Contrast>, Vec<Contrast>) {
    let at = |level| contrasts(variant as usize, units, base, level);
    (at(confidence), at(Confidence::P90))
}

/// The step of a run; nothing for the base.
fn step_of(levels: &[u8]) -> Option<Step> {
    let factor = levels.iter().position(|&level| level > 0)?;
    Some(Step { factor, level: levels[factor].into() })
}

pub(super) fn effects(
    number: usize,
    design: &Design,
    played: &Played<'_>,
    confidence: Confidence,
) -> PairingEffects {
    let mut main = Vec::new();
    let mut notes = Vec::new();
    let base = design.base_variant();
    let steps: Vec<(Step, u32)> =
        design.runs.iter().filter_map(|run| Some((step_of(&run.levels)?, run.variant))).collect();
    for metric in metrics_of_effects() {
        for &(step, variant) in steps.iter().filter(|(_, variant)| Some(*variant) != base) {
            let term = Term::Main(step);
            main.push(match played.single[number].get(&variant) {
                Some((wide, narrow)) if metric.key != "balance" => {
                    let [mut wide, mut narrow] = [wide, narrow].map(|all| of_metric(metric, all));
                    if let Some((watched, base)) = played.watched.zip(base) {
                        let base = base as usize;
                        watched.govern_contrast(&mut wide, played.rows, base, confidence);
                        watched.govern_contrast(&mut narrow, played.rows, base, Confidence::P90);
                    }
                    of_contrast(metric, term, &wide, &narrow)
                }
                Some(_) | None => balance(metric, term, played, variant, base, confidence),
            });
        }
    }
    for &(step, _) in steps.iter().filter(|(_, variant)| Some(*variant) == base) {
        let factor = &design.factors[step.factor];
        notes.push(format!(
            "`{} = {}` has the rules of the base, so that it changes nothing",
            clean(&factor.flag),
            clean(&factor.levels[step.level])
        ));
    }
    PairingEffects {
        main,
        interactions: Vec::new(),
        family: 0,
        family_interactions: 0,
        shares: Vec::new(),
        means: Vec::new(),
        notes,
        warnings: Vec::new(),
    }
}

fn of_metric(metric: &Metric, contrasts: &[Contrast]) -> Contrast {
    let of = contrasts.iter().find(|contrast| contrast.metric.key == metric.key).copied();
    of.expect("every effect but the balance is compared")
}

/// The effect of a comparison that was judged at the level of the report and at 90 %.
fn of_contrast(metric: &'static Metric, term: Term, wide: &Contrast, narrow: &Contrast) -> Effect {
    Effect {
        metric,
        term,
        basis: Basis::Two(wide.sample),
        value: wide.difference,
        interval: wide.interval,
        interval_90: narrow.interval,
        p: wide.p,
        p_adjusted: None,
        method: EffectMethod::Single(wide.method),
    }
}

/// The difference of two balances, from the interval of each.
fn balance(
    metric: &'static Metric,
    term: Term,
    played: &Played<'_>,
    variant: u32,
    base: Option<u32>,
    confidence: Confidence,
) -> Effect {
    let cell = |variant: u32| played.rows[variant as usize].cell(metric.key);
    let (this, that) = (cell(variant), base.map(cell));
    let that_value = that.map_or(Err(Missing::Empty), |that| that.value);
    let value = this.value.and_then(|this| Ok(this - that_value?));
    let watched = played.watched.filter(|watched| watched.is_of(metric));
    let interval = || -> Known<_> {
        if let Some((watched, base)) = watched.zip(base) {
            let sum = [(1.0, variant as usize), (-1.0, base as usize)];
            return watched.sum(metric, &sum, confidence);
        }
        let own = this.interval.unwrap_or(Err(Missing::Empty))?;
        let base = that.and_then(|that| that.interval).unwrap_or(Err(Missing::Empty))?;
        mover(&[(1.0, this.value?, own), (-1.0, that_value?, base)])
    };
    Effect {
        metric,
        term,
        basis: Basis::Two(Sample::Independent(this.n, that.map_or(0, |that| that.n))),
        value,
        interval: interval(),
        interval_90: Err(Missing::Untested),
        p: Err(Missing::Untested),
        p_adjusted: None,
        method: if watched.is_some() { EffectMethod::Anytime } else { EffectMethod::Mover },
    }
}
