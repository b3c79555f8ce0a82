//! Small counts listed one by one: results are finite, intervals hold their estimate, and hand
//! computed values come out.

use keny::stats::histogram::Histogram;
use keny::stats::interval::{Share, goodman, sison_glaz};
use keny::stats::multiple::{Correction, adjust_column};
use keny::stats::paired::{PairedShares, paired_difference, sign_flip};
use keny::stats::proportions::{ShareTest, TwoShares, equivalence};
use keny::stats::ranks::{RankMethod, compare};
use keny::stats::score::{Pentanomial, Wdl, elo};
use keny::stats::sequential::anytime_share;
use keny::stats::sprt::{LlrModel, llr};
use keny::stats::survival::{curve, median};
use keny::stats::table::{Stratum, homogeneity, stratified};
use keny::stats::{Confidence, Interval, Known, Missing};

const P95: Confidence = Confidence::P95;

fn finite(value: Known<f64>) {
    if let Ok(value) = value {
        assert!(value.is_finite());
    }
}

fn holds(interval: Known<Interval>, value: Known<f64>) {
    if let Ok(interval) = interval {
        let value = value.expect("an interval has an estimate");
        assert!(interval.low().is_finite() && interval.high().is_finite());
        assert!(interval.low() < interval.high());
        let slack = 1e-9;
        assert!(interval.low() - slack <= value && value <= interval.high() + slack);
    }
}

#[test]
fn all_small_scores_are_finite_or_missing() {
    for wins in 0..5 {
        for draws in 0..5 {
            for losses in 0..5 {
                let games = Wdl { wins, draws, losses };
                let counts = games.low_to_high();
                let score = games.score();
                let value = score.map(|s| s.value);
                holds(score.and_then(|s| s.interval(P95)), value);
                holds(score.and_then(|s| s.wilson(P95)), value);
                finite(score.and_then(|s| s.elo(P95).low));
                finite(score.and_then(|s| s.superiority()));
                finite(score.and_then(|s| s.nelo(P95)).map(|n| n.value));
                finite(games.superiority_exact());
                finite(games.superiority_decisive());
                finite(games.bayes_elo().map(|b| b.draw));
                finite(games.balance());
                for model in LlrModel::ALL {
                    finite(llr(&counts, model, 0.0, 10.0));
                }
                let shares: Known<Vec<f64>> =
                    [games.loss_share(), games.draw_share(), games.win_share()]
                        .iter()
                        .map(|s| s.value())
                        .collect();
                assert_eq!(goodman(&counts, P95).is_ok(), games.n() > 0);
                for intervals in [goodman(&counts, P95), sison_glaz(&counts, P95)] {
                    // Sison and Glaz give a share of 1 no width in tiny samples: it is refused.
                    assert_eq!(intervals == Err(Missing::Empty), games.n() == 0);
                    for (i, interval) in intervals.into_iter().flatten().enumerate() {
                        holds(Ok(interval), shares.clone().map(|s| s[i]));
                    }
                }
                let other = Wdl { wins: 2, draws: 1, losses: 1 };
                if let Ok(found) = games.score_difference_welch(other, P95) {
                    holds(found.judgement.map(|j| j.interval), Ok(found.value));
                }
            }
        }
    }
}

#[test]
fn all_small_tables_are_finite_or_missing() {
    for x1 in 0..=4 {
        for y1 in 0..=4 {
            for x2 in 0..=4 {
                for y2 in 0..=4 {
                    let (a, b) = (Share { count: x1, n: x1 + y1 }, Share { count: x2, n: x2 + y2 });
                    let both = TwoShares { a, b };
                    let difference = both.difference();
                    for interval in [
                        both.newcombe(P95),
                        both.agresti_caffo(P95),
                        both.miettinen_nurminen(P95),
                        both.mee(P95),
                        both.wald(P95),
                    ] {
                        // The interval of Agresti and Caffo is drawn toward 0.
                        let slack = both.agresti_caffo(P95) == interval;
                        if !slack {
                            holds(interval, difference);
                        }
                    }
                    assert_eq!(both.newcombe(P95).is_ok(), difference.is_ok());
                    assert_eq!(both.mee(P95).is_ok(), difference.is_ok());
                    holds(both.odds_ratio_interval(P95), both.odds_ratio());
                    finite(both.fisher());
                    finite(both.p_value().map(|(p, _)| p));
                    let paired = PairedShares { both: x1, only_a: y1, only_b: x2, neither: y2 };
                    holds(paired.tango(P95), paired.difference());
                    holds(paired.newcombe(P95), paired.difference());
                    assert_eq!(paired.tango(P95).is_ok(), paired.n() > 0);
                    finite(paired.mcnemar_exact());
                    finite(paired.phi());
                    let table = [vec![x1, y1], vec![x2, y2]];
                    finite(homogeneity(&table).map(|h| h.cramers_v));
                    let stratum = Stratum { a: [x1, y1], b: [x2, y2] };
                    finite(stratified(&[stratum], P95).map(|s| s.breslow_day));
                    if let (Ok(common), Ok(plain)) =
                        (stratified(&[stratum], P95), both.odds_ratio())
                    {
                        assert!((common.odds_ratio - plain).abs() < 1e-9);
                        assert!(common.breslow_day < 1e-9, "one stratum agrees with itself");
                    }
                    holds(anytime_share(a, P95), a.value());
                }
            }
        }
    }
}

