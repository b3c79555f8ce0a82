//! Random rulesets, positions and games for the judging of the engine.

use keny::board::{Kind, Side, Squares};
use keny::rules::{Landing, Ruleset, Setup};
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::test_runner::{Config, RngSeed};
use std::cell::RefCell;

use super::cells::{Cells, Position};
use super::turns::legal_turns_within;
use super::{Game, Turn, catalog, play, rules_json};

/// Chain states beyond which a position is left out: its turns would take seconds.
pub(crate) const STATES_MAX: usize = 20_000;

/// This many cases, from a fixed seed unless the environment sets one.
pub(crate) fn config(cases: u32) -> Config {
    let mut config = Config::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random && std::env::var_os("KENY_RANDOM_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(20_261_129);
    }
    config.failure_persistence = None;
    config.max_shrink_iters = 4_000;
    config
}

/// Any valid ruleset; small boards are the likelier ones.
pub(crate) fn any_ruleset() -> impl Strategy<Value = Ruleset> {
    let flags = catalog::flags();
    let choices: Vec<_> =
        flags.iter().map(|(_, choices)| prop_oneof![2 => Just(0), 3 => 0..choices.len()]).collect();
    let board = (any_board(), any::<u16>(), any::<bool>());
    (board, choices).prop_map(move |((board, ranks, black_first), choices)| {
        let mut rules = Ruleset::default();
        (rules.board.files, rules.board.ranks, rules.board.squares) = board;
        for ((flag, values), choice) in flags.iter().zip(choices) {
            rules_json::set(&mut rules, flag, &values[choice]);
        }
        if rules.king.landing == Landing::Continuing && rules.king.flying {
            rules.capture.complete = true;
        }
        // Any ranks of the own half, so that the sides do not meet; the lowest where none is drawn.
        let ranks = ranks & ((1 << (rules.board.ranks / 2)) - 1);
        rules.setup.pieces = Setup::Ranks(ranks.max(1));
        rules.setup.first = if black_first { Side::Black } else { Side::White };
        rules
    })
}

fn any_board() -> impl Strategy<Value = (u8, u8, Squares)> {
    let squares = prop_oneof![Just(Squares::All), Just(Squares::Dark)];
    let size = prop_oneof![
        4 => (4_u8..=6, 4_u8..=6),
        3 => Just((8_u8, 8_u8)),
        1 => (4_u8..=11, 4_u8..=11),
        1 => prop_oneof![
            Just((8, 16)), Just((16, 8)), Just((11, 11)), Just((4, 16)), Just((16, 4)),
            Just((10, 10)), Just((9, 14)),
        ],
    ];
    (size, squares).prop_map(|((files, ranks), squares)| (files, ranks, squares))
}

/// Any position under these rules whose turns the slow generator can list in good time.
pub(crate) fn any_position(rules: Ruleset) -> impl Strategy<Value = Position> {
    prop_oneof![4 => any_placement(rules), 1 => any_played(rules)]
        .prop_filter("too many chains", move |position| {
            legal_turns_within(&rules, position, STATES_MAX).is_some()
        })
}

/// Whether no piece's chains go through more than a thousand states, and few pieces have chains.
pub(crate) fn has_few_chains(rules: &Ruleset, position: &Position) -> bool {
    legal_turns_within(rules, position, 100).is_some()
}

/// Pieces dropped at random, few or many; a man on its own far rank becomes a king.
pub(crate) fn any_placement(rules: Ruleset) -> impl Strategy<Value = Position> {
    let empty = Cells::empty(&rules.board);
    let count = empty.spots().len();
    // In a hundred squares this many pieces, and in ten pieces this many kings.
    let mixture = (prop_oneof![4_u8..=12, 12_u8..=35, 35_u8..=75], 0_u8..=10);
    let draws = move |(density, kings): (u8, u8)| {
        let cell = (0_u8..100, any::<bool>(), 0_u8..10).prop_map(move |(full, black, crown)| {
            let side = if black { Side::Black } else { Side::White };
            let kind = if crown < kings { Kind::King } else { Kind::Man };
            // Turned round, so that a smaller draw is an emptier board.
            (99 - full < density).then_some((side, kind))
        });
        proptest::collection::vec(cell, count)
    };
    (mixture.prop_flat_map(draws), any::<bool>()).prop_map(move |(draws, black)| {
        let mut cells = empty;
        for (spot, draw) in empty.spots().into_iter().zip(draws) {
            let cell = draw
                .map(|(side, kind)| (side, if cells.far(spot, side) { Kind::King } else { kind }));
            cells.set(spot, cell);
        }
        Position { cells, side: if black { Side::Black } else { Side::White } }
    })
}

/// A position that random turns lead to from the start.
pub(crate) fn any_played(rules: Ruleset) -> impl Strategy<Value = Position> {
    proptest::collection::vec(any::<u16>(), 0..60).prop_map(move |choices| {
        let mut position = Position::start(&rules);
        for choice in choices {
            match legal_turns_within(&rules, &position, STATES_MAX) {
                Some(turns) if !turns.is_empty() => {
                    position = play(&position, pick(&turns, choice))
                }
                Some(_) | None => break,
            }
        }
        position
    })
}

/// The turn that a random number picks from a list that is not empty.
pub(crate) fn pick(turns: &[Turn], choice: u16) -> &Turn {
    &turns[usize::from(choice) % turns.len()]
}

/// A game of random turns, cut at its end or where turns take too long to list.
pub(crate) fn turns_of(rules: &Ruleset, position: &Position, choices: &[u16]) -> Vec<Turn> {
    let mut played = Vec::new();
    if legal_turns_within(rules, position, STATES_MAX).is_none() {
        return played;
    }
    let mut game = Game::new(rules, position);
    for &choice in choices {
        if game.turns().is_empty() {
            break;
        }
        let turn = pick(game.turns(), choice).clone();
        let next = play(game.position(), &turn);
        if legal_turns_within(rules, &next, STATES_MAX).is_none() {
            break;
        }
        game.play(&turn);
        played.push(turn);
    }
    played
}

/// Any ruleset with one of its positions.
pub(crate) fn any_ruled_position() -> impl Strategy<Value = (Ruleset, Position)> {
    any_ruleset().prop_flat_map(|rules| (Just(rules), any_position(rules)))
}

#[test]
fn random_material_covers_what_it_is_for() {
    // Sizes, long chains and promotions must all come up, or the judging would be of easy cases.
    let seen = RefCell::new([0_u32; 6]);
    let mut runner = proptest::test_runner::TestRunner::new(config(1_000));
    let run = runner.run(&any_ruled_position(), |(rules, position)| {
        let mut seen = seen.borrow_mut();
        let turns = legal_turns_within(&rules, &position, STATES_MAX).unwrap();
        let squares = u16::from(rules.board.files) * u16::from(rules.board.ranks);
        let is = [
            squares > 64,
            rules.board.squares == Squares::Dark,
            turns.iter().any(|turn| turn.captures.len() > 2),
            turns.iter().any(|turn| turn.promotes),
            turns.iter().any(|turn| turn.class == super::Class::HopThenJump),
            turns.iter().any(|turn| turn.class == super::Class::Hop),
        ];
        for (count, is) in seen.iter_mut().zip(is) {
            *count += u32::from(is);
        }
        Ok(())
    });
    assert_eq!(run, Ok(()));
    assert!(seen.borrow().iter().all(|&count| count >= 10), "{seen:?}");
}
