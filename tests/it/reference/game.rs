//! A game and how it ends.

use keny::board::{Kind, Side};
use keny::rules::{
    BlockedRule, CountedTurns, CountingStart, OnePieceRule, RepetitionResult, ResetEvent, Ruleset,
};
use std::collections::BTreeMap;

use super::cells::Position;
use super::turns::{Class, Turn, legal_turns, play};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Win(Side),
    Draw,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    CapturedAll,
    Blocked,
    OnePieceEach,
    KingBeatsMan,
    QuietTurns,
    Repetition,
}

impl Reason {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::CapturedAll => "captured-all",
            Self::Blocked => "blocked",
            Self::OnePieceEach => "one-piece-each",
            Self::KingBeatsMan => "king-beats-man",
            Self::QuietTurns => "quiet-turns",
            Self::Repetition => "repetition",
        }
    }
}

/// Outcome and reason, once the game is over.
pub(crate) type Status = Option<(Outcome, Reason)>;

/// A game in progress, or over.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    rules: Ruleset,
    position: Position,
    /// Quiet turns of both sides since the count was last at zero.
    quiet_plies: u32,
    counting: bool,
    /// How often each position has stood on the board, with its side to move.
    seen: BTreeMap<Position, u32>,
    status: Status,
    turns: Vec<Turn>,
}

impl Game {
    pub(crate) fn new(rules: &Ruleset, position: &Position) -> Self {
        let counting = match rules.draw.starts {
            CountingStart::FirstTurn => true,
            CountingStart::FirstCapture => false,
        };
        let turns = legal_turns(rules, position);
        let status = decided_on_board(rules, position, &turns);
        Self {
            rules: *rules,
            position: *position,
            quiet_plies: 0,
            counting,
            seen: BTreeMap::from([(*position, 1)]),
            status,
            turns: if status.is_none() { turns } else { Vec::new() },
        }
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// The names of outcome and reason, once the game is over.
    pub(crate) fn ending_names(&self) -> Option<(&'static str, &'static str)> {
        let (outcome, reason) = self.status?;
        let outcome = match outcome {
            Outcome::Win(side) => side.name(),
            Outcome::Draw => "draw",
        };
        Some((outcome, reason.name()))
    }

    /// The legal turns; none once the game is over.
    pub(crate) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Plays one of the legal turns.
    pub(crate) fn play(&mut self, turn: &Turn) {
        assert!(self.turns.contains(turn), "not a legal turn: {turn:?}");
        let mover = self.position.side;
        let (_, began) = self.position.cells.get(turn.from).unwrap();
        self.position = play(&self.position, turn);
        self.count_quiet(turn, began);
        let occurrences = self.seen.entry(self.position).or_insert(0);
        *occurrences += 1;
        let occurrences = *occurrences;

        let turns = legal_turns(&self.rules, &self.position);
        self.status = decided_on_board(&self.rules, &self.position, &turns)
            .or_else(|| self.too_quiet())
            .or_else(|| self.repeated(occurrences, mover));
        self.turns = if self.status.is_none() { turns } else { Vec::new() };
    }

    fn count_quiet(&mut self, turn: &Turn, began: Kind) {
        let captured = !turn.captures.is_empty();
        let hopped = match turn.class {
            Class::Hop | Class::HopThenJump => true,
            Class::Step | Class::Jump => false,
        };
        let resets = ResetEvent::ALL.into_iter().any(|event| {
            self.rules.draw.reset_by.contains(event)
                && match event {
                    ResetEvent::Capture => captured,
                    ResetEvent::Promotion => turn.promotes,
                    ResetEvent::Hop => hopped,
                    ResetEvent::ManMove => began == Kind::Man,
                }
        });
        self.counting |= captured;
        if resets {
            self.quiet_plies = 0;
        } else if self.counting && !captured {
            self.quiet_plies += 1;
        }
    }

    fn too_quiet(&self) -> Status {
        let limit = match self.rules.draw.counted {
            CountedTurns::PerSide => 2 * u32::from(self.rules.draw.quiet_turns),
            CountedTurns::Both => u32::from(self.rules.draw.quiet_turns),
        };
        (limit > 0 && self.quiet_plies >= limit).then_some((Outcome::Draw, Reason::QuietTurns))
    }

    fn repeated(&self, occurrences: u32, mover: Side) -> Status {
        let limit = u32::from(self.rules.draw.repetition);
        let outcome = match self.rules.draw.repetition_result {
            RepetitionResult::Draw => Outcome::Draw,
            RepetitionResult::Loss => Outcome::Win(mover.other()),
        };
        (limit > 0 && occurrences >= limit).then_some((outcome, Reason::Repetition))
    }
}

/// What the pieces alone decide.
fn decided_on_board(rules: &Ruleset, position: &Position, turns: &[Turn]) -> Status {
    let side = position.side;
    // Only the side to move can lose by having no pieces: a lone side that is to move plays on.
    let own = position.cells.pieces(side);
    let other = position.cells.pieces(side.other());
    if own.is_empty() {
        return Some((Outcome::Win(side.other()), Reason::CapturedAll));
    }
    if turns.is_empty() {
        let outcome = match rules.end.blocked {
            BlockedRule::Loss => Outcome::Win(side.other()),
            BlockedRule::Draw => Outcome::Draw,
        };
        return Some((outcome, Reason::Blocked));
    }
    if let ([(_, own)], [(_, other)]) = (&own[..], &other[..]) {
        return match rules.end.one_piece_each {
            OnePieceRule::PlayOn => None,
            OnePieceRule::Draw => Some((Outcome::Draw, Reason::OnePieceEach)),
            OnePieceRule::KingBeatsMan => match (own, other) {
                (Kind::King, Kind::King) => Some((Outcome::Draw, Reason::OnePieceEach)),
                (Kind::King, Kind::Man) => Some((Outcome::Win(side), Reason::KingBeatsMan)),
                (Kind::Man, Kind::King) => Some((Outcome::Win(side.other()), Reason::KingBeatsMan)),
                (Kind::Man, Kind::Man) => None,
            },
        };
    }
    None
}
