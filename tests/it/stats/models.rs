//! Regressions, ratings and models of factors, against closed forms and simulated games.

use keny::stats::factorial::variance_shares;
use keny::stats::linear::{Design, Errors, least_squares};
use keny::stats::logistic::{Trials, logistic, multinomial};
use keny::stats::model::{FactorModel, Order};
use keny::stats::rating::{ELO_PER_LOG_ODDS, RatedGame, RatedResult, rate as rate_players};
use keny::stats::score::clustered_score;
use keny::stats::{Confidence, Estimate, Missing};

use super::sampling::{Sampler, rate};

const P95: Confidence = Confidence::P95;

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9 * (1.0 + wanted.abs()), "{found} is not {wanted}");
}

fn design<const K: usize>(terms: [&str; K], rows: &[[f64; K]]) -> Design {
    let mut design = Design::new(terms);
    for row in rows {
        design.push(row.to_vec()).expect("finite values of the right number");
    }
    design
}

fn covers(estimate: Estimate, truth: f64) -> bool {
    estimate.judgement.expect("there is spread").interval.contains(truth)
}

#[test]
fn a_line_through_five_points_is_the_hand_computed_one() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    let y = [2.0, 4.0, 5.0, 4.0, 5.0];
    let rows: Vec<[f64; 2]> = x.iter().map(|&x| [1.0, x]).collect();
    let fit = least_squares(&design(["one", "x"], &rows), &y, Errors::Model, P95).expect("a fit");
    near(fit.coefficients.named("one").expect("estimable").value, 2.2);
    let slope = fit.coefficients.named("x").expect("estimable");
    near(slope.value, 0.6);
    near(slope.standard_error, 0.08_f64.sqrt());
    near(fit.residual_squares, 2.4);
    assert_eq!(fit.df, 3);
    // At the mean of x the line passes the mean of y with the error sd / sqrt(n).
    let middle = fit.coefficients.combination(&[1.0, 3.0]).expect("estimable");
    near(middle.value, 4.0);
    near(middle.standard_error, (0.8_f64 / 5.0).sqrt());
}

#[test]
fn terms_that_cannot_be_estimated_are_named() {
    let rows =
        [[1.0, 0.0, 1.0, 2.0], [1.0, 1.0, 0.0, 2.0], [1.0, 1.0, 0.0, 2.0], [1.0, 0.0, 1.0, 2.0]];
    let design = design(["one", "a", "not a", "two"], &rows);
    assert_eq!(design.aliased(), ["not a", "two"]);
    let fit = least_squares(&design, &[1.0, 2.0, 4.0, 3.0], Errors::Model, P95).expect("a fit");
    assert_eq!(fit.coefficients.named("not a"), Err(Missing::Aliased));
    near(fit.coefficients.named("a").expect("estimable").value, 1.0);
    assert_eq!(fit.coefficients.combination(&[0.0, 0.0, 1.0, 0.0]), Err(Missing::Aliased));
    assert_eq!(fit.coefficients.named("b"), Err(Missing::Range));
}

#[test]
fn clustered_errors_of_a_mean_are_those_over_pairs() {
    let first = [1.0, 1.0, 1.0, 0.5, 1.0, 0.5, 1.0, 0.0, 1.0, 0.5];
    let second = [0.0, 0.0, 0.5, 0.5, 0.0, 0.5, 0.0, 1.0, 0.5, 0.0];
    let y: Vec<f64> = first.iter().chain(&second).copied().collect();
    let labels: Vec<u64> = (0..10).chain(0..10).collect();
    let ones = design(["one"], &[[1.0]; 20]);
    let fit = least_squares(&ones, &y, Errors::Clustered(&labels), P95).expect("a fit");
    let pairs = clustered_score(&first, &second).expect("ten pairs");
    near(fit.coefficients.terms()[0].estimate.expect("estimable").standard_error, pairs.se_pairs);
    let free = least_squares(&ones, &y, Errors::Model, P95).expect("a fit");
    near(free.coefficients.terms()[0].estimate.expect("estimable").standard_error, pairs.se_games);
}

