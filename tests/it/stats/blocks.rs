//! Weighted sums of rates over shared units: equal to the special cases that have functions of
//! their own, and right on simulated designs.

use keny::stats::blocks::{Between, RateUnit, Rates, jackknife_interval};
use keny::stats::factorial::block_effects;
use keny::stats::interval::{Share, mover};
use keny::stats::linear::{Design, Errors, least_squares};
use keny::stats::model::{FactorModel, Order};
use keny::stats::ratio::{RatioSums, paired_ratio_difference};
use keny::stats::{Confidence, Interval, Missing, real};

use super::sampling::Sampler;

const P95: Confidence = Confidence::P95;

fn close(x: f64, y: f64) {
    assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{x} {y}");
}

/// A whole number from 0 to `n` − 1.
fn below(dice: &mut Sampler, n: u32) -> u64 {
    dice.outcome(&vec![1.0 / f64::from(n); n as usize]) as u64
}

fn unit(block: Option<u32>, top: u64, bottom: u64) -> RateUnit {
    RateUnit { block, top, bottom }
}

/// Values of 16 series in so many blocks, going together within a block.
fn table(dice: &mut Sampler, blocks: u32) -> Vec<Vec<u64>> {
    (0..blocks)
        .map(|_| {
            let common = below(dice, 20);
            (0..16).map(|series| common + below(dice, 10) + 2 * (series & 1) + series).collect()
        })
        .collect()
}

fn rates_of(blocks: &[Vec<u64>], shared: bool) -> Rates {
    let width = blocks[0].len();
    let series = (0..width).map(|series| {
        let units = (0..)
            .zip(blocks)
            .map(|(block, values)| unit(shared.then_some(block), values[series], 1));
        units.collect()
    });
    Rates::new(&series.collect::<Vec<Vec<RateUnit>>>(), 1.0)
}

#[test]
fn contrasts_within_blocks_are_block_effects() {
    let blocks = table(&mut Sampler::new(1), 30);
    let rates = rates_of(&blocks, true);
    let whole: Vec<Vec<f64>> =
        blocks.iter().map(|block| block.iter().map(|&x| real(x)).collect()).collect();
    for effect in block_effects(&whole, P95).expect("16 columns") {
        let sign = |cell| keny::stats::factorial::sign(cell, effect.factors) / 8.0;
        let weights: Vec<f64> = (0..16).map(sign).collect();
        let found = rates.sum(&weights, None, P95).expect("a contrast");
        close(found.value, effect.estimate.value);
        close(found.standard_error, effect.estimate.standard_error);
        let (found, wanted) = (found.judgement.expect("spread"), effect.estimate.judgement);
        assert_eq!(found.df, Some(29.0));
        close(found.p, wanted.expect("spread").p);
    }
    assert_eq!((rates.paired(), rates.blocks()), (true, 30));
    // The same numbers, each on its own, have the larger error of independent runs.
    let alone = rates_of(&blocks, false);
    let weights: Vec<f64> =
        (0..16).map(|cell| keny::stats::factorial::sign(cell, 2) / 8.0).collect();
    let apart = alone.sum(&weights, None, P95).expect("a contrast");
    let together = rates.sum(&weights, None, P95).expect("a contrast");
    close(apart.value, together.value);
    assert!(apart.standard_error > 1.3 * together.standard_error);
    let wanted = block_effects(&whole, P95).expect("16 columns")[1].se_independent;
    close(apart.standard_error, wanted.expect("spread"));
}

#[test]
fn two_series_are_the_difference_of_two_ratios() {
    let mut dice = Sampler::new(2);
    let mut series = |at: u64| -> Vec<(u64, u64)> {
        (0..40).map(|_| (at + below(&mut dice, 9), 5 + below(&mut dice, 5))).collect()
    };
    let (a, b) = (series(3), series(4));
    let units = |pairs: &[(u64, u64)], shared: bool| -> Vec<RateUnit> {
        (0..).zip(pairs).map(|(n, &(x, y))| unit(shared.then_some(n), x, y)).collect()
    };
    let rates = Rates::new(&[units(&a, true), units(&b, true)], 0.5);
    let found = rates.sum(&[1.0, -1.0], None, P95).expect("a difference");
    let wanted = paired_ratio_difference(&a, &b, P95).expect("a difference");
    close(found.value, wanted.value / 2.0);
    close(found.standard_error, wanted.standard_error / 2.0);
    close(found.judgement.expect("spread").p, wanted.judgement.expect("spread").p);
    // Independent units: Welch.
    let rates = Rates::new(&[units(&a, false), units(&b, false)], 1.0);
    let found = rates.sum(&[1.0, -1.0], None, P95).expect("a difference");
    let sums = |pairs: &[(u64, u64)]| {
        let mut sums = RatioSums::default();
        pairs.iter().for_each(|&(x, y)| sums.add(x, y));
        sums
    };
    let wanted = sums(&a).difference(&sums(&b), P95).expect("a difference");
    close(found.standard_error, wanted.standard_error);
    close(found.judgement.expect("spread").p, wanted.judgement.expect("spread").p);
}