#[test]
fn p_values_name_their_test() {
    let both =
        |x1, n1, x2, n2| TwoShares { a: Share { count: x1, n: n1 }, b: Share { count: x2, n: n2 } };
    let (_, test) = both(412, 1000, 365, 1000).p_value().expect("filled");
    assert_eq!(test, ShareTest::PooledZ);
    let (p, test) = both(0, 50, 4, 50).p_value().expect("filled");
    assert_eq!(test, ShareTest::Fisher);
    assert!((p - 0.117_463_3).abs() < 1e-6);
    // The lady tasting tea: all four cups right, and three of four.
    assert!((both(4, 4, 0, 4).fisher().expect("filled") - 2.0 / 70.0).abs() < 1e-12);
    assert!((both(3, 4, 1, 4).fisher().expect("filled") - 34.0 / 70.0).abs() < 1e-12);
}

#[test]
fn rows_without_p_stay_without() {
    let column = [Some(0.01), None, Some(0.04), Some(0.03)];
    let (adjusted, together) = adjust_column(&column, Correction::Holm);
    assert_eq!(together, 3);
    let wanted = [Some(0.03), None, Some(0.06), Some(0.06)];
    for (found, wanted) in adjusted.iter().zip(wanted) {
        assert_eq!(found.is_some(), wanted.is_some());
        if let (Some(found), Some(wanted)) = (found, wanted) {
            assert!((found - wanted).abs() < 1e-15);
        }
    }
    for correction in Correction::ALL {
        assert!(correction.adjust(&[]).is_empty());
        assert!((correction.adjust(&[0.3])[0] - 0.3).abs() < 1e-12, "one p needs no correction");
    }
}

#[test]
fn hommel_is_the_closed_simes_test() {
    // The closure by definition: the largest Simes p of all families that hold the hypothesis.
    let p = [0.012, 0.04, 0.021, 0.3, 0.019];
    let closed: Vec<f64> = (0..p.len())
        .map(|i| {
            (1_u32..1 << p.len())
                .filter(|family| family >> i & 1 == 1)
                .map(|family| {
                    let mut members: Vec<f64> =
                        (0..p.len()).filter(|j| family >> j & 1 == 1).map(|j| p[j]).collect();
                    members.sort_by(f64::total_cmp);
                    let size = keny::stats::real_len(members.len());
                    let each = members.iter().zip(1..).map(|(p, rank)| p * size / f64::from(rank));
                    each.fold(1.0, f64::min)
                })
                .fold(0.0, f64::max)
        })
        .collect();
    for (found, wanted) in Correction::Hommel.adjust(&p).iter().zip(closed) {
        assert!((found - wanted).abs() < 1e-14, "{found} {wanted}");
    }
}

#[test]
fn paired_series_without_spread_keep_their_difference() {
    let found = paired_difference(&[1.0, 0.5], &[0.5, 0.0], P95).expect("two pairs");
    assert!((found.estimate.value - 0.5).abs() < 1e-15);
    assert_eq!(found.estimate.judgement, Err(Missing::NoSpread));
    let one = paired_difference(&[1.0], &[0.0], P95).expect("one pair");
    assert_eq!(one.estimate.judgement, Err(Missing::Single));
    // Rounding is not spread: 0.3 − 0.2 and 0.9 − 0.8 differ in the last digits.
    let found = paired_difference(&[0.3, 0.9], &[0.2, 0.8], P95).expect("two pairs");
    assert_eq!(found.estimate.judgement, Err(Missing::NoSpread));
    assert_eq!(paired_difference(&[], &[], P95), Err(Missing::Empty));
    assert_eq!(paired_difference(&[1.0], &[], P95), Err(Missing::Shape));
    assert_eq!(sign_flip(&[0.0, 0.0]), Err(Missing::NoSpread));
    assert_eq!(equivalence(0.0, 0.0, 0.1, 0.05), Err(Missing::NoSpread));
    assert_eq!(equivalence(0.0, 0.1, -0.1, 0.05), Err(Missing::Range));
}

