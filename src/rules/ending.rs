//! How a game ends: one function, which judges in the order of the rules.

use super::compiled::Rules;
use super::position::Position;
use super::ruleset::{BlockedRule, OnePieceRule, RepetitionResult};
use crate::board::{Side, SquareSet};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::White, Self::Black, Self::Draw];

    /// The outcome in which this side wins.
    #[must_use]
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }

    /// The side that won, if one did.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::White => Some(Side::White),
            Self::Black => Some(Side::Black),
            Self::Draw => None,
        }
    }

    /// The name in texts: `white`, `black` or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Draw => "draw",
        }
    }
}

/// Why a game ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The side to move has no pieces.
    CapturedAll,
    /// The side to move has pieces but no legal turn.
    Blocked,
    /// Each side has one piece, which is a draw.
    OnePieceEach,
    /// Each side has one piece, and a king wins against a man.
    KingBeatsMan,
    /// Too many turns without what resets their count.
    QuietTurns,
    /// A position came up too often.
    Repetition,
    /// No rule ended it: a study's judge gave it to the side far ahead.
    Adjudicated,
}

impl Reason {
    /// The reasons of the rules, in the order in which they are judged.
    pub const BY_RULES: [Self; 6] = [
        Self::CapturedAll,
        Self::Blocked,
        Self::OnePieceEach,
        Self::KingBeatsMan,
        Self::QuietTurns,
        Self::Repetition,
    ];

    /// All reasons, those of the rules first.
    pub const ALL: [Self; 7] = {
        let [a, b, c, d, e, f] = Self::BY_RULES;
        [a, b, c, d, e, f, Self::Adjudicated]
    };

    /// The name in texts, such as `captured-all`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CapturedAll => "captured-all",
            Self::Blocked => "blocked",
            Self::OnePieceEach => "one-piece-each",
            Self::KingBeatsMan => "king-beats-man",
            Self::QuietTurns => "quiet-turns",
            Self::Repetition => "repetition",
            Self::Adjudicated => "adjudicated",
        }
    }
}

/// The end of a game: who won, and why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// Why it ended.
    pub reason: Reason,
}

impl<S: SquareSet> Rules<S> {
    /// Judges a position in the order: no pieces (of the side to move), blocked, one piece each, quiet turns, repetition.
    ///
    /// `has_turn`: whether the side to move has a legal turn. `occurrences`: how often the position
    /// has come up, this time included. At the start of a game neither counter has begun, so both
    /// of the last two are silent.
    #[must_use]
    #[inline]
    pub fn judge(
        &self,
        position: &Position<S>,
        has_turn: bool,
        occurrences: u32,
    ) -> Option<Ending> {
        let side = position.side;
        let rules = self.ruleset();
        let ending = |outcome, reason| Some(Ending { outcome, reason });
        if position.placement.of(side).is_empty() {
            return ending(Outcome::win(side.other()), Reason::CapturedAll);
        }
        if !has_turn {
            let outcome = match rules.end.blocked {
                BlockedRule::Loss => Outcome::win(side.other()),
                BlockedRule::Draw => Outcome::Draw,
            };
            return ending(outcome, Reason::Blocked);
        }
        let end = self.judge_one_piece_each(position);
        if end.is_some() {
            return end;
        }
        if self.quiet_plies_max().is_some_and(|most| position.quiet_plies >= most) {
            return ending(Outcome::Draw, Reason::QuietTurns);
        }
        if rules.draw.repetition > 0 && occurrences >= u32::from(rules.draw.repetition) {
            let outcome = match rules.draw.repetition_result {
                RepetitionResult::Draw => Outcome::Draw,
                RepetitionResult::Loss => Outcome::win(side),
            };
            return ending(outcome, Reason::Repetition);
        }
        None
    }

    #[inline]
    fn judge_one_piece_each(&self, position: &Position<S>) -> Option<Ending> {
        let rule = self.ruleset().end.one_piece_each;
        let placement = &position.placement;
        if rule == OnePieceRule::PlayOn
            || placement.pieces.iter().any(|set| set.is_empty() || set.without_first().any())
        {
            return None;
        }
        let kings = Side::ALL.map(|side| placement.kings(side).any());
        let draw = Some(Ending { outcome: Outcome::Draw, reason: Reason::OnePieceEach });
        let king_wins =
            |side| Some(Ending { outcome: Outcome::win(side), reason: Reason::KingBeatsMan });
        match (rule, kings) {
            (OnePieceRule::PlayOn, _) | (OnePieceRule::KingBeatsMan, [false, false]) => None,
            (OnePieceRule::Draw, _) | (OnePieceRule::KingBeatsMan, [true, true]) => draw,
            (OnePieceRule::KingBeatsMan, [true, false]) => king_wins(Side::White),
            (OnePieceRule::KingBeatsMan, [false, true]) => king_wins(Side::Black),
        }
    }
}
