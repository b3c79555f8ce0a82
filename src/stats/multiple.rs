//! p-values that stay honest when many are looked at together.
//! Every function takes raw p in any order and returns adjusted p in the same order.

use super::number::real_len;

/// How p-values are adjusted for being many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Correction {
    /// Times their number.
    Bonferroni,
    /// Step-down Bonferroni: the default, valid under any dependence.
    #[default]
    Holm,
    /// Step-up; valid for independent or positively dependent tests.
    Hochberg,
    /// Closed Simes test; valid like Hochberg, at least as strong.
    Hommel,
    /// Step-down Šidák; valid for independent or positively dependent tests.
    HolmSidak,
    /// Single-step Šidák.
    Sidak,
    /// False discovery rate under independence or positive dependence.
    BenjaminiHochberg,
    /// False discovery rate under any dependence.
    BenjaminiYekutieli,
}

impl Correction {
    /// All corrections.
    pub const ALL: [Self; 8] = [
        Self::Bonferroni,
        Self::Holm,
        Self::Hochberg,
        Self::Hommel,
        Self::HolmSidak,
        Self::Sidak,
        Self::BenjaminiHochberg,
        Self::BenjaminiYekutieli,
    ];

    /// The name a table prints beside the adjusted p.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bonferroni => "Bonferroni",
            Self::Holm => "Holm",
            Self::Hochberg => "Hochberg",
            Self::Hommel => "Hommel",
            Self::HolmSidak => "Holm-Šidák",
            Self::Sidak => "Šidák",
            Self::BenjaminiHochberg => "Benjamini-Hochberg",
            Self::BenjaminiYekutieli => "Benjamini-Yekutieli",
        }
    }

    /// Adjusted p in the order given. A NaN must not occur.
    ///
    /// Sources: S. Holm, Scand. J. Statistics 6 (1979) 65; Y. Hochberg, Biometrika 75 (1988) 800;
    /// G. Hommel, Biometrika 75 (1988) 383 in the form of S. Wright, Biometrics 48 (1992) 1005;
    /// Y. Benjamini, Y. Hochberg, JRSS B 57 (1995) 289; Y. Benjamini, D. Yekutieli, Annals of
    /// Statistics 29 (2001) 1165; Z. Šidák, JASA 62 (1967) 626.
    #[must_use]
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
        let sorted: Vec<f64> = order.iter().map(|&i| p[i]).collect();
        let adjusted = self.adjust_sorted(&sorted);
        let mut result = vec![0.0; p.len()];
        for (&i, value) in order.iter().zip(adjusted) {
            result[i] = value.min(1.0);
        }
        result
    }

    fn adjust_sorted(self, p: &[f64]) -> Vec<f64> {
        let m = real_len(p.len());
        let left = |rank: usize| m - real_len(rank);
        let sidak = |p: f64, k: f64| -((-p).ln_1p() * k).exp_m1();
        let harmonic: f64 = (1..=p.len()).map(|k| 1.0 / real_len(k)).sum();
        match self {
            Self::Bonferroni => p.iter().map(|p| p * m).collect(),
            Self::Holm => rising(p, |p, rank| p * left(rank)),
            Self::Hochberg => falling(p, |p, rank| p * left(rank)),
            Self::Hommel => hommel(p),
            Self::HolmSidak => rising(p, |p, rank| sidak(p, left(rank))),
            Self::Sidak => p.iter().map(|&p| sidak(p, m)).collect(),
            Self::BenjaminiHochberg => falling(p, |p, rank| p * m / real_len(rank + 1)),
            Self::BenjaminiYekutieli => falling(p, |p, rank| p * m * harmonic / real_len(rank + 1)),
        }
    }
}

/// Running maximum from the smallest p up.
fn rising(p: &[f64], factor: impl Fn(f64, usize) -> f64) -> Vec<f64> {
    let mut most = 0.0_f64;
    p.iter()
        .enumerate()
        .map(|(rank, &p)| {
            most = most.max(factor(p, rank));
            most
        })
        .collect()
}

/// Running minimum from the largest p down.
fn falling(p: &[f64], factor: impl Fn(f64, usize) -> f64) -> Vec<f64> {
    let mut least = f64::INFINITY;
    let mut result: Vec<f64> = p
        .iter()
        .enumerate()
        .rev()
        .map(|(rank, &p)| {
            least = least.min(factor(p, rank));
            least
        })
        .collect();
    result.reverse();
    result
}

/// Adjusted p of Hommel from sorted p, by Wright's algorithm.
fn hommel(p: &[f64]) -> Vec<f64> {
    let m = p.len();
    let mut adjusted = p.to_vec();
    for size in (2..=m).rev() {
        let s = real_len(size);
        // The largest `size - 1` p-values and the rest below them.
        let split = m - size + 1;
        let simes = (split..m)
            .map(|i| s * p[i] / real_len(size - (m - 1 - i)))
            .fold(f64::INFINITY, f64::min);
        for value in &mut adjusted[split..] {
            *value = value.max(simes);
        }
        for (value, &raw) in adjusted[..split].iter_mut().zip(p) {
            *value = value.max(simes.min(s * raw));
        }
    }
    adjusted
}

/// How many adjusted p are at most `alpha`.
#[must_use]
pub fn rejected(adjusted: &[f64], alpha: f64) -> usize {
    adjusted.iter().filter(|&&p| p <= alpha).count()
}

/// Adjusted p for a table in which some rows have none: those rows stay `None` and are not
/// counted. Returns the column and how many p were adjusted together.
#[must_use]
pub fn adjust_column(p: &[Option<f64>], correction: Correction) -> (Vec<Option<f64>>, usize) {
    let known: Vec<f64> = p.iter().copied().flatten().collect();
    let mut adjusted = correction.adjust(&known).into_iter();
    let column = p.iter().map(|p| p.and_then(|_| adjusted.next())).collect();
    (column, known.len())
}
