//! Cases A, B, J1, J3, J5: scores, Elo and lengths.

use keny::stats::histogram::{Histogram, Moments};
use keny::stats::score::{CopiesEffect, Pentanomial, Wdl, clustered_score, elo};
use keny::stats::{Known, Missing};
use serde_json::{Value, json};

use super::{Case, P95, count, counts, ends, known, list, reals};

fn wdl(input: &Value) -> Wdl {
    Wdl {
        wins: count(&input["wins"]),
        draws: count(&input["draws"]),
        losses: count(&input["losses"]),
    }
}

pub(super) fn trinomial(case: &Case) -> Value {
    let games = wdl(&case.input);
    let score = games.score().expect("there are games");
    let range = score.elo(P95);
    let nelo = score.nelo(P95).expect("there is spread");
    json!({
        "n": score.n,
        "score": score.value,
        "var_per_game": score.variance,
        "se": score.standard_error(),
        "score_ci95": ends(score.normal_interval(P95)),
        "draw_rate": known(games.draw_share().value()),
        "elo": known(range.value),
        "elo_ci95": [known(range.low), known(range.high)],
        "elo_half_width": known(range.half_width()),
        "los_score": known(score.superiority()),
        "los_decisive_normal": known(games.superiority_decisive()),
        "los_beta_exact": known(games.superiority_exact()),
        "nelo": nelo.value,
        "nelo_half_width": known(nelo.judgement.map(|j| j.interval.half_width())),
    })
}

pub(super) fn bayes_elo(case: &Case) -> Value {
    let games = wdl(&case.input);
    let model = games.bayes_elo().expect("all cells are filled");
    let [win, _, loss] = model.chances();
    json!({
        "elo_advantage": model.advantage,
        "elo_draw": model.draw,
        "back_p_win": win,
        "back_p_loss": loss,
        "logistic_elo": known(games.score().and_then(|score| elo(score.value))),
    })
}

pub(super) fn pentanomial(case: &Case) -> Value {
    let pairs = counts(&case.input["pentanomial_LL_LD_DDWL_WD_WW"]);
    let pairs = Pentanomial { pairs: pairs.try_into().expect("five counts") };
    let score = pairs.score().expect("there are pairs");
    let range = score.elo(P95);
    let nelo = score.nelo(P95).expect("there is spread");
    let mut found = json!({
        "pairs": score.n,
        "games": score.games(),
        "score": score.value,
        "var_per_pair": score.variance,
        "se": score.standard_error(),
        "elo": known(range.value),
        "elo_ci95": [known(range.low), known(range.high)],
        "elo_half_width": known(range.half_width()),
        "nelo": nelo.value,
        "nelo_half_width": known(nelo.judgement.map(|j| j.interval.half_width())),
        "los": known(score.superiority()),
    });
    if case.input.get("wins").is_some() {
        let naive = wdl(&case.input).score().expect("there are games").standard_error();
        found["trinomial_se_if_pairs_ignored"] = json!(naive);
        found["variance_ratio_penta_over_trinomial"] =
            json!((score.standard_error() / naive).powi(2));
    }
    found
}

pub(super) fn clusters(case: &Case) -> Value {
    let first = reals(&case.input["game1_score_of_A"]);
    let second = reals(&case.input["game2_score_of_A"]);
    let found = clustered_score(&first, &second).expect("ten pairs");
    json!({
        "mean": found.mean,
        "se_pairs": found.se_pairs,
        "se_games_iid": found.se_games,
        "pearson_r": known(found.correlation),
    })
}

pub(super) fn merged_lengths(case: &Case) -> Value {
    let shards: Vec<Vec<u64>> = ["shard1", "shard2"].map(|name| counts(&case.input[name])).to_vec();
    let histogram = |values: &[u64]| -> Histogram {
        values.iter().map(|&v| usize::try_from(v).expect("small")).collect()
    };
    let moments = |values: &[u64]| {
        let mut moments = Moments::default();
        values.iter().for_each(|&v| moments.add(keny::stats::real(v)));
        moments
    };
    let shard = |values: &[u64]| {
        let exact = histogram(values);
        let streamed = moments(values);
        assert!((known(exact.mean()).as_f64().expect("known") - streamed.mean).abs() < 1e-12);
        json!({"n": exact.n(), "mean": streamed.mean, "m2": known(exact.squared_deviations())})
    };
    let mut both = histogram(&shards[0]);
    both.merge(&histogram(&shards[1]));
    let merged = moments(&shards[0]).merged(moments(&shards[1]));
    assert!((known(both.mean()).as_f64().expect("known") - merged.mean).abs() < 1e-12);
    assert!(
        (known(both.deviation()).as_f64().expect("known")
            - merged.deviation().expect("ten values"))
        .abs()
            < 1e-12
    );
    json!({
        "shard1": shard(&shards[0]),
        "shard2": shard(&shards[1]),
        "merged": {
            "n": both.n(),
            "mean": merged.mean,
            "m2": merged.m2,
            "sample_sd": known(both.deviation()),
            "median": known(both.median()),
        },
    })
}

