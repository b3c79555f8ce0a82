//! Designs, effects and findings in the JSON of a report.

use serde::Serialize;

use super::ends;
use crate::report::contrast::Sample;
use crate::report::effects::{
    Basis, DesignView, Effect, FactorShares, Means, PairingEffects, Shares, Step, Term, Turned,
};
use crate::report::findings::Finding;
use crate::report::view::{View, clean};
use crate::stats::{Interval, Known};
use crate::study::design::{DesignKind, Why};

#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    topic: &'static str,
    text: &'a str,
    numbers: Vec<EvidenceJson<'a>>,
}

#[derive(Serialize)]
struct EvidenceJson<'a> {
    subject: &'a str,
    pairing: &'a str,
    metric: &'static str,
    value: Option<f64>,
    interval: Option<[f64; 2]>,
    n: u64,
    p_adjusted: Option<f64>,
}

pub(super) fn finding_json(finding: &Finding) -> FindingJson<'_> {
    let numbers = finding.evidence.iter().map(|evidence| EvidenceJson {
        subject: &evidence.subject,
        pairing: &evidence.pairing,
        metric: evidence.metric,
        value: evidence.value.ok(),
        interval: ends(Some(evidence.interval)),
        n: evidence.n,
        p_adjusted: evidence.p_adjusted,
    });
    FindingJson { topic: finding.topic, text: &finding.text, numbers: numbers.collect() }
}

#[derive(Serialize)]
pub(super) struct DesignJson<'a> {
    kind: &'static str,
    resolution: Option<u8>,
    sample_seed: Option<u64>,
    base: String,
    factors: Vec<FactorJson>,
    orthogonal: bool,
    runs: Vec<RunJson<'a>>,
    left_out: Vec<LeftOutJson>,
    /// Sets of effects that cannot be told apart, by name.
    aliases: Vec<Vec<String>>,
    pairings: Vec<PairingJson<'a>>,
    rankings: Vec<RankingJson<'a>>,
}

#[derive(Serialize)]
struct FactorJson {
    flag: String,
    levels: Vec<String>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    variant: &'a str,
    levels: &'a [u8],
}

#[derive(Serialize)]
struct LeftOutJson {
    name: String,
    invalid: Option<String>,
    equal_to: Option<String>,
}

#[derive(Serialize)]
struct PairingJson<'a> {
    pairing: &'a str,
    unit: &'static str,
    correction: &'static str,
    family: usize,
    effects: Vec<EffectJson>,
    family_interactions: usize,
    interactions: Vec<EffectJson>,
    variance: Vec<SharesJson<'a>>,
    means: Vec<MeansJson>,
    notes: &'a [String],
    warnings: &'a [String],
}

#[derive(Serialize)]
struct StepJson {
    flag: String,
    from: String,
    to: String,
}

#[derive(Serialize)]
struct EffectJson {
    term: String,
    steps: Vec<StepJson>,
    metric: &'static str,
    effect: Option<f64>,
    interval: Option<[f64; 2]>,
    interval_90: Option<[f64; 2]>,
    p: Option<f64>,
    p_adjusted: Option<f64>,
    basis: &'static str,
    n: u64,
    n_base: Option<u64>,
    method: &'static str,
    missing: Option<String>,
}

#[derive(Serialize)]
struct SharesJson<'a> {
    metric: &'static str,
    runs: usize,
    deviation: Option<f64>,
    factors: Vec<ShareJson>,
    not_estimable: &'a [String],
    missing: Option<String>,
}

#[derive(Serialize)]
struct ShareJson {
    flag: String,
    alone: f64,
    alone_interval: Option<[f64; 2]>,
    total: f64,
    total_interval: Option<[f64; 2]>,
    shapley: f64,
    shapley_interval: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct MeansJson {
    metric: &'static str,
    flags: [String; 2],
    levels: [Vec<String>; 2],
    /// By level of the first flag and of the second.
    means: Vec<Vec<Option<f64>>>,
    intervals: Vec<Vec<Option<[f64; 2]>>>,
}

#[derive(Serialize)]
struct RankingJson<'a> {
    metric: &'static str,
    terms: Vec<String>,
    /// By pairing and term, in their order.
    places: &'a [Vec<Option<usize>>],
    turned: Vec<TurnedJson<'a>>,
    signs_unsure: usize,
}

#[derive(Serialize)]
struct TurnedJson<'a> {
    what: &'static str,
    terms: Vec<String>,
    under: &'a str,
    reversed_under: &'a str,
}

pub(super) fn design_json<'a>(view: &'a View, of: &'a DesignView) -> DesignJson<'a> {
    let design = &of.design;
    let (resolution, sample_seed) = match design.kind {
        DesignKind::OneAtATime | DesignKind::Full => (None, None),
        DesignKind::Fractional { resolution } => (Some(resolution), None),
        DesignKind::Sample { seed } => (None, Some(seed)),
    };
    let factors = design.factors.iter().map(|factor| FactorJson {
        flag: clean(&factor.flag),
        levels: factor.levels.iter().map(|level| clean(level)).collect(),
    });
    let runs = design.runs.iter().map(|run| RunJson {
        variant: &view.variants[run.variant as usize].name,
        levels: &run.levels,
    });
    let left_out = design.left_out.iter().map(|out| {
        let (invalid, equal_to) = match &out.why {
            Why::Invalid(reason) => (Some(clean(reason)), None),
            Why::EqualTo(name) => (None, Some(clean(name))),
        };
        LeftOutJson { name: clean(&out.name), invalid, equal_to }
    });
    let names = |set: &Vec<Vec<u8>>| set.iter().map(|e| clean(&design.effect_name(e))).collect();
    let pairings = of.pairings.iter().enumerate();
    DesignJson {
        kind: design.kind.word(),
        resolution,
        sample_seed,
        base: clean(&design.base),
        factors: factors.collect(),
        orthogonal: design.orthogonal,
        runs: runs.collect(),
        left_out: left_out.collect(),
        aliases: design.aliases.iter().map(names).collect(),
        pairings: pairings.map(|(number, effects)| pairing(view, of, number, effects)).collect(),
        rankings: of.robust.iter().map(|ranking| ranking_json(view, of, ranking)).collect(),
    }
}