#[test]
fn weights_of_least_squares_are_its_coefficients() {
    let blocks = table(&mut Sampler::new(3), 12);
    // Two of the sixteen combinations are missing.
    let kept: Vec<usize> = (0..16).filter(|cell| ![5, 11].contains(cell)).collect();
    let factors = [("A", 2), ("B", 2), ("C", 2), ("D", 2)];
    let model = FactorModel::new(&factors, Order::TwoWay).expect("four factors");
    let row = |cell: usize| {
        model.row(&(0..4).map(|factor| cell >> factor & 1).collect::<Vec<_>>()).expect("a row")
    };
    let mut runs = model.design();
    kept.iter().for_each(|&cell| runs.push(row(cell)).expect("a row"));
    let (mut games, mut y, mut labels) = (model.design(), Vec::new(), Vec::new());
    for (label, block) in (0..).zip(&blocks) {
        for &cell in &kept {
            games.push(row(cell)).expect("a row");
            y.push(real(block[cell]));
            labels.push(label);
        }
    }
    let fit = least_squares(&games, &y, Errors::Clustered(&labels), P95).expect("a fit");
    let (n, k) = (y.len() as f64, fit.coefficients.terms().len() as f64);
    let narrow: Vec<Vec<u64>> =
        blocks.iter().map(|block| kept.iter().map(|&cell| block[cell]).collect()).collect();
    let rates = rates_of(&narrow, true);
    let weights = runs.weights().expect("rows");
    assert_eq!(weights.len(), fit.coefficients.terms().len());
    for (weights, wanted) in weights.iter().zip(fit.coefficients.terms()) {
        let found = rates.sum(weights.as_ref().expect("estimable"), None, P95).expect("a sum");
        let wanted = wanted.estimate.expect("estimable");
        close(found.value, wanted.value);
        // That function has one factor more for small samples.
        close(found.standard_error, wanted.standard_error / ((n - 1.0) / (n - k)).sqrt());
    }
    // Effects and interactions as weighted sums of coefficients.
    let effect = |weights: &[f64]| fit.coefficients.combination(weights).expect("estimable").value;
    close(
        effect(&model.effect_weights(1, 0, 1).expect("known")),
        2.0 * fit.coefficients.named("B").expect("known").value,
    );
    close(
        effect(&model.interaction_weights((0, 0, 1), (2, 0, 1)).expect("known")),
        2.0 * fit.coefficients.named("A × C").expect("known").value,
    );
    assert_eq!(model.interaction_weights((0, 0, 1), (0, 0, 1)), Err(Missing::Range));
}

#[test]
fn interactions_of_factors_with_many_levels() {
    // m(a, b) with an interaction of 6 between level 2 of the first and level 1 of the second.
    let means = |a: usize, b: usize| {
        [1.0, 2.0, 4.0][a] + [0.0, 3.0][b] + if (a, b) == (2, 1) { 6.0 } else { 0.0 }
    };
    let model = FactorModel::new(&[("A", 3), ("B", 2)], Order::All).expect("two factors");
    assert_eq!(model.term_count(), 5);
    let mut design = model.design();
    let mut y = Vec::new();
    for a in 0..3 {
        for b in 0..2 {
            design.push(model.row(&[a, b]).expect("a row")).expect("a row");
            y.push(means(a, b));
        }
    }
    let fit = least_squares(&design, &y, Errors::Model, P95).expect("a fit");
    let value = |weights: Vec<f64>| fit.coefficients.combination(&weights).expect("known").value;
    close(value(model.effect_weights(0, 0, 2).expect("known")), 3.0 + 3.0);
    close(value(model.effect_weights(1, 0, 1).expect("known")), 3.0 + 2.0);
    close(value(model.interaction_weights((0, 0, 2), (1, 0, 1)).expect("known")), 3.0);
    close(value(model.interaction_weights((1, 0, 1), (0, 0, 1)).expect("known")), 0.0);
    assert_eq!(FactorModel::new(&[("A", 2); 13], Order::All), Err(Missing::Range));
}

#[test]
fn what_cannot_be_judged_says_why() {
    let alone = |pairs: &[(u64, u64)]| -> Vec<RateUnit> {
        pairs.iter().map(|&(x, y)| unit(None, x, y)).collect()
    };
    let rates = Rates::new(
        &[alone(&[]), alone(&[(1, 0), (0, 0)]), alone(&[(1, 1)]), alone(&[(1, 1), (1, 1)])],
        1.0,
    );
    assert_eq!(rates.value(0), Err(Missing::Empty));
    assert_eq!(rates.value(1), Err(Missing::EmptyCell));
    assert_eq!(rates.value(2), Err(Missing::Single));
    assert_eq!(rates.value(4), Err(Missing::Range));
    let same = rates.sum(&[0.0, 0.0, 0.0, 1.0], None, P95).expect("a value");
    assert_eq!((same.value, same.judgement), (1.0, Err(Missing::NoSpread)));
    assert_eq!(rates.sum(&[1.0, 0.0, 0.0, 0.0], None, P95), Err(Missing::Empty));
    assert_eq!(rates.sum(&[1.0], None, P95), Err(Missing::Shape));
    assert_eq!(rates.between(&[(3, 0.0, 0.5)], 0.0), Err(Missing::Single));
    assert_eq!(jackknife_interval(0.5, &[0.5; 20], P95), Err(Missing::NoSpread));
}

