//! Stores: what is refused, in which words, and that nothing is destroyed.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use keny::study::{self, Plan, Settings, Store, StoreError};

use super::{plan, rows, run_to_end};

fn refused(path: &Path, plan: &Plan) -> String {
    let before = std::fs::read(path).expect("a file");
    let error = Store::create_or_resume(path, plan, "").expect_err("refused");
    assert_eq!(std::fs::read(path).expect("a file"), before, "the file was changed");
    error.to_string().replace(&*path.to_string_lossy(), "STORE")
}

#[test]
fn a_changed_study_is_refused_with_what_differs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.keny");
    let old = plan(&["keny", "turkish"], &[("random", "random", 3), ("random", "greedy", 2)]);
    let (before, _) = run_to_end(&old, &path, 1, u64::MAX);
    let mut new = plan(&["keny", "greek"], &[("random", "random", 4), ("greedy", "greedy", 2)]);
    (new.seed, new.opening_plies, new.plies_max) = (2, 6, 300);
    assert_eq!(
        refused(&path, &new),
        "`STORE` holds games of another study; what differs:
  seed: 1 -> 2
  opening_plies: 4 -> 6
  plies_max: 200 -> 300
  variant `turkish` removed
  variant `greek` added
  openings of pairing `random`: 3 -> 4
  pairing `random - greedy` removed
  pairing `greedy` added
write to another file, or put the study back as it was"
    );
    let mut swapped = old.clone();
    swapped.variants.reverse();
    swapped.pairings.reverse();
    assert_eq!(
        refused(&path, &swapped),
        "`STORE` holds games of another study; what differs:
  the order of the variants
  the order of the pairings
write to another file, or put the study back as it was"
    );
    let mut other_rules = old.clone();
    (other_rules.variants[1].ruleset, other_rules.variants[1].fingerprint) =
        (new.variants[1].ruleset, new.variants[1].fingerprint);
    let told = refused(&path, &other_rules);
    let (from, to) = (old.variants[1].fingerprint, new.variants[1].fingerprint);
    assert!(told.contains(&format!("\n  rules of variant `turkish`: {from} -> {to}\n")), "{told}");
    let mut renamed = old.clone();
    renamed.title = "Another title".to_owned();
    renamed.variants[0].name = "another name".to_owned();
    drop(Store::create_or_resume(&path, &renamed, "text").expect("the same games"));
    let store = Store::open(&path).expect("a store");
    assert_eq!(store.plan(), &renamed);
    assert_eq!(store.about().study_text, "text");
    assert_eq!(rows(&store), before);
}

#[test]
fn a_store_gives_back_every_kind_of_ruleset() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run.keny");
    let mut plan = plan(&keny::variant::library::NAMES, &[("random", "random", 1)]);
    let text = "players = [\"random\"]\nvariants = [{ name = \"odd\", board = { notation = \
                \"numbers\", files = 12, ranks = 9 }, setup = { position = \
                \"B:Wa1,Kl9:Bb5,Kc3\" }, draw = { repetition = 2 } }]";
    let odd = study::file::check_text("odd", text, Path::new("")).study.expect("a study").plan;
    plan.variants.extend(odd.variants);
    drop(Store::create_or_resume(&path, &plan, "").expect("a store"));
    let store = Store::open(&path).expect("a store");
    assert_eq!(store.plan().hash(), plan.hash());
    for (stored, planned) in store.plan().variants.iter().zip(&plan.variants) {
        assert_eq!(stored.fingerprint, planned.fingerprint);
        assert_eq!(stored.ruleset.start(), planned.ruleset.start());
    }
}

#[test]
fn what_is_no_store_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny"], &[("random", "random", 3)]);
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "my notes").expect("a file");
    assert_eq!(refused(&text, &plan), "`STORE` is not a keny store, so it was left alone");
    let long = folder.path().join("long.txt");
    std::fs::write(&long, "my notes\n".repeat(10_000)).expect("a file");
    let short = folder.path().join("short.txt");
    std::fs::write(&short, "x").expect("a file");
    assert_eq!(refused(&short, &plan), "`STORE` is not a keny store, so it was left alone");
    assert_eq!(refused(&long, &plan), "`STORE` is not a keny store, so it was left alone");
    let database = folder.path().join("other.sqlite");
    let other = rusqlite::Connection::open(&database).expect("a database");
    other.execute_batch("CREATE TABLE mine (x); INSERT INTO mine VALUES (1)").expect("a table");
    drop(other);
    assert_eq!(refused(&database, &plan), "`STORE` is not a keny store, so it was left alone");
    let error = Store::open(&database).expect_err("no store");
    assert!(matches!(error, StoreError::NotAStore { .. }));
    let missing = folder.path().join("missing");
    let error = Store::open(&missing).expect_err("no file");
    assert!(matches!(error, StoreError::Unusable { .. }), "{error}");
    assert!(!missing.exists());
    let error = Store::create_or_resume(folder.path(), &plan, "").expect_err("a folder");
    assert!(matches!(error, StoreError::Unusable { .. }), "{error}");
}

