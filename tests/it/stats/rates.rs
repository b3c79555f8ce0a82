//! Rates over turns and positions, and the diversity of lines.

use keny::stats::diversity::diversity;
use keny::stats::paired::{mean_estimate, paired_difference};
use keny::stats::ratio::{RatioSums, paired_ratio_difference};
use keny::stats::{Confidence, Estimate, Missing};

use super::sampling::{Sampler, rate};

const P95: Confidence = Confidence::P95;

fn sums(games: &[(u64, u64)]) -> RatioSums {
    let mut sums = RatioSums::default();
    games.iter().for_each(|&(x, y)| sums.add(x, y));
    sums
}

fn same(found: Estimate, wanted: Estimate) {
    assert!((found.value - wanted.value).abs() < 1e-12);
    assert!((found.standard_error - wanted.standard_error).abs() < 1e-12);
}

fn covers(estimate: Estimate, truth: f64) -> bool {
    estimate.judgement.is_ok_and(|j| j.interval.contains(truth))
}

#[test]
fn with_equal_denominators_a_rate_is_a_mean() {
    let (a, b) = ([3, 0, 7, 4, 4], [2, 1, 3, 4, 0]);
    let of_ten = |x: [u64; 5]| x.map(|x| (x, 10));
    let shares = |x: [u64; 5]| x.map(|x| keny::stats::real(x) / 10.0);
    let found = sums(&of_ten(a)).estimate(P95).expect("five games");
    same(found, mean_estimate(&shares(a), P95).expect("five games"));
    let found = paired_ratio_difference(&of_ten(a), &of_ten(b), P95).expect("five openings");
    same(found, paired_difference(&shares(a), &shares(b), P95).expect("five").estimate);
}

#[test]
fn rates_merge_exactly_and_name_what_is_missing() {
    let games = [(3, 11), (0, 4), (9, 30), (2, 2)];
    let mut halves = sums(&games[2..]);
    halves.merge(&sums(&games[..2]));
    assert_eq!(halves, sums(&games));
    assert_eq!((halves.numerator(), halves.denominator(), halves.games()), (14, 47, 4));
    assert_eq!(RatioSums::default().value(), Err(Missing::Empty));
    assert_eq!(sums(&[(0, 0)]).value(), Err(Missing::EmptyCell));
    let judged = |games: &[(u64, u64)]| sums(games).estimate(P95).expect("a rate").judgement;
    assert_eq!(judged(&[(1, 2)]), Err(Missing::Single));
    assert_eq!(judged(&[(1, 2), (2, 4)]), Err(Missing::NoSpread));
    assert_eq!(paired_ratio_difference(&[(1, 2)], &[], P95), Err(Missing::Shape));
    assert_eq!(paired_ratio_difference(&[], &[], P95), Err(Missing::Empty));
}

/// Turns of a game and the captures among them; long games have a lower rate.
fn captures(s: &mut Sampler) -> (u64, u64) {
    let turns = s.length(40.0, 15.0).max(5);
    let own = (0.4 - 0.004 * keny::stats::real_len(turns) + 0.05 * s.normal()).clamp(0.01, 0.9);
    let captures = (0..turns).filter(|_| s.chance(own)).count();
    let count = |value: usize| u64::try_from(value).expect("small");
    (count(captures), count(turns))
}

#[test]
fn rates_cover_the_true_rate() {
    let mut sampler = Sampler::new(111);
    let many: Vec<(u64, u64)> = (0..40_000).map(|_| captures(&mut sampler)).collect();
    let truth = sums(&many).value().expect("games");
    let held = rate(1000, 112, |s| {
        let games: Vec<(u64, u64)> = (0..60).map(|_| captures(s)).collect();
        covers(sums(&games).estimate(P95).expect("games"), truth)
    });
    assert!((0.93..=0.97).contains(&held), "{held}");
    let held = rate(1000, 113, |s| {
        let mut games = || -> Vec<(u64, u64)> { (0..50).map(|_| captures(s)).collect() };
        let (a, b) = (sums(&games()), sums(&games()));
        covers(a.difference(&b, P95).expect("games"), 0.0)
    });
    assert!((0.93..=0.97).contains(&held), "{held}");
}

#[test]
fn the_diversity_of_equal_lines_is_their_number() {
    let found = diversity(&[5, 5, 0, 5, 5], P95).expect("lines");
    assert_eq!(found.distinct, 4);
    assert!((found.entropy_observed - 2.0).abs() < 1e-12);
    assert_eq!((found.top.count, found.top.n), (5, 20));
    // All shares equal: the first-order error is 0 and says nothing.
    assert_eq!(found.entropy.judgement, Err(Missing::NoSpread));
    for lines in 2..60 {
        let found = diversity(&vec![7; lines], P95).expect("lines");
        assert_eq!(found.entropy.judgement, Err(Missing::NoSpread), "{lines} lines");
    }
    assert_eq!(diversity(&[0, 0], P95), Err(Missing::Empty));
    let one = diversity(&[9], P95).expect("a line");
    assert_eq!(one.entropy_observed.to_bits(), 0.0_f64.to_bits());
    assert_eq!(one.entropy.judgement, Err(Missing::NoSpread));
}

#[test]
fn entropy_covers_the_true_one() {
    let chances = [0.4, 0.25, 0.15, 0.1, 0.06, 0.04];
    let truth: f64 = chances.iter().map(|p: &f64| -p * p.log2()).sum();
    let held = rate(2000, 114, |s| {
        covers(diversity(&s.counts(150, chances), P95).expect("lines").entropy, truth)
    });
    assert!((0.925..=0.97).contains(&held), "{held}");
}
