//! Designs, effects and findings as tables of comma-separated values.

use super::{Table, ends, number};
use crate::report::effects::{DesignView, Effect};
use crate::report::json::basis;
use crate::report::view::{View, clean};
use crate::study::design::Why;

/// The tables about designs; none where the study has none.
pub(super) fn tables(view: &View) -> Vec<(&'static str, String)> {
    if view.designs.is_empty() {
        return Vec::new();
    }
    vec![
        ("findings.csv", findings(view)),
        ("effects.csv", effects(view, "effect", |effects| (&effects.main, effects.family))),
        (
            "interactions.csv",
            effects(view, "interaction", |effects| {
                (&effects.interactions, effects.family_interactions)
            }),
        ),
        ("variance.csv", variance(view)),
        ("aliases.csv", aliases(view)),
        ("left-out.csv", left_out(view)),
    ]
}

/// The number of a design from 1, and its kind.
fn numbered(view: &View) -> impl Iterator<Item = ([String; 2], &DesignView)> {
    view.designs.iter().enumerate().map(|(number, design)| {
        ([(number + 1).to_string(), design.design.kind.word().to_owned()], design)
    })
}

fn findings(view: &View) -> String {
    let mut table = Table::new(&[
        "topic", "text", "subject", "pairing", "metric", "value", "low", "high", "level", "n",
        "p_holm",
    ]);
    for finding in &view.findings {
        let first = [finding.topic.to_owned(), finding.text.clone()];
        if finding.evidence.is_empty() {
            table.push(&[first.as_slice(), &[const { String::new() }; 9]].concat());
        }
        for evidence in &finding.evidence {
            let mut fields = first.to_vec();
            fields.extend([
                evidence.subject.clone(),
                evidence.pairing.clone(),
                evidence.metric.to_owned(),
                number(evidence.value),
            ]);
            fields.extend(ends(Some(evidence.interval)));
            fields.extend([
                view.confidence.level().to_string(),
                evidence.n.to_string(),
                evidence.p_adjusted.map_or_else(String::new, |p| p.to_string()),
            ]);
            table.push(&fields);
        }
    }
    table.text()
}

fn effects(
    view: &View,
    name: &str,
    of: fn(&crate::report::effects::PairingEffects) -> (&Vec<Effect>, usize),
) -> String {
    let mut table = Table::new(&[
        "design",
        "kind",
        "pairing",
        "base",
        "term",
        "metric",
        "unit",
        name,
        "low",
        "high",
        "level",
        "low_90",
        "high_90",
        "p",
        "p_holm",
        "family",
        "basis",
        "n",
        "n_base",
        "unit_of_observation",
        "method",
        "missing",
    ]);
    for (first, design) in numbered(view) {
        for (pairing, effects) in view.pairings.iter().zip(&design.pairings) {
            let (effects, family) = of(effects);
            for effect in effects {
                let (basis, n, n_base) = basis(effect);
                let mut fields = first.to_vec();
                fields.extend([
                    pairing.name.clone(),
                    clean(&design.design.base),
                    design.term_name(effect.term),
                    effect.metric.key.to_owned(),
                    effect.metric.unit.to_owned(),
                    number(effect.value),
                ]);
                fields.extend(ends(Some(effect.interval)));
                fields.push(view.confidence.level().to_string());
                fields.extend(ends(Some(effect.interval_90)));
                fields.extend([
                    number(effect.p),
                    effect.p_adjusted.map_or_else(String::new, |p| p.to_string()),
                    family.to_string(),
                    basis.to_owned(),
                    n.to_string(),
                    n_base.map_or_else(String::new, |n| n.to_string()),
                    pairing.unit.name().to_owned(),
                    effect.method.name().to_owned(),
                    effect.missing().map_or_else(String::new, |missing| missing.to_string()),
                ]);
                table.push(&fields);
            }
        }
    }
    table.text()
}

fn variance(view: &View) -> String {
    let mut table = Table::new(&[
        "design",
        "kind",
        "pairing",
        "metric",
        "flag",
        "share",
        "value",
        "low",
        "high",
        "level",
        "deviation",
        "runs",
        "missing",
    ]);
    for (first, design) in numbered(view) {
        for (pairing, effects) in view.pairings.iter().zip(&design.pairings) {
            for of in &effects.shares {
                let factors = of.shares.as_ref().map_or(&[][..], Vec::as_slice);
                for (factor, shares) in design.design.factors.iter().zip(factors) {
                    for (share, value, interval) in [
                        ("alone", shares.alone, shares.alone_interval),
                        ("total", shares.total, shares.total_interval),
                        ("shapley", shares.shapley, shares.shapley_interval),
                    ] {
                        let mut fields = first.to_vec();
                        fields.extend([
                            pairing.name.clone(),
                            of.metric.key.to_owned(),
                            clean(&factor.flag),
                            share.to_owned(),
                            value.to_string(),
                        ]);
                        fields.extend(ends(Some(interval)));
                        fields.extend([
                            view.confidence.level().to_string(),
                            number(of.deviation),
                            of.runs.to_string(),
                            interval.err().map_or_else(String::new, |m| m.to_string()),
                        ]);
                        table.push(&fields);
                    }
                }
            }
        }
    }
    table.text()
}

fn aliases(view: &View) -> String {
    let mut table = Table::new(&["design", "kind", "effect", "not_told_apart_from"]);
    for (first, design) in numbered(view) {
        for set in &design.design.aliases {
            let names: Vec<String> =
                set.iter().map(|effect| clean(&design.design.effect_name(effect))).collect();
            for other in names.iter().skip(1) {
                table.push(&[first.as_slice(), &[names[0].clone(), other.clone()]].concat());
            }
        }
    }
    table.text()
}

fn left_out(view: &View) -> String {
    let mut table = Table::new(&["design", "kind", "combination", "invalid", "equal_to"]);
    for (first, design) in numbered(view) {
        for out in &design.design.left_out {
            let [invalid, equal_to] = match &out.why {
                Why::Invalid(reason) => [clean(reason), String::new()],
                Why::EqualTo(name) => [String::new(), clean(name)],
            };
            table.push(&[first.as_slice(), &[clean(&out.name), invalid, equal_to]].concat());
        }
    }
    table.text()
}
