//! Effects of designs: found again by hand from the stored games, and stored texts.
//!
//! `KENY_BLESS=1` writes the stored texts anew.

mod early;
mod large;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use keny::record::Record;
use keny::report::{self, Basis, Effect, EffectMethod, PairingEffects, Step, Term, View};
use keny::rules::Outcome;
use keny::stats::factorial::block_effects;
use keny::stats::linear::{Errors, least_squares};
use keny::stats::model::{FactorModel, Order};
use keny::stats::paired::paired_difference;
use keny::stats::{Confidence, Missing};
use keny::study::design::{Design, DesignKind, Factor, LeftOut, Run, Why};
use keny::study::{self, Pairing, Plan, PlannedVariant, Settings, Store};
use keny::variant;
use serde_json::{Value, json};
use tabled::grid::util::string::get_string_width;

use crate::stored::same_as_file;

const P95: Confidence = Confidence::P95;

/// Flags with their levels, the first as in Keny.
type Flags = &'static [(&'static str, &'static [&'static str])];

const FLAGS: Flags = &[
    ("capture.mandatory", &["true", "false"]),
    ("hop.chain", &["\"unlimited\"", "1"]),
    ("king.flying", &["true", "false"]),
    ("draw.quiet_turns", &["20", "40"]),
];

/// The rules of Keny with other answers.
fn variant_of(flags: Flags, levels: &[u8]) -> PlannedVariant {
    let mut rules = json!({"extends": "keny"});
    let mut name = "keny".to_owned();
    for ((flag, values), &level) in flags.iter().zip(levels).filter(|(_, level)| **level > 0) {
        let (table, key) = flag.split_once('.').expect("a table and a key");
        let text = values[usize::from(level)];
        rules[table][key] = serde_json::from_str(text).expect("a value");
        name.push_str(&format!(" {flag}={text}"));
    }
    let ruleset = variant::from_json(&rules).unwrap_or_else(|p| panic!("{}", p.render(false)));
    PlannedVariant { name, ruleset, fingerprint: variant::fingerprint(&ruleset), weights: None }
}

/// A design over the first flags, and its variants; runs with equal rules share one.
fn design(kind: DesignKind, flags: Flags, runs: &[&[u8]]) -> (Design, Vec<PlannedVariant>) {
    let mut variants: Vec<PlannedVariant> = Vec::new();
    let mut made = Vec::new();
    let mut left_out = Vec::new();
    for levels in runs {
        let new = variant_of(flags, levels);
        let place = variants.iter().position(|known| known.fingerprint == new.fingerprint);
        if let Some(place) = place {
            left_out.push(LeftOut {
                name: new.name.clone(),
                levels: levels.to_vec(),
                why: Why::EqualTo(variants[place].name.clone()),
            });
        } else {
            variants.push(new);
        }
        let variant = u32::try_from(place.unwrap_or(variants.len() - 1)).expect("few");
        made.push(Run { levels: levels.to_vec(), variant });
    }
    let factors = flags.iter().map(|(flag, levels)| Factor {
        flag: (*flag).to_owned(),
        levels: levels.iter().map(|level| (*level).to_owned()).collect(),
    });
    let design = Design {
        kind,
        base: "keny".to_owned(),
        factors: factors.collect(),
        runs: made,
        generators: Vec::new(),
        aliases: Vec::new(),
        orthogonal: matches!(kind, DesignKind::Full | DesignKind::Fractional { .. }),
        left_out,
    };
    (design, variants)
}

/// All combinations of two levels each, the first factor changing fastest.
fn combinations(factors: u32) -> Vec<Vec<u8>> {
    (0..1_u32 << factors)
        .map(|run| (0..factors).map(|factor| u8::from(run >> factor & 1 == 1)).collect())
        .collect()
}

fn full(flags: Flags) -> (Design, Vec<PlannedVariant>) {
    let runs = combinations(u32::try_from(flags.len()).expect("few"));
    let runs: Vec<&[u8]> = runs.iter().map(Vec::as_slice).collect();
    design(DesignKind::Full, flags, &runs)
}

