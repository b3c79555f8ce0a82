//! How often turns differ: a game counted by hand, and games counted again in another way.

use std::collections::BTreeSet;
use std::path::Path;

use keny::board::SquareSet;
use keny::record::Replayer;
use keny::rules::{Rules, Ruleset, Turn};
use keny::study::relevance::{
    Incomparable, Relevance, Trial, comparable, of_played, of_stored, openings_max, turns_alike,
};
use keny::study::{self, Plan, Store};
use keny::variant;

use super::metrics::scripted;
use super::{plan, run_to_end};

/// A store with one game, by the first of these variants, all with the same five pieces.
fn stored(variants: &[&str], turns: &str) -> (tempfile::TempDir, Store) {
    let setup = "setup = { position = \"W:Wb4,b5,g7:Bd6,h2\" }";
    let variants: Vec<String> = variants
        .iter()
        .enumerate()
        .map(|(number, tables)| format!("{{ name = \"number {number}\", {setup}, {tables} }}"))
        .collect();
    let text =
        format!("players = [\"random\"]\nopenings = 1\nvariants = [{}]", variants.join(", "));
    let checked = study::file::check_text("five", &text, Path::new(""));
    let plan: Plan = checked.study.unwrap_or_else(|| panic!("{:?}", checked.problems)).plan;
    let rules = Rules::<u64>::new(&plan.variants[0].ruleset);
    let mut record = scripted(&rules, turns);
    record.key.white = keny::record::Seat::First;
    let folder = tempfile::tempdir().expect("a folder");
    let mut store =
        Store::create_or_resume(&folder.path().join("run"), &plan, &text).expect("a store");
    store.add(&[record]).expect("a game that can be added");
    (folder, store)
}

/// Differing positions and positions, the first of them, and the plies after which ends differ.
fn counted(found: &Relevance) -> (u128, u128, Option<usize>, Option<usize>) {
    let positions = &found.positions;
    let (first, ending) = (found.first_ply.least(), found.first_ending.least());
    (positions.numerator(), positions.denominator(), first, ending)
}

#[test]
fn a_game_is_compared_as_counted_by_hand() {
    // A hop; a step; a forced capture; two crownings; three slides; the last capture, forced.
    let variants = [
        "hop = { chain = 1 }",
        "man = { hop_over = [] }, hop = { chain = 1 }",
        "capture = { mandatory = false }, hop = { chain = 1 }",
        "draw = { quiet_turns = 2, counted = \"both\" }, hop = { chain = 1 }",
        "draw = { quiet_turns = 0 }, hop = { chain = 1 }",
        "man = { captures_kings = false }, hop = { chain = 1 }",
    ];
    let (_folder, store) = stored(&variants, "b4b6 d6c6 b6d6 h2h1 g7g8 h1h4 g8g1 h4g4 g1g5");
    let found = of_stored(&store, 0, 0).expect("sound games");
    let of = |variant: usize| {
        let found = found[variant].as_ref().expect("not the base");
        found.as_ref().expect("comparable")
    };
    assert!(found[0].is_none());
    // Without hops: only before ply 1 does a man stand beside another with room behind.
    assert_eq!(counted(of(1)), (1, 9, Some(1), None));
    let example = of(1).example.as_ref().expect("an example");
    assert_eq!((example.ply, example.position.as_str()), (1, "W:Wb4,b5,g7:Bd6,h2"));
    let mut only: Vec<&str> = example.only_base.texts.iter().map(String::as_str).collect();
    only.sort_unstable();
    assert_eq!((only, example.only_base.count), (vec!["b4-b6", "b5-b3"], 2));
    assert_eq!(example.only_other.count, 0);
    // Ways forward and to both sides, of three men; b4 and b5 are in each other's way once.
    assert_eq!(example.both, 8);
    // Free captures: where there is one, other turns are legal beside it.
    assert_eq!(counted(of(2)), (2, 9, Some(3), None));
    let example = of(2).example.as_ref().expect("an example");
    // Both positions have no other piece than those that the capture leaves: the first has five.
    assert_eq!((example.ply, example.both, example.only_base.count), (3, 1, 0));
    assert!(example.only_other.count > 2);
    // Draw rules: no turn differs; two quiet turns would have ended the game after ply 2.
    assert_eq!(counted(of(3)), (0, 9, None, Some(2)));
    assert!(of(3).turns_alike && of(3).example.is_none());
    // Without a draw rule the same game ends the same.
    assert_eq!(counted(of(4)), (0, 9, None, None));
    // No king stands beside an enemy man, so that it makes no difference whether men take kings.
    assert_eq!(counted(of(5)), (0, 9, None, None));
    assert!(!of(5).turns_alike);
}

#[test]
fn rules_that_no_game_meets_change_no_end() {
    let variants = [
        "hop = { chain = 1 }",
        "end = { one_piece_each = \"draw\" }, hop = { chain = 1 }",
        "end = { blocked = \"draw\" }, hop = { chain = 1 }",
    ];
    let (_folder, store) = stored(&variants, "b4b6 d6c6 b6d6 h2h1 g7g8 h1h4 g8g1 h4g4 g1g5");
    let found = of_stored(&store, 0, 0).expect("sound games");
    for found in &found[1..] {
        // White keeps three pieces to the end, and nobody is blocked.
        let found = found.as_ref().expect("not the base").as_ref().expect("comparable");
        assert_eq!(counted(found), (0, 9, None, None));
        assert_eq!((found.endings.numerator(), found.endings.denominator()), (0, 1));
    }
}

