//! Turn texts: `a3-a4`, `a2-a4-c4`, `a3xa5xc5`, `a2-a4xa6`. Knows no game and no history.
//!
//! A turn is written as its start and every landing, `-` before the landing of a step, slide or
//! hop and `x` before that of a jump. The landings in order settle which pieces are taken and
//! whether the man is crowned, so two different turns never have one text.

use super::square::cut;
use super::{SquareError, SquareNames};
use crate::board::{Piece, Placement, Side, Square, SquareSet};
use crate::limits::TURN_BYTES_MAX as TEXT_MAX;
use crate::rules::{BoardRules, Rules, TooManyTurns, Turn, Way};

/// The most turns that one message lists.
const LISTED_MAX: usize = 12;

/// Writes and reads the turns of one board.
#[derive(Clone, Debug)]
pub struct TurnTexts {
    names: SquareNames,
}

/// Why a text is no legal turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The position has too many turns to know which is meant.
    #[error(transparent)]
    TooMany(#[from] TooManyTurns),
    /// The text is not written like a turn.
    #[error("`{0}` is not a turn: write its start and its landings, such as `{1}`")]
    Unreadable(String, String),
    /// A part of the text is no square of the board.
    #[error("in the turn `{text}`: {error}")]
    Square {
        /// The whole text, cut if long.
        text: String,
        /// What is wrong with the part.
        error: SquareError,
    },
    /// The text fits several turns.
    #[error("`{text}` could mean {}; write the whole way", any_of(turns))]
    Ambiguous {
        /// The text, cut if long.
        text: String,
        /// The turns that it fits.
        turns: Vec<String>,
    },
    /// The text fits no legal turn.
    #[error("`{text}` is not legal: {reason}{}", did_you_mean(turns))]
    Illegal {
        /// The text, cut if long.
        text: String,
        /// What stands against it.
        reason: String,
        /// The legal turns that come nearest; may be empty.
        turns: Vec<String>,
    },
}

