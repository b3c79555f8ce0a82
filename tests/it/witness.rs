//! For every flag and every two of its choices, a position or a short game on which they differ.
//!
//! `tests/data/witnesses.jsonl` has one line for each pair: the flag and its two choices, the
//! other flags that differ from the defaults (`rules`), the `position` (or null: the start), the
//! `turns` played from there, and what is then true under either choice: the position, the ending
//! or `open`, and the legal turns. [`search`] finds the lines; the tests here hold them to both
//! readings of the rules, the slow one and the engine's.

mod search;

use keny::rules::Ruleset;
use keny::rules::catalog::FLAGS;
use serde_json::{Value, json};
use std::collections::BTreeSet;

use crate::judged::{Fast, Said, slow_game};
use crate::reference::{Game, Position, Turn, flags, read_rules, set_flag, square_name};

const WITNESSES: &str = include_str!("../data/witnesses.jsonl");

/// Two choices of a flag, and what must be set beside them so that the flag matters.
#[derive(Clone, Debug)]
struct Pair {
    flag: &'static str,
    choices: [Value; 2],
    beside: Vec<(&'static str, Value)>,
}

/// What is said before the first turn and after each; every comparison with the engine is here.
fn engine_says(rules: &Ruleset, position: &Position, played: &[Turn]) -> Vec<Said> {
    Fast::new(rules).game(position, played)
}

#[test]
fn every_pair_of_choices_has_a_witness_that_tells_them_apart() {
    let mut seen = BTreeSet::new();
    for line in WITNESSES.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let flag = line["flag"].as_str().unwrap();
        seen.insert(format!("{flag} {} {}", line["choices"][0], line["choices"][1]));
        assert_ne!(line["answers"][0], line["answers"][1], "{line}");
        for which in 0..2 {
            let mut rules = read_rules(&line["rules"]);
            set_flag(&mut rules, flag, &line["choices"][which]);
            let position = match line["position"].as_str() {
                Some(text) => Position::read(&rules.board, text),
                None => Position::start(&rules),
            };
            let texts: Vec<&str> = line["turns"]
                .as_array()
                .unwrap()
                .iter()
                .map(|turn| turn.as_str().unwrap())
                .collect();
            let (played, answer) = answer(&rules, &position, &texts)
                .unwrap_or_else(|| panic!("turns that cannot be played: {line}"));
            assert_eq!(json!(answer), line["answers"][which], "choice {which} of {line}");

            if line["position"].is_null() {
                assert_eq!(Fast::new(&rules).start(), position, "{line}");
            }
            let fast = engine_says(&rules, &position, &played);
            assert_eq!(fast, slow_game(&rules, &position, &played), "choice {which} of {line}");
        }
    }
    for pair in pairs() {
        let name = format!("{} {} {}", pair.flag, pair.choices[0], pair.choices[1]);
        assert!(seen.remove(&name), "no witness for {name}");
    }
    assert!(seen.is_empty(), "witnesses for nothing: {seen:?}");
}

#[test]
fn every_flag_and_every_choice_of_the_catalog_has_a_witness() {
    let lines: Vec<Value> =
        WITNESSES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for flag in FLAGS {
        let of_flag = lines.iter().filter(|line| line["flag"] == flag.key);
        let shown: String = of_flag.map(|line| line["choices"].to_string()).collect();
        assert!(!shown.is_empty(), "no witness for {}", flag.key);
        for choice in flag.choices {
            let word = if choice.word == "none" { "null" } else { choice.word };
            assert!(shown.contains(word), "no witness for {} = {word}", flag.key);
        }
    }
}

/// The turns of these texts, and what is then true: position, ending or `open`, legal turns.
fn answer(
    rules: &Ruleset,
    position: &Position,
    texts: &[&str],
) -> Option<(Vec<Turn>, Vec<String>)> {
    let mut game = Game::new(rules, position);
    let mut played = Vec::new();
    for text in texts {
        let turn = game.turns().iter().find(|turn| turn_text(rules, turn) == *text)?.clone();
        game.play(&turn);
        played.push(turn);
    }
    let mut answer = vec![game.position().text(&rules.board), ending_text(&game)];
    answer.extend(game.turns().iter().map(|turn| turn_text(rules, turn)));
    Some((played, answer))
}

