//! Studies: the same rows for any thread count and after any interruption, and what is refused.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use keny::record::Record;
use keny::study::{self, Pairing, Plan, PlannedVariant, Settings, Store};
use keny::variant;

fn plan(variants: &[&str], pairings: &[(&str, &str, u32)]) -> Plan {
    let variants = variants
        .iter()
        .map(|name| {
            let variant = variant::load(name).expect("a shipped variant");
            let fingerprint = variant.fingerprint();
            PlannedVariant { name: variant.id, ruleset: variant.ruleset, fingerprint }
        })
        .collect();
    let pairings = pairings
        .iter()
        .map(|&(first, second, openings)| Pairing {
            players: [first, second].map(|name| name.parse().expect("a player")),
            openings,
        })
        .collect();
    Plan {
        title: "A test".to_owned(),
        seed: 1,
        opening_plies: 4,
        plies_max: 200,
        variants,
        pairings,
    }
}

fn rows(store: &Store) -> Vec<Record> {
    let plan = store.plan();
    let mut rows = Vec::new();
    for (variant, _) in (0..).zip(&plan.variants) {
        for (pairing, _) in (0..).zip(&plan.pairings) {
            rows.extend(store.games(variant, pairing).map(|game| game.expect("a stored game")));
        }
    }
    rows
}

/// Runs with interruptions: each time `stop_after` more games are stored.
fn run_to_end(plan: &Plan, path: &Path, threads: usize, stop_after: u64) -> (Vec<Record>, u32) {
    let mut runs = 0;
    loop {
        let mut store = Store::create_or_resume(path, plan, "").expect("a store");
        let stop = AtomicBool::new(false);
        let mut first = None;
        let batch_max = if stop_after == u64::MAX { 8192 } else { 20 };
        let settings = Settings { threads, batch_max };
        let summary = study::run(&mut store, settings, &stop, |progress| {
            let before = *first.get_or_insert(progress.done);
            if progress.done - before >= stop_after {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .expect("a run");
        runs += 1;
        if summary.complete() {
            return (rows(&store), runs);
        }
        assert!(runs < 1000, "no end");
    }
}

#[test]
fn rows_are_the_same_for_any_threads_and_interruptions() {
    let plan = plan(
        &["keny", "keny-other-sources", "turkish", "international"],
        &[("random", "random", 60), ("random", "greedy", 21)],
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (expected, runs) = run_to_end(&plan, &path("one"), 1, u64::MAX);
    assert_eq!(runs, 1);
    assert_eq!(expected.len() as u64, plan.games_total());
    let keys: Vec<_> = expected.iter().map(|record| record.key).collect();
    assert_eq!(keys, plan.keys().collect::<Vec<_>>());
    for (threads, stop_after) in [(2, u64::MAX), (3, u64::MAX), (1, 1), (2, 1), (3, 100)] {
        let (rows, runs) =
            run_to_end(&plan, &path(&format!("{threads}-{stop_after}")), threads, stop_after);
        assert!(runs > 1 || stop_after == u64::MAX);
        assert!(rows == expected, "{threads} threads, stopped after {stop_after} games");
    }
}
