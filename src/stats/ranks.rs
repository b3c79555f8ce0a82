//! Two samples of whole numbers (game lengths) compared by rank: no shape is assumed.
//! Never for paired openings: those are compared by their differences, in `paired`.

use super::distribution::normal_tails;
use super::histogram::Histogram;
use super::number::{Confidence, Interval, Known, Missing, real, real_len};

/// Largest product of both sizes for which the exact distribution of U is counted.
pub const EXACT_MAX: u64 = 10_000;

/// Two samples compared by rank; differences are `a − b`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankComparison {
    /// Mann and Whitney's U of the first sample; ties count one half.
    pub u: f64,
    /// Two-sided p.
    pub p: f64,
    /// How p was found.
    pub method: RankMethod,
    /// Cliff's delta: chance that a value of `a` is larger minus chance that it is smaller.
    pub cliffs_delta: f64,
    /// Hodges and Lehmann's shift: the median of all differences.
    pub shift: f64,
    /// The interval of the shift, ends moved outward by half a unit because values are whole.
    pub interval: Known<Interval>,
}

/// How a rank test found its p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankMethod {
    /// The exact distribution: small samples without ties.
    Exact,
    /// The normal approximation with corrections for ties and continuity.
    Normal,
}

/// Compares two samples.
///
/// # Errors
/// [`Missing::Empty`] if a sample is empty, [`Missing::NoSpread`] if all values of both are equal.
///
/// Sources: H. Mann, D. Whitney, Annals of Mathematical Statistics 18 (1947) 50; J. Hodges,
/// E. Lehmann, ibid. 34 (1963) 598; N. Cliff, Psychological Bulletin 114 (1993) 494.
pub fn compare(a: &Histogram, b: &Histogram, confidence: Confidence) -> Known<RankComparison> {
    let (na, nb) = (a.n(), b.n());
    if na == 0 || nb == 0 {
        return Err(Missing::Empty);
    }
    let (n, m) = (real(na), real(nb));
    let twice_u = twice_u(a, b);
    let u = twice_u as f64 / 2.0;
    let ties = tie_sum(a, b);
    let total = n + m;
    let variance = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if variance <= 1e-12 * n * m {
        return Err(Missing::NoSpread);
    }
    let exact = ties <= 0.0 && na.checked_mul(nb).is_some_and(|cells| cells <= EXACT_MAX);
    let (p, method) = if exact {
        (exact_p(na, nb, u), RankMethod::Exact)
    } else {
        let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
        (normal_tails(distance / variance.sqrt()), RankMethod::Normal)
    };
    let differences = Differences::of(a, b);
    Ok(RankComparison {
        u,
        p,
        method,
        cliffs_delta: 2.0 * u / (n * m) - 1.0,
        shift: differences.median(),
        interval: differences.interval(confidence.z() * variance.sqrt()),
    })
}

/// Kendall's tau-b of two orders of the same things: 1 where all pairs stand alike, −1 where all are
/// turned round; pairs tied in one series count for neither.
///
/// # Errors
/// [`Missing::Shape`] if the lengths differ, [`Missing::Empty`] without things, [`Missing::Single`]
/// for one, [`Missing::NoSpread`] if all values of a series are equal.
///
/// Source: M. Kendall, Biometrika 33 (1945) 239.
pub fn kendall_tau(a: &[f64], b: &[f64]) -> Known<f64> {
    if a.len() != b.len() {
        return Err(Missing::Shape);
    }
    match a.len() {
        0 => return Err(Missing::Empty),
        1 => return Err(Missing::Single),
        _ => {}
    }
    let (mut agreement, mut apart_a, mut apart_b) = (0_i64, 0_u64, 0_u64);
    for i in 0..a.len() {
        for j in i + 1..a.len() {
            let sign = |x: &[f64]| x[i].total_cmp(&x[j]) as i64;
            let (one, two) = (sign(a), sign(b));
            agreement += one * two;
            apart_a += one.unsigned_abs();
            apart_b += two.unsigned_abs();
        }
    }
    if apart_a == 0 || apart_b == 0 {
        return Err(Missing::NoSpread);
    }
    Ok(agreement as f64 / (real(apart_a) * real(apart_b)).sqrt())
}

