//! Cases C, F1, F3, H, I, J2, J4: sequential tests, tables, designs, planning, lengths.

use keny::stats::bootstrap::{bootstrap, bootstrap_share, jackknife};
use keny::stats::factorial::{
    CellMean, Component, Effect, block_effects, components, effects, lenth, variance_shares,
};
use keny::stats::fraction::{Fraction, letter_name};
use keny::stats::histogram::Histogram;
use keny::stats::interval::Share;
use keny::stats::linear::{Coefficient, Coefficients, Design, Errors};
use keny::stats::logistic::{LikelihoodRatio, Logistic, Trials, logistic, multinomial};
use keny::stats::multiple::Correction;
use keny::stats::paired::mean;
use keny::stats::planning::{self, Power};
use keny::stats::proportions::TwoShares;
use keny::stats::ranks::{RankMethod, compare};
use keny::stats::sequential::{GroupBounds, anytime_radius, anytime_share, best_rho};
use keny::stats::sprt::{LlrModel, bounds, llr};
use keny::stats::table::{Stratum, homogeneity, stratified};
use keny::stats::{Confidence, Interval, Known};
use serde_json::{Map, Value, json};

use super::{Case, P95, count, counts, ends, known, list, real, reals};

pub(super) fn likelihood_ratios(case: &Case) -> Value {
    let (low, high) =
        bounds(real(&case.input["alpha"]), real(&case.input["beta"])).expect("usual errors");
    let cases: Vec<Value> = list(&case.input["cases"])
        .iter()
        .map(|case| {
            let results = counts(&case["results_low_to_high"]);
            let mut found = case.clone();
            let ratio =
                |model| known(llr(&results, model, real(&case["elo0"]), real(&case["elo1"])));
            found["llr_logistic_exact"] = ratio(LlrModel::LogisticExact);
            found["llr_logistic_quadratic"] = ratio(LlrModel::LogisticQuadratic);
            found["llr_normalized_exact"] = ratio(LlrModel::NormalizedExact);
            found["llr_normalized_closed_form"] = ratio(LlrModel::NormalizedClosedForm);
            found["llr_bayeselo_legacy"] = ratio(LlrModel::BayesEloLegacy);
            found
        })
        .collect();
    json!({"bounds": [low, high], "cases": cases})
}

pub(super) fn likelihood_ratios_of_fastchess(case: &Case) -> Value {
    let expected = [0.92, 2.3, -1.57, -2.59, -1.26, -1.13, 2.25, 3.01, -3.07, -4.98];
    let cases: Vec<Value> = list(&case.input["cases"])
        .iter()
        .zip(expected)
        .map(|(case, fastchess)| {
            let model = match case["model"].as_str().expect("a model") {
                "normalized" => LlrModel::NormalizedExact,
                "logistic" => LlrModel::LogisticExact,
                "bayeselo" => LlrModel::BayesEloLegacy,
                other => panic!("no model {other}"),
            };
            let results = counts(&case["results_low_to_high"]);
            let found = llr(&results, model, real(&case["elo0"]), real(&case["elo1"]));
            let found = found.expect("there are games");
            // That program's own expectation has two decimals.
            assert!((found - fastchess).abs() < 0.006, "{found} beside {fastchess}");
            let mut entry = case.clone();
            entry["llr"] = json!(found);
            entry["fastchess_unit_test"] = json!(fastchess);
            entry
        })
        .collect();
    json!({ "cases": cases })
}

