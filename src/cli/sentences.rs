//! Each answer of a ruleset as a sentence of plain English.

use crate::board::{Kind, Side, SquareSet, Squares};
use crate::rules::{
    BlockedRule, Chain, CountedTurns, CountingStart, Direction, Directions, Filter, Kinds, Landing,
    Notation, OnePieceRule, PromotionRule, Removal, RepetitionResult, ResetEvent, Ruleset, Setup,
};

/// The heading over the flags of a table.
pub(super) fn heading(table: &str) -> &str {
    match table {
        "board" => "Board",
        "setup" => "Start",
        "man" => "Men",
        "king" => "Kings",
        "capture" => "Captures",
        "hop" => "Hops",
        "promotion" => "Crowning",
        "end" => "End of the game",
        "draw" => "Draws",
        other => other,
    }
}

/// What the ruleset answers to the flag with this key, as a sentence; nothing if there is none.
pub(super) fn sentence(key: &str, ruleset: &Ruleset) -> Option<String> {
    let (table, name) = key.split_once('.')?;
    match table {
        "board" => board(name, ruleset),
        "setup" => setup(name, ruleset),
        "man" => man(name, ruleset),
        "king" => king(name, ruleset),
        "capture" => capture(name, ruleset),
        "hop" => hop(name, ruleset),
        "promotion" => promotion(name, ruleset),
        "end" => end(name, ruleset),
        "draw" => draw(name, ruleset),
        _ => None,
    }
}

fn board(name: &str, ruleset: &Ruleset) -> Option<String> {
    let board = &ruleset.board;
    Some(match name {
        "files" => format!("The board has {} files.", board.files),
        "ranks" => format!("The board has {} ranks.", board.ranks),
        "squares" => match board.squares {
            Squares::All => "The game is played on all squares.".to_owned(),
            Squares::Dark => "The game is played on the squares of a1's colour.".to_owned(),
        },
        "notation" => match board.notation {
            Notation::Letters => "Squares are written in letters and numbers: a1.".to_owned(),
            Notation::Numbers => {
                "Squares are written as numbers, 1 at the top left, rank by rank.".to_owned()
            }
        },
        _ => return None,
    })
}

fn setup(name: &str, ruleset: &Ruleset) -> Option<String> {
    let counts = Side::ALL.map(|side| ruleset.start().of(side).len());
    Some(match (name, ruleset.setup.pieces) {
        ("ranks", Setup::Ranks(bits)) => {
            let ranks: Vec<String> = (0..16_u16)
                .filter(|rank| bits >> rank & 1 == 1)
                .map(|rank| ordinal(u32::from(rank) + 1))
                .collect();
            let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
            format!(
                "Each side begins with {} men, on its {} {noun}.",
                counts[0],
                listed(&ranks, "and")
            )
        }
        ("position", Setup::Ranks(_)) => "No special position is set up.".to_owned(),
        ("ranks", Setup::Position(_)) => return None,
        ("position", Setup::Position(_)) => format!(
            "A position is set up, with {} white and {} black pieces.",
            counts[0], counts[1]
        ),
        ("first", _) => match ruleset.setup.first {
            Side::White => "White moves first.".to_owned(),
            Side::Black => "Black moves first.".to_owned(),
        },
        (_, _) => return None,
    })
}

fn man(name: &str, ruleset: &Ruleset) -> Option<String> {
    let man = &ruleset.man;
    Some(match name {
        "step" if man.step.is_empty() => "A man never steps.".to_owned(),
        "step" => format!("A man steps one square {}.", directions(man.step)),
        "capture" if man.capture.is_empty() => "A man never captures.".to_owned(),
        "capture" => format!(
            "A man captures by leaping over an adjacent enemy piece onto the free square behind \
             it, {}.",
            directions(man.capture)
        ),
        "captures_kings" if man.captures_kings => "A man may take men and kings.".to_owned(),
        "captures_kings" => "A man may take men only, never a king.".to_owned(),
        "hop" if man.hop.is_empty() => "A man hops in no direction.".to_owned(),
        "hop" => format!("A man hops {}.", directions(man.hop)),
        "hop_over" if man.hop_over.is_empty() => "A man never hops over own pieces.".to_owned(),
        "hop_over" => format!(
            "A man may hop over an adjacent own {} onto the free square behind it.",
            kinds(man.hop_over)
        ),
        _ => return None,
    })
}

