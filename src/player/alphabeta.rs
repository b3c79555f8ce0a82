//! The player that searches: iterative deepening, principal variation search with a transposition
//! table, and captures followed until the position is quiet.
//!
//! Sees every ending of the rules, with the positions before the search. A search to a depth is
//! exact: it finds the value of the full tree of that depth, whose leaves are followed through
//! captures. A search with a budget of nodes looks less deep into turns that seem unlikely. Never
//! reads the clock: equal seeds and games give equal turns on every machine.

mod deepening;

use super::evaluation::Evaluation;
use super::line::Line;
use super::ordering::{Memory, Rated, bring_next, gain};
use super::roster::Budget;
use super::sampling::Sampling;
use super::table::{Bound, Table};
use super::{Player, Rng, Weights};
use crate::board::{Side, SquareSet};
use crate::rules::{Outcome, Rules, Scratch, Turn};

/// The score of a win at once; a win after n plies is worth n less. Draws are 0.
pub const WIN: i32 = 1_000_000;

/// From this value on an end is proven: a win in `WIN - value` plies, or a loss below its negative.
pub const PROVEN: i32 = WIN - 10_000;

/// The deepest search in plies, captures beyond it aside.
pub(super) const DEPTH_MAX: u8 = 100;

/// The longest line in plies: each ply beyond the depth takes a piece.
const PLIES_MAX: usize = DEPTH_MAX as usize + 130;

/// One line that a search to one depth found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<S> {
    /// The depth in plies.
    pub depth: u8,
    /// The value for the side to move: hundredths of a man, or a win ([`WIN`]).
    pub score: i32,
    /// Positions visited since the search began, those of smaller depths and better lines included.
    pub nodes: u64,
    /// Whether every turn of the root that could be the first of this line was searched, and the
    /// budget did not end before.
    pub complete: bool,
    /// The best turns of both sides in order.
    pub line: Vec<Turn<S>>,
}

/// A searching player.
#[derive(Clone, Debug)]
pub struct AlphaBeta<S> {
    budget: Budget,
    sampling: Sampling,
    rng: Rng,
    /// Positions visited since the last restart.
    looked_at: u64,
    searcher: Searcher<S>,
    /// The turns of the root in the order of trial, as places in the generator's order.
    roots: Vec<Root>,
    root_turns: Vec<Turn<S>>,
}

/// A turn of the root.
#[derive(Clone, Copy, Debug)]
struct Root {
    index: usize,
    score: i32,
}

/// The state of a search below the root.
#[expect(clippy::struct_excessive_bools, reason = "two of the rules, one of the budget, one flag")]
#[derive(Clone, Debug)]
struct Searcher<S> {
    evaluation: Evaluation<S>,
    line: Line<S>,
    table: Table,
    memory: Memory<S>,
    /// Lists of turns and of their ratings, one for each ply.
    turns: Vec<Vec<Turn<S>>>,
    rated: Vec<Vec<Rated>>,
    scratch: Scratch<S>,
    /// The best line from each ply on.
    best_lines: Vec<Vec<Turn<S>>>,
    nodes: u64,
    nodes_max: u64,
    stopped: bool,
    reduces: bool,
    captures_compulsory: bool,
    hops_then_captures: bool,
}

