//! Pieces, side to move and the counters that the ending rules read.

use super::compiled::Rules;
use super::ruleset::{CountedTurns, CountingStart, ResetEvent};
use super::turn::Turn;
use crate::board::{Kind, Placement, Side, SquareSet};

/// Everything that legal turns and the quiet-turns rule depend on; repetition needs a [`super::Game`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position<S> {
    /// The pieces.
    pub placement: Placement<S>,
    /// The side to move.
    pub side: Side,
    /// Turns of either side since the count of quiet turns was last set to zero.
    pub quiet_plies: u16,
    /// Whether something has been taken since the start.
    pub captured: bool,
}

impl<S: SquareSet> Position<S> {
    /// A position with its counters at zero.
    #[must_use]
    pub const fn new(placement: Placement<S>, side: Side) -> Self {
        Self { placement, side, quiet_plies: 0, captured: false }
    }
}

impl<S: SquareSet> Placement<S> {
    /// The placement after a turn of `side` that the generator made.
    #[must_use]
    #[inline]
    pub fn after(&self, side: Side, turn: &Turn<S>) -> Self {
        let (from, to) = (S::single(turn.from), S::single(turn.to));
        let mut pieces = self.pieces;
        pieces[side.index()] = pieces[side.index()].minus(from) | to;
        pieces[side.other().index()] = pieces[side.other().index()].minus(turn.taken);
        let mut kings = self.kings.minus(from | turn.taken);
        if turn.becomes() == Kind::King {
            kings |= to;
        }
        Self { pieces, kings }
    }
}

impl<S: SquareSet> Rules<S> {
    /// The position at the start of a game.
    #[must_use]
    pub const fn start_position(&self) -> Position<S> {
        Position::new(*self.start(), self.ruleset().setup.first)
    }

    /// The position after a turn that the generator made.
    #[must_use]
    #[inline]
    pub fn after(&self, position: &Position<S>, turn: &Turn<S>) -> Position<S> {
        let captured = position.captured || turn.captures();
        let counts = match self.ruleset().draw.starts {
            CountingStart::FirstTurn => true,
            CountingStart::FirstCapture => captured,
        };
        let quiet_plies = if !counts || self.resets(turn) {
            0
        } else if turn.captures() {
            // No quiet turn, so it does not count, even where it resets nothing.
            position.quiet_plies
        } else {
            position.quiet_plies.saturating_add(1)
        };
        Position {
            placement: position.placement.after(position.side, turn),
            side: position.side.other(),
            quiet_plies,
            captured,
        }
    }

    /// Whether the turn sets the count of quiet turns to zero.
    #[inline]
    fn resets(&self, turn: &Turn<S>) -> bool {
        let events = self.ruleset().draw.reset_by;
        (events.contains(ResetEvent::Capture) && turn.captures())
            || (events.contains(ResetEvent::Promotion) && turn.promotes())
            || (events.contains(ResetEvent::Hop) && turn.hops())
            || (events.contains(ResetEvent::ManMove) && turn.moved() == Kind::Man)
    }

    /// The count of quiet plies at which the game is drawn, if it ever is.
    #[must_use]
    #[inline]
    pub fn quiet_plies_max(&self) -> Option<u16> {
        let draw = &self.ruleset().draw;
        let plies = match draw.counted {
            CountedTurns::PerSide => draw.quiet_turns.saturating_mul(2),
            CountedTurns::Both => draw.quiet_turns,
        };
        (plies > 0).then_some(plies)
    }
}