fn king(name: &str, ruleset: &Ruleset) -> Option<String> {
    let king = &ruleset.king;
    Some(match name {
        "move" if king.moves.is_empty() => "A king never slides.".to_owned(),
        "move" => format!("A king slides {}.", directions(king.moves)),
        "capture" if king.capture.is_empty() => "A king never captures.".to_owned(),
        "capture" => format!("A king captures {}.", directions(king.capture)),
        "flying" if king.flying => {
            "A king flies: it slides, and comes to its captures, over any distance.".to_owned()
        }
        "flying" => "A king does not fly: it goes one square and leaps over adjacent pieces, as a \
                     man does."
            .to_owned(),
        "landing" => match king.landing {
            Landing::Any => {
                "After a jump it lands on any free square behind, up to the next piece.".to_owned()
            }
            Landing::Nearest => {
                "After a jump it lands on the first square behind the taken piece.".to_owned()
            }
            Landing::Continuing => "After a jump it must land where it can jump again, if there \
                                    is such a square; otherwise on any free square behind."
                .to_owned(),
        },
        "reversal" if king.reversal => {
            "Between two jumps of one turn it may turn back by 180 degrees.".to_owned()
        }
        "reversal" => {
            "Between two jumps of one turn it may not turn back by 180 degrees.".to_owned()
        }
        "hop_over" if king.hop_over.is_empty() => "A king never hops over own pieces.".to_owned(),
        "hop_over" => format!("A king may hop over an own {}.", kinds(king.hop_over)),
        "hop" if king.hop.is_empty() => "A king hops in no direction.".to_owned(),
        "hop" => format!("A king hops {}.", directions(king.hop)),
        "flying_hop" if king.flying_hop => "A king's hop flies: it slides up to the piece, leaps \
                                            it, and lands on any free square behind."
            .to_owned(),
        "flying_hop" => "A king hops over an adjacent piece, onto the square behind it.".to_owned(),
        _ => return None,
    })
}

fn capture(name: &str, ruleset: &Ruleset) -> Option<String> {
    let capture = &ruleset.capture;
    Some(match name {
        "mandatory" if capture.mandatory => {
            "Capture is compulsory: a side that can capture must.".to_owned()
        }
        "mandatory" => "Capture is free: a side that can capture need not.".to_owned(),
        "complete" if capture.complete => {
            "A capture once begun goes on until nothing more can be taken.".to_owned()
        }
        "complete" => "A capture may stop after any jump.".to_owned(),
        "priority" if capture.priority.is_empty() => {
            "Any of the possible captures may be chosen.".to_owned()
        }
        "priority" => {
            let filters: Vec<String> = capture
                .priority
                .iter()
                .map(|filter| match filter {
                    Filter::MostPieces => "the most pieces must be taken".to_owned(),
                    Filter::ByKing => "a king must capture rather than a man".to_owned(),
                    Filter::MostKings => "the most kings must be taken".to_owned(),
                    Filter::KingFirst => "kings must be taken as early as possible".to_owned(),
                })
                .collect();
            format!("Of the possible captures, {}.", filters.join(", and among those "))
        }
        "removal" => match capture.removal {
            Removal::Immediate => "A taken piece leaves the board at once.".to_owned(),
            Removal::EndOfTurn => "Taken pieces leave the board when the turn ends; until then \
                                   they block, and cannot be jumped again."
                .to_owned(),
        },
        _ => return None,
    })
}

fn hop(name: &str, ruleset: &Ruleset) -> Option<String> {
    let hop = &ruleset.hop;
    Some(match name {
        "chain" => match hop.chain {
            Chain::Unlimited => "A turn may have any number of hops.".to_owned(),
            Chain::AtMost(1) => "A turn has one hop at most.".to_owned(),
            Chain::AtMost(most) => format!("A turn has {most} hops at most."),
        },
        "return_to_start" if hop.return_to_start => {
            "A chain of hops may end where it began, which is a pass.".to_owned()
        }
        "return_to_start" => "A chain of hops may not end where it began.".to_owned(),
        "then_capture" if hop.then_capture => {
            "A turn may go on from hops to jumps, where no plain capture is compulsory.".to_owned()
        }
        "then_capture" => "A turn never goes on from hops to jumps.".to_owned(),
        _ => return None,
    })
}

fn promotion(name: &str, ruleset: &Ruleset) -> Option<String> {
    let (rule, chain, goes_on) = match name {
        "in_capture" => (ruleset.promotion.in_capture, "in the middle of a capture", "captures"),
        "in_hop" => (ruleset.promotion.in_hop, "in the middle of a chain of hops", "hops"),
        _ => return None,
    };
    let man = format!("A man that reaches the far rank {chain}");
    Some(match rule {
        PromotionRule::ContinueAsKing => {
            format!("{man} is crowned at once and {goes_on} on as a king.")
        }
        PromotionRule::Stop => format!("{man} is crowned, and its turn ends."),
        PromotionRule::ContinueAsMan => {
            format!("{man} {goes_on} on as a man and is crowned when its turn ends.")
        }
        PromotionRule::OnlyIfEndsThere => {
            format!("{man} {goes_on} on as a man, and is crowned only if its turn ends there.")
        }
    })
}

