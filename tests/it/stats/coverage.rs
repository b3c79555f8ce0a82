//! How often intervals hold what they should, and tests err: exactly where all outcomes can be
//! listed, else over simulated games with fixed seeds.

use std::collections::BTreeMap;

use keny::stats::distribution::binomial_pmf;
use keny::stats::histogram::Histogram;
use keny::stats::interval::{Share, goodman, sison_glaz};
use keny::stats::multiple::{Correction, rejected};
use keny::stats::paired::{PairedShares, paired_difference, welch};
use keny::stats::proportions::{TwoShares, equivalence};
use keny::stats::ranks::compare;
use keny::stats::score::{Pentanomial, Wdl};
use keny::stats::sequential::{GroupBounds, UNIT_SIGMA, anytime_radius, anytime_share, best_rho};
use keny::stats::{Confidence, Interval, Known, real, survival};

use super::sampling::rate;

const P95: Confidence = Confidence::P95;

fn between(found: f64, low: f64, high: f64, what: &str) {
    assert!(low <= found && found <= high, "{what}: {found} is not in {low}..{high}");
}

/// Exact coverage of an interval of a share.
fn share_coverage(interval: impl Fn(Share) -> Known<Interval>, n: u64, p: f64) -> f64 {
    (0..=n)
        .filter(|&count| interval(Share { count, n }).is_ok_and(|i| i.contains(p)))
        .map(|count| binomial_pmf(count, n, p))
        .sum()
}

/// Mean and least exact coverage over true shares from 2 % to 98 %.
fn share_coverages(interval: impl Fn(Share) -> Known<Interval> + Copy, n: u64) -> (f64, f64) {
    let all: Vec<f64> = (1..50).map(|i| share_coverage(interval, n, f64::from(i) / 50.0)).collect();
    let mean = all.iter().sum::<f64>() / keny::stats::real_len(all.len());
    (mean, all.into_iter().fold(1.0, f64::min))
}

#[test]
fn intervals_of_a_share_cover_it() {
    for n in [10, 40, 150] {
        let (mean, least) = share_coverages(|s| s.wilson(P95), n);
        between(mean, 0.94, 0.965, "Wilson, mean");
        between(least, 0.83, 0.96, "Wilson, least");
        let (mean, least) = share_coverages(|s| s.jeffreys(P95), n);
        between(mean, 0.94, 0.965, "Jeffreys, mean");
        between(least, 0.85, 0.96, "Jeffreys, least");
        let (mean, least) = share_coverages(|s| s.clopper_pearson(P95), n);
        between(mean, 0.95, 0.99, "Clopper-Pearson, mean");
        between(least, 0.95, 0.99, "Clopper-Pearson, least");
        let (mean, least) = share_coverages(|s| s.agresti_coull(P95), n);
        between(mean, 0.95, 0.98, "Agresti-Coull, mean");
        between(least, 0.92, 0.97, "Agresti-Coull, least");
        let (mean, least) = share_coverages(|s| anytime_share(s, P95), n);
        between(mean, 0.98, 1.0, "anytime, mean");
        between(least, 0.97, 1.0, "anytime, least");
    }
    // Why Wald is not offered by default.
    let (mean, least) = share_coverages(|s| s.wald(P95), 10);
    between(mean, 0.5, 0.88, "Wald, mean");
    between(least, 0.0, 0.3, "Wald, least");
}

/// Exact coverage of an interval of the difference of two shares.
fn difference_coverage(
    interval: impl Fn(TwoShares) -> Known<Interval>,
    (n1, n2): (u64, u64),
    shares: &[(f64, f64)],
) -> Vec<f64> {
    let mut covered = vec![0.0; shares.len()];
    for x1 in 0..=n1 {
        for x2 in 0..=n2 {
            let table = TwoShares { a: Share { count: x1, n: n1 }, b: Share { count: x2, n: n2 } };
            let Ok(found) = interval(table) else { continue };
            for (sum, &(p1, p2)) in covered.iter_mut().zip(shares) {
                if found.contains(p1 - p2) {
                    *sum += binomial_pmf(x1, n1, p1) * binomial_pmf(x2, n2, p2);
                }
            }
        }
    }
    covered
}

