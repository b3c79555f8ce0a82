//! Whether an effect depends on the players: main effects under each pairing, and what turns round
//! between two. Judges by the intervals and p that the effects have.

use super::{Effect, PairingEffects, Term, metrics_of_effects};
use crate::stats::Interval;
use crate::study::metrics::Metric;

/// The most effects of one metric of which every two are compared.
const TERMS_MAX: usize = 64;

/// The main effects on one metric, under each pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectRanking {
    /// The metric.
    pub metric: &'static Metric,
    /// The main effects, in the order of the design.
    pub terms: Vec<Term>,
    /// For each pairing, for each term: its place by size without sign, the largest first; nothing
    /// without a value.
    pub places: Vec<Vec<Option<usize>>>,
    /// What turns round and is not explained by chance.
    pub flips: Vec<EffectFlip>,
    /// Effects whose sign turns round between two pairings, but not beyond what chance explains.
    pub signs_unsure: usize,
}

/// Something that turns round between two pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectFlip {
    /// The numbers of the pairings.
    pub pairings: [usize; 2],
    /// What.
    pub what: Turned,
}

/// What turns round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turned {
    /// The sign of an effect; both have an adjusted p of at most 0.05.
    Sign(Term),
    /// The sizes of two effects: the first is larger under the first pairing and smaller under the
    /// second, their intervals without sign apart under both.
    Size(Term, Term),
}

/// The rankings of the effects; none with fewer than two pairings.
pub(super) fn rankings(pairings: &[PairingEffects]) -> Vec<EffectRanking> {
    if pairings.len() < 2 {
        return Vec::new();
    }
    metrics_of_effects()
        .map(|metric| {
            let effects: Vec<Vec<&Effect>> = pairings
                .iter()
                .map(|pairing| {
                    pairing.main.iter().filter(|effect| effect.metric.key == metric.key).collect()
                })
                .collect();
            ranking(metric, &effects)
        })
        .collect()
}

/// The effects of one metric: for each pairing the same terms in the same order.
fn ranking(metric: &'static Metric, effects: &[Vec<&Effect>]) -> EffectRanking {
    let terms: Vec<Term> = effects[0].iter().map(|effect| effect.term).collect();
    let (mut flips, mut signs_unsure) = (Vec::new(), 0);
    for one in 0..effects.len() {
        for two in one + 1..effects.len() {
            let pairings = [one, two];
            let both = || effects[one].iter().zip(&effects[two]);
            for (a, b) in both() {
                let (Ok(x), Ok(y)) = (a.value, b.value) else { continue };
                if x * y < 0.0 && a.clear() && b.clear() {
                    flips.push(EffectFlip { pairings, what: Turned::Sign(a.term) });
                } else if x * y < 0.0 {
                    signs_unsure += 1;
                }
            }
            if terms.len() <= TERMS_MAX {
                let sizes: Vec<_> = both().map(|(a, b)| (a.term, size(a), size(b))).collect();
                flips.extend(sizes_turned(&sizes).map(|what| EffectFlip { pairings, what }));
            }
        }
    }
    let places = effects.iter().map(|effects| places(effects)).collect();
    EffectRanking { metric, terms, places, flips, signs_unsure }
}

fn places(effects: &[&Effect]) -> Vec<Option<usize>> {
    let sizes: Vec<Option<f64>> =
        effects.iter().map(|effect| effect.value.ok().map(f64::abs)).collect();
    let above = |size: f64| sizes.iter().flatten().filter(|other| **other > size).count();
    sizes.iter().map(|size| size.map(|size| 1 + above(size))).collect()
}

/// The ends of an effect's size without its sign.
fn size(effect: &Effect) -> Option<(f64, f64)> {
    let ends = |interval: Interval| {
        let (low, high) = (interval.low().abs(), interval.high().abs());
        let least = if interval.contains(0.0) { 0.0 } else { low.min(high) };
        (least, low.max(high))
    };
    effect.interval.ok().map(ends)
}

type Sized = (Term, Option<(f64, f64)>, Option<(f64, f64)>);

fn sizes_turned(sizes: &[Sized]) -> impl Iterator<Item = Turned> + '_ {
    let above = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| match (a, b) {
        (Some((low, _)), Some((_, high))) => low > high,
        (Some(_) | None, Some(_) | None) => false,
    };
    sizes.iter().flat_map(move |&(a, a_one, a_two)| {
        let turned = move |&&(b, b_one, b_two): &&Sized| {
            a != b && above(a_one, b_one) && above(b_two, a_two)
        };
        sizes.iter().filter(turned).map(move |&(b, _, _)| Turned::Size(a, b))
    })
}
