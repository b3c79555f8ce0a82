//! Shards: a study dealt out and put together is the study in one piece, whatever the order, and
//! what is missing or does not fit is told.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use keny::report;
use keny::study::merge::{self, MergeError, Merged, Options};
use keny::study::part::Part;
use keny::study::{self, Plan, Settings, Store, StoreError};

use super::{plan, rows};

const TEXT: &str = "title = \"A test\"\n";
const PARTIAL: Options = Options { allow_partial: true, replace: false };

/// Two players play pairs, and the openings divide by no number of shards.
fn uneven() -> Plan {
    plan(
        &["keny", "turkish", "international"],
        &[("random", "random", 37), ("random", "greedy", 11)],
    )
}

fn play(plan: &Plan, part: Part, path: &Path) -> u64 {
    let mut store = Store::create_or_resume_part(path, plan, part, TEXT).expect("a store");
    let settings = Settings { threads: 2, ..Settings::default() };
    let summary = study::run(&mut store, settings, &AtomicBool::new(false), |_| {});
    let summary = summary.expect("a run");
    assert!(summary.complete());
    assert_eq!(summary.total, part.games(plan));
    summary.played
}

fn shards(plan: &Plan, number: u32, folder: &Path) -> Vec<PathBuf> {
    let shard = |shard| {
        let path = folder.join(format!("shard-{shard}-of-{number}"));
        play(plan, Part::new(shard, number).expect("a shard"), &path);
        path
    };
    (0..number).map(shard).collect()
}

fn merged(out: &Path, inputs: &[PathBuf], options: Options) -> Result<Merged, MergeError> {
    merge::merge(out, inputs, options, &AtomicBool::new(false))
}