#[test]
fn logistic_regression_of_a_two_by_two_table_is_woolfs_odds_ratio() {
    let trials = |successes, trials| Trials { successes, trials };
    let table = design(["one", "b"], &[[1.0, 0.0], [1.0, 1.0]]);
    let counts = [trials(30.0, 100.0), trials(45.0, 90.0)];
    let fit = logistic(&table, &counts, Errors::Model, P95).expect("a fit");
    let b = fit.coefficients.named("b").expect("estimable");
    near(b.value, (1.0_f64 / (30.0 / 70.0)).ln());
    near(b.standard_error, (1.0_f64 / 30.0 + 1.0 / 70.0 + 2.0 / 45.0).sqrt());
    near(fit.deviance, 0.0);
    let separated = [trials(0.0, 10.0), trials(5.0, 10.0)];
    assert_eq!(logistic(&table, &separated, Errors::Model, P95), Err(Missing::Separated));
    let counts = [vec![10, 0, 0], vec![3, 3, 4]];
    assert_eq!(multinomial(&table, &counts, P95), Err(Missing::Separated));
}

/// Positions of simulated games: differences of men and kings, and who won. All positions of a
/// game share its outcome and its drift.
fn positions(s: &mut Sampler, games: u64, each: u64) -> (Design, Vec<Trials>, Vec<u64>) {
    let (mut design, mut outcomes, mut labels) =
        (Design::new(["men", "kings"]), Vec::new(), Vec::new());
    for game in 0..games {
        let drift = s.normal();
        let noise = s.uniform();
        let mut mean = 0.0;
        let mut rows = Vec::new();
        for _ in 0..each {
            let men = (drift + 0.3 * s.normal()).round();
            let kings = (0.5 * s.normal()).round();
            mean += (0.8 * men + 2.0 * kings) / keny::stats::real(each);
            rows.push(vec![men, kings]);
        }
        let won = noise < 1.0 / (1.0 + (-mean).exp());
        for row in rows {
            design.push(row).expect("two values");
            outcomes.push(Trials { successes: f64::from(u8::from(won)), trials: 1.0 });
            labels.push(game);
        }
    }
    (design, outcomes, labels)
}

#[test]
fn the_value_of_a_king_lies_in_its_interval() {
    let held = rate(400, 101, |s| {
        let (design, outcomes, _) = positions(s, 500, 1);
        let fit = logistic(&design, &outcomes, Errors::Model, P95).expect("a fit");
        let ratio = fit.coefficients.ratio("kings", "men").expect("estimable");
        ratio.interval.expect("men decide games").contains(2.5)
    });
    assert!((0.92..=0.975).contains(&held), "{held}");
}

#[test]
fn several_positions_of_one_game_need_clustered_errors() {
    // Without any effect every rejection is false.
    let false_alarms = |clustered: bool| {
        rate(400, 102, |s| {
            let (design, mut outcomes, labels) = positions(s, 100, 8);
            for chunk in outcomes.chunks_mut(8) {
                let won = f64::from(u8::from(s.chance(0.5)));
                chunk.iter_mut().for_each(|outcome| outcome.successes = won);
            }
            let errors = if clustered { Errors::Clustered(&labels) } else { Errors::Model };
            let fit = logistic(&design, &outcomes, errors, P95).expect("a fit");
            !covers(fit.coefficients.named("men").expect("estimable"), 0.0)
        })
    };
    let (clustered, model) = (false_alarms(true), false_alarms(false));
    assert!((0.02..=0.08).contains(&clustered), "{clustered}");
    assert!(model > 0.25, "{model}");
}

fn games(first: usize, second: usize, counts: [u64; 3]) -> impl Iterator<Item = RatedGame> {
    let results = [RatedResult::First, RatedResult::Draw, RatedResult::Second];
    results.into_iter().zip(counts).flat_map(move |(result, count)| {
        (0..count).map(move |cluster| RatedGame { first, second, result, cluster })
    })
}

#[test]
fn ratings_of_two_players_are_the_closed_form() {
    // Odds of win to loss 4 for player 0 moving first, 1 moving second; draws² = wins · losses.
    let list: Vec<RatedGame> = games(0, 1, [40, 20, 10]).chain(games(1, 0, [20, 20, 20])).collect();
    let found = rate_players(&list, 2, false, P95).expect("ratings");
    let two = 2.0_f64.ln() * ELO_PER_LOG_ODDS;
    near(found.difference(0, 1).expect("rated").value, two);
    near(found.first_move.expect("estimable").value, two);
    near(found.draw.expect("there are draws").value + 1.0, 1.0);
    let [win, draw, loss] = found.chances(0, 1).expect("rated");
    near(win, 40.0 / 70.0);
    near(draw, 20.0 / 70.0);
    near(loss, 10.0 / 70.0);
    let (a, b) = (found.players[0].expect("rated"), found.players[1].expect("rated"));
    near(a.value + b.value + 1.0, 1.0);
    near(a.standard_error, b.standard_error);
}