pub(super) fn homogeneous(case: &Case) -> Value {
    let rows: Vec<Vec<u64>> = list(&case.input["table_W_D_L"]).iter().map(counts).collect();
    let found = homogeneity(&rows).expect("a filled table");
    let pairs: Vec<(usize, usize)> =
        (0..rows.len()).flat_map(|i| (i + 1..rows.len()).map(move |j| (i, j))).collect();
    let draws = |row: &[u64]| Share { count: row[1], n: row.iter().sum() };
    let raw: Vec<f64> = pairs
        .iter()
        .map(|&(i, j)| TwoShares { a: draws(&rows[i]), b: draws(&rows[j]) })
        .map(|both| both.pooled_z().expect("there are draws").p)
        .collect();
    let adjust = |correction: Correction| correction.adjust(&raw);
    json!({
        "pearson_chi2": found.chi_squared,
        "dof": found.df,
        "p": found.p,
        "g_statistic": found.g,
        "p_g": found.p_g,
        "cramers_v": found.cramers_v,
        "pairs": pairs,
        "raw_p": raw,
        "adjusted": {
            "bonferroni": adjust(Correction::Bonferroni),
            "holm": adjust(Correction::Holm),
            "simes-hochberg": adjust(Correction::Hochberg),
            "hommel": adjust(Correction::Hommel),
            "fdr_bh": adjust(Correction::BenjaminiHochberg),
            "fdr_by": adjust(Correction::BenjaminiYekutieli),
            "holm-sidak": adjust(Correction::HolmSidak),
        },
    })
}

pub(super) fn strata(case: &Case) -> Value {
    let tables = list(&case.input["tables_rows_variant_A_B_cols_draw_nodraw"]);
    let row = |value: &Value| -> [u64; 2] { counts(value).try_into().expect("two columns") };
    let tables: Vec<Stratum> =
        tables.iter().map(|t| Stratum { a: row(&t[0]), b: row(&t[1]) }).collect();
    let found = stratified(&tables, P95).expect("filled tables");
    json!({
        "mh_odds_ratio": found.odds_ratio,
        "mh_ci95": ends(found.interval),
        "cmh_chi2": found.chi_squared,
        "cmh_p": found.p,
        "breslow_day_chi2": found.breslow_day,
        "breslow_day_p": found.breslow_day_p,
    })
}

/// The eight cells of the draw table as shares.
fn draw_shares(input: &Value) -> Vec<Share> {
    let n = count(&input["games_per_variant"]);
    counts(&input["draws"]).into_iter().map(|count| Share { count, n }).collect()
}

fn draw_effects(input: &Value) -> Vec<Effect> {
    let shares = draw_shares(input);
    let games = shares.iter().map(|share| share.n).sum();
    let cells: Vec<CellMean> = shares
        .iter()
        .map(|share| {
            let mean = share.value().expect("there are games");
            CellMean { mean, variance: mean * (1.0 - mean) / keny::stats::real(share.n) }
        })
        .collect();
    effects(&cells, games, P95).expect("eight cells")
}

fn by_letters<T>(items: &[T], entry: impl Fn(&T) -> (u32, f64)) -> Value {
    let entries = items.iter().map(|item| {
        let (set, value) = entry(item);
        (letter_name(set), json!(value))
    });
    Value::Object(entries.collect::<Map<String, Value>>())
}

/// A logistic fit of the draw table with all terms up to this many factors.
fn draw_fit(input: &Value, order: u32) -> (Vec<u32>, Logistic) {
    let shares = draw_shares(input);
    let mut sets: Vec<u32> = (0_u32..8).filter(|set| set.count_ones() <= order).collect();
    sets.sort_by_key(|set| set.count_ones());
    let name = |set: &u32| if *set == 0 { "const".to_owned() } else { letter_name(*set) };
    let mut design = Design::new(sets.iter().map(name));
    for cell in 0..8 {
        let row = sets.iter().map(|set| keny::stats::factorial::sign(cell, *set)).collect();
        design.push(row).expect("one value a term");
    }
    let outcomes: Vec<Trials> = shares
        .iter()
        .map(|share| Trials {
            successes: keny::stats::real(share.count),
            trials: keny::stats::real(share.n),
        })
        .collect();
    (sets, logistic(&design, &outcomes, Errors::Model, P95).expect("a regular fit"))
}

