//! Whether the answer depends on the players: the order of the variants under each pairing, and
//! what turns round between two pairings. Judges by the intervals and p that the view holds.

use super::cells::Cell;
use super::view::PairingView;
use crate::study::metrics::Metric;

/// The metrics by which variants are ordered, by key.
pub const RANKED: [&str; 4] = ["first-player-score", "draws", "plies", "branching"];
/// The adjusted p from which a difference has a sign.
const ALPHA: f64 = 0.05;
/// The most variants of which every two are compared.
const VARIANTS_MAX: usize = 64;

/// The order of the variants by one metric, under each pairing.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// The metric.
    pub metric: &'static Metric,
    /// For each pairing, for each variant: its place from 1, the largest value first, equal values
    /// sharing one; nothing without a value.
    pub places: Vec<Vec<Option<usize>>>,
    /// What turns round and is not explained by chance.
    pub flips: Vec<Flip>,
    /// Differences from the first variant whose sign turns round between two pairings, but not
    /// beyond what chance explains.
    pub signs_unsure: usize,
}

/// Something that is one way under one pairing and the other way under another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The numbers of the pairings.
    pub pairings: [usize; 2],
    /// The numbers of the variants: the first is larger under the first pairing, and smaller under
    /// the second.
    pub variants: [usize; 2],
    /// How it is known.
    pub by: FlipBy,
}

/// How a flip is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlipBy {
    /// Both differences from the study's first variant have an adjusted p of at most 0.05.
    Sign,
    /// The intervals of both variants are apart under both pairings.
    Order,
}

/// The rankings of a study; none with fewer than two pairings or two variants.
pub(super) fn rankings(pairings: &[PairingView]) -> Vec<Ranking> {
    let variants = pairings.first().map_or(0, |pairing| pairing.rows.len());
    if pairings.len() < 2 || variants < 2 {
        return Vec::new();
    }
    RANKED
        .iter()
        .filter_map(|key| Metric::find(key))
        .map(|metric| {
            let (mut flips, signs_unsure) = signs(metric, pairings);
            if variants <= VARIANTS_MAX {
                flips.extend(orders(metric, pairings));
            }
            let places = pairings.iter().map(|pairing| places(metric, pairing)).collect();
            Ranking { metric, places, flips, signs_unsure }
        })
        .collect()
}

fn places(metric: &Metric, pairing: &PairingView) -> Vec<Option<usize>> {
    let values: Vec<Option<f64>> =
        pairing.rows.iter().map(|row| row.cell(metric.key).value.ok()).collect();
    let above = |value: f64| values.iter().flatten().filter(|other| **other > value).count();
    values.iter().map(|value| value.map(|value| 1 + above(value))).collect()
}

/// Every two pairings, by number.
fn two_of(count: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |two| [one, two]))
}

fn signs(metric: &Metric, pairings: &[PairingView]) -> (Vec<Flip>, usize) {
    let (mut sure, mut unsure) = (Vec::new(), 0);
    for [one, two] in two_of(pairings.len()) {
        let of = |pairing: &PairingView| -> Vec<(usize, f64, bool)> {
            let same = pairing.contrasts.iter().filter(|c| c.metric.key == metric.key);
            same.filter_map(|contrast| {
                let clear = contrast.p_adjusted.is_some_and(|p| p <= ALPHA);
                Some((contrast.variant, contrast.difference.ok()?, clear))
            })
            .collect()
        };
        let others = of(&pairings[two]);
        for (variant, difference, clear) in of(&pairings[one]) {
            let other = others.iter().find(|(other, _, _)| *other == variant);
            let Some(&(_, other, other_clear)) = other else { continue };
            if difference * other >= 0.0 {
                continue;
            }
            if clear && other_clear {
                let variants = if difference > 0.0 { [variant, 0] } else { [0, variant] };
                sure.push(Flip { pairings: [one, two], variants, by: FlipBy::Sign });
            } else {
                unsure += 1;
            }
        }
    }
    (sure, unsure)
}

