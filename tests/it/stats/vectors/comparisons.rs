//! Cases D to G: shares, differences, corrections and paired outcomes.

use keny::stats::exact::{barnard, boschloo};
use keny::stats::interval::{Share, goodman, sison_glaz};
use keny::stats::multiple::{Correction, rejected};
use keny::stats::paired::{PairedShares, paired_difference, sign_flip, welch};
use keny::stats::proportions::TwoShares;
use keny::stats::root::find_root;
use keny::stats::score::{Wdl, elo};
use keny::stats::{Interval, Known, Missing};
use serde_json::{Value, json};

use super::{Case, P95, count, counts, ends, known, list, real, reals};

/// The ends of a Wald interval; where the vectors have one without width, the library must refuse.
fn wald_ends(value: f64, interval: Known<Interval>) -> Value {
    match interval {
        Ok(interval) => json!([interval.low(), interval.high()]),
        Err(reason) => {
            assert_eq!(reason, Missing::NoSpread);
            json!([value, value])
        }
    }
}

pub(super) fn one_share(case: &Case) -> Value {
    let cases: Vec<Value> = list(&case.input["cases"])
        .iter()
        .map(|case| {
            let share = Share::new(count(&case["x"]), count(&case["n"])).expect("x is at most n");
            let value = share.value().expect("there are observations");
            json!({
                "x": share.count,
                "n": share.n,
                "p": value,
                "wilson": ends(share.wilson(P95)),
                "clopper_pearson": ends(share.clopper_pearson(P95)),
                "jeffreys_raw": ends(share.jeffreys_raw(P95)),
                "agresti_coull": ends(share.agresti_coull(P95)),
                "wald": wald_ends(value, share.wald(P95)),
                "jeffreys_bcd": ends(share.jeffreys(P95)),
            })
        })
        .collect();
    json!({ "cases": cases })
}

pub(super) fn simultaneous(case: &Case) -> Value {
    let counts = counts(&case.input["counts"]);
    let all = |intervals: Known<Vec<Interval>>| -> Vec<Value> {
        intervals.expect("there are games").into_iter().map(|i| ends(Ok(i))).collect()
    };
    json!({
        "goodman": all(goodman(&counts, P95)),
        "sison_glaz": all(sison_glaz(&counts, P95)),
    })
}

fn shares(input: &Value) -> TwoShares {
    let share = |x: &str, n: &str| Share::new(count(&input[x]), count(&input[n]));
    TwoShares {
        a: share("x1", "n1").expect("x is at most n"),
        b: share("x2", "n2").expect("x is at most n"),
    }
}

/// The score interval as statsmodels computes it up to version 0.15: in the linear coefficient of
/// the cubic equation for the restricted share stands a count where a size belongs (known there as
/// a bug), so the shares are not the most likely ones. The vectors carry these numbers; the
/// library's own are judged by `score_intervals_follow_the_likelihood`.
fn slipped_score_ends(both: TwoShares, corrected: bool) -> Value {
    let [x1, n1, x0, n0] = [both.a.count, both.a.n, both.b.count, both.b.n].map(keny::stats::real);
    let (total, yes) = (n1 + n0, x1 + x0);
    let observed = x1 / n1 - x0 / n0;
    let factor = if corrected { total / (total - 1.0) } else { 1.0 };
    let statistic = |delta: f64| {
        let square = ((n1 + 2.0 * n0) * delta - total - yes) / (3.0 * total);
        let linear = (x0 * delta - total - 2.0 * x0) * delta + yes;
        let constant = x0 * delta * (1.0 - delta) / (2.0 * total);
        let q = square.powi(3) - linear * square / (2.0 * total) + constant;
        let p = (square * square - linear / (3.0 * total)).sqrt().copysign(q);
        let angle = (std::f64::consts::PI + (q / p.powi(3)).clamp(-1.0, 1.0).acos()) / 3.0;
        let low = 2.0 * p * angle.cos() - square;
        let high = low + delta;
        let variance = high * (1.0 - high) / n1 + low * (1.0 - low) / n0;
        (observed - delta) / (variance * factor).sqrt()
    };
    let z = P95.z();
    let low = find_root(observed - 0.12, observed, |d| statistic(d) - z).expect("it crosses");
    let high = find_root(observed, observed + 0.12, |d| statistic(d) + z).expect("it crosses");
    json!([low, high])
}

pub(super) fn two_shares(case: &Case) -> Value {
    let both = shares(&case.input);
    let z = both.pooled_z().expect("there is spread");
    json!({
        "diff": known(both.difference()),
        "z_pooled": z.z,
        "p_two_sided": z.p,
        "ci95_wald": ends(both.wald(P95)),
        "ci95_agresti-caffo": ends(both.agresti_caffo(P95)),
        "ci95_newcombe": ends(both.newcombe(P95)),
        "ci95_miettinen_nurminen": slipped_score_ends(both, true),
        "ci95_mee_score_no_correction": slipped_score_ends(both, false),
        "risk_ratio": known(both.risk_ratio()),
        "odds_ratio": known(both.odds_ratio()),
        "odds_ratio_ci95_logit": ends(both.odds_ratio_interval(P95)),
        "fisher_p": known(both.fisher()),
        "cohen_h": known(both.cohen_h()),
    })
}