/// Twice U of the first sample, so that ties stay whole.
fn twice_u(a: &Histogram, b: &Histogram) -> u128 {
    let mut below = 0_u128;
    let mut sum = 0_u128;
    let mut others = b.counts().iter();
    for &count in a.counts() {
        let equal = u128::from(others.next().copied().unwrap_or(0));
        sum += u128::from(count) * (2 * below + equal);
        below += equal;
    }
    sum
}

/// Σ(t³ − t) over groups of equal values in both samples.
fn tie_sum(a: &Histogram, b: &Histogram) -> f64 {
    let mut all = a.clone();
    all.merge(b);
    all.counts().iter().map(|&t| real(t).powi(3) - real(t)).sum()
}

/// Twice the smaller tail of the exact distribution of U without ties.
fn exact_p(n: u64, m: u64, u: f64) -> f64 {
    let (n, m) = (n.min(m), n.max(m));
    // ways[u]: chance of U = u, from the generating function Π (1 − q^(m+i)) / (1 − q^i).
    let Ok(top) = usize::try_from(n * m) else { return 1.0 };
    let mut ways = vec![0.0; top + 1];
    ways[0] = 1.0;
    for i in 1..=n {
        let (Ok(over), Ok(under)) = (usize::try_from(m + i), usize::try_from(i)) else {
            return 1.0;
        };
        for at in (over..=top).rev() {
            ways[at] -= ways[at - over];
        }
        for at in under..=top {
            ways[at] += ways[at - under];
        }
        // Keep chances instead of numbers of ways: divide by (m + i) / i each time.
        let scale = real(i) / real(m + i);
        ways.iter_mut().for_each(|way| *way *= scale);
    }
    let least = u.min(real(n) * real(m) - u);
    let tail: f64 =
        ways.iter().enumerate().take_while(|(at, _)| real_len(*at) <= least).map(|(_, w)| w).sum();
    (2.0 * tail).min(1.0)
}

/// All differences of a value of one sample and a value of another, counted.
struct Differences {
    /// The difference that `counts[0]` stands for.
    least: i64,
    counts: Vec<u128>,
    n: u128,
}

impl Differences {
    fn of(a: &Histogram, b: &Histogram) -> Self {
        let (wide, narrow) = (a.counts(), b.counts());
        let mut counts = vec![0_u128; wide.len() + narrow.len()];
        for (i, &x) in wide.iter().enumerate().filter(|(_, x)| **x > 0) {
            for (j, &y) in narrow.iter().enumerate().filter(|(_, y)| **y > 0) {
                counts[i + narrow.len() - j] += u128::from(x) * u128::from(y);
            }
        }
        let least = -i64::try_from(narrow.len()).unwrap_or(i64::MAX);
        let n = counts.iter().sum();
        Self { least, counts, n }
    }

    /// The difference with `rank` others before it.
    fn ordered(&self, rank: u128) -> f64 {
        let mut before = 0;
        for (value, &count) in (self.least..).zip(&self.counts) {
            before += count;
            if rank < before {
                return value as f64;
            }
        }
        0.0
    }

    fn median(&self) -> f64 {
        f64::midpoint(self.ordered((self.n - 1) / 2), self.ordered(self.n / 2))
    }

    /// From the order statistics `half` ranks below and above the middle.
    ///
    /// Source: D. Moses in H. Walker, J. Lev, *Statistical Inference*, 1953; large samples.
    fn interval(&self, half: f64) -> Known<Interval> {
        let place = (self.n as f64 / 2.0 - half).floor();
        if place < 1.0 {
            return Err(Missing::Unbounded);
        }
        let low = u128::from(super::number::whole_up(place)) - 1;
        Interval::new(self.ordered(low) - 0.5, self.ordered(self.n - 1 - low) + 0.5)
    }
}