#[test]
fn histograms_agree_with_sorted_lists() {
    let values = [3_usize, 0, 7, 7, 2, 9, 4, 4, 4, 1, 12];
    let histogram: Histogram = values.into_iter().collect();
    let mut sorted = values;
    sorted.sort_unstable();
    for hundredth in 0..=100_u32 {
        let p = f64::from(hundredth) / 100.0;
        let place = p * 10.0;
        let below = (0..10).rev().find(|&i| keny::stats::real_len(i) <= place).unwrap_or(0);
        let [low, high] = [sorted[below], sorted[below + 1]].map(keny::stats::real_len);
        let wanted = low + (place - keny::stats::real_len(below)) * (high - low);
        let found = histogram.quantile(p).expect("values");
        assert!((found - wanted).abs() < 1e-12, "{p}: {found} {wanted}");
    }
    assert_eq!((histogram.least(), histogram.largest()), (Some(0), Some(12)));
    // Merging in any order gives the same counts.
    let halves: Vec<Histogram> =
        values.chunks(4).map(|chunk| chunk.iter().copied().collect()).collect();
    let merged = |order: &[usize]| {
        let mut sum = Histogram::new();
        order.iter().for_each(|&i| sum.merge(&halves[i]));
        sum
    };
    assert_eq!(merged(&[0, 1, 2]), histogram);
    assert_eq!(merged(&[2, 0, 1]), histogram);
    assert_eq!(Histogram::new().mean(), Err(Missing::Empty));
    assert_eq!(Histogram::new().quantile(0.5), Err(Missing::Empty));
    let one: Histogram = [5].into_iter().collect();
    assert_eq!(one.deviation(), Err(Missing::Single));
    assert_eq!(one.median(), Ok(5.0));
    assert_eq!(one.quantile_interval(0.5, P95), Err(Missing::Unbounded));
    assert_eq!(Histogram::from_counts(vec![0, 2, 0, 0]).counts(), [0, 2]);
}

#[test]
fn exact_rank_tests_count_all_arrangements() {
    // Nine different values; all ways to call four of them the first sample.
    let values = [2_usize, 3, 5, 8, 13, 21, 34, 55, 89];
    let split = |choice: u32| -> (Histogram, Histogram) {
        let part = |inside: bool| {
            values
                .iter()
                .enumerate()
                .filter(move |(i, _)| (choice >> i & 1 == 1) == inside)
                .map(|(_, v)| *v)
                .collect()
        };
        (part(true), part(false))
    };
    let choices: Vec<u32> = (0..1_u32 << 9).filter(|c| c.count_ones() == 4).collect();
    let u_of = |choice: u32| {
        let (a, b) = split(choice);
        compare(&a, &b, P95).expect("two samples").u
    };
    let all: Vec<f64> = choices.iter().map(|&choice| u_of(choice)).collect();
    for &choice in choices.iter().step_by(7) {
        let (a, b) = split(choice);
        let found = compare(&a, &b, P95).expect("two samples");
        assert_eq!(found.method, RankMethod::Exact);
        let distance = (found.u - 10.0).abs();
        let extreme = all.iter().filter(|u| (*u - 10.0).abs() >= distance).count();
        let wanted = keny::stats::real_len(extreme) / keny::stats::real_len(all.len());
        assert!((found.p - wanted).abs() < 1e-12, "{} {wanted}", found.p);
    }
    let same: Histogram = [4, 4].into_iter().collect();
    assert_eq!(compare(&same, &same, P95), Err(Missing::NoSpread));
    assert_eq!(compare(&same, &Histogram::new(), P95), Err(Missing::Empty));
}