pub(super) fn two_shares_empty_cell(case: &Case) -> Value {
    let both = shares(&case.input);
    assert_eq!(both.odds_ratio(), Err(Missing::EmptyCell));
    // scipy takes the groups as columns of the table; the vectors gave them as rows, so their two
    // numbers compare 0 of 4 with 50 of 96. The right ones were summed over all tables in Python.
    assert!((barnard(both).expect("small groups") - 0.044_464_4).abs() < 1e-6);
    assert!((boschloo(both).expect("small groups") - 0.088_626_2).abs() < 1e-6);
    let yes = both.a.count + both.b.count;
    let all = both.a.n + both.b.n;
    let turned = TwoShares {
        a: Share { count: both.a.count, n: yes },
        b: Share { count: both.a.n - both.a.count, n: all - yes },
    };
    json!({
        "diff": known(both.difference()),
        "ci95_wald": ends(both.wald(P95)),
        "ci95_agresti-caffo": ends(both.agresti_caffo(P95)),
        "ci95_newcombe": ends(both.newcombe(P95)),
        "ci95_miettinen_nurminen": slipped_score_ends(both, true),
        "fisher_p": known(both.fisher()),
        "boschloo_p": known(boschloo(turned)),
        "barnard_p": known(barnard(turned)),
    })
}

pub(super) fn equivalence(case: &Case) -> Value {
    let found = shares(&case.input).equivalence(real(&case.input["margin"]), 0.05);
    let found = found.expect("there is spread");
    assert_eq!(found.equivalent, found.p <= 0.05);
    json!({
        "diff": found.difference,
        "se": found.standard_error,
        "z_lower": found.z_lower,
        "z_upper": found.z_upper,
        "p_lower": found.p_lower,
        "p_upper": found.p_upper,
        "p_tost": found.p,
        "ci90": [found.interval.low(), found.interval.high()],
    })
}

pub(super) fn score_difference(case: &Case) -> Value {
    let games = |name: &str| {
        let counts = counts(&case.input[name]);
        Wdl { wins: counts[0], draws: counts[1], losses: counts[2] }
    };
    let (a, b) = (games("A_first_W_D_L"), games("B_first_W_D_L"));
    let found = a.score_difference(b, P95).expect("there are games");
    let judged = found.judgement.expect("there is spread");
    let score = |games: Wdl| games.score().expect("there are games").value;
    json!({
        "score_A": score(a),
        "score_B": score(b),
        "diff": found.value,
        "se": found.standard_error,
        "z": judged.statistic,
        "p_two_sided": judged.p,
        "ci95": ends(Ok(judged.interval)),
        "elo_A": known(elo(score(a))),
        "elo_B": known(elo(score(b))),
        "balance_A": known(a.balance()),
        "balance_B": known(b.balance()),
    })
}

pub(super) fn adjusted(case: &Case) -> Value {
    let p = reals(&case.input["p"]);
    let holm = Correction::Holm.adjust(&p);
    let bh = Correction::BenjaminiHochberg.adjust(&p);
    json!({
        "rejected_holm_005": rejected(&holm, 0.05),
        "rejected_bh_005": rejected(&bh, 0.05),
        "holm": holm,
        "fdr_bh": bh,
        "bonferroni": Correction::Bonferroni.adjust(&p),
        "simes-hochberg": Correction::Hochberg.adjust(&p),
        "fdr_by": Correction::BenjaminiYekutieli.adjust(&p),
    })
}

pub(super) fn paired_shares(case: &Case) -> Value {
    let part = |name: &str| count(&case.input[name]);
    let paired = PairedShares {
        both: part("both_draw"),
        only_a: part("only_A_draw"),
        only_b: part("only_B_draw"),
        neither: part("neither"),
    };
    let independent = TwoShares { a: paired.share_a(), b: paired.share_b() };
    let se_independent = independent.standard_error().expect("there are openings");
    let se_paired = paired.standard_error().expect("there are openings");
    let (chi2, p) = paired.mcnemar_chi_squared().expect("some openings are discordant");
    json!({
        "n": paired.n(),
        "draw_A": known(paired.share_a().value()),
        "draw_B": known(paired.share_b().value()),
        "diff": known(paired.difference()),
        "mcnemar_exact_p": known(paired.mcnemar_exact()),
        "mcnemar_chi2": chi2,
        "mcnemar_chi2_p": p,
        "se_paired": se_paired,
        "se_if_independent": se_independent,
        "variance_ratio": (se_paired / se_independent).powi(2),
        "phi": known(paired.phi()),
        "ci95_newcombe_paired": ends(paired.newcombe(P95)),
        "ci95_tango": ends(paired.tango(P95)),
        "ci95_wald_paired": ends(paired.wald(P95)),
    })
}

pub(super) fn paired_scores(case: &Case) -> Value {
    let (a, b) = (reals(&case.input["A"]), reals(&case.input["B"]));
    let found = paired_difference(&a, &b, P95).expect("twenty pairs");
    let judged = found.estimate.judgement.expect("there is spread");
    let free = welch(&a, &b, P95).expect("twenty each");
    let free_judged = free.judgement.expect("there is spread");
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    json!({
        "mean_diff": found.estimate.value,
        "se_paired": found.estimate.standard_error,
        "t": judged.statistic,
        "df": judged.df,
        "p": judged.p,
        "ci95": ends(Ok(judged.interval)),
        "welch_se": free.standard_error,
        "welch_t": free_judged.statistic,
        "welch_df": free_judged.df,
        "welch_p": free_judged.p,
        "pearson_r": known(found.correlation),
        "sign_flip_exact_p": known(sign_flip(&differences)),
    })
}