/// The window of scores that matter.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// The same window from the view of the other side.
    const fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window that asks only whether a score is above alpha, from the other side's view.
    const fn null_turned(self) -> Self {
        Self { alpha: -self.alpha - 1, beta: -self.alpha }
    }

    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<S: SquareSet> Searcher<S> {
    fn new(rules: &Rules<S>, weights: &Weights, budget: Budget) -> Self {
        let entries = match budget {
            Budget::Depth(depth) => 1 << (10 + u32::from(depth)).min(19),
            Budget::Nodes(nodes) => {
                usize::try_from((nodes / 4).clamp(512, 1 << 20)).unwrap_or(1 << 20)
            }
        };
        Self {
            evaluation: Evaluation::new(rules, weights),
            line: Line::new(rules),
            table: Table::new(entries),
            memory: Memory::new(PLIES_MAX),
            turns: vec![Vec::new(); PLIES_MAX],
            rated: vec![Vec::new(); PLIES_MAX],
            scratch: Scratch::default(),
            best_lines: vec![Vec::new(); PLIES_MAX],
            nodes: 0,
            nodes_max: u64::MAX,
            stopped: false,
            reduces: matches!(budget, Budget::Nodes(_)),
            captures_compulsory: rules.ruleset().capture.mandatory,
            hops_then_captures: rules.ruleset().hop.then_capture,
        }
    }

    /// The value after a turn for the side that makes it.
    #[inline]
    fn after(&mut self, rules: &Rules<S>, turn: &Turn<S>, pieces: i32, at: At) -> i32 {
        let position = &self.line.top().position;
        let pieces = self.evaluation.pieces_after(pieces, &position.placement, position.side, turn);
        self.line.push(rules, turn);
        let score = if at.depth == 0 {
            -self.quiesce(rules, pieces, at.window)
        } else {
            -self.search(rules, pieces, at)
        };
        self.line.pop();
        score
    }

    /// The value of the top position for the side to move, by a search of `at.depth` plies (1 or
    /// more): at most alpha, at least beta, or exact between them.
    fn search(&mut self, rules: &Rules<S>, pieces: i32, at: At) -> i32 {
        let At { depth, mut window } = at;
        let ply = self.line.ply();
        if self.count_node() {
            return 0;
        }
        self.best_lines[ply].clear();
        let past = self.line.past(u32::from(depth));
        let (hash, side) = (self.line.top().hash, self.line.top().position.side);
        let mut first = None;
        if !self.line.past_ends() {
            let known = self.table.look_up(hash, depth, past);
            first = known.best;
            if let Some((score, bound)) = known.score {
                let score = from_node(score, ply);
                let decides = match bound {
                    Bound::Exact => !window.is_open(),
                    Bound::AtLeast => score >= window.beta && !window.is_open(),
                    Bound::AtMost => score <= window.alpha && !window.is_open(),
                };
                if decides {
                    return score;
                }
            }
        }
        let mut turns = std::mem::take(&mut self.turns[ply]);
        let placement = self.line.top().position.placement;
        let listed = rules.list_turns(&placement, side, &mut self.scratch, &mut turns);
        if let Some(ending) = self.line.judge(rules, listed.is_err() || !turns.is_empty()) {
            self.turns[ply] = turns;
            return value_of(ending.outcome, side, ply);
        }
        if listed.is_err() {
            self.turns[ply] = turns;
            return self.evaluation.value_with(&placement, side, pieces);
        }
        let mut rated = std::mem::take(&mut self.rated[ply]);
        self.memory.rate(&turns, &placement, side, ply, first, &mut rated);
        let alpha_before = window.alpha;
        let (mut best, mut best_index) = (-WIN, 0);
        for number in 0..rated.len() {
            let next = bring_next(&mut rated, number);
            let turn = turns[usize::from(next.index)];
            let score = self.try_turn(rules, &turn, number, pieces, At { depth, window });
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                best_index = next.index;
                if score > window.alpha {
                    window.alpha = score;
                    self.extend_line(ply, turn);
                }
                if score >= window.beta {
                    if !turn.captures() {
                        self.memory.refuted(&turn, &rated[..number], &turns, side, ply, depth);
                    }
                    break;
                }
            }
        }
        self.turns[ply] = turns;
        self.rated[ply] = rated;
        if !self.stopped {
            let bound = if best >= window.beta {
                Bound::AtLeast
            } else if best > alpha_before {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            self.table.store(hash, depth, past, (to_node(best, ply), bound), best_index);
        }
        best
    }

    /// The value of the turn that is `number`-th in the order of trial: the first with the whole
    /// window; a later one, when it proves to be above alpha, once more.
    #[inline]
    fn try_turn(
        &mut self,
        rules: &Rules<S>,
        turn: &Turn<S>,
        number: usize,
        pieces: i32,
        at: At,
    ) -> i32 {
        let At { depth, window } = at;
        let whole = At { depth: depth - 1, window: window.turned() };
        if number == 0 {
            return self.after(rules, turn, pieces, whole);
        }
        let null = window.null_turned();
        let less = self.reduction(turn, number, depth);
        let mut score =
            self.after(rules, turn, pieces, At { depth: depth - 1 - less, window: null });
        if score > window.alpha && less > 0 && !self.stopped {
            score = self.after(rules, turn, pieces, At { depth: depth - 1, window: null });
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = self.after(rules, turn, pieces, whole);
        }
        score
    }

    /// How many plies less a late, quiet turn is searched.
    #[inline]
    fn reduction(&self, turn: &Turn<S>, number: usize, depth: u8) -> u8 {
        if !self.reduces || depth < 3 || number < 3 || turn.captures() || turn.promotes() {
            return 0;
        }
        if depth >= 5 && number >= 8 { 2 } else { 1 }
    }

    /// The value of the top position for the side to move, by captures alone until none is left.
    ///
    /// A side that need not capture may also leave the position as it is.
    fn quiesce(&mut self, rules: &Rules<S>, pieces: i32, mut window: Window) -> i32 {
        let ply = self.line.ply();
        if self.count_node() {
            return 0;
        }
        self.best_lines[ply].clear();
        let position = self.line.top().position;
        let (placement, side) = (position.placement, position.side);
        let can_capture = rules.has_capture(&placement, side);
        let has_turn = can_capture || rules.has_turn(&placement, side);
        if let Some(ending) = self.line.judge(rules, has_turn) {
            return value_of(ending.outcome, side, ply);
        }
        let mut best = -WIN;
        if !(can_capture && self.captures_compulsory) {
            best = self.evaluation.value_with(&placement, side, pieces);
            if best >= window.beta || !(can_capture || self.hops_then_captures) {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        let mut turns = std::mem::take(&mut self.turns[ply]);
        if rules.list_turns(&placement, side, &mut self.scratch, &mut turns).is_err() {
            self.turns[ply] = turns;
            return self.evaluation.value_with(&placement, side, pieces);
        }
        let mut rated = std::mem::take(&mut self.rated[ply]);
        rated.clear();
        for (index, turn) in (0_u16..).zip(&turns) {
            if turn.captures() {
                rated.push(Rated { urgency: gain(turn, &placement), index });
            }
        }
        for number in 0..rated.len() {
            let next = bring_next(&mut rated, number);
            let turn = turns[usize::from(next.index)];
            let score = self.after(rules, &turn, pieces, At { depth: 0, window: window.turned() });
            if self.stopped {
                break;
            }
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                self.extend_line(ply, turn);
            }
            if score >= window.beta {
                break;
            }
        }
        self.turns[ply] = turns;
        self.rated[ply] = rated;
        best
    }

    /// The best line from this ply on is now this turn and the best line after it.
    fn extend_line(&mut self, ply: usize, turn: Turn<S>) {
        let (before, after) = self.best_lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(turn);
        line.extend_from_slice(&after[0]);
    }

    /// Counts a position; whether the budget is spent.
    #[inline]
    fn count_node(&mut self) -> bool {
        if self.nodes >= self.nodes_max {
            self.stopped = true;
        }
        self.nodes += 1;
        self.stopped
    }
}

/// How deep to search, and within which scores.
#[derive(Clone, Copy, Debug)]
struct At {
    depth: u8,
    window: Window,
}

/// The score of an ending for `side`, `ply` plies from the root.
#[inline]
fn value_of(outcome: Outcome, side: Side, ply: usize) -> i32 {
    let win = WIN - plies(ply);
    match outcome.winner() {
        None => 0,
        Some(winner) if winner == side => win,
        Some(_) => -win,
    }
}

/// A score counted from the root, as counted from the position `ply` plies below it.
#[inline]
fn to_node(score: i32, ply: usize) -> i32 {
    match score {
        PROVEN.. => score + plies(ply),
        _ if score <= -PROVEN => score - plies(ply),
        _ => score,
    }
}

/// A score counted from the position `ply` plies below the root, as counted from the root.
#[inline]
fn from_node(score: i32, ply: usize) -> i32 {
    match score {
        PROVEN.. => score - plies(ply),
        _ if score <= -PROVEN => score + plies(ply),
        _ => score,
    }
}

#[inline]
fn plies(ply: usize) -> i32 {
    i32::try_from(ply).expect("a line is short")
}
