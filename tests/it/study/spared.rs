//! What a rule to stop early has spared is not missing: in merges of whole runs and of shards, in
//! runs that go on from them, and in what a report says.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use keny::report::{self, Extent};
use keny::study::merge::{Merged, Options, merge};
use keny::study::part::Part;
use keny::study::{self, Plan, Settings, Store, Summary};

use super::{plan, rows, run_to_end};

const PARTIAL: Options = Options { allow_partial: true, replace: false };

fn stopping() -> Plan {
    let mut plan =
        plan(&["keny", "turkish"], &[("random", "random", 700), ("random", "greedy", 90)]);
    plan.stopping = Some("draws 0.0900".parse().expect("a rule"));
    plan
}

fn merged(out: &Path, inputs: &[PathBuf], options: Options) -> Merged {
    merge(out, inputs, options, &AtomicBool::new(false)).expect("stores that fit")
}

fn run(plan: &Plan, part: Part, path: &Path) -> Summary {
    let mut store = Store::create_or_resume_part(path, plan, part, "").expect("a store");
    let settings = Settings { threads: 2, ..Settings::default() };
    study::run(&mut store, settings, &AtomicBool::new(false), |_| {}).expect("a run")
}

fn told(path: &Path) -> [String; 2] {
    let view = report::view(&Store::open(path).expect("a store")).expect("a view");
    [report::terminal(&view, 100, false, Extent::All), report::json(&view)]
}

#[test]
fn games_spared_are_not_missing_in_a_merge() {
    let plan = stopping();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (games, _) = run_to_end(&plan, &path("whole"), 2, u64::MAX);
    let (held, spared) = (games.len() as u64, plan.games_total() - games.len() as u64);
    assert!(spared > 100, "{spared}");
    let summary = run(&plan, Part::WHOLE, &path("whole"));
    assert_eq!((summary.done, summary.total, summary.spared), (held, held, spared));
    for (name, copies) in [("one", 1), ("two", 2)] {
        let found = merged(&path(name), &vec![path("whole"); copies], Options::default());
        assert!(found.written && found.missing.is_empty() && found.shards_missing.is_empty());
        assert_eq!((found.games, found.total, found.spared), (held, held, spared));
        assert_eq!(told(&path(name)), told(&path("whole")));
    }
    let [text, json] = told(&path("whole"));
    assert!(!text.contains("partial"), "{text}");
    assert!(text.contains("stopped early: `"), "{text}");
    assert!(text.contains("`turkish` by random after "), "{text}");
    assert!(json.contains("\"stopped_early\": [\n    {\n      \"variant\": "), "{json}");
}

#[test]
fn a_partial_merge_of_a_stopped_study_is_completed_by_a_run() {
    let plan = stopping();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (games, _) = run_to_end(&plan, &path("whole"), 2, u64::MAX);
    {
        // A run that was stopped soon.
        let mut store = Store::create_or_resume(&path("part"), &plan, "").expect("a store");
        let stop = AtomicBool::new(false);
        let settings = Settings { threads: 1, batch_max: 16 };
        let summary = study::run(&mut store, settings, &stop, |progress| {
            stop.store(progress.done > 20, std::sync::atomic::Ordering::Relaxed);
        });
        assert!(!summary.expect("a run").complete());
    }
    let found = merged(&path("out"), &[path("part")], PARTIAL);
    assert!(found.written && found.games < found.total && !found.missing.is_empty());
    assert!(told(&path("out"))[0].contains("partial"));
    assert!(run(&plan, Part::WHOLE, &path("out")).complete());
    assert!(rows(&Store::open(&path("out")).expect("a store")) == games);
    assert_eq!(told(&path("out"))[0], told(&path("whole"))[0]);
}

#[test]
fn shards_play_on_and_what_they_played_is_kept() {
    let plan = stopping();
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let shards: Vec<PathBuf> = (0..3)
        .map(|shard| {
            let path = path(&format!("shard-{shard}"));
            let summary = run(&plan, Part::new(shard, 3).expect("a shard"), &path);
            assert!(summary.complete() && summary.spared == 0);
            path
        })
        .collect();
    let all = merged(&path("all"), &shards, Options::default());
    assert_eq!((all.games, all.total, all.spared), (plan.games_total(), plan.games_total(), 0));
    assert!(run(&plan, Part::WHOLE, &path("all")).complete(), "nothing is left to play");

    // A whole run and one shard: what that played beyond the stop is neither lost nor missing.
    let (games, _) = run_to_end(&plan, &path("whole"), 2, u64::MAX);
    let mixed = merged(&path("mixed"), &[path("whole"), shards[1].clone()], Options::default());
    assert!(mixed.written && mixed.missing.is_empty() && mixed.shards_missing.is_empty());
    assert!(mixed.games > games.len() as u64 && mixed.spared > 0, "{mixed:?}");
    assert_eq!(mixed.games + mixed.spared, plan.games_total());
    let summary = run(&plan, Part::WHOLE, &path("mixed"));
    assert_eq!((summary.complete(), summary.played), (true, 0));
    assert!(!told(&path("mixed"))[0].contains("partial"));

    // Without a shard nobody can tell where play stops.
    let lacking = merged(&path("lacking"), &shards[..2], PARTIAL);
    assert_eq!((lacking.shards_missing.as_slice(), lacking.spared), ([2].as_slice(), 0));
}