fn pairing<'a>(
    view: &'a View,
    design: &DesignView,
    number: usize,
    effects: &'a PairingEffects,
) -> PairingJson<'a> {
    let each = |effects: &[Effect]| effects.iter().map(|e| effect_json(design, e)).collect();
    PairingJson {
        pairing: &view.pairings[number].name,
        unit: view.pairings[number].unit.name(),
        correction: "Holm",
        family: effects.family,
        effects: each(&effects.main),
        family_interactions: effects.family_interactions,
        interactions: each(&effects.interactions),
        variance: effects.shares.iter().map(|shares| shares_json(design, shares)).collect(),
        means: effects.means.iter().map(|means| means_json(design, means)).collect(),
        notes: &effects.notes,
        warnings: &effects.warnings,
    }
}

/// The words for what an effect was found over, its n, and that of the base where it has its own.
pub(in crate::report) const fn basis(effect: &Effect) -> (&'static str, u64, Option<u64>) {
    match effect.basis {
        Basis::Two(Sample::Paired(n)) => ("paired openings", n, None),
        Basis::Two(Sample::Independent(this, base)) => ("units of each", this, Some(base)),
        Basis::Openings(n) => ("shared openings", n, None),
        Basis::Units(n) => ("units of all", n, None),
    }
}

fn effect_json(design: &DesignView, effect: &Effect) -> EffectJson {
    let step = |step: Step| {
        let factor = &design.design.factors[step.factor];
        StepJson {
            flag: clean(&factor.flag),
            from: clean(&factor.levels[0]),
            to: clean(&factor.levels[step.level]),
        }
    };
    let (basis, n, n_base) = basis(effect);
    EffectJson {
        term: design.term_name(effect.term),
        steps: match effect.term {
            Term::Main(one) => vec![step(one)],
            Term::Interaction(one, two) => vec![step(one), step(two)],
        },
        metric: effect.metric.key,
        effect: effect.value.ok(),
        interval: ends(Some(effect.interval)),
        interval_90: ends(Some(effect.interval_90)),
        p: effect.p.ok(),
        p_adjusted: effect.p_adjusted,
        basis,
        n,
        n_base,
        method: effect.method.name(),
        missing: effect.missing().map(|missing| missing.to_string()),
    }
}

fn shares_json<'a>(design: &DesignView, shares: &'a Shares) -> SharesJson<'a> {
    let factors = match &shares.shares {
        Ok(factors) => factors.as_slice(),
        Err(_) => &[],
    };
    let of = |(factor, shares): (usize, &FactorShares)| ShareJson {
        flag: clean(&design.design.factors[factor].flag),
        alone: shares.alone,
        alone_interval: ends(Some(shares.alone_interval)),
        total: shares.total,
        total_interval: ends(Some(shares.total_interval)),
        shapley: shares.shapley,
        shapley_interval: ends(Some(shares.shapley_interval)),
    };
    SharesJson {
        metric: shares.metric.key,
        runs: shares.runs,
        deviation: shares.deviation.ok(),
        factors: factors.iter().enumerate().map(of).collect(),
        not_estimable: &shares.left_out,
        missing: shares.shares.as_ref().err().map(ToString::to_string),
    }
}

fn means_json(design: &DesignView, means: &Means) -> MeansJson {
    let factors = means.factors.map(|factor| &design.design.factors[factor]);
    let interval = |cell: &Known<(f64, Known<Interval>)>| ends(Some(cell.ok()?.1));
    let value = |cell: &Known<(f64, Known<Interval>)>| Some(cell.ok()?.0);
    MeansJson {
        metric: means.metric.key,
        flags: factors.map(|factor| clean(&factor.flag)),
        levels: factors.map(|factor| factor.levels.iter().map(|level| clean(level)).collect()),
        means: means.cells.iter().map(|row| row.iter().map(value).collect()).collect(),
        intervals: means.cells.iter().map(|row| row.iter().map(interval).collect()).collect(),
    }
}

fn ranking_json<'a>(
    view: &'a View,
    design: &DesignView,
    ranking: &'a crate::report::effects::EffectRanking,
) -> RankingJson<'a> {
    let turned = ranking.flips.iter().map(|flip| {
        let [under, reversed_under] =
            flip.pairings.map(|number| view.pairings[number].name.as_str());
        let (what, terms) = match flip.what {
            Turned::Sign(term) => ("sign", vec![design.term_name(term)]),
            Turned::Size(a, b) => ("size", vec![design.term_name(a), design.term_name(b)]),
        };
        TurnedJson { what, terms, under, reversed_under }
    });
    RankingJson {
        metric: ranking.metric.key,
        terms: ranking.terms.iter().map(|&term| design.term_name(term)).collect(),
        places: &ranking.places,
        turned: turned.collect(),
        signs_unsure: ranking.signs_unsure,
    }
}
