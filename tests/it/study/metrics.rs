//! Metrics: a game counted by hand, and sums that do not depend on threads.

use std::path::Path;

use keny::board::SquareSet;
use keny::record::{GameKey, Record, Seat, push_index};
use keny::rules::{Choices, Game, Rules, Stop};
use keny::stats::{Confidence, Missing};
use keny::study::metrics::fitted::{Leads, king_value};
use keny::study::metrics::{
    Distribution, GameNumbers, KingValue, Lead, METRICS, Measured, Meter, Metric, Options,
    Quantity, Tally, measure,
};
use keny::study::{self, Store};

use super::{plan, run_to_end};

/// The record of the game with these turns, each as start and end: `b4b6`.
pub(super) fn scripted<S: SquareSet>(rules: &Rules<S>, turns: &str) -> Record {
    let mut game = Game::new(rules);
    let mut choices = Choices::new();
    let mut bytes = Vec::new();
    let mut stop = game.choices(rules, &mut choices);
    for text in turns.split(' ') {
        let square = |at: usize| {
            let [file, rank] = [text.as_bytes()[at] - b'a', text.as_bytes()[at + 1] - b'1'];
            let place = [file, rank].map(|number| i8::try_from(number).expect("on the board"));
            rules.geometry().square(place[0], place[1]).expect("a square")
        };
        let (from, to) = (square(0), square(2));
        let index = (0..choices.len())
            .find(|&index| {
                let turn = choices.get(rules, index);
                (turn.from, turn.to) == (from, to)
            })
            .unwrap_or_else(|| panic!("{text} is not legal"));
        push_index(&mut bytes, index);
        let turn = choices.get(rules, index);
        game.play(rules, &turn);
        stop = game.choices(rules, &mut choices);
    }
    let key = GameKey { variant: 0, pairing: 0, opening: 0, white: Seat::Second };
    let (plies, end) = (game.plies(), stop.and_then(Stop::ending));
    Record { key, seed: 0, end, plies, opening_shared: true, turns: bytes }
}

#[test]
fn a_game_is_measured_as_counted_by_hand() {
    let text = "players = [\"random\"]\nvariants = [{ name = \"five pieces\", setup = { position \
                = \"W:Wb4,b5,g7:Bd6,h2\" } }]";
    let plan = study::file::check_text("five", text, Path::new("")).study.expect("a study").plan;
    let rules = Rules::<u64>::new(&plan.variants[0].ruleset);
    // A hop; a step; a forced capture; two crownings by a step; three slides; the last capture.
    let record = scripted(&rules, "b4b6 d6c6 b6d6 h2h1 g7g8 h1h4 g8g1 h4g4 g1g5");
    assert_eq!((record.plies, record.reason_name()), (9, "captured-all"));
    let game = Meter::new(&rules, KingValue::default()).measure(&record).expect("sound");
    let expected = [
        (Quantity::Games, 1),
        (Quantity::Finished, 1),
        (Quantity::FirstHalfPoints, 2),
        // White was the second seat's player.
        (Quantity::SeatHalfPoints, 0),
        (Quantity::FirstWins, 1),
        (Quantity::Decisive, 1),
        (Quantity::EndedByCapture, 1),
        (Quantity::FinishedPlies, 9),
        (Quantity::Turns, 9),
        (Quantity::ForcedTurns, 1),
        (Quantity::Taken, 2),
        (Quantity::CapturingTurns, 2),
        (Quantity::QuietTurns, 7),
        (Quantity::HoppingTurns, 1),
        (Quantity::Hops, 1),
        (Quantity::Promotions, 2),
        (Quantity::TurnsWithKing, 5),
        (Quantity::GamesWithCapture, 1),
        (Quantity::GamesWithKing, 1),
        // Level after four of nine plies: three men against a king.
        (Quantity::DecisionThousandths, 444),
        (Quantity::DecisiveWithTurns, 1),
    ];
    for quantity in Quantity::ALL {
        if quantity == Quantity::LegalTurns {
            continue;
        }
        let wanted = expected.iter().find(|(other, _)| *other == quantity).map_or(0, |row| row.1);
        assert_eq!(game.numbers[quantity], wanted, "{quantity:?}");
    }
    assert_eq!((game.first_capture, game.first_king), (Some(3), Some(4)));
    assert_eq!((game.longest_chain, &game.chains[..]), (1, &[1, 1][..]));
    // One capture in ply 3; h2 steps forward or to one side in ply 4; four landings in ply 9.
    assert_eq!((game.branching[2], game.branching[3], game.branching[8]), (1, 2, 4));
    assert_eq!(game.numbers[Quantity::LegalTurns], game.branching.iter().sum::<usize>() as u64);
    // Were a king worth five men, Black would have led by two for a moment.
    let game = Meter::new(&rules, KingValue(5000)).measure(&record).expect("sound");
    assert_eq!(game.numbers[Quantity::LeadChanges], 2);
    assert_eq!(game.numbers[Quantity::Comebacks], 1);
}