#[test]
fn other_versions_and_damage_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny"], &[("random", "random", 40)]);
    let path = folder.path().join("run.keny");
    run_to_end(&plan, &path, 1, u64::MAX);
    let whole = std::fs::read(&path).expect("a store");
    let changed = |sql: &str| {
        std::fs::write(&path, &whole).expect("a store");
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection.execute_batch(sql).expect(sql);
        drop(connection);
        refused(&path, &plan)
    };
    assert_eq!(
        changed("PRAGMA user_version = 9"),
        "`STORE` has store format 9, but this program knows only up to 3: it was written by a \
         newer keny"
    );
    let told = changed(
        "UPDATE meta SET value = '7' WHERE key = 'games_version'; \
         UPDATE meta SET value = 'keny 9.0.0' WHERE key = 'written_by'",
    );
    assert!(told.starts_with("`STORE` holds games of games-version 7 (keny 9.0.0), but this"));
    assert_eq!(
        changed("UPDATE meta SET value = 'x' WHERE key = 'seed'"),
        "`STORE` is damaged: `seed` in `meta` is `x`"
    );
    assert_eq!(
        changed("DELETE FROM meta WHERE key = 'title'"),
        "`STORE` is damaged: `meta` has no `title`"
    );
    assert_eq!(
        changed("UPDATE meta SET value = '3' WHERE key = 'seed'"),
        "`STORE` is damaged: its plan does not fit its plan hash"
    );
    assert_eq!(
        changed("UPDATE variants SET rules = replace(rules, 'true', 'false')"),
        "`STORE` is damaged: the rules of variant `keny` do not fit their fingerprint"
    );
    assert_eq!(
        changed("UPDATE meta SET value = '8' WHERE key = 'shards'"),
        "`STORE` holds shard 0 of 8, not the whole study: each shard needs a file of its own"
    );
    let sealed = "`STORE` is damaged: what it says about itself does not fit its checksum";
    assert_eq!(changed("UPDATE meta SET value = 'mine' WHERE key = 'title'"), sealed);
    assert_eq!(changed("UPDATE variants SET name = 'mine'"), sealed);
    assert_eq!(changed("CREATE TABLE mine (x)"), sealed);
    assert_eq!(
        changed("DELETE FROM meta WHERE key = 'header_hash'"),
        "`STORE` is damaged: `meta` has no `header_hash`"
    );
    let older = changed("PRAGMA user_version = 2");
    assert!(
        older.starts_with("`STORE` has store format 2, which this program (3) cannot"),
        "{older}"
    );
    assert_eq!(
        changed("UPDATE pairings SET first = 'nobody'"),
        "`STORE` is damaged: there is no player `nobody`"
    );
    std::fs::write(&path, &whole[..whole.len() / 2]).expect("a store");
    let error = Store::create_or_resume(&path, &plan, "").map(|store| store.done().map(drop));
    assert!(!matches!(error, Ok(Ok(()))), "half a store was taken for a whole one");
}