pub(super) fn degenerate(case: &Case) -> Value {
    let rules: Vec<Value> = list(&case.input["cases"])
        .iter()
        .map(|name| {
            let name = name.as_str().expect("a name");
            let mut rule = degenerate_rule(name);
            rule["case"] = json!(name);
            rule
        })
        .collect();
    json!({ "rules": rules })
}

fn degenerate_rule(name: &str) -> Value {
    let games = |wins, draws, losses| Wdl { wins, draws, losses };
    match name {
        "0/0/0" => {
            let none = games(0, 0, 0);
            assert_eq!(none.score(), Err(Missing::Empty));
            assert_eq!(Missing::Empty.cell(), "n/a (no observations)");
            json!({
                "score": known(none.score().map(|s| s.value)),
                "elo": known(none.score().and_then(|s| s.elo(P95).value)),
                "los": known(none.score().and_then(|s| s.superiority())),
            })
        }
        "0/12/0" => {
            let drawn = games(0, 12, 0);
            let score = drawn.score().expect("games");
            // No interval without width: the printed one is Wilson's.
            assert_eq!(score.normal_interval(P95), Err(Missing::NoSpread));
            let shown = score.interval(P95).expect("Wilson's interval has width");
            assert!(shown.low() < 0.3 && shown.high() > 0.7);
            assert_eq!(drawn.superiority_exact(), Err(Missing::NoSpread));
            assert_eq!(drawn.superiority_decisive(), Err(Missing::NoSpread));
            json!({
                "score": score.value,
                "elo": known(score.elo(P95).value),
                "se": score.standard_error(),
                "los": known(score.superiority()),
                "draw_rate_wilson": ends(drawn.draw_share().wilson(P95)),
            })
        }
        "5/0/0" => {
            let mut rule = all_won(games(5, 0, 0));
            let range = games(5, 0, 0).score().expect("games").elo(P95);
            assert_eq!(range.high, Err(Missing::UnboundedAbove));
            rule["elo_lower_bound_from_wilson"] = known(range.low);
            rule
        }
        "1/0/0" => all_won(games(1, 0, 0)),
        "6/0/6 as six WL pairs" => {
            let score = Pentanomial { pairs: [0, 0, 6, 0, 0] }.score().expect("pairs");
            let warning: Known<&str> = if score.lacks_spread() {
                Ok("zero variance over pairs: deterministic duplicates?")
            } else {
                Err(Missing::Empty)
            };
            assert_eq!(score.nelo(P95), Err(Missing::NoSpread));
            json!({
                "score": score.value,
                "elo": known(score.elo(P95).value),
                "se_pairs": score.standard_error(),
                "los": known(score.superiority()),
                "warning": warning.expect("there is no spread"),
            })
        }
        other => panic!("no rule for {other}"),
    }
}

fn all_won(games: Wdl) -> Value {
    let score = games.score().expect("games");
    let unbounded = match score.elo(P95).value {
        Err(Missing::UnboundedAbove) => "above",
        other => panic!("all games won have no Elo, not {other:?}"),
    };
    json!({
        "score": score.value,
        "elo": known(score.elo(P95).value),
        "elo_unbounded": unbounded,
        "los_beta_exact": known(games.superiority_exact()),
    })
}

pub(super) fn copies(case: &Case) -> Value {
    let part = |name: &str| count(&case.input[name]);
    let distinct = Wdl {
        wins: part("wins_distinct"),
        draws: part("draws_distinct"),
        losses: part("losses_distinct"),
    };
    assert_eq!(distinct.n(), part("distinct_games"));
    let all = (0..part("copies_each")).fold(Wdl::default(), |sum, _| sum.plus(distinct));
    let effect = CopiesEffect::of(all, distinct).expect("there is spread");
    json!({"naive": effect.naive, "correct": effect.right, "ratio": effect.ratio()})
}