fn coefficients(fitted: &Coefficients) -> (Value, Value) {
    let part = |value: &dyn Fn(&Coefficient) -> f64| {
        Value::Object(fitted.terms().iter().map(|c| (c.term.clone(), json!(value(c)))).collect())
    };
    let estimate = |c: &Coefficient| c.estimate.expect("an estimable term");
    (part(&|c| estimate(c).value), part(&|c| estimate(c).standard_error))
}

pub(super) fn switches(case: &Case) -> Value {
    let found = draw_effects(&case.input);
    let (_, saturated) = draw_fit(&case.input, 3);
    let (_, two_way) = draw_fit(&case.input, 2);
    let (_, main) = draw_fit(&case.input, 1);
    let (saturated_coef, saturated_se) = coefficients(&saturated.coefficients);
    let (main_coef, main_se) = coefficients(&main.coefficients);
    let against_main = |larger: &Logistic| {
        let size = |fit: &Logistic| (fit.log_likelihood, fit.parameters);
        let test = LikelihoodRatio::of(size(larger), size(&main)).expect("it contains the other");
        json!({"chi2": test.chi_squared, "df": test.df, "p": test.p})
    };
    json!({
        "effects_on_probability": by_letters(&found, |e| (e.factors, e.estimate.value)),
        "se_effect_unpooled": found[0].estimate.standard_error,
        "z": by_letters(&found, |e| {
            (e.factors, e.estimate.judgement.expect("there is spread").statistic)
        }),
        "logit_saturated_coef": saturated_coef,
        "logit_saturated_se": saturated_se,
        "logit_main_coef": main_coef,
        "logit_main_se": main_se,
        "logit_main_deviance": main.deviance,
        "logit_main_aic": main.aic(),
        "logit_main_llf": main.log_likelihood,
        "logit_two_way_deviance": two_way.deviance,
        "lr_test_two_way_vs_main": against_main(&two_way),
        "lr_test_saturated_vs_main": against_main(&saturated),
    })
}

pub(super) fn shares_of_variance(case: &Case) -> Value {
    let found = draw_effects(&case.input);
    let plain = variance_shares(&components(&found, false), 3).expect("there are effects");
    let parts: Vec<Component> = components(&found, true);
    let corrected = variance_shares(&parts, 3).expect("there are effects");
    let named = |shares: &[f64]| json!({"A": shares[0], "B": shares[1], "C": shares[2]});
    json!({
        "variance_between_variants": plain.total,
        "sobol_first": named(&plain.first),
        "sobol_total": named(&plain.with_interactions),
        "shapley": named(&plain.shapley),
        "sampling_variance_of_each_beta": parts[0].noise,
        "noise_corrected_first": named(&corrected.first),
        "noise_corrected_shapley": named(&corrected.shapley),
    })
}

pub(super) fn one_run(case: &Case) -> Value {
    let effects = case.input["effects"].as_object().expect("effects by name");
    let effects: Vec<f64> = effects.values().map(real).collect();
    let found = lenth(&effects, P95).expect("seven effects");
    json!({
        "s0": found.s0,
        "pse": found.pse,
        "d": found.df,
        "margin_of_error": found.margin,
        "simultaneous_margin": found.simultaneous_margin,
    })
}

pub(super) fn alias_sets(case: &Case) -> Value {
    let found: Vec<Value> = list(&case.input["generators"])
        .iter()
        .map(|generators| {
            let texts: Vec<&str> =
                list(generators).iter().map(|text| text.as_str().expect("text")).collect();
            let fraction = Fraction::parse(&texts).expect("good generators");
            let names = |sets: Vec<u32>| sets.into_iter().map(letter_name).collect::<Vec<_>>();
            let aliases: Map<String, Value> = fraction
                .representatives()
                .into_iter()
                .map(|effect| {
                    let others = names(fraction.aliases(effect));
                    // A single alias stands without a list.
                    let value = match &others[..] {
                        [one] => json!(one),
                        _ => json!(others),
                    };
                    (letter_name(effect), value)
                })
                .collect();
            json!({
                "defining": names(fraction.defining()),
                "resolution": fraction.resolution(),
                "aliases": aliases,
            })
        })
        .collect();
    json!({"half": found[0], "quarter": found[1]})
}