#[test]
fn damaged_games_are_told_when_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny"], &[("random", "random", 5)]);
    let path = folder.path().join("run.keny");
    run_to_end(&plan, &path, 1, u64::MAX);
    let whole = std::fs::read(&path).expect("a store");
    let measured = |path: &Path| {
        let store = Store::open(path).expect("a store");
        let error = study::metrics::measure(&store, 0, 0, study::metrics::Options::default())
            .expect_err("damage");
        error.to_string().replace(&*path.to_string_lossy(), "STORE")
    };
    for (sql, expected) in [
        ("reason = 'boredom'", "`STORE` is damaged: it holds an end of a game that no game has"),
        ("white = 3", "`STORE` is damaged: it holds a seat that is neither 1 nor 2"),
        ("turns = x'00'", "`STORE` is damaged: it holds a game that does not fit its checksum"),
        ("seed = seed + 1", "`STORE` is damaged: it holds a game that does not fit its checksum"),
    ] {
        std::fs::write(&path, &whole).expect("a store");
        let connection = rusqlite::Connection::open(&path).expect("a database");
        connection
            .execute_batch(&format!("UPDATE games SET {sql} WHERE opening = 2"))
            .expect("an update");
        drop(connection);
        assert_eq!(measured(&path), expected);
    }
    // Games that never were played, with the checksums that they should have.
    let games = run_to_end(&plan, &folder.path().join("other"), 1, u64::MAX).0;
    for (turns, expected) in [
        (
            vec![0xff],
            "`STORE` is damaged: variant 0, pairing 0, opening 2: the turns are damaged after ply 0",
        ),
        (
            vec![99],
            "`STORE` is damaged: variant 0, pairing 0, opening 2: ply 1 is turn number 99, but \
             only 24 turns are legal there",
        ),
    ] {
        std::fs::remove_file(&path).expect("a store");
        let mut store = Store::create_or_resume(&path, &plan, "").expect("a store");
        let mut game = games[2].clone();
        game.turns = turns;
        store.add(&[game]).expect("room");
        drop(store);
        assert_eq!(measured(&path), expected);
    }
}

#[test]
fn one_process_at_a_time_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny"], &[("random", "random", 5)]);
    let path = folder.path().join("run.keny");
    let mut store = Store::create_or_resume(&path, &plan, "").expect("a store");
    for error in [
        Store::create_or_resume(&path, &plan, "").expect_err("locked"),
        Store::open(&path).expect_err("locked"),
    ] {
        assert!(matches!(error, StoreError::Locked { .. }), "{error}");
        assert!(error.is_temporary());
    }
    let stop = AtomicBool::new(false);
    study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    drop(store);
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["run.keny"], "one file");
    let one = Store::open(&path).expect("a store");
    let two = Store::open(&path).expect("readers share it");
    assert_eq!(rows(&one), rows(&two));
}

#[test]
fn a_store_is_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = plan(&["keny", "turkish"], &[("random", "random", 1000)]);
    let path = folder.path().join("run.keny");
    let (rows, _) = run_to_end(&plan, &path, 2, u64::MAX);
    let bytes = std::fs::metadata(&path).expect("a store").len();
    assert!(bytes < 300 * rows.len() as u64, "{} bytes a game", bytes / rows.len() as u64);
}

/// Time of this process on all cores, in hundredths of a second; only Linux tells.
fn processor_time() -> u64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, fields) = text.rsplit_once(')').expect("a name in brackets");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    fields[11..13].iter().map(|field| field.parse::<u64>().expect("a number")).sum()
}

/// `cargo test --release --test it costs_little -- --ignored --nocapture`
#[test]
#[ignore = "measures speed, which only an optimised build shows"]
#[expect(clippy::print_stderr, reason = "the measure is what it is for")]
fn playing_into_a_store_costs_little() {
    use keny::rules::{Choices, Engine, Game};
    const GAMES: u32 = 100_000;
    let plan = plan(&["keny"], &[("random", "random", GAMES)]);
    let engine = Engine::new(&plan.variants[0].ruleset);
    let start = processor_time();
    let plies: u64 = keny::with_rules!(&engine, rules => {
        let (mut game, mut choices) = (Game::new(rules), Choices::new());
        let mut rng = keny::player::Rng::from_seed(1);
        let mut plies = 0;
        for _ in 0..GAMES {
            game.restart(rules.start_position());
            while game.choices(rules, &mut choices).is_none() && game.plies() < plan.plies_max {
                let index = rng.below(choices.len());
                game.play(rules, &choices.get(rules, index));
            }
            plies += u64::from(game.plies());
        }
        plies
    });
    let bare = processor_time() - start;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let mut store = Store::create_or_resume(&path, &plan, "").expect("a store");
    let start = processor_time();
    let stop = AtomicBool::new(false);
    let summary = study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    let stored = processor_time() - start;
    let bytes = std::fs::metadata(&path).expect("a store").len() / u64::from(GAMES);
    let per = |time: u64, plies: u64| 1e7 * time as f64 / plies as f64;
    let (bare, stored) = (per(bare, plies), per(stored, summary.plies));
    let ratio = bare / stored;
    eprintln!(
        "bare {bare:.1} ns, stored {stored:.1} ns a ply: ratio {ratio:.2}; {bytes} bytes a game of \
         {:.0} plies",
        summary.plies as f64 / f64::from(GAMES)
    );
    assert!(ratio >= 0.7);
}
