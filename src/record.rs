//! What one game leaves: what it was, how it ended, and its turns in about one byte each.
//!
//! A turn is stored as its index in the fixed order of [`Choices`], so a record can be replayed
//! only under the rules that it was played by. Nothing here reads or writes a file.

use crate::board::SquareSet;
use crate::rules::{Choices, Ending, Game, Outcome, Position, Reason, Rules, Stop, Turn};

/// The reason given for a game without an end: it reached the ply cap, or a position with too many
/// turns to list.
pub const UNFINISHED: &str = "unfinished";

/// A place in a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// The player named first.
    First,
    /// The player named second.
    Second,
}

impl Seat {
    /// Both seats, the first one first.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The other seat.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first, 1 for the second: the place in an array of two.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Which game of a plan it is; games are ordered by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameKey {
    /// Number of the variant in the plan, from 0.
    pub variant: u32,
    /// Number of the pairing in the plan, from 0.
    pub pairing: u32,
    /// Number of the opening, from 0.
    pub opening: u32,
    /// The seat whose player had White.
    pub white: Seat,
}

/// What one game leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which game it is.
    pub key: GameKey,
    /// The number that all chance in the game came from.
    pub seed: u64,
    /// How it ended; nothing if it reached the ply cap, or a position with too many turns.
    pub end: Option<Ending>,
    /// Number of turns, those of the opening among them.
    pub plies: u32,
    /// Whether it began with the same turns from the same position as the game of the plan's
    /// first variant with this opening.
    pub opening_shared: bool,
    /// The turns, as [`push_index`] writes them.
    pub turns: Vec<u8>,
}

impl Record {
    /// Who won; nothing for an unfinished game, which is not a draw.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| end.outcome)
    }

    /// Why it ended; nothing for an unfinished game.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.end.map(|end| end.reason)
    }

    /// Why it ended, by name.
    #[must_use]
    pub fn reason_name(&self) -> &'static str {
        self.reason().map_or(UNFINISHED, Reason::name)
    }
}

/// Appends the index of a turn: seven bits a byte, the lowest first, the top bit set on all bytes
/// but the last (LEB128).
pub fn push_index(turns: &mut Vec<u8>, index: usize) {
    let mut rest = index;
    while rest >= 0x80 {
        turns.push(low_seven(rest) | 0x80);
        rest >>= 7;
    }
    turns.push(low_seven(rest));
}

#[expect(clippy::cast_possible_truncation, reason = "only seven bits are left")]
const fn low_seven(value: usize) -> u8 {
    (value & 0x7f) as u8
}

/// The indices of turns that [`push_index`] wrote.
#[derive(Clone, Debug)]
pub struct Indices<'a> {
    bytes: &'a [u8],
}

impl<'a> Indices<'a> {
    /// The indices in these bytes.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }
}

impl Iterator for Indices<'_> {
    /// An index, or nothing where the bytes are cut short or the number does not fit 32 bits.
    type Item = Option<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let mut index = 0_usize;
        for shift in (0..28).step_by(7) {
            let Some((&byte, rest)) = self.bytes.split_first() else { return Some(None) };
            self.bytes = rest;
            index |= usize::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(Some(index));
            }
        }
        self.bytes = &[];
        Some(None)
    }
}

/// A record that does not fit the rules it is replayed by.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The bytes of the turns are no numbers.
    #[error("the turns are damaged after ply {plies}")]
    Damaged {
        /// Turns that could be played.
        plies: u32,
    },
    /// A turn has a number that no legal turn has.
    #[error("ply {ply} is turn number {index}, but only {legal} turns are legal there")]
    NoSuchTurn {
        /// The ply, from 1.
        ply: u32,
        /// The number found.
        index: usize,
        /// The number of legal turns; 0 after the end of the game.
        legal: usize,
    },
    /// The game has another length.
    #[error("the record says {stored} plies, but it has {found} turns")]
    Length {
        /// Plies that the record says.
        stored: u32,
        /// Turns found.
        found: u32,
    },
    /// The game ends in another way.
    #[error("the record says that the game ended by {stored}, but it ends by {found}")]
    End {
        /// The end that the record says.
        stored: String,
        /// The end found.
        found: String,
    },
}