#[test]
fn ratings_without_draws_are_a_logistic_regression() {
    let table = [(0, 1, 30, 20), (1, 0, 28, 22), (1, 2, 35, 15), (2, 1, 19, 31), (0, 2, 40, 10)];
    let mut design = Design::new(["0", "1", "first"]);
    let mut outcomes = Vec::new();
    let mut list = Vec::new();
    for (first, second, won, lost) in table {
        let mut row = vec![0.0, 0.0, 1.0];
        for (player, sign) in [(first, 1.0), (second, -1.0)] {
            // Player 2 is the zero of this regression.
            if player < 2 {
                row[player] += sign;
            }
        }
        design.push(row).expect("three values");
        let (successes, trials) = (keny::stats::real(won), keny::stats::real(won + lost));
        outcomes.push(Trials { successes, trials });
        list.extend(games(first, second, [won, 0, lost]));
    }
    let wanted = logistic(&design, &outcomes, Errors::Model, P95).expect("a fit");
    let found = rate_players(&list, 3, false, P95).expect("ratings");
    assert_eq!(found.draw, Err(Missing::UnboundedBelow));
    let same = |found: Estimate, term: &str| {
        let wanted = wanted.coefficients.named(term).expect("estimable");
        near(found.value, wanted.value * ELO_PER_LOG_ODDS);
        near(found.standard_error, wanted.standard_error * ELO_PER_LOG_ODDS);
    };
    same(found.difference(0, 2).expect("rated"), "0");
    same(found.difference(1, 2).expect("rated"), "1");
    same(found.first_move.expect("estimable"), "first");
}

#[test]
fn players_without_bounds_are_named_and_do_not_spoil_the_rest() {
    let list: Vec<RatedGame> = games(0, 1, [6, 2, 3])
        .chain(games(1, 0, [4, 2, 5]))
        .chain(games(2, 0, [3, 0, 0]))
        .chain(games(1, 3, [4, 0, 0]))
        .collect();
    let found = rate_players(&list, 5, true, P95).expect("ratings");
    assert_eq!(found.players[2], Err(Missing::UnboundedAbove));
    assert_eq!(found.players[3], Err(Missing::UnboundedBelow));
    assert_eq!(found.players[4], Err(Missing::Empty));
    assert_eq!(found.difference(0, 2), Err(Missing::UnboundedAbove));
    assert!(found.players[0].expect("rated").judgement.is_ok());
    // The same player always first: the first move cannot be told from the player.
    let one_way: Vec<RatedGame> = games(0, 1, [6, 2, 3]).collect();
    let found = rate_players(&one_way, 2, false, P95).expect("ratings");
    assert_eq!(found.first_move, Err(Missing::Aliased));
    let apart: Vec<RatedGame> = games(0, 1, [6, 2, 3]).chain(games(2, 3, [6, 2, 3])).collect();
    assert_eq!(rate_players(&apart, 4, false, P95).err(), Some(Missing::Unconnected));
    let drawn: Vec<RatedGame> = games(0, 1, [0, 9, 0]).collect();
    assert_eq!(rate_players(&drawn, 2, false, P95).err(), Some(Missing::NoSpread));
    // Two strong players beat two weak ones always: no player is unbounded, the groups are.
    let groups: Vec<RatedGame> = games(0, 1, [3, 1, 3])
        .chain(games(2, 3, [3, 1, 3]))
        .chain(games(0, 2, [5, 0, 0]))
        .chain(games(3, 1, [0, 0, 5]))
        .collect();
    assert_eq!(rate_players(&groups, 4, false, P95).err(), Some(Missing::Separated));
}

#[test]
fn ratings_by_pair_cover_the_true_difference() {
    // The opening favours one side; both games of a pair share it, so it cancels in the pair.
    let play = |s: &mut Sampler| -> Vec<RatedGame> {
        let strength = [0.5, 0.1, -0.6];
        let mut list = Vec::new();
        let mut cluster = 0;
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            for _ in 0..60 {
                let opening = 3.0 * s.normal();
                cluster += 1;
                for (first, second) in [(a, b), (b, a)] {
                    let d: f64 = strength[first] - strength[second] + 0.3 + opening;
                    let (win, loss) = ((d / 2.0).exp(), (-d / 2.0).exp());
                    let total = win + loss + 1.0;
                    let results = [RatedResult::First, RatedResult::Draw, RatedResult::Second];
                    let result = results[s.outcome(&[win / total, 1.0 / total, loss / total])];
                    list.push(RatedGame { first, second, result, cluster });
                }
            }
        }
        list
    };
    // The strong openings pull all differences together, so the truth is that of many games.
    let mut sampler = Sampler::new(103);
    let many: Vec<RatedGame> = (0..60).flat_map(|_| play(&mut sampler)).collect();
    let truth = rate_players(&many, 3, false, P95).expect("ratings");
    let truth = truth.difference(0, 2).expect("rated").value;
    let held = |by_cluster: bool| {
        rate(300, 104, |s| {
            let found = rate_players(&play(s), 3, by_cluster, P95).expect("ratings");
            covers(found.difference(0, 2).expect("rated"), truth)
        })
    };
    let (paired, naive) = (held(true), held(false));
    assert!((0.92..=0.98).contains(&paired), "{paired}");
    assert!(naive > 0.98, "games of a pair taken as independent give too wide intervals: {naive}");
}

