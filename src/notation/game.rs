//! Written games against the rules: from PDN to turns that were played, and back.

use super::position::{PositionError, parse_position, print_position};
use super::square::cut;
use super::{PdnGame, PdnResult, PdnTurn, TurnError, TurnTexts};
use crate::board::SquareSet;
use crate::rules::{Choices, Ending, Game, Position, Rules, Stop, TooManyTurns, Turn};

/// A written game that was played out on the board.
#[derive(Clone, Debug)]
pub struct Replayed<S> {
    /// Where it began.
    pub start: Position<S>,
    /// The turns, in order.
    pub turns: Vec<Turn<S>>,
    /// The game after the last turn.
    pub game: Game<S>,
    /// How it ended on the board, if it did.
    pub ending: Option<Ending>,
}

/// Why a written game cannot have been played under the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayFault {
    /// The start position cannot be read.
    #[error("line {line}: the tag `FEN`: {error}")]
    Position {
        /// The line, from 1, where the game begins.
        line: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A turn is not legal where it stands.
    #[error("line {line}: ply {ply}: {error}")]
    Turn {
        /// The line, from 1.
        line: usize,
        /// The number of the ply, from 1.
        ply: usize,
        /// What is wrong.
        error: TurnError,
    },
    /// Turns follow after the end.
    #[error(
        "line {line}: ply {ply}: `{text}` comes after the end of the game ({}, {})",
        .ending.outcome.name(), .ending.reason.name()
    )]
    AfterEnd {
        /// The line, from 1.
        line: usize,
        /// The number of the ply, from 1.
        ply: usize,
        /// The text of the turn, cut if long.
        text: String,
        /// How the game had ended.
        ending: Ending,
    },
    /// The game ended otherwise than it says.
    #[error(
        "line {line}: the game says `{}`, but it ended `{}` ({})",
        .claimed.text(), PdnResult::Ended(.ending.outcome).text(), .ending.reason.name()
    )]
    Result {
        /// The line, from 1, where the game begins.
        line: usize,
        /// What the game says.
        claimed: PdnResult,
        /// How it ended.
        ending: Ending,
    },
}

/// Plays a written game under the rules, each turn checked.
///
/// A result that the board does not show (an agreed draw, a side that gave up) is accepted.
///
/// # Errors
/// At the first turn that is not legal, and when the result differs from that of the board.
pub fn replay<S: SquareSet>(
    rules: &Rules<S>,
    written: &PdnGame,
) -> Result<Replayed<S>, ReplayFault> {
    let board = &rules.ruleset().board;
    let texts = TurnTexts::new(board);
    let line = written.line;
    let start = match written.tag("FEN").filter(|text| !text.is_empty()) {
        None => rules.start_position(),
        Some(text) => {
            let (side, placement) = parse_position(text, board)
                .map_err(|error| ReplayFault::Position { line, error })?;
            Position::new(placement.cast(), side)
        }
    };
    let mut game = Game::from_position(rules, start);
    let mut choices = Choices::new();
    let mut legal = Vec::new();
    let mut turns = Vec::with_capacity(written.turns.len());
    let mut stop = game.choices(rules, &mut choices);
    for (index, PdnTurn { text, line, .. }) in written.turns.iter().enumerate() {
        let (line, ply) = (*line, index + 1);
        match stop {
            Some(Stop::Ended(ending)) => {
                return Err(ReplayFault::AfterEnd { line, ply, text: cut(text), ending });
            }
            Some(Stop::TooManyTurns) => {
                return Err(ReplayFault::Turn { line, ply, error: TooManyTurns.into() });
            }
            None => {}
        }
        legal.clear();
        legal.extend((0..choices.len()).map(|index| choices.get(rules, index)));
        let Position { placement, side, .. } = *game.position();
        let turn = texts
            .parse_among(rules, &placement, side, &legal, text)
            .map_err(|error| ReplayFault::Turn { line, ply, error })?;
        game.play(rules, &turn);
        turns.push(turn);
        stop = game.choices(rules, &mut choices);
    }
    let ending = stop.and_then(Stop::ending);
    match (ending, written.result) {
        (Some(ending), claimed @ PdnResult::Ended(outcome)) if outcome != ending.outcome => {
            Err(ReplayFault::Result { line, claimed, ending })
        }
        _ => Ok(Replayed { start, turns, game, ending }),
    }
}

impl<S: SquareSet> Replayed<S> {
    /// A game at its start, with no turn played.
    #[must_use]
    pub fn begin(rules: &Rules<S>, start: Position<S>) -> Self {
        let game = Game::from_position(rules, start);
        let ending = game.ending(rules);
        Self { start, turns: Vec::new(), game, ending }
    }

    /// Plays a legal turn.
    pub fn play(&mut self, rules: &Rules<S>, turn: &Turn<S>) {
        self.game.play(rules, turn);
        self.turns.push(*turn);
        self.ending = self.game.ending(rules);
    }

    /// Takes back the last turns, as many as there are at most.
    pub fn take_back(&mut self, rules: &Rules<S>, count: usize) {
        let kept = self.turns.len().saturating_sub(count);
        let turns = std::mem::take(&mut self.turns);
        *self = Self::begin(rules, self.start);
        for turn in &turns[..kept] {
            self.play(rules, turn);
        }
    }

    /// The game as PDN: the turns, the result, and the tags `Result`, `SetUp` and `FEN` (the last
    /// two where it did not begin at the rules' start) and `Reason`; other tags are the caller's.
    #[must_use]
    pub fn to_pdn(&self, rules: &Rules<S>) -> PdnGame {
        let board = &rules.ruleset().board;
        let texts = TurnTexts::new(board);
        let mut game = PdnGame::default();
        let mut position = self.start;
        for turn in &self.turns {
            let text = texts.print(rules, &position.placement, position.side, turn);
            game.turns.push(PdnTurn { text, comment: String::new(), line: 0 });
            position = rules.after(&position, turn);
        }
        game.result =
            self.ending.map_or(PdnResult::Unknown, |ending| PdnResult::Ended(ending.outcome));
        game.set_tag("Result", game.result.text());
        if self.start != rules.start_position() {
            let text = print_position(self.start.side, &self.start.placement, board);
            game.set_tag("SetUp", "1");
            game.set_tag("FEN", text);
        }
        game.set_tag("Reason", self.ending.map_or("unfinished", |ending| ending.reason.name()));
        game
    }
}
