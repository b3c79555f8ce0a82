//! Texts of turns and games: what is printed is read back, under any rules.

use keny::board::{Side, SquareSet};
use keny::notation::{
    PdnResult, Replayed, TurnTexts, parse_games, parse_position, print_game, print_position, replay,
};
use keny::rules::{Choices, Engine, Rules, Ruleset, Turn};
use keny::{variant, with_rules};
use proptest::prelude::*;

use crate::reference::random;

/// Lines of a file of vectors, as JSON.
fn vectors(name: &str) -> Vec<serde_json::Value> {
    let path = format!("{}/tests/data/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
}

/// Every legal turn has a text of its own, which reads back as that turn.
fn check_turns<S: SquareSet>(
    rules: &Rules<S>,
    placement: &keny::board::Placement<S>,
    side: Side,
) -> usize {
    let texts = TurnTexts::new(&rules.ruleset().board);
    let mut turns = Vec::new();
    rules.turns(placement, side, &mut turns).unwrap();
    let mut printed: Vec<String> = Vec::new();
    for turn in &turns {
        let text = texts.print(rules, placement, side, turn);
        let again = texts.parse_among(rules, placement, side, &turns, &text);
        assert_eq!(again.as_ref(), Ok(turn), "{text}");
        printed.push(text);
        check_ends(rules, placement, side, &turns, turn, &texts);
    }
    printed.sort();
    assert!(printed.windows(2).all(|pair| pair[0] != pair[1]), "two turns have one text");
    turns.len()
}

/// Start and end alone mean the turn, or a turn with the same ends that they spell out, or are
/// refused where several turns have them.
fn check_ends<S: SquareSet>(
    rules: &Rules<S>,
    placement: &keny::board::Placement<S>,
    side: Side,
    turns: &[Turn<S>],
    turn: &Turn<S>,
    texts: &TurnTexts,
) {
    let (from, to) = (texts.names().name(turn.from), texts.names().name(turn.to));
    let rivals = turns.iter().filter(|other| other.from == turn.from && other.to == turn.to);
    let alone = rivals.count() == 1;
    let ends = format!("{from} {to}");
    match texts.parse_among(rules, placement, side, turns, &ends) {
        Ok(read) if alone => assert_eq!(read, *turn, "{ends}"),
        Ok(read) => assert_eq!((read.from, read.to), (turn.from, turn.to), "{ends}"),
        Err(error) => assert!(!alone, "{ends}: {error}"),
    }
}

#[test]
fn turns_of_the_vectors_read_back() {
    let mut turns = 0;
    for line in vectors("positions.jsonl") {
        let ruleset = variant::from_json(&line["rules"]).expect("a ruleset");
        let text = line["position"].as_str().expect("a position");
        let (side, placement) = parse_position(text, &ruleset.board).expect(text);
        let engine = Engine::new(&ruleset);
        turns += with_rules!(&engine, rules => check_turns(rules, &placement.cast(), side));
        // The same board in numbers.
        let mut numbers = ruleset;
        numbers.board.notation = keny::rules::Notation::Numbers;
        let engine = Engine::new(&numbers);
        with_rules!(&engine, rules => check_turns(rules, &placement.cast(), side));
        let again = print_position(side, &placement, &numbers.board);
        assert_eq!(parse_position(&again, &numbers.board), Ok((side, placement)));
    }
    assert!(turns > 10_000, "only {turns} turns");
}

/// A game of turns chosen by `draws`, written as PDN and read again.
fn check_game<S: SquareSet>(rules: &Rules<S>, draws: &[u16]) {
    let mut played = Replayed::begin(rules, rules.start_position());
    let mut choices = Choices::new();
    for &draw in draws {
        if played.game.choices(rules, &mut choices).is_some() {
            break;
        }
        let position = *played.game.position();
        check_turns(rules, &position.placement, position.side);
        let turn = choices.get(rules, usize::from(draw) % choices.len());
        played.play(rules, &turn);
    }
    let written = played.to_pdn(rules);
    let text = print_game(&written, played.start.side == Side::Black);
    let games = parse_games(&text).expect(&text);
    assert_eq!(games.len(), 1, "{text}");
    assert_eq!(games[0].result, written.result);
    let again = replay(rules, &games[0]).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    assert_eq!(again.turns, played.turns);
    assert_eq!(again.game.position(), played.game.position());
    assert_eq!(again.ending, played.ending);
    let middle = played.turns.len() / 2;
    let later = played.turns.len() - middle;
    let mut back = played.clone();
    back.take_back(rules, later);
    assert_eq!(back.turns, played.turns[..middle]);
    assert!(back.ending.is_none() || later == 0);
}

/// A ruleset from the catalog: one answer of each flag's settings, chosen by a number.
fn drawn_ruleset(draws: &[u8]) -> Option<Ruleset> {
    let mut ruleset = Ruleset::default();
    for (flag, draw) in keny::rules::catalog::FLAGS.iter().zip(draws) {
        // Most flags keep their default, so that boards stay small and games go on.
        let value = &flag.settings[usize::from(*draw) % flag.settings.len()];
        flag.put(&mut ruleset, value).expect("a setting is an answer");
    }
    let impossible = variant::validate::faults(&ruleset)
        .iter()
        .any(|fault| fault.severity == variant::Severity::Error);
    (!impossible).then_some(ruleset)
}

proptest! {
    #![proptest_config(random::config(60))]

    #[test]
    fn games_under_random_rules_read_back(
        draws in prop::collection::vec(any::<u8>(), 40),
        turns in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let Some(ruleset) = drawn_ruleset(&draws) else { return Err(TestCaseError::reject("impossible")) };
        let engine = Engine::new(&ruleset);
        with_rules!(&engine, rules => check_game(rules, &turns));
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "[-a-h1-9x:K;,.!?\\[\\](){}$*\" \n/0WB%é]{0,60}") {
        let rules = Rules::<u64>::new(&Ruleset::default());
        let texts = TurnTexts::new(&rules.ruleset().board);
        let _ = texts.parse(&rules, rules.start(), Side::White, &text);
        let _ = parse_position(&text, &rules.ruleset().board);
        if let Ok(games) = parse_games(&text) {
            for game in games {
                let _ = replay(&rules, &game);
                let printed = print_game(&game, false);
                let again = parse_games(&printed);
                prop_assert!(again.is_ok(), "{printed}: {again:?}");
            }
        }
    }
}

#[test]
fn games_of_the_vectors_replay() {
    for line in vectors("games.jsonl") {
        let ruleset = variant::from_json(&line["rules"]).expect("a ruleset");
        let engine = Engine::new(&ruleset);
        with_rules!(&engine, rules => {
            let mut written = keny::notation::PdnGame::default();
            if let Some(text) = line["position"].as_str() {
                written.set_tag("FEN", text);
            }
            // The vectors name turns by what they are; their texts come from the turns themselves.
            let mut played = replay(rules, &written).expect("an empty game");
            let names = keny::notation::SquareNames::new(&ruleset.board);
            let mut turns = Vec::new();
            for wanted in line["turns"].as_array().expect("turns") {
                let position = *played.game.position();
                rules.turns(&position.placement, position.side, &mut turns).unwrap();
                let turn = turns.iter().find(|turn| {
                    let mut taken: Vec<String> =
                        turn.taken.squares().map(|square| names.name(square)).collect();
                    taken.sort();
                    wanted["from"] == names.name(turn.from).as_str()
                        && wanted["to"] == names.name(turn.to).as_str()
                        && wanted["captures"] == serde_json::json!(taken)
                        && wanted["promotes"] == turn.promotes()
                });
                played.play(rules, turn.expect("a legal turn"));
            }
            let text = print_game(&played.to_pdn(rules), played.start.side == Side::Black);
            let games = parse_games(&text).expect("a game");
            let again = replay(rules, &games[0]).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
            assert_eq!(again.turns, played.turns);
            let result = match games[0].result {
                PdnResult::Ended(outcome) => serde_json::json!(outcome.name()),
                PdnResult::Unknown => serde_json::Value::Null,
            };
            assert_eq!(result, line["result"]);
        });
    }
}
