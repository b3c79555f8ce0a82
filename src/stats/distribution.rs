//! Tails, quantiles and point probabilities of the distributions the tests need.
//! Never fails on large counts: the beta and binomial prefactors are saddle-point expansions.

use std::f64::consts::{PI, SQRT_2};

use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::{gamma_ur, ln_gamma};

use super::number::real;
use super::root::find_root;

/// Most terms of the continued fraction; it needs about the square root of its parameters.
const TERMS_MAX: u32 = 20_000;

/// The chance that a standard normal variable is at most `z`.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// The chance that a standard normal variable is at least as far from 0 as `z`.
#[must_use]
pub fn normal_tails(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// The density of the standard normal distribution.
#[must_use]
pub fn normal_density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (2.0 * PI).sqrt()
}

/// The value below which a standard normal variable lies with chance `p`.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// The chance that a chi-squared variable with `df` degrees of freedom is at least `x`.
#[must_use]
pub fn chi_squared_tail(x: f64, df: u64) -> f64 {
    if x <= 0.0 || df == 0 {
        1.0
    } else if df == 1 {
        erfc((x / 2.0).sqrt())
    } else {
        gamma_ur(real(df) / 2.0, x / 2.0)
    }
}

/// The chance that Student's t with `df` degrees of freedom is at least as far from 0 as `t`.
#[must_use]
pub fn t_tails(t: f64, df: f64) -> f64 {
    let square = t * t;
    beta_lower(df / 2.0, 0.5, df / (df + square), square / (df + square))
}

/// The t beyond which, on both sides together, Student's t lies with chance `alpha`.
#[must_use]
pub fn t_quantile_tails(alpha: f64, df: f64) -> f64 {
    let mut high = 2.0;
    while t_tails(high, df) > alpha && high < 1e300 {
        high *= 2.0;
    }
    find_root(0.0, high, |t| t_tails(t, df) - alpha).unwrap_or(high)
}

/// The chance that a Beta(`a`, `b`) variable is at most `x`.
#[must_use]
pub fn beta_cdf(a: f64, b: f64, x: f64) -> f64 {
    beta_lower(a, b, x, 1.0 - x)
}

/// The value below which a Beta(`a`, `b`) variable lies with chance `p`.
#[must_use]
pub fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    if p <= 0.0 {
        0.0
    } else if p >= 1.0 {
        1.0
    } else {
        find_root(0.0, 1.0, |x| beta_cdf(a, b, x) - p).unwrap_or(0.5)
    }
}

/// The regularised incomplete beta function at `x`, with `y = 1 − x` given for its digits.
///
/// Source: continued fraction of Didonato and Morris as in Press et al., *Numerical Recipes*, 6.4,
/// evaluated by Lentz's method; prefactor after Loader 2000.
fn beta_lower(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let front = a * b / (a + b) * binomial_density(a, a + b, x, y);
    if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, y) / b
    }
}

fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    let tiny = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < tiny { tiny } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for term in 1..TERMS_MAX {
        let m = f64::from(term);
        let even = m * (b - m) * x / ((a - 1.0 + 2.0 * m) * (a + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + even * d);
        c = away_from_zero(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 1.0 + 2.0 * m));
        d = 1.0 / away_from_zero(1.0 + odd * d);
        c = away_from_zero(1.0 + odd / c);
        h *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    h
}

/// The chance of exactly `k` successes in `n` trials of chance `p`.
#[must_use]
pub fn binomial_pmf(k: u64, n: u64, p: f64) -> f64 {
    if k > n { 0.0 } else { binomial_density(real(k), real(n), p, 1.0 - p) }
}

/// The chance of at most `k` successes in `n` trials of chance `p`.
#[must_use]
pub fn binomial_cdf(k: u64, n: u64, p: f64) -> f64 {
    if k >= n { 1.0 } else { beta_lower(real(n - k), real(k) + 1.0, 1.0 - p, p) }
}

/// The chance to draw `k` marked items among `drawn` out of `marked + plain` without return.
///
/// Source: C. Loader, *Fast and Accurate Computation of Binomial Probabilities*, 2000.
#[must_use]
pub fn hypergeometric_pmf(k: u64, marked: u64, plain: u64, drawn: u64) -> f64 {
    if k > marked || k > drawn || drawn - k > plain {
        return 0.0;
    }
    let total = marked + plain;
    if drawn == 0 || drawn == total {
        return 1.0;
    }
    let p = real(drawn) / real(total);
    binomial_pmf(k, marked, p) * binomial_pmf(drawn - k, plain, p) / binomial_pmf(drawn, total, p)
}

