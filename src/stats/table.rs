//! Tables of counts: homogeneity of several variants, and one effect over several strata.
//! Never for variants that share openings: their games are not independent.

use super::distribution::chi_squared_tail;
use super::number::{Confidence, Interval, Known, Missing, real, real_len};

/// Tests of "all rows have the same shares".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homogeneity {
    /// Pearson's chi-squared.
    pub chi_squared: f64,
    /// Degrees of freedom.
    pub df: u64,
    /// p of chi-squared.
    pub p: f64,
    /// The likelihood ratio statistic.
    pub g: f64,
    /// p of the likelihood ratio statistic.
    pub p_g: f64,
    /// Cramér's V: 0 without association, 1 for a complete one.
    pub cramers_v: f64,
    /// The least expected count: below about 5 the p-values are rough.
    pub expected_min: f64,
}

/// Compares the rows of a table of counts (variants by outcomes). Empty rows and columns are left
/// out.
///
/// # Errors
/// [`Missing::Shape`] for a ragged table, [`Missing::NoSpread`] if fewer than two rows or columns
/// hold anything.
///
/// Source: K. Pearson, Philosophical Magazine 50 (1900) 157; H. Cramér 1946, 21.9.
pub fn homogeneity(rows: &[Vec<u64>]) -> Known<Homogeneity> {
    let width = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != width) {
        return Err(Missing::Shape);
    }
    let row_sums: Vec<f64> = rows.iter().map(|row| real(row.iter().sum())).collect();
    let column_sums: Vec<f64> =
        (0..width).map(|column| real(rows.iter().map(|row| row[column]).sum())).collect();
    let filled = |sums: &[f64]| sums.iter().filter(|&&sum| sum > 0.0).count();
    let (r, c) = (filled(&row_sums), filled(&column_sums));
    if r < 2 || c < 2 {
        return Err(Missing::NoSpread);
    }
    let n: f64 = row_sums.iter().sum();
    let (mut chi_squared, mut g, mut expected_min) = (0.0, 0.0, f64::INFINITY);
    for (row, row_sum) in rows.iter().zip(&row_sums) {
        for (&count, column_sum) in row.iter().zip(&column_sums) {
            let expected = row_sum * column_sum / n;
            if expected <= 0.0 {
                continue;
            }
            let observed = real(count);
            expected_min = expected_min.min(expected);
            chi_squared += (observed - expected).powi(2) / expected;
            if count > 0 {
                g += 2.0 * observed * (observed / expected).ln();
            }
        }
    }
    let df = u64::try_from((r - 1) * (c - 1)).map_err(|_| Missing::Range)?;
    Ok(Homogeneity {
        chi_squared,
        df,
        p: chi_squared_tail(chi_squared, df),
        g,
        p_g: chi_squared_tail(g, df),
        cramers_v: (chi_squared / (n * real_len(r.min(c) - 1))).sqrt(),
        expected_min,
    })
}

/// A 2×2 table: two variants (rows), yes and no (columns).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stratum {
    /// Yes and no under the first variant.
    pub a: [u64; 2],
    /// Yes and no under the second variant.
    pub b: [u64; 2],
}

/// One effect measured in several strata (depths, players).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratified {
    /// The common odds ratio of Mantel and Haenszel.
    pub odds_ratio: f64,
    /// Its interval.
    pub interval: Known<Interval>,
    /// The Cochran-Mantel-Haenszel statistic of "no effect in any stratum", without continuity
    /// correction.
    pub chi_squared: f64,
    /// Its p, 1 degree of freedom.
    pub p: f64,
    /// The Breslow-Day statistic of "the same odds ratio in all strata".
    pub breslow_day: f64,
    /// Its p, one degree of freedom less than strata.
    pub breslow_day_p: f64,
}

/// Judges the effect of a variant on a yes/no outcome over strata.
///
/// # Errors
/// [`Missing::EmptyCell`] if the common odds ratio is 0 or infinite, [`Missing::NoSpread`] if no
/// stratum has both outcomes and both variants.
///
/// Sources: N. Mantel, W. Haenszel, J. National Cancer Institute 22 (1959) 719; interval of
/// J. Robins, N. Breslow, S. Greenland, Biometrics 42 (1986) 311; N. Breslow, N. Day, *Statistical
/// Methods in Cancer Research* 1, 1980, 4.4.
pub fn stratified(strata: &[Stratum], confidence: Confidence) -> Known<Stratified> {
    let tables: Vec<[f64; 4]> = strata
        .iter()
        .map(|s| [real(s.a[0]), real(s.a[1]), real(s.b[0]), real(s.b[1])])
        .filter(|[a, b, c, d]| a + b > 0.0 && c + d > 0.0 && a + c > 0.0 && b + d > 0.0)
        .collect();
    if tables.is_empty() {
        return Err(Missing::NoSpread);
    }
    let (mut up, mut down) = (0.0, 0.0);
    let (mut pr, mut ps_qr, mut qs) = (0.0, 0.0, 0.0);
    let (mut excess, mut variance) = (0.0, 0.0);
    for &[a, b, c, d] in &tables {
        let n = a + b + c + d;
        let (r, s, p, q) = (a * d / n, b * c / n, (a + d) / n, (b + c) / n);
        up += r;
        down += s;
        pr += p * r;
        ps_qr += p * s + q * r;
        qs += q * s;
        excess += a - (a + b) * (a + c) / n;
        variance += (a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1.0));
    }
    if up <= 0.0 || down <= 0.0 {
        return Err(Missing::EmptyCell);
    }
    let odds_ratio = up / down;
    let log_variance = pr / (2.0 * up * up) + ps_qr / (2.0 * up * down) + qs / (2.0 * down * down);
    let half = confidence.z() * log_variance.sqrt();
    let chi_squared = excess * excess / variance;
    let breslow_day: f64 = tables.iter().map(|&table| breslow_day_term(table, odds_ratio)).sum();
    let df = u64::try_from(tables.len() - 1).map_err(|_| Missing::Range)?;
    Ok(Stratified {
        odds_ratio,
        interval: Interval::around(odds_ratio.ln(), half).and_then(|i| i.map(f64::exp)),
        chi_squared,
        p: chi_squared_tail(chi_squared, 1),
        breslow_day,
        breslow_day_p: chi_squared_tail(breslow_day, df),
    })
}

/// Squared distance of the first cell from its expectation under the common odds ratio, over its
/// variance.
fn breslow_day_term([a, b, c, d]: [f64; 4], odds_ratio: f64) -> f64 {
    let (row, other, column) = (a + b, c + d, a + c);
    // x (other − column + x) = odds_ratio (row − x)(column − x)
    let square = 1.0 - odds_ratio;
    let linear = other - column + odds_ratio * (row + column);
    let constant = -odds_ratio * row * column;
    let expected = if square.abs() < 1e-12 {
        -constant / linear
    } else {
        // The root inside the table, in the form without cancellation.
        let root = (linear * linear - 4.0 * square * constant).max(0.0).sqrt();
        -2.0 * constant / (linear + root)
    };
    let cells = [expected, row - expected, column - expected, other - column + expected];
    let inverse: f64 = cells.iter().map(|cell| 1.0 / cell).sum();
    (a - expected).powi(2) * inverse
}
