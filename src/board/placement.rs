//! Which piece stands where, and nothing else.

use super::{Kind, Piece, Side, Square, SquareSet};

/// The pieces on the board, without side to move or counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement<S> {
    /// The pieces of White and of Black, men and kings together.
    pub pieces: [S; 2],
    /// The kings of both sides.
    pub kings: S,
}

impl<S: SquareSet> Placement<S> {
    /// All pieces of one side.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side) -> S {
        self.pieces[side.index()]
    }

    /// The men of one side.
    #[inline]
    #[must_use]
    pub fn men(&self, side: Side) -> S {
        self.of(side).minus(self.kings)
    }

    /// The kings of one side.
    #[inline]
    #[must_use]
    pub fn kings(&self, side: Side) -> S {
        self.of(side) & self.kings
    }

    /// All squares with a piece.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> S {
        self.pieces[0] | self.pieces[1]
    }

    /// The piece on a square, if there is one.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Piece> {
        let side = Side::ALL.into_iter().find(|&side| self.of(side).contains(square))?;
        let kind = if self.kings.contains(square) { Kind::King } else { Kind::Man };
        Some(Piece { side, kind })
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.occupied().contains(square), "two pieces on one square");
        self.pieces[piece.side.index()] |= S::single(square);
        if piece.kind == Kind::King {
            self.kings |= S::single(square);
        }
    }

    /// The same placement in another word; every square must fit there.
    #[must_use]
    pub fn cast<T: SquareSet>(&self) -> Placement<T> {
        debug_assert!(T::BITS >= S::BITS || self.occupied().to_bits() >> T::BITS == 0);
        Placement {
            pieces: self.pieces.map(|set| T::from_bits(set.to_bits())),
            kings: T::from_bits(self.kings.to_bits()),
        }
    }
}
