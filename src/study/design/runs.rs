//! Which combinations of levels a design plays. Knows numbers of levels only, no flag and no rules.
//!
//! A combination has one level for each factor; level 0 is the base's.

use std::collections::BTreeMap;

use crate::player::Rng;
use crate::stats::fraction::{Fraction, Resolution};
use crate::stats::{Known, Missing};

/// A combination: the level of each factor.
pub(in crate::study) type Levels = Vec<u8>;

/// Drawings of a sample, of which the one with the least correlated factors is taken.
const DRAWINGS: u32 = 8;
/// Swaps that are tried for each combination that may not be played or comes twice.
const SWAPS: u32 = 200;
/// How often all combinations are gone through.
const PASSES: u32 = 20;

/// The base, then every single change of it, factor by factor.
pub(in crate::study) fn one_at_a_time(counts: &[u8]) -> Vec<Levels> {
    let base = vec![0; counts.len()];
    let changes = counts.iter().enumerate().flat_map(|(factor, &count)| {
        let base = &base;
        (1..count).map(move |level| {
            let mut levels = base.clone();
            levels[factor] = level;
            levels
        })
    });
    std::iter::once(base.clone()).chain(changes).collect()
}

/// How many combinations there are.
pub(in crate::study) fn combinations(counts: &[u8]) -> u128 {
    counts.iter().map(|&count| u128::from(count)).fold(1, u128::saturating_mul)
}

/// All combinations, the first factor changing fastest; the caller looks at how many they are.
pub(in crate::study) fn full(counts: &[u8]) -> Vec<Levels> {
    let mut runs = vec![Vec::new()];
    // From the last factor to the first, each put before what there is.
    for &count in counts.iter().rev() {
        runs = runs
            .iter()
            .flat_map(|rest: &Levels| {
                (0..count).map(move |level| {
                    let mut levels = vec![level];
                    levels.extend(rest);
                    levels
                })
            })
            .collect();
    }
    runs
}

/// The smallest regular fraction of so many factors with at least this resolution, and, of that
/// size, one with the greatest resolution that is known.
///
/// # Errors
/// [`Missing::Range`] for no factor or more than a fraction can have.
pub(in crate::study) fn fraction(factors: usize, resolution: Resolution) -> Known<Fraction> {
    let factors = u32::try_from(factors).map_err(|_| Missing::Range)?;
    let smallest = Fraction::smallest(factors, resolution)?;
    let size = smallest.run_count();
    if size.ilog2() + 1 == factors && factors > 1 {
        // A half: the product of all other factors makes the one word as long as it can be.
        return Fraction::new(factors - 1, vec![(1 << (factors - 1)) - 1]);
    }
    let better = Fraction::smallest(factors, Resolution::Five)?;
    Ok(if better.run_count() == size { better } else { smallest })
}

/// The runs of a fraction; of its 2^p equal parts the one that holds the base. Its first run is
/// the base.
///
/// A generated factor whose word has an even number of factors is turned round for that, which
/// changes no alias set.
pub(in crate::study) fn fraction_runs(fraction: &Fraction) -> Vec<Levels> {
    let runs = fraction.runs();
    let turned = runs.first().copied().unwrap_or(0);
    let levels = |run: u32| {
        let bits = run ^ turned;
        (0..fraction.factors()).map(|factor| u8::from(bits >> factor & 1 == 1)).collect()
    };
    runs.into_iter().map(levels).collect()
}

/// `size` random combinations that may be played, the base first; the levels of each factor come
/// equally often, or differ by one, where the base and what may be played allow it.
///
/// `print` is nothing for a combination that may not be played, and equal for combinations with
/// equal rules. Such combinations swap levels with others, so that the balance stays. Those that
/// cannot be helped so remain: the caller leaves them out.
pub(in crate::study) fn sample(
    counts: &[u8],
    size: usize,
    seed: u64,
    print: impl Fn(&[u8]) -> Option<u64>,
) -> Vec<Levels> {
    let mut rng = Rng::from_bytes(format!("keny sample 1\n{seed}").as_bytes());
    let drawn = (0..DRAWINGS).map(|_| drawing(counts, size, &mut rng));
    let least = drawn.map(|runs| (correlation(&runs, counts), runs)).min_by_key(|(sum, _)| *sum);
    let mut sampled = Sampled::new(least.map(|(_, runs)| runs).unwrap_or_default(), print);
    if size < 3 || counts.is_empty() {
        return sampled.runs;
    }
    // The base stays where it is. A swap may mend one run and spoil an earlier one.
    for _ in 0..PASSES {
        for row in 1..size {
            sampled.mend(row, counts.len(), &mut rng);
        }
        if (1..size).all(|row| !sampled.is_bad(row)) {
            break;
        }
    }
    sampled.runs
}