#[test]
fn intervals_of_a_difference_cover_it() {
    let shares = [(0.5, 0.5), (0.4, 0.3), (0.1, 0.1), (0.9, 0.7), (0.2, 0.6), (0.05, 0.15)];
    for sizes in [(25, 25), (20, 45)] {
        for coverage in difference_coverage(|t| t.newcombe(P95), sizes, &shares) {
            between(coverage, 0.935, 0.985, "Newcombe");
        }
        for coverage in difference_coverage(|t| t.miettinen_nurminen(P95), sizes, &shares) {
            between(coverage, 0.935, 0.985, "Miettinen-Nurminen");
        }
        for coverage in difference_coverage(|t| t.mee(P95), sizes, &shares) {
            between(coverage, 0.93, 0.985, "Mee");
        }
        for coverage in difference_coverage(|t| t.agresti_caffo(P95), sizes, &shares) {
            between(coverage, 0.935, 0.985, "Agresti-Caffo");
        }
    }
}

#[test]
fn tests_of_two_shares_keep_their_error() {
    for p in [0.1, 0.3, 0.5] {
        let (n1, n2) = (30, 40);
        let error = |p_value: &dyn Fn(TwoShares) -> Known<f64>| -> f64 {
            let mut sum = 0.0;
            for x1 in 0..=n1 {
                for x2 in 0..=n2 {
                    let table =
                        TwoShares { a: Share { count: x1, n: n1 }, b: Share { count: x2, n: n2 } };
                    if p_value(table).is_ok_and(|p| p <= 0.05) {
                        sum += binomial_pmf(x1, n1, p) * binomial_pmf(x2, n2, p);
                    }
                }
            }
            sum
        };
        between(error(&|t| t.fisher()), 0.005, 0.05, "Fisher never exceeds its level");
        between(error(&|t| t.pooled_z().map(|z| z.p)), 0.03, 0.06, "pooled z");
        between(error(&|t| t.p_value().map(|(p, _)| p)), 0.005, 0.06, "the usual choice");
    }
}

#[test]
fn simultaneous_intervals_cover_all_shares_together() {
    let chances = [0.5, 0.3, 0.2];
    let all_covered = |found: Known<Vec<Interval>>| {
        found.is_ok_and(|list| list.iter().zip(chances).all(|(i, p)| i.contains(p)))
    };
    let found = rate(1500, 11, |s| all_covered(goodman(&s.counts(150, chances), P95)));
    between(found, 0.94, 0.98, "Goodman");
    let found = rate(1500, 12, |s| all_covered(sison_glaz(&s.counts(150, chances), P95)));
    between(found, 0.935, 0.98, "Sison-Glaz");
}

#[test]
fn intervals_of_scores_cover_the_score() {
    for (chances, n) in [([0.3, 0.4, 0.3], 60), ([0.15, 0.25, 0.6], 100), ([0.1, 0.85, 0.05], 400)]
    {
        let truth = chances[1] / 2.0 + chances[2];
        let found = rate(3000, 21, |s| {
            let [losses, draws, wins] = s.counts(n, chances);
            let score = Wdl { wins, draws, losses }.score().expect("games");
            score.interval(P95).is_ok_and(|i| i.contains(truth))
        });
        between(found, 0.935, 0.965, "score of games");
    }
    let pairs = [0.1, 0.15, 0.4, 0.2, 0.15];
    let truth = (pairs[1] + 2.0 * pairs[2] + 3.0 * pairs[3] + 4.0 * pairs[4]) / 4.0;
    let found = rate(3000, 22, |s| {
        let score = Pentanomial { pairs: s.counts(80, pairs) }.score().expect("pairs");
        score.interval(P95).is_ok_and(|i| i.contains(truth))
    });
    between(found, 0.935, 0.965, "score of pairs");
}

