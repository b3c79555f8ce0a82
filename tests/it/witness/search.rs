//! Finds the witnesses by random search with the slow generator, and makes them small.
//!
//! Run by hand: `cargo test --test it write_witnesses -- --ignored` writes the data anew. The same
//! seed gives the same lines.

use keny::board::{Kind, Side};
use keny::rules::{Landing, Ruleset};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

use super::{Pair, answer, ending_text, pairs, turn_text};
use crate::reference::{Cells, Game, Position, flags, set_flag};

/// How many different finds the smallest is chosen from.
const FINDS: usize = 12;
/// Attempts before a pair is given up.
const ATTEMPTS_MAX: usize = 400_000;

/// A fixed stream of numbers (splitmix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }
}

/// A candidate: what is set beside the pair, the position (none: the start) and the turns.
#[derive(Clone, Debug)]
struct Candidate {
    beside: Vec<(&'static str, Value)>,
    position: Option<Position>,
    turns: Vec<String>,
}

impl Candidate {
    fn size(&self) -> (usize, usize, usize) {
        let count = |position: &Position| {
            Side::ALL.iter().map(|&side| position.cells.pieces(side).len()).sum()
        };
        (self.beside.len(), self.turns.len(), self.position.as_ref().map_or(0, count))
    }

    /// The rulesets of the two choices, if both are valid.
    fn rulesets(&self, pair: &Pair) -> Option<[Ruleset; 2]> {
        let mut rules = Ruleset::default();
        for (flag, value) in &self.beside {
            set_flag(&mut rules, flag, value);
        }
        let both = [0, 1].map(|which| {
            let mut rules = rules;
            set_flag(&mut rules, pair.flag, &pair.choices[which]);
            rules
        });
        let refused =
            |rules: &Ruleset| rules.king.landing == Landing::Continuing && !rules.capture.complete;
        both.iter().all(|rules| !refused(rules)).then_some(both)
    }

    /// What is true under either choice after the turns, if all can be played under both.
    fn answers(&self, pair: &Pair) -> Option<[Vec<String>; 2]> {
        let texts: Vec<&str> = self.turns.iter().map(String::as_str).collect();
        let [a, b] = self.rulesets(pair)?.map(|rules| {
            let position = self.position.unwrap_or_else(|| Position::start(&rules));
            answer(&rules, &position, &texts).map(|(_, answer)| answer)
        });
        Some([a?, b?])
    }

    /// Whether the choices are told apart, by the ending where the flag is about that.
    fn tells_apart(&self, pair: &Pair) -> bool {
        match self.answers(pair) {
            Some([a, b]) if about_endings(pair.flag) => a[1] != b[1],
            Some([a, b]) => a != b,
            None => false,
        }
    }

