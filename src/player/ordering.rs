//! Which turns a search tries first: captures by what they take, then what refuted before.
//!
//! Changes the speed of a search and the order among equals, never a value.

use crate::board::{Kind, Placement, Side, SquareSet};
use crate::limits::JUMPS_MAX;
use crate::rules::Turn;

// No list is longer: a turn for each jump that is followed, and quiet ones of 64 pieces to 128 squares.
const _: () = assert!(JUMPS_MAX < u16::MAX as u32 - 128 * 64);

/// A turn in a list, with its urgency.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rated {
    pub(super) urgency: i32,
    /// The turn's place in the generator's order.
    pub(super) index: u16,
}

/// What a search has learned about good turns: killers by ply, and a history by squares.
#[derive(Clone, Debug)]
pub(super) struct Memory<S> {
    killers: Vec<[Option<Turn<S>>; 2]>,
    /// By side, start and end square: how often a quiet turn refuted, weighed by depth.
    history: Vec<i32>,
}

const FIRST: i32 = i32::MAX;
const CAPTURE: i32 = 1 << 24;
const CROWNING: i32 = 1 << 23;
const KILLER: i32 = 1 << 22;
const HISTORY_MAX: i32 = 1 << 20;

impl<S: SquareSet> Memory<S> {
    /// Nothing learned yet.
    pub(super) fn new(plies_max: usize) -> Self {
        let squares = S::BITS as usize;
        Self { killers: vec![[None; 2]; plies_max], history: vec![0; 2 * squares * squares] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    /// Rates each turn of a list.
    #[inline]
    pub(super) fn rate(
        &self,
        turns: &[Turn<S>],
        placement: &Placement<S>,
        side: Side,
        ply: usize,
        first: Option<u16>,
        rated: &mut Vec<Rated>,
    ) {
        rated.clear();
        let killers = &self.killers[ply];
        for (index, turn) in (0_u16..).zip(turns) {
            let urgency = if first == Some(index) {
                FIRST
            } else if turn.captures() {
                CAPTURE + gain(turn, placement)
            } else if turn.promotes() {
                CROWNING
            } else if killers[0].is_some_and(|killer| killer.same_as(turn)) {
                KILLER + 1
            } else if killers[1].is_some_and(|killer| killer.same_as(turn)) {
                KILLER
            } else {
                self.history[Self::cell(side, turn)]
            };
            rated.push(Rated { urgency, index });
        }
    }

    /// Remembers that a quiet turn refuted the turn before it, and that `tried` did not.
    pub(super) fn refuted(
        &mut self,
        turn: &Turn<S>,
        tried: &[Rated],
        turns: &[Turn<S>],
        side: Side,
        ply: usize,
        depth: u8,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(*turn) {
            killers[1] = killers[0];
            killers[0] = Some(*turn);
        }
        let bonus = i32::from(depth) * i32::from(depth);
        self.adjust(Self::cell(side, turn), bonus);
        for other in tried {
            let other = &turns[usize::from(other.index)];
            if !other.captures() && !other.promotes() {
                self.adjust(Self::cell(side, other), -bonus);
            }
        }
    }

    /// Moves a cell toward its limit, the slower the nearer it is.
    fn adjust(&mut self, cell: usize, bonus: i32) {
        let value = &mut self.history[cell];
        *value =
            (*value + 32 * bonus - *value / 512 * bonus.abs() / 8).clamp(-HISTORY_MAX, HISTORY_MAX);
    }

    #[inline]
    fn cell(side: Side, turn: &Turn<S>) -> usize {
        let squares = S::BITS as usize;
        (side.index() * squares + turn.from.index()) * squares + turn.to.index()
    }
}

/// Brings the most urgent of the rated turns from `at` on to `at`; of equals the earliest.
#[inline]
pub(super) fn bring_next(rated: &mut [Rated], at: usize) -> Rated {
    let mut best = at;
    for other in at + 1..rated.len() {
        if rated[other].urgency > rated[best].urgency {
            best = other;
        }
    }
    rated.swap(at, best);
    rated[at]
}

/// What a capture takes, kings counted as four men; crowning counts as one man.
#[inline]
pub(super) fn gain<S: SquareSet>(turn: &Turn<S>, placement: &Placement<S>) -> i32 {
    let kings = (turn.taken & placement.kings).len();
    let crown = u32::from(turn.promotes());
    let own = u32::from(turn.moved() == Kind::Man);
    ((turn.taken.len() + 3 * kings + crown) * 2 + own).cast_signed()
}
