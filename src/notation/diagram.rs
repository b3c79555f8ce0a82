//! Boards drawn as text: a mark for each square, the edges named. Knows no rules.

use super::SquareNames;
use crate::board::{Kind, Piece, Placement, Side, Square, SquareSet};
use crate::rules::{BoardRules, Notation};

/// The marks that stand for pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// `⛀ ⛁ ⛂ ⛃`, and `·` for an empty square.
    Unicode,
    /// `w W b B`, kings capital, and `.` for an empty square.
    Ascii,
}

impl Marks {
    /// The mark of a square with this piece, or of an empty one.
    #[must_use]
    pub const fn mark(self, piece: Option<Piece>) -> char {
        match (self, piece) {
            (Self::Unicode, None) => '·',
            (Self::Unicode, Some(Piece { side: Side::White, kind: Kind::Man })) => '⛀',
            (Self::Unicode, Some(Piece { side: Side::White, kind: Kind::King })) => '⛁',
            (Self::Unicode, Some(Piece { side: Side::Black, kind: Kind::Man })) => '⛂',
            (Self::Unicode, Some(Piece { side: Side::Black, kind: Kind::King })) => '⛃',
            (Self::Ascii, None) => '.',
            (Self::Ascii, Some(Piece { side: Side::White, kind: Kind::Man })) => 'w',
            (Self::Ascii, Some(Piece { side: Side::White, kind: Kind::King })) => 'W',
            (Self::Ascii, Some(Piece { side: Side::Black, kind: Kind::Man })) => 'b',
            (Self::Ascii, Some(Piece { side: Side::Black, kind: Kind::King })) => 'B',
        }
    }

    /// One line that says what the marks mean.
    #[must_use]
    pub fn legend(self) -> String {
        let mark = |side, kind| self.mark(Some(Piece { side, kind }));
        format!(
            "{} white man  {} white king  {} black man  {} black king",
            mark(Side::White, Kind::Man),
            mark(Side::White, Kind::King),
            mark(Side::Black, Kind::Man),
            mark(Side::Black, Kind::King),
        )
    }
}

/// A way to draw boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram<'a> {
    /// The board.
    pub board: &'a BoardRules,
    /// The marks.
    pub marks: Marks,
}

impl Diagram<'_> {
    /// The pieces, the highest rank first, each line with a line end; `lit` squares (such as start
    /// and end of the last turn) stand in parentheses.
    ///
    /// In letters the ranks stand at the left and the files below; in numbers the first and the
    /// last square of each rank stand at its sides. Squares that are not playable are blank.
    #[must_use]
    pub fn draw<S: SquareSet>(&self, placement: &Placement<S>, lit: &[Square]) -> String {
        let geometry = self.board.geometry();
        let names = SquareNames::new(self.board);
        let files = self.board.files;
        let mut text = String::new();
        for rank in (0..self.board.ranks).rev() {
            let row: Vec<Option<Square>> = (0..files)
                .map(|file| geometry.square(file.cast_signed(), rank.cast_signed()))
                .collect();
            let named =
                |square: Option<&Square>| square.map_or(String::new(), |&at| names.name(at));
            let (left, right) = match self.board.notation {
                Notation::Letters => ((rank + 1).to_string(), String::new()),
                Notation::Numbers => {
                    let first = named(row.iter().flatten().next());
                    (first, named(row.iter().flatten().next_back()))
                }
            };
            let mut line = format!("{left:>3} ");
            let is_lit = |square: Option<&Option<Square>>| {
                square.is_some_and(|square| square.is_some_and(|square| lit.contains(&square)))
            };
            for file in 0..=row.len() {
                let before = file.checked_sub(1).is_some_and(|before| is_lit(row.get(before)));
                line.push(match (before, is_lit(row.get(file))) {
                    (false, false) => ' ',
                    (false, true) => '(',
                    (true, false) => ')',
                    (true, true) => '|',
                });
                if let Some(square) = row.get(file) {
                    line.push(square.map_or(' ', |at| self.marks.mark(placement.at(at))));
                }
            }
            line.push_str(&format!(" {right:<3}"));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        match self.board.notation {
            Notation::Letters => {
                text.push_str("    ");
                (0..files).for_each(|file| text.extend([' ', char::from(b'a' + file)]));
                text.push('\n');
            }
            Notation::Numbers => {}
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Diagram, Marks};
    use crate::board::Squares;
    use crate::notation::{SquareNames, parse_position};
    use crate::rules::{BoardRules, Notation};

    #[test]
    fn letters_stand_at_the_edges_and_the_last_turn_is_lit() {
        let board = BoardRules { files: 5, ranks: 4, ..BoardRules::default() };
        let (_, placement) = parse_position("W:Wa2,Kb2:Be3,Kd4", &board).expect("a position");
        let names = SquareNames::new(&board);
        let lit = ["a2", "b2", "e3"].map(|name| names.read(name).expect("a square"));
        let drawn = |marks| Diagram { board: &board, marks }.draw(&placement, &lit);
        let unicode = "  4  · · · ⛃ ·
  3  · · · ·(⛂)
  2 (⛀|⛁)· · ·
  1  · · · · ·
     a b c d e
";
        assert_eq!(drawn(Marks::Unicode), unicode);
        let ascii = "  4  . . . B .
  3  . . . .(b)
  2 (w|W). . .
  1  . . . . .
     a b c d e
";
        assert_eq!(drawn(Marks::Ascii), ascii);
    }

    #[test]
    fn numbers_stand_at_both_sides_of_each_rank() {
        let board =
            BoardRules { files: 6, ranks: 4, squares: Squares::Dark, notation: Notation::Numbers };
        let (_, placement) = parse_position("W:W12,K7:B1,K5", &board).expect("a position");
        let drawn = Diagram { board: &board, marks: Marks::Ascii }.draw(&placement, &[]);
        let expected = "  1    b   .   .  3
  4  .   B   .    6
  7    W   .   .  9
 10  .   .   w    12
";
        assert_eq!(drawn, expected);
    }
}
