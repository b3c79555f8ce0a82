//! Effects of designs: found again by hand from the stored games, and stored texts.
//!
//! `KENY_BLESS=1` writes the stored texts anew.

use std::collections::BTreeMap;
use std::path::Path;
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
    PlannedVariant { name, ruleset, fingerprint: variant::fingerprint(&ruleset) }
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
        designs: vec![design],
        stopping: None,
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

#[test]
fn try_it() {
    let (_folder, store) =
        played(full(&FLAGS[..3]), &[("random", "random", 200), ("greedy", "greedy", 50)]);
    let view = report::view(&store).expect("a view");
    println!("{}", report::terminal(&view, 100, false));
}