    fn line(&self, pair: &Pair) -> Value {
        let mut rules = Map::new();
        for (flag, value) in &self.beside {
            let (table, key) = flag.split_once('.').unwrap();
            rules.entry(table).or_insert_with(|| json!({}))[key] = value.clone();
        }
        let board = self.rulesets(pair).unwrap()[0].board;
        json!({
            "flag": pair.flag,
            "choices": pair.choices,
            "rules": rules,
            "position": self.position.map(|position| position.text(&board)),
            "turns": self.turns,
            "answers": self.answers(pair).unwrap(),
        })
    }
}

fn about_endings(flag: &str) -> bool {
    flag.starts_with("end.") || flag.starts_with("draw.")
}

#[test]
#[ignore = "writes tests/data/witnesses.jsonl anew"]
fn write_witnesses() {
    let mut text = String::new();
    for (number, pair) in pairs().into_iter().enumerate() {
        let found = if pair.flag.starts_with("board.") || pair.flag.starts_with("setup.") {
            Candidate { beside: Vec::new(), position: None, turns: Vec::new() }
        } else {
            find(&pair, &mut Draw(u64::try_from(number).unwrap()))
        };
        writeln!(text, "{}", found.line(&pair)).unwrap();
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/witnesses.jsonl");
    std::fs::write(path, text).unwrap();
}

fn find(pair: &Pair, draw: &mut Draw) -> Candidate {
    let mut best: Option<Candidate> = None;
    let mut finds = 0;
    for attempt in 0..ATTEMPTS_MAX {
        let Some(candidate) = random_candidate(pair, draw, attempt) else { continue };
        let candidate = made_small(candidate, pair);
        finds += 1;
        if best.as_ref().is_none_or(|best| candidate.size() < best.size()) {
            best = Some(candidate);
        }
        if finds == FINDS {
            break;
        }
    }
    best.unwrap_or_else(|| panic!("no witness found for {pair:?}"))
}

/// A random candidate that tells the choices apart, if this attempt meets one.
fn random_candidate(pair: &Pair, draw: &mut Draw, attempt: usize) -> Option<Candidate> {
    let mut beside = pair.beside.clone();
    // The default rules first; more and more other flags when those do not show it.
    for _ in 0..(attempt / 2_000).min(6) {
        let all = flags();
        let (flag, choices) = &all[draw.below(all.len())];
        // A piece without any direction makes a strange witness.
        let choices: Vec<&Value> = match choices.iter().find(|choice| **choice == json!([])) {
            Some(empty) if choices.len() == 32 => choices.iter().filter(|c| *c != empty).collect(),
            Some(_) | None => choices.iter().collect(),
        };
        if *flag != pair.flag && beside.iter().all(|(other, _)| other != flag) {
            beside.push((*flag, choices[draw.below(choices.len())].clone()));
        }
    }
    let mut candidate = Candidate { beside, position: None, turns: Vec::new() };
    let [a, b] = candidate.rulesets(pair)?;
    let position = random_position(&a, draw);
    candidate.position = Some(position);
    if !about_endings(pair.flag) {
        return candidate.tells_apart(pair).then_some(candidate);
    }
    let (mut game_a, mut game_b) = (Game::new(&a, &position), Game::new(&b, &position));
    for _ in 0..24 {
        if ending_text(&game_a) != ending_text(&game_b) {
            return Some(candidate);
        }
        if game_a.turns().is_empty() || game_a.turns() != game_b.turns() {
            return None;
        }
        let turn = game_a.turns()[draw.below(game_a.turns().len())].clone();
        candidate.turns.push(turn_text(&a, &turn));
        game_a.play(&turn);
        game_b.play(&turn);
    }
    None
}

/// Two to nine pieces of either side and kind.
fn random_position(rules: &Ruleset, draw: &mut Draw) -> Position {
    let mut cells = Cells::empty(&rules.board);
    let spots = cells.spots();
    for number in 0..2 + draw.below(8) {
        let spot = spots[draw.below(spots.len())];
        let black = if number < 2 { number == 1 } else { draw.below(2) == 1 };
        let side = if black { Side::Black } else { Side::White };
        let crowned = cells.far(spot, side) || draw.below(2) == 0;
        cells.set(spot, Some((side, if crowned { Kind::King } else { Kind::Man })));
    }
    Position { cells, side: if draw.below(2) == 0 { Side::White } else { Side::Black } }
}

/// Takes away what is not needed, one thing at a time, until nothing more can go.
fn made_small(mut candidate: Candidate, pair: &Pair) -> Candidate {
    loop {
        let smaller =
            smaller_ones(&candidate, pair).into_iter().find(|smaller| smaller.tells_apart(pair));
        match smaller {
            Some(smaller) => candidate = smaller,
            None => return candidate,
        }
    }
}

fn smaller_ones(candidate: &Candidate, pair: &Pair) -> Vec<Candidate> {
    let mut all = Vec::new();
    for index in 0..candidate.beside.len() {
        let needed = pair.beside.iter().any(|(flag, _)| *flag == candidate.beside[index].0);
        if !needed {
            let mut smaller = candidate.clone();
            smaller.beside.remove(index);
            all.push(smaller);
        }
    }
    let position = candidate.position.expect("found by search");
    for side in Side::ALL {
        for (spot, kind) in position.cells.pieces(side) {
            let mut smaller = position;
            smaller.cells.set(spot, None);
            all.push(Candidate { position: Some(smaller), ..candidate.clone() });
            if kind == Kind::King && !position.cells.far(spot, side) {
                let mut plainer = position;
                plainer.cells.set(spot, Some((side, Kind::Man)));
                all.push(Candidate { position: Some(plainer), ..candidate.clone() });
            }
        }
    }
    // A game may do without its first turns, or without some later ones.
    for first in 0..candidate.turns.len() {
        for last in first..candidate.turns.len() {
            let mut smaller = candidate.clone();
            smaller.turns.drain(first..=last);
            all.push(smaller);
        }
    }
    all
}