#[test]
fn pairing_by_opening_is_judged_right() {
    // Openings shift both scores alike, so the series correlate.
    let series = |s: &mut super::sampling::Sampler, shift: f64| {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let opening = s.normal();
            let score = |x: f64| {
                if x > 0.5 {
                    1.0
                } else if x < -0.5 {
                    0.0
                } else {
                    0.5
                }
            };
            a.push(score(opening + 0.5 * s.normal() + shift));
            b.push(score(opening + 0.5 * s.normal()));
        }
        (a, b)
    };
    let wrong = |p: f64| p <= 0.05;
    let paired = rate(3000, 31, |s| {
        let (a, b) = series(s, 0.0);
        let found = paired_difference(&a, &b, P95).expect("pairs");
        assert!(found.correlation.expect("spread") > 0.2);
        found.estimate.judgement.is_ok_and(|j| wrong(j.p))
    });
    between(paired, 0.035, 0.06, "paired t");
    let unpaired = rate(3000, 32, |s| {
        let (a, b) = series(s, 0.0);
        welch(&a, &b, P95).expect("series").judgement.is_ok_and(|j| wrong(j.p))
    });
    between(unpaired, 0.0, 0.02, "Welch ignores the pairing and sees less");
    let power = |paired: bool| {
        rate(1000, 33, |s| {
            let (a, b) = series(s, 0.3);
            let found = if paired {
                paired_difference(&a, &b, P95).expect("pairs").estimate
            } else {
                welch(&a, &b, P95).expect("series")
            };
            found.judgement.is_ok_and(|j| wrong(j.p))
        })
    };
    assert!(power(true) > power(false) + 0.1, "pairing gains power");
}

#[test]
fn intervals_of_paired_shares_cover_the_difference() {
    for chances in [[0.3, 0.15, 0.1, 0.45], [0.05, 0.1, 0.02, 0.83]] {
        let truth = chances[1] - chances[2];
        let covers = |interval: fn(PairedShares) -> Known<Interval>, seed| {
            rate(2000, seed, |s| {
                let [both, only_a, only_b, neither] = s.counts(60, chances);
                interval(PairedShares { both, only_a, only_b, neither })
                    .is_ok_and(|i| i.contains(truth))
            })
        };
        between(covers(|t| t.tango(P95), 41), 0.935, 0.98, "Tango");
        between(covers(|t| t.newcombe(P95), 42), 0.935, 0.98, "Newcombe, paired");
    }
    let error = rate(2000, 43, |s| {
        let [both, only_a, only_b, neither] = s.counts(80, [0.3, 0.12, 0.12, 0.46]);
        let table = PairedShares { both, only_a, only_b, neither };
        table.mcnemar_exact().is_ok_and(|p| p <= 0.05)
    });
    between(error, 0.01, 0.05, "exact McNemar");
}

#[test]
fn intervals_of_lengths_cover_median_and_shift() {
    let sample = |s: &mut super::sampling::Sampler, n: usize, mean: f64| -> Histogram {
        (0..n).map(|_| s.length(mean, 12.0)).collect()
    };
    let found = rate(1500, 51, |s| {
        let histogram = sample(s, 41, 60.0);
        histogram.quantile_interval(0.5, P95).is_ok_and(|i| i.contains(60.0))
    });
    between(found, 0.945, 0.985, "median");
    let found = rate(1500, 52, |s| {
        let histogram = sample(s, 41, 60.0);
        let judged = histogram.mean_estimate(P95).expect("games").judgement;
        judged.is_ok_and(|j| j.interval.contains(60.0))
    });
    between(found, 0.935, 0.965, "mean");
    let found = rate(1000, 53, |s| {
        let (a, b) = (sample(s, 30, 65.0), sample(s, 40, 60.0));
        compare(&a, &b, P95).expect("games").interval.is_ok_and(|i| i.contains(5.0))
    });
    between(found, 0.94, 0.98, "shift");
    let error = rate(1500, 54, |s| {
        let (a, b) = (sample(s, 30, 60.0), sample(s, 40, 60.0));
        compare(&a, &b, P95).expect("games").p <= 0.05
    });
    between(error, 0.035, 0.06, "rank test");
}

#[test]
fn medians_of_cut_off_games_cover_the_true_one() {
    // A third of the games is cut off before the end, by a cap that varies.
    let mut naive_misses = 0;
    let found = rate(800, 61, |s| {
        let (mut finished, mut cut) = (Histogram::new(), Histogram::new());
        for _ in 0..120 {
            let (length, cap) = (s.length(60.0, 20.0), s.length(70.0, 20.0));
            if length <= cap { finished.add(length) } else { cut.add(cap) }
        }
        let naive = finished.quantile_interval(0.5, P95).expect("games");
        naive_misses += u32::from(!naive.contains(60.0));
        let median = survival::median(&finished, &cut, P95).expect("games");
        median.interval.is_ok_and(|i| i.contains(60.0))
    });
    between(found, 0.94, 0.985, "Kaplan-Meier median");
    assert!(naive_misses > 400, "leaving cut-off games out is biased: {naive_misses}");
}