/// Remission times of Freireich and others, Blood 21 (1963) 699, the standard example of texts.
#[test]
fn survival_curves_agree_with_the_textbook() {
    let finished: Histogram = [6, 6, 6, 7, 10, 13, 16, 22, 23].into_iter().collect();
    let cut: Histogram = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].into_iter().collect();
    let steps = curve(&finished, &cut).expect("patients");
    let wanted =
        [(6, 0.857), (7, 0.807), (10, 0.753), (13, 0.690), (16, 0.627), (22, 0.538), (23, 0.448)];
    assert_eq!(steps.len(), wanted.len());
    for (step, (length, survival)) in steps.iter().zip(wanted) {
        assert_eq!(step.length, length);
        assert!((step.survival - survival).abs() < 6e-4);
    }
    assert!((steps[0].variance.sqrt() - 0.0764).abs() < 5e-5);
    let found = median(&finished, &cut, P95).expect("half have ended");
    assert!((found.value - 23.0).abs() < 1e-12);
    assert_eq!(found.interval, Err(Missing::Unbounded));
    let placebo: Histogram =
        [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
            .into_iter()
            .collect();
    let found = median(&placebo, &Histogram::new(), P95).expect("all have ended");
    assert!((found.value - 8.0).abs() < 1e-12);
    let interval = found.interval.expect("both ends");
    assert_eq!((interval.low(), interval.high()), (3.5, 11.5));
    let early: Histogram = [3].into_iter().collect();
    let late: Histogram = [9, 9, 9].into_iter().collect();
    assert_eq!(median(&early, &late, P95), Err(Missing::Censored));
    assert_eq!(median(&Histogram::new(), &Histogram::new(), P95), Err(Missing::Empty));
}

#[test]
fn elo_has_no_minus_zero_and_no_infinity() {
    assert_eq!(elo(0.5).expect("even").to_bits(), 0.0_f64.to_bits());
    assert_eq!(elo(1.0), Err(Missing::UnboundedAbove));
    assert_eq!(elo(0.0), Err(Missing::UnboundedBelow));
    let mut pairs = Pentanomial::default();
    pairs.add(4).expect("two wins");
    assert_eq!(pairs.add(5), Err(Missing::Range));
    assert_eq!(pairs.n(), 1);
    assert_eq!(pairs.score().expect("a pair").sample_variance(), Err(Missing::Single));
}

#[test]
fn confidence_levels_and_intervals_refuse_nonsense() {
    assert_eq!(Confidence::new(1.0), None);
    assert_eq!(Confidence::new(0.0), None);
    assert_eq!(Confidence::new(f64::NAN), None);
    assert!((P95.shared_by(5).alpha() - 0.01).abs() < 1e-15);
    assert_eq!(Interval::new(1.0, 1.0), Err(Missing::NoSpread));
    assert_eq!(Interval::new(f64::NAN, 1.0), Err(Missing::Unbounded));
    assert_eq!(Interval::new(0.0, f64::INFINITY), Err(Missing::Unbounded));
    assert_eq!(Share::new(3, 2), None);
    assert_eq!(Share { count: 0, n: 0 }.wilson(P95), Err(Missing::Empty));
    assert_eq!(Share { count: 3, n: 2 }.wilson(P95), Err(Missing::Range));
}

#[test]
fn kendall_counts_pairs_that_stand_alike() {
    use keny::stats::ranks::kendall_tau;
    let close = |a: &[f64], b: &[f64], wanted: f64| {
        let tau = kendall_tau(a, b).expect("an order");
        assert!((tau - wanted).abs() < 1e-12, "{tau}");
    };
    close(&[1.0, 2.0, 3.0, 4.0], &[10.0, 20.0, 30.0, 40.0], 1.0);
    close(&[1.0, 2.0, 3.0, 4.0], &[4.0, 3.0, 2.0, 1.0], -1.0);
    // Two of six pairs turn round.
    close(&[1.0, 2.0, 3.0, 4.0], &[2.0, 1.0, 4.0, 3.0], 2.0 / 6.0);
    // scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]): its own example.
    close(&[12.0, 2.0, 1.0, 12.0, 2.0], &[1.0, 4.0, 7.0, 1.0, 0.0], -0.471_404_520_791_031_7);
    assert_eq!(kendall_tau(&[], &[]), Err(Missing::Empty));
    assert_eq!(kendall_tau(&[1.0], &[1.0]), Err(Missing::Single));
    assert_eq!(kendall_tau(&[1.0, 2.0], &[1.0]), Err(Missing::Shape));
    assert_eq!(kendall_tau(&[1.0, 1.0], &[1.0, 2.0]), Err(Missing::NoSpread));
}
