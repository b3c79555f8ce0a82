//! Position texts (the FEN of PDN): `W:Wa2,b2,Kd5:Ba7,Kh8`. Knows no counters and no turns.

use std::ops::Range;

use super::square::cut;
use super::{SquareError, SquareNames};
use crate::board::{Kind, Piece, Placement, Side, Square, SquareSet};
use crate::rules::BoardRules;

/// What is wrong with a position text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct PositionError {
    /// What is wrong.
    pub fault: PositionFault,
    /// The bytes of the text that it is about; empty at the end when something is missing.
    pub span: Range<usize>,
}

/// What can be wrong with a position text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// The text does not begin with the side to move.
    #[error("a position begins with the side to move, `W:` or `B:`, not with `{0}`")]
    NoSideToMove(String),
    /// A part begins with neither side's letter.
    #[error("`{0}` begins with neither `W` nor `B`, so it is not clear whose pieces it lists")]
    NoSide(String),
    /// A side is listed twice.
    #[error("the pieces of {} are listed twice", .0.name())]
    SideTwice(Side),
    /// A side is missing.
    #[error(
        "the pieces of {} are missing; a side without pieces is written `:{}`",
        .0.name(), .0.letter()
    )]
    SideMissing(Side),
    /// Nothing stands between two commas.
    #[error("a square is missing beside a comma")]
    NoSquare,
    /// A text names no square of this board.
    #[error(transparent)]
    Square(#[from] SquareError),
    /// Two pieces stand on one square.
    #[error("two pieces stand on {0}")]
    Occupied(String),
    /// A man stands where it would have been crowned.
    #[error("a man of {} stands on {}, on its own far rank, where it would be a king", .0.name(), .1)]
    UncrownedMan(Side, String),
}

/// Side to move and pieces of a position text.
///
/// Either order of sides, sides without pieces, spaces around parts and squares, and a final full
/// stop are accepted; squares may be written in letters or in numbers on any board.
///
/// # Errors
/// With the place of the first fault.
pub fn parse_position(
    text: &str,
    board: &BoardRules,
) -> Result<(Side, Placement<u128>), PositionError> {
    let whole = trimmed(text, 0..text.len());
    let whole = match text[whole.clone()].strip_suffix('.') {
        Some(_) => trimmed(text, whole.start..whole.end - 1),
        None => whole,
    };
    let mut parts = split(text, whole.clone(), ':');
    let head = parts.next().unwrap_or(whole.start..whole.start);
    let first = match &text[head.clone()] {
        "W" => Side::White,
        "B" => Side::Black,
        other => {
            let fault = PositionFault::NoSideToMove(cut(other));
            return Err(PositionError { fault, span: head });
        }
    };
    let names = SquareNames::new(board);
    let mut placement = Placement::default();
    let mut listed = [false; 2];
    for part in parts {
        let side = match text[part.clone()].chars().next() {
            Some('W') => Side::White,
            Some('B') => Side::Black,
            Some(_) | None => {
                let fault = PositionFault::NoSide(cut(&text[part.clone()]));
                return Err(PositionError { fault, span: part });
            }
        };
        if std::mem::replace(&mut listed[side.index()], true) {
            return Err(PositionError { fault: PositionFault::SideTwice(side), span: part });
        }
        let pieces = trimmed(text, part.start + 1..part.end);
        if pieces.is_empty() {
            continue;
        }
        for item in split(text, pieces, ',') {
            read_piece(&text[item.clone()], side, board, &names, &mut placement)
                .map_err(|fault| PositionError { fault, span: item })?;
        }
    }
    for side in Side::ALL {
        if !listed[side.index()] {
            let fault = PositionFault::SideMissing(side);
            return Err(PositionError { fault, span: whole.end..whole.end });
        }
    }
    Ok((first, placement))
}

/// The text of a position: White's pieces first, each side's squares in their written order.
#[must_use]
pub fn print_position<S: SquareSet>(
    first: Side,
    placement: &Placement<S>,
    board: &BoardRules,
) -> String {
    let names = SquareNames::new(board);
    let order = names.in_order();
    let mut text = first.letter().to_string();
    for side in Side::ALL {
        let pieces: Vec<String> = order
            .iter()
            .filter(|&&square| placement.of(side).contains(square))
            .map(|&square| {
                let crown = if placement.kings.contains(square) { "K" } else { "" };
                format!("{crown}{}", names.name(square))
            })
            .collect();
        text.push(':');
        text.push(side.letter());
        text.push_str(&pieces.join(","));
    }
    text
}