fn played(
    (design, variants): (Design, Vec<PlannedVariant>),
    pairings: &[(&str, &str, u32)],
) -> (tempfile::TempDir, Store) {
    played_all(vec![design], variants, pairings)
}

fn played_all(
    designs: Vec<Design>,
    variants: Vec<PlannedVariant>,
    pairings: &[(&str, &str, u32)],
) -> (tempfile::TempDir, Store) {
    played_until(None, designs, variants, pairings)
}

/// The same under a rule to stop early.
fn played_until(
    rule: Option<&str>,
    designs: Vec<Design>,
    variants: Vec<PlannedVariant>,
    pairings: &[(&str, &str, u32)],
) -> (tempfile::TempDir, Store) {
    let pairings = pairings.iter().map(|&(first, second, openings)| Pairing {
        players: [first, second].map(|name| name.parse().expect("a player")),
        openings,
    });
    let plan = Plan {
        title: "Effects".to_owned(),
        seed: 11,
        opening_plies: 4,
        plies_max: 400,
        variants,
        pairings: pairings.collect(),
        designs,
        stopping: rule.map(|text| text.parse().expect("a rule")),
        adjudication: None,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.db");
    let mut store = Store::create_or_resume(&path, &plan, "title = \"Effects\"\n").expect("new");
    let stop = AtomicBool::new(false);
    study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    (folder, store)
}

fn records(store: &Store, variant: u32) -> Vec<Record> {
    store.games(variant, 0).map(|game| game.expect("a stored game")).collect()
}

fn main_effect<'a>(effects: &'a PairingEffects, key: &str, factor: usize) -> &'a Effect {
    let term = Term::Main(Step { factor, level: 1 });
    effects.main.iter().find(|e| e.metric.key == key && e.term == term).expect("an effect")
}

fn interaction<'a>(effects: &'a PairingEffects, key: &str, a: usize, b: usize) -> &'a Effect {
    let step = |factor| Step { factor, level: 1 };
    let term = Term::Interaction(step(a), step(b));
    effects.interactions.iter().find(|e| e.metric.key == key && e.term == term).expect("an effect")
}

fn close(x: f64, y: f64) {
    assert!((x - y).abs() < 1e-9 * (1.0 + y.abs()), "{x} {y}");
}