#[test]
fn recovered_variances_are_those_of_newcombe() {
    // For the difference of two shares the method is Newcombe's, whose example is 56/70 - 48/80.
    let share = |count, n| Share { count, n };
    let (a, b) = (share(56, 70), share(48, 80));
    let part = |weight, share: Share| {
        (weight, share.value().expect("known"), share.wilson(P95).expect("known"))
    };
    let found = mover(&[part(1.0, a), part(-1.0, b)]).expect("an interval");
    assert!((found.low() - 0.0524).abs() < 5e-5 && (found.high() - 0.3339).abs() < 5e-5);
    assert_eq!(mover(&[]), Err(Missing::Empty));
    let one = Interval::new(0.1, 0.4).expect("an interval");
    assert_eq!(mover(&[(1.0, 0.2, one)]), Ok(one));
}

/// A sample of rulesets of 6 flags with effects, an effect of each ruleset's own, and openings that
/// pull every flag their own way: intervals of a main effect must cover it as often as they say.
#[test]
fn intervals_of_a_sample_cover() {
    let (mut covered, studies) = (0, 400);
    let model = FactorModel::new(&[("f", 2); 6], Order::Main).expect("six factors");
    let effects = [0.10, -0.05, 0.0, 0.02, 0.0, 0.04];
    for study in 0..studies {
        let mut dice = Sampler::new(1000 + study);
        let pull: Vec<[f64; 6]> =
            (0..25).map(|_| [(); 6].map(|()| 0.2 * (dice.uniform() - 0.5))).collect();
        let mut design = model.design();
        let mut rows = Vec::new();
        let series = (0..40).map(|_| {
            let levels: Vec<usize> = (0..6).map(|_| usize::from(dice.uniform() < 0.5)).collect();
            let own = 0.2 * (dice.uniform() - 0.5);
            let row = model.row(&levels).expect("a row");
            design.push(row.clone()).expect("a row");
            let sign = |factor: usize| if levels[factor] == 1 { 0.5 } else { -0.5 };
            let units = (0..).zip(&pull).map(|(opening, pull)| {
                let flags: f64 = (0..6).map(|f| sign(f) * (effects[f] + pull[f])).sum();
                let chance = 0.5 + own + flags;
                unit(Some(opening), u64::from(dice.uniform() < chance), 1)
            });
            let units: Vec<RateUnit> = units.collect();
            rows.push(row);
            units
        });
        let series: Vec<Vec<RateUnit>> = series.collect();
        let rates = Rates::new(&series, 1.0);
        let weights = design.weights().expect("rows");
        let weights: Vec<Vec<f64>> =
            weights.into_iter().map(|weights| weights.expect("estimable")).collect();
        let between = between(&rates, &rows, &weights);
        let main: Vec<f64> = weights[1].iter().map(|weight| 2.0 * weight).collect();
        let found = rates.sum(&main, Some(between), P95).expect("an effect");
        let interval = found.judgement.expect("spread").interval;
        covered += u64::from(interval.contains(effects[0]));
    }
    let share = real(covered) / real(studies);
    assert!((0.93..=0.975).contains(&share), "{share}");
}

fn between(rates: &Rates, rows: &[Vec<f64>], weights: &[Vec<f64>]) -> Between {
    let values: Vec<f64> = (0..rows.len()).map(|n| rates.value(n).expect("known")).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let coefficients: Vec<f64> = weights.iter().map(|w| dot(w, &values)).collect();
    let left: Vec<(usize, f64, f64)> = rows
        .iter()
        .enumerate()
        .map(|(n, row)| {
            let leverage = weights.iter().zip(row).map(|(w, x)| w[n] * x).sum();
            (n, values[n] - dot(row, &coefficients), leverage)
        })
        .collect();
    rates.between(&left, (rows.len() - weights.len()) as f64).expect("degrees of freedom")
}

#[test]
fn a_design_that_fixes_a_term_says_which() {
    let mut design = Design::new(["one", "a", "also a"]);
    for value in [0.0, 1.0, 2.0] {
        design.push(vec![1.0, value, 3.0 * value]).expect("a row");
    }
    let weights = design.weights().expect("rows");
    assert_eq!(weights[2], Err(Missing::Aliased));
    let slope = weights[1].as_ref().expect("estimable");
    [-0.5, 0.0, 0.5].iter().zip(slope).for_each(|(wanted, found)| close(*found, *wanted));
    assert_eq!(Design::new(["one"]).weights(), Err(Missing::Empty));
}