/// The logarithm of the number of ways to choose `k` of `n`.
#[must_use]
pub fn ln_choose(n: u64, k: u64) -> f64 {
    ln_gamma(real(n) + 1.0) - ln_gamma(real(k) + 1.0) - ln_gamma(real(n - k) + 1.0)
}

/// The logarithm of the beta function.
#[must_use]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// `Γ(n+1)/(Γ(k+1)Γ(n−k+1)) p^k q^(n−k)` for real `k`, `n`.
///
/// Source: C. Loader, *Fast and Accurate Computation of Binomial Probabilities*, 2000.
fn binomial_density(k: f64, n: f64, p: f64, q: f64) -> f64 {
    if p <= 0.0 {
        return if k <= 0.0 { 1.0 } else { 0.0 };
    }
    if q <= 0.0 {
        return if k >= n { 1.0 } else { 0.0 };
    }
    if k <= 0.0 {
        return if p < 0.1 { (n * (-p).ln_1p()).exp() } else { (n * q.ln()).exp() };
    }
    if k >= n {
        return if q < 0.1 { (n * (-q).ln_1p()).exp() } else { (n * p.ln()).exp() };
    }
    let rest = n - k;
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(rest)
        - deviance(k, n * p)
        - deviance(rest, n * q);
    exponent.exp() * (n / (2.0 * PI * k * rest)).sqrt()
}

/// `ln Γ(n+1)` minus Stirling's formula.
fn stirling_error(n: f64) -> f64 {
    if n <= 15.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - 0.5 * (2.0 * PI).ln();
    }
    let square = n * n;
    let inner = 1.0 / 1680.0 - 1.0 / (1188.0 * square);
    (1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - inner / square) / square) / square) / n
}

/// `x ln(x/m) + m − x` without loss of digits near `x = m`.
fn deviance(x: f64, m: f64) -> f64 {
    if (x - m).abs() >= 0.1 * (x + m) {
        return x * (x / m).ln() + m - x;
    }
    let v = (x - m) / (x + m);
    let mut sum = (x - m) * v;
    let mut term = 2.0 * x * v;
    let mut odd = 1.0;
    loop {
        term *= v * v;
        odd += 2.0;
        let next = sum + term / odd;
        if (next - sum).abs() <= 0.0 {
            return next;
        }
        sum = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_beta_parameters_keep_their_digits() {
        // Median of a symmetric beta, and the normal limit, at a million.
        assert!((beta_cdf(1e6, 1e6, 0.5) - 0.5).abs() < 1e-12);
        let low = beta_quantile(1e6, 1e6, 0.025);
        assert!((low - (0.5 - 1.959_963_985 * 0.5 / (2e6_f64).sqrt())).abs() < 1e-8);
    }

    #[test]
    fn binomial_sums_are_one_and_agree_with_the_beta_form() {
        let (n, p) = (37, 0.31);
        let total: f64 = (0..=n).map(|k| binomial_pmf(k, n, p)).sum();
        assert!((total - 1.0).abs() < 1e-14);
        let below: f64 = (0..=9).map(|k| binomial_pmf(k, n, p)).sum();
        assert!((binomial_cdf(9, n, p) - below).abs() < 1e-14);
    }

    #[test]
    fn known_quantiles() {
        // t(1) is Cauchy; t(2) at p has the closed form (2p − 1) / sqrt(2 p (1 − p)).
        let two = 0.95 / (2.0_f64 * 0.975 * 0.025).sqrt();
        assert!((t_quantile_tails(0.05, 1.0) - (0.475 * PI).tan()).abs() < 1e-10);
        assert!((t_quantile_tails(0.05, 2.0) - two).abs() < 1e-12);
        assert!((t_quantile_tails(0.05, 1e7) - 1.959_964).abs() < 1e-5);
        assert!((chi_squared_tail(5.0, 2) - (-2.5_f64).exp()).abs() < 1e-14);
        assert!((hypergeometric_pmf(1, 2, 2, 2) - 4.0 / 6.0).abs() < 1e-14);
    }
}