fn shipped(name: &str) -> Ruleset {
    variant::load(name).expect("a shipped variant").ruleset
}

#[test]
fn other_boards_and_starts_cannot_be_compared() {
    let keny = shipped("keny");
    let told = |other: &Ruleset| comparable(&keny, other).map_err(|error| error.to_string());
    let boards =
        "the boards differ: 8 files, 8 ranks, all squares and 8 files, 8 ranks, dark squares";
    assert_eq!(told(&shipped("russian")), Err(boards.to_owned()));
    let mut other = keny;
    other.setup.first = keny.setup.first.other();
    assert_eq!(
        comparable(&keny, &other),
        Err(Incomparable::First { base: "white", other: "black" })
    );
    let mut other = keny;
    other.setup.pieces = keny::rules::Setup::Position({
        let mut placement = keny.start();
        placement.pieces[0] = placement.pieces[0].without_first();
        placement
    });
    assert_eq!(comparable(&keny, &other), Err(Incomparable::Start));
    assert_eq!(told(&shipped("turkish")), Ok(()));
    assert!(!turns_alike(&keny, &shipped("turkish")));
}

/// The same counts by sets of turns.
fn recount(store: &Store, variant: usize, games: usize) -> (u128, u128, u64) {
    let [base, other] =
        [0, variant].map(|number| Rules::<u64>::new(&store.plan().variants[number].ruleset));
    let mut replayer = Replayer::new(&base);
    let (mut differing, mut positions, mut with) = (0, 0, 0);
    for game in store.games(0, 0).take(games) {
        let mut differs = false;
        replayer
            .replay(&game.expect("a game"), |step| {
                let set = |rules: &Rules<u64>| -> BTreeSet<(u64, u64, u128, bool)> {
                    let mut turns: Vec<Turn<u64>> = Vec::new();
                    rules.turns(&step.position.placement, step.position.side, &mut turns);
                    turns
                        .iter()
                        .map(|turn| {
                            let (from, to) = (u64::single(turn.from), u64::single(turn.to));
                            (from, to, turn.taken.to_bits(), turn.promotes())
                        })
                        .collect()
                };
                positions += 1;
                if set(&base) != set(&other) {
                    differing += 1;
                    differs = true;
                }
            })
            .expect("sound");
        with += u64::from(differs);
    }
    (differing, positions, with)
}

#[test]
fn counts_are_those_of_sets_of_turns_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let variants = ["keny", "keny-collection", "keny-zillions", "turkish", "russian"];
    let plan = plan(&variants, &[("random", "random", 620), ("random", "greedy", 6)]);
    assert_eq!(openings_max(&plan, &plan.pairings[0]), 500);
    assert_eq!(openings_max(&plan, &plan.pairings[1]), 6);
    let only_base = Plan { variants: plan.variants[..1].to_vec(), ..plan.clone() };
    run_to_end(&only_base, &path, 2, u64::MAX);
    let games: Vec<_> = {
        let store = Store::open(&path).expect("a store");
        let all = (0..2).flat_map(|pairing| store.games(0, pairing).collect::<Vec<_>>());
        all.map(|game| game.expect("a game")).collect()
    };
    let path = folder.path().join("all");
    let mut store = Store::create_or_resume(&path, &plan, "").expect("a store");
    store.add(&games).expect("games of the plan");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        // A store stays on its thread.
        let path = &path;
        pool.install(|| {
            let store = Store::open(path).expect("a store");
            [0, 1].map(|pairing| of_stored(&store, 0, pairing).expect("sound games"))
        })
    };
    drop(store);
    let found = on(1);
    assert_eq!(found, on(3));
    let store = Store::open(&path).expect("a store");
    for (variant, answer) in found[0].iter().enumerate().take(4).skip(1) {
        let one = answer.as_ref().expect("another").as_ref().expect("comparable");
        let (differing, positions, with) = recount(&store, variant, 500);
        assert_eq!(one.positions.numerator(), differing, "{variant}");
        assert_eq!(one.positions.denominator(), positions);
        assert_eq!((one.first_ply.n(), one.games.denominator()), (with, 500));
        assert!(differing > 0 && one.example.is_some());
    }
    assert!(matches!(found[0][4], Some(Err(Incomparable::Board { .. }))));
    // A pair has two games.
    let pairs = found[1][1].as_ref().expect("another").as_ref().expect("comparable");
    assert_eq!((pairs.games.games(), pairs.games.denominator()), (6, 12));
    // The same games, played for the purpose.
    let trial = Trial {
        player: "random".parse().expect("a player"),
        games: 500,
        opening_plies: plan.opening_plies,
        plies_max: plan.plies_max,
        seed: plan.seed,
    };
    let [base, other] = [0, 1].map(|number| plan.variants[number].ruleset);
    let played = of_played(&base, &other, &trial).expect("comparable");
    assert_eq!(Some(Ok(played)), found[0][1]);
}