fn read_piece(
    text: &str,
    side: Side,
    board: &BoardRules,
    names: &SquareNames,
    placement: &mut Placement<u128>,
) -> Result<(), PositionFault> {
    let (kind, name) = match text.strip_prefix('K') {
        Some(name) => (Kind::King, name),
        None => (Kind::Man, text),
    };
    if text.is_empty() {
        return Err(PositionFault::NoSquare);
    }
    let square: Square = names.read(name)?;
    if placement.occupied().contains(square) {
        return Err(PositionFault::Occupied(name.to_owned()));
    }
    let far = board.geometry().own_rank(square, side) + 1 == board.ranks;
    if kind == Kind::Man && far {
        return Err(PositionFault::UncrownedMan(side, name.to_owned()));
    }
    placement.put(square, Piece { side, kind });
    Ok(())
}

/// The range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The trimmed ranges between the separators of a range.
fn split(text: &str, range: Range<usize>, separator: char) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    text[range].split(separator).map(move |part| {
        let part_start = start;
        start += part.len() + separator.len_utf8();
        trimmed(text, part_start..part_start + part.len())
    })
}

#[cfg(test)]
mod tests {
    use super::{PositionFault, SquareError, parse_position, print_position};
    use crate::board::{Side, Squares};
    use crate::rules::{BoardRules, Notation};

    fn again(text: &str, board: &BoardRules) -> String {
        let (first, placement) = parse_position(text, board).expect(text);
        print_position(first, &placement, board)
    }

    #[test]
    fn every_accepted_form_prints_one_way() {
        let board = BoardRules::default();
        let canonical = "W:Wa2,b2,Kd5:Ba7,Kh8";
        for text in [
            canonical,
            "W:Ba7,Kh8:Wa2,b2,Kd5",
            "W:WKd5,b2,a2:BKh8,a7.",
            "W:Wa2, b2, Kd5:Ba7, Kh8.",
            " W : W a2 , b2,Kd5 : B a7,Kh8 . ",
        ] {
            assert_eq!(again(text, &board), canonical);
        }
        for text in ["W:W:B", "B:W:BKd5", "B:WKd5:B"] {
            assert_eq!(again(text, &board), text);
        }
        assert_eq!(again("B:B:W.", &board), "B:W:B");
    }

    #[test]
    fn ranks_of_two_digits_sort_as_numbers() {
        let board = BoardRules { files: 11, ranks: 11, ..BoardRules::default() };
        assert_eq!(again("W:Wa10,a2,Kk11:Bj2,j11", &board), "W:Wa2,a10,Kk11:Bj2,j11");
    }

    #[test]
    fn numbers_and_letters_are_read_on_any_board() {
        let board = BoardRules {
            files: 10,
            ranks: 10,
            squares: Squares::Dark,
            notation: Notation::Numbers,
        };
        assert_eq!(again("W:WK46,31:B1,K5", &board), "W:W31,K46:B1,K5");
        assert_eq!(again("W:WKa1,a5:Bb10", &board), "W:W26,K46:B1");
        let letters = BoardRules { notation: Notation::Letters, ..board };
        assert_eq!(again("B:B1:WK46", &letters), "B:WKa1:Bb10");
    }

    #[test]
    fn each_fault_names_its_square_and_place() {
        let board = BoardRules { squares: Squares::Dark, ..BoardRules::default() };
        let fault = |text: &str| {
            let error = parse_position(text, &board).expect_err(text);
            (text[error.span].to_owned(), error.fault)
        };
        let off = SquareError::OffBoard {
            text: "a9".to_owned(),
            first: "a1".to_owned(),
            last: "h8".to_owned(),
        };
        assert_eq!(fault("W:Wa1,a9:B"), ("a9".to_owned(), PositionFault::Square(off)));
        let light = SquareError::NotPlayable { text: "a2".to_owned() };
        assert_eq!(fault("W:W a2:B"), ("a2".to_owned(), PositionFault::Square(light)));
        let occupied = PositionFault::Occupied("a1".to_owned());
        assert_eq!(fault("W:Wa1:BKa1"), ("Ka1".to_owned(), occupied));
        let white = PositionFault::UncrownedMan(Side::White, "b8".to_owned());
        assert_eq!(fault("W:Wb8:B"), ("b8".to_owned(), white));
        let black = PositionFault::UncrownedMan(Side::Black, "a1".to_owned());
        assert_eq!(fault("W:W:Ba1"), ("a1".to_owned(), black));
        assert_eq!(fault("W:Wa1").1, PositionFault::SideMissing(Side::Black));
        assert_eq!(fault("W:Ba3").1, PositionFault::SideMissing(Side::White));
        assert_eq!(fault("W:Wa1:Wa3").1, PositionFault::SideTwice(Side::White));
        assert_eq!(fault("W:Wa1,:B").1, PositionFault::NoSquare);
        assert_eq!(fault("Wa1:Ba3").1, PositionFault::NoSideToMove("Wa1".to_owned()));
        assert_eq!(fault("").1, PositionFault::NoSideToMove(String::new()));
        assert_eq!(fault("W:W::B").1, PositionFault::NoSide(String::new()));
    }
}