#[test]
fn equivalence_is_seldom_claimed_at_the_margin() {
    let claims = |shift: f64, seed| {
        rate(3000, seed, |s| {
            let differences: Vec<f64> = (0..60).map(|_| shift + s.normal()).collect();
            let found = keny::stats::paired::mean_estimate(&differences, P95).expect("values");
            equivalence(found.value, found.standard_error, 0.4, 0.05).expect("spread").equivalent
        })
    };
    between(claims(0.4, 71), 0.03, 0.065, "at the margin");
    between(claims(0.0, 72), 0.8, 1.0, "at no difference");
}

#[test]
fn corrections_keep_the_error_of_many_tests() {
    let family = |s: &mut super::sampling::Sampler, effects: usize| -> Vec<f64> {
        (0..12)
            .map(|i| s.normal() + if i < effects { 3.0 } else { 0.0 })
            .map(keny::stats::distribution::normal_tails)
            .collect()
    };
    for correction in Correction::ALL {
        let any = rate(3000, 81, |s| rejected(&correction.adjust(&family(s, 0)), 0.05) > 0);
        between(any, 0.0, 0.06, correction.name());
    }
    let raw = rate(3000, 82, |s| rejected(&family(s, 0), 0.05) > 0);
    between(raw, 0.4, 0.52, "without correction");
    let mut false_share = 0.0;
    rate(3000, 83, |s| {
        let adjusted = Correction::BenjaminiHochberg.adjust(&family(s, 6));
        let (all, wrong) = (rejected(&adjusted, 0.05), rejected(&adjusted[6..], 0.05));
        false_share += keny::stats::real_len(wrong) / keny::stats::real_len(all.max(1)) / 3000.0;
        false
    });
    between(false_share, 0.015, 0.032, "false discoveries: half of the level, half are true");
}

#[test]
fn anytime_intervals_hold_under_peeking_and_wilson_does_not() {
    let truth = 0.4;
    let mut anytime_known: BTreeMap<Share, bool> = BTreeMap::new();
    let mut wilson_misses = 0_u32;
    let runs = 1000;
    let misses = rate(runs, 91, |s| {
        let (mut count, mut missed, mut wilson_missed) = (0, false, false);
        for n in 1..=600 {
            count += u64::from(s.chance(truth));
            let share = Share { count, n };
            let outside = |found: Known<Interval>| !found.expect("games").contains(truth);
            missed |=
                *anytime_known.entry(share).or_insert_with(|| outside(anytime_share(share, P95)));
            wilson_missed |= n > 20 && outside(share.wilson(P95));
        }
        wilson_misses += u32::from(wilson_missed);
        missed
    });
    between(misses, 0.0, 0.05, "anytime share under peeking");
    between(f64::from(wilson_misses) / f64::from(runs), 0.2, 1.0, "Wilson under peeking");
}

#[test]
fn anytime_radius_holds_for_scores_under_peeking() {
    let chances = [0.3, 0.2, 0.5];
    let rho = best_rho(300, P95).expect("some games");
    let radii: Vec<f64> =
        (1..=1000).map(|n| anytime_radius(n, UNIT_SIGMA, rho, P95).expect("games")).collect();
    let misses = rate(1500, 92, |s| {
        let mut sum = 0.0;
        let mut missed = false;
        for (n, radius) in (1..).zip(&radii) {
            sum += keny::stats::real_len(s.outcome(&chances)) / 2.0;
            missed |= (sum / real(n) - 0.6).abs() > *radius;
        }
        missed
    });
    between(misses, 0.0, 0.05, "anytime radius under peeking");
}

#[test]
fn group_bounds_spend_exactly_their_error() {
    for shape in [GroupBounds::Pocock, GroupBounds::OBrienFleming] {
        let constant = shape.constant(5, P95).expect("five looks");
        let crossed = rate(20_000, 93, |s| {
            let mut sum = 0.0;
            (1..=5_u32).fold(false, |crossed, look| {
                sum += s.normal();
                let z = sum / f64::from(look).sqrt();
                crossed | (z.abs() > shape.at(constant, look, 5))
            })
        });
        between(crossed, 0.046, 0.054, "five looks");
    }
    let one = GroupBounds::Pocock.constant(1, P95).expect("one look");
    assert!((one - P95.z()).abs() < 1e-9);
}
