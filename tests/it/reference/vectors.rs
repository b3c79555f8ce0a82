//! The slow reading against the published and the prepared answers: all of them, none sampled.

use keny::rules::Ruleset;
use serde_json::Value;

use super::cells::{Position, read_square, square_name};
use super::library::variant;
use super::rules_json::ruleset;
use super::{Game, Turn, legal_turns};

const POSITIONS: &str = include_str!("../../data/vectors/positions.jsonl");
const GAMES: &str = include_str!("../../data/vectors/games.jsonl");
const CASES: &str = include_str!("../../data/vectors/cases.jsonl");

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// A turn as the data write it, without its class: start, end, taken squares, promotion.
pub(crate) fn turn_text(rules: &Ruleset, turn: &Turn) -> String {
    let name = |&spot| square_name(&rules.board, spot);
    let mut taken: Vec<String> = turn.captures.iter().map(name).collect();
    taken.sort();
    let crown = if turn.promotes { "=K" } else { "" };
    format!("{} {} [{}]{crown}", name(&turn.from), name(&turn.to), taken.join(" "))
}

/// The same text of a turn in the data.
pub(crate) fn turn_text_of(rules: &Ruleset, turn: &Value) -> String {
    let name = |value: &Value| {
        // Through the square and back, so that a wrong name is found.
        let name = value.as_str().unwrap();
        square_name(&rules.board, read_square(&rules.board, name))
    };
    let mut taken: Vec<String> = turn["captures"].as_array().unwrap().iter().map(name).collect();
    taken.sort();
    let crown = if turn["promotes"].as_bool().unwrap() { "=K" } else { "" };
    format!("{} {} [{}]{crown}", name(&turn["from"]), name(&turn["to"]), taken.join(" "))
}

fn sorted_texts(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts
}

fn assert_turns(rules: &Ruleset, line: &Value, which: &str) {
    let text = line["position"].as_str().unwrap();
    let position = Position::read(&rules.board, text);
    assert_eq!(Position::read(&rules.board, &position.text(&rules.board)), position);
    let found = legal_turns(rules, &position);
    let found = sorted_texts(found.iter().map(|turn| turn_text(rules, turn)));
    let wanted = line["turns"].as_array().unwrap();
    let wanted = sorted_texts(wanted.iter().map(|turn| turn_text_of(rules, turn)));
    assert_eq!(found, wanted, "{which}: {text} under {}", line["rules"]);
}

#[test]
fn every_position_has_its_turns() {
    let mut count = 0;
    for line in lines(POSITIONS) {
        count += 1;
        assert_turns(&ruleset(&line["rules"]), &line, &format!("line {count}"));
    }
    assert_eq!(count, 2_002);
}

#[test]
fn every_case_has_its_turns() {
    let mut count = 0;
    for line in lines(CASES) {
        count += 1;
        let rules = variant(line["variant"].as_str().unwrap());
        assert_turns(&rules, &line, line["title"].as_str().unwrap());
    }
    assert_eq!(count, 11);
}

#[test]
fn every_game_goes_and_ends_as_told() {
    let mut count = 0;
    for line in lines(GAMES) {
        count += 1;
        replay(&line, &format!("game {count} under {}", line["rules"]));
    }
    assert_eq!(count, 200);
}

fn replay(line: &Value, which: &str) {
    let rules = ruleset(&line["rules"]);
    let (position, played) = start_and_turns(&rules, line, which);
    let mut game = Game::new(&rules, &position);
    for turn in &played {
        game.play(turn);
    }
    let (result, reason) = match game.ending_names() {
        Some((result, reason)) => (Some(result), reason),
        None => (None, "unfinished"),
    };
    assert_eq!(
        (result, Some(reason)),
        (line["result"].as_str(), line["reason"].as_str()),
        "{which}"
    );
    assert_eq!(result.is_some(), game.turns().is_empty(), "{which}");
    let last = Position::read(&rules.board, line["final"].as_str().unwrap());
    assert_eq!(*game.position(), last, "{which}");
}

/// The start of a game and its turns, each one found among the legal ones.
fn start_and_turns(rules: &Ruleset, line: &Value, which: &str) -> (Position, Vec<Turn>) {
    let position = match line["position"].as_str() {
        Some(text) => Position::read(&rules.board, text),
        None => Position::start(rules),
    };
    let mut game = Game::new(rules, &position);
    let mut played = Vec::new();
    for (ply, wanted) in line["turns"].as_array().unwrap().iter().enumerate() {
        assert_eq!(game.status(), None, "{which} before ply {ply}");
        let wanted = turn_text_of(rules, wanted);
        let turn = game.turns().iter().find(|turn| turn_text(rules, turn) == wanted).cloned();
        let turn = turn.unwrap_or_else(|| panic!("{which}: no {wanted} at ply {ply}"));
        game.play(&turn);
        played.push(turn);
    }
    (position, played)
}

/// The rulesets and positions of all prepared answers.
pub(crate) fn prepared_positions() -> Vec<(Ruleset, Position)> {
    let of_line = |line: Value| {
        let rules = match line["variant"].as_str() {
            Some(name) => variant(name),
            None => ruleset(&line["rules"]),
        };
        let position = Position::read(&rules.board, line["position"].as_str().unwrap());
        (rules, position)
    };
    lines(POSITIONS).chain(lines(CASES)).map(of_line).collect()
}

/// The rulesets, starts and turns of all prepared games.
pub(crate) fn prepared_games() -> Vec<(Ruleset, Position, Vec<Turn>)> {
    let of_line = |line: Value| {
        let rules = ruleset(&line["rules"]);
        let (position, turns) = start_and_turns(&rules, &line, "a prepared game");
        (rules, position, turns)
    };
    lines(GAMES).map(of_line).collect()
}
