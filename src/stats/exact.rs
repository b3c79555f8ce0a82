//! Unconditional exact tests of two independent proportions: Barnard and Boschloo.
//! Never for large groups: the work grows with the product of the sizes, see [`CELLS_MAX`].

use super::distribution::{binomial_pmf, hypergeometric_pmf};
use super::number::{Known, Missing, real};
use super::proportions::TwoShares;
use super::root::maximum;

/// Largest product of (n + 1) of both groups that is computed.
pub const CELLS_MAX: u64 = 1_000_000;

/// Grid cells on which the nuisance share is searched before the refinement.
const GRID: u32 = 400;

/// Barnard's exact test, two-sided, ordered by the pooled z statistic.
///
/// # Errors
/// [`Missing::Empty`], or [`Missing::Range`] beyond [`CELLS_MAX`].
///
/// Source: G. Barnard, Biometrika 34 (1947) 123; statistic of Suissa and Shuster 1985.
pub fn barnard(shares: TwoShares) -> Known<f64> {
    check(shares)?;
    let (n1, n2) = (shares.a.n, shares.b.n);
    let statistic = |x1: u64, x2: u64| {
        let pooled = real(x1 + x2) / real(n1 + n2);
        let variance = pooled * (1.0 - pooled) * (1.0 / real(n1) + 1.0 / real(n2));
        let difference = real(x1) / real(n1) - real(x2) / real(n2);
        if variance > 0.0 { difference.abs() / variance.sqrt() } else { 0.0 }
    };
    let observed = statistic(shares.a.count, shares.b.count) * (1.0 - 1e-12);
    Ok(worst_chance(n1, n2, |x1, x2| statistic(x1, x2) >= observed))
}

/// Boschloo's exact test, two-sided: twice the smaller one-sided p; never less powerful than
/// Fisher's test.
///
/// # Errors
/// As [`barnard`].
///
/// Source: R. Boschloo, Statistica Neerlandica 24 (1970) 1.
pub fn boschloo(shares: TwoShares) -> Known<f64> {
    check(shares)?;
    let (n1, n2) = (shares.a.n, shares.b.n);
    let one_sided = |upper: bool| {
        let tails: Vec<Vec<f64>> =
            (0..=n1 + n2).map(|drawn| fisher_tails(n1, n2, drawn, upper)).collect();
        let tail = |x1: u64, x2: u64| index(&tails, x1 + x2).map_or(1.0, |row| value(row, x1));
        let observed = tail(shares.a.count, shares.b.count) * (1.0 + 1e-10);
        worst_chance(n1, n2, |x1, x2| tail(x1, x2) <= observed)
    };
    Ok((2.0 * one_sided(false).min(one_sided(true))).min(1.0))
}

fn check(shares: TwoShares) -> Known<()> {
    shares.difference()?;
    let cells = (shares.a.n + 1).checked_mul(shares.b.n + 1);
    if cells.is_some_and(|cells| cells <= CELLS_MAX) { Ok(()) } else { Err(Missing::Range) }
}

/// For each `x1`, the hypergeometric chance of `x1` or fewer (more, if `upper`) among `drawn`.
fn fisher_tails(n1: u64, n2: u64, drawn: u64, upper: bool) -> Vec<f64> {
    let mut tails: Vec<f64> = (0..=n1).map(|x1| hypergeometric_pmf(x1, n1, n2, drawn)).collect();
    let mut sum = 0.0;
    let mut accumulate = |chance: &mut f64| {
        sum += *chance;
        *chance = sum;
    };
    if upper {
        tails.iter_mut().rev().for_each(&mut accumulate);
    } else {
        tails.iter_mut().for_each(&mut accumulate);
    }
    tails
}

fn index(rows: &[Vec<f64>], at: u64) -> Option<&Vec<f64>> {
    usize::try_from(at).ok().and_then(|at| rows.get(at))
}

fn value(row: &[f64], at: u64) -> f64 {
    usize::try_from(at).ok().and_then(|at| row.get(at)).copied().unwrap_or(1.0)
}

/// The largest chance, over all common shares, of the tables in the region.
fn worst_chance(n1: u64, n2: u64, region: impl Fn(u64, u64) -> bool) -> f64 {
    // The region of each x1 as the list of its x2.
    let rows: Vec<Vec<u64>> =
        (0..=n1).map(|x1| (0..=n2).filter(|&x2| region(x1, x2)).collect()).collect();
    let chance = |p: f64| {
        let second: Vec<f64> = (0..=n2).map(|x2| binomial_pmf(x2, n2, p)).collect();
        rows.iter()
            .zip(0..)
            .map(|(row, x1)| {
                let inner: f64 = row.iter().map(|&x2| value(&second, x2)).sum();
                binomial_pmf(x1, n1, p) * inner
            })
            .sum()
    };
    maximum(1e-9, 1.0 - 1e-9, GRID, chance).min(1.0)
}