/// One turn of a game that is replayed, before it is played.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, S> {
    /// The ply, from 1.
    pub ply: u32,
    /// The position before the turn.
    pub position: &'a Position<S>,
    /// The legal turns.
    pub choices: &'a Choices<S>,
    /// Which of them is played.
    pub index: usize,
    /// The turn that is played.
    pub turn: Turn<S>,
}

/// Replays games of one ruleset; reused from game to game, it stops allocating.
#[derive(Clone, Debug)]
pub struct Replayer<'a, S> {
    rules: &'a Rules<S>,
    game: Game<S>,
    choices: Choices<S>,
    stop: Option<Stop>,
}

impl<'a, S: SquareSet> Replayer<'a, S> {
    /// A replayer for games by these rules.
    #[must_use]
    pub fn new(rules: &'a Rules<S>) -> Self {
        Self { rules, game: Game::new(rules), choices: Choices::new(), stop: None }
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &'a Rules<S> {
        self.rules
    }

    /// The game as far as it was replayed; after [`Self::replay`] at its last position.
    #[must_use]
    pub const fn game(&self) -> &Game<S> {
        &self.game
    }

    /// Why the game cannot go on from there.
    #[must_use]
    pub const fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Plays the record from the rules' start, showing each turn, and checks length and end.
    ///
    /// # Errors
    /// Where the record does not fit the rules; turns before the fault have been shown.
    pub fn replay(
        &mut self,
        record: &Record,
        mut visit: impl FnMut(Step<'_, S>),
    ) -> Result<(), ReplayError> {
        self.game.restart(self.rules.start_position());
        let mut stop = self.game.choices(self.rules, &mut self.choices);
        for index in Indices::new(&record.turns) {
            let ply = self.game.plies() + 1;
            let index = index.ok_or(ReplayError::Damaged { plies: ply - 1 })?;
            let legal = self.choices.len();
            if index >= legal {
                return Err(ReplayError::NoSuchTurn { ply, index, legal });
            }
            let turn = self.choices.get(self.rules, index);
            let (position, choices) = (self.game.position(), &self.choices);
            visit(Step { ply, position, choices, index, turn });
            self.game.play(self.rules, &turn);
            stop = self.game.choices(self.rules, &mut self.choices);
        }
        self.stop = stop;
        let (found, end) = (self.game.plies(), stop.and_then(Stop::ending));
        if found != record.plies {
            return Err(ReplayError::Length { stored: record.plies, found });
        }
        // A judge beside the board ends a game that goes on there.
        let judged = record.reason() == Some(Reason::Adjudicated);
        let stored = if judged { None } else { record.end };
        if end != stored {
            return Err(ReplayError::End { stored: end_text(record.end), found: end_text(end) });
        }
        Ok(())
    }
}

/// The end of a game for a message: `white, captured-all`.
fn end_text(end: Option<Ending>) -> String {
    end.map_or_else(
        || UNFINISHED.to_owned(),
        |end| format!("{}, {}", end.outcome.name(), end.reason.name()),
    )
}

#[cfg(test)]
mod tests {
    use super::{Indices, push_index};

    #[test]
    fn indices_survive_encoding() {
        let mut bytes = Vec::new();
        let indices = [0, 1, 127, 128, 300, 16_383, 16_384, 2_097_151, (1 << 28) - 1];
        for index in indices {
            push_index(&mut bytes, index);
        }
        assert_eq!(bytes[..5], [0, 1, 127, 0x80, 1]);
        let read: Vec<_> = Indices::new(&bytes).collect();
        assert_eq!(read, indices.map(Some));
    }

    #[test]
    fn damaged_indices_are_told_once() {
        assert_eq!(Indices::new(&[5, 0x80]).collect::<Vec<_>>(), [Some(5), None]);
        assert_eq!(Indices::new(&[0xff; 9]).collect::<Vec<_>>(), [None]);
    }
}
