//! What becomes of the jump chains that a search finds; most often their distinct turns are collected,
//! those of the highest key alone.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::super::turn::Turn;
use super::priority::Key;
use crate::board::{Square, SquareSet};

/// What a search does with the chains that it finds.
pub(super) trait JumpSink<S> {
    /// Whether each way to make a turn is wanted; if not, only the turn.
    const EVERY_WAY: bool;
    /// A jump over the piece on `taken` landed here; whether to go on from here.
    fn enter(&mut self, landing: Square, taken: Square) -> bool;
    /// The last jump is taken back.
    fn leave(&mut self);
    /// The search turns to another piece.
    #[inline]
    fn turn_to_next(&mut self) {}
    /// A chain may end here; `known` is for the sink to remember turns of this piece by.
    fn end(&mut self, turn: Turn<S>, key: Key, known: &mut Remembered<S>);
}

/// Distinct turns of the highest key so far.
#[derive(Clone, Debug)]
pub(super) struct Collector<S> {
    turns: Vec<Turn<S>>,
    best: Key,
    /// Where the turns of the last piece begin.
    of_this_piece: usize,
}

/// What makes a turn distinct.
type Name<S> = (Square, Square, bool, S);

fn name<S: SquareSet>(turn: &Turn<S>) -> Name<S> {
    (turn.from, turn.to, turn.promotes(), turn.taken)
}

/// A set that is only asked whether it has something, never listed, so no order of its own can show.
pub(super) type Asked<T> = HashSet<T, FxBuildHasher>;

/// Turns by what makes them distinct, where they are many; else nothing.
pub(super) type Remembered<S> = Option<Box<Asked<Name<S>>>>;

/// Turns that are compared one by one; more are looked up.
const FEW: usize = 48;

impl<S> Default for Collector<S> {
    fn default() -> Self {
        Self { turns: Vec::new(), best: Key::LOWEST, of_this_piece: 0 }
    }
}

impl<S: SquareSet> Collector<S> {
    /// An empty collector that fills this list, whatever is in it.
    #[inline]
    pub(super) fn reusing(mut turns: Vec<Turn<S>>) -> Self {
        turns.clear();
        Self { turns, best: Key::LOWEST, of_this_piece: 0 }
    }

    /// The turns collected.
    #[inline]
    pub(super) fn into_turns(self) -> Vec<Turn<S>> {
        self.turns
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.best = Key::LOWEST;
        self.of_this_piece = 0;
    }

    /// Whether this piece has the turn already.
    #[inline]
    fn has(&self, turn: &Turn<S>, known: &mut Remembered<S>) -> bool {
        let turns = &self.turns[self.of_this_piece..];
        if turns.len() < FEW {
            return turns.iter().rev().any(|other| other.same_as(turn));
        }
        Self::knows(turns, turn, known)
    }

    #[cold]
    #[inline(never)]
    fn knows(turns: &[Turn<S>], turn: &Turn<S>, known: &mut Remembered<S>) -> bool {
        let known = known.get_or_insert_with(|| Box::new(turns.iter().map(name).collect()));
        !known.insert(name(turn))
    }

    #[inline]
    pub(super) fn turns(&self) -> &[Turn<S>] {
        &self.turns
    }

    /// Whether no turn here has more than one jump.
    #[inline]
    pub(super) fn only_single_jumps(&self) -> bool {
        self.turns.iter().all(|turn| turn.taken.without_first().is_empty())
    }

    /// Drops the turns that `others` has too.
    pub(super) fn drop_known(&mut self, others: &[Turn<S>]) {
        if others.len() < FEW {
            self.turns.retain(|turn| !others.iter().any(|other| other.same_as(turn)));
        } else {
            let others: Asked<Name<S>> = others.iter().map(name).collect();
            self.turns.retain(|turn| !others.contains(&name(turn)));
        }
    }
}

impl<S: SquareSet> JumpSink<S> for Collector<S> {
    const EVERY_WAY: bool = false;

    #[inline]
    fn enter(&mut self, _: Square, _: Square) -> bool {
        true
    }

    #[inline]
    fn leave(&mut self) {}

    #[inline]
    fn turn_to_next(&mut self) {
        self.of_this_piece = self.turns.len();
    }

    #[inline]
    fn end(&mut self, turn: Turn<S>, key: Key, known: &mut Remembered<S>) {
        if key != self.best {
            if key < self.best {
                return;
            }
            self.clear();
            *known = None;
            self.best = key;
        }
        // One jump is one turn; only longer chains, and those after hops, have several ways.
        let several_ways = turn.taken.without_first().any() || turn.hops();
        if (several_ways || known.is_some()) && self.has(&turn, known) {
            return;
        }
        self.turns.push(turn);
    }
}