/// All combinations of levels.
fn grid(levels: &[usize]) -> Vec<Vec<usize>> {
    levels.iter().fold(vec![Vec::new()], |rows, &count| {
        rows.iter()
            .flat_map(|row| {
                (0..count).map(move |level| row.iter().copied().chain([level]).collect())
            })
            .collect()
    })
}

#[test]
fn a_model_of_factors_divides_all_the_variance() {
    let levels = [2, 3, 4];
    let factors = [("hop", 2), ("capture", 3), ("draw", 4)];
    let model = FactorModel::new(&factors, Order::TwoWay).expect("three factors");
    let value = |row: &[usize]| {
        let [a, b, c] = [row[0], row[1], row[2]].map(keny::stats::real_len);
        0.4 + 0.1 * a - 0.07 * b * b + 0.02 * c + 0.05 * a * b - 0.03 * b * c
    };
    let mut design = model.design();
    let mut y = Vec::new();
    for row in grid(&levels) {
        design.push(model.row(&row).expect("a combination")).expect("finite");
        y.push(value(&row));
    }
    assert!(design.aliased().is_empty());
    let fit = least_squares(&design, &y, Errors::Model, P95).expect("a fit");
    let (parts, left_out) = model.components(&fit.coefficients).expect("its own coefficients");
    assert!(left_out.is_empty());
    let n = keny::stats::real_len(y.len());
    let mean = y.iter().sum::<f64>() / n;
    let variance = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / n;
    let shares = variance_shares(&parts, 3).expect("there is variance");
    near(shares.total, variance);
    near(shares.shapley.iter().sum(), 1.0);
    // The effect of a level is the difference of the means at both levels.
    let mean_at = |factor: usize, level: usize| {
        let all = grid(&levels);
        let at: Vec<f64> = all.iter().filter(|r| r[factor] == level).map(|r| value(r)).collect();
        at.iter().sum::<f64>() / keny::stats::real_len(at.len())
    };
    for (factor, from, to) in [(0, 0, 1), (1, 0, 2), (1, 2, 1), (2, 3, 0)] {
        let found = model.effect(&fit.coefficients, factor, from, to).expect("estimable");
        near(found.value, mean_at(factor, to) - mean_at(factor, from));
    }
    // The hop factor's total share: variance left within the levels of the others.
    let within: f64 = grid(&levels[1..])
        .iter()
        .map(|rest| {
            let at = |hop: usize| value(&[hop, rest[0], rest[1]]);
            (at(1) - at(0)).powi(2) / 4.0
        })
        .sum::<f64>()
        / 12.0;
    near(shares.with_interactions[0], within / variance);
}

#[test]
fn taking_off_the_sampling_variance_removes_its_bias() {
    let model = FactorModel::new(&[("a", 2), ("b", 3)], Order::TwoWay).expect("two factors");
    let mut sampler = Sampler::new(105);
    let (mut raw, mut corrected) = (0.0, 0.0);
    let runs = 400_u32;
    for _ in 0..runs {
        let mut design = model.design();
        let mut y = Vec::new();
        for row in grid(&[2, 3]) {
            for _ in 0..4 {
                design.push(model.row(&row).expect("a combination")).expect("finite");
                // Only the first factor matters: variance 0.04.
                y.push(0.4 * keny::stats::real_len(row[0]) + 0.5 * sampler.normal());
            }
        }
        let fit = least_squares(&design, &y, Errors::Model, P95).expect("a fit");
        let (parts, _) = model.components(&fit.coefficients).expect("its own coefficients");
        for part in parts {
            raw += part.variance / f64::from(runs);
            corrected += (part.variance - part.noise) / f64::from(runs);
        }
    }
    assert!((corrected - 0.04).abs() < 0.008, "{corrected}");
    assert!(raw > 0.08, "{raw}");
}
