//! Values printed in papers, and identities that no other program is needed for.

use keny::stats::Confidence;
use keny::stats::interval::Share;
use keny::stats::proportions::TwoShares;

const P95: Confidence = Confidence::P95;

fn both(x1: u64, n1: u64, x2: u64, n2: u64) -> TwoShares {
    TwoShares { a: Share { count: x1, n: n1 }, b: Share { count: x2, n: n2 } }
}

/// Newcombe, Statistics in Medicine 17 (1998) 873, table II, 56/70 against 48/80.
#[test]
fn differences_of_shares_agree_with_newcombes_table() {
    let example = both(56, 70, 48, 80);
    let near = |found: keny::stats::Interval, low: f64, high: f64| {
        assert!((found.low() - low).abs() < 6e-5, "{found:?}");
        assert!((found.high() - high).abs() < 6e-5, "{found:?}");
    };
    near(example.wald(P95).expect("spread"), 0.0575, 0.3425);
    near(example.mee(P95).expect("spread"), 0.0533, 0.3377);
    near(example.miettinen_nurminen(P95).expect("spread"), 0.0528, 0.3382);
    near(example.newcombe(P95).expect("spread"), 0.0524, 0.3339);
}

/// Log likelihood of both groups where the first share is `p` and the second `p - delta`.
fn likelihood(shares: TwoShares, p: f64, delta: f64) -> f64 {
    let part =
        |count: u64, p: f64| if count == 0 { 0.0 } else { keny::stats::real(count) * p.ln() };
    [(shares.a, p), (shares.b, p - delta)]
        .into_iter()
        .map(|(share, p)| part(share.count, p) + part(share.n - share.count, 1.0 - p))
        .sum()
}

/// Standardised difference at `delta`, with the restricted shares found by golden section.
fn score_by_search(shares: TwoShares, delta: f64, factor: f64) -> f64 {
    let (mut low, mut high) = (delta.max(0.0) + 1e-14, (1.0 + delta).min(1.0) - 1e-14);
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    for _ in 0..120 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if likelihood(shares, left, delta) < likelihood(shares, right, delta) {
            low = left;
        } else {
            high = right;
        }
    }
    let (p1, p2) = (low, low - delta);
    let [n1, n2] = [shares.a.n, shares.b.n].map(keny::stats::real);
    let variance = (p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2) * factor;
    (shares.difference().expect("filled") - delta) / variance.sqrt()
}

#[test]
fn score_intervals_follow_the_likelihood() {
    for shares in
        [both(412, 1000, 365, 1000), both(0, 50, 4, 50), both(7, 34, 1, 34), both(9, 10, 3, 40)]
    {
        let total = keny::stats::real(shares.a.n + shares.b.n);
        let corrected = shares.miettinen_nurminen(P95).expect("filled");
        let plain = shares.mee(P95).expect("filled");
        for (interval, factor) in [(corrected, total / (total - 1.0)), (plain, 1.0)] {
            let low = score_by_search(shares, interval.low(), factor);
            let high = score_by_search(shares, interval.high(), factor);
            assert!((low - P95.z()).abs() < 1e-5, "{shares:?} low {low}");
            assert!((high + P95.z()).abs() < 1e-5, "{shares:?} high {high}");
        }
    }
}
