//! Studies: the same rows for any thread count and after any interruption, and what is refused.

mod damage;
mod designs;
mod early;
mod files;
mod metrics;
mod records;
mod relevance;
mod shards;
mod spared;
mod stores;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use keny::board::SquareSet;
use keny::player::build_with;
use keny::record::{GameKey, Indices, Record, Replayer, Seat};
use keny::rules::{Engine, Reason, Rules};
use keny::study::adjudication::Adjudication;
use keny::study::metrics::{Options, Quantity, measure};
use keny::study::{self, Pairing, Plan, PlannedVariant, Settings, Store};
use keny::{variant, with_rules};

fn plan(variants: &[&str], pairings: &[(&str, &str, u32)]) -> Plan {
    let variants = variants
        .iter()
        .map(|name| {
            let variant = variant::load(name).expect("a shipped variant");
            let fingerprint = variant.fingerprint();
            PlannedVariant {
                name: variant.id,
                ruleset: variant.ruleset,
                fingerprint,
                weights: None,
            }
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
        designs: Vec::new(),
        stopping: None,
        adjudication: None,
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
fn games_are_adjudicated_only_if_a_study_asks_and_say_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let by_rules = plan(&["turkish"], &[("greedy", "random", 30)]);
    let judged =
        Plan { adjudication: Some(Adjudication { lead: 5, plies: 6 }), ..by_rules.clone() };
    assert_ne!(by_rules.hash(), judged.hash());
    assert_eq!(by_rules.differences(&judged), ["adjudicate: none -> lead 5 for 6 plies"]);
    let (whole, _) = run_to_end(&by_rules, &folder.path().join("rules"), 2, u64::MAX);
    let path = folder.path().join("judged");
    let (cut, _) = run_to_end(&judged, &path, 2, u64::MAX);
    let reasons = |rows: &[Record]| {
        rows.iter().filter(|row| row.reason() == Some(Reason::Adjudicated)).count()
    };
    assert_eq!(reasons(&whole), 0);
    assert!(reasons(&cut) > 30, "{} of {}", reasons(&cut), cut.len());
    for (one, other) in cut.iter().zip(&whole) {
        assert!(one.plies <= other.plies && other.turns.starts_with(&one.turns));
    }
    // The plan with its judge, and games that go on at their end, come back from the store.
    let store = Store::open(&path).expect("a store");
    assert_eq!(*store.plan(), judged);
    let measured = measure(&store, 0, 0, Options::default()).expect("games that fit the plan");
    let share = measured.tally.sum(Quantity::EndedByAdjudication);
    assert_eq!(share, reasons(&cut) as u64);
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

/// The stored games of a plan, played in a folder that is gone afterwards.
fn played(plan: &Plan) -> Vec<Record> {
    let folder = tempfile::tempdir().expect("a folder");
    run_to_end(plan, &folder.path().join("run"), 2, u64::MAX).0
}

#[test]
fn a_stopped_run_leaves_out_what_it_did_not_finish() {
    let plan = plan(&["keny"], &[("random", "random", 40)]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let mut store = Store::create_or_resume(&path, &plan, "").expect("a store");
    let stop = AtomicBool::new(true);
    let summary = study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    assert!(!summary.complete());
    assert_eq!((summary.done, summary.played, summary.total), (0, 0, 40));
    stop.store(false, Ordering::Relaxed);
    let mut seen = Vec::new();
    let summary = study::run(&mut store, Settings::default(), &stop, |progress| {
        seen.push(progress.done);
    })
    .expect("a run");
    assert!(summary.complete());
    assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&40)));
    let again = study::run(&mut store, Settings::default(), &stop, |_| {}).expect("a run");
    assert_eq!((again.played, again.done), (0, 40));
}

#[test]
fn a_game_at_the_ply_cap_is_unfinished_and_no_draw() {
    let mut plan = plan(&["keny"], &[("random", "random", 5)]);
    plan.plies_max = 6;
    for record in played(&plan) {
        assert_eq!((record.plies, record.outcome(), record.reason()), (6, None, None));
        assert_eq!(record.reason_name(), "unfinished");
        assert_eq!(Indices::new(&record.turns).count(), 6);
    }
}

#[test]
fn two_players_play_each_opening_with_sides_swapped() {
    let plan = plan(&["keny", "international"], &[("greedy", "random", 6)]);
    let rows = played(&plan);
    assert_eq!(rows.len(), 24);
    for pair in rows.chunks(2) {
        let [one, two] = pair else { panic!("an odd number of games") };
        assert_eq!((one.key.white, two.key.white), (Seat::First, Seat::Second));
        assert_eq!(one.key.opening, two.key.opening);
        assert_eq!(one.turns[..4], two.turns[..4], "the opening");
        assert_ne!(one.seed, two.seed);
    }
    for record in &rows {
        let engine = Engine::new(&plan.variants[record.key.variant as usize].ruleset);
        with_rules!(&engine, rules => greedy_sits_in_its_seat(rules, &plan, record));
    }
}

/// The greedy player, which draws no lots here, chose its turns and not the other player's.
fn greedy_sits_in_its_seat<S: SquareSet>(rules: &Rules<S>, plan: &Plan, record: &Record) {
    let spec = plan.pairings[0].player(Seat::First);
    let mut greedy = build_with(spec, rules, None, 0);
    let mut game = keny::rules::Game::new(rules);
    let (mut same, mut own, mut other_same, mut other) = (0, 0, 0, 0);
    let mut replayer = Replayer::new(rules);
    let replayed = replayer.replay(record, |step| {
        let choice = greedy.choose(rules, &game, step.choices);
        if step.ply > plan.opening_plies {
            let white = step.position.side == keny::board::Side::White;
            if white == (record.key.white == Seat::First) {
                own += 1;
                same += u32::from(choice == step.index);
            } else {
                other += 1;
                other_same += u32::from(choice == step.index);
            }
        }
        game.play(rules, &step.turn);
    });
    replayed.expect("a sound record");
    assert!(own > 0 && other > 0);
    assert!(other_same < other, "the other player is greedy too");
    assert!(same * 2 > own, "{same} of {own} turns are greedy");
}

#[test]
fn openings_are_shared_where_they_are_legal() {
    let names = ["keny", "keny-other-sources", "keny-zillions", "greek", "international"];
    let plan = plan(&names, &[("random", "random", 200)]);
    let rows = played(&plan);
    let openings: Vec<Vec<(u8, u8)>> =
        rows.iter().map(|record| opening_of(&plan, record)).collect();
    let mut shared = [0; 5];
    for (record, opening) in rows.iter().zip(&openings) {
        let GameKey { variant, opening: number, .. } = record.key;
        assert_eq!(opening.len(), 4);
        let model = &openings[number as usize];
        let same_board = names[variant as usize] != "international";
        assert_eq!(record.opening_shared, same_board && opening == model, "{:?}", record.key);
        shared[variant as usize] += u32::from(record.opening_shared);
    }
    assert_eq!((shared[0], shared[4]), (200, 0));
    assert!(shared[1] > 150 && shared[2] > 150 && shared[3] < 200, "{shared:?}");
    let seeds = |variant: u32| -> Vec<u64> {
        let games = rows.iter().filter(|record| record.key.variant == variant);
        games.map(|record| record.seed).collect()
    };
    assert_eq!(seeds(0), seeds(4), "seeds do not know the rules");
}

/// Start and end of the turns of the opening.
fn opening_of(plan: &Plan, record: &Record) -> Vec<(u8, u8)> {
    let engine = Engine::new(&plan.variants[record.key.variant as usize].ruleset);
    let mut turns = Vec::new();
    with_rules!(&engine, rules => {
        let replayed = Replayer::new(rules).replay(record, |step| {
            if step.ply <= plan.opening_plies {
                turns.push((step.turn.from.0, step.turn.to.0));
            }
        });
        replayed.expect("a sound record");
    });
    turns
}

#[test]
fn an_opening_that_ends_the_game_is_drawn_again_or_left_out() {
    let study = |position: &str, plies: u32| {
        let text = format!(
            "variants = [{{ name = \"short\", setup = {{ position = \"{position}\" }} }}]\n\
             players = [\"random\"]\nopening_plies = {plies}\nopenings = 30\n"
        );
        study::file::check_text("short.toml", &text, Path::new("")).study.expect("a study").plan
    };
    // White must take the last piece: no opening of two plies exists.
    for record in played(&study("W:Wa1:Ba2", 2)) {
        assert_eq!((record.plies, record.reason_name()), (1, "captured-all"));
        assert!(record.opening_shared);
    }
    // Of White's turns some let Black take the last piece, others do not.
    for record in played(&study("W:Wa1:Ba3,h8", 2)) {
        assert!(record.plies > 2, "the game ended in its opening");
    }
    // Black has no piece: over before it begins.
    for record in played(&study("B:Wa1:B", 2)) {
        assert_eq!((record.plies, record.reason_name()), (0, "captured-all"));
    }
}