/// Flips of two variants neither of which is the first: that one's are known by sign.
fn orders(metric: &Metric, pairings: &[PairingView]) -> Vec<Flip> {
    let mut flips = Vec::new();
    for [one, two] in two_of(pairings.len()) {
        let variants = pairings[one].rows.len();
        for [a, b] in two_of(variants).filter(|[a, _]| *a > 0) {
            let apart = |pairing: usize, high: usize, low: usize| {
                let cell = |variant: usize| pairings[pairing].rows[variant].cell(metric.key);
                is_above(cell(high), cell(low))
            };
            for variants in [[a, b], [b, a]] {
                let [high, low] = variants;
                if apart(one, high, low) && apart(two, low, high) {
                    flips.push(Flip { pairings: [one, two], variants, by: FlipBy::Order });
                }
            }
        }
    }
    flips
}

/// Whether an interval lies above another, without a common point.
fn is_above(high: &Cell, low: &Cell) -> bool {
    match (high.interval, low.interval) {
        (Some(Ok(high)), Some(Ok(low))) => high.low() > low.high(),
        (Some(_) | None, Some(_) | None) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Flip, FlipBy, rankings};
    use crate::report::cells::{Cell, Method};
    use crate::report::contrast::{Contrast, ContrastMethod, Sample};
    use crate::report::view::{PairingView, Row, Unit};
    use crate::stats::histogram::Histogram;
    use crate::stats::{Interval, Missing};
    use crate::study::metrics::{METRICS, Metric};

    /// A pairing under which the variants draw so often, give or take `half`, and where the
    /// differences from the first have these p.
    fn pairing(draws: &[f64], half: f64, p: &[f64]) -> PairingView {
        let none = Cell {
            value: Err(Missing::Empty),
            interval: None,
            n: 0,
            units: 0,
            method: Method::Descriptive,
        };
        let place = METRICS.iter().position(|metric| metric.key == "draws").expect("a metric");
        let rows = draws.iter().enumerate().map(|(variant, &share)| {
            let mut cells = vec![none; METRICS.len()];
            let interval = Some(Interval::around(share, half));
            cells[place] = Cell { value: Ok(share), interval, n: 100, units: 100, ..none };
            Row {
                variant,
                openings: 100,
                units: 100,
                openings_incomplete: 0,
                unfinished: crate::report::Unfinished::default(),
                cells,
                seat: None,
                king_value: crate::study::metrics::KingValue::default(),
                plies: Histogram::new(),
                branching: Histogram::new(),
            }
        });
        let contrasts =
            draws[1..].iter().zip(p).enumerate().map(|(number, (share, &p))| Contrast {
                metric: Metric::find("draws").expect("a metric"),
                variant: number + 1,
                sample: Sample::Paired(100),
                difference: Ok(share - draws[0]),
                interval: Err(Missing::Empty),
                p: Ok(p),
                p_adjusted: Some(p),
                correlation: None,
                method: ContrastMethod::PairedT,
            });
        PairingView {
            name: "random".to_owned(),
            players: ["random".to_owned(), "random".to_owned()],
            unit: Unit::Game,
            rows: rows.collect(),
            contrasts: contrasts.collect(),
            family: p.len(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn what_turns_round_is_told() {
        let weak = pairing(&[0.2, 0.3, 0.5, 0.5], 0.05, &[0.01, 0.01, 0.20]);
        let strong = pairing(&[0.4, 0.6, 0.3, 0.1], 0.05, &[0.01, 0.04, 0.01]);
        let rankings = rankings(&[weak, strong]);
        let draws = rankings.iter().find(|r| r.metric.key == "draws").expect("a ranking");
        assert_eq!(draws.places[0], [4, 3, 1, 1].map(Some));
        assert_eq!(draws.places[1], [2, 1, 3, 4].map(Some));
        let flip = |variants, by| Flip { pairings: [0, 1], variants, by };
        let told =
            [flip([2, 0], FlipBy::Sign), flip([2, 1], FlipBy::Order), flip([3, 1], FlipBy::Order)];
        assert_eq!(draws.flips, told);
        // Variant 3 turns round too, but p was 0.20 once.
        assert_eq!(draws.signs_unsure, 1);
        let score = rankings.iter().find(|r| r.metric.key == "first-player-score");
        assert_eq!(score.expect("a ranking").places[0], [None; 4]);
    }

    #[test]
    fn one_pairing_or_variant_has_no_ranking() {
        let one = pairing(&[0.2, 0.3], 0.05, &[0.01]);
        assert!(rankings(&[one]).is_empty());
        let alone = pairing(&[0.2], 0.05, &[]);
        assert!(rankings(&[alone.clone(), alone]).is_empty());
    }
}
