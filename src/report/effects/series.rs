//! The numbers of a variant's units that effects are made of, as small as can be: of a large study
//! all variants are in memory at once.

use super::{EFFECTS, metrics_of_effects, ratio_of};
use crate::stats::blocks::RateUnit;
use crate::study::metrics;

/// The units of a variant.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct Series {
    openings: Vec<u32>,
    shared: Vec<bool>,
    /// For each of [`EFFECTS`]: numerator and denominator of each unit; none for the balance.
    pairs: [Vec<(u64, u64)>; EFFECTS.len()],
}

impl Series {
    pub(in crate::report) fn of(units: &[metrics::Unit]) -> Self {
        let mut pairs: [Vec<(u64, u64)>; EFFECTS.len()] = Default::default();
        for (pairs, metric) in pairs.iter_mut().zip(metrics_of_effects()) {
            if let Some((top, bottom, _)) = ratio_of(metric) {
                pairs.extend(units.iter().map(|unit| (unit.numbers[top], unit.numbers[bottom])));
            }
        }
        Self {
            openings: units.iter().map(|unit| unit.opening).collect(),
            shared: units.iter().map(|unit| unit.opening_shared).collect(),
            pairs,
        }
    }

    /// The units with the numbers of one of [`EFFECTS`].
    pub(super) fn units(&self, metric: usize) -> Vec<RateUnit> {
        let places = self.openings.iter().zip(&self.shared);
        places
            .zip(&self.pairs[metric])
            .map(|((&opening, &shared), &(top, bottom))| RateUnit {
                block: shared.then_some(opening),
                top,
                bottom,
            })
            .collect()
    }
}
