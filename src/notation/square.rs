//! Names of squares, in letters (`a1`) and in numbers (`1`). Knows nothing of pieces.

use crate::board::{Geometry, Square};
use crate::rules::{BoardRules, Notation};

/// The names of a board's squares.
#[derive(Clone, Debug)]
pub struct SquareNames {
    geometry: Geometry,
    notation: Notation,
    /// The playable squares from the top left, highest rank first: square 1, 2, …
    numbered: Vec<Square>,
}

/// A text that names no playable square.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SquareError {
    /// It is written like no square at all.
    #[error("`{text}` is not a square: squares are written {first} to {last}")]
    Unreadable {
        /// The text, cut if long.
        text: String,
        /// The name of one corner.
        first: String,
        /// The name of the opposite corner.
        last: String,
    },
    /// It is written like a square, but the board has none there.
    #[error("`{text}` is not on the board: its squares are {first} to {last}")]
    OffBoard {
        /// The text, cut if long.
        text: String,
        /// The name of one corner.
        first: String,
        /// The name of the opposite corner.
        last: String,
    },
    /// It is on the board, but no piece can stand there.
    #[error("`{text}` is not playable: only the squares of a1's colour are")]
    NotPlayable {
        /// The text.
        text: String,
    },
}

impl SquareNames {
    /// The names of this board's squares.
    #[must_use]
    pub fn new(board: &BoardRules) -> Self {
        let geometry = board.geometry();
        let mut numbered: Vec<Square> = geometry.squares().collect();
        numbered.sort_by_key(|&square| {
            let (file, rank) = geometry.file_and_rank(square);
            (std::cmp::Reverse(rank), file)
        });
        Self { geometry, notation: board.notation, numbered }
    }

    /// The name of a square in the board's own notation.
    #[must_use]
    pub fn name(&self, square: Square) -> String {
        match self.notation {
            Notation::Letters => {
                let (file, rank) = self.geometry.file_and_rank(square);
                letters(file, rank)
            }
            Notation::Numbers => {
                let index = self.numbered.iter().position(|&other| other == square);
                (index.expect("a square of this board is numbered") + 1).to_string()
            }
        }
    }

    /// The square that a text names, in either notation: one begins with a letter, one with a
    /// digit.
    ///
    /// # Errors
    /// When the text is no square's name, or the square is off the board or not playable.
    pub fn read(&self, text: &str) -> Result<Square, SquareError> {
        if text.starts_with(|start: char| start.is_ascii_digit()) {
            let number = plain_number(text).ok_or_else(|| self.unreadable(text))?;
            let found = number.checked_sub(1).and_then(|index| self.numbered.get(index));
            return found.copied().ok_or_else(|| SquareError::OffBoard {
                text: cut(text),
                first: "1".to_owned(),
                last: self.numbered.len().to_string(),
            });
        }
        let file = text.bytes().next().filter(u8::is_ascii_lowercase);
        let rank = text.get(1..).and_then(plain_number);
        let (Some(file), Some(rank)) = (file, rank) else { return Err(self.unreadable(text)) };
        let size = self.geometry.size();
        let file = file - b'a';
        let rank = u8::try_from(rank).ok().and_then(|rank| rank.checked_sub(1));
        let inside = rank.filter(|&rank| file < size.files && rank < size.ranks);
        let Some(rank) = inside else {
            return Err(SquareError::OffBoard {
                text: cut(text),
                first: "a1".to_owned(),
                last: letters(size.files - 1, size.ranks - 1),
            });
        };
        self.geometry
            .square(file.cast_signed(), rank.cast_signed())
            .ok_or_else(|| SquareError::NotPlayable { text: cut(text) })
    }

    /// All playable squares in the order in which texts list them: by file, then rank, or by
    /// number.
    #[must_use]
    pub fn in_order(&self) -> Vec<Square> {
        match self.notation {
            Notation::Letters => {
                let mut squares = self.numbered.clone();
                squares.sort_by_key(|&square| self.geometry.file_and_rank(square));
                squares
            }
            Notation::Numbers => self.numbered.clone(),
        }
    }

    fn unreadable(&self, text: &str) -> SquareError {
        let size = self.geometry.size();
        let (first, last) = match self.notation {
            Notation::Letters => ("a1".to_owned(), letters(size.files - 1, size.ranks - 1)),
            Notation::Numbers => ("1".to_owned(), self.numbered.len().to_string()),
        };
        SquareError::Unreadable { text: cut(text), first, last }
    }
}

/// File and rank, both from 0, as a letter and a number.
fn letters(file: u8, rank: u8) -> String {
    format!("{}{}", char::from(b'a' + file), rank + 1)
}

/// The number that a text of one to three digits writes without a leading zero.
fn plain_number(text: &str) -> Option<usize> {
    let plain = (1..=3).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && !text.starts_with('0');
    if plain { text.parse().ok() } else { None }
}

/// A text short enough, and free of control characters, for a message.
pub(super) fn cut(text: &str) -> String {
    let short: String = text.chars().take(20).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{}{more}", short.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::{SquareError, SquareNames};
    use crate::board::Squares;
    use crate::rules::{BoardRules, Notation};

    #[test]
    fn names_are_read_back_on_every_board() {
        for squares in [Squares::All, Squares::Dark] {
            for notation in [Notation::Letters, Notation::Numbers] {
                for (files, ranks) in [(8, 8), (4, 16), (16, 8), (11, 11), (5, 7), (10, 10)] {
                    let board = BoardRules { files, ranks, squares, notation };
                    let names = SquareNames::new(&board);
                    for square in names.in_order() {
                        assert_eq!(names.read(&names.name(square)), Ok(square));
                    }
                    assert_eq!(names.in_order().len(), board.geometry().square_count());
                }
            }
        }
    }

    #[test]
    fn numbers_are_those_of_international_draughts() {
        let board = BoardRules {
            files: 10,
            ranks: 10,
            squares: Squares::Dark,
            notation: Notation::Numbers,
        };
        let names = SquareNames::new(&board);
        for (number, letters) in
            [("1", "b10"), ("5", "j10"), ("6", "a9"), ("46", "a1"), ("50", "i1")]
        {
            assert_eq!(names.read(number), names.read(letters));
            assert_eq!(names.name(names.read(letters).expect("a square")), number);
        }
    }

    #[test]
    fn what_is_no_square_is_named() {
        let names =
            SquareNames::new(&BoardRules { squares: Squares::Dark, ..BoardRules::default() });
        for text in ["", "a", "a0", "a01", "A1", "é1", "a1 ", "01", "1x", "a1111", "💥"] {
            assert!(matches!(names.read(text), Err(SquareError::Unreadable { .. })), "{text}");
        }
        for text in ["i1", "a9", "33", "a999"] {
            assert!(matches!(names.read(text), Err(SquareError::OffBoard { .. })), "{text}");
        }
        assert_eq!(names.read("b1"), Err(SquareError::NotPlayable { text: "b1".to_owned() }));
    }
}