pub(super) fn outcomes(case: &Case) -> Value {
    let cells = list(&case.input["cells"]);
    let table: Vec<Vec<u64>> =
        cells.iter().map(|c| ["W", "D", "L"].iter().map(|key| count(&c[*key])).collect()).collect();
    let fit = |interaction: bool| {
        let mut terms = vec!["const", "A", "B"];
        terms.extend(interaction.then_some("AB"));
        let mut design = Design::new(terms);
        for cell in cells {
            let (a, b) = (real(&cell["A"]), real(&cell["B"]));
            let mut row = vec![1.0, a, b];
            row.extend(interaction.then_some(a * b));
            design.push(row).expect("one value a term");
        }
        multinomial(&design, &table, P95).expect("a regular fit")
    };
    let (main, full) = (fit(false), fit(true));
    let (draw, draw_se) = coefficients(&main.outcomes[0]);
    let (loss, loss_se) = coefficients(&main.outcomes[1]);
    let test = |larger, smaller| {
        let test = LikelihoodRatio::of(larger, smaller).expect("it contains the other");
        json!({"chi2": test.chi_squared, "df": test.df, "p": test.p})
    };
    let size = |fit: &keny::stats::logistic::Multinomial| (fit.log_likelihood, fit.parameters);
    json!({
        "draw_vs_win": draw,
        "draw_vs_win_se": draw_se,
        "loss_vs_win": loss,
        "loss_vs_win_se": loss_se,
        "llf": main.log_likelihood,
        "llf_null": main.log_likelihood_null,
        "lr_all": test(size(&main), (main.log_likelihood_null, 2)),
        "lr_interaction": test(size(&full), size(&main)),
    })
}

pub(super) fn blocks(case: &Case) -> Value {
    let rows: Vec<Vec<f64>> =
        list(&case.input["first_player_score_by_seed"]).iter().map(reals).collect();
    let found = block_effects(&rows, P95).expect("four columns");
    let entries = found.iter().map(|effect| {
        let judged = effect.estimate.judgement.expect("there is spread");
        let independent = effect.se_independent.expect("there is spread");
        let entry = json!({
            "effect": effect.estimate.value,
            "se_block": effect.estimate.standard_error,
            "t": judged.statistic,
            "df": judged.df,
            "p": judged.p,
            "se_if_independent": independent,
            "z_if_independent": effect.estimate.value / independent,
        });
        (letter_name(effect.factors), entry)
    });
    Value::Object(entries.collect())
}

pub(super) fn power(case: &Case) -> Value {
    let (p1, p2) = (real(&case.input["p1"]), real(&case.input["p2"]));
    let wish = Power { alpha: real(&case.input["alpha"]), power: real(&case.input["power"]) };
    let pooled = planning::two_shares(p1, p2, wish).expect("two shares");
    let near = planning::two_shares(p1, p1 + 0.01, wish).expect("two shares");
    let narrow = planning::share_half_width(p1, 0.02, P95).expect("a share");
    json!({
        "n_pooled_formula": pooled,
        "n_pooled_ceil": planning::units(pooled),
        "n_arcsine": known(planning::two_shares_arcsine(p1, p2, wish)),
        "n_for_40_41": planning::units(near),
        "n_half_width_2pt_wilson_like": planning::units(narrow),
    })
}

pub(super) fn radius(case: &Case) -> Value {
    let confidence = Confidence::new(1.0 - real(&case.input["alpha"])).expect("a level");
    let (sigma, rho) = (real(&case.input["sigma"]), real(&case.input["rho"]));
    let tuned = best_rho(1000, confidence).expect("some observations");
    assert!((tuned - rho).abs() < 1e-12, "the parameter of the case is the best for 1000");
    let all = counts(&case.input["n"]);
    let radii: Vec<Value> =
        all.iter().map(|&n| known(anytime_radius(n, sigma, rho, confidence))).collect();
    let fixed: Vec<Value> = all
        .iter()
        .map(|&n| Interval::around(0.5, confidence.z() * sigma / keny::stats::real(n).sqrt()))
        .map(|interval| known(interval.map(Interval::half_width)))
        .collect();
    json!({"radius": radii, "fixed_n_normal_half_width": fixed})
}