fn measured(store: &Store, pairing: u32, threads: usize) -> Measured {
    let options = Options { keep_units: true, threads, ..Options::default() };
    measure(store, 0, pairing, options).expect("sound games")
}

#[test]
fn sums_fit_the_stored_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let plan = plan(&["keny"], &[("random", "random", 700), ("random", "greedy", 30)]);
    let (rows, _) = run_to_end(&plan, &path, 2, u64::MAX);
    let store = Store::open(&path).expect("a store");
    let solo = measured(&store, 0, 1);
    assert_eq!(solo, measured(&store, 0, 3));
    let tally = &solo.tally;
    let games = || rows.iter().filter(|record| record.key.pairing == 0);
    assert_eq!((tally.units(), tally.units_repeated(), solo.units.len()), (700, 0, 700));
    let plies: u64 = games().map(|record| u64::from(record.plies)).sum();
    assert_eq!(tally.sum(Quantity::Turns), plies);
    let reasons: u64 = METRICS
        .iter()
        .filter(|metric| metric.key.starts_with("ended-") || metric.key == "unfinished")
        .map(|metric| tally.ratio(metric.key).top)
        .sum();
    assert_eq!(reasons, 700);
    let ratio = tally.ratio("branching");
    let mut products = 0;
    for unit in &solo.units {
        let [top, bottom] = [Quantity::LegalTurns, Quantity::Turns].map(|q| unit.numbers[q]);
        products += u128::from(top) * u128::from(bottom);
    }
    assert_eq!(
        (ratio.n, ratio.top, ratio.top_bottom),
        (700, tally.sum(Quantity::LegalTurns), products)
    );
    let branching = Metric::find("branching").expect("a metric").value(tally).expect("games");
    let histogram = tally.distribution(Distribution::Branching).mean().expect("games");
    assert!((branching - histogram).abs() < 1e-12);
    for metric in METRICS {
        if let Ok(value) = metric.value(tally) {
            assert!(value.is_finite() && value >= 0.0, "{}: {value}", metric.key);
            assert!(metric.n(tally) > 0, "{}", metric.key);
        }
    }
    let duo = measured(&store, 1, 2);
    assert_eq!((duo.tally.units(), duo.tally.sum(Quantity::Games)), (30, 60));
    let pairs = duo.tally.distribution(Distribution::PairHalfPoints);
    assert_eq!(u128::from(duo.tally.sum(Quantity::SeatHalfPoints)), pairs.sum());
    assert!(duo.tally.sum(Quantity::SeatHalfPoints) < 60, "random beats greedy");
}

#[test]
fn hops_are_counted_one_by_one() {
    let text = "players = [\"random\"]\nvariants = [{ name = \"hops\", setup = { position \
                = \"W:Wa2,a3,b4,f4,f5:Bh7\" } }]";
    let plan = study::file::check_text("hops", text, Path::new("")).study.expect("a study").plan;
    let rules = Rules::<u64>::new(&plan.variants[0].ruleset);
    // Over a3 forward and over b4 to the side in one turn; over f4 backward in another.
    let record = scripted(&rules, "a2c4 h7h6 f5f3 h6h5");
    let game = Meter::new(&rules, KingValue::default()).measure(&record).expect("sound");
    let numbers = &game.numbers;
    assert_eq!((numbers[Quantity::HoppingTurns], numbers[Quantity::Hops]), (2, 3));
    assert_eq!(numbers[Quantity::HopsBackOrSideways], 2);
    assert_eq!(numbers[Quantity::HopsNotForward], 1);
    // Not finished, so nothing is said of what pieces are worth.
    assert!(game.leads.is_empty());
}

