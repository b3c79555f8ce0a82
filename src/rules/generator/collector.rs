//! What becomes of the jump chains that a search finds: those of the highest key are kept, many in
//! one piece where they differ only in where they end.

use std::cmp::Ordering;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::super::turn::Turn;
use super::priority::Key;
use crate::board::{Square, SquareSet};

/// Turns of one piece that take the same and end as the same: one turn for each end square.
#[derive(Clone, Copy, Debug)]
struct Chains<S> {
    /// One of them, with any end.
    turn: Turn<S>,
    targets: S,
    /// How many turns are in these and those before.
    end: u32,
}

impl<S: SquareSet> Chains<S> {
    /// What these have in common and no others have.
    fn name(&self) -> (Square, bool, S) {
        (self.turn.from, self.turn.promotes(), self.turn.taken)
    }
}

/// Distinct turns of the highest key so far.
#[derive(Clone, Debug)]
pub(super) struct Collector<S> {
    chains: Vec<Chains<S>>,
    /// The key of all of them, if there are any.
    best: Key,
    /// Where the chains of the last piece begin.
    of_piece: usize,
}

/// Chains that are compared one by one; more are looked up.
const FEW: usize = 48;

impl<S> Default for Collector<S> {
    fn default() -> Self {
        Self { chains: Vec::new(), best: Key::LOWEST, of_piece: 0 }
    }
}

impl<S: SquareSet> Collector<S> {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.chains.clear();
        self.of_piece = 0;
    }

    /// What is added from now on is of another piece.
    #[inline]
    pub(super) fn turn_to_next(&mut self) {
        self.of_piece = self.chains.len();
    }

    /// Drops what the last piece has added; what gave way to it is found no more, as it was less.
    #[inline]
    pub(super) fn drop_of_piece(&mut self) {
        self.chains.truncate(self.of_piece);
    }

    /// The number of turns.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.chains.last().map_or(0, |chains| chains.end)
    }

    /// The turn at `index`, which must be below [`Self::len`].
    #[inline]
    pub(super) fn get(&self, index: u32) -> Turn<S> {
        let before = self.chains.partition_point(|chains| chains.end <= index);
        let Chains { turn, targets, end } = self.chains[before];
        turn.ending_on(targets.nth(index + targets.len() - end))
    }

    /// The turns, in order.
    #[inline]
    pub(super) fn turns(&self) -> impl Iterator<Item = Turn<S>> {
        self.chains.iter().flat_map(|&Chains { turn, targets, .. }| {
            targets.squares().map(move |to| turn.ending_on(to))
        })
    }

    /// Whether no turn here has more than one jump.
    #[inline]
    pub(super) fn only_single_jumps(&self) -> bool {
        self.chains.iter().all(|chains| chains.turn.taken.without_first().is_empty())
    }

    /// Whether turns of this key are to be added; those of lower keys are dropped.
    #[inline]
    pub(super) fn admits(&mut self, key: Key) -> bool {
        if !self.chains.is_empty() {
            match key.cmp(&self.best) {
                Ordering::Less => return false,
                Ordering::Equal => return true,
                Ordering::Greater => self.clear(),
            }
        }
        self.best = key;
        true
    }

    /// Adds turns with these ends; `known`: some of them may be here already, added since the last that take
    /// something else.
    #[inline]
    pub(super) fn add(&mut self, turn: Turn<S>, mut targets: S, known: bool) {
        if known {
            let added = self.chains.iter().rev();
            for other in added.take_while(|other| other.turn.taken == turn.taken) {
                if other.turn.from == turn.from && other.turn.promotes() == turn.promotes() {
                    targets = targets.minus(other.targets);
                }
            }
        }
        if targets.any() {
            self.chains.push(Chains { turn, targets, end: self.len() + targets.len() });
        }
    }

    /// Adds a turn with this end, if the last piece has not added it already.
    #[inline]
    pub(super) fn add_once(&mut self, turn: Turn<S>, target: S) {
        // One or two jumps make a turn in one way only.
        let several_ways = turn.taken.without_first().without_first().any();
        if several_ways
            && self.chains[self.of_piece..].iter().any(|other| other.turn.same_as(&turn))
        {
            return;
        }
        self.chains.push(Chains { turn, targets: target, end: self.len() + 1 });
    }

    /// Drops the turns that `others` has too.
    pub(super) fn drop_known(&mut self, others: &Self) {
        if others.chains.is_empty() || self.chains.is_empty() {
            return;
        }
        if others.chains.len() < FEW {
            for chains in &mut self.chains {
                for other in &others.chains {
                    if other.name() == chains.name() {
                        chains.targets = chains.targets.minus(other.targets);
                    }
                }
            }
        } else {
            let mut known: HashMap<_, S, FxBuildHasher> = HashMap::default();
            for other in &others.chains {
                *known.entry(other.name()).or_default() |= other.targets;
            }
            for chains in &mut self.chains {
                if let Some(&targets) = known.get(&chains.name()) {
                    chains.targets = chains.targets.minus(targets);
                }
            }
        }
        self.chains.retain(|chains| chains.targets.any());
        let mut end = 0;
        for chains in &mut self.chains {
            end += chains.targets.len();
            chains.end = end;
        }
    }
}
