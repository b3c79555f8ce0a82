//! All that one side does until the other may move, as an unordered whole.

use crate::board::{Kind, Square, SquareSet};

/// One turn. Two turns with equal start, end, taken set and final kind are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn<S> {
    /// Where the piece stood.
    pub from: Square,
    /// Where it stands afterwards; may be where it stood.
    pub to: Square,
    nature: u8,
    /// The pieces taken.
    pub taken: S,
}

const CROWNS: u8 = 1;
const BY_KING: u8 = 2;
const HOPS: u8 = 4;

impl<S: SquareSet> Turn<S> {
    /// A turn of a piece that was of kind `moved` when it began.
    #[inline]
    pub(super) const fn new(from: Square, to: Square, moved: Kind, taken: S) -> Self {
        let nature = match moved {
            Kind::Man => 0,
            Kind::King => BY_KING,
        };
        Self { from, to, nature, taken }
    }

    /// The same turn, ending with the man crowned if `crowned`.
    #[inline]
    pub(super) const fn crowned_if(mut self, crowned: bool) -> Self {
        self.nature |= if crowned { CROWNS } else { 0 };
        self
    }

    /// The same turn, made with at least one hop if `hops`.
    #[inline]
    pub(super) const fn hopping_if(mut self, hops: bool) -> Self {
        self.nature |= if hops { HOPS } else { 0 };
        self
    }

    /// The same turn, ending on another square.
    #[inline]
    pub(super) const fn ending_on(mut self, to: Square) -> Self {
        self.to = to;
        self
    }

    /// Whether the piece began the turn as a man and ends it as a king.
    #[inline]
    #[must_use]
    pub const fn promotes(&self) -> bool {
        self.nature & CROWNS != 0
    }

    /// What the piece was when the turn began.
    #[inline]
    #[must_use]
    pub const fn moved(&self) -> Kind {
        if self.nature & BY_KING != 0 { Kind::King } else { Kind::Man }
    }

    /// What the piece is when the turn has ended.
    #[inline]
    #[must_use]
    pub const fn becomes(&self) -> Kind {
        if self.nature & (BY_KING | CROWNS) != 0 { Kind::King } else { Kind::Man }
    }

    /// Whether the turn needs a hop: it is no plain step, slide or jump chain.
    #[inline]
    #[must_use]
    pub const fn hops(&self) -> bool {
        self.nature & HOPS != 0
    }

    /// Whether something is taken.
    #[inline]
    #[must_use]
    pub fn captures(&self) -> bool {
        self.taken.any()
    }

    /// Whether both name one turn (start, end, taken set, final kind), however they are made.
    #[inline]
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.from == other.from
            && self.to == other.to
            && self.taken == other.taken
            && self.promotes() == other.promotes()
    }
}