fn ending_text(game: &Game) -> String {
    game.ending_names()
        .map_or_else(|| String::from("open"), |(outcome, reason)| format!("{outcome} {reason}"))
}

/// `a3-a4`, `a3xc5(a4,b5)` with the taken pieces, and `=K` behind a turn that crowns.
fn turn_text(rules: &Ruleset, turn: &Turn) -> String {
    let name = |&spot| square_name(&rules.board, spot);
    let (from, to) = (name(&turn.from), name(&turn.to));
    let crown = if turn.promotes { "=K" } else { "" };
    if turn.captures.is_empty() {
        return format!("{from}-{to}{crown}");
    }
    let taken: Vec<String> = turn.captures.iter().map(name).collect();
    format!("{from}x{to}({}){crown}", taken.join(","))
}

/// Every flag with every two of its choices.
///
/// A list of directions or events is asked for each item, with and without it; a priority for
/// each two of no filter and the single ones, and for one order of two.
fn pairs() -> Vec<Pair> {
    let mut pairs = board_pairs();
    for (flag, choices) in flags() {
        let beside = beside(flag);
        let mut add = |a: &Value, b: &Value| {
            let choices = [a.clone(), b.clone()];
            pairs.push(Pair { flag, choices, beside: beside.clone() });
        };
        match flag {
            "man.step" | "man.capture" | "man.hop" | "king.move" | "king.capture" | "king.hop" => {
                let directions =
                    ["forward", "sideways", "backward", "diagonal-forward", "diagonal-backward"];
                for direction in directions {
                    let other = if direction == "forward" { "sideways" } else { "forward" };
                    add(&json!([other]), &json!([other, direction]));
                }
            }
            "draw.reset_by" => {
                for event in ["promotion", "hop", "man-move"] {
                    add(&json!(["capture"]), &json!(["capture", event]));
                }
                add(&json!(["promotion"]), &json!(["capture", "promotion"]));
            }
            "capture.priority" => {
                let short = |list: &&Value| list.as_array().unwrap().len() < 2;
                all_twos(&choices.iter().filter(short).cloned().collect::<Vec<Value>>(), &mut add);
                add(&json!(["most-pieces", "by-king"]), &json!(["by-king", "most-pieces"]));
            }
            "draw.quiet_turns" => all_twos(&[json!(0), json!(2), json!(10)], &mut add),
            _ => all_twos(&choices, &mut add),
        }
    }
    pairs
}

fn all_twos(choices: &[Value], add: &mut impl FnMut(&Value, &Value)) {
    for (index, first) in choices.iter().enumerate() {
        for second in &choices[index + 1..] {
            add(first, second);
        }
    }
}

/// What makes a flag matter.
fn beside(flag: &str) -> Vec<(&'static str, Value)> {
    match flag {
        "king.hop" | "king.flying_hop" => vec![("king.hop_over", json!(["man"]))],
        "draw.counted" | "draw.reset_by" => vec![("draw.quiet_turns", json!(2))],
        "draw.starts" => vec![("draw.quiet_turns", json!(1))],
        "draw.repetition_result" => vec![("draw.repetition", json!(2))],
        _ => Vec::new(),
    }
}

/// The flags that the start itself shows.
fn board_pairs() -> Vec<Pair> {
    let pair = |flag, a, b| Pair { flag, choices: [a, b], beside: Vec::new() };
    vec![
        pair("board.files", json!(8), json!(10)),
        pair("board.files", json!(4), json!(16)),
        pair("board.ranks", json!(8), json!(10)),
        pair("board.ranks", json!(6), json!(16)),
        pair("board.squares", json!("all"), json!("dark")),
        pair("board.notation", json!("letters"), json!("numbers")),
        pair("setup.ranks", json!([2, 3]), json!([1, 2, 3])),
        pair("setup.position", Value::Null, json!("W:Wa2,Kb2:Ba7,Kh7")),
        pair("setup.first", json!("white"), json!("black")),
    ]
}