/// A report in every format.
fn reports(path: &Path) -> Vec<String> {
    let store = Store::open(path).expect("a store");
    let view = report::view(&store).expect("a report");
    let mut texts = vec![
        report::terminal(&view, 100, false, report::Extent::All),
        report::markdown(&view),
        report::json(&view),
        report::html(&view),
    ];
    texts.extend(report::csv(&view).into_iter().map(|(_, text)| text));
    texts
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn merged_shards_are_the_study_in_one_piece() {
    let plan = uneven();
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    play(&plan, Part::WHOLE, &whole);
    let expected_rows = rows(&Store::open(&whole).expect("a store"));
    let expected = reports(&whole);
    for number in [1, 2, 3, 7, 16] {
        let inputs = shards(&plan, number, folder.path());
        let held: u64 = inputs
            .iter()
            .map(|path| Store::open(path).and_then(|store| store.done()).expect("games").count())
            .sum();
        assert_eq!(held, plan.games_total(), "no game is in two of {number} shards");
        let mut backwards = inputs.clone();
        backwards.reverse();
        let mut shuffled = inputs.clone();
        shuffled.sort_by_key(|path| blake3::hash(path.as_os_str().as_encoded_bytes()).to_hex());
        let doubled = [shuffled.clone(), backwards.clone()].concat();
        let overlapping = [vec![whole.clone()], inputs.clone()].concat();
        for (order, inputs) in
            [inputs, backwards, shuffled, doubled, overlapping].iter().enumerate()
        {
            let out = folder.path().join(format!("merged-{number}-{order}"));
            let merged = merged(&out, inputs, Options::default()).expect("they fit");
            let repeated = if order < 3 { 0 } else { plan.games_total() };
            assert_eq!((merged.games, merged.repeated), (plan.games_total(), repeated));
            assert!(merged.written && merged.missing.is_empty());
            let store = Store::open(&out).expect("a store");
            assert_eq!(store.part(), Part::WHOLE);
            assert!(rows(&store) == expected_rows, "{number} shards, order {order}");
            drop(store);
            assert!(reports(&out) == expected, "{number} shards, order {order}");
        }
    }
    assert!(names(folder.path()).iter().all(|name| !name.contains("merging")));
}

#[test]
fn pairs_never_straddle_shards_and_variants_share_openings() {
    let plan = uneven();
    let folder = tempfile::tempdir().expect("a folder");
    for (shard, path) in (0..).zip(shards(&plan, 4, folder.path())) {
        let rows = rows(&Store::open(&path).expect("a store"));
        let openings = |variant: u32, pairing: u32| -> Vec<u32> {
            let own = |key: &keny::record::GameKey| (key.variant, key.pairing);
            let keys = rows.iter().map(|row| row.key);
            keys.filter(|key| own(key) == (variant, pairing)).map(|key| key.opening).collect()
        };
        for variant in 0..3 {
            assert_eq!(openings(variant, 0), openings(0, 0), "each variant lacks the same");
            assert_eq!(openings(variant, 1), openings(0, 1));
        }
        assert!(openings(0, 0).iter().all(|opening| opening % 4 == shard));
        assert!(openings(0, 1).chunks(2).all(|pair| pair.len() == 2 && pair[0] == pair[1]));
    }
}

#[test]
fn a_finished_shard_is_left_as_it_is_and_a_stopped_one_goes_on() {
    let plan = uneven();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("shard");
    let part = Part::new(1, 3).expect("a shard");
    assert_eq!(play(&plan, part, &path), part.games(&plan));
    let before = std::fs::read(&path).expect("a store");
    assert_eq!(play(&plan, part, &path), 0);
    assert!(std::fs::read(&path).expect("a store") == before, "the store was changed");
    // Half of its games.
    let all = rows(&Store::open(&path).expect("a store"));
    let half = folder.path().join("half");
    let mut store = Store::create_or_resume_part(&half, &plan, part, TEXT).expect("a store");
    let (kept, lost) = all.split_at(all.len() / 2);
    store.add(kept).expect("room");
    drop(store);
    assert_eq!(play(&plan, part, &half), lost.len() as u64);
    assert!(rows(&Store::open(&half).expect("a store")) == all);
}

#[test]
fn a_store_keeps_to_its_part() {
    let plan = uneven();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("STORE");
    let part = |shard, shards| Part::new(shard, shards).expect("a shard");
    play(&plan, part(1, 3), &path);
    let before = std::fs::read(&path).expect("a store");
    for (other, told) in [
        (part(2, 3), "holds shard 1 of 3, not shard 2 of 3: each shard needs a file of its own"),
        (part(1, 4), "holds shard 1 of 3, not shard 1 of 4: each shard needs a file of its own"),
        (
            Part::WHOLE,
            "holds shard 1 of 3, not the whole study: each shard needs a file of its own",
        ),
    ] {
        let error = Store::create_or_resume_part(&path, &plan, other, TEXT).expect_err("refused");
        assert!(matches!(error, StoreError::OtherPart { .. }));
        assert!(error.to_string().ends_with(told), "{error}");
        assert!(std::fs::read(&path).expect("a store") == before);
    }
    // A game that is another shard's.
    let stray = folder.path().join("stray");
    let other = folder.path().join("other");
    play(&plan, part(2, 3), &other);
    let game = rows(&Store::open(&other).expect("a store")).remove(0);
    let mut store = Store::create_or_resume_part(&stray, &plan, part(1, 3), TEXT).expect("a store");
    store.add(&[game]).expect("room");
    let error = store.done().expect_err("a stray game");
    assert!(error.to_string().ends_with("it holds a game that its plan does not have"), "{error}");
}

#[test]
fn missing_shards_are_told_and_can_be_added() {
    let plan = uneven();
    let folder = tempfile::tempdir().expect("a folder");
    let inputs = shards(&plan, 7, folder.path());
    let out = folder.path().join("out");
    let some: Vec<PathBuf> = [6, 1, 2].map(|shard: usize| inputs[shard].clone()).to_vec();
    let told = merged(&out, &some, Options::default()).expect("they fit");
    assert!(!told.written && !out.exists());
    assert_eq!(told.shards_missing, [0, 3, 4, 5]);
    assert_eq!(study::part::ranges(&told.shards_missing), "0,3-5");
    assert_eq!(told.missing.len(), merge::LISTED_MAX);
    assert_eq!(
        merge::in_words(&plan, &told.missing[0]),
        "variant `keny`, pairing `random`, opening 0"
    );
    let partial = merged(&out, &some, PARTIAL).expect("they fit");
    assert!(partial.written && partial.games == told.games && partial.games < partial.total);
    assert!(reports(&out)[0].contains("\npartial: "), "{}", reports(&out)[0]);
    // The late ones come to the partial store.
    let late =
        [vec![out.clone()], [0, 3, 4, 5].map(|n: usize| inputs[n].clone()).to_vec()].concat();
    let error = merged(&out, &late, Options::default()).expect_err("it exists");
    assert!(matches!(error, MergeError::Exists { .. }), "{error}");
    let options = Options { replace: true, ..Options::default() };
    let whole = merged(&out, &late, options).expect("they fit");
    assert_eq!((whole.games, whole.repeated), (plan.games_total(), 0));
    assert!(!reports(&out)[0].contains("partial"));
    // A shard that was killed as it began has left an empty file.
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "").expect("a file");
    let some = [vec![empty.clone()], inputs[1..].to_vec()].concat();
    let told = merged(&folder.path().join("o"), &some, Options::default()).expect("they fit");
    assert_eq!(told.shards_missing, [0]);
    let error = merged(&folder.path().join("o"), &[empty], PARTIAL).expect_err("nothing");
    assert!(matches!(error, MergeError::Store(StoreError::Empty { .. })), "{error}");
    // A shard that was stopped is missing too, and its pair that is half there.
    let mut stopped = rows(&Store::open(&inputs[4]).expect("a store"));
    stopped.pop();
    let path = folder.path().join("stopped");
    let part = Part::new(4, 7).expect("a shard");
    Store::create_or_resume_part(&path, &plan, part, TEXT)
        .and_then(|mut store| store.add(&stopped))
        .expect("room");
    let mut inputs = inputs;
    inputs[4] = path;
    let out = folder.path().join("out-stopped");
    let told = merged(&out, &inputs, Options::default()).expect("they fit");
    assert_eq!((told.shards_missing.as_slice(), told.missing.len()), (&[4][..], 1));
    assert_eq!(
        merge::in_words(&plan, &told.missing[0]),
        "variant `international`, pairing `random - greedy`, opening 4, White played by greedy"
    );
}

