//! The judge beside the board, off unless a study asks for it: a side that has been far enough
//! ahead for long enough wins, with its own reason. Plays nothing.

use std::fmt;
use std::str::FromStr;

use super::metrics::KingValue;
use crate::board::{Placement, Side, SquareSet};

/// When a game is decided beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Adjudication {
    /// The lead in men that wins, 1 or more; a king counts as its learned worth.
    pub lead: u32,
    /// For so many plies in a row, 1 or more.
    pub plies: u32,
}

/// `lead 5 for 20 plies`.
impl fmt::Display for Adjudication {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "lead {} for {} plies", self.lead, self.plies)
    }
}

/// A text that is no adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an adjudication is written `lead 5 for 20 plies`")]
pub struct NotAnAdjudication;

impl FromStr for Adjudication {
    type Err = NotAnAdjudication;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split(' ').collect();
        let ["lead", lead, "for", plies, "plies"] = words[..] else {
            return Err(NotAnAdjudication);
        };
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0);
        let (lead, plies) = (number(lead), number(plies));
        lead.zip(plies).map(|(lead, plies)| Self { lead, plies }).ok_or(NotAnAdjudication)
    }
}

/// The judge of one game after another under one ruleset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge {
    rule: Adjudication,
    king: KingValue,
    /// Who has been far enough ahead, and for how many plies.
    ahead: Option<(Side, u32)>,
}

impl Judge {
    pub(super) const fn new(rule: Adjudication, king: KingValue) -> Self {
        Self { rule, king, ahead: None }
    }

    /// Forgets the last game.
    pub(super) const fn restart(&mut self) {
        self.ahead = None;
    }

    /// Looks at the position after a turn: the winner, if there is one now.
    pub(super) fn look<S: SquareSet>(&mut self, placement: &Placement<S>) -> Option<Side> {
        let worth = |side: Side| {
            let (men, kings) = (placement.men(side).len(), placement.kings(side).len());
            1000 * u64::from(men) + u64::from(self.king.0) * u64::from(kings)
        };
        let (white, black) = (worth(Side::White), worth(Side::Black));
        let leader = if white > black { Side::White } else { Side::Black };
        self.ahead = if white.abs_diff(black) < 1000 * u64::from(self.rule.lead) {
            None
        } else {
            let before = self.ahead.filter(|(side, _)| *side == leader).map_or(0, |(_, n)| n);
            Some((leader, before + 1))
        };
        self.ahead.filter(|(_, plies)| *plies >= self.rule.plies).map(|(side, _)| side)
    }
}

#[cfg(test)]
mod tests {
    use super::{Adjudication, Judge, KingValue};
    use crate::board::{Placement, Side};
    use crate::notation::parse_position;
    use crate::rules::Ruleset;

    fn placement(text: &str) -> Placement<u64> {
        parse_position(text, &Ruleset::default().board).expect("a position").1.cast()
    }

    #[test]
    fn a_lead_must_last_and_belong_to_one_side() {
        let rule = Adjudication { lead: 2, plies: 3 };
        let mut judge = Judge::new(rule, KingValue(2500));
        let white = placement("W:WKa1:Bh8");
        let level = placement("W:WKa1,b1:Bh8,g8,f8");
        let king_of_black = placement("W:Wb1:BKh8,g8");
        assert_eq!([judge.look(&white), judge.look(&white)], [None, None], "1.5 men are too few");
        for expected in [None, None, Some(Side::Black)] {
            assert_eq!(judge.look(&king_of_black), expected);
        }
        judge.restart();
        assert_eq!([judge.look(&king_of_black), judge.look(&king_of_black)], [None, None]);
        assert_eq!(judge.look(&level), None, "the lead is lost");
        assert_eq!([judge.look(&king_of_black), judge.look(&king_of_black)], [None, None]);
        assert_eq!(judge.look(&king_of_black), Some(Side::Black));
    }

    #[test]
    fn texts_round_trip() {
        let rule = Adjudication { lead: 5, plies: 20 };
        assert_eq!(rule.to_string().parse(), Ok(rule));
        for text in ["", "lead 0 for 20 plies", "lead 5 for 20", "lead x for 20 plies"] {
            assert!(text.parse::<Adjudication>().is_err(), "{text}");
        }
    }
}