fn any_of(turns: &[String]) -> String {
    let listed: Vec<String> =
        turns.iter().take(LISTED_MAX).map(|turn| format!("`{turn}`")).collect();
    let untold = turns.len() - listed.len();
    match listed.split_last() {
        _ if untold > 0 => format!("{} and {untold} more", listed.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn did_you_mean(turns: &[String]) -> String {
    if turns.is_empty() { String::new() } else { format!("; did you mean {}?", any_of(turns)) }
}

/// What stands between two squares of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// `-`: a step, slide or hop.
    Quiet,
    /// `x` or `:`: a jump.
    Jump,
    /// Nothing but spaces: either.
    Any,
}

/// A text as it is written: a start, and landings with the sign before each.
struct Written {
    from: Square,
    landings: Vec<(Sign, Square)>,
}

impl TurnTexts {
    /// The texts for turns on this board.
    #[must_use]
    pub fn new(board: &BoardRules) -> Self {
        Self { names: SquareNames::new(board) }
    }

    /// The names of the squares.
    #[must_use]
    pub const fn names(&self) -> &SquareNames {
        &self.names
    }

    /// The text of a legal turn, made in the way that [`Rules::way`] chooses.
    ///
    /// # Panics
    /// When the turn cannot be made from this placement.
    #[must_use]
    pub fn print<S: SquareSet>(
        &self,
        rules: &Rules<S>,
        placement: &Placement<S>,
        side: Side,
        turn: &Turn<S>,
    ) -> String {
        let way = rules.way(placement, side, turn).expect("the turn is legal here");
        self.print_way(turn.from, turn.to, &way)
    }

    /// The text of one way to go from a square to another.
    #[must_use]
    pub fn print_way(&self, from: Square, to: Square, way: &Way) -> String {
        let mut text = self.names.name(from);
        let mut land = |sign: char, square: Square| {
            text.push(sign);
            text.push_str(&self.names.name(square));
        };
        way.hops.iter().for_each(|&square| land('-', square));
        way.jumps.iter().for_each(|&square| land('x', square));
        if way.hops.is_empty() && way.jumps.is_empty() {
            land('-', to);
        }
        text
    }

    /// The legal turn that a text means.
    ///
    /// Start and end alone are enough where only one turn has them. Spaces around the signs,
    /// `:` or `×` for `x`, dashes for `-`, capital letters, and squares with nothing but a space
    /// between them (or nothing, in letters: `a3a4`) are accepted.
    ///
    /// # Errors
    /// When the text is no turn, no legal turn, or could mean several.
    pub fn parse<S: SquareSet>(
        &self,
        rules: &Rules<S>,
        placement: &Placement<S>,
        side: Side,
        text: &str,
    ) -> Result<Turn<S>, TurnError> {
        let mut turns = Vec::new();
        rules.turns(placement, side, &mut turns)?;
        self.parse_among(rules, placement, side, &turns, text)
    }

    /// As [`Self::parse`], with the legal turns already at hand.
    ///
    /// # Errors
    /// When the text is no turn, none of these turns, or could mean several of them.
    pub fn parse_among<S: SquareSet>(
        &self,
        rules: &Rules<S>,
        placement: &Placement<S>,
        side: Side,
        turns: &[Turn<S>],
        text: &str,
    ) -> Result<Turn<S>, TurnError> {
        let written = self.read(text)?;
        let to = written.landings.last().map_or(written.from, |&(_, square)| square);
        let same_ends: Vec<&Turn<S>> =
            turns.iter().filter(|turn| turn.from == written.from && turn.to == to).collect();
        let ways = written.ways();
        let exact = same_ends
            .iter()
            .filter(|turn| ways.iter().any(|way| rules.can_be_made(placement, side, turn, way)));
        if let [turn] = exact.collect::<Vec<_>>()[..] {
            return Ok(**turn);
        }
        let fitting: Vec<&Turn<S>> = match written.landings[..] {
            [(sign, _)] => same_ends.iter().copied().filter(|turn| sign.fits(turn)).collect(),
            _ => Vec::new(),
        };
        match fitting[..] {
            [turn] => Ok(*turn),
            [] => {
                let scene = Scene { texts: self, rules, placement, side, turns };
                Err(scene.illegal(text, &written, &same_ends))
            }
            _ => Err(TurnError::Ambiguous {
                text: cut(text),
                turns: fitting
                    .iter()
                    .map(|turn| self.print(rules, placement, side, turn))
                    .collect(),
            }),
        }
    }

    fn read(&self, text: &str) -> Result<Written, TurnError> {
        let unreadable = || {
            let order = self.names.in_order();
            let example = match order[..] {
                [first, second, ..] => {
                    format!("{}-{}", self.names.name(first), self.names.name(second))
                }
                [] | [_] => "a1-a2".to_owned(),
            };
            TurnError::Unreadable(cut(text.trim()), example)
        };
        if text.len() > TEXT_MAX {
            return Err(unreadable());
        }
        let parts = split(text.trim()).ok_or_else(unreadable)?;
        let mut squares = parts.iter().map(|(sign, name)| match self.names.read(name) {
            Ok(square) => Ok((*sign, square)),
            Err(error) => Err(TurnError::Square { text: cut(text.trim()), error }),
        });
        let (_, from) = squares.next().ok_or_else(unreadable)??;
        let landings = squares.collect::<Result<Vec<_>, _>>()?;
        if landings.is_empty() { Err(unreadable()) } else { Ok(Written { from, landings }) }
    }
}

impl Written {
    /// The ways that the text spells out: one, or two where no sign says how the piece moves.
    fn ways(&self) -> Vec<Way> {
        let squares = |landings: &[(Sign, Square)]| -> Vec<Square> {
            landings.iter().map(|&(_, square)| square).collect()
        };
        if self.landings.iter().all(|&(sign, _)| sign == Sign::Any) {
            let all = squares(&self.landings);
            return vec![
                Way { hops: all.clone(), jumps: Vec::new() },
                Way { hops: Vec::new(), jumps: all },
            ];
        }
        // Jumps never go back to hops: the first jump begins the jumps.
        let hops = self.landings.iter().take_while(|(sign, _)| *sign != Sign::Jump).count();
        let (hops, jumps) = self.landings.split_at(hops);
        if jumps.iter().any(|(sign, _)| *sign == Sign::Quiet) {
            return Vec::new();
        }
        vec![Way { hops: squares(hops), jumps: squares(jumps) }]
    }
}

impl Sign {
    /// Whether start and end, joined by this sign, may stand for the turn.
    fn fits<S: SquareSet>(self, turn: &Turn<S>) -> bool {
        match self {
            Self::Quiet => !turn.captures() || turn.hops(),
            Self::Jump => turn.captures(),
            Self::Any => true,
        }
    }
}

/// The names in a text, each with the sign before it; nothing if the text has another shape.
fn split(text: &str) -> Option<Vec<(Sign, String)>> {
    let mut parts: Vec<(Sign, String)> = Vec::new();
    let mut name = String::new();
    let mut sign = Sign::Any;
    let mut finish = |name: &mut String, sign: &mut Sign| {
        if !name.is_empty() {
            parts.push((*sign, std::mem::take(name)));
            *sign = Sign::Any;
        }
        !parts.is_empty()
    };
    for letter in text.chars() {
        let found = match letter {
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' => Sign::Quiet,
            // No board has a file x: the last of 16 files is p.
            'x' | 'X' | ':' | '×' | '*' => Sign::Jump,
            _ if letter.is_whitespace() => {
                finish(&mut name, &mut sign);
                continue;
            }
            _ if letter.is_ascii_alphabetic() => {
                if name.ends_with(|last: char| last.is_ascii_digit()) {
                    finish(&mut name, &mut sign);
                }
                name.push(letter.to_ascii_lowercase());
                continue;
            }
            _ => {
                name.push(letter);
                continue;
            }
        };
        // A sign needs a square before it, and only one sign stands between two squares.
        if !finish(&mut name, &mut sign) || sign != Sign::Any {
            return None;
        }
        sign = found;
    }
    let ends_in_square = !name.is_empty();
    finish(&mut name, &mut sign);
    (ends_in_square && sign == Sign::Any).then_some(parts)
}

/// What is needed to say why a text is not legal.
struct Scene<'a, S> {
    texts: &'a TurnTexts,
    rules: &'a Rules<S>,
    placement: &'a Placement<S>,
    side: Side,
    turns: &'a [Turn<S>],
}

impl<S: SquareSet> Scene<'_, S> {
    fn illegal(&self, text: &str, written: &Written, same_ends: &[&Turn<S>]) -> TurnError {
        let print = |turns: &[&Turn<S>]| -> Vec<String> {
            let print =
                |turn: &&Turn<S>| self.texts.print(self.rules, self.placement, self.side, turn);
            turns.iter().map(print).collect()
        };
        let name = self.texts.names.name(written.from);
        let same_start: Vec<&Turn<S>> =
            self.turns.iter().filter(|turn| turn.from == written.from).collect();
        let must_capture =
            self.rules.ruleset().capture.mandatory && self.turns.iter().any(Turn::captures);
        let side = self.side.name();
        let (reason, turns) = if self.turns.is_empty() {
            (format!("{side} has no legal turn"), Vec::new())
        } else if !same_ends.is_empty() {
            let reason = "this is not how the piece gets there".to_owned();
            (reason, print(same_ends))
        } else if !same_start.is_empty() {
            let reason = if must_capture { "a capture is compulsory" } else { "no such turn" };
            (format!("{reason} from {name}"), print(&same_start))
        } else {
            let reason = match self.placement.at(written.from) {
                None => format!("{name} is empty"),
                Some(Piece { side: owner, .. }) if owner != self.side => {
                    format!("the piece on {name} is {}'s, and {side} is to move", owner.name())
                }
                Some(_) if must_capture => {
                    format!("a capture is compulsory, and the piece on {name} has none to make")
                }
                Some(_) => format!("the piece on {name} has no legal turn"),
            };
            let few = self.turns.len() <= LISTED_MAX;
            let all: Vec<&Turn<S>> = self.turns.iter().collect();
            (reason, if few { print(&all) } else { Vec::new() })
        };
        TurnError::Illegal { text: cut(text.trim()), reason, turns }
    }
}