#[test]
fn a_king_is_worth_what_a_full_model_says() {
    // As many parameters as kinds of positions: log odds 0, ln 3 and ln 9.
    let mut leads = Leads::default();
    let groups = [((0, 0), 1, 1), ((1, 0), 3, 1), ((0, 1), 9, 1), ((-1, 0), 1, 3)];
    let mut unit = 0;
    for ((men, kings), wins, losses) in groups {
        for (half_points, games) in [(2, 20 * wins), (0, 20 * losses)] {
            for _ in 0..games {
                leads.add(unit, half_points, &[Lead { men, kings }; 2]);
                unit += 1;
            }
        }
    }
    assert_eq!((leads.games(), leads.units()), (400, 400));
    let found = king_value(&leads, Confidence::P95).expect("a value");
    assert!((found.value - 2.0).abs() < 1e-8, "{}", found.value);
    let interval = found.interval.expect("an interval");
    assert!(interval.contains(2.0) && interval.half_width() < 1.5);
    // Two samples a game say no more than one: they are of one game.
    let mut once = Leads::default();
    once.add(0, 2, &[]);
    assert_eq!(king_value(&once, Confidence::P95), Err(Missing::Empty));
    // Who leads wins: nothing bounds the worth.
    let mut apart = Leads::default();
    for unit in 0..40 {
        let lead = Lead { men: if unit % 2 == 0 { 1 } else { -1 }, kings: 0 };
        apart.add(unit, if unit % 2 == 0 { 2 } else { 0 }, &[lead]);
    }
    assert!(king_value(&apart, Confidence::P95).is_err());
}

/// A game of so many plies, finished or not, beginning with these turns.
fn game_of(plies: u64, finished: bool) -> GameNumbers {
    let mut game = GameNumbers::default();
    game.numbers[Quantity::Games] = 1;
    game.numbers[Quantity::Turns] = plies;
    let outcome = if finished { Quantity::Finished } else { Quantity::Unfinished };
    game.numbers[outcome] = 1;
    game
}

#[test]
fn openings_and_cut_games_are_as_counted_by_hand() {
    let mut tally = Tally::default();
    // Ply 3 of the first line has a number of two bytes. The second game is a copy of the first.
    let games: [(&[u8], u64, bool); 5] = [
        (&[1, 2, 0x83, 1, 4, 9], 10, true),
        (&[1, 2, 0x83, 1, 4, 9], 10, true),
        (&[1, 2, 0x83, 1, 4, 7], 20, true),
        (&[1, 2, 3, 4], 15, false),
        (&[1, 2], 30, true),
    ];
    for (turns, plies, finished) in games {
        tally.add(&[turns], &[game_of(plies, finished)]);
    }
    let value = |key: &str| {
        let metric = Metric::find(key).expect("a metric");
        (metric.value(&tally).expect("a value"), metric.n(&tally))
    };
    // Lines of 3, 1 and 1 games: entropy, and Miller's correction (3 - 1) / 2n in bits.
    let share = |p: f64| -p * p.log2();
    let entropy = share(0.6) + 2.0 * share(0.2) + 0.2 / std::f64::consts::LN_2;
    let (found, n) = value("line-entropy");
    assert!((found - entropy).abs() < 1e-12, "{found}");
    assert_eq!((n, value("top-line")), (5, (0.6, 5)));
    // Four games that differ: 3/4 outlast 10; one is cut at 15; half of the other two outlast 20.
    assert_eq!(value("plies-median-all"), (20.0, 4));
    assert_eq!(value("plies-median"), (20.0, 3));
}

#[test]
fn equal_games_count_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    let mut plan = plan(&["keny"], &[("greedy", "greedy", 12)]);
    plan.opening_plies = 1;
    run_to_end(&plan, &path, 1, u64::MAX);
    let store = Store::open(&path).expect("a store");
    let mut turns: Vec<Vec<u8>> =
        store.games(0, 0).map(|game| game.expect("a game").turns).collect();
    turns.sort();
    turns.dedup();
    let tally = measured(&store, 0, 1).tally;
    assert_eq!(tally.units(), turns.len() as u64);
    assert_eq!(tally.units() + tally.units_repeated(), 12);
}

#[test]
fn metrics_have_distinct_keys_and_definitions() {
    for (index, metric) in METRICS.iter().enumerate() {
        assert_eq!(Metric::find(metric.key), Some(metric));
        assert!(!metric.definition.is_empty() && !metric.unit.is_empty());
        assert!(METRICS[..index].iter().all(|other| other.name != metric.name), "{}", metric.name);
    }
}
