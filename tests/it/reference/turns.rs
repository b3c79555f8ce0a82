//! The legal turns of a position, and what a turn leaves behind.

use keny::board::{Kind, Side};
use keny::rules::{Chain, Filter, Ruleset};
use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Cells, Position, Spot, units};
use super::jumps::{Runner, Ways, first_piece, free_run, jump_chains};

/// How a turn is made; of several ways, the first of these names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A man's step or a king's slide.
    Step,
    /// Hops alone.
    Hop,
    /// Jumps alone.
    Jump,
    /// Hops, then jumps.
    HopThenJump,
}

/// One distinct turn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Turn {
    pub(crate) from: Spot,
    pub(crate) to: Spot,
    /// The taken squares, sorted.
    pub(crate) captures: Vec<Spot>,
    /// Whether the piece began as a man and ends as a king.
    pub(crate) promotes: bool,
    pub(crate) class: Class,
}

/// Every legal turn once, sorted by start, end, taken squares and promotion.
pub(crate) fn legal_turns(rules: &Ruleset, position: &Position) -> Vec<Turn> {
    legal_turns_within(rules, position, usize::MAX).expect("no limit")
}

/// The legal turns, unless some chains go through more states than `states_max`.
pub(crate) fn legal_turns_within(
    rules: &Ruleset,
    position: &Position,
    states_max: usize,
) -> Option<Vec<Turn>> {
    let chains = chosen_chains(rules, position, Ways::Once, states_max)?;
    let mut all: Vec<Turn> = Vec::new();
    if !rules.capture.mandatory || chains.is_empty() {
        for (from, kind) in position.cells.pieces(position.side) {
            all.extend(steps(rules, position, from, kind));
            all.extend(hops(rules, position, from, kind, states_max)?);
        }
    }
    let from_chain = |chain: &(Spot, Kind, Runner)| {
        turn_of(position.side, chain.0, chain.1, &chain.2, Class::Jump)
    };
    all.extend(chains.iter().map(from_chain));

    let mut distinct: BTreeMap<(Spot, Spot, Vec<Spot>, bool), Class> = BTreeMap::new();
    for turn in all {
        let class = distinct
            .entry((turn.from, turn.to, turn.captures, turn.promotes))
            .or_insert(turn.class);
        *class = (*class).min(turn.class);
    }
    let turn =
        |((from, to, captures, promotes), class)| Turn { from, to, captures, promotes, class };
    Some(distinct.into_iter().map(turn).collect())
}

/// The position after a turn.
pub(crate) fn play(position: &Position, turn: &Turn) -> Position {
    let mut cells = position.cells;
    let (side, kind) = cells.get(turn.from).unwrap();
    cells.set(turn.from, None);
    for &spot in &turn.captures {
        cells.set(spot, None);
    }
    cells.set(turn.to, Some((side, if turn.promotes { Kind::King } else { kind })));
    Position { cells, side: position.side.other() }
}

/// The turn that a piece makes by ending as the runner stands.
pub(crate) fn turn_of(side: Side, from: Spot, began: Kind, runner: &Runner, class: Class) -> Turn {
    let mut captures: Vec<Spot> = runner.taken.iter().map(|&(spot, _)| spot).collect();
    captures.sort_unstable();
    let promotes = began == Kind::Man && runner.final_kind(side) == Kind::King;
    Turn { from, to: runner.spot, captures, promotes, class }
}

/// The jump chains without hops that the priority leaves, with start and kind of the piece;
/// nothing if one piece has more than `states_max` states.
pub(crate) fn chosen_chains(
    rules: &Ruleset,
    position: &Position,
    ways: Ways,
    states_max: usize,
) -> Option<Vec<(Spot, Kind, Runner)>> {
    let mut chains = Vec::new();
    for (spot, kind) in position.cells.pieces(position.side) {
        let runner = Runner::lift(&position.cells, spot, kind);
        for end in jump_chains(rules, position.side, runner, ways, states_max)? {
            chains.push((spot, kind, end));
        }
    }
    for filter in rules.capture.priority.iter() {
        keep_best(&mut chains, filter);
    }
    Some(chains)
}