pub(super) fn anytime(case: &Case) -> Value {
    let confidence = Confidence::new(1.0 - real(&case.input["alpha"])).expect("a level");
    let shares: Vec<Share> = list(&case.input["cases"])
        .iter()
        .map(|case| Share { count: count(&case[0]), n: count(&case[1]) })
        .collect();
    let all = |interval: &dyn Fn(Share) -> Known<Interval>| -> Vec<Value> {
        shares.iter().map(|&share| ends(interval(share))).collect()
    };
    json!({
        "ci": all(&|share| anytime_share(share, confidence)),
        "wilson": all(&|share| share.wilson(confidence)),
    })
}

pub(super) fn group_bounds(case: &Case) -> Value {
    let constants = |shape: GroupBounds| -> Value {
        let entries = list(&case.input["looks"]).iter().map(|looks| {
            let number = u32::try_from(count(looks)).expect("few looks");
            (number.to_string(), known(shape.constant(number, P95)))
        });
        Value::Object(entries.collect())
    };
    json!({
        "pocock": constants(GroupBounds::Pocock),
        "obrien_fleming": constants(GroupBounds::OBrienFleming),
    })
}

pub(super) fn division(case: &Case) -> Value {
    let deviations = reals(&case.input["sd"]);
    let total = count(&case.input["total"]);
    let best = planning::neyman(&deviations, total).expect("there is spread");
    let equal = planning::equal_division(deviations.len(), total);
    json!({
        "equal_sum_var": known(planning::summed_variance(&deviations, &equal)),
        "neyman_sum_var": known(planning::summed_variance(&deviations, &best)),
        "neyman": best,
    })
}

pub(super) fn lengths(case: &Case) -> Value {
    let sample = |name: &str| -> Histogram {
        let values = counts(&case.input[name]);
        values.into_iter().map(|v| usize::try_from(v).expect("small")).collect()
    };
    let (a, b) = (sample("A"), sample("B"));
    let found = compare(&a, &b, P95).expect("two samples");
    assert_eq!(found.method, RankMethod::Exact);
    let group = |h: &Histogram| h.group().expect("at least two values");
    let welch = keny::stats::paired::welch_from(group(&a), group(&b), P95).expect("two samples");
    let judged = welch.judgement.expect("there is spread");
    json!({
        "mann_whitney_u": found.u,
        "p_exact": found.p,
        "hodges_lehmann": found.shift,
        "cliffs_delta": found.cliffs_delta,
        "welch_t": judged.statistic,
        "welch_df": judged.df,
        "welch_p": judged.p,
    })
}

pub(super) fn resampling(case: &Case) -> Value {
    let share = Share { count: count(&case.input["x"]), n: count(&case.input["n"]) };
    let units: Vec<f64> = (0..share.n).map(|i| if i < share.count { 1.0 } else { 0.0 }).collect();
    let statistic = |units: &[f64]| mean(units).expect("there are units");
    let exact = bootstrap_share(share, P95).expect("there is spread");
    let drawn = bootstrap(&units, statistic, 100_000, 1, P95).expect("there are units");
    // The error of a standard deviation from 100 000 draws is about 0.2 %.
    assert!((drawn.standard_error / exact.standard_error - 1.0).abs() < 0.01);
    assert_eq!(drawn.interval, exact.interval);
    json!({
        "bootstrap_se_exact": exact.standard_error,
        "percentile_interval_exact": ends(exact.interval),
        "jackknife_se": known(jackknife(&units, statistic)),
    })
}
