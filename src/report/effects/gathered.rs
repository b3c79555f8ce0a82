//! What the effects of a pairing need of its units, gathered variant by variant, so that of a large
//! study not all units are in memory at once. Judges nothing itself.

use std::collections::BTreeMap;

use super::series::Series;
use super::single::{self, Compared, compare};
use super::{PairingEffects, adjust, factorial, mixed_values};
use crate::report::stopped::Watched;
use crate::report::view::Row;
use crate::stats::Confidence;
use crate::study::design::{Design, DesignKind};
use crate::study::metrics::Unit;

/// The variants of a pairing, as the effects need them.
pub(super) struct Played<'a> {
    /// The rows of the view.
    pub(super) rows: &'a [Row],
    /// The numbers of the units of each variant; nothing where no factorial design has it.
    pub(super) series: &'a [Option<Series>],
    /// For each design: its runs against its base, where it changes one flag at a time.
    pub(super) single: &'a [Compared],
    /// What the rule to stop early looked at, if there is one.
    pub(super) watched: Option<&'a Watched>,
}

/// What was gathered of one pairing.
pub(in crate::report) struct Gathered<'a> {
    designs: &'a [Design],
    /// The units of the variants that others are compared with.
    bases: BTreeMap<u32, &'a [Unit]>,
    compared: Vec<Compared>,
    series: Vec<Option<Series>>,
}

fn is_single(design: &Design) -> bool {
    design.kind == DesignKind::OneAtATime
}

impl<'a> Gathered<'a> {
    /// The variants that others are compared with, by number.
    pub(in crate::report) fn bases(designs: &'a [Design]) -> impl Iterator<Item = u32> + 'a {
        designs.iter().filter(|design| is_single(design)).filter_map(Design::base_variant)
    }

    /// Nothing yet; the units of [`Self::bases`] are given.
    pub(in crate::report) fn new(designs: &'a [Design], bases: BTreeMap<u32, &'a [Unit]>) -> Self {
        Self { designs, bases, compared: vec![Compared::new(); designs.len()], series: Vec::new() }
    }

    /// Adds the next variant of the plan; whether a design has it.
    pub(in crate::report) fn add(
        &mut self,
        variant: u32,
        units: &[Unit],
        confidence: Confidence,
    ) -> bool {
        let (mut of_design, mut factorial) = (false, false);
        for (design, compared) in self.designs.iter().zip(&mut self.compared) {
            if design.runs_of(variant).next().is_none() {
                continue;
            }
            of_design = true;
            factorial |= !is_single(design);
            let base = design.base_variant().filter(|base| is_single(design) && *base != variant);
            if let Some(base) = base.and_then(|base| self.bases.get(&base)) {
                compared.insert(variant, compare(variant, units, base, confidence));
            }
        }
        self.series.push(factorial.then(|| Series::of(units)));
        of_design
    }

    /// The effects of each design. `learned` says which variants have learned values; nothing where
    /// no player of the pairing wants any.
    pub(in crate::report) fn effects(
        &self,
        rows: &[Row],
        watched: Option<&Watched>,
        learned: Option<&[bool]>,
        confidence: Confidence,
    ) -> Vec<PairingEffects> {
        let played = Played { rows, series: &self.series, single: &self.compared, watched };
        let designs = self.designs.iter().enumerate();
        designs
            .map(|(number, design)| {
                let mut found = match design.kind {
                    DesignKind::OneAtATime => single::effects(number, design, &played, confidence),
                    DesignKind::Full
                    | DesignKind::Fractional { .. }
                    | DesignKind::Sample { .. } => factorial::effects(design, &played, confidence),
                };
                found.warnings.extend(learned.and_then(|learned| mixed_values(design, learned)));
                found.family = adjust(&mut found.main);
                found.family_interactions = adjust(&mut found.interactions);
                found
            })
            .collect()
    }
}