/// Combinations with the names of their rules.
struct Sampled<F> {
    runs: Vec<Levels>,
    print: F,
    prints: Vec<Option<u64>>,
    /// How many runs have these rules.
    counts: BTreeMap<u64, u32>,
}

impl<F: Fn(&[u8]) -> Option<u64>> Sampled<F> {
    fn new(runs: Vec<Levels>, print: F) -> Self {
        let prints: Vec<Option<u64>> = runs.iter().map(|run| print(run)).collect();
        let mut counts = BTreeMap::new();
        for print in prints.iter().flatten() {
            *counts.entry(*print).or_insert(0) += 1;
        }
        Self { runs, print, prints, counts }
    }

    /// Whether it may not be played, or has the rules of another.
    fn is_bad(&self, row: usize) -> bool {
        self.prints[row].is_none_or(|print| self.counts.get(&print).is_some_and(|&n| n > 1))
    }

    /// Swaps levels of a run that may not be played or comes twice with those of other runs.
    fn mend(&mut self, row: usize, factors: usize, rng: &mut Rng) {
        for _ in 0..SWAPS {
            if !self.is_bad(row) {
                return;
            }
            let (other, factor) = (1 + rng.below(self.runs.len() - 1), rng.below(factors));
            let before = usize::from(self.is_bad(other)) + 1;
            self.swap(row, other, factor);
            // Steps that help nothing are taken too, so that it cannot get stuck.
            let after = [row, other].into_iter().filter(|&row| self.is_bad(row)).count();
            if after > before {
                self.swap(row, other, factor);
            }
        }
    }

    /// Two runs change their levels of one factor.
    fn swap(&mut self, row: usize, other: usize, factor: usize) {
        let (level, others) = (self.runs[row][factor], self.runs[other][factor]);
        (self.runs[row][factor], self.runs[other][factor]) = (others, level);
        for row in [row, other] {
            if let Some(count) = self.prints[row].and_then(|print| self.counts.get_mut(&print)) {
                *count -= 1;
            }
            self.prints[row] = (self.print)(&self.runs[row]);
            if let Some(print) = self.prints[row] {
                *self.counts.entry(print).or_insert(0) += 1;
            }
        }
    }
}

/// Balanced columns, each shuffled; the first row is the base.
fn drawing(counts: &[u8], size: usize, rng: &mut Rng) -> Vec<Levels> {
    let mut runs = vec![vec![0; counts.len()]; size];
    for (factor, &count) in counts.iter().enumerate() {
        // The base has taken one 0 already.
        let levels = 0..count;
        let mut column: Vec<u8> = levels.cycle().skip(1).take(size.saturating_sub(1)).collect();
        rng.shuffle(&mut column);
        for (run, level) in runs.iter_mut().skip(1).zip(column) {
            run[factor] = level;
        }
    }
    runs
}

/// How far the levels of any two factors come together more often than they should: the sum over
/// pairs of factors of squared differences of their tables from even ones, scaled to whole numbers.
fn correlation(runs: &[Levels], counts: &[u8]) -> u128 {
    let mut sum = 0;
    for (one, &ones) in counts.iter().enumerate() {
        for (two, &twos) in counts.iter().enumerate().skip(one + 1) {
            let (ones, twos) = (usize::from(ones), usize::from(twos));
            let mut table = vec![0_usize; ones * twos];
            for run in runs {
                table[usize::from(run[one]) * twos + usize::from(run[two])] += 1;
            }
            let cells = ones * twos;
            sum += table
                .iter()
                .map(|&count| {
                    let apart = (count * cells).abs_diff(runs.len()) as u128;
                    apart * apart / cells as u128
                })
                .sum::<u128>();
        }
    }
    sum
}
