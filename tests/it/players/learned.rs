//! Learned weights: repeatable, shipped for every variant, stored as text, and worth having.

use keny::board::{Placement, Side, SquareSet};
use keny::player::{
    Evaluation, PlayerSpec, Rng, Thousandths, TrainingPlan, Weights, build_with, train,
};
use keny::rules::{Choices, Engine, Game, Outcome, Rules, Ruleset};
use keny::variant::{WeightsError, learned, library, load, parse_weights, weights_text};
use keny::with_rules;

fn ruleset(name: &str) -> Ruleset {
    load(name).expect("a shipped variant").ruleset
}

/// A training of a second.
fn small_plan() -> TrainingPlan {
    TrainingPlan {
        rounds: 2,
        plies_a_round: 12_000,
        nodes: 30,
        epsilon: Thousandths::new(50),
        seed: 5,
    }
}

#[test]
fn training_is_the_same_for_any_number_of_threads() {
    let ruleset = ruleset("turkish");
    let trained = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| train(&ruleset, &small_plan(), &mut |_| {}))
    });
    assert_eq!(trained[0], trained[1]);
    let other = train(&ruleset, &TrainingPlan { seed: 6, ..small_plan() }, &mut |_| {});
    assert_ne!(trained[0].weights, other.weights, "the seed must matter");
}

#[test]
fn a_short_training_knows_that_kings_are_worth_more_than_men() {
    let mut rounds = Vec::new();
    let trained = train(&ruleset("turkish"), &small_plan(), &mut |round| rounds.push(round.number));
    assert_eq!(rounds, [1, 2]);
    assert!(trained.king_worth.is_some_and(|worth| worth > 150), "{:?}", trained.king_worth);
    assert!(trained.games > 200 && trained.positions > 2_000, "{} games", trained.games);
}

#[test]
fn every_shipped_variant_has_learned_weights() {
    for name in library::NAMES {
        let ruleset = ruleset(name);
        let weights = learned(&ruleset).unwrap_or_else(|| panic!("{name} has no weights")).weights;
        assert!(weights.fits(&ruleset), "{name}");
        assert_ne!(weights, Weights::generic(&ruleset), "{name}");
    }
    let mut unknown = ruleset("keny");
    unknown.draw.quiet_turns = 17;
    assert_eq!(learned(&unknown), None);
}

#[test]
fn texts_of_weights_round_trip_and_faults_are_told() {
    let ruleset = ruleset("keny");
    let trained = train(&ruleset, &small_plan(), &mut |_| {});
    let text = weights_text("keny", &ruleset, &trained);
    assert_eq!(parse_weights(&text, &ruleset).as_ref(), Ok(&trained));

    let mut other = ruleset;
    other.draw.quiet_turns = 17;
    let error = parse_weights(&text, &other).expect_err("other rules");
    assert!(matches!(error, WeightsError::OtherRuleset { .. }), "{error}");
    for (from, to, message) in [
        (
            "tempo",
            "temper",
            "weights: unknown key `temper` in table `counts`; allowed are has-king, \
         steps, hops, threatened, beside, behind, diagonal, free-file, tempo",
        ),
        (
            "king = [",
            "king = [1, ",
            "weights: `man` or `king` has not the size that the board needs",
        ),
        (
            "games = ",
            "gomes = ",
            "weights: unknown field `gomes`, expected one of `rounds`, `plies_a_round`, `nodes`, \
         `epsilon`, `seed`, `games`, `unfinished`, `positions`",
        ),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text, "{from}");
        assert_eq!(parse_weights(&broken, &ruleset).expect_err(from).to_string(), message);
    }
    let short: String =
        text.lines().filter(|line| !line.starts_with("hops")).collect::<Vec<_>>().join("\n");
    let error = parse_weights(&short, &ruleset).expect_err("a count is missing");
    assert_eq!(error.to_string(), "weights: table `counts` has no `hops`");
}

#[test]
fn values_are_the_same_from_both_sides() {
    for name in ["keny", "armenian", "international"] {
        let ruleset = ruleset(name);
        let rules = &Rules::<u128>::new(&ruleset);
        let weights = learned(&ruleset).expect("a shipped variant").weights;
        let evaluation = Evaluation::new(rules, &weights);
        let mut rng = Rng::from_seed(3);
        let (mut game, mut choices) = (Game::new(rules), Choices::new());
        while game.choices(rules, &mut choices).is_none() && game.plies() < 80 {
            let turn = choices.get(rules, rng.below(choices.len()));
            game.play(rules, &turn);
            // Half a turn of the board, sides exchanged: the same position from the other side.
            let placement = game.position().placement;
            let mut turned = Placement::default();
            let size = ruleset.board.size();
            for square in placement.occupied().squares() {
                let (file, rank) = rules.geometry().file_and_rank(square);
                let mirror = rules.geometry().square(
                    (size.files - 1 - file).cast_signed(),
                    (size.ranks - 1 - rank).cast_signed(),
                );
                let mut piece = placement.at(square).expect("an occupied square");
                piece.side = piece.side.other();
                turned.put(mirror.expect("a square of the board"), piece);
            }
            let value = evaluation.value(&placement, Side::White);
            assert_eq!(value, evaluation.value(&turned, Side::Black), "{name} {placement:?}");
        }
    }
}

/// Points of the first player in pairs of games from random openings, of two a pair.
fn score(name: &str, players: [&str; 2], pairs: u32) -> f64 {
    let specs = players.map(|text| text.parse::<PlayerSpec>().expect("a player"));
    with_rules!(&Engine::new(&ruleset(name)), rules => {
        let weights = learned(rules.ruleset()).map(|trained| trained.weights);
        let mut points = 0.0;
        for pair in 0..pairs {
            for first in [0, 1] {
                let mut rng = Rng::from_seed(pair.into());
                let mut seats = specs
                    .map(|spec| build_with(&spec, rules, weights.as_ref(), pair.into()));
                let (mut game, mut choices) = (Game::new(rules), Choices::new());
                let outcome = loop {
                    if let Some(stop) = game.choices(rules, &mut choices) {
                        break stop.ending().expect("few enough turns to list").outcome;
                    }
                    if game.plies() == 250 {
                        break Outcome::Draw;
                    }
                    let index = if game.plies() < 6 {
                        rng.below(choices.len())
                    } else {
                        let seat = (game.position().side.index() + first) % 2;
                        seats[seat].choose(rules, &game, &choices)
                    };
                    game.play(rules, &choices.get(rules, index));
                };
                let white = match outcome {
                    Outcome::White => 1.0,
                    Outcome::Draw => 0.5,
                    Outcome::Black => 0.0,
                };
                points += if first == 0 { white } else { 1.0 - white };
            }
        }
        points / f64::from(2 * pairs)
    })
}

#[test]
fn each_player_beats_a_weaker_one() {
    for (name, better, worse) in [
        ("keny", "greedy", "random"),
        ("keny", "alphabeta:nodes=300", "greedy"),
        ("turkish", "alphabeta:nodes=300", "greedy"),
        ("armenian", "alphabeta:nodes=300", "alphabeta:nodes=300,weights=material"),
        ("keny", "mcts:playouts=200", "greedy"),
    ] {
        // Of 60 games: 0.6 is one and a half standard deviations above equality.
        let points = score(name, [better, worse], 30);
        assert!(points > 0.6, "{name}: {better} scores {points} against {worse}");
    }
}
