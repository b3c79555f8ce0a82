//! Counts of turn sequences against the published ones, at depths that a slow generator reaches.

use keny::rules::{Notation, Ruleset};

use super::cells::{Position, Spot};
use super::jumps::Ways;
use super::library::variant;
use super::turns::{Class, Turn, chosen_chains, legal_turns, play, turn_of};

const PERFT: &str = include_str!("../../data/perft.tsv");

/// What a count tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// Distinct turns.
    Turns,
    /// Captures with different landings on the way, in the published counts of Turkish draughts.
    Landings,
    /// Captures with different orders of the taken pieces, in those of the diagonal games.
    Orders,
}

fn perft(rules: &Ruleset, position: &Position, counted: Counted, depth: u32) -> u64 {
    let turns = match counted {
        Counted::Turns => legal_turns(rules, position),
        Counted::Landings | Counted::Orders => paths(rules, position, counted),
    };
    if depth == 1 {
        return u64::try_from(turns.len()).unwrap();
    }
    let below = |turn: &Turn| perft(rules, &play(position, turn), counted, depth - 1);
    turns.iter().map(below).sum()
}

/// Every turn that takes nothing once, and every capture once for each way that is told apart.
fn paths(rules: &Ruleset, position: &Position, counted: Counted) -> Vec<Turn> {
    let mut turns = legal_turns(rules, position);
    turns.retain(|turn| turn.captures.is_empty());
    let mut captures: Vec<(Turn, Vec<Spot>)> = Vec::new();
    for (from, began, end) in chosen_chains(rules, position, Ways::Each, usize::MAX).unwrap() {
        let way = match counted {
            Counted::Turns => Vec::new(),
            Counted::Landings => end.landings.clone(),
            Counted::Orders => end.taken.iter().map(|&(spot, _)| spot).collect(),
        };
        captures.push((turn_of(position.side, from, began, &end, Class::Jump), way));
    }
    captures.sort();
    captures.dedup();
    turns.extend(captures.into_iter().map(|(turn, _)| turn));
    turns
}

/// Checks every published count up to this size; returns how many there were.
fn check(count_max: u64) -> u32 {
    let mut checked = 0;
    for line in PERFT.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, text, depth, counted, count, _source] = fields[..] else { panic!("{line}") };
        let count: u64 = count.parse().unwrap();
        if count > count_max {
            continue;
        }
        let mut rules = variant(name);
        let position = if text.is_empty() {
            Position::start(&rules)
        } else {
            rules.board.notation = Notation::Numbers;
            Position::read(&rules.board, text)
        };
        let counted = match (counted, name) {
            ("turns", _) => Counted::Turns,
            ("paths", "turkish") => Counted::Landings,
            ("paths", _) => Counted::Orders,
            (other, _) => panic!("nothing is counted by {other}"),
        };
        let found = perft(&rules, &position, counted, depth.parse().unwrap());
        assert_eq!(found, count, "{line}");
        checked += 1;
    }
    checked
}

#[test]
fn published_counts_at_small_depths() {
    assert_eq!(check(20_000), 150);
}

#[test]
#[ignore = "minutes"]
fn published_counts_at_larger_depths() {
    assert!(check(25_000_000) > 250);
}