/// The plies of the games of one variant, all of which are finished.
fn plies(store: &Store, variant: u32) -> Vec<f64> {
    let games = records(store, variant);
    assert!(games.iter().all(|game| game.end.is_some()));
    games.iter().map(|game| f64::from(game.plies)).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Flags that change no turn, so that all runs share all openings.
const SHARING: Flags = &[
    ("draw.quiet_turns", &["10", "20"]),
    ("draw.counted", &["\"per-side\"", "\"both\""]),
    ("draw.starts", &["\"first-turn\"", "\"first-capture\""]),
    ("draw.repetition", &["0", "2"]),
];

#[test]
fn effects_of_a_full_design_are_those_of_the_games() {
    let (_folder, store) = played(full(&SHARING[..2]), &[("random", "random", 40)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    // By hand: the first factor changes fastest.
    let each: Vec<Vec<f64>> = (0..4).map(|variant| plies(&store, variant)).collect();
    let m: Vec<f64> = each.iter().map(|plies| mean(plies)).collect();
    let of = |effect: &Effect| effect.value.expect("a value");
    close(of(main_effect(effects, "plies", 0)), (m[1] + m[3] - m[0] - m[2]) / 2.0);
    close(of(main_effect(effects, "plies", 1)), (m[2] + m[3] - m[0] - m[1]) / 2.0);
    close(of(interaction(effects, "plies", 0, 1)), (m[0] + m[3] - m[1] - m[2]) / 2.0);
    let draws: Vec<f64> = (0..4)
        .map(|variant| {
            let games = records(&store, variant);
            let drawn = games.iter().filter(|game| game.outcome() == Some(Outcome::Draw)).count();
            drawn as f64 / games.len() as f64
        })
        .collect();
    let effect = (draws[1] + draws[3] - draws[0] - draws[2]) / 2.0;
    close(of(main_effect(effects, "draws", 0)), effect);
    // Errors and p are those of contrasts within openings.
    let blocks: Vec<Vec<f64>> =
        (0..40).map(|opening| each.iter().map(|plies| plies[opening]).collect()).collect();
    let wanted = block_effects(&blocks, P95).expect("four columns");
    let found = [
        main_effect(effects, "plies", 0),
        main_effect(effects, "plies", 1),
        interaction(effects, "plies", 0, 1),
    ];
    for (found, wanted) in found.into_iter().zip(&wanted) {
        let judgement = wanted.estimate.judgement.expect("spread");
        close(found.interval.expect("an interval").low(), judgement.interval.low());
        close(found.p.expect("a p"), judgement.p);
        assert_eq!((found.basis, found.method), (Basis::Openings(40), EffectMethod::Openings));
    }
    // One Holm family for the main effects, one for the interactions.
    let p: Vec<f64> = effects.main.iter().filter_map(|effect| effect.p.ok()).collect();
    assert_eq!((p.len(), effects.family), (16, 16));
    let least = effects.main.iter().filter_map(|e| Some((e.p.ok()?, e.p_adjusted?)));
    let (p, adjusted) = least.min_by(|a, b| a.0.total_cmp(&b.0)).expect("effects");
    close(adjusted, (16.0 * p).min(1.0));
    assert_eq!(effects.family_interactions, 8);
    // The balance is judged by intervals alone.
    let balance = main_effect(effects, "balance", 0);
    assert_eq!((balance.p, balance.method), (Err(Missing::Untested), EffectMethod::Mover));
    // Shares of variance by hand: squared half effects less their squared errors.
    let shares = effects.shares.iter().find(|shares| shares.metric.key == "plies");
    let shares = shares.expect("shares").shares.as_ref().expect("something to divide");
    let parts: Vec<f64> = wanted
        .iter()
        .map(|effect| {
            let (value, error) = (effect.estimate.value, effect.estimate.standard_error);
            ((value * value - error * error) / 4.0).max(0.0)
        })
        .collect();
    let total: f64 = parts.iter().sum();
    close(shares[0].alone, parts[0] / total);
    close(shares[0].total, (parts[0] + parts[2]) / total);
    close(shares[1].shapley, (parts[1] + parts[2] / 2.0) / total);
    assert!(shares[0].alone_interval.expect("an interval").contains(shares[0].alone));
}

#[test]
fn a_fraction_tells_what_it_cannot_tell_apart() {
    // The last factor is the product of the others.
    let runs: Vec<Vec<u8>> = combinations(3)
        .into_iter()
        .map(|mut levels| {
            let high = levels.iter().filter(|level| **level == 1).count();
            levels.push(u8::from(high % 2 == 1));
            levels
        })
        .collect();
    let runs: Vec<&[u8]> = runs.iter().map(Vec::as_slice).collect();
    let (mut one, variants) = design(DesignKind::Fractional { resolution: 4 }, SHARING, &runs);
    let sets: [[[u8; 2]; 2]; 3] = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]];
    one.aliases = sets.iter().map(|set| set.iter().map(|e| e.to_vec()).collect()).collect();
    let (_folder, store) = played((one, variants), &[("random", "random", 30)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    let m: Vec<f64> = (0..8).map(|variant| mean(&plies(&store, variant))).collect();
    let half = |high: &dyn Fn(&[u8]) -> bool| -> f64 {
        let sum = runs.iter().zip(&m).map(|(run, m)| if high(run) { *m } else { -m });
        sum.sum::<f64>() / 4.0
    };
    for factor in 0..4 {
        let found = main_effect(effects, "plies", factor).value.expect("a value");
        close(found, half(&|run| run[factor] == 1));
    }
    // Of each set of interactions one stands for all.
    let terms: Vec<Term> = effects
        .interactions
        .iter()
        .filter(|effect| effect.metric.key == "plies")
        .map(|effect| effect.term)
        .collect();
    let step = |factor| Step { factor, level: 1 };
    let wanted = [1, 2, 3].map(|other| Term::Interaction(step(0), step(other)));
    assert_eq!(terms, wanted);
    close(
        interaction(effects, "plies", 0, 1).value.expect("a value"),
        half(&|run| run[0] == run[1]),
    );
    let text = report::terminal(&view, 100, false, report::Extent::All);
    assert!(text.contains("draw.quiet_turns × draw.counted"), "{text}");
    assert!(text.contains("draw.starts × draw.repetition"), "{text}");
    is_sound(&view);
}

#[test]
fn an_invalid_run_means_least_squares() {
    let runs = combinations(3);
    let runs: Vec<&[u8]> = runs[..7].iter().map(Vec::as_slice).collect();
    let (mut one, variants) = design(DesignKind::Full, &SHARING[..3], &runs);
    one.orthogonal = false;
    let why = Why::Invalid("these answers do not fit together".to_owned());
    one.left_out.push(LeftOut { name: "all three".to_owned(), levels: vec![1, 1, 1], why });
    let (_folder, store) = played((one, variants), &[("random", "random", 30)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    let factors = [("a", 2), ("b", 2), ("c", 2)];
    let model = FactorModel::new(&factors, Order::TwoWay).expect("three factors");
    let (mut games, mut y, mut openings) = (model.design(), Vec::new(), Vec::new());
    for (variant, run) in (0..).zip(&runs) {
        let levels: Vec<usize> = run.iter().map(|&level| level.into()).collect();
        for (opening, plies) in (0..).zip(plies(&store, variant)) {
            games.push(model.row(&levels).expect("a row")).expect("a row");
            y.push(plies);
            openings.push(opening);
        }
    }
    let fit = least_squares(&games, &y, Errors::Clustered(&openings), P95).expect("a fit");
    // That function has one factor more for small samples.
    let factor = ((y.len() as f64 - 1.0) / (y.len() as f64 - 7.0)).sqrt();
    for place in 0..3 {
        let found = main_effect(effects, "plies", place);
        let wanted = model.effect(&fit.coefficients, place, 0, 1).expect("estimable");
        close(found.value.expect("a value"), wanted.value);
        let half = wanted.judgement.expect("spread").interval.half_width();
        close(found.interval.expect("an interval").half_width(), half / factor);
        let method = EffectMethod::LeastSquares { openings: true, sampled: false };
        assert_eq!(found.method, method);
    }
    let text = report::terminal(&view, 100, false, report::Extent::All);
    assert!(text.contains("cannot be played: these answers do not fit together"), "{text}");
    assert!(text.replace('\n', " ").contains("least squares, t over whole openings"), "{text}");
    is_sound(&view);
}

#[test]
fn a_level_that_never_occurs_is_named() {
    let runs: [&[u8]; 2] = [&[0, 0], &[1, 0]];
    let (mut one, variants) = design(DesignKind::Full, &SHARING[..2], &runs);
    one.orthogonal = false;
    let (_folder, store) = played((one, variants), &[("random", "random", 20)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    assert!(main_effect(effects, "plies", 0).value.is_ok());
    assert_eq!(main_effect(effects, "plies", 1).value, Err(Missing::Aliased));
    let text = report::terminal(&view, 100, false, report::Extent::All);
    assert!(text.contains("n/a: not estimable: fixed by the other terms"), "{text}");
    is_sound(&view);
}

#[test]
fn runs_with_the_same_rules_are_played_once_and_count_twice() {
    // Where kings do not fly it does not matter where they land.
    const FLAGS: Flags =
        &[("king.flying", &["true", "false"]), ("king.landing", &["\"any\"", "\"nearest\""])];
    let (_folder, store) = played(full(FLAGS), &[("random", "random", 30)]);
    assert_eq!(store.plan().variants.len(), 3);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    let m: Vec<f64> = (0..3).map(|variant| mean(&plies(&store, variant))).collect();
    // Runs: flying, not flying, flying with `next`, not flying with `next`.
    let found = main_effect(effects, "plies", 0).value.expect("a value");
    close(found, m[1] - (m[0] + m[2]) / 2.0);
    close(main_effect(effects, "plies", 1).value.expect("a value"), (m[2] - m[0]) / 2.0);
    is_sound(&view);
}

fn one_at_a_time() -> (Design, Vec<PlannedVariant>) {
    let runs: [&[u8]; 6] =
        [&[0, 0, 0, 0], &[1, 0, 0, 0], &[0, 1, 0, 0], &[0, 0, 1, 0], &[0, 0, 2, 0], &[0, 0, 0, 1]];
    const FLAGS: Flags = &[
        ("capture.mandatory", &["true", "false"]),
        ("hop.chain", &["\"unlimited\"", "1"]),
        ("draw.quiet_turns", &["20", "40", "60"]),
        ("king.flying", &["true", "false"]),
    ];
    let (mut one, variants) = design(DesignKind::OneAtATime, FLAGS, &runs);
    // As if another answer changed nothing.
    one.factors.push(Factor {
        flag: "draw.reset_by".to_owned(),
        levels: vec!["a".to_owned(), "b".to_owned()],
    });
    one.runs.iter_mut().for_each(|run| run.levels.push(0));
    one.runs.push(Run { levels: vec![0, 0, 0, 0, 1], variant: 0 });
    (one, variants)
}

#[test]
fn one_at_a_time_is_paired_with_the_base() {
    let (_folder, store) = played(one_at_a_time(), &[("random", "random", 40)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    let judged = paired_difference(&plies(&store, 1), &plies(&store, 0), P95).expect("pairs");
    let found = main_effect(effects, "plies", 0);
    close(found.value.expect("a value"), judged.estimate.value);
    let judgement = judged.estimate.judgement.expect("spread");
    close(found.interval.expect("an interval").high(), judgement.interval.high());
    close(found.p.expect("a p"), judgement.p);
    // 90 % inside 95 %.
    let (narrow, wide) = (found.interval_90.expect("known"), found.interval.expect("known"));
    assert!(wide.low() < narrow.low() && narrow.high() < wide.high());
    // Five steps that change something, in each of eight tested metrics.
    assert_eq!((effects.main.len(), effects.interactions.len()), (5 * 9, 0));
    assert!(effects.family <= 5 * 8);
    assert!(effects.notes[0].contains("`draw.reset_by = b` has the rules of the base"));
    // The variants of a design are not compared with the first a second time.
    assert!(view.pairings[0].contrasts.is_empty());
    is_sound(&view);
}

/// Every number of a view is finite and every interval has a width.
fn is_sound(view: &View) {
    for effects in view.designs.iter().flat_map(|design| &design.pairings) {
        for effect in effects.main.iter().chain(&effects.interactions) {
            assert!(effect.value.is_err() || effect.value.is_ok_and(f64::is_finite));
            for interval in [effect.interval, effect.interval_90].into_iter().flatten() {
                assert!(interval.low() < interval.high(), "{effect:?}");
            }
            assert!(effect.p.is_err() || effect.p.is_ok_and(|p| (0.0..=1.0).contains(&p)));
        }
    }
    for (name, text) in crate::report::formats(view) {
        let text = if name == "report.html" {
            text.split("<script>").next().expect("a page").replace("</style>", "")
        } else {
            text
        };
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '.') {
            assert!(!["NaN", "inf", "nan", "infinity"].contains(&word), "{name}: {word}");
        }
    }
}

#[test]
fn what_cannot_be_judged_says_why() {
    // Nothing played.
    let (one, variants) = full(&SHARING[..2]);
    let plan_of = |openings| ("random", "random", openings);
    for openings in [1, 2] {
        let (_folder, store) =
            played((one.clone(), variants.clone()), &[plan_of(openings), ("greedy", "random", 1)]);
        let view = report::view(&store).expect("a view");
        let effect = main_effect(&view.designs[0].pairings[0], "plies", 0);
        assert_eq!(effect.value.is_ok(), openings == 2, "{effect:?}");
        is_sound(&view);
    }
}

fn sample(runs: usize) -> (Design, Vec<PlannedVariant>) {
    // Every run once, in an order that mixes them.
    let all = combinations(4);
    let chosen: Vec<&[u8]> = (0..runs).map(|n| all[(n * 7) % 16].as_slice()).collect();
    design(DesignKind::Sample { seed: 1 }, SHARING, &chosen)
}

#[test]
fn a_sample_counts_rulesets_as_well_as_openings() {
    let (_folder, store) = played(sample(12), &[("random", "random", 25)]);
    let view = report::view(&store).expect("a view");
    let effects = &view.designs[0].pairings[0];
    let effect = main_effect(effects, "plies", 0);
    assert_eq!(effect.method, EffectMethod::LeastSquares { openings: true, sampled: true });
    assert!(effect.value.is_ok() && effects.interactions.is_empty());
    let note = "two-way interactions are not estimated from 12 rulesets; they need 22";
    assert!(effects.notes.iter().any(|told| told == note), "{:?}", effects.notes);
    is_sound(&view);
}

/// Two designs of one study: one flag at a time, and all combinations of two.
fn study_of_two() -> (tempfile::TempDir, Store) {
    let (one, mut variants) = one_at_a_time();
    let (mut two, more) = full(&FLAGS[..2]);
    for run in &mut two.runs {
        let variant = &more[run.variant as usize];
        let known = variants.iter().position(|v| v.fingerprint == variant.fingerprint);
        let place = known.unwrap_or_else(|| {
            variants.push(variant.clone());
            variants.len() - 1
        });
        run.variant = u32::try_from(place).expect("few");
    }
    let pairings = [("random", "random", 60), ("greedy:epsilon=0.2", "greedy:epsilon=0.2", 30)];
    played_all(vec![one, two], variants, &pairings)
}

#[test]
fn texts_of_effects_are_as_stored() {
    let (_folder, store) = study_of_two();
    let view = report::view(&store).expect("a view");
    is_sound(&view);
    for (name, text) in crate::report::formats(&view) {
        if !["terminal.txt", "report.md", "findings.csv"].contains(&name) {
            continue;
        }
        same_as_file(&format!("tests/data/effects/{name}"), &text)
            .unwrap_or_else(|e| panic!("{e}"));
    }
    for width in [60, 100] {
        for line in report::terminal(&view, width, false, report::Extent::All).lines() {
            assert!(get_string_width(line) <= width, "wider than {width}: {line}");
        }
    }
}

#[test]
fn json_csv_and_text_have_the_same_effects() {
    let (_folder, store) = study_of_two();
    let view = report::view(&store).expect("a view");
    let texts = crate::report::formats(&view);
    let json: Value = serde_json::from_str(&texts["report.json"]).expect("JSON");
    for (file, list, column) in
        [("effects.csv", "effects", "effect"), ("interactions.csv", "interactions", "interaction")]
    {
        let mut rows = csv::Reader::from_reader(texts[file].as_bytes());
        let mut compared = 0;
        for row in rows.deserialize() {
            let row: BTreeMap<String, String> = row.expect("a row");
            let number: usize = row["design"].parse().expect("a number");
            let pairings = json["designs"][number - 1]["pairings"].as_array().expect("a list");
            let pairing = pairings.iter().find(|pairing| pairing["pairing"] == row["pairing"]);
            let effects = pairing.expect("a pairing")[list].as_array().expect("a list");
            let effect = effects
                .iter()
                .find(|e| e["term"] == row["term"] && e["metric"] == row["metric"])
                .expect("an effect");
            let field = |name: &str| row[name].parse::<f64>().ok();
            let same = |number: &Value, text: Option<f64>| match (number.as_f64(), text) {
                (Some(number), Some(text)) => (number - text).abs() <= 1e-15 * text.abs(),
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            };
            assert!(same(&effect["effect"], field(column)), "{row:?}");
            assert!(same(&effect["interval"][0], field("low")), "{row:?}");
            assert!(same(&effect["interval_90"][1], field("high_90")), "{row:?}");
            assert!(same(&effect["p_adjusted"], field("p_holm")), "{row:?}");
            assert_eq!(effect["n"].as_u64(), row["n"].parse().ok());
            if row["metric"] == "draws" && field("low").is_some() {
                let percent = |name: &str| {
                    let text = format!("{:+.1}", 100.0 * field(name).expect("a number"));
                    if ["+0.0", "-0.0"].contains(&text.as_str()) { "0.0".to_owned() } else { text }
                };
                let shown =
                    format!("{} [{}, {}]", percent(column), percent("low"), percent("high"));
                assert!(texts["terminal.txt"].contains(&shown), "{shown}");
                assert!(texts["report.md"].contains(&shown.replace('[', "\\[")), "{shown}");
                compared += 1;
            }
        }
        assert!(compared >= 2, "{file}");
    }
    assert_eq!(json["findings"].as_array().map(Vec::len), Some(view.findings.len()));
}

#[test]
fn findings_say_no_more_than_the_numbers() {
    let (_folder, store) = study_of_two();
    let view = report::view(&store).expect("a view");
    assert!(view.findings.len() >= 8, "{:?}", view.findings);
    let strongest = &view.designs[0].pairings[1];
    for finding in &view.findings {
        let carries = finding.text.contains("n = ") || finding.text.contains("Holm");
        assert!(
            carries || finding.topic == "variance" || finding.topic == "strength",
            "{finding:?}"
        );
        for evidence in &finding.evidence {
            assert!(evidence.value.is_ok() && evidence.n > 0, "{evidence:?}");
        }
    }
    let draws = view.findings.iter().find(|finding| finding.topic == "draws").expect("a finding");
    let of: Vec<&Effect> = strongest.main.iter().filter(|e| e.metric.key == "draws").collect();
    let clear = of.iter().filter(|e| e.p_adjusted.is_some_and(|p| p <= 0.05)).count();
    // "Shown to change it by less" is said of those alone whose 90 % interval lies within 2 points.
    let none = of
        .iter()
        .filter(|e| !e.p_adjusted.is_some_and(|p| p <= 0.05))
        .filter(|e| e.interval_90.is_ok_and(|i| i.low() > -0.02 && i.high() < 0.02))
        .count();
    let rest = match of.len() - clear - none {
        0 => "there is no other".to_owned(),
        1 => "of the other one the games do not tell".to_owned(),
        n => format!("of the other {n} the games do not tell"),
    };
    assert!(draws.text.contains(&rest), "{}", draws.text);
    assert_eq!(draws.evidence.len(), clear.min(3));
    // The largest comes first.
    let sizes: Vec<f64> = draws.evidence.iter().map(|e| e.value.expect("a value").abs()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b));
    // Without a design there is nothing to find.
    let (_folder, store) = played_all(Vec::new(), one_at_a_time().1, &[("random", "random", 5)]);
    assert!(report::view(&store).expect("a view").findings.is_empty());
}

#[test]
fn the_page_with_effects_fits_the_browser() {
    let (_folder, store) = study_of_two();
    let view = report::view(&store).expect("a view");
    let page = report::html(&view);
    for part in ["id=\"findings\"", "-effect-draws", "-interaction-", "<polyline"] {
        assert!(page.contains(part), "{part}");
    }
    crate::report::stands_alone(&page);
    crate::report::fits_the_browser(&page);
}