fn keep_best(chains: &mut Vec<(Spot, Kind, Runner)>, filter: Filter) {
    let is_king = |&(_, kind): &(Spot, Kind)| kind == Kind::King;
    // Worth as a list: lists compare item by item, and one that ends first is the lesser.
    let worth = |chain: &(Spot, Kind, Runner)| -> Vec<usize> {
        let taken = &chain.2.taken;
        match filter {
            Filter::MostPieces => vec![taken.len()],
            Filter::ByKing => vec![usize::from(chain.1 == Kind::King)],
            Filter::MostKings => vec![taken.iter().filter(|taken| is_king(taken)).count()],
            Filter::KingFirst => taken.iter().map(|taken| usize::from(is_king(taken))).collect(),
        }
    };
    let best = chains.iter().map(worth).max();
    chains.retain(|chain| Some(worth(chain)) == best);
}

fn steps(rules: &Ruleset, position: &Position, from: Spot, kind: Kind) -> Vec<Turn> {
    let (directions, flies) = match kind {
        Kind::Man => (rules.man.step, false),
        Kind::King => (rules.king.moves, rules.king.flying),
    };
    let mut turns = Vec::new();
    for unit in units(directions, position.side) {
        for to in free_run(&position.cells, from, unit, flies) {
            let mut runner = Runner::lift(&position.cells, from, kind);
            runner.spot = to;
            turns.push(turn_of(position.side, from, kind, &runner, Class::Step));
        }
    }
    turns
}

/// Chains of hops, alone and with the jumps that may follow.
fn hops(
    rules: &Ruleset,
    position: &Position,
    from: Spot,
    kind: Kind,
    states_max: usize,
) -> Option<Vec<Turn>> {
    let side = position.side;
    let mut turns = Vec::new();
    for runner in after_hops(rules, side, Runner::lift(&position.cells, from, kind)) {
        let turn = turn_of(side, from, kind, &runner, Class::Hop);
        let unchanged = turn.from == turn.to && !turn.promotes;
        if !unchanged || rules.hop.return_to_start {
            turns.push(turn);
        }
        if rules.hop.then_capture {
            for end in jump_chains(rules, side, runner, Ways::Once, states_max)? {
                turns.push(turn_of(side, from, kind, &end, Class::HopThenJump));
            }
        }
    }
    Some(turns)
}

/// Every state of a piece that one hop or more can lead to, within the length of a chain.
fn after_hops(rules: &Ruleset, side: Side, runner: Runner) -> BTreeSet<Runner> {
    let mut reached: BTreeSet<Runner> = BTreeSet::new();
    let mut edge = vec![runner];
    let mut hops = 0;
    while !edge.is_empty() {
        match rules.hop.chain {
            Chain::AtMost(most) if hops == most => break,
            Chain::AtMost(_) => hops += 1,
            Chain::Unlimited => {}
        }
        let mut next = Vec::new();
        for runner in &edge {
            for landed in after_one_hop(rules, side, runner) {
                if reached.insert(landed.clone()) {
                    next.push(landed);
                }
            }
        }
        edge = next;
    }
    reached
}

fn after_one_hop(rules: &Ruleset, side: Side, runner: &Runner) -> Vec<Runner> {
    if runner.stopped {
        return Vec::new();
    }
    let (directions, over, flies) = match runner.kind {
        Kind::Man => (rules.man.hop, rules.man.hop_over, false),
        Kind::King => (rules.king.hop, rules.king.hop_over, rules.king.flying_hop),
    };
    let cells: &Cells = &runner.cells;
    let mut landed = Vec::new();
    for unit in units(directions, side) {
        let Some(piece) = first_piece(cells, runner.spot, unit, flies) else { continue };
        let Some((owner, kind)) = cells.get(piece) else { continue };
        if owner == side && over.contains(kind) {
            for spot in free_run(cells, piece, unit, flies) {
                let mut next = runner.clone();
                next.land(spot, side, rules.promotion.in_hop);
                landed.push(next);
            }
        }
    }
    landed
}