/// What a refused merge says, with nothing written.
fn refused(folder: &Path, inputs: &[PathBuf], options: Options) -> String {
    let (out, before) = (folder.join("refused"), names(folder));
    let error = merged(&out, inputs, options).expect_err("refused");
    assert_eq!(names(folder), before, "something was written");
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

#[test]
fn what_does_not_fit_is_refused() {
    let (plan, folder) = (uneven(), tempfile::tempdir().expect("a folder"));
    let folder = folder.path();
    let inputs = shards(&plan, 3, folder);
    let mut other = plan.clone();
    other.seed = 2;
    other.pairings[1].openings = 12;
    let path = folder.join("other");
    play(&other, Part::new(2, 3).expect("a shard"), &path);
    assert_eq!(
        refused(folder, &[inputs[0].clone(), path.clone(), inputs[1].clone()], PARTIAL),
        "`shard-0-of-3` and `other` hold games of different studies; what differs, from the first \
         to the second:\n  seed: 1 -> 2\n  openings of pairing `random - greedy`: 11 -> 12"
    );
    let four = shards(&plan, 4, folder);
    assert_eq!(
        refused(folder, &[inputs[0].clone(), four[1].clone()], PARTIAL),
        "`shard-0-of-3` is one of 3 shards, but `shard-1-of-4` is one of 4: merge the shards of \
         one run"
    );
    // A game that was played otherwise.
    let mut games = rows(&Store::open(&inputs[1]).expect("a store"));
    games[3].turns[5] ^= 1;
    let forged = folder.join("forged");
    Store::create_or_resume_part(&forged, &plan, Part::new(1, 3).expect("a shard"), TEXT)
        .and_then(|mut store| store.add(&games))
        .expect("room");
    let told = "`shard-1-of-3` and `forged` do not agree: they hold different games for variant \
                `keny`, pairing `random`, opening 10; one of them was not played by this study, or \
                is damaged";
    let all = [inputs.clone(), vec![forged]].concat();
    assert_eq!(refused(folder, &all, Options::default()), told);
    // A store of other games, and what is no store.
    let old = folder.join("old");
    std::fs::copy(&inputs[0], &old).expect("a copy");
    rusqlite::Connection::open(&old)
        .and_then(|old| old.execute_batch("UPDATE meta SET value = 1 WHERE key = 'games_version'"))
        .expect("an update");
    let told = refused(folder, &[inputs[1].clone(), old], PARTIAL);
    assert!(told.starts_with("`old` holds games of games-version 1 (keny "), "{told}");
    let notes = folder.join("notes");
    std::fs::write(&notes, "my notes").expect("a file");
    let told = refused(folder, &[inputs[1].clone(), notes.clone()], PARTIAL);
    assert_eq!(told, "`notes` is not a keny store, so it was left alone");
    let told = refused(folder, &[folder.join("nowhere")], PARTIAL);
    assert_eq!(told, "`nowhere` cannot be opened, read or written: there is no such file");
    let replace = Options { replace: true, ..Options::default() };
    let error = merged(&notes, &inputs, replace).expect_err("not replaced");
    assert!(matches!(error, MergeError::Store(StoreError::NotAStore { .. })), "{error}");
    assert_eq!(std::fs::read_to_string(&notes).expect("a file"), "my notes");
    let stopped = merge::merge(&folder.join("o"), &inputs, PARTIAL, &AtomicBool::new(true));
    assert!(matches!(stopped, Err(MergeError::Stopped { .. })));
    assert!(names(folder).iter().all(|name| name != "o" && !name.contains("merging")));
}

#[test]
fn texts_that_differ_do_not_depend_on_the_order() {
    let (plan, folder) = (uneven(), tempfile::tempdir().expect("a folder"));
    let inputs = shards(&plan, 2, folder.path());
    let mut renamed = plan.clone();
    renamed.title = "Another title".to_owned();
    renamed.variants[0].name = "a better name".to_owned();
    let part = Part::new(1, 2).expect("a shard");
    drop(Store::create_or_resume_part(&inputs[1], &renamed, part, TEXT).expect("a store"));
    let out = |name: &str| folder.path().join(name);
    let one = merged(&out("one"), &inputs, Options::default()).expect("they fit");
    let backwards = [inputs[1].clone(), inputs[0].clone()];
    let two = merged(&out("two"), &backwards, Options::default()).expect("they fit");
    assert!(one.texts_differ && two.texts_differ);
    assert!(reports(&out("one")) == reports(&out("two")));
}