#[cfg(test)]
mod tests {
    use super::{TurnError, TurnTexts};
    use crate::notation::parse_position;
    use crate::rules::{Direction, Directions, Rules, Ruleset};

    /// The text as it prints again, or the message.
    fn read(ruleset: &Ruleset, position: &str, text: &str) -> String {
        let (side, placement) = parse_position(position, &ruleset.board).expect("a position");
        let rules = Rules::<u64>::new(ruleset);
        let texts = TurnTexts::new(&ruleset.board);
        let placement = placement.cast();
        match texts.parse(&rules, &placement, side, text) {
            Ok(turn) => texts.print(&rules, &placement, side, &turn),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn forms_that_people_write_are_read() {
        let keny = Ruleset::default();
        for text in ["a3-a4", " a3 - a4 ", "A3-A4", "a3–a4", "a3 a4", "a3a4"] {
            assert_eq!(read(&keny, "W:Wa3:Bh7", text), "a3-a4", "{text}");
        }
        for text in ["a3xa5xc5", "a3:a5:c5", "a3×a5×c5", "a3 x a5 x c5", "a3xc5", "a3 c5"] {
            assert_eq!(read(&keny, "W:Wa3:Ba4,b5", text), "a3xa5xc5", "{text}");
        }
        for text in ["a2-a4-c4", "a2-c4", "a2c4"] {
            assert_eq!(read(&keny, "W:Wa2,a3,b4:Bh7", text), "a2-a4-c4", "{text}");
        }
    }

    #[test]
    fn faults_say_what_was_meant() {
        let keny = Ruleset::default();
        let position = "W:Wa3,c3:Ba4,h7";
        assert_eq!(
            read(&keny, position, "a3-b3"),
            "`a3-b3` is not legal: a capture is compulsory from a3; did you mean `a3xa5`?"
        );
        assert_eq!(
            read(&keny, position, "c3-c4"),
            "`c3-c4` is not legal: a capture is compulsory, and the piece on c3 has none to make; \
             did you mean `a3xa5`?"
        );
        assert_eq!(
            read(&keny, position, "h7-h6"),
            "`h7-h6` is not legal: the piece on h7 is black's, and white is to move; did you mean \
             `a3xa5`?"
        );
        assert_eq!(
            read(&keny, position, "a3-a5"),
            "`a3-a5` is not legal: this is not how the piece gets there; did you mean `a3xa5`?"
        );
        assert_eq!(
            read(&keny, position, "a3xa9"),
            "in the turn `a3xa9`: `a9` is not on the board: its squares are a1 to h8"
        );
    }

    #[test]
    fn ends_alone_are_refused_where_they_are_not_enough() {
        let mut keny = Ruleset::default();
        keny.man.capture = Directions::of(&[Direction::Forward, Direction::Sideways]);
        keny.capture.complete = false;
        let position = "W:Wb2:Bb3,c4,c2,d3,h7";
        assert_eq!(
            read(&keny, position, "b2xd4"),
            "`b2xd4` could mean `b2xb4xd4` or `b2xd2xd4`; write the whole way"
        );
        assert_eq!(read(&keny, position, "b2xb4xd4"), "b2xb4xd4");
        assert_eq!(read(&keny, position, "b2xd2xd4"), "b2xd2xd4");
    }

    #[test]
    fn what_is_no_turn_is_refused() {
        let ruleset = Ruleset::default();
        let rules = Rules::<u64>::new(&ruleset);
        let texts = TurnTexts::new(&ruleset.board);
        let (side, placement) = (ruleset.setup.first, *rules.start());
        let long = "a3-".repeat(10_000);
        for text in
            ["", " ", "a3", "-a3", "a3-", "a3--a4", "a3-x-a4", "-", "x", "💥", "a3-💥", &long]
        {
            let error = texts.parse(&rules, &placement, side, text).expect_err(text);
            let known = matches!(error, TurnError::Unreadable(..) | TurnError::Square { .. });
            assert!(known, "{text}: {error}");
        }
    }
}