fn end(name: &str, ruleset: &Ruleset) -> Option<String> {
    Some(match name {
        "blocked" => match ruleset.end.blocked {
            BlockedRule::Loss => "A side with pieces but no legal turn loses.".to_owned(),
            BlockedRule::Draw => "A side with pieces but no legal turn has a draw.".to_owned(),
        },
        "one_piece_each" => match ruleset.end.one_piece_each {
            OnePieceRule::PlayOn => "With one piece each the game goes on.".to_owned(),
            OnePieceRule::Draw => "With one piece each the game is drawn.".to_owned(),
            OnePieceRule::KingBeatsMan => "With one piece each a king wins against a man at once; \
                                           two kings draw, and two men play on."
                .to_owned(),
        },
        _ => return None,
    })
}

fn draw(name: &str, ruleset: &Ruleset) -> Option<String> {
    let draw = &ruleset.draw;
    Some(match name {
        "quiet_turns" if draw.quiet_turns == 0 => {
            "No number of quiet turns makes a draw.".to_owned()
        }
        "quiet_turns" => {
            format!("The game is drawn after {} quiet turns in a row.", draw.quiet_turns)
        }
        "counted" => match draw.counted {
            CountedTurns::PerSide => format!(
                "They are counted for each side: {0} turns of White and {0} of Black.",
                draw.quiet_turns
            ),
            CountedTurns::Both => {
                format!("They are counted together: {} turns of both sides.", draw.quiet_turns)
            }
        },
        "starts" => match draw.starts {
            CountingStart::FirstTurn => "They are counted from the first turn.".to_owned(),
            CountingStart::FirstCapture => "They are counted from the first capture.".to_owned(),
        },
        "reset_by" if draw.reset_by.is_empty() => "Nothing sets the count to zero.".to_owned(),
        "reset_by" => {
            let events: Vec<String> = draw
                .reset_by
                .iter()
                .map(|event| match event {
                    ResetEvent::Capture => "a capture".to_owned(),
                    ResetEvent::Promotion => "a crowning".to_owned(),
                    ResetEvent::Hop => "a hop".to_owned(),
                    ResetEvent::ManMove => "any turn of a man".to_owned(),
                })
                .collect();
            format!("The count begins again after {}.", listed(&events, "or"))
        }
        "repetition" if draw.repetition == 0 => "Repeated positions change nothing.".to_owned(),
        "repetition" => format!(
            "The game ends when a position comes up for the {} time.",
            ordinal(u32::from(draw.repetition))
        ),
        "repetition_result" => match draw.repetition_result {
            RepetitionResult::Draw => "Repetition is a draw.".to_owned(),
            RepetitionResult::Loss => "The side whose turn repeats the position loses.".to_owned(),
        },
        _ => return None,
    })
}

fn directions(set: Directions) -> String {
    let all: Vec<String> = set
        .iter()
        .map(|direction| match direction {
            Direction::Forward => "forward".to_owned(),
            Direction::Sideways => "sideways".to_owned(),
            Direction::Backward => "backward".to_owned(),
            Direction::DiagonalForward => "diagonally forward".to_owned(),
            Direction::DiagonalBackward => "diagonally backward".to_owned(),
        })
        .collect();
    listed(&all, "or")
}

fn kinds(set: Kinds) -> String {
    let all: Vec<String> = set
        .iter()
        .map(|kind| match kind {
            Kind::Man => "man".to_owned(),
            Kind::King => "king".to_owned(),
        })
        .collect();
    listed(&all, "or")
}

/// "a, b or c".
fn listed(words: &[String], joint: &str) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {joint} {last}", others.join(", ")),
    }
}

fn ordinal(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        _ => format!("{number}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::{heading, sentence};
    use crate::rules::Ruleset;
    use crate::rules::catalog::{FLAGS, tables};

    #[test]
    fn every_answer_has_a_sentence_of_its_own() {
        for flag in FLAGS {
            let mut said: Vec<String> = Vec::new();
            for value in flag.settings {
                let mut ruleset = Ruleset::default();
                flag.put(&mut ruleset, value).expect("a setting is an answer");
                let text = sentence(flag.key, &ruleset)
                    .unwrap_or_else(|| panic!("{} = {value} has no sentence", flag.key));
                assert!(text.ends_with('.'), "{text}");
                assert!(!said.contains(&text), "{}: two answers say `{text}`", flag.key);
                said.push(text);
            }
        }
        for table in tables() {
            assert_ne!(heading(table), table, "no heading");
        }
    }
}
