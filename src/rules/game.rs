//! A game in progress: position, history for repetitions, and its ending.

use super::compiled::Rules;
use super::ending::Ending;
use super::generator::Choices;
use super::position::Position;
use super::turn::Turn;
use crate::board::{Placement, SquareSet};

/// A position together with those before it that could come up again.
#[derive(Clone, Debug)]
pub struct Game<S> {
    position: Position<S>,
    hash: u64,
    plies: u32,
    /// Positions since the last turn that cannot be undone, the present one last.
    history: Vec<(u64, Placement<S>)>,
    /// How often each low part of a hash stands in the history: zero means "surely new".
    sketch: Box<[u8; SKETCH]>,
    occurrences: u32,
    tracks_repetition: bool,
}

const SKETCH: usize = 1024;

/// Why a game cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has ended.
    Ended(Ending),
    /// It has not ended, but its position has too many turns to list ([`Choices::too_many`]).
    TooManyTurns,
}

impl Stop {
    /// The ending, if the game has ended.
    #[must_use]
    pub const fn ending(self) -> Option<Ending> {
        match self {
            Self::Ended(ending) => Some(ending),
            Self::TooManyTurns => None,
        }
    }
}

impl<S: SquareSet> Game<S> {
    /// A game at the rules' start.
    #[must_use]
    pub fn new(rules: &Rules<S>) -> Self {
        Self::from_position(rules, rules.start_position())
    }

    /// A game that starts from this position.
    #[must_use]
    pub fn from_position(rules: &Rules<S>, position: Position<S>) -> Self {
        let mut game = Self {
            position,
            hash: 0,
            plies: 0,
            history: Vec::new(),
            sketch: Box::new([0; SKETCH]),
            occurrences: 1,
            tracks_repetition: rules.ruleset().draw.repetition > 0,
        };
        game.restart(position);
        game
    }

    /// Starts again from this position, under the same rules, without allocating.
    pub fn restart(&mut self, position: Position<S>) {
        self.position = position;
        self.hash = position.placement.hash(position.side);
        self.plies = 0;
        self.forget();
        self.remember();
    }

    /// The present position.
    #[must_use]
    #[inline]
    pub const fn position(&self) -> &Position<S> {
        &self.position
    }

    /// The hash of pieces and side to move.
    #[must_use]
    #[inline]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Turns played since the start.
    #[must_use]
    #[inline]
    pub const fn plies(&self) -> u32 {
        self.plies
    }

    /// How often the present position has come up, this time included; 1 where repetition is off.
    #[must_use]
    #[inline]
    pub const fn occurrences(&self) -> u32 {
        self.occurrences
    }

    /// Hash and pieces of each earlier position that could come up again, the oldest first, the
    /// present one last; sides alternate. Only the present one where repetition is off.
    #[must_use]
    pub fn history(&self) -> &[(u64, Placement<S>)] {
        &self.history
    }

    /// Plays a turn that the generator made for the present position.
    #[inline]
    pub fn play(&mut self, rules: &Rules<S>, turn: &Turn<S>) {
        self.hash = self.position.placement.hash_after(self.hash, self.position.side, turn);
        self.position = rules.after(&self.position, turn);
        self.plies += 1;
        if turn.captures() || turn.promotes() {
            self.forget();
        }
        self.remember();
    }

    /// The ending, given whether the side to move has a legal turn.
    #[must_use]
    #[inline]
    pub fn judge(&self, rules: &Rules<S>, has_turn: bool) -> Option<Ending> {
        rules.judge(&self.position, has_turn, self.occurrences)
    }

    /// The ending of the game, if it has ended.
    #[must_use]
    pub fn ending(&self, rules: &Rules<S>) -> Option<Ending> {
        let has_turn = rules.has_turn(&self.position.placement, self.position.side);
        self.judge(rules, has_turn)
    }

    /// Gathers the legal turns, and says why the game cannot go on; there is a turn exactly where
    /// it can.
    pub fn choices(&self, rules: &Rules<S>, choices: &mut Choices<S>) -> Option<Stop> {
        rules.choices(&self.position.placement, self.position.side, choices);
        match self.judge(rules, choices.has_turn()) {
            Some(ending) => {
                choices.clear();
                Some(Stop::Ended(ending))
            }
            None if choices.too_many() => Some(Stop::TooManyTurns),
            None => None,
        }
    }

    #[inline]
    fn forget(&mut self) {
        if !self.history.is_empty() {
            self.history.clear();
            self.sketch.fill(0);
        }
    }

    #[inline]
    fn remember(&mut self) {
        self.occurrences = 1;
        if !self.tracks_repetition {
            return;
        }
        let entry = (self.hash, self.position.placement);
        let low = usize::try_from(self.hash % SKETCH as u64).expect("below the sketch's size");
        let cell = &mut self.sketch[low];
        if *cell > 0 {
            // Sides alternate, and the hash knows the side: equal entries are equal positions.
            let before = self.history.iter().filter(|&&other| other == entry).count();
            self.occurrences += u32::try_from(before).expect("a game is shorter than 2^32 plies");
        }
        *cell = cell.saturating_add(1);
        self.history.push(entry);
    }
}
